package formulate

import "skidpad/model/expr"

// What formulation asks of components, beside their edges. A component that has nothing to say has no method.
type (
	// lawful has inputs, loads, states or calls, which are made in the order of the model.
	lawful interface{ Law(b Builder) }
	// observed publishes what needs accelerations or reactions.
	observed interface{ Observed(b Builder) }
	// restrained has constraints beside those of its edges; relaxed has such that grip relaxes, which come last.
	restrained interface{ Restrain(b Builder) }
	relaxed    interface{ Relax(b Builder) }
	// closing has a constraint where its edge is a chord.
	closing interface{ Close(b Builder) }

	// massive has bodies, rotating an inertia that turns beside them, resisting one on a speed of its own.
	massive  interface{ Body(b Builder) Body }
	rotating interface {
		Rotor(b Builder) *Rotor
		Carrier() string // the frame that carries it, "" for none
	}
	resisting interface {
		OwnInertia(b Builder) (speed int, inertia *expr.Expr)
	}
	// coupling tells whether bodies are coupled by more than branches.
	coupling interface{ Couples() bool }
	// indifferent tells whether all that an edge means is the same however far a frame has turned about an axis.
	indifferent interface{ IgnoresTurn(t Turn) bool }

	// uneven is ground that is laid before anything stands on it; paved scales friction on a plane.
	uneven interface {
		Lay(b Builder)
		Carries(frame string) bool
		Under(b, wheel Builder, w Wheel) Plane
	}
	paved interface {
		Paves(frame string) bool
		Friction(b Builder, text string) *expr.Expr
	}
	// coordinated is a joint on whose coordinate others act.
	coordinated interface{ Coordinate(b Builder) Coordinate }
	// shafted is what an engine can drive, driving what drives it.
	shafted interface {
		Shaft(b Builder, housing string) Shaft
	}
	driving interface{ Powers(name string) bool }
	// sharing gives brakes their torques, leading motion drivers their motion.
	sharing interface {
		Brakes(name string) bool
		Share(b Builder, brake string) *expr.Expr
	}
	leading interface {
		Leads(driver string) bool
		Hand(b Builder) Motion
		Course(b Builder, driver string, x *expr.Expr) Course
	}
)

// Turn is a turn of a frame about one of its axes, as an edge at the frame sees it.
type Turn struct {
	Axis   int
	Tail   bool // the frame turns with the tail of the edge
	Branch bool // the edge is one of the tree
	Holds  func(frame string) bool
}
