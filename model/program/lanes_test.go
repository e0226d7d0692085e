package program

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"skidpad/model/expr"
	"skidpad/tire"
)

// product is a function that returns the product of its arguments, and its own load.
type product struct{}

func (product) Eval(in, out []float64) { out[0], out[1] = in[0]*in[1]*in[2], 2*in[0] }
func (product) ReturnsNormalForce()    {}

// lanesSource has features that are rare in vehicles: parameters and constants as arguments of a function, as rates and
// as outputs; functions of returned values; and a call that is never made.
func lanesSource(t *testing.T) *Source {
	pool := expr.NewPool()
	symbols := map[string]*expr.Expr{"p": pool.Sym("p", expr.Parameter), "x": pool.Sym("x", expr.State),
		"y": pool.Sym("y", expr.State), "z": pool.Sym("z", expr.State), "w": pool.Sym("w", expr.State),
		"u": pool.Sym("u", expr.Input), "r": pool.Sym("r", expr.Returned), "q": pool.Sym("q", expr.Returned),
		"n": pool.Sym("n", expr.Returned)}
	parse := func(formula string) *expr.Expr {
		e, err := pool.Parse(formula, func(name string) *expr.Expr { return symbols[name] })
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	s := &Source{Name: "lanes", Pool: pool}
	s.Parameters = []SourceSymbol{{Variable{Name: "p"}, symbols["p"]}}
	s.Inputs = []SourceSymbol{{Variable{Name: "u"}, symbols["u"]}}
	for name, rate := range map[string]string{"x": "sin(r) + exp(p)*y", "y": "exp(2*p)", "z": "2", "w": "q + x"} {
		s.States = append(s.States, SourceState{SourceSymbol{Variable{Name: name}, symbols[name]}, parse(rate), parse("0")})
	}
	slices.SortFunc(s.States, func(a, b SourceState) int { return int(a.Name[0]) - int(b.Name[0]) })
	for _, value := range []string{"r + x", "sqrt(p)", "5", "u", "y", "cos(x)*tanh(p)", "q", "r", "sin(r)", "sin(u)*r",
		"n"} {
		s.Outputs = append(s.Outputs, SourceValue{Variable{Name: value}, parse(value)})
	}
	s.Calls = []SourceCall{
		{Call: Call{Name: "f", Inputs: []string{"a", "b", Load}}, Load: symbols["n"],
			Arguments: []*expr.Expr{parse("cos(x) + u"), parse("exp(p)"), parse("3")}, Returned: []*expr.Expr{symbols["r"]}},
		{Call: Call{Name: "g", Inputs: []string{"a"}, Inside: true},
			Arguments: []*expr.Expr{parse("x")}, Returned: []*expr.Expr{symbols["q"]}},
	}
	return s
}

// Rates and outputs of lanes are bit-identical to machines, with any previous content of the workspace, and also if
// code fails before or after the calls.
func TestLanesAreBitIdenticalToMachines(t *testing.T) {
	p, err := Build(lanesSource(t))
	if err != nil {
		t.Fatal(err)
	}
	code, err := p.Native(p.Tape())
	if err != nil {
		t.Skip(err)
	}
	var machines [Width]Machine
	var callees [Width][]Callee
	var functions [Width][]tire.Function
	for lane := range machines {
		m := p.NewMachine(code)
		m.SetParameters([]float64{0.1 + 0.2*float64(lane)})
		if err := m.Bind(0, product{}, p.Calls[0].Inputs); err != nil {
			t.Fatal(err)
		}
		if err := m.Bind(1, silent{}, p.Calls[1].Inputs); err != nil {
			t.Fatal(err)
		}
		machines[lane], functions[lane] = m, []tire.Function{product{}, product{}}
		callees[lane] = []Callee{{Inputs: p.Calls[0].Inputs}, {Inside: true}}
	}
	kinds := []*tire.Kind{{}, {}}
	l, err := NewLanes(machines, kinds, callees, functions)
	if err != nil {
		t.Skip(err)
	}
	all := make([]int, len(p.Outputs))
	for i := range all {
		all[i] = i
	}
	var readouts []*Readout
	for _, outputs := range [][]int{all, {1, 2, 3, 4, 5}, {7}, {8, 0}, {9}} {
		r, err := p.NewReadout(outputs, []int{0, 1, 2, 3}, len(outputs) == 1, KeptLoads{})
		if err != nil {
			t.Fatal(err)
		}
		readouts = append(readouts, r)
	}
	var room Workspace
	for _, r := range readouts {
		room.Prepare(l, r)
	}
	l.Use(&room)
	checkLanes(t, p, l, machines, readouts, all, &room)
}

// A readout of a load that its function does not change needs no calls of functions, which take most of the time.
func TestAKeptLoadIsReadWithoutCalls(t *testing.T) {
	p, err := Build(lanesSource(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []bool{false, true} {
		r, err := p.NewReadout([]int{10}, nil, false, KeptLoads{kept})
		if err != nil {
			t.Skip(err)
		}
		if r.called == kept {
			t.Errorf("kept %t: the functions are called: %t", kept, r.called)
		}
	}
}

func checkLanes(t *testing.T, p *Program, l *Lanes, machines [Width]Machine, readouts []*Readout, all []int,
	room *Workspace) {
	same := func(what string, lane int, got, want float64) {
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s of lane %d is %g, of its machine %g", what, lane, got, want)
		}
	}
	r := rand.New(rand.NewPCG(25, 3))
	n := len(p.States)
	x, u, dx := make([]float64, n*Width), make([]float64, Width), make([]float64, n*Width)
	for k := range 60 {
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for lane := range u {
			u[lane] = r.NormFloat64()
		}
		switch k % 4 {
		case 1:
			u[k%Width] = 1e12 // out of range of the functions of a returned value and of an output
		case 2:
			x[r.IntN(len(x))] = 1e12
		}
		spoil := func() { // as lanes of other machines do
			for i := range room.v {
				room.v[i] = r.NormFloat64()
			}
		}
		spoil()
		l.Derivatives(x, u, dx)
		values := make([][][]float64, len(readouts))
		for i, o := range readouts {
			spoil()
			l.Read(o, x, u)
			values[i] = make([][]float64, Width)
			for lane := range Width {
				for result := range o.from {
					values[i][lane] = append(values[i][lane], l.Value(o, result, lane))
				}
			}
		}
		for lane, m := range machines {
			one, rates, outputs := make([]float64, n), make([]float64, n), make([]float64, len(all))
			take(one, x, lane)
			m.Derivatives(0, one, u[lane:lane+1], rates)
			m.Outputs(outputs)
			for i, want := range rates {
				same("rate of "+p.States[i].Name, lane, dx[i*Width+lane], want)
			}
			for i, want := range [][]float64{outputs, outputs[1:6], outputs[7:8], {outputs[8], outputs[0]}, outputs[9:10]} {
				for j, w := range append(slices.Clone(want), rates...) {
					same("a result", lane, values[i][lane][j], w)
				}
			}
			returned := make([]float64, m.ReturnedCount())
			m.Returned(returned)
			for i, w := range returned {
				same("what is returned", lane, values[2][lane][5+i], w)
			}
		}
	}
}
