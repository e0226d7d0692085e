package formulate

import (
	"cmp"
	"iter"
	"slices"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

// bound is a formulation as one component sees it.
type bound struct {
	f      *Formulation
	head   *keys.Header
	prefix string // of the names of its variables
	acting string // the component whose law it is
}

func (f *Formulation) builder(c component.Component) *bound {
	h := c.Head()
	return &bound{f, h, h.Name + ".", h.Name}
}

func (b *bound) Head() *keys.Header                { return b.head }
func (b *bound) Pool() *expr.Pool                  { return b.f.Pool }
func (b *bound) Scope() *component.Scope           { return b.f.scope }
func (b *bound) Unnamed() component.Builder        { return &bound{b.f, b.head, "", b.acting} }
func (b *bound) Named(parameter string) *expr.Expr { return b.f.parameterOf[parameter] }
func (b *bound) Keep(key string, e *expr.Expr)     { b.f.kept[b.prefix+key] = e }
func (b *bound) Kept(key string) *expr.Expr        { return b.f.kept[b.prefix+key] }
func (b *bound) Offer(key string, e *expr.Expr)    { b.f.askedFor[b.prefix+key] = e }
func (b *bound) Publish(key, unit, text string, e *expr.Expr) {
	b.f.published = append(b.f.published, Output{Name: b.prefix + key, Unit: unit, Text: text, Value: e})
}

func (b *bound) For(c component.Component) component.Builder {
	other := b.f.builder(c)
	other.acting = b.acting
	return other
}

func (b *bound) Reject(at keys.Position, format string, args ...any) {
	b.f.reject(at, format, args...)
}

func (b *bound) Scalar(key, unit string, s keys.Scalar) *expr.Expr {
	return b.f.scalar(b.prefix+key, unit, s)
}

func (b *bound) Settable(key, unit, text string, s keys.Scalar) *expr.Expr {
	name := b.prefix + key
	return b.f.settable(name, unit, cmp.Or(text, b.f.parameterText(name)), s)
}

func (b *bound) SolverStep() *expr.Expr { return b.f.solverStep() }

func (b *bound) Number(name string, s keys.Scalar) *expr.Expr { return b.f.number(name, s) }

func (b *bound) Input(key, unit, text string, start float64) *expr.Expr {
	return b.f.input(b.prefix+key, unit, text, start)
}

func (b *bound) NonnegativeInput(key, unit, text string, start float64) *expr.Expr {
	e := b.Input(key, unit, text, start)
	b.f.Inputs[b.InputIndex(key)].Nonnegative = true
	return e
}

func (b *bound) InputIndex(key string) int {
	return slices.IndexFunc(b.f.Inputs, func(u Input) bool { return u.Name == b.prefix+key })
}

func (b *bound) Prescribed(position, unit, text string) component.Motion {
	x, v, a := b.f.motion(b.prefix+position, b.prefix+"rate", b.prefix+"acceleration", unit, text)
	return component.Motion{Position: x, Rate: v, Acceleration: a}
}

func (b *bound) InputMotion(inputs int, group [3]int) {
	first := len(b.f.Inputs) - inputs
	for i := range group {
		if group[i] >= 0 {
			group[i] += first
		}
	}
	b.f.Motions = append(b.f.Motions, group)
}

func (b *bound) Define(name string, e *expr.Expr) *expr.Expr {
	return b.f.define(nameOf(name, b.head.Name), e)
}

func (b *bound) DefineV(name string, v expr.Vector) expr.Vector {
	return b.f.Pool.DefineV(name+"_"+b.head.Name, v)
}

func (b *bound) Curve(name string, c *curve.Curve, x *expr.Expr) component.Course {
	return b.f.curveAt(name, c, x)
}

func (b *bound) Surface(name string, c *curve.Surface, x, y *expr.Expr) *expr.Expr {
	return b.f.surfaceAt(name, c, x, y)
}

func (b *bound) CurveIntegral(name string, c *curve.Curve, x *expr.Expr) *expr.Expr {
	return b.f.curveIntegral(name, c, x)
}

func (b *bound) State(s component.OwnState) {
	startName := ""
	if s.StartKey != "" {
		startName = b.prefix + s.StartKey
	}
	b.f.Internal = append(b.f.Internal, State{
		Name: b.prefix + s.Key, Unit: s.Unit, Text: s.Text, Symbol: s.Symbol, Rate: s.Rate, start: s.Start, begin: s.Begin,
		startName: startName, startUnit: cmp.Or(s.StartUnit, s.Unit), held: s.Held,
	})
}

// Motions.

func (b *bound) Axes(frame string) expr.Frame { return b.f.axesOf(b.f.node(frame)) }
func (b *bound) OwnAxes(frame string) expr.Frame {
	return b.f.classes[b.f.classOf[b.f.node(frame)]].frame
}
func (b *bound) HasAxes(frame string) bool { return b.f.classOf[b.f.node(frame)] >= 0 }
func (b *bound) Unit(in expr.Frame, axis int) expr.Vector {
	return b.f.unit(in, axis)
}

func (b *bound) Constant(in expr.Frame, x [3]float64) expr.Vector { return b.f.constant(in, x) }

func (b *bound) Resolve(v expr.Vector, in expr.Frame) expr.Vector {
	return b.f.resolveAs("vector_"+b.head.Name, v, in)
}

func (b *bound) Parallel(a, c string) bool {
	return b.f.classOf[b.f.node(a)] == b.f.classOf[b.f.node(c)]
}

func (b *bound) Turns(frame string) bool {
	return len(b.f.classes[b.f.classOf[b.f.node(frame)]].moved) > 0
}

func (b *bound) Position(from, to string, in expr.Frame) expr.Vector {
	return b.f.Across(b.f.node(from), b.f.node(to), Position, in)
}

func (b *bound) Velocity(from, to string, in expr.Frame) expr.Vector {
	return b.f.Across(b.f.node(from), b.f.node(to), Velocity, in)
}

func (b *bound) Acceleration(from, to string, in expr.Frame) expr.Vector {
	return b.f.Across(b.f.node(from), b.f.node(to), Acceleration, in)
}

func (b *bound) AngularVelocity(from, to string, in expr.Frame) expr.Vector {
	return b.f.AcrossRotation(b.f.node(from), b.f.node(to), Velocity, in)
}

func (b *bound) AngularAcceleration(from, to string, in expr.Frame) expr.Vector {
	return b.f.AcrossRotation(b.f.node(from), b.f.node(to), Acceleration, in)
}

func (b *bound) FullAcceleration(from, to string, in expr.Frame) expr.Vector {
	return b.f.acceleration(b.f.node(from), b.f.node(to), in)
}

func (b *bound) Orientation(from, to string) expr.Rotation {
	return b.f.Orientation(b.f.node(from), b.f.node(to))
}

func (b *bound) AngleBetween(from, to string, axis [3]float64) *expr.Expr {
	return b.f.angleBetween(b.f.node(from), b.f.node(to), axis)
}

func (b *bound) Partials(frame string) iter.Seq2[int, expr.Vector] {
	class := b.f.classOf[b.f.node(frame)]
	return func(yield func(int, expr.Vector) bool) {
		for _, k := range b.f.classes[class].moved {
			if !yield(k, b.f.speedAxis(k, class)) {
				return
			}
		}
	}
}

func (b *bound) InertiaAbout(frame string, axis expr.Vector) *expr.Expr {
	return b.f.inertiaAbout(b.f.node(frame), axis)
}

func (b *bound) Leg(from, to string) component.Leg { return b.f.leg(b.f.node(from), b.f.node(to)) }

func (b *bound) Line(from, to string) component.Coordinate {
	return b.f.line(b.head, b.f.node(from), b.f.node(to))
}

func (b *bound) Along(from, to string, axis [3]float64) component.Coordinate {
	return b.f.along(b.f.node(from), b.f.node(to), axis)
}

func (b *bound) About(from, to string, axis [3]float64) component.Coordinate {
	return b.f.about(b.f.node(from), b.f.node(to), axis)
}

func (b *bound) Freedom(coordinate, speed string) component.Coordinate {
	p := b.f.Pool
	value, rate := p.Sym(b.prefix+coordinate, expr.State), p.Sym(b.prefix+speed, expr.State)
	k := slices.IndexFunc(b.f.Speeds, func(s State) bool { return s.Symbol == rate })
	return component.Coordinate{Value: value, Rate: rate, Speed: k, Sign: 1}
}

func (b *bound) Driven(driver string) component.Motion {
	for i := range b.f.Forest.Graph.Edges {
		if e := &b.f.Forest.Graph.Edges[i]; e.Owner.Name == driver && e.Space.Motion != nil {
			return b.f.motionOf(e)
		}
	}
	panic("formulate: " + driver + " drives nothing") // the reader has looked
}

func (b *bound) SecondMotion() component.Motion {
	for i := range b.f.Forest.Graph.Edges {
		if e := &b.f.Forest.Graph.Edges[i]; e.Owner.Name == b.head.Name && e.Space.Guide != nil {
			m, _ := b.f.secondMotion(e.Space.Guide)
			return m
		}
	}
	panic("formulate: " + b.head.Name + " is no suspension")
}

func (b *bound) FreePoint(frame string) (axes []int, position, speed [3]int) {
	edge, _ := b.f.Forest.Step(graph.Translation, b.f.node(frame))
	position, speed = [3]int{-1, -1, -1}, [3]int{-1, -1, -1}
	e := &b.f.Forest.Graph.Edges[edge]
	free := e.Space.Free
	if !e.Flies() || b.f.speedsOfFree(free).Along == graph.OfHead {
		return nil, position, speed
	}
	for j, k := range free.Axes {
		s := b.f.speedIndex[edge][j]
		position[k], speed[k] = len(b.f.Speeds)+s, s
	}
	return free.Axes, position, speed
}

func (b *bound) Held(frame string, axis int) *expr.Expr {
	return b.f.points[b.f.node(frame)].offsets[0].X[axis]
}

func (b *bound) AddAxes(name, beside expr.Frame, turn [3][3]*expr.Expr) {
	zero, r := b.f.Pool.ZeroVector(name), expr.Rotation{From: name, To: beside, M: turn}
	b.f.addClass(class{
		frame: name, parent: b.f.classWith(beside), tail: -1,
		turn: r, turns: []expr.Rotation{r}, omega: zero, alpha: zero,
	})
	b.f.forces.moment = append(b.f.forces.moment, nil)
}

func (b *bound) Know(v, as expr.Vector) { b.f.known[resolution{v.X, v.Frame, as.Frame}] = as }

func (b *bound) Reaction(row string) *expr.Expr {
	return b.f.multiplier(b.prefix+row, b.f.Solution[len(b.f.Speeds):])
}

// Loads.

func (b *bound) Force(frame string, v expr.Vector) {
	b.f.push(b.f.node(frame), v, b.acting, b.f.pulling[b.acting])
}

func (b *bound) Moment(frame string, v expr.Vector) {
	b.f.twist(b.f.node(frame), v, b.acting, b.f.pulling[b.acting])
}

func (b *bound) Counter(frame string, moment func() expr.Vector) {
	if b.Turns(frame) {
		b.Moment(frame, moment())
		return
	}
	b.f.counters = append(b.f.counters, counter{b.f.node(frame), moment})
}

func (b *bound) OnSpeed(speed int, e *expr.Expr) {
	b.f.direct[speed] = b.f.Pool.Add(b.f.direct[speed], e)
	b.f.onSpeeds = append(b.f.onSpeeds, onSpeed{speed, e})
}

func (b *bound) Apply(x component.Coordinate, e *expr.Expr)      { b.f.apply(x, e, b.acting) }
func (b *bound) Drive(x component.Coordinate, torque *expr.Expr) { b.f.drive(x, torque, b.acting) }

func (b *bound) Brake(x component.Coordinate, magnitude *expr.Expr) {
	b.f.brakes = append(b.f.brakes, brake{b.head.Name, x, magnitude})
}

func (b *bound) Resist(r component.RollingResistance) {
	b.f.resistances = append(b.f.resistances, resistance{b.head.Name, r, nil})
}

func (b *bound) Torques(frame string) iter.Seq2[expr.Vector, *expr.Expr] {
	return func(yield func(expr.Vector, *expr.Expr) bool) {
		for _, q := range b.f.torques {
			torque := q.torque
			switch frame {
			case q.to:
			case q.from:
				torque = b.f.Pool.Neg(torque)
			default:
				continue
			}
			if !yield(q.axis, torque) {
				return
			}
		}
	}
}

func (b *bound) NoPartials() []*expr.Expr { return b.f.zeroRow() }

func (b *bound) Intermediate(name string, e *expr.Expr) *expr.Expr {
	return b.f.intermediate(nameOf(name, b.head.Name), e)
}

func (b *bound) Indicator(key, unit, text string, e *expr.Expr) {
	b.f.indicators = append(b.f.indicators, Output{Name: b.prefix + key, Unit: unit, Text: text, Value: e})
}

func (b *bound) Secant(value, argument, slope *expr.Expr) {
	b.f.secants = append(b.f.secants, secantSlope{value, argument, slope})
}

func (b *bound) Deflect(m component.Motion) { b.f.deflect(m) }

func (b *bound) Pull(list ...component.Pull) {
	b.f.pulls = append(b.f.pulls, list...)
	b.f.pulling[b.acting] = true
}

func (b *bound) Sliding(s component.Sliding) {
	call := slices.IndexFunc(b.f.Calls, func(c Call) bool { return slices.Contains(c.Returned, s.Force) })
	b.f.sliding = append(b.f.sliding, slidingForce{call, s})
}

// Contacts.

func (b *bound) Control(key, unit string, start float64) (*expr.Expr, int) {
	return b.f.control(b.prefix+key, unit, start), len(b.f.Controls) - 1
}

func (b *bound) EngineConstant(e *expr.Expr) int {
	b.f.Constants = append(b.f.Constants, e)
	return len(b.f.Constants) - 1
}

func (b *bound) Terrain(t program.Terrain) { b.f.Terrains = append(b.f.Terrains, t) }

func (b *bound) TerrainIndex(name string) int {
	return slices.IndexFunc(b.f.Terrains, func(t program.Terrain) bool { return t.Name == name })
}

func (b *bound) Contact(c program.WheelContact) { b.f.Contacts = append(b.f.Contacts, c) }
func (b *bound) Watch(l program.Limit, watched ...*expr.Expr) {
	b.f.Limits, b.f.limited = append(b.f.Limits, l), append(b.f.limited, watched...)
}
func (b *bound) Uneven(u component.UnevenRoad) { b.f.Uneven = append(b.f.Uneven, u) }
func (b *bound) Sampled(s component.Sampled)   { b.f.samplers = append(b.f.samplers, s) }
func (b *bound) Tire(t component.WatchedTire)  { b.f.Tires = append(b.f.Tires, t) }

// Restraints.

func (b *bound) Generalised() bool { return b.f.tree.Formulation == component.UdwadiaKalaba }

func (b *bound) Row(r component.Row, key, unit string) {
	b.Publish(key, unit, "violation of the constraint", b.f.times(r.Active, r.Position))
	b.f.rowOf[b.prefix+key] = len(b.f.Constraints)
	b.f.Constraints = append(b.f.Constraints, Constraint{
		Name: r.Name, Position: r.Position, Velocity: r.Velocity, Row: r.Partials, Bias: r.Bias, Active: r.Active,
	})
}

func (b *bound) Rate(row string, position, velocity *expr.Expr) *expr.Expr {
	b.f.rowOf[b.prefix+row] = len(b.f.Constraints)
	return b.f.nonholonomic(b.head.Name+"_"+row, position, velocity)
}

func (b *bound) Relax(row string, g component.Grip) {
	r := relaxedRow{Grip: g, rolling: b.f.rowOf[b.prefix+row], normal: -1}
	if g.Normal != "" {
		r.normal = b.f.rowOf[b.prefix+g.Normal]
	}
	b.f.grips = append(b.f.grips, r)
}

func (b *bound) PartialsAlong(from, to string, axis expr.Vector) []*expr.Expr {
	return b.f.partialsAlong(b.f.node(from), b.f.node(to), axis)
}
