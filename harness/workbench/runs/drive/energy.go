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

// The variables of the ledger; the model's engine knows what they mean. Models with networks alone have the energies of
// networks.
var (
	storedEnergies  = []string{"energy.kinetic", "energy.potential"}
	networkEnergies = []string{"energy.electrical", "energy.hydraulic"}
	worksNames      = []string{"energy.supplied", "energy.dissipated", "energy.balance"}
)

// IsEnergy reports whether a recorded variable is one of the ledger.
func IsEnergy(name string) bool {
	return slices.Contains(slices.Concat(storedEnergies, networkEnergies, worksNames), name)
}

var errNoLedger = errors.New("the model has no ledger of energy: it has a component called energy, whose variables " +
	"would have the same names; give that another name")

// Energy is the energy balance of a run [J]. Works count from its begin.
type Energy struct {
	Kinetic   [2]float64 `json:"kinetic"` // at the begin and at the end
	Potential [2]float64 `json:"potential"`
	// Electrical and Hydraulic are nil for models without such networks.
	Electrical *[2]float64 `json:"electrical,omitempty"`
	Hydraulic  *[2]float64 `json:"hydraulic,omitempty"`
	Supplied   float64     `json:"supplied"`
	Dissipated float64     `json:"dissipated"`
	Balance    float64     `json:"balance"`
	// Exchanged is the supplied and dissipated energy and the variation of each kind of stored energy.
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
	names       []string // the works are the last ones
	begun       bool
	first, last []float64
	least, most []float64
}

// newLedger finds the variables of a subject's ledger.
func newLedger(s Subject) (*ledger, error) {
	l := &ledger{}
	for _, name := range storedEnergies {
		if _, err := s.Find(name); err != nil {
			return nil, errNoLedger
		}
		l.names = append(l.names, name)
	}
	for _, name := range networkEnergies {
		if _, err := s.Find(name); err == nil {
			l.names = append(l.names, name)
		}
	}
	l.names = append(l.names, worksNames...)
	return l, nil
}

// add takes the variables of a row, which are its last ones.
func (l *ledger) add(row []float64) {
	l.last = append(l.last[:0], row[len(row)-len(l.names):]...)
	if !l.begun {
		l.begun = true
		l.first, l.least, l.most = slices.Clone(l.last), slices.Clone(l.last), slices.Clone(l.last)
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
	works := len(l.names) - len(worksNames)
	e := &Energy{Supplied: l.last[works], Dissipated: l.last[works+1], Balance: l.last[works+2]}
	e.Exchanged = math.Abs(e.Supplied) + math.Abs(e.Dissipated)
	for i, name := range l.names[:works] {
		stored := [2]float64{l.first[i], l.last[i]}
		switch name {
		case storedEnergies[0]:
			e.Kinetic = stored
		case storedEnergies[1]:
			e.Potential = stored
		case networkEnergies[0]:
			e.Electrical = &stored
		default:
			e.Hydraulic = &stored
		}
		e.Exchanged += l.most[i] - l.least[i]
	}
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
	all := e.stored()
	line("all", all[0], all[1], e.Supplied, e.Dissipated)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "balance %.3g J, %.2g of the %.6g J that were exchanged\n", e.Balance, e.Relative(),
		e.Exchanged)
	return err
}

// stored is the energy of all kinds at the begin and at the end.
func (e *Energy) stored() (all [2]float64) {
	for i := range all {
		all[i] = e.Kinetic[i] + e.Potential[i]
		for _, more := range []*[2]float64{e.Electrical, e.Hydraulic} {
			if more != nil {
				all[i] += more[i]
			}
		}
	}
	return all
}
