package cosim

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/road"
)

// written writes a file in a folder of the test.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// crgText is an OpenCRG file of n cross-sections at distances of du [m].
func crgText(n int, du float64, v []float64, header string, phi func(i int) float64, z func(i, j int) float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, `$ROAD_CRG
REFERENCE_LINE_INCREMENT = %g
%s$KD_DEFINITION
#:LDFI
D:reference line phi,rad
`,
		du, header)
	for _, at := range v {
		fmt.Fprintf(&b, "D:long section at v = %g,m\n", at)
	}
	b.WriteString("$$$$\n")
	for i := range n {
		for k := range len(v) + 1 {
			if k > 0 && k%4 == 0 {
				b.WriteString("\n")
			}
			value := phi(i)
			if k > 0 {
				value = z(i, k-1)
			}
			fmt.Fprintf(&b, "%20.16f", value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func straight(int) float64 { return 0 }

// sections are lateral positions of long sections at equal distances.
func sections(right, left, distance float64) (v []float64) {
	for at := right; at <= left; at += distance {
		v = append(v, at)
	}
	return v
}

// onRoad is the generic vehicle on a terrain, initialised, with the given texts and numbers.
func onRoad(t *testing.T, terrain string, texts map[string]string, values map[string]float64, replace ...string) *ride {
	t.Helper()
	r := variantOf(t, "generic4w", "",
		append([]string{roadComponent, `[component.road]
type = "terrain"
` + terrain}, replace...)...)
	for name, text := range texts {
		if err := r.SetText(name, text); err != nil {
			t.Fatal(err)
		}
	}
	for name, v := range values {
		r.set(name, v)
	}
	if err := r.Initialise(); err != nil {
		t.Fatal(err)
	}
	return r
}

// drive makes steps of 1 ms with sine steer.
func (r *ride) drive(steps int) {
	r.t.Helper()
	for range steps {
		r.steer(0.02, 2)
		if err := r.Step(0.001); err != nil {
			r.t.Fatal(err)
		}
	}
}

// The same surface gives the same motion as a formula, a grid or a CRG. The motions agree to rounding where all numbers
// are exact in float32, otherwise to the precision of float32.
func TestGridFormulaAndCRGGiveEqualTrajectories(t *testing.T) {
	names := []string{"body.x", "body.y", "body.z", "body.yaw", "body.roll", "body.pitch", "body.vx", "body.vy",
		"body.wz", "tire_FL.Fy", "tire_RR.Fz", "wheel_RR.omega"}
	asGrid := func(cell, length float64, z func(x, y float64) float64) string {
		columns, rows := int((length+10)/cell)+1, int(16/cell)+1
		var b strings.Builder
		fmt.Fprintf(&b, "ncols %d\nnrows %d\nxllcenter -10\nyllcenter -8\ncellsize %g\n", columns, rows, cell)
		for k := range rows {
			for i := range columns {
				fmt.Fprintf(&b, "%.17g ", z(cell*float64(i)-10, 8-cell*float64(k)))
			}
		}
		return written(t, "grid.asc", b.String())
	}
	asCRG := func(cell, length float64, z func(x, y float64) float64) string {
		v := sections(-8, 8, cell)
		return written(t, "road.crg", crgText(int((length+10)/cell)+1, cell, v, "REFERENCE_LINE_START_X = -10\n",
			straight, func(i, j int) float64 { return z(cell*float64(i)-10, v[j]) }))
	}
	compare := func(what string, a, b *ride, tolerance float64) {
		for range 10 {
			a.drive(100)
			b.drive(100)
			for _, name := range names {
				want := a.get(name)
				b.near(fmt.Sprintf("%s: %s at %.1f s", what, name, b.Time()), b.get(name), want,
					tolerance*(1+math.Abs(want)))
			}
		}
	}
	bilinear := func(x, y float64) float64 { return x/64 + y/128 + x*y/1024 }
	begin := map[string]float64{"body.z": 0.8995}
	on := func(kind, file string) *ride {
		return onRoad(t, "", map[string]string{"road.kind": kind, "road.file": file}, begin)
	}
	for what, r := range map[string]*ride{"grid": on("grid", asGrid(2, 40, bilinear)),
		"CRG": on("crg", asCRG(2, 40, bilinear))} {
		compare(what, onRoad(t, "kind = \"formula\"\nformula = \"x/64 + y/128 + x*y/1024\"\n", nil, begin), r, 1e-9)
	}
	rough := func(x, y float64) float64 { return 0.01*math.Sin(1.3*x) + 0.007*math.Cos(0.9*x+1.1*y) }
	compare("rough", on("grid", asGrid(0.5, 40, rough)), on("crg", asCRG(0.5, 40, rough)), 1e-5)
}

// Factors of friction multiply, from all sources.
func TestFactorsOfFrictionMultiply(t *testing.T) {
	const terrain = "kind = \"flat\"\n"
	want := onRoad(t, terrain, nil, nil)
	want.set("road.mu", 0.3)
	map03 := written(t, "map.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n0.3 0.3 0.3 0.3\n")
	crg03 := written(t, "map.crg", crgText(3, 1, []float64{-1, 1}, "", straight,
		func(int, int) float64 { return 0.25 }))
	cases := map[string]*ride{
		"left and right": onRoad(t, terrain, nil, map[string]float64{"road.friction_left": 0.3,
			"road.friction_right": 0.3}),
		"formula": onRoad(t, terrain, map[string]string{"road.friction_kind": "formula",
			"road.friction_formula": "0.3 + 0*x"}, nil),
		"grid": onRoad(t, terrain, map[string]string{"road.friction_kind": "grid", "road.friction_file": map03}, nil),
		"all": onRoad(t, terrain+"friction = { left = 0.5, right = 0.5, kind = \"formula\", formula = \"0.75\" }\n",
			nil, nil),
		"crg": onRoad(t, terrain, map[string]string{"road.friction_kind": "crg", "road.friction_file": crg03}, nil),
	}
	cases["all"].set("road.mu", 0.8)
	cases["crg"].set("road.mu", 1.2)
	want.drive(1000)
	if flat := onRoad(t, terrain, nil, nil); true {
		flat.drive(1000)
		if math.Abs(flat.get("body.wz")-want.get("body.wz")) < 1e-3 {
			t.Fatal("a factor of 0.3 changes nothing")
		}
	}
	for what, r := range cases {
		r.drive(1000)
		for _, name := range []string{"body.x", "body.y", "body.yaw", "body.wz", "tire_FL.Fy", "tire_RR.Fx"} {
			r.near(what+": "+name, r.get(name), want.get(name), 1e-9*(1+math.Abs(want.get(name))))
		}
	}
}

// With ice under its left wheels a braking car turns to the right, where the grip is, and with ice to the right it
// turns to the left. Left and right are sides of the road's reference line.
func TestIceOnOneSideTurnsABrakingCar(t *testing.T) {
	along := written(t, "along.crg", crgText(60, 2, []float64{-8, 8}, "REFERENCE_LINE_START_X = -10\n", straight,
		func(int, int) float64 { return 0 }))
	against := written(t, "against.crg", crgText(60, 2, []float64{-8, 8}, "REFERENCE_LINE_START_X = 100\n",
		func(int) float64 { return math.Pi }, func(int, int) float64 { return 0 }))
	on := func(file string) map[string]string {
		return map[string]string{"road.kind": "crg", "road.file": file}
	}
	brake := func(r *ride) float64 {
		for _, w := range []string{"FL", "FR", "RL", "RR"} {
			r.set("brake_"+w+".torque", 800)
		}
		for range 500 {
			if err := r.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		return r.get("body.yaw")
	}
	ice := map[string]float64{"road.friction_left": 0.1}
	left := brake(onRoad(t, "kind = \"flat\"\n", nil, ice))
	right := brake(onRoad(t, "kind = \"flat\"\n", nil, map[string]float64{"road.friction_right": 0.1}))
	if !(left < -0.01 && right > 0.01) {
		t.Errorf("yaw %g with ice on the left, %g with ice on the right", left, right)
	}
	if yaw := brake(onRoad(t, "", on(along), ice)); !(math.Abs(yaw-left) <= 1e-9) {
		t.Errorf("yaw %g along a CRG, not %g", yaw, left)
	}
	if yaw := brake(onRoad(t, "", on(against), ice)); !(math.Abs(yaw-right) <= 1e-9) {
		t.Errorf("yaw %g against a CRG, not %g", yaw, right)
	}
}

// overpass is a road that passes below itself. It leads 40 m along x, then through three quarters of a circle to the
// left with a climb of 6 m, and crosses its beginning at x = 20 m.
func overpass() string {
	const radius, n = 10.0, 136
	turn := 1.5 * math.Pi
	first, last := 40, 40+int(math.Round(turn*radius))
	phi := func(i int) float64 {
		return turn * max(0, min(1, (float64(i-first)-0.5)/float64(last-first)))
	}
	climb := func(i, _ int) float64 { return 6 * max(0, min(1, float64(i-first)/float64(last-first))) }
	return crgText(n, 1, []float64{-4, 0, 4}, "REFERENCE_LINE_START_X = -10\n", phi, climb)
}

// A car passes below a bridge of its own road, on the ground. Saved below the bridge, it continues there to the last
// bit, also in another instance.
func TestPassingBelowTheOwnRoad(t *testing.T) {
	r := onRoad(t, "", map[string]string{"road.kind": "crg", "road.file": written(t, "overpass.crg", overpass())},
		map[string]float64{"body.x": -5})
	flat := onRoad(t, "kind = \"flat\"\n", nil, map[string]float64{"body.x": -5})
	bridge := 0
	var other *Instance
	for n := range 1500 {
		if err := r.Step(0.001); err != nil {
			t.Fatal(err)
		}
		if err := flat.Step(0.001); err != nil {
			t.Fatal(err)
		}
		r.near("height", r.get("body.z"), flat.get("body.z"), 1e-9)
		if t.Failed() {
			t.Fatalf("at x = %g m", r.get("body.x"))
		}
		if p := r.tires.surfaces[0].At(road.Query{X: r.get("body.x"), Above: 10, Near: road.Unknown}); p.Height > 5 {
			bridge++
		}
		if other != nil {
			if err := other.Step(0.001); err != nil {
				t.Fatal(err)
			}
			for i := range r.x {
				if math.Float64bits(r.x[i]) != math.Float64bits(other.x[i]) {
					t.Fatalf("%s differs %d steps after the start", r.stateName(i), n)
				}
			}
		}
		if bridge == 100 {
			saved := make([]byte, r.StateSize())
			if err := r.Save(saved); err != nil {
				t.Fatal(err)
			}
			var err error
			if other, err = r.sys.Instantiate(); err != nil {
				t.Fatal(err)
			}
			if err := other.Restore(saved); err != nil {
				t.Fatal(err)
			}
		}
	}
	if bridge < 200 || other == nil {
		t.Errorf("below the bridge for %d steps", bridge)
	}
}

// Where the road ends with nothing beyond, a car is in free fall.
func TestNoGroundBeyondTheRoad(t *testing.T) {
	text := strings.Replace(crgText(11, 1, []float64{-4, 4}, "REFERENCE_LINE_START_X = -5\n", straight,
		func(int, int) float64 { return 0 }), "$KD", `$ROAD_CRG_OPTS
BORDER_MODE_U = 0
$KD`, 1)
	sensors := ""
	for _, w := range []string{"FL", "FR", "RL", "RR"} {
		sensors += fmt.Sprintf(`
[component.at_%s]
type = "sensor"
to = "tire_%s"
`, w, w)
	}
	r := onRoad(t, sensors, map[string]string{"road.kind": "crg", "road.file": written(t, "short.crg", text)}, nil)
	var z []float64 // of the centre of mass of body, uprights and wheels
	for range 900 {
		if err := r.Step(0.001); err != nil {
			t.Fatal(err)
		}
		fz := 0.0
		for _, w := range []string{"FL", "FR", "RL", "RR"} {
			fz += r.get("tire_" + w + ".Fz")
		}
		centre := 2077 * r.get("body.z")
		for _, w := range []string{"FL", "FR", "RL", "RR"} {
			centre += (28 + 10) * r.get("at_"+w+".z")
		}
		if r.get("body.x") > 8 {
			if fz != 0 {
				t.Fatalf("at x = %g m the tires carry %g N", r.get("body.x"), fz)
			}
			z = append(z, centre/(2077+4*38))
		}
	}
	if len(z) < 300 {
		t.Fatalf("%d steps beyond the road", len(z))
	}
	for i := 100; i < len(z)-100; i++ {
		if a := (z[i+100] - 2*z[i] + z[i-100]) / 0.01; !(math.Abs(a+9.81) <= 1e-4) {
			t.Fatalf("the car falls with %g m/s2", a)
		}
	}
}

// Over a wave, the plane of an enveloping tire has the height of the wave times the mean cosine of its points, and the
// least-squares slope. For a footprint rotated relative to the wave, the rows along and across each contribute a mean.
func TestEnvelopingFiltersWaves(t *testing.T) {
	const length, width, points, wave = 0.16, 0.2, 4, 9.0
	r := onRoad(t, "kind = \"formula\"\nformula = \"0.02*sin(9*x)\"\n", nil, nil, "vertical_damping = 500",
		fmt.Sprintf("vertical_damping = 500\nenveloping = { length = %g, width = %g, points = %d }",
			length, width, points))
	plain := onRoad(t, "kind = \"formula\"\nformula = \"0.02*sin(9*x)\"\n", nil, nil)
	mean := func(extent, share float64) (cosines, slope float64) { // share: component along the wave
		square := 0.0
		for i := range points {
			a := extent * (float64(i)/(points-1) - 0.5)
			cosines += math.Cos(wave*share*a) / points
			slope += a * math.Sin(wave*share*a)
			square += a * a
		}
		return cosines, slope / square
	}
	for _, yaw := range []float64{0, 0.6, math.Pi / 2} {
		c, s := math.Cos(yaw), math.Sin(yaw)
		foot := &road.Footprint{Length: length, Width: width, Points: points, ForwardX: c, ForwardY: s}
		along, slopeAlong := mean(length, c)
		across, slopeAcross := mean(width, s)
		for _, x := range []float64{0, 0.1, 0.33, 0.9} {
			p := r.groundUnder(&r.sys.program.Uneven[0], foot, road.Query{X: x, Y: 0.7})
			r.near("height", p.Height, 0.02*math.Sin(wave*x)*along*across, 1e-15)
			// slopes forward and to the left: derivative of the wave times the sums over the points
			forward, left := 0.02*math.Cos(wave*x)*slopeAlong*across, -0.02*math.Cos(wave*x)*slopeAcross*along
			r.near("slope along x", p.SlopeX, forward*c-left*s, 1e-14)
			r.near("slope along y", p.SlopeY, forward*s+left*c, 1e-14)
			bare := plain.groundUnder(&plain.sys.program.Uneven[0], nil, road.Query{X: x, Y: 0.7})
			plain.near("height of a point", bare.Height, 0.02*math.Sin(wave*x), 1e-15)
		}
	}
}

// On a plane the mean plane is the plane itself, and the friction its mean.
func TestEnvelopingOnAPlane(t *testing.T) {
	terrain := `kind = "plane"
slope_x = 0.05
slope_y = -0.03
`
	footprint := []string{"vertical_damping = 500",
		"vertical_damping = 500\nenveloping = { length = 0.15, width = 0.2 }"}
	a, b := onRoad(t, terrain, nil, nil), onRoad(t, terrain, nil, nil, footprint...)
	a.drive(500)
	b.drive(500)
	for i := range a.x {
		b.near(b.stateName(i), b.x[i], a.x[i], 1e-10*(1+math.Abs(a.x[i])))
	}
	edge := onRoad(t, "kind = \"flat\"\nfriction = { kind = \"formula\", formula = \"1 - 0.6*step(x)\" }\n", nil,
		nil, footprint...)
	for x, want := range map[float64]float64{-1: 1, 1: 0.4, 0.01: 0.6} { // one row of three behind the edge
		if p := edge.groundUnder(&edge.sys.program.Uneven[0], &road.Footprint{Length: 0.15, Width: 0.2, Points: 3,
			ForwardX: 1}, road.Query{X: x}); !(math.Abs(p.Friction-want) <= 1e-15) {
			t.Errorf("friction %g at x = %g, not %g", p.Friction, x, want)
		}
	}
}

// The height of a road with a rate and an acceleration is their integral: with constant acceleration one long step is
// as good as many short ones.
func TestRoadHeightsIntegrateTheirAcceleration(t *testing.T) {
	const rate, acceleration, duration = -0.02, 0.3, 0.1
	ends := map[int]*ride{}
	for _, steps := range []int{1, 100} {
		r := loaded(t, "generic4w_fourpost", "", nil, nil)
		h := duration / float64(steps)
		for n := range steps {
			at := float64(n) * h
			r.set("post_FL.z", rate*at+acceleration*at*at/2)
			r.set("post_FL.z_dot", rate+acceleration*at)
			i, _ := r.sys.Find("post_FL.z_dot")
			if err := r.SetRate(i, acceleration); err != nil {
				t.Fatal(err)
			}
			if err := r.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		r.near("height", r.get("post_FL.z"), rate*duration+acceleration*duration*duration/2, 1e-15)
		r.near("rate", r.get("post_FL.z_dot"), rate+acceleration*duration, 1e-15)
		ends[steps] = r
	}
	for i, x := range ends[100].x {
		ends[1].near(ends[1].stateName(i), ends[1].x[i], x, 1e-12)
	}
}

// Doubtful roads give warnings.
func TestWarningsOfRoads(t *testing.T) {
	bend := written(t, "bend.crg", crgText(9, 1, []float64{-3, 3}, "", func(i int) float64 { return 0.5 * float64(i) },
		func(int, int) float64 { return 0 }))
	r := onRoad(t, "", map[string]string{"road.kind": "crg", "road.file": bend}, nil)
	if list := r.Warnings(); len(list) != 1 || !strings.Contains(list[0], "road: the grid folds") {
		t.Errorf("%q", list)
	}
}

func TestInvalidRoadsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`kind = "crg"`: "needs the key \"file\"", `friction = { kind = "grid" }`: "needs the key \"file\"",
		`friction = { kind = "plane" }`: "plane", "friction = { left = -1 }": "-1",
	} {
		data, err := os.ReadFile("../resources/models/generic4w.toml")
		if err != nil {
			t.Fatal(err)
		}
		path := written(t, "model.toml",
			strings.ReplaceAll(strings.Replace(string(data), roadComponent,
				`[component.road]
type = "terrain"
`+text+"\n", 1), "../tires", mustAbs(t, "../resources/tires")))
		if _, err := Load(path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	r := variantOf(t, "generic4w", "", roadComponent, "[component.road]\ntype = \"terrain\"\n")
	for text, want := range map[string]string{"hills": "there is no map of the kind \"hills\"",
		"grid": "friction: a terrain of the kind grid needs the key"} {
		if err := r.SetText("road.friction_kind", text); err != nil {
			t.Fatal(err)
		}
		if err := r.Initialise(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("friction_kind = %s: %v; want %s", text, err, want)
		}
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}

// A step allocates nothing on a CRG or with footprints.
func TestStepsOnRoadsAllocateNothing(t *testing.T) {
	r := onRoad(t, "modifiers = \"centred\"\n", map[string]string{
		"road.kind": "crg", "road.file": mustAbs(t, "../resources/roads/winding.crg"), "road.friction_kind": "grid",
		"road.friction_file": mustAbs(t, "../resources/roads/ice.asc"),
	}, nil,
		"vertical_damping = 500", "vertical_damping = 500\nenveloping = { length = 0.15, width = 0.2 }")
	if n := testing.AllocsPerRun(50, func() {
		if err := r.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}
