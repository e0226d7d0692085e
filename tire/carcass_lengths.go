package tire

import (
	"fmt"
	"slices"
)

// slipFunction is a relaxation function that a carcass calls: for the rate of the turn slip, and for lengths where the
// function returns them.
type slipFunction struct {
	f       Function
	turn    int   // result that is the rate of the turn slip, -1 for none
	lengths int   // first of the results that are lengths, -1 for a function that tells them in another way
	from    []int // indices of the carcass's arguments; below 0: a slip, which follows from the deflection and counts as 0
	at      []int // by argument of the carcass: which argument it is here, -1 for none

	in, out, jac, down []float64
}

// newSlipFunction returns nil where a carcass has nothing to ask for.
func newSlipFunction(t *Carcass) *slipFunction {
	k := t.RelaxationKind
	if k == nil {
		return nil
	}
	s := &slipFunction{f: t.Relaxation, turn: slices.Index(k.Outputs, turnRate),
		lengths: slices.Index(k.Outputs, SlipLengths[0])}
	if s.turn < 0 && s.lengths < 0 {
		return nil
	}
	s.at = slices.Repeat([]int{-1}, len(t.inputs))
	for i, name := range k.Inputs {
		from := t.argument(name)
		s.from = append(s.from, from)
		if from >= 0 {
			s.at[from] = i
		}
	}
	n, m := len(k.Inputs), len(k.Outputs)
	s.in, s.out, s.down, s.jac = make([]float64, n), make([]float64, m), make([]float64, m), make([]float64, n*m)
	return s
}

// reach is how many arguments of the carcass lengths depend on, which are its first ones.
func (s *slipFunction) reach(needs int) int {
	if s == nil || s.lengths < 0 {
		return needs
	}
	return max(needs, slices.Max(s.from)+1)
}

// eval evaluates the function at arguments of the carcass.
func (s *slipFunction) eval(in []float64) {
	s.take(in)
	s.f.Eval(s.in, s.out)
}

func (s *slipFunction) take(in []float64) {
	for i, from := range s.from {
		s.in[i] = 0
		if from >= 0 {
			s.in[i] = in[from]
		}
	}
}

// slopes are the derivatives at arguments of the carcass.
func (s *slipFunction) slopes(in []float64) {
	s.take(in)
	jacobianOf(s.f, s.in, s.jac, s.out, s.down)
}

// slope is the derivative of a result by an argument of the carcass, after slopes.
func (s *slipFunction) slope(result, argument int) float64 {
	if k := s.at[argument]; k >= 0 {
		return s.jac[result*len(s.in)+k]
	}
	return 0
}

// checkLengths refuses lengths that are not positive, and lengths that depend on the slip: in a carcass the slip is the
// deflection divided by the length.
func (s *slipFunction) checkLengths(k *Kind, nominal, radius float64) error {
	at := func(slip float64) ([]float64, error) {
		for i, name := range k.Inputs {
			s.in[i] = probedInput(name, nominal, 0, 0, radius)
			if s.from[i] < 0 {
				s.in[i] = slip
			}
		}
		s.f.Eval(s.in, s.out)
		if f, ok := s.f.(Fallible); ok {
			if err := f.Fault(); err != nil {
				return nil, err
			}
		}
		return slices.Clone(s.out[s.lengths:][:lengthsTold]), nil
	}
	straight, err := at(0)
	if err != nil {
		return err
	}
	for i, length := range straight {
		if !(length > 0) {
			return fmt.Errorf("the relaxation function %s returns %s = %g m at a load of %.4g N and %g m/s; a length is "+
				"above 0", k.Name, SlipLengths[i], length, nominal, probeSpeed)
		}
	}
	slipping, err := at(0.1)
	if err != nil {
		return err
	}
	for i := range straight {
		if straight[i] != slipping[i] {
			return fmt.Errorf("%s of the relaxation function %s depends on the slip (S, alpha, q1 or q2), which in a carcass "+
				"is the deflection by this length; use it with slip.method = \"delayed\", or let it depend on load and speeds",
				SlipLengths[i], k.Name)
		}
	}
	return nil
}
