package machinecode

import (
	"math"
	"testing"

	"skidpad/tire/elementary"
)

// BenchmarkFunctions times a function of package math, elementary's one, and machine code
// of one and of four lanes, per number, in one run.
func BenchmarkFunctions(b *testing.B) {
	for _, f := range []struct {
		name  string
		std   func(float64) float64
		own   func(float64) float64
		build func(*Builder, Value) Value
	}{
		{"sin", math.Sin, elementary.Sin, (*Builder).Sin}, {"cos", math.Cos, elementary.Cos, (*Builder).Cos},
		{"atan", math.Atan, elementary.Atan, (*Builder).Atan}, {"asin", math.Asin, elementary.Asin, (*Builder).Asin},
	} {
		const n = 8
		x := [n]float64{0.1, 0.7, -0.3, 0.9, -0.95, 0.5, 0.02, -0.6}
		sum := 0.0
		b.Run(f.name+"/math", func(b *testing.B) {
			for b.Loop() {
				for _, v := range x {
					sum += f.std(v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/number")
		})
		b.Run(f.name+"/own Go", func(b *testing.B) {
			for b.Loop() {
				for _, v := range x {
					sum += f.own(v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/number")
		})
		for _, lanes := range []int{1, 4} {
			builder := NewBuilder()
			for i := range int32(n) {
				builder.Store(n+i, f.build(builder, builder.Load(i)))
			}
			code := compile(b, builder, 2*n, lanes)
			memory := make([]float64, lanes*code.Slots)
			for i := range lanes * n {
				memory[i] = x[i%n]
			}
			name := map[int]string{1: "one lane", 4: "four lanes"}[lanes]
			b.Run(f.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					code.Run(memory)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*lanes), "ns/number")
			})
		}
		if math.IsNaN(sum) {
			b.Fatal("not a number")
		}
	}
}
