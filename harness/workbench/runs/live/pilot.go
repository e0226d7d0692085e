package live

import (
	"math"
	"slices"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Pilot drives by a manoeuvre. Inputs stay as they are for a slice.
type Pilot struct {
	manoeuvre *manoeuvre.Manoeuvre
	driver    *drive.InputDriver
	duration  float64 // of a manoeuvre without phases [s]
	noted     noted

	path   *manoeuvre.Path // that the driver follows, and that has been told
	since  float64         // when the pilot began to drive after a driver [s]; NaN for the start
	before []float64       // inputs then
	turned servo           // steering wheel then
}

// joinTime is the time [s] of the change from the inputs of a driver to the inputs of the manoeuvre.
const joinTime = 1.0

// noted is a vehicle whose inputs are noted as they are set.
type noted struct {
	Subject
	references []uint32 // of values
	values     []float64
}

func (n *noted) Set(references []uint32, values []float64) error {
	for i, reference := range references {
		if at := slices.Index(n.references, reference); at >= 0 {
			n.values[at] = values[i]
		}
	}
	return n.Subject.Set(references, values)
}

// drive makes the inputs of the slice of h seconds at t seconds. It reports whether the manoeuvre is over; there is no
// slice then.
func (p *Pilot) drive(c *controls, t, h float64) (over bool, err error) {
	if p.duration > 0 && t > p.duration-h/2 {
		return true, nil
	}
	p.noted.references, p.noted.values = c.references, c.values
	if err := p.driver.At(t, h); err != nil || p.driver.Done {
		return p.driver.Done, err
	}
	if t < p.since+joinTime {
		p.join(c, (t-p.since)/joinTime)
	}
	return false, nil
}

// begin lets the pilot drive from t seconds on, after a driver.
func (p *Pilot) begin(c *controls, d *driver, t float64) {
	p.since, p.before, p.turned = t, append(p.before[:0], c.values...), d.servo
}

// join changes the inputs to those of the driver before, by a share of the time. The steering wheel turns on, and comes
// to rest. Angles, rates and accelerations belong together.
func (p *Pilot) join(c *controls, u float64) {
	const t = joinTime
	s, rate, acceleration := u*u*u*(10+u*(6*u-15)), 30*u*u*(1-u)*(1-u)/t, 60*u*(1-u)*(1-2*u)/(t*t)
	on := servo{angle: p.turned.angle + p.turned.rate*t*u*(1-u)*(1-u)*(1-u),
		rate: p.turned.rate * (1 - u) * (1 - u) * (1 - 4*u), acceleration: p.turned.rate / t * (1 - u) * (12*u - 6)}
	for _, g := range c.steering {
		position, speed, change := &c.values[g[0]], &c.values[g[1]], &c.values[g[2]]
		lack, lackOfRate := *position-on.angle/c.turns, *speed-on.rate/c.turns
		*change = on.acceleration/c.turns + s*(*change-on.acceleration/c.turns) + 2*rate*lackOfRate + acceleration*lack
		*speed = on.rate/c.turns + s*lackOfRate + rate*lack
		*position = on.angle/c.turns + s*lack
	}
	for at := range c.values {
		if !slices.ContainsFunc(c.steering, func(g [3]int) bool { return slices.Contains(g[:], at) }) {
			c.values[at] = p.before[at] + s*(c.values[at]-p.before[at])
		}
	}
}

// verdict is why the manoeuvre is over.
func (p *Pilot) verdict() string {
	if text := p.driver.Verdict(); text != "" {
		return "the manoeuvre is over: " + text
	}
	return "the manoeuvre is over"
}

// news is the path that the pilot has begun to follow since the last call, with the place and the yaw angle of its
// begin; nil for none.
func (p *Pilot) news() *Followed {
	path, x, y, yaw := p.driver.Followed()
	if path == nil || path == p.path {
		return nil
	}
	p.path = path
	return &Followed{path, x, y, yaw}
}

// Followed is a path with the place [m] and the yaw angle [rad] of its axes.
type Followed struct {
	Path      *manoeuvre.Path
	X, Y, Yaw float64
}

// memory is the part of a checkpoint that belongs to a pilot; nil without a pilot.
type memory struct {
	kept   *drive.Kept
	since  float64
	before []float64
	turned servo
}

func (p *Pilot) keep() *memory {
	if p == nil {
		return nil
	}
	return &memory{p.driver.Keep(), p.since, slices.Clone(p.before), p.turned}
}

func (p *Pilot) goBack(m *memory) {
	if p != nil && m != nil {
		p.driver.Return(m.kept)
		p.since, p.before, p.turned = m.since, append(p.before[:0], m.before...), m.turned
	}
}

// atStart is where nobody has driven before.
func (p *Pilot) atStart() { p.since, p.path = math.NaN(), nil }
