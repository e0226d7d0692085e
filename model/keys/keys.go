package keys

import "strings"

// Shape is the form of a key's value.
type Shape uint8

// The shapes.
const (
	ScalarShape Shape = iota // number or formula over the model's parameters
	VectorShape              // list of three scalars
	TextShape
	FrameShape   // name of a frame
	WordShape    // one of Choices
	AxisShape    // "x", "y", "z" or a list of three numbers, not all zero
	TextsShape   // list of texts
	TableShape   // table of Keys
	TablesShape  // list of tables of Keys
	MatrixShape  // list of rows, which are lists of scalars
	CurveShape   // list of points, which are lists of two numbers, or a table; Unit has those of x and y
	ScalarsShape // list of scalars, at least one
)

// String describes the shape for messages and documentation.
func (s Shape) String() string {
	return [...]string{
		"a number or a formula", "a list of three numbers or formulas", "a string", "the name of a frame",
		"one of the words", "an axis: \"x\", \"y\", \"z\" or three numbers", "a list of strings", "a table",
		"a list of tables", "a list of lists of numbers or formulas",
		"a curve: a list of points [x, y], or a table that names a file", "a list of numbers or formulas",
	}[s]
}

// Key describes one key of a model file. A key without Default that is not
// Optional must be given.
type Key struct {
	Name    string
	Shape   Shape
	Unit    string
	Turning string // unit on a revolute joint, where it is another
	// Second is the unit of a second variable of a CurveShape, "" where there can be none; TurningSecond that on a
	// revolute joint, where it is another.
	Second, TurningSecond string
	Default               string
	Optional              bool
	Text                  string
	Stray                 string   // of a table: what to do with a key that it does not have
	Choices               []string // WordShape
	Keys                  []Key    // TableShape, TablesShape
	Smooth                bool     // CurveShape: with a continuous second derivative
	// FromFile is a key of property files of tires that can have a number in place of the model file.
	FromFile string
	// Nonnegative, Positive and AtMostOne bound scalars.
	Nonnegative, Positive, AtMostOne bool
	// Mirror is what becomes of the value where a component is mirrored about the xz-plane.
	Mirror Mirror
	// Names is what the texts of a TextShape or TextsShape are names of, or formulas over.
	Names Names
}

// Names is what a text refers to, so that instances of subsystems can rename it.
type Names uint8

// What texts refer to.
const (
	NoNames    Names = iota
	Components       // it is the name of a component, or a list of them
	Variables        // it is a formula over parameters and variables of components
)

// describe says for messages what the value must be.
func (k *Key) describe() string {
	s := k.Shape.String()
	if len(k.Choices) > 0 {
		s += " " + strings.Join(k.Choices, ", ")
	}
	if k.Unit != "" {
		s += " [" + k.Unit + "]"
	}
	if k.FromFile != "" {
		s += ", or { from = \"file\" } for " + k.FromFile + " of the tire's property file"
	}
	return s
}
