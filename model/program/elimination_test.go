package program

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestEliminationSolves random sparse systems like a dense solver. Results with and without machine code are
// bit-identical. Some rows have masses, the last unknowns are reactions of constraints, and some coordinates follow
// speeds.
func TestEliminationSolves(t *testing.T) {
	solved := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := newRandomSystem(r)
		e := newElimination(s.system, int32(len(s.numbers)))
		e.compile()
		if e.blocks == nil {
			t.Skip("no machine code here")
		}
		want, condition := s.solution(t)
		if want == nil {
			continue
		}
		size := max(int(e.size), e.blocks[0].Code.Slots, e.blocks[1].Code.Slots)
		memory := [2][]float64{make([]float64, size), make([]float64, size)}
		good := true
		for k, native := range []bool{false, true} {
			copy(memory[k], s.numbers)
			good = e.factorise(memory[k], native)
			for i := range s.states {
				first, same := memory[k][e.right+int32(i)], s.numbers[s.first[i]]
				if good && !(math.Abs(first-same) < 1e-8*condition*(1+math.Abs(same))) {
					t.Errorf("seed %d: first result %d is %.15g, want %.15g", seed, i, first, same)
				}
			}
			copy(memory[k][e.given:], s.b)
			e.solve(memory[k], native)
		}
		for i := range s.states {
			got, other := memory[0][e.right+int32(i)], memory[1][e.right+int32(i)]
			if math.Float64bits(got) != math.Float64bits(other) {
				t.Fatalf("seed %d: result %d is %g, with machine code %g", seed, i, got, other)
			}
			if good && !(math.Abs(got-want[i]) < 1e-8*condition*(1+math.Abs(want[i]))) {
				t.Errorf("seed %d: result %d is %.15g, want %.15g", seed, i, got, want[i])
			}
		}
		p := newFullPivots(s.unknowns)
		p.factorise(e, memory[0])
		copy(memory[0][e.given:], s.b)
		p.solve(e, memory[0], e.rightHand)
		for i := range s.states {
			if got := memory[0][e.right+int32(i)]; !(math.Abs(got-want[i]) < 1e-12*condition*(1+math.Abs(want[i]))) {
				t.Errorf("seed %d: with rows exchanged, result %d is %.15g, want %.15g", seed, i, got, want[i])
			}
		}
		solved++
	}
	if solved < 100 {
		t.Errorf("%d systems were solved", solved)
	}
}

// randomSystem is a random system with the numbers of its slots.
type randomSystem struct {
	system
	numbers []float64
	b       []float64
}

func (s *randomSystem) slot(x float64) int32 {
	s.numbers = append(s.numbers, x)
	return int32(len(s.numbers) - 1)
}

// newRandomSystem makes states in the order speeds, coordinates, others. Right-hand sides for the rates are zero but
// for coordinates that follow, so that the rates are the first solution.
func newRandomSystem(r *rand.Rand) *randomSystem {
	s := &randomSystem{}
	s.speeds = r.IntN(8)
	s.states = 2*s.speeds + r.IntN(8) + 1
	reactions := r.IntN(s.speeds/2 + 1)
	s.unknowns = s.states + reactions
	s.deflections = r.IntN(4)
	follows := r.IntN(2) == 0
	s.step = s.slot(r.Float64())
	add := func(list *[]element, i, j int) { *list = append(*list, element{i, j, s.slot(r.NormFloat64())}) }
	unknown := func(i int) bool { return !follows || i < s.speeds || i >= 2*s.speeds }
	for i := range s.speeds {
		for j := range s.speeds {
			if i == j || r.IntN(3) == 0 {
				add(&s.mass, i, j)
			}
			if follows && (i == j || r.IntN(5) == 0) {
				add(&s.follow, s.speeds+i, j)
			}
			if follows && (j < i && r.IntN(4) == 0) {
				add(&s.lead, i, j)
			}
		}
		if follows {
			add(&s.lead, i, s.speeds+r.IntN(s.speeds))
		}
	}
	for l := range reactions {
		for j := range s.speeds {
			if j == l || r.IntN(2) == 0 {
				add(&s.mass, s.states+l, j)
				add(&s.mass, j, s.states+l)
				add(&s.matrix, s.states+l, j)
				add(&s.matrix, j, s.states+l)
			}
		}
	}
	for i := range s.unknowns {
		for j := range s.unknowns {
			if (i == j || r.IntN(4) == 0) && unknown(i) && unknown(j) && i < s.states && j < s.states {
				add(&s.matrix, i, j)
			}
		}
	}
	for k := range s.deflections {
		for j := range s.speeds {
			if follows {
				add(&s.strain, k, j)
			}
		}
		for i := range s.unknowns {
			if unknown(i) && r.IntN(2) == 0 {
				add(&s.stiffness, i, k)
			}
		}
	}
	for range s.states {
		s.b = append(s.b, r.NormFloat64())
	}
	for i := range s.unknowns {
		x := 0.0
		if !unknown(i) {
			x = r.NormFloat64()
		}
		s.first = append(s.first, s.slot(x))
	}
	return s
}

// solution solves the system densely; nil for a bad condition.
func (s *randomSystem) solution(t *testing.T) (k []float64, condition float64) {
	n, c := s.unknowns, s.numbers[s.step]
	w, right := mat.NewDense(n, n, nil), make([]float64, n)
	hasMass, inMatrix, follows := make([]bool, n), make([]bool, n), make([]bool, n)
	for _, x := range s.matrix {
		w.Set(x.row, x.column, s.numbers[x.slot])
		inMatrix[x.row] = true
	}
	for _, x := range s.follow {
		follows[x.row] = true
	}
	for _, x := range s.mass {
		hasMass[x.row] = true
		if x.column < s.states {
			right[x.row] += s.numbers[x.slot] * s.b[x.column]
		}
	}
	for i := range n {
		if !inMatrix[i] {
			w.Set(i, i, 1)
		}
		if !hasMass[i] && i < s.states {
			right[i] = s.b[i]
		}
	}
	u, y := make([]float64, s.speeds), make([]float64, s.deflections)
	for _, x := range s.lead {
		if x.column < s.speeds {
			u[x.row] += s.numbers[x.slot] * u[x.column]
		} else {
			u[x.row] += s.numbers[x.slot] * s.b[x.column]
		}
	}
	for _, x := range s.strain {
		y[x.row] += s.numbers[x.slot] * u[x.column]
	}
	if len(s.strain) > 0 {
		for _, x := range s.stiffness {
			right[x.row] += c * s.numbers[x.slot] * y[x.column]
		}
	}
	if condition = mat.Cond(w, 2); !(condition < 1e6) {
		return nil, condition
	}
	var z mat.VecDense
	if err := z.SolveVec(w, mat.NewVecDense(n, right)); err != nil {
		t.Fatal(err)
	}
	k = z.RawVector().Data
	for i := range follows {
		if follows[i] {
			k[i] = s.b[i]
		}
	}
	for _, x := range s.follow {
		k[x.row] += c * s.numbers[x.slot] * k[x.column]
	}
	return k, condition
}

// TestVanishingPivotsAreNoticed: zeros on the diagonal and pivots that vanish during the elimination.
func TestVanishingPivotsAreNoticed(t *testing.T) {
	for _, j := range [][4]float64{{0, -2, -3, 0}, {1, -1, -1, 1}, {math.NaN(), 0, 0, 1}} {
		of := system{unknowns: 2, states: 2, first: []int32{4, 4}, step: 4}
		for i := range int32(4) {
			of.matrix = append(of.matrix, element{int(i / 2), int(i % 2), i})
		}
		e := newElimination(of, 5)
		e.compile()
		for _, native := range []bool{false, true} {
			v := make([]float64, 100)
			copy(v, j[:])
			if e.factorise(v, native) {
				t.Errorf("W = %g, machine code %v: no pivot vanished", j, native)
			}
		}
	}
}

// TestFewEntriesAreCreated: an arrow matrix in the wrong direction fills completely without a choice of pivots.
func TestFewEntriesAreCreated(t *testing.T) {
	const n = 20
	of := system{unknowns: n, states: n, first: make([]int32, n)}
	for i := range n {
		of.matrix = append(of.matrix, element{i, i, 0})
		if i > 0 {
			of.matrix = append(of.matrix, element{0, i, 0}, element{i, 0, 0})
		}
	}
	e := newElimination(of, 1)
	for _, o := range e.factors {
		if o.kind == elimFill {
			t.Fatal("entries are created, none is needed")
		}
	}
}

// TestReactionsWaitForTheirLimb: two limbs on a common body, each with a constraint whose first coefficient can vanish.
func TestReactionsWaitForTheirLimb(t *testing.T) {
	const common, states = 0, 5 // speeds 1 and 2 are a limb, and so are 3 and 4
	of := system{unknowns: states + 2, states: states, speeds: states, step: 1, first: make([]int32, states+2)}
	numbers := []float64{0, 0.1}
	both := func(i, j int, x float64) {
		for _, at := range [][2]int{{i, j}, {j, i}} {
			e := element{at[0], at[1], int32(len(numbers))}
			of.mass, of.matrix = append(of.mass, e), append(of.matrix, e)
			if i == j {
				break
			}
		}
		numbers = append(numbers, x)
	}
	for i := range states {
		both(i, i, 2)
	}
	for limb := range 2 {
		for k := range 2 {
			speed := 1 + 2*limb + k
			both(common, speed, 0.1)
			both(states+limb, speed, float64(k)) // the first coefficient is zero now
		}
		both(states+limb, common, 1)
	}
	e := newElimination(of, int32(len(numbers)))
	v := make([]float64, e.size)
	copy(v, numbers)
	if !e.factorise(v, false) {
		t.Error("a pivot vanishes")
	}
}
