package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// speedsOfFree returns the speeds of a free motion that are states, or the start speeds if the formulation finds start
// values.
func (f *Formulation) speedsOfFree(free *graph.Free) *graph.Speeds {
	if f.ofStarts {
		return &free.Starts
	}
	return &free.Speeds
}

// axesOfSpeeds returns the frame of the unit vectors of a free edge's speeds. Rates of coordinates have none: they get
// the ground.
func (f *Formulation) axesOfSpeeds(e *graph.Edge, along graph.UnitVectors) expr.Frame {
	if along == graph.OfHead {
		return f.classes[f.classOf[e.Head]].frame
	}
	return f.classes[0].frame
}

// freePoint: coordinates in ground, speeds in ground or in the head's frame. A point kept in a plane keeps its other
// coordinate.
func (f *Formulation) freePoint(n, edge int) point {
	p, e := f.Pool, &f.Forest.Graph.Edges[edge]
	free := e.Space.Free
	ground, speeds := f.classes[0].frame, f.speedsOfFree(free)
	frame := f.axesOfSpeeds(e, speeds.Along)
	r, v := expr.Vector{Frame: ground}, expr.Vector{Frame: frame}
	pt := point{partials: map[int]expr.Vector{}}
	for k := range 3 {
		if !slices.Contains(free.Axes, k) {
			r.X[k], v.X[k] = f.scalar(free.Coordinates[k].Name, "m", free.Coordinates[k].Start), p.Int(0)
		}
	}
	for j, k := range free.Axes {
		r.X[k] = p.Sym(free.Coordinates[k].Name, expr.State)
		v.X[k] = p.Sym(speeds.Of[k].Name, expr.State)
		s := f.speedIndex[edge][j]
		pt.moved = append(pt.moved, s)
		pt.partials[s] = f.unit(frame, k)
	}
	pt.offsets = []expr.Vector{r}
	pt.velocity = v
	specific := p.NegV(f.resolve(f.gravity(), frame))
	if speeds.Along == graph.OfHead {
		specific = p.AddV(specific, p.Cross(f.resolve(f.classes[f.classOf[n]].omega, frame), v))
	}
	pt.specific = p.DefineV("a_"+f.Forest.Graph.Nodes[n], specific)
	return pt
}

// carryFreely fills in a free motion against a frame, in axes of the tail. Where the speeds are rates of the
// coordinates, the tail carries the head. Otherwise they are components of the difference of inertial velocities, which
// needs no turning of the tail.
func (f *Formulation) carryFreely(e *graph.Edge, c *carried, own expr.Frame) {
	p, free := f.Pool, e.Space.Free
	speeds := f.speedsOfFree(free)
	if speeds.Along == graph.OfCoordinates {
		for _, k := range free.Axes {
			axis := f.resolve(f.unit(own, k), c.frame)
			c.slides = append(c.slides, slide{axis, p.Sym(speeds.Of[k].Name, expr.State)})
			c.offset = p.AddV(c.offset, p.ScaleV(p.Sym(free.Coordinates[k].Name, expr.State), axis))
		}
		return
	}
	for _, k := range free.Axes {
		axis := f.resolve(f.unit(own, k), c.frame)
		c.offset = p.AddV(c.offset, p.ScaleV(p.Sym(free.Coordinates[k].Name, expr.State), axis))
	}
	c.adrift, c.frame = true, f.axesOfSpeeds(e, speeds.Along)
	for _, k := range free.Axes {
		c.slides = append(c.slides, slide{f.unit(c.frame, k), p.Sym(speeds.Of[k].Name, expr.State)})
	}
	c.acceleration = p.ZeroVector(c.frame)
	if speeds.Along == graph.OfHead {
		c.acceleration = p.Cross(f.resolve(f.classes[f.classOf[e.Head]].omega, c.frame), f.velocity(c))
	}
}

// freeTurn returns the relative angular velocity w of a class against its parent, whose angular velocity is omega. The
// inertial rate of w, without the terms in pdot, is turning x w + bias. All vectors are in the frame `own`.
func (f *Formulation) freeTurn(c *class, own expr.Frame, omega expr.Vector) (relative, bias, turning expr.Vector) {
	p, j := f.Pool, &c.joints[0]
	free := f.Forest.Graph.Edges[j.edge].Space.Free
	sign, speeds := p.Int(int64(j.sign)), f.speedsOfFree(free)
	bias, turning = p.ZeroVector(own), omega
	if speeds.Along == graph.OfCoordinates {
		w, bend := f.turnByAngles(j, free, speeds.Of, f.headOf(c))
		return p.ScaleV(sign, f.resolve(w, own)), p.ScaleV(sign, f.resolve(bend, own)), turning
	}
	u := expr.Vector{Frame: f.headOf(c)}
	if speeds.Along == graph.OfGround {
		u.Frame, turning = f.classes[0].frame, p.ZeroVector(own)
	}
	for k, w := range speeds.Of {
		u.X[k] = p.Sym(w.Name, expr.State)
	}
	relative = p.ScaleV(sign, f.resolve(u, own))
	if speeds.Along == graph.OfHead && j.sign > 0 { // in whose frame the speeds are components
		turning = p.AddV(omega, relative)
	}
	return relative, bias, turning
}

// turnByAngles returns the angular velocity w of a head against its tail for the rates of the angles of a sequence
// a-b-c. The bias is the rate of w as the tail sees it, without the terms in pdot. Both are in axes of the head. With
// the axes before the last turn,
//
//	u = q1' e_a + q2' e_b,  w = u + q3' e_c,  bias = q1' e_a x q2' e_b + u x q3' e_c.
//
// The joint gets the axes of the rates.
func (f *Formulation) turnByAngles(
	j *joint, free *graph.Free, speeds [3]graph.Coordinate, head expr.Frame,
) (w, bias expr.Vector) {
	const before = "before the last turn"
	p := f.Pool
	var axes [3]int
	var q, rate [3]*expr.Expr
	for k := range 3 {
		axes[k] = int(free.Sequence[k] - '1')
		q[k], rate[k] = p.Sym(free.Coordinates[k].Name, expr.State), p.Sym(speeds[k].Name, expr.State)
	}
	middle := p.Turn(before, "after the first turn", f.unit("after the first turn", axes[1]), q[1]).Inverse()
	last := p.Turn(head, before, f.unit(before, axes[2]), q[2]).Inverse()
	first := p.Resolve(middle, f.unit("after the first turn", axes[0]))
	second, third := f.unit(before, axes[1]), f.unit(before, axes[2])
	owner := f.Forest.Graph.Edges[j.edge].Owner.Name
	u := p.DefineV("u_"+owner, p.AddV(p.ScaleV(rate[0], first), p.ScaleV(rate[1], second)))
	bend := p.AddV(p.Cross(p.ScaleV(rate[0], first), p.ScaleV(rate[1], second)), p.Cross(u, p.ScaleV(rate[2], third)))
	for k, axis := range []expr.Vector{first, second, third} {
		j.axes[k] = p.DefineV("axis_"+speeds[k].Name, p.Resolve(last, axis))
	}
	w = p.AddV(p.Resolve(last, u), p.ScaleV(rate[2], j.axes[2]))
	return p.DefineV("w_"+owner, w), p.DefineV("bend_"+owner, p.Resolve(last, p.DefineV("bend_before_"+owner, bend)))
}

// freeKinematics gives the rates of the coordinates of a free edge.
func (f *Formulation) freeKinematics(e *graph.Edge, speeds []int) {
	p, free, along := f.Pool, e.Space.Free, f.speedsOfFree(e.Space.Free).Along
	if along == graph.OfCoordinates {
		for _, s := range speeds {
			f.Coordinates[s].Rate = f.Speeds[s].Symbol
		}
		return
	}
	u, q := p.ZeroVector(f.axesOfSpeeds(e, along)), p.ZeroVector(f.axesOf(e.Tail))
	for k, s := range speeds {
		u.X[free.Axes[k]], q.X[free.Axes[k]] = f.Speeds[s].Symbol, f.Coordinates[s].Symbol
	}
	if e.Domain == graph.Translation {
		for k, rate := range f.placeRates(e, q, u).X {
			if j := slices.Index(free.Axes, k); j >= 0 {
				f.Coordinates[speeds[j]].Rate = rate
			}
		}
		return
	}
	for k, rate := range f.turnRates(e, q.X, u) {
		s := speeds[k]
		f.Coordinates[s].Rate = f.define("rate_"+f.Coordinates[s].Name, rate)
	}
}

// placeRates are the rates of the position r of a free edge for the difference u of inertial velocities.
func (f *Formulation) placeRates(e *graph.Edge, r, u expr.Vector) expr.Vector {
	u = f.resolve(u, r.Frame)
	if e.Flies() {
		return u
	}
	w := f.omegaIn(max(f.classOf[e.Tail], 0), r.Frame)
	return f.Pool.DefineV("rate_"+e.Name, f.Pool.SubV(u, f.Pool.Cross(w, r)))
}

// turnRates are the rates of the angles q of a free edge for the angular velocity w, in axes of the head or of ground.
func (f *Formulation) turnRates(e *graph.Edge, q [3]*expr.Expr, w expr.Vector) [3]*expr.Expr {
	name, sequence := e.Owner.Name, e.Space.Free.Sequence
	if w.Frame == f.axesOfSpeeds(e, graph.OfHead) {
		return f.angleRates(name, sequence, q, w.X)
	}
	// relative to the head, the rotations are reversed, in the opposite order
	w = f.Pool.NegV(f.resolve(w, f.axesOf(e.Tail)))
	back := f.angleRates(name, string([]byte{sequence[2], sequence[1], sequence[0]}),
		[3]*expr.Expr{f.Pool.Neg(q[2]), f.Pool.Neg(q[1]), f.Pool.Neg(q[0])}, w.X)
	return [3]*expr.Expr{f.Pool.Neg(back[2]), f.Pool.Neg(back[1]), f.Pool.Neg(back[0])}
}
