package tire

import (
	"math"

	"skidpad/tire/formula"
)

var fialaParameters = []ParameterInfo{
	{"D2", "m", "width of the tire"},
	{"CS", "N", "longitudinal stiffness"},
	{"Calpha", "N/rad", "lateral stiffness, positive"},
	{"Cr", "m", "rolling resistance"},
	{"mu0", "1", "friction without slip"},
	{"mu1", "1", "friction at full slip"},
}

// Fiala tire model (Morency 2007, equations 3.31 to 3.37, corrected; tire
// specification section 9).
var fiala = Kind{
	Name:       "Fiala",
	Text:       "Fiala tire, six parameters (Morency 2007, section 3.4)",
	Inputs:     []string{"Fz", "S", "alpha", "Omega", "mu", "direction"},
	Parameters: fialaParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New: func(p []float64) (Function, error) {
		if err := check("Fiala", fialaParameters, p, []string{"CS", "Calpha"},
			[]string{"D2", "Cr", "mu0", "mu1"}); err != nil {
			return nil, err
		}
		return newFiala(p), nil
	},
}

func init() { builtin(0, &fiala) }

// fialaCoefficients are the parameters, in their order.
type fialaCoefficients[N any] struct{ d2, cs, calpha, cr, mu0, mu1 N }

type fialaTire struct {
	fialaCoefficients[float64]
	formulas
}

func newFiala(p []float64) *fialaTire {
	t := &fialaTire{fialaCoefficients: fialaCoefficients[float64]{p[0], p[1], p[2], p[3], p[4], p[5]}}
	t.formulas = newFormulas(fialaText{}, numbersOf(&t.fialaCoefficients))
	return t
}

// fialaText is the law of fiala: Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes of Fz [N], S, alpha [rad], Omega
// [rad/s], mu and the direction of travel. In reverse the trail is on the other side of the wheel centre. The friction
// mu(Sc) falls linearly with the comprehensive slip, which is limited to 1 because beyond it friction would turn
// negative.
type fialaText struct{}

func (fialaText) shape() lawShape { return shapeOf[fialaCoefficients[float64]](6) }

func (fialaText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[fialaCoefficients[formula.Number]](coefficients)
	c := in[0].Constant
	bounded = []formula.Number{
		in[0].NotAbove(c(crushing)), in[1].Within(extreme), in[2].Within(math.Pi / 2), in[3], in[4].Bounded(c(0), c(extreme)),
		in[5].Within(1),
	}
	fz, lifted := onGround(bounded[0], airborne)
	s, alpha, omega, surface, direction := bounded[1], bounded[2], bounded[3], bounded[4], bounded[5]
	tan := alpha.Tan()
	n := surface.Times(t.mu0.Minus(s.Norm(tan).AtMost(c(1)).Times(t.mu0.Minus(t.mu1)))).Times(fz)

	along := s.SignUp()
	abs := s.Times(along)
	slides := abs.By(2).Times(t.cs).Above(n).And(abs.IsAbove(airborne)) // squares of smaller slips vanish
	fx := slides.Choose(n.Times(c(1).Minus(n.Over(abs.By(4).Times(t.cs)))).Times(along), t.cs.Times(s))

	// From the angle arctan(3 n/Calpha) on, the whole contact slides. SignUp gives the angle 0 a side, so that the
	// slope at the origin is the slope of either side.
	side := alpha.SignUp()
	lateral := t.calpha.Times(tan.Times(side))
	h := lateral.Below(n.By(3)).And(n.IsAbove(airborne)).Choose(c(1).Minus(lateral.Over(n.By(3))), c(0))
	cube := h.Cubed()
	fy := n.Times(c(1).Minus(cube)).Times(side.Neg())
	my := t.cr.Neg().Times(fz).Times(omega.SignUp())
	mz := n.Times(t.d2).Times(c(1).Minus(h)).Times(cube).Times(side).Times(direction)
	return bounded, unlessLifted(lifted, fx, fy, c(0), my, mz)
}

// grip implements gripText.
func (fialaText) grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number) {
	t := named[fialaCoefficients[formula.Number]](coefficients)
	d := in[0].Times(in[2]).Times(t.mu0)
	return [2]formula.Number{t.cs, t.calpha}, [2]formula.Number{d, d}
}
