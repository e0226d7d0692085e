package formulate

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Statics are the equations of a vehicle at rest on a rig, which carries its chassis: with coordinates q, multipliers f
// of the constraints and loads on the wheels,
//
//	b(q, loads) - C^T f = 0,  Phi(q) = 0.
//
// Tires have no loads. Wheels are locked to their carriers, and pads and loads of the rig act on the carriers. The
// variables are inputs of Program. The equations and all quantities that are read are its outputs. Program
// differentiates outputs by coordinates, multipliers, loads and inputs of the model.
type Statics struct {
	Program     *program.Program
	Coordinates []StaticCoordinate
	Constraints []StaticConstraint
	Wheels      []StaticWheel
	Values      map[string]int // outputs of published quantities, by name
	Forces      []StaticForce  // of joints
	Internal    []StaticState  // of components
	Mass        int            // first of four outputs: mass, and mass times the place of its centre
	Rolling     []int          // first output of each tire of StaticsOptions.Rolling: its centre
	Bodies      []StaticBody
	Frames      []StaticFrame  // if they are read
	Stays       map[string]int // first of three inputs of each bushing of StaticsOptions.Stays
	Lines       map[string]int // by spring between points: first of six outputs, the places of both ends
	Angles      map[string]int // of revolute joints, if bodies are read
}

// StaticFrame is a frame of the model in the chassis's axes.
type StaticFrame struct {
	Name  string
	Place int // first of three outputs
	Axes  int // first of nine outputs: axes of the frame as columns, column by column
}

// StaticCoordinate is a coordinate with the balance of its generalised loads.
type StaticCoordinate struct {
	Name, Unit string
	Owner      string // component
	Chassis    bool   // it moves the chassis
	Guided     bool   // the travel of a suspension by curves
	Input      int
	Balance    int // output
	Start      int // output: start value, -1 where there is none
}

// StaticConstraint is a constraint of places, with its multiplier.
type StaticConstraint struct {
	Name string
	Input,
	Gap int // output
}

// StaticState is a state that stays at its start value.
type StaticState struct {
	Input, Start int // input; output, -1 where there is none
}

// StaticWheel is a wheel in the chassis's axes.
type StaticWheel struct {
	Height   int   // output: of the centre above the origin of the ground
	Centre   int   // first of three outputs
	Spin     int   // first of three outputs: unit vector of the spin axis
	Carrier  int   // first of nine outputs: axes of the carrier as columns, column by column
	Balls    []int // first of three outputs of each ball joint of the carrier
	Radius   int   // input: from the spin axis to the contact
	Pad      int   // input: force of the pad, upward at the contact
	Contact  int   // first of three inputs: force at the contact
	AtCentre int   // first of three inputs: force at the wheel's centre
	Moment   int   // first of three inputs
}

// StaticForce is the force and the moment of the side of the tail on the head of a joint, at the origin of the head, in
// axes of the chassis.
type StaticForce struct {
	Component, Type string
	Head            string // frame
	Output          int    // first of six outputs
	Tension         int    // output: of a rod, positive where it pulls; -1 for others
}

// StaticBody is a body in axes of the chassis.
type StaticBody struct {
	Component string
	Mass      int // output
	Place     int // first of three outputs: centre of mass from the origin of the chassis
	Axes      int // first of nine outputs: axes of the body as columns, column by column
	Inertia   int // first of nine outputs: inertia about the centre in these axes, row by row; -1 for a point
}

// StaticsOptions choose what is loaded and read.
type StaticsOptions struct {
	Tree    string
	Chassis string   // frame
	Tires   []string // with loads of the rig
	Rolling []string // tires whose centres are read
	Read    []string // components whose published quantities are read
	Forces  bool     // forces of joints are read
	Bodies  bool     // masses and places of bodies are read
	Frames  bool     // places and axes of all frames are read
	Stays   bool     // bushings have a further force, as a rigid stay would have, in axes of their tail
}

// NewStatics formulates the equations of a model.
func NewStatics(m *vehicle.Model, o StaticsOptions) (*Statics, error) {
	b := &staticsBuilder{statics: &Statics{Values: map[string]int{}, Stays: map[string]int{}}, chassis: o.Chassis}
	f, err := b.formulate(m, &o)
	if err != nil {
		return nil, err
	}
	b.read(f, o.Tires, o.Read)
	if o.Forces {
		b.readForces(f)
	}
	b.readMasses(f)
	if o.Bodies {
		b.readBodies(f)
	}
	for _, name := range o.Rolling {
		centre, _ := b.wheel(f, name)
		b.statics.Rolling = append(b.statics.Rolling, b.output(name+".centre", "m", centre.X[:]...))
	}
	if o.Frames {
		b.readFrames(f)
	}
	if b.statics.Program, err = program.Build(b.source(f)); err != nil {
		return nil, err
	}
	return b.statics, nil
}

type staticsBuilder struct {
	statics *Statics
	chassis string
	loads   [][10]*expr.Expr // by wheel: pad, contact, centre, moment
	radii   []*expr.Expr
	stays   []stay
	inputs  []program.SourceSymbol
	outputs []program.SourceValue
	columns []int // inputs of the derivatives

	multipliers []*expr.Expr // by constraint
}

// formulate makes the equations with the loads of the rig.
func (b *staticsBuilder) formulate(m *vehicle.Model, o *StaticsOptions) (*Formulation, error) {
	f, err := formulationOf(m, Options{Tree: o.Tree})
	if err != nil {
		return nil, err
	}
	err = f.run(f.variables, f.orientations, func() { f.decide(byMatrix) }, f.pointMotions, f.kinematicEquations,
		f.massMatrix, f.networkEquations, f.componentLoads, func() { b.load(f, o) }, f.inertiaLoads, f.equations,
		f.constraints, func() { f.starts(f.tree.Name == m.Trees[0].Name) })
	return f, err
}

// load adds the loads of the rig. The loads of tires are results of calls, which are inputs with the value 0.
func (b *staticsBuilder) load(f *Formulation, o *StaticsOptions) {
	p, axes := f.Pool, f.axesOf(f.node(b.chassis))
	if o.Stays {
		for _, c := range f.Model.Components {
			if c.Head().Type == bushing {
				b.stay(f, c)
			}
		}
	}
	for _, name := range o.Tires {
		var s [10]*expr.Expr
		for i, key := range [10]string{"pad", "Fx", "Fy", "Fz", "centre_x", "centre_y", "centre_z", "Mx", "My", "Mz"} {
			s[i] = p.Sym("rig."+name+"."+key, expr.Input)
		}
		radius := p.Sym("rig."+name+".radius", expr.Input)
		b.loads, b.radii = append(b.loads, s), append(b.radii, radius)
		_, spin := b.wheel(f, name)
		// the lowest direction of the wheel's plane, -z + (u.z) u
		u := spin.X
		down := p.Call(expr.Sqrt, p.Sub(p.Int(1), p.Pow(u[2], 2)))
		lever := expr.Vector{Frame: axes, X: [3]*expr.Expr{p.Mul(u[2], u[0]), p.Mul(u[2], u[1]),
			p.Sub(p.Pow(u[2], 2), p.Int(1))}}
		lever = p.DefineV("lever_"+name, p.ScaleV(p.Mul(radius, p.Pow(down, -1)), lever))
		contact := expr.Vector{Frame: axes, X: [3]*expr.Expr{s[1], s[2], p.Add(s[0], s[3])}}
		force := p.AddV(contact, expr.Vector{Frame: axes, X: [3]*expr.Expr{s[4], s[5], s[6]}})
		moment := p.AddV(p.Cross(lever, contact), expr.Vector{Frame: axes, X: [3]*expr.Expr{s[7], s[8], s[9]}})
		node := f.node(b.frame(f, name))
		f.push(node, force, rigLoad, false)
		f.twist(node, moment, rigLoad, false)
	}
}

// bushing is the type of bushings.
const bushing = "bushing"

// stay is the force of a stay beside a bushing.
type stay struct {
	bushing string
	force   [3]*expr.Expr
}

// stay adds a force on the head of a bushing at its origin, and the opposite force on the tail at the same place.
func (b *staticsBuilder) stay(f *Formulation, c component.Component) {
	p, s := f.Pool, stay{bushing: c.Head().Name}
	for i, key := range [3]string{"x", "y", "z"} {
		s.force[i] = p.Sym("rig."+s.bushing+"."+key, expr.Input)
	}
	b.stays = append(b.stays, s)
	joined := c.Frames().Uses
	tail, head := f.node(joined[0]), f.node(joined[1])
	axes := f.axesOf(tail)
	force := expr.Vector{Frame: axes, X: s.force}
	f.push(head, force, rigLoad, false)
	f.push(tail, p.NegV(force), rigLoad, false)
	f.twist(tail, p.NegV(p.Cross(f.Across(tail, head, Position, axes), force)), rigLoad, false)
}

// rigLoad is in place of the name of a component.
const rigLoad = "rig"

// carrierOf is the class of the carrier of a wheel: without its spin.
func (f *Formulation) carrierOf(node int) int {
	class := f.classOf[node]
	if f.classes[class].spinning {
		return f.classes[class].tail
	}
	return class
}

func (b *staticsBuilder) frame(f *Formulation, tire string) string {
	w, _ := component.Named[component.Wheeled](f.scope, tire)
	return w.Wheel().Frame
}

// wheel is the centre and the spin axis of a wheel.
func (b *staticsBuilder) wheel(f *Formulation, tire string) (centre, spin expr.Vector) {
	c, _ := component.Named[component.Wheeled](f.scope, tire)
	w := c.Wheel()
	from, node := f.node(b.chassis), f.node(w.Frame)
	axes := f.axesOf(from)
	spin = f.resolve(f.unit(f.axesOf(node), w.Axis), axes)
	return f.Across(from, node, Position, axes), f.Pool.DefineV("spin_"+tire, spin)
}

func (b *staticsBuilder) input(name, unit string, symbol *expr.Expr, start float64) int {
	v := program.Variable{Name: name, Unit: unit, Start: start}
	b.inputs = append(b.inputs, program.SourceSymbol{Variable: v, Symbol: symbol})
	return len(b.inputs) - 1
}

func (b *staticsBuilder) output(name, unit string, values ...*expr.Expr) int {
	for _, e := range values {
		b.outputs = append(b.outputs, program.SourceValue{Variable: program.Variable{Name: name, Unit: unit}, Value: e})
	}
	return len(b.outputs) - len(values)
}

// varied makes an input. Outputs are differentiated by it.
func (b *staticsBuilder) varied(name, unit string, symbol *expr.Expr) int {
	i := b.input(name, unit, symbol, 0)
	b.columns = append(b.columns, i)
	return i
}

// read makes inputs and outputs.
func (b *staticsBuilder) read(f *Formulation, tires, read []string) {
	p, s := f.Pool, b.statics
	chassis := f.node(b.chassis)
	axes := f.axesOf(chassis)
	start := func(x *State) int {
		if x.Start == nil {
			return -1
		}
		return b.output("start of "+x.Name, x.Unit, x.Start)
	}
	holding := union(f.points[chassis].moved, f.classes[f.classOf[chassis]].moved)
	for k := range f.Coordinates {
		x := &f.Coordinates[k]
		e := &f.Forest.Graph.Edges[f.owner[k][0]]
		s.Coordinates = append(s.Coordinates, StaticCoordinate{Name: x.Name, Unit: x.Unit, Owner: e.Owner.Name,
			Chassis: slices.Contains(holding, k), Guided: e.Space.Guide != nil,
			Input: b.varied(x.Name, x.Unit, x.Symbol), Start: start(x)})
	}
	for i := range f.Speeds {
		b.input(f.Speeds[i].Name, f.Speeds[i].Unit, f.Speeds[i].Symbol, 0)
	}
	for i := range f.Internal {
		x := &f.Internal[i]
		s.Internal = append(s.Internal, StaticState{b.varied(x.Name, x.Unit, x.Symbol), start(x)})
	}
	for _, u := range f.Inputs {
		b.inputs[b.varied(u.Name, u.Unit, u.Symbol)].Start = u.Start
	}
	for _, u := range f.Controls {
		b.input(u.Name, u.Unit, u.Symbol, u.Start)
	}
	for _, x := range f.returnedSymbols() {
		b.input(x.Name(), "", x, 0)
	}
	balance := slices.Clone(f.Load)
	b.multipliers = f.zeros(len(f.Constraints))
	for i := range f.enforced {
		c := &f.Constraints[i]
		multiplier := p.Sym("rig.multiplier of "+c.Name, expr.Input)
		b.multipliers[i] = multiplier
		for k, e := range c.Row {
			balance[k] = p.Sub(balance[k], p.Mul(e, multiplier))
		}
		s.Constraints = append(s.Constraints, StaticConstraint{Name: c.Name,
			Input: b.varied("multiplier of "+c.Name, "N", multiplier),
			Gap:   b.output("gap of "+c.Name, "m", c.Position)})
	}
	for k := range s.Coordinates {
		s.Coordinates[k].Balance = b.output("load on "+s.Coordinates[k].Name, "N", balance[k])
	}
	for i, name := range tires {
		centre, spin := b.wheel(f, name)
		ground := f.Across(graph.Ground, f.node(b.frame(f, name)), Position, f.classes[0].frame)
		w := StaticWheel{Height: b.output(name+".height", "m", ground.X[2]),
			Centre: b.output(name+".centre", "m", centre.X[:]...), Spin: b.output(name+".spin", "1", spin.X[:]...)}
		class := f.carrierOf(f.node(b.frame(f, name)))
		for axis := range 3 {
			v := f.resolve(f.unit(f.classes[class].frame, axis), axes)
			if at := b.output(name+".carrier", "1", v.X[:]...); axis == 0 {
				w.Carrier = at
			}
		}
		w.Radius = b.varied(name+".radius", "m", b.radii[i])
		for j, symbol := range b.loads[i] {
			at := b.varied(symbol.Name(), "N", symbol)
			switch j {
			case 0:
				w.Pad = at
			case 1:
				w.Contact = at
			case 4:
				w.AtCentre = at
			case 7:
				w.Moment = at
			}
		}
		for _, node := range f.balls(class) {
			v := f.Across(chassis, node, Position, axes)
			w.Balls = append(w.Balls, b.output(name+".ball", "m", v.X[:]...))
		}
		s.Wheels = append(s.Wheels, w)
	}
	for _, of := range b.stays {
		for i, symbol := range of.force {
			if at := b.varied(symbol.Name(), "N", symbol); i == 0 {
				s.Stays[of.bushing] = at
			}
		}
	}
	for _, o := range f.published {
		if owner, _, _ := strings.Cut(o.Name, "."); slices.Contains(read, owner) {
			s.Values[o.Name] = b.output(o.Name, o.Unit, o.Value)
		}
	}
}

// readFrames makes the outputs of the places and axes of all frames.
func (b *staticsBuilder) readFrames(f *Formulation) {
	chassis := f.node(b.chassis)
	axes := f.axesOf(chassis)
	for node, name := range f.Forest.Graph.Nodes {
		place := f.Across(chassis, node, Position, axes)
		of := StaticFrame{Name: name, Place: b.output(name+".place", "m", place.X[:]...)}
		for axis := range 3 {
			v := f.resolve(f.unit(f.axesOf(node), axis), axes)
			if at := b.output(name+".axis", "1", v.X[:]...); axis == 0 {
				of.Axes = at
			}
		}
		b.statics.Frames = append(b.statics.Frames, of)
	}
}

// readForces makes the outputs of the forces of joints, at rest.
func (b *staticsBuilder) readForces(f *Formulation) {
	p := f.Pool
	for k := range f.Speeds {
		f.Speeds[k].Rate = p.Int(0)
	}
	all, axes := f.balanceOf(b.multipliers), f.axesOf(f.node(b.chassis))
	for _, c := range component.All[component.Holding](f.scope) {
		h := c.Head()
		if _, wheel := c.(component.Wheeled); wheel || h.Type == "rigid-arm" {
			continue
		}
		_, head := c.Holds()
		force, moment := all.reaction(c)
		of := StaticForce{Component: h.Name, Type: h.Type, Head: head, Tension: -1}
		vector := func(v expr.Vector) []*expr.Expr {
			v = f.resolve(v, axes)
			return v.X[:]
		}
		of.Output = b.output("force of "+h.Name, "N", vector(force)...)
		b.output("moment of "+h.Name, "N.m", vector(moment)...)
		if rod, is := c.(component.Tense); is {
			of.Tension = b.output("tension of "+h.Name, "N", rod.Tension(f.builder(c),
				func(row string) *expr.Expr { return all.of(h.Name + "." + row) }))
		}
		b.statics.Forces = append(b.statics.Forces, of)
	}
}

// readMasses makes the outputs of the whole mass.
func (b *staticsBuilder) readMasses(f *Formulation) {
	p, chassis := f.Pool, f.node(b.chassis)
	axes := f.axesOf(chassis)
	mass, moment := p.Int(0), p.ZeroVector(axes)
	for _, body := range f.allBodies() {
		mass = p.Add(mass, body.mass)
		moment = p.AddV(moment, p.ScaleV(body.mass, f.Across(chassis, body.node, Position, axes)))
	}
	b.statics.Mass = b.output("mass", "kg", mass)
	b.output("mass times its centre", "kg.m", moment.X[:]...)
}

// readBodies makes the outputs of all bodies, of the ends of springs, and of the angles of revolute joints.
func (b *staticsBuilder) readBodies(f *Formulation) {
	chassis := f.node(b.chassis)
	axes := f.axesOf(chassis)
	for _, body := range f.allBodies() {
		place := f.Across(chassis, body.node, Position, axes)
		own := f.axesOf(body.node)
		if body.inertia != nil {
			own = body.frame
		}
		of := StaticBody{Component: body.name, Mass: b.output("mass of "+body.name, "kg", body.mass),
			Place: b.output("place of "+body.name, "m", place.X[:]...), Inertia: -1}
		for axis := range 3 {
			v := f.resolve(f.unit(own, axis), axes)
			if at := b.output("axes of "+body.name, "1", v.X[:]...); axis == 0 {
				of.Axes = at
			}
		}
		if body.inertia != nil {
			for row := range 3 {
				at := b.output("inertia of "+body.name, "kg.m2", body.inertia[row][:]...)
				if row == 0 {
					of.Inertia = at
				}
			}
		}
		b.statics.Bodies = append(b.statics.Bodies, of)
	}
	b.statics.Lines, b.statics.Angles = map[string]int{}, map[string]int{}
	for _, j := range component.All[component.Jointed](f.scope) {
		if m, name := j.Moves(), j.Head().Name; m.Domain == graph.Rotation && m.Axis != [3]float64{} {
			angle := f.angleBetween(f.node(m.From), f.node(m.To), m.Axis)
			b.statics.Angles[name] = b.output("angle of "+name, "rad", angle)
		}
	}
	for _, c := range component.All[component.Sprung](f.scope) {
		name := c.Head().Name
		for i, frame := range c.Frames().Uses {
			end := f.Across(chassis, f.node(frame), Position, axes)
			if at := b.output("end of "+name, "m", end.X[:]...); i == 0 {
				b.statics.Lines[name] = at
			}
		}
	}
}

// balls are the nodes about which the body of a class turns freely: at spherical joints, at the tops of struts, and
// where several rods meet.
func (f *Formulation) balls(class int) (nodes []int) {
	met := map[string]int{}
	for _, c := range component.All[component.Balled](f.scope) {
		for _, ball := range c.Balls() {
			met[ball.At]++
			of := f.classOf[f.node(ball.Of)]
			if of >= 0 && f.moving(of) == f.moving(class) && (!ball.Meets || met[ball.At] == 2) {
				nodes = append(nodes, f.node(ball.At))
			}
		}
	}
	return nodes
}

// source hands the equations over to package program.
func (b *staticsBuilder) source(f *Formulation) *program.Source {
	s := &program.Source{Name: f.Model.Name, Pool: f.Pool, Inputs: b.inputs, Outputs: b.outputs}
	s.Parameters = f.sourceParameters()
	s.Derivatives = func(_, _ program.Quantity, _ [][]int) *program.Derivatives {
		d := &program.Derivatives{Rows: len(b.outputs), Columns: len(b.inputs)}
		var symbols []*expr.Expr
		for _, j := range b.columns {
			symbols = append(symbols, b.inputs[j].Symbol)
		}
		reach := f.Pool.NewReach(symbols...)
		for _, j := range b.columns {
			by := reach.NewDerivative(b.inputs[j].Symbol)
			for i := range b.outputs {
				if e := by.Of(b.outputs[i].Value); !e.IsZero() {
					d.Entries = append(d.Entries, program.Entry{Row: i, Column: j, Value: e})
				}
			}
		}
		return d
	}
	return s
}
