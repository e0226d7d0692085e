package envelope

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/roles"
)

// The manoeuvres of the runs. What counts begins with the second phase.
var (
	//go:embed throttle.toml
	throttle []byte
	//go:embed brake.toml
	brake []byte
	//go:embed turn.toml
	turn []byte
	//go:embed both.toml
	brakeInTurn []byte
)

// Car is a vehicle that is measured.
type Car struct {
	Target    manoeuvre.Target
	Open      func() (drive.Subject, func(), error) // returns a fresh vehicle and the function that closes it
	Method    string                                // as in drive.Plan
	Settings  []manoeuvre.Setting                   // as in drive.Plan
	Gears     []float64                             // to drive in; nil for Gears
	Progress  output.Progress                       // as in drive.Plan
	Interrupt <-chan struct{}                       // as in drive.Plan
}

// measurement makes the runs of a car.
type measurement struct {
	*Car
	subject drive.Subject // nil before the first run
	close   func()        // of the subject; nil before the first run
}

// rateOfTurn is how fast the steering wheel turns in turn.toml, by its rate at the beginning.
func rateOfTurn(time float64) float64 { return 1 + 3*math.Pow(time/12, 2) }

// run makes a run of a manoeuvre with some constants, and reads the part that counts; what names it in errors.
func (c *measurement) run(
	what string, text []byte, let map[string]float64,
) (*manoeuvre.Manoeuvre, *motion, error) {
	m, measured, err := c.drive(what, text, let)
	if err != nil {
		err = fmt.Errorf("measuring %s at %.3g m/s: %w", what, let["speed"], err)
	}
	return m, measured, err
}

func (c *measurement) drive(
	what string, text []byte, let map[string]float64,
) (*manoeuvre.Manoeuvre, *motion, error) {
	file, err := manoeuvre.OpenText(c.Target, what, text)
	if err != nil {
		return nil, nil, err
	}
	var constants []manoeuvre.ConstantValue
	for name, value := range let {
		constants = append(constants, manoeuvre.ConstantValue{Name: name, Value: value})
	}
	m, err := file.With(constants...)
	if err != nil {
		return nil, nil, err
	}
	if err := c.fresh(); err != nil {
		return nil, nil, err
	}
	result, err := drive.Simulate(c.subject, drive.Plan{Manoeuvre: m, Method: c.Method, Settings: c.Settings,
		Record: recorded(m.Roles), Progress: c.Progress, Interrupt: c.Interrupt})
	if err != nil {
		return nil, nil, err
	}
	if len(result.Phases) < 2 {
		return nil, nil, errors.New(result.Verdict)
	}
	measured, err := motionOf(result.Trace, m.Roles, result.Phases[1].Begin)
	return m, measured, err
}

// fresh is the subject as it is loaded.
func (c *measurement) fresh() (err error) {
	if again, can := c.subject.(interface{ Reset() error }); can {
		return again.Reset()
	}
	if c.close != nil {
		c.close()
		c.close = nil
	}
	c.subject, c.close, err = c.Open()
	return err
}

// Measure measures a vehicle.
func Measure(car Car) (*Envelope, error) {
	c := measurement{Car: &car}
	defer func() {
		if c.close != nil {
			c.close()
		}
	}()
	o, err := car.Target.Resolved()
	if err != nil {
		return nil, err
	}
	if err := fits(o); err != nil {
		return nil, err
	}
	e := &Envelope{Vehicle: car.Target.Model, Exponent: 2}
	if err := c.straight(e, o); err != nil {
		return nil, err
	}
	return e, c.bends(e)
}

// fits refuses vehicles that the runs do not suit.
func fits(o *roles.Roles) error {
	switch {
	case len(o.Trailers) > 0:
		return errors.New("a vehicle with trailers has no quasi-steady lap: its tires carry them, too")
	case o.Throttle == nil || len(o.Brake) == 0 || o.Steering == nil:
		return errors.New("a quasi-steady lap needs the roles throttle, brake and steering; 'skidpad car' names what the " +
			"vehicle lacks")
	}
	for _, a := range o.Axles {
		if len(a.Left) > 0 && len(a.Right) > 0 {
			return nil
		}
	}
	return errors.New("a quasi-steady lap needs a vehicle with an axle of two sides, since one with two wheels leans")
}

// Gears are the gears of a car to drive in, the normal one last; NaN is for a car without gears. Whole numbers that
// rise from the lowest to the normal gear count gears. Other numbers are ratios, of which only these two are known.
func Gears(o *roles.Roles) []float64 {
	g := o.Gear
	switch {
	case g == nil:
		return []float64{math.NaN()}
	case g.Lowest == g.Normal:
		return []float64{g.Normal}
	case g.Lowest < g.Normal && g.Lowest == math.Trunc(g.Lowest) && g.Normal == math.Trunc(g.Normal):
		var list []float64
		for x := g.Lowest; x <= g.Normal; x++ {
			list = append(list, x)
		}
		return list
	}
	return []float64{g.Lowest, g.Normal}
}

const (
	slowest = 5.0 // speed at which the throttle opens first [m/s]
	opening = 1.6 // time to the open throttle in throttle.toml [s]
	faster  = 1.5 // factor of the speed at which the throttle opens again after a wheel has spun
	fastest = 89  // speed from which on the throttle is not opened again [m/s]
	rising  = 0.1 // acceleration at the end of a run, from which on the next one goes on [m/s2]
	most    = 4   // runs in a gear
)

// straight makes the runs straight ahead.
func (c *measurement) straight(e *Envelope, o *roles.Roles) error {
	var all []*motion
	var open []geared
	spun, begin := false, slowest
	gears := c.Gears
	if gears == nil {
		gears = Gears(o)
	}
	for _, gear := range gears {
		speed := begin
		for range most {
			let := map[string]float64{"speed": speed}
			if !math.IsNaN(gear) {
				let["gear"] = gear
			}
			_, m, err := c.run("the open throttle", throttle, let)
			if err != nil {
				return err
			}
			slips := m.cut()
			all = append(all, m)
			counts := *m
			if !slips { // what spins a wheel is more than the tires hold, also with the throttle half open
				counts.keep(m.row(opening), len(m.time))
			}
			open = append(open, geared{&counts, gear})
			end := len(m.speed) - 1
			speed = max(speed, m.speed[end])
			if spun = spun || slips; slips {
				speed *= faster
			} else if m.tangential[end] < rising {
				break
			}
			if speed > fastest {
				break
			}
		}
		begin = max(slowest, speed/2)
	}
	if err := e.air(all); err != nil {
		return err
	}
	if err := e.driving(open); err != nil {
		return err
	}
	for _, share := range []float64{0.6, 0.8, 0.98} {
		_, m, err := c.run("the brakes", brake, map[string]float64{"speed": share * e.TopSpeed})
		if err != nil {
			return err
		}
		if err := e.braked(m); err != nil {
			return err
		}
	}
	e.traction(open, spun)
	return nil
}

// bends makes the runs in bends.
func (c *measurement) bends(e *Envelope) error {
	const count, middle = 4, 1
	low, high := max(8, 0.25*e.TopSpeed), 0.92*e.TopSpeed
	var runs []*motion
	var steering signal.Signal // in the run at a middle speed
	for k := range count {
		of, m, err := c.run("the steering wheel", turn,
			map[string]float64{"speed": low + (high-low)*float64(k)/(count-1)})
		if err != nil {
			return err
		}
		if k == middle {
			steering = of.Phases[1].Inputs[0].Signal
		}
		runs = append(runs, m)
		if err := e.cornered(m); err != nil {
			return err
		}
	}
	for _, share := range []float64{0.5, 0.8} {
		m := runs[middle]
		lateral := share * between(e.Cornering.Speed, e.Cornering.Steady, m.speed[0])
		angle, _, _ := steering.At(m.time[max(0, slices.IndexFunc(m.lateral, func(a float64) bool { return a >= lateral }))])
		_, m, err := c.run("brakes in a turn", brakeInTurn,
			map[string]float64{"speed": m.speed[0], "angle": angle})
		if err != nil {
			return err
		}
		e.both(m)
	}
	e.Exponent = (e.Combined[0].Exponent + e.Combined[1].Exponent) / 2
	e.Cornering = Cornering{} // again, with this exponent
	for _, m := range runs {
		if err := e.cornered(m); err != nil {
			return err
		}
	}
	return nil
}
