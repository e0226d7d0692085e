package drive

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/roles"
)

// resetting is a subject that can return to its state after loading.
type resetting interface{ Reset() error }

// adapter lets a driver get to know a vehicle.
type adapter struct {
	subject Subject
	run     Plan
	driver  *manoeuvre.Driver
	angle   float64 // of the next pulse [rad]
}

// How a driver gets to know a vehicle.
const (
	speeds     = 8
	apart      = 1.01 // least quotient of speeds
	settling   = 2.5  // before a pulse [s]
	pulse      = 0.4  // duration of a pulse, which rises and falls evenly [s]
	after      = 3.5  // time from the beginning of a pulse to the end of its run [s]
	firstAngle = 0.02
	target     = 0.5  // largest lateral acceleration of a pulse [m/s2], which counts as small
	highest    = 2.0  // largest frequency of the responses [Hz]
	rising     = 1.0  // how fast the lateral acceleration rises towards the limit [m/s3]
	longest    = 20.0 // time that the steering wheel turns [s]
)

// Adapt returns a driver who is adapted to a vehicle. Small pulses of the steering wheel at 8 speeds give the linear
// responses, and a slow turn of the steering wheel gives the steady curve up to the limit. Adapt takes a subject that
// has just been loaded, and leaves it in this state.
func Adapt(s Subject, run Plan) (*preview.Driver, error) {
	again, can := s.(resetting)
	if !can {
		return nil, errors.New("a driver who adapts needs a vehicle that can be reset")
	}
	a := adapter{subject: s, run: run, driver: run.Manoeuvre.Driver, angle: firstAngle}
	var responses []preview.Response
	for i := range speeds {
		share := float64(i) / (speeds - 1)
		speed := a.driver.Slowest + share*(a.driver.Fastest-a.driver.Slowest)
		response, err := a.response(again, speed)
		if err != nil {
			return nil, fmt.Errorf("adapting the driver at %.4g m/s: %w", speed, err)
		}
		if n := len(responses); n == 0 || response.Speed > apart*responses[n-1].Speed { // it may not reach the speed
			responses = append(responses, *response)
		}
	}
	vehicles, err := preview.Fitted(responses)
	if err != nil {
		return nil, fmt.Errorf("adapting the driver: %w", err)
	}
	d, err := preview.NewDriver(vehicles, preview.Limit{}, hands(a.driver))
	if err == nil {
		d.Limit, err = a.limit(again, d)
	}
	if err != nil {
		return nil, fmt.Errorf("adapting the driver: %w", err)
	}
	return d, nil
}

// simulate drives the vehicle at a speed with a steering wheel that a signal turns after the time of settling, and
// resets it.
func (a *adapter) simulate(
	again resetting, speed float64, steer signal.Signal, duration float64,
) (*Result, error) {
	drivers, body := a.run.Manoeuvre.Steering.Drivers, a.driver.Body
	return a.run.short(a.subject, again, body+".vx", speed, []string{body + ".vx", body + ".vy", body + ".wz"},
		[]manoeuvre.Phase{
			{Name: "straight", Duration: settling, Speed: signal.Constant(speed), Inputs: []manoeuvre.InputSignal{
				{Drivers: drivers, HandWheel: true, Signal: signal.Constant(0)}}},
			{Name: "steer", Duration: duration, Speed: signal.Constant(speed),
				Inputs: []manoeuvre.InputSignal{{Drivers: drivers, HandWheel: true, Signal: steer}}},
		})
}

// short drives a subject at a speed [m/s] through phases of a short run with the settings of another one. It resets the
// subject.
func (run *Plan) short(
	s Subject, again resetting, variable string, speed float64, record []string, phases []manoeuvre.Phase,
) (*Result, error) {
	of := run.Manoeuvre
	m := &manoeuvre.Manoeuvre{Name: of.Name, Models: of.Models, Roles: of.Roles, Settings: of.Settings, Step: of.Step,
		Start: run.startAt(variable, speed), Steering: of.Steering, SpeedControl: of.SpeedControl, Stops: of.Stops,
		EndAt: of.EndAt, Phases: phases}
	for i := range phases {
		m.Duration += phases[i].Duration
	}
	result, err := Simulate(s, Plan{Manoeuvre: m, Method: run.Method, Substep: run.Substep, Settings: run.Settings,
		Held: run.Held, EndAt: run.EndAt, AllowPlugins: run.AllowPlugins, Interrupt: run.Interrupt, Record: record})
	return result, errors.Join(err, again.Reset())
}

// startAt are the start values of the manoeuvre, with another speed of the chassis and of the wheels.
func (run *Plan) startAt(variable string, speed float64) []manoeuvre.StartValue {
	m := run.Manoeuvre
	list := slices.Clone(m.Start)
	chassis := slices.IndexFunc(list, func(v manoeuvre.StartValue) bool { return v.Variable == variable })
	if chassis < 0 || list[chassis].Value == 0 {
		return list
	}
	factor := speed / list[chassis].Value
	list[chassis].Value = speed
	if m.Roles == nil {
		return list
	}
	for i := range list {
		if slices.ContainsFunc(m.Roles.Wheels(), func(w roles.Wheel) bool { return w.Spin == list[i].Variable }) {
			list[i].Value *= factor
		}
	}
	return list
}

// response is how the vehicle answers a pulse of the steering wheel at a speed.
func (a *adapter) response(again resetting, speed float64) (*preview.Response, error) {
	const tries = 5
	for range tries {
		p := signal.PiecewiseLinear{Time: []float64{0, pulse / 2, pulse}, Value: []float64{0, a.angle, 0}}
		result, err := a.simulate(again, speed, p, after)
		if err != nil {
			return nil, err
		}
		if result.Verdict != "" {
			return nil, errors.New(result.Verdict)
		}
		t := result.Trace
		first := slices.IndexFunc(t.Time, func(x float64) bool { return x > settling-a.run.Manoeuvre.Step/2 })
		r, largest := a.transformed(t, first, p)
		before := a.angle
		a.angle *= min(max(target/largest, 0.1), 10)
		if largest < 2*target && largest > target/3 {
			return r, nil
		}
		if !(largest > 0) || a.angle == before {
			return nil, errors.New("the vehicle does not answer the steering")
		}
	}
	return nil, fmt.Errorf("no pulse of the steering wheel gives a lateral acceleration of about %g m/s2", target)
}

// transformed are the responses from a row on, without what the vehicle does anyway, and the largest lateral
// acceleration [m/s2].
func (a *adapter) transformed(t *trace.Trace, first int, p signal.Signal) (*preview.Response, float64) {
	body := a.driver.Body
	h := t.Time[1] - t.Time[0]
	speed := t.Column(body + ".vx")[first:]
	outputs := [2][]float64{drift(t.Column(body + ".vy")[first:]), drift(t.Column(body + ".wz")[first:])}
	r := &preview.Response{}
	largest := 0.0
	for i, v := range speed {
		r.Speed += v / float64(len(speed))
		largest = max(largest, math.Abs(v*outputs[1][i]))
	}
	transform := func(w float64) (of [2]complex128) {
		var input complex128
		for i := range speed {
			u, _, _ := p.At(float64(i) * h)
			turn := cmplx.Rect(1, -w*float64(i)*h)
			input += complex(u, 0) * turn
			for k := range of {
				of[k] += complex(outputs[k][i], 0) * turn
			}
		}
		return [2]complex128{of[0] / input, of[1] / input}
	}
	steady := transform(0)
	r.Steady = [2]float64{real(steady[0]), real(steady[1])}
	const count = 20
	for i := 1; i <= count; i++ {
		w := 2 * math.Pi * highest * float64(i) / count
		r.Angular, r.Of = append(r.Angular, w), append(r.Of, transform(w))
	}
	return r, largest
}

// drift leaves a signal without the straight line from its first value to the mean of its last tenth.
func drift(x []float64) []float64 {
	tenth := len(x) / 10
	end := 0.0
	for _, v := range x[len(x)-tenth:] {
		end += v / float64(tenth)
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v - x[0] - (end-x[0])*float64(i)/(float64(len(x))-float64(tenth)/2)
	}
	return out
}

// limit is the steady curve of the vehicle, by a steering wheel that turns slowly at the middle speed until the lateral
// acceleration falls, or the vehicle turns in by itself. What the steering wheel is ahead by in a vehicle that answers
// late is that at small lateral accelerations, and does not count.
func (a *adapter) limit(again resetting, d *preview.Driver) (preview.Limit, error) {
	speed := (a.driver.Slowest + a.driver.Fastest) / 2
	linear, _ := d.At(speed)
	rate := rising / linear.Lateral()
	result, err := a.simulate(again, speed, signal.PiecewiseLinear{Time: []float64{0, longest},
		Value: []float64{0, rate * longest}}, longest)
	if err != nil {
		return preview.Limit{}, err
	}
	t := result.Trace
	body := a.driver.Body
	vx, vy, wz := t.Column(body+".vx"), t.Column(body+".vy"), t.Column(body+".wz")
	l := preview.Limit{Lateral: []float64{0}, More: []float64{0}}
	const (
		between = 0.1  // m/s2
		small   = 1.0  // m/s2
		fallen  = 0.97 // share of the largest
		around  = 0.05 // s, to both sides, over which velocities change
		fast    = 3.0  // as often as the steering asks for: the vehicle turns in by itself
	)
	n := int(math.Round(around / a.run.Manoeuvre.Step))
	ahead := math.NaN()
	for i := n; i+n < len(t.Time); i++ {
		span := t.Time[i+n] - t.Time[i-n]
		lateral := vx[i]*wz[i] + (vy[i+n]-vy[i-n])/span
		most := l.Largest()
		if most > small && (lateral < fallen*most || vx[i]*(wz[i+n]-wz[i-n])/span > fast*rising) {
			break
		}
		if t.Time[i] < settling || lateral < small || lateral < most+between {
			continue
		}
		v, _ := d.At(vx[i])
		more := rate*(t.Time[i]-settling) - lateral/v.Lateral()
		if math.IsNaN(ahead) {
			ahead = more
		}
		l.Lateral, l.More = append(l.Lateral, lateral), append(l.More, more-ahead)
	}
	return l, nil
}
