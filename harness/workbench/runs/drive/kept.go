package drive

import (
	"slices"

	"skidpad/harness/workbench/runs/manoeuvre"
)

// Kept is the memory of an InputDriver at one moment: its phase, the integrals of its controllers, and the inputs.
type Kept struct {
	values  [4][]float64 // of the plan: values, rates, given, given rates
	sides   []float64    // of all conditions
	speed   speedControl
	path    pathFollower
	phase   int
	begin   float64
	over    []PhaseInterval
	done    bool
	verdict string
}

// monitors are all conditions that remember something.
func (d *InputDriver) monitors() (list []*conditionMonitor) {
	for i := range d.stops {
		list = append(list, &d.stops[i])
	}
	for i := range d.ends.conditions {
		list = append(list, &d.ends.conditions[i])
	}
	for i := range d.phases {
		if d.phases[i].until != nil {
			list = append(list, d.phases[i].until)
		}
	}
	return list
}

func (d *InputDriver) memory() [4][]float64 {
	return [4][]float64{d.values, d.rates, d.given, d.givenRates}
}

// Keep is the present memory, for Return.
func (d *InputDriver) Keep() *Kept {
	k := &Kept{speed: d.speed, path: d.path, phase: d.phase, begin: d.begin, over: slices.Clone(d.over), done: d.Done,
		verdict: d.verdict}
	for i, values := range d.memory() {
		k.values[i] = slices.Clone(values)
	}
	for _, m := range d.monitors() {
		k.sides = append(k.sides, m.side)
	}
	return k
}

// Return brings back the memory of an earlier moment. The vehicle must return to the same moment.
func (d *InputDriver) Return(k *Kept) {
	d.speed, d.path, d.phase, d.begin, d.over = k.speed, k.path, k.phase, k.begin, slices.Clone(k.over)
	d.Done, d.verdict = k.done, k.verdict
	for i, values := range d.memory() {
		copy(values, k.values[i])
	}
	for i, m := range d.monitors() {
		m.side = k.sides[i]
	}
}

// InputNames are the inputs that the manoeuvre sets.
func (d *InputDriver) InputNames() (names []string) {
	for _, c := range d.channels {
		names = append(names, c.Name)
	}
	return names
}

// Verdict is the reason why the run has ended before its last phase; "" where it has not.
func (d *InputDriver) Verdict() string { return d.verdict }

// Followed is the path that the driver follows now, with the place [m] and the yaw angle [rad] of the body at the begin
// of the path. Without a path, path is nil.
func (d *InputDriver) Followed() (path *manoeuvre.Path, x, y, yaw float64) {
	if d.phase < len(d.phases) && d.path.began {
		path = d.phases[d.phase].Path
	}
	return path, d.path.x, d.path.y, d.path.yaw
}

// SteeringRatios are the angle of the steering wheel by the angle or travel of one of the drivers, and by the angle of
// the road wheels, of a vehicle that is initialised. Without steering they are 0; the second is NaN where it is not
// known.
func (d *InputDriver) SteeringRatios() (turns, overall float64, err error) {
	overall, err = d.handWheel.overallRatio(d)
	return d.handWheel.turns, overall, err
}

// Passed lists the phases up to t seconds.
func (d *InputDriver) Passed(t float64) []PhaseInterval { return slices.Clone(d.passed(t)) }
