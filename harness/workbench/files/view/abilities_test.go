package view

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/live"
)

// inChromium is what all tests of the page's abilities begin with.
func inChromium(t *testing.T) {
	t.Helper()
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
}

// tap presses a key for a moment.
func tap(k key) chromedp.Tasks { return chromedp.Tasks{k.press(), k.release()} }

// evaluated is the value of an expression in the page.
func evaluated(expression string, to any) chromedp.Action { return chromedp.Evaluate(expression, to) }

// does evaluates an expression for what it does.
func does(expression string) chromedp.Action { return chromedp.Evaluate(expression+";0", nil) }

// clicks clicks elements by their names.
func clicks(names ...string) (all chromedp.Tasks) {
	for _, name := range names {
		all = append(all, does(fmt.Sprintf("document.getElementById(%q).click()", name)))
	}
	return all
}

// Expressions of the page.
const (
	isPaused  = `document.getElementById('pause').textContent === 'run'`
	isRunning = `document.getElementById('pause').textContent === 'pause'`
	lastState = `Skidpad.driven.states.at(-1)`
)

// shows is an expression for an attribute of an element with a text.
func shows(element, attribute, text string) string {
	return fmt.Sprintf("document.querySelector(%q).getAttribute(%q) === %q", element, attribute, text)
}

// becomes waits until an expression is true.
func becomes(expression string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if err := chromedp.Poll(expression, nil, chromedp.WithPollingInterval(20*time.Millisecond),
			chromedp.WithPollingTimeout(20*time.Second)).Do(ctx); err != nil {
			return fmt.Errorf("%s: %w", expression, err)
		}
		return nil
	})
}

// named presses a key of a name for a moment.
func named(code, name string) chromedp.Tasks {
	does := func(kind input.KeyType) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			return input.DispatchKeyEvent(kind).WithCode(code).WithKey(name).Do(ctx)
		})
	}
	return chromedp.Tasks{does(input.KeyDown), does(input.KeyUp)}
}

// writes types a text into the element with the focus, and ends with Enter.
func writes(text string) chromedp.Tasks {
	return chromedp.Tasks{chromedp.ActionFunc(func(ctx context.Context) error { return input.InsertText(text).Do(ctx) }),
		named("Enter", "Enter")}
}

// before runs a script in the page before its own.
func before(script string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := protocol.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})
}

// Plots show signals that a user looks for, have the values of the states, zoom while the vehicle is paused, and come
// back in the next page. Keys of the search field do not drive.
func TestPlotsOfALiveVehicleInChromium(t *testing.T) {
	inChromium(t)
	s := serve(t, "passenger_car", 15, live.Options{Pace: 1}, nil)
	const note = `document.getElementById('plots-note').textContent`
	const value = `document.querySelector('.plot-value').textContent`
	var many, none, shown, kept string
	var last, from, to, fed float64
	plots := key{"KeyP", 80}
	complaints := visited(t, s, tap(plots), becomes(`document.activeElement.placeholder === 'add a signal'`),
		writes("tire FL force"), evaluated(note, &many), does(`document.activeElement.value = ''`),
		writes("no such thing"), evaluated(note, &none), does(`document.activeElement.value = ''`),
		writes("body.ay"), becomes(`document.querySelectorAll('.plot-key').length === 1`),
		does(`document.activeElement.blur()`), up.press(), left.press(), until(1.5), space.press(), space.release(),
		becomes(isPaused), chromedp.Sleep(300*time.Millisecond),
		evaluated(value, &shown), evaluated(`Skidpad.driven.states.at(-1).chosen[0]`, &last),
		does(`document.querySelector('#plots .u-over').focus()`), named("Equal", "+"),
		becomes(`!document.querySelector('#plots .plot-tools button').disabled`),
		evaluated(`Number(document.querySelector('#plots .u-over').getAttribute('aria-valuemin'))`, &from),
		evaluated(`Number(document.querySelector('#plots .u-over').getAttribute('aria-valuemax'))`, &to),
		evaluated(`localStorage.getItem('plots:' + document.title)`, &kept),
		does(`document.querySelector('.plot-remove').click()`), becomes(`!document.querySelector('.plot-key')`),
		does(`document.querySelector('.live-plot input').focus()`), writes("body.vx"),
		chromedp.Reload(), becomes(`document.querySelector('.plot-key')?.textContent.includes('body.vx')`),
		becomes(`Skidpad.driven.states.length && Skidpad.driven.states.at(-1).chosen.length === 1`),
		evaluated(`Skidpad.driven.states.at(-1).chosen[0]`, &fed))
	var number float64
	if _, err := fmt.Sscanf(shown, "%g m/s2", &number); err != nil || math.Abs(number-last) > 1e-3*math.Abs(last) ||
		math.Abs(last) < 1 {
		t.Errorf("the plot shows %q, the state has %g: %v", shown, last, err)
	}
	if !strings.Contains(many, "signals fit") || !strings.Contains(none, "no signal fits") {
		t.Errorf("%q, %q", many, none)
	}
	if math.Abs(to-from-5) > 1e-6 || !strings.Contains(kept, `"panels":[["body.ay"]]`) || math.Abs(fed) < 10 {
		t.Errorf("zoomed to %g s to %g s, kept %s; after a reload %g m/s", from, to, kept, fed)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// A steering wheel whose axes are unknown is found in three steps. Its angle becomes that of the vehicle; its pedals
// drive. Axes that the browser reports as 0 until they move, reversed and combined pedals are understood.
func TestSteeringWheelsInChromium(t *testing.T) {
	inChromium(t)
	s := serve(t, "passenger_car", 5, live.Options{Pace: 1}, nil)
	const fake = `window.fake = { id: 'Fake', connected: true, mapping: '', axes: [0, 0, 0, 0], buttons: [{ value: 0 }] };
		navigator.getGamepads = () => [null, window.fake];`
	next := chromedp.Tasks{becomes(`!document.getElementById('wheel-next').disabled`), clicks("wheel-next")}
	hold := func(axis int, value float64) chromedp.Tasks {
		return chromedp.Tasks{does(fmt.Sprintf(`fake.axes[%d] = %g`, axis, value)), chromedp.Sleep(150 * time.Millisecond)}
	}
	var early bool
	var combined []byte
	complaints := visited(t, s, before(fake), chromedp.Reload(), chromedp.WaitReady("html[data-ready]"),
		clicks("help", "wheel-open"),
		hold(0, -1), next, hold(0, 0), hold(3, 1), evaluated(`document.getElementById('wheel-next').disabled`, &early),
		hold(3, -1), next, hold(2, -1), hold(2, 1), next,
		becomes(`document.getElementById('wheel-text').textContent.startsWith('Ready')`),
		clicks("wheel-close"), hold(0, -0.24), hold(3, 1), until(0.5),
		becomes(shows(".hud-wheel", "aria-label", "steering wheel 108 deg")),
		becomes(shows(".hud-bar.throttle", "aria-valuenow", "100")),
		hold(3, -1), hold(2, -1), becomes(shows(".hud-bar.brake", "aria-valuenow", "100")),
		evaluated(`(() => {
			const f = new Skidpad.WheelFinder([0, 0]), see = v => f.watch(v);
			see([1, 0]); f.take([1, 0]);
			see([0, 0.9]); see([0, 0]); f.take([0, 0]);
			see([0, -0.9]); see([0, 0]); f.take([0, 0]);
			const how = f.result(360);
			return [Skidpad.readWheel(how, [0.5, 0.45]), Skidpad.readWheel(how, [-0.5, -0.9])];
		})()`, &combined))
	if !early {
		t.Error("a held pedal is taken, with its ends exchanged")
	}
	var pedals []struct{ Steering, Throttle, Brake float64 }
	if err := json.Unmarshal(combined, &pedals); err != nil || len(pedals) != 2 ||
		math.Abs(pedals[0].Steering-math.Pi/2) > 1e-9 || math.Abs(pedals[0].Throttle-0.5) > 1e-9 || pedals[0].Brake != 0 ||
		pedals[1].Throttle != 0 || pedals[1].Brake != 1 {
		t.Errorf("combined pedals: %s, %v", combined, err)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// Keys can be changed, keys with another meaning are refused, and what is chosen stays. Sticky keys go on after a
// press, until the next one or that of the opposite. A hidden page holds nothing, and the vehicle pauses.
func TestKeysOfADriverInChromium(t *testing.T) {
	inChromium(t)
	s := serve(t, "passenger_car", 10, live.Options{Pace: 1}, nil)
	const held = `Skidpad.driven.input.held`
	choose := func(at int, k key) chromedp.Tasks {
		return chromedp.Tasks{does(fmt.Sprintf(`document.querySelectorAll('#keymap-rows button')[%d].click()`, at)), tap(k)}
	}
	const note = `document.getElementById('keymap-note').textContent`
	var ofPage, ofDriver, free, status string
	var steers, straight, opposite, pedal, hidden float64
	j, r := key{"KeyJ", 74}, key{"KeyR", 82}
	complaints := visited(t, s,
		clicks("help", "keymap-open"),
		choose(0, r), evaluated(note, &ofPage), choose(0, up), evaluated(note, &ofDriver), choose(0, j),
		evaluated(note, &free),
		clicks("keymap-sticky", "keymap-close"),
		chromedp.Reload(), chromedp.WaitReady("html[data-ready]"),
		tap(j), evaluated(held, &steers), tap(right), evaluated(held, &straight), tap(right), evaluated(held, &opposite),
		tap(up), until(0.3), evaluated(held, &pedal),
		does(`Object.defineProperty(document, 'hidden', { value: true })`),
		does(`document.dispatchEvent(new Event('visibilitychange'))`),
		evaluated(held, &hidden), becomes(isPaused),
		chromedp.Text("#status", &status))
	if !strings.Contains(ofPage, "reset") || !strings.Contains(ofDriver, "throttle") || free != "" {
		t.Errorf("%q, %q, %q", ofPage, ofDriver, free)
	}
	if steers != 1 || straight != 0 || opposite != 2 || pedal != 6 || hidden != 0 ||
		!strings.Contains(status, "nobody drives") {
		t.Errorf("held %g, %g, %g, %g, hidden %g; %q", steers, straight, opposite, pedal, hidden, status)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// counted counts pictures for ten seconds while the vehicle drives in a circle.
func counted(to *float64) chromedp.Tasks {
	return chromedp.Tasks{chromedp.EmulateViewport(1280, 720),
		does(`(() => {
			const r = Skidpad.driven.stage.renderer, draw = r.draw;
			r.draw = function (...a) { window.pictures++; draw.apply(this, a); };
		})()`),
		up.press(), left.press(), until(1), does(`window.pictures = 0`), chromedp.Sleep(10 * time.Second),
		evaluated(`window.pictures / 10`, to), up.release(), left.release()}
}

// The painter draws a driven vehicle, and what it leaves on the ground, at 30 pictures a second and more; WebGL by
// software at 5.
func TestPicturesASecondInChromium(t *testing.T) {
	inChromium(t)
	for renderer, least := range map[string]float64{"painter": 30, "webgl": 5} {
		inRealTime(t, func() (faults []string) {
			s := serve(t, "passenger_car", 20, live.Options{Pace: 1, Most: 9}, nil)
			defer s.end()
			var rate float64
			complaints, err := visit(s, "?renderer="+renderer, counted(&rate))
			if len(complaints) > 0 {
				t.Errorf("%s: the browser says %q", renderer, complaints)
			}
			if err != nil {
				return []string{err.Error()}
			}
			if t.Logf("%s: %.0f pictures a second", renderer, rate); rate < least {
				faults = append(faults, fmt.Sprintf("%s: %.1f pictures a second; %g is the least", renderer, rate, least))
			}
			return faults
		})
	}
}

// A vehicle that rolls over pauses. The page says why, and a return to an earlier state lets it drive on.
func TestAVehicleThatRollsOverInChromium(t *testing.T) {
	inChromium(t)
	text, err := os.ReadFile(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	narrow := filepath.Join(t.TempDir(), "narrow.toml")
	tires, err := filepath.Abs(filepath.Join(filepath.Dir(built.Model("generic4w")), "..", "tires"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("front_half_track = { value = 0.76", "front_half_track = { value = 0.3",
		"rear_half_track = { value = 0.795", "rear_half_track = { value = 0.3", "../tires/", tires+"/").Replace(string(text))
	if err := os.WriteFile(narrow, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, narrow, 20, live.Options{Pace: 1, Most: 9}, nil)
	var reason string
	var ended, back float64
	complaints := visited(t, s, up.press(), left.press(), until(0.5), becomes(isPaused),
		chromedp.Text("#status", &reason), evaluated(lastState+`.time`, &ended), up.release(), left.release(),
		clicks("back"),
		becomes(lastState+`.segment > 1`), evaluated(`window.back = `+lastState+`.time`, &back),
		up.press(), becomes(isRunning),
		becomes(lastState+`.time > window.back + 0.2`))
	if !strings.Contains(reason, "rolled") || !(back < ended) {
		t.Errorf("%q at %g s, back to %g s", reason, ended, back)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// Sliding wheels leave marks, darker with more slip, in a ring of 2000 pieces; a return to an earlier state takes them
// back. Lines of equal height are where a grid has these heights, and friction has a range. Tires that have lifted off
// have a ring, and labels say what is known.
func TestMarksAndReliefInChromium(t *testing.T) {
	inChromium(t)
	s := serve(t, "generic4w", 10, live.Options{Pace: 1}, nil)
	var found struct {
		Rolling, Sliding, Ring, After int
		Light, Dark                   float64
		Heights                       []float64
		Step                          float64
		Range                         []float64
		Over                          float64
		Rings, None                   int
		Label                         string
	}
	var data []byte
	complaints := visited(t, s, evaluated(`(() => {
		const m = new Skidpad.Marks([0.2, 0.2]), slide = (n, slip, wheel, from = 0) => {
			for (let i = 0; i < n; i++) m.slide(from + i, wheel, [0.2 * i, 0, 0], [0, 1, 0], slip);
		};
		const out = {};
		slide(50, 0.09, 0);
		out.rolling = m.pieces[0].length;
		slide(11, 0.2, 0);
		out.sliding = m.pieces[0].length; out.light = m.pieces[0][3].alpha;
		slide(3000, 0.9, 1);
		out.ring = m.pieces[1].length; out.dark = m.pieces[1][5].alpha;
		m.back(2900);
		out.after = m.pieces[1].length;
		// ground that rises by 10 mm a metre along x, and has friction along y
		const n = 33, z = new Float32Array(n * n), mu = new Float32Array(n * n);
		for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) { z[j * n + i] = 0.01 * i; mu[j * n + i] = 0.3 + 0.02 * j; }
		const tile = { x0: 0, y0: 0, size: 32, n, z, mu }, r = new Skidpad.Relief();
		const ground = { patches: [], tiles: new Map([['1 0 0', tile]]), tile: () => tile };
		const drawn = r.draw(ground, [16, 16, 0], { contour: 'red' });
		out.step = r.step; out.range = r.range;
		const points = drawn.over[0].list.flat(), heights = new Set(points.map(p => Math.round(1e4 * (p[2] - 0.003)) / 1e4));
		out.heights = [...heights].sort((a, b) => a - b).slice(0, 3);
		out.over = Math.max(...points.map(p => Math.abs(p[2] - 0.003 - 0.01 * (p[0] + 16))));
		const stage = Skidpad.driven.stage, style = getComputedStyle(document.documentElement), rings = loads => {
			stage.picture(0, Skidpad.driven.shown(), loads.map(f => [0, 0, f]));
			return stage.floor([0, 0, 0], {}, style, loads.map(f => [0, 0, f])).at(-1).list.length;
		};
		out.rings = rings([3000, 0, 3000, 3000]); out.none = rings([3000, 3000, 3000, 3000]);
		out.label = Skidpad.wheelText('FL', [10, -20, 100, undefined], 0.05, 0.1).join('|');
		return out;
	})()`, &data))
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	if found.Rolling != 0 || found.Sliding != 10 || found.Ring != 2000 || found.After != 1901 || !(found.Light > 0.15) ||
		!(found.Dark > found.Light) {
		t.Errorf("marks: %+v", found)
	}
	if found.Step != 0.05 || len(found.Range) != 2 || math.Abs(found.Range[0]-0.3) > 1e-6 ||
		math.Abs(found.Range[1]-0.94) > 1e-6 || len(found.Heights) != 3 ||
		math.Abs(found.Heights[1]-found.Heights[0]-0.05) > 1e-6 ||
		!(found.Over < 1e-6) {
		t.Errorf("relief: %+v", found)
	}
	const label = "FL|Fz 100 N|Fx 10, Fy -20 N|force ratio 0.22|slip 5.0 %|slip angle 5.7 deg"
	if found.Rings != 20 || found.None != 0 || found.Label != label {
		t.Errorf("%d lines of a ring, %d without; %s", found.Rings, found.None, found.Label)
	}
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}

// axe-core finds nothing in the page, its plots and its dialogs, by day and by night.
func TestTheLivePageIsAccessibleInChromium(t *testing.T) {
	inChromium(t)
	axe, err := os.ReadFile(filepath.Join(os.Getenv(built.Out), "site-tools", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("axe-core is not installed; harness/site/check.sh OUT installs it")
	}
	s := serve(t, "passenger_car", 10, live.Options{Pace: 1}, func(o *Options) {
		o.Plots = [][]string{{"body.ax", "body.ay"}}
	})
	const check = `axe.run().then(found => found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' ')))`
	var found [8][]string
	at := 0
	look := func() chromedp.Action {
		at++
		return chromedp.Evaluate(check, &found[at-1], func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
			return p.WithAwaitPromise(true)
		})
	}
	var all []chromedp.Action
	for _, scheme := range []string{"light", "dark"} {
		all = append(all, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}}), chromedp.Reload(), chromedp.WaitReady("html[data-ready]"),
			chromedp.Evaluate(string(axe)+";0", nil), up.press(), until(0.3), up.release(), look(),
			clicks("help"), look(), clicks("keymap-open"), look(),
			clicks("keymap-close", "help", "wheel-open"), look())
	}
	visited(t, s, all...)
	for i, list := range found {
		if len(list) > 0 {
			t.Errorf("look %d: %q", i, list)
		}
	}
}

// The button records a video that a browser plays: a WebM file with the size of the picture, and the vehicle in its
// frames.
func TestVideosArePlayableInChromium(t *testing.T) {
	inChromium(t)
	for _, renderer := range []string{"painter", "webgl"} {
		t.Run(renderer, func(t *testing.T) { videoOf(t, renderer) })
	}
}

func videoOf(t *testing.T, renderer string) {
	s := serve(t, "passenger_car", 15, live.Options{Pace: 1}, nil)
	awaited := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	var found struct {
		Name, Begin    string
		Size, Frames   int
		Video, Picture []int
		Paint          float64
	}
	var data []byte
	complaints := visitedAs(t, s, "?renderer="+renderer,
		does(`URL.createObjectURL = (create => blob => (window.saved = blob, create(blob)))(URL.createObjectURL.bind(URL))`),
		does(`HTMLAnchorElement.prototype.click = function () { window.named = this.download; }`),
		chromedp.EmulateViewport(640, 400), up.press(), left.press(), until(0.3), clicks("video"),
		becomes(shows("#video", "aria-pressed", "true")), chromedp.Sleep(2*time.Second), clicks("video"),
		becomes(`window.saved`),
		chromedp.Evaluate(`(async () => {
			const bytes = new Uint8Array(await saved.arrayBuffer()), video = document.createElement('video');
			video.muted = true;
			video.src = URL.createObjectURL(saved);
			let frames = 0;
			const shown = () => { frames++; video.requestVideoFrameCallback(shown); };
			video.requestVideoFrameCallback(shown);
			await video.play();
			await new Promise(done => { video.onended = done; });
			const { width, height } = Skidpad.driven.stage.renderer.canvas, copy = document.createElement('canvas');
			[copy.width, copy.height] = [video.videoWidth, video.videoHeight];
			const g = copy.getContext('2d');
			g.drawImage(video, 0, 0);
			const p = g.getImageData(0, 0, copy.width, copy.height).data;
			let paint = 0;
			for (let i = 0; i < p.length; i += 4) paint += p[i + 2] > p[i] + 50 && p[i + 2] > p[i + 1] + 20;
			return { name: named, size: bytes.length, video: [video.videoWidth, video.videoHeight],
				picture: [width - width % 2, height - height % 2], frames, paint: paint / (p.length / 4),
				begin: [...bytes.slice(0, 64)].map(b => String.fromCharCode(b)).join('') };
		})()`, &data, awaited), up.release(), left.release())
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(found.Name, ".webm") || !strings.HasPrefix(found.Name, "Passenger-car-") ||
		!strings.HasPrefix(found.Begin, "\u001aE\u00df\u00a3") || !strings.Contains(found.Begin, "webm") {
		t.Errorf("the file %q begins with %q", found.Name, found.Begin)
	}
	if fmt.Sprint(found.Video) != fmt.Sprint(found.Picture) || found.Frames < 2 || found.Paint < 0.005 {
		t.Errorf("%d bytes, %d frames of %d pixels for %d; %.3g of them are painted", found.Size, found.Frames, found.Video,
			found.Picture, found.Paint)
	}
	t.Logf("%d bytes, %d frames, %.3g painted", found.Size, found.Frames, found.Paint)
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
}
