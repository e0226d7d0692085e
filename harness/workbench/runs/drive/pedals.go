package drive

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/runs/cruise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// How the gain of a vehicle is found.
const (
	plants       = 5    // speeds
	holdingTime  = 6.0  // at a speed, before a step of the throttle [s]
	steppingTime = 1.5  // of a step [s]
	stepShare    = 0.05 // step of the throttle, as a share of its range
)

// AdaptPedals finds the law of the pedals of a manoeuvre: at 5 speeds the throttle that holds the speed, and the
// response to a small step of it. The subject is one that has just been loaded, and is again at the end.
func AdaptPedals(s Subject, run Plan) (*cruise.Law, error) {
	again, can := s.(resetting)
	if !can {
		return nil, errors.New("pedals need a vehicle that can be reset")
	}
	m := run.Manoeuvre
	of := m.Pedals
	l := &cruise.Law{Frequency: of.Frequency, Damping: of.Damping, Closed: of.Closed, Open: of.Open}
	if len(of.Brakes) > 0 {
		l.Deceleration = of.Deceleration
	}
	for i := range plants {
		speed := of.Slowest + float64(i)/(plants-1)*(of.Fastest-of.Slowest)
		p, err := run.plant(s, again, speed)
		if err != nil {
			return nil, fmt.Errorf("finding the gain of the throttle at %.4g m/s: %w", speed, err)
		}
		if n := len(l.Plants); n > 0 && p.Speed <= l.Plants[n-1].Speed {
			return nil, fmt.Errorf("the vehicle reaches %.4g m/s where %.4g m/s are wanted; change slowest and fastest of "+
				"[pedals]", p.Speed, speed)
		}
		l.Plants = append(l.Plants, *p)
	}
	return l, nil
}

// plant is the vehicle at a speed [m/s]. The same run without and with a step of the throttle gives the response to the
// step alone, and the change of the speed that the steady throttle prevents.
func (run *Plan) plant(s Subject, again resetting, speed float64) (*cruise.Plant, error) {
	control, of := run.Manoeuvre.SpeedControl, run.Manoeuvre.Pedals
	supply := batteriesOf(s)
	record := append([]string{control.Variable}, supply.record()...)
	drive := func(inputs ...manoeuvre.InputSignal) (*Result, error) {
		result, err := run.short(s, again, control.Variable, speed, record, []manoeuvre.Phase{
			{Name: "hold", Duration: holdingTime, Speed: signal.Constant(speed)},
			{Name: "step", Duration: steppingTime, Inputs: inputs}})
		if err == nil && result.Verdict != "" {
			err = errors.New(result.Verdict)
		}
		return result, err
	}
	held, err := drive()
	if err != nil {
		return nil, err
	}
	throttle := held.Inputs.Column(control.Torques[0])
	last := throttle[len(throttle)-1]
	step := stepShare * (of.Open - of.Closed)
	if last+step > of.Open {
		return nil, fmt.Errorf("the throttle is at %.3g of at most %.3g, so that the vehicle does not hold this speed%s",
			last, of.Open, supply.exhausted(held.Trace))
	}
	stepped, err := drive(manoeuvre.InputSignal{Variables: control.Torques, Signal: signal.Constant(last + step)})
	if err != nil {
		return nil, err
	}
	t, v, w := held.Trace.Time, held.Trace.Column(control.Variable), stepped.Trace.Column(control.Variable)
	first := slices.IndexFunc(t, func(x float64) bool { return x > holdingTime-run.Manoeuvre.Step/2 })
	var times, changes, responses []float64
	for i := first; i < len(t); i++ {
		times, changes, responses = append(times, t[i]-t[first]), append(changes, v[i]-v[first]), append(responses, w[i]-v[i])
	}
	p := &cruise.Plant{Speed: v[first]}
	p.Gain, p.Decay = cruise.Fitted(times, responses, step)
	if !(math.Abs(p.Gain*step) > 1e-3) {
		return nil, errors.New("the vehicle does not answer the throttle")
	}
	rate, _ := cruise.Fitted(times, changes, 1)
	p.Steady = last - rate/p.Gain
	return p, nil
}

// pedals are a manoeuvre.Pedals at work.
type pedals struct {
	law    *cruise.Law // nil for those that have not adapted
	state  cruise.State
	brakes []brakeInputs
}

// brakeInputs are inputs of brakes with their value for a deceleration of 1 m/s2.
type brakeInputs struct {
	inputs group
	factor float64
}

func (p *pedals) connect(d *InputDriver, of *manoeuvre.Pedals) error {
	if p.law == nil {
		return errors.New("they get to know the vehicle before a run, which this command does not do; " +
			"skidpad manoeuvre, simulate and sweep do")
	}
	for _, set := range of.Brakes {
		g, err := d.group(set.Inputs...)
		if err != nil {
			return err
		}
		p.brakes = append(p.brakes, brakeInputs{g, set.Factor})
	}
	return nil
}

// hold sets throttle and brakes for the next h seconds. The wanted speed changes by slope in a second, or, where it is
// one over the distance, in a metre.
func (p *pedals) hold(d *InputDriver, wanted, slope float64, byDistance bool, h float64) error {
	var speed [1]float64
	if err := d.subject.Get(d.speed.speed, speed[:]); err != nil {
		return err
	}
	rate := slope
	if byDistance {
		rate *= speed[0]
	}
	now := p.state.Hold(p.law, speed[0], wanted, rate, h)
	for _, at := range d.speed.torques {
		d.values[at] = now.Throttle
	}
	for _, b := range p.brakes {
		for _, at := range b.inputs {
			d.values[at] = b.factor * now.Deceleration
		}
	}
	return nil
}
