package rig

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
)

// near fails if a value differs from the wanted value by more than the tolerance, relative to the wanted value;
// absolute if that is 0.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	size := math.Abs(want)
	if size == 0 {
		size = 1
	}
	if !(math.Abs(got-want) <= tolerance*size) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// builtLibrary is the library made from these sources.
func builtLibrary(t *testing.T) *library.Library {
	t.Helper()
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func shipped(name string) string {
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "resources", "tires", name))
	if err != nil {
		panic(err)
	}
	return path
}

// open puts a tire on the stand.
func open(t *testing.T, tire Tire) *Rig {
	t.Helper()
	r, err := Open(builtLibrary(t), tire, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// changed writes a property file with other values of some keys, and returns its path.
func changed(t *testing.T, name string, values map[string]string) string {
	t.Helper()
	data, err := os.ReadFile(shipped(name))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range values {
		entry := regexp.MustCompile(`(?m)^` + key + `\s*=.*$`)
		if !entry.Match(data) {
			t.Fatalf("%s has no %s", name, key)
		}
		data = entry.ReplaceAll(data, []byte(key+" = "+value))
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const cs, ca, width, mu = 115000.0, 117000.0, 0.16, 1.1

// fiala is a tire whose friction does not depend on slip.
func fiala(t *testing.T) Tire {
	path := filepath.Join(t.TempDir(), "fiala.toml")
	text := fmt.Sprintf(`function = "Fiala"
[parameters]
D2 = %g
CS = %g
Calpha = %g
Cr = 0.01
mu0 = %g
mu1 = %g
`, width, cs, ca, mu, mu)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Tire{Model: "Fiala", File: path, Radius: 0.35, Stiffness: 3e5}
}

// Fiala's curves in closed form: a cubic of the tangent of the slip angle up to the angle of full sliding, arctan(3 mu
// Fz/C), the friction beyond. The trail without slip is a sixth of the patch, here a third of D2. The wheel is in the
// requested state.
func TestFialaInClosedForm(t *testing.T) {
	r := open(t, fiala(t))
	for _, load := range []float64{1500, 6000} {
		for _, deg := range []float64{-12, -3, -0.5, 0.5, 2, 6, 12} {
			s := State{Load: load, Alpha: deg * degree, Speed: 20}
			f, err := r.Measure(s)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "load", f.Fz, load, 1e-11)
			z := ca * math.Abs(math.Tan(s.Alpha))
			fy, mz := mu*load, 0.0
			if z < 3*mu*load {
				fy = z - z*z/(3*mu*load) + z*z*z/(27*mu*mu*load*load)
				h := 1 - z/(3*mu*load)
				mz = mu * load * width * (1 - h) * h * h * h
			}
			near(t, fmt.Sprintf("side force at %g deg", deg), f.Fy, -math.Copysign(fy, deg), 1e-9)
			near(t, fmt.Sprintf("aligning moment at %g deg", deg), f.Mz, math.Copysign(mz, deg), 1e-9)
			near(t, "rolling resistance", f.My, -0.01*load, 1e-9)
		}
		m, err := r.merit(State{Load: load, Speed: 20}, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "cornering stiffness", m.Cornering, ca, 1e-6)
		near(t, "slip stiffness", m.Longitudinal, cs, 1e-6)
		near(t, "camber stiffness", m.Camber, 0, 1e-6)
		near(t, "trail", m.Trail, width/3, 1e-6)
		near(t, "largest side force", m.LateralPeak, mu, 1e-9)
		if limit := math.Atan(3 * mu * load / ca); !(math.Abs(m.LateralPeakAt) > limit-2e-3) {
			t.Errorf("the side force is largest at %g rad, before all slides at %g", m.LateralPeakAt, limit)
		}
		// Fx = mu Fz (1 - mu Fz/(4 CS S)) rises with slip to its end
		near(t, "largest driving force", m.DrivePeak, mu*(1-mu*load/(4*cs)), 1e-9)
		near(t, "slip there", m.DrivePeakAt, 1, 1e-6)
		near(t, "largest braking force", m.BrakePeak, mu*(1-mu*load/(4*cs)), 1e-9)
		near(t, "slip there", m.BrakePeakAt, -1, 1e-6)
	}
}

// A brush tire without bound is linear: Fx = Ck S, Fy = -Ca tan(alpha) - camber Fz sin(gamma), Mz = CM times minus the
// turn slip. Its relaxation lengths are its parameter.
func TestBrushInClosedForm(t *testing.T) {
	const ck, camber, moment, sigma = 40000.0, 0.8, 0.5, 0.25
	path := filepath.Join(t.TempDir(), "brush.toml")
	if err := os.WriteFile(path,
		fmt.Appendf(nil,
			`function = "Brush"
[parameters]
Ck = %g
Ca = %g
CM = %g
camber = %g
Cr = 0
mu0 = 0
`, ck, ca,
			moment, camber), 0o600); err != nil {
		t.Fatal(err)
	}
	length := filepath.Join(t.TempDir(), "length.toml")
	if err := os.WriteFile(length,
		fmt.Appendf(nil, `function = "ConstantLength"
[parameters]
Blong = %g
Blat = %g
`, sigma/2, sigma),
		0o600); err != nil {
		t.Fatal(err)
	}
	tire := Tire{Model: "Brush", File: path, Radius: 0.35, Stiffness: 3e5,
		Relaxation: &Relaxation{Function: "ConstantLength", File: length}}
	r := open(t, tire)
	s := State{Load: 3000, Kappa: -0.03, Alpha: 0.05, Gamma: 0.1, Speed: 15}
	f, err := r.Measure(s)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Fx", f.Fx, ck*s.Kappa, 1e-9)
	near(t, "Fy", f.Fy, -ca*math.Tan(s.Alpha)-camber*s.Load*math.Sin(s.Gamma), 1e-9)
	near(t, "Fz", f.Fz, s.Load, 1e-11)
	if f, err = r.Measure(State{Load: 3000, TurnSlip: 0.2, Speed: 15}); err != nil {
		t.Fatal(err)
	}
	near(t, "moment of turn slip", f.Mz, -moment*0.2, 1e-3) // the function adds 1 mm/s to the speed
	delayed, err := Open(builtLibrary(t), tire, true)
	if err != nil {
		t.Fatal(err)
	}
	defer delayed.Close()
	m, err := r.merit(State{Load: 3000, Speed: 15}, delayed)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "camber stiffness", m.Camber, -camber*3000, 1e-6)
	near(t, "lateral relaxation", m.LateralRelaxation, sigma, 1e-3)
	near(t, "longitudinal relaxation", m.LongitudinalRelaxation, sigma/2, 1e-3)

	// a library, whose lengths grow with the speed
	growing := filepath.Join(t.TempDir(), "growing.txt")
	if err := os.WriteFile(growing, []byte("Blong = 0.2\nBlat = 0.4\ngrowth = 0.05\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tire.Relaxation = &Relaxation{"plugin:" + filepath.Join(built.Tires(t), "relaxation.so") + "#skidpad_relaxation",
		growing, true}
	for _, speed := range []float64{5, 15} {
		delayed, err := Open(builtLibrary(t), tire, true)
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.merit(State{Load: 3000, Speed: speed}, delayed)
		delayed.Close()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "lateral relaxation of the library", m.LateralRelaxation, 0.4*(1+0.05*speed), 1e-3)
		near(t, "longitudinal relaxation of the library", m.LongitudinalRelaxation, 0.2*(1+0.05*speed), 1e-3)
	}
}

// The slopes without slip equal the published stiffness functions if the offsets are 0. For PAC2002 Ky = PKY1 Fz0 sin(2
// arctan(Fz/(PKY2 Fz0))) and Kx = Fz (PKX1 + PKX2 dfz) exp(PKX3 dfz). For Magic Formula 6.1 the effect of pressure is
// included (Pacejka 2012, 4.E15 and 4.E25). The lengths of the stretched string are its formula (3.28).
func TestSlopesAreThePublishedStiffnesses(t *testing.T) {
	const fz0 = 4000.0
	none := map[string]string{}
	for _, key := range []string{"PHX1", "PHX2", "PVX1", "PVX2", "PHY1", "PHY2", "PVY1", "PVY2"} {
		none[key] = "0"
	}
	for _, pressure := range []float64{180e3, 240e3} {
		none["INFLPRES"] = fmt.Sprint(pressure)
		r := open(t, Tire{Model: "MF61", File: changed(t, "mf61_205_60R15.tir", none), Radius: 0.3135,
			Stiffness: 208000})
		dp := (pressure - 220e3) / 220e3
		for _, load := range []float64{1500, 4000, 7000} {
			m, err := r.merit(State{Load: load, Speed: 16.7}, nil)
			if err != nil {
				t.Fatal(err)
			}
			d := load/fz0 - 1
			ky := -19.6 * fz0 * (1 - 0.55*dp) * math.Sin(2*math.Atan(load/fz0/(1.72*(1+0.92*dp))))
			kx := load * (21.8 - 0.12*d) * math.Exp(0.17*d) * (1 - 0.36*dp + 0.24*dp*dp)
			near(t, fmt.Sprintf("cornering stiffness at %g N and %g Pa", load, pressure), m.Cornering, -ky, 1e-6)
			near(t, fmt.Sprintf("slip stiffness at %g N and %g Pa", load, pressure), m.Longitudinal, kx, 1e-6)
		}
	}
	// of a tire that pulls to one side the larger peak counts
	r := open(t, Tire{Model: "MF61", File: shipped("mf61_205_60R15.tir"), Radius: 0.3135, Stiffness: 208000})
	m, err := r.merit(State{Load: 4000, Speed: 16.7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	largest, sides := 0.0, [2]float64{}
	for i := -600; i <= 600; i++ {
		f, err := r.Measure(State{Load: 4000, Alpha: float64(i) / 1000, Speed: 16.7})
		if err != nil {
			t.Fatal(err)
		}
		side := 0
		if f.Fy < 0 {
			side = 1
		}
		sides[side] = max(sides[side], math.Abs(f.Fy)/4000)
		largest = max(largest, sides[side])
	}
	near(t, "largest side force", m.LateralPeak, largest, 1e-5)
	if math.Abs(sides[0]-sides[1]) < 1e-3 {
		t.Errorf("the tire is as strong to the left, %g, as to the right, %g", sides[0], sides[1])
	}
	tire := Tire{Model: "Pacejka02", File: shipped("pacejka2002.toml"), Radius: 0.355, Stiffness: 3.04e5,
		Relaxation: &Relaxation{Function: "StretchedString", File: shipped("stretched_string.toml")}}
	delayed, err := Open(builtLibrary(t), tire, true)
	if err != nil {
		t.Fatal(err)
	}
	defer delayed.Close()
	for _, load := range []float64{2000, 4850, 8000} {
		got, err := delayed.relaxation(State{Load: load, Alpha: 1e-4, Speed: 5}, func(f Forces) float64 { return f.Fy })
		if err != nil {
			t.Fatal(err)
		}
		near(t, "lateral relaxation", got, 2.1439*math.Sin(2*math.Atan(load/(1.9829*4850)))*0.344, 2e-3)
	}
}

// A tire from a library does on the stand what the built-in one does, and a sweep goes through the states of its plan.
func TestLibrariesAndSweeps(t *testing.T) {
	tire := fiala(t)
	plan := Standard(4000)
	plan.Points = 31
	other := tire
	other.Model = "plugin:" + filepath.Join(built.Tires(t), "fiala.so") + "#skidpad_fiala"
	m, err := Measure(builtLibrary(t), tire, plan, []Variant{{"the library's", other}})
	if err != nil {
		t.Fatal(err)
	}
	plugin := m.of(compared)[0]
	builtin := m.of(slipAngle)[len(plan.Loads)/2]
	for i, s := range plugin.States {
		if s != builtin.States[i] {
			t.Fatalf("state %d is %+v and %+v", i, s, builtin.States[i])
		}
		near(t, "side force of the library", plugin.Forces[i].Fy, builtin.Forces[i].Fy, 1e-12)
	}
	for _, l := range m.Lines {
		for i, s := range l.States {
			near(t, "load in the sweep of the "+l.Sweep, l.Forces[i].Fz, s.Load, 1e-11)
			if again := l.States[len(l.States)-1-i]; l.Sweep == slipAngle &&
				math.Abs(l.Forces[len(l.States)-1-i].Fy+l.Forces[i].Fy) > 1e-6 {
				t.Errorf("side force %g at %g rad, %g at %g", l.Forces[i].Fy, s.Alpha, l.Forces[len(l.States)-1-i].Fy,
					again.Alpha)
			}
			// within the circle of friction: the function bounds each force by it alone
			if f := l.Forces[i]; math.Max(math.Abs(f.Fx), math.Abs(f.Fy)) > mu*f.Fz*(1+1e-9) {
				t.Errorf("%+v has the forces %+v", s, f)
			}
		}
	}
	out := filepath.Join(t.TempDir(), "rig")
	if err := m.WriteFolder(out); err != nil {
		t.Fatal(err)
	}
	written(t, m, out)
}

// written checks that all points and all plots were written.
func written(t *testing.T, m *Measured, folder string) {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "points.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	points := 0
	for _, l := range m.Lines {
		points += len(l.States)
	}
	if err != nil || len(rows) != points+1 {
		t.Errorf("%d rows for %d points: %v", len(rows), points, err)
	}
	plots := m.Plots()
	// Fiala's tire does not feel turn slip: its curves over that would be level lines
	names := sorted(plots)
	without := slices.DeleteFunc(slices.Clone(order), func(name string) bool { return plots[name] != nil })
	if len(names) != len(plots) || !slices.Equal(without, []string{"fy_turn", "mz_turn"}) {
		t.Errorf("%d plots, %d of them in the order, which has %v, too", len(plots), len(names), without)
	}
	for name, f := range plots {
		data, err := os.ReadFile(filepath.Join(folder, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if !strings.Contains(string(data), "<title>"+f.Title+"</title>") {
			t.Errorf("%s has no title %q", name, f.Title)
		}
	}
	page, err := os.ReadFile(filepath.Join(folder, "report.html"))
	if err != nil || strings.Count(string(page), "<figure>") != len(plots) {
		t.Errorf("%d plots in the report, %d are there: %v", strings.Count(string(page), "<figure>"), len(plots), err)
	}
	// the carpet's places are the slip angle and two degrees for a kilonewton, its threads one for each whole degree
	carpet := plots["carpet_fy"]
	for i, c := range carpet.Curves {
		near(t, "middle of the carpet", c.X[len(c.X)/2], 2*m.Plan.Loads[i]/1e3, 1e-9)
	}
	if len(carpet.Lines) != 31 || len(carpet.Lines[0].X) != len(m.Plan.Loads) {
		t.Errorf("%d threads", len(carpet.Lines))
	}
}

// States that no wheel can have are errors, and so are unknown tire functions, files and libraries.
func TestStandsRejectImpossibleStates(t *testing.T) {
	r := open(t, fiala(t))
	for _, s := range []State{{Load: 0, Speed: 10}, {Load: 3000}, {Load: 3000, Speed: 10, Alpha: 2},
		{Load: 3000, Speed: 10, Gamma: math.NaN()}, {Load: math.Inf(1), Speed: 10}} {
		if f, err := r.Measure(s); err == nil {
			t.Errorf("%+v gives %+v", s, f)
		}
	}
	for _, tire := range []Tire{{Model: "Fial", Radius: 0.3, Stiffness: 2e5},
		{Model: "Fiala", File: "/nowhere/fiala.toml", Radius: 0.3, Stiffness: 2e5},
		{Model: "plugin:/nowhere.so#x", Radius: 0.3, Stiffness: 2e5}} {
		if r, err := Open(builtLibrary(t), tire, false); err == nil {
			r.Close()
			t.Errorf("%+v is on the stand", tire)
		}
	}
}
