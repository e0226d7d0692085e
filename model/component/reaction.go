package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// reactionsKey is the key that requests the reaction of a component as outputs.
var reactionsKey = keys.Key{
	Name: keys.ReactionsKey, Shape: keys.AnyShape, Optional: true,
	Any: []keys.Key{{Shape: keys.TruthShape}, {Shape: keys.FrameShape}},
	Text: "publish force and moment of the side of the tail on the head, at the origin of the head: true gives " +
		"components in axes of the tail, the name of a frame components in axes of this frame",
}

// ReactionKeys are the quantities of a reaction, as in <component>.Fx: forces [N], moments [N m], and force, the
// tension of a rod [N].
var ReactionKeys = []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz", "force"}

// Holding is a component that holds one frame against another: joints, arms, rods and contacts. Its reaction is the
// force and the moment that the side of the tail exerts on the head, at the origin of the head.
type Holding interface {
	Component
	Holds() (tail, head string)
}

// Restraining is a component that holds frames by its own constraints, in addition to the constraints of its edges.
// Wrenches lists all forces and moments of these constraints, also on the tail; the first one acts on the head.
// multiplier returns the multiplier of a row of the component by the row's name, nil for none.
type Restraining interface {
	Holding
	Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench
}

// Wrench is a force on the origin of a frame, and a moment on the frame; the moment can be absent.
type Wrench struct {
	Frame         string
	Force, Moment expr.Vector
}

// Tense is a component that pulls or pushes along the line between two frames. Its tension is the multiplier of a row,
// times a factor; it is positive where the component pulls.
type Tense interface {
	Restraining
	Tension(b Builder, multiplier func(row string) *expr.Expr) *expr.Expr
}
