package drive

import (
	"math"
	"slices"
)

// Common reports whether inputs follow from the time alone, so that one driver can serve all vehicles of a model whose
// inputs begin alike. Whether a condition of a vehicle itself ends its run is then found elsewhere: see EndedBy.
func (d *InputDriver) Common() bool {
	m := d.manoeuvre
	waits := slices.ContainsFunc(d.phases, func(p phaseDrive) bool { return p.until != nil })
	return d.outside == nil && len(d.feedback) == 0 && len(d.stops) == 0 && m.SpeedControl == nil &&
		m.PathFollower == nil && m.Driver == nil && !waits && len(d.ends.conditions) == 0
}

// beginsWith reports whether inputs of another subject of the model begin alike, by the values that have been set by
// name.
func (d *InputDriver) beginsWith(set map[string]float64) bool {
	for at := range d.channels {
		name := d.channels[at].Name
		one, isSet := d.begins[name]
		other, otherSet := set[name]
		if isSet != otherSet || math.Float64bits(one) != math.Float64bits(other) {
			return false
		}
	}
	return true
}

// startLike prepares the start of another subject like the start of the driver's own subject: its end conditions and
// the first values of the inputs.
func (d *InputDriver) startLike(s Subject) error {
	if d.ends.asked != "" {
		if err := s.SetText(endAtVariable, d.ends.asked); err != nil {
			return err
		}
	}
	own := d.subject
	defer func() { d.subject = own }()
	d.subject = s
	return d.set(0, d.first)
}

// Serve lets the driver set the inputs of all subjects that it serves. It no longer reads whether a condition of its
// own subject has ended a run.
func (d *InputDriver) Serve(all Subject) {
	d.subject = all
	if d.ramped != nil {
		d.ramped = all.(ramped)
	}
	d.ends.elsewhere = true
}

// EndedBy is the variable that is above 0 after a condition has ended the run of a vehicle. A vehicle without
// conditions has none.
func (d *InputDriver) EndedBy() (reference uint32, is bool) {
	if d.ends.references == nil {
		return 0, false
	}
	return d.ends.references[0], true
}
