package harness_test

import (
	"bytes"
	"image"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/site/browser"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/vehicle"
)

// animated drives a model through a manoeuvre and makes its scene.
func animated(t *testing.T, file, driven string, duration float64) (*animation.Scene, *trace.Trace) {
	t.Helper()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := built.Path("resources", "models", file+".toml")
	loaded, err := library.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer loaded.Close()
	m, err := manoeuvre.Read(built.Path("resources", "manoeuvres", driven+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := drive.Simulate(loaded, drive.Plan{Manoeuvre: m, Duration: duration})
	if err != nil {
		t.Fatal(err)
	}
	text, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	scene, err := animation.New(text, run.Trace)
	if err != nil {
		t.Fatal(err)
	}
	return scene, run.Trace
}

// The wheels of a leaning, steering bicycle, with tire deflections of some millimetres, and of the half-car stay on the
// road at all times. Their frames follow from the recorded joint coordinates.
func TestAnimatedWheelsStandOnTheRoad(t *testing.T) {
	for _, c := range []struct {
		model, manoeuvre               string
		duration, clearance, tolerance float64
	}{{"bicycle", "bicycle_counter_steer", 8, -0.005, 0.003}, {"halfcar", "halfcar_150", 2, 0, 1e-6}} {
		scene, trace := animated(t, c.model, c.manoeuvre, c.duration)
		if len(scene.Missing) > 0 || len(scene.Times) != len(trace.Time) ||
			len(scene.Poses) != len(scene.Times)*scene.Frames {
			t.Fatalf("%s: missing %v, %d moments of %d, %d poses", c.model, scene.Missing, len(scene.Times),
				len(trace.Time), len(scene.Poses))
		}
		wheels := 0
		for _, s := range scene.Shapes {
			if s.Kind != "wheel" {
				continue
			}
			wheels++
			for n := range scene.Times {
				p := scene.Poses[n*scene.Frames+s.Frames[0]]
				w, x, y, z := p[3], p[4], p[5], p[6]
				axis := 2 * (y*z + w*x) // of the wheel, along the vertical
				if height := p[2] - s.Size[0]*math.Sqrt(1-axis*axis); !(math.Abs(height-c.clearance) <= c.tolerance) {
					t.Fatalf("%s: %s is %.7f m above the road at %g s", c.model, s.Name, height, scene.Times[n])
				}
				if length := w*w + x*x + y*y + z*z; !(math.Abs(length-1) <= 1e-9) {
					t.Fatalf("%s: a quaternion has the length %g", c.model, length)
				}
			}
		}
		if wheels != 2 {
			t.Errorf("%s: %d wheels", c.model, wheels)
		}
	}
}

// The page is self-contained, and a browser draws the vehicle, elsewhere at another time.
func TestAnimationIsDrawnInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	t.Parallel()
	for _, c := range []struct {
		model, manoeuvre string
		at               [2]string
		colours          [][3]int // of what must be seen
	}{
		{"bicycle", "bicycle_capsize", [2]string{"at=1", "at=12"}, [][3]int{{0x22, 0x22, 0x22}, {0x00, 0x72, 0xb2}}},
		{"motorcycle2d", "motorcycle2_drop_slope", [2]string{"at=0.1", "at=0.9"},
			[][3]int{{0xd5, 0x5e, 0x00}, {0x00, 0x9e, 0x73}, {0x8a, 0x4b, 0x08}}},
		{"generic4w", "generic4w_sine", [2]string{"at=0.5", "at=4"},
			[][3]int{{0x22, 0x22, 0x22}, {0x00, 0x72, 0xb2}, {0x00, 0x9e, 0x73}}},
	} {
		duration := 0.0
		if c.model != "motorcycle2d" {
			duration = 13
		}
		if c.model == "generic4w" {
			duration = 5
		}
		scene, _ := animated(t, c.model, c.manoeuvre, duration)
		var page bytes.Buffer
		if err := scene.Write(&page); err != nil {
			t.Fatal(err)
		}
		if link := regexp.MustCompile(`(?i)(?:src|href)\s*=|https?://`).FindString(
			strings.Replace(page.String(), `<link rel="icon" href="data:,">`, "", 1)); link != "" {
			t.Errorf("%s: the page holds %s", c.model, link)
		}
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, page.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		var pictures [2]image.Image
		for i, at := range c.at {
			var err error
			if pictures[i], err = browser.Picture(path, at); err != nil {
				t.Fatal(err)
			}
			for _, colour := range c.colours {
				if n := pixels(pictures[i], colour); n < 60 {
					t.Errorf("%s at %s: %d pixels have the colour %v", c.model, at, n, colour)
				}
			}
		}
		if n := different(pictures[0], pictures[1]); n < 2000 {
			t.Errorf("%s: only %d pixels differ between %v", c.model, n, c.at)
		}
	}
}

func pixels(p image.Image, colour [3]int) (n int) {
	for y := 60; y < 740; y++ { // between the texts
		for x := range 1280 {
			r, g, b, _ := p.At(x, y).RGBA()
			if d := math.Abs(float64(r>>8)-float64(colour[0])) + math.Abs(float64(g>>8)-float64(colour[1])) +
				math.Abs(float64(b>>8)-float64(colour[2])); d < 40 {
				n++
			}
		}
	}
	return n
}

func different(a, b image.Image) (n int) {
	for y := 60; y < 740; y++ {
		for x := range 1280 {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// A run that recorded nothing of the bodies, or no time, cannot be played, and says why.
func TestAnimationsThatCannotBe(t *testing.T) {
	m, err := vehicle.Read(built.Model("bicycle"))
	if err != nil {
		t.Fatal(err)
	}
	nothing := trace.New(trace.Named("tire_R.Fz"), 2)
	nothing.Append(0, []float64{1})
	if _, err := animation.New(m, nothing); err == nil || !strings.Contains(err.Error(), "1 samples") {
		t.Errorf("one sample: %v", err)
	}
	nothing.Append(1, []float64{1})
	if _, err := animation.New(m, nothing); err == nil ||
		!strings.Contains(err.Error(), "record positions and angles") {
		t.Errorf("no positions: %v", err)
	}
}
