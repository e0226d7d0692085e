package reference

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

const resources = "../../../resources/"

// constant is an input that stays as it is.
type constant [3]float64

func (h constant) At(float64) (value, rate, acceleration float64) { return h[0], h[1], h[2] }

func decode(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(resources + "references/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func readModel(t testing.TB, name string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Read(resources + "models/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newSystem(t testing.TB, m *vehicle.Model) *System {
	t.Helper()
	s, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fitFiala gives a model the Fiala tires of Table A.7.
func fitFiala(t *testing.T, m *vehicle.Model) {
	t.Helper()
	file := resources + "tires/fiala_generic4w.toml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ParseFile(data, file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components {
		if c, is := c.(*component.Tire); is {
			c.Force.Name, c.Force.Parameters = "Fiala", p.Values
		}
	}
}

// near reports whether a is b within a relative tolerance, which is absolute below 1.
func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b))
}

// TestStateDerivativesAgreeWithIndependentData compares accelerations and slip rates of
// both vehicles with those of two other formulations.
func TestStateDerivativesAgreeWithIndependentData(t *testing.T) {
	var data struct {
		Names map[string][]string `json:"state_names"`
		Cases []struct {
			Model  string
			Inputs struct {
				Steer, Articulation      float64
				SteerRate                float64    `json:"steer_rate"`
				SteerAcceleration        float64    `json:"steer_accel"`
				ArticulationRate         float64    `json:"articulation_rate"`
				ArticulationAcceleration float64    `json:"articulation_accel"`
				Brake                    [4]float64 `json:"brake_torque"`
			}
			State, Derivative []float64
		}
	}
	decode(t, "vehicles/state_derivatives.json", &data)
	corners := []string{"FL", "FR", "RL", "RR"}
	compared := 0
	for n, c := range data.Cases {
		vehicle, tires, _ := strings.Cut(c.Model, "_")
		m := readModel(t, vehicle)
		if tires == "fiala" {
			fitFiala(t, m)
		}
		main := map[string]string{"generic4w": "body", "skidder": "front"}[vehicle]
		public := func(name string) string {
			for i, corner := range corners {
				number := fmt.Sprint(i + 1)
				for old, new := range map[string]string{
					"d_s" + number: "susp_" + corner + ".s_dot", "s" + number: "susp_" + corner + ".s",
					"d_phi" + number: "wheel_" + corner + ".omega", "phi" + number: "wheel_" + corner + ".phi",
					"q1Tire" + number: "tire_" + corner + ".q1", "q2Tire" + number: "tire_" + corner + ".q2",
				} {
					if name == old {
						return new
					}
				}
			}
			name = strings.NewReplacer("omega1", "wx", "omega2", "wy", "omega3", "wz").Replace(name)
			return main + "." + name
		}
		inputs := Inputs{Drivers: map[string]Signal{}, Variables: map[string]Signal{}}
		steer := constant{c.Inputs.Steer, c.Inputs.SteerRate, c.Inputs.SteerAcceleration}
		if vehicle == "generic4w" {
			inputs.Drivers["steer_FL"], inputs.Drivers["steer_FR"] = steer, steer
		} else {
			inputs.Drivers["articulation"] = constant{c.Inputs.Articulation, c.Inputs.ArticulationRate,
				c.Inputs.ArticulationAcceleration}
		}
		for i, corner := range corners {
			inputs.Variables["brake_"+corner+".torque"] = constant{c.Inputs.Brake[i]}
		}
		states := map[string]float64{}
		for i, name := range data.Names[vehicle] {
			states[public(name)] = c.State[i]
		}
		values, derivatives, err := newSystem(t, m).Evaluate(states, inputs)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range data.Names[vehicle] {
			name = public(name)
			if !near(values[name], c.State[i], 1e-12) {
				t.Errorf("case %d, %s: the state is %.17g, %.17g was set", n, name, values[name], c.State[i])
			}
			if got, has := derivatives[name]; has {
				compared++
				if !near(got, c.Derivative[i], 1e-10) {
					t.Errorf("case %d, %s: derivative %.17g, want %.17g", n, name, got, c.Derivative[i])
				}
			}
		}
	}
	if compared < 7*13 {
		t.Errorf("only %d derivatives were compared", compared)
	}
}

// TestContactAgreesWithIndependentData compares the geometry of the contact, and the loads
// on the wheel, on inclined, translating and rotating roads.
func TestContactAgreesWithIndependentData(t *testing.T) {
	type vec [3]float64
	var data struct {
		Rows []struct {
			Road struct {
				RQ [3]vec `json:"R_Q"`
				R  vec    `json:"r_Q"`
				V  vec    `json:"v_Q"`
				W  vec    `json:"omega_Q"`
			}
			Wheel struct {
				R    vec `json:"r_C"`
				V    vec `json:"v_C"`
				W    vec `json:"omega_C"`
				USym vec `json:"uSym"`
			}
			Result map[string]any
			FC     vec `json:"F_on_C"`
			MC     vec `json:"M_on_C"`
		}
	}
	decode(t, "tires/tire_intermediates.json", &data)
	m := readModel(t, "generic4w")
	for _, c := range m.Components {
		if c, is := c.(*component.Tire); is {
			c.Slip = component.Slip{MinimumSpeed: keys.Scalar{Value: 0.01}}
		}
	}
	s := newSystem(t, m)
	w := s.tires[0]
	y := make([]float64, s.size)
	for n, row := range data.Rows {
		q := &s.motions[w.road.part]
		rows := axes{triple(row.Road.RQ[0]), triple(row.Road.RQ[1]), triple(row.Road.RQ[2])}
		*q = motion{axes: rows.transposed(), r: triple(row.Road.R), v: triple(row.Road.V), w: triple(row.Road.W)}
		sym := triple(row.Wheel.USym)
		x := normalTo(sym)
		s.motions[w.centre.part] = motion{axes: axes{x, sym, r3.Cross(x, sym)}, r: triple(row.Wheel.R),
			v: triple(row.Wheel.V), w: triple(row.Wheel.W)}
		clear(s.forces)
		clear(s.moments)
		w.apply(s, y)
		got := map[string]float64{
			"gamma": w.at.gamma, "Rl": w.at.Rl, "Fz": w.at.Fz, "Reff": w.at.Reff, "Omega": w.at.Omega, "VCx": w.at.VCx,
			"VCy": w.at.VCy,
			"VPx": w.at.VPx, "VPy": w.at.VPy, "VEx": w.at.VEx, "VPxs": w.at.VPxs, "VExs": w.at.VExs, "S": w.at.S,
			"alpha": w.at.alpha,
		}
		for name, value := range got {
			if want := row.Result[name].(float64); !near(value, want, 1e-10) {
				t.Errorf("row %d: %s = %.17g, want %.17g", n, name, value, want)
			}
		}
		for i, load := range []struct {
			name      string
			got, want r3.Vec
		}{{"force", q.in(s.forces[w.centre.part]), triple(row.FC)},
			{"moment", q.in(s.moments[w.centre.part]), triple(row.MC)}} {
			if !(r3.Norm(r3.Sub(load.got, load.want)) <= 1e-10*math.Max(1, r3.Norm(load.want))) {
				t.Errorf("row %d, %d: %s %v, want %v", n, i, load.name, load.got, load.want)
			}
		}
	}
	if len(data.Rows) == 0 {
		t.Error("there are no rows")
	}
}
