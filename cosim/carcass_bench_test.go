package cosim_test

import (
	"testing"

	"skidpad/cosim"
)

// What carcasses cost beside strings.
func BenchmarkCarcasses(b *testing.B) {
	delayed, err := cosim.Load("../resources/models/generic4w.toml", cosim.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range []struct {
		name   string
		system *cosim.System
	}{{"delayed", delayed}, {"carcass", withCarcasses(b)}} {
		for _, method := range []string{"rk4", "linearly-implicit"} {
			b.Run(v.name+"/"+method, func(b *testing.B) {
				r := instance(b, v.system, method, 0.001)
				r.start(noInput)
				b.ReportAllocs()
				for b.Loop() {
					if err := r.in.Step(0.001); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
