package live

import "math"

// controls are the inputs that a driver sets. They hold the inputs of a slice, in the order of names.
type controls struct {
	names      []string
	references []uint32
	values     []float64

	steering     [][3]int // angle or travel, rate and acceleration of each driver
	turns        float64  // of the steering wheel for one of the drivers
	throttle     []int
	closed, open float64
	brakes       []brake
	parking      []int // of the hand brake, with the factor of the brakes
	parkingBy    float64
	hands        []int
	clutch       []int
	gear         int // -1 without
	gearbox
}

type brake struct {
	inputs []int
	factor float64 // value for 1 m/s2
}

// gearbox changes gears by the engine speed.
type gearbox struct {
	now, lowest, backward float64
	up, down              float64 // engine speeds [rad/s]
	wait                  float64 // s until the next change
}

// Of automatic gear changes.
const (
	upShare, downShare = 0.75, 0.3 // of the engine speed of a hurried driver
	changeTime         = 0.6       // s between changes
	engaged            = 90.0      // rad/s, from here on the clutch is closed
	open               = 60.0      // rad/s, up to here it is open
)

// set makes the inputs of a slice of h seconds; engine is the engine speed [rad/s], 0 without an engine.
func (c *controls) set(d *driver, command *Command, speed, engine, h float64) {
	for _, g := range c.steering {
		c.values[g[0]], c.values[g[1]], c.values[g[2]] = d.angle/c.turns, d.rate/c.turns, d.acceleration/c.turns
	}
	for _, at := range c.throttle {
		c.values[at] = c.closed + d.throttle*(c.open-c.closed)
	}
	for i := range c.brakes {
		for _, at := range c.brakes[i].inputs {
			c.values[at] = d.brake * c.brakes[i].factor
		}
	}
	for _, at := range c.parking {
		c.values[at] = d.handBrake * c.parkingBy
	}
	for _, at := range c.hands {
		c.values[at] = 1
		if command.Keys&KeyRelease != 0 {
			c.values[at] = 0
		}
	}
	if c.gear >= 0 {
		c.change(command, speed, engine, h)
		c.values[c.gear] = c.now
	}
	for _, at := range c.clutch {
		c.values[at] = min(max((engine-open)/(engaged-open), 0), 1)
		if command.Device != Keys && command.Clutch > 0 {
			c.values[at] = 1 - min(float64(command.Clutch), 1)
		}
	}
}

// clutchClosed is the position of the clutch, 1 closed and 0 open; NaN without one.
func (c *controls) clutchClosed() float64 {
	if len(c.clutch) == 0 {
		return math.NaN()
	}
	return c.values[c.clutch[0]]
}

// change chooses a gear. Forward and backward are chosen at rest, gears forward by the engine speed.
func (c *controls) change(command *Command, speed, engine, h float64) {
	c.wait = max(0, c.wait-h)
	switch {
	case command.Gear < 0 && c.now > 0 && speed < standing:
		c.now = c.backward
	case command.Gear > 0 && c.now < 0 && speed > -standing:
		c.now = c.lowest
	case c.now > 0 && c.wait == 0 && c.up > 0 && engine > c.up && speed > standing:
		c.now, c.wait = c.now+1, changeTime
	case c.now > c.lowest && c.wait == 0 && engine < c.down:
		c.now, c.wait = c.now-1, changeTime
	}
}
