package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/program"
)

// Program formulates a model and optimises its simulation code.
func Program(m *model.Model, o Options) (*program.Program, error) {
	f, err := New(m, o)
	if err != nil {
		return nil, err
	}
	return program.Build(f.Source())
}

// Source hands the formulation over to package program.
func (f *Formulation) Source() *program.Source {
	s := &program.Source{Name: f.Model.Name, Pool: f.Pool, Derivatives: f.derivatives, Implicit: f.implicit, Indicators: f.Indicators}
	for _, x := range f.States() {
		s.States = append(s.States, program.SourceState{
			SourceSymbol: program.SourceSymbol{Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text}, Symbol: x.Symbol},
			Rate:         x.Rate, Begin: x.Start,
		})
	}
	s.Bounds = f.Bounds
	s.Controls, s.Constants, s.Constraints, s.Side = len(f.Controls), f.Constants, f.enforced, f.side
	for _, x := range slices.Concat(f.Inputs, f.Controls) {
		s.Inputs = append(s.Inputs, program.SourceSymbol{Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Start: x.Start, Nonnegative: x.Nonnegative}, Symbol: x.Symbol})
	}
	for _, x := range f.Parameters {
		s.Parameters = append(s.Parameters, program.SourceSymbol{
			Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Start: x.Value, StartValue: x.StartValue, Nonnegative: x.Nonnegative, Positive: x.Positive, AtMostOne: x.AtMostOne, Choices: x.Choices}, Symbol: x.Symbol,
		})
	}
	for _, x := range f.Outputs {
		s.Outputs = append(s.Outputs, program.SourceValue{Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text}, Value: x.Value})
	}
	for _, c := range f.Calls {
		s.Calls = append(s.Calls, program.SourceCall{
			Call:      program.Call{Name: c.Name, Function: c.Function, Inputs: c.Inputs, Outputs: c.Outputs, File: c.File, Side: c.Side, Downgrade: c.Downgrade, Parameters: c.Parameters, Warnings: c.Warnings, Wheel: c.Load != nil},
			Arguments: c.Arguments, Returned: c.Returned, Load: c.Load,
		})
	}
	for _, g := range f.Motions {
		s.Motions = append(s.Motions, program.Motion{Position: g[0], Rate: g[1], Acceleration: g[2]})
	}
	control := func(k int) int { return len(f.Inputs) + k }
	s.Speeds, s.Demands = len(f.Speeds), control(f.demands)
	s.Terrains = f.Terrains
	for _, c := range f.Contacts {
		c.Mode = control(c.Mode)
		for k := range c.Normal {
			c.Normal[k] = control(c.Normal[k])
		}
		s.Contacts = append(s.Contacts, c)
	}
	for _, u := range f.Uneven {
		r := u.UnevenRoad
		r.Height, r.SlopeX, r.SlopeY, r.Rate, r.Friction = control(r.Height), control(r.SlopeX), control(r.SlopeY), control(r.Rate), control(r.Friction)
		s.Uneven = append(s.Uneven, r)
	}
	return s
}
