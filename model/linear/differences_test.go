package linear

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// differenced are central differences of a function of one number at 0 with steps h, h/2 and h/4, extrapolated by
// Richardson: the error falls with h^6.
func differenced(f func(x float64) []float64, h float64) []float64 {
	var central [3][]float64
	for level := range central {
		step := h / math.Exp2(float64(level))
		high, low := f(step), f(-step)
		central[level] = make([]float64, len(high))
		for i := range high {
			central[level][i] = (high[i] - low[i]) / (2 * step)
		}
	}
	result := make([]float64, len(central[0]))
	for i := range result {
		one, two := (4*central[1][i]-central[0][i])/3, (4*central[2][i]-central[1][i])/3
		result[i] = (16*two - one) / 15
	}
	return result
}

// rounding is the rounding error of a difference divided by twice a step, with the weights of the extrapolation.
const rounding = 60 * 0x1p-53

// conservative is behind the name of a model whose tires get another contact.
const conservative = " conservative"

// The linear equations of every shipped model that has them agree with differences: A, B, C and D are the derivatives
// of its rates and outputs by states and inputs.
func TestMatricesAreDerivatives(t *testing.T) {
	for _, c := range []struct {
		model string
		set   map[string]float64
		free  string
		step  float64 // in the units of all states and inputs; tires stay on the road
	}{
		{"generic4w", map[string]float64{"body.vx": 20, "body.wz": 0.1},
			"steer_FL.angle steer_FR.angle drive_RL.torque drive_RR.torque", 1e-4},
		{"generic4w" + conservative, map[string]float64{"body.vx": 20, "body.wz": 0.1},
			"steer_FL.angle steer_FR.angle drive_RL.torque drive_RR.torque", 1e-4},
		{"skidder", map[string]float64{"front.vx": 4, "articulation.angle": 0.1}, "drive_RL.torque drive_RR.torque", 1e-4},
		{"truck3", map[string]float64{"body.vx": 20, "steer_1L.angle": 0.02, "steer_1R.angle": 0.02},
			"drive_2L.torque drive_2R.torque", 1e-4},
		{"car_trailer", map[string]float64{"body.vx": 20, "steer_FL.angle": 0.01, "steer_FR.angle": 0.01},
			"drive_RL.torque drive_RR.torque", 1e-4},
		{"tricycle", map[string]float64{"speed": 6}, "", 1e-4},
		{"bicycle", map[string]float64{"speed": 5}, "", 1e-4},
		{"bicycle_rolling", map[string]float64{"speed": 5}, "", 1e-4},
		{"bluebike", map[string]float64{"speed": 7}, "", 1e-4},
		{"redbike", map[string]float64{"speed": 7}, "", 1e-5},
		{"redbike_gyroscope", map[string]float64{"speed": 7}, "", 1e-5},
		{"bicycle_controlled", map[string]float64{"speed": 7, "rider.wish": 0}, "", 1e-4},
		{"redbike_gyroscope_controlled", map[string]float64{"lean": 0}, "", 1e-5},
		{"halfcar", map[string]float64{"forward.s_dot": 10}, "motor.torque", 1e-5},
		{"pendulum", nil, "", 1e-3},
	} {
		name, other := strings.CutSuffix(c.model, conservative)
		m, err := vehicle.Read("../../resources/models/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range m.Components {
			tire, is := part.(*component.Tire)
			if is && other {
				tire.Contact.Method, tire.Contact.Power = component.ContactConservative, true
			}
			if is { // wheels roll so freely that differences turn the slip of carcasses, which has a kink there
				tire.Slip.Carcass = false
			}
		}
		l, err := New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range c.set {
			if err := l.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		for input := range strings.FieldsSeq(c.free) {
			if err := l.Free(input); err != nil {
				t.Fatal(err)
			}
		}
		s, err := l.At()
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
			continue
		}
		rates, outputs := make([]float64, len(s.States)), make([]float64, len(l.program.Outputs))
		at := func(list []float64, k int) func(float64) []float64 {
			return func(d float64) []float64 {
				was := list[k]
				list[k] += d
				l.machine.Derivatives(0, l.x, l.u, rates)
				l.machine.Outputs(outputs)
				list[k] = was
				return slices.Concat(rates, outputs[:len(s.Outputs)])
			}
		}
		size := map[string]float64{} // of the rates and outputs, by unit
		units := slices.Concat(s.StateUnits, s.OutputUnits)
		for i, v := range at(l.x, 0)(0) {
			size[units[i]] = max(size[units[i]], math.Abs(v))
		}
		compare := func(by string, column []float64, rows, more *mat.Dense, k int) {
			names := slices.Concat(s.States, s.Outputs)
			for i, want := range column {
				matrix, row := rows, i
				if i >= len(rates) {
					matrix, row = more, i-len(rates)
				}
				got, scale := matrix.At(row, k), mat.Norm(matrix.RowView(row), math.Inf(1))
				if math.Abs(got-want) > 1e-8*max(1, scale, math.Abs(want))+rounding*size[units[i]]/c.step {
					t.Errorf("%s: %s by %s is %.12g, by differences %.12g", c.model, names[i], by, got, want)
				}
			}
		}
		for k, name := range s.States {
			compare(name, differenced(at(l.x, k), c.step), s.A, s.C, k)
		}
		for k, name := range s.Inputs {
			if strings.HasPrefix(name, "brake") {
				continue // the magnitude of a torque has a kink at 0
			}
			compare(name, differenced(at(l.u, k), c.step), s.B, s.D, k)
		}
	}
}
