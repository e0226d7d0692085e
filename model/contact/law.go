// Package contact has the law of wheel contacts: the change of a contact mass at the end of a solver step, when it is
// in the air, rolls or hits the terrain (van Iwaarden 2003, section 1.5 and chapter 4; partial-vehicle specification,
// 5.2 to 5.6). The law is written once, as formulas, for evaluation without machine code, for machine code and for C.
package contact

import (
	"sync"

	"skidpad/tire/formula"
	"skidpad/tire/machinecode"
)

// The modes of a wheel contact.
const (
	Air     = 0
	Rolling = 1
	Impact  = 2 // in the latest solver step; then in the air
)

// OnTerrain is how near a contact mass starts to the terrain if it rolls from the start [m].
const OnTerrain = 1e-9

// The numbers of a wheel contact: the inputs of its law, then the results. The C texts of steps have the same list.
// Vectors have three numbers, in axes of ground.
const (
	Vert        = iota // factors of the normal and the tangential speed that an impact leaves
	Hor                //
	Tangential         // factor of the normal speed of the rim that a rolling contact mass does not have
	InitialMode        // -1 for the mode that follows from the place
	Inertia            // inertial masses [kg]
	Before      = Inertia + 3
	BeforeSpeed = Before + 3 // of the contact mass before the solver step
	BeforeRim   = BeforeSpeed + 3
	Place       = BeforeRim + 3 // the same after it
	Speed       = Place + 3
	Rim         = Speed + 3
	RimSpeed    = Rim + 3
	Height      = RimSpeed + 3 // of the terrain under the contact mass
	SlopeX      = Height + 1
	SlopeY      = SlopeX + 1
	Rising      = SlopeY + 1 // velocity of the terrain
	Step        = Rising + 3 // length of the solver step [s]
	Mode        = Step + 1
	Inputs      = Mode + 1

	NewPlace  = Inputs
	NewSpeed  = NewPlace + 3
	NewMode   = NewSpeed + 3
	Normal    = NewMode + 1
	Impulse   = Normal + 3 // [N s]
	StartMode = Impulse + 3
	Numbers   = StartMode + 1
)

// space is a vector of a law.
type space [3]formula.Number

func (a space) plus(s formula.Number, b space) (sum space) {
	for k := range sum {
		sum[k] = a[k].Plus(s.Times(b[k]))
	}
	return sum
}

func (a space) minus(b space) (difference space) {
	for k := range difference {
		difference[k] = a[k].Minus(b[k])
	}
	return difference
}

func (a space) dot(b space) formula.Number {
	return a[0].Times(b[0]).Plus(a[1].Times(b[1])).Plus(a[2].Times(b[2]))
}

func (a space) length() formula.Number { return a.dot(a).Sqrt() }

// choose is a where the mask is set, b elsewhere.
func choose(where formula.Mask, a, b space) (chosen space) {
	for k := range chosen {
		chosen[k] = where.Choose(a[k], b[k])
	}
	return chosen
}

// slope is the tangent plane of a terrain: through a point, with the slopes a and b.
type slope struct {
	through space
	a, b    formula.Number
	normal  space
	rising  space // velocity of the terrain
}

// newSlope is the plane under a contact mass.
func newSlope(in []formula.Number, at space) *slope {
	c := in[0].Constant
	p := &slope{through: space{at[0], at[1], in[Height]}, a: in[SlopeX], b: in[SlopeY],
		rising: spaceAt(in, Rising)}
	s := c(1).Over(p.a.Squared().And(1).Plus(p.b.Squared()).Sqrt())
	p.normal = space{p.a.Neg().Times(s), p.b.Neg().Times(s), s}
	return p
}

func spaceAt(in []formula.Number, at int) space { return space{in[at], in[at+1], in[at+2]} }

// height is how high the plane lies at a place, above is how far a point is above it, vertically [m].
func (p *slope) height(x, y formula.Number) formula.Number {
	return p.through[2].Plus(p.a.Times(x.Minus(p.through[0]))).Plus(p.b.Times(y.Minus(p.through[1])))
}

func (p *slope) above(at space) formula.Number {
	return at[2].Minus(p.through[2]).Minus(p.a.Times(at[0].Minus(p.through[0]))).
		Minus(p.b.Times(at[1].Minus(p.through[1])))
}

// rules are the results for a contact mass after a solver step.
func rules(in []formula.Number) (results []formula.Number) {
	c := in[0].Constant
	at, speed, rim := spaceAt(in, Place), spaceAt(in, Speed), spaceAt(in, Rim)
	p := newSlope(in, at)
	radius, distance := rim.minus(at).length(), p.above(rim).Times(p.normal[2])
	lifted := distance.Above(radius) // (5.2): the discriminant D is negative
	rolled, rolledSpeed := roll(in, p, rim, distance)
	bounced, bouncedSpeed, bounces := bounce(in, p, rim, speed, radius)
	bounces = bounces.Except(in[Mode].IsAbove(Rolling - 0.5).And(in[Mode].IsBelow(Rolling + 0.5)))
	newPlace := choose(lifted, at, choose(bounces, bounced, rolled))
	newSpeed := choose(lifted, speed, choose(bounces, bouncedSpeed, rolledSpeed))
	mode := lifted.Choose(c(Air), bounces.Choose(c(Impact), c(Rolling)))
	results = append(append(append(results, newPlace[:]...), newSpeed[:]...), mode)
	results = append(results, p.normal[:]...)
	for k := range 3 {
		results = append(results, in[Inertia+k].Times(newSpeed[k].Minus(speed[k])))
	}
	far := at[2].Minus(p.through[2]).Abs().IsAbove(OnTerrain)
	given := in[InitialMode].IsAbove(-0.5)
	return append(results, given.Choose(in[InitialMode], far.Choose(c(Air), c(Rolling))))
}

// roll puts the contact mass below the rim (5.3).
func roll(in []formula.Number, p *slope, rim space, distance formula.Number) (at, speed space) {
	rimSpeed := spaceAt(in, RimSpeed)
	at = rim.plus(distance.Neg(), p.normal)
	at[2] = at[2].Minus(p.above(at)) // rounding
	along := in[Tangential].Neg().Times(rimSpeed.minus(p.rising).dot(p.normal))
	return at, rimSpeed.plus(along, p.normal)
}

// bounce is the place and the speed after an impact in the step, and whether there is one, and not a second one.
func bounce(in []formula.Number, p *slope, rim, speed space, radius formula.Number) (at, after space,
	bounces formula.Mask) {
	c, dt := in[0].Constant, in[Step]
	before, beforeSpeed, beforeRim := spaceAt(in, Before), spaceAt(in, BeforeSpeed),
		spaceAt(in, BeforeRim)
	q0, q1 := beforeRim.plus(beforeRim.minus(before).length().Neg(), p.normal), rim.plus(radius.Neg(), p.normal)
	// a terrain that rises was lower when the step began
	g0, g1 := p.above(q0).Plus(p.rising[2].Times(dt)), p.above(q1)
	share := g0.IsAbove(0).Choose(g0.Over(g0.Minus(g1)).AtMost(c(1)).AtLeast(c(0)), c(0))
	tau := share.Times(dt)
	rest := dt.Minus(tau)
	acceleration := speed.minus(beforeSpeed)
	for k := range acceleration {
		acceleration[k] = acceleration[k].Over(dt)
	}
	hit := space{q0[0].Plus(beforeSpeed[0].Times(tau)), q0[1].Plus(beforeSpeed[1].Times(tau))}
	hit[2] = p.height(hit[0], hit[1]).Minus(p.rising[2].Times(rest))
	arrives := beforeSpeed.plus(tau, acceleration).minus(p.rising)
	normal := arrives.dot(p.normal)
	leaves := in[Vert].Neg().Times(normal)
	for k := range after {
		tangential := arrives[k].Minus(normal.Times(p.normal[k]))
		after[k] = p.rising[k].Plus(leaves.Times(p.normal[k]).Plus(in[Hor].Times(tangential)))
	}
	at = hit.plus(rest, after).plus(rest.Squared().Over(c(2)), acceleration)
	second := p.above(at).IsBelow(0)
	return at, after.plus(rest, acceleration), normal.IsBelow(0).Except(second)
}

// law is the law of wheel contacts, for evaluation without machine code and as a block of code.
type law struct {
	program *formula.Program
	block   *machinecode.Block
}

// made makes the law, once.
var made = sync.OnceValue(func() *law {
	g := formula.NewGraph(Inputs)
	in := make([]formula.Number, Inputs)
	for i := range in {
		in[i] = g.Input(i).Value() // nobody takes derivatives of impacts
	}
	l := &law{program: formula.NewProgram(rules(in))}
	g.Law(l.program)
	l.block = machinecode.NewBlock(1, func() (*machinecode.Builder, error) {
		b := machinecode.NewBuilder()
		for i, v := range l.program.Lower(b, b.Loads(0, Inputs), nil) {
			b.Store(int32(Inputs+i), v)
		}
		return b, nil
	})
	return l
})

// Block is the law as code, on the memory of a wheel. It has no guards.
func Block() *machinecode.Block { return made().block }

// Wheel is a wheel contact with its numbers, and the memory of the code behind them.
type Wheel struct {
	Numbers []float64
	plain   *formula.Memory
}

// NewWheel returns a wheel whose numbers are 0.
func NewWheel() *Wheel {
	l, slots := made(), Numbers
	if l.block.Code != nil {
		slots = max(slots, l.block.Code.Slots)
	}
	return &Wheel{make([]float64, slots), l.program.NewMemory(nil)}
}

// Evaluate computes the results of the law, by machine code if native is true and machine code exists.
func (w *Wheel) Evaluate(native bool) {
	if code := Block().Code; native && code != nil {
		code.Run(w.Numbers)
		return
	}
	w.plain.Run(w.Numbers[:Inputs], w.Numbers[Inputs:Numbers])
}
