package tire_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// Eval and Jacobian write all of their results, on the road and in the air: earlier contents of the slices have no
// influence.
func TestEveryOutputIsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for name, parameters := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		f := made(t, name, parameters...).(tire.Differentiable)
		for _, air := range []bool{false, true} {
			in := tiretest.Sample(r, k.Inputs)
			if air && k.Inputs[0] == "Fz" {
				in[0] = -1
			}
			results := func(old float64) []float64 {
				all := make([]float64, len(k.Outputs)*(1+len(in)))
				for i := range all {
					all[i] = old
				}
				f.Eval(in, all[:len(k.Outputs)])
				f.Jacobian(in, all[len(k.Outputs):])
				return all
			}
			for i, clean := range results(0) {
				if dirty := results(7)[i]; dirty != clean {
					t.Errorf("%s, in the air %v: result %d is %g, in a used slice %g", name, air, i, clean, dirty)
				}
			}
		}
	}
}

// Beyond the largest value of an input the results equal the results at this value, so they no longer depend on this
// input. Their dependence on the other inputs stays.
func TestDerivativesByInputsBeyondTheirBoundsVanish(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	unbounded := map[string]bool{"Omega": true, "Reff": true}
	for name, parameters := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		f := made(t, name, parameters...).(tire.Differentiable)
		n, m := len(k.Inputs), len(k.Outputs)
		jac, far, further := make([]float64, n*m), make([]float64, m), make([]float64, m)
		for j, input := range k.Inputs {
			if unbounded[input] {
				continue
			}
			in := tiretest.Sample(r, k.Inputs)
			in[j] = 1e12
			f.Eval(in, far)
			f.Jacobian(in, jac)
			in[j] = 1e13
			f.Eval(in, further)
			others := 0
			for i := range m {
				if far[i] != further[i] || jac[i*n+j] != 0 {
					t.Errorf("%s: %s is %g at %s = 1e12, %g at 1e13, derivative %g", name, k.Outputs[i], far[i], input,
						further[i], jac[i*n+j])
				}
				for _, slope := range jac[i*n : i*n+n] {
					if slope != 0 {
						others++
					}
				}
			}
			if others == 0 {
				t.Errorf("%s: with %s beyond its bound all derivatives vanish", name, input)
			}
		}
	}
}

// From the comprehensive slip 1 on, Fiala's friction is constant, mu1. The derivatives of the forces along and across
// the sliding wheel are then those with constant friction.
func TestFialaJacobianAgreesWithDifferencesWhileSliding(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	k := tiretest.Lookup(t, "Fiala")
	f := made(t, "Fiala", tiretest.Parameters(t, tires)["Fiala"]...)
	var d differences
	for range 200 {
		in := tiretest.Sample(r, k.Inputs)
		in[1] = math.Copysign(1.05+2*r.Float64(), in[1])
		in[2] *= 4
		d.compare(t, k, f, in)
	}
	d.judge(t, k.Name)
}

// A small load leaves the shortest relaxation lengths, on which the load and the inclination have no influence.
func TestRelaxationJacobianAgreesWithDifferencesOnTheShortestLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 58))
	for _, name := range []string{"StretchedString", "StretchedStringLimited"} {
		k := tiretest.Lookup(t, name)
		f := made(t, name, tiretest.Parameters(t, tires)[name]...)
		jac := make([]float64, 16)
		var d differences
		for range 100 {
			in := tiretest.Sample(r, k.Inputs)
			in[0] = 0.3 + 4*r.Float64()
			d.compare(t, k, f, in)
			f.(tire.Differentiable).Jacobian(in, jac)
			if jac[0] != 0 || jac[8] != 0 || jac[9] != 0 {
				t.Fatalf("%s: derivatives by load %g, %g and inclination %g at %v", name, jac[0], jac[8], jac[9], in)
			}
		}
		d.judge(t, name)
	}
}

// The rates of the slips do not jump between forward travel, standstill and reverse. They depend on magnitudes of
// speeds, whose slope at standstill is the mean of both sides, 0.
func TestRelaxationIsContinuousThroughStandstill(t *testing.T) {
	for name, parameters := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		if k.Outputs[0] != "q1dot" {
			continue
		}
		f := made(t, name, parameters...).(tire.Differentiable)
		n := len(k.Inputs)
		in, out, last, jac := make([]float64, n), make([]float64, len(k.Outputs)), make([]float64, len(k.Outputs)),
			make([]float64, len(k.Outputs)*n)
		setSpeed := func(v float64) {
			for i, input := range k.Inputs {
				in[i] = map[string]float64{"Fz": 4000, "VPy": 0.1 * v, "VEx": v - 0.01, "VPxs": v, "VExs": v, "q1": 0.1,
					"q2": -0.2}[input]
			}
		}
		const step, shortest = 1e-4, 0.3
		for v := -0.2; v <= 0.2; v += step {
			setSpeed(v)
			f.Eval(in, out)
			for i := range out {
				if v > -0.2 && !(math.Abs(out[i]-last[i]) <= 1.5*step/shortest) {
					t.Errorf("%s: %s jumps by %g at %g m/s", name, k.Outputs[i], out[i]-last[i], v)
				}
			}
			copy(last, out)
		}
		setSpeed(0)
		f.Jacobian(in, jac)
		for i, input := range k.Inputs {
			if (input == "VPxs" || input == "VExs") && (jac[i] != 0 || jac[n+i] != 0) {
				t.Errorf("%s: slopes %g and %g by %s at standstill, want the mean of both sides, 0", name,
					jac[i], jac[n+i], input)
			}
		}
	}
}

// A slip angle beyond a right angle, at which the wheel slides straight sideways, counts as a right angle.
func TestSlipAnglesBeyondARightAngleCountAsOne(t *testing.T) {
	for _, name := range []string{"Fiala", "Pacejka02"} {
		k := tiretest.Lookup(t, name)
		f := made(t, name, tiretest.Parameters(t, tires)[name]...)
		at := func(alpha float64) (out [5]float64) {
			in := make([]float64, len(k.Inputs))
			for i, input := range k.Inputs {
				in[i] = map[string]float64{"Fz": 4000, "S": 0.1, "alpha": alpha, "Omega": 30, "mu": 1, "VCx": 10,
					"direction": 1}[input]
			}
			f.Eval(in, out[:])
			return out
		}
		for _, side := range []float64{-1, 1} {
			right := at(side * math.Pi / 2)
			if beyond := at(side * 2); beyond != right {
				t.Errorf("%s: %v at %g rad, %v at a right angle", name, beyond, side*2, right)
			}
			if below := at(side * 0.5); below == right {
				t.Errorf("%s: %v at %g rad and at a right angle", name, below, side*0.5)
			}
		}
	}
}
