// Package rig solves the statics of one axle of a vehicle on a rig for kinematics and compliance: the chassis is held,
// wheels are locked to their carriers, and level pads without friction carry them in place of the road. The
// equations belong to the model itself: it may have any joints, loops, bushings and springs.
package rig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/kc"
	"skidpad/model/program"
	"skidpad/model/roles"
	"skidpad/model/search"
	"skidpad/model/vehicle"
)

// The sides of an axle.
const (
	Left = iota
	Right
)

// Sides are the names of the sides.
var Sides = [2]string{"left", "right"}

// sign is 1 on the left, where y is outward, and -1 on the right.
func sign(side int) float64 { return float64(1 - 2*side) }

// Options choose the axle and how it is held.
type Options struct {
	Axle   int          // from 1, the front one
	Radius float64      // from the spin axis to the contact [m]; 0: as the wheels stand at the start of the model
	Forces bool         // forces of joints are wanted
	Bodies bool         // bodies are wanted
	Frames bool         // places of frames are wanted
	Yields bool         // deformations of bushings are wanted
	Pinion bool         // the rack is held at the pinion, not at the steering wheel before a column
	Rack   RackHold     // how the rack is held
	Set    []Setting    // numbers of parameters in place of those of the file
	Hold   []string     // joints that stay at 0, such as joints that yield
	Rate   float64      // of a rack held elastically [N/m, N m/rad]
	Roles  *roles.Roles // in place of those of the model; nil for these
	Tree   string       // of the model
}

// Setting is the number of a parameter.
type Setting struct {
	Name  string
	Value float64                 // SI
	Fits  func(unit string) error // refuses another unit; nil for none
}

// RackHold is how a rack is held.
type RackHold int

// The ways to hold a rack.
const (
	RackHeld    RackHold = iota
	RackFree             // no force acts on it
	RackElastic          // by a spring to its place
)

// Rig is an axle on the rig.
type Rig struct {
	Model *vehicle.Model
	Tires [2]string // components
	Rack  string    // joint or driver of the rack or the steering wheel, "" for none
	Loose []string  // components that can move while nothing resists and no wheel moves

	options     Options
	roles       *roles.Roles
	equations   *formulate.Statics
	machine     program.Machine
	derivatives *program.JacobianEvaluator
	parameters  []float64
	u, y        []float64 // inputs, outputs of the equations
	j           []float64 // derivatives of outputs by inputs
	radius      [2]float64
	coordinates []int      // of the equations, that are free
	constraints []int      // likewise
	springs     []spring   // of State.Values
	rack        int        // input of the rack's place, -1 for none
	rackRow     int        // output: load on the rack, -1 where its motion is an input
	design      []float64  // inputs
	height      [2]float64 // of the centres in the design position
	place       float64    // of the rack in the design position
	examined    bool       // Loose is found
	slope       int        // output: travel of the rack by the angle of the pinion [m/rad], -1 for none
}

// scale turns gaps into forces and multipliers into lengths: a stiffness typical of suspensions [N/m]. It has no effect
// on the solution.
const scale = 1e5

// Load is a load on a wheel in axes of the chassis, y to the left.
type Load struct {
	Contact [3]float64 // force at the contact [N]
	Centre  [3]float64 // force at the wheel's centre [N]
	Moment  [3]float64 // [N m]
}

// Given are the motions and loads that the rig gives to an axle.
type Given struct {
	Travel [2]float64 // heights of the wheel centres above the design position [m]
	ByPads bool       // the forces of the pads are given, not Travel
	Pads   [2]float64 // upward [N]
	Rack   float64    // displacement of the rack or the steering wheel [m, rad]
	Loads  [2]Load
}

// between is a share of the way to another.
func (g Given) between(to Given, share float64) Given {
	mix := func(a, b float64) float64 { return a + share*(b-a) }
	r := to
	r.Rack = mix(g.Rack, to.Rack)
	for side := range 2 {
		r.Travel[side], r.Pads[side] = mix(g.Travel[side], to.Travel[side]), mix(g.Pads[side], to.Pads[side])
		a, b, c := &g.Loads[side], &to.Loads[side], &r.Loads[side]
		for i := range 3 {
			c.Contact[i], c.Centre[i] = mix(a.Contact[i], b.Contact[i]), mix(a.Centre[i], b.Centre[i])
			c.Moment[i] = mix(a.Moment[i], b.Moment[i])
		}
	}
	return r
}

// State is the axle at rest under what was given.
type State struct {
	Given     Given
	Wheels    [2]kc.Wheel
	Travel    [2]float64   // of the centres [m]
	Pads      [2]kc.Number // forces of the pads [N]
	Rack      float64      // displacement [m, rad]
	RackForce kc.Number    // holding force of the rack [N, N m]; NaN where an input of the model gives the motion
	Values    []kc.Number  // lengths of springs and dampers [m, rad]
	Steps     int          // of the search

	x          []float64 // unknowns
	balls      [2][]kc.Vector
	carrier    [2][3]kc.Vector // axes
	slope      kc.Number       // travel of the rack by the angle of the pinion [m/rad], NaN for none
	massHeight kc.Number       // of the centre of mass above the contacts [m]
	wheelbase  kc.Number       // [m]
}

// Axle names the wheels of an axle, and its rack as Rig.Rack has it.
func Axle(m *vehicle.Model, o Options) (tires [2]string, rack string, err error) {
	r, err := equations(m, o)
	if err != nil {
		return tires, "", err
	}
	return r.Tires, r.Rack, nil
}

// New puts an axle of a model on the rig.
func New(m *vehicle.Model, o Options) (*Rig, error) {
	r, err := equations(m, o)
	if err != nil {
		return nil, err
	}
	r.derivatives = r.machine.Jacobian(program.OutputQuantity, program.InputQuantity)
	p := r.equations.Program
	r.j = make([]float64, len(p.Outputs)*len(p.Inputs))
	if err := r.start(); err != nil {
		return nil, err
	}
	return r, nil
}

// equations is the rig without derivatives and design position.
func equations(m *vehicle.Model, o Options) (*Rig, error) {
	r := &Rig{Model: m, options: o, rack: -1, rackRow: -1, slope: -1}
	of := o.Roles
	if of == nil {
		of = m.Roles
	}
	if r.roles = of; of == nil || of.Chassis == "" || len(of.Axles) == 0 {
		return nil, fmt.Errorf("model %s has no roles chassis and axles, which the rig needs: add [roles]", m.Name)
	}
	if o.Axle < 1 || o.Axle > len(of.Axles) {
		return nil, fmt.Errorf("there is no axle %d; model %s has axles 1 to %d", o.Axle, m.Name, len(of.Axles))
	}
	axle := of.Axles[o.Axle-1]
	if len(axle.Left) != 1 || len(axle.Right) != 1 {
		return nil, fmt.Errorf("axle %d of model %s has %d left and %d right wheels; the rig needs one of each", o.Axle,
			m.Name, len(axle.Left), len(axle.Right))
	}
	r.Tires = [2]string{axle.Left[0].Tire, axle.Right[0].Tire}
	var err error
	var rolling []string
	for _, w := range of.Wheels() {
		rolling = append(rolling, w.Tire)
	}
	if r.equations, err = formulate.NewStatics(m, formulate.StaticsOptions{Tree: o.Tree, Chassis: of.Chassis,
		Tires: r.Tires[:], Rolling: rolling, Read: r.readable(), Forces: o.Forces, Bodies: o.Bodies,
		Frames: o.Frames, Stays: o.Yields}); err != nil {
		return nil, err
	}
	p := r.equations.Program
	code := p.Tape()
	if native, err := p.Native(code); err == nil {
		code = native
	}
	r.machine = p.NewMachine(code)
	parameters := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		parameters[i] = v.Start
	}
	moves := func(name string) bool {
		owner, _, _ := strings.Cut(name, ".")
		return owner != of.Chassis && slices.ContainsFunc(r.equations.Coordinates,
			func(c formulate.StaticCoordinate) bool { return c.Name == name })
	}
	if err := set(p, o.Set, moves, parameters); err != nil {
		return nil, err
	}
	r.machine.SetParameters(parameters)
	r.parameters = parameters
	r.u, r.y = make([]float64, len(p.Inputs)), make([]float64, len(p.Outputs))
	for i, v := range p.Inputs {
		r.u[i] = v.Start
	}
	r.findSprings()
	r.findRack()
	return r, nil
}

// set puts settings in place of numbers of the file. The rig finds the coordinates that move, whose start values have
// no effect.
func set(p *program.Program, settings []Setting, moves func(name string) bool, parameters []float64) error {
	for _, s := range settings {
		i := slices.IndexFunc(p.Parameters, func(v program.Variable) bool { return v.Name == s.Name })
		if i < 0 {
			var names []string
			for _, v := range p.Parameters {
				names = append(names, v.Name)
			}
			hint := ""
			if near := document.Nearest(s.Name, names); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("there is no parameter %q%s", s.Name, hint)
		}
		if moves(s.Name) {
			return fmt.Errorf("%s is a start value, and has no effect on the rig, which goes out from the design position of "+
				"the file; set a parameter, such as a coordinate of a point, or change the file", s.Name)
		}
		if s.Fits != nil {
			if err := s.Fits(p.Parameters[i].Unit); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		parameters[i] = s.Value
	}
	return nil
}

// readable lists the components with values that are read.
func (r *Rig) readable() (list []string) {
	for _, c := range component.All[component.Sprung](r.Model.Scope()) {
		list = append(list, c.Head().Name)
	}
	for _, s := range component.All[*component.Steering](r.Model.Scope()) {
		list = append(list, s.Name)
	}
	for _, c := range r.Model.Components {
		if (r.options.Forces || r.options.Yields) && c.Head().Type == bushing {
			list = append(list, c.Head().Name)
		}
	}
	return list
}

// findRack finds the rack or the steering wheel. It is the steering wheel before a column, the part that a steering
// shifts, the input of the role, or a joint across the vehicle without a spring.
func (r *Rig) findRack() {
	p, scope := r.equations.Program, r.Model.Scope()
	input := func(name string) int {
		return slices.IndexFunc(p.Inputs, func(v program.Variable) bool { return v.Name == name })
	}
	for _, s := range component.All[*component.Steering](scope) {
		if at, has := r.equations.Values[s.Name+".rack_ratio"]; has {
			r.slope = at
		}
		key := ".angle"
		if s.HandWheel != nil {
			key = ".wheel_angle"
		}
		if i := input(s.Name + key); s.Column != nil && i >= 0 && !r.options.Pinion {
			r.Rack, r.rack = s.Name, i
			return
		}
	}
	var candidates []string
	for _, c := range component.All[component.Acting](scope) {
		for _, act := range c.Acts() {
			if act.Part == component.Shifted {
				candidates = append(candidates, act.On)
			}
		}
	}
	if s := r.roles.Steering; s != nil {
		candidates = append(candidates, s.Drivers...)
	}
	sprung := map[string]bool{}
	for _, c := range component.All[component.Sprung](scope) {
		sprung[c.Sprung()] = true
	}
	for _, c := range component.All[component.Jointed](scope) {
		m, name := c.Moves(), c.Head().Name
		if m.Domain == graph.Translation && math.Abs(m.Axis[1]) > mostlyAcross && !sprung[name] {
			candidates = append(candidates, name)
		}
	}
	for _, name := range candidates {
		for _, c := range r.equations.Coordinates {
			if !c.Guided && (c.Owner == name || strings.HasPrefix(c.Name, name+".")) {
				r.Rack, r.rack, r.rackRow = name, c.Input, c.Balance
				return
			}
		}
		for _, key := range []string{".position", ".angle"} {
			if i := input(name + key); i >= 0 {
				r.Rack, r.rack = name, i
				return
			}
		}
	}
}

// mostlyAcross is the least share of the lateral direction in the axis of a rack.
const mostlyAcross = 0.9

// start finds the design position: level, with suspensions by curves at travel 0, and all loops closed.
func (r *Rig) start() error {
	r.evaluate()
	e := r.equations
	for _, s := range e.Internal {
		if s.Start >= 0 {
			r.u[s.Input] = r.y[s.Start]
		}
	}
	for _, c := range e.Coordinates {
		if c.Start >= 0 {
			r.u[c.Input] = r.y[c.Start]
		}
	}
	r.evaluate()
	radii := r.standing()
	for _, c := range e.Coordinates {
		if c.Chassis && c.Unit == "rad" || c.Guided || slices.Contains(r.options.Hold, c.Owner) {
			r.u[c.Input] = 0
		}
	}
	for side := range 2 {
		r.radius[side] = radii[side]
		if r.options.Radius > 0 {
			r.radius[side] = r.options.Radius
		}
		r.u[e.Wheels[side].Radius] = r.radius[side]
	}
	if err := r.release(); err != nil {
		return err
	}
	if err := r.assemble(); err != nil {
		return err
	}
	r.evaluate()
	for side := range 2 {
		r.height[side] = r.y[e.Wheels[side].Centre+2]
	}
	if r.rack >= 0 {
		r.place = r.u[r.rack]
	}
	r.design = slices.Clone(r.u)
	return nil
}

// standing are the distances from the spin axes to a level road under the wheels at the model's start. Wheels that
// stand on no road have their unloaded radius.
func (r *Rig) standing() (radii [2]float64) {
	for side, name := range r.Tires {
		c, _ := component.Named[component.Wheeled](r.Model.Scope(), name)
		free := c.Wheel().Radius.Value
		w := &r.equations.Wheels[side]
		z, uz := r.y[w.Height], r.y[w.Spin+2]
		radii[side] = z / math.Sqrt(1-uz*uz)
		if !(radii[side] > 0.8*free && radii[side] <= free) {
			radii[side] = free
		}
	}
	return radii
}

// release finds the coordinates and constraints of the axle. They place its wheels, or share a constraint or a load
// with others of the axle. The chassis, spins of wheels and joints of Options.Hold stay.
func (r *Rig) release() error {
	e := r.equations
	width := len(e.Program.Inputs)
	depends := func(output, input int) bool { return r.derivatives.Pattern[output*width+input] }
	held := map[string]bool{}
	for _, a := range r.Model.Scope().Axles() {
		held[a.Joint] = true
	}
	for _, name := range r.options.Hold {
		if r.Model.Scope().Find(name) == nil {
			return fmt.Errorf("there is no component %q to hold%s", name, r.Model.Scope().Nearest(name))
		}
		held[name] = true
	}
	fixed := func(c *formulate.StaticCoordinate) bool {
		return c.Chassis || held[c.Owner] || r.rackRow == c.Balance && r.options.Rack == RackHeld
	}
	free, active := map[int]bool{}, map[int]bool{}
	add := func(k int) bool {
		if fixed(&e.Coordinates[k]) || free[k] {
			return false
		}
		free[k] = true
		return true
	}
	for k := range e.Coordinates {
		for side := range 2 {
			w := &e.Wheels[side]
			for i := range 3 {
				if depends(w.Centre+i, e.Coordinates[k].Input) || depends(w.Spin+i, e.Coordinates[k].Input) {
					add(k)
				}
			}
		}
	}
	for again := true; again; {
		again = false
		for i := range e.Constraints {
			of := e.Constraints[i].Gap
			touches := slices.ContainsFunc(slices.Collect(keysOf(free)), func(k int) bool {
				return depends(of, e.Coordinates[k].Input)
			})
			if touches && !active[i] {
				active[i], again = true, true
			}
			if active[i] {
				for k := range e.Coordinates {
					if depends(of, e.Coordinates[k].Input) && add(k) {
						again = true
					}
				}
			}
		}
		for k := range e.Coordinates {
			if free[k] {
				continue
			}
			for of := range free {
				if depends(e.Coordinates[of].Balance, e.Coordinates[k].Input) || depends(e.Coordinates[k].Balance,
					e.Coordinates[of].Input) {
					if add(k) {
						again = true
					}
					break
				}
			}
		}
	}
	for k := range e.Coordinates {
		if free[k] {
			r.coordinates = append(r.coordinates, k)
		}
	}
	for i := range e.Constraints {
		if active[i] {
			r.constraints = append(r.constraints, i)
		}
	}
	return nil
}

func keysOf(m map[int]bool) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (r *Rig) evaluate() {
	r.machine.Derivatives(0, nil, r.u, nil)
	r.machine.Outputs(r.y)
}

// assembly closes the loops of the design position by the smallest change of the coordinates.
type assembly struct{ *Rig }

func (r *Rig) assemble() error {
	var x []float64
	for _, k := range r.coordinates {
		x = append(x, r.u[r.equations.Coordinates[k].Input])
	}
	if len(r.constraints) == 0 || len(x) == 0 {
		return nil
	}
	const enough, accepted, steps = 1e-14, 1e-12, 40 // m
	result, _ := (&search.Search{Of: assembly{r}, Equations: len(r.constraints), Enough: enough, Steps: steps,
		Nearest: true}).Run(x)
	if result.Largest > accepted {
		return fmt.Errorf("the loops of axle %d cannot close: %s misses by %.3g", r.options.Axle,
			r.equations.Constraints[r.constraints[result.Worst]].Name, result.Largest)
	}
	return nil
}

func (a assembly) Evaluate(x, f []float64) {
	for i, k := range a.coordinates {
		a.u[a.equations.Coordinates[k].Input] = x[i]
	}
	a.evaluate()
	for i, c := range a.constraints {
		f[i] = a.y[a.equations.Constraints[c].Gap]
	}
}

func (a assembly) Differentiate(_ []float64, j *mat.Dense) {
	a.derivatives.Renew(nil, a.u, a.j)
	width := len(a.u)
	for i, c := range a.constraints {
		for l, k := range a.coordinates {
			j.Set(i, l, a.j[a.equations.Constraints[c].Gap*width+a.equations.Coordinates[k].Input])
		}
	}
}
