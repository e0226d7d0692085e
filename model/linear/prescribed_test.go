package linear_test

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// drivenRod is a rod whose motion is prescribed.
const drivenRod = `name = "Rod"
reactions = ["drive in ground"]
[component.drive]
type = "motion-driver"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0, transverse = 0.375, axis = "z" }
`

// A model without states has linear equations, too: outputs by inputs. The torque of a driven rod is
// m l^2/3 q" + m g l/2 sin q.
func TestLinearEquationsWithoutStates(t *testing.T) {
	m, err := vehicle.Parse([]byte(drivenRod), "rod.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	const angle = 0.4
	if err := l.Set("drive.angle", angle); err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	row := slices.Index(s.Outputs, "drive.My")
	for input, want := range map[string]float64{
		"drive.angle": 2 * 9.81 * 0.75 * math.Cos(angle), "drive.rate": 0, "drive.acceleration": 1.5,
	} {
		if have := s.D.At(row, slices.Index(s.Inputs, input)); math.Abs(have-want) > 1e-12 {
			t.Errorf("torque by %s is %.15g, want %.15g", input, have, want)
		}
	}
	if want := 2 * 9.81 * 0.75 * math.Sin(angle); math.Abs(s.Y[row]-want) > 1e-12 {
		t.Errorf("the torque is %.15g, want %.15g", s.Y[row], want)
	}
	reactions, err := l.Reactions(s)
	if err != nil {
		t.Fatal(err)
	}
	if r := reactions[0]; r.Name != "drive" || r.Tail != "ground" || r.Head != "pivot" ||
		math.Abs(r.Moment[1]-s.Y[row]) > 1e-12 || math.Abs(r.Force[2]-2*9.81) > 1e-12 {
		t.Errorf("the driver bears %+v", r)
	}
	if f := reactions[1].Force; math.Abs(f[0]) > 1e-12 || math.Abs(f[2]-2*9.81) > 1e-12 { // its tail is turned
		t.Errorf("the arm bears %+v", reactions[1])
	}
	if _, err := l.WriteModel(io.Discard, s, ""); err == nil || !strings.Contains(err.Error(), "matrix D") {
		t.Errorf("a model without states is written: %v", err)
	}
	modes, err := s.Modes()
	if err != nil || len(modes) != 0 {
		t.Errorf("modes %v, %v", modes, err)
	}
	// with the angle as a signal: -1.5 omega^2 + stiffness
	response, err := s.Response("drive", "drive.My", []float64{0, 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, omega := range []float64{0, 3} {
		want := complex(2*9.81*0.75*math.Cos(angle)-1.5*omega*omega, 0)
		if math.Abs(real(response[i]-want)) > 1e-12 || math.Abs(imag(response[i])) > 1e-12 {
			t.Errorf("response at %g rad/s is %v, want %v", omega, response[i], want)
		}
	}
}
