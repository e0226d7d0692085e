package tirefit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
)

const file = "../../../../resources/tires/mf61_205_60R15.tir"

// shipped is a shipped tire with its complete parameters.
func shipped(t *testing.T) (k *tire.Kind, values []float64, text []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ParseFile(text, "tire.tir")
	if err != nil {
		t.Fatal(err)
	}
	if k, err = tire.Lookup(p.Function); err != nil {
		t.Fatal(err)
	}
	return k, k.Complete(p.Values), text
}

// measured is a CSV of slip angles at four loads, three inclinations and two pressures, of a tire with noise by output,
// in ISO axes and in the units of rigs, or in SAE axes.
func measured(t *testing.T, k *tire.Kind, values []float64, noise map[string]float64, sae bool) string {
	t.Helper()
	random := rand.New(rand.NewPCG(11, 3))
	var b strings.Builder
	b.WriteString("time,SA [deg],FZ [kN],IA [deg],P [bar],FY [N],MZ [N.m]\n")
	place := slices.IndexFunc(k.Parameters, func(p tire.ParameterInfo) bool { return p.Name == "Pressure" })
	out := make([]float64, len(k.Outputs))
	sign := 1.0
	if sae {
		sign = -1
	}
	for _, pressure := range []float64{2e5, 2.4e5} {
		with := slices.Clone(values)
		with[place] = pressure
		f, err := k.Make(with, tire.CombinedByFile)
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range []float64{1500, 3000, 4500, 6000} {
			for _, gamma := range []float64{-0.06, 0, 0.04} {
				for alpha := -0.2; alpha < 0.201; alpha += 0.01 {
					in := make([]float64, len(k.Inputs))
					for i, name := range k.Inputs {
						in[i] = map[string]float64{"Fz": load, "alpha": alpha, "gamma": gamma, "VCx": 16.7, "mu": 1,
							"Omega": 16.7 / 0.3135}[name]
					}
					f.Eval(in, out)
					value := map[string]float64{}
					for i, name := range k.Outputs {
						value[name] = out[i] + noise[name]*random.NormFloat64()
					}
					fmt.Fprintf(&b, "0,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", sign*alpha*180/math.Pi, sign*load/1000,
						gamma*180/math.Pi, pressure/1e5, sign*value["Fy"], sign*value["Mz"])
				}
			}
		}
	}
	return b.String()
}

// changed are parameters whose coefficients that the fit finds are 10 % off.
func changed(t *testing.T, k *tire.Kind, values []float64, names []string) []float64 {
	t.Helper()
	list := slices.Clone(values)
	for i, name := range names {
		c, ok := k.Coefficient(name)
		if !ok {
			t.Fatal(name)
		}
		list[c.Place] *= 1 + 0.1*float64(1-2*(i%2))
	}
	return list
}

var sought = []string{"PCY1", "PDY1", "PDY2", "PEY1", "PKY1", "PKY2", "PHY1", "PVY1", "PPY1", "QBZ1", "QDZ1", "QHZ1"}

// Coefficients of data without noise are found to 1e-6, from starts 10 % off, in ISO and SAE axes alike.
func TestATwinWithoutNoise(t *testing.T) {
	k, values, text := shipped(t)
	for _, sae := range []bool{false, true} {
		d := &Data{}
		if err := d.Add(strings.NewReader(measured(t, k, values, nil, sae)), "twin.csv", sae); err != nil {
			t.Fatal(err)
		}
		s := &Setup{Kind: k, Values: changed(t, k, values, sought), Combined: tire.CombinedByFile, Fit: sought}
		r, err := s.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Coefficients) != len(sought) || r.Points != 984 {
			t.Fatalf("%d coefficients, %d points", len(r.Coefficients), r.Points)
		}
		for _, c := range r.Coefficients {
			of, _ := k.Coefficient(c.Name)
			if want := values[of.Place]; !(math.Abs(c.Value-want) <= 1e-6*math.Abs(want)) {
				t.Errorf("%s is %.10g, not %.10g; %s", c.Name, c.Value, want, r.End)
			}
		}
		written, err := r.Write(text, "tire.tir")
		if err != nil {
			t.Fatal(err)
		}
		p, err := tire.ParseFile(written, "tire.tir")
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range k.Complete(p.Values) {
			if !(math.Abs(x-values[i]) <= 1e-6*math.Abs(values[i])) {
				t.Errorf("the file has %s = %g, not %g", k.Parameters[i].Name, x, values[i])
			}
		}
	}
}

// With noise the errors are within the deviations that the fit tells, and the deviations of the outputs are found.
func TestATwinWithNoise(t *testing.T) {
	k, values, _ := shipped(t)
	d := &Data{}
	noise := map[string]float64{"Fy": 30, "Mz": 1.5}
	if err := d.Add(strings.NewReader(measured(t, k, values, noise, false)), "twin.csv", false); err != nil {
		t.Fatal(err)
	}
	s := &Setup{Kind: k, Values: changed(t, k, values, sought), Combined: tire.CombinedByFile, Fit: sought}
	r, err := s.Run(d)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range r.Coefficients {
		of, _ := k.Coefficient(c.Name)
		z := (c.Value - values[of.Place]) / c.Deviation
		if sum += z * z; math.Abs(z) > 4 {
			t.Errorf("%s is %g, not %g, with a deviation of %g", c.Name, c.Value, values[of.Place], c.Deviation)
		}
	}
	if mean := sum / float64(len(r.Coefficients)); mean < 0.2 || mean > 2.5 {
		t.Errorf("the mean square of the errors by their deviations is %g", mean)
	}
	for _, q := range r.Outputs {
		if want := noise[q.Name]; math.Abs(q.Residual/want-1) > 0.06 || q.Before < 2*want || q.Share < 0.99 {
			t.Errorf("%s: %+v", q.Name, q)
		}
	}
}

// Without names the coefficients of the outputs are fitted, those that no point depends on are named, and so is what
// the points do not tell.
func TestTheChoiceOfCoefficients(t *testing.T) {
	k, values, _ := shipped(t)
	d := &Data{}
	if err := d.Add(strings.NewReader("SA [deg],FZ [N],FY [N]\n-4,3500,3300\n-2,3500,2600\n-1,3500,1500\n0,3500,10\n"+
		"1,3500,-1500\n2,3500,-2600\n4,3500,-3300\n,3500,0\n1,-4,0\n"), "few.csv", false); err != nil {
		t.Fatal(err)
	}
	if d.Rows != 7 || d.Left != 2 {
		t.Errorf("%d points, %d left out", d.Rows, d.Left)
	}
	s := &Setup{Kind: k, Values: values, Combined: tire.CombinedByFile,
		Hold: []string{"PEY*", "PVY*", "PPY*", "PCY1", "PKY[2-7]", "PDY[3]", "PHY2"}}
	r, err := s.Run(d)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range r.Coefficients {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"PDY1", "PDY2", "PKY1", "PHY1"}) {
		t.Errorf("fitted are %v, idle %v", names, r.Idle)
	}
	if text := strings.Join(r.Undetermined, "\n"); !strings.Contains(text, "PDY1 and PDY2 have a correlation of 1.0") ||
		!strings.Contains(text, "PHY1 is known to") {
		t.Errorf("undetermined: %s", text)
	}
	if !slices.Equal(r.Idle, []string{"PHY2"}) && !slices.Equal(r.Idle, nil) {
		t.Errorf("idle: %v", r.Idle)
	}
	if r.Outputs[0].Residual > r.Outputs[0].Before || r.Outputs[0].Share < 0.95 {
		t.Errorf("%+v", r.Outputs[0])
	}
}

// Wrong data and names are refused, each with its place.
func TestFitsRefuse(t *testing.T) {
	k, values, _ := shipped(t)
	for text, reason := range map[string]string{
		"":                                     "no header",
		"FY [N]\n1\n":                          "no column Fz",
		"FZ,FY [N]\n1,1\n":                     "FZ lacks its unit",
		"FZ [m],FY [N]\n1,1\n":                 "column FZ",
		"FZ [N],Fz [N]\n1,1\n":                 "two columns are Fz",
		"FZ [N],FY [N]\n4000,x\n":              "x.csv:2:6: Fy is \"x\"",
		"FZ [N],FY [N]\n4000,1\n4000\n":        "line 3 has 1 fields",
		"FZ [N],FY [N]\n4000,NaN\n":            "finite",
		"FZ [N],FY [N]\n-4000,1\n":             "",
		"FZ [N],SA [deg],FY [N]\n4000,1,100\n": "",
	} {
		d := &Data{}
		err := d.Add(strings.NewReader(text), "x.csv", false)
		if reason != "" {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%q: %v, wanted %s", text, err, reason)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := &Setup{Kind: k, Values: values, Combined: tire.CombinedByFile}
		if _, err := s.Run(d); err == nil || !strings.Contains(err.Error(), "too few") &&
			!strings.Contains(err.Error(), "no points") {
			t.Errorf("%q: %v", text, err)
		}
	}
	d := &Data{}
	if err := d.Add(strings.NewReader("FZ [N],FY [N]\n4000,1\n"), "x.csv", false); err != nil {
		t.Fatal(err)
	}
	if err := d.Add(strings.NewReader("FZ [N],FX [N]\n4000,1\n"), "y.csv", false); err == nil ||
		!strings.Contains(err.Error(), "those of the first file") {
		t.Error(err)
	}
	for _, c := range []struct {
		setup  Setup
		reason string
	}{
		{Setup{Fit: []string{"PKY9"}}, "no coefficient PKY9; did you mean PKY"},
		{Setup{Fit: []string{"PKY1"}, Hold: []string{"PKY*"}}, "held"},
		{Setup{Outputs: []string{"Fq"}}, "no output Fq"},
		{Setup{Outputs: []string{"Mz"}}, "no column Mz"},
		{Setup{Fit: []string{"PCX1"}}, "do not depend on any"},
		{Setup{Fit: []string{"[a"}}, "pattern"},
	} {
		c.setup.Kind, c.setup.Values, c.setup.Combined = k, values, tire.CombinedByFile
		if _, err := c.setup.Run(d); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%v, wanted %s", err, c.reason)
		}
	}
}
