package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/results/report"
)

func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// Pictures are kept as they are made. Those of long runs are not compared here; ./build.sh pictures makes them. A
// thinned run compares every fourth one, which is some of each kind.
func TestPicturesMatchTheirSources(t *testing.T) {
	testrun.Slow(t)
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{library: l, resources: built.Path("resources")}
	compared := 0
	for i, p := range pictures() {
		kept, err := os.ReadFile(built.Path(folder, p.name))
		if err != nil {
			t.Errorf("%v; make it by ./build.sh pictures %s", err, p.name)
			continue
		}
		if strings.HasSuffix(p.name, ".svg") && len(kept) > 40_000 {
			t.Errorf("%s has %d bytes; at most 40000", p.name, len(kept))
		}
		if p.long || i%testrun.Either(8, 1) > 0 {
			continue
		}
		compared++
		data, err := p.draw(w)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
		} else if !bytes.Equal(data, kept) {
			t.Errorf("%s is another picture than the sources give; renew it by ./build.sh pictures %s, and look at it",
				p.name, p.name)
		}
	}
	if compared < testrun.Either(17, 150) {
		t.Errorf("only %d pictures were compared", compared)
	}
}

// unpictured lists models and manoeuvres without a picture: parts of systems, and variants that look like others.
var unpictured = []string{"driver_lane_change", "electric_axle_car", "electric_axle_car_controlled",
	"electric_two_motor_car", "electric_four_motor_car",
	"tire_pacejka2002", "generic4w_outside", "generic4w_carcass",
	"skidder_carcass", "passenger_car_free", "fuse_box",
	"passenger_car_manual", "passenger_car_sensors", "halfcar_printed", "bicycle_controlled",
	"redbike_gyroscope_controlled", "double_lane_change_limit", "obstacle_avoidance_limit"}

// pageOf is the page of the documentation that shows a picture.
func pageOf(p picture) []string {
	for _, s := range sources {
		if strings.HasPrefix(p.name, "figure_"+s.name+"_") {
			return []string{"docs", "figures", s.name + ".md"}
		}
	}
	switch p.name {
	case "kc.svg":
		return []string{"docs", "kc.md"}
	case "graph_networks.svg":
		return []string{"docs", "networks.md"}
	}
	return []string{"docs", "gallery.md"}
}

// Every figure of a paper is named after the paper, so the paper's page shows the figure. Axes name the plotted
// quantity once, with its unit, and titles are no wider than the picture.
func TestLabelsOfPictures(t *testing.T) {
	for _, c := range [][4]string{ // title, label of x and y, wanted
		{"Speed", "time, s", "speed, m/s", "speed, m/s"}, {"Wheel loads", "time, s", "load, kN", "wheel loads, kN"},
		{"Yaw rate", "time, s", "deg/s", "yaw rate, deg/s"},
		{"Steering wheel by lateral acceleration", "a_y, m/s2", "deg", "steering wheel, deg"},
		{"Yaw rate by steering wheel: gain", "frequency, Hz", "1/s", "yaw rate gain, 1/s"},
		{"Density of vertical accelerations", "frequency, Hz", "(m/s2)2/Hz", "density, (m/s2)2/Hz"},
		{"Path of the centre of mass", "x, m", "y, m", "y, m"},
	} {
		p := &report.Plot{X: report.Axis{Label: c[1]}, Y: report.Axis{Label: c[2]}}
		if got := labelled(c[0], p); got != c[3] {
			t.Errorf("%s: %q, want %q", c[0], got, c[3])
		}
	}
	if got := wrapped("Steady circle with the wheel held", 13); !slices.Equal(got,
		[]string{"Steady circle", "with the", "wheel held"}) {
		t.Errorf("%q", got)
	}
	if got := wrapped("Half-car, 550 N m, after ISO 4138", 14); !slices.Equal(got,
		[]string{"Half-car,", "550 N m, after", "ISO 4138"}) {
		t.Errorf("%q", got)
	}
	if got := wrapped("Rearward", 3); !slices.Equal(got, []string{"Rearward"}) || wrapped("", 3) != nil {
		t.Errorf("%q", got)
	}
}

func TestFiguresAreCalledAfterTheirSource(t *testing.T) {
	for _, s := range sources {
		for _, p := range s.figures {
			if !strings.HasPrefix(p.name, "figure_"+s.name+"_") {
				t.Errorf("%s is a figure of %s; call it figure_%s_<figure>.svg", p.name, s.name, s.name)
			}
		}
	}
}

// Every vehicle and every manoeuvre has a picture, which the gallery shows, and every file of the folder is one.
func TestAllVehiclesAndManoeuvresArePictured(t *testing.T) {
	gallery, err := os.ReadFile(built.Path("docs", "gallery.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, p := range pictures() {
		if names[p.name] {
			t.Errorf("two pictures are called %s", p.name)
		}
		names[p.name] = true
		page := pageOf(p)
		text, err := os.ReadFile(built.Path(page...))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), "pictures/"+p.name+")") {
			t.Errorf("%s does not show %s", filepath.Join(page...), p.name)
		}
	}
	for kind, prefix := range map[string]string{"models": "", "manoeuvres": "manoeuvre_"} {
		files, err := filepath.Glob(built.Path("resources", kind, "*.toml"))
		if err != nil || len(files) == 0 {
			t.Fatal(kind, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".toml")
			if !names[prefix+name+".svg"] && !slices.Contains(unpictured, name) {
				t.Errorf("%s has no picture; give it a row in the tables of harness/site/pictures", file)
			}
			if !strings.Contains(string(gallery), "(../resources/"+kind+"/"+name+".toml)") {
				t.Errorf("docs/gallery.md does not lead to %s", file)
			}
		}
	}
	files, err := os.ReadDir(built.Path(folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !names[file.Name()] {
			t.Errorf("%s/%s is none of the pictures; ./build.sh pictures removes it", folder, file.Name())
		}
	}
}

// A curve without the points that are left out runs within the tolerance of all of them, and through its peaks.
func TestSimplifiedCurvesStayNear(t *testing.T) {
	const n, part = 2000, 1.0 / 500
	c := report.Curve{}
	for k := range n {
		x := float64(k) / n
		c.X, c.Y = append(c.X, x), append(c.Y, math.Sin(30*x)*math.Exp(-3*x))
	}
	c.Y[777] = 4 // a peak
	p := &report.Plot{}
	s := simplified(c, p, []report.Curve{c}, part)
	if len(s.X) > n/4 || !slices.Contains(s.Y, 4) || s.X[0] != c.X[0] || s.X[len(s.X)-1] != c.X[n-1] {
		t.Errorf("%d of %d points stay, from %g to %g", len(s.X), n, s.X[0], s.X[len(s.X)-1])
	}
	high, low := slices.Max(c.Y), slices.Min(c.Y)
	for k, x := range c.X {
		i := max(1, min(len(s.X)-1, searchAfter(s.X, x)))
		share := (x - s.X[i-1]) / (s.X[i] - s.X[i-1])
		y := s.Y[i-1] + share*(s.Y[i]-s.Y[i-1])
		steep := math.Abs(s.Y[i]-s.Y[i-1])/(high-low) > (s.X[i] - s.X[i-1])
		if !steep && math.Abs(y-c.Y[k])/(high-low) > 2*part {
			t.Errorf("at %g the curve was %g, and is %g", x, c.Y[k], y)
		}
	}
}

func searchAfter(list []float64, x float64) int {
	i, found := slices.BinarySearch(list, x)
	if found {
		i++
	}
	return i
}

// From ahead, from the right and from above a box shows three faces, and those that look there.
func TestBoxShowsItsVisibleFaces(t *testing.T) {
	c := pictured{"", -45, 30}.camera()
	upright := [7]float64{1, 2, 3, 1, 0, 0, 0}
	faces := c.box(upright, vector{2, 4, 6})
	if len(faces) != 3 {
		t.Fatalf("%d faces", len(faces))
	}
	for i, want := range []struct {
		axis int
		at   float64
	}{{0, 2}, {1, 0}, {2, 6}} { // ahead, to the right, above
		for _, corner := range faces[i].points {
			if math.Abs(corner[want.axis]-want.at) > 1e-12 {
				t.Errorf("a corner of face %d is at %v", i, corner)
			}
		}
	}
	half := math.Sqrt2 / 2
	turned := c.box([7]float64{0, 0, 0, half, 0, 0, half}, vector{2, 4, 6}) // a quarter to the left: y is length now
	if len(turned) != 3 || math.Abs(math.Abs(turned[0].points[0][1])-1) > 1e-12 {
		t.Errorf("turned to the left: %v", turned)
	}
}

// The outline of a wheel holds all its points, is convex, and as broad as the wheel is.
func TestWheelOutlineEnclosesTheWheel(t *testing.T) {
	v := pictured{"", -55, 22}
	c := v.camera()
	pieces := c.wheel([7]float64{0, 0, 0.3, 1, 0, 0, 0}, 0.3, 0.2)
	outline := pieces[0].points
	for i := range outline {
		a, b := outline[i], outline[(i+1)%len(outline)]
		for _, piece := range pieces[1:] {
			for _, p := range piece.points {
				x, y := dot(b, c.right)-dot(a, c.right), dot(b, c.up)-dot(a, c.up)
				if x*(dot(p, c.up)-dot(a, c.up))-y*(dot(p, c.right)-dot(a, c.right)) < -1e-12 {
					t.Fatalf("%v is outside of the outline", p)
				}
			}
		}
	}
	for _, p := range pieces[1].points {
		if p[1] != -0.1 {
			t.Errorf("seen from the right, the side at y = %g is shown", p[1])
		}
	}
}

// Near pieces are drawn over far ones, and all of them lie within the picture.
func TestPiecesLieInThePictureTheFarOnesFirst(t *testing.T) {
	scene := &animation.Scene{Title: "two <balls>", Shapes: []animation.Shape{
		{Kind: "ball", Frames: []int{0}, Size: vector{0.1}}, {Kind: "ball", Frames: []int{1}, Size: vector{0.2}}},
		Poses: [][7]float64{{2, 0, 0, 1}, {0, 0, 1, 1}}}
	d := pictured{"", 0, 0}.view(scene) // from ahead: the first is nearer
	text := string(d.svg())
	if !strings.Contains(text, "<title>two &lt;balls&gt;</title>") {
		t.Error("the title is not that of the scene")
	}
	circles := strings.Split(text, "<circle")[1:]
	if len(circles) != 2 || !strings.Contains(circles[1], "cy=\"266.8\"") {
		t.Errorf("the nearer ball, which is below, is not the last of %q (height %g)", circles, d.height)
	}
}

// Of many curves as many are shown as there are colours, from the first to the last.
func TestManyCurvesAreThinnedOut(t *testing.T) {
	for n := 1; n < 40; n++ {
		some := someOf(make([]report.Curve, n))
		if len(some) != min(n, mostCurves) {
			t.Errorf("%d of %d curves are shown", len(some), n)
		}
		curves := make([]report.Curve, n)
		for i := range curves {
			curves[i].X = []float64{float64(i)}
		}
		some = someOf(curves)
		last := -1.0
		for _, c := range some {
			if c.X[0] <= last {
				t.Errorf("of %d curves, %g is shown behind %g", n, c.X[0], last)
			}
			last = c.X[0]
		}
		if some[0].X[0] != 0 || last != float64(n-1) {
			t.Errorf("of %d curves those from %g to %g are shown", n, some[0].X[0], last)
		}
	}
}

// Figure 3.4 of Morency (2007): by how much the effective radius is below the unloaded one, computed by the printed
// equation on its own [mm].
func TestRadiiOfATire(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	curves, err := radii(&workshop{library: l, resources: built.Path("resources")})
	if err != nil {
		t.Fatal(err)
	}
	for load, want := range map[float64]float64{1000: 6.864, 2000: 8.710, 4850: 10.675, 8000: 12.014} {
		i := slices.IndexFunc(curves[0].X, func(x float64) bool { return math.Abs(x-load) < 1e-6 })
		if i < 0 {
			t.Fatalf("there is no point at %g N", load)
		}
		if got := 1e3 * (curves[0].Y[i] - curves[2].Y[i]); math.Abs(got-want) > 5.1e-4 {
			t.Errorf("at %g N the effective radius is %.4f mm below the unloaded one, want %.3f mm", load, got, want)
		}
		if got, want := curves[0].Y[i]-curves[1].Y[i], load/210e3; math.Abs(got-want) > 1e-9 {
			t.Errorf("at %g N the tire is deflected by %g m, want %g m", load, got, want)
		}
	}
}
