package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/contact"
	"skidpad/model/program"
	"skidpad/model/road"
)

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
		a := &wheelContacts{in: in, wheels: make([]*contact.Wheel, n), modes: make([]float64, n)}
		for i := range a.wheels {
			a.wheels[i] = contact.NewWheel()
		}
		return a
	},
}

// wheelContacts lets wheels hit the terrain, roll and lift off. It changes the states of contact masses only.
type wheelContacts struct {
	plainAct
	in     *Instance
	wheels []*contact.Wheel // by contact
	modes  []float64        // by contact, as an importer that handles events has seen them
}

func (a *wheelContacts) next() float64 { return everyStep }

func (a *wheelContacts) saved() []float64 { return a.modes }

func (a *wheelContacts) inGo() string { return "" }

func (a *wheelContacts) alone() string { return "wheel contacts are not written for lanes" }

// contactConstant is the index of a constant of a contact, and its index in the law.
type contactConstant struct{ constant, to int }

// constantsOf lists the constants of a contact. A fixed coordinate of a contact mass is also a fixed coordinate of its
// rim.
func constantsOf(c *program.WheelContact) []contactConstant {
	list := []contactConstant{{c.EVert, contact.Vert}, {c.EHor, contact.Hor}, {c.RollingVelocity, contact.Tangential},
		{c.InitialMode, contact.InitialMode}}
	for k := range 3 {
		if c.Impulsive {
			list = append(list, contactConstant{c.Inertia[k], contact.Inertia + k})
		}
		if c.Contact[k] < 0 {
			list = append(list, contactConstant{c.Fixed[k], contact.Place + k}, contactConstant{c.Fixed[k], contact.Rim + k})
		}
	}
	return list
}

// constants passes the constants of the contacts to the law.
func (a *wheelContacts) constants() {
	for i, w := range a.wheels {
		for _, c := range constantsOf(&a.in.sys.program.Contacts[i]) {
			w.Numbers[c.to] = a.in.constants[c.constant]
		}
	}
}

// begin stores the wheels before a solver step.
func (a *wheelContacts) begin() {
	for i, w := range a.wheels {
		a.read(i)
		copy(w.Numbers[contact.Before:contact.Place], w.Numbers[contact.Place:])
	}
}

// read reads the motion of a wheel from the state.
func (a *wheelContacts) read(i int) {
	c, numbers, x := &a.in.sys.program.Contacts[i], a.wheels[i].Numbers, a.in.x
	for k := range 3 {
		if c.Contact[k] < 0 {
			continue
		}
		numbers[contact.Place+k], numbers[contact.Speed+k] = x[c.Contact[k]], x[c.ContactSpeed[k]]
		numbers[contact.Rim+k], numbers[contact.RimSpeed+k] = x[c.Rim[k]], x[c.RimSpeed[k]]
	}
}

// tangent finds the tangent plane of the terrain at a contact mass. Slopes along fixed coordinates of the mass are 0.
func (a *wheelContacts) tangent(i int, t float64) {
	in, numbers := a.in, a.wheels[i].Numbers
	c := &in.sys.program.Contacts[i]
	at := numbers[contact.Place:]
	p := in.tires.surfaces[c.Terrain].At(road.Query{X: at[0], Y: at[1], T: t,
		Above: numbers[contact.Rim+2] - in.u[c.Height], Near: in.along[i]})
	in.along[i] = p.U
	if p.NoGround {
		p.Height = at[2] - bottomless
	}
	if c.Contact[0] < 0 {
		p.SlopeX = 0
	}
	if c.Contact[1] < 0 {
		p.SlopeY = 0
	}
	numbers[contact.Height], numbers[contact.Rising+2] = p.Height+in.u[c.Height], p.Rate
	numbers[contact.SlopeX], numbers[contact.SlopeY] = p.SlopeX, p.SlopeY
}

// do applies the contacts of the wheels with the terrain after a solver step of h that ends at time t.
func (a *wheelContacts) do(t, h float64) error {
	in := a.in
	in.ledger.beginImpacts(in.x)
	for i, w := range a.wheels {
		c, numbers := &in.sys.program.Contacts[i], w.Numbers
		a.read(i)
		a.tangent(i, t)
		numbers[contact.Step], numbers[contact.Mode] = h, in.u[c.Mode]
		w.Evaluate(in.code == nativeCode)
		mode := numbers[contact.NewMode]
		if in.u[c.Mode] != mode { // speeds jump
			in.forgetHistory()
		}
		in.u[c.Mode] = mode
		for k := range 3 {
			in.u[c.Normal[k]] = numbers[contact.Normal+k]
			if c.Impulsive {
				in.u[c.Impulse[k]] = numbers[contact.Impulse+k]
			}
			if c.Contact[k] >= 0 {
				in.x[c.Contact[k]], in.x[c.ContactSpeed[k]] = numbers[contact.NewPlace+k], numbers[contact.NewSpeed+k]
			}
		}
		in.ledger.countImpact(i, in.x)
	}
	a.begin() // the next solver step
	return nil
}

// start sets the initial modes of the wheels.
func (a *wheelContacts) start() {
	in := a.in
	for i, w := range a.wheels {
		c, numbers := &in.sys.program.Contacts[i], w.Numbers
		a.read(i)
		a.tangent(i, in.t)
		w.Evaluate(in.code == nativeCode)
		in.u[c.Mode], a.modes[i] = numbers[contact.StartMode], numbers[contact.StartMode]
		for k := range 3 {
			in.u[c.Normal[k]] = numbers[contact.Normal+k]
		}
	}
}

// check refuses invalid modes.
func (a *wheelContacts) check() error {
	for i := range a.in.sys.program.Contacts {
		c := &a.in.sys.program.Contacts[i]
		if mode := a.in.constants[c.InitialMode]; mode != -1 && mode != contact.Air && mode != contact.Rolling {
			return fmt.Errorf("%s.initial_mode = %g: it must be 0, 1 or -1", c.Name, mode)
		}
	}
	return nil
}

// isEvent reports whether a mode differs from the mode that an importer has seen.
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

// notices returns warnings of wheels that are upside down.
func (a *wheelContacts) notices() (list []notice) {
	for i, w := range a.wheels {
		a.read(i)
		if rim, mass := w.Numbers[contact.Rim+2], w.Numbers[contact.Place+2]; !(rim > mass) {
			list = append(list, notice{rimRule, fmt.Sprintf("%s: the rim, at %.3g m, is not above the contact mass, at %.3g m",
				a.in.sys.program.Contacts[i].Name, rim, mass)})
		}
	}
	return list
}

// list adds the contacts to a listing, with the memories of their law.
func (a *wheelContacts) list(l *Listing, to *program.Listed) (why string) {
	for i, w := range a.wheels {
		c := &a.in.sys.program.Contacts[i]
		number := to.Add(w.Numbers, program.Memory{Size: contact.Numbers, Parameters: Nowhere})
		listed := RollingContact{WheelContact: c, Law: Run{Block: contact.Block(), Memory: number, Fixed: Nowhere},
			Shown: slices.IndexFunc(a.in.sys.variables, func(v Variable) bool { return v.Name == c.Name+".mode" })}
		for _, n := range constantsOf(c) {
			listed.Constants = append(listed.Constants, program.Move{From: l.Start.Constants[n.constant],
				To: Place{Memory: number, At: n.to}})
		}
		l.Contacts = append(l.Contacts, listed)
	}
	return ""
}
