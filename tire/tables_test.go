package tire_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"skidpad/tire"
)

// fromFile returns the kind of function and the parameters of a tire file of the resources.
func fromFile(t testing.TB, file string) (*tire.Kind, []float64) {
	t.Helper()
	data, err := os.ReadFile("../resources/tires/" + file + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ParseFile(data, file+".toml")
	if err != nil {
		t.Fatal(err)
	}
	k, err := tire.Lookup(p.Function)
	if err != nil {
		t.Fatal(err)
	}
	return k, p.Values
}

// function returns the tire function of a tire file of the resources.
func function(t testing.TB, file string) tire.Function {
	t.Helper()
	k, values := fromFile(t, file)
	f, err := k.New(values)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// point is a row of the independent tables: arguments, then results Fx, Fy, Mx, My and Mz of four functions, then
// relaxation lengths.
type point struct {
	Fz, S, Alpha, Omega, Gamma, Reff, VCx float64
	Pacejka2002                           [5]float64
	FialaGeneric                          [5]float64 `json:"fiala_generic4w"`
	FialaFront                            [5]float64 `json:"fiala_skidder_front"`
	FialaRear                             [5]float64 `json:"fiala_skidder_rear"`
	Blong, Blat                           float64
}

func points(t testing.TB) []point {
	t.Helper()
	data, err := os.ReadFile("../resources/references/tires/tire_points.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct{ Rows []point }
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) == 0 {
		t.Fatal("no points")
	}
	return table.Rows
}

// The tolerance of the tire-component specification, section 13, is 1e-10, relative above 1 N and absolute below.
func TestForcesAgreeWithIndependentTables(t *testing.T) {
	pacejka := function(t, "pacejka2002")
	fiala := map[string]tire.Function{"fiala_generic4w": function(t, "fiala_generic4w"),
		"fiala_skidder_front": function(t, "fiala_skidder_front"),
		"fiala_skidder_rear":  function(t, "fiala_skidder_rear")}
	out := make([]float64, 5)
	compare := func(name string, p point, want [5]float64) {
		t.Helper()
		for i, quantity := range []string{"Fx", "Fy", "Mx", "My", "Mz"} {
			if !(math.Abs(out[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
				t.Errorf("%s at %+v: %s = %.15g, table %.15g", name, p, quantity, out[i], want[i])
			}
		}
	}
	for _, p := range points(t) {
		pacejka.Eval([]float64{p.Fz, p.S, p.Alpha, p.Omega, p.Gamma, p.Reff, p.VCx, 1, 1}, out)
		compare("Pacejka02", p, p.Pacejka2002)
		for name, want := range map[string][5]float64{"fiala_generic4w": p.FialaGeneric,
			"fiala_skidder_front": p.FialaFront, "fiala_skidder_rear": p.FialaRear} {
			fiala[name].Eval([]float64{p.Fz, p.S, p.Alpha, p.Omega, 1, 1}, out)
			compare(name, p, want)
		}
	}
}

// lengths computes the relaxation lengths from the rates of the slip states.
func lengths(f tire.Function, fz, gamma float64) (long, lat float64) {
	out := make([]float64, 2)
	f.Eval([]float64{fz, gamma, 1, -1, 0, 0, 0, 0}, out)
	return 1 / out[0], 1 / out[1]
}

func TestRelaxationLengthsAgreeWithIndependentTables(t *testing.T) {
	f := function(t, "stretched_string")
	for _, p := range points(t) {
		if p.Blong < 0.01 || p.Blat < 0.01 {
			continue
		}
		long, lat := lengths(f, p.Fz, p.Gamma)
		if !(math.Abs(long-p.Blong) <= 1e-10*p.Blong && math.Abs(lat-p.Blat) <= 1e-10*p.Blat) {
			t.Errorf("Fz = %g N, gamma = %g: lengths %.15g and %.15g m, table %.15g and %.15g", p.Fz, p.Gamma, long,
				lat, p.Blong, p.Blat)
		}
	}
	// the lengths that section 7 quotes
	long, lat := lengths(f, 5684.8, 0)
	nominal, _ := lengths(f, 4850, 0)
	for _, c := range []struct{ got, want, tolerance float64 }{{long, 1.159494863408, 5e-13},
		{lat, 0.646128802913, 5e-13}, {nominal, 0.8138008, 5e-8}} {
		if !(math.Abs(c.got-c.want) <= c.tolerance) {
			t.Errorf("relaxation length %.13g m, quoted %.13g m", c.got, c.want)
		}
	}
}

// Section 10.8: the tire of Table A.4 has ply-steer and conicity.
func TestPacejkaForcesWithoutSlipAreTheQuotedOnes(t *testing.T) {
	out := make([]float64, 5)
	function(t, "pacejka2002").Eval([]float64{5684.8, 0, 0, 57, 0, 0.348, 20, 1, 1}, out)
	for i, want := range []float64{172.06755, -46.96945, 0, -19.555712, -7.786615} {
		if !(math.Abs(out[i]-want) <= 5e-6) {
			t.Errorf("output %d = %.9g, quoted %g", i, out[i], want)
		}
	}
}
