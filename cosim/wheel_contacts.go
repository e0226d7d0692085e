package cosim

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// wheelContactKind moves wheels on terrain by the rules of point masses.
var wheelContactKind = &actKind{
	changes: true,
	in:      func(p *program.Program) bool { return len(p.Contacts) > 0 },
	output: func(p *program.Program, name string) bool {
		return slices.ContainsFunc(p.Contacts, func(c program.WheelContact) bool {
			return name == c.Name+".mode" || c.Impulsive && strings.HasPrefix(name, c.Name+".impulse_")
		})
	},
	make: func(in *Instance) act {
		n := len(in.sys.program.Contacts)
		return &wheelContacts{in: in, before: make([]wheel, n), modes: make([]float64, n)}
	},
}

// wheelContacts lets wheels hit the terrain, roll and lift off. It changes the states of contact masses only.
type wheelContacts struct {
	plainAct
	in     *Instance
	before []wheel   // by contact, before a solver step
	modes  []float64 // by contact, as an importer that handles events has seen them
}

func (a *wheelContacts) next() float64 { return everyStep }

func (a *wheelContacts) saved() []float64 { return a.modes }

func (a *wheelContacts) inGo() string { return "wheel contacts act between steps" }

func (a *wheelContacts) alone() string { return "wheel contacts are not written for lanes" }

// begin notes the wheels before a solver step.
func (a *wheelContacts) begin() {
	for i := range a.before {
		a.before[i] = a.wheelOf(&a.in.sys.program.Contacts[i])
	}
}

// wheelOf reads the motion from the state.
func (a *wheelContacts) wheelOf(c *program.WheelContact) wheel {
	in, x := a.in, a.in.x
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

// tangent returns the plane at the place of a contact mass, in the plane in which it moves.
func (a *wheelContacts) tangent(i int, at, rim vector, t float64) plane {
	in := a.in
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

// do lets the wheels touch the terrain after a solver step of h that has led to time t (van Iwaarden 2003, section 1.5
// and chapter 4; partial-vehicle specification, 5.2 to 5.6).
func (a *wheelContacts) do(t, h float64) error {
	in := a.in
	in.ledger.beginImpacts(in.x)
	for i := range in.sys.program.Contacts {
		c := &in.sys.program.Contacts[i]
		w := a.wheelOf(c)
		reached := w.speed
		l := a.tangent(i, w.contact, w.rim, t)
		w, mode := a.resolve(c, &a.before[i], w, &l, h, in.u[c.Mode] == modeRolling)
		for k := 0; k < 3 && c.Impulsive; k++ {
			in.u[c.Impulse[k]] = in.constants[c.Inertia[k]] * (w.speed[k] - reached[k])
		}
		if in.u[c.Mode] != mode { // speeds jump
			in.forgetHistory()
		}
		in.u[c.Mode] = mode
		for k := range 3 {
			in.u[c.Normal[k]] = l.normal[k]
			if c.Contact[k] >= 0 {
				in.x[c.Contact[k]], in.x[c.ContactSpeed[k]] = w.contact[k], w.speed[k]
			}
		}
		in.ledger.countImpact(i, in.x)
	}
	a.begin() // the next solver step
	return nil
}

// resolve decides what becomes of a wheel w that was at before one step ago.
func (a *wheelContacts) resolve(c *program.WheelContact, before *wheel, w wheel, l *plane, dt float64,
	rolling bool) (wheel, float64) {
	leg := w.rim.plus(-1, w.contact)
	radius := math.Sqrt(leg.dot(leg))
	distance := l.above(w.rim) * l.normal[2]
	if distance > radius { // (5.2): the discriminant D is negative
		return w, modeAir
	}
	if rolling {
		return a.roll(c, w, l, distance), modeRolling
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
		return a.roll(c, w, l, distance), modeRolling
	}
	vert, hor := a.in.constants[c.EVert], a.in.constants[c.EHor]
	after := l.rising
	for k := range after {
		after[k] += -vert*normal*l.normal[k] + hor*(speed[k]-normal*l.normal[k])
	}
	bounced := w
	bounced.speed = after.plus(rest, acceleration)
	bounced.contact = hit.plus(rest, after).plus(rest*rest/2, acceleration)
	if l.above(bounced.contact) < 0 { // a second impact in this step
		return a.roll(c, w, l, distance), modeRolling
	}
	return bounced, modeImpact
}

// roll puts the contact mass below the rim (5.3).
func (a *wheelContacts) roll(c *program.WheelContact, w wheel, l *plane, distance float64) wheel {
	w.contact = w.rim.plus(-distance, l.normal)
	w.contact[2] -= l.above(w.contact) // rounding
	tangential := a.in.constants[c.RollingVelocity]
	w.speed = w.rimSpeed.plus(-tangential*w.rimSpeed.plus(-1, l.rising).dot(l.normal), l.normal)
	return w
}

// start gives the wheels their modes at the start.
func (a *wheelContacts) start() {
	in := a.in
	for i := range in.sys.program.Contacts {
		c := &in.sys.program.Contacts[i]
		w := a.wheelOf(c)
		at := w.contact
		l := a.tangent(i, at, w.rim, in.t)
		mode := in.constants[c.InitialMode]
		if mode != modeAir && mode != modeRolling {
			mode = modeAir
			if math.Abs(at[2]-l.through[2]) <= onTerrain {
				mode = modeRolling
			}
		}
		in.u[c.Mode], a.modes[i] = mode, mode
		for k := range 3 {
			in.u[c.Normal[k]] = l.normal[k]
		}
	}
}

// check refuses modes that there are not.
func (a *wheelContacts) check() error {
	for i := range a.in.sys.program.Contacts {
		c := &a.in.sys.program.Contacts[i]
		if mode := a.in.constants[c.InitialMode]; mode != -1 && mode != modeAir && mode != modeRolling {
			return fmt.Errorf("%s.initial_mode = %v: it must be 0, 1 or -1", c.Name, mode)
		}
	}
	return nil
}

// isEvent reports whether a mode is another one than an importer has seen.
func (a *wheelContacts) isEvent() bool {
	for i, c := range a.in.sys.program.Contacts {
		if a.modes[i] != a.in.u[c.Mode] {
			return true
		}
	}
	return false
}

func (a *wheelContacts) seen() {
	for i, c := range a.in.sys.program.Contacts {
		a.modes[i] = a.in.u[c.Mode]
	}
}

// notices warn of wheels that are upside down.
func (a *wheelContacts) notices() (list []notice) {
	for i := range a.in.sys.program.Contacts {
		c := &a.in.sys.program.Contacts[i]
		w := a.wheelOf(c)
		if !(w.rim[2] > w.contact[2]) {
			list = append(list, notice{rimRule, fmt.Sprintf("%s: the rim, at %.3g m, is not above the contact mass, at %.3g m",
				c.Name, w.rim[2], w.contact[2])})
		}
	}
	return list
}
