package drive

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// energyNames are the variables of the ledger; the model's engine knows what they mean.
var energyNames = [...]string{"energy.kinetic", "energy.potential", "energy.supplied", "energy.dissipated",
	"energy.balance"}

// IsEnergy reports whether a recorded variable is one of the ledger.
func IsEnergy(name string) bool { return slices.Contains(energyNames[:], name) }

var errNoLedger = errors.New("the model has no ledger of energy: it has a component called energy, whose variables " +
	"would have the same names; give that another name")

// Energy is the energy balance of a run [J]. Works count from its begin.
type Energy struct {
	Kinetic    [2]float64 `json:"kinetic"` // at the begin and at the end
	Potential  [2]float64 `json:"potential"`
	Supplied   float64    `json:"supplied"`
	Dissipated float64    `json:"dissipated"`
	Balance    float64    `json:"balance"`
	// Exchanged is the supplied and dissipated energy and the variation of the kinetic and the potential energy.
	Exchanged  float64           `json:"exchanged"`
	Components []ComponentEnergy `json:"components,omitempty"` // of model files; FMUs give totals alone
}

// ComponentEnergy is the part of a component.
type ComponentEnergy struct {
	Name       string     `json:"name"`
	Stored     [2]float64 `json:"stored"` // at the begin and at the end
	Supplied   float64    `json:"supplied"`
	Dissipated float64    `json:"dissipated"`
}

// Relative is the balance over what was exchanged, 0 where nothing was.
func (e *Energy) Relative() float64 {
	if e.Exchanged == 0 {
		return 0
	}
	return e.Balance / e.Exchanged
}

// detailed is a subject that tells the parts of its components.
type detailed interface {
	Text(name string) (string, error)
}

// ledger gathers the variables of the ledger, as they are recorded.
type ledger struct {
	begun       bool
	first, last [len(energyNames)]float64
	least, most [len(energyNames)]float64
}

// add takes the variables of a row, which are its last ones.
func (l *ledger) add(row []float64) {
	copy(l.last[:], row[len(row)-len(l.last):])
	if !l.begun {
		l.begun, l.first, l.least, l.most = true, l.last, l.last, l.last
	}
	for i, x := range l.last {
		l.least[i], l.most[i] = min(l.least[i], x), max(l.most[i], x)
	}
}

// of sums up what was recorded; nil where nothing was.
func (l *ledger) of(s Subject) *Energy {
	if !l.begun {
		return nil
	}
	e := &Energy{
		Kinetic: [2]float64{l.first[0], l.last[0]}, Potential: [2]float64{l.first[1], l.last[1]},
		Supplied: l.last[2], Dissipated: l.last[3], Balance: l.last[4],
	}
	e.Exchanged = math.Abs(e.Supplied) + math.Abs(e.Dissipated) + (l.most[0] - l.least[0]) + (l.most[1] - l.least[1])
	if d, ok := s.(detailed); ok {
		if text, err := d.Text("energy.ledger"); err == nil {
			e.Components = componentEnergies(text)
		}
	}
	return e
}

// componentEnergies reads the lines of energy.ledger.
func componentEnergies(text string) (list []ComponentEnergy) {
	for line := range strings.Lines(text) {
		c := ComponentEnergy{}
		if _, err := fmt.Sscan(line, &c.Name, &c.Stored[0], &c.Stored[1], &c.Supplied, &c.Dissipated); err == nil {
			list = append(list, c)
		}
	}
	return list
}

// Write prints the ledger.
func (e *Energy) Write(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "energy, J\tstored at the begin\tat the end\tsupplied\tdissipated\t")
	line := func(name string, first, last, supplied, dissipated float64) {
		fmt.Fprintf(w, "%s\t%.6g\t%.6g\t%.6g\t%.6g\t\n", name, first, last, supplied, dissipated)
	}
	for _, c := range e.Components {
		line(c.Name, c.Stored[0], c.Stored[1], c.Supplied, c.Dissipated)
	}
	line("all", e.Kinetic[0]+e.Potential[0], e.Kinetic[1]+e.Potential[1], e.Supplied, e.Dissipated)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "balance %.3g J, %.2g of the %.6g J that were exchanged\n", e.Balance, e.Relative(),
		e.Exchanged)
	return err
}
