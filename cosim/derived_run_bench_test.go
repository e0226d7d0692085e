package cosim_test

import (
	"testing"

	"skidpad/cosim"
)

// A run of 100 ms without derivatives, with a direction, and recorded and gone back over. The derivatives of the last
// are by all parameters, start values and inputs.
func BenchmarkDerivedRun(b *testing.B) {
	for _, model := range []string{"generic4w", "passenger_car"} {
		for _, method := range []string{"heun", "rk4"} {
			for _, c := range []struct {
				name       string
				directions int
				memory     int64
			}{{"plain", 0, 0}, {"recorded", 0, 1 << 26}, {"one-direction", 1, 0}, {"four-directions", 4, 0},
				{"back", 0, 1 << 26}, {"back-again", 0, 1_000_000}} {
				b.Run(model+"/"+method+"/"+c.name, func(b *testing.B) {
					s := load(b, model, "")
					for range b.N {
						b.StopTimer()
						in, err := s.Instantiate()
						if err != nil {
							b.Fatal(err)
						}
						if err := in.SetText(cosim.MethodVariable, method); err != nil {
							b.Fatal(err)
						}
						r, err := in.CarryDerivatives(c.directions, c.memory)
						if err != nil {
							b.Fatal(err)
						}
						if err := in.Initialise(); err != nil {
							b.Fatal(err)
						}
						vx, _ := s.Find("body.vx")
						if err := in.Step(0.001); err != nil { // compiles what it needs
							b.Fatal(err)
						}
						back := c.name[:4] == "back"
						b.StartTimer()
						for range 100 {
							if err := in.Step(0.001); err != nil {
								b.Fatal(err)
							}
						}
						for k := 0; back && k < 101; k++ {
							if k == 0 {
								if err := r.AddAdjoints([]int{vx}, []float64{1}); err != nil {
									b.Fatal(err)
								}
							}
							if err := r.StepBack(); err != nil {
								b.Fatal(err)
							}
						}
						b.StopTimer()
						r.End()
						in.Close()
						b.StartTimer()
					}
				})
			}
		}
	}
}
