package cosim

import (
	"fmt"
	"strings"

	"skidpad/model/program"
)

// ledgerText names the text variable of the ledger.
const ledgerText = energyName + ".ledger"

// energyName is the prefix of the names of energies.
const energyName = "energy"

// The energies, in the order of their variables.
const (
	kineticEnergy = iota
	potentialEnergy
	electricalEnergy
	hydraulicEnergy
	dissipatedEnergy
	suppliedEnergy
	energyBalance
)

var energies = [...]struct{ name, text string }{
	kineticEnergy: {"kinetic", "kinetic energy of everything that has mass"},
	potentialEnergy: {"potential", "potential energy of weight, which is 0 in the origin of ground, and of springs and " +
		"tires"},
	electricalEnergy: {"electrical", "energy of capacitors, inductors and windings"},
	hydraulicEnergy:  {"hydraulic", "energy of fluids that are compressed or flow, and of gas"},
	dissipatedEnergy: {"dissipated", "work that brakes, dampers, tires and the air have taken since initialisation; " +
		unlessRecorded},
	suppliedEnergy: {"supplied", "work that engines, inputs and prescribed motions have done since initialisation; " +
		unlessRecorded},
	energyBalance: {"balance", "energy at the start + supplied - dissipated - energy now; " + unlessRecorded},
}

const unlessRecorded = "0 unless " + RecordVariable + " is " + RecordOn

// ownsEnergy reports whether the model has a component with the name of the ledger. The name then belongs to the
// component.
func (s *System) ownsEnergy() bool { return s.model.Scope().Find(energyName) != nil }

// listPowers lists the powers of tires behind the energies. Powers and energies are computed together.
func (l *lister) listPowers() {
	for i, v := range l.program.Powers {
		l.add(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: Energy, State: -1, parameter: -1,
			source: len(energies) + i})
	}
}

// hasEnergy reports whether the model has an energy: electrical and hydraulic ones belong to models with such networks.
func (s *System) hasEnergy(which int) bool {
	switch which {
	case electricalEnergy:
		return s.program.Stores[program.ElectricalEnergy]
	case hydraulicEnergy:
		return s.program.Stores[program.HydraulicEnergy]
	}
	return true
}

// IsWork reports whether a variable is an energy that is 0 unless works are recorded.
func (s *System) IsWork(i int) bool {
	v := &s.variables[i]
	return v.Kind == Energy && v.source >= dissipatedEnergy && v.source < len(energies)
}

// ledger keeps the energies of an instance. If works are recorded, the works of the entries are states behind the
// states of tires.
type ledger struct {
	in       *Instance
	side     *program.Side // nil until the first use
	current  bool          // the values belong to the present point
	returned []float64     // results of external calls
	recorded bool          // works are recorded
	works    int           // number of works
	start    []float64     // energy stored by each entry at initialisation, while works are recorded
	impacts  []int         // by wheel contact: index of its dissipated work
	stored   float64       // energy stored in all entries, while contacts act
}

// LedgerEntry holds the energies of a component [J]. Works count from initialisation.
type LedgerEntry struct {
	Component            string
	StoredFirst, Stored  float64 // energy of all kinds
	Supplied, Dissipated float64
}

// workParts are the parts of an entry that are works.
var workParts = [...]int{program.SuppliedPower, program.DissipatedPower}

// open makes the ledger that the texts ask for, before the states are allocated.
func (l *ledger) open(texts []string) {
	l.close()
	if !l.in.records(texts) {
		return
	}
	l.make()
	l.recorded = true
	dissipated := map[string]int{}
	for _, e := range l.side.Ledger() {
		for _, part := range workParts {
			if len(e.Values[part]) > 0 {
				dissipated[e.Component] = l.works
				l.works++
			}
		}
	}
	for _, c := range l.in.sys.program.Contacts {
		l.impacts = append(l.impacts, dissipated[c.Name])
	}
	l.start = make([]float64, len(l.side.Ledger()))
}

// records reports whether texts ask for works. An importer that integrates the states does not integrate works.
func (in *Instance) records(texts []string) bool {
	k := in.sys.texts.record
	return k >= 0 && texts[k] == RecordOn && !in.externallyIntegrated
}

// make finds the computation of the energies.
func (l *ledger) make() {
	if l.side == nil {
		l.side = l.in.machine.Side(program.Energies)
		l.returned = make([]float64, l.in.machine.ReturnedCount())
	}
}

func (l *ledger) close() { *l = ledger{in: l.in} }

// statesWith returns the number of states with functions and texts, works included.
func (in *Instance) statesWith(b *bindings, texts []string) int {
	n := len(in.sys.program.States) + b.states
	if in.records(texts) {
		for _, e := range in.sys.program.Ledger() {
			for _, part := range workParts {
				if len(e.Values[part]) > 0 {
					n++
				}
			}
		}
	}
	return n
}

// entriesWith returns the number of entries of the ledger with texts.
func (in *Instance) entriesWith(_ *bindings, texts []string) int {
	if !in.records(texts) {
		return 0
	}
	return len(in.sys.program.Ledger())
}

// workName names a work in messages.
func (l *ledger) workName(k int) string {
	for _, e := range l.side.Ledger() {
		for i, part := range workParts {
			if len(e.Values[part]) == 0 {
				continue
			}
			if k == 0 {
				return [...]string{"the supplied", "the dissipated"}[i] + " energy of " + e.Component
			}
			k--
		}
	}
	return energyName
}

// evaluate computes all values at a state, with the results of the external calls at that state.
func (l *ledger) evaluate(x []float64) {
	l.side.Evaluate(x[:len(l.in.sys.program.States)], l.in.continued, l.returned)
}

// powers puts the rates of the works behind the rates of tires.
func (l *ledger) powers(x, dx []float64) {
	l.evaluate(x)
	k := len(dx) - l.works
	for _, e := range l.side.Ledger() {
		for _, part := range workParts {
			if len(e.Values[part]) > 0 {
				dx[k] = l.sum(e.Values[part])
				k++
			}
		}
	}
}

func (l *ledger) sum(values []int) float64 {
	sum := 0.0
	for _, i := range values {
		sum += l.side.Value(i)
	}
	return sum
}

// beginImpacts notes the stored energy before wheel contacts act on the state.
func (l *ledger) beginImpacts(x []float64) {
	if l.recorded && len(l.impacts) > 0 {
		l.evaluate(x)
		l.stored = l.storedInAll()
	}
}

// countImpact counts the energy that a wheel contact has taken.
func (l *ledger) countImpact(contact int, x []float64) {
	if !l.recorded {
		return
	}
	before := l.stored
	l.evaluate(x)
	l.stored = l.storedInAll()
	x[len(x)-l.works+l.impacts[contact]] += before - l.stored
}

func (l *ledger) storedInAll() float64 {
	sum, entries := 0.0, l.side.Ledger()
	for i := range entries {
		sum += l.storedOf(&entries[i])
	}
	return sum
}

// storedOf returns the stored energy of an entry.
func (l *ledger) storedOf(e *program.LedgerEntry) float64 {
	sum := l.sum(e.Values[program.KineticEnergy])
	for part := program.KineticEnergy + 1; part < program.SuppliedPower; part++ {
		sum += l.sum(e.Values[part])
	}
	return sum
}

// present computes the values of the ledger at the present point.
func (l *ledger) present() {
	if l.current {
		return
	}
	l.make()
	l.in.machine.Returned(l.returned)
	l.evaluate(l.in.x)
	l.current = true
}

// begin notes the stored energy at initialisation.
func (l *ledger) begin() {
	if !l.recorded {
		return
	}
	l.present()
	entries := l.side.Ledger()
	for i := range entries {
		l.start[i] = l.storedOf(&entries[i])
	}
}

// value returns one of the energies or of the powers of tires at the present point, after refresh.
func (l *ledger) value(which int) float64 {
	if which >= dissipatedEnergy && which < len(energies) && !(l.recorded && l.in.initialised) {
		return 0
	}
	l.present()
	entries := l.side.Ledger()
	if which >= len(energies) || which < dissipatedEnergy {
		return l.in.sys.presentEnergy(which, entries, l.side.Len(), l.side.Value)
	}
	var total [program.EnergyParts]float64
	gone, work := 0.0, l.in.x[len(l.in.x)-l.works:]
	for i := range entries {
		e := &entries[i]
		gone += l.start[i] - l.storedOf(e)
		for _, part := range workParts {
			if len(e.Values[part]) > 0 {
				total[part] += work[0]
				work = work[1:]
			}
		}
	}
	switch which {
	case dissipatedEnergy:
		return total[program.DissipatedPower]
	case suppliedEnergy:
		return total[program.SuppliedPower]
	}
	return gone + total[program.SuppliedPower] - total[program.DissipatedPower]
}

// presentEnergy returns one of the stored energies, or the power of a tire, from the values of a ledger.
func (s *System) presentEnergy(which int, entries []program.LedgerEntry, count int, value func(i int) float64) float64 {
	if which >= len(energies) {
		return value(count - len(s.program.Powers) + which - len(energies))
	}
	part := [...]int{
		kineticEnergy: program.KineticEnergy, potentialEnergy: program.PotentialEnergy,
		electricalEnergy: program.ElectricalEnergy, hydraulicEnergy: program.HydraulicEnergy,
	}[which]
	total := 0.0
	for i := range entries {
		sum := 0.0
		for _, k := range entries[i].Values[part] {
			sum += value(k)
		}
		total += sum
	}
	return total
}

// Ledger lists the energies of components, nil unless works are recorded.
func (in *Instance) Ledger() ([]LedgerEntry, error) {
	if !in.ledger.recorded || !in.initialised {
		return nil, nil
	}
	if err := in.refresh(); err != nil {
		return nil, err
	}
	in.ledger.present()
	l, work := &in.ledger, in.x[len(in.x)-in.ledger.works:]
	entries := l.side.Ledger()
	list := make([]LedgerEntry, len(entries))
	for i := range entries {
		e, own := &entries[i], &list[i]
		*own = LedgerEntry{Component: e.Component, StoredFirst: l.start[i], Stored: l.storedOf(e)}
		for k, to := range [...]*float64{&own.Supplied, &own.Dissipated} {
			if len(e.Values[workParts[k]]) > 0 {
				*to, work = work[0], work[1:]
			}
		}
	}
	return list, nil
}

// lines returns the entries of the ledger as a text.
func (l *ledger) lines() (string, error) {
	list, err := l.in.Ledger()
	var text strings.Builder
	for _, e := range list {
		fmt.Fprintf(&text, "%s\t%.17g\t%.17g\t%.17g\t%.17g\n", e.Component, e.StoredFirst, e.Stored, e.Supplied,
			e.Dissipated)
	}
	return text.String(), err
}
