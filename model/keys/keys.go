package keys

import (
	"fmt"
	"strings"

	"skidpad/model/document"
)

// Shape is the form of a key's value.
type Shape uint8

// The shapes.
const (
	ScalarShape Shape = iota // number, text of a number and its unit, or formula
	VectorShape              // list of three scalars; before expansion also a formula of vectors
	TextShape
	FrameShape   // name of a frame
	WordShape    // one of Choices
	AxisShape    // "x", "y", "z" or a list of three scalars, not all zero; before expansion also a formula of vectors
	TextsShape   // list of texts
	TableShape   // table of Keys, or of one of Kinds
	TablesShape  // list of tables of Keys
	MatrixShape  // list of rows, which are lists of scalars
	CurveShape   // list of points, which are lists of two numbers, or a table; Unit has the units of x and y
	ScalarsShape // list of scalars, at least one
	TruthShape
	NamedShape    // table with names chosen by the file; Value describes the values
	ListShape     // list of values described by Value
	AnyShape      // a value described by one of Any
	QuantityShape // number, or text of a number and its unit
	NodeShape     // name of a node of a network
	NodesShape    // list of names of nodes
	CourseShape   // number, formula over parameters and time, or the word input
	FramesShape   // list of names of frames
)

// String describes the shape for messages and documentation.
func (s Shape) String() string {
	return [...]string{
		"a number or a formula", "a list of three numbers or formulas, or a formula of vectors",
		"a string", "the name of a frame",
		"one of the words",
		"an axis: \"x\", \"y\", \"z\", a list of three numbers or formulas, or a formula of vectors",
		"a list of strings", "a table",
		"a list of tables", "a list of lists of numbers or formulas",
		"a curve: a list of points [x, y], or a table that names a file", "a list of numbers or formulas",
		"true or false", "a table by names", "a list", "",
		"a number, or a text of a number and its unit", "the name of a node", "a list of names of nodes",
		"a number, a formula over parameters and time, or \"input\"",
		"a list of names of frames",
	}[s]
}

// AnyUnit marks numbers with a unit that the key does not determine: a start value has the unit of its variable.
const AnyUnit = "?"

// Key describes one key of a file. A key without Default that is not
// Optional must be given.
type Key struct {
	Name    string
	Shape   Shape
	Unit    string // SI unit of its numbers, "" for none, or AnyUnit
	Turning string // unit on a revolute joint, where it is another
	// Second is the unit of a second variable of a CurveShape, "" where there can be none; TurningSecond that on a
	// revolute joint, where it is another.
	Second, TurningSecond string
	Default               string
	Optional              bool
	Text                  string
	Stray                 string   // of a table: remedy for an unknown key
	Choices               []string // WordShape
	Keys                  []Key    // TableShape, TablesShape
	Kinds                 []Kind   // TableShape: its key "kind" tells which keys it has
	Value                 *Key     // NamedShape, ListShape
	Any                   []Key    // AnyShape
	Filled                bool     // TextsShape, ListShape: at least one
	Plain                 bool     // ScalarShape, AxisShape: neither a formula nor with a unit
	Smooth                bool     // CurveShape: with a continuous second derivative
	In                    string   // AxisShape: key of the frame that has the axis, `from` where it is empty
	// FromFile is a key of property files of tires that can have a number in place of the model file.
	FromFile string
	// Nonnegative, Positive and AtMostOne bound scalars; Whole marks integers.
	Nonnegative, Positive, AtMostOne bool
	Whole                            *Whole
	// Mirror is the effect on the value when a component is mirrored about the xz-plane.
	Mirror Mirror
	// Names is the kind of names in the texts of a TextShape or TextsShape, or in formulas.
	Names Names
}

// Kind is one kind of a table, by the word of its key "kind".
type Kind struct {
	Word, Text string
	Keys       []Key
}

// Whole are the least and the largest of whole numbers.
type Whole struct{ Least, Most int }

// Names is the kind of reference in a text; instances of subsystems rename such references.
type Names uint8

// Kinds of names in texts.
const (
	NoNames    Names = iota
	Components       // it is the name of a component, or a list of them
	Variables        // it is a formula over parameters and variables of components
)

// NamesOf are the names of keys.
func NamesOf(list []Key) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return names
}

// Form describes the values of a key for messages and documentation; code surrounds words that a file has.
func (k *Key) Form(code string) string {
	switch k.Shape {
	case WordShape:
		return code + strings.Join(k.Choices, code+", "+code) + code
	case NamedShape, ListShape:
		if k.Shape == NamedShape || k.Value.Shape != AnyShape { // lists of several forms are described by their text
			return k.Shape.String() + ": " + k.Value.Form(code)
		}
	case AnyShape:
		var all []string
		for i := range k.Any {
			all = append(all, k.Any[i].Form(code))
		}
		return strings.Join(all, ", or ")
	}
	s := k.Shape.String()
	switch {
	case k.Plain && k.Shape == AxisShape:
		s = "an axis: \"x\", \"y\", \"z\" or three numbers"
	case k.Plain:
		s = "a number"
	case k.Whole != nil:
		s = k.Range()
	}
	if k.Unit != "" && k.Unit != AnyUnit {
		s += " [" + k.Unit + "]"
	}
	return s
}

// describe describes the allowed values for messages.
func (k *Key) describe() string {
	s := k.Form("")
	if k.Shape == WordShape {
		s = k.Shape.String() + " " + s
	}
	if k.FromFile != "" {
		s += ", or { from = \"file\" } for " + k.FromFile + " of the tire's property file"
	}
	return s
}

// Range describes the bounds of a key's numbers, "" without.
func (k *Key) Range() string {
	switch {
	case k.Whole != nil:
		return fmt.Sprintf("an integer from %d to %d", k.Whole.Least, k.Whole.Most)
	case k.Positive && k.AtMostOne:
		return "above 0, at most 1"
	case k.Positive:
		return "above 0"
	case k.AtMostOne:
		return "from 0 to 1"
	case k.Nonnegative:
		return "not negative"
	}
	return ""
}

// takes reports whether a value of a kind can be that of the key.
func (k *Key) takes(kind document.Kind) bool {
	switch k.Shape {
	case ScalarShape, QuantityShape, CourseShape:
		return kind == document.Number || kind == document.Text && !k.Plain
	case TextShape, FrameShape, NodeShape, WordShape:
		return kind == document.Text
	case TableShape, NamedShape:
		return kind == document.Table
	case TruthShape:
		return kind == document.Truth
	case AxisShape, CurveShape, AnyShape:
		return true
	}
	return kind == document.List
}

// Of is the one of Any that takes a value, the key itself where none does.
func (k *Key) Of(n *document.Node) *Key {
	for i := range k.Any {
		if k.Any[i].takes(n.Kind) {
			one := k.Any[i]
			one.Name, one.Text = k.Name, k.Text
			return &one
		}
	}
	return k
}
