package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// applyResistances turns the rolling resistances My of tires into brakes, applied after the wheel brakes. Below a spin
// w0 the moment blends from My, with the share |s| of the smooth sign, into the moment that holds the wheel, at most
// |My|:
//
//	|s| My - (1 - |s|) max(-|My|, min(|My|, b)),   w0 = max(0.05 rad/s, (15/2) |My| h/J)
//
// with b the load that turns the wheel and that its brake does not hold. The sign rises at a rate of at most 1/(4 h),
// because the sign of the brake adds to it. From w0 on the moment is My itself. My is already among the loads. The
// function adds the difference, which is zero from w0 on.
func (f *Formulation) applyResistances() {
	p, rest := f.Pool, f.newLoads()
	before := f.zeroRow() // contributions of earlier resistances to the load on their wheel: two can be on one axle
	for i := range f.resistances {
		r := &f.resistances[i]
		class := f.classOf[f.node(r.Wheel)]
		spin, found := f.spinOf(class, r.Axle)
		if !found {
			continue
		}
		k, gain := spin.speeds[0], f.gain(r, spin.axis)
		most := f.define("most_My_"+r.name, p.Call(expr.Abs, r.Moment))
		onSpeed := p.Int(0)
		for j, k := range spin.speeds {
			onSpeed = p.Add(onSpeed, p.Mul(spin.shares[j], f.Load[k]))
		}
		if r.alone != nil {
			onSpeed = r.alone
		}
		load := f.define("free_My_"+r.name, p.Sub(p.Add(onSpeed, before[k]), f.braked(class, spin.axis)))
		turning := f.define("turning_"+r.name, p.Sub(p.Div(load, gain), r.Moment))
		width := p.Num(expr.Fraction(1, 20))
		if inertia := f.inertiaAbout(f.node(r.Wheel), r.Axle); !inertia.IsZero() {
			share := f.define("step_My_"+r.name, p.Div(p.Scale(expr.Fraction(15, 2), f.solverStep()), inertia))
			width = f.define("width_My_"+r.name, p.Call(expr.Max, width, p.Mul(most, share)))
		}
		sign := f.smoothSign("My_"+r.name, r.Spin, width)
		held := p.Call(expr.Max, p.Neg(most), p.Call(expr.Min, most, turning))
		less := f.define("less_My_"+r.name, p.Mul(p.Sub(p.Int(1), p.Call(expr.Abs, sign)), p.Add(r.Moment, held)))
		before[k] = p.Sub(before[k], p.Mul(gain, less))
		onWheel := p.ScaleV(p.Neg(less), r.Axis)
		f.twisted = append(f.twisted, loadAt{f.node(r.Wheel), onWheel, r.name, false})
		f.addMoment(rest, class, onWheel)
		onRoad := func() expr.Vector { return p.ScaleV(less, r.Axis) }
		f.counters = append(f.counters, counter{f.node(r.Road), onRoad})
		if road := f.classOf[f.node(r.Road)]; len(f.classes[road].moved) > 0 {
			f.addMoment(rest, road, onRoad())
		}
		at := slices.IndexFunc(f.published, func(o Output) bool { return o.Name == r.name+".My" })
		f.published[at].Value = p.Sub(r.Moment, less)
		f.kept[r.name+".My"] = f.published[at].Value
	}
	for k, load := range f.project(rest, "rest_", func(int) bool { return true }) {
		if load != nil {
			f.Load[k] = p.Add(f.Load[k], load)
		}
	}
}

// resistance is the rolling resistance of a tire.
type resistance struct {
	name string
	component.RollingResistance
	alone *expr.Expr // load on the wheel, where its speed turns the vehicle, too
}

// loadWheels finds the loads on wheels that carry the vehicle in the tree. Everything that such a wheel carries loads
// its speeds.
func (f *Formulation) loadWheels() {
	for i := range f.resistances {
		r := &f.resistances[i]
		wheel := f.classOf[f.node(r.Wheel)]
		carries := slices.ContainsFunc(f.classes, func(c class) bool { return c.parent == wheel })
		if spin, found := f.spinOf(wheel, r.Axle); found && carries {
			r.alone = f.define("alone_My_"+r.name, f.turning(wheel, spin.axis, "My_"+r.name))
		}
	}
}

// gain is the share of a rolling resistance about an axis.
func (f *Formulation) gain(r *resistance, axis expr.Vector) *expr.Expr {
	return f.Pool.Dot(axis, f.resolveAs("axis", r.Axis, axis.Frame))
}

// braked sums the brakes' contributions to the load on a class about an axis, and the part of this load that they hold.
func (f *Formulation) braked(class int, axis expr.Vector) *expr.Expr {
	p := f.Pool
	sum := p.Int(0)
	for _, h := range f.holds {
		if h.class == class {
			sum = p.Add(sum, p.Dot(axis, f.resolve(h.moment, axis.Frame)))
		}
	}
	return sum
}

// rolling is the moment of the rolling resistances on a class about an axis, which its brakes do not have to hold.
func (f *Formulation) rolling(class int, axis expr.Vector) *expr.Expr {
	p := f.Pool
	sum := p.Int(0)
	for i := range f.resistances {
		if r := &f.resistances[i]; f.classOf[f.node(r.Wheel)] == class {
			sum = p.Add(sum, p.Mul(f.gain(r, axis), r.Moment))
		}
	}
	return sum
}

// wheelSpin is a turn of a class about an axle.
type wheelSpin struct {
	speeds []int
	shares []*expr.Expr // of the speeds in a turn at 1 rad/s
	axis   expr.Vector  // angular velocity of this turn
}

// spinOf finds how the branch that turns a class turns it about an axle: by one speed, or by the three speeds of a free
// turn.
func (f *Formulation) spinOf(class int, axle expr.Vector) (spin wheelSpin, found bool) {
	speeds, directions := f.speedsOf(class)
	for j, k := range speeds {
		axis := directions[j]
		if size := f.Pool.Dot(axis, f.resolve(axle, axis.Frame)); size.Constant() && !size.IsZero() {
			return wheelSpin{[]int{k}, []*expr.Expr{f.Pool.Int(1)}, f.speedAxis(k, class)}, true
		}
	}
	if len(f.classes[class].joints) == 0 {
		return wheelSpin{}, false
	}
	j := f.classes[class].joints[0]
	e := &f.Forest.Graph.Edges[j.edge]
	if e.Space.Free == nil {
		return wheelSpin{}, false
	}
	along := f.Pool.ScaleV(f.Pool.Int(int64(j.sign)), axle)
	var shares [3]*expr.Expr
	switch by := f.speedsOfFree(e.Space.Free).Along; by {
	case graph.OfHead:
		return wheelSpin{}, false
	case graph.OfGround:
		shares = f.resolve(along, f.classes[0].frame).X
	default:
		shares = f.turnRates(e, [3]*expr.Expr(f.symbolsOf(speeds)), f.resolve(along, f.axesOfSpeeds(e, graph.OfHead)))
	}
	return wheelSpin{speeds, shares[:], axle}, true
}
