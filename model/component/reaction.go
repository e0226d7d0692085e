package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// reactionsKey asks for the reaction of a component.
var reactionsKey = keys.Key{
	Name: keys.ReactionsKey, Shape: keys.AnyShape, Optional: true,
	Any: []keys.Key{{Shape: keys.TruthShape}, {Shape: keys.FrameShape}},
	Text: "publish force and moment of the side of the tail on the head, at the origin of the head: true in axes of the " +
		"tail, or the name of the frame in whose axes",
}

// ReactionKeys are the names of forces [N] and moments [N m] of a reaction, behind its component; force is the tension
// of a rod.
var ReactionKeys = []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz", "force"}

// Holding is a component that holds one frame against another: joints, arms, rods and contacts. Its reaction is the
// force and the moment of the side of the tail on the head, at the origin of the head.
type Holding interface {
	Component
	Holds() (tail, head string)
}

// Restraining is a component that holds frames by its own constraints, in addition to the constraints of its edges.
// multiplier returns the multiplier of a row of the component, nil for none. Wrenches lists all forces and moments of
// these constraints, also on the tail; the first one acts on the head.
type Restraining interface {
	Holding
	Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench
}

// Wrench is a force on the origin of a frame, and a moment on the frame where there is one.
type Wrench struct {
	Frame         string
	Force, Moment expr.Vector
}

// Tense is a component that pulls or pushes along the line between two frames. Its tension, positive where it pulls, is
// a factor of the multiplier of a row.
type Tense interface {
	Restraining
	Tension(b Builder, multiplier func(row string) *expr.Expr) *expr.Expr
}
