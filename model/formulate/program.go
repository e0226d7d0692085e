package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Program formulates a model and optimises its simulation code.
func Program(m *vehicle.Model, o Options) (*program.Program, error) {
	f, err := New(m, o)
	if err != nil {
		return nil, err
	}
	s := f.Source()
	return program.Build(s)
}

// Source hands the formulation over to package program.
func (f *Formulation) Source() *program.Source {
	s := &program.Source{
		Name: f.Model.Name, Pool: f.Pool, Derivatives: f.derivatives, Implicit: f.implicit, Side: f.side,
		Indicators: f.Indicators, Bounds: f.Bounds, Controls: len(f.Controls), Constants: f.Constants,
		Constraints: f.enforced, Redundant: f.tree.Formulation == vehicle.UdwadiaKalaba,
		Timed: f.timed, Speeds: len(f.Speeds),
		Demands: f.controlInput(f.demands), Terrains: f.Terrains, Parameters: f.sourceParameters(),
	}
	for i := range f.enforced {
		s.ConstraintNames = append(s.ConstraintNames, f.Constraints[i].Name)
	}
	for _, x := range f.States() {
		v := program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Held: x.held}
		symbol := program.SourceSymbol{Variable: v, Symbol: x.Symbol}
		s.States = append(s.States, program.SourceState{SourceSymbol: symbol, Rate: x.Rate, Begin: x.Start})
	}
	for _, x := range slices.Concat(f.Inputs, f.Controls) {
		v := program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Start: x.Start, Nonnegative: x.Nonnegative}
		s.Inputs = append(s.Inputs, program.SourceSymbol{Variable: v, Symbol: x.Symbol})
	}
	shown := map[string]string{}
	for _, q := range f.Model.Quantities {
		shown[q.Name] = q.Display
	}
	for _, x := range f.Outputs {
		v := program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Display: shown[x.Name], Driver: x.Driver}
		s.Outputs = append(s.Outputs, program.SourceValue{Variable: v, Value: x.Value})
	}
	for _, c := range f.Calls {
		call := program.Call{
			Name: c.Name, Function: c.Function, Inputs: c.Inputs, Asked: c.Asked, Outputs: c.Outputs, File: c.File, Side: c.Side,
			Downgrade: c.Downgrade, Combined: c.Combined, Radius: c.Radius, Sizes: c.Sizes,
			Parameters: c.Parameters, Warnings: c.Warnings, Wheel: c.Load != nil,
			Returns: c.Returns, Carcass: c.Carcass, Inside: c.Inside,
		}
		s.Calls = append(s.Calls, program.SourceCall{Call: call, Arguments: c.Arguments, Returned: c.Returned, Load: c.Load})
	}
	for _, g := range f.Motions {
		s.Motions = append(s.Motions, program.Motion{Position: g[0], Rate: g[1], Acceleration: g[2]})
	}
	for _, t := range f.brakedTires() {
		s.Braked = append(s.Braked, t.call)
	}
	for _, e := range f.ends {
		s.Ends = append(s.Ends, e.End)
	}
	for _, r := range f.ranges {
		s.Ranges = append(s.Ranges, r.TableRange)
	}
	for _, tire := range component.All[component.Transmitting](f.scope) {
		for _, power := range component.TirePowers {
			name := tire.Head().Name + "." + power.Key
			s.Powers = append(s.Powers, program.Variable{Name: name, Unit: "W", Text: power.Text})
		}
	}
	for _, i := range f.prescribed() {
		s.Powers = append(s.Powers, f.driveVariables(i)...)
	}
	s.Shared = f.sharedNames()
	s.Stores, s.Networks = f.storesOfNetworks(), f.statesOfNetworks()
	f.contactsOf(s)
	f.groundsOf(s)
	return s
}

// sourceParameters hands over the parameters.
func (f *Formulation) sourceParameters() (list []program.SourceSymbol) {
	for _, x := range f.Parameters {
		v := program.Variable{
			Name: x.Name, Unit: x.Unit, Text: x.Text, Start: x.Value, StartValue: x.StartValue, Follows: x.Follows,
			FromFile: x.FromFile, Nonnegative: x.Nonnegative, Positive: x.Positive, AtMostOne: x.AtMostOne, Choices: x.Choices,
			Display: x.Display,
		}
		list = append(list, program.SourceSymbol{Variable: v, Symbol: x.Symbol})
	}
	return list
}

// controlInput is the index of a control among the inputs.
func (f *Formulation) controlInput(k int) int { return len(f.Inputs) + k }

// contactsOf hands over the data for the engine's work between steps.
func (f *Formulation) contactsOf(s *program.Source) {
	s.Limits = f.Limits
	for _, t := range f.Tires {
		s.Tires = append(s.Tires, t.Tire)
		s.Watched = append(s.Watched, t.Inclination, t.Deflection, t.Radius)
	}
	s.Watched = append(s.Watched, f.limited...)
	for _, c := range f.Contacts {
		c.Mode = f.controlInput(c.Mode)
		for k := range c.Normal {
			c.Normal[k], c.Impulse[k] = f.controlInput(c.Normal[k]), f.controlInput(c.Impulse[k])
		}
		s.Contacts = append(s.Contacts, c)
	}
	for _, x := range f.samplers {
		x.Values = slices.Clone(x.Values)
		for i := range x.Values {
			x.Values[i].Control = f.controlInput(x.Values[i].Control)
		}
		s.Samplers = append(s.Samplers, x.Sampler)
	}
	for _, u := range f.Uneven {
		r := u.UnevenRoad
		for _, at := range []*int{&r.Height, &r.SlopeX, &r.SlopeY, &r.Rate, &r.Friction} {
			*at = f.controlInput(*at)
		}
		s.Uneven = append(s.Uneven, r)
	}
}

// groundsOf lists the inputs of the engine's search for the planes under tires and contact masses: the positions of
// wheels, and the settings of terrains.
func (f *Formulation) groundsOf(s *program.Source) {
	s.Grounds = map[*expr.Expr][]*expr.Expr{}
	of := func(terrain, above int) []*expr.Expr {
		t := &f.Terrains[terrain]
		list := []*expr.Expr{s.Inputs[above].Symbol}
		for _, at := range [...]int{t.Seed, t.Height, t.SlopeX, t.SlopeY, t.FrictionLeft, t.FrictionRight} {
			list = append(list, f.Constants[at])
		}
		return list
	}
	for i := range s.Uneven {
		r, u := &s.Uneven[i], &f.Uneven[i]
		from := append(of(r.Terrain, r.Above), u.Centre.X[:]...)
		if r.Points > 0 {
			from = append(append(from, u.Forward[:]...), f.Constants[r.Length], f.Constants[r.Width])
		}
		for _, at := range r.Plane() {
			s.Grounds[s.Inputs[at].Symbol] = from
		}
	}
	for i := range s.Contacts {
		c := &s.Contacts[i]
		from := append(of(c.Terrain, c.Height), f.Constants[c.InitialMode])
		for k := range c.Contact {
			if c.Contact[k] < 0 {
				from = append(from, f.Constants[c.Fixed[k]])
				continue
			}
			for _, at := range [...]int{c.Contact[k], c.ContactSpeed[k], c.Rim[k], c.RimSpeed[k]} {
				from = append(from, s.States[at].Symbol)
			}
		}
		for _, at := range append(c.Normal[:], c.Mode) {
			s.Grounds[s.Inputs[at].Symbol] = from
		}
	}
}
