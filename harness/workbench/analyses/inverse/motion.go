package inverse

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/trace"
)

// Motion has the position, the rate and the acceleration of a driver at each time of a run.
type Motion struct {
	Driver                       modelfile.Driven
	Position, Rate, Acceleration []float64
	Splined                      []string // which of rate and acceleration come from splines
}

// names of the position and the rate of joints in a run.
var jointNames = map[bool][2]string{false: {".phi", ".omega"}, true: {".s", ".s_dot"}}

// motionOf takes the motion of a driver from a run: its inputs by their names, or coordinate and rate of the joint in
// whose place it is. What the run lacks of rates and accelerations follows from splines with continuous second
// derivatives. found is false where the run has no position.
func motionOf(run *trace.Trace, d modelfile.Driven) (m Motion, found bool, err error) {
	names := [3][]string{{d.Position()}, {d.Rate()}, {d.Acceleration()}}
	if d.Joint {
		joint := jointNames[d.Translation]
		names[0], names[1] = append(names[0], d.Name+joint[0]), append(names[1], d.Name+joint[1])
	}
	column := func(names []string) []float64 {
		for _, name := range names {
			if run.Has(name) {
				return run.Column(name)
			}
		}
		return nil
	}
	m = Motion{d, column(names[0]), column(names[1]), column(names[2]), nil}
	if m.Position == nil {
		return m, false, nil
	}
	for _, of := range []struct {
		name string
		list []float64
	}{{d.Position(), m.Position}, {d.Rate(), m.Rate}, {d.Acceleration(), m.Acceleration}} {
		for i, x := range of.list {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return m, true, fmt.Errorf("%s is %g at %.6g s; the motion must be finite", of.name, x, run.Time[i])
			}
		}
	}
	bent := m.Rate == nil && m.Acceleration == nil
	if m.Rate == nil {
		if m.Rate, err = derivative(run.Time, m.Position); err != nil {
			return m, true, fmt.Errorf("%s: %w", d.Rate(), err)
		}
		m.Splined = append(m.Splined, d.Rate())
	}
	if m.Acceleration == nil {
		if bent {
			m.Acceleration = curvature(run.Time, m.Position, m.Rate)
		} else if m.Acceleration, err = derivative(run.Time, m.Rate); err != nil {
			return m, true, fmt.Errorf("%s: %w", d.Acceleration(), err)
		}
		m.Splined = append(m.Splined, d.Acceleration())
	}
	return m, true, nil
}

// derivative is the slope of the cubic spline through points. The spline has continuous second derivatives; its third
// derivative is continuous at the second and at the last but one point ("not a knot").
func derivative(times, values []float64) ([]float64, error) {
	if len(times) < 4 {
		return nil, fmt.Errorf("the run has %d rows; a spline needs at least 4, or name the column", len(times))
	}
	var spline interp.NotAKnotCubic
	if err := spline.Fit(times, values); err != nil {
		return nil, err
	}
	slopes := make([]float64, len(times))
	for i, t := range times {
		slopes[i] = spline.PredictDerivative(t)
	}
	return slopes, nil
}

// curvature is the second derivative of the spline whose slopes are given, at its points.
func curvature(times, values, slopes []float64) []float64 {
	bends := make([]float64, len(times))
	for i := range times {
		k := min(i, len(times)-2)
		h := times[k+1] - times[k]
		rise := (values[k+1] - values[k]) / h
		bends[i] = (6*rise - 4*slopes[k] - 2*slopes[k+1]) / h
		if i > k { // at the end of the last piece
			bends[i] = (-6*rise + 2*slopes[k] + 4*slopes[k+1]) / h
		}
	}
	return bends
}

// splined lists what of the motions follows from splines.
func splined(motions []Motion) (list []string) {
	for _, m := range motions {
		list = append(list, m.Splined...)
	}
	slices.Sort(list)
	return list
}
