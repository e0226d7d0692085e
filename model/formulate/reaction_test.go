package formulate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
)

// still is a program at a state, with inputs and parameters by name; others have their starts.
type still struct {
	*testing.T
	p *program.Program
	m program.Machine
	y []float64
	x []float64
}

func newStill(t *testing.T, text, tree string) *still {
	t.Helper()
	p, m := machine(t, parse(t, text), formulate.Options{Tree: tree})
	return &still{T: t, p: p, m: m, y: make([]float64, len(p.Outputs)), x: make([]float64, len(p.States))}
}

// at evaluates everything.
func (s *still) at(v map[string]float64) {
	s.Helper()
	u := make([]float64, len(s.p.Inputs))
	for i, in := range s.p.Inputs {
		u[i] = in.Start
	}
	list := make([]float64, len(s.p.Parameters))
	for i, q := range s.p.Parameters {
		list[i] = q.Start
	}
	s.m.SetParameters(list)
	s.m.Start(u, s.x)
	for name, value := range v {
		found := false
		for i, in := range s.p.Inputs {
			if in.Name == name {
				u[i], found = value, true
			}
		}
		for i, state := range s.p.States {
			if state.Name == name {
				s.x[i], found = value, true
			}
		}
		if !found {
			s.Fatalf("no state or input %s", name)
		}
	}
	s.m.Derivatives(0, s.x, u, make([]float64, len(s.x)))
	s.m.Outputs(s.y)
	side := s.m.Side(program.Energies)
	returned := make([]float64, s.m.ReturnedCount())
	s.m.Returned(returned)
	side.Evaluate(s.x, u, returned)
}

// value is that of an output, or of what is made where it is read.
func (s *still) value(name string) float64 {
	s.Helper()
	for i, o := range s.p.Outputs {
		if o.Name == name {
			return s.y[i]
		}
	}
	side := s.m.Side(program.Energies)
	for i, o := range s.p.Powers {
		if o.Name == name {
			return side.Value(side.Len() - len(s.p.Powers) + i)
		}
	}
	s.Fatalf("no variable %s", name)
	return 0
}

func (s *still) near(what string, got, want, size, tolerance float64) {
	s.Helper()
	if !(math.Abs(got-want) <= tolerance*size) {
		s.Errorf("%s = %.15g, expected %.15g", what, got, want)
	}
}

// claims is the debugging data of another program that knows no graph.
func claims(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/reactions.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[name], into); err != nil {
		t.Fatal(err)
	}
}

// drivenRod is a slender rod that a driver swings about its end, towards +x for a positive angle; it hangs at the angle
// 0.
const drivenRod = `name = "Rod"
[component.drive]
type = "motion-driver"
from = "ground"
to = "pivot"
axis = [0, -1, 0]
reactions = "ground"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
reactions = true
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0, transverse = 0.375, axis = "z" }
`

// A driver of a physical pendulum has the torque m l^2/3 q" + m g l/2 sin q; the force on its pivot is that of the
// motion of the centre. Without a state the multipliers are everything.
func TestDriverOfPhysicalPendulum(t *testing.T) {
	var data struct {
		Rows []struct {
			T, Angle, Torque, Closed float64
			ForceX                   float64 `json:"force_x"`
			ForceZ                   float64 `json:"force_z"`
		}
	}
	claims(t, "physical_pendulum", &data)
	s := newStill(t, drivenRod, "")
	if len(s.p.States) != 0 {
		t.Fatalf("%d states, want none", len(s.p.States))
	}
	for _, row := range data.Rows {
		q, w, a := 0.7*math.Sin(2*row.T), 1.4*math.Cos(2*row.T), -2.8*math.Sin(2*row.T)
		s.at(map[string]float64{"drive.angle": q, "drive.rate": w, "drive.acceleration": a})
		for name, want := range map[string]float64{
			"drive.torque": row.Torque, "drive.power": row.Torque * w, "drive.My": -row.Torque,
			"drive.Fx": row.ForceX, "drive.Fy": 0, "drive.Fz": row.ForceZ, "drive.Mx": 0, "drive.Mz": 0,
			// of the pivot on the rod at its centre, in axes of the pivot, which hangs turned by q
			"arm.Fx": math.Cos(q)*row.ForceX + math.Sin(q)*row.ForceZ,
			"arm.Fz": math.Cos(q)*row.ForceZ - math.Sin(q)*row.ForceX,
			"arm.My": -0.375 * a,
		} {
			s.near(fmt.Sprintf("%s at %g s", name, row.T), s.value(name), want, 22.56, 1e-12)
		}
	}
}

const pointOnRod = `name = "PointOnRod"
[component.mass]
type = "point-mass"
mass = 1
start = { position = [0, 0, -1] }
[component.rod]
type = "rod"
from = "ground"
to = "mass"
length = 1
form = "%s"
reactions = true
[[tree]]
name = "mass"
baumgarte = { alpha = 0, beta = 0 }
formulation = "%s"
`

// The tension of a rod is the same in both of its forms, whose multipliers have other units, and in both formulations.
func TestTensionOfARod(t *testing.T) {
	var data struct {
		Rows []struct{ X, Z, Vx, Vz, Tension float64 }
	}
	claims(t, "rod_force", &data)
	for _, form := range []string{"distance", "square"} {
		for _, formulation := range []string{"multipliers", "udwadia-kalaba"} {
			s := newStill(t, fmt.Sprintf(pointOnRod, form, formulation), "")
			for _, row := range data.Rows {
				s.at(map[string]float64{"mass.x": row.X, "mass.z": row.Z, "mass.vx": row.Vx, "mass.vz": row.Vz})
				for name, want := range map[string]float64{
					"rod.force": row.Tension, "rod.Fx": -row.Tension * row.X, "rod.Fz": -row.Tension * row.Z, "rod.Fy": 0,
				} {
					s.near(form+", "+formulation+": "+name, s.value(name), want, 10, 1e-12)
				}
			}
		}
	}
}
