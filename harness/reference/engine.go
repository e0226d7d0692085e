package reference

import (
	"fmt"

	"skidpad/model/component"
)

// motor is an engine.
type motor struct {
	*component.Engine
	driven       output
	throttle     int
	full, drag   *table
	rate, torque float64
}

func init() { know("engine", func(c *component.Engine) element { return &motor{Engine: c} }) }

func (m *motor) add(s *System) error {
	m.driven, m.throttle = s.output(m.Drives, ""), s.input(m.Name+".throttle")
	if m.Map != nil {
		return fmt.Errorf("%s has a surface, which the reference solver does not have; use curves", m.Name)
	}
	m.full, m.drag = monotone(m.FullLoad), monotone(m.Drag)
	s.loads = append(s.loads, m)
	s.spin(m.Spinning, m.driven, m.Ratio.Value)
	return nil
}

func (m *motor) apply(s *System, _ []float64) {
	m.rate = m.Ratio.Value * m.driven.speed(s)
	open := min(max(s.inputs.values[m.throttle], 0), 1)
	m.torque = open*m.full.at(m.rate) + (1-open)*m.drag.at(m.rate)
	m.driven.turn(s, m.Ratio.Value*m.torque)
}

func (m *motor) touches() []int { return m.driven.parts() }

func (m *motor) quantities(*System) []quantity {
	return []quantity{number(m.Name+".speed", &m.rate), number(m.Name+".torque", &m.torque)}
}
