package cosim

import "slices"

// touches holds which tires touch the road: by their forces, or as last reported to an importer that handles events.
type touches struct {
	in     *Instance
	on     []bool // by tire, as last reported to an importer
	events bool   // contacts change by UpdateContacts only
}

// Hysteresis is the hysteresis of contacts [N]: a load of exactly zero does not chatter.
const Hysteresis = 1e-3

// force returns the normal force of tire i as if the road could pull [N].
func (t *touches) force(i int) float64 { return t.in.y[len(t.in.y)-len(t.on)+i] }

// byEvents reports whether an importer handles events now.
func (t *touches) byEvents() bool { return t.events && t.in.initialised }

// value returns 1 while tire i touches the road.
func (t *touches) value(i int) float64 {
	if t.byEvents() && t.on[i] || !t.byEvents() && t.force(i) > 0 {
		return 1
	}
	return 0
}

// indicator returns the event indicator at index k of y. It changes its sign where the contact has to change.
func (t *touches) indicator(k int) float64 {
	y := t.in.y
	switch {
	case !t.byEvents():
		return y[k]
	case t.on[k-(len(y)-len(t.on))]:
		return y[k] + Hysteresis
	}
	return y[k] - Hysteresis
}

// begin starts with the contacts that follow from the forces.
func (t *touches) begin() {
	for i := range t.on {
		t.on[i] = t.force(i) > 0
	}
}

// pending reports whether a contact has to change.
func (t *touches) pending(i int) bool {
	if t.on[i] {
		return t.force(i) < -Hysteresis
	}
	return t.force(i) > Hysteresis
}

// SetEventHandling sets whether contacts change by UpdateContacts only, as for an importer that
// handles events, or follow the forces.
func (in *Instance) SetEventHandling(on bool) { in.touches.events = on }

// SetExternalIntegration sets whether an importer integrates the states, before parameters are set.
func (in *Instance) SetExternalIntegration(on bool) { in.externallyIntegrated = on }

// UpdateContacts lets contacts follow the forces, takes the samples that are due, and reports whether anything changed.
func (in *Instance) UpdateContacts() (changed bool, err error) {
	pending, err := in.ContactChangePending()
	if err != nil {
		return false, err
	}
	for i := range in.touches.on {
		if in.touches.pending(i) {
			in.touches.on[i] = !in.touches.on[i]
		}
	}
	for _, a := range in.acts {
		a.seen()
	}
	if in.samples != nil {
		if err := in.samples.take(); err != nil {
			return false, err
		}
	}
	return pending, nil
}

// NextSample returns the time of the next sample [s], infinite without samples.
func (in *Instance) NextSample() float64 {
	if in.samples == nil {
		return never
	}
	return in.samples.earliest()
}

// StepsBetweenSamples returns the bounds of steps without samples [s]: such a step begins before due and ends at uncut
// or before. Both are infinite without samples.
func (in *Instance) StepsBetweenSamples() (due, uncut float64) {
	if in.samples == nil {
		return never, never
	}
	return in.samples.dueFrom(), in.samples.uncut()
}

// ContactChangePending reports whether UpdateContacts would change a contact or take a sample, or an act between steps
// has changed something since.
func (in *Instance) ContactChangePending() (bool, error) {
	if err := in.refresh(); err != nil {
		return false, err
	}
	for i := range in.touches.on {
		if in.touches.pending(i) {
			return true, nil
		}
	}
	return slices.ContainsFunc(in.acts, func(a queuedAct) bool { return a.isEvent() }), nil
}
