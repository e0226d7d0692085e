package cosim

import (
	"fmt"
	"math"
	"slices"

	"skidpad/tire"
)

// The peaks of tires are variables behind the coefficients of tires, such as <tire>.mu_x_peak. Only reading one of
// these variables starts a search, so that other runs pay nothing.

// The peak variables, in the order of tire.PeakVariables.
const (
	frictionAlong = iota
	frictionAcross
	slipAlong
	slipAcross
	foundAlong
	foundAcross
	utilisation
)

// peakVariable is a peak variable, given by the parts of its index.
type peakVariable struct {
	carrier, which int
	of             *carrier
}

func (v peakVariable) name() string { return v.of.name + "." + tire.PeakVariables[v.which].Name }

// firstPeak is the index of the first peak variable.
func (s *System) firstPeak() int { return s.coefficientIndex(len(s.carriers), false, 0) }

// peak returns the peak variable of an index; false if the index belongs to none.
func (s *System) peak(index int) (peakVariable, bool) {
	at, n := index-s.firstPeak(), len(tire.PeakVariables)
	if at < 0 || at >= n*len(s.carriers) || s.carriers[at/n].calls[forceCall] < 0 {
		return peakVariable{}, false
	}
	return peakVariable{at / n, at % n, &s.carriers[at/n]}, true
}

// Peaks lists the peak variables of the tires whose functions in the model file can have peaks.
func (s *System) Peaks() []TireVariable { return s.listPeaks(s.startTexts()) }

// listPeaks lists the peak variables of the tires whose functions, as texts name them, can have peaks.
func (s *System) listPeaks(texts []string) (list []TireVariable) {
	for i, c := range s.carriers {
		if call := c.calls[forceCall]; call < 0 {
			continue
		} else if name, _ := s.chosen(call, s.program.Calls[call], texts); !tire.CanHavePeaks(name) {
			continue
		}
		for which, info := range tire.PeakVariables {
			index := s.firstPeak() + i*len(tire.PeakVariables) + which
			v, _ := s.peak(index)
			if _, own := s.index[v.name()]; !own {
				list = append(list, TireVariable{Variable: Variable{Name: v.name(), Unit: info.Unit, Text: info.Text,
					Kind: Peak, State: -1, parameter: -1}, Index: index, Call: c.calls[forceCall]})
			}
		}
	}
	return list
}

// peakSearches holds the search of one tire and the latest result for each axis. A result follows from its key alone.
type peakSearches struct {
	functions *bindings // with the function of the search
	changes   int       // count of changes of their coefficients
	search    *tire.PeakSearch
	latest    [2]struct {
		key  []float64
		peak tire.Peak
	}
	key []float64
}

// peaks is an instance with the methods for the peaks of its tires.
type peaks struct{ *Instance }

// value computes a peak variable at the present point, with the searches it needs.
func (in peaks) value(v peakVariable) (float64, error) {
	if !in.prepared {
		return 0, fmt.Errorf("%s has no value before initialisation", v.name())
	}
	if err := in.refresh(); err != nil {
		return 0, err
	}
	p, err := in.searches(v)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", v.name(), err)
	}
	load := *in.machine.Offered(v.of.calls[forceCall], "Fz")
	if load == 0 {
		return 0, nil
	}
	x, err := in.ofPeaks(p, v, load)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", v.name(), err)
	case x-x != 0:
		return 0, fmt.Errorf("%w: %s is %v at a normal force of %g N", ErrNotFinite, v.name(), x, load)
	}
	return x, nil
}

// searches returns the searches of a tire for its present function.
func (in peaks) searches(v peakVariable) (*peakSearches, error) {
	if in.peaks == nil {
		in.peaks = make([]peakSearches, len(in.sys.carriers))
	}
	p := &in.peaks[v.carrier]
	if p.search != nil && p.functions == in.tires && p.changes == in.changes {
		return p, nil
	}
	call := v.of.calls[forceCall]
	search, err := tire.NewPeakSearch(in.tires.functions[call], in.tires.kinds[call])
	if err != nil {
		return nil, err
	}
	*p = peakSearches{functions: in.tires, changes: in.changes, search: search}
	return p, nil
}

// ofPeaks computes a variable of a tire that carries a load [N].
func (in peaks) ofPeaks(p *peakSearches, v peakVariable, load float64) (float64, error) {
	if v.which == utilisation {
		var share [2]float64
		for axis, force := range [...]string{"Fx", "Fy"} {
			peak, err := in.find(p, v, tire.Axis(axis))
			if err != nil {
				return 0, err
			}
			x, err := in.ofTire(v, force)
			if err != nil {
				return 0, err
			}
			if x != 0 {
				share[axis] = x / peak.Force
			}
		}
		return math.Hypot(share[0], share[1]), nil
	}
	peak, err := in.find(p, v, tire.Axis(v.which%2))
	switch {
	case err != nil:
		return 0, err
	case v.which <= frictionAcross:
		return peak.Force / load, nil
	case v.which <= slipAcross:
		return peak.Slip, nil
	case peak.Found:
		return 1, nil
	}
	return 0, nil
}

// find searches for a peak on the side of the present slip. Equal arguments return the latest result.
func (in peaks) find(p *peakSearches, v peakVariable, axis tire.Axis) (tire.Peak, error) {
	slip, err := in.ofTire(v, [...]string{"kappa", "alpha"}[axis])
	if err != nil {
		return tire.Peak{}, err
	}
	side := 1.0
	if slip < 0 {
		side = -1
	}
	call := v.of.calls[forceCall]
	p.search.Arrange(axis, side, func(name string) float64 {
		if at := in.machine.Offered(call, name); at != nil {
			return *at
		}
		return 0
	})
	latest := &p.latest[axis]
	if p.key = p.search.Key(p.key[:0]); slices.Equal(p.key, latest.key) {
		return latest.peak, nil
	}
	peak, err := p.search.Find()
	if err != nil {
		return tire.Peak{}, fmt.Errorf("%w: %w", ErrFunction, err)
	}
	latest.key, latest.peak = append(latest.key[:0], p.key...), peak
	return peak, nil
}

// ofTire returns a published variable of a tire.
func (in peaks) ofTire(v peakVariable, key string) (float64, error) {
	i, found := in.sys.index[v.of.name+"."+key]
	if !found {
		return 0, fmt.Errorf("the model has no variable %s.%s", v.of.name, key)
	}
	return in.Get(i)
}
