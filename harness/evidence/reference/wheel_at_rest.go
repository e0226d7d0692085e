package reference

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// atRest makes the rolling resistance of a wheel act as a brake. Below the spin of full action it blends into the
// moment that holds the wheel against those loads that the wheel's brake does not hold. All loads have been applied.
type atRest struct{ *wheel }

func (l atRest) apply(s *System, _ []float64) {
	w := l.wheel
	c := s.at(&w.centre)
	axle := c.axes[w.component.Axis]
	inertia := s.inertiaAbout(&w.centre, axle)
	most := math.Abs(w.momentP[1])
	full := 0.05
	if inertia > 0 {
		full = max(full, 15*most*s.model.Solver.Step/(2*inertia))
	}
	left := 1 - math.Abs(against(w.at.Omega/full))
	if left == 0 || most == 0 {
		return
	}
	arm := r3.Sub(s.motions[w.centre.part].r, c.r)
	load := r3.Dot(axle, r3.Add(s.moments[w.centre.part], r3.Cross(arm, s.forces[w.centre.part])))
	load -= r3.Dot(axle, w.braked)
	others := load/r3.Dot(axle, w.across) - w.momentP[1]
	holdingMoment := max(-most, min(most, others))
	less := left * (w.momentP[1] + holdingMoment)
	w.momentP[1] -= less
	s.turn(w.centre.part, r3.Scale(-less, w.across))
}
