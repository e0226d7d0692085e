package reference

import (
	"math"

	"skidpad/model/component"
)

// restriction is the law of an orifice that is open by a share.
func restriction(c *component.Restriction, open, drop float64) float64 {
	k := 0.0
	if c.K != nil {
		k = c.K.Value
	} else {
		k = c.CD.Value * c.Area.Value * math.Sqrt(2/c.Density.Value)
	}
	return open * k * drop / math.Pow(drop*drop+c.Transition.Value*c.Transition.Value, 0.25)
}

// orifice: q = k d/(d^2 + t^2)^(1/4).
type orifice struct {
	*component.Orifice
	edge *scalarEdge
}

func init() { know("orifice", func(c *component.Orifice) element { return &orifice{Orifice: c} }) }

func (c *orifice) add(s *System) error {
	e := s.scalar(hydraulic, c.Name, c.From, c.To)
	e.ofFlow(func(y []float64) float64 { return restriction(&c.Restriction, 1, s.drop(e, y)) })
	s.heatsByDrop(c.Heat, e)
	c.edge = e
	return nil
}

// heatsByDrop sends the power that edges take to a thermal node.
func (s *System) heatsByDrop(node string, edges ...*scalarEdge) {
	s.heats(node, reading{edges: edges}, func(y []float64) (sum float64) {
		for _, e := range edges {
			sum += s.drop(e, y) * e.through(y)
		}
		return sum
	})
}

func (c *orifice) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// spool is the opening of a valve, with or without a lag.
type spool struct {
	at    func(y []float64) float64
	state *scalarState // nil for none
}

// spool makes the opening of a valve between a lowest value and 1.
func (s *System) spool(name string, o *component.Opening, least float64) (sp spool, err error) {
	opening, err := s.course(o.Opening, name)
	if err != nil {
		return sp, err
	}
	asked := func() float64 { return max(least, min(1, opening())) }
	if o.Lag.Value == 0 {
		sp.at = func([]float64) float64 { return asked() }
		return sp, nil
	}
	start := o.Opening.Number
	if start.Value = 0; !o.Opening.Input {
		start.Value = asked()
	}
	state := s.ownState(name+".position", start, reading{})
	state.rate = func(y []float64) float64 { return (asked() - state.at(y)) / o.Lag.Value }
	return spool{state.at, state}, nil
}

func (sp *spool) states() []*scalarState {
	if sp.state == nil {
		return nil
	}
	return []*scalarState{sp.state}
}

func (sp *spool) quantity(name string) quantity {
	if sp.state != nil {
		return sp.state.quantity()
	}
	return published(name+".position", sp.at)
}

// valve is an orifice with an opening.
type valve struct {
	*component.Valve
	edge  *scalarEdge
	spool spool
}

func init() { know("valve", func(c *component.Valve) element { return &valve{Valve: c} }) }

func (c *valve) add(s *System) (err error) {
	if c.spool, err = s.spool(c.Name, &c.Opening, 0); err != nil {
		return err
	}
	e := s.scalar(hydraulic, c.Name, c.From, c.To)
	e.ofFlow(func(y []float64) float64 {
		open := c.spool.at(y)
		if c.NormallyOpen {
			open = 1 - open
		}
		return restriction(&c.Restriction, open, s.drop(e, y))
	})
	e.states = c.spool.states()
	s.heatsByDrop(c.Heat, e)
	c.edge = e
	return nil
}

func (c *valve) quantities(s *System) []quantity {
	return append(s.publishDrop(c.Name, c.edge), c.spool.quantity(c.Name))
}

// fourWayValve has four orifices: supply to a, b to tank, and crosswise supply to b, a to tank.
type fourWayValve struct {
	*component.FourWayValve
	ways  [4]*scalarEdge
	spool spool
}

func init() {
	know("four-way-valve", func(c *component.FourWayValve) element { return &fourWayValve{FourWayValve: c} })
}

func (c *fourWayValve) add(s *System) (err error) {
	if c.spool, err = s.spool(c.Name, &c.Opening, -1); err != nil {
		return err
	}
	for i, ends := range [4][2]string{{c.Supply, c.A}, {c.B, c.Tank}, {c.Supply, c.B}, {c.A, c.Tank}} {
		e := s.scalar(hydraulic, c.Name, ends[0], ends[1])
		sign := 1.0
		if i >= 2 {
			sign = -1
		}
		e.ofFlow(func(y []float64) float64 {
			return restriction(&c.Restriction, max(0, sign*c.spool.at(y)), s.drop(e, y))
		})
		e.states = c.spool.states()
		c.ways[i] = e
	}
	s.heatsByDrop(c.Heat, c.ways[:]...)
	return nil
}

func (c *fourWayValve) quantities(s *System) []quantity {
	flow := func(i int, y []float64) float64 { return c.ways[i].through(y) }
	return []quantity{
		published(c.Name+".flow_a", func(y []float64) float64 { return flow(0, y) - flow(3, y) }),
		published(c.Name+".flow_b", func(y []float64) float64 { return flow(2, y) - flow(1, y) }),
		published(c.Name+".flow", func(y []float64) float64 { return flow(0, y) + flow(2, y) }),
		published(c.Name+".power", func(y []float64) (sum float64) {
			for _, e := range c.ways {
				sum += s.drop(e, y) * e.through(y)
			}
			return sum
		}),
		c.spool.quantity(c.Name),
	}
}

// checkValve: q = off d + (on - off) ramp(d - forward).
type checkValve struct {
	*component.CheckValve
	edge *scalarEdge
}

func init() {
	know("check-valve", func(c *component.CheckValve) element { return &checkValve{CheckValve: c} })
}

func (c *checkValve) add(s *System) error {
	e := s.scalar(hydraulic, c.Name, c.From, c.To)
	e.ofFlow(func(y []float64) float64 {
		d := s.drop(e, y)
		return c.Off.Value*d + (c.On.Value-c.Off.Value)*rampAbove(d-c.Forward.Value, c.Width.Value)
	})
	s.heatsByDrop(c.Heat, e)
	c.edge = e
	return nil
}

func (c *checkValve) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// volume: q = V/K p'.
type volume struct {
	*component.Volume
	edge *scalarEdge
}

func init() { know("volume", func(c *component.Volume) element { return &volume{Volume: c} }) }

func (c *volume) add(s *System) error {
	e := s.scalar(hydraulic, c.Name, c.From, c.To)
	e.capacity = func([]float64) float64 {
		if c.Capacity != nil {
			return c.Capacity.Value
		}
		return c.Volume.Volume.Value / c.Modulus.Value
	}
	e.state, e.start, c.edge = c.Name+".pressure", c.Start, e
	return nil
}

func (c *volume) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// accumulator: q = C p' of a gas with (p + ambient) Vg^n constant.
type accumulator struct {
	*component.Accumulator
	edge *scalarEdge
}

func init() {
	know("accumulator", func(c *component.Accumulator) element { return &accumulator{Accumulator: c} })
}

func (c *accumulator) add(s *System) error {
	e := s.scalar(hydraulic, c.Name, c.From, c.To)
	e.capacity = func(y []float64) float64 {
		n, absolute := c.Exponent.Value, e.level(y)+c.Ambient.Value
		return c.Volume.Value * math.Pow(c.Precharge.Value+c.Ambient.Value, 1/n) / (n * math.Pow(absolute, 1+1/n))
	}
	e.state, e.start, c.edge = c.Name+".pressure", c.Start, e
	return nil
}

func (c *accumulator) quantities(s *System) []quantity {
	return append(s.publishDrop(c.Name, c.edge), published(c.Name+".gas_volume", func(y []float64) float64 {
		share := (c.Precharge.Value + c.Ambient.Value) / (c.edge.level(y) + c.Ambient.Value)
		return c.Volume.Value * math.Pow(share, 1/c.Exponent.Value)
	}))
}
