package harness_test

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

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

// The page is self-contained. A browser draws the vehicle with both renderers, elsewhere at another time, and all
// frames stand where the run has them.
func TestAnimationIsDrawnInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	t.Parallel()
	for _, c := range []struct {
		model, manoeuvre string
		duration         float64
		shell            bool
	}{
		{"bicycle", "bicycle_capsize", 13, false},
		{"motorcycle2d_vertical", "motorcycle1_drive", 3, false},
		{"generic4w", "generic4w_sine", 5, true},
		{"passenger_car", "passenger_car_sine", 3, true},
		{"tractor_semitrailer", "tractor_semitrailer_sine", 4, true},
	} {
		scene, _ := animated(t, c.model, c.manoeuvre, c.duration)
		if (scene.Shell != nil) != c.shell {
			t.Errorf("%s has a shell: %v", c.model, scene.Shell != nil)
		}
		var page bytes.Buffer
		if err := scene.Write(&page); err != nil {
			t.Fatal(err)
		}
		if link := regexp.MustCompile(`(?i)<[a-z]+[^>]+(?:src|href)\s*=`).FindString(
			strings.Replace(page.String(), `<link rel="icon" href="data:,">`, "", 1)); link != "" {
			t.Errorf("%s: the page holds %s", c.model, link)
		}
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, page.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, renderer := range []string{"painter", "webgl"} {
			var pictures [2]image.Image
			for i, at := range []int{len(scene.Times) / 5, len(scene.Times) * 9 / 10} {
				var ready string
				var frames [][]float64
				var err error
				pictures[i], err = browser.Picture(path, fmt.Sprintf("at=%g&renderer=%s", scene.Times[at], renderer),
					chromedp.WaitReady("html[data-ready]"),
					chromedp.Evaluate("document.documentElement.dataset.ready", &ready),
					chromedp.Evaluate(placedFrames, &frames))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.EqualFold(ready, renderer) {
					t.Errorf("%s is drawn by %s, want %s", c.model, ready, renderer)
				}
				compareFrames(t, c.model, scene, at, frames)
				if renderer == "painter" {
					var reach []float64
					if _, err := browser.Picture(path, fmt.Sprintf("at=%g&renderer=painter", scene.Times[at]),
						chromedp.WaitReady("html[data-ready]"), chromedp.Evaluate(reaches, &reach)); err != nil ||
						len(reach) != 3 || slices.Max(reach) > 1 {
						t.Errorf("%s: from three cameras the parts reach to %.3f of the picture's edges (%v)", c.model, reach, err)
					}
				}
			}
			if renderer == "webgl" {
				var shares []float64
				if _, err := browser.Picture(path, "at=1&renderer=webgl", chromedp.WaitReady("html[data-ready]"),
					chromedp.Evaluate(silhouettes, &shares)); err != nil || len(shares) != 3 || slices.Min(shares) < 0.9 {
					t.Errorf("%s: silhouettes by both renderers agree by %.3f (%v)", c.model, shares, err)
				}
			}
			if n := different(pictures[0], pictures[1]); n < 2000 {
				t.Errorf("%s, %s: only %d pixels differ", c.model, renderer, n)
			}
		}
	}
}

// placedFrames are position and quaternion of all frames in the scene graph, as it was drawn.
const placedFrames = `(() => {
	const { own, motion } = Skidpad.shown, origin = motion.poses[own.description.chassis];
	return own.frames.map(f => [f.position.x + origin[0], f.position.y + origin[1], f.position.z + origin[2],
		f.quaternion.w, f.quaternion.x, f.quaternion.y, f.quaternion.z]);
})()`

// reaches are how far the parts of a vehicle are from the middle of the picture at most, by the distance of its edges:
// seen from behind and from above, and from beside a wheel that wheel alone.
const reaches = `(() => {
	const { own, camera, picture } = Skidpad.shown, frames = new Set(own.description.shapes.flatMap(s => s.frames));
	return ['chase', 'top', 'wheel'].map(mode => {
		camera.choose(mode);
		picture(0);
		const lens = camera.lens, wheel = mode === 'wheel' && own.wheels[0], up = new THREE.Vector3(0, wheel ? wheel.radius : 0, 0);
		up.applyQuaternion(lens.quaternion);
		const reach = f => {
			const p = own.frames[f].position.clone().add(up).project(lens);
			return Math.max(Math.abs(p.x), Math.abs(p.y));
		};
		return Math.max(...(wheel ? [wheel.frame] : [...frames]).map(reach));
	});
})()`

// silhouettes are the areas that both renderers draw, by the areas that one of them draws, from three cameras.
const silhouettes = `(() => {
	const { own, camera, renderer, picture } = Skidpad.shown, painter = new Skidpad.Painter(document.createElement('canvas'));
	own.forces = false;
	const drawn = by => {
		by.draw([own], [], camera.lens);
		const copy = document.createElement('canvas');
		[copy.width, copy.height] = [renderer.canvas.width, renderer.canvas.height];
		const g = copy.getContext('2d');
		g.drawImage(by.canvas, 0, 0);
		return g.getImageData(0, 0, copy.width, copy.height).data;
	};
	return ['chase', 'top', 'wheel'].map(mode => {
		camera.choose(mode);
		picture(0);
		painter.size(renderer.canvas.width, renderer.canvas.height, 1);
		const a = drawn(painter), b = drawn(renderer);
		let both = 0, one = 0;
		for (let i = 3; i < a.length; i += 4) {
			both += a[i] > 40 && b[i] > 40;
			one += a[i] > 40 || b[i] > 40;
		}
		return one > 2000 ? both / one : 0;
	});
})()`

// compareFrames compares frames with a moment of the run.
func compareFrames(t *testing.T, model string, scene *animation.Scene, at int, frames [][]float64) {
	t.Helper()
	if len(frames) != scene.Frames || scene.Frames == 0 {
		t.Fatalf("%s: %d frames of %d", model, len(frames), scene.Frames)
	}
	for i, f := range frames {
		want := scene.Poses[at*scene.Frames+i]
		dot := 0.0
		for k := 3; k < 7; k++ {
			dot += f[k] * want[k]
		}
		off := 2 * math.Sqrt(max(0, 1-dot*dot)) // rad
		for k := range 3 {
			off = max(off, math.Abs(f[k]-want[k]))
		}
		if !(off < 2e-5) {
			t.Errorf("%s: %s is %.2g m or rad off at %g s", model, scene.Names[i], off, scene.Times[at])
		}
	}
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
