package component

import (
	"slices"

	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var differentialType = Type{
	Word:   "differential",
	Text:   "differential between two joints, open or with limited slip",
	Middle: true,
	Keys: append([]keys.Key{
		{Name: "outputs", Shape: keys.TextsShape, Names: keys.Components,
			Text: "two revolute joints or further differentials"},
		{Name: "housing", Shape: keys.FrameShape, Optional: true,
			Text: "frame on which torques on joints react; default: the tail of each joint"},
		{Name: "ratio", Unit: "1", Default: "1", Positive: true, Text: "speed of the input divided by the speed of the " +
			"carrier"},
		efficiencyKey,
		jointEfficiencyKey("between each output and what it drives"),
		fraction("share", "0.5", "share of the torque that goes to the first output"),
		nonnegative("preload", "N.m", "0", "difference of the output torques at zero input torque"),
		fraction("lock_drive", "0",
			"locking value for a positive torque: difference of the output torques divided by their sum"),
		fraction("lock_coast", "0", "locking value for a negative torque"),
		nonnegative("viscosity", "N.m.s/rad", "0", "difference of the output torques per difference of the output speeds"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "1", Positive: true,
			Text: "difference of the output speeds at which preload and lock are tanh 1 of their full value"},
		heatKey,
	}, spinningKeys("the shafts and gears that turn with the input", "the input turns forward")...),
	Read: readDifferential,
}

// Differential splits a torque, the input <name>.torque unless something drives it, between two
// revolute joints or further differentials. Torques on joints react on Housing or, without, on the
// tails of the joints.
type Differential struct {
	keys.Header
	Outputs              [2]string
	Housing              string      // "" for none
	Ratio                keys.Scalar // of the speed of the input to that of the carrier
	Efficiency           keys.Scalar // 1, from the input to the carrier or back
	JointEfficiency      keys.Scalar // 1, between an output and its driven component, in either direction
	Share                keys.Scalar // 1, of the first output
	Preload              keys.Scalar // N m
	LockDrive, LockCoast keys.Scalar // 1, locking values
	Viscosity            keys.Scalar // N m s/rad
	SlidingSpeed         keys.Scalar // rad/s
	Spinning                         // with the input

	outputsAt [2]keys.Position
}

func readDifferential(h keys.Header, f *keys.Fields) Component {
	d := &Differential{
		Header: h, Housing: f.Text("housing"), Ratio: f.Scalar("ratio"),
		Efficiency: f.Scalar("efficiency"), JointEfficiency: f.Scalar("joint_efficiency"), Share: f.Scalar("share"),
		Spinning:  readSpinning(h, f),
		Preload:   f.Scalar("preload"),
		LockDrive: f.Scalar("lock_drive"), LockCoast: f.Scalar("lock_coast"), Viscosity: f.Scalar("viscosity"),
		SlidingSpeed: f.Scalar("sliding_speed"),
	}
	outputs := f.Texts("outputs")
	if n := f.Table.Field("outputs"); n != nil && n.Kind == document.List && len(n.Items) != 2 {
		f.Reader.At(n, "%s.outputs names %d; a differential has two", h.Name, len(n.Items))
	}
	copy(d.Outputs[:], outputs)
	if len(outputs) == len(d.outputsAt) {
		for i, n := range f.Node("outputs").Items {
			d.outputsAt[i] = f.Reader.Position(n)
		}
	}
	return d
}

func (c *Differential) Frames() Frames {
	used := given(c.Housing)
	if c.Frame != c.Housing {
		used = append(used, given(c.Frame)...)
	}
	return Frames{Uses: used, Axes: used}
}

func (c *Differential) Edges(s *Scope) []graph.Edge {
	return driven(s, c.Housing, c.Outputs[:]...)
}

// Check rejects a differential that drives itself through other components, and rotating parts with more inertia than
// their carrier.
func (c *Differential) Check(s *Scope, r *keys.Reader) {
	c.check(c.Name, s, r)
	seen := map[string]bool{}
	var reaches func(from Acting) bool
	reaches = func(from Acting) bool {
		name := from.Head().Name
		if seen[name] {
			return false
		}
		seen[name] = true
		return slices.ContainsFunc(from.Acts(), func(a Act) bool {
			next, is := Named[passing](s, a.On)
			return is && next.Receives(Powered) && (next.Head() == c.Head() || reaches(next))
		})
	}
	if reaches(c) {
		r.Place(c.Pos, "differential %s drives itself; let something else drive it", c.Name)
	}
}

// Terminal returns the driver's terminal.
func (*Differential) Terminal() Terminal { return Terminal{} }

// passing is a component that receives a torque and drives other components.
type passing interface {
	Acting
	Receiving
}

// Acts are the torques on its outputs.
func (c *Differential) Acts() []Act {
	var list []Act
	for i, name := range c.Outputs {
		list = append(list, Act{
			On: name, Part: Powered, Needs: "revolute joints or differentials", Pos: c.outputsAt[i],
		})
	}
	return list
}

// Receives: an engine may drive it.
func (*Differential) Receives(p Part) bool { return p == Powered }

// Law applies the torque of an input, if no component drives the differential, and the loads of its inertia.
func (c *Differential) Law(b Builder) {
	if !isDriven(b, c.Name) {
		c.Shaft(b, "").Turn(b.Input("torque", "N.m", "torque on the input", 0))
	}
	c.Rotor(b).load(b, c.Frame)
}

// Rotor is the inertia that turns with the input, nil without inertia.
func (c *Differential) Rotor(b Builder) *Rotor {
	on := c.Shaft(b, "")
	return c.rotor(on, on.Speed, b.Pool().Int(1), b)
}

// Shaft returns the shaft of the input. The speed w of the carrier is the speed of the input divided by the ratio. With
// the share s of the first output
//
//	w = s w1 + (1 - s) w2
//	T1 = s T - L/2,  T2 = (1 - s) T + L/2
//	L = (preload + lock |T|) tanh((w1 - w2)/sliding speed) + viscosity (w1 - w2)
//
// where lock has the value for the sign of T. Thus T w = T1 w1 + T2 w2 + L (w1 - w2)/2; the last term is lost. With an
// efficiency below 1, lossTorque is subtracted from the input torque before the ratio multiplies it. With an efficiency
// of the joints, the driven components get T1 and T2, each less its lossTorque.
func (c *Differential) Shaft(b Builder, _ string) Shaft {
	p := b.Pool()
	first, second := shaftOf(b, c.Outputs[0], c.Housing), shaftOf(b, c.Outputs[1], c.Housing)
	ratio, share := b.Scalar("ratio", "1", c.Ratio), b.Scalar("share", "1", c.Share)
	rest := p.Sub(p.Int(1), share)
	mean := func(x, y *expr.Expr) *expr.Expr { return p.Mul(ratio, p.Add(p.Mul(share, x), p.Mul(rest, y))) }
	s := Shaft{
		Speed:    b.Define("speed", mean(first.Speed, second.Speed)),
		Partials: b.NoPartials(), Bias: mean(first.Bias, second.Bias),
		On: func() []Geared {
			return slices.Concat(times(p, p.Mul(ratio, share), first.On()), times(p, p.Mul(ratio, rest), second.On()))
		},
	}
	for k := range s.Partials {
		s.Partials[k] = mean(first.Partials[k], second.Partials[k])
	}
	s.Turn = func(input *expr.Expr) {
		through, lost := input, p.Int(0)
		if !lossless(c.Efficiency) {
			giving, getting := lossShares(p, b.Scalar("efficiency", "1", c.Efficiency))
			sliding := p.Mul(ratio, b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed))
			drag := b.Define("T_loss", lossTorque(p, input, s.Speed, sliding, giving, getting))
			through, lost = p.Sub(input, drag), p.Mul(drag, s.Speed)
		}
		carrier := b.Define("T", p.Mul(ratio, through))
		slide := b.Define("slide", p.Sub(first.Speed, second.Speed))
		locked := c.lock(b, carrier, slide)
		half := p.Scale(expr.Fraction(1, 2), locked)
		for i, output := range []struct {
			Shaft
			torque *expr.Expr
		}{{first, p.Sub(p.Mul(share, carrier), half)}, {second, p.Add(p.Mul(rest, carrier), half)}} {
			number := string(rune('1' + i))
			torque := p.Define("T_"+c.Name+"_"+number, output.torque)
			if !lossless(c.JointEfficiency) {
				drag := b.Define("T_joint_"+number, jointLoss(b, c.JointEfficiency, c.SlidingSpeed, torque, output.Speed))
				torque, lost = p.Sub(torque, drag), p.Add(lost, p.Mul(drag, output.Speed))
			}
			output.Turn(torque)
			b.Publish("torque_"+number, "N.m", "torque on "+c.Outputs[i], torque)
		}
		b.Publish("speed", "rad/s", "speed of the input", s.Speed)
		loss := p.Add(p.Mul(half, slide), lost)
		b.Publish("loss", "W", "power lost by friction", loss)
		b.Keep("speed", s.Speed)
		b.Keep("loss", loss)
		if isDriven(b, c.Name) {
			b.Publish("torque", "N.m", "torque on the input", input)
		}
	}
	return s
}

// lock is the difference of the output torques.
func (c *Differential) lock(b Builder, carrier, slide *expr.Expr) *expr.Expr {
	p := b.Pool()
	drive, coast := b.Scalar("lock_drive", "1", c.LockDrive), b.Scalar("lock_coast", "1", c.LockCoast)
	friction := p.Add(
		b.Scalar("preload", "N.m", c.Preload),
		p.Mul(drive, p.Call(expr.Max, p.Int(0), carrier)),
		p.Mul(coast, p.Call(expr.Max, p.Int(0), p.Neg(carrier))),
	)
	locked := p.Mul(b.Scalar("viscosity", "N.m.s/rad", c.Viscosity), slide)
	if !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed)
		locked = p.Add(locked, p.Mul(friction, p.Call(expr.Tanh, p.Div(slide, sliding))))
	}
	return b.Define("lock", locked)
}

// IgnoresTurn: it acts about the axes of joints.
func (c *Differential) IgnoresTurn(Turn) bool { return true }

// Energy has the losses of gears, of joints and of the friction between the outputs. It also has the kinetic energy of
// the rotating parts and the power of an input torque of the model.
func (c *Differential) Energy(b Builder) Energy {
	e := Energy{Dissipated: b.Kept("loss"), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
	if !isDriven(b, c.Name) {
		e.Supplied = b.Pool().Mul(b.Input("torque", "N.m", "", 0), b.Kept("speed"))
	}
	return e
}
