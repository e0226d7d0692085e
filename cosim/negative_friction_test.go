package cosim_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// A vehicle whose tires have the friction -D instead of D moves bit-identically, in machine code and on the tape.
// Forces, carcasses and relaxation are even in the friction.
func TestAVehicleOfNegativeFrictionMovesTheSame(t *testing.T) {
	sign := regexp.MustCompile(`(?m)^((?:PD[XY][12]|QBZ10|RVY[123]) *= *)(-?)`)
	for model, c := range map[string]struct {
		file, input string
		drive       float64
	}{
		"generic4w":     {"pacejka2002.tir", "drive_RL.torque", 300}, // on one side
		"passenger_car": {"mf61_205_60R15.tir", "engine.throttle", 0.8},
	} {
		data, err := os.ReadFile("../resources/tires/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		write := func(name string, text []byte) string {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		turned := sign.ReplaceAllFunc(data, func(entry []byte) []byte {
			if n := len(entry); entry[n-1] == '-' {
				return entry[:n-1]
			}
			return append(slices.Clone(entry), '-')
		})
		files := []string{write("positive.tir", data), write("negative.tir", turned)}
		for _, code := range []string{"native", "portable"} {
			var states [2][]float64
			for i, file := range files {
				r := instance(t, load(t, model, ""), "rk4", 0.001)
				r.text("solver.code", code)
				for _, corner := range corners {
					r.text("tire_"+corner+".file", file)
				}
				r.start(noInput)
				r.set(c.input, c.drive)
				r.step(0.3)
				states[i] = r.states()
			}
			if !slices.Equal(states[0], states[1]) {
				t.Errorf("%s, %s: with negative friction %v, with positive %v", model, code, states[1], states[0])
			}
		}
	}
}
