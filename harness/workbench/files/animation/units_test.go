package animation

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// atRest is a scene of a shipped model whose joints are straight and whose first body is at the origin.
func atRest(t *testing.T, m *vehicle.Model) *Scene {
	t.Helper()
	first := ""
	names := candidates(m, func(frame string) bool {
		if first == "" {
			first = frame
		}
		return frame == first
	})
	p, err := NewPoser(m, names, make([]float64, len(names)), 1)
	if err != nil {
		t.Fatal(err)
	}
	return p.Scene
}

// Shipped vehicles have shells by their wheels, masses and hitches: trucks, combinations, and those with roles.
func TestShellsOfShippedVehicles(t *testing.T) {
	for name, want := range map[string]string{
		"tractor_semitrailer": "truck tractor, trailer trailer", "truck3": "truck body",
		"car_trailer": "sedan body, trailer trailer", "passenger_car": "sedan body",
		"generic4w": "sedan body", "skidder": "", "bicycle_trailer": "", "tilting_three_wheeler": "", "tricycle": "",
	} {
		m, err := vehicle.Read("../../../../resources/models/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		s := atRest(t, m)
		var got []string
		for _, shell := range append([]*Shell{s.Shell}, s.Trailers...) {
			if shell != nil {
				got = append(got, shell.Kind+" "+s.Names[shell.Frame])
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s has the shells %q, not %q", name, got, want)
		}
		if s.Shell != nil && s.Chassis != s.Shell.Frame {
			t.Errorf("%s: cameras follow %s", name, s.Names[s.Chassis])
		}
	}
}

// The roles name the kind of the body.
func TestRolesNameTheShell(t *testing.T) {
	m, err := vehicle.Read("../../../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range roles.Shells {
		m.Roles.Shell = kind
		if s := atRest(t, m); s.Shell == nil || s.Shell.Kind != kind {
			t.Errorf("%s: %v", kind, s.Shell)
		}
	}
	m.Roles.Outline = nil // it follows from the wheels
	m.Roles.Shell = ""
	if s := atRest(t, m); s.Shell == nil || s.Shell.Kind != "sedan" {
		t.Errorf("without an outline: %v", s.Shell)
	}
}

// A body that carries wheels by rods alone is a unit if it is heavy enough.
func TestWheelsOnRods(t *testing.T) {
	for mass, want := range map[string]int{"1600": 1, "300": 0} {
		text := "name = \"Rods\"\n[component.road]\ntype = \"road\"\n[component.body]\n" +
			"type = \"rigid-body\"\nmass = " + mass + "\ninertia = { xx = 100, yy = 300, zz = 320 }\n"
		known := map[string]pose{"body": {q: unturned}}
		for _, wheel := range []string{"L", "R"} {
			text += strings.ReplaceAll(`[component.rod_X]
type = "rod"
from = "body"
to = "carrier_X"
length = 1
[component.carrier_X]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
[component.hub_X]
type = "revolute"
from = "carrier_X"
to = "tire_X"
axis = "y"
[component.tire_X]
type = "tire"
road = "road"
mass = 10
inertia = { axial = 1, transverse = 0.5 }
unloaded_radius = 0.31
vertical_stiffness = 2e5
vertical_damping = 100
rolling_radius = { method = "loaded" }
slip = { method = "kinematic" }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 1e5, Calpha = 1e5, Cr = 0, mu0 = 1, mu1 = 0.5 } }
`, "X", wheel)
		}
		known["tire_L"], known["tire_R"] = pose{vector{1, 0.7, 0}, unturned}, pose{vector{1, -0.7, 0}, unturned}
		m, err := vehicle.Parse([]byte(text), "rods.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := units(m, known)
		if len(list) != want {
			t.Fatalf("%s kg: %d units", mass, len(list))
		}
		if want == 0 {
			continue
		}
		both, half := list[0].sides()
		if !both || math.Abs(half-0.78) > 1e-9 {
			t.Errorf("wheels %v: both sides %v, %g m", list[0].wheels, both, half)
		}
		wheels := list[0].wheels
		for i := range wheels {
			list[0].wheels = wheels[i : i+1]
			if both, _ := list[0].sides(); both {
				t.Error("one wheel is on both sides")
			}
		}
	}
}

// Without a word of the roles, wheels, axles and the height of the chassis decide the kind.
func TestUsualKinds(t *testing.T) {
	for want, b := range map[string]shellMaker{"sedan": {radius: 0.31, road: -0.6}, "van": {radius: 0.34, road: -0.8},
		"truck": {radius: 0.5, road: -1}, "formula": {radius: 0.22, road: -0.3}} {
		if got := b.kind(2); got != want {
			t.Errorf("a %s is a %s", want, got)
		}
	}
	if got := (&shellMaker{radius: 0.35, road: -0.6}).kind(4); got != "truck" {
		t.Errorf("four axles carry a %s", got)
	}
}

// towed is a trailer with axles at places x, and its hitch.
func towed(t *testing.T, radius, half, height float64, hitch vector, x ...float64) *shellMaker {
	t.Helper()
	u := &unit{hitch: vector{hitch[0], 0, hitch[2] - height}, hitched: true}
	for _, at := range x {
		for _, side := range []float64{1, -1} {
			u.wheels = append(u.wheels, shellWheel{vector{at, side * half, radius - height}, radius, 0.5 * radius})
		}
	}
	b := &shellMaker{Shell: &Shell{}, front: math.Inf(-1), rear: math.Inf(1), wheels: u.wheels}
	if !b.measure() {
		t.Fatal("no wheels")
	}
	b.trailer(u)
	return b
}

// Trailers stand above the road, reach over their axles, and to the hitch. A semitrailer begins ahead of its hitch.
func TestTrailersReachToTheirHitch(t *testing.T) {
	for name, c := range map[string]struct {
		radius, half, height float64 // of the centre of mass above the road
		hitch                vector
		axles                []float64
		least, most          float64 // length of the body and its drawbar
		lowest, highest      float64 // of its top, above the road
		beyond               float64 // the hitch
	}{
		"semitrailer": {0.5, 1.02, 1.95, vector{5, 0, 1.15}, []float64{-1.4, -2.7, -4}, 11, 12.5, 3, 4.2, 1.2},
		"drawbar":     {0.5, 1.02, 1.8, vector{5, 0, 0.7}, []float64{0.5, -0.5}, 7, 11, 2, 4.2, 0},
		"caravan":     {0.33, 0.95, 0.8, vector{4, 0, 0.45}, []float64{0}, 6, 7, 1.6, 2.7, 0},
		"low":         {0.3, 0.75, 0.5, vector{2.8, 0, 0.4}, []float64{0}, 3.5, 5, 0.5, 1.3, 0},
	} {
		b := towed(t, c.radius, c.half, c.height, c.hitch, c.axles...)
		low, high := vector{99, 99, 99}, vector{-99, -99, -99}
		for _, p := range b.Points {
			for k := range p {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
		length, top, bottom := high[0]-low[0], high[2]+c.height, low[2]+c.height
		rear := c.axles[len(c.axles)-1]
		if length < c.least || length > c.most || top < c.lowest || top > c.highest || bottom < 0.1 || bottom > 0.7 ||
			math.Abs(high[0]-c.hitch[0]-c.beyond) > 0.05 || low[0] > rear-c.radius ||
			math.Abs(low[1]+high[1]) > 1e-9 {
			t.Errorf("%s is from %v to %v", name, low, high)
		}
		if len(b.Faces) > 250 {
			t.Errorf("%s has %d faces", name, len(b.Faces))
		}
		volume := 0.0
		for _, f := range b.Faces {
			a := b.Points[f.Points[0]]
			for i := 2; i < len(f.Points) && !f.Over; i++ {
				p, q := b.Points[f.Points[i-1]], b.Points[f.Points[i]]
				volume += (a[0]*(p[1]*q[2]-p[2]*q[1]) + a[1]*(p[2]*q[0]-p[0]*q[2]) + a[2]*(p[0]*q[1]-p[1]*q[0])) / 6
			}
		}
		if volume < 1 {
			t.Errorf("%s encloses %g m3", name, volume)
		}
	}
}

// Wheels belong to the unit that carries them, over rods and joints; the hitch is where units meet.
func TestUnitsOfACombination(t *testing.T) {
	m, err := vehicle.Read("../../../../resources/models/tractor_semitrailer.toml")
	if err != nil {
		t.Fatal(err)
	}
	names := candidates(m, func(frame string) bool { return frame == "tractor" })
	p := newPlacement(m, names)
	p.place(make([]float64, len(names)))
	list, named := units(m, p.known())
	if named || len(list) != 2 || list[0].frame != "tractor" || list[1].frame != "trailer" || !list[0].tows ||
		list[1].tows {
		t.Fatalf("%+v", list)
	}
	if len(list[0].wheels) != 6 && len(list[0].wheels) != 4 || len(list[1].wheels) != 6 {
		t.Errorf("%d and %d wheels", len(list[0].wheels), len(list[1].wheels))
	}
	if h := list[1].hitch; !list[1].hitched || math.Abs(h[0]-5.004) > 1e-6 || math.Abs(h[2]+0.8) > 1e-6 {
		t.Errorf("the hitch is at %v", h)
	}
	for _, w := range list[1].wheels {
		if w.at[0] > -1.3 || w.at[0] < -4.1 {
			t.Errorf("a wheel of the trailer is at %v", w.at)
		}
	}
}
