package program

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestEliminationSolves random sparse systems like a dense solver. Results with and without machine code are
// bit-identical. Some rows have masses, the last unknowns are reactions of constraints.
func TestEliminationSolves(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		masses := r.IntN(10)
		reactions := r.IntN(masses/2 + 1)
		states := masses + r.IntN(15) + 1
		n := states + reactions
		var slots int32
		var mass, entries []entry
		add := func(list *[]entry, i, j int) {
			*list = append(*list, entry{int32(i*n + j), slots})
			slots++
		}
		for i := range masses {
			for j := range masses {
				if i == j || r.IntN(3) == 0 {
					add(&mass, i, j)
				}
			}
		}
		for l := range reactions {
			for j := range masses {
				if r.IntN(2) == 0 {
					add(&mass, states+l, j)
					add(&mass, j, states+l)
				}
			}
		}
		for i := range n {
			for j := range states {
				if r.IntN(4) == 0 {
					add(&entries, i, j)
				}
			}
		}
		e := newElimination(n, states, mass, entries, slots)
		e.compile()
		if e.blocks == nil {
			t.Skip("no machine code here")
		}
		size := max(int(e.size), e.blocks[0].Code.Slots, e.blocks[1].Code.Slots)
		c := r.NormFloat64()
		a, w := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		memory := [2][]float64{make([]float64, size), make([]float64, size)}
		put := func(list []entry, m *mat.Dense, factor float64) {
			for _, x := range list {
				v := r.NormFloat64()
				memory[0][x.slot], memory[1][x.slot] = v, v
				i, j := int(x.index)/n, int(x.index)%n
				m.Set(i, j, m.At(i, j)+factor*v)
			}
		}
		put(mass, a, 1)
		for i := masses; i < states; i++ {
			if mat.Norm(a.RowView(i), 2) == 0 && (i < states) {
				a.Set(i, i, 1)
			}
		}
		w.Copy(a)
		put(entries, w, -c)
		b := mat.NewVecDense(n, nil)
		for i := range states {
			b.SetVec(i, r.NormFloat64())
		}
		var right, want mat.VecDense
		right.MulVec(a, b)
		condition := mat.Cond(w, 2)
		if !(condition < 1e8) || want.SolveVec(w, &right) != nil {
			continue
		}
		good := true
		for k, native := range []bool{false, true} {
			good = e.factorise(memory[k], c, native)
			copy(memory[k][e.given:], b.RawVector().Data[:states])
			e.solve(memory[k], native)
		}
		for i := range states {
			got, other := memory[0][e.right+int32(i)], memory[1][e.right+int32(i)]
			if math.Float64bits(got) != math.Float64bits(other) {
				t.Fatalf("seed %d: result %d is %g, with machine code %g", seed, i, got, other)
			}
			if good && !(math.Abs(got-want.AtVec(i)) < 1e-8*condition*mat.Norm(&want, 2)) {
				t.Errorf("seed %d: result %d is %.15g, want %.15g", seed, i, got, want.AtVec(i))
			}
		}
		p := newFullPivots(n)
		p.factorise(e, memory[0])
		y := append([]float64(nil), b.RawVector().Data[:states]...)
		p.solve(e, memory[0], y)
		for i := range y {
			if !(math.Abs(y[i]-want.AtVec(i)) < 1e-13*condition*mat.Norm(&want, 2)) {
				t.Errorf("seed %d: with rows exchanged, result %d is %.15g, want %.15g", seed, i, y[i], want.AtVec(i))
			}
		}
	}
}

// TestVanishingPivotsAreNoticed: I - J with zeros on its diagonal and pivots that vanish during the elimination.
func TestVanishingPivotsAreNoticed(t *testing.T) {
	for _, j := range [][4]float64{{1, 2, 3, 1}, {0, 1, 1, 0}, {math.NaN(), 0, 0, 0}} {
		var entries []entry
		for i := range int32(4) {
			entries = append(entries, entry{i, i})
		}
		e := newElimination(2, 2, nil, entries, 4)
		e.compile()
		for _, native := range []bool{false, true} {
			v := make([]float64, 100)
			copy(v, j[:])
			if e.factorise(v, 1, native) {
				t.Errorf("J = %g, machine code %v: no pivot vanished", j, native)
			}
		}
	}
}

// TestFewEntriesAreCreated: an arrow matrix in the wrong direction fills completely without a choice of pivots.
func TestFewEntriesAreCreated(t *testing.T) {
	const n = 20
	var entries []entry
	for i := range int32(n) {
		for _, index := range []int32{i, i * n, i*n + i} {
			entries = append(entries, entry{index, int32(len(entries))})
		}
	}
	e := newElimination(n, n, nil, entries, int32(len(entries)))
	for _, o := range e.factors {
		if o.kind == elimFill {
			t.Fatal("entries are created, none is needed")
		}
	}
}
