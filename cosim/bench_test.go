package cosim_test

import (
	"testing"

	"skidpad/cosim"
)

// BenchmarkStep times one step of 1 ms with each solver on both vehicles, with
// their own tires; the metric is how many times faster than real time it is.
func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"generic4w", "skidder"} {
		for _, method := range allMethods {
			r := instance(b, load(b, name, ""), method, 0.001)
			r.start(noInput)
			b.Run(name+"/"+method, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := r.in.Step(0.001); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(1e6*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "times-real-time")
			})
		}
	}
}

// BenchmarkReady times all that stands before the first step: reading the model file, formulating, compiling.
func BenchmarkReady(b *testing.B) {
	for _, name := range []string{"generic4w", "passenger_car", "tractor_semitrailer"} {
		for _, method := range []string{"rk4", "linearly-implicit"} {
			b.Run(name+"/"+method, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s, err := cosim.Load("../resources/models/"+name+".toml", cosim.Options{})
					if err != nil {
						b.Fatal(err)
					}
					in, err := s.Instantiate()
					if err != nil {
						b.Fatal(err)
					}
					if err := in.SetText("solver.method", method); err != nil {
						b.Fatal(err)
					}
					if err := in.Initialise(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
