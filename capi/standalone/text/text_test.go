package text_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/capi/standalone/text"
	"skidpad/harness/tests/built"
	"skidpad/model/solver"
)

// The inputs of the oscillator of testdata/oscillator.c.
const (
	drive = iota
	driveRate
	acceleration
	above
	inputs
)

// swing is testdata/oscillator.c in Go, with package solver.
type swing struct {
	x       []float64
	u, rate [inputs]float64
	t       float64
	c       float64
	due     bool // the next rates are looked at
	start   float64
	notes   []notes // by row
	ended   float64
	left    int // evaluations before one gives up
	gaveUp  bool
}

// notes are the numbers of a row: side, times left, first time, farthest value, its time.
type notes struct{ side, count, first, worst, when float64 }

func (o *swing) evaluate(since float64, x, dx []float64) {
	u := o.at(since)
	dx[0] = x[1]
	dx[1] = float64((u[drive]-x[0])*(25*0.8)) - float64(x[1]*0.5)
	dx[2] = float64(x[0]*x[1]) + (0.25 + u[above])
	if o.left--; o.left == 0 {
		o.gaveUp = true
	}
}

// at continues the inputs: the drive by its rate and acceleration, the rate of the rate being an acceleration, too.
func (o *swing) at(since float64) [inputs]float64 {
	u := o.u
	if since != 0 {
		for i := range u {
			u[i] += float64(since * o.rate[i])
		}
		u[drive] += float64(since * (o.u[driveRate] + float64(since/2*(o.u[acceleration]+o.rate[driveRate]))))
		u[driveRate] += float64(since * o.u[acceleration])
	}
	return u
}

func (o *swing) Rates(since float64, x, dx []float64) {
	o.evaluate(since, x, dx)
	if !o.due || o.gaveUp {
		return
	}
	o.due = false
	o.notes[0].see(x[0], -0.7, 0.6, 0.9, true, o.start+since)
	if len(o.notes) > 1 {
		o.notes[1].see(x[1], -3, 3, 1, x[2] > 0, o.start+since)
	}
}

// see notes a value with limits; back is the part of the limits within which it has come back.
func (n *notes) see(x, low, high, back float64, counts bool, t float64) {
	far := math.Max(x-high, low-x)
	switch {
	case far <= 0:
		if n.side != 0 && math.Max(x-back*high, back*low-x) <= 0 {
			n.side = 0
		}
		return
	case !counts:
		return
	case n.side == 0:
		n.count++
		if n.count == 1 {
			n.first, n.worst, n.when = t, x, t
		}
	}
	if far > math.Max(n.worst-high, low-n.worst) {
		n.worst, n.when = x, t
	}
	n.side = math.Copysign(1, x)
}

func (o *swing) Linearise(since float64, x, k []float64, c float64) {
	o.evaluate(since, x, k)
	o.c = c
	o.Solve(k)
}

func (o *swing) Solve(r []float64) {
	for i := range r {
		r[i] /= 1 + float64(2*o.c)
	}
}

// step makes a communication step of h, in n solver steps.
func (o *swing) step(s solver.Solver, h, longest float64, n int) {
	before := *o
	before.x, before.notes = slices.Clone(o.x), slices.Clone(o.notes)
	sub := h / float64(n)
	if math.Abs(h-float64(n)*longest) < 1e-12 {
		sub = longest
	}
	o.start = o.t
	for k := range n {
		o.due = true
		s.Step(o, float64(k)*sub, sub, o.x)
		if o.gaveUp {
			before.gaveUp, before.left = false, o.left
			*o = before
			return
		}
		if o.ended < 0 && o.x[0] > 1.2 {
			o.ended = o.start + float64(float64(k+1)*sub)
		}
	}
	o.u = o.at(float64(n) * sub)
	o.t += h
}

func (o *swing) line() string {
	list := append(slices.Clone(o.x), o.u[drive], o.u[driveRate])
	out := 0.0
	for _, n := range o.notes {
		list = append(list, n.side, n.count, n.first, n.worst, n.when)
		out = max(out, math.Abs(n.side))
	}
	line := ""
	for _, x := range append(list, out, o.ended) {
		line += fmt.Sprintf("%016x ", math.Float64bits(x))
	}
	return line
}

// Over a system that is no plan, the text makes the steps of package solver, bit for bit. Communication steps have one
// solver step, several, and shortened ones. Inputs are a prescribed drive and ground that moves; rows leave their
// limits repeatedly, and a condition becomes true. After an evaluation that gives up, the state is the state before
// the step.
func TestTheTextMakesTheStepsOfPackageSolver(t *testing.T) {
	folder := t.TempDir()
	oscillator, err := os.ReadFile("testdata/oscillator.c")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"oscillator.c": string(oscillator), "step_tables.h": text.StepTables,
		"step_ground.h": text.StepGround, "step_line.h": text.StepLine, "step_methods.h": text.StepMethods} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := built.Compiled(t, "oscillator", "gcc", "-std=c99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra",
		"-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Wstrict-prototypes", "-Werror",
		filepath.Join(folder, "oscillator.c"), "-lm")
	const longest = 0.01
	rounded := 0.07
	rounded -= 0.04 // three solver steps, and a little more
	for number, name := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		m, err := solver.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, division := range []struct {
			h    float64
			n    int
			rows int
		}{{longest, 1, 2}, {2.5 * longest, 3, 1}, {4 * longest, 4, 2}, {rounded, 3, 1}} {
			const steps, fail = 300, 500
			said, err := exec.Command(program, fmt.Sprint(number), fmt.Sprint(longest), fmt.Sprint(division.h),
				fmt.Sprint(steps), fmt.Sprint(fail), fmt.Sprint(division.rows)).Output()
			if err != nil {
				t.Fatal(err)
			}
			o := &swing{x: []float64{-1, 0, 0.2}, u: [inputs]float64{0.3, 0.05, 0.02, 0.125},
				rate: [inputs]float64{driveRate: 0.01, above: -0.03}, ended: -1, left: fail,
				notes: make([]notes, division.rows)}
			s := m.New(len(o.x))
			for k, line := range strings.Split(strings.TrimSuffix(string(said), "\n"), "\n") {
				if o.step(s, division.h, longest, division.n); line != o.line() {
					t.Fatalf("%s, %d solver steps, step %d:\n%s, want\n%s", name, division.n, k, line, o.line())
				}
			}
			if o.ended < 0 || slices.ContainsFunc(o.notes, func(n notes) bool { return n.count < 3 }) {
				t.Errorf("%s, %d solver steps: too little happens: %+v", name, division.n, o)
			}
		}
	}
}
