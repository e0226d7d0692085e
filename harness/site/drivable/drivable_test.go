package drivable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"skidpad/capi/standalone"
	"skidpad/harness/library"
	"skidpad/harness/site/browser"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

var root = built.Path()

// compilers skips a test of compiled vehicles in a browser, where it does not belong.
func compilers(t *testing.T) {
	t.Helper()
	testrun.OnlyAll(t)
	testrun.InStage(t, "compilers")
	testrun.Requires(t, "clang", "wasm-ld")
	testrun.RequiresOne(t, browser.Names...)
}

// pageOf writes the page of a model.
func pageOf(t *testing.T, model string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "page.html")
	page, err := Page(root, model, filepath.Join(t.TempDir(), "module"), "<a href=\"page.html\">manual</a>")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// visit opens a page of the disk and fails where the browser complains.
func visit(t *testing.T, path string, actions ...chromedp.Action) {
	t.Helper()
	var complaints []string
	hear := chromedp.ActionFunc(func(ctx context.Context) error {
		chromedp.ListenTarget(ctx, func(event any) {
			switch e := event.(type) {
			case *runtime.EventExceptionThrown:
				complaints = append(complaints, e.ExceptionDetails.Error())
			case *log.EventEntryAdded:
				complaints = append(complaints, e.Entry.Text)
			}
		})
		return log.Enable().Do(ctx)
	})
	all := append([]chromedp.Action{hear, chromedp.Reload(), chromedp.WaitReady("html[data-ready]")}, actions...)
	if err := browser.Visit(path, 1280, all...); err != nil {
		t.Fatal(err)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// part is a part of a drive: a command for a number of slices.
type part struct {
	Slices int
	live.Command
}

// drives are the parts of a drive of five seconds: devices, gears where there are any, and a standstill at the end.
var drives = []part{
	{1200, live.Command{Keys: live.KeyThrottle}},
	{400, live.Command{Keys: live.KeyThrottle | live.KeyLeft}},
	{400, live.Command{Keys: live.KeyRight | live.KeyFine | live.KeyHold}},
	{500, live.Command{Device: live.Gamepad, Steering: 0.6, Throttle: 0.7, Brake: 0.1}},
	{500, live.Command{Device: live.Gamepad, Steering: -0.4, Throttle: 1, Clutch: 0.2}},
	{1000, live.Command{Device: live.Program, Steering: 0.8, Throttle: 0.3}},
	{1000, live.Command{Keys: live.KeyBrake | live.KeyHandBrake, Gear: -1}},
}

// A vehicle in a page has the outputs of the library's vehicle with the driver's law of Go, after five seconds of
// commands of all devices. Only the power function of gamepads may differ in its last bits.
func TestVehiclesInPagesAreDrivenAsByTheCommand(t *testing.T) {
	compilers(t)
	for _, model := range Models {
		path := pageOf(t, model.Name)
		text, err := json.Marshal(drives)
		if err != nil {
			t.Fatal(err)
		}
		script := fmt.Sprintf(`new Promise((done, failed) => {
			const v = Skidpad.connect()
			v.onmessage = () => {}
			v.onclose = e => failed(e.reason)
			v.onopen = () => {
				const last = []
				for (const { Slices, ...command } of %s) {
					for (const of of ['Steering', 'Throttle', 'Brake', 'Clutch']) command[of] = Math.fround(command[of])
					for (let i = 0; i < Slices; i++) if (!v.step(command)) failed('a step')
					last.push([...v.outputs])
				}
				done({ names: v.of.outputs, last, time: v.exports.time() })
			}
		})`, text)
		var got struct {
			Names []string
			Last  [][]float64
			Time  float64
		}
		await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
		visit(t, path, chromedp.Evaluate(script, &got, await))
		want := drivenByTheCommand(t, model.Name, got.Names)
		if math.Abs(got.Time-5) > 1e-9 || len(got.Last) != len(want) {
			t.Fatalf("%s: %g s, %d parts", model.Name, got.Time, len(got.Last))
		}
		differing := 0
		for k := range want {
			for i, name := range got.Names {
				x, y := got.Last[k][i], want[k][i]
				if x != y {
					differing++
				}
				if !(math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))) {
					t.Errorf("%s: %s is %g in the page, %g by the command, at the end of part %d", model.Name, name, x, y, k)
				}
			}
		}
		t.Logf("%s: %d of %d numbers differ", model.Name, differing, len(want)*len(got.Names))
	}
}

// drivenByTheCommand are the outputs of the library's vehicle at the ends of the parts of the drive.
func drivenByTheCommand(t *testing.T, model string, names []string) (list [][]float64) {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := built.Model(model)
	v, err := lib.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	target.Find = func(o *roles.Roles) (map[string]float64, error) {
		of := cardraft.Vehicle{Roles: o, Open: func() (drive.Subject, func(), error) {
			v, err := lib.Load(path, "")
			return v, func() { v.Close() }, err
		}}
		return of.Find()
	}
	car, err := manoeuvre.ReadDrivenCar(target, 0)
	if err != nil {
		t.Fatal(err)
	}
	plan := &drive.Plan{Manoeuvre: &manoeuvre.Manoeuvre{Name: "drive", Start: car.Start, Roles: car.Roles}}
	if _, err := plan.Prepare(v, slice); err != nil {
		t.Fatal(err)
	}
	loop, err := live.New(v, car, live.Options{Step: slice, Outputs: names})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(ctx) }()
	go func() {
		for range loop.Events {
		}
	}()
	var last []float64
	empty := func() {
		for r := loop.Take(); r != nil; r = loop.Take() {
			last = append(last[:0], r.Outputs[:len(names)]...)
			loop.Taken()
		}
	}
	for _, p := range drives {
		loop.Drive(p.Command)
		for n := p.Slices; n > 0; n -= 100 {
			if err := loop.Advance(ctx, 100); err != nil {
				t.Fatal(err)
			}
			empty()
		}
		list = append(list, append([]float64{}, last...))
	}
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return list
}

// key is a key of the page.
func key(code string, number int64, kind input.KeyType) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return input.DispatchKeyEvent(kind).WithCode(code).WithKey(strings.TrimPrefix(code, "Key")).
			WithWindowsVirtualKeyCode(number).Do(ctx)
	})
}

// until waits until the vehicle is at a time, or later.
func until(seconds float64) chromedp.Action {
	return chromedp.Poll(fmt.Sprintf("Number(document.documentElement.dataset.time) >= %g", seconds), nil,
		chromedp.WithPollingInterval(10*time.Millisecond), chromedp.WithPollingTimeout(2*time.Minute))
}

// A reader opens the page from the disk, and drives: throttle, then to the left. Pause, rewind, marks, reset and plots
// work. A page without keys pauses.
func TestAReaderDrivesThePage(t *testing.T) {
	compilers(t)
	const up, left = "ArrowUp", "ArrowLeft"
	var straight, turned, back, marked, returned, reset, before [7]float64
	var speed, status string
	var paused, later float64
	var plotted int
	chassis := func(to *[7]float64) chromedp.Action {
		return chromedp.Evaluate(`[...Skidpad.driven.states.at(-1).poses[Skidpad.driven.stage.look.chassis]]`, to)
	}
	now := func(to *float64) chromedp.Action { return chromedp.Evaluate(`Skidpad.driven.states.at(-1).time`, to) }
	pressed := func(letter string) chromedp.Action {
		return chromedp.Tasks{key(letter, 0, input.KeyDown), key(letter, 0, input.KeyUp)}
	}
	visit(t, pageOf(t, Models[0].Name), chromedp.Evaluate("document.activeElement.blur()", nil),
		key(up, 38, input.KeyDown), until(3), chassis(&straight), pressed("KeyM"), chassis(&marked),
		key(left, 37, input.KeyDown), until(5), chassis(&turned), chromedp.Text(".hud-speed", &speed),
		key(left, 37, input.KeyUp), key(up, 38, input.KeyUp),
		chromedp.Click("#pause"), chromedp.WaitVisible("#pause[aria-pressed=false]"), now(&paused),
		chromedp.Sleep(200*time.Millisecond), now(&later), pressed("KeyN"), chassis(&returned),
		chromedp.Click("#reset"), chassis(&reset),
		key(up, 38, input.KeyDown), until(2), key(up, 38, input.KeyUp), chassis(&before), chromedp.Click("#back"),
		chassis(&back),
		chromedp.Evaluate("dispatchEvent(new Event('blur'))", nil),
		chromedp.Poll("document.getElementById('status').textContent.includes('nobody drives')", nil),
		chromedp.Text("#status", &status), chromedp.Click("#plots-toggle"), chromedp.WaitVisible("#plots-list input"),
		chromedp.Evaluate(`(field => { field.value = 'body.wz'; field.dispatchEvent(new Event('input')) })`+
			`(document.querySelector('#plots-list input'))`, nil),
		chromedp.WaitVisible("#plots-list .uplot"), chromedp.Evaluate(`Skidpad.driven.states.at(-1).chosen.length`, &plotted))
	heading := func(p [7]float64) float64 { return 2 * math.Atan2(p[6], p[3]) } // level ground
	switch {
	case straight[0] < 5 || math.Abs(straight[1]) > 0.1:
		t.Errorf("after 3 s of throttle it is at %v", straight)
	case heading(turned) < 0.2 || turned[1] < 0.5:
		t.Errorf("after 2 s to the left it is at %v", turned)
	case !regexp.MustCompile(`^\d\d+ km/h +[2-5]$`).MatchString(speed):
		t.Errorf("the speed is %q", speed)
	case plotted != 1:
		t.Errorf("%d signals are plotted", plotted)
	case paused != later:
		t.Errorf("paused at %g s, then at %g s", paused, later)
	case returned[0] < straight[0] || returned[0] > marked[0]:
		t.Errorf("marked from %v to %v, returned to %v", straight, marked, returned)
	case math.Abs(reset[0]) > 0.1 || before[0] < 5 || back[0] > before[0]/2:
		t.Errorf("reset to %v, from %v back to %v", reset, before, back)
	}
}

// The page fits phones and screens. It needs no network, and its content policy allows no more than its own scripts.
func TestThePageIsShownWithoutFaults(t *testing.T) {
	compilers(t)
	if err := browser.CheckSite(filepath.Dir(pageOf(t, Models[0].Name)), []int{360, 1280}); err != nil {
		t.Error(err)
	}
}

// Without clang and the linker there is an error that names them. A vehicle that has been compiled from the same files
// needs neither.
func TestAVehicleIsCompiledOnce(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	files := []standalone.File{{Name: "vehicle.c", Text: "int x;"}, {Name: "wasm/math.h", Text: ""}}
	folder := t.TempDir()
	if _, err := compiled(files, folder); !errors.Is(err, ErrNoCompiler) {
		t.Errorf("without a compiler: %v", err)
	}
	for name, text := range map[string]string{"vehicle.c": "int x;", "wasm/math.h": "", "vehicle.wasm": "module"} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if module, err := compiled(files, folder); string(module) != "module" || err != nil {
		t.Errorf("compiled before: %q, %v", module, err)
	}
	files[0].Text = "int y;"
	if module, err := compiled(files, folder); !errors.Is(err, ErrNoCompiler) {
		t.Errorf("of other files: %q, %v", module, err)
	}
}
