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

// pacejka02Tire holds the parameters by name, after Table A.4; what depends on
// parameters only is computed once.
type pacejka02Tire struct {
	Fz0, R0, V0, LFz0, LCx, Lmux, LEx, LKx, LHx, LVx, Lgammax, LCy, Lmuy, LEy, LKy, LHy, LVy,
	Lgammay, Ltrail, Lres, Lgammaz, LXalpha, LYkappa, LVykappa, LS, LMx, LVMx, LMy, PCx1,
	PDx1, PDx2, PDx3, PEx1, PEx2, PEx3, PEx4, PKx1, PKx2, PKx3, PHx1, PHx2, PVx1, PVx2, RBx1,
	RBx2, RCx1, REx1, REx2, RHx1, QSx1, QSx2, QSx3, PCy1, PDy1, PDy2, PDy3, PEy1, PEy2, PEy3,
	PEy4, PKy1, PKy2, PKy3, PHy1, PHy2, PHy3, PVy1, PVy2, PVy3, PVy4, RBy1, RBy2, RBy3, RCy1,
	REy1, REy2, RHy1, RHy2, RVy1, RVy2, RVy3, RVy4, RVy5, RVy6, QSy1, QSy2, QSy3, QSy4, QBz1,
	QBz2, QBz3, QBz4, QBz5, QBz9, QBz10, QCz1, QDz1, QDz2, QDz3, QDz4, QDz6, QDz7, QDz8, QDz9,
	QEz1, QEz2, QEz3, QEz4, QEz5, QHz1, QHz2, QHz3, QHz4, SSz1, SSz2, SSz3, SSz4 float64

	side, minS, maxS, minAlpha, maxAlpha, minGamma, maxGamma, minFz, maxFz float64 // of use
	limited                                                                bool
	combined                                                               float64 // 0: each force by its own slip, else 1

	fn, invFn float64 // LFz0 Fz0 and its inverse
	invPeak   float64 // inverse of the load PKy2 Fn of the largest Ky
	invV0     float64
	cx, cy    float64 // shape factors
	ky        float64 // largest cornering stiffness, PKy1 Fn LKy
	bxa, byk  float64 // slope factors of the combined slip at none
	trail     float64 // R0 Ltrail/Fn

	leastX, leastY, leastKx float64 // friction and Kx/Fz at any load
}

func newPacejka02(p []float64, u use) *pacejka02Tire {
	t := &pacejka02Tire{}
	for i, field := range [...]*float64{
		&t.Fz0, &t.R0, &t.V0, &t.LFz0, &t.LCx, &t.Lmux, &t.LEx, &t.LKx, &t.LHx, &t.LVx,
		&t.Lgammax, &t.LCy, &t.Lmuy, &t.LEy, &t.LKy, &t.LHy, &t.LVy, &t.Lgammay, &t.Ltrail,
		&t.Lres, &t.Lgammaz, &t.LXalpha, &t.LYkappa, &t.LVykappa, &t.LS, &t.LMx, &t.LVMx, &t.LMy,
		&t.PCx1, &t.PDx1, &t.PDx2, &t.PDx3, &t.PEx1, &t.PEx2, &t.PEx3, &t.PEx4, &t.PKx1, &t.PKx2,
		&t.PKx3, &t.PHx1, &t.PHx2, &t.PVx1, &t.PVx2, &t.RBx1, &t.RBx2, &t.RCx1, &t.REx1, &t.REx2,
		&t.RHx1, &t.QSx1, &t.QSx2, &t.QSx3, &t.PCy1, &t.PDy1, &t.PDy2, &t.PDy3, &t.PEy1, &t.PEy2,
		&t.PEy3, &t.PEy4, &t.PKy1, &t.PKy2, &t.PKy3, &t.PHy1, &t.PHy2, &t.PHy3, &t.PVy1, &t.PVy2,
		&t.PVy3, &t.PVy4, &t.RBy1, &t.RBy2, &t.RBy3, &t.RCy1, &t.REy1, &t.REy2, &t.RHy1, &t.RHy2,
		&t.RVy1, &t.RVy2, &t.RVy3, &t.RVy4, &t.RVy5, &t.RVy6, &t.QSy1, &t.QSy2, &t.QSy3, &t.QSy4,
		&t.QBz1, &t.QBz2, &t.QBz3, &t.QBz4, &t.QBz5, &t.QBz9, &t.QBz10, &t.QCz1, &t.QDz1, &t.QDz2,
		&t.QDz3, &t.QDz4, &t.QDz6, &t.QDz7, &t.QDz8, &t.QDz9, &t.QEz1, &t.QEz2, &t.QEz3, &t.QEz4,
		&t.QEz5, &t.QHz1, &t.QHz2, &t.QHz3, &t.QHz4, &t.SSz1, &t.SSz2, &t.SSz3, &t.SSz4,
	} {
		*field = p[i]
	}
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
