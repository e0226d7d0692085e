package cosim

import (
	"math"
	"slices"

	"skidpad/model/program"
	"skidpad/tire"
)

// Limits of what contacts of tires are meant for. A tire has come back when it is well within.
const (
	leaningTire = 0.4         // rad, of inclination
	lyingTire   = math.Pi / 4 // rad
	wellWithin  = 0.9         // of a limit
)

// source is where a quantity that is watched stands after rates: argument, result or offered argument at of a call, or
// number at of what the program watches.
type source struct {
	of       sourceKind
	call, at int
	name     string // of an offered argument
}

type sourceKind uint8

const (
	argumentSource sourceKind = iota
	resultSource
	offeredSource
	watchedSource
)

// find returns where the quantity stands in an instance, until a function is bound again or a plan is made.
func (s source) find(m program.Machine) *float64 {
	switch s.of {
	case argumentSource:
		return m.Argument(s.call, s.at)
	case resultSource:
		return m.Result(s.call, s.at)
	case offeredSource:
		return m.Offered(s.call, s.name)
	}
	return m.Watched(s.at)
}

// findIn returns the same in lanes.
func (s source) findIn(l *program.Lanes) program.LanePlace {
	switch s.of {
	case argumentSource:
		return l.Argument(s.call, s.at)
	case resultSource:
		return l.Result(s.call, s.at)
	case offeredSource:
		return l.Offered(s.call, s.name)
	}
	return l.Watched(s.at)
}

// watchedRow is one limit, or two, of a quantity in a run: a row of the table of warnings.
type watchedRow struct {
	rule           *rule
	subject        string // component
	quantity, unit string
	of             int // number of the quantity
	touching       int // number of a quantity that must be above 0 for the limits to mean anything, negative for none
	low, high      float64
	lowAt, highAt  int     // numbers of what the program watches that say them, negative where they are known
	scale          float64 // of these
	back           float64 // part of a limit below which the quantity has come back
	about          string  // what it means
}

// The numbers of a row, which are part of the state of an instance.
const (
	rowSide  = iota // on which it is now: -1 below the limits, 1 above them, 0 within them
	rowCount        // how often it has left them
	rowFirst        // when it left them first [s]
	rowWorst        // the value farthest from them
	rowWhen         // when it had it [s]
	rowNumbers
)

// The numbers of a row that nobody has been told of yet.
const (
	newsPending = iota // 1 if there are some
	newsTime           // when it left its limits [s]
	newsValue
	newsNumbers
)

// watched are the rows of functions that are bound, and the quantities that they are about, each once.
type watched struct {
	rows       []watchedRow
	quantities []source
}

// add adds a row about a quantity.
func (w *watched) add(r watchedRow, of source) {
	r.of = w.number(of)
	if r.lowAt == 0 && r.highAt == 0 {
		r.lowAt, r.highAt = -1, -1
	}
	w.rows = append(w.rows, r)
}

// number is that of a quantity.
func (w *watched) number(of source) int {
	k := slices.Index(w.quantities, of)
	if k < 0 {
		k, w.quantities = len(w.quantities), append(w.quantities, of)
	}
	return k
}

// unitsOfInputs are those of what the parameters of tire functions have ranges of.
var unitsOfInputs = map[string]string{"Fz": "N", "S": "1", "alpha": "rad", "gamma": "rad"}

// watch lists the rows of a program with functions.
func (s *System) watch(b *bindings) *watched {
	w, p := &watched{}, s.program
	for i, f := range b.functions {
		r, ok := f.(tire.Ranged)
		if !ok || !r.Limited() {
			continue
		}
		touching := -1
		if slices.Contains(p.Calls[i].Inputs, "Fz") {
			touching = w.number(source{of: offeredSource, call: i, name: "Fz"})
		}
		for at, input := range b.kinds[i].Inputs {
			low, high := r.Range(at)
			if input == "Fz" {
				low = math.Inf(-1) // a smaller load is used as it is
			}
			if math.IsInf(low, -1) && math.IsInf(high, 1) {
				continue
			}
			of := source{of: argumentSource, call: i, at: at}
			if c := b.callees[i].Carcass; c != nil {
				if k, result := c.ForceArgument(at); result {
					of.of, of.at = resultSource, k
				} else {
					of.at = k
				}
			}
			name := input
			if name == "S" {
				name = "kappa" // as the variable is called
			}
			w.add(watchedRow{rule: rangeRule, subject: b.names[i], quantity: name, unit: unitsOfInputs[input],
				touching: touching, low: low, high: high, back: 1}, of)
		}
	}
	next := 0
	take := func() int { next++; return next - 1 }
	for i := range p.Tires {
		t := &p.Tires[i]
		lean, deflection, radius := take(), take(), take()
		inclination, deflected := source{of: watchedSource, at: lean}, source{of: watchedSource, at: deflection}
		row := watchedRow{subject: t.Component, quantity: "inclination", unit: "rad", back: wellWithin,
			touching: w.number(deflected)}
		if t.Leaning != "" {
			row.rule, row.low, row.high, row.about = leaningRule, -leaningTire, leaningTire, t.Leaning
			w.add(row, inclination)
		}
		if t.Lying != "" {
			row.rule, row.low, row.high, row.about = lyingRule, -lyingTire, lyingTire, t.Lying
			w.add(row, inclination)
		}
		w.add(watchedRow{rule: crushedRule, subject: t.Component, quantity: "deflection", unit: "m", touching: -1,
			low: math.Inf(-1), lowAt: -1, highAt: radius, scale: t.Depth, back: wellWithin}, deflected)
	}
	for i := range p.Limits {
		l := &p.Limits[i]
		row := watchedRow{rule: lengthRule, subject: l.Component, quantity: l.Length, unit: l.Unit, touching: -1,
			low: math.Inf(-1), high: math.Inf(1), lowAt: -1, highAt: -1, scale: 1, back: 1}
		of := source{of: watchedSource, at: take()}
		if l.Below {
			row.lowAt = take()
		}
		if l.Above {
			row.highAt = take()
		}
		w.add(row, of)
	}
	return w
}
