package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// rotor is an inertia geared to a shaft. Its angular momentum along the shaft axis is inertia times its speed relative
// to the carrier.
type rotor struct {
	shaft   output
	ratio   float64
	inertia float64
	carrier marker
	axis    r3.Vec // in the carrier
}

// spin adds what turns with a shaft, if it has inertia.
func (s *System) spin(c component.Spinning, shaft output, ratio float64) {
	if c.Inertia.Value != 0 {
		s.loads = append(s.loads, &rotor{shaft, ratio, c.Inertia.Value, s.markers[c.Frame], triple(c.Axis)})
	}
}

// apply is the inertia load without angular accelerations; momentum is I w a.
func (r *rotor) apply(s *System, _ []float64) {
	carrier := s.at(&r.carrier)
	axis, turning, _ := carrier.fixed(r.axis)
	rate, slide := r.ratio*r.shaft.speed(s), r.ratio*r.shaft.slide(s)
	for _, l := range r.levers(s) {
		s.turn(l.part, r3.Scale(-r.inertia*slide, l.by))
	}
	s.turn(r.carrier.part, r3.Scale(-r.inertia, r3.Add(r3.Scale(slide, axis), r3.Scale(rate, turning))))
}

// levers are the levers of the speed against the carrier.
func (r *rotor) levers(s *System) []lever {
	var list []lever
	for _, l := range r.shaft.levers(s) {
		list = append(list, lever{l.part, r3.Scale(r.ratio, l.by)})
	}
	return list
}

func (r *rotor) touches() []int { return append(r.shaft.parts(), r.carrier.part) }

// rotorEntries gives add what rotors add to the matrix of inertia, in the rows and columns of angular
// velocities.
func (s *System) rotorEntries(add func(row, column int, value float64)) {
	for _, load := range s.loads {
		r, is := load.(*rotor)
		if !is {
			continue
		}
		carrier := s.at(&r.carrier)
		along := lever{r.carrier.part, carrier.out(r.axis)}
		product := func(a, b lever) {
			if a.part < s.fixed || b.part < s.fixed {
				return
			}
			for i, x := range components(a.by) {
				for k, y := range components(b.by) {
					add(s.parts[a.part].v+3+i, s.parts[b.part].v+3+k, r.inertia*x*y)
				}
			}
		}
		own := r.levers(s)
		for _, l := range own {
			for _, k := range own {
				product(l, k)
			}
			product(l, along)
			product(along, l)
		}
	}
}
