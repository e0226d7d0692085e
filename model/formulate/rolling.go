package formulate

import (
	"fmt"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// rollingWheel lets a wheel roll on a plane without slip. With u the axis of the wheel, n the
// normal of the road, c = |u x n|, t = u x n/c along the path and s = n x t to the left, the
// lowest point of a disc of radius R, or of a torus with crown radius p, is at
//
//	a = (R - p) (u x t) - p n
//
// from the centre. Its height vanishes, and so does the velocity v + w x a of the wheel's
// material there: a holonomic constraint along n and two nonholonomic ones, along t and s.
func (f *Formulation) rollingWheel(c *model.RollingWheel) {
	p := f.Pool
	wheel, road := f.node(c.Frame), f.node(c.Road)
	plane := f.resolvedIn(road)
	u := f.resolve(f.unit(f.resolvingFrame(f.classOf[wheel]), 1), plane)
	zero := p.Int(0)
	secant := f.define("secant_"+c.Name, p.Pow(p.Call(expr.Sqrt, p.Add(p.Pow(u.X[0], 2), p.Pow(u.X[1], 2))), -1))
	along := expr.Vector{Frame: plane, X: [3]*expr.Expr{p.Mul(u.X[1], secant), p.Neg(p.Mul(u.X[0], secant)), zero}}
	across := expr.Vector{Frame: plane, X: [3]*expr.Expr{p.Mul(u.X[0], secant), p.Mul(u.X[1], secant), zero}}
	along, across = p.DefineV("along_"+c.Name, along), p.DefineV("across_"+c.Name, across)

	radius, crown := f.scalar(c.Name+".radius", "m", c.Radius), f.scalar(c.Name+".crown_radius", "m", c.CrownRadius)
	arm := p.ScaleV(p.Sub(radius, crown), p.Cross(u, along))
	arm.X[2] = p.Sub(arm.X[2], crown)
	arm = p.DefineV("arm_"+c.Name, arm)

	r := f.Across(road, wheel, Position, plane)
	velocity := f.Across(road, wheel, Velocity, plane)
	if turning := f.AcrossRotation(graph.Ground, road, Velocity, plane); !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, r))
	}
	velocity = p.DefineV("slip_"+c.Name, p.AddV(velocity, p.Cross(f.AcrossRotation(road, wheel, Velocity, plane), arm)))

	f.rolling[c.Name] = len(f.Constraints)
	f.nonholonomic(c.Name+"_1", zero, p.Dot(along, velocity))
	f.nonholonomic(c.Name+"_2", zero, p.Dot(across, velocity))
	height := p.Add(r.X[2], arm.X[2])
	f.nonholonomic(c.Name+"_3", height, velocity.X[2])
	f.publish(c.Name+".value", "m", "height of the contact point, which must vanish", height)
}

// nonholonomic adds a constraint of speeds, and of positions where there is one: its row and the
// rest of its derivative are those of the velocity, which is linear in the speeds.
func (f *Formulation) nonholonomic(name string, position, velocity *expr.Expr) {
	p := f.Pool
	velocity = f.define("Phi_dot_"+name, velocity)
	row := f.zeroRow()
	for k := range f.Speeds {
		row[k] = f.towards(f.Speeds[k].Symbol).Of(velocity)
	}
	rates := map[*expr.Expr]*expr.Expr{}
	for k := range f.Coordinates {
		rates[f.Coordinates[k].Symbol] = f.Coordinates[k].Rate
	}
	for _, m := range f.Motions { // prescribed: position, rate, acceleration
		rates[f.Inputs[m[0]].Symbol] = f.Inputs[m[1]].Symbol
		if m[2] >= 0 {
			rates[f.Inputs[m[1]].Symbol] = f.Inputs[m[2]].Symbol
		}
	}
	bias := p.NewDerivative("t", rates).Of(velocity)
	f.Constraints = append(f.Constraints, Constraint{Name: name, Position: position, Velocity: velocity, Row: row, Bias: bias})
}

// rollingForces are the forces of the road on a rolling wheel: the reactions of its constraints.
func (f *Formulation) rollingForces(c *model.RollingWheel) []Output {
	var list []Output
	first := len(f.Speeds) + f.rolling[c.Name]
	for i, o := range []struct{ axis, text string }{{"x", "longitudinal"}, {"y", "lateral"}, {"z", "normal"}} {
		list = append(list, Output{fmt.Sprintf("%s.F%s", c.Name, o.axis), "N", o.text + " force of the road on the wheel", f.Pool.Neg(f.Solution[first+i])})
	}
	return list
}
