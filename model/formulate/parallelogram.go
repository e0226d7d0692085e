package formulate

import "skidpad/model"

type parallelogram struct{ *model.Parallelogram }

// Restrain: Phi = (p_A - p_B) + (p_C - p_D), along the axes of ground that the points move along.
func (c parallelogram) Restrain(b Builder) {
	p := b.Pool()
	first, second := b.Leg(c.Corners[1], c.Corners[0]), b.Leg(c.Corners[3], c.Corners[2])
	position := p.AddV(first.Position, second.Position)
	velocity, bias := p.AddV(first.Velocity, second.Velocity), p.AddV(first.Acceleration, second.Acceleration)
	active := activity(b, c.Active)
	for i := range 3 {
		partials, moves := b.NoPartials(), false
		for _, leg := range []Leg{first, second} {
			for k := range partials {
				if v, ok := leg.Partials[k]; ok {
					partials[k] = p.Add(partials[k], v.X[i])
					moves = moves || !partials[k].IsZero()
				}
			}
		}
		if moves {
			axis := "_" + string("xyz"[i])
			b.Row(Row{
				Name: c.Name + axis, Position: position.X[i], Velocity: velocity.X[i], Partials: partials, Bias: bias.X[i],
				Active: active,
			}, "value"+axis, "m")
		}
	}
}

// Couples: its constraints do.
func (c parallelogram) Couples() bool { return true }

// IgnoresTurn: it knows origins only, which are on the axis.
func (c parallelogram) IgnoresTurn(Turn) bool { return true }
