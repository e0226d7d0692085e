package keys

import (
	"strings"

	"skidpad/model/document"
)

// Position is a place in a model file.
type Position struct {
	File         string
	Line, Column int // counted from 1; 0 when there is no place
	Origin       *document.Origin
}

// Scalar is a number of a model file: written as a literal, or as a formula
// over the named parameters of the model, such as "-track_front/2".
//
// The engine keeps a non-zero literal as a settable parameter named
// <component>.<key>. A literal zero is structural: it is folded into the
// equations and is not published as a parameter.
type Scalar struct {
	Value    float64 // value with the start values of the parameters, SI
	Text     string  // exactly as written: a decimal or a formula
	Formula  bool    // true when Text is a formula over model parameters
	Unit     string  // unit in the file, "" for SI; value and text are SI
	FromFile string  // key of the tire's property file that has the value, "" where the model file has it
	// Nonnegative, Positive and AtMostOne are the bounds of the value's key.
	Nonnegative, Positive, AtMostOne bool
	Pos                              Position
	Default                          bool // the file does not give it

	wrong bool // reported
}

// Header holds the common data of components.
type Header struct {
	Name string   // unique in the model
	Type string   // the TOML type word, for example "rigid-body"
	Text string   // optional description
	Pos  Position // of the component's table
	// Reactions is the frame whose axes resolve the published reaction of the component: OfTail for the axes of its tail,
	// "" for no reaction.
	Reactions string
	Kept      bool   // assembly leaves its coordinates as they start
	Heat      string // thermal node that the loss of the component heats, "" for none
}

// ReactionsKey asks for the reaction of a component, true for OfTail.
const ReactionsKey, OfTail = "reactions", "true"

// HeatKey names a node, for Heat; sources of heat have a value of this name.
const HeatKey = "heat"

// Vector is three scalars resolved in a frame named by its owner.
type Vector [3]Scalar

// Head returns the header itself, so that embedding it makes a Component.
func (h *Header) Head() *Header { return h }

// Inertia is the inertia about the centre of mass, in body axes [kg m^2]. XY, XZ, YZ are elements of the matrix (minus
// the products of inertia). When Axisymmetric, Axis is the index (0, 1, 2) of the symmetry axis and only Axial and
// Transverse are set. The engine can then resolve the body in a frame that does not spin about Axis.
type Inertia struct {
	XX, YY, ZZ, XY, XZ, YZ Scalar
	Axisymmetric           bool
	Axis                   int
	Axial, Transverse      Scalar
}

// Zero is a number that is not given.
func Zero() Scalar { return Scalar{Text: "0"} }

// Negated returns the number with the other sign, written so.
func (s Scalar) Negated() Scalar {
	if s.Value == 0 && !s.Formula {
		return s
	}
	s.Value = -s.Value
	switch {
	case s.Formula:
		s.Text = "-(" + s.Text + ")"
	case strings.HasPrefix(s.Text, "-"):
		s.Text = s.Text[1:]
	default:
		s.Text = "-" + strings.TrimPrefix(s.Text, "+")
	}
	return s
}
