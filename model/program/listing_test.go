package program

import (
	"math"
	"testing"

	"skidpad/model/expr"
	"skidpad/tire/machinecode"
)

// The start of a listing computes states and constants that depend on parameters, on inputs and on both.
func TestListingsStartWithTheInputs(t *testing.T) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	pool := expr.NewPool()
	x, y, u, p := pool.Sym("x", expr.State), pool.Sym("y", expr.State), pool.Sym("u", expr.Input),
		pool.Sym("p", expr.Parameter)
	parse := func(text string) *expr.Expr {
		e, err := pool.Parse(text, func(name string) *expr.Expr {
			return map[string]*expr.Expr{"x": x, "y": y, "u": u, "p": p}[name]
		})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	symbol := func(name string, s *expr.Expr) SourceSymbol { return SourceSymbol{Variable{Name: name}, s} }
	made, err := Build(&Source{Name: "Test", Pool: pool, Inputs: []SourceSymbol{symbol("u", u)},
		Parameters: []SourceSymbol{symbol("p", p)},
		States: []SourceState{{SourceSymbol: symbol("x", x), Rate: parse("y*u"), Begin: parse("p^2 - 3")},
			{SourceSymbol: symbol("y", y), Rate: parse("-x*p"), Begin: parse("u*p + cos(u)")}},
		Constants: []*expr.Expr{parse("2*p"), parse("u^2/7")}})
	if err != nil {
		t.Fatal(err)
	}
	code, err := made.Native(made.Tape())
	if err != nil {
		t.Fatal(err)
	}
	m := made.NewMachine(code)
	to := &Listed{}
	rates, _ := m.Straight(to)
	b := m.Beginning(rates)
	const given, set = 0.3, 1.7
	of := to.Memories[rates.Memory]
	memory := make([]float64, of.Size)
	copy(memory[of.From:of.To], to.Numbers[rates.Memory][of.From:of.To])
	run := func(b *Block) {
		operations, err := b.Operations()
		if err != nil {
			t.Fatal(err)
		}
		code, err := machinecode.Compile(operations, of.Size, 1)
		if err != nil {
			t.Fatal(err)
		}
		room := append(memory, make([]float64, code.Slots)...)
		code.Run(room)
		copy(memory, room)
	}
	memory[of.Parameters] = set
	run(of.Init)
	memory[rates.Inputs] = given
	run(b.Block)
	var got []float64
	for _, place := range append(b.States, b.Constants...) {
		got = append(got, memory[place.At])
	}
	want := [...]float64{set*set - 3, given*set + math.Cos(given), 2 * set, given * given / 7}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-15) {
			t.Errorf("number %d of the start is %.17g, expected %.17g", i, got[i], want[i])
		}
	}
}
