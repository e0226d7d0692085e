package formulate

import "skidpad/model"

type rightAngle struct{ *model.RightAngle }

// Restrain: with r and e from the corner,
//
//	Phi   = 2 r.e + L^2 - e.e
//	Phi'  = 2 (v.e + r.w) - 2 e.w,  v = r', w = e'
//	Phi'' = 2 (a.e + 2 v.w + r.b) - 2 (w.w + e.b),  a = r'', b = e''
//
// (van Iwaarden 2003, 2.7); without a length the terms in L, e.e and their rates are missing.
func (c rightAngle) Restrain(b Builder) {
	p := b.Pool()
	r, e := b.Leg(c.Corner, c.From), b.Leg(c.Corner, c.To)
	if r.Position.IsZero() || e.Position.IsZero() {
		b.Reject(c.Pos, "right-angle %s has a line without length: its ends always coincide", c.Name)
		return
	}
	two := p.Int(2)
	// Phi' = across.v + along.w with across = 2 e and along = 2 r, or 2 (r - e)
	across, along := p.ScaleV(two, e.Position), p.ScaleV(two, r.Position)
	position := p.Dot(along, e.Position)
	curvature := p.Mul(p.Int(4), p.Dot(r.Velocity, e.Velocity))
	if c.WithLength {
		length := b.Scalar("length", "m", c.Length)
		position = p.Add(position, p.Pow(length, 2), p.Neg(p.Dot(e.Position, e.Position)))
		curvature = p.Sub(curvature, p.Mul(two, p.Dot(e.Velocity, e.Velocity)))
		along = p.SubV(along, across)
	}
	along = b.DefineV("along", along)
	partials := b.NoPartials()
	for k := range partials {
		if v, ok := r.Partials[k]; ok {
			partials[k] = p.Add(partials[k], p.Dot(across, v))
		}
		if v, ok := e.Partials[k]; ok {
			partials[k] = p.Add(partials[k], p.Dot(along, v))
		}
	}
	b.Row(Row{
		Name: c.Name, Position: position, Partials: partials, Active: activity(b, c.Active),
		Velocity: p.Add(p.Dot(across, r.Velocity), p.Dot(along, e.Velocity)),
		Bias:     p.Add(curvature, p.Dot(across, r.Acceleration), p.Dot(along, e.Acceleration)),
	}, "value", "m2")
}

// Couples: its constraint does.
func (c rightAngle) Couples() bool { return true }

// IgnoresTurn: it knows origins only, which are on the axis.
func (c rightAngle) IgnoresTurn(Turn) bool { return true }
