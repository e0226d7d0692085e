package tire

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// mf61 and mf62 have the same forces; they differ in the loaded radius, which the tire component has
// a law of its own for, and in what their files hold.
var (
	mf61 = mf6Kind("MF61", "Magic Formula 6.1 with inflation pressure, combined slip and turn slip (Pacejka 2012; "+
		"Besselink, Schmeitz and Pacejka 2010)")
	mf62 = mf6Kind("MF62", "Magic Formula 6.2: the forces of MF61")
)

func init() {
	builtin(2, &mf61)
	builtin(3, &mf62)
}

func mf6Kind(name, text string) Kind {
	return Kind{
		Name:       name,
		Text:       text,
		Inputs:     []string{"Fz", "S", "alpha", "gamma", "Omega", "VCx", "wn", "mu"},
		Parameters: mf6Parameters,
		Optional:   useParameters,
		Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
		keys:       true,
		New: func(p []float64) (Function, error) {
			positive := []string{"Fz0", "R0", "V0", "P0", "Pressure", "LFz0", "LCx", "Lmux", "LCy", "Lmuy",
				"PCx1", "PCy1", "PKy2"}
			if err := check(name, withUse(mf6Parameters, p), p, positive, []string{"TurnSlip", "QSy7"},
				peakFriction...); err != nil {
				return nil, err
			}
			return newMF6(name, p)
		},
	}
}

// mf6Coefficients holds the parameters by name, in their order; what depends on parameters only is
// computed once.
type mf6Coefficients[N any] struct {
	Fz0, R0, V0, P0, Pressure, TurnSlip N
	LFz0, LCx, Lmux, LEx, LKx, LHx, LVx, LCy, Lmuy, LEy, LKy, LHy, LVy, LKyc, LKzc, Ltrail, Lres, LXalpha, LYkappa,
	LVykappa, LS, LMx, LVMx, LMy, LMP,
	PCx1, PDx1, PDx2, PDx3, PEx1, PEx2, PEx3, PEx4, PKx1, PKx2, PKx3, PHx1, PHx2, PVx1, PVx2, PPx1, PPx2, PPx3, PPx4,
	RBx1, RBx2, RBx3, RCx1, REx1, REx2, RHx1,
	QSx1, QSx2, QSx3, QSx4, QSx5, QSx6, QSx7, QSx8, QSx9, QSx10, QSx11, QSx12, QSx13, QSx14, PPMx1,
	PCy1, PDy1, PDy2, PDy3, PEy1, PEy2, PEy3, PEy4, PEy5, PKy1, PKy2, PKy3, PKy4, PKy5, PKy6, PKy7, PHy1, PHy2, PVy1,
	PVy2, PVy3, PVy4, PPy1, PPy2, PPy3, PPy4, PPy5,
	RBy1, RBy2, RBy3, RBy4, RCy1, REy1, REy2, RHy1, RHy2, RVy1, RVy2, RVy3, RVy4, RVy5, RVy6,
	QSy1, QSy2, QSy3, QSy4, QSy5, QSy6, QSy7, QSy8,
	QBz1, QBz2, QBz3, QBz4, QBz5, QBz9, QBz10, QCz1, QDz1, QDz2, QDz3, QDz4, QDz6, QDz7, QDz8, QDz9, QDz10, QDz11, QEz1,
	QEz2, QEz3, QEz4, QEz5, QHz1, QHz2, QHz3, QHz4, PPz1, PPz2,
	SSz1, SSz2, SSz3, SSz4,
	PDxp1, PDxp2, PDxp3, PKyp1, PDyp1, PDyp2, PDyp3, PDyp4, PHyp1, PHyp2, PHyp3, PHyp4, PECp1, PECp2, QDtp1, QCrp1,
	QCrp2, QBrp1, QDrp1, QDrp2 N

	side, minS, maxS, minAlpha, maxAlpha, minGamma, maxGamma, minFz, maxFz N // of use
	combined                                                               N // 0: each force by its own slip, else 1

	invFn, invFz0, invV0 N // inverses of LFz0 Fz0, Fz0, V0
	cx, cy               N // shape factors
	stiffX, gripX, gripY N // factors of Kx and of the friction by pressure
	stiffY               N // largest cornering stiffness [N/rad]
	peakY, invPeak       N // pressure factor of the load of the largest Ky; that load's inverse
	stiffGamma           N // pressure factor of the camber stiffness
	trail                N // R0 Ltrail/Fn by pressure
	residual, pressureX  N // pressure factors of the camber torque, of the overturning couple
	drag                 N // R0 Fz0 LMy by pressure [N m]
	steepest             N // 1/sin(pi QDrp1/2)

	leastX, leastY, leastKx, leastPeak N // friction, Kx/Fz and load of the peak of Ky at any load and inclination
}

type mf6Tire struct {
	mf6Coefficients[float64]
	limited bool
	formulas
}

// mf6Parameters are the exported fields of mf6Coefficients.
var mf6Parameters = exported[mf6Coefficients[float64]]()

// exported describes the parameters that a type of functions has as exported fields, which come first.
func exported[T any]() []ParameterInfo {
	var list []ParameterInfo
	fields := reflect.TypeFor[T]()
	for i := range fields.NumField() {
		if f := fields.Field(i); f.IsExported() {
			list = append(list, describe(f.Name))
		}
	}
	return list
}

func newMF6(name string, p []float64) (Function, error) {
	t := &mf6Tire{}
	copy(numbersOf(&t.mf6Coefficients), p[:len(mf6Parameters)])
	var faults []error
	if t.TurnSlip > 0 {
		for parameter, v := range map[string]float64{"PHyp1": t.PHyp1, "QDrp1": t.QDrp1} {
			if !(v > 0 && v < 2) {
				faults = append(faults, &parameterError{parameter, fmt.Sprintf("parameter %s of %s is %g; with turn "+
					"slip it must be above 0 and below 2", parameter, name, v)})
			}
		}
		if t.PHyp2 == 0 {
			faults = append(faults, &parameterError{"PHyp2",
				fmt.Sprintf("parameter PHyp2 of %s is 0; with turn slip it must not be", name)})
		}
	}
	use, err := useOf(name, p[len(mf6Parameters):])
	if err := errors.Join(append(faults, err)...); err != nil {
		return nil, err
	}
	fn := t.LFz0 * t.Fz0
	t.side, t.minS, t.maxS, t.minAlpha, t.maxAlpha, t.minGamma, t.maxGamma = use.side, use.minS, use.maxS, use.minAlpha,
		use.maxAlpha, use.minGamma, use.maxGamma
	t.minFz, t.maxFz = use.minFz, min(use.maxFz, heaviest*fn)
	t.limited = use.limited
	if t.combined = use.combined; t.combined == 0 {
		t.LXalpha, t.LYkappa, t.LVykappa, t.LS = 0, 0, 0, 0
	}
	dp := t.Pressure/t.P0 - 1
	t.invFn, t.invFz0, t.invV0 = 1/fn, 1/t.Fz0, 1/t.V0
	t.cx, t.cy = t.PCx1*t.LCx, t.PCy1*t.LCy
	t.stiffX = (1 + dp*(t.PPx1+t.PPx2*dp)) * t.LKx
	t.gripX, t.gripY = 1+dp*(t.PPx3+t.PPx4*dp), 1+dp*(t.PPy3+t.PPy4*dp)
	t.stiffY = t.PKy1 * fn * (1 + t.PPy1*dp) * t.LKy
	t.peakY = 1 + t.PPy2*dp
	t.leastX, t.leastY, t.leastKx = leastShare*t.PDx1, leastShare*t.PDy1, leastShare*t.PKx1
	t.leastPeak = leastShare * t.PKy2 * t.peakY
	t.invPeak = 1 / (fn * awayFromZero(t.PKy2*t.peakY, tiny))
	t.stiffGamma = (1 + t.PPy5*dp) * t.LKyc
	t.trail = t.R0 / fn * (1 - t.PPz1*dp) * t.Ltrail
	t.residual, t.pressureX = 1+t.PPz2*dp, 1+t.PPMx1*dp
	t.drag = t.R0 * t.Fz0 * math.Pow(t.Pressure/t.P0, t.QSy8) * t.LMy
	t.steepest = 1 / awayFromZero(math.Sin(math.Pi/2*t.QDrp1), tiny)
	t.formulas = newFormulas(mf6Text{t.TurnSlip > 0}, numbersOf(&t.mf6Coefficients))
	return t, nil
}

// Limited implements Ranged.
func (t *mf6Tire) Limited() bool { return t.limited }

// Range implements Ranged.
func (t *mf6Tire) Range(i int) (low, high float64) {
	switch i {
	case 0:
		return t.minFz, t.maxFz
	case 1:
		return t.minS, t.maxS
	case 2:
		return t.minAlpha, t.maxAlpha
	case 3:
		return t.minGamma, t.maxGamma
	}
	return math.Inf(-1), math.Inf(1)
}

// describe says what a parameter of the Magic Formula is.
func describe(name string) ParameterInfo {
	for _, d := range []ParameterInfo{
		{"Fz0", "N", "nominal load"}, {"R0", "m", "unloaded radius of the formulas"}, {"V0", "m/s", "reference speed"},
		{"P0", "Pa", "nominal inflation pressure"}, {"Pressure", "Pa", "inflation pressure"},
		{"TurnSlip", "1", "above 0: forces of turn slip"},
		{"Cx", "N/m", "longitudinal stiffness of the carcass"}, {"Cy", "N/m", "lateral stiffness of the carcass"},
	} {
		if d.Name == name {
			return d
		}
	}
	if strings.HasPrefix(name, "L") {
		return ParameterInfo{name, "1", "scale factor"}
	}
	return ParameterInfo{name, "1", "Magic Formula coefficient"}
}
