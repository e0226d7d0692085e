package tangent_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/evidence/tangent"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Every shipped model is either expressed, or refused with the name of a component.
func TestShippedModelsAreExpressedOrListed(t *testing.T) {
	entries, err := os.ReadDir("../../../resources/models")
	if err != nil {
		t.Fatal(err)
	}
	expressed := []string{"bicycle_rolling", "bicycle_trailer", "disc", "tilting_three_wheeler", "truck_trailer",
		"wheel_rolling"}
	for _, e := range entries {
		name, is := strings.CutSuffix(e.Name(), ".toml")
		if !is {
			continue
		}
		m := shipped(t, name)
		values := map[string]float64{}
		if name == "disc" {
			values["lean"] = 0
		}
		v, err := tangent.Translate(m, values)
		if err == nil {
			_, err = v.Linearise()
		}
		if (err == nil) != slices.Contains(expressed, name) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && !slices.ContainsFunc(m.Components, func(c component.Component) bool {
			return strings.Contains(err.Error(), c.Head().Name)
		}) {
			t.Errorf("%s: no component is named: %v", name, err)
		}
	}
}

// Arms make one body of what they hold: two masses at the ends of a beam are a dumbbell.
func TestArmsMakeOneBody(t *testing.T) {
	m, err := vehicle.Parse([]byte(`
name = "Dumbbell"
[parameters]
length = { value = 2.0, unit = "m" }
[component.left]
type = "rigid-body"
mass = 1
inertia = { xx = 0.1, yy = 0.2, zz = 0.2 }
start = { position = [1, 0, 3], angles = [0.5, 0, 0], velocity = [4, 0, 0] }
[component.beam]
type = "rigid-arm"
from = "left"
to = "right_frame"
translation = [0, "length", 0]
angles = [1.5707963267948966, 0, 0]
[component.right]
type = "rigid-body"
frame = "right_frame"
mass = 3
inertia = { xx = 0.3, yy = 0.4, zz = 0.5 }
`), "dumbbell.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []float64{2, 5} {
		v, err := tangent.Translate(m, map[string]float64{"length": length, "left.x": 7})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Bodies) != 1 {
			t.Fatalf("%d bodies", len(v.Bodies))
		}
		b := &v.Bodies[0]
		s, c := math.Sincos(0.5)
		across, along := at(-s, c, 0), at(c, s, 0)
		centre := r3.Add(at(7, 0, 3), r3.Scale(0.75*length, across))
		// the right body is turned by a quarter against the left one
		reduced := 0.75 * length * length
		wants := map[r3.Vec]float64{across: 0.2 + 0.3, along: 0.1 + 0.4 + reduced, at(0, 0, 1): 0.2 + 0.5 + reduced}
		if b.Mass != 4 || r3.Norm(r3.Sub(b.Centre, centre)) > 1e-12 ||
			r3.Norm(r3.Sub(b.Velocity, r3.Scale(4, along))) > 1e-12 {
			t.Errorf("%+v, centre %v", b, centre)
		}
		for axis, want := range wants {
			got := 0.0
			for i, x := range []float64{axis.X, axis.Y, axis.Z} {
				for k, y := range []float64{axis.X, axis.Y, axis.Z} {
					got += x * b.Inertia[i][k] * y
				}
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("inertia about %v is %v, want %v", axis, got, want)
			}
		}
	}
}

// A bar on two parallel links without mass swings like a pendulum of their length. The joint that
// closes the loop holds the bar in the plane a second time: a warning. Start values must fit it.
func TestClosedLoop(t *testing.T) {
	link := func(side, x string) string {
		return strings.NewReplacer("SIDE", side, "X", x).Replace(`
[component.place_SIDE]
type = "rigid-arm"
from = "ground"
to = "place_SIDE"
translation = [X, 0, 0]
[component.pivot_SIDE]
type = "revolute"
from = "place_SIDE"
to = "top_SIDE"
axis = "y"
[component.link_SIDE]
type = "rigid-arm"
from = "top_SIDE"
to = "bottom_SIDE"
translation = [0, 0, "-length"]
`)
	}
	m, err := vehicle.Parse([]byte(`
name = "Swing"
[parameters]
length = { value = 1.25, unit = "m" }
`+link("left", "0")+link("right", "2")+`
[component.hinge]
type = "revolute"
from = "bottom_left"
to = "end"
axis = "y"
[component.half]
type = "rigid-arm"
from = "end"
to = "bar"
translation = [0.7, 0, 0]
[component.bar]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.4, zz = 0.4 }
[component.rest]
type = "rigid-arm"
from = "bar"
to = "tip"
translation = [1.3, 0, 0]
[component.ball]
type = "spherical"
from = "bottom_right"
to = "tip"
`), "swing.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	s := translated(t, m, nil)
	got, zeros, err := s.Eigenvalues()
	if err != nil {
		t.Fatal(err)
	}
	matches(t, "swing", got, pair(0, math.Sqrt(gravity/1.25)), 1e-9)
	if zeros != 0 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "redundant") ||
		!strings.Contains(s.Warnings[0], "ball") {
		t.Errorf("%d zeros, warnings %q", zeros, s.Warnings)
	}
	if f := reaction(t, &s.Steady, "ball").Force; math.Abs(f.Z-3*gravity*0.35) > 1e-9 {
		t.Errorf("the ball carries %v", f)
	}
	for _, values := range []map[string]float64{{"pivot_left.phi": 0.1}, {"hinge.omega": 0.2}, {"translation": 1}} {
		_, err := tangent.Translate(m, values)
		says := "ball: the start values do not fit this joint"
		if values["translation"] != 0 {
			says = "no parameter or start value translation"
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", values, err)
		}
	}
}

// What a model file says and this formulation cannot express is refused, and the component named.
func TestUnsupportedModelFilesAreRejected(t *testing.T) {
	const wheel, rig = "wheel_rolling", "../../harness/evidence/tangent/testdata/rig" // from resources/models
	for _, c := range []struct {
		model    string
		values   map[string]float64
		replaced []string
		says     string
	}{
		{wheel, map[string]float64{"speeed": 1}, nil, "no parameter or start value speeed"},
		{wheel, map[string]float64{"mass": -1}, nil, "wheel.mass is -1"},
		{wheel, map[string]float64{"mass": math.NaN()}, nil, "wheel.mass is NaN"},
		{wheel, map[string]float64{"lean.phi": 0.1}, nil, "contact: the wheel leans by 0.1 rad"},
		{wheel, map[string]float64{"rise.s": 0.6}, nil, "contact: the centre of the wheel is 0.6 m above the road"},
		{wheel, map[string]float64{"axle.omega": 1}, nil, "contact: its point moves with (1.5, 0, 0) m/s"},
		{wheel, map[string]float64{"drift.s_dot": 1}, nil, "contact: its point moves with (0, 1, 0) m/s"},
		{wheel, nil, []string{`axial = "alpha*mass*radius^2", transverse = "alpha*mass*radius^2/2"`,
			"xx = 0.3, yy = 0.5, zz = 0.25"}, "not symmetric"},
		{wheel, nil, []string{`to = "carrier"
axis = "x"
torque = "input"`,
			`to = "carrier"
axis = "x"
start = { omega = 1 }`},
			"contact: its axis turns with the spinning frame wheel"},
		{wheel, nil, []string{"[component.contact]", `[component.paddle]
type = "side-force"
frame = "wheel"
coefficient = 3

[component.contact]`}, ""},
		{wheel, nil, []string{"[component.contact]", `[component.rim]
type = "rigid-arm"
from = "wheel"
to = "rim"
translation = [0.4, 0, 0]

[component.paddle]
type = "side-force"
frame = "rim"
coefficient = 3

[component.contact]`}, "paddle: its point on wheel turns with the spin"},
		{wheel, nil, []string{"[component.contact]", `[component.thruster]
type = "force-driver"
from = "wheel"
to = "carrier"
axis = "x"

[component.contact]`}, "thruster: its axis turns with the spinning frame wheel"},
		{wheel, nil, []string{"[component.contact]", `[component.drag]
type = "spring-damper"
joint = "axle"
stiffness = 0
damping = 1

[component.contact]`},
			"drag: it is turned with 4 rad/s against its damping"},
		{rig, map[string]float64{"heading.phi": 0.2}, nil, "twist: a torsion spring with a moment"},
		{rig, map[string]float64{"strut.s_dot": 0.2}, nil, "coil: its ends move with 0.2 m/s"},
		{rig, map[string]float64{"drift.s_dot": 0.2}, nil, "skid: it slips with"},
		{rig, map[string]float64{"strut.s": 0.9}, nil, "link: its ends are"},
		{rig, map[string]float64{"load": 4}, nil, ""},
		{rig, map[string]float64{"gravity_z": -9}, nil, "not in equilibrium"},
		{rig, map[string]float64{"heading.omega": 0.1}, nil, "its axis turns with the spinning frame base"},
	} {
		m := replaced(t, c.model, c.replaced...)
		v, err := tangent.Translate(m, c.values)
		if err == nil {
			_, err = v.Linearise()
		}
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s, %v, %q: %v; want %q", c.model, c.values, c.replaced, err, c.says)
		}
	}
}
