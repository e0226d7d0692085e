package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// numberSpeeds makes coordinates and speeds of all branches in graph order, the
// order of the state vector.
func (f *Formulation) numberSpeeds() {
	g := f.Forest.Graph
	// A guide's edge of rotation, which comes later, has the speed of that of translation, and all edges
	// that a steering wheel leads have the same.
	guides, leads := map[*graph.Guide][]int{}, map[*graph.Lead][]int{}
	for i := range g.Edges {
		e := &g.Edges[i]
		if !f.isBranch(i) {
			continue
		}
		add := func(q, p graph.Coordinate) {
			f.owner = append(f.owner, [2]int{i, len(f.speedIndex[i])})
			f.speedIndex[i] = append(f.speedIndex[i], len(f.Speeds))
			f.Coordinates, f.Speeds = append(f.Coordinates, f.newState(q)), append(f.Speeds, f.newState(p))
		}
		switch s := &e.Space; {
		case s.Free != nil:
			for _, k := range s.Free.Axes {
				add(s.Free.Coordinates[k], f.speedsOfFree(s.Free).Of[k])
			}
		case s.Guide != nil && e.Domain == graph.Translation:
			add(s.Guide.Coordinate, s.Guide.Speed)
			guides[s.Guide] = f.speedIndex[i]
		case s.Guide != nil && s.Guide.Turning():
			f.speedIndex[i] = guides[s.Guide]
		case s.Motion != nil && !s.Motion.Prescribed:
			add(s.Motion.Coordinate, s.Motion.Speed)
		case s.Motion != nil && s.Motion.Lead != nil:
			lead := s.Motion.Lead
			if leads[lead] == nil {
				add(lead.Coordinate, lead.Speed)
				leads[lead] = f.speedIndex[i]
			}
			f.speedIndex[i] = leads[lead]
		}
	}
}

// followSecond gives guides the speed of their second variable.
func (f *Formulation) followSecond() {
	for i := range f.Forest.Graph.Edges {
		e := &f.Forest.Graph.Edges[i]
		g := e.Space.Guide
		if g == nil || f.speedIndex[i] == nil {
			continue
		}
		m, given := f.secondMotion(g)
		if !given || m.Acceleration != nil {
			continue
		}
		k := slices.IndexFunc(f.Speeds, func(s State) bool { return s.Symbol == m.Rate })
		if k < 0 {
			f.reject(e.Owner.Pos, "suspension %s follows %s, which is not a branch of the tree %q, and surfaces need the "+
				"coordinate of a branch; do not forbid it, and prefer no edge that closes a loop with it", e.Owner.Name,
				g.Second, f.tree.Name)
			continue
		}
		f.speedIndex[i] = append(slices.Clone(f.speedIndex[i]), k)
	}
}

func (f *Formulation) newState(c graph.Coordinate) State {
	return State{Name: c.Name, Unit: c.Unit, Symbol: f.Pool.Sym(c.Name, expr.State), start: c.Start}
}

// motionOf is the prescribed or free motion of an edge along or about its axis or curves. For an edge led by a
// coordinate, the rate is the rate of that coordinate. The acceleration is nil when there is none or when the rate is a
// speed.
func (f *Formulation) motionOf(e *graph.Edge) component.Motion {
	p := f.Pool
	state := func(position, rate string) component.Motion {
		return component.Motion{Position: p.Sym(position, expr.State), Rate: p.Sym(rate, expr.State)}
	}
	if g := e.Space.Guide; g != nil {
		return state(g.Coordinate.Name, g.Speed.Name)
	}
	m := e.Space.Motion
	if !m.Prescribed {
		return state(m.Coordinate.Name, m.Speed.Name)
	}
	hand, course, led := f.leader(e)
	switch {
	case !led:
		x, v, a := f.motion(m.Coordinate.Name, m.Speed.Name, m.Acceleration, m.Coordinate.Unit, m.Text)
		return component.Motion{Position: x, Rate: v, Acceleration: a}
	case m.Lead != nil:
		return component.Motion{Position: course.Value, Rate: hand.Rate}
	}
	// delta, delta' D', and delta' D" + delta" D'^2
	driver := e.Owner.Name
	rate := f.define("rate_"+driver, p.Mul(course.Slope, hand.Rate))
	bend := p.Add(p.Mul(course.Slope, hand.Acceleration), p.Mul(course.Curvature, p.Pow(hand.Rate, 2)))
	return component.Motion{
		Position: course.Value, Rate: rate, Acceleration: f.define("acceleration_"+driver, bend),
	}
}

// leader is the motion that leads a motion driver, and the driver's position over it.
func (f *Formulation) leader(e *graph.Edge) (hand component.Motion, course component.Course, led bool) {
	c, led := component.SteeredBy(f.scope, e.Owner.Name)
	if led {
		b := f.builder(c)
		hand = c.Hand(b)
		course = c.Course(b, e.Owner.Name, hand.Position)
	}
	return hand, course, led
}

// isCoordinateDriven reports whether an edge moves its head as a function of a coordinate.
func isCoordinateDriven(e *graph.Edge) bool {
	return e.Space.Guide != nil || e.Space.Motion != nil && e.Space.Motion.Lead != nil
}

// direction returns the axis of speed n of a joint of a class: the partial of the angular velocity of every class that
// this joint turns.
func (f *Formulation) direction(c *class, j *joint, n int) expr.Vector {
	sign := f.Pool.Int(int64(j.sign))
	free := f.Forest.Graph.Edges[j.edge].Space.Free
	if free == nil {
		if n == 1 {
			return f.Pool.ScaleV(sign, j.second)
		}
		return f.Pool.ScaleV(sign, j.axis)
	}
	switch f.speedsOfFree(free).Along {
	case graph.OfGround:
		return f.Pool.ScaleV(sign, f.unit(f.classes[0].frame, n))
	case graph.OfCoordinates:
		return f.Pool.ScaleV(sign, j.axes[n])
	}
	return f.Pool.ScaleV(sign, f.unit(f.headOf(c), n))
}

// speedsOf lists the speeds of the joints of a class with their directions.
func (f *Formulation) speedsOf(i int) (speeds []int, directions []expr.Vector) {
	c := &f.classes[i]
	for k := range c.joints {
		j := &c.joints[k]
		for n, speed := range f.speedIndex[j.edge] {
			axis := f.direction(c, j, n)
			if at := slices.Index(speeds, speed); at >= 0 { // that of a steering wheel that turns twice
				directions[at] = f.Pool.AddV(directions[at], axis)
				continue
			}
			speeds, directions = append(speeds, speed), append(directions, axis)
		}
	}
	return speeds, directions
}
