package tire

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/tire/formula"
)

// ellipse is a function without coefficients for combined slip. Each of its forces takes from the other one: both
// together stay within an ellipse of the largest forces.
type ellipse struct {
	of Ranged
	formulas
}

// What combines slips: the coefficients of the file, or an ellipse.
const (
	CombinedByFile    = "file"
	CombinedByEllipse = "ellipse"
)

// Combinable reports whether a function has coefficients of combined slip, which an ellipse can replace.
func Combinable(k *Kind) bool { return slices.Contains([]*Kind{&pacejka02, &mf61, &mf62}, k) }

// leastSlip is the slip of the secants that stand for the slopes without slip.
const leastSlip = 1e-4

// Make makes a function of parameters whose slips are combined as asked for: with an ellipse in place of coefficients,
// if it has such.
func (k *Kind) Make(parameters []float64, by string) (Function, error) {
	f, err := k.New(parameters)
	if err != nil || by != CombinedByEllipse || !Combinable(k) {
		return f, err
	}
	indexOf := func(name string) int { return slices.Index(k.Inputs, name) }
	of := f.(interface{ written() *formulas }).written()
	return &ellipse{of: f.(Ranged), formulas: newFormulas(ellipseText{of.text.(gripText), indexOf("S"), indexOf("alpha"),
		indexOf("Fz"), indexOf("gamma"), indexOf("mu")}, of.coefficients)}, nil
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

// ellipseText is the law of an ellipse: that of the function, with slip and slip angle alpha by themselves, times
//
//	1/sqrt(1 + (Kx sin(alpha)/Dy)^2) along,  1/sqrt(1 + (Ky S/Dx)^2) across,
//
// Kx and Ky are the secants Fx/S and Fy/sin(alpha) without the forces at zero slip, Dx and Dy the largest forces: the
// friction ellipse of PAC2002 with FE_METHOD. Moments have the same factors. The rolling resistance has the factor of
// the longitudinal force. The other moments have both factors, each for the contribution of its slip.
type ellipseText struct {
	gripText
	s, alpha, fz, gamma, mu int // places among the inputs
}

func (e ellipseText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	c := in[0].Constant
	at := func(s, alpha formula.Number) []formula.Number {
		of := slices.Clone(in)
		of[e.s], of[e.alpha] = s, alpha
		bounded, results := e.gripText.write(of, coefficients)
		return formula.Settled(results, of, bounded)
	}
	s, alpha := in[e.s].AwayFromZero(c(leastSlip)), in[e.alpha].AwayFromZero(c(leastSlip))
	none, along, across := at(c(0), c(0)), at(s, c(0)), at(c(0), alpha)
	within := func(x formula.Number, low, high float64) formula.Number { return x.AtMost(c(high)).AtLeast(c(low)) }
	_, largest := e.gripText.grip([]formula.Number{within(in[e.fz], liftedOff, crushing),
		within(in[e.gamma], -math.Pi/2, math.Pi/2), within(in[e.mu], 0, extreme)}, coefficients)
	least := in[e.fz].By(leastGrip)
	sin := in[e.alpha].Sin()
	steep, side := along[0].Minus(none[0]).Over(s), across[1].Minus(none[1]).Over(alpha.Sin())
	x, y := steep.Times(sin).Over(largest[1].Greater(least)), side.Times(in[e.s]).Over(largest[0].Greater(least))
	reducedX, reducedY := x.CosAtan().Times(in[e.s]).Over(s), y.CosAtan().Times(sin).Over(alpha.Sin())
	lifted := in[e.fz].IsBelow(math.Nextafter(airborne, 1))
	for i := range none {
		sum := none[i]
		if i != 1 {
			sum = sum.Plus(reducedX.Times(along[i].Minus(none[i])))
		}
		if i != 0 && i != 3 {
			sum = sum.Plus(reducedY.Times(across[i].Minus(none[i])))
		}
		results = append(results, lifted.Without(sum))
	}
	return in, results
}

func (t *ellipse) nominalLoad() float64 { return t.of.(nominal).nominalLoad() }

// Limited implements Ranged.
func (t *ellipse) Limited() bool { return t.of.Limited() }

// Range implements Ranged.
func (t *ellipse) Range(i int) (low, high float64) { return t.of.Range(i) }
