package vehicle

import (
	"path"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// readReactions returns the frame in whose axes the reaction of a component is published, "" for none.
func readReactions(f *keys.Fields) string {
	n := f.Node(keys.ReactionsKey)
	switch {
	case n == nil:
		return ""
	case n.Kind == document.Text:
		return f.Text(keys.ReactionsKey)
	case f.Truth(keys.ReactionsKey):
		return keys.OfTail
	}
	return ""
}

// withReactions is the table of a model file with further elements of its list of reactions.
func withReactions(root *document.Node, more []string) *document.Node {
	list := document.Node{Kind: document.List, File: root.File, Line: 1, Column: 1}
	if given := root.Field(keys.ReactionsKey); given != nil {
		if given.Kind != document.List {
			return root // refused by the reader
		}
		list = *given
		list.Items = slices.Clone(given.Items)
	}
	for _, text := range more {
		list.Items = append(list.Items, &document.Node{Kind: document.Text, Text: text, File: root.File, Line: 1, Column: 1})
	}
	return withField(root, keys.ReactionsKey, &list)
}

// askForReactions gives the components that the list of the model names their reactions, each in the axes that its own
// key or the first element names.
func (r *reader) askForReactions(list []string) {
	items := r.Root.Field(keys.ReactionsKey)
	if items == nil || len(items.Items) != len(list) {
		return // reported
	}
	scope := component.NewScope(r.model.Components)
	for i, text := range list {
		pattern, axes := text, keys.OfTail
		if words := strings.Fields(text); len(words) == 3 && words[1] == "in" {
			pattern, axes = words[0], words[2]
		}
		found := false
		for _, c := range component.All[component.Holding](scope) {
			h := c.Head()
			is, err := path.Match(pattern, h.Name)
			if err != nil {
				r.At(items.Items[i], "reactions[%d] is %q, which is no pattern: * stands for any letters, ? for one, [ab] for "+
					"one of several", i, text)
				return
			}
			if found = found || is; !is || h.Reactions != "" {
				continue
			}
			if q := r.inTheWay(h.Name); q != "" && pattern != h.Name {
				r.doubts.At(items.Items[i], "reactions[%d] leaves out %s, because the quantity %s has the name of its reaction; "+
					"give the quantity another name", i, h.Name, q)
				continue
			}
			h.Reactions = axes
		}
		if !found {
			r.reactionOfNothing(items.Items[i], i, text, pattern, scope)
		}
	}
}

// inTheWay is the quantity of the file that has the name of a reaction, "" for none.
func (r *reader) inTheWay(name string) string {
	for _, q := range r.model.Quantities {
		owner, key, _ := strings.Cut(q.Name, ".")
		if owner == name && slices.Contains(component.ReactionKeys, key) {
			return q.Name
		}
	}
	return ""
}

// reactionOfNothing notes an element that no component with a reaction matches.
func (r *reader) reactionOfNothing(at *document.Node, i int, text, pattern string, scope *component.Scope) {
	var names []string
	for _, c := range component.All[component.Holding](scope) {
		names = append(names, c.Head().Name)
	}
	slices.Sort(names)
	switch c := scope.Find(pattern); {
	case len(names) == 0:
		r.At(at, "reactions[%d] is %q, and the model has no joint, arm, rod or contact", i, text)
	case c != nil:
		r.At(at, "reactions[%d] is %q, which is a %s; only joints, arms, rods and contacts have reactions: %s", i, text,
			c.Head().Type, strings.Join(names, ", "))
	default:
		hint := ""
		if near := document.Nearest(pattern, names); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		}
		r.At(at, "reactions[%d] is %q, and no joint, arm, rod or contact has that name%s an element is NAME or a pattern "+
			"such as wheel_*, or either with axes, \"NAME in FRAME\"; there are %s", i, text, keys.HintOrSemicolon(hint),
			strings.Join(names, ", "))
	}
}
