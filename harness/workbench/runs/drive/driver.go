package drive

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/runs/manoeuvre"
)

// handWheel is a Steering at work.
type handWheel struct {
	turns   float64  // of the steering wheel for one of the drivers
	ratio   []uint32 // reference of the vehicle's own ratio, nil for none
	overall float64  // ratio of cars whose reference is nil, such as cars with racks; NaN if unknown
}

// connect finds out whether the drivers are steering wheels, which have their own ratios.
func (w *handWheel) connect(d *InputDriver) error {
	s := d.manoeuvre.Steering
	if s == nil {
		return nil
	}
	w.turns = 1
	has := func(variable string) bool {
		_, err := d.subject.References(variable)
		return err == nil
	}
	for _, driver := range s.Drivers {
		ratio, err := d.subject.References(driver + ".ratio")
		rack, slides := has(driver+".rack_ratio"), has(driver+".position") && !has(driver+".angle")
		if rack || s.Rack {
			if w.overall = s.Overall; w.overall == 0 {
				w.overall = math.NaN()
			}
		}
		switch {
		case slides && !s.Rack && s.Ratio != 0:
			return fmt.Errorf("%s is a rack, and the ratio %g is that of road wheels; give the steering-wheel angle by the "+
				"travel, such as ratio = \"%g rad/m\"", driver, s.Ratio, s.Ratio)
		case s.Rack && !slides:
			return fmt.Errorf("%s turns, and the ratio, %g rad/m, belongs to the travel of a rack; give the ratio without a "+
				"unit, such as 16", driver, s.Ratio)
		case err != nil && rack && s.Ratio == 0: // its pinion is on the steering wheel
		case err != nil && s.Ratio == 0:
			return fmt.Errorf("%s has no steering ratio; set ratio in the manoeuvre", driver)
		case err != nil:
			w.turns = s.Ratio
		case s.Ratio != 0:
			return fmt.Errorf("%s has a steering wheel with its own ratio; remove ratio from the manoeuvre", driver)
		default:
			w.ratio = ratio
		}
	}
	return nil
}

// overallRatio is the angle of the steering wheel for that of the road wheels, once the vehicle is initialised; 0
// without steering, NaN where it is not known.
func (w *handWheel) overallRatio(d *InputDriver) (float64, error) {
	switch {
	case w.ratio != nil:
	case w.overall != 0:
		return w.overall, nil
	default:
		return w.turns, nil
	}
	var ratio [1]float64
	err := d.subject.Get(w.ratio, ratio[:])
	return ratio[0], err
}

// speedControl is a SpeedControl at work.
type speedControl struct {
	*manoeuvre.SpeedControl
	speed    []uint32
	torques  group
	integral float64
}

func (c *speedControl) connect(d *InputDriver, s *manoeuvre.SpeedControl) (err error) {
	c.SpeedControl = s
	if c.speed, err = d.subject.References(s.Variable); err != nil {
		return err
	}
	c.torques, err = d.group(s.Torques...)
	return err
}

// hold sets the torques for the next h seconds.
func (c *speedControl) hold(d *InputDriver, wanted, h float64) error {
	var speed [1]float64
	if err := d.subject.Get(c.speed, speed[:]); err != nil {
		return err
	}
	lack := wanted - speed[0]
	torque := c.Proportional*lack + c.integral
	if torque > c.Least && torque < c.Limit {
		c.integral += c.Integral * lack * h
	}
	torque = min(max(torque, c.Least), c.Limit)
	for _, at := range c.torques {
		d.values[at], d.rates[at] = torque, 0
	}
	return nil
}

// pathFollower is a PathFollower at work.
type pathFollower struct {
	*manoeuvre.PathFollower
	pose            []uint32 // x, y, yaw, vx
	drivers         []group  // motions of the road wheels
	ratio           float64
	began           bool // in this phase
	x, y, yaw       float64
	place           placeOnPath
	ahead           int     // piece of the path at the preview point
	angle, integral float64 // of the steering wheel, rad
}

func (f *pathFollower) connect(d *InputDriver, p *manoeuvre.PathFollower) (err error) {
	f.PathFollower, f.ratio = p, d.handWheel.turns
	if f.pose, err = d.subject.References(p.Body+".x", p.Body+".y", p.Body+".yaw", p.Body+".vx"); err != nil {
		return err
	}
	for _, driver := range d.manoeuvre.Steering.Drivers {
		g, err := d.motion(driver)
		if err != nil {
			return err
		}
		f.drivers = append(f.drivers, g)
		d.changes(g)
	}
	return nil
}

// steer sets the motion of the road wheels for the next h seconds. The path begins at the position of the body at the
// first call in a phase, and the steering wheel at its present angle. It reports whether the preview point is beyond
// the end of the path, so that the driver would leave the path.
func (f *pathFollower) steer(d *InputDriver, path *manoeuvre.Path, h float64) (beyond bool, err error) {
	var pose [4]float64
	if err := d.subject.Get(f.pose, pose[:]); err != nil {
		return false, err
	}
	if !f.began {
		f.began, f.x, f.y, f.yaw = true, pose[0], pose[1], pose[2]
		f.angle = d.values[f.drivers[0][0]] * f.ratio
		f.place.piece, f.ahead, f.integral = 0, 0, f.angle
	}
	sin, cos := math.Sincos(f.yaw)
	dx, dy := pose[0]-f.x, pose[1]-f.y
	x, y := cos*dx+sin*dy, cos*dy-sin*dx
	sin, cos = math.Sincos(pose[2] - f.yaw)
	way := f.Ahead(pose[3])
	var off, offAhead float64
	off, f.place.piece = path.Offset(x, y, f.place.piece)
	f.place.x, f.place.y = x, y
	xAhead, yAhead := x+way*cos, y+way*sin
	offAhead, f.ahead = path.Offset(xAhead, yAhead, max(f.ahead, f.place.piece))
	gain := f.Gain(pose[3])
	rate := (gain*f.Proportional*offAhead + f.integral - f.angle) / f.Lag
	rate = min(max(rate, -f.Rate), f.Rate)
	rate = min(max(rate, (-f.Limit-f.angle)/h), (f.Limit-f.angle)/h)
	if math.Abs(f.angle) < f.Limit {
		f.integral += gain * f.Integral * off * h
	}
	for _, g := range f.drivers {
		d.values[g[0]], d.values[g[1]], d.values[g[2]] = f.angle/f.ratio, rate/f.ratio, 0
		for _, at := range g {
			d.rates[at] = 0
		}
	}
	f.angle += rate * h
	return path.EndsBefore(xAhead, yAhead, f.ahead), nil
}

// holdSteeringWheel leaves the steering wheel where it has come to.
func (f *pathFollower) holdSteeringWheel(d *InputDriver) {
	for _, g := range f.drivers {
		d.values[g[0]], d.values[g[1]], d.values[g[2]] = f.angle/f.ratio, 0, 0
	}
}
