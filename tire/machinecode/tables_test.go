package machinecode

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Machine code and Go read the same values from tables: with more live indices than registers, in tables of one number
// and more, and with indices outside of the table.
func TestTablesInMachineCode(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	look := func(values []float64, index float64) float64 {
		switch last := len(values) - 1; {
		case !(index > 0):
			return values[0]
		case index >= float64(last):
			return values[last]
		}
		return values[int(index)]
	}
	const places = 7
	for range 30 {
		var tables [5][]float64
		for k := range tables {
			for range 1 + r.IntN(40) {
				tables[k] = append(tables[k], r.NormFloat64())
			}
		}
		b := NewBuilder()
		var read [places * len(tables) * 2]Value
		for k := range read {
			read[k] = b.Look(tables[k%len(tables)], b.Load(int32(k%places)))
		}
		// all are alive until here
		sum := b.Const(0)
		for _, v := range read {
			sum = b.Add(sum, v)
			b.Guard(b.Less(v, b.Const(-100))) // never
		}
		b.Store(places, sum)
		for k, v := range read {
			b.Store(int32(places+1+k), v)
		}
		slots := places + 1 + len(read)
		one := compile(t, b, slots, 1)
		four, _ := Compile(b, slots, 4) // nil where there are no lanes
		for range 20 {
			v := make([]float64, 4*places)
			for i := range v {
				v[i] = 50*r.Float64() - 5
				if r.IntN(3) == 0 {
					v[i] = special[r.IntN(len(special))]
				}
			}
			want := func(lane, k int) float64 { return look(tables[k%len(tables)], v[4*(k%places)+lane]) }
			v1, vi := make([]float64, one.Slots), make([]float64, slots)
			for k := range places {
				v1[k], vi[k] = v[4*k], v[4*k]
			}
			if !one.Run(v1) || !b.interpret(vi, nil, 1) {
				t.Fatal("a guard gives up")
			}
			for k := range read {
				if got := [2]float64{v1[places+1+k], vi[places+1+k]}; got != [2]float64{want(0, k), want(0, k)} {
					t.Fatalf("table %d at %g: %g, want %g", k%len(tables), v[4*(k%places)], got, want(0, k))
				}
			}
			if v1[places] != vi[places] {
				t.Fatalf("sum %g, interpreted %g", v1[places], vi[places])
			}
			if four == nil {
				continue
			}
			v4 := make([]float64, 4*four.Slots)
			copy(v4, v)
			if !four.Run(v4) {
				t.Fatal("a guard of four lanes gives up")
			}
			for k := range read {
				for lane := range 4 {
					if got := v4[4*(places+1+k)+lane]; got != want(lane, k) {
						t.Fatalf("table %d at %g in lane %d: %g, want %g", k%len(tables), v[4*(k%places)+lane], lane, got, want(lane, k))
					}
				}
			}
			if v4[4*places] != v1[places] {
				t.Fatalf("sum %g in a lane, %g alone", v4[4*places], v1[places])
			}
		}
	}
}

// Code whose tables are too long for displacements is refused before memory is taken for them.
func TestTooLongTablesAreRejected(t *testing.T) {
	b := NewBuilder()
	values := make([]float64, 1<<20)
	for i := range mostTables>>20 + 1 {
		b.Store(int32(i), b.Look(values[:len(values)-i], b.Load(1000)))
	}
	if _, err := Compile(b, 1001, 1); err == nil || !strings.Contains(err.Error(), "tables") {
		t.Errorf("not refused: %v", err)
	}
}
