package drive

import (
	"fmt"
	"math"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/signal"
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
	subject   Subject
	begins    map[string]float64 // of inputs that were set
	ramped    ramped             // nil where inputs are held
	holding   holding
	settings  []manoeuvre.Setting // that were made before the start

	names         []string // of all inputs that are ever set, those of feedback last
	places        map[string]int
	values, rates []float64 // at the communication point, and their change until the next [1/s]
	given         []float64 // what the subject is set to
	givenRates    []float64
	references    []uint32
	ramps         []ramp
	always        []signalTarget
	feedback      []feedback
	phases        []phaseDrive
	stops         []conditionMonitor
	ends          endMonitor
	handWheel     handWheel
	speed         speedControl
	path          pathFollower

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

// signalTarget is one signal and the places of what it drives, of motions that of the position, which rate and
// acceleration follow, of roads that of the height, which the rate follows.
type signalTarget struct {
	signal    signal.Signal
	motions   []int
	roads     []int
	variables []int
}

// ramp is an input that a signal changes, or a group of them: height and rate of a road, or position, rate and
// acceleration of a motion.
type ramp struct{ first, count int }

// phaseDrive is a phase with the places of its inputs.
type phaseDrive struct {
	*manoeuvre.Phase
	inputs []signalTarget
	until  *conditionMonitor // nil without
}

// feedback is a law with the places of what it sets.
type feedback struct {
	observed
	first, count int
}

// newInputDriver finds what a manoeuvre sets and reads. Inputs begin with the values that have been set by name, others
// with those of the vehicle.
func newInputDriver(s Subject, m *manoeuvre.Manoeuvre, set map[string]float64) (*InputDriver, error) {
	d := &InputDriver{manoeuvre: m, subject: s, begins: set, places: map[string]int{}}
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
	if m.PathFollower != nil {
		if err := d.path.connect(d, m.PathFollower); err != nil {
			return fmt.Errorf("path follower: %w", err)
		}
	}
	for _, law := range m.Feedback {
		f := feedback{first: len(d.names), count: len(law.Variables)}
		if f.observed, err = observe(d.subject, law.Law); err != nil {
			return fmt.Errorf("feedback: %w", err)
		}
		for _, name := range law.Variables {
			if _, err := d.place(name); err != nil {
				return fmt.Errorf("feedback: %w", err)
			}
		}
		d.feedback = append(d.feedback, f)
	}
	d.rates, d.given, d.givenRates = make([]float64, len(d.values)), make([]float64, len(d.values)),
		make([]float64, len(d.values))
	return nil
}

// signals finds the places of what signals drive.
func (d *InputDriver) signals(inputs []manoeuvre.InputSignal) ([]signalTarget, error) {
	var list []signalTarget
	for _, input := range inputs {
		in := signalTarget{signal: input.Signal}
		if input.HandWheel {
			in.signal = signal.Scaled{Signal: input.Signal, Factor: 1 / d.handWheel.turns}
		}
		for _, driver := range input.Drivers {
			connect, to := d.motion, &in.motions
			if _, err := d.subject.Find(driver + ".z_dot"); err == nil {
				connect, to = d.road, &in.roads
			}
			at, err := connect(driver)
			if err != nil {
				return nil, err
			}
			*to = append(*to, at)
			if err := Fits(d.subject, d.names[at], input.Written); err != nil {
				return nil, err
			}
		}
		for _, name := range input.Variables {
			_, known := d.places[name]
			at, err := d.place(name)
			if err != nil {
				return nil, err
			}
			if err := Fits(d.subject, name, input.Written); err != nil {
				return nil, err
			}
			if in.variables = append(in.variables, at); !known {
				d.ramps = append(d.ramps, ramp{at, 1})
			}
		}
		list = append(list, in)
	}
	return list, nil
}

// place is that of an input, which has its start value until it is set.
func (d *InputDriver) place(name string) (int, error) {
	if at, known := d.places[name]; known {
		return at, nil
	}
	v, err := d.subject.Find(name)
	if err != nil {
		return 0, err
	}
	if v.Causality == library.Output {
		return 0, fmt.Errorf("%s is an output, which the vehicle sets itself; drive the inputs that it follows", name)
	}
	at := len(d.names)
	d.places[name] = at
	value, isSet := d.begins[name]
	if !isSet {
		value = v.Start
	}
	d.names, d.references, d.values = append(d.names, name), append(d.references, v.Reference), append(d.values, value)
	return at, nil
}

// motion is the place of the position of a motion driver; those of its rate and acceleration follow.
func (d *InputDriver) motion(driver string) (int, error) {
	position := driver + ".angle"
	if _, err := d.subject.Find(driver + ".position"); err == nil {
		position = driver + ".position" // a driver of a translation
	}
	return d.group(position, driver+".rate", driver+".acceleration")
}

// road is the place of the height of a road that moves; that of its rate follows.
func (d *InputDriver) road(driver string) (int, error) { return d.group(driver+".z", driver+".z_dot") }

// group is the place of the first of names, whose places follow each other.
func (d *InputDriver) group(names ...string) (int, error) {
	if at, known := d.places[names[0]]; known {
		return at, nil
	}
	at := len(d.names)
	for _, name := range names {
		if _, err := d.place(name); err != nil {
			return 0, err
		}
	}
	d.ramps = append(d.ramps, ramp{at, len(names)})
	return at, nil
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
		for k := range f.count {
			d.values[f.first+k] = value
		}
		if err := d.subject.Set(d.references[f.first:f.first+f.count], d.values[f.first:f.first+f.count]); err != nil {
			return err
		}
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
			d.path.began = false
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
		for _, at := range input.motions {
			d.values[at+1], d.values[at+2] = 0, 0
			clear(d.rates[at : at+3])
		}
		for _, at := range input.roads {
			d.values[at+1] = 0
			clear(d.rates[at : at+2])
		}
		for _, at := range input.variables {
			d.rates[at] = 0
		}
	}
	if p.Path != nil {
		d.path.holdSteeringWheel(d)
	}
}

// control lets the drivers set inputs, which need what the vehicle publishes.
func (d *InputDriver) control(t, h float64) error {
	if d.phase == len(d.phases) {
		return nil
	}
	p := d.phases[d.phase]
	if p.Speed != nil {
		wanted, _, _ := p.Speed.At(t - d.begin)
		if err := d.speed.hold(d, wanted, h); err != nil {
			return err
		}
	}
	if p.Path != nil {
		return d.path.steer(d, p.Path, h)
	}
	return nil
}

// set sets all inputs but those of feedback for a step of h seconds that begins at t seconds; h is 0 for what belongs
// to t alone.
func (d *InputDriver) set(t, h float64) error {
	d.follow(d.always, t, h)
	if d.phase < len(d.phases) {
		d.follow(d.phases[d.phase].inputs, t-d.begin, h)
	}
	n := len(d.references)
	if len(d.feedback) > 0 {
		n = d.feedback[0].first
	}
	copy(d.given, d.values)
	copy(d.givenRates, d.rates)
	switch {
	case h == 0:
	case d.holding == carriedByRates:
		d.carry(h)
	default:
		d.hold(h)
	}
	if err := d.subject.Set(d.references[:n], d.given[:n]); err != nil || d.ramped == nil || h == 0 {
		return err
	}
	var references []uint32
	var rates []float64
	for _, r := range d.ramps {
		references, rates = append(references, d.references[r.first:r.first+r.count]...),
			append(rates, d.givenRates[r.first:r.first+r.count]...)
	}
	return d.ramped.SetRates(references, rates)
}

// carry lets the acceleration of a motion end a step of h seconds with the signal's, and have the mean that the change
// of the rate needs: what is driven then exchanges no momentum but its own. So it begins with what differs from the
// signal's by the order h^2.
func (d *InputDriver) carry(h float64) {
	for _, r := range d.ramps {
		if r.count == 3 {
			acceleration, rates := &d.given[r.first+2], d.givenRates[r.first:r.first+3]
			mean, end := *acceleration+rates[1], *acceleration+h*rates[2]
			*acceleration = 2*mean - end
			rates[1], rates[2] = mean-*acceleration, (end-*acceleration)/h
		}
	}
}

// hold makes values that are kept for a step of h seconds of values and their rates.
func (d *InputDriver) hold(h float64) {
	for _, r := range d.ramps {
		given, rates := d.given[r.first:r.first+r.count], d.rates[r.first:r.first+r.count]
		switch {
		case r.count == 3: // the rate at the end is the signal's
			given[2] += rates[1]
		case r.count == 2: // the height at the end is the signal's
			given[1] += rates[0] + h/2*rates[1]
		case d.holding == heldAtEnd:
			given[0] += h * rates[0]
		}
	}
}

// recorded are the values of the inputs for the record: those at the communication point, or, where it is to be
// repeated by an importer that holds inputs, those held from there on.
func (d *InputDriver) recorded() []float64 {
	if d.holding == heldAtBegin {
		return d.given
	}
	return d.values
}

// follow takes the values of signals at t seconds, and the rates with which they reach those at the end of a step of h
// seconds: the vehicle continues a rate by the acceleration, and a position by the rate and half the acceleration, to
// which their rates are added.
func (d *InputDriver) follow(inputs []signalTarget, t, h float64) {
	for _, input := range inputs {
		value, rate, acceleration := input.signal.At(t)
		var change, changeOfRate, changeOfAcceleration float64
		if h > 0 {
			end, endRate, endAcceleration := signal.Before(input.signal, t+h)
			change, changeOfRate, changeOfAcceleration = (end-value)/h, (endRate-rate)/h,
				(endAcceleration-acceleration)/h
		}
		for _, at := range input.motions {
			d.values[at], d.values[at+1], d.values[at+2] = value, rate, acceleration
			d.rates[at], d.rates[at+1], d.rates[at+2] = change-rate-h/2*changeOfRate, changeOfRate-acceleration,
				changeOfAcceleration
		}
		for _, at := range input.roads {
			d.values[at], d.values[at+1] = value, rate
			d.rates[at], d.rates[at+1] = change-rate-h/2*changeOfRate, changeOfRate
		}
		for _, at := range input.variables {
			d.values[at], d.rates[at] = value, change
		}
	}
}

// conditionMonitor waits for a condition.
type conditionMonitor struct {
	*manoeuvre.Condition
	observed
	side float64 // on which side of the bound the formula has been, 0 before it was on any
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
