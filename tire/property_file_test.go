package tire_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tir"
	"skidpad/tire/tiretest"
)

// variant reads a property file of unusual form.
func variant(t testing.TB, name, side string) *tire.Parameters {
	t.Helper()
	data, err := os.ReadFile("tir/testdata/variants/" + name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ReadFile(data, name, tire.ReadOptions{Side: side})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The set of Table A.4 as a property file is bit-identical to the TOML file it was made of, and
// so is every form of writing it.
func TestPropertyFilesGiveTheSameBits(t *testing.T) {
	_, table := fromFile(t, "pacejka2002")
	written, err := tire.WriteProperties(&tire.Parameters{Function: "Pacejka02",
		Title: "Pacejka 2002 tire of the generic vehicle", Source: "Morency (2007), Table A.4", Values: table}, 3.04e5)
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := os.ReadFile("../resources/tires/pacejka2002.tir")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, shipped) {
		t.Error("resources/tires/pacejka2002.tir is not what skidpad tire convert makes of pacejka2002.toml")
	}
	for _, c := range []struct {
		name string
		want []float64
	}{{"mf52_adams.tir", table[:117]}, {"mf61_bare.tir", property(t, "mf61_205_60R15").Values}} {
		if got := variant(t, c.name, "").Values; !slices.Equal(got, c.want) {
			t.Errorf("%s gives other values:\n%v\n%v", c.name, got, c.want)
		}
	}
	if got := property(t, "pacejka2002").Values; !slices.Equal(got, table) {
		t.Error("pacejka2002.tir has other values than pacejka2002.toml")
	}
}

// Units other than SI make no difference but rounding, neither in dimensions nor in ranges.
func TestUnitsOfPropertyFilesAreConverted(t *testing.T) {
	si, other := property(t, "mf62_205_60R15"), variant(t, "mf62_units.tir", "")
	for i := range si.Values {
		if math.Abs(other.Values[i]-si.Values[i]) > 1e-15*math.Abs(si.Values[i]) {
			t.Errorf("value %d is %.17g in other units, %.17g in SI", i, other.Values[i], si.Values[i])
		}
	}
	k := tiretest.Lookup(t, "MF62")
	a, b := made(t, "MF62", si.Values...), made(t, "MF62", other.Values...)
	r := rand.New(rand.NewPCG(91, 92))
	x, y := make([]float64, 5), make([]float64, 5)
	for range 200 {
		in := tiretest.Sample(r, k.Inputs)
		a.Eval(in, x)
		b.Eval(in, y)
		for i := range x {
			if math.Abs(x[i]-y[i]) > 1e-12*max(1, math.Abs(x[i])) {
				t.Fatalf("output %d is %.17g in other units, %.17g in SI at %v", i, y[i], x[i], in)
			}
		}
	}
}

// What is written is read with the same bits and written the same, in both forms.
func TestWrittenParametersAreReadWithTheSameBits(t *testing.T) {
	for name, values := range tiretest.Parameters(t, tires) {
		if name != "Pacejka02" && name != "MF61" && name != "MF62" {
			continue
		}
		p := &tire.Parameters{Function: name, Title: `A "tire" \ with $ and ! in its title`,
			Source: "two\nlines", Values: values}
		text, err := tire.WriteProperties(p, 2e5)
		if err != nil {
			t.Fatal(err)
		}
		again, err := tire.ParseFile(text, "t.tir")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again.Function != name || !slices.Equal(again.Values, values) {
			t.Errorf("%s: %v as %s, written %v", name, again.Values, again.Function, values)
		}
		table, err := tire.WriteTOML(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err = tire.ParseFile(table, "t.toml")
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, table)
		}
		if again.Title != p.Title || again.Source != p.Source || !slices.Equal(again.Values, values) {
			t.Errorf("%s: %v, written %v", name, again, p)
		}
	}
	if _, err := tire.WriteProperties(&tire.Parameters{Function: "Fiala"}, 2e5); err == nil ||
		!strings.Contains(err.Error(), "Pacejka02") {
		t.Errorf("Fiala as a property file: %v", err)
	}
	mirrored := variant(t, "mf61_bare.tir", "right")
	if _, err := tire.WriteProperties(mirrored, 2e5); err == nil || !strings.Contains(err.Error(), "mirrored") {
		t.Errorf("a mirrored tire as a property file: %v", err)
	}
}

// The exact mirror is the one that changes the signs of the asymmetric coefficients: to the last bit
// for version 5.2, whose terms are all odd or even.
func TestMirroredTiresHaveTheOddCoefficientsChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	for _, file := range []string{"pacejka2002", "mf61_205_60R15"} {
		data, err := os.ReadFile("../resources/tires/" + file + ".tir")
		if err != nil {
			t.Fatal(err)
		}
		mirror, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Side: "right"})
		if err != nil {
			t.Fatal(err)
		}
		measured, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Side: "left"})
		if err != nil {
			t.Fatal(err)
		}
		k := tiretest.Lookup(t, mirror.Function)
		changed := slices.Clone(measured.Values)
		for i, p := range k.Parameters {
			if tir.Asymmetric[strings.ToUpper(p.Name)] {
				changed[i] = -changed[i]
			}
		}
		a, b, left := made(t, mirror.Function, mirror.Values...), made(t, mirror.Function, changed...),
			made(t, mirror.Function, measured.Values...)
		x, y, z := make([]float64, 5), make([]float64, 5), make([]float64, 5)
		for range 1000 {
			in := tiretest.Sample(r, k.Inputs)
			a.Eval(in, x)
			b.Eval(in, y)
			if !slices.Equal(x, y) {
				t.Fatalf("%s: mirrored %v, with changed signs %v at %v", file, x, y, in)
			}
			for i, name := range k.Inputs {
				if name == "alpha" || name == "gamma" || name == "wn" {
					in[i] = -in[i]
				}
			}
			left.Eval(in, z)
			for i, parity := range []float64{1, -1, -1, 1, -1} {
				if x[i] != parity*z[i] {
					t.Fatalf("%s: output %d is %g mirrored, %g as measured at mirrored inputs", file, i, x[i], z[i])
				}
			}
		}
	}
}

// A symmetric tire without slip pushes neither to the left nor to the right, whichever side it is on.
func TestSymmetricTiresGoStraight(t *testing.T) {
	data, err := os.ReadFile("../resources/tires/pacejka2002.tir")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "'LEFT'", "'SYMMETRIC'", 1)
	out := make([]float64, 5)
	for _, side := range []string{"", "left", "right"} {
		p, err := tire.ReadFile([]byte(text), "t.tir", tire.ReadOptions{Side: side})
		if err != nil {
			t.Fatal(err)
		}
		made(t, p.Function, p.Values...).Eval([]float64{5000, 0, 0, 60, 0, 0.35, 20, 1, 1}, out)
		if out[1] != 0 || out[2] != 0 || math.Abs(out[4]) > 1e-12 {
			t.Errorf("side %q: forces %v", side, out)
		}
	}
}

// Mirrored or limited tires have exact derivatives, too.
func TestJacobiansOfMirroredTiresAgreeWithDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	for _, file := range []string{"pacejka2002", "mf61_205_60R15", "mf62_205_60R15"} {
		data, err := os.ReadFile("../resources/tires/" + file + ".tir")
		if err != nil {
			t.Fatal(err)
		}
		p, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Side: "right"})
		if err != nil {
			t.Fatal(err)
		}
		k, f := tiretest.Lookup(t, p.Function), made(t, p.Function, p.Values...)
		var d differences
		for range 200 {
			d.compare(t, k, f, tiretest.Sample(r, k.Inputs))
		}
		d.judge(t, file)
	}
}

// Outside of the ranges of its file a tire has the forces at their ends; loads below count as they are.
func TestRangesLimitInputs(t *testing.T) {
	for _, side := range []string{"left", "right"} {
		data, err := os.ReadFile("../resources/tires/mf61_205_60R15.tir")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(data), "ALPMIN = -0.5", "ALPMIN = -0.3", 1)
		p, err := tire.ReadFile([]byte(text), "t.tir", tire.ReadOptions{Function: "MF61", Side: side})
		if err != nil {
			t.Fatal(err)
		}
		f := made(t, "MF61", p.Values...).(tire.Ranged)
		at := func(fz, s, alpha, gamma float64) (out [5]float64) {
			f.Eval([]float64{fz, s, alpha, gamma, 50, 16, 0, 1}, out[:])
			return out
		}
		low, high := -0.3, 0.5 // in the tire's own axes
		if side == "right" {
			low, high = -0.5, 0.3
		}
		for _, c := range []struct {
			what      string
			out, end  [5]float64
			input     int
			value     float64
			different [5]float64
		}{
			{"Fz", at(12000, 0.05, 0.05, 0), at(9000, 0.05, 0.05, 0), 0, 12000, at(8900, 0.05, 0.05, 0)},
			{"S", at(4000, -1.4, 0.05, 0), at(4000, -1, 0.05, 0), 1, -1.4, at(4000, -0.9, 0.05, 0)},
			{"alpha", at(4000, 0, 0.7, 0), at(4000, 0, high, 0), 2, 0.7, at(4000, 0, high-0.05, 0)},
			{"-alpha", at(4000, 0, -0.7, 0), at(4000, 0, low, 0), 2, -0.7, at(4000, 0, low+0.05, 0)},
			{"gamma", at(4000, 0, 0.05, 0.4), at(4000, 0, 0.05, 0.18), 3, 0.4, at(4000, 0, 0.05, 0.17)},
		} {
			if c.out != c.end || c.out == c.different {
				t.Errorf("%s %s: %v beyond the range, %v at its end, %v before", side, c.what, c.out,
					c.end, c.different)
			}
			if low, high := f.Range(c.input); low <= c.value && c.value <= high {
				t.Errorf("%s %s = %g is not said to be beyond its range", side, c.what, c.value)
			}
		}
		if light := at(50, 0, 0.05, 0); math.Abs(light[1]) > 50 || light[1] == 0 {
			t.Errorf("under 50 N the side force is %g N", light[1])
		}
		if low, _ := f.Range(0); low <= 50 || !f.Limited() {
			t.Error("50 N are not said to be below the range")
		}
		if low, high := f.Range(2); !(low <= 0.2 && 0.2 <= high) {
			t.Error("0.2 rad are said to be beyond the range")
		}
	}
	if made(t, "Pacejka02", variant(t, "mf52_adams.tir", "").Values...).(tire.Ranged).Limited() {
		t.Error("a file without ranges limits")
	}
}

// A file of version 6.1 that is read with the equations of 5.2 keeps the coefficients common to both. Each other
// coefficient with an effect is named with its value.
func TestDowngradesNameDroppedCoefficients(t *testing.T) {
	data, err := os.ReadFile("../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Function: "Pacejka02"}); err == nil ||
		!strings.Contains(err.Error(), "set allow_downgrade") {
		t.Errorf("not asked for: %v", err)
	}
	if _, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Function: "MF62", Downgrade: true}); err == nil {
		t.Error("6.1 was read as 6.2")
	}
	p, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Function: "Pacejka02", Downgrade: true})
	if err != nil {
		t.Fatal(err)
	}
	warning := p.Warnings[len(p.Warnings)-1]
	if !strings.HasPrefix(warning, "t.tir:1:1: of Magic Formula 6.1 and read with the equations of 5.2; dropped are ") {
		t.Fatal(warning)
	}
	in := func(key string) (float64, bool) {
		m := regexp.MustCompile(`(?m)^` + key + `\s*=\s*(\S+)`).FindStringSubmatch(string(data))
		if m == nil {
			return 0, false
		}
		x, err := strconv.ParseFloat(m[1], 64)
		return x, err == nil
	}
	for _, key := range strings.Fields("PPX1 PPX2 PPX3 PPX4 PPY1 PPY2 PPY3 PPY4 PPY5 PPZ1 PPZ2 PPMX1 RBX3 RBY4 PEY5 " +
		"PKY5 PKY6 PKY7 QDZ10 QDZ11 QSX4 QSX10 QSX12 QSY5 QSY6 QSY8") {
		x, given := in(key)
		if named := strings.Contains(warning, fmt.Sprintf(" %s = %g", key, x)); named != (given && x != 0) {
			t.Errorf("%s is %g in the file, named: %v", key, x, named)
		}
	}
	for _, key := range strings.Fields("PCX1 PKY1 QDZ8 LMUX") {
		if strings.Contains(warning, key) {
			t.Errorf("%s was not dropped", key)
		}
	}
	k, err := tire.Lookup("Pacejka02")
	if err != nil {
		t.Fatal(err)
	}
	for i, info := range k.Parameters {
		if x, given := in(strings.ToUpper(info.Name)); given && p.Values[i] != x {
			t.Errorf("%s is %g, in the file %g", info.Name, p.Values[i], x)
		}
	}
}

// A file is for the function of its version, and for the relaxation lengths that version 5.2 has.
func TestPropertyFilesAreForTheirFunctions(t *testing.T) {
	data, err := os.ReadFile("../resources/tires/pacejka2002.tir")
	if err != nil {
		t.Fatal(err)
	}
	lengths := strings.Replace(string(data), "[LONGITUDINAL_COEFFICIENTS]\n",
		`[LONGITUDINAL_COEFFICIENTS]
PTX1 = 2.1
PTX2 = 0.6
PTX3 = 0.2
`, 1)
	lengths = strings.Replace(lengths, "[LATERAL_COEFFICIENTS]\n", `[LATERAL_COEFFICIENTS]
PTY1 = 2.3
PTY2 = 1.9
`,
		1)
	p, err := tire.ReadFile([]byte(lengths), "t.tir", tire.ReadOptions{Function: "StretchedString"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{4850, 0.344, 1, 1, 2.1, 0.6, 0.2, 2.3, 1.9, -0.024778}; !slices.Equal(p.Values, want) {
		t.Errorf("relaxation parameters %v, want %v", p.Values, want)
	}
	if _, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Function: "StretchedString"}); err == nil ||
		!strings.Contains(err.Error(), "PTY2") {
		t.Errorf("relaxation without PTY2: %v", err)
	}
	for function, want := range map[string]string{"MF61": "t.tir is of Magic Formula 5.2, for the function " +
		"Pacejka02 or StretchedString, not for MF61", "Fiala": "not for Fiala"} {
		if _, err := tire.ReadFile(data, "t.tir", tire.ReadOptions{Function: function}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", function, err, want)
		}
	}
	if p, err := tire.ParseFile(data, "tire without ending"); err != nil || p.Function != "Pacejka02" {
		t.Errorf("known by its sections: %v, %v", p, err)
	}
}

// without is a shipped property file without the lines that begin with some keys.
func without(t *testing.T, name string, keys ...string) string {
	t.Helper()
	data, err := os.ReadFile("../resources/tires/" + name + ".tir")
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(data)) {
		key, _, _ := strings.Cut(line, " ")
		if !slices.Contains(keys, key) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// What a file does not say has a documented meaning.
func TestAbsentKeysHaveTheirMeaning(t *testing.T) {
	for _, c := range []struct {
		absent []string
		want   map[string]float64
	}{
		{nil, map[string]float64{"Pressure": 2.4e5, "P0": 2.2e5, "V0": 16.7, "QSy7": 0.87, "LKyc": 1}},
		{[]string{"INFLPRES"}, map[string]float64{"Pressure": 2.2e5, "P0": 2.2e5}},
		{[]string{"NOMPRES"}, map[string]float64{"Pressure": 2.4e5, "P0": 2.4e5}},
		{[]string{"INFLPRES", "NOMPRES"}, map[string]float64{"Pressure": 2e5, "P0": 2e5}},
		{[]string{"LONGVL", "PKY4", "QSY7", "QSY8", "LKYC", "LMP", "PEY5"}, map[string]float64{"V0": 16.7, "PKy4": 2,
			"QSy7": 1, "QSy8": 0, "LKyc": 1, "LMP": 1, "PEy5": 0, "TurnSlip": 0}},
		{[]string{"USE_MODE"}, map[string]float64{"TurnSlip": 0}},
	} {
		p, err := tire.ParseFile([]byte(without(t, "mf61_205_60R15", c.absent...)), "t.tir")
		if err != nil {
			t.Fatal(err)
		}
		values := byName(t, "MF61", p.Values)
		for name, want := range c.want {
			if values[name] != want {
				t.Errorf("without %v, %s is %g, want %g", c.absent, name, values[name], want)
			}
		}
	}
	if v := byName(t, "MF62", property(t, "mf62_205_60R15").Values); v["TurnSlip"] != 1 {
		t.Error("USE_MODE = 15 means no turn slip")
	}
}

// A tire of the right side is mirrored on the left.
func TestFilesOfTheRightSide(t *testing.T) {
	text := strings.Replace(without(t, "pacejka2002"), "'LEFT'", "'RIGHT'", 1)
	for side, want := range map[string]bool{"": false, "left": true, "right": false} {
		p, err := tire.ReadFile([]byte(text), "t.tir", tire.ReadOptions{Side: side})
		if err != nil {
			t.Fatal(err)
		}
		if mirrored := len(p.Values) > 117 && p.Values[117] == -1; mirrored != want {
			t.Errorf("measured on the right, mounted %q: mirrored %v", side, mirrored)
		}
	}
}

// One range suffices to limit a tire.
func TestEveryRangeLimits(t *testing.T) {
	keys := []string{"KPUMIN", "KPUMAX", "ALPMIN", "ALPMAX", "CAMMIN", "CAMMAX", "FZMIN", "FZMAX"}
	for _, kept := range keys {
		others := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key == kept })
		p, err := tire.ParseFile([]byte(without(t, "mf61_205_60R15", others...)), "t.tir")
		if err != nil {
			t.Fatal(err)
		}
		if !made(t, "MF61", p.Values...).(tire.Ranged).Limited() {
			t.Errorf("%s alone does not limit", kept)
		}
	}
}

// The mirror holds for every term of version 5.2, also those that Table A.4 has not.
func TestMirroredTiresOfALivelySet(t *testing.T) {
	values := tiretest.Parameters(t, tires)["Pacejka02"]
	k := tiretest.Lookup(t, "Pacejka02")
	named := byName(t, "Pacejka02", values)
	named["side"] = -1
	ordered, _, _ := k.OrderParameters(named)
	left, right := made(t, "Pacejka02", values...), made(t, "Pacejka02", ordered...)
	r := rand.New(rand.NewPCG(97, 98))
	x, y := make([]float64, 5), make([]float64, 5)
	for range 100 {
		in := tiretest.Sample(r, k.Inputs)
		left.Eval(in, x)
		in[2], in[4] = -in[2], -in[4]
		right.Eval(in, y)
		if want := []float64{x[0], -x[1], -x[2], x[3], -x[4]}; !slices.Equal(y, want) || x[2] == 0 {
			t.Fatalf("mirrored %v, want %v", y, want)
		}
	}
}

// Values of optional parameters, and those that turn slip needs, are checked like others.
func TestOptionalAndTurnSlipParametersAreChecked(t *testing.T) {
	k := tiretest.Lookup(t, "MF61")
	for _, c := range []struct {
		name  string
		value float64
		want  string
	}{
		{"side", 0.5, "parameter side of MF61 is 0.5; it must be 1 or -1"},
		{"Smax", -2e6, "Smin of MF61 is -1e+06 and Smax is -2e+06; the first must be below the second"},
		{"Fzmin", -1, "the first must be below the second and not negative"},
		{"alphamin", math.NaN(), "must be finite"},
		{"PHyp1", 2, "parameter PHyp1 of MF61 is 2; with turn slip it must be above 0 and below 2"},
		{"QDrp1", 0, "parameter QDrp1 of MF61 is 0; with turn slip"},
		{"PHyp2", 0, "parameter PHyp2 of MF61 is 0; with turn slip"},
		{"QSy7", -1, "must be zero or positive"},
		{"Pressure", 0, "must be positive"},
	} {
		p := byName(t, "MF61", property(t, "mf61_205_60R15").Values)
		p["TurnSlip"], p[c.name] = 1, c.value
		values, _, unknown := k.OrderParameters(p)
		if len(unknown) > 0 {
			t.Fatal(unknown)
		}
		if _, err := k.New(values); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %g: error %v, want %q", c.name, c.value, err, c.want)
		}
	}
}

// A file of measurements that is named as a tire file is named as such, whatever its ending.
func TestMeasurementsAreNoTireFile(t *testing.T) {
	for _, name := range []string{"t.tir", "t.tdx", "t.toml", "t"} {
		_, err := tire.ReadFile([]byte("! 205/60 R15\n**HEADER\nRELEASE 1.3\n"), name, tire.ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), name+":2:1: this is a TYDEX file") ||
			!strings.Contains(err.Error(), "fit a Magic Formula") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := tire.ReadFile([]byte("$ c\r[ model ]\rFITTYP = 61\r"), "t.prop", tire.ReadOptions{}); err == nil ||
		!strings.Contains(err.Error(), "FNOMIN is missing") {
		t.Errorf("a property file by its sections, with CR: %v", err)
	}
}
