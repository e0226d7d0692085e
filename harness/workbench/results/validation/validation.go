package validation

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/figures"
	"skidpad/model/document"
)

// Result is a validation.
type Result struct {
	*Spec
	simulated string // folder
	kind      *figures.Kind
	groups    []*group
	notes     []string
}

// group is a simulated run with the measured runs that repeat it.
type group struct {
	simulated *run
	measured  []*run
	curves    []*curve
	figures   []*figure
}

// curve is a quantity over another one, with the boundaries about the simulation.
type curve struct {
	*compare.Corridor
	title, si, overSI string
	xs, ys            []float64 // simulated
	points            []point   // measured, within the range of the simulation
	beyond            int       // measured points outside of it, which do not count
	inside, whole     int       // points within the boundaries; those whose intervals are, too
	worst             point
	notJudged         string // why there is no verdict; "" where there is one
}

// pass reports whether enough points are inside.
func (c *curve) pass() bool { return c.share() >= c.Share }

// share is the share of the points that are inside.
func (c *curve) share() float64 { return float64(c.inside) / float64(len(c.points)) }

// figure is a characteristic value. Ours is the mean of the measured runs, and Reference the simulated value.
type figure struct {
	compare.FigureDifference
	runs                  int
	deviation, confidence float64 // as those of a point
	missing               string  // why a value is missing
	notJudged             string  // why there is no verdict; "" where there is one
}

// isMissing reports whether there is no verdict because one of the values is missing, which fails.
func (f *figure) isMissing() bool { return f.notJudged == "" && math.IsNaN(f.Ours+f.Reference) }

// figureNeeds are the quantities that characteristic values need, by the beginnings of their names.
var figureNeeds = []struct {
	prefix string
	of     []string
}{
	{"yaw_rate_", []string{"yaw_rate"}}, {"yaw_ratio_", []string{"yaw_rate"}}, {"yaw_gain", []string{"yaw_rate"}},
	{"yaw_peak", []string{"yaw_rate"}}, {"a_y_", []string{"a_y"}}, {"displacement_integrated", []string{"a_y"}},
	{"side_slip_", []string{"a_y", "side_slip"}}, {"roll_", []string{"a_y", "roll"}},
	{"steering_gradient", []string{"a_y"}}, {"steering_torque_gradient", []string{"a_y", "steering_torque"}},
	{"K_u", []string{"a_y", "speed"}},
	{"delta_H", []string{"steering_wheel"}}, {"amplitude", []string{"steering_wheel"}},
	{"TB", []string{"yaw_rate", "side_slip"}}, {"A_run", []string{"a_y"}},
}

// needs are the quantities that a characteristic value needs, nil where measured runs have no such value.
func needs(name string) []string {
	for _, n := range figureNeeds {
		if strings.HasPrefix(name, n.prefix) {
			return n.of
		}
	}
	return nil
}

func prefixes() (list []string) {
	for _, n := range figureNeeds {
		list = append(list, n.prefix)
	}
	return list
}

// Compare compares the folder of a simulated test with measured files, or with those of folders.
func (s *Spec) Compare(simulated string, measured []string) (*Result, error) {
	k := slices.IndexFunc(standards, func(of struct {
		number string
		kinds  []string
	}) bool {
		return of.number == s.Number
	})
	sim, err := readSimulation(simulated, standards[k].kinds)
	if err != nil {
		return nil, err
	}
	if err := s.checkColumns(sim); err != nil {
		return nil, err
	}
	files, err := measuredFiles(measured)
	if err != nil {
		return nil, err
	}
	if overOf(sim.kind) == "time" {
		for _, r := range sim.runs {
			if err := r.findZero(); err != nil {
				return nil, err
			}
		}
	}
	out := &Result{Spec: s, simulated: simulated, kind: sim.kind}
	noSpeed := 0
	for _, file := range files {
		m, err := sim.readMeasured(file, s.Map)
		if err != nil {
			return nil, err
		}
		of, err := sim.match(m, s.test)
		if err != nil {
			return nil, err
		}
		if !m.has["speed"] {
			noSpeed++
		}
		i := slices.IndexFunc(out.groups, func(g *group) bool { return g.simulated == of })
		if i < 0 {
			i = len(out.groups)
			out.groups = append(out.groups, &group{simulated: of})
		}
		out.groups[i].measured = append(out.groups[i].measured, m)
	}
	slices.SortFunc(out.groups, func(a, b *group) int {
		return slices.Index(sim.runs, a.simulated) - slices.Index(sim.runs, b.simulated)
	})
	for _, g := range out.groups {
		if err := s.judge(g, sim); err != nil {
			return nil, err
		}
	}
	out.note(sim, noSpeed, len(files))
	return out, out.checkJudged()
}

// checkColumns refuses columns of names that nothing reads.
func (s *Spec) checkColumns(sim *simulation) error {
	known := append(names(), "time", sim.signals.Steering, sim.signals.Torque)
	for _, key := range []string{"vx", "vy", "ay", "az", "wz", "roll"} {
		known = append(known, sim.signals.Body+"."+key)
	}
	for name := range s.Map.Columns {
		if name == "" || !slices.Contains(known, name) {
			hint := ""
			if near := document.Nearest(name, known); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("[column]: a validation reads no %q%s; it reads %s", name, hint,
				strings.Join(slices.DeleteFunc(known, func(name string) bool { return name == "" }), ", "))
		}
	}
	return nil
}

// note says what was not compared.
func (r *Result) note(sim *simulation, noSpeed, files int) {
	const asked = 3 // runs of a test, in public summaries of ISO 19364
	for _, g := range r.groups {
		if n := len(g.measured); n < asked {
			r.notes = append(r.notes, fmt.Sprintf("%s: measured runs: %d; public summaries ask for at least %d",
				g.simulated.name, n, asked))
		}
		if g.simulated.Verdict != "" {
			r.notes = append(r.notes, fmt.Sprintf("%s: the simulation ended early: %s", g.simulated.name, g.simulated.Verdict))
		}
	}
	if n := len(sim.runs) - len(r.groups); n > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%d of %d simulated runs have no measurement", n, len(sim.runs)))
	}
	if noSpeed > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%d of %d measured files have no speed, which is not compared with the "+
			"simulation", noSpeed, files))
	}
}

// checkJudged refuses a comparison without any verdict.
func (r *Result) checkJudged() error {
	for _, g := range r.groups {
		for _, c := range g.curves {
			if c.notJudged == "" {
				return nil
			}
		}
		for _, f := range g.figures {
			if f.notJudged == "" {
				return nil
			}
		}
	}
	return errors.New("the measured files have no quantity that is compared; map their columns to " +
		strings.Join(names(), ", ") + " by [column] of --by")
}

// Pass reports whether all curves and characteristic values that are judged are inside.
func (r *Result) Pass() bool {
	for _, g := range r.groups {
		for _, c := range g.curves {
			if c.notJudged == "" && !c.pass() {
				return false
			}
		}
		for _, f := range g.figures {
			if f.notJudged == "" && !f.Pass() {
				return false
			}
		}
	}
	return true
}

// judge compares the measured runs of a group with its simulated run.
func (s *Spec) judge(g *group, sim *simulation) error {
	over := overOf(sim.kind)
	for i := range s.Corridors {
		if s.Corridors[i].X == over {
			c, err := s.judgeCurve(&s.Corridors[i], g, sim)
			if err != nil {
				return err
			}
			if c != nil {
				g.curves = append(g.curves, c)
			}
		}
	}
	for i := range s.Figures {
		if over == "frequency" { // whose characteristic values are read from the curves
			break
		}
		t := &s.Figures[i]
		of, has := g.simulated.figures[t.Figure]
		if !has && slices.Contains(s.own, t.Figure) {
			return fmt.Errorf("--by: %s has no characteristic value %q", sim.kind.Name, t.Figure)
		}
		if has {
			g.figures = append(g.figures, s.judgeFigure(t, of, g, sim))
		}
	}
	return nil
}

// judgeCurve compares the points of a curve; nil where it is neither simulated nor measured.
func (s *Spec) judgeCurve(k *compare.Corridor, g *group, sim *simulation) (*curve, error) {
	name, part := k.Y, ""
	if k.X == "frequency" {
		name, part = cutLast(k.Y)
	}
	q := quantityOf(name)
	c := &curve{Corridor: k, title: q.Title, si: q.SI}
	with := slices.Clone(g.measured)
	with = slices.DeleteFunc(with, func(m *run) bool { return !m.has[name] })
	switch {
	case !g.simulated.has[name] && len(with) == 0:
		return nil, nil
	case !g.simulated.has[name]:
		c.notJudged = "not simulated"
		return c, nil
	case len(with) == 0:
		c.notJudged = "not measured"
		return c, nil
	}
	signal := func(r *run) []float64 { return *q.of(r.Record) }
	var runs []samples
	switch ours := signal(g.simulated); k.X {
	case "a_y":
		c.overSI = "m/s2"
		c.xs, c.ys = g.simulated.simulatedOverLateral(ours)
		for _, m := range with {
			runs = append(runs, m.overLateral(signal(m), s.test.every))
		}
	case "time":
		c.overSI = "s"
		c.xs, c.ys = g.simulated.simulatedOverTime(ours)
		for _, m := range with {
			runs = append(runs, m.overTime(signal(m), s.test.every, c.xs[len(c.xs)-1]))
		}
	case "frequency":
		c.overSI = "Hz"
		if err := c.overFrequency(q, part, g, with, sim, &runs); err != nil {
			return nil, err
		}
	}
	if len(c.xs) < 2 {
		return nil, fmt.Errorf("%s: the simulated run has no curve of %s over %s", g.simulated.file, k.Y, k.X)
	}
	low, high := max(c.xs[0], k.From), min(c.xs[len(c.xs)-1], k.To)
	for _, p := range joined(runs) {
		if p.x < low || p.x > high {
			c.beyond++
			continue
		}
		p.distance = k.Distance(p.x, p.y, c.xs, c.ys)
		p.whole = p.distance <= 1 && (p.runs < 2 || k.Distance(p.x, p.y-p.confidence, c.xs, c.ys) <= 1 &&
			k.Distance(p.x, p.y+p.confidence, c.xs, c.ys) <= 1)
		if p.distance <= 1 {
			c.inside++
		}
		if p.whole {
			c.whole++
		}
		if len(c.points) == 0 || p.distance > c.worst.distance {
			c.worst = p
		}
		c.points = append(c.points, p)
	}
	if len(c.points) == 0 {
		return nil, fmt.Errorf("%s: no point of %s lies in the range of the simulation, %s from %.4g to %.4g %s",
			with[0].file, k.Y, k.X, low, high, c.overSI)
	}
	return c, nil
}

// overFrequency makes the curve of a gain or a phase, and the points of each measured run. Phases of measured runs are
// within half a turn of the simulated one at the lowest frequency.
func (c *curve) overFrequency(q *quantity, part string, g *group, with []*run, sim *simulation, runs *[]samples) error {
	o := sim.options.(*figures.FrequencyOptions)
	phase := part == "phase"
	c.title += ": " + part
	if c.si = map[string]string{"rad/s": "1/s", "rad": "1", "N.m": "N.m"}[c.si]; c.si == "" {
		c.si = q.SI // by rad
	}
	if phase {
		c.si = "rad"
	}
	of := joined([]samples{g.simulated.overFrequency(*q.of(g.simulated.Record), phase, o)})
	for _, p := range of {
		c.xs, c.ys = append(c.xs, p.x), append(c.ys, p.y)
	}
	for _, m := range with {
		list := m.overFrequency(*q.of(m.Record), phase, o)
		if len(list) == 0 {
			return m.otherTest("it has no coherent frequency response of %s: the run must be longer than two segments of the "+
				"simulated evaluation, and its steering must hold the frequencies", q.name)
		}
		if phase && len(of) > 0 {
			first := joined([]samples{list})[0].y
			turn := 2 * math.Pi * math.Round((first-of[0].y)/(2*math.Pi))
			for n, s := range list {
				list[n] = [2]float64{s[0], s[1] - turn}
			}
		}
		*runs = append(*runs, list)
	}
	return nil
}

// judgeFigure compares the mean of a characteristic value over the measured runs with the simulated value.
func (s *Spec) judgeFigure(t *compare.FigureTolerance, of value, g *group, sim *simulation) *figure {
	f := &figure{FigureDifference: compare.FigureDifference{Run: g.simulated.name, Figure: t.Figure, Unit: of.unit,
		Ours: math.NaN(), Reference: of.number, Tolerance: t}, missing: of.missing}
	var values []float64
	measured := false
	for _, m := range g.measured {
		if slices.ContainsFunc(needs(t.Figure), func(name string) bool { return !m.has[name] }) {
			continue
		}
		measured = true
		all := sim.kind.Of(m.Record, sim.options)
		k := slices.IndexFunc(all, func(v figures.Figure) bool { return v.ID == t.Figure })
		switch { // a run without an evaluation has one value, which has the reason
		case k < 0:
			f.missing = m.name + ": " + all[0].Missing
		case math.IsNaN(all[k].Value):
			f.missing = m.name + ": " + all[k].Missing
		default:
			values = append(values, all[k].Value)
		}
	}
	if len(values) > 0 {
		f.Ours, f.deviation, f.confidence = scatter(values)
	}
	f.runs = len(values)
	switch {
	case !measured:
		f.notJudged = "not measured"
	case math.IsNaN(f.Ours) && math.IsNaN(f.Reference):
		f.notJudged = "missing in both: " + f.missing
	}
	return f
}
