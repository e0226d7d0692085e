package drive

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/cruise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/harness/workbench/runs/signal"
)

// ramped is a subject whose inputs can change linearly within a step.
type ramped interface {
	TakesRates() bool
	SetRates(references []uint32, rates []float64) error
}

// holding is how inputs that are known as functions of time pass through a step.
type holding int

const (
	// carriedByRates: an input changes linearly from its value at the beginning of the step to its value at the end.
	carriedByRates holding = iota
	// heldAtEnd, for subjects that take no rates: an input has its value at the end for the whole step, so that outputs
	// at the end belong to the time there.
	heldAtEnd
	// heldAtBegin: an input keeps its value at the beginning, as with importers that read a file of inputs.
	heldAtBegin
)

// InputDriver sets a vehicle's inputs as a manoeuvre specifies: prescribed motions by
// position, rate and acceleration, other inputs by value. Within a step they continue as
// holding says; of held motions the acceleration is the mean of the step.
type InputDriver struct {
	manoeuvre *manoeuvre.Manoeuvre
	ramped    ramped // nil where inputs are held
	holding   holding
	first     float64             // length of the step that inputs were set for before the start, 0 for none [s]
	settings  []manoeuvre.Setting // that were made before the start

	inputPlan
	always    []signalTarget
	feedback  []feedback
	phases    []phaseDrive
	stops     []conditionMonitor
	ends      endMonitor
	handWheel handWheel
	speed     speedControl
	pedals    pedals
	path      pathFollower
	ahead     lookAhead
	outside   *outside // nil without

	phase   int     // the present one
	begin   float64 // of the present phase, s
	over    []PhaseInterval
	Done    bool
	verdict string
}

// PhaseInterval says when a phase began and ended [s].
type PhaseInterval struct {
	Name       string
	Begin, End float64
}

// signalTarget is one signal and what it drives.
type signalTarget struct {
	signal signal.Signal
	groups []group
}

// phaseDrive is a phase with what its signals drive.
type phaseDrive struct {
	*manoeuvre.Phase
	inputs []signalTarget
	until  *conditionMonitor // nil without
	// lengths has the distances along the path, for a speed over the distance.
	lengths []float64
}

// feedback is a law with the inputs that it sets.
type feedback struct {
	observed
	factor     float64 // of the value that the inputs take
	inputs     []int
	references []uint32 // of inputs
	values     []float64
}

// newInputDriver finds what a manoeuvre sets and reads. Inputs begin with the values that have been set by name, others
// with those of the vehicle.
func newInputDriver(s Subject, m *manoeuvre.Manoeuvre, set map[string]float64) (*InputDriver, error) {
	return newAdaptedDriver(s, m, set, nil, nil)
}

// newAdaptedDriver is newInputDriver for a manoeuvre whose driver has adapted to the vehicle.
func newAdaptedDriver(
	s Subject, m *manoeuvre.Manoeuvre, set map[string]float64, knows *preview.Driver, law *cruise.Law,
) (*InputDriver, error) {
	d := &InputDriver{manoeuvre: m, inputPlan: newInputPlan(s, set)}
	d.ahead.knows, d.pedals.law = knows, law
	if err := d.connect(); err != nil {
		return nil, fmt.Errorf("%w; manoeuvre %s is meant for %s", err, m.Name, strings.Join(m.Models, ", "))
	}
	return d, nil
}

func (d *InputDriver) connect() (err error) {
	m := d.manoeuvre
	if err = d.handWheel.connect(d); err != nil {
		return fmt.Errorf("steering: %w", err)
	}
	if d.always, err = d.signals(m.Inputs); err != nil {
		return err
	}
	for i := range m.Phases {
		p := phaseDrive{Phase: &m.Phases[i]}
		if p.inputs, err = d.signals(p.Inputs); err != nil {
			return fmt.Errorf("phase %s: %w", p.Name, err)
		}
		if p.Until != nil {
			w, err := newWatch(d.subject, p.Until)
			if err != nil {
				return fmt.Errorf("phase %s: until: %w", p.Name, err)
			}
			p.until = &w
		}
		if p.ByDistance {
			p.lengths = p.Path.Lengths()
		}
		d.phases = append(d.phases, p)
	}
	for _, stop := range m.Stops {
		w, err := newWatch(d.subject, stop.When)
		if err != nil {
			return fmt.Errorf("stop %q: %w", stop.Verdict, err)
		}
		d.stops = append(d.stops, w)
	}
	if m.SpeedControl != nil {
		if err := d.speed.connect(d, m.SpeedControl); err != nil {
			return fmt.Errorf("speed control: %w", err)
		}
	}
	if m.Pedals != nil {
		if err := d.pedals.connect(d, m.Pedals); err != nil {
			return fmt.Errorf("pedals: %w", err)
		}
	}
	if m.PathFollower != nil {
		if err := d.path.connect(d, m.PathFollower); err != nil {
			return fmt.Errorf("path follower: %w", err)
		}
	}
	if m.Driver != nil {
		if err := d.ahead.connect(d, m.Driver); err != nil {
			return fmt.Errorf("driver: %w", err)
		}
	}
	for _, law := range m.Feedback {
		f, err := d.newFeedback(law)
		if err != nil {
			return fmt.Errorf("feedback: %w", err)
		}
		d.feedback = append(d.feedback, f)
	}
	if err := d.claimAll(); err != nil {
		return err
	}
	d.complete()
	return nil
}

// newFeedback finds what a law reads and sets.
func (d *InputDriver) newFeedback(law manoeuvre.FeedbackLaw) (f feedback, err error) {
	f = feedback{factor: law.Factor, values: make([]float64, len(law.Variables))}
	if f.observed, err = observe(d.subject, law.Law); err != nil {
		return f, err
	}
	for _, name := range law.Variables {
		at, err := d.inputIndex(name)
		if err != nil {
			return f, err
		}
		if err := Fits(d.subject, name, law.Written); err != nil {
			return f, err
		}
		f.inputs, f.references = append(f.inputs, at), append(f.references, d.references[at])
		d.lawful[at] = true
	}
	return f, nil
}

// claimAll refuses inputs that have two sources in a phase, or in a manoeuvre without phases.
func (d *InputDriver) claimAll() error {
	always := claims{}
	for i := range d.feedback {
		by := "a law of [[feedback]]"
		if position := d.manoeuvre.Feedback[i].Place; position != "" {
			by += " (" + position + ")"
		}
		if err := d.claim(always, d.feedback[i].inputs, by); err != nil {
			return err
		}
	}
	signals := func(c claims, targets []signalTarget, by string) error {
		for _, t := range targets {
			for _, g := range t.groups {
				if err := d.claim(c, g, by); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := signals(always, d.always, "a signal of [[input]]"); err != nil {
		return err
	}
	for i := range d.phases {
		p := &d.phases[i]
		phase := maps.Clone(always)
		err := signals(phase, p.inputs, "a signal of the phase")
		if p.Speed != nil && err == nil {
			err = d.claim(phase, d.speed.torques, "the speed control of the phase")
			for _, b := range d.pedals.brakes {
				err = cmp.Or(err, d.claim(phase, b.inputs, "the pedals of the phase"))
			}
		}
		if p.Path != nil {
			for _, g := range slices.Concat(d.path.drivers, d.ahead.drivers) {
				err = cmp.Or(err, d.claim(phase, g, "the path follower of the phase"))
			}
		}
		if err != nil {
			return fmt.Errorf("phase %s: %w", p.Name, err)
		}
	}
	return nil
}

// signals finds what signals drive.
func (d *InputDriver) signals(inputs []manoeuvre.InputSignal) ([]signalTarget, error) {
	var list []signalTarget
	for _, input := range inputs {
		in := signalTarget{signal: input.Signal}
		if input.HandWheel {
			in.signal = signal.Scaled{Signal: input.Signal, Factor: 1 / d.handWheel.turns}
		}
		add := func(g group, err error) error {
			if err != nil {
				return err
			}
			in.groups = append(in.groups, g)
			d.changes(g)
			return Fits(d.subject, d.channels[g[0]].Name, input.Written)
		}
		for _, driver := range input.Drivers {
			if err := add(d.driver(driver)); err != nil {
				return nil, err
			}
		}
		for _, name := range input.Variables {
			if err := add(d.group(name)); err != nil {
				return nil, err
			}
		}
		list = append(list, in)
	}
	return list, nil
}

// At does what has to be done at t seconds, h before the next time.
func (d *InputDriver) At(t, h float64) error {
	if err := d.advance(t, h); err != nil {
		return err
	}
	if err := d.control(t, h); err != nil {
		return err
	}
	if err := d.set(t, h); err != nil {
		return err
	}
	for i := range d.feedback {
		f := &d.feedback[i]
		value, err := f.at(d.subject, t)
		if err != nil {
			return err
		}
		for k, at := range f.inputs {
			f.values[k] = f.factor * value
			d.values[at], d.given[at] = f.values[k], f.values[k]
		}
		if err := d.subject.Set(f.references, f.values); err != nil {
			return err
		}
	}
	if d.outside != nil {
		return d.outside.act(d, t)
	}
	return nil
}

// advance ends the run where something stops it, and phases that are over.
func (d *InputDriver) advance(t, h float64) error {
	if d.Done {
		return nil
	}
	for i := range d.stops {
		holds, err := d.stops[i].holds(d.subject, t)
		if err != nil {
			return err
		}
		if holds {
			d.end(t, d.manoeuvre.Stops[i].Verdict)
			return nil
		}
	}
	verdict, err := d.ends.verdict(d.subject, t)
	if err != nil {
		return err
	}
	if verdict != "" {
		d.Done, d.verdict = true, verdict
		return nil
	}
	for d.phase < len(d.phases) {
		p := &d.phases[d.phase]
		over := t-d.begin > p.Duration-h/1e6
		if p.until != nil {
			holds, err := p.until.holds(d.subject, t-d.begin)
			if err != nil {
				return err
			}
			if over && !holds {
				d.end(t, fmt.Sprintf("end condition of phase %s was not met within %g s", p.Name, p.Duration))
				return nil
			}
			over = holds
		}
		if !over {
			return nil
		}
		d.holdInputs(p, t, h)
		d.over = append(d.over, PhaseInterval{p.Name, d.begin, t})
		d.phase, d.begin = d.phase+1, t
		if d.phase < len(d.phases) && d.phases[d.phase].Path != p.Path {
			d.path.began, d.ahead.began = false, false
		}
	}
	d.Done = len(d.phases) > 0
	return nil
}

// end ends the run before its last phase.
func (d *InputDriver) end(t float64, verdict string) {
	d.Done, d.verdict = true, fmt.Sprintf("%s at %.6g s", verdict, t)
}

// passed lists the phases up to t seconds.
func (d *InputDriver) passed(t float64) []PhaseInterval {
	list := d.over
	if d.phase < len(d.phases) {
		list = append(list, PhaseInterval{d.phases[d.phase].Name, d.begin, t})
	}
	return list
}

// holdInputs leaves the inputs of a phase that ends at t seconds where they are.
func (d *InputDriver) holdInputs(p *phaseDrive, t, h float64) {
	d.follow(p.inputs, t-d.begin, h)
	for _, input := range p.inputs {
		for _, g := range input.groups {
			for i, at := range g {
				if d.rates[at] = 0; i > 0 {
					d.values[at] = 0
				}
			}
		}
	}
	switch {
	case p.Path == nil:
	case d.manoeuvre.Driver != nil:
		d.ahead.holdSteeringWheel(d)
	default:
		d.path.holdSteeringWheel(d)
	}
}

// control lets the drivers set inputs, which need what the vehicle publishes.
func (d *InputDriver) control(t, h float64) error {
	if d.phase == len(d.phases) {
		return nil
	}
	p := &d.phases[d.phase]
	at := t - d.begin // of the speed: time, or distance
	if p.Path != nil {
		steer, place := d.path.steer, &d.path.place
		if d.manoeuvre.Driver != nil {
			steer, place = d.ahead.steer, &d.ahead.place
		}
		beyond, err := steer(d, p.Path, h)
		if err != nil {
			return err
		}
		if beyond && !d.Done { // what comes now would be another manoeuvre: straight ahead
			d.end(t, fmt.Sprintf("the driver looked beyond the end of the path of phase %s", p.Name))
		}
		if p.ByDistance {
			at = p.Path.Distance(p.lengths, place.x, place.y, place.piece)
		}
	}
	if p.Speed == nil {
		return nil
	}
	wanted, slope, _ := p.Speed.At(at)
	if d.manoeuvre.Pedals != nil {
		return d.pedals.hold(d, wanted, slope, p.ByDistance, h)
	}
	return d.speed.hold(d, wanted, h)
}

// placeOnPath is where a body is in the axes of its path, with the nearest piece.
type placeOnPath struct {
	x, y  float64
	piece int
}

// set sets all inputs but those of feedback for a step of h seconds that begins at t seconds; h is 0 for what belongs
// to t alone.
func (d *InputDriver) set(t, h float64) error {
	d.follow(d.always, t, h)
	if d.phase < len(d.phases) {
		d.follow(d.phases[d.phase].inputs, t-d.begin, h)
	}
	copy(d.given, d.values)
	copy(d.givenRates, d.rates)
	if h > 0 {
		d.continueInputs(d.always, h)
		if d.phase < len(d.phases) {
			d.continueInputs(d.phases[d.phase].inputs, h)
		}
	}
	if d.outside != nil {
		d.outside.hold(d)
	}
	if err := d.setDirect(); err != nil || d.ramped == nil || h == 0 {
		return err
	}
	return d.setRates(d.ramped)
}

// continueInputs makes what inputs are set to for a step of h seconds of values and their rates.
func (d *InputDriver) continueInputs(inputs []signalTarget, h float64) {
	for _, input := range inputs {
		for _, g := range input.groups {
			if d.holding == carriedByRates {
				d.carry(g, h)
			} else {
				d.hold(g, h)
			}
		}
	}
}

// carry sets the acceleration of a motion over a step of h seconds. The step ends with the signal's acceleration, and
// the mean acceleration is the change of the rate divided by h. Driven parts then exchange no spurious momentum. So the
// acceleration at the beginning differs from the signal's by the order h^2.
func (d *InputDriver) carry(g group, h float64) {
	if len(g) < 3 {
		return
	}
	acceleration, rate, rateOfAcceleration := &d.given[g[2]], &d.givenRates[g[1]], &d.givenRates[g[2]]
	mean, end := *acceleration+*rate, *acceleration+h**rateOfAcceleration
	*acceleration = 2*mean - end
	*rate, *rateOfAcceleration = mean-*acceleration, (end-*acceleration)/h
}

// hold converts values and rates to values held over a step of h seconds.
func (d *InputDriver) hold(g group, h float64) {
	switch {
	case len(g) == 3: // the rate at the end is the signal's
		d.given[g[2]] += d.rates[g[1]]
	case len(g) == 2: // the height at the end is the signal's
		d.given[g[1]] += d.rates[g[0]] + h/2*d.rates[g[1]]
	case d.holding == heldAtEnd:
		d.given[g[0]] += h * d.rates[g[0]]
	}
}

// recorded returns the recorded values of the inputs: the values at the communication point, or, for a repetition by an
// importer with held inputs, the values held from there on.
func (d *InputDriver) recorded() []float64 {
	values := d.values
	if d.holding == heldAtBegin {
		values = d.given
	}
	if d.outside != nil {
		return d.outside.recorded(values)
	}
	return values
}

// follow sets the values of signals at t seconds and the rates that reach the signals at the end of a step of h
// seconds. The vehicle continues a rate by the acceleration, and a position by the rate and half the acceleration; the
// rates set here are added.
func (d *InputDriver) follow(inputs []signalTarget, t, h float64) {
	for _, input := range inputs {
		value, rate, acceleration := input.signal.At(t)
		var change, changeOfRate, changeOfAcceleration float64
		if h > 0 {
			end, endRate, endAcceleration := signal.Before(input.signal, t+h)
			change, changeOfRate, changeOfAcceleration = (end-value)/h, (endRate-rate)/h,
				(endAcceleration-acceleration)/h
		}
		for _, g := range input.groups {
			switch len(g) {
			case 1:
				d.values[g[0]], d.rates[g[0]] = value, change
				continue
			case 3:
				d.values[g[2]], d.rates[g[2]] = acceleration, changeOfAcceleration
				d.rates[g[1]] = changeOfRate - acceleration
			default:
				d.rates[g[1]] = changeOfRate
			}
			d.values[g[0]], d.values[g[1]] = value, rate
			d.rates[g[0]] = change - rate - h/2*changeOfRate
		}
	}
}

// conditionMonitor waits for a condition.
type conditionMonitor struct {
	*manoeuvre.Condition
	observed
	side float64 // side of the bound the formula was on last, 0 before it was on any
}

func newWatch(s Subject, c *manoeuvre.Condition) (w conditionMonitor, err error) {
	w.Condition = c
	if w.observed, err = observe(s, c.Law); err != nil {
		return w, err
	}
	return w, Fits(s, c.Variable, c.Written)
}

// holds evaluates the condition; t is what the formula takes for the time [s].
func (w *conditionMonitor) holds(s Subject, t float64) (bool, error) {
	x, err := w.at(s, t)
	if err != nil {
		return false, err
	}
	x -= w.Bound
	switch w.Kind {
	case manoeuvre.Above:
		return x > 0, nil
	case manoeuvre.Below:
		return x < 0, nil
	}
	if w.side == 0 && x != 0 {
		w.side = math.Copysign(1, x)
	}
	return x*w.side < 0, nil
}
