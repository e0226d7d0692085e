package linear

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Names of groups in the terms of the field; a state without a term has the name of its component.
const (
	longitudinal = "longitudinal"
	lateral      = "yaw/slip"
	heave        = "heave"
	roll         = "roll"
	pitch        = "pitch"
	wheelHop     = "wheel hop"
	wheelSpin    = "wheel spin"
	steer        = "steer"
	toe          = "toe"
	camber       = "camber"
	tireSlip     = "tire"
	engine       = "engine"
)

// Groups of motions out of the plane of symmetry of an upright single-track vehicle.
const (
	Roll     = roll
	Yaw      = lateral
	Steering = steer
)

// alongAxes and aboutAxes name translations along and rotations about x, y and z of a body.
var (
	alongAxes = [3]string{longitudinal, lateral, heave}
	aboutAxes = [3]string{roll, pitch, lateral}
)

// groups names the motion of each state, by the components of the model and their connections:
//
//	rigid body that is free, joints between ground and the first mass    by their axes: longitudinal,
//	                                                                     yaw/slip, heave, roll, pitch
//	revolute joint of a wheel about its y axis                           wheel spin
//	suspension, prismatic joint along z, that carries wheels; revolute
//	joint about y that carries one, such as a trailing arm               wheel hop
//	revolute joint about z that carries one wheel                        steer; with a spring on it, toe
//	revolute joint about x that carries one wheel                        camber
//	steering wheel                                                           steer
//	revolute joint of an engine that carries no wheel                    engine
//	slip of tires                                                        tire
//	anything else                                                        the name of the component
func groups(m *vehicle.Model, states []program.Variable) []string {
	c := connections{graph: m.Graph()}
	c.classify(m, states)
	groups := make([]string, len(states))
	for i, s := range states {
		component, _, structured := strings.Cut(s.Name, ".")
		if groups[i] = c.of[s.Name]; groups[i] == "" && structured && c.tires[component] {
			groups[i] = tireSlip
		} else if groups[i] == "" {
			groups[i] = component
		}
	}
	return groups
}

// connections are rigid parts, i.e. frames joined by rigid arms, each named by its first frame, and the components that
// connect the parts.
type connections struct {
	graph  *graph.Graph
	part   []int        // by frame
	joined []graph.Edge // translational, of joints; ends are parts
	roots  []int        // ground and bodies that are free
	heavy  map[int]bool // parts with mass
	wheels []int
	sprung map[string]bool // joints with a spring on them
	tires  map[string]bool
	of     map[string]string // groups by state
}

func (c *connections) classify(m *vehicle.Model, states []program.Variable) {
	scope := m.Scope()
	c.roots, c.heavy, c.sprung = []int{graph.Ground}, map[int]bool{}, map[string]bool{}
	c.tires, c.of = map[string]bool{}, map[string]string{}
	c.weld()
	at := func(frame string) int { return c.part[c.graph.Node(frame)] }
	bodies := map[string]bool{}
	for _, heavy := range component.All[component.Heavy](scope) {
		name, part := heavy.Head().Name, at(heavy.Lump().Frame)
		c.heavy[part], bodies[name] = true, heavy.Lump().Rigid
		if bodies[name] && slices.ContainsFunc(states, func(s program.Variable) bool { return s.Name == name+".x" }) {
			c.roots = append(c.roots, part)
		}
	}
	for _, rolling := range component.All[component.Wheeled](scope) {
		w := rolling.Wheel()
		c.wheels, c.tires[rolling.Head().Name] = append(c.wheels, at(w.Frame)), w.Tire
	}
	for _, modal := range component.All[component.Modal](scope) {
		m := modal.Modes()
		c.sprung[m.Sprung] = true
		if m.Driven != "" {
			c.of[m.Driven+".phi"], c.of[m.Driven+".omega"] = engine, engine
		}
		for _, state := range m.HandWheel {
			c.of[state] = steer
		}
	}
	for _, e := range c.graph.Edges {
		e.Tail, e.Head = c.part[e.Tail], c.part[e.Head]
		if e.Domain == graph.Translation && e.Tail != e.Head && e.Selectable() && e.Space.Free == nil {
			c.joined = append(c.joined, e)
		}
	}
	light := func(n int) bool { return !c.heavy[n] }
	first := c.reached(graph.Ground, light, nil)
	for _, e := range c.graph.Edges {
		e.Tail, e.Head = c.part[e.Tail], c.part[e.Head]
		switch s := e.Space; {
		case s.Free != nil && bodies[e.Owner.Name]:
			c.name(&e)
		case s.Guide != nil && e.Domain == graph.Translation:
			if c.carried(&e) > 0 {
				c.of[s.Guide.Coordinate.Name], c.of[s.Guide.Speed.Name] = wheelHop, wheelHop
			}
		case s.Motion != nil && !s.Motion.Prescribed:
			outer := first[e.Tail] && first[e.Head] && (light(e.Tail) || light(e.Head))
			if group := c.joint(&e, mainAxis(s.Motion.Axis), outer); group != "" {
				c.of[s.Motion.Coordinate.Name], c.of[s.Motion.Speed.Name] = group, group
			}
		}
	}
}

// weld gives frames that are joined rigidly one part, that of the first of them.
func (c *connections) weld() {
	c.part = make([]int, len(c.graph.Nodes))
	for n := range c.part {
		c.part[n] = n
	}
	for _, e := range c.graph.Edges {
		if !e.Rigid {
			continue
		}
		from, to := c.part[e.Tail], c.part[e.Head]
		for n, p := range c.part {
			if p == max(from, to) {
				c.part[n] = min(from, to)
			}
		}
	}
}

// name calls the motions of a free body by their axes.
func (c *connections) name(e *graph.Edge) {
	free := e.Space.Free
	for k := range 3 {
		coordinate, speed := alongAxes[k], alongAxes[k]
		if e.Domain == graph.Rotation {
			coordinate, speed = aboutAxes[free.Sequence[k]-'1'], aboutAxes[k]
		}
		if free.Speeds.Along == graph.OfCoordinates {
			speed = coordinate
		}
		c.of[free.Coordinates[k].Name], c.of[free.Speeds.Of[k].Name] = coordinate, speed
	}
}

// mainAxis is the axis nearest to a direction.
func mainAxis(direction [3]float64) int {
	axis := 0
	for k, x := range direction {
		if math.Abs(x) > math.Abs(direction[axis]) {
			axis = k
		}
	}
	return axis
}

// joint is the group of a joint that moves along or about an axis, "" for none. first reports whether
// there is no mass between it and ground.
func (c *connections) joint(e *graph.Edge, axis int, first bool) string {
	wheel := slices.Contains(c.wheels, e.Head) || slices.Contains(c.wheels, e.Tail)
	switch carried := c.carried(e); {
	case first && e.Domain == graph.Translation:
		return alongAxes[axis]
	case first:
		return aboutAxes[axis]
	case e.Domain == graph.Translation && axis == 2 && carried > 0:
		return wheelHop
	case e.Domain == graph.Translation || carried != 1:
		return ""
	case axis == 0:
		return camber
	case axis == 1 && wheel:
		return wheelSpin
	case axis == 1:
		return wheelHop
	case c.sprung[e.Owner.Name]:
		return toe
	}
	return steer
}

// carried is the number of wheels on the side of a joint where nothing is free or ground; 0 where
// there is no such side.
func (c *connections) carried(e *graph.Edge) int {
	for _, end := range []int{e.Head, e.Tail} {
		side := c.reached(end, func(int) bool { return true }, e.Owner)
		if slices.ContainsFunc(c.roots, func(n int) bool { return side[n] }) {
			continue
		}
		count := 0
		for _, n := range c.wheels {
			if side[n] {
				count++
			}
		}
		return count
	}
	return 0
}

// reached are the parts that are joined to one, but not by a component, and not beyond parts that do
// not pass.
func (c *connections) reached(from int, passes func(int) bool, without *keys.Header) map[int]bool {
	found := map[int]bool{from: true}
	for again := true; again; {
		again = false
		for i := range c.joined {
			e := &c.joined[i]
			if e.Owner == without || found[e.Tail] == found[e.Head] {
				continue
			}
			near, far := e.Tail, e.Head
			if found[far] {
				near, far = far, near
			}
			if passes(near) {
				found[far], again = true, true
			}
		}
	}
	return found
}
