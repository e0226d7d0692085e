package cosim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/program"
)

// Variables of conditions that end runs; only models with such conditions have these variables.
const (
	endAtVariable   = "solver.end_at"
	endedVariable   = "solver.ended"
	endedAtVariable = "solver.ended_at"
)

// noEnd is the text for no condition.
const noEnd = "none"

// endKind detects ends of runs. It is in all programs, since all saved states have its numbers.
var endKind = &actKind{
	in:   func(*program.Program) bool { return true },
	list: (*lister).listEnds,
	make: func(in *Instance) act {
		in.ends = &ends{in: in}
		return in.ends
	},
}

// ends finds conditions and arguments of tables that make the rest of a run meaningless. It notes the first condition
// that becomes true, and the engine continues: harnesses and importers end runs. With outside = "error", a step fails
// if the argument of the table leaves the points.
type ends struct {
	plainAct
	in      *Instance
	named   *namedEnds    // nil before the first use
	watched []int         // indices of the conditions that are checked, nil for none
	tables  bool          // there are tables that a run must not leave
	side    *program.Side // margins of conditions and tables; nil where nothing is checked
	first   [2]float64    // index and time of the condition that became true first, see below
	told    bool          // the condition has been reported
}

// The numbers of the condition that became true first.
const (
	endNumber = iota // counted from 1; 0 for none
	endTime          // end of the solver step of the first true condition [s]
)

// namedEnds are the conditions that a text names, which resets need not read again.
type namedEnds struct {
	text       string
	conditions []int
}

// endNames are the names of a program's conditions, each once.
func endNames(ends []program.End) []string {
	var names []string
	for _, e := range ends {
		names = append(names, e.Name)
	}
	return slices.Compact(names) // the list is sorted by name
}

// defaultEnds returns the text of the conditions if the model file does not set one.
func defaultEnds(ends []program.End) string {
	var names []string
	for _, e := range ends {
		if e.Default {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return noEnd
	}
	return strings.Join(slices.Compact(names), ", ")
}

// endsOf finds the conditions that a text names: "none", or names with commas between them.
func (s *System) endsOf(text string) ([]int, error) {
	var list []int
	if strings.TrimSpace(text) == noEnd {
		return nil, nil
	}
	known := endNames(s.program.Ends)
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s is %q; it must be %s, or a list of %s with commas between them", endAtVariable, text,
				noEnd, strings.Join(known, ", "))
		}
		for i, e := range s.program.Ends {
			if e.Name == name && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	slices.Sort(list) // if two conditions become true in one step, the first counts
	return list, nil
}

// listEnds lists what has become of the conditions that end runs.
func (l *lister) listEnds() {
	ends := l.program.Ends
	if len(ends) == 0 {
		return
	}
	meanings := make([]string, len(ends))
	for i, e := range ends {
		meanings[i] = fmt.Sprintf("%d %s %s", i+1, e.Name, e.Component)
	}
	l.add(Variable{Name: endedVariable, Unit: "1", Text: "0, or the number of the condition of " + endAtVariable +
		" that became true first: " + strings.Join(meanings, ", "), Kind: Ended, Discrete: true, State: -1,
		parameter: -1})
	l.add(Variable{Name: endedAtVariable, Unit: "s",
		Text: "time when that condition became true, at the end of a solver step; 0 before",
		Kind: Ended, Discrete: true, State: -1, parameter: -1, source: 1})
}

// open adopts the conditions to check.
func (e *ends) open(texts []string) error {
	e.watched, e.side = nil, nil
	p := e.in.sys.program
	if len(p.Ends) > 0 {
		if text := texts[e.in.sys.texts.endAt]; e.named == nil || text != e.named.text {
			watched, err := e.in.sys.endsOf(text)
			if err != nil {
				return err
			}
			e.named = &namedEnds{text, watched}
		}
		e.watched = e.named.conditions
	}
	if e.tables = len(p.Ranges) > 0; e.tables || len(e.watched) > 0 {
		e.side = e.in.machine.Side(program.Ends)
	}
	return nil
}

// next is never after a condition has become true, unless there are tables.
func (e *ends) next() float64 {
	if e.side == nil || e.first[endNumber] != 0 && !e.tables {
		return never
	}
	return everyStep
}

// do evaluates conditions and tables with the inputs of time t. On terrain, it takes the planes under the tires from
// the latest evaluation of the rates.
func (e *ends) do(t, _ float64) error {
	e.evaluate()
	if err := e.left(t); err != nil {
		return err
	}
	if e.first[endNumber] == 0 {
		if k := e.trueNow(); k != 0 {
			e.first, e.told = [...]float64{endNumber: k, endTime: t}, false
		}
	}
	return nil
}

// evaluate computes the margins at the state.
func (e *ends) evaluate() {
	in := e.in
	if in.sides.wheels == nil {
		in.inputsAt(in.since)
	}
	e.side.Evaluate(in.x[:len(in.sys.program.States)], in.continued, nil)
}

// trueNow is the number of the first condition that is true, by the margins.
func (e *ends) trueNow() float64 {
	for _, i := range e.watched {
		if e.side.Value(i) > 0 {
			return float64(i + 1)
		}
	}
	return 0
}

// left returns an error for a table that was left by time t, from the margins; nil for none.
func (e *ends) left(t float64) error {
	p := e.in.sys.program
	for i, r := range p.Ranges {
		if beyond := e.side.Value(len(p.Ends) + i); beyond > 0 {
			return fmt.Errorf("%s: its argument is %.3g %s outside of the points, which go from %.6g to %.6g %s, at t = "+
				"%.6g s; the key outside is \"error\": add points, or go on beyond them by \"tangent\" or \"hold\"", r.Key, beyond,
				r.Unit, r.Low, r.High, r.Unit, t)
		}
	}
	return nil
}

// check fails where a table is left at the start.
func (e *ends) check() error {
	if !e.tables {
		return nil
	}
	e.evaluate()
	return e.left(e.in.t)
}

func (e *ends) saved() []float64 { return e.first[:] }

func (e *ends) inGo() string { return "" }

func (e *ends) alone() string { return "" }

// allows reports whether there is such a condition.
func (e *ends) allows(saved []float64) bool {
	k := saved[endNumber]
	return k >= 0 && k <= float64(len(e.in.sys.program.Ends)) && k == math.Trunc(k)
}

// restored takes it that the condition has been reported.
func (e *ends) restored() { e.told = e.first[endNumber] != 0 }

// list adds the evaluation of the margins, and the numbers of those to look at.
func (e *ends) list(l *Listing, to *program.Listed) (why string) {
	if e.side == nil {
		return ""
	}
	of := e.in.sys.program
	l.Watched = slices.Clone(e.watched)
	for i := range of.Ranges {
		l.Watched = append(l.Watched, len(of.Ends)+i)
	}
	if l.Ends = e.side.Straight(to); l.Ends == nil {
		return "the conditions of " + endAtVariable + " are not machine code"
	}
	return ""
}

// laneEnds evaluates the margins in all lanes.
type laneEnds struct {
	side  *program.LaneSide
	count int // of conditions and tables
}

func (e *ends) quickLook(lanes *program.Lanes) (laneLook, error) {
	if e.side == nil {
		return nil, nil
	}
	side, err := lanes.Side(program.Ends)
	return &laneEnds{side, len(e.in.sys.program.Ends) + len(e.in.sys.program.Ranges)}, err
}

func (l *laneEnds) look(x, u []float64) bool {
	l.side.Evaluate(x, u)
	for i := range l.count {
		for lane := range program.Width {
			if l.side.Value(i, lane) > 0 {
				return true
			}
		}
	}
	return false
}

func (l *laneEnds) finds(in *Instance, lane int) bool {
	for _, i := range in.ends.watched {
		if in.ends.first[endNumber] == 0 && l.side.Value(i, lane) > 0 {
			return true
		}
	}
	for i := range in.sys.program.Ranges {
		if l.side.Value(len(in.sys.program.Ends)+i, lane) > 0 {
			return true
		}
	}
	return false
}

// value is variable k of those of the conditions that end runs: the number, then the time. Under external
// integration, where steps are unknown, the values follow from the present state. The outputs must be fresh.
func (e *ends) value(k int) float64 {
	now := e.first
	if e.in.externallyIntegrated && len(e.watched) > 0 {
		e.evaluate()
		if now[endNumber] = e.trueNow(); now[endNumber] != 0 {
			now[endTime] = e.in.t
		}
	}
	return now[k]
}

// news reports once that a condition has become true.
func (e *ends) news() []string {
	if e.first[endNumber] == 0 || e.told {
		return nil
	}
	e.told = true
	return []string{e.text()}
}

// condition returns the condition that became true first, nil for none.
func (e *ends) condition() *program.End {
	if k := int(e.first[endNumber]); k > 0 {
		return &e.in.sys.program.Ends[k-1]
	}
	return nil
}

// text returns the message about the condition that has become true.
func (e *ends) text() string {
	c := e.condition()
	return fmt.Sprintf("%s: %s at %.6g s; later results are beyond the purpose of the model (%s)", c.Component, c.Name,
		e.first[endTime], endAtVariable)
}

// summary is its row of the table of warnings, if there is one.
func (e *ends) summary() []Warning {
	c := e.condition()
	if c == nil {
		return nil
	}
	return []Warning{{Rule: endRule.name, Subject: c.Component, Count: 1, First: e.first[endTime], When: e.first[endTime],
		Text: e.text(), Remedy: endRule.remedy}}
}
