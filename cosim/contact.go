package cosim

import (
	"fmt"
	"math"

	"skidpad/model/program"
	"skidpad/model/road"
)

// The modes of a wheel contact.
const (
	modeAir     = 0
	modeRolling = 1
	modeImpact  = 2 // in the latest solver step; then in the air
)

// onTerrain is how near a contact mass starts to the terrain if it rolls from the start [m].
const onTerrain = 1e-9

type vector [3]float64

func (a vector) plus(s float64, b vector) vector {
	return vector{a[0] + s*b[0], a[1] + s*b[1], a[2] + s*b[2]}
}

func (a vector) dot(b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// wheel is the motion of contact mass and rim of one wheel contact.
type wheel struct{ contact, speed, rim, rimSpeed vector }

// wheelOf reads the motion from a state.
func (in *Instance) wheelOf(c *program.WheelContact, x []float64) wheel {
	var w wheel
	for k := range 3 {
		if c.Contact[k] < 0 {
			w.contact[k] = in.constants[c.Fixed[k]]
			w.rim[k] = w.contact[k]
			continue
		}
		w.contact[k], w.speed[k] = x[c.Contact[k]], x[c.ContactSpeed[k]]
		w.rim[k], w.rimSpeed[k] = x[c.Rim[k]], x[c.RimSpeed[k]]
	}
	return w
}

// plane is the tangent plane of a terrain: through a point, with the slopes a and b.
type plane struct {
	through vector
	a, b    float64
	normal  vector
	rising  vector // velocity of the terrain
}

// bottomless is how far below a wheel the plane lies where there is no ground [m]: farther than a
// tire reaches.
const bottomless = 10

// tangent returns the plane at the place of a contact mass, in the plane in which it moves.
func (in *Instance) tangent(i int, at, rim vector, t float64) plane {
	c := &in.sys.program.Contacts[i]
	p := in.tires.surfaces[c.Terrain].At(road.Query{X: at[0], Y: at[1], T: t, Above: rim[2] - in.u[c.Height],
		Near: in.along[i]})
	in.along[i] = p.U
	if p.NoGround {
		p.Height = at[2] - bottomless
	}
	l := plane{through: vector{at[0], at[1], p.Height + in.u[c.Height]}, a: p.SlopeX, b: p.SlopeY,
		rising: vector{0, 0, p.Rate}}
	if c.Contact[0] < 0 {
		l.a = 0
	}
	if c.Contact[1] < 0 {
		l.b = 0
	}
	s := 1 / math.Sqrt(1+l.a*l.a+l.b*l.b)
	l.normal = vector{-l.a * s, -l.b * s, s}
	return l
}

// above is how far a point is above the plane, vertically [m].
func (l *plane) above(p vector) float64 {
	return p[2] - l.through[2] - l.a*(p[0]-l.through[0]) - l.b*(p[1]-l.through[1])
}

// applyContacts lets the wheels touch the terrain after a solver step of dt that has led from the wheels
// before to the state x at time t (van Iwaarden 2003, section 1.5 and chapter 4;
// partial-vehicle specification, 5.2 to 5.6). It changes contact masses only.
func (in *Instance) applyContacts(before []wheel, t, dt float64, x []float64) {
	in.beginImpacts(x)
	for i := range in.sys.program.Contacts {
		c := &in.sys.program.Contacts[i]
		w := in.wheelOf(c, x)
		l := in.tangent(i, w.contact, w.rim, t)
		w, mode := in.resolveContact(c, &before[i], w, &l, dt, in.u[c.Mode] == modeRolling)
		if in.u[c.Mode] != mode { // speeds jump
			in.forgetHistory()
		}
		in.u[c.Mode] = mode
		for k := range 3 {
			in.u[c.Normal[k]] = l.normal[k]
			if c.Contact[k] >= 0 {
				x[c.Contact[k]], x[c.ContactSpeed[k]] = w.contact[k], w.speed[k]
			}
		}
		in.countImpact(i, x)
	}
}

// resolveContact decides what becomes of a wheel w that was at before one step ago.
func (in *Instance) resolveContact(c *program.WheelContact, before *wheel, w wheel, l *plane, dt float64,
	rolling bool) (wheel, float64) {
	leg := w.rim.plus(-1, w.contact)
	radius := math.Sqrt(leg.dot(leg))
	distance := l.above(w.rim) * l.normal[2]
	if distance > radius { // (5.2): the discriminant D is negative
		return w, modeAir
	}
	if rolling {
		return in.roll(c, w, l, distance), modeRolling
	}
	leg = before.rim.plus(-1, before.contact)
	q0, q1 := before.rim.plus(-math.Sqrt(leg.dot(leg)), l.normal), w.rim.plus(-radius, l.normal)
	share := 0.0
	// a terrain that rises was lower when the step began
	if g0, g1 := l.above(q0)+l.rising[2]*dt, l.above(q1); g0 > 0 {
		share = max(0, min(1, g0/(g0-g1)))
	}
	tau := share * dt
	rest := dt - tau
	acceleration := w.speed.plus(-1, before.speed)
	for k := range acceleration {
		acceleration[k] /= dt
	}
	hit := vector{q0[0] + before.speed[0]*tau, q0[1] + before.speed[1]*tau}
	hit[2] = -l.above(hit) - l.rising[2]*rest
	speed := before.speed.plus(tau, acceleration).plus(-1, l.rising)
	normal := speed.dot(l.normal)
	if normal >= 0 {
		return in.roll(c, w, l, distance), modeRolling
	}
	vert, hor := in.constants[c.EVert], in.constants[c.EHor]
	after := l.rising
	for k := range after {
		after[k] += -vert*normal*l.normal[k] + hor*(speed[k]-normal*l.normal[k])
	}
	bounced := w
	bounced.speed = after.plus(rest, acceleration)
	bounced.contact = hit.plus(rest, after).plus(rest*rest/2, acceleration)
	if l.above(bounced.contact) < 0 { // a second impact in this step
		return in.roll(c, w, l, distance), modeRolling
	}
	return bounced, modeImpact
}

// roll puts the contact mass below the rim (5.3).
func (in *Instance) roll(c *program.WheelContact, w wheel, l *plane, distance float64) wheel {
	w.contact = w.rim.plus(-distance, l.normal)
	w.contact[2] -= l.above(w.contact) // rounding
	tangential := in.constants[c.RollingVelocity]
	w.speed = w.rimSpeed.plus(-tangential*w.rimSpeed.plus(-1, l.rising).dot(l.normal), l.normal)
	return w
}

// updateConstants gives terrains and contacts their constants, once parameters have been applied.
func (in *Instance) updateConstants() {
	p := in.sys.program
	in.machine.Constants(in.constants)
	for i, t := range p.Terrains {
		s := in.tires.surfaces[i]
		s.Height, s.SlopeX, s.SlopeY = in.constants[t.Height], in.constants[t.SlopeX], in.constants[t.SlopeY]
		s.Seed(uint64(in.constants[t.Seed]))
		s.Left, s.Right = in.constants[t.FrictionLeft], in.constants[t.FrictionRight]
	}
}

// initContactModes gives the wheel contacts their modes at the start.
func (in *Instance) initContactModes() {
	for i := range in.sys.program.Contacts {
		c := &in.sys.program.Contacts[i]
		w := in.wheelOf(c, in.x)
		at := w.contact
		l := in.tangent(i, at, w.rim, in.t)
		mode := in.constants[c.InitialMode]
		if mode != modeAir && mode != modeRolling {
			mode = modeAir
			if math.Abs(at[2]-l.through[2]) <= onTerrain {
				mode = modeRolling
			}
		}
		in.u[c.Mode], in.modes[i] = mode, mode
		for k := range 3 {
			in.u[c.Normal[k]] = l.normal[k]
		}
	}
}

// snapshotWheels notes the wheels before a solver step.
func (in *Instance) snapshotWheels() {
	for i := range in.sys.program.Contacts {
		in.before[i] = in.wheelOf(&in.sys.program.Contacts[i], in.x)
	}
}

// updateLocalPlanes gives the tires on terrains their local planes at a state: the tangent plane above which
// the wheel's centre is nearest, which is looked for from the point below the centre in one step.
func (in *Instance) updateLocalPlanes(t float64, x []float64) {
	side := in.sides.wheels
	if side == nil || in.updateLevelPlanes() {
		return
	}
	side.Evaluate(x[:len(in.sys.program.States)], in.continued, nil)
	values := 0
	next := func() vector {
		values += 3
		return vector{side.Value(values - 3), side.Value(values - 2), side.Value(values - 1)}
	}
	contacts := len(in.sys.program.Contacts)
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		centre := next()
		var f *road.Footprint
		if u.Points > 0 {
			axle := next() // to the left
			level := math.Hypot(axle[0], axle[1])
			f = &road.Footprint{Length: in.constants[u.Length], Width: in.constants[u.Width], Points: u.Points,
				ForwardX: axle[1] / level, ForwardY: -axle[0] / level}
		}
		at := centre
		q := road.Query{T: t, Above: centre[2] - in.continued[u.Above], Near: in.along[contacts+i]}
		q.X, q.Y = at[0], at[1]
		p := in.groundUnder(u, f, q)
		for range 2 {
			if p.SlopeX == 0 && p.SlopeY == 0 {
				break // the foot is below the centre
			}
			// foot of the centre on the plane at that place
			above := centre[2] - p.Height - p.SlopeX*(centre[0]-at[0]) - p.SlopeY*(centre[1]-at[1])
			lean := above / (1 + p.SlopeX*p.SlopeX + p.SlopeY*p.SlopeY)
			at[0], at[1] = centre[0]+lean*p.SlopeX, centre[1]+lean*p.SlopeY
			q.X, q.Y = at[0], at[1]
			p = in.groundUnder(u, f, q)
		}
		if p.NoGround {
			p.Height = centre[2] - bottomless
		}
		in.reached[i] = p.U
		in.continued[u.SlopeX], in.continued[u.SlopeY], in.continued[u.Rate], in.continued[u.Friction] = p.SlopeX,
			p.SlopeY, p.Rate, p.Friction
		in.continued[u.Height] = p.Height - p.SlopeX*at[0] - p.SlopeY*at[1] + in.continued[u.Above]
	}
}

// updateLevelPlanes does the same where all terrains are level and have one friction. Their planes are those of any
// place, so that it does not matter where the tires are. It reports whether there are no others.
func (in *Instance) updateLevelPlanes() bool {
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		height, friction, level := in.tires.surfaces[u.Terrain].Level()
		if !level {
			return false
		}
		in.continued[u.SlopeX], in.continued[u.SlopeY], in.continued[u.Rate], in.continued[u.Friction] = 0, 0, 0, friction
		in.continued[u.Height] = height + in.continued[u.Above]
	}
	return true
}

// groundUnder returns the terrain at a place below a tire: the mean plane under its footprint, if it has one.
func (in *Instance) groundUnder(u *program.UnevenRoad, f *road.Footprint, q road.Query) road.Point {
	s := in.tires.surfaces[u.Terrain]
	if f == nil {
		return s.At(q)
	}
	return s.ContactPlane(f, q)
}

// commitRoadPlaces notes where on their roads the tires have been in the latest evaluation of a solver step.
func (in *Instance) commitRoadPlaces() { copy(in.along[len(in.sys.program.Contacts):], in.reached) }

// forgetRoadPlaces forgets where on their roads contacts and tires are.
func (in *Instance) forgetRoadPlaces() {
	for i := range in.along {
		in.along[i] = road.Unknown
	}
}

// checkContacts refuses what no wheel contact and no terrain can be.
func (in *Instance) checkContacts() error {
	for _, t := range in.sys.program.Terrains {
		if seed := in.constants[t.Seed]; seed != math.Trunc(seed) || seed > road.LargestSeed {
			return fmt.Errorf("%s.seed = %v: it must be a whole number from 0 to %d", t.Name, seed, road.LargestSeed)
		}
	}
	for i := range in.sys.program.Contacts {
		c := &in.sys.program.Contacts[i]
		if mode := in.constants[c.InitialMode]; mode != -1 && mode != modeAir && mode != modeRolling {
			return fmt.Errorf("%s.initial_mode = %v: it must be 0, 1 or -1", c.Name, mode)
		}
	}
	return nil
}
