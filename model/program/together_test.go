package program

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"skidpad/model/expr"
	"skidpad/model/machinecode"
)

// sided has two sides that share operations: by states, inputs, parameters, and values that only parameters fix.
func sided(t *testing.T) *Program {
	t.Helper()
	pool := expr.NewPool()
	symbol := func(name string, role expr.Role) SourceSymbol {
		return SourceSymbol{Variable: Variable{Name: name}, Symbol: pool.Sym(name, role)}
	}
	x, y, u, k := symbol("x", expr.State), symbol("y", expr.State), symbol("u", expr.Input), symbol("k", expr.Parameter)
	read := func(texts ...string) (list []*expr.Expr) {
		for _, text := range texts {
			e, err := pool.Parse(text, func(name string) *expr.Expr {
				return map[string]*expr.Expr{"x": x.Symbol, "y": y.Symbol, "u": u.Symbol, "k": k.Symbol}[name]
			})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, e)
		}
		return list
	}
	p, err := Build(&Source{Name: "Test", Pool: pool,
		States: []SourceState{{SourceSymbol: x, Rate: y.Symbol, Begin: pool.Int(0)},
			{SourceSymbol: y, Rate: u.Symbol, Begin: pool.Int(0)}},
		Inputs: []SourceSymbol{u}, Parameters: []SourceSymbol{k},
		Side: func(kind SideKind) *SourceSide {
			if kind == Tires {
				return &SourceSide{Values: read("sin(x + u)*k - y", "2*k*k", "x*y + 0.1", "x")}
			}
			return &SourceSide{Values: read("u - x*y", "sin(x + u)*k + y", "7*k", "y", "cos(x)*(2 + k)/(1 + x*x)", "0.25")}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Two sides at once have the values of each by itself, to the last bit.
func TestTwoSidesAtOnceAreEachOfThem(t *testing.T) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	p := sided(t)
	code, err := p.Native(p.Tape())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, kinds := range [][2]SideKind{{Tires, Ends}, {Ends, Tires}} {
		m := p.NewMachine(code).(*machine)
		pair := p.pair(kinds[0], kinds[1])
		if pair.code == nil {
			t.Fatal("two sides are no machine code")
		}
		one, two := m.Side(kinds[0]), m.Side(kinds[1])
		for range 20 {
			m.SetParameters([]float64{r.Float64()})
			x, u := []float64{r.NormFloat64(), r.NormFloat64()}, []float64{r.NormFloat64()}
			memory := append(slices.Clone(one.v), make([]float64, pair.code.Slots)...)
			copy(memory[one.layout.states:], x)
			copy(memory[one.layout.inputs:], u)
			fixed := slices.Clone(two.v)
			if !pair.code.RunWith(memory, fixed) {
				t.Fatal("the code gave up")
			}
			one.Evaluate(x, u, nil)
			two.Evaluate(x, u, nil)
			for i, slot := range one.values {
				if math.Float64bits(memory[slot]) != math.Float64bits(one.Value(i)) {
					t.Errorf("value %d of side %d is %v, by itself %v", i, kinds[0], memory[slot], one.Value(i))
				}
			}
			for i, slot := range two.values {
				got := fixed[slot]
				if pair.at[i] != nowhere {
					got = memory[pair.at[i]]
				}
				if math.Float64bits(got) != math.Float64bits(two.Value(i)) {
					t.Errorf("value %d of side %d is %v, by itself %v", i, kinds[1], got, two.Value(i))
				}
			}
		}
	}
}

// Values of two sides that are not those of each are noticed: then they are not evaluated at once.
func TestOtherValuesOfTwoSidesAreNoticed(t *testing.T) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	p := sided(t)
	for _, kind := range []SideKind{Tires, Ends} {
		s := p.side(kind)
		right := s.portable.Before
		for _, slot := range s.values[2:] {
			s.portable.Before = func(v []float64) {
				right(v)
				v[slot]++
			}
			p.pairs.of = nil
			if p.pair(Tires, Ends).code != nil {
				t.Errorf("another value in slot %d of side %d is not noticed", slot, kind)
			}
		}
		s.portable.Before = right
	}
}

// Copies put each number where it belongs, and leave others alone.
func TestCopiesMoveWhatTheyAreMadeFor(t *testing.T) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	from, to, elsewhere := make([]float64, 300), make([]float64, 400), 0.0
	for i := range from {
		from[i] = float64(i) + 0.5
	}
	var moves []Move
	for i := range 100 {
		moves = append(moves, Move{&from[(7*i)%300], &to[(13*i)%400]})
	}
	moves = append(moves, Move{&from[0], &elsewhere}, Move{&elsewhere, &to[1]})
	var c copies
	places, sources, others := split(moves, to, from)
	if len(others) != 2 || others[0] != moves[100] || others[1] != moves[101] {
		t.Fatalf("%d moves are left, expected those of other places", len(others))
	}
	code := c.code(places, sources)
	if code == nil || c.code(places, sources) != code {
		t.Fatal("the code is missing, or made again")
	}
	if !code.RunWith(to, from) {
		t.Fatal("copies gave up")
	}
	want := make([]float64, len(to))
	for _, m := range moves[:100] {
		want[indexIn(to, m.To)] = *m.From
	}
	if !slices.Equal(to, want) {
		t.Errorf("copies leave %v, expected %v", to, want)
	}
}
