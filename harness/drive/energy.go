package drive

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"skidpad/harness/trace"
)

// energyNames are the variables of the ledger; the model's engine knows what they mean.
var energyNames = [...]string{"energy.kinetic", "energy.potential", "energy.supplied", "energy.dissipated",
	"energy.balance"}

// IsEnergy reports whether a recorded variable is one of the ledger.
func IsEnergy(name string) bool { return slices.Contains(energyNames[:], name) }

var errNoLedger = errors.New("the model has no ledger of energy: it has a component called energy, whose variables " +
	"would have the same names; give that another name")

// Energy is what became of the energy of a run [J]. Works count from its begin.
type Energy struct {
	Kinetic    [2]float64 `json:"kinetic"` // at the begin and at the end
	Potential  [2]float64 `json:"potential"`
	Supplied   float64    `json:"supplied"`
	Dissipated float64    `json:"dissipated"`
	Balance    float64    `json:"balance"`
	// Exchanged is what was supplied and dissipated, and by how much the kinetic and the potential energy varied.
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

// energyOf sums up what was recorded; nil where nothing was.
func energyOf(s Subject, t *trace.Trace) *Energy {
	last := len(t.Time) - 1
	if last < 0 {
		return nil
	}
	kinetic, potential := t.Column(energyNames[0]), t.Column(energyNames[1])
	end := func(i int) float64 { return t.Column(energyNames[i])[last] }
	e := &Energy{
		Kinetic: [2]float64{kinetic[0], kinetic[last]}, Potential: [2]float64{potential[0], potential[last]},
		Supplied: end(2), Dissipated: end(3), Balance: end(4),
	}
	varied := func(x []float64) float64 { return slices.Max(x) - slices.Min(x) }
	e.Exchanged = math.Abs(e.Supplied) + math.Abs(e.Dissipated) + varied(kinetic) + varied(potential)
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
