package view

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"skidpad/harness/library"
	"skidpad/harness/site/browser"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/live/wire"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// message reads the last message of a type, after a short wait for it.
func message[T any](c *client, kind string) (m T) {
	c.t.Helper()
	for range 50 {
		if data, known := c.texts[kind]; known {
			var of map[string]json.RawMessage
			err := json.Unmarshal(data, &of)
			if err == nil {
				err = json.Unmarshal(of[kind], &m)
			}
			if err != nil {
				c.t.Fatal(err)
			}
			return m
		}
		c.order(wire.Order{Type: "keep-seat"})
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Fatalf("there is no message %q", kind)
	return m
}

func (c *client) must(o wire.Order) {
	c.t.Helper()
	if n := c.order(o); n.Type != "ok" {
		c.t.Fatalf("%s: %s", o.Type, n.Text)
	}
}

// A manoeuvre that is watched to its end has the characteristic values of 'skidpad manoeuvre'. Its driver begins to
// follow the track at a place, and the cones stand in the axes of this place.
func TestAWatchedManoeuvreHasItsFigures(t *testing.T) {
	testrun.Slow(t)
	path := built.Model("passenger_car")
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	e := evaluate.Evaluator{Target: target, Held: true,
		Replaced: []manoeuvre.ConstantValue{{Name: "speed", Value: 80 / 3.6}},
		Open: func() (drive.Subject, func(), error) {
			v, err := lib.Load(path, "")
			return v, func() { v.Close() }, err
		}}
	want, err := e.Evaluate(built.Manoeuvre("double_lane_change"))
	if err != nil {
		t.Fatal(err)
	}
	s := serveScenario(t, "passenger_car", 12, scenario{manoeuvre: "double_lane_change", drives: true}, live.Options{},
		func(o *Options) { o.Sockets = true })
	c := join(t, s, "program", "watcher")
	c.must(wire.Order{Type: "advance", Slices: 100})
	c.must(wire.Order{Type: "take-over"})
	c.must(wire.Order{Type: "advance", Slices: 10})
	c.must(wire.Order{Type: "reset"}) // nobody has driven but the manoeuvre
	if n := c.order(wire.Order{Type: "advance", Slices: 20_000}); n.Type != "error" || n.Text != "the manoeuvre is over" {
		t.Fatalf("at the end: %+v", n)
	}
	got := message[shownFigures](c, "figures")
	if got.By != "the manoeuvre" || len(got.Figures) != len(want.Runs[0].Figures) {
		t.Errorf("%d figures by %q", len(got.Figures), got.By)
	}
	for i, f := range want.Runs[0].Figures {
		g := got.Figures[i]
		const deg = math.Pi / 180
		factor := map[string]float64{"deg": deg, "deg/s": deg, "deg2/s": deg * deg}[g.Unit]
		if factor == 0 {
			factor = 1
		}
		if g.ID != f.ID || (g.Value == nil) != math.IsNaN(f.Value) ||
			g.Value != nil && math.Abs(*g.Value*factor-f.Value) > 1e-6*max(1, math.Abs(f.Value)) {
			t.Errorf("%s is %v %s, want %g %s", g.ID, *g.Value, g.Unit, f.Value, f.Unit)
		}
	}
	if fallen := message[[]int](c, "cones"); len(fallen) != 0 {
		t.Errorf("the manoeuvre passes, and cones %v fall", fallen)
	}
	course := message[shownCourse](c, "course")
	if len(course.Cones) != 36 || len(course.Line) < 200 {
		t.Fatalf("%d cones, %d points", len(course.Cones), len(course.Line))
	}
	half := (1.1*1.645+0.25)/2 + coneRadius // of the first lane
	first, begin := course.Cones[0], course.Line[0]
	if math.Abs(first[1]+half) > 0.02 || math.Abs(first[0]-begin[0]) > 1e-6 || first[0] < 55 || first[0] > 75 {
		t.Errorf("the first cone is at %v, the line begins at %v", first, begin)
	}
}

// Who drives along a track touches cones, leaves it with its characteristic values, and finds the cones standing again
// after a reset and after a return to an earlier moment.
func TestConesFall(t *testing.T) {
	testrun.Slow(t)
	s := serveScenario(t, "passenger_car", 12, scenario{manoeuvre: "double_lane_change"}, live.Options{},
		func(o *Options) { o.Sockets = true })
	c := join(t, s, "program", "driver")
	advance := func(slices int, steering float32) {
		t.Helper()
		c.input(live.Command{Device: live.Program, Steering: steering, Throttle: 0.4})
		c.must(wire.Order{Type: "advance", Slices: slices})
	}
	advance(2600, 0) // to the first lane, which begins 60 m ahead
	c.must(wire.Order{Type: "keep", Slot: 1})
	advance(700, 0.5) // into its left border
	fallen := message[[]int](c, "cones")
	if len(fallen) == 0 || slices.ContainsFunc(fallen, func(i int) bool { return i%2 == 0 || i > 8 }) {
		t.Errorf("cones %v of the left border of the first lane fall", fallen)
	}
	delete(c.texts, "cones")
	c.must(wire.Order{Type: "return", Slot: 1})
	if fallen := message[[]int](c, "cones"); len(fallen) != 0 {
		t.Errorf("cones %v lie at an earlier moment", fallen)
	}
	advance(6500, 0)
	got := message[shownFigures](c, "figures")
	value := func(id string) float64 {
		for _, f := range got.Figures {
			if f.ID == id && f.Value != nil {
				return *f.Value
			}
		}
		return math.NaN()
	}
	if got.By != "you" || math.IsNaN(value("track_time")) || value("pass") != 0 || value("touched") != 3 ||
		math.Abs(value("entry_speed")-80/3.6) > 1 {
		t.Errorf("by %q: %v, %v, %v", got.By, value("pass"), value("touched"), value("entry_speed"))
	}
	c.must(wire.Order{Type: "return", Slot: 1})
	advance(700, 0.5)
	delete(c.texts, "cones")
	c.must(wire.Order{Type: "reset"})
	if fallen := message[[]int](c, "cones"); len(fallen) != 0 {
		t.Errorf("cones %v lie after a reset", fallen)
	}
}

// Somebody who leaves the first lane of a track ahead to the left touches its left cones, and its border first. The
// characteristic values come when the rear has left the track.
func TestFiguresOfATrackAhead(t *testing.T) {
	path := built.Model("passenger_car")
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.ReadFor(target, built.Manoeuvre("double_lane_change"))
	if err != nil {
		t.Fatal(err)
	}
	const lead, speed, step = 40.0, 20.0, 0.01
	c := &Course{Manoeuvre: Ahead(m, lead), Chassis: "body", Fixed: true, Lead: lead, Turns: 1, Ratio: 1}
	if c.Passage, err = evaluate.NewPassage(c.Manoeuvre, v); err != nil {
		t.Fatal(err)
	}
	outputs := c.Passage.Outputs()
	c.Passage.SetInputs([]string{"steering.angle"})
	if err := c.connect(outputs); err != nil {
		t.Fatal(err)
	}
	shown := c.place(0, 0, 0)
	if x := shown.Cones[0][0]; math.Abs(x-lead-20) > 1e-9 || math.Abs(shown.Line[0][0]-x) > 1e-9 || m.Track[0].From != 20 {
		t.Errorf("cones begin at %g m, the line at %g m", x, shown.Line[0][0])
	}
	leftAt := math.NaN()
	for n := range 1200 {
		r := &live.Row{Slice: n, Time: step * float64(n), Inputs: []float64{0}, Outputs: make([]float64, len(outputs))}
		x := speed * r.Time
		for i, name := range outputs {
			switch {
			case name == "body.x":
				r.Outputs[i] = x
			case name == "body.y" && x > 62 && x < 74:
				r.Outputs[i] = 0.6
			case name == "body.vx":
				r.Outputs[i] = speed
			case strings.HasSuffix(name, ".Fz"):
				r.Outputs[i] = 1000
			}
		}
		if _, left := c.pass(r); left {
			leftAt = x
			break
		}
	}
	for _, i := range c.lying() {
		if i%2 == 0 || i > 7 {
			t.Errorf("cone %d falls", i)
		}
	}
	if rear := 2.425; len(c.lying()) == 0 || math.Abs(leftAt-lead-145-rear) > speed*step {
		t.Errorf("cones %v; the track is left at %g m", c.lying(), leftAt)
	}
	f := c.figures(nil, c.at, "")
	for _, g := range f.Figures {
		if g.ID == "touched" && (g.Value == nil || *g.Value != 1) || g.ID == "track_time" && g.Value == nil {
			t.Errorf("%s is %v, %s", g.ID, g.Value, g.Missing)
		}
	}
}

// A drive that is too long has no characteristic values.
func TestLongDrivesHaveNoFigures(t *testing.T) {
	c := &Course{Passage: &evaluate.Passage{}}
	if f := c.figures(nil, mostDriven+1, ""); f != nil {
		t.Errorf("%+v", f)
	}
}

// A drive with everything is repeated bit by bit: reset, rewind, returns, a setting that acts at once, other tires and
// springs, pauses, other paces, and another driver.
func TestADriveWithEverythingIsRepeated(t *testing.T) {
	testrun.OnlyAll(t)
	s := serveScenario(t, "passenger_car", 0, scenario{settings: []string{"front_spring", "road.mu"}},
		live.Options{Pace: 1}, nil)
	one, two := join(t, s, "page", "one"), join(t, s, "page", "two")
	hold := func(c *client, seconds float64, keys live.Key) {
		t.Helper()
		for begin := time.Now(); time.Since(begin).Seconds() < seconds; time.Sleep(30 * time.Millisecond) {
			c.input(live.Command{Keys: keys})
			c.order(wire.Order{Type: "keep-seat"})
		}
	}
	hold(one, 0.1, live.KeyThrottle)
	one.must(wire.Order{Type: "run"})
	hold(one, 1.5, live.KeyThrottle|live.KeyLeft)
	one.must(wire.Order{Type: "keep", Slot: 1})
	one.must(wire.Order{Type: "set", Name: "road.mu", Value: 0.4})
	if n := one.order(wire.Order{Type: "set", Name: "sprung", Value: 900}); n.Type != "error" {
		t.Error("a parameter is changed that is no setting")
	}
	hold(one, 1, live.KeyThrottle)
	one.must(wire.Order{Type: "pace", Pace: 4})
	hold(one, 0.5, live.KeyRight)
	one.must(wire.Order{Type: "pause"})
	one.must(wire.Order{Type: "rewind", Back: 1})
	one.must(wire.Order{Type: "pace", Pace: 0.3})
	one.must(wire.Order{Type: "run"})
	hold(one, 1, live.KeyThrottle)
	one.must(wire.Order{Type: "set", Name: "front_spring", Value: 30_000})
	one.must(wire.Order{Type: "tire", Name: "wide"})
	one.must(wire.Order{Type: "pace", Pace: 1})
	if v := message[shownValues](one, "settings"); v.Numbers[0] != 24_445 {
		t.Errorf("a vehicle that moves has springs of %g N/m", v.Numbers[0])
	}
	if err := one.conn.CloseNow(); err != nil {
		t.Error(err)
	}
	time.Sleep(1500 * time.Millisecond)
	two.must(wire.Order{Type: "seat"})
	hold(two, 0.1, live.KeyBrake)
	two.must(wire.Order{Type: "run"})
	hold(two, 4, live.KeyBrake)
	if v := message[shownValues](two, "settings"); v.Numbers[0] != 30_000 || v.Tire != "wide" {
		t.Errorf("a vehicle that stands has springs of %g N/m, tires %s", v.Numbers[0], v.Tire)
	}
	hold(two, 1.2, live.KeyThrottle)
	two.must(wire.Order{Type: "return", Slot: 1})
	hold(two, 0.6, live.KeyThrottle)
	if v := message[shownValues](two, "settings"); v.Numbers[0] != 24_445 || v.Numbers[1] != 1 ||
		v.Tire != live.ModelTires {
		t.Errorf("the vehicle of the slot: %+v", v)
	}
	two.must(wire.Order{Type: "reset"})
	hold(two, 1.2, live.KeyThrottle)
	if result := s.repeats(t); result.Equal != result.Compared || result.Compared < 8 {
		t.Errorf("%+v", result)
	}
}

// A manoeuvre is watched in Chromium to its figures, and somebody takes over.
func TestAManoeuvreInChromium(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	s := serveScenario(t, "passenger_car", 12, scenario{manoeuvre: "double_lane_change", drives: true, settings: []string{
		"front_spring", "road.mu"}}, live.Options{Pace: 4}, nil)
	take := key{"KeyT", 84}
	var title, button, after string
	complaints := visited(t, s, chromedp.Text("#driver", &button), up.press(), up.release(), until(4.5),
		chromedp.WaitVisible("#figures"), chromedp.Text("#figures h2", &title),
		chromedp.Click("#dismiss"), chromedp.Click("#reset"),
		chromedp.Poll(`Number(document.documentElement.dataset.time) < 1`, nil),
		up.press(), up.release(), until(1), take.press(), take.release(), until(1.5), chromedp.Text("#driver", &after))
	if len(complaints) > 0 {
		t.Errorf("the browser says %q", complaints)
	}
	if !strings.Contains(title, "driven by the manoeuvre") || button != "take over" || after != "let the manoeuvre drive" {
		t.Errorf("%q, %q, %q", title, button, after)
	}
}
