package component

import (
	"skidpad/model/expr"
)

// Optional interfaces of components for the formulation, in addition to their laws.
type (
	// Observed publishes results that need accelerations or reactions.
	Observed interface {
		Component
		Observed(b Builder)
	}
	// Restrained has constraints in addition to the constraints of its edges. Relaxed has constraints that grip relaxes;
	// their rows come last.
	Restrained interface {
		Component
		Restrain(b Builder)
	}
	Relaxed interface {
		Component
		Relax(b Builder)
	}
	// Closing has a constraint where its edge is a chord.
	Closing interface {
		Component
		Close(b Builder)
	}
	// Rotating has an inertia that turns beside bodies, Resisting one on a speed of its own.
	Rotating interface {
		Component
		Rotor(b Builder) *Rotor
		Carrier() string // the frame that carries it, "" for none
	}
	Resisting interface {
		Component
		OwnInertia(b Builder) (speed int, inertia *expr.Expr)
	}
	// Coupling reports whether bodies are coupled by more than branches.
	Coupling interface {
		Component
		Couples() bool
	}
	// Indifferent reports whether an edge of the component, and its law, do not depend on the angle of a frame's rotation
	// about an axis. A component without this interface counts as dependent.
	Indifferent interface {
		Component
		IgnoresTurn(t Turn) bool
	}
	// Steers moves motion drivers: Hand is the motion of the steering wheel, or of the pinion behind a column, and Course
	// the position of a driver as a function of it.
	Steers interface {
		Acting
		Hand(b Builder) Motion
		Course(b Builder, driver string, x *expr.Expr) Course
	}
	// Uneven is ground that is laid before anything stands on it.
	Uneven interface {
		Component
		Lay(b Builder)
		Carries(frame string) bool
		Under(b, wheel Builder, w Standing) Plane
	}
)

// Interfaces between components.
type (
	// paved scales friction on a plane.
	paved interface {
		Component
		Paves(frame string) bool
		Friction(b Builder, text string) *expr.Expr
	}
	// shafted is a component that an engine can drive.
	shafted interface {
		Component
		Shaft(b Builder, housing string) Shaft
	}
	// guiding is a joint along curves, and along surfaces over a second motion.
	guiding interface {
		Jointed
		Following(b Builder) Motion
	}
	// sharing gives brakes their torques.
	sharing interface {
		Acting
		Share(b Builder, brake string) *expr.Expr
	}
)

// Turn is a turn of a frame about one of its axes, as an edge at the frame sees it.
type Turn struct {
	Axis   int
	Tail   bool // the frame turns with the tail of the edge
	Branch bool // the edge is one of the tree
	Holds  func(frame string) bool
}
