package cosim_test

import "testing"

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
