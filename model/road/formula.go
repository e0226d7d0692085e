package road

import (
	"fmt"

	"skidpad/model/expr"
	"skidpad/model/program"
)

// formula is a height over x, y and t, with its derivatives: a program without states.
type formula struct {
	machine program.Machine
	in, out []float64
}

// newFormula compiles a formula. step(x) is 0 at x = 0, so that 1 - step(a - x) is 1 from a on.
func newFormula(text string) (*formula, error) {
	pool := expr.NewPool()
	names := []string{"x", "y", "t"}
	source := &program.Source{Name: "terrain", Pool: pool}
	for _, name := range names {
		source.Inputs = append(source.Inputs, program.SourceSymbol{Variable: program.Variable{Name: name},
			Symbol: pool.Sym(name, expr.Input)})
	}
	height, err := pool.Parse(text, func(name string) *expr.Expr {
		for i := range names {
			if names[i] == name {
				return source.Inputs[i].Symbol
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w; names are x, y and t", err)
	}
	values := []*expr.Expr{height}
	for i := range source.Inputs {
		values = append(values, pool.Diff(height, source.Inputs[i].Symbol))
	}
	for _, v := range values {
		source.Outputs = append(source.Outputs, program.SourceValue{Value: v})
	}
	p, err := program.Build(source)
	if err != nil {
		return nil, err
	}
	code := p.Tape()
	if native, err := p.Native(code); err == nil {
		code = native
	}
	f := &formula{p.NewMachine(code), make([]float64, len(names)), make([]float64, len(values))}
	f.machine.SetParameters(nil)
	return f, nil
}

func (f *formula) at(q Query) Point {
	f.in[0], f.in[1], f.in[2] = q.X, q.Y, q.T
	f.machine.Derivatives(0, nil, f.in, nil)
	f.machine.Outputs(f.out)
	return Point{Height: f.out[0], SlopeX: f.out[1], SlopeY: f.out[2], Rate: f.out[3], Friction: 1, U: q.X, V: q.Y}
}
