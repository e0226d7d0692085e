package cosim

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
)

// limitOfExplicit is the product of rate and step from which on explicit methods of order 1 and 2 are unstable.
const limitOfExplicit = 2

// fastNetwork warns of networks that are too fast for explicit steps, at the first state that is looked at: of the
// eigenvalue of the networks' states with the largest magnitude, all other states held.
func (in notes) fastNetwork() []notice {
	if len(in.sys.program.Networks) == 0 || in.method.Implicit || !in.initialised {
		return nil
	}
	if in.network == nil {
		list := in.networkNotices()
		in.network = &list
	}
	return *in.network
}

func (in notes) networkNotices() []notice {
	rate, state := in.fastestNetworkState()
	step := in.settings[stepSetting]
	if !(rate*step > limitOfExplicit) {
		return nil
	}
	n := &in.sys.program.Networks[state]
	subject := "the flow of " + n.Component
	if n.Node != "" {
		subject = fmt.Sprintf("node %q", n.Node)
	}
	remedy := fmt.Sprintf("linearly-implicit or a step below %s", seconds(limitOfExplicit/rate))
	if n.Without != "" {
		remedy = fmt.Sprintf("linearly-implicit, a step below %s, or %s", seconds(limitOfExplicit/rate), n.Without)
	}
	return noticed(networkRule, fmt.Sprintf("%s: %s moves within %s, the step is %s: use %s", n.Component, subject,
		seconds(1/rate), seconds(step), remedy))
}

// seconds is a time with a unit.
func seconds(t float64) string {
	switch {
	case t < 0.9995e-3:
		return fmt.Sprintf("%.3g us", t*1e6)
	case t < 0.9995:
		return fmt.Sprintf("%.3g ms", t*1e3)
	}
	return fmt.Sprintf("%.3g s", t)
}

// fastestNetworkState is the largest magnitude among the eigenvalues [1/s] of the networks' states, and the state with
// the largest part in it, as an index among the networks' states.
func (in notes) fastestNetworkState() (rate float64, state int) {
	list := in.sys.program.Networks
	n := len(list)
	at, rates, moved := append([]float64(nil), in.x...), make([]float64, len(in.x)), make([]float64, len(in.x))
	in.rates(in.t, at, rates)
	jacobian := mat.NewDense(n, n, nil)
	scales := make([]float64, n)
	for j, s := range list {
		scales[j] = max(math.Abs(in.x[s.State]), program.Usual(in.sys.program.States[s.State].Unit))
		h := 1e-6 * scales[j]
		at[s.State] += h
		in.rates(in.t, at, moved)
		at[s.State] = in.x[s.State]
		for i, other := range list {
			jacobian.Set(i, j, (moved[other.State]-rates[other.State])/h)
		}
	}
	in.fresh = false
	for i := range n { // in comparable units
		for j := range n {
			jacobian.Set(i, j, jacobian.At(i, j)*scales[j]/scales[i])
		}
	}
	var e mat.Eigen
	if !e.Factorize(jacobian, mat.EigenRight) {
		return 0, 0
	}
	var shapes mat.CDense
	e.VectorsTo(&shapes)
	for k, value := range e.Values(nil) {
		if m := cmplx.Abs(value); m > rate {
			rate, state = m, 0
			for i := range n {
				if cmplx.Abs(shapes.At(i, k)) > cmplx.Abs(shapes.At(state, k)) {
					state = i
				}
			}
		}
	}
	return rate, state
}
