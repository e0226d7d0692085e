package tire

import "math"

// pacejka02Names are the parameters of Pacejka 2002 in the order of Table A.4 of
// Morency (2007), with their usual names.
var pacejka02Names = [...]string{
	"Fz0", "R0", "V0", "LFz0", "LCx", "Lmux", "LEx", "LKx", "LHx", "LVx", "Lgammax", "LCy", "Lmuy",
	"LEy", "LKy", "LHy", "LVy", "Lgammay", "Ltrail", "Lres", "Lgammaz", "LXalpha", "LYkappa",
	"LVykappa", "LS", "LMx", "LVMx", "LMy", "PCx1", "PDx1", "PDx2", "PDx3", "PEx1", "PEx2", "PEx3",
	"PEx4", "PKx1", "PKx2", "PKx3", "PHx1", "PHx2", "PVx1", "PVx2", "RBx1", "RBx2", "RCx1", "REx1",
	"REx2", "RHx1", "QSx1", "QSx2", "QSx3", "PCy1", "PDy1", "PDy2", "PDy3", "PEy1", "PEy2", "PEy3",
	"PEy4", "PKy1", "PKy2", "PKy3", "PHy1", "PHy2", "PHy3", "PVy1", "PVy2", "PVy3", "PVy4", "RBy1",
	"RBy2", "RBy3", "RCy1", "REy1", "REy2", "RHy1", "RHy2", "RVy1", "RVy2", "RVy3", "RVy4", "RVy5",
	"RVy6", "QSy1", "QSy2", "QSy3", "QSy4", "QBz1", "QBz2", "QBz3", "QBz4", "QBz5", "QBz9", "QBz10",
	"QCz1", "QDz1", "QDz2", "QDz3", "QDz4", "QDz6", "QDz7", "QDz8", "QDz9", "QEz1", "QEz2", "QEz3",
	"QEz4", "QEz5", "QHz1", "QHz2", "QHz3", "QHz4", "SSz1", "SSz2", "SSz3", "SSz4",
}

var pacejka02 = Kind{
	Name:       "Pacejka02",
	Text:       "Pacejka 2002 (PAC2002, Magic Formula 5.2), combined slip, 117 parameters",
	Inputs:     []string{"Fz", "S", "alpha", "Omega", "gamma", "Reff", "VCx", "mu", "direction"},
	Parameters: pacejka02Parameters,
	Optional:   useParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	keys:       true,
	New: func(p []float64) (Function, error) {
		positive := []string{"Fz0", "R0", "V0", "LFz0", "LCx", "Lmux", "LCy", "Lmuy", "PKy2"}
		if err := check("Pacejka02", withUse(pacejka02Parameters, p), p, positive, nil, peakFriction...); err != nil {
			return nil, err
		}
		u, err := useOf("Pacejka02", p[len(pacejka02Parameters):])
		if err != nil {
			return nil, err
		}
		return newPacejka02(p, u), nil
	},
}

func init() { builtin(1, &pacejka02) }

// peakFriction are the factors D by load of Magic Formulas, along and across. They can be negative: with B = K/(C D)
// forces are even in D.
var peakFriction = []string{"PDx1", "PDy1"}

var pacejka02Parameters = func() []ParameterInfo {
	var list []ParameterInfo
	for _, name := range pacejka02Names {
		list = append(list, describe(name))
	}
	return list
}()

// pacejka02Coefficients holds the parameters by name, after Table A.4; what depends on
// parameters only is computed once.
type pacejka02Coefficients[N any] struct {
	Fz0, R0, V0, LFz0, LCx, Lmux, LEx, LKx, LHx, LVx, Lgammax, LCy, Lmuy, LEy, LKy, LHy, LVy,
	Lgammay, Ltrail, Lres, Lgammaz, LXalpha, LYkappa, LVykappa, LS, LMx, LVMx, LMy, PCx1,
	PDx1, PDx2, PDx3, PEx1, PEx2, PEx3, PEx4, PKx1, PKx2, PKx3, PHx1, PHx2, PVx1, PVx2, RBx1,
	RBx2, RCx1, REx1, REx2, RHx1, QSx1, QSx2, QSx3, PCy1, PDy1, PDy2, PDy3, PEy1, PEy2, PEy3,
	PEy4, PKy1, PKy2, PKy3, PHy1, PHy2, PHy3, PVy1, PVy2, PVy3, PVy4, RBy1, RBy2, RBy3, RCy1,
	REy1, REy2, RHy1, RHy2, RVy1, RVy2, RVy3, RVy4, RVy5, RVy6, QSy1, QSy2, QSy3, QSy4, QBz1,
	QBz2, QBz3, QBz4, QBz5, QBz9, QBz10, QCz1, QDz1, QDz2, QDz3, QDz4, QDz6, QDz7, QDz8, QDz9,
	QEz1, QEz2, QEz3, QEz4, QEz5, QHz1, QHz2, QHz3, QHz4, SSz1, SSz2, SSz3, SSz4 N

	side, minS, maxS, minAlpha, maxAlpha, minGamma, maxGamma, minFz, maxFz N // of use
	combined                                                               N // 0: each force by its own slip, else 1

	fn, invFn N // LFz0 Fz0 and its inverse
	invPeak   N // inverse of the load PKy2 Fn of the largest Ky
	invV0     N
	cx, cy    N // shape factors
	ky        N // largest cornering stiffness, PKy1 Fn LKy
	bxa, byk  N // slope factors of the combined slip at none
	trail     N // R0 Ltrail/Fn

	leastX, leastY, leastKx N // friction and Kx/Fz at any load
}

type pacejka02Tire struct {
	pacejka02Coefficients[float64]
	limited bool
	formulas
}

func newPacejka02(p []float64, u use) *pacejka02Tire {
	t := &pacejka02Tire{}
	copy(numbersOf(&t.pacejka02Coefficients), p[:len(pacejka02Parameters)])
	t.fn = t.LFz0 * t.Fz0
	t.side, t.minS, t.maxS, t.minAlpha, t.maxAlpha, t.minGamma, t.maxGamma = u.side, u.minS, u.maxS, u.minAlpha,
		u.maxAlpha, u.minGamma, u.maxGamma
	t.minFz, t.maxFz = u.minFz, min(u.maxFz, heaviest*t.fn)
	t.limited = u.limited
	if t.combined = u.combined; t.combined == 0 {
		t.LXalpha, t.LYkappa, t.LVykappa, t.LS = 0, 0, 0, 0
	}
	t.invFn = 1 / t.fn
	t.invPeak = 1 / (t.PKy2 * t.fn)
	t.invV0 = 1 / t.V0
	t.cx, t.cy = t.PCx1*t.LCx, t.PCy1*t.LCy
	t.ky = t.PKy1 * t.fn * t.LKy
	t.bxa, t.byk = t.RBx1*t.LXalpha, t.RBy1*t.LYkappa
	t.trail = t.R0 * t.Ltrail * t.invFn
	t.leastX, t.leastY, t.leastKx = leastShare*t.PDx1, leastShare*t.PDy1, leastShare*t.PKx1
	t.formulas = newFormulas(pacejka02Text{}, numbersOf(&t.pacejka02Coefficients))
	return t
}

// Limited implements Ranged.
func (t *pacejka02Tire) Limited() bool { return t.limited }

// Range implements Ranged.
func (t *pacejka02Tire) Range(i int) (low, high float64) {
	switch i {
	case 0:
		return t.minFz, t.maxFz
	case 1:
		return t.minS, t.maxS
	case 2:
		return t.minAlpha, t.maxAlpha
	case 4:
		return t.minGamma, t.maxGamma
	}
	return math.Inf(-1), math.Inf(1)
}
