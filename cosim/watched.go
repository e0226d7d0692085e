package cosim

import (
	"math"
	"slices"

	"skidpad/model/program"
	"skidpad/tire"
)

// Limits of the contacts of tires. A tire that was beyond a limit has come back below the fraction wellWithin of it.
const (
	leaningTire = 0.4         // rad, of inclination
	lyingTire   = math.Pi / 4 // rad, of inclination
	wellWithin  = 0.9         // as a fraction of a limit
)

// source says where the value of a watched quantity is after an evaluation of the rates: in an argument, a result or an
// offered argument of a call, or among the program's watched numbers.
type source struct {
	kind sourceKind
	call int    // index of the call
	at   int    // index of the argument, of the result or of the watched number
	name string // of an offered argument
}

type sourceKind uint8

const (
	argumentSource sourceKind = iota
	resultSource
	offeredSource
	watchedSource
)

// find returns the address of the quantity's value in the machine of an instance. The address is valid until a function
// is bound again or a plan is made.
func (s source) find(m program.Machine) *float64 {
	switch s.kind {
	case argumentSource:
		return m.Argument(s.call, s.at)
	case resultSource:
		return m.Result(s.call, s.at)
	case offeredSource:
		return m.Offered(s.call, s.name)
	}
	return m.Watched(s.at)
}

// findIn returns the place of the quantity's value in lanes.
func (s source) findIn(l *program.Lanes) program.LanePlace {
	switch s.kind {
	case argumentSource:
		return l.Argument(s.call, s.at)
	case resultSource:
		return l.Result(s.call, s.at)
	case offeredSource:
		return l.Offered(s.call, s.name)
	}
	return l.Watched(s.at)
}

// watchedRow is a row of the table of warnings: a quantity that is watched in a run, with one or two limits.
type watchedRow struct {
	rule           *rule
	subject        string // component
	quantity, unit string
	of             int // index of the quantity in watched.quantities
	touching       int // index of a load or deflection; the limits apply only while it is above 0; negative for none
	low, high      float64
	lowAt, highAt  int     // indices of watched numbers of the program that are the limits, negative for constant limits
	scale          float64 // factor of these numbers
	back           float64 // fraction of a limit below which the quantity has come back
	about          string  // explanation in the message
}

// Indices of the numbers that an instance keeps for each row. They are part of the state of an instance.
const (
	rowSide  = iota // present side: -1 below the limits, 1 above them, 0 within them
	rowCount        // how often the quantity has left the limits
	rowFirst        // time when it first left the limits [s]
	rowWorst        // value farthest from the limits
	rowWhen         // time of that value [s]
	rowNumbers
)

// Indices of the numbers of a row's warning that has not been reported yet.
const (
	newsPending = iota // 1 if there is such a warning, else 0
	newsTime           // time when the quantity left its limits [s]
	newsValue          // value at this time
	newsNumbers
)

// watched holds the rows of bound functions, and their quantities, each once.
type watched struct {
	rows       []watchedRow
	quantities []source
}

// add adds a row about the quantity of a source.
func (w *watched) add(r watchedRow, of source) {
	r.of = w.number(of)
	if r.lowAt == 0 && r.highAt == 0 {
		r.lowAt, r.highAt = -1, -1
	}
	w.rows = append(w.rows, r)
}

// number returns the index of a quantity in quantities, to which it adds new ones.
func (w *watched) number(of source) int {
	k := slices.Index(w.quantities, of)
	if k < 0 {
		k, w.quantities = len(w.quantities), append(w.quantities, of)
	}
	return k
}

// unitsOfInputs are the units of those arguments of tire functions that have ranges.
var unitsOfInputs = map[string]string{"Fz": "N", "S": "1", "alpha": "rad", "gamma": "rad"}

// watch lists the rows of a program with bound functions: ranges of tire functions, contacts of tires, and limits of
// lengths.
func (s *System) watch(b *bindings) *watched {
	w, p := &watched{}, s.program
	for i, f := range b.functions {
		r, ok := f.(tire.Ranged)
		if !ok || !r.Limited() {
			continue
		}
		touching := -1
		if slices.Contains(p.Calls[i].Inputs, "Fz") {
			touching = w.number(source{kind: offeredSource, call: i, name: "Fz"})
		}
		for at, input := range b.kinds[i].Inputs {
			low, high := r.Range(at)
			if input == "Fz" {
				low = math.Inf(-1) // a smaller load is used unchanged
			}
			if math.IsInf(low, -1) && math.IsInf(high, 1) {
				continue
			}
			of := source{kind: argumentSource, call: i, at: at}
			if c := b.callees[i].Carcass; c != nil {
				if k, result := c.ForceArgument(at); result {
					of.kind, of.at = resultSource, k
				} else {
					of.at = k
				}
			}
			name := input
			if name == "S" {
				name = "kappa" // name of the variable
			}
			w.add(watchedRow{rule: rangeRule, subject: b.names[i], quantity: name, unit: unitsOfInputs[input],
				touching: touching, low: low, high: high, back: 1}, of)
		}
	}
	next := 0
	nextWatched := func() int { next++; return next - 1 } // the program lists its watched numbers in this order
	for i := range p.Tires {
		t := &p.Tires[i]
		inclinationAt, deflectionAt, radiusAt := nextWatched(), nextWatched(), nextWatched()
		inclination := source{kind: watchedSource, at: inclinationAt}
		deflection := source{kind: watchedSource, at: deflectionAt}
		row := watchedRow{subject: t.Component, quantity: "inclination", unit: "rad", back: wellWithin,
			touching: w.number(deflection)}
		if t.Leaning != "" {
			row.rule, row.low, row.high, row.about = leaningRule, -leaningTire, leaningTire, t.Leaning
			w.add(row, inclination)
		}
		if t.Lying != "" {
			row.rule, row.low, row.high, row.about = lyingRule, -lyingTire, lyingTire, t.Lying
			w.add(row, inclination)
		}
		w.add(watchedRow{rule: crushedRule, subject: t.Component, quantity: "deflection", unit: "m", touching: -1,
			low: math.Inf(-1), lowAt: -1, highAt: radiusAt, scale: t.Depth, back: wellWithin}, deflection)
	}
	for i := range p.Limits {
		l := &p.Limits[i]
		row := watchedRow{rule: limitRules[l.Of], subject: l.Component, quantity: l.Quantity, unit: l.Unit, touching: -1,
			low: math.Inf(-1), high: math.Inf(1), lowAt: -1, highAt: -1, scale: 1, back: 1, about: l.About}
		of := source{kind: watchedSource, at: nextWatched()}
		if l.Below {
			row.lowAt = nextWatched()
		}
		if l.Above {
			row.highAt = nextWatched()
		}
		w.add(row, of)
	}
	return w
}
