package reference

import (
	"fmt"
	"math"

	"skidpad/model/component"
	"skidpad/model/curve"
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
	for name, curves := range map[string]*curve.Curve{"full_load": m.FullLoad, "drag": m.Drag} {
		if curves != nil && curves.X[0] < 0 {
			return fmt.Errorf("%s.%s begins below 0 rad/s, which the reference solver does not have", m.Name, name)
		}
	}
	m.drag.resistsForward()
	s.loads = append(s.loads, m)
	s.spin(m.Spinning, m.driven, m.Ratio.Value)
	return nil
}

func (m *motor) apply(s *System, _ []float64) {
	m.rate = m.Ratio.Value * m.driven.speed(s)
	m.torque = m.reversible(m.rate, min(max(s.inputs.values[m.throttle], 0), 1))
	m.driven.turn(s, m.Ratio.Value*m.torque)
}

// reversible is the torque at a speed. Backwards it has the size of the torque at standstill, against the rotation. In
// the last rad/s before standstill two cubic polynomials of the speed make slope and value continuous.
func (m *motor) reversible(rate, open float64) float64 {
	at := func(rate float64) float64 { return open*m.full.at(rate) + (1-open)*m.drag.at(rate) }
	if rate >= 0 {
		return at(rate)
	}
	still := at(0)
	if rate <= -1 {
		return math.Abs(still)
	}
	share := rate * rate * (3 + 2*rate)
	return at(rate+2*rate*rate+rate*rate*rate) + share*(math.Abs(still)-still)
}

func (m *motor) touches() []int { return m.driven.parts() }

func (m *motor) quantities(*System) []quantity {
	return []quantity{number(m.Name+".speed", &m.rate), number(m.Name+".torque", &m.torque)}
}
