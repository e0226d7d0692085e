package cosim_test

import (
	"testing"

	"skidpad/cosim"
)

// derivativeCases are the known variables of derivatives that are timed.
var derivativeCases = []struct {
	name  string
	known func(i int, v cosim.Variable) bool
}{
	{"one-parameter", func(i int, v cosim.Variable) bool { return i == 0 }},
	{"all-parameters", func(i int, v cosim.Variable) bool { return v.Kind == cosim.Parameter }},
	{"states-and-inputs", func(i int, v cosim.Variable) bool {
		return v.Kind == cosim.Input || v.Kind != cosim.Rate && v.State >= 0
	}},
}

// sensitivity is the derivative of all outputs and rates of a vehicle by some variables.
type sensitivity struct {
	in               *cosim.Instance
	unknowns, knowns []int
	by, of           []float64
}

func newSensitivity(b *testing.B, model string, known func(i int, v cosim.Variable) bool) *sensitivity {
	b.Helper()
	in, err := load(b, model, "").Instantiate()
	if err != nil {
		b.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		b.Fatal(err)
	}
	s := &sensitivity{in: in}
	for i, v := range in.System().Variables() {
		if known(i, v) {
			s.knowns, s.by = append(s.knowns, i), append(s.by, 1)
		}
		if v.Kind == cosim.Rate || v.Kind == cosim.Output {
			s.unknowns, s.of = append(s.unknowns, i), append(s.of, 1)
		}
	}
	return s
}

func (s *sensitivity) directional(b *testing.B) {
	if err := s.in.Directional(s.unknowns, s.knowns, s.by, s.of); err != nil {
		b.Fatal(err)
	}
}

func (s *sensitivity) adjoint(b *testing.B) {
	if err := s.in.Adjoint(s.unknowns, s.knowns, s.of, s.by); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFirstDerivative times the first derivative after loading, which compiles what it needs;
// BenchmarkDerivative those that follow.
func BenchmarkFirstDerivative(b *testing.B) {
	for _, model := range []string{"passenger_car", "tractor_semitrailer"} {
		for _, c := range derivativeCases {
			for name, differentiate := range map[string]func(*sensitivity,
				*testing.B){"directional": (*sensitivity).directional, "adjoint": (*sensitivity).adjoint} {
				b.Run(model+"/"+c.name+"/"+name, func(b *testing.B) {
					b.ReportAllocs()
					for range b.N {
						b.StopTimer()
						s := newSensitivity(b, model, c.known)
						b.StartTimer()
						differentiate(s, b)
					}
				})
			}
		}
	}
}

func BenchmarkDerivative(b *testing.B) {
	for _, model := range []string{"passenger_car", "tractor_semitrailer"} {
		for _, c := range derivativeCases {
			s := newSensitivity(b, model, c.known)
			for name, differentiate := range map[string]func(*sensitivity,
				*testing.B){"directional": (*sensitivity).directional, "adjoint": (*sensitivity).adjoint} {
				b.Run(model+"/"+c.name+"/"+name, func(b *testing.B) {
					b.ReportAllocs()
					differentiate(s, b) // compiles
					for b.Loop() {
						differentiate(s, b)
					}
				})
			}
		}
	}
}
