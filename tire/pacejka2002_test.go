package tire_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/tire/tiretest"
)

// plainPacejka is section 10 of the tire specification, transcribed row by row
// without any shortcut, as a second algorithm. p holds parameters by name.
func plainPacejka(p map[string]float64, Fz, S, alpha, Omega, gamma, VCx float64) [5]float64 {
	sgn := func(x float64) float64 {
		if x < 0 {
			return -1
		}
		return 1
	}
	one := func(e float64) float64 { return math.Min(e, 1) }
	Fn := p["LFz0"] * p["Fz0"]
	df := (Fz - Fn) / Fn

	SHx := (p["PHx1"] + p["PHx2"]*df) * p["LHx"]
	sx := S + SHx
	gx := gamma * p["Lgammax"]
	Cx := p["PCx1"] * p["LCx"]
	mux := (p["PDx1"] + p["PDx2"]*df) * (1 - p["PDx3"]*math.Pow(gx, 2)) * p["Lmux"]
	Dx := mux * Fz
	Ex := one((p["PEx1"] + p["PEx2"]*df + p["PEx3"]*math.Pow(df, 2)) * (1 - p["PEx4"]*sgn(sx)) * p["LEx"])
	Kx := Fz * (p["PKx1"] + p["PKx2"]*df) * math.Exp(p["PKx3"]*df) * p["LKx"]
	Bx := Kx / (Cx * Dx)
	SVx := Fz * (p["PVx1"] + p["PVx2"]*df) * p["LVx"] * p["Lmux"]
	Fx0 := Dx*math.Sin(Cx*math.Atan(Bx*sx-Ex*(Bx*sx-math.Atan(Bx*sx)))) + SVx

	gy := gamma * p["Lgammay"]
	SHy := (p["PHy1"]+p["PHy2"]*df)*p["LHy"] + p["PHy3"]*gy
	ay := alpha + SHy
	Cy := p["PCy1"] * p["LCy"]
	muy := (p["PDy1"] + p["PDy2"]*df) * (1 - p["PDy3"]*math.Pow(gy, 2)) * p["Lmuy"]
	Dy := muy * Fz
	Ey := one((p["PEy1"] + p["PEy2"]*df) * (1 - (p["PEy3"]+p["PEy4"]*gy)*sgn(ay)) * p["LEy"])
	Ky := p["PKy1"] * p["Fz0"] * math.Sin(2*math.Atan(Fz/(p["PKy2"]*Fn))) * (1 -
		p["PKy3"]*math.Abs(gy)) * p["LFz0"] * p["LKy"]
	By := Ky / (Cy * Dy)
	SVy := Fz * ((p["PVy1"]+p["PVy2"]*df)*p["LVy"] + (p["PVy3"]+p["PVy4"]*df)*gy) * p["Lmuy"]
	Fy0 := Dy*math.Sin(Cy*math.Atan(By*ay-Ey*(By*ay-math.Atan(By*ay)))) + SVy

	Bxa := p["RBx1"] * math.Cos(math.Atan(p["RBx2"]*S)) * p["LXalpha"]
	Cxa := p["RCx1"]
	Exa := one(p["REx1"] + p["REx2"]*df)
	SHxa := p["RHx1"]
	g := func(x float64) float64 { return math.Cos(Cxa * math.Atan(Bxa*x-Exa*(Bxa*x-math.Atan(Bxa*x)))) }
	Fx := g(alpha+SHxa) / g(SHxa) * Fx0

	Byk := p["RBy1"] * math.Cos(math.Atan(p["RBy2"]*(alpha-p["RBy3"]))) * p["LYkappa"]
	Cyk := p["RCy1"]
	Eyk := one(p["REy1"] + p["REy2"]*df)
	SHyk := p["RHy1"] + p["RHy2"]*df
	h := func(x float64) float64 { return math.Cos(Cyk * math.Atan(Byk*x-Eyk*(Byk*x-math.Atan(Byk*x)))) }
	DVyk := muy * Fz * (p["RVy1"] + p["RVy2"]*df + p["RVy3"]*gamma) * math.Cos(math.Atan(p["RVy4"]*alpha))
	SVyk := DVyk * math.Sin(p["RVy5"]*math.Atan(p["RVy6"]*S)) * p["LVykappa"]
	Fy := h(S+SHyk)/h(SHyk)*Fy0 + SVyk

	Mx := p["R0"] * Fz * (p["QSx1"]*p["LVMx"] - p["QSx2"]*gamma + p["QSx3"]*Fy/Fn) * p["LMx"]
	My := -sgn(Omega) * p["R0"] * Fz * (p["QSy1"] + p["QSy2"]*Fx/Fn + p["QSy3"]*math.Abs(VCx/p["V0"]) +
		p["QSy4"]*math.Pow(VCx/p["V0"], 4)) * p["LMy"]

	gz := gamma * p["Lgammaz"]
	SHt := p["QHz1"] + p["QHz2"]*df + (p["QHz3"]+p["QHz4"]*df)*gz
	at := alpha + SHt
	SHf := SHy + SVy/Ky
	ar := alpha + SHf
	Bt := (p["QBz1"] + p["QBz2"]*df + p["QBz3"]*math.Pow(df, 2)) * (1 + p["QBz4"]*gz +
		p["QBz5"]*math.Abs(gz)) * p["LKy"] / p["Lmuy"]
	Ct := p["QCz1"]
	Dt := Fz * (p["QDz1"] + p["QDz2"]*df) * (1 + p["QDz3"]*gz + p["QDz4"]*math.Pow(gz,
		2)) * (p["R0"] / Fn) * p["Ltrail"]
	Et := one((p["QEz1"] + p["QEz2"]*df + p["QEz3"]*math.Pow(df, 2)) * (1 +
		(p["QEz4"]+p["QEz5"]*gz)*(2/math.Pi)*math.Atan(Bt*Ct*at)))
	Br := p["QBz9"]*p["LKy"]/p["Lmuy"] + p["QBz10"]*By*Cy
	Dr := Fz * ((p["QDz6"]+p["QDz7"]*df)*p["Lres"] + (p["QDz8"]+p["QDz9"]*df)*gz) * p["R0"] * p["Lmuy"]
	ateq := sgn(at) * math.Atan(math.Sqrt(math.Pow(math.Tan(at), 2)+math.Pow(Kx/Ky, 2)*math.Pow(S, 2)))
	areq := sgn(ar) * math.Atan(math.Sqrt(math.Pow(math.Tan(ar), 2)+math.Pow(Kx/Ky, 2)*math.Pow(S, 2)))
	trail := Dt * math.Cos(Ct*math.Atan(Bt*ateq-Et*(Bt*ateq-math.Atan(Bt*ateq)))) * math.Cos(alpha)
	Mzr := Dr * math.Cos(math.Atan(Br*areq)) * math.Cos(alpha)
	s := p["R0"] * (p["SSz1"] + p["SSz2"]*Fy/Fn + (p["SSz3"]+p["SSz4"]*df)*gamma) * p["LS"]
	Mz := -trail*(Fy-SVyk) + Mzr + s*Fx
	return [5]float64{Fx, Fy, Mx, My, Mz}
}

func named(t *testing.T, values []float64) map[string]float64 {
	m := map[string]float64{}
	for i, p := range tiretest.Lookup(t, "Pacejka02").Parameters {
		m[p.Name] = values[i]
	}
	return m
}

func compareWithPlain(t *testing.T, values []float64, r *rand.Rand, what string) {
	t.Helper()
	f, err := tiretest.Lookup(t, "Pacejka02").New(values)
	if err != nil {
		t.Fatal(err)
	}
	p := named(t, values)
	out := make([]float64, 5)
	for range 50 {
		in := tiretest.Sample(r, tiretest.Lookup(t, "Pacejka02").Inputs)
		in[7], in[8] = 1, 1
		f.Eval(in, out)
		want := plainPacejka(p, in[0], in[1], in[2], in[3], in[4], in[6])
		for i := range out {
			if !(math.Abs(out[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
				t.Fatalf("%s: output %d = %.14g, plain transcription %.14g at %v", what, i, out[i], want[i], in)
			}
		}
	}
}

func TestPacejkaEqualsThePlainTranscription(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	base := tiretest.Parameters(t, tires)["Pacejka02"]
	compareWithPlain(t, base, r, "Table A.4")
	factors := 0
	for i, p := range tiretest.Lookup(t, "Pacejka02").Parameters {
		if !strings.HasPrefix(p.Name, "L") {
			continue
		}
		factors++
		values := append([]float64(nil), base...)
		values[i] = 1.3
		compareWithPlain(t, values, r, p.Name+" = 1.3")
	}
	if factors != 25 {
		t.Errorf("%d scale factors, want 25", factors)
	}
}

// All factors differ from 1 and from one another, the slips are large, and the
// limits E <= 1 act.
func TestPacejkaEqualsThePlainTranscriptionFarFromTheOrigin(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	k := tiretest.Lookup(t, "Pacejka02")
	for range 40 {
		values := append([]float64(nil), tiretest.Parameters(t, tires)["Pacejka02"]...)
		for i, p := range k.Parameters {
			if strings.HasPrefix(p.Name, "L") {
				values[i] = 0.7 + 0.6*r.Float64()
			}
		}
		f, err := k.New(values)
		if err != nil {
			t.Fatal(err)
		}
		p, out := named(t, values), make([]float64, 5)
		for range 50 {
			in := []float64{20 + 15000*r.Float64(), 3 * (2*r.Float64() - 1), 1.5 * (2*r.Float64() - 1),
				100 * (2*r.Float64() - 1), 0.4 * (2*r.Float64() - 1), 0.35, 60 * (2*r.Float64() - 1), 1, 1}
			if lean := in[4] * p["Lgammax"]; 1-p["PDx3"]*lean*lean < 0.1 {
				continue // the friction would become negative: TestFrictionStaysPositive
			}
			f.Eval(in, out)
			want := plainPacejka(p, in[0], in[1], in[2], in[3], in[4], in[6])
			for i := range out {
				if !(math.Abs(out[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
					t.Fatalf("output %d = %.14g, plain transcription %.14g at %v", i, out[i], want[i], in)
				}
			}
		}
	}
}

// symmetric returns the parameters of Table A.4 without ply-steer, conicity and
// shifts: what is left is the tire's mirror-symmetric part.
func symmetric(t *testing.T) []float64 {
	_, table := fromFile(t, "pacejka2002")
	values := append([]float64(nil), table...)
	for i, p := range tiretest.Lookup(t, "Pacejka02").Parameters {
		switch p.Name {
		case "PHx1", "PHx2", "PVx1", "PVx2", "PEx4", "RHx1", "PHy1", "PHy2", "PVy1", "PVy2", "PEy3",
			"RBy3", "RHy1", "RHy2",
			"RVy1", "RVy2", "QHz1", "QHz2", "QDz3", "QDz6", "QDz7", "QBz4", "QEz4", "SSz1":
			values[i] = 0
		}
	}
	return values
}

func TestSymmetricPacejkaMirrors(t *testing.T) {
	f := made(t, "Pacejka02", symmetric(t)...)
	r := rand.New(rand.NewPCG(47, 48))
	left, right := make([]float64, 5), make([]float64, 5)
	for range 200 {
		in := tiretest.Sample(r, tiretest.Lookup(t, "Pacejka02").Inputs)
		f.Eval(in, left)
		in[2], in[4] = -in[2], -in[4]
		f.Eval(in, right)
		for i, parity := range []float64{1, -1, -1, 1, -1} {
			if !(math.Abs(left[i]-parity*right[i]) <= 1e-10*max(1, math.Abs(left[i]))) {
				t.Fatalf("output %d: %g, mirrored %g at %v", i, left[i], right[i], in)
			}
		}
	}
}

// At the origin the Magic Formula's slope is B C D = K and its peak is D (10.1, 10.2).
func TestPacejkaHasItsStiffnessesAndPeaks(t *testing.T) {
	f := made(t, "Pacejka02", symmetric(t)...)
	out := make([]float64, 5)
	force := func(i int, s, alpha float64) float64 {
		f.Eval([]float64{4850, s, alpha, 50, 0, 0.35, 20, 1, 1}, out)
		return out[i]
	}
	const h = 1e-5
	kx, ky := (force(0, h, 0)-force(0, -h, 0))/(2*h), (force(1, 0, h)-force(1, 0, -h))/(2*h)
	if want := 4850 * 22.303; !(math.Abs(kx-want) <= 1e-5*want) {
		t.Errorf("dFx/dS = %g N, want Fz PKx1 = %g", kx, want)
	}
	if want := -21.92 * 4850 * math.Sin(2*math.Atan(1/2.0012)); !(math.Abs(ky-want) <= -1e-5*want) {
		t.Errorf("dFy/dalpha = %g N/rad, want %g", ky, want)
	}
	var peakX, peakY float64
	for x := 0.0; x < 1.5; x += 1e-4 {
		peakX, peakY = max(peakX, force(0, x, 0)), max(peakY, -force(1, 0, x))
	}
	if want := 1.1739 * 4850; !(math.Abs(peakX-want) <= 1e-5*want) {
		t.Errorf("largest Fx = %g N, want PDx1 Fz = %g", peakX, want)
	}
	if want := 1.0489 * 4850; !(math.Abs(peakY-want) <= 1e-5*want) {
		t.Errorf("largest |Fy| = %g N, want PDy1 Fz = %g", peakY, want)
	}
}

func TestSurfaceFrictionScalesTheFrictionFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	k := tiretest.Lookup(t, "Pacejka02")
	base := tiretest.Parameters(t, tires)["Pacejka02"]
	scaled := append([]float64(nil), base...)
	for i, p := range k.Parameters {
		if p.Name == "Lmux" || p.Name == "Lmuy" {
			scaled[i] *= 0.4
		}
	}
	a, err := k.New(base)
	if err != nil {
		t.Fatal(err)
	}
	b, err := k.New(scaled)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]float64, 5), make([]float64, 5)
	for range 100 {
		in := tiretest.Sample(r, k.Inputs)
		in[7] = 0.4
		a.Eval(in, x)
		in[7] = 1
		b.Eval(in, y)
		for i := range x {
			if !(math.Abs(x[i]-y[i]) <= 1e-11*max(1, math.Abs(y[i]))) {
				t.Fatalf("output %d: %g with mu = 0.4, %g with scaled factors", i, x[i], y[i])
			}
		}
	}
}

func TestPacejkaParametersAreDescribed(t *testing.T) {
	k := tiretest.Lookup(t, "Pacejka02")
	want := map[string]string{"Fz0": "N", "R0": "m", "V0": "m/s"}
	factors := 0
	for _, p := range k.Parameters {
		unit, dimensional := want[p.Name]
		if !dimensional {
			unit = "1"
		}
		if p.Unit != unit {
			t.Errorf("%s has the unit %q, want %q", p.Name, p.Unit, unit)
		}
		if scale := strings.HasPrefix(p.Name, "L"); scale != (p.Text == "scale factor") {
			t.Errorf("%s is described as %q", p.Name, p.Text)
		} else if scale {
			factors++
		}
	}
	if len(k.Parameters) != 117 || factors != 25 {
		t.Errorf("%d parameters with %d scale factors, want 117 with 25", len(k.Parameters), factors)
	}
}
