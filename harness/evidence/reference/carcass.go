package reference

import (
	"fmt"
	"math"

	"skidpad/model/component"
	"skidpad/tire"
)

// carcass is the deflection of a tire's carcass (standstill specification, section 2), written from its equations with
// the deflection u = p/sqrt(c) itself. What it holds on to comes from the tire functions.
type carcass struct {
	data       *tire.Carcass
	slip       *component.Slip
	step       float64 // s, of the solver
	inertia    float64
	u, q       [2]float64
	root       [2]float64 // of the stiffness of the carcass
	relaxation [2]float64
	lying      [2]float64 // forces Fx, Fy of a tire that slides on its side [N]
}

func newCarcass(c *component.Tire, force *call, step float64) (*carcass, error) {
	builtIn := func(name string) (*tire.Kind, error) {
		kind, err := tire.Lookup(name)
		if err == nil && kind.New == nil {
			err = fmt.Errorf("the reference solver takes built-in tire functions only, not %s", name)
		}
		return kind, err
	}
	parts := tire.CarcassParts{Force: force.function}
	var err error
	if parts.ForceKind, err = builtIn(c.Force.Name); err != nil {
		return nil, err
	}
	if c.Slip.Delayed {
		if parts.RelaxationKind, err = builtIn(c.Slip.Relaxation.Name); err != nil {
			return nil, err
		}
		if parts.Relaxation, err = parts.RelaxationKind.New(c.Slip.Relaxation.Parameters); err != nil {
			return nil, err
		}
	}
	data, err := tire.NewCarcass(parts, tire.CarcassSetting{Relaxation: c.Slip.Relaxation.Name,
		Nominal: c.Slip.NominalLoad.Value, Stiffness: c.Slip.Stiffness.Value, Friction: c.Slip.Friction.Value,
		Radius: c.UnloadedRadius.Value, Usual: c.VerticalStiffness.Value * c.UnloadedRadius.Value / 20})
	return &carcass{data: data, slip: &c.Slip, step: step}, err
}

// holds returns the data of the carcass. With kinematic slip, the relaxation length is at least as long as the step can
// follow.
func (k *carcass) holds(t *contact) (stiffness, most, length [2]float64, nominal float64) {
	stiffness, most, length, nominal = k.data.CarcassData(t.Fz, t.gamma, t.mu, t.Reff)
	if !k.slip.Delayed && k.inertia > 0 {
		turn := k.step * t.Reff
		least := 4 * stiffness[0] * turn * turn / k.inertia
		length = [2]float64{math.Max(length[0], least), math.Max(length[1], least)}
	}
	return stiffness, most, length, nominal
}

// smooth rises from 0 to 1 between 0 and 1.
func smooth(x float64) float64 {
	x = math.Min(math.Max(x, 0), 1)
	return (3 - 2*x) * x * x
}

// master is the force of a brush divided by its largest force, at a slip divided by the saturating slip.
func master(s float64) float64 {
	if s >= 3 {
		return 1
	}
	return 1 - math.Pow(1-s/3, 3)
}

// deflect finds the slip for the force function and the rates of the states p.
func (k *carcass) deflect(t *contact, p [2]float64) (rate [2]float64) {
	const least = 1e-6
	h := k.step
	decay := math.Max(2*h, 1e-3)
	t.S, t.alpha, k.u, k.q = 0, 0, [2]float64{}, [2]float64{}
	if t.Fz <= 0 {
		return [2]float64{-p[0] / decay, -p[1] / decay}
	}
	stiffness, most, length, nominal := k.holds(t)
	w := [2]float64{-t.VEx, t.VPy}
	v := [2]float64{math.Abs(t.VExs), math.Abs(t.VPxs)}
	rolled := math.Abs(t.Omega*t.Reff) * t.upright
	var e, c, largest, d, psi, psiK, n [2]float64
	low := k.slip.LowSpeed.Value
	still := math.Pow(math.Max(0, 1-(v[0]*v[0]+w[1]*w[1])/(low*low)), 2)
	for i := range 2 {
		e[i] = most[i] / stiffness[i]
		c[i] = stiffness[i] / length[i]
		k.root[i], k.relaxation[i] = math.Sqrt(c[i]), length[i]
		k.u[i] = p[i] / k.root[i]
		largest[i] = most[i] / c[i]
		d[i] = k.u[i] / largest[i]
		psi[i] = w[i] / math.Hypot(v[i], least) / e[i]
		creeping := 0.1 * math.Pow(math.Max(0, 1-v[i]*v[i]/(low*low)), 2)
		psiK[i] = w[i] / math.Hypot(math.Hypot(v[i], creeping), least) / e[i]
		delay := 2 * k.slip.Damping.Value * math.Sqrt(nominal/(9.81*c[i])) * still
		if i == 0 && k.inertia > 0 {
			delay = math.Min(delay, k.inertia/(2*h*c[0]*t.Reff*t.Reff))
		}
		n[i] = (k.u[i] + delay*w[i]) / largest[i]
	}
	bent, slid, sliding := math.Hypot(d[0], d[1]), math.Hypot(psi[0], psi[1]), math.Hypot(w[0], w[1])
	f := master(slid)
	g := 1.0
	if slid > 0 {
		g = f / slid
	}
	along := 1.0
	if bent >= 1e-3 && slid > 0 {
		along = math.Max(0, (d[0]*psi[0]+d[1]*psi[1])/(bent*slid))
	}
	share := 1.0
	if rolled+sliding > 0 {
		share = rolled / (rolled + sliding)
	}
	gate := along
	if f > 0 {
		gate *= smooth((bent/f - 0.7) / 0.3)
	}
	for i := range 2 {
		free := math.Hypot(v[i], least) / (length[i] * g)
		relaxing := free * (share + (1-share)*gate)
		loading := 1.0
		if p[i]*w[i] > 0 {
			loading -= (1 - math.Min(1, 1/(4*h*free))) * along
		}
		du := loading*(w[i]-math.Min(relaxing, 1/(4*h*loading))*k.u[i]) - k.u[i]*excess(bent)/decay
		rate[i] = k.root[i] * du
	}
	var size float64
	t.S, t.alpha, size = k.slips(n, psi, bent, slid, math.Hypot(psiK[0], psiK[1]), e)
	if !k.slip.Delayed { // the velocities make the slip from 1 m/s on
		turned := smooth((math.Max(v[0], rolled) - 0.5) / 0.5)
		t.S = (1-turned)*t.S - turned*t.VEx/divisor(t.VExs, 0.005)
		t.alpha = (1-turned)*t.alpha + turned*math.Atan(t.VPy/divisor(t.VPxs, 0.005))
	}
	k.lying = [2]float64{}
	if pressed := math.Hypot(n[0], n[1]); pressed > 0 {
		force := (1 - t.upright) * master(size) / pressed
		k.lying = [2]float64{force * most[0] * n[0], -force * most[1] * n[1]}
	}
	if bent > 1 {
		k.u[0], k.u[1] = k.u[0]/bent, k.u[1]/bent
	}
	k.q = [2]float64{k.u[0] / length[0], k.u[1] / length[1]}
	return rate
}

// excess is the share of a deflection beyond the largest.
func excess(bent float64) float64 { return 1 - 1/math.Max(bent, 1) }

// slips returns the slips for the force function, and their size in units of the saturating slips. n is the deflection
// divided by the largest deflection; the damper is included.
func (k *carcass) slips(n, psi [2]float64, bent, slid, slidK float64, e [2]float64) (s, alpha, size float64) {
	const knee = 2.4
	length := math.Hypot(n[0], n[1])
	if length == 0 {
		return 0, 0, 0
	}
	full := master(knee)
	a := math.Min(length, 1)
	size = 3 * (1 - math.Cbrt(1-math.Min(a, full)))
	if slid > 0 {
		same := math.Max(0, (n[0]*psi[0]+n[1]*psi[1])/(length*slid))
		size += math.Max(0, slidK-knee) * smooth((math.Min(bent, 1)/full-0.9)/0.1) * same
	}
	return e[0] * size * n[0] / length, math.Atan(e[1] * size * n[1] / length), size
}

// energy is the root of twice the energy of a delayed slip q.
func (k *carcass) energy(t *contact, q [2]float64) (p [2]float64) {
	if t.Fz <= 0 {
		return p
	}
	stiffness, _, length, _ := k.holds(t)
	for i := range 2 {
		p[i] = math.Sqrt(stiffness[i]/length[i]) * length[i] * q[i]
	}
	return p
}
