package formulate

import (
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
			SourceSymbol: program.SourceSymbol{Variable: program.Variable{Name: x.Name, Unit: x.Unit}, Symbol: x.Symbol},
			Rate:         x.Rate, Begin: x.Start,
		})
	}
	for _, x := range f.Inputs {
		s.Inputs = append(s.Inputs, program.SourceSymbol{Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Start: x.Start}, Symbol: x.Symbol})
	}
	for _, x := range f.Parameters {
		s.Parameters = append(s.Parameters, program.SourceSymbol{
			Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text, Start: x.Value, StartValue: x.StartValue, Nonnegative: x.Nonnegative, Positive: x.Positive}, Symbol: x.Symbol,
		})
	}
	for _, x := range f.Outputs {
		s.Outputs = append(s.Outputs, program.SourceValue{Variable: program.Variable{Name: x.Name, Unit: x.Unit, Text: x.Text}, Value: x.Value})
	}
	for _, c := range f.Calls {
		s.Calls = append(s.Calls, program.SourceCall{
			Call:      program.Call{Name: c.Name, Function: c.Function, Inputs: c.Inputs, Outputs: c.Outputs, File: c.File, Parameters: c.Parameters},
			Arguments: c.Arguments, Returned: c.Returned,
		})
	}
	for _, g := range f.Motions {
		s.Motions = append(s.Motions, program.Motion{Position: g[0], Rate: g[1], Acceleration: g[2]})
	}
	return s
}
