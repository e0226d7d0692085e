package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// air is the air's force and moment on a frame.
type air struct {
	*component.Aerodynamics
	at                                         marker
	wind                                       int // input of wind_x and wind_y
	drag, liftFront, liftRear, side, roll, yaw *table
	speed, slip                                float64
	force, moment                              r3.Vec // frame axes
}

func init() {
	know("aerodynamics", func(c *component.Aerodynamics) element { return &air{Aerodynamics: c} })
}

func (l *air) add(s *System) error {
	l.at, l.wind = s.markers[l.Frame], s.input(l.Name+".wind_x", l.Name+".wind_y")
	if l.OverHeight() {
		return fmt.Errorf("%s has a surface, which the reference solver does not have; use curves", l.Name)
	}
	l.drag, l.side = monotone(l.DragCurve), monotone(l.SideCurve)
	l.liftFront, l.liftRear = monotone(l.LiftFrontCurve), monotone(l.LiftRearCurve)
	l.roll, l.yaw = monotone(l.RollCurve), monotone(l.YawCurve)
	s.loads = append(s.loads, l)
	return nil
}

func (l *air) apply(s *System, _ []float64) {
	m := s.at(&l.at)
	against := m.in(r3.Sub(m.v, r3.Vec{X: s.inputs.values[l.wind], Y: s.inputs.values[l.wind+1]}))
	square := against.X*against.X + against.Y*against.Y
	l.speed, l.slip = math.Sqrt(square+1e-4), math.Atan2(against.Y, math.Sqrt(against.X*against.X+1e-4))
	forwards, qA := math.Tanh(against.X), 0.5*l.Density.Value*square*l.Area.Value
	coefficient := func(scalar keys.Scalar, of float64, t *table) float64 {
		return scalar.Value*of + t.at(l.slip)
	}
	front, rear := coefficient(l.LiftFront, 1, l.liftFront), coefficient(l.LiftRear, 1, l.liftRear)
	l.force = r3.Scale(qA, r3.Vec{
		X: -forwards * coefficient(l.Drag, 1, l.drag), Y: -coefficient(l.Side, l.slip, l.side), Z: front + rear,
	})
	half := l.Length.Value / 2
	l.moment = r3.Add( // the lifts by their arms
		r3.Add(r3.Cross(r3.Vec{X: half}, r3.Vec{Z: qA * front}), r3.Cross(r3.Vec{X: -half}, r3.Vec{Z: qA * rear})),
		r3.Scale(qA*l.Length.Value, r3.Vec{
			X: coefficient(l.Roll, l.slip, l.roll), Z: -forwards * coefficient(l.Yaw, l.slip, l.yaw),
		}))
	s.push(l.at.part, m.out(l.force), m.r)
	s.turn(l.at.part, m.out(l.moment))
}

func (l *air) touches() []int { return []int{l.at.part} }

func (l *air) quantities(*System) []quantity {
	return []quantity{
		number(l.Name+".airspeed", &l.speed), number(l.Name+".side_slip", &l.slip),
		number(l.Name+".Fx", &l.force.X), number(l.Name+".Fy", &l.force.Y), number(l.Name+".Fz", &l.force.Z),
		number(l.Name+".Mx", &l.moment.X), number(l.Name+".My", &l.moment.Y), number(l.Name+".Mz", &l.moment.Z),
	}
}
