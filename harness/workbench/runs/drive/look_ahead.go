package drive

import (
	"errors"
	"math"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
)

// lookAhead is a manoeuvre.Driver at work.
type lookAhead struct {
	*manoeuvre.Driver
	knows   *preview.Driver // nil for a driver who has not adapted
	state   []uint32        // x, y, yaw, vx, vy, wz of the body
	drivers []group         // motions of the road wheels
	ratio   float64
	began   bool // in this phase

	x, y, yaw float64 // where the path begins
	place     placeOnPath
	wheel     preview.Turning
	target    [preview.Places]float64
	known     [preview.Places]float64 // steering angles of the curvature

	level   int // of the speed of law and vehicle
	law     *preview.Law
	vehicle preview.Vehicle
}

func (l *lookAhead) connect(d *InputDriver, of *manoeuvre.Driver) (err error) {
	if l.knows == nil {
		return errors.New("he adapts to the vehicle before a run, which this command does not do; " +
			"skidpad manoeuvre, simulate and sweep do")
	}
	l.Driver, l.ratio = of, d.handWheel.turns
	var names []string
	for _, quantity := range []string{".x", ".y", ".yaw", ".vx", ".vy", ".wz"} {
		names = append(names, of.Body+quantity)
	}
	if l.state, err = d.subject.References(names...); err != nil {
		return err
	}
	for _, driver := range d.manoeuvre.Steering.Drivers {
		g, err := d.motion(driver)
		if err != nil {
			return err
		}
		l.drivers = append(l.drivers, g)
		d.changes(g)
	}
	return nil
}

// hands are the limits of the driver's hands.
func hands(d *manoeuvre.Driver) preview.Hands {
	return preview.Hands{Delay: d.Delay, Lag: d.Lag, Rate: d.Rate, Angle: d.Angle}
}

// know takes the law for a speed [m/s]. Speeds that differ by less than a thousandth have the same law.
func (l *lookAhead) know(speed float64) error {
	const apart = 1e-3
	speed = max(speed, 1)
	level := int(math.Round(math.Log(speed) / apart))
	if l.law != nil && level == l.level {
		return nil
	}
	l.level = level
	speed = math.Exp(float64(level) * apart)
	l.vehicle, _ = l.knows.At(speed)
	var err error
	l.law, err = preview.NewLaw(l.vehicle.Motion(), l.knows.Ahead(speed, l.Factor))
	return err
}

// steer sets the motion of the road wheels for the next h seconds, as that of a pathFollower does. The steering wheel
// begins at its present angle.
func (l *lookAhead) steer(d *InputDriver, path *manoeuvre.Path, h float64) (beyond bool, err error) {
	var s [6]float64
	if err := d.subject.Get(l.state, s[:]); err != nil {
		return false, err
	}
	if !l.began {
		l.began, l.x, l.y, l.yaw, l.place.piece = true, s[0], s[1], s[2], 0
		l.wheel.Take(hands(l.Driver), d.values[l.drivers[0][0]]*l.ratio, h)
	}
	if err := l.know(s[3]); err != nil {
		return false, err
	}
	sin, cos := math.Sincos(l.yaw)
	dx, dy := s[0]-l.x, s[1]-l.y
	x, y := cos*dx+sin*dy, cos*dy-sin*dx
	_, l.place.piece = path.Offset(x, y, l.place.piece)
	l.place.x, l.place.y = x, y
	step := l.law.Ahead(1) * max(s[3], 0)
	path.Ahead(l.place.piece, x, y, s[2]-l.yaw, step, l.target[:], l.known[:])
	for i := range l.known {
		l.known[i] *= s[3] * s[3] / l.vehicle.Lateral()
	}
	// the hands come to what is wanted after their delay and lag
	first := min(int(math.Round((l.Delay+l.Lag)/l.law.Ahead(1))), preview.Places-1)
	wanted := l.law.Steer(l.target[:], []float64{0, 0, s[4], s[5]}, l.known[:], l.known[first])
	if l.Nonlinear {
		wanted = l.knows.Limit.Steering(wanted, &l.vehicle)
	}
	angle := l.wheel.Angle
	rate := l.wheel.Turn(wanted, h)
	for _, g := range l.drivers {
		d.values[g[0]], d.values[g[1]], d.values[g[2]] = angle/l.ratio, rate/l.ratio, 0
		for _, at := range g {
			d.rates[at] = 0
		}
	}
	return path.Ends(l.place.piece, x, y, step*(preview.Places-1)), nil
}

// holdSteeringWheel leaves the steering wheel where it has come to.
func (l *lookAhead) holdSteeringWheel(d *InputDriver) {
	for _, g := range l.drivers {
		d.values[g[0]], d.values[g[1]], d.values[g[2]] = l.wheel.Angle/l.ratio, 0, 0
	}
}
