// Package identify finds a corner with the measured kinematics and compliance of an axle: a suspension by tables, a
// spring and stops on its travel, and joints that yield. Closed forms give a first corner. The rig measures it, and the
// differences correct it.
//
//	measured.Axle -> curves of one wheel -> corner by closed forms -> rig -> corrections -> Corner
package identify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/files/measured"
	"skidpad/model/curve"
	"skidpad/model/rig"
)

// Options are the facts that the tables do not have.
type Options struct {
	Side     string  // of Sides
	Unsprung float64 // mass of the corner [kg]
	Wheel    float64 // part of it that turns [kg]
	Radius   float64 // loaded radius [m]; 0: by the contacts of the tables
	Damping  float64 // of the damper [N s/m]; 0: damperRatio of critical
}

// gravity of the measurement [m/s2].
const gravity = 9.81

// Shares of critical damping: of the damper on the mass above it, and of joints that yield on the unsprung parts.
const damperRatio, jointRatio = 0.3, 0.3

// fastest is the frequency of a motion above which a joint is left out: it needs shorter steps than 1 ms [Hz].
const fastest = 190

// Corner is a corner with the tables of an axle. Displacements are outward and angles have the signs of a suspension
// by curves.
type Corner struct {
	Options
	Notes []string

	tests  map[string]*test
	names  []string // of curves, in a fixed order
	place  [2]float64
	toe    float64 // in the design position
	camber float64
	load   float64 // of the spring
	rate   float64 // of the spring

	bounce, steer  lines
	travels, turns []int     // rows of bounce and steer that are lines of surfaces over both
	pad            []float64 // force of the spring and the stops over the rows of bounce
	axis, moment   [3]float64
	height         float64 // of the axis of the camber joint above the wheel centre
	contact        [3]float64
	toeLaw         law
	camberLaw      law
	recession      float64 // compliance [m/N]; 0 for none
	bar            float64 // stiffness of the anti-roll bar
	barLaw         law     // over the difference of the travels, without the stiffness

	Compared []Comparison
}

// lines are displacements and angles of the carrier over the rows of a test.
type lines struct{ at, x, y, z, toe, camber, castor []float64 }

// law is a curve of a spring; empty for none.
type law struct{ over, value []float64 }

// Find finds the corner.
func Find(a *measured.Axle, o Options) (*Corner, error) {
	if !(o.Wheel > 0) || !(o.Unsprung > o.Wheel) {
		return nil, fmt.Errorf("the unsprung mass of %g kg must be above the mass of %g kg that turns with the wheel, and "+
			"both "+
			"above 0", o.Unsprung, o.Wheel)
	}
	c := &Corner{Options: o}
	c.tests, c.Notes = corner(a, o.Side)
	for _, name := range rig.Tests {
		if c.tests[name] != nil {
			c.names = append(c.names, name)
		}
	}
	if err := c.start(); err != nil {
		return nil, err
	}
	if c.steer.at != nil {
		c.note("travel and steering have no rows together: their displacements and angles add")
	}
	c.note("the corner has the compliance of the design position; wind-up of the carrier under braking and friction are " +
		"not in " +
		"the tables")
	return c, c.correct()
}

// start finds the corner by closed forms.
func (c *Corner) start() error {
	b := c.tests["bounce"]
	c.place = [2]float64{b.middle(b.of["x"]), b.middle(b.of["y"])}
	c.toe, c.camber = b.middle(b.of["toe"]), b.middle(b.of["camber"])
	if c.Radius == 0 {
		var err error
		if c.Radius, err = b.radius(); err != nil {
			return err
		}
	}
	c.contact = contact(c.toe, c.camber, c.Radius)
	weight := c.Unsprung * gravity
	c.bounce = lines{at: b.at, x: b.changes(b.of["x"]), y: b.changes(b.of["y"]), toe: slices.Clone(b.of["toe"]),
		camber: slices.Clone(b.of["camber"])}
	for _, pad := range b.of["Fz"] {
		c.pad = append(c.pad, pad-weight)
	}
	if !(b.by("Fz") > 0) {
		return fmt.Errorf("bounce: Fz falls over the travel about the design position, by %.4g N/m; it is the force of the "+
			"pad, "+
			"upward. Turn its sign round by [names] of --names: \"-Fz_left\"", b.by("Fz"))
	}
	c.split()
	c.pitches()
	c.steers()
	c.bars()
	c.joints()
	c.leads()
	return c.laws()
}

// radius finds the loaded radius by the contacts: they are r sin(camber) cos(toe) inward of the wheel centres.
func (c *test) radius() (float64, error) {
	if contacts := c.of["contact_y"]; contacts != nil {
		var above, below float64
		for i, y := range contacts {
			share := -math.Sin(c.of["camber"][i]) * math.Cos(c.of["toe"][i])
			above, below = above+share*(y-c.of["y"][i]), below+share*share
		}
		const least, most, apart = 0.1, 1.0, 5e-3 // m
		r, worst := above/below, 0.0
		for i, y := range contacts {
			worst = max(worst, math.Abs(y-c.of["y"][i]-contact(c.of["toe"][i], c.of["camber"][i], r)[1]))
		}
		if r > least && r < most && worst < apart {
			return r, nil
		}
	}
	return 0, errors.New("the tables do not tell the loaded radius: give --radius, from the wheel centre to the contact")
}

// contact is the lowest point of a wheel, from its centre.
func contact(toe, camber, radius float64) [3]float64 {
	return [3]float64{-radius * math.Sin(camber) * math.Sin(toe), -radius * math.Sin(camber) * math.Cos(toe),
		-radius * math.Cos(camber)}
}

// split divides the force on the travel into a spring and stops.
func (c *Corner) split() {
	b := c.tests["bounce"]
	c.load, c.rate = b.middle(c.pad), b.slope(c.pad)
}

// damping is the damping of the damper.
func (c *Corner) damping() float64 {
	if c.Damping > 0 {
		return c.Damping
	}
	return math.Round(damperRatio * 2 * math.Sqrt(c.rate*max(c.load/gravity, c.Unsprung)))
}

// pitches finds the castor over the travel. In a table it has every bend. Without one, the pads under braking tell the
// slope: by virtual work they change by -(x' + r castor') per force forward, x' being the slope of the wheel centre.
func (c *Corner) pitches() {
	if castor := c.tests["bounce"].of["castor"]; castor != nil {
		c.bounce.castor = c.tests["bounce"].changes(castor)
		return
	}
	c.bounce.castor = make([]float64, len(c.bounce.at))
	brake := c.tests["braking"]
	if brake == nil || brake.of["Fz"] == nil {
		c.note("no castor over the travel: neither a column castor nor Fz of braking; brake torque has no anti-dive beyond " +
			"the " +
			"path of the wheel centre")
		return
	}
	c.tilt((-brake.by("Fz") - c.tests["bounce"].by("x")) / c.Radius)
}

// tilt changes the slope of the castor.
func (c *Corner) tilt(slope float64) {
	for i, z := range c.bounce.at {
		c.bounce.castor[i] += slope * z
	}
}

// steers finds the motion by the steering, from the middle.
func (c *Corner) steers() {
	s := c.tests["steer"]
	if s == nil {
		return
	}
	c.steer = lines{at: s.at, x: s.changes(s.of["x"]), y: s.changes(s.of["y"]), toe: s.changes(s.of["toe"]),
		camber: s.changes(s.of["camber"]), castor: make([]float64, len(s.at)), z: make([]float64, len(s.at))}
	if s.of["Fz"] == nil {
		c.note("steer: no Fz, and so no lifting of the body by the steering")
	}
	var yields []float64 // angles of joints that yield to the pads, roughly
	for _, pad := range c.pad {
		const perNewton = 1e-7 // rad/N
		yields = append(yields, perNewton*pad)
	}
	c.travels = thinned(c.bounce.at, c.bounce.x, c.bounce.y, c.bounce.toe, c.bounce.camber, yields)
	c.turns = thinned(c.steer.at, c.steer.x, c.steer.y, c.steer.toe, c.steer.camber)
}

// thinned are the rows that splines of columns need, with the row next to 0: as many as give the others with a
// tolerance, or mostLines.
func thinned(at []float64, columns ...[]float64) []int {
	const tolerance, mostLines = 2e-6, 60 // m, rad
	n := len(at)
	rows := []int{0, slices.IndexFunc(at, func(x float64) bool { return x >= 0 }), n - 1}
	slices.Sort(rows)
	for rows = slices.Compact(rows); len(rows) < min(n, mostLines); {
		worst, row := tolerance, -1
		for _, values := range columns {
			var x, y []float64
			for _, i := range rows {
				x, y = append(x, at[i]), append(y, values[i])
			}
			line, err := curve.Smooth(x, y)
			if err != nil {
				return rows
			}
			for i := range at {
				if value, _, _ := line.At(at[i]); math.Abs(value-values[i]) > worst && !slices.Contains(rows, i) {
					worst, row = math.Abs(value-values[i]), i
				}
			}
		}
		if row < 0 {
			break
		}
		rows = append(rows, row)
		slices.Sort(rows)
	}
	return rows
}

// leads finds the castor over the steering: the carrier turns about the axis of the toe joint, which stands for the
// steering axis, until the toe is the measured one. The spin axis is u, and the direction ahead of the wheel turns from
// the level direction by the castor.
func (c *Corner) leads() {
	spin := func(toe, camber float64) [3]float64 {
		return [3]float64{math.Sin(toe) * math.Cos(camber), math.Cos(toe) * math.Cos(camber), -math.Sin(camber)}
	}
	first := spin(c.toe, c.camber)
	level := func(u [3]float64) [3]float64 {
		size := math.Hypot(u[0], u[1])
		return [3]float64{u[1] / size, -u[0] / size, 0}
	}
	size := math.Sqrt(dot(c.axis, c.axis))
	axis := [3]float64{c.axis[0] / size, c.axis[1] / size, c.axis[2] / size}
	for i := range c.steer.at {
		angle := 0.0
		const turns = 20
		for range turns {
			u := turned(first, axis, angle)
			angle += math.Atan2(u[0], u[1]) - c.toe - c.steer.toe[i]
		}
		u := turned(first, axis, angle)
		ahead, along := turned(level(first), axis, angle), level(u)
		c.steer.castor[i] = math.Atan2(dot(ahead, crossed(along, u)), dot(ahead, along))
	}
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func crossed(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// turned is a vector that has turned about a unit vector.
func turned(v, axis [3]float64, angle float64) (to [3]float64) {
	s, c := math.Sincos(angle)
	along, across := dot(v, axis), crossed(axis, v)
	for i := range to {
		to[i] = c*v[i] + s*across[i] + (1-c)*along*axis[i]
	}
	return to
}

// bars finds the anti-roll bar: what one pad has in roll beyond its force in bounce, odd in the difference of travels.
func (c *Corner) bars() {
	r := c.tests["roll"]
	if r == nil {
		c.note("no test roll, and so no anti-roll bar")
		return
	}
	var over, force []float64
	for i, g := range r.given {
		over = append(over, g.Travel[rig.Left]-g.Travel[rig.Right])
		force = append(force, r.of["Fz"][i]-c.tests["bounce"].value("Fz", g.Travel[rig.Left]))
	}
	if over[0] > over[len(over)-1] {
		slices.Reverse(over)
		slices.Reverse(force)
	}
	c.barLaw = law{over: over, value: make([]float64, len(over))}
	c.bend(force)
	if c.bar < -leastBar*c.rate {
		c.note("roll: the pads have less force than in bounce, as by a bar of %.4g N/m; it is left out", c.bar)
	}
}

// bend adds forces to the bar: their odd part, where the rows are symmetric, as a stiffness and the bends beyond it.
func (c *Corner) bend(force []float64) {
	n := len(force)
	odd := make([]float64, n)
	for i, d := range c.barLaw.over {
		odd[i] = force[i] + c.barLaw.value[i] + c.bar*d
		if j := n - 1 - i; math.Abs(c.barLaw.over[j]+d) < 1e-3*math.Abs(c.barLaw.over[0]) {
			odd[i] -= (force[i] + force[j]) / 2
		}
	}
	var above, below float64
	for i, d := range c.barLaw.over {
		above, below = above+d*odd[i], below+d*d
	}
	c.bar = above / below
	for i, d := range c.barLaw.over {
		c.barLaw.value[i] = odd[i] - c.bar*d
	}
}

// value is a column between the rows.
func (c *test) value(key string, at float64) float64 {
	i := min(max(1, slices.IndexFunc(c.at, func(x float64) bool { return x >= at })), len(c.at)-1)
	if at > c.at[len(c.at)-1] {
		i = len(c.at) - 1
	}
	share := (at - c.at[i-1]) / (c.at[i] - c.at[i-1])
	return c.of[key][i-1] + share*(c.of[key][i]-c.of[key][i-1])
}

func (c *Corner) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}
