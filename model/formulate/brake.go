package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
)

// brake is a brake that waits until the other loads are known.
type brake struct {
	name   string
	on     component.Coordinate
	torque *expr.Expr
}

// applied is the load of a brake of torque T on a joint of spin w with the load b. As w falls below w0, the brake
// blends from T, against the spin with the sign s, into the torque that holds the joint, at most T:
//
//	-T s - (1 - |s|) max(-T, min(T, b)),   w0 = max(1 rad/s, (15/8) T h/J)
//
// At standstill no torque remains while |b| <= T: the joint does not creep and needs no state for sticking. The
// magnitude never exceeds T. With the solver step h and the inertia J of the head about the axis, the sign rises at a
// rate of at most 1/h, which explicit methods can follow. Below w0 the remaining torque against b is |s| times the
// torque of the full brake. Thus a wheel that would lock still locks.
func (f *Formulation) applied(c *brake, spin, load *expr.Expr) *expr.Expr {
	p := f.Pool
	torque := f.define("T_"+c.name, p.Call(expr.Abs, c.torque))
	sign := f.smoothSign(c.name, spin, f.brakeWidth(c, torque))
	holding := f.define("hold_"+c.name, p.Call(expr.Max, p.Neg(torque), p.Call(expr.Min, torque, load)))
	applied := p.Neg(p.Add(p.Mul(torque, sign), p.Mul(p.Sub(p.Int(1), p.Call(expr.Abs, sign)), holding)))
	class := f.classOf[f.node(c.on.To)]
	f.holds = append(f.holds, hold{class, p.ScaleV(p.Add(applied, holding), c.on.Axis)})
	return applied
}

// hold is the load that a brake adds to a class plus the moment that it holds; the rolling resistance gets neither.
type hold struct {
	class  int
	moment expr.Vector
}

// turnsHead reports whether the speed of a coordinate is a branch that turns its outer frame. Otherwise the outer frame
// lies between the ground and the branch, as with a wheel whose carrier follows it in the tree.
func (f *Formulation) turnsHead(on *component.Coordinate) bool {
	return on.Speed >= 0 && slices.Contains(f.classes[f.classOf[f.node(on.To)]].moved, on.Speed)
}

// applyChordBrakes adds the brakes of joints that are not branches, and of joints whose outer body carries the
// inner one in the tree. Such a brake has to hold the moments on the outer body.
func (f *Formulation) applyChordBrakes() {
	p := f.Pool
	for i := range f.brakes {
		c := &f.brakes[i]
		if f.turnsHead(&c.on) {
			continue
		}
		class := f.classOf[f.node(c.on.To)]
		load := p.Sub(f.turning(class, c.on.Axis, c.name), f.rolling(class, c.on.Axis))
		torque := f.applied(c, c.on.Rate, f.define("free_"+c.name, load))
		f.drive(c.on, torque, c.name)
		f.kept[c.name+".applied"] = torque
	}
}

// turning returns the moment of components on a class about an axis. It includes the loads of the later joints in the
// tree, which act on the speeds of these joints only.
func (f *Formulation) turning(class int, axis expr.Vector, name string) *expr.Expr {
	p := f.Pool
	load := p.Int(0)
	for _, m := range f.forces.moment[class] {
		load = p.Add(load, p.Dot(f.resolve(axis, m.Frame), p.DefineV("M_"+name, m)))
	}
	for i := range f.classes {
		if f.classes[i].parent != class {
			continue
		}
		speeds, directions := f.speedsOf(i)
		for j, k := range speeds {
			if along := p.Dot(f.resolve(axis, directions[j].Frame), directions[j]); !f.direct[k].IsZero() {
				load = p.Sub(load, p.Mul(along, f.direct[k]))
			}
		}
	}
	return load
}

// applyBranchBrakes adds the brakes of joints that are branches; they have to hold the load on the joint's speed.
func (f *Formulation) applyBranchBrakes() {
	for i := range f.brakes {
		c := &f.brakes[i]
		if !f.turnsHead(&c.on) {
			continue
		}
		k, sign := c.on.Speed, expr.Integer(c.on.Sign)
		class := f.classOf[f.node(c.on.To)]
		load := f.define("free_"+c.name, f.Load[k])
		waiting := f.define("waiting_"+c.name, f.Pool.Sub(load, f.rolling(class, f.speedAxis(k, class))))
		torque := f.applied(c, c.on.Rate, f.Pool.Scale(sign, waiting))
		f.Load[k] = f.Pool.Add(load, f.Pool.Scale(sign, torque))
		f.braking = append(f.braking, pair{c.on, torque, c.name})
		f.paired = append(f.paired, pair{c.on, torque, c.name})
		f.torques = append(f.torques, driveTorque{c.on.From, c.on.To, c.on.Axis, torque})
		f.kept[c.name+".applied"] = torque
	}
}

// brakeWidth is w0, the spin above which a brake of a torque acts in full. It is 1 rad/s where the head has no inertia
// of its own about the axis.
func (f *Formulation) brakeWidth(c *brake, torque *expr.Expr) *expr.Expr {
	p := f.Pool
	least := p.Int(1)
	inertia := f.inertiaAbout(f.node(c.on.To), c.on.Axis)
	if inertia.IsZero() {
		return least
	}
	share := f.define("step_"+c.name, p.Div(p.Scale(expr.Fraction(15, 8), f.solverStep()), inertia))
	return f.define("width_"+c.name, p.Call(expr.Max, least, p.Mul(torque, share)))
}

// inertiaAbout is the inertia of everything that turns with a node, about an axis through the node's origin.
func (f *Formulation) inertiaAbout(node int, axis expr.Vector) *expr.Expr {
	p := f.Pool
	sum := p.Int(0)
	bodies := f.allBodies()
	for i := range bodies {
		b := &bodies[i]
		if f.classOf[b.node] != f.classOf[node] {
			continue
		}
		if b.inertia != nil {
			along := f.resolve(axis, b.frame)
			sum = p.Add(sum, p.Dot(along, f.momentum(b, along)))
		}
		arm := p.Cross(axis, f.Across(node, b.node, Position, axis.Frame))
		sum = p.Add(sum, p.Mul(b.mass, p.Dot(arm, arm)))
	}
	return sum
}

// smoothSign returns the sign of a spin w [rad/s] with two continuous derivatives: x (15 - 10 x^2 + 3 x^4)/8
// with x = w/w0 limited to [-1, 1]. The sign is exactly +-1 from w0 on. A brake can take a wheel across its rise in one
// step. Implicit steps therefore use the slope of the secant through zero, which includes the rise at any distance.
func (f *Formulation) smoothSign(name string, spin, width *expr.Expr) *expr.Expr {
	p := f.Pool
	one := p.Int(1)
	ratio := f.define("turn_"+name, p.Div(spin, width))
	x := f.define("spin_"+name, p.Call(expr.Clamp, ratio))
	square := f.define("spin_square_"+name, p.Pow(x, 2))
	polynomial := p.Add(p.Int(15), p.Mul(square, p.Sub(p.Scale(expr.Integer(3), square), p.Int(10))))
	secant := f.define("secant_"+name, p.Scale(expr.Fraction(1, 8), polynomial))
	sign := f.define("sign_"+name, p.Mul(x, secant))
	// the tangent is 15/8 (1 - x^2)^2, nothing beyond
	far := p.Div(secant, p.Call(expr.Max, one, p.Call(expr.Abs, ratio)))
	tangent := p.Scale(expr.Fraction(15, 8), p.Pow(p.Sub(one, square), 2))
	slope := p.Div(p.Add(tangent, p.Scale(expr.Integer(overshoot), p.Sub(far, tangent))), width)
	f.secants = append(f.secants, secantSlope{sign, spin, slope})
	return sign
}

// secantSlope is the slope of a value by an argument that implicit steps use.
type secantSlope struct{ value, argument, slope *expr.Expr }
