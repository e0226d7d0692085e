package tire_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// property reads a shipped property file.
func property(t testing.TB, name string) *tire.Parameters {
	t.Helper()
	data, err := os.ReadFile("../resources/tires/" + name + ".tir")
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ParseFile(data, name+".tir")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// byName are the parameters of a function, without the parameters of its use (side and ranges).
func byName(t testing.TB, function string, values []float64) map[string]float64 {
	m := map[string]float64{}
	for i, p := range tiretest.Lookup(t, function).Parameters {
		m[p.Name] = values[i]
	}
	return m
}

// with makes an MF61 of the shipped file with some parameters changed, without ranges.
func with(t testing.TB, change func(p map[string]float64)) tire.Function {
	t.Helper()
	k := tiretest.Lookup(t, "MF61")
	p := byName(t, "MF61", property(t, "mf61_205_60R15").Values)
	change(p)
	values, missing, unknown := k.OrderParameters(p)
	if len(missing)+len(unknown) > 0 {
		t.Fatalf("missing %v, unknown %v", missing, unknown)
	}
	f, err := k.New(values)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// plainMF6 is Magic Formula 6.1 equation by equation, by the numbers of Pacejka (2012), with
// (A48), (A58), (A60) of Besselink, Schmeitz and Pacejka (2010) and (49) of its revision. p holds parameters by name.
func plainMF6(p map[string]float64, Fz, kappa, alpha, gamma, Omega, Vcx, wn float64) [5]float64 {
	sgn := func(x float64) float64 { return math.Copysign(1, x) }
	one := func(e float64) float64 { return math.Min(e, 1) }
	sin, cos, atan, abs, pow, sqrt := math.Sin, math.Cos, math.Atan, math.Abs, math.Pow, math.Sqrt
	R0, Fz0 := p["R0"], p["Fz0"]
	Fz0s := p["LFz0"] * Fz0                                             // 4.E1
	dfz := (Fz - Fz0s) / Fz0s                                           // 4.E2a
	dpi := (p["Pressure"] - p["P0"]) / p["P0"]                          // 4.E2b
	as := math.Tan(alpha)                                               // 4.E3
	gs := sin(gamma)                                                    // 4.E4
	digressive := func(l float64) float64 { return 10 * l / (1 + 9*l) } // 4.E8
	lmux, lmuy := digressive(p["Lmux"]), digressive(p["Lmuy"])
	ahead := sgn(Vcx)

	Kya := func(gs, zeta3 float64) float64 { // 4.E25
		return p["PKy1"] * Fz0s * (1 + p["PPy1"]*dpi) * (1 - p["PKy3"]*abs(gs)) * zeta3 * p["LKy"] *
			sin(p["PKy4"]*atan(Fz/Fz0s/((p["PKy2"]+p["PKy5"]*gs*gs)*(1+p["PPy2"]*dpi))))
	}
	Kyg0 := Fz * (p["PKy6"] + p["PKy7"]*dfz) * (1 + p["PPy5"]*dpi) * p["LKyc"] // 4.E30
	muy := func(gs float64) float64 {                                          // 4.E23
		return (p["PDy1"] + p["PDy2"]*dfz) * (1 + p["PPy3"]*dpi + p["PPy4"]*dpi*dpi) * (1 - p["PDy3"]*gs*gs) * p["Lmuy"]
	}
	svyg := func(gs, zeta2 float64) float64 { // 4.E28
		return Fz * (p["PVy3"] + p["PVy4"]*dfz) * gs * p["LKyc"] * lmuy * zeta2
	}
	// combined-slip weight, 4.E59 to 4.E65
	Byk := (p["RBy1"] + p["RBy4"]*gs*gs) * cos(atan(p["RBy2"]*(as-p["RBy3"]))) * p["LYkappa"]
	Eyk := one(p["REy1"] + p["REy2"]*dfz)
	SHyk := p["RHy1"] + p["RHy2"]*dfz
	gk := func(x float64) float64 { return cos(p["RCy1"] * atan(Byk*x-Eyk*(Byk*x-atan(Byk*x)))) }
	Gyk := gk(kappa+SHyk) / gk(SHyk)

	z0, z1, z2, z3, z4, z5, z6, z7, z8 := 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0
	if p["TurnSlip"] > 0 {
		V := abs(Vcx) + 0.1 // 4.E6a
		yaw := wn - Omega*gs
		eps := p["PECp1"] * (1 + p["PECp2"]*dfz) // 4.90
		phi := (yaw + (1-eps)*Omega*gs) / V      // 4.76, in ISO axes
		z0 = 0
		z3 = cos(atan(p["PKyp1"] * R0 * R0 * phi * phi)) // 4.79
		Bxp := p["PDxp1"] * (1 + p["PDxp2"]*dfz) * cos(atan(p["PDxp3"]*kappa))
		z1 = cos(atan(Bxp * R0 * phi)) // 4.105, 4.106
		Byp := p["PDyp1"] * (1 + p["PDyp2"]*dfz) * cos(atan(p["PDyp3"]*as))
		z2 = cos(atan(Byp * (R0*abs(phi) + p["PDyp4"]*sqrt(R0*abs(phi))))) // 4.77, 4.78
		CHyp, DHyp, EHyp := p["PHyp1"], p["PHyp2"]+p["PHyp3"]*dfz, one(p["PHyp4"])
		BHyp := Kyg0 / (1 - eps) / (CHyp * DHyp * Kya(0, z3)) // 4.88, 4.89
		x := BHyp * R0 * phi
		SHyp := DHyp * sin(CHyp*atan(x-EHyp*(x-atan(x)))) * ahead               // 4.80
		z4 = 1 + SHyp - svyg(gs, z2)/Kya(gs, z3)                                // 4.84
		z5 = cos(atan(p["QDtp1"] * R0 * phi))                                   // 4.91
		z6 = cos(atan(p["QBrp1"] * R0 * phi))                                   // 4.102
		Mzinf := p["QCrp1"] * abs(muy(gs)) * R0 * Fz * sqrt(Fz/Fz0s) * p["LMP"] // 4.95, a torque of friction
		Mz90 := Mzinf * 2 / math.Pi * atan(p["QCrp2"]*R0*abs(yaw/V)) * Gyk      // 4.103
		CDr, EDr := p["QDrp1"], one(p["QDrp2"])
		// 4.94
		DDr := Mzinf / sin(math.Pi/2*CDr)
		// 4.99
		Kzg := Fz * R0 * ((p["QDz8"]+p["QDz9"]*dfz)*(1+p["PPz2"]*dpi) + (p["QDz10"]+p["QDz11"]*dfz)*abs(gs)) * p["LKzc"]
		x = Kzg / (CDr * DDr * (1 - eps)) * R0 * phi                              // 4.98
		Dr := DDr * sin(CDr*atan(x-EDr*(x-atan(x))))                              // 4.93
		z8 = 1 + Dr                                                               // 4.92
		z7 = 2 / math.Pi * math.Acos(math.Min(1, Mz90/(abs(Dr)+1e-3*abs(Mzinf)))) // 4.104
	}

	// 4.E9 to 4.E18
	kx := kappa + (p["PHx1"]+p["PHx2"]*dfz)*p["LHx"]
	Cx := p["PCx1"] * p["LCx"]
	Dx := (p["PDx1"] + p["PDx2"]*dfz) * (1 + p["PPx3"]*dpi + p["PPx4"]*dpi*dpi) * (1 -
		p["PDx3"]*gamma*gamma) * p["Lmux"] * Fz * z1
	Ex := one((p["PEx1"] + p["PEx2"]*dfz + p["PEx3"]*dfz*dfz) * (1 - p["PEx4"]*sgn(kx)) * p["LEx"])
	Kxk := Fz * (p["PKx1"] + p["PKx2"]*dfz) * math.Exp(p["PKx3"]*dfz) * (1 + p["PPx1"]*dpi +
		p["PPx2"]*dpi*dpi) * p["LKx"]
	Bx := Kxk / (Cx * Dx)
	SVx := Fz * (p["PVx1"] + p["PVx2"]*dfz) * p["LVx"] * lmux * z1
	Fx0 := Dx*sin(Cx*atan(Bx*kx-Ex*(Bx*kx-atan(Bx*kx)))) + SVx

	// 4.E19 to 4.E30
	lateral := func(gs, z0, z2, z3, z4 float64) (Fy0, SHy, SVy, By float64) {
		K := Kya(gs, z3)
		SVyg := svyg(gs, z2)
		SHy = (p["PHy1"]+p["PHy2"]*dfz)*p["LHy"] + (Kyg0*gs-SVyg)/K*z0 + z4 - 1
		ay := as + SHy
		Cy := p["PCy1"] * p["LCy"]
		Dy := muy(gs) * Fz * z2
		Ey := one((p["PEy1"] + p["PEy2"]*dfz) * (1 + p["PEy5"]*gs*gs - (p["PEy3"]+p["PEy4"]*gs)*sgn(ay)) * p["LEy"])
		By = K / (Cy * Dy)
		SVy = Fz*(p["PVy1"]+p["PVy2"]*dfz)*p["LVy"]*lmuy*z2 + SVyg
		return Dy*sin(Cy*atan(By*ay-Ey*(By*ay-atan(By*ay)))) + SVy, SHy, SVy, By
	}
	Fy0, SHy, SVy, By := lateral(gs, z0, z2, z3, z4)
	upright, _, _, _ := lateral(0, 1, 1, 1, 1)

	// 4.E50 to 4.E57
	Bxa := (p["RBx1"] + p["RBx3"]*gs*gs) * cos(atan(p["RBx2"]*kappa)) * p["LXalpha"]
	Exa := one(p["REx1"] + p["REx2"]*dfz)
	ga := func(x float64) float64 { return cos(p["RCx1"] * atan(Bxa*x-Exa*(Bxa*x-atan(Bxa*x)))) }
	Fx := ga(as+p["RHx1"]) / ga(p["RHx1"]) * Fx0

	// 4.E58, 4.E66, 4.E67
	DVyk := muy(gs) * Fz * (p["RVy1"] + p["RVy2"]*dfz + p["RVy3"]*gs) * cos(atan(p["RVy4"]*as)) * z2
	Fy := Gyk*Fy0 + DVyk*sin(p["RVy5"]*atan(p["RVy6"]*kappa))*p["LVykappa"]

	// overturning couple (49), rolling resistance (A48)
	Mx := R0*Fz*p["LMx"]*(p["QSx1"]*p["LVMx"]-p["QSx2"]*gamma*(1+p["PPMx1"]*dpi)-
		p["QSx12"]*gamma*abs(gamma)+p["QSx3"]*Fy/Fz0+
		p["QSx4"]*cos(p["QSx5"]*atan(pow(p["QSx6"]*Fz/Fz0, 2)))*sin(p["QSx7"]*gamma+p["QSx8"]*atan(p["QSx9"]*Fy/Fz0))+
		p["QSx10"]*atan(p["QSx11"]*Fz/Fz0)*gamma) +
		R0*p["LMx"]*Fy*(p["QSx13"]+p["QSx14"]*abs(gamma))
	My := -sgn(Omega) * R0 * Fz0 * p["LMy"] * (p["QSy1"] + p["QSy2"]*Fx/Fz0 + p["QSy3"]*abs(Vcx/p["V0"]) +
		p["QSy4"]*pow(Vcx/p["V0"], 4) + (p["QSy5"]+p["QSy6"]*Fz/Fz0)*gamma*gamma) *
		pow(Fz/Fz0, p["QSy7"]) * pow(p["Pressure"]/p["P0"], p["QSy8"])

	// 4.E31 to 4.E49, 4.E71 to 4.E78
	K := Kya(gs, z3)
	at := as + p["QHz1"] + p["QHz2"]*dfz + (p["QHz3"]+p["QHz4"]*dfz)*gs
	ar := as + SHy + SVy/K
	Bt := (p["QBz1"] + p["QBz2"]*dfz + p["QBz3"]*dfz*dfz) * (1 + p["QBz4"]*gamma +
		p["QBz5"]*abs(gamma)) * p["LKy"] / p["Lmuy"]
	Ct := p["QCz1"]
	Dt := (p["QDz1"] + p["QDz2"]*dfz) * (1 - p["PPz1"]*dpi) * (1 + p["QDz3"]*gamma +
		p["QDz4"]*gamma*gamma) * Fz * R0 / Fz0s * p["Ltrail"] * z5
	Et := one((p["QEz1"] + p["QEz2"]*dfz + p["QEz3"]*dfz*dfz) * (1 + (p["QEz4"]+p["QEz5"]*gs)*2/math.Pi*atan(Bt*Ct*at)))
	slip := Kxk / K * kappa
	ateq, areq := sgn(at)*sqrt(at*at+slip*slip), sgn(ar)*sqrt(ar*ar+slip*slip)
	along := cos(alpha) * ahead
	trail := Dt * cos(Ct*atan(Bt*ateq-Et*(Bt*ateq-atan(Bt*ateq)))) * along
	Br := (p["QBz9"]*p["LKy"]/p["Lmuy"] + p["QBz10"]*By*p["PCy1"]*p["LCy"]) * z6
	Dr := Fz*R0*((p["QDz6"]+p["QDz7"]*dfz)*p["Lres"]*z2+((p["QDz8"]+p["QDz9"]*dfz)*(1+p["PPz2"]*dpi)+
		(p["QDz10"]+p["QDz11"]*dfz)*abs(gs))*gs*p["LKzc"]*z0)*p["Lmuy"]*along + z8 - 1
	Mzr := Dr * cos(z7*atan(Br*areq))
	s := R0 * (p["SSz1"] + p["SSz2"]*Fy/Fz0s + (p["SSz3"]+p["SSz4"]*dfz)*gs) * p["LS"]
	Mz := -trail*Gyk*upright + Mzr + s*Fx
	return [5]float64{Fx, Fy, Mx, My, Mz}
}

// wide draws inputs far from the origin: Fz, S, alpha, gamma, Omega, VCx, wn, mu = 1.
func wide(r *rand.Rand) []float64 {
	v := (1 + 40*r.Float64()) * math.Copysign(1, r.Float64()-0.3)
	return []float64{100 + 12000*r.Float64(), 2 * (2*r.Float64() - 1), 1.4 * (2*r.Float64() - 1),
		0.3 * (2*r.Float64() - 1), v / 0.31, v, 5 * (2*r.Float64() - 1), 1}
}

func TestMF6EqualsThePlainTranscription(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	out := make([]float64, 5)
	for n := range 60 {
		var p map[string]float64
		f := with(t, func(own map[string]float64) {
			p = own
			p["TurnSlip"] = float64(n % 2)
			p["Pressure"] *= 0.8 + 0.4*r.Float64()
			p["QSx12"], p["QSx13"], p["QSx14"] = 0.2, 0.03, 0.05
			for _, name := range slices.Sorted(maps.Keys(p)) {
				if strings.HasPrefix(name, "L") {
					p[name] = 0.7 + 0.6*r.Float64()
				}
			}
		})
		for range 50 {
			in := wide(r)
			f.Eval(in, out)
			want := plainMF6(p, in[0], in[1], in[2], in[3], in[4], in[5], in[6])
			for i := range out {
				if !(math.Abs(out[i]-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
					t.Fatalf("output %d = %.14g, plain transcription %.14g at %v, turn slip %g", i, out[i], want[i],
						in, p["TurnSlip"])
				}
			}
		}
	}
}

// In the transcription a random order of scale factors would hide a factor that is 1 in both: each
// parameter must move some output.
func TestEveryMF6ParameterMatters(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	k := tiretest.Lookup(t, "MF61")
	turning := func(p map[string]float64) {
		p["TurnSlip"], p["QSx12"], p["QSx13"], p["QSx14"] = 1, 0.2, 0.03, 0.05
		p["LMx"], p["LFz0"] = 1.1, 1.05
	}
	base, plain := with(t, turning), with(t, func(p map[string]float64) { turning(p); p["TurnSlip"] = 0 })
	a, b := make([]float64, 5), make([]float64, 5)
	for _, info := range k.Parameters {
		moved := false
		for _, start := range []float64{1, 0} {
			f := with(t, func(p map[string]float64) {
				turning(p)
				p["TurnSlip"] = start
				if info.Name == "TurnSlip" {
					p["TurnSlip"] = 1 - start
				} else {
					p[info.Name] = 1.01*p[info.Name] + 1e-3
				}
			})
			for range 10 {
				in := tiretest.Sample(r, k.Inputs)
				map[float64]tire.Function{1: base, 0: plain}[start].Eval(in, a)
				f.Eval(in, b)
				moved = moved || !slices.Equal(a, b)
			}
		}
		if !moved {
			t.Errorf("no force depends on %s", info.Name)
		}
	}
}

// Where the versions have the same terms, they have the same forces: without inclination, at the nominal pressure,
// for slips small enough that tan alpha is alpha. QSy7 = 1 makes the rolling resistance proportional to the load.
func TestMF6ReducesTo52(t *testing.T) {
	_, table := fromFile(t, "pacejka2002")
	old := byName(t, "Pacejka02", table)
	f := with(t, func(p map[string]float64) {
		for name := range p {
			v, known := old[name]
			switch {
			case known:
				p[name] = v
			case strings.HasPrefix(name, "L"):
				p[name] = 1
			default:
				p[name] = 0
			}
		}
		p["P0"], p["Pressure"], p["PKy4"], p["QSy7"] = 2e5, 2e5, 2, 1
	})
	r := rand.New(rand.NewPCG(85, 86))
	out, want := make([]float64, 5), make([]float64, 5)
	for range 500 {
		fz, s, alpha := 1000+8000*r.Float64(), 0.3*(2*r.Float64()-1), 1e-5*(2*r.Float64()-1)
		f.Eval([]float64{fz, s, alpha, 0, 60, 20, 0.1, 1}, out)
		made(t, "Pacejka02", table...).Eval([]float64{fz, s, alpha, 60, 0, 0.35, 20, 1, 1}, want)
		for i := range out {
			tolerance := 1e-6
			if i == 4 {
				tolerance = 2e-3 // arctan sqrt(tan^2 + ...) in 5.2, the root itself in 6.1: by their slip
				tolerance += 60 * s * s
			}
			if math.Abs(out[i]-want[i]) > tolerance*max(1, 1e-3*math.Abs(want[i])) {
				t.Fatalf("output %d = %.12g, by version 5.2 %.12g at Fz %g, S %g, alpha %g", i, out[i],
					want[i], fz, s, alpha)
			}
		}
	}
}

// unshifted are the parameters without what is not symmetric, and without shifts.
func unshifted(p map[string]float64) {
	for _, name := range []string{"PHx1", "PHx2", "PVx1", "PVx2", "PEx4", "RHx1", "PHy1", "PHy2", "PVy1", "PVy2",
		"PEy3", "RBy3", "RHy1", "RHy2",
		"RVy1", "RVy2", "QHz1", "QHz2", "QDz3", "QDz6", "QDz7", "QBz4", "QEz4", "SSz1", "QSx1"} {
		p[name] = 0
	}
}

// Slopes at the origin are the stiffnesses of the formulas, at any pressure; the largest forces are D.
func TestMF6HasItsStiffnessesAndPeaks(t *testing.T) {
	for _, pressure := range []float64{1.6e5, 2.2e5, 3e5} {
		var p map[string]float64
		f := with(t, func(own map[string]float64) { p = own; unshifted(p); p["Pressure"] = pressure }).(tire.Differentiable)
		dp := pressure/2.2e5 - 1
		jac, out := make([]float64, 40), make([]float64, 5)
		f.Jacobian([]float64{4000, 0, 0, 0, 50, 16, 0, 1}, jac)
		kx := 4000 * p["PKx1"] * (1 + p["PPx1"]*dp + p["PPx2"]*dp*dp)
		ky := p["PKy1"] * 4000 * (1 + p["PPy1"]*dp) * math.Sin(2*math.Atan(1/(p["PKy2"]*(1+p["PPy2"]*dp))))
		kg := 4000 * p["PKy6"] * (1 + p["PPy5"]*dp)
		kz := -ky * p["R0"] * p["QDz1"] * (1 - p["PPz1"]*dp) // -Kzalpha0 (4.E48)
		for _, c := range []struct {
			what      string
			got, want float64
		}{{"dFx/dS", jac[1], kx}, {"dFy/dalpha", jac[8+2], ky}, {"dFy/dgamma", jac[8+3], kg}, {"dMz/dalpha", jac[32+2], kz}} {
			if math.Abs(c.got-c.want) > 1e-9*math.Abs(c.want) {
				t.Errorf("at %g Pa %s = %.12g, want %.12g", pressure, c.what, c.got, c.want)
			}
		}
		var x, y float64
		for s := 0.0; s < 1.5; s += 1e-4 {
			f.Eval([]float64{4000, s, 0, 0, 50, 16, 0, 1}, out)
			x = max(x, out[0])
			f.Eval([]float64{4000, 0, math.Atan(s), 0, 50, 16, 0, 1}, out)
			y = max(y, -out[1])
		}
		if want := 4000 * p["PDx1"] * (1 + p["PPx3"]*dp + p["PPx4"]*dp*dp); math.Abs(x-want) > 1e-6*want {
			t.Errorf("at %g Pa the largest Fx is %g N, want %g", pressure, x, want)
		}
		if want := 4000 * p["PDy1"] * (1 + p["PPy3"]*dp + p["PPy4"]*dp*dp); math.Abs(y-want) > 1e-6*want {
			t.Errorf("at %g Pa the largest |Fy| is %g N, want %g", pressure, y, want)
		}
	}
}

// Leaning and yawing turn the contact patch alike. With turn slip, a small inclination causes the same camber thrust
// and torque as without turn slip, and so does a yaw rate of (1 - epsilon) Omega gamma.
func TestTurnSlipOfInclinationIsCamber(t *testing.T) {
	const omega, v = 1e4 / 0.3135, 1e4 // fast: epsilon_V does not count
	turning := with(t, func(p map[string]float64) { unshifted(p); p["TurnSlip"] = 1 }).(tire.Differentiable)
	plain := with(t, unshifted).(tire.Differentiable)
	a, b := make([]float64, 40), make([]float64, 40)
	in := []float64{4000, 0, 0, 0, omega, v, 0, 1}
	plain.Jacobian(in, a)
	turning.Jacobian(in, b)
	eps := 0.55
	// at a yaw rate of zero the normal spin is wn = Omega sin gamma
	force, torque := b[8+3]+omega*b[8+6], b[32+3]+omega*b[32+6]
	if math.Abs(force-a[8+3]) > 1e-4*math.Abs(a[8+3]) {
		t.Errorf("dFy/dgamma = %g with turn slip, %g without", force, a[8+3])
	}
	if math.Abs(torque-a[32+3]) > 1e-3*math.Abs(a[32+3]) {
		t.Errorf("dMz/dgamma = %g with turn slip, %g without", torque, a[32+3])
	}
	if yaw := omega * (1 - eps) * b[8+6]; math.Abs(yaw-force) > 1e-4*math.Abs(force) {
		t.Errorf("dFy/dpsi_dot (1 - eps) Omega = %g, dFy/dgamma = %g", yaw, force)
	}
}

// With unbounded spin, forces vanish and the torque approaches the torque of a standing tire that is turned.
func TestForcesVanishWithEndlessSpin(t *testing.T) {
	var p map[string]float64
	f := with(t, func(own map[string]float64) { p = own; p["TurnSlip"] = 1 })
	rolling, turned := make([]float64, 5), make([]float64, 5)
	f.Eval([]float64{4000, 0.05, 0.05, 0, 50, 16, 0, 1}, rolling)
	f.Eval([]float64{4000, 0.05, 0.05, 0, 0, 0, 1e6, 1}, turned)
	for i := range 2 {
		if math.Abs(turned[i]) > 0.01*math.Abs(rolling[i]) {
			t.Errorf("force %d is %g N turned on the spot, %g N rolling", i, turned[i], rolling[i])
		}
	}
	muy := p["PDy1"] * (1 + p["PPy3"]*(24./22-1) + p["PPy4"]*(24./22-1)*(24./22-1))
	if want := p["QCrp1"] * muy * p["R0"] * 4000; math.Abs(turned[4]) > 1.01*want || turned[4] > 0 {
		t.Errorf("Mz = %g N m turned to the left on the spot; it must be against it and at most %g", turned[4], want)
	}
}

func TestSymmetricMF6Mirrors(t *testing.T) {
	for _, turn := range []float64{0, 1} {
		f := with(t, func(p map[string]float64) { unshifted(p); p["TurnSlip"] = turn })
		r := rand.New(rand.NewPCG(87, 88))
		left, right := make([]float64, 5), make([]float64, 5)
		for range 200 {
			in := wide(r)
			f.Eval(in, left)
			in[2], in[3], in[6] = -in[2], -in[3], -in[6]
			f.Eval(in, right)
			for i, parity := range []float64{1, -1, -1, 1, -1} {
				if math.Abs(left[i]-parity*right[i]) > 1e-9*max(1, math.Abs(left[i])) {
					t.Fatalf("output %d: %g, mirrored %g at %v", i, left[i], right[i], in)
				}
			}
		}
	}
}

func TestMF6JacobianAgreesWithDifferencesFarFromTheOrigin(t *testing.T) {
	r := rand.New(rand.NewPCG(89, 90))
	k := tiretest.Lookup(t, "MF61")
	var d differences
	for n := range 60 {
		f := with(t, func(p map[string]float64) {
			p["TurnSlip"] = float64(n % 2)
			p["QSx12"], p["QSx13"], p["QSx14"] = 0.2, 0.03, 0.05
			for _, name := range slices.Sorted(maps.Keys(p)) {
				if strings.HasPrefix(name, "L") {
					p[name] = 0.7 + 0.6*r.Float64()
				}
			}
		})
		for range 10 {
			in := wide(r)
			in[7] = 0.2 + r.Float64()
			d.compare(t, k, f, in)
		}
	}
	d.judge(t, k.Name)
}

// The power of the rolling resistance equals math.Pow, also if it is computed from roots.
func TestRollingResistanceIsAPowerOfTheLoad(t *testing.T) {
	out := make([]float64, 5)
	for _, q := range []float64{0, 0.5, 0.87, 1, 2.3} {
		f := with(t, func(p map[string]float64) { p["QSy7"], p["QSy2"], p["LMx"] = q, 0, 0; p["QSy6"] = 0 })
		f.Eval([]float64{4000, 0, 0, 0, 50, 16, 0, 1}, out)
		nominal := out[3]
		for _, share := range []float64{0.011, 0.3, 2, 30, 99} {
			f.Eval([]float64{4000 * share, 0, 0, 0, 50, 16, 0, 1}, out)
			if want := nominal * math.Pow(share, q); math.Abs(out[3]-want) > 1e-14*math.Abs(want) {
				t.Errorf("My = %.17g N m at %g nominal loads to the power %g, want %.17g", out[3], share, q, want)
			}
		}
	}
}

// The lengths are the stiffnesses of the force function, at any load, inclination and pressure, by those of
// the carcass; both come from one file.
func TestMFRelaxationHasTheLengthsOfTheForces(t *testing.T) {
	data, err := os.ReadFile("../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Function: "MFRelaxation"})
	if err != nil {
		t.Fatal(err)
	}
	relaxation := made(t, "MFRelaxation", p.Values...)
	force := with(t, func(p map[string]float64) {
		unshifted(p)
		for _, name := range []string{"PVy3", "PVy4", "PKy6", "PKy7", "PDy3", "RVy3", "PEy4"} {
			p[name] = 0 // no camber force: the slope at no slip angle is Ky
		}
	}).(tire.Differentiable)
	jac := make([]float64, 40)
	for _, fz := range []float64{1000, 4000, 7000} {
		for _, gamma := range []float64{-0.1, 0, 0.05} {
			long, lat := lengths(relaxation, fz, gamma)
			force.Jacobian([]float64{fz, 0, 0, gamma, 50, 16, 0, 1}, jac)
			d, dp := fz/4000-1, 24./22-1
			cx := 360000 * (1 + 0.12*d - 0.04*d*d) * (1 + 0.25*dp)
			cy := 105000 * (1 + 0.16*d - 0.05*d*d) * (1 + 0.32*dp)
			if math.Abs(long*cx-jac[1]) > 1e-9*jac[1] {
				t.Errorf("at %g N the longitudinal length is %g m, Kx/Cx %g", fz, long, jac[1]/cx)
			}
			if math.Abs(lat*cy+jac[8+2]) > 1e-9*-jac[8+2] {
				t.Errorf("at %g N, %g rad the lateral length is %g m, |Ky|/Cy %g", fz, gamma, lat, -jac[8+2]/cy)
			}
		}
	}
	text := strings.Replace(string(data), "LATERAL_STIFFNESS      = 105000", "LATERAL_STIFFNESS = 0", 1)
	_, err = tire.ReadFile([]byte(text), "t.tir", tire.ReadOptions{Function: "MFRelaxation"})
	if err == nil || !strings.Contains(err.Error(), "LATERAL_STIFFNESS: parameter Cy of MFRelaxation") {
		t.Errorf("without a lateral stiffness: %v", err)
	}
}
