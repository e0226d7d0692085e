package evaluate

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// toyCar is a subject: a car whose wheels go where they point, with a resistance of 200 N.
type toyCar struct {
	names  []string
	values []float64
	fails  float64 // time of the failing step, 0 for never
	time   float64
}

const (
	toyX = iota
	toyY
	toyYaw
	toySpeed
	toyAngle
	toyRate
	toyAcceleration
	toyTorque
	toyLateral
	toyYawRate
)

func newToyCar() *toyCar {
	return &toyCar{names: []string{"body.x", "body.y", "body.yaw", "body.vx", "steer.angle", "steer.rate",
		"steer.acceleration", "drive.torque",
		"body.ay", "body.wz", "body.vy", "body.ax", "body.az", "body.roll", "body.pitch"},
		values: []float64{3, -2, 0.5, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}}
}

func (c *toyCar) Find(name string) (library.Variable, error) {
	i := slices.Index(c.names, name)
	if i < 0 {
		return library.Variable{}, fmt.Errorf("there is no variable %q", name)
	}
	return library.Variable{Name: name, Reference: uint32(i), Causality: library.Input, Start: c.values[i]}, nil
}

func (c *toyCar) References(names ...string) (list []uint32, err error) {
	for _, name := range names {
		v, err := c.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, v.Reference)
	}
	return list, nil
}

func (c *toyCar) Outputs() []string { return c.names[:toyAngle] }

func (c *toyCar) Locals() []string { return nil }

func (c *toyCar) Set(references []uint32, values []float64) error {
	for i, r := range references {
		c.values[r] = values[i]
	}
	return nil
}

func (c *toyCar) Get(references []uint32, values []float64) error {
	for i, r := range references {
		values[i] = c.values[r]
	}
	return nil
}

func (c *toyCar) SetNamed(name string, value float64) error {
	v, err := c.Find(name)
	if err != nil {
		return err
	}
	c.values[v.Reference] = value
	return nil
}

func (c *toyCar) SetText(name, value string) error { return fmt.Errorf("%s is not text", name) }
func (c *toyCar) Initialise() error                { return nil }

// Step integrates by the midpoint rule: mass 1000 kg, wheels of radius 1 m, wheelbase 2.5 m.
func (c *toyCar) Step(h float64) error {
	if c.time += h; c.fails > 0 && c.time > c.fails {
		return fmt.Errorf("a state is not finite")
	}
	v := c.values
	push := (v[toyTorque] - 200) / 1000
	speed := v[toySpeed] + push*h/2
	turn := speed * math.Tan(v[toyAngle]+v[toyRate]*h/2) / 2.5
	sin, cos := math.Sincos(v[toyYaw] + turn*h/2)
	v[toyX], v[toyY], v[toyYaw] = v[toyX]+speed*cos*h, v[toyY]+speed*sin*h, v[toyYaw]+turn*h
	v[toySpeed] += push * h
	v[toyAngle] += v[toyRate]*h + v[toyAcceleration]*h*h/2
	v[toyYawRate] = v[toySpeed] * math.Tan(v[toyAngle]) / 2.5
	v[toyLateral] = v[toySpeed] * v[toyYawRate]
	return nil
}

func toyRun(t *testing.T, text string, others ...manoeuvre.ConstantValue) (*drive.Result, error) {
	t.Helper()
	m, err := manoeuvre.Parse("test.toml", []byte(text), others...)
	if err != nil {
		t.Fatal(err)
	}
	return drive.Simulate(newToyCar(), drive.Plan{Manoeuvre: m})
}

func replaced(t *testing.T, old, new string) string {
	t.Helper()
	text := strings.Replace(built.Phased, old, new, 1)
	if text == built.Phased {
		t.Fatalf("%q is not in the file", old)
	}
	return text
}

// A phase ends at the first communication point where its condition holds. The next phase continues with the angle
// reached, with the motion at rest; torques stay until something drives them.
func TestPhasesFollowEachOther(t *testing.T) {
	result, err := toyRun(t, built.Phased)
	if err != nil {
		t.Fatal(err)
	}
	p := result.Phases
	if len(p) != 3 || p[0] != (drive.PhaseInterval{Name: "wait", Begin: 0, End: 0.5}) || p[1].Begin != 0.5 ||
		p[2].Begin != p[1].End || math.Abs(p[2].End-p[2].Begin-1) > 1e-9 || result.Verdict != "" {
		t.Fatalf("phases %+v, verdict %q", p, result.Verdict)
	}
	last := int(math.Round(p[1].End * 100))
	yaw := result.Trace.Column("body.yaw")
	if yaw[last] <= 0.6 || yaw[last-1] > 0.6 {
		t.Errorf("the phase ended at a yaw angle of %g after %g", yaw[last], yaw[last-1])
	}
	angle, rate, torque := result.Inputs.Column("steer.angle"), result.Inputs.Column("steer.rate"),
		result.Inputs.Column("drive.torque")
	reached := (p[1].End - 0.5) * 2 * 16 / 20 / 16 // steering wheel by ratio
	if got := angle[len(angle)-1]; math.Abs(got-reached) > 1e-12 || rate[last-1] != 0.1 || rate[last] != 0 {
		t.Errorf("angle %g, %g was reached; rates %g and %g", got, reached, rate[last-1], rate[last])
	}
	if torque[last-1] != 7 {
		t.Errorf("the torque was %g before anything drove it", torque[last-1])
	}
	if torque[last] != 3000 { // 4000 N.m/(m/s) for a lack of 2 m/s, limited
		t.Errorf("the torque is %g", torque[last])
	}
}

func TestConstantsAreReplaced(t *testing.T) {
	m, err := manoeuvre.Parse("test.toml", []byte(built.Phased), manoeuvre.ConstantValue{Name: "ratio", Value: 10})
	if err != nil {
		t.Fatal(err)
	}
	if m.Steering.Ratio != 10 || m.Constants[1].Value != 20 || m.Duration != 3.5 {
		t.Errorf("ratio %g, wide %g, %g s", m.Steering.Ratio, m.Constants[1].Value, m.Duration)
	}
	_, err = manoeuvre.Parse("test.toml", []byte(built.Phased), manoeuvre.ConstantValue{Name: "colour", Value: 10})
	if err == nil || !strings.Contains(err.Error(), `there is no constant "colour"`) {
		t.Errorf("error %v", err)
	}
}

func TestRunsThatEndEarlyHaveAVerdict(t *testing.T) {
	for _, test := range []struct{ old, new, says string }{
		{"above = 0.6", "above = 9.0", "end condition of phase turn was not met within 2 s at 2.5 s"},
		{"above = 1e6", "above = 10.0", "far away at "},
		{`formula = "body.yaw", above = 0.6`, `formula = "body.yaw", crosses = 0.4`,
			"end condition of phase turn was not met"},
	} {
		result, err := toyRun(t, replaced(t, test.old, test.new))
		if err != nil || !strings.Contains(result.Verdict, test.says) {
			t.Errorf("%s: error %v, verdict %q, want %q", test.new, err, result.Verdict, test.says)
		}
	}
	result, err := toyRun(t, replaced(t, `formula = "body.yaw", above = 0.6`,
		`formula = "0.6 - body.yaw", crosses = 0`))
	if err != nil || result.Verdict != "" || len(result.Phases) != 3 {
		t.Errorf("a sign that changes: error %v, verdict %q", err, result.Verdict)
	}
	m, err := manoeuvre.Parse("test.toml", []byte(built.Phased))
	if err != nil {
		t.Fatal(err)
	}
	car := newToyCar()
	car.fails = 0.7
	result, err = drive.Simulate(car, drive.Plan{Manoeuvre: m})
	if err == nil || result == nil || len(result.Phases) != 2 || math.Abs(result.Phases[1].End-0.7) > 0.011 {
		t.Errorf("a step that fails: error %v, result %+v", err, result)
	}
}

// Integral action leaves no speed error, although the force must overcome a resistance. It leaves no error of the
// position on a circle: to both sides, from a pose different from the axes. Path and pose go on in a phase that
// continues the path.
func TestDriversHoldSpeedAndPath(t *testing.T) {
	for _, radius := range []float64{40, -40} {
		text := built.Phased[:strings.Index(built.Phased, "[[phase]]")] + fmt.Sprintf(`
[[phase]]
name = "approach"
duration = 20.0
speed = { kind = "constant", value = 8.0 }
path = { kind = "circle", radius = %g, laps = 3 }

[[phase]]
name = "on"
duration = 20.0
speed = { kind = "constant", value = 8.0 }
path = { kind = "continued" }
`, radius)
		result, err := toyRun(t, text)
		if err != nil {
			t.Fatal(err)
		}
		// the circle touches the first heading in the first place
		sin, cos := math.Sincos(0.5)
		cx, cy := 3-radius*sin, -2+radius*cos
		x, y, v := result.Trace.Column("body.x"), result.Trace.Column("body.y"), result.Trace.Column("body.vx")
		for i, time := range result.Trace.Time {
			if time < 20 {
				continue
			}
			if off := math.Hypot(x[i]-cx, y[i]-cy) - math.Abs(radius); math.Abs(off) > 2e-3 || math.Abs(v[i]-8) > 1e-3 {
				t.Fatalf("radius %g, at %g s: %g m off the circle, speed %g m/s", radius, time, off, v[i])
			}
		}
	}
}

// A circle without laps is driven for as long as the phases last. With one lap the run ends where the point of the
// driver's preview, 0.5 s ahead at 8 m/s, leaves the path; with straight_ahead it goes on.
func TestARunEndsWithItsPath(t *testing.T) {
	const radius, duration, speed, preview = 12.0, 40.0, 8.0, 0.5
	for path, end := range map[string]float64{"": duration, ", laps = 1": 2*math.Pi*radius/speed - preview,
		", laps = 4": 8*math.Pi*radius/speed - preview, ", laps = 5": duration,
		", laps = 1, straight_ahead = true": duration} {
		text := strings.Replace(built.Phased[:strings.Index(built.Phased, "[[phase]]")], "preview = 0.5",
			fmt.Sprintf("preview = %g", preview), 1) + fmt.Sprintf(`
[[phase]]
name = "approach"
duration = 20.0
speed = { kind = "constant", value = %g }
path = { kind = "circle", radius = %g%s }

[[phase]]
name = "on"
duration = 20.0
speed = { kind = "constant", value = %g }
path = { kind = "continued" }
`, speed, radius, path, speed)
		result, err := toyRun(t, text)
		if err != nil {
			t.Fatal(err)
		}
		last := len(result.Trace.Time) - 1
		if got := result.Trace.Time[last]; math.Abs(got-end) > 0.3 { // the car is faster at first
			t.Errorf("%q: the run ends at %g s, want about %g", path, got, end)
		}
		phase := "approach"
		if end > 20 {
			phase = "on"
		}
		says := "the driver looked beyond the end of the path of phase " + phase + " at "
		if early := end < duration; strings.HasPrefix(result.Verdict, says) != early || early == (result.Verdict == "") {
			t.Errorf("%q: the verdict is %q", path, result.Verdict)
		}
		sin, cos := math.Sincos(0.5)
		off := math.Hypot(result.Trace.Column("body.x")[last]-3+radius*sin,
			result.Trace.Column("body.y")[last]+2-radius*cos) - radius
		if straight := strings.Contains(path, "straight"); straight != (off > 100) || !straight && math.Abs(off) > 0.6 {
			t.Errorf("%q: the run ends %g m off the circle", path, off)
		}
	}
}

// Where a stop and the end of a path end a run at one point, the verdict names the stop.
func TestAStopIsSaidBeforeTheEndOfAPath(t *testing.T) {
	text := strings.Replace(built.Phased[:strings.Index(built.Phased, "[[phase]]")], "above = 1e6", "above = -1e6", 1) + `
[[phase]]
name = "short"
duration = 1.0
path = { kind = "points", x = [0, 0.1], y = [0, 0] }
`
	for bound, says := range map[string]string{"above = -1e6": "far away at 0 s",
		"above = 1e6": "the driver looked beyond the end of the path of phase short at 0 s"} {
		result, err := toyRun(t, strings.Replace(text, "above = -1e6", bound, 1))
		if err != nil || result.Verdict != says {
			t.Errorf("%s: error %v, verdict %q, want %q", bound, err, result.Verdict, says)
		}
	}
}

// A driver without brakes lets a car that is too fast roll: 200 N slow 1000 kg down by 0.2 m/s2. What he did not
// integrate does not overshoot.
func TestDriversWithoutBrakesLetRoll(t *testing.T) {
	text := built.Phased[:strings.Index(built.Phased, "[[phase]]")] + `
[[phase]]
name = "slower"
duration = 15.0
speed = { kind = "constant", value = 8.0 }
`
	result, err := toyRun(t, strings.Replace(text, "limit = 3000.0", "limit = 3000.0\nleast = 0.0", 1))
	if err != nil {
		t.Fatal(err)
	}
	for i, time := range result.Trace.Time {
		v, torque := result.Trace.Column("body.vx")[i],
			result.Inputs.Column("drive.torque")[i]
		if want := 10 - 0.2*time; torque < 0 || time > 0.1 && time < 9.9 && math.Abs(v-want) > 1e-2 || time > 12 &&
			math.Abs(v-8) > 0.02 {
			t.Fatalf("at %g s the speed is %g m/s, the torque %g N m", time, v, torque)
		}
	}
}

func TestBrokenPhasesSayWhereAndWhy(t *testing.T) {
	if _, err := manoeuvre.Parse("test.toml", []byte(built.Phased)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, position, says string }{
		{"step = 0.01", "step = 0.01\nduration = 3", "5:12", "each phase has one"},
		{`wide = "2*ratio"`, `wide = "2*later"`, "8:8", `no constant "later"`},
		{`wide = "2*ratio"`, `wide = "2*"`, "8:8", "must be a number or a formula"},
		{`wide = "2*ratio"`, `"a b" = 3`, "8:9", `constant "a b"`},
		{`wide = "2*ratio"`, `time = 3`, "8:8", `constant "time"`},
		{`ratio = "ratio"`, `ratio = "-ratio"`, "12:9", "above 0"},
		{"limit = 3000.0", "limit = 3000.0\nleast = 3000.0", "14:2", "is not below the limit"},
		{"duration = 0.5", "duration = 0.5\npath = { kind = \"track\", into = 1 }", "37:", "needs a table [track]"},
		{`verdict = "far away"`, ``, "30:3", `stop[0] lacks the key "verdict"`},
		{`above = 1e6`, ``, "32:", "0 bounds"},
		{`above = 1e6`, `above = 1, below = 2`, "32:", "2 bounds"},
		{`"body.x", above`, `"body.x +", above`, "32:", "formula"},
		{`duration = 0.5`, `timeout = 0.5`, "36:", `without "until"`},
		{`timeout = 2.0`, `duration = 2.0`, "41:", `both "duration" and "until"`},
		{`[steering]
drivers = ["steer"]
ratio = "ratio"`, "", "", "needs a table [steering]"},
		{"duration = 0.5", "duration = 0.5\npath = { kind = \"continued\" }", "37:", "no path that could be continued"},
		{"duration = 0.5", "duration = 0.5\npath = { kind = \"circle\", radius = 0, laps = 1 }", "37:",
			"must not be 0"},
		{"duration = 0.5", "duration = 0.5\npath = { kind = \"circle\", radius = 1, laps = 1e9 }", "37:", "laps"},
		{"duration = 0.5", "duration = 0.5\npath = { kind = \"points\", x = [0, 1, 1], y = [0, 0, 0] }", "37:",
			"the same"},
		{"duration = 0.5", "duration = 0.5\npath = { kind = \"points\", x = [0], y = [0] }", "37:", "two at least"},
		{"duration = 0.5",
			`duration = 0.5
steering = { kind = "constant", value = 0 }
path = { kind = "circle", radius = 1, laps = 1 }`, "38:", "driven twice"},
		{"duration = 0.5",
			"duration = 0.5\nsteering = { kind = \"chirp\", amplitude = 1, first = 0, last = 1, period = 1 }", "37:",
			"whole number"},
		{"duration = 0.5", `duration = 0.5
[figures]
kind = "beauty"
body = "body"`, "38:",
			`figures.kind is "beauty"; it must be one of the words slowly-increasing-steer, `},
		{"duration = 0.5", `duration = 0.5
[figures]
kind = "sine-steer"
body = "body"`, "37:",
			`need a phase "sine"`},
		{"[steering]", `[sweep]
colour = [1]
[steering]`, "11:", `no constant "colour"`},
		{"[steering]", `[sweep]
wide = { from = 1, step = -1, to = 2 }
[steering]`, "11:", "do not lead"},
		{"[steering]", `[sweep]
wide = { from = 1, step = 1, to = 900 }
ratio = [1, 2]
[steering]`, "10:",
			"more than 1000 runs"},
		{"[steering]", `[prerun]
manoeuvre = "x.toml"
constants = { colour = "A" }
[steering]`, "12:",
			`no constant "colour"`},
	} {
		_, err := manoeuvre.Parse("test.toml", []byte(replaced(t, test.old, test.new)))
		if err == nil {
			t.Errorf("%q instead of %q is accepted", test.new, test.old)
			continue
		}
		if !slices.ContainsFunc(strings.Split(err.Error(), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "test.toml:"+test.position) && strings.Contains(line, test.says)
		}) {
			t.Errorf("%q instead of %q: %v\nwant %s: ... %s", test.new, test.old, err, test.position, test.says)
		}
	}
}

// toyFiles writes two manoeuvres and returns the path of the second. The second takes the first one's A at its own
// speed.
func toyFiles(t *testing.T, stop string) string {
	t.Helper()
	head := `name = "test"
title = "Test"
models = ["Toy"]
step = 0.001
[start]
"body.vx" = "speed"
[steering]
drivers = ["steer"]
ratio = 16
[speed_control]
variable = "body.vx"
torques = ["drive.torque"]
proportional = 20000
integral = 20000
limit = 1e5
`
	folder := t.TempDir()
	for name, text := range map[string]string{
		"first.toml": head + `
[constants]
speed = 5
side = 1
[sweep]
side = [1, -1]
[[phase]]
name = "ramp"
duration = 10
speed = { kind = "constant", value = "speed" }
steering = { kind = "piecewise-linear", time = [0, 10], value = [0, "side*0.5"] }
[figures]
kind = "slowly-increasing-steer"
body = "body"
regression_from = 1
regression_to = 3
read_at = 2
departure = 0.1
`, "second.toml": head + stop + `
[constants]
speed = 20
delta = 0
[prerun]
manoeuvre = "first.toml"
replace = { speed = "speed" }
constants = { delta = "A" }
[[phase]]
name = "step"
duration = 3
speed = { kind = "constant", value = "speed" }
steering = { kind = "piecewise-linear", time = [0.5, 0.7], value = [0, "delta"] }
[figures]
kind = "step-steer"
body = "body"
steady_window = 1
steady_share = 0.02
response_share = 0.9
settling_share = 0.05
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "second.toml")
}

func toyEvaluator() *Evaluator {
	return &Evaluator{Open: func() (drive.Subject, func(), error) { return newToyCar(), func() {}, nil }}
}

// The steering-wheel angle for 2 m/s2 corresponds to l a/v^2 at the road wheels. The prerun at the speed of the
// manoeuvre supplies A, and the manoeuvre reaches 2 m/s2 up to the rounding of A to 0.1 deg.
func TestARunBeforeGivesConstants(t *testing.T) {
	result, err := toyEvaluator().Evaluate(toyFiles(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	delta := 16 * math.Atan(2.5*2/(20*20))
	if got := result.Prerun.Figures[0].Value; math.Abs(got-delta) > 0.05*degree+1e-3*delta ||
		len(result.Prerun.Runs) != 2 {
		t.Errorf("A is %g, want %g", got, delta)
	}
	if got := value(t, result.Runs[0].Figures, "a_y_steady"); math.Abs(got-2) > 2*0.1*degree/delta {
		t.Errorf("the lateral acceleration is %g, want 2", got)
	}
	origins := func(r *Result) (list []string) {
		for _, c := range r.Constants {
			list = append(list, c.Name+": "+c.Origin)
		}
		return list
	}
	if got := origins(result); !slices.Contains(got, "delta: run of first.toml before") ||
		!slices.Contains(got, "speed: file") {
		t.Errorf("constants come from %q", got)
	}
	var text strings.Builder
	if err := result.WriteJSON(&text); err != nil ||
		!strings.Contains(text.String(), `"delta": "run of first.toml before"`) {
		t.Errorf("error %v, or figures.json does not say where delta comes from", err)
	}
	if text.Reset(); result.WriteReport(&text) != nil ||
		!strings.Contains(text.String(), "<td class=\"\">run of first.toml before</td>") {
		t.Error("the report does not say where delta comes from")
	}
	e := toyEvaluator()
	e.Replaced = []manoeuvre.ConstantValue{{Name: "delta", Value: 0.1}}
	if result, err = e.Evaluate(toyFiles(t, "")); err != nil || result.Prerun != nil ||
		value(t, result.Runs[0].Figures, "delta_H") != 0.1 {
		t.Errorf("a constant that is given: error %v, prerun %v", err, result.Prerun)
	} else if got := origins(result); !slices.Contains(got, "delta: --let") {
		t.Errorf("constants come from %q", got)
	}
}

func TestCircularManoeuvresAreRejected(t *testing.T) {
	path := toyFiles(t, "")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(strings.Replace(string(text), "first.toml", "second.toml", 1),
		`replace = { speed = "speed" }`, "", 1))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := toyEvaluator().Evaluate(path); err == nil || !strings.Contains(err.Error(), "one before the other") {
		t.Errorf("error %v", err)
	}
}

// A run that does not reach the phase of the figures has none, beside one that has.
func TestRunsWithoutFiguresAreWritten(t *testing.T) {
	result, err := toyEvaluator().Evaluate(toyFiles(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	with := result.Runs[0]
	without := with
	without.Figures = nil
	for _, runs := range [][]Run{{without, with}, {with, without}, {without, without}, {with, with, without, with}} {
		result.Runs = runs
		for name, write := range map[string]func(io.Writer) error{"table": result.WriteTable, "CSV": result.WriteCSV,
			"Markdown": result.WriteMarkdown, "report": result.WriteReport} {
			var text strings.Builder
			if err := write(&text); err != nil || runs[1].Figures != nil &&
				!strings.Contains(text.String(), "yaw_gain") {
				t.Errorf("%s: error %v, or figures are left out", name, err)
			}
		}
	}
}

// scripts are the programs of a page.
var scripts = regexp.MustCompile(`(?s)<script>.*?</script>`)

// The written files state what ended a run, and have no number for a missing figure.
func TestFiguresAreWrittenWithVerdicts(t *testing.T) {
	result, err := toyEvaluator().Evaluate(toyFiles(t, `[[stop]]
verdict = "far away"
when = { formula = "time", above = 0.6 }
`))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := result.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Constants map[string]float64
		Runs      []struct {
			Verdict string
			Figures []struct {
				Figure  string
				Value   *float64
				Missing string
			}
		}
	}
	if err := json.Unmarshal([]byte(text.String()), &read); err != nil {
		t.Fatal(err)
	}
	if read.Constants["delta"] == 0 || len(read.Runs) != 1 ||
		!strings.HasPrefix(read.Runs[0].Verdict, "far away at 0.601 s") {
		t.Errorf("constants %v, runs %+v", read.Constants, read.Runs)
	}
	missing := 0
	for _, f := range read.Runs[0].Figures {
		if (f.Value == nil) != (f.Missing != "") {
			t.Errorf("%+v", f)
		}
		if f.Missing != "" {
			missing++
		}
	}
	if missing == 0 {
		t.Error("a run of 0.6 s has all figures")
	}
	for name, write := range map[string]func(io.Writer) error{"table": result.WriteTable, "CSV": result.WriteCSV,
		"Markdown": result.WriteMarkdown, "report": result.WriteReport} {
		text.Reset()
		err := write(&text)
		written := scripts.ReplaceAllString(text.String(), "")
		if err != nil || strings.Contains(written, "NaN") || !strings.Contains(written, "not steady") {
			t.Errorf("%s: error %v, a figure NaN, or none that is missing:\n%.2000s", name, err, written)
		}
	}
}
