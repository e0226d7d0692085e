package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	pythonDefinition = regexp.MustCompile(`^( *)(class|def) (\w+)`)
	pythonBase       = regexp.MustCompile(`^class \w+\((\w+)\)`)
	pythonAlias      = regexp.MustCompile(`^(\w+) = (Union\[.*|Callable\[.*|Shelf\(.*)$`)
	pythonMember     = regexp.MustCompile(`^    ([A-Za-z]\w*)(?:: [\w\[\], |.]+|( = -?\d+))(?:  # (.*))?$`)
	pythonPublic     = regexp.MustCompile(`^    "(\w+)",$`)
	pythonOffered    = regexp.MustCompile(`(?m)^__all__ = \[(.*)\]$`)
)

// definition is a class, function or alias of the Python package with its docstring.
type definition struct {
	name, signature, text string
	members               [][2]string   // of a class: names, and what is said of them
	methods               []*definition // of a class
	property              bool
}

// spoken are the methods that Python calls for signs, and how they are written.
var spoken = map[string]string{"Vehicle.__init__": "", "Vehicle.__getitem__": "vehicle[name]",
	"Vehicle.__setitem__": "vehicle[name] = value", "Fleet.__init__": "", "Fleet.__getitem__": "fleet[place]",
	"envs.LaneKeeping.__init__": "", "view.View.__init__": "", "view.Feed.__init__": "",
	"view.State.__getitem__": "state[name]"}

// pythonModules are the modules that users import by name.
var pythonModules = []string{"cost", "design", "envs", "view"}

// readPython lists the definitions of a file at its first level.
func readPython(path string) (text string, list []*definition, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	lines := strings.Split(string(data), "\n")
	i := 0
	// docstring reads that which begins on the present line.
	docstring := func(indent int) string {
		first := strings.TrimSpace(lines[i])
		if !strings.HasPrefix(first, `"""`) {
			return ""
		}
		doc := []string{strings.TrimPrefix(first, `"""`)}
		for !strings.HasSuffix(doc[len(doc)-1], `"""`) {
			i++
			doc = append(doc, strings.TrimPrefix(strings.TrimRight(lines[i], " "), strings.Repeat(" ", indent)))
		}
		doc[len(doc)-1] = strings.TrimSuffix(doc[len(doc)-1], `"""`)
		return strings.Trim(strings.Join(doc, "\n"), "\n")
	}
	text = docstring(0)
	var class *definition
	property := false
	for ; i < len(lines); i++ {
		line := lines[i]
		if at := pythonAlias.FindStringSubmatch(line); at != nil {
			d := &definition{name: at[1], signature: line}
			i++
			d.text = docstring(0)
			list = append(list, d)
			continue
		}
		if class != nil && len(class.methods) == 0 {
			if m := pythonMember.FindStringSubmatch(line); m != nil {
				class.members = append(class.members, [2]string{m[1] + m[2], m[3]})
			}
		}
		if strings.TrimSpace(line) == "@property" {
			property = true
			continue
		}
		at := pythonDefinition.FindStringSubmatch(line)
		if at == nil {
			if line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, ")") && !strings.HasPrefix(line, "#") {
				class = nil
			}
			continue
		}
		signature, indent := strings.TrimSpace(line), len(at[1])
		for strings.Count(signature, "(") != strings.Count(signature, ")") || !strings.HasSuffix(signature, ":") {
			i++
			signature += " " + strings.TrimSpace(lines[i])
		}
		signature = strings.NewReplacer("( ", "(", ", )", ")", " )", ")").Replace(strings.TrimSuffix(signature, ":"))
		d := &definition{name: at[3], signature: signature, property: property}
		property = false
		i++
		if d.text = docstring(indent + 4); d.text == "" {
			i--
		}
		switch {
		case indent == 0:
			if class = nil; at[2] == "class" {
				class = d
			}
			list = append(list, d)
		case indent == 4 && class != nil:
			class.methods = append(class.methods, d)
		}
	}
	return text, list, nil
}

// inherit puts the methods of a base class of the package that a class does not replace before its own methods.
func inherit(d *definition, found map[string]*definition) {
	if d == nil {
		return
	}
	if at := pythonBase.FindStringSubmatch(d.signature); at != nil && found[at[1]] != nil {
		own := func(m *definition) bool {
			return slices.ContainsFunc(d.methods, func(other *definition) bool { return other.name == m.name })
		}
		d.methods = slices.Concat(slices.DeleteFunc(slices.Clone(found[at[1]].methods), own), d.methods)
	}
}

// readModule adds what the __all__ of a module names to the definitions, with the module's name before it.
func readModule(folder, module string, found map[string]*definition) (names []string, err error) {
	path := filepath.Join(folder, module+".py")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, list, err := readPython(path)
	if err != nil {
		return nil, err
	}
	offered := pythonOffered.FindSubmatch(text)
	if offered == nil {
		return nil, fmt.Errorf("%s has no __all__ in one line", path)
	}
	for _, word := range strings.Split(string(offered[1]), ", ") {
		name := strings.Trim(word, `"`)
		d := found[name] // of a file that users do not import
		for _, own := range list {
			if own.name == name {
				d = own
			}
		}
		if d != nil {
			names = append(names, module+"."+name)
			found[module+"."+name] = d
		}
	}
	return names, nil
}

// pythonReference is the page of the Python package: what its __all__ names.
func pythonReference(root string) (string, error) {
	folder := filepath.Join(root, "capi/python/skidpad")
	entry, err := os.ReadFile(filepath.Join(folder, "__init__.py"))
	if err != nil {
		return "", err
	}
	var public []string
	for line := range strings.Lines(string(entry)) {
		if at := pythonPublic.FindStringSubmatch(strings.TrimRight(line, "\n")); at != nil && at[1] != "__version__" {
			public = append(public, at[1])
		}
	}
	head, _, err := readPython(filepath.Join(folder, "__init__.py"))
	if err != nil {
		return "", err
	}
	found := map[string]*definition{}
	for _, file := range []string{"_command", "_fleet", "_gradient",
		"_inputs", "_kc", "_library", "_linear", "_loaded", "_manoeuvre",
		"_measurement",
		"_run_warning", "_shipped", "_study", "_law", "_controller",
		"_sweep", "_tire", "_trace", "_variables", "_vehicle", "_view_client"} {
		_, list, err := readPython(filepath.Join(folder, file+".py"))
		if err != nil {
			return "", err
		}
		for _, d := range list {
			found[d.name] = d
		}
	}
	for _, module := range pythonModules {
		names, err := readModule(folder, module, found)
		if err != nil {
			return "", err
		}
		public = append(public, names...)
	}
	anchors := map[string]string{}
	for _, name := range public {
		d := found[name]
		inherit(d, found)
		if d == nil || d.text == "" {
			return "", fmt.Errorf("capi/python/skidpad: %s is in __all__, and has no docstring", name)
		}
		anchors[name] = strings.ToLower(strings.ReplaceAll(name, ".", ""))
		for _, m := range d.methods {
			anchors[name+"."+m.name] = anchors[name] + strings.ToLower(m.name)
		}
	}
	mark := func(word string) string {
		anchor, known := anchors[strings.TrimPrefix(word, "skidpad.")]
		switch {
		case known && strings.ContainsAny(word, "._"):
			return fmt.Sprintf("[`%s`](#%s)", word, anchor)
		case !strings.HasPrefix(word, "`") && strings.Contains(word, "_"):
			return "`" + word + "`"
		}
		return word
	}
	var b strings.Builder
	b.WriteString("# Python API reference\n\nThe package `skidpad`, from its docstrings. How to install it, and " +
		"examples, are in [bindings](bindings.md).\n\n" + prose(head, mark))
	// Vehicles first, as a user meets them.
	slices.SortStableFunc(public, func(x, y string) int {
		rank := func(name string) int { return (slices.Index(reading, name) + len(reading) + 1) % (len(reading) + 1) }
		return rank(x) - rank(y)
	})
	for _, name := range public {
		d := found[name]
		fmt.Fprintf(&b, "\n## %s\n\n%s", name, prose(d.text, mark))
		if !strings.HasPrefix(d.signature, "class") {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", wrapped(d.signature))
		}
		if len(d.members) > 0 {
			b.WriteString("\n| name | meaning |\n| --- | --- |\n")
			for _, m := range d.members {
				fmt.Fprintf(&b, "| `%s` | %s |\n", m[0], escaped.Replace(m[1]))
			}
		}
		for _, m := range d.methods {
			sign, special := spoken[name+"."+m.name]
			if m.text == "" || strings.HasPrefix(m.name, "_") && !special {
				continue
			}
			title := name + "." + m.name
			switch m.name {
			case "__init__":
				title = name + "()"
			case "__getitem__":
				title = name + "[]"
			case "__setitem__":
				title = name + "[] ="
			}
			fmt.Fprintf(&b, "\n### %s\n\n%s", title, prose(m.text, mark))
			switch {
			case sign != "":
				fmt.Fprintf(&b, "\n```text\n%s\n```\n", sign)
			case m.property:
				_, kind, _ := strings.Cut(m.signature, " -> ")
				fmt.Fprintf(&b, "\n```text\n%s: %s\n```\n", m.name, kind)
			default:
				fmt.Fprintf(&b, "\n```text\n%s\n```\n", wrapped(m.signature))
			}
		}
	}
	return b.String(), nil
}

// reading is the order of the page.
var reading = []string{"Vehicle", "Variable", "Causality", "Signal", "Trace", "step_all", "register_tire",
	"register_law", "register_controller", "Error", "Status"}

// wrapped has a parameter on each line, where a signature is long.
func wrapped(signature string) string {
	const short = 72
	open, end := strings.Index(signature, "("), strings.LastIndex(signature, ")")
	if len(signature) <= short || open < 0 {
		return signature
	}
	var parts []string
	depth, from := 0, open+1
	for i := open + 1; i < end; i++ {
		switch signature[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, strings.TrimSpace(signature[from:i])), i+1
			}
		}
	}
	parts = append(parts, strings.TrimSpace(signature[from:end]))
	return signature[:open+1] + "\n    " + strings.Join(parts, ",\n    ") + ",\n" + signature[end:]
}
