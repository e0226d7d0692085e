package measurement

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// Residual is how far a run is from a measured variable: the run at the measured times less the measurement.
type Residual struct {
	Measured Series // at the times within the run
	Values   []float64
	RMS      float64
	Largest  float64 // with its sign
	At       float64 // s
	// Explained is the share of the measured variance that the run explains: 1 less the ratio of mean squares of residual
	// and of measured deviation. NaN where the measured values are equal.
	Explained float64
}

// Residual compares a variable of a run with the measurement.
func (m *Measurement) Residual(run *trace.Trace, name string) (*Residual, error) {
	all, err := m.Series(name, unitIn(run, name))
	if err != nil {
		return nil, err
	}
	if m.time == nil {
		return nil, fmt.Errorf("%s has no column of time; name it in [column], as in time = { name = %q, unit = \"s\" }",
			m.File, m.table.names()[0])
	}
	r := &Residual{Measured: Series{Name: all.Name, Unit: all.Unit}}
	ours := run.Column(name)
	var mean, squares, spread float64
	for _, p := range all.Pieces() {
		begins := true
		for i := p[0]; i < p[1]; i++ {
			x, ok := interpolated(run.Time, ours, all.Time[i])
			if !ok {
				continue
			}
			if begins {
				r.Measured.starts = append(r.Measured.starts, len(r.Values))
				begins = false
			}
			d := trace.Wrapped(name, x-all.Values[i])
			r.Measured.Time, r.Measured.Values = append(r.Measured.Time, all.Time[i]), append(r.Measured.Values, all.Values[i])
			r.Values = append(r.Values, d)
			mean += all.Values[i]
			squares += d * d
			if math.Abs(d) > math.Abs(r.Largest) || len(r.Values) == 1 {
				r.Largest, r.At = d, all.Time[i]
			}
		}
	}
	count := float64(len(r.Values))
	if count < 2 {
		return nil, fmt.Errorf("%s: %s is measured from %.4g s to %.4g s, the run from %.4g s to %.4g s; give the "+
			"time between them in shift, or a variable in align", m.File, name, all.Time[0], all.Time[len(all.Time)-1],
			run.Time[0], run.Time[len(run.Time)-1])
	}
	mean /= count
	for _, y := range r.Measured.Values {
		spread += (y - mean) * (y - mean)
	}
	r.RMS, r.Explained = math.Sqrt(squares/count), math.NaN()
	if spread > 1e-24*count*mean*mean {
		r.Explained = 1 - squares/spread
	}
	return r, nil
}
