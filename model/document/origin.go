package document

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Origin tells through which use of a subsystem file a node has come into a model.
type Origin struct {
	// Read is where the subsystem names the parameter whose value the node is; nil for a node of the subsystem itself.
	Read      *Node
	File      string  // the subsystem file
	Use       *Node   // the use, a table in the file of its user
	Text      string  // "use F", "use axle"
	At        string  // "L", "2R"; "" where the use makes one instance
	Choices   string  // for the options of the file: `joints = "bushings"`; "" of a file without options
	Component string  // of the model
	Suffix    string  // that its names have in the model, without "_"
	By        *Origin // of the file of the user; nil for the model
}

// chain lists the uses of an origin from the file of the node to that of the model.
func (o *Origin) chain() []*Origin {
	var list []*Origin
	for ; o != nil; o = o.By {
		list = append(list, o)
	}
	return list
}

func (o *Origin) position() string {
	return fmt.Sprintf("%s:%d:%d", o.Use.File, o.Use.Line, o.Use.Column)
}

// String is the chain of uses, for people.
func (o *Origin) String() string {
	var list []string
	for _, u := range o.chain() {
		text := u.Text
		if u.At != "" {
			text += ", at " + u.At
		}
		list = append(list, fmt.Sprintf("%s (%s)", u.position(), text))
	}
	return strings.Join(list, ", used by ")
}

// Chain returns the chain of uses by the names of files alone, from the subsystem to the use in the model.
func (o *Origin) Chain() string {
	var list []string
	for _, u := range o.chain() {
		text := u.Text
		if u.At != "" {
			text += " at " + u.At
		}
		if u.Choices != "" {
			text += " with " + u.Choices
		}
		list = append(list, fmt.Sprintf("%s (%s)", filepath.Base(u.File), text))
	}
	return strings.Join(list, ", ")
}

// mostNames is how many components a fault of many instances names.
const mostNames = 6

// usedBy lists the instances of an error: for each chain of uses the components.
func usedBy(origins []*Origin) string {
	if len(origins) == 0 {
		return ""
	}
	if len(origins) == 1 {
		o := *origins[0]
		if o.Component != "" {
			if o.At != "" {
				o.Text, o.At = o.Text+", at "+o.At, ""
			}
			o.Text += ": " + o.Component
		}
		return readAt(&o) + "; used by " + o.String()
	}
	type chain struct{ before, after string }
	var chains []chain // in the order of their first instance
	names := map[chain][]string{}
	for _, o := range origins {
		key := chain{before: o.position() + " (" + o.Text}
		for _, u := range o.chain()[1:] {
			key.after += fmt.Sprintf(", used by %s (%s)", u.position(), u.Text)
		}
		if names[key] == nil {
			chains = append(chains, key)
		}
		if !slices.Contains(names[key], o.Component) {
			names[key] = append(names[key], o.Component)
		}
	}
	var list []string
	for _, c := range chains {
		named := slices.DeleteFunc(names[c], func(name string) bool { return name == "" })
		if len(named) == 0 { // parameters
			list = append(list, c.before+")"+c.after)
			continue
		}
		shown := named[:min(len(named), mostNames)]
		text := strings.Join(shown, ", ")
		if more := len(named) - len(shown); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, c.before+": "+text+")"+c.after)
	}
	return readAt(origins[0]) + "; used by " + strings.Join(list, ", and by ")
}

func readAt(o *Origin) string {
	if o.Read == nil {
		return ""
	}
	return fmt.Sprintf("; read at %s:%d:%d", o.Read.File, o.Read.Line, o.Read.Column)
}

var notWords = regexp.MustCompile(`[^A-Za-z_ ]+`)

// mergeInstances makes one of the faults that instances have at one place. Their problems differ by suffixes of names,
// and by signs where one is mirrored.
func mergeInstances(list []*Fault) []*Fault {
	type key struct {
		file         string
		line, column int
		problem      string
	}
	first := map[key]*Fault{}
	var merged []*Fault
	for _, x := range list {
		k := key{x.File, x.Line, x.Column, x.Problem}
		if len(x.Origins) > 0 {
			if suffix := x.Origins[0].Suffix; suffix != "" {
				k.problem = strings.ReplaceAll(k.problem, "_"+suffix, "")
			}
			if _, of, is := strings.Cut(k.problem, " is "); is && x.Origins[0].Read != nil {
				k.problem = of // of one value that several keys have
			}
			k.problem = notWords.ReplaceAllString(k.problem, "")
		}
		if same := first[k]; same != nil {
			same.Origins = append(same.Origins, x.Origins...)
			continue
		}
		of := *x // faults are gathered further, after an error was made of them
		first[k] = &of
		merged = append(merged, &of)
	}
	return merged
}
