package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// unicycle is a body on a wheel with a brake; the hub leads from the body to the wheel or back.
const unicycle = `name = "Unicycle"
[[tree]]
name = "body"
[[tree]]
name = "wheel"
prefer = ["tire.R1"]
[component.road]
type = "road"
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 15, yy = 20, zz = 15 }
start = { position = [0, 0, 0.296], velocity = [5, 0, 0] }
[component.hub]
type = "revolute"
from = %q
to = %q
axis = "y"
start = { omega = %g }
[component.tire]
type = "tire"
frame = "wheel"
road = "road"
mass = 10
inertia = { axial = 0.8, transverse = 0.5 }
unloaded_radius = 0.3
vertical_stiffness = 2e5
rolling_radius = { method = "loaded" }
slip = { method = "kinematic", minimum_speed = 0.005 }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 9e4, Calpha = 8e4, Cr = 0.01, mu0 = 1, mu1 = 0.8 } }
[component.brake]
type = "brake"
from = %q
to = %q
axis = "y"
`

// A brake acts the same whether the tree reaches the wheel by the body or the body by the wheel, for both directions of
// joint and brake.
func TestABrakeDoesNotDependOnTheTree(t *testing.T) {
	type written struct {
		tree         string
		hub, braking [2]string
		speeds       string // of the tire
	}
	names := []string{"body.x", "body.z", "body.vx", "body.wy", "tire.Fx"}
	sliding, holding := map[string]float64{}, map[string]float64{}
	compare := func(r *run, w written, key string, first map[string]float64) {
		for _, name := range names {
			if want, found := first[key+name]; !found {
				first[key+name] = r.get(name)
			} else if got := r.get(name); !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
				t.Errorf("%v: %s = %.15g, %.15g in the first tree", w, name, got, want)
			}
		}
	}
	for _, w := range []written{
		{"body", [2]string{"body", "wheel"}, [2]string{"body", "wheel"}, ""},
		{"wheel", [2]string{"body", "wheel"}, [2]string{"body", "wheel"}, ""},
		{"body", [2]string{"wheel", "body"}, [2]string{"body", "wheel"}, ""},
		{"wheel", [2]string{"wheel", "body"}, [2]string{"body", "wheel"}, ""},
		{"body", [2]string{"body", "wheel"}, [2]string{"wheel", "body"}, ""},
		{"wheel", [2]string{"wheel", "body"}, [2]string{"wheel", "body"}, ""},
		{"wheel", [2]string{"body", "wheel"}, [2]string{"body", "wheel"}, "ground"},
		{"wheel", [2]string{"body", "wheel"}, [2]string{"body", "wheel"}, "rates"},
	} {
		spin := 16.8
		if w.hub[0] == "wheel" {
			spin = -spin
		}
		text := fmt.Sprintf(unicycle, w.hub[0], w.hub[1], spin, w.braking[0], w.braking[1])
		if w.speeds != "" {
			text = strings.Replace(text, "frame = \"wheel\"\n", "frame = \"wheel\"\nspeeds = \""+w.speeds+"\"\n", 1)
		}
		r := fromText(t, text, w.tree)
		r.set("body.yaw", 0.7)
		r.start(noInput)
		r.set("brake.torque", 120)
		r.drive(noInput, 0.001, 0.5)
		compare(r, w, "", sliding)
		if slowed := 5 - r.get("body.vx"); !(slowed > 2) {
			t.Errorf("%v: the brake takes %g m/s", w, slowed)
		}
		r.drive(noInput, 0.001, 2)
		// how narrow the rise of the torque is depends on the inertia of the outer frame
		compare(r, w, w.braking[0], holding)
		if rate := r.get("hub.omega"); !(math.Abs(rate) < 0.2) {
			t.Errorf("%v: the held wheel turns at %g rad/s", w, rate)
		}
	}
}

// A brake resists, so that a frame between it and a joint still leads to nothing: the error is that without the brake.
func TestABrakeHoldsNoFrame(t *testing.T) {
	text := fmt.Sprintf(unicycle, "nowhere", "wheel", 0.0, "nowhere", "wheel")
	for _, text := range []string{text, text[:strings.Index(text, "[component.brake]")]} {
		_, err := vehicle.Parse([]byte(text), "test.toml", bounded.Kind.Read)
		if err == nil || !strings.Contains(err.Error(),
			`test.toml:16:8: frame "nowhere" of component hub leads to nothing: no body, joint or load uses it`) {
			t.Errorf("error %v", err)
		}
	}
}
