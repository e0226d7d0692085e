package validation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/display"
)

const deg = math.Pi / 180

// signals are the signals of a run as functions of time; nil is 0.
type signals struct {
	steer, speed, ay, yaw, slip, roll func(t float64) float64
}

// rows are the rows of a table.
func (s signals) rows(from, to, step float64, column ...func(t float64) float64) string {
	var b strings.Builder
	for i := 0; ; i++ {
		t := from + float64(i)*step
		if t > to+1e-9 {
			return b.String()
		}
		fmt.Fprintf(&b, "%.9g", t)
		for _, f := range column {
			x := 0.0
			if f != nil {
				x = f(t)
			}
			fmt.Fprintf(&b, ",%.12g", x)
		}
		b.WriteByte('\n')
	}
}

// simulated writes a folder as skidpad manoeuvre --out --full does, of a car whose steering wheel turns 16 times as far
// as its wheels. Its accelerations are along its own axes.
func simulated(t *testing.T, kind, options, phases, figures string, end, step float64, s ...signals) string {
	t.Helper()
	folder := t.TempDir()
	var runs []string
	for i, of := range s {
		runs = append(runs, fmt.Sprintf(`{"varied": {"side": %d}, "verdict": "", "phases": %s, "figures": %s}`, 1-2*i, phases,
			figures))
		vy := func(t float64) float64 { return math.Tan(of.slip(t)) * of.speed(t) }
		if of.slip == nil {
			vy = nil
		}
		ay, az := of.ay, func(float64) float64 { return 0 }
		if of.roll != nil {
			ay = func(t float64) float64 { return of.ay(t) * math.Cos(of.roll(t)) }
			az = func(t float64) float64 { return -of.ay(t) * math.Sin(of.roll(t)) }
		}
		write(t, filepath.Join(folder, fmt.Sprintf("run_%d.csv", i+1)), "time,b.vx,b.vy,b.ay,b.az,b.wz,b.roll\n"+
			of.rows(0, end, step, of.speed, vy, ay, az, of.yaw, of.roll))
		wheel := func(t float64) float64 { return of.steer(t) / 16 }
		write(t, filepath.Join(folder, fmt.Sprintf("inputs_%d.csv", i+1)), "time,s.angle\n"+of.rows(0, end, step, wheel))
	}
	write(t, filepath.Join(folder, "figures.json"), fmt.Sprintf(`{"kind": %q, "options": %s, "signals": {"body": "b",
"steering": "s.angle", "steering_factor": 16}, "runs": [%s]}`, kind, options, strings.Join(runs, ",")))
	return folder
}

// measured writes a file of a logger: degrees, other names, and a clock that began earlier.
func measured(t *testing.T, begin, end, step float64, s signals) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "logger.csv")
	degrees := func(f func(t float64) float64) func(t float64) float64 {
		if f == nil {
			return nil
		}
		return func(t float64) float64 { return f(t) / deg }
	}
	heading, list := "Time [s]", []func(t float64) float64{}
	for name, f := range map[string]func(t float64) float64{"WHEEL [deg]": degrees(s.steer), "V [m/s]": s.speed,
		"AY [m/s2]": s.ay, "YAW [deg/s]": degrees(s.yaw), "BETA [deg]": degrees(s.slip), "ROLL [deg]": degrees(s.roll)} {
		if f != nil {
			heading, list = heading+","+name, append(list, f)
		}
	}
	write(t, file, heading+"\n"+s.rows(begin, end, step, list...))
	return file
}

// columns map the columns that a measured file has.
func columns(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	heading, _, _ := strings.Cut(string(text), "\n")
	list := "[column]\n"
	for name, of := range map[string]string{"steering_wheel": "WHEEL", "speed": "V", "a_y": "AY", "yaw_rate": "YAW",
		"side_slip": "BETA", "roll": "ROLL"} {
		if strings.Contains(heading, of) {
			list += fmt.Sprintf("%s = { name = %q }\n", name, of)
		}
	}
	return list
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare compares with tolerances that replace shipped ones.
func compared(t *testing.T, number, tolerances, simulated string, files ...string) (*Result, error) {
	t.Helper()
	by := filepath.Join(t.TempDir(), "by.toml")
	write(t, by, tolerances+columns(t, files[0]))
	s, err := ReadSpec(number, by)
	if err != nil {
		t.Fatal(err)
	}
	return s.Compare(simulated, files)
}

// flips asserts that a verdict is inside below a deviation, and outside above it, within a share.
func flips(t *testing.T, name string, at, share float64, inside func(deviation float64) bool) {
	t.Helper()
	if below, above := inside(at*(1-share)), inside(at*(1+share)); !below || above {
		t.Errorf("%s: inside at %g: %v, at %g: %v", name, at*(1-share), below, at*(1+share), above)
	}
}

// curveOf is the curve of a name of the first group.
func (r *Result) curveOf(t *testing.T, y string) *curve {
	t.Helper()
	i := slices.IndexFunc(r.groups[0].curves, func(c *curve) bool { return c.Y == y })
	if i < 0 || r.groups[0].curves[i].notJudged != "" {
		t.Fatalf("no verdict of %s", y)
	}
	return r.groups[0].curves[i]
}

func (r *Result) figureOf(t *testing.T, name string) *figure {
	t.Helper()
	i := slices.IndexFunc(r.groups[0].figures, func(f *figure) bool { return f.Figure == name })
	if i < 0 || r.groups[0].figures[i].notJudged != "" {
		t.Fatalf("no verdict of %s", name)
	}
	return r.groups[0].figures[i]
}

// The steady circle of the single-track model: the lateral acceleration rises by 0.1 m/s2 per second, the angle of the
// steering wheel is ratio (l/v^2 + K) a_y, and the side-slip angle (l_R/v^2 - k) a_y.
const (
	circleSpeed = 20.0
	rise        = 0.1
	wheelSlope  = 16 * (2.8/(circleSpeed*circleSpeed) + 0.003)
	slipSlope   = 1.4/(circleSpeed*circleSpeed) - 0.004
)

func circle(side, factor, offset float64) signals {
	ay := func(t float64) float64 { return side * rise * t }
	return signals{steer: func(t float64) float64 { return wheelSlope*factor*ay(t) + side*offset },
		speed: func(float64) float64 { return circleSpeed }, ay: ay,
		yaw:  func(t float64) float64 { return ay(t) / circleSpeed },
		slip: func(t float64) float64 { return slipSlope * factor * ay(t) },
		roll: func(t float64) float64 { return 0.03 * ay(t) }}
}

const circleOptions = `{"wheelbase": 2.8, "local": 1, "read_at": 3, "regression_from": 1, "regression_to": 4}`

func simulatedCircle(t *testing.T, sides ...float64) string {
	var runs []signals
	for _, side := range sides {
		runs = append(runs, circle(side, 1, 0))
	}
	return simulated(t, "steady-circle-speed", circleOptions, `[{"Name": "ramp", "Begin": 0, "End": 50}]`,
		fmt.Sprintf(`[{"figure": "steering_gradient", "unit": "rad/(m/s2)", "value": %g}]`, wheelSlope), 50, 0.25, runs...)
}

// A line y = m x with the half widths a and b has its boundaries b + m a above and below with rectangles, and
// sqrt(b^2 + (m a)^2) with ellipses. With a width of b + g |y| along y only, a slope that is larger by a share e leaves
// it at the largest x first: e = g + b/(m x).
func TestVerdictsOfSteadyCirclesFlip(t *testing.T) {
	sim := simulatedCircle(t, 1)
	const a, b = 0.2, 0.05
	inside := func(corridor string, factor, offset float64) bool {
		r, err := compared(t, "19364", "[[corridor]]\nx = \"a_y\"\ny = \"steering_wheel\"\n"+corridor, sim,
			measured(t, -3, 46, 0.25, shifted(circle(1, factor, offset), 3)))
		if err != nil {
			t.Fatal(err)
		}
		return r.curveOf(t, "steering_wheel").pass()
	}
	for _, sign := range []float64{1, -1} {
		flips(t, "rectangles", b+wheelSlope*a, 1e-3, func(d float64) bool {
			return inside("x_offset = 0.2\ny_offset = 0.05\nfrom = 0.5\nto = 4.5\n", 1, sign*d)
		})
		flips(t, "ellipses", math.Hypot(b, wheelSlope*a), 1e-3, func(d float64) bool {
			return inside("shape = \"ellipse\"\nx_offset = 0.2\ny_offset = 0.05\nfrom = 0.5\nto = 4.5\n", 1, sign*d)
		})
	}
	const last = 4.9 // m/s2, in the simulation; the mean of the last points is at most half a step less
	flips(t, "gain", 0.04+0.01/(wheelSlope*last), 0.01, func(e float64) bool {
		return inside("y_offset = 0.01\ny_gain = 0.04\n", 1+e, 0)
	})
	flips(t, "gradient", 0.1, 1e-3, func(e float64) bool {
		r, err := compared(t, "19364", "", sim, measured(t, 0, 48, 0.25, circle(1, 1+e, 0)))
		if err != nil {
			t.Fatal(err)
		}
		f := r.figureOf(t, "steering_gradient")
		if math.Abs(f.Ours-wheelSlope*(1+e)) > 1e-6*wheelSlope {
			t.Errorf("gradient %g, want %g", f.Ours, wheelSlope*(1+e))
		}
		return f.Pass()
	})
}

// shifted is the same run on a clock that is late.
func shifted(s signals, by float64) signals {
	late := func(f func(t float64) float64) func(t float64) float64 {
		if f == nil {
			return nil
		}
		return func(t float64) float64 { return f(t + by) }
	}
	return signals{late(s.steer), late(s.speed), late(s.ay), late(s.yaw), late(s.slip), late(s.roll)}
}

// Three runs that are d apart have the standard deviation d, and the interval of the mean at 95 % is 4.303 d/sqrt(3) to
// both sides. All points are inside as means, and none with its scatter where that is wider than the boundaries.
func TestScatterOfRuns(t *testing.T) {
	sim := simulatedCircle(t, 1, -1)
	const corridor = "[[corridor]]\nx = \"a_y\"\ny = \"steering_wheel\"\ny_offset = 0.01\n"
	run := func(d float64) *Result {
		var files []string
		for _, k := range []float64{-1, 0, 1} {
			files = append(files, measured(t, 0, 48, 0.25, circle(-1, 1, k*d)))
		}
		r, err := compared(t, "19364", corridor, sim, files...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const limit = 0.01 * 1.7320508 / 4.303
	flips(t, "scatter", limit, 1e-3, func(d float64) bool {
		r := run(d)
		c := r.curveOf(t, "steering_wheel")
		p := c.points[3]
		if p.runs != 3 || math.Abs(p.deviation-d) > 1e-6*d || math.Abs(p.confidence-0.01*d/limit) > 1e-6*d || !c.pass() ||
			!r.Pass() || r.groups[0].simulated.name != "run 2 (side=-1)" {
			t.Errorf("%+v", p)
		}
		return c.whole == len(c.points)
	})
	// where the mean is away from the simulation, one end of the interval is outside first
	for _, away := range []float64{0.005, -0.005} {
		flips(t, "one end", limit/2, 1e-3, func(d float64) bool {
			var files []string
			for _, k := range []float64{-1, 0, 1} {
				files = append(files, measured(t, 0, 48, 1, circle(-1, 1, away+k*d)))
			}
			r, err := compared(t, "19364", corridor, sim, files...)
			if err != nil {
				t.Fatal(err)
			}
			c := r.curveOf(t, "steering_wheel")
			return c.whole == len(c.points)
		})
	}
	if notes := strings.Join(run(0.001).notes, "; "); !strings.Contains(notes, "1 of 2 simulated runs") {
		t.Error(notes)
	}
}

// Steady states without a time, in any order, are the same as a ramp.
func TestSteadyStatesAreCompared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "states.csv")
	var b strings.Builder
	b.WriteString("WHEEL [deg],V [km/h],AY [m/s2],BETA [deg],YAW [deg/s]\n")
	for _, a := range []float64{3, 1, 4.6, 0.4, 2} {
		fmt.Fprintf(&b, "%g,72,%g,%g,%g\n", wheelSlope*a/deg, a, slipSlope*a/deg, a/circleSpeed/deg)
	}
	write(t, file, b.String())
	r, err := compared(t, "19364", "", simulatedCircle(t, 1), file)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.curveOf(t, "steering_wheel"); len(c.points) != 5 || c.worst.distance > 1e-6 {
		t.Errorf("%d points, worst %+v", len(c.points), c.worst)
	}
	if r.groups[0].curves[2].notJudged != "not measured" {
		t.Error(r.groups[0].curves[2])
	}
	if f := r.figureOf(t, "steering_gradient"); !r.Pass() || math.Abs(f.Ours/wheelSlope-1) > 1e-9 {
		t.Errorf("gradient %g", f.Ours)
	}
}

// The step response of a system of second order, 1 - exp(-D w t) (cos w_d t + D w/w_d sin w_d t), peaks at pi/w_d by
// exp(-D w pi/w_d). The steering wheel turns within 20 ms about time 1 s.
const (
	stepAngle = 0.6
	peakAt    = 0.3 // s
	gainYaw   = 0.3
)

func step(side, damping, factor, delay float64) signals {
	wd := math.Pi / peakAt
	decay := wd * damping / math.Sqrt(1-damping*damping)
	response := func(t float64) float64 {
		if t -= 1 + delay; t > 0 {
			return side * factor * (1 - math.Exp(-decay*t)*(math.Cos(wd*t)+decay/wd*math.Sin(wd*t)))
		}
		return 0
	}
	return signals{steer: func(t float64) float64 { return side * stepAngle * min(max((t-0.99)/0.02, 0), 1) },
		speed: func(float64) float64 { return 25 },
		yaw:   func(t float64) float64 { return gainYaw * stepAngle * response(t) },
		ay:    func(t float64) float64 { return 25 * gainYaw * stepAngle * response(t) }}
}

const stepOptions = `{"steady_window": 1, "steady_share": 0.02, "response_share": 0.9, "settling_share": 0.05}`

func simulatedStep(t *testing.T) string {
	return simulated(t, "step-steer", stepOptions, `[{"Name": "step", "Begin": 0.5, "End": 5}]`,
		fmt.Sprintf(`[{"figure": "yaw_gain", "unit": "1/s", "value": %g}, {"figure": "yaw_rate_overshoot", "unit": "1", "value": %g},
{"figure": "yaw_rate_response_time", "unit": "s", "value": %g}]`, gainYaw, overshoot(0.5), responseTime(0.5)), 5, 0.01,
		step(1, 0.5, 1, 0))
}

// overshoot is exp(-pi D/sqrt(1 - D^2)).
func overshoot(damping float64) float64 {
	return math.Exp(-math.Pi * damping / math.Sqrt(1-damping*damping))
}

// responseTime is the time at which the response passes 0.9, by bisection.
func responseTime(damping float64) float64 {
	s := step(1, damping, 1/(gainYaw*stepAngle), 0)
	low, high := 0.0, peakAt
	for range 60 {
		if m := (low + high) / 2; s.yaw(1+m) < 0.9 {
			low = m
		} else {
			high = m
		}
	}
	return low
}

func TestVerdictsOfStepsFlip(t *testing.T) {
	sim := simulatedStep(t)
	run := func(tolerances string, s signals) *Result {
		r, err := compared(t, "22140", tolerances, sim, measured(t, -7, -2, 0.01, shifted(s, 7)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	// a response that is larger by a share e is farthest from the boundary b + g y at its peak
	const b, g = 0.004, 0.03
	peak := gainYaw * stepAngle * (1 + overshoot(0.5))
	flips(t, "curve", g+b/peak, 2e-3, func(e float64) bool {
		r := run("[[corridor]]\nx = \"time\"\ny = \"yaw_rate\"\ny_offset = 0.004\ny_gain = 0.03\n", step(1, 0.5, 1+e, 0))
		c := r.curveOf(t, "yaw_rate")
		if math.Abs(c.worst.x-peakAt) > 1e-6 {
			t.Errorf("the worst point is at %g s", c.worst.x)
		}
		if c.pass() != r.Pass() {
			t.Errorf("the curve passes: %v, the validation: %v", c.pass(), r.Pass())
		}
		return c.pass()
	})
	flips(t, "gain", 0.05, 1e-3, func(e float64) bool {
		return run("", step(1, 0.5, 1+e, 0)).figureOf(t, "yaw_gain").Pass()
	})
	flips(t, "time", 0.03, 0.01, func(delay float64) bool {
		f := run("", step(1, 0.5, 1, delay)).figureOf(t, "yaw_rate_response_time")
		if math.Abs(f.Ours-f.Reference-delay) > 2e-4 {
			t.Errorf("later by %g s, want %g", f.Ours-f.Reference, delay)
		}
		return f.Pass()
	})
	flips(t, "overshoot", 0.05, 0.01, func(more float64) bool {
		ln := math.Log(overshoot(0.5) + more) // D = -ln/sqrt(pi^2 + ln^2)
		return run("", step(1, -ln/math.Hypot(math.Pi, ln), 1, 0)).figureOf(t, "yaw_rate_overshoot").Pass()
	})
	// a late response leaves a boundary along time where it rises steeply
	flips(t, "late", 0.02, 0.02, func(delay float64) bool {
		return run("[[corridor]]\nx = \"time\"\ny = \"yaw_rate\"\nx_offset = 0.02\ny_offset = 1e-5\n",
			step(1, 0.5, 1, delay)).curveOf(t, "yaw_rate").pass()
	})
}

// The sine with dwell: 0.7 Hz and 0.5 s. The yaw rate follows to both sides, and goes down to a share q of its second
// peak until 0.8 s after the end of the steering.
func dwell(share, factor float64) signals {
	const f, hold, end = 0.7, 0.5, 1/0.7 + 0.5
	smooth := func(u float64) float64 { return (1 - math.Cos(math.Pi*min(max(u, 0), 1))) / 2 }
	sine := func(t float64) float64 {
		t--
		switch {
		case t <= 0 || t >= end:
			return 0
		case t < 0.75/f:
			return math.Sin(2 * math.Pi * f * t)
		case t < 0.75/f+hold:
			return -1
		}
		return math.Sin(2 * math.Pi * f * (t - hold))
	}
	return signals{steer: func(t float64) float64 { return 2 * sine(t) },
		speed: func(float64) float64 { return 80 / 3.6 },
		ay: func(t float64) float64 {
			return factor * 6 * (smooth((t-1)/0.4) - 2*smooth((t-1.9)/0.6) + smooth((t-3)/0.5))
		},
		yaw: func(t float64) float64 {
			return 0.5*(smooth((t-1)/0.4)-smooth((t-1.6)/0.4)) - 0.5*smooth((t-2.1)/0.3) +
				0.5*(1-share)*smooth((t-1-end)/0.8)
		}}
}

func TestVerdictsOfTheSineWithDwellFlip(t *testing.T) {
	const options = `{"A": 0.4, "acceleration_edge": 6, "bos": 0.08726646, "displacement_from": 5, "displacement_limit": 1.83,
"displacement_time": 1.07, "filter_order": 6, "first_limit": 0.35, "first_time": 1, "second_limit": 0.2, "second_time": 1.75,
"steer_edge": 10, "steering_time": 1.92857142857, "yaw_edge": 6}`
	// the steering wheel passes 5 deg at asin(bos/2)/(2 pi 0.7); the double integral from then on is the integral of
	// (u - t) a_y(t)
	begin, place := 1+math.Asin(0.08726646/2)/(2*math.Pi*0.7), 0.0
	const parts = 20000
	for i := range parts {
		t := 1.07 * (float64(i) + 0.5) / parts
		place += (1.07 - t) * dwell(0, 1).ay(begin+t) * 1.07 / parts
	}
	sim := simulated(t, "sine-with-dwell", options, `[{"Name": "straight", "Begin": 0, "End": 1},
{"Name": "steer", "Begin": 1, "End": 2.92857}, {"Name": "after", "Begin": 2.92857, "End": 6}]`,
		fmt.Sprintf(`[{"figure": "yaw_ratio_1", "unit": "1", "value": 0.1}, {"figure": "yaw_ratio_2", "unit": "1", "value": 0.1},
{"figure": "displacement_integrated", "unit": "m", "value": %g}]`, place), 6, 0.01, dwell(0.1, 1))
	run := func(s signals) *Result {
		r, err := compared(t, "19365", "", sim, measured(t, 10, 16, 0.01, shifted(s, -10)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, name := range []string{"yaw_ratio_1", "yaw_ratio_2"} {
		flips(t, name, 0.1, 0.01, func(more float64) bool { return run(dwell(0.1+more, 1)).figureOf(t, name).Pass() })
	}
	// the filters of the evaluation change the displacement by 0.2 %
	flips(t, "displacement", (0.2+0.05*place)/place, 0.03, func(e float64) bool {
		return run(dwell(0.1, 1+e)).figureOf(t, "displacement_integrated").Pass()
	})
	// at rest of the yaw rate, the boundary is 3 deg/s + 10 % of 0.05 rad/s above it
	flips(t, "yaw rate", (3*deg+0.1*0.05)/0.5, 0.01, func(more float64) bool {
		return run(dwell(0.1+more, 1)).curveOf(t, "yaw_rate").pass()
	})
}

// A steering of all lines of 1/20 Hz from 0.2 to 4 Hz; the yaw rate follows by a system of second order with a gain
// and a delay.
func lines(factor, delay float64) signals {
	sum := func(t float64, yaw bool) (x float64) {
		for k := 4; k <= 80; k++ {
			f, phase := float64(k)/20, 0.1*float64(k*k)
			if !yaw {
				x += 0.001 * math.Cos(2*math.Pi*f*t+phase)
				continue
			}
			u := f / 1.5
			d := complex(1-u*u, 2*0.6*u)
			re, im := real(1/d), imag(1/d)
			a := 2*math.Pi*f*(t-delay) + phase
			x += 0.001 * factor * 0.3 * (re*math.Cos(a) - im*math.Sin(a))
		}
		return x
	}
	return signals{steer: func(t float64) float64 { return sum(t, false) }, speed: func(float64) float64 { return 25 },
		yaw: func(t float64) float64 { return sum(t, true) }}
}

func TestVerdictsOfFrequencyResponsesFlip(t *testing.T) {
	const options = `{"coherence": 0.95, "from": 0.2, "read_at": 1, "segment": 20, "to": 4}`
	sim := simulated(t, "frequency-response", options, `[{"Name": "steer", "Begin": 0, "End": 60}]`, "[]", 60, 0.05,
		lines(1, 0))
	inside := func(y string, s signals) bool {
		r, err := compared(t, "22140", "", sim, measured(t, 3, 63, 0.05, s))
		if err != nil {
			t.Fatal(err)
		}
		return r.curveOf(t, y).pass()
	}
	flips(t, "gain", 0.1, 0.002, func(e float64) bool { return inside("yaw_rate_gain", lines(1+e, 0)) })
	flips(t, "phase", 10.0/360/4, 0.002, func(delay float64) bool { return inside("yaw_rate_phase", lines(1, delay)) })
}

// Files of another test are refused with one message, which says what differs.
func TestFilesOfAnotherTestAreRefused(t *testing.T) {
	circles, steps := simulatedCircle(t, 1), simulatedStep(t)
	fast := circle(1, 1, 0)
	fast.speed = func(float64) float64 { return circleSpeed + 1 }
	slow := circle(1, 1, 0)
	slow.speed = func(float64) float64 { return circleSpeed - 1 }
	turned := circle(1, -1, 0)
	still := circle(1, 1, 0)
	still.ay = func(t float64) float64 { return 0.01 * t }
	short := step(1, 0.5, 1, 0)
	short.steer = func(t float64) float64 { return stepAngle * min(max((t-0.99)/0.02, 0), 1) * min(max((3-t)/0.02, 0), 1) }
	straight := step(1, 0.5, 1, 0)
	straight.steer = func(float64) float64 { return 0 }
	for _, c := range []struct {
		number, sim string
		s           signals
		says        string
	}{
		{"19364", circles, fast, "the speed is 75.6 km/h, and 72 km/h in the simulation; a difference of 3 km/h is allowed"},
		{"19364", circles, slow, "the speed is 68.4 km/h, and 72 km/h in the simulation"},
		{"19364", circles, circle(-1, 1, 0), "the circle is to the right, and no simulated run is"},
		{"19364", circles, turned, "the steering wheel is turned to one side"},
		{"19364", circles, still, "it is no steady circle: its lateral acceleration does not exceed 0.48 m/s2"},
		{"19364", circles, step(1, 0.5, 1, 0), "it is no steady circle: its lateral acceleration rises by"},
		{"22140", steps, short, "its steering-wheel angle fits no simulated run: it differs from run 1 (side=1), the "},
		{"22140", steps, step(-1, 0.5, 1, 0), "differs from run 1 (side=1), the nearest, by 200 %"},
		{"22140", steps, circle(1, 1, 0), "its steering-wheel angle fits no simulated run"},
		{"22140", steps, straight, "the steering wheel does not turn from straight ahead"},
		{"19365", steps, short, "the test is step-steer; this standard is about sine-with-dwell"},
		{"22140", circles, short, "the test is steady-circle-speed; this standard is about step-steer, sine-steer"},
	} {
		_, err := compared(t, c.number, "", c.sim, measured(t, 0, 48, 0.02, c.s))
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v\nwant %s", err, c.says)
		}
	}
}

// The page, the table and JSON have the same verdicts. Outputs distinguish curves without a measurement,
// missing values and values without a verdict. A missing value fails.
func TestOutputs(t *testing.T) {
	sim := simulatedStep(t)
	s := step(1, 0.5, 1.2, 0)
	s.ay = nil
	restless := s
	restless.yaw = func(t float64) float64 { return s.yaw(t) * (1 + 0.05*math.Sin(20*t)) }
	r, err := compared(t, "22140", "", sim, measured(t, 0, 5, 0.01, s), measured(t, 0, 5, 0.01, s))
	if err != nil {
		t.Fatal(err)
	}
	var text, table, page bytes.Buffer
	if err := errors.Join(r.WriteJSON(&text), r.WriteTable(&table), r.Page(display.Default()).Write(&page)); err != nil {
		t.Fatal(err)
	}
	var data struct {
		ISO  string
		Pass bool
		Runs []struct {
			Curves []struct {
				Y, Source string
				Pass      bool
				Points    []struct{ X, Y, Distance float64 }
				Top       [][]float64
				NotJudged string `json:"not_judged"`
			}
			Figures []struct {
				Figure               string
				Measured, Simulation float64
				Pass                 bool
			}
		}
	}
	if err := json.Unmarshal(text.Bytes(), &data); err != nil {
		t.Fatal(err)
	}
	g := data.Runs[0]
	if data.ISO != "22140" || data.Pass || r.Pass() || len(g.Curves) != 4 || g.Curves[0].Y != "a_y" ||
		g.Curves[0].NotJudged != "not measured" || g.Curves[1].Pass || g.Curves[1].Source != "default of Skidpad" {
		t.Errorf("%s", text.String()[:600])
	}
	if f := g.Figures[0]; f.Figure != "yaw_gain" || f.Pass || math.Abs(f.Measured-1.2*gainYaw) > 1e-6 ||
		f.Simulation != gainYaw {
		t.Errorf("%+v", f)
	}
	// where the response is steady, the boundary lies 0.5 deg/s + 5 % above it
	top, peak := g.Curves[1].Top, gainYaw*stepAngle
	if last := len(top[1]) - 1; math.Abs(top[1][last]-1.05*peak-0.5*deg) > 1e-4 {
		t.Errorf("the boundary ends at %g", top[1][last])
	}
	for _, says := range []string{"not measured", "OUTSIDE", "claims no compliance", "measured runs: 2; public"} {
		if !strings.Contains(table.String(), says) {
			t.Errorf("%s\nwant %s", table.String(), says)
		}
	}
	for _, says := range []string{"after ISO 22140", "FAIL", "interval of 95 %", "boundaries", "claims no compliance"} {
		if !strings.Contains(page.String(), says) {
			t.Errorf("the page lacks %s", says)
		}
	}
	if r, err = compared(t, "22140", "", sim, measured(t, 0, 5, 0.01, restless)); err != nil {
		t.Fatal(err)
	}
	table.Reset()
	if err := r.WriteTable(&table); err != nil || r.figureOf(t, "yaw_gain").Pass() ||
		!strings.Contains(table.String(), "yaw_gain of run 1 (side=1) is missing: logger.csv: not steady") ||
		!strings.Contains(table.String(), "MISSING") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// Tolerances of a user replace those of the same name, and others stay.
func TestTolerancesOfAUser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.toml")
	write(t, file, `title = "Ours"
[test]
speed = "1 km/h"
[[corridor]]
x = "a_y"
y = "roll"
y_offset = 0.5
[[figure]]
figure = "K_u"
relative = 0.2
`)
	s, err := ReadSpec("19364", file)
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := ReadSpec("19364", "")
	if err != nil {
		t.Fatal(err)
	}
	if s.Title != "Ours" || math.Abs(s.test.speed-1/3.6) > 1e-12 || s.test.every != 0.25 || len(s.Corridors) != 4 ||
		len(s.Figures) != 4 || s.Corridors[3].Y != "roll" || s.Corridors[3].YOffset != 0.5 || s.Corridors[3].Ellipse ||
		math.Abs(s.Corridors[0].YOffset-5*deg) > 1e-12 || !s.Corridors[0].Ellipse || shipped.Corridors[3].YOffset == 0.5 {
		t.Errorf("%+v", s)
	}
	for _, number := range Numbers() {
		s, err := ReadSpec(number, "")
		if err != nil || s.Number != number || s.test.speed == 0 || s.test.every == 0 {
			t.Errorf("%s: %v", number, err)
		}
		for _, c := range s.Corridors {
			if c.Source == "" {
				t.Errorf("%s: %s has no source", number, c.Y)
			}
		}
		for _, f := range s.Figures {
			if f.Source == "" {
				t.Errorf("%s: %s has no source", number, f.Figure)
			}
		}
	}
	for text, says := range map[string]string{
		"[[corridor]]\nx = \"speed\"\ny = \"roll\"\ny_offset = 1\n":     ":3:5: roll over speed is no curve of a validation",
		"[[corridor]]\nx = \"frequency\"\ny = \"roll\"\ny_offset = 1\n": "roll over frequency is no curve",
		"[[figure]]\nfigure = \"a\"\n":                                  ":2:10: a is not computed from measured runs",
		"shift = 0.1\n":                                                 "takes times from the steering",
		"[test]\nspeed = -1\n":                                          ":2:9:",
		"[tests]\n":                                                     "unknown key \"tests\"",
	} {
		write(t, file, text)
		if _, err := ReadSpec("19364", file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v\nwant %s", text, err, says)
		}
	}
	if _, err := ReadSpec("1", ""); err == nil || !strings.Contains(err.Error(), "19364, 19365, 22140") {
		t.Error(err)
	}
}

// Files that cannot be compared are refused with their place.
func TestInvalidMeasurements(t *testing.T) {
	sim := simulatedStep(t)
	heading := "time,steering_wheel,yaw_rate\n"
	good := step(1, 0.5, 1, 0)
	rows := strings.Split(heading+good.rows(0, 5, 0.01, good.steer, good.yaw), "\n")
	whole := strings.Join(rows, "\n")
	for name, c := range map[string]struct{ text, by, says string }{
		"gap": {strings.Join(slices.Delete(slices.Clone(rows), 100, 130), "\n"), "",
			"steering_wheel has a gap of 0.31 s at 0.98"},
		"no steering": {"time,yaw_rate\n0,1\n1,2\n", "", "has no column steering_wheel, by which its test is known"},
		"no time":     {"steering_wheel,yaw_rate\n0,1\n1,2\n", "", "has no column of the time, which step-steer needs"},
		"nothing":     {"a,b\n0,1\n1,2\n", "", "it has neither a time nor a column of steering_wheel"},
		"uneven": {heading + "0,0,0\n0.0001,0,0\n0.0002,0,0\n50,1,1\n", "",
			"its rows are too unevenly apart in time"},
		"typo": {whole, "[column]\nyawrate = { name = \"r\" }\n",
			`a validation reads no "yawrate"; did you mean "yaw_rate"?`},
		"absent":     {whole, "[column]\nroll = { name = \"r\" }\n", `has no column "r"`},
		"unit":       {whole, "[column]\nyaw_rate = { unit = \"m\" }\n", "is in m, and yaw_rate is in rad/s"},
		"only steer": {heading[:19] + "\n" + good.rows(0, 5, 0.01, good.steer), "", "have no quantity that is compared"},
		"figure":     {whole, "[[figure]]\nfigure = \"K_u\"\n", `step-steer has no characteristic value "K_u"`},
	} {
		folder := t.TempDir()
		file, by := filepath.Join(folder, "m.csv"), filepath.Join(folder, "by.toml")
		write(t, file, c.text)
		write(t, by, c.by)
		s, err := ReadSpec("22140", by)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Compare(sim, []string{file})
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant %s", name, err, c.says)
		}
	}
}

// The measured files of a folder are all of its files, except for the other files of a manoeuvre. Variables of the
// simulated vehicle are known by their names.
func TestRunsOfAFolderAreMeasured(t *testing.T) {
	sim := simulatedStep(t)
	folder := t.TempDir()
	s := step(1, 0.5, 1, 0)
	write(t, filepath.Join(folder, "run_1.csv"), "time,s.angle,b.vx,b.vy,b.ay,b.az,b.roll,b.wz\n"+
		s.rows(0, 5, 0.01, func(t float64) float64 { return s.steer(t) / 16 }, s.speed, nil, s.ay, nil, nil, s.yaw))
	write(t, filepath.Join(folder, "figures.csv"), "run,varied\n1,\n")
	write(t, filepath.Join(folder, "inputs_1.csv"), "time\n1\n")
	spec, err := ReadSpec("22140", "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := spec.Compare(sim, []string{folder})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.groups[0].measured) != 1 || !r.Pass() || len(r.groups[0].curves) != 4 ||
		r.curveOf(t, "a_y").worst.distance > 1e-6 {
		t.Errorf("%+v", r.groups[0])
	}
	for text, says := range map[string]string{
		"{}": "the kind of test, the signals or the runs are missing",
		"{":  "run the manoeuvre again",
		`{"kind": "step-steer", "signals": {"body": "b"}, "runs": [{}]}`: "the option steady_window of step-steer is missing",
	} {
		write(t, filepath.Join(sim, "figures.json"), text)
		if _, err := spec.Compare(sim, []string{folder}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v\nwant %s", err, says)
		}
	}
	if _, err := spec.Compare(folder, []string{folder}); err == nil ||
		!strings.Contains(err.Error(), "SIMULATED is a folder that") {
		t.Error(err)
	}
	if _, err := measuredFiles([]string{t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no measured file") {
		t.Error(err)
	}
}

// A copy of the shipped file says the same as the file, for each of its tests.
func TestACopyOfTheShippedTolerances(t *testing.T) {
	text, err := Shipped("22140")
	if err != nil {
		t.Fatal(err)
	}
	r, err := compared(t, "22140", string(text), simulatedStep(t), measured(t, 0, 5, 0.01, step(1, 0.5, 1, 0)))
	if err != nil || !r.Pass() || len(r.groups[0].figures) != 3 || len(r.groups[0].curves) != 4 {
		t.Errorf("%v %+v", err, r)
	}
}

// On a circle of constant radius the speed rises, and a radius that differs by more than 5 % is another test. The ramp
// of the simulation begins after an approach.
func TestRadiusOfACircle(t *testing.T) {
	const approach = 10.0 // s
	run := func(radius float64) signals {
		ay := func(t float64) float64 { return rise * max(t-approach, 0) }
		return signals{ay: ay, speed: func(t float64) float64 { return math.Sqrt(radius * max(ay(t), 0.1)) },
			steer: func(t float64) float64 {
				if t < approach-1 {
					return math.Sin(t)
				}
				return 0.4 + 0.05*ay(t)
			}}
	}
	sim := simulated(t, "steady-circle-radius", circleOptions, fmt.Sprintf(`[{"Name": "ramp", "Begin": %g, "End": 60}]`,
		approach), "[]", 60, 0.25, run(50))
	flips(t, "radius", 0.05, 0.01, func(e float64) bool {
		r, err := compared(t, "19364", "", sim, measured(t, approach, 55, 0.25, run(50*(1+e))))
		if err != nil {
			if !strings.Contains(err.Error(), "and 50 m in the simulation; a difference of 5 % is allowed") {
				t.Error(err)
			}
			return false
		}
		if c := r.curveOf(t, "steering_wheel"); c.worst.distance > 1e-6 || c.xs[0] > 0.1 || c.ys[0] != 0.4 {
			t.Errorf("the curve begins at %g, %g; worst %+v", c.xs[0], c.ys[0], c.worst)
		}
		return true
	})
}

// Frequencies that a steering does not hold make no points, nor do some beside them.
func TestIncoherentFrequenciesAreLeftOut(t *testing.T) {
	const options = `{"coherence": 0.95, "from": 0.2, "read_at": 1, "segment": 20, "to": 4}`
	sim := simulated(t, "frequency-response", options, `[{"Name": "steer", "Begin": 0, "End": 60}]`, "[]", 60, 0.05,
		lines(1, 0))
	s := lines(1, 0)
	all := s.steer
	s.steer = func(t float64) float64 { return all(t) - 0.001*math.Cos(2*math.Pi*2*t+0.1*40*40) }
	r, err := compared(t, "22140", "", sim, measured(t, 0, 60, 0.05, s))
	if err != nil {
		t.Fatal(err)
	}
	if c := r.curveOf(t, "yaw_rate_gain"); len(c.points) < 70 || !c.pass() ||
		slices.ContainsFunc(c.points, func(p point) bool { return math.Abs(p.x-2) < 0.01 }) {
		t.Errorf("%d points", len(c.points))
	}
	// phases that begin near half a turn are on the same side of it
	ahead, err := compared(t, "22140", "", simulated(t, "frequency-response", options,
		`[{"Name": "steer", "Begin": 0, "End": 60}]`, "[]", 60, 0.05, lines(-1, 0)),
		measured(t, 0, 60, 0.05, lines(-1, -0.15)))
	if err != nil {
		t.Fatal(err)
	}
	if c := ahead.curveOf(t, "yaw_rate_phase"); math.Abs(c.points[0].y-c.ys[0]-2*math.Pi*0.2*0.15) > 0.01 {
		t.Errorf("the phase begins at %g, and at %g in the simulation", c.points[0].y, c.ys[0])
	}
	short := measured(t, 0, 30, 0.05, lines(1, 0))
	if _, err := compared(t, "22140", "", sim, short); err == nil ||
		!strings.Contains(err.Error(), "no coherent frequency response") {
		t.Error(err)
	}
}

// Limits of what is read, and files that do not belong to each other.
func TestLimitsOfFiles(t *testing.T) {
	sim := simulatedCircle(t, 1)
	good := measured(t, 0, 48, 0.25, circle(1, 1, 0))
	if _, err := measuredFiles(slices.Repeat([]string{good}, mostFiles)); err != nil {
		t.Error(err)
	}
	if _, err := measuredFiles(slices.Repeat([]string{good}, mostFiles+1)); err == nil {
		t.Error("too many files are compared")
	}
	states := filepath.Join(t.TempDir(), "states.csv")
	write(t, states, "WHEEL [deg],AY [m/s2]\n1,1\n,2\n,2.5\n3,3\n4,4\n")
	if _, err := compared(t, "19364", "", sim, states); err == nil ||
		!strings.Contains(err.Error(), "has a gap of 3 rows") {
		t.Error(err)
	}
	// points beyond the simulation, and outside of the range of a corridor, do not count
	const from1 = "[[corridor]]\nx = \"a_y\"\ny = \"steering_wheel\"\ny_offset = 1\nfrom = 1\n"
	r, err := compared(t, "19364", from1, sim,
		measured(t, 0, 56, 0.25, circle(1, 1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if c := r.curveOf(t, "steering_wheel"); len(c.points) != 16 || c.beyond != 7 {
		t.Errorf("%d points, %d beyond", len(c.points), c.beyond)
	}
	text, err := os.ReadFile(filepath.Join(sim, "inputs_1.csv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(sim, "inputs_1.csv"), string(text[:len(text)/2]))
	if _, err := compared(t, "19364", "", sim, good); err == nil {
		t.Error("a run with the inputs of another one is compared")
	}
}

// A column of a quantity comes before variables of the vehicle.
func TestColumnsOfQuantitiesComeFirst(t *testing.T) {
	s := circle(1, 1, 0)
	file := filepath.Join(t.TempDir(), "both.csv")
	wrong := func(float64) float64 { return 0.5 }
	write(t, file, "time,steering_wheel,a_y,s.angle,b.ay,b.az,b.roll\n"+
		s.rows(0, 48, 0.25, s.steer, s.ay, wrong, wrong, wrong, wrong))
	spec, err := ReadSpec("19364", "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := spec.Compare(simulatedCircle(t, 1), []string{file})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.curveOf(t, "steering_wheel"); c.worst.distance > 1e-3 {
		t.Error(c.worst)
	}
}
