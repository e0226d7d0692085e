package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// motor is an engine with what turns with it: a rotor whose momentum along its axis, in a part that
// carries it, is that of its speed against that part.
type motor struct {
	*component.Engine
	driven       output
	throttle     int
	full, drag   *table
	carrier      marker
	rate, torque float64
}

func init() { know("engine", func(c *component.Engine) element { return &motor{Engine: c} }) }

func (m *motor) add(s *System) error {
	m.driven, m.throttle, m.carrier = s.output(m.Drives, ""), s.input(m.Name+".throttle"), s.markers[m.Frame]
	if m.Map != nil {
		return fmt.Errorf("%s has a surface, which the reference solver does not have; use curves", m.Name)
	}
	m.full, m.drag = monotone(m.FullLoad), monotone(m.Drag)
	s.loads = append(s.loads, m)
	return nil
}

func (m *motor) apply(s *System, _ []float64) {
	m.rate = m.Ratio.Value * m.driven.speed(s)
	open := min(max(s.inputs.values[m.throttle], 0), 1)
	m.torque = open*m.full.at(m.rate) + (1-open)*m.drag.at(m.rate)
	m.driven.turn(s, m.Ratio.Value*m.torque)
	if m.Inertia.Value == 0 {
		return
	}
	// what the rotor has of inertia loads without angular accelerations; momentum is I w a
	carrier := s.at(&m.carrier)
	axis, turning, _ := carrier.fixed(triple(m.Axis))
	slide := m.Ratio.Value * m.driven.slide(s)
	for _, l := range m.levers(s) {
		s.turn(l.part, r3.Scale(-m.Inertia.Value*slide, l.by))
	}
	s.turn(m.carrier.part, r3.Scale(-m.Inertia.Value, r3.Add(r3.Scale(slide, axis), r3.Scale(m.rate, turning))))
}

// levers are those of the speed against the carrier.
func (m *motor) levers(s *System) []lever {
	var list []lever
	for _, l := range m.driven.levers(s) {
		list = append(list, lever{l.part, r3.Scale(m.Ratio.Value, l.by)})
	}
	return list
}

func (m *motor) touches() []int {
	if m.Inertia.Value == 0 {
		return m.driven.parts()
	}
	return append(m.driven.parts(), m.carrier.part)
}

// rotorEntries gives add what rotors add to the matrix of inertia, in the rows and columns of angular
// velocities.
func (s *System) rotorEntries(add func(row, column int, value float64)) {
	for _, load := range s.loads {
		m, is := load.(*motor)
		if !is || m.Inertia.Value == 0 {
			continue
		}
		carrier := s.at(&m.carrier)
		along := lever{m.carrier.part, carrier.out(triple(m.Axis))}
		product := func(a, b lever) {
			if a.part < s.fixed || b.part < s.fixed {
				return
			}
			for i, x := range components(a.by) {
				for k, y := range components(b.by) {
					add(s.parts[a.part].v+3+i, s.parts[b.part].v+3+k, m.Inertia.Value*x*y)
				}
			}
		}
		own := m.levers(s)
		for _, l := range own {
			for _, k := range own {
				product(l, k)
			}
			product(l, along)
			product(along, l)
		}
	}
}

func (m *motor) quantities(*System) []quantity {
	return []quantity{number(m.Name+".speed", &m.rate), number(m.Name+".torque", &m.torque)}
}
