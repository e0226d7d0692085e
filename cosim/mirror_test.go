package cosim_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// mirrorImage returns a model in which every component, under its own name, is mirrored about the xz-plane.
func mirrorImage(t *testing.T, path string) *cosim.System {
	t.Helper()
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := d.Root.Field("component")
	typeOf := func(name string) *component.Type {
		word := parts.Field(name).Field("type").Text
		return &component.Types[slices.IndexFunc(component.Types, func(c component.Type) bool { return c.Word == word })]
	}
	mirrored := *parts
	mirrored.Fields = map[string]*document.Node{}
	for _, name := range parts.Keys {
		c, list := parts.Field(name), typeOf(name).Keys
		on := keys.CoordinateOf(c, list)
		joint := c.Field("joint")
		if c.Field("joints") != nil {
			joint = c.Field("over")
		}
		if joint != nil {
			on = keys.CoordinateOf(parts.Field(joint.Text), typeOf(joint.Text).Keys)
		}
		mirrored.Fields[name] = keys.Mirrored(c, list, on)
	}
	d.Root.Fields["component"] = &mirrored
	var text bytes.Buffer
	if err := document.Write(&text, d.Root.Without("base"), "component", func(string) string { return "" }); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Parse(text.Bytes(), path, vehicle.Opener(path))
	if err != nil {
		t.Fatal(err)
	}
	s, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s.At(path)
}

// A vehicle steers to the left with one left wheel braked, and its mirror image steers to the right. Their motions are
// mirrored: every output is equal or has the opposite sign.
func TestMirrorImagesMoveMirrored(t *testing.T) {
	testrun.Slow(t)
	for _, v := range []struct {
		file, body, brake string
		steering          []string // inputs: angles, which have a rate and an acceleration, or torques
		amplitude         float64  // of these inputs [rad] or [N m]
	}{
		{"passenger_car", "body", "", []string{"steering.angle"}, 0.6},
		{"passenger_car_free", "body", "", []string{"steering.torque"}, 3},
		{"car_trailer", "body", "brake_TL", []string{"steer_FL.angle", "steer_FR.angle"}, 0.03},
		{"tractor_semitrailer", "tractor", "", []string{"steering.angle"}, 0.6},
		{"truck3", "body", "brake_2L", []string{"steer_1L.angle", "steer_1R.angle"}, 0.03},
		{"skidder", "front", "brake_FL", []string{"articulation.angle"}, 0.1},
	} {
		path := "../resources/models/" + v.file + ".toml"
		left, right := load(t, v.file, ""), mirrorImage(t, path)
		if len(left.Variables()) != len(right.Variables()) {
			t.Fatalf("%s: the mirror image has other variables", v.file)
		}
		a, b := instance(t, left, "rk4", 0.001), instance(t, right, "rk4", 0.001)
		set := func(r *run, at, sign float64) {
			const w = 5.0
			for _, name := range v.steering {
				r.set(name, sign*v.amplitude*(1-math.Cos(w*at)))
				of, isAngle := strings.CutSuffix(name, ".angle")
				if !isAngle {
					continue
				}
				r.set(of+".rate", sign*v.amplitude*w*math.Sin(w*at))
				r.set(of+".acceleration", sign*v.amplitude*w*w*math.Cos(w*at))
			}
			if v.brake != "" {
				r.set(v.brake+".torque", 200)
			}
		}
		set(a, 0, 1)
		set(b, 0, -1)
		a.start(noInput)
		b.start(noInput)
		compareReflected(t, v.file, v.body, a, b, set)
	}
}

// Bushings of all laws and their mirror images move mirrored.
func TestMirroredBushingsMoveMirrored(t *testing.T) {
	const path = "testdata/bushings.toml"
	left, err := cosim.Load(path, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := instance(t, left, "rk4", 0.001), instance(t, mirrorImage(t, path), "rk4", 0.001)
	a.start(noInput)
	b.start(noInput)
	compareReflected(t, path, "block", a, b, func(*run, float64, float64) {})
	for _, name := range []string{"numbers", "coupled", "curved"} {
		for i, quantity := range []string{"dx", "dy", "dz", "rx", "ry", "rz", "Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
			sign := 1.0
			if k := i % 6; k == 2 || k == 3 || k == 4 {
				sign = -1
			}
			x, y := a.get(name+"."+quantity), b.get(name+"."+quantity)
			if math.Abs(x-sign*y) > 1e-12*(1+math.Abs(x)) || x == 0 {
				t.Errorf("%s.%s is %g, mirrored %g", name, quantity, x, y)
			}
		}
	}
}

// So does a hub that yields against its carrier.
func TestMirroredCompliancesMoveMirrored(t *testing.T) {
	const path = "testdata/compliance.toml"
	left, err := cosim.Load(path, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := instance(t, left, "rk4", 0.001), instance(t, mirrorImage(t, path), "rk4", 0.001)
	a.start(noInput)
	b.start(noInput)
	compareReflected(t, path, "hub", a, b, func(*run, float64, float64) {})
}

// Racks of all kinds and their mirror images move mirrored, with the steering wheels turned to the other side.
func TestMirroredRacksMoveMirrored(t *testing.T) {
	testrun.Slow(t)
	const path = "../harness/testdata/racks.toml"
	left, err := cosim.Load(path, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := instance(t, left, "rk4", 0.001), instance(t, mirrorImage(t, path), "rk4", 0.001)
	set := func(r *run, at, sign float64) {
		const w = 9.0
		for _, name := range []string{"held", "sliding", "free", "twisted", "whole"} {
			r.set(name+".angle", sign*1.5*(1-math.Cos(w*at)))
			r.set(name+".rate", sign*1.5*w*math.Sin(w*at))
			r.set(name+".acceleration", sign*1.5*w*w*math.Cos(w*at))
		}
		r.set("free.torque", sign*2)
	}
	set(a, 0, 1)
	set(b, 0, -1)
	a.start(noInput)
	b.start(noInput)
	compareReflected(t, path, "cart", a, b, set)
}

// compareReflected steps both runs for 0.4 s and compares all their outputs and states.
func compareReflected(t *testing.T, file, body string, a, b *run, set func(r *run, at, sign float64)) {
	t.Helper()
	n := len(a.in.System().Variables())
	same, opposite, size := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range 400 {
		for i, v := range a.in.System().Variables() {
			if v.Kind != cosim.Output && v.Kind != cosim.State {
				continue
			}
			x, y := a.get(v.Name), b.get(v.Name)
			same[i], opposite[i] = max(same[i], math.Abs(x-y)), max(opposite[i], math.Abs(x+y))
			size[i] = max(size[i], math.Abs(x))
		}
		at := float64(k) * 0.001
		set(a, at, 1)
		set(b, at, -1)
		a.step(0.001)
		b.step(0.001)
	}
	worst, of := 0.0, ""
	for i, v := range a.in.System().Variables() {
		if e := min(same[i], opposite[i]) / max(1, size[i]); e > worst || e != e {
			worst, of = e, v.Name
		}
	}
	t.Logf("%s: %.3g (%s)", file, worst, of)
	if !(worst <= 1e-12) {
		t.Errorf("%s: %s differs from its mirror image by %g", file, of, worst)
	}
	for _, name := range []string{"y", "yaw", "vy", "wz", "roll"} {
		x, y := a.get(body+"."+name), b.get(body+"."+name)
		if math.Abs(x+y) > 1e-12*max(1, math.Abs(x)) || x == 0 {
			t.Errorf("%s: %s.%s is %g and %g; want opposite values, not 0", file, body, name, x, y)
		}
	}
	if x, y := a.get(body+".x"), b.get(body+".x"); math.Abs(x-y) > 1e-12*math.Abs(x) {
		t.Errorf("%s: %s.x is %g and %g; want equal values", file, body, x, y)
	}
}
