package validation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
)

// overOf is what the curves of a kind of test are over: a_y, time or frequency.
func overOf(kind *figures.Kind) string {
	switch kind.Name {
	case "frequency-response":
		return "frequency"
	case "sine-with-dwell", "step-steer", "sine-steer":
		return "time"
	}
	return "a_y"
}

// lead is the time before the steering from which runs are compared [s].
const lead = 0.5

// findZero finds the time of the steering.
func (r *run) findZero() error {
	last := len(r.Time) - 1
	half := math.Abs(r.Steer[figures.Peak(r.Steer, 0, last)]) / 2
	r.zero = figures.Crossing(r.Time, trace.Mapped(r.Steer, math.Abs), half, 0, last)
	if half == 0 || math.IsNaN(r.zero) {
		return r.otherTest("the steering wheel does not turn from straight ahead")
	}
	return nil
}

// otherTest is the error of a run that is not of the simulated test.
func (r *run) otherTest(format string, args ...any) error {
	return fmt.Errorf("%s: %s; give a run of the test that was simulated, or correct its columns in [column] of --by",
		r.file, fmt.Sprintf(format, args...))
}

// side is 1 for runs to the left, and -1 for others.
func (r *run) side() float64 {
	return math.Copysign(1, r.Lateral[figures.Peak(r.Lateral, 0, len(r.Lateral)-1)])
}

// ramp are the rows in which the lateral acceleration of a steady circle rises to its largest magnitude.
func (r *run) ramp() (first, last int) {
	first, last = 0, figures.Peak(r.Lateral, 0, len(r.Lateral)-1)
	if k := slices.IndexFunc(r.Phases, func(p figures.Phase) bool { return p.Name == "ramp" }); k >= 0 {
		for first < last && r.Time[first] < r.Phases[k].Begin {
			first++
		}
	}
	return first, last
}

// match finds the simulated run that a measured run repeats. It refuses runs of other tests.
func (s *simulation) match(m *run, t test) (*run, error) {
	if !m.has["steering_wheel"] {
		return nil, fmt.Errorf("%s has no column steering_wheel, by which its test is known; map it by [column] of --by: "+
			"steering_wheel = { name = \"...\", unit = \"deg\" }", m.file)
	}
	switch over := overOf(s.kind); {
	case over != "time" && !m.has["a_y"] && over == "a_y":
		return nil, fmt.Errorf("%s has no column a_y, over which a steady circle is compared; map it by [column] of --by: "+
			"a_y = { name = \"...\", unit = \"m/s2\" }", m.file)
	case over != "a_y" && !m.hasTime:
		return nil, fmt.Errorf("%s has no column of the time, which %s needs; map it by [column] of --by", m.file,
			s.kind.Name)
	case over == "a_y":
		return s.matchCircle(m, t)
	case over == "frequency":
		m.Phases = []figures.Phase{{Name: "steer", Begin: m.Time[0], End: m.Time[len(m.Time)-1]}}
		sim := s.runs[0]
		return sim, sim.sameSpeed(m, t, 0, len(sim.Time)-1, 0, len(m.Time)-1)
	}
	if err := m.findZero(); err != nil {
		return nil, err
	}
	var sim *run
	least := math.Inf(1)
	for _, r := range s.runs {
		if d := r.inputDifference(m); d < least {
			sim, least = r, d
		}
	}
	if sim == nil || least > t.input {
		return nil, m.otherTest("its steering-wheel angle fits no simulated run: it differs from %s, the nearest, by "+
			"%.3g %% of the root mean square of the simulated angle; at most %g %% are allowed by input of [test]",
			nearest(sim, s.runs[0]).name, 100*least, 100*t.input)
	}
	for _, p := range sim.Phases {
		m.Phases = append(m.Phases, figures.Phase{Name: p.Name, Begin: p.Begin + m.zero - sim.zero,
			End: p.End + m.zero - sim.zero})
	}
	row := func(r *run) int { return max(int((r.zero-r.Time[0])/(r.Time[1]-r.Time[0])), 1) }
	return sim, sim.sameSpeed(m, t, 0, row(sim), 0, row(m))
}

// nearest is a run, or another one where there is none.
func nearest(r, otherwise *run) *run {
	if r == nil {
		return otherwise
	}
	return r
}

// inputDifference is the root mean square of the difference of the steering, from lead before it to the end of the
// shorter run, by that of the simulated angle.
func (r *run) inputDifference(m *run) float64 {
	var difference, all float64
	for i, t := range r.Time {
		x := figures.At(m.Time, m.Steer, t-r.zero+m.zero)
		if t < r.zero-lead || math.IsNaN(x) {
			continue
		}
		difference += (x - r.Steer[i]) * (x - r.Steer[i])
		all += r.Steer[i] * r.Steer[i]
	}
	if all == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(difference / all)
}

// matchCircle is match for steady circles.
func (s *simulation) matchCircle(m *run, t test) (*run, error) {
	if !m.hasTime { // steady states, in the order of the lateral acceleration
		m.sort()
	}
	m.Phases = []figures.Phase{{Name: "ramp", Begin: m.Time[0], End: m.Time[len(m.Time)-1]}}
	first, last := m.ramp()
	most := math.Abs(m.Lateral[last])
	if most < t.lateral {
		return nil, m.otherTest("it is no steady circle: its lateral acceleration does not exceed %.3g m/s2; at least %g "+
			"are asked for by lateral of [test]", most, t.lateral)
	}
	if m.Steer[last]*m.Lateral[last] < 0 {
		return nil, m.otherTest("the steering wheel is turned to one side, and the lateral acceleration of %.3g m/s2 is to "+
			"the other", m.Lateral[last])
	}
	if m.hasTime {
		away := trace.Mapped(m.Lateral, math.Abs)
		begin := figures.Crossing(m.Time, away, 0.1*most, first, last)
		end := figures.Crossing(m.Time, away, 0.9*most, first, last)
		if rate := 0.8 * most / (end - begin); rate > t.rate {
			return nil, m.otherTest("it is no steady circle: its lateral acceleration rises by %.3g m/s3 from 10 %% to 90 %% "+
				"of its largest; at most %g are allowed by rate of [test]", rate, t.rate)
		}
	}
	k := slices.IndexFunc(s.runs, func(r *run) bool { return r.side() == m.side() })
	if k < 0 {
		return nil, m.otherTest("the circle is to the %s, and no simulated run is", sideName(m.side()))
	}
	sim := s.runs[k]
	from, to := sim.ramp()
	if s.kind.Name != "steady-circle-radius" {
		return sim, sim.sameSpeed(m, t, from, to, first, last)
	}
	if !m.has["speed"] {
		return sim, nil
	}
	ours, theirs := sim.radius(from, to, t.lateral), m.radius(first, last, t.lateral)
	if math.Abs(theirs-ours) > t.radius*ours {
		return nil, m.otherTest("the radius is %.4g m, and %.4g m in the simulation; a difference of %g %% is allowed by "+
			"radius of [test]", theirs, ours, 100*t.radius)
	}
	return sim, nil
}

func sideName(side float64) string {
	if side > 0 {
		return "left"
	}
	return "right"
}

// sort puts rows of steady states into the order of their lateral acceleration.
func (m *run) sort() {
	rows := make([]int, len(m.Time))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		if math.Abs(m.Lateral[a]) < math.Abs(m.Lateral[b]) {
			return -1
		}
		return 1
	})
	for _, q := range quantities {
		if old := *q.of(m.Record); old != nil {
			list := make([]float64, len(rows))
			for i, row := range rows {
				list[i] = old[row]
			}
			*q.of(m.Record) = list
		}
	}
}

// radius is the median of v^2/a_y in rows with at least a lateral acceleration [m].
func (r *run) radius(first, last int, least float64) float64 {
	var list []float64
	for i := first; i <= last; i++ {
		if a := math.Abs(r.Lateral[i]); a >= least {
			list = append(list, r.Speed[i]*r.Speed[i]/a)
		}
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// sameSpeed refuses a measured run whose mean speed in some rows is another one than in rows of the simulated run.
func (r *run) sameSpeed(m *run, t test, first, last, from, to int) error {
	if !m.has["speed"] || !r.has["speed"] {
		return nil
	}
	ours, theirs := stat.Mean(r.Speed[first:last+1], nil), stat.Mean(m.Speed[from:to+1], nil)
	if math.Abs(theirs-ours) > t.speed {
		return m.otherTest("the speed is %.4g km/h, and %.4g km/h in the simulation; a difference of %.3g km/h is allowed "+
			"by speed of [test]", 3.6*theirs, 3.6*ours, 3.6*t.speed)
	}
	return nil
}
