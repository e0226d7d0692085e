package reference

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// pump: the flow D w enters to, leakage flows back; it takes the torque D d and friction from its shaft, where d is the
// rise of pressure.
type pump struct {
	*component.Pump
	edge  *scalarEdge
	shaft *shaftTorque   // nil without a joint
	given func() float64 // speed without a joint
}

func init() { know("pump", func(c *component.Pump) element { return &pump{Pump: c} }) }

func (c *pump) add(s *System) (err error) {
	e := s.scalar(hydraulic, c.Name, c.From, c.To)
	c.edge = e
	if c.Joint == "" {
		if c.given, err = s.course(c.Speed, c.Name); err != nil {
			return err
		}
		e.exact = c.Leakage.Value == 0
	} else {
		if c.shaft, err = s.machineOn(c.Name, c.Joint); err != nil {
			return err
		}
		c.shaft.torque = func(y []float64) float64 { return -c.torque(s, y) }
		c.shaft.of.edges, e.parts = []*scalarEdge{e}, c.shaft.touches()
	}
	e.ofFlow(func(y []float64) float64 {
		return c.Displacement.Value*c.speed(s) + c.Leakage.Value*s.drop(e, y)
	})
	s.heats(c.Heat, reading{edges: []*scalarEdge{e}, parts: e.parts}, func(y []float64) float64 {
		d := s.drop(e, y)
		return c.Leakage.Value*d*d + c.friction(s)*c.speed(s)
	})
	return nil
}

func (c *pump) speed(s *System) float64 {
	if c.shaft != nil {
		return c.shaft.speed(s)
	}
	return c.given()
}

func (c *pump) friction(s *System) float64 {
	w := c.speed(s)
	return c.Damping.Value*w + c.Friction.Value*math.Tanh(w/c.SlidingSpeed.Value)
}

// torque is what the pump takes from its shaft.
func (c *pump) torque(s *System, y []float64) float64 {
	return -c.Displacement.Value*s.drop(c.edge, y) + c.friction(s)
}

func (c *pump) quantities(s *System) []quantity {
	return append(s.publishScalar(c.Name, c.edge, "pressure", -1),
		published(c.Name+".torque", func(y []float64) float64 { return c.torque(s, y) }))
}

// cylinder pushes its ends apart by area p of the chamber head less rod_area p of the chamber rod, and moves their oil.
type cylinder struct {
	*component.Cylinder
	on            coordinate
	chambers      []*chamber
	length, force float64 // at the latest evaluation
}

// chamber is one side of a piston.
type chamber struct {
	side         string
	area         float64 // of the flow into it when the cylinder grows
	moved, taken *scalarEdge
}

func init() { know("cylinder", func(c *component.Cylinder) element { return &cylinder{Cylinder: c} }) }

func (c *cylinder) add(s *System) (err error) {
	c.on = coordinate{from: s.markers[c.Tail], to: s.markers[c.Front]}
	if c.Joint != "" {
		if c.on, err = s.coordinateOf(c.Name, c.Joint); err != nil {
			return err
		}
	}
	c.chamber(s, "head", c.HeadNode, c.Area.Value, c.Dead, c.Start)
	if c.Rod != "" && c.Rod != component.GroundFrame {
		dead := c.Dead
		if c.RodDead != nil {
			dead = c.RodDead
		}
		c.chamber(s, "rod", c.Rod, -c.RodArea.Value, dead, c.RodStart)
	}
	s.heats(c.Heat, reading{parts: c.touches()}, func(y []float64) float64 {
		_, rate, _ := c.on.measure(s, y)
		return c.friction(rate) * rate
	})
	s.loads = append(s.loads, c)
	return nil
}

func (c *cylinder) chamber(s *System, side, node string, area float64, dead, start *keys.Scalar) {
	ch := &chamber{side: side, area: area, moved: s.scalar(hydraulic, c.Name, node, "")}
	ch.moved.ofFlow(func(y []float64) float64 {
		_, rate, _ := c.on.measure(s, y)
		return area * rate
	})
	ch.moved.parts = c.touches()
	if c.Modulus != nil {
		ch.taken = s.scalar(hydraulic, c.Name, node, "")
		ch.taken.capacity = func(y []float64) float64 {
			volume := dead.Value
			if c.Length != nil {
				at, _, _ := c.on.measure(s, y)
				volume += area * (at - c.Length.Value)
			}
			return volume / c.Modulus.Value
		}
		ch.taken.parts = c.touches()
		ch.taken.state, ch.taken.start = c.Name+"."+side+"_pressure", start
	}
	c.chambers = append(c.chambers, ch)
}

// friction is the force of the seals against the motion.
func (c *cylinder) friction(rate float64) float64 {
	return c.Friction.Value * math.Tanh(rate/c.SlidingSpeed.Value)
}

func (c *cylinder) apply(s *System, y []float64) {
	length, rate, u := c.on.measure(s, y)
	c.length, c.force = length, -c.friction(rate)
	for _, ch := range c.chambers {
		c.force += ch.area * s.drop(ch.moved, y)
	}
	c.on.pull(s, r3.Scale(-c.force, u))
}

func (c *cylinder) touches() []int { return []int{c.on.from.part, c.on.to.part} }

func (c *cylinder) reads() *reading {
	r := &reading{}
	for _, ch := range c.chambers {
		r.edges = append(r.edges, ch.moved)
	}
	return r
}

func (c *cylinder) quantities(s *System) []quantity {
	list := []quantity{number(c.Name+".force", &c.force), number(c.Name+".length", &c.length)}
	for _, ch := range c.chambers {
		list = append(list,
			published(c.Name+"."+ch.side+"_pressure", func(y []float64) float64 { return s.drop(ch.moved, y) }),
			published(c.Name+"."+ch.side+"_flow", func(y []float64) float64 {
				if ch.taken == nil {
					return ch.moved.through(y)
				}
				return ch.moved.through(y) + ch.taken.through(y)
			}))
	}
	return list
}

// caliper takes oil by its capacity, and brakes its joint by 2 mu A r ramp(p - push_out).
type caliper struct {
	*component.Caliper
	edge  *scalarEdge
	taken *table // volume over the pressure; nil for a constant capacity
}

func init() { know("caliper", func(c *component.Caliper) element { return &caliper{Caliper: c} }) }

func (c *caliper) add(s *System) (err error) {
	if c.taken, err = networkCurve(c.Name+".capacity", c.Volume); err != nil {
		return err
	}
	on, err := s.coordinateOf(c.Name, c.Joint)
	if err != nil {
		return err
	}
	e := s.scalar(hydraulic, c.Name, c.From, "")
	e.capacity = func(y []float64) float64 {
		if c.taken == nil {
			return c.Capacity.Value
		}
		_, slope, _ := c.taken.derivatives(e.level(y))
		return slope
	}
	e.state, e.start, c.edge = c.Name+".pressure", c.Start, e
	s.loads = append(s.loads, &torque{from: on.from, to: on.to, axis: on.axis, brake: true, pressed: c})
	return nil
}

// torque is the magnitude of the brake torque.
func (c *caliper) torque(s *System, y []float64) float64 {
	pressure := s.drop(c.edge, y)
	return 2 * c.Friction.Value * c.Area.Value * c.Radius.Value * rampAbove(pressure-c.PushOut.Value, c.Width.Value)
}

func (c *caliper) quantities(s *System) []quantity {
	return append(s.publishScalar(c.Name, c.edge, "pressure", 1)[:2],
		published(c.Name+".torque", func(y []float64) float64 { return c.torque(s, y) }))
}
