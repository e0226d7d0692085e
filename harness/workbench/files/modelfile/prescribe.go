package modelfile

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/vehicle"
)

// Driven is a component of a model file whose motion along or about one axis is input.
type Driven struct {
	Name        string
	Translation bool
	Joint       bool // it is a joint
}

// Position, Rate and Load are the variables of the driver: its motion, and what the motion takes.
func (d Driven) Position() string {
	if d.Translation {
		return d.Name + ".position"
	}
	return d.Name + ".angle"
}

func (d Driven) Rate() string         { return d.Name + ".rate" }
func (d Driven) Acceleration() string { return d.Name + ".acceleration" }
func (d Driven) Power() string        { return d.Name + ".power" }

func (d Driven) Load() string {
	if d.Translation {
		return d.Name + ".force"
	}
	return d.Name + ".torque"
}

// oneAxis are the types of joints whose motion can be input, and whether it is a translation.
var oneAxis = map[string]bool{"revolute": false, "prismatic": true}

// Prescribe writes a model file as Expand does. The motion of each revolute or prismatic joint whose name matches one
// of the patterns becomes input. The result lists all components with prescribed motions. A pattern that matches no
// such joint and no motion driver is an error.
func Prescribe(w io.Writer, file, folder string, patterns []string) ([]Driven, error) {
	if _, err := vehicle.Read(file); err != nil {
		return nil, err
	}
	d, err := vehicle.ReadDocument(file)
	if err != nil {
		return nil, err
	}
	components := d.Root.Field("component")
	changed := *components
	changed.Fields = maps.Clone(components.Fields)
	for i := range patterns {
		patterns[i] = strings.TrimSpace(patterns[i])
	}
	var driven []Driven
	used := make([]bool, len(patterns))
	for _, name := range components.Keys {
		table := components.Fields[name]
		matched := false
		for i, pattern := range patterns {
			if is, err := path.Match(pattern, name); err != nil {
				return nil, fmt.Errorf("%q is no pattern: %w; * stands for any text, ? for one character", pattern, err)
			} else if is {
				word := table.Field("type").Text
				_, joint := oneAxis[word]
				matched, used[i] = true, used[i] || joint || word == "motion-driver"
			}
		}
		word := table.Field("type").Text
		translation, joint := oneAxis[word]
		given := table.Field("motion") != nil && table.Field("motion").Text == "input"
		switch {
		case word == "motion-driver":
			form := table.Field("kind")
			driven = append(driven, Driven{Name: name, Translation: form != nil && form.Text == "translation"})
		case joint && (matched || given):
			changed.Fields[name] = moved(table)
			driven = append(driven, Driven{name, translation, true})
		}
	}
	for i, is := range used {
		if !is {
			return nil, fmt.Errorf("%q matches no revolute or prismatic joint and no motion driver of %s; it has %s",
				patterns[i], file, strings.Join(axesOf(components), ", "))
		}
	}
	root := *d.Root
	root.Fields = maps.Clone(d.Root.Fields)
	root.Fields["component"] = &changed
	d.Root = &root
	return driven, writeFlat(w, d, file, folder)
}

// moved is the table of a joint whose motion is input.
func moved(joint *document.Node) *document.Node {
	table := joint.Without("start").Without("torque").Without("motion")
	table.Keys = append(table.Keys, "motion")
	table.Fields["motion"] = &document.Node{Kind: document.Text, Text: "input", File: joint.File, Line: joint.Line,
		Column: joint.Column}
	return table
}

// axesOf lists what can be prescribed, or is.
func axesOf(components *document.Node) (list []string) {
	for _, name := range components.Keys {
		word := components.Fields[name].Field("type").Text
		if _, joint := oneAxis[word]; joint || word == "motion-driver" {
			list = append(list, name)
		}
	}
	if list == nil {
		return []string{"none"}
	}
	slices.Sort(list)
	return list
}
