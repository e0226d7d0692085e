package tire

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/tire/elementary"
)

// ellipse combines the longitudinal and the lateral force of a function without coefficients for combined slip. Each
// force is reduced by the other one, so that both together stay within an ellipse of the largest forces.
type ellipse struct {
	Function
	holding                 saturating
	s, alpha, fz, gamma, mu int // places among the arguments
	still                   []float64
	along, across, none     []float64
	up, down                []float64
}

// What combines slips: the coefficients of the file, or an ellipse.
const (
	CombinedByFile    = "file"
	CombinedByEllipse = "ellipse"
)

// Combinable reports whether a function has coefficients of combined slip, in place of which there can be an ellipse.
func Combinable(k *Kind) bool { return slices.Contains([]*Kind{&pacejka02, &mf61, &mf62}, k) }

// leastSlip is the slip at which slopes without slip are taken.
const leastSlip = 1e-4

// Make makes a function of parameters whose slips are combined as asked for: with an ellipse in place of coefficients,
// if it has such.
func (k *Kind) Make(parameters []float64, by string) (Function, error) {
	f, err := k.New(parameters)
	if err != nil || by != CombinedByEllipse || !Combinable(k) {
		return f, err
	}
	place := func(name string) int { return slices.Index(k.Inputs, name) }
	n, m := len(k.Inputs), len(k.Outputs)
	return &ellipse{Function: f, holding: f.(saturating), s: place("S"), alpha: place("alpha"), fz: place("Fz"),
		gamma: place("gamma"), mu: place("mu"), still: make([]float64, n), along: make([]float64, m),
		across: make([]float64, m), none: make([]float64, m), up: make([]float64, m), down: make([]float64, m)}, nil
}

// uncombined says that parameters combine no slips, "" where they do.
func (k *Kind) uncombined(values []float64) string {
	if !Combinable(k) {
		return ""
	}
	at := func(name string) float64 {
		if i := slices.IndexFunc(k.Parameters, func(p ParameterInfo) bool { return p.Name == name }); i >= 0 {
			return values[i]
		}
		return 0
	}
	var missing []string
	if at("RCx1") == 0 || at("RBx1") == 0 && at("RBx3") == 0 {
		missing = append(missing, "RBX1 and RCX1")
	}
	if at("RCy1") == 0 || at("RBy1") == 0 && at("RBy4") == 0 {
		missing = append(missing, "RBY1 and RCY1")
	}
	if use := values[len(k.Parameters):]; len(missing) == 0 || len(use) > 0 && use[rangeParameters] == 0 {
		return ""
	}
	along, across := at("PDx1")*at("Lmux"), at("PDy1")*at("Lmuy")
	return fmt.Sprintf("the coefficients of combined slip %s are 0 or absent: braking takes nothing of cornering, and "+
		"both together reach %.2g times the load; give them, or set combined = %q of the tire's force", strings.Join(missing,
		", "), math.Hypot(along, across), CombinedByEllipse)
}

// Eval is that of the function, with slip and slip angle alpha by themselves, times
//
//	1/sqrt(1 + (Kx sin(alpha)/Dy)^2) along,  1/sqrt(1 + (Ky S/Dx)^2) across,
//
// Kx and Ky the secants Fx/S and Fy/sin(alpha) without what there is at no slip, Dx and Dy the largest forces: the
// friction ellipse of PAC2002 with FE_METHOD. Moments have the same factors: the rolling resistance that of the
// longitudinal force, the others both, each for what its slip adds.
func (t *ellipse) Eval(in, out []float64) {
	if in[t.fz] <= airborne {
		t.Function.Eval(in, out)
		return
	}
	s, alpha := awayFromZero(in[t.s], leastSlip), awayFromZero(in[t.alpha], leastSlip)
	copy(t.still, in)
	t.still[t.s], t.still[t.alpha] = 0, 0
	t.Function.Eval(t.still, t.none)
	t.still[t.s] = s
	t.Function.Eval(t.still, t.along)
	t.still[t.s], t.still[t.alpha] = 0, alpha
	t.Function.Eval(t.still, t.across)
	b := gripBounds([]float64{in[t.fz], in[t.gamma], in[t.mu]})
	_, most := t.holding.grip(dual{v: b[0]}, dual{v: b[1]}, dual{v: b[2]})
	least := in[t.fz] * leastGrip
	steep, side := (t.along[0]-t.none[0])/s, (t.across[1]-t.none[1])/elementary.Sin(alpha)
	x, y := steep*elementary.Sin(in[t.alpha])/max(most[1].v, least), side*in[t.s]/max(most[0].v, least)
	along, across := 1/math.Sqrt(1+x*x), 1/math.Sqrt(1+y*y)
	along, across = along*in[t.s]/s, across*elementary.Sin(in[t.alpha])/elementary.Sin(alpha)
	for i, still := range t.none {
		out[i] = still
		if i != 1 {
			out[i] += along * (t.along[i] - still)
		}
		if i != 0 && i != 3 {
			out[i] += across * (t.across[i] - still)
		}
	}
}

// Jacobian of Eval by central differences.
func (t *ellipse) Jacobian(in, jac []float64) {
	Differences(t, in, jac[:len(in)*len(t.up)], t.up, t.down)
}

func (t *ellipse) grip(fz, gamma, mu dual) (stiffness, most [2]dual) {
	return t.holding.grip(fz, gamma, mu)
}

func (t *ellipse) nominalLoad() float64 { return t.Function.(nominal).nominalLoad() }

// Limited implements Ranged.
func (t *ellipse) Limited() bool { return t.Function.(Ranged).Limited() }

// Range implements Ranged.
func (t *ellipse) Range(i int) (low, high float64) { return t.Function.(Ranged).Range(i) }
