package tire_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tir"
	"skidpad/tire/tiretest"
)

// inSAE evaluates the published formulas in SAE axes (x ahead, y to the right, z down) and returns forces and moments
// in ISO axes. alpha is the slip angle of the wheel in ISO axes. Vectors of force, moment and velocity are rotated by
// half a turn about x. Files give the magnitude of the rolling resistance; it resists in both systems.
func inSAE(plain func(alpha float64) [5]float64, alpha float64, adapted bool) [5]float64 {
	across := math.Tan(alpha) // Vy/|Vx| to the left
	right := -across
	slip := math.Atan(right)
	if adapted {
		slip = math.Atan(-right)
	}
	f := plain(slip)
	return [5]float64{f[0], -f[1], f[2], f[3], -f[4]}
}

// A file for SAE axes has the same forces before and after its conversion. Tested are both signs of the slip angle,
// both families of Magic Formulas, turn slip, and coefficients of any sign.
func TestFilesInSAEAxesBecomeISO(t *testing.T) {
	r := rand.New(rand.NewPCG(161, 162))
	compared := 0
	for n := range 60 {
		name := []string{"Pacejka02", "MF61", "MF62"}[n%3]
		adapted := n/3%2 == 0
		k := tiretest.Lookup(t, name)
		values := k.Complete(tiretest.Parameters(t, tires)[name])[:len(k.Parameters)]
		for i, p := range k.Parameters {
			switch p.Name {
			case "PKy1":
				if adapted {
					values[i] = -values[i]
				}
			case "TurnSlip":
				values[i] = float64(n / 6 % 2)
			case "QSx4", "QSx8", "QSx12", "QSx13", "QSx14", "QBz10", "RHx1", "PHy1", "PVy1", "SSz1", "SSz3", "QDz8", "QDz10":
				values[i] = 0.05 * (2*r.Float64() - 1)
			case "PEy3", "PEy4", "RBy3", "QEz4", "QEz5", "QHz1", "QHz3", "RVy1", "RVy3", "PVy3", "PHy3", "PKy7", "SSz4":
				values[i] = 0.2 * (2*r.Float64() - 1)
			}
		}
		p := byName(t, name, values)
		text, err := tire.WriteProperties(&tire.Parameters{Function: name, Values: values}, 2e5)
		if err != nil {
			t.Fatal(err)
		}
		turned, is, err := tir.FromSAE(text, "t.tir")
		if err != nil || is != adapted {
			t.Fatalf("adapted %v, %v", is, err)
		}
		file, err := tire.ReadFile(turned, "t.tir", tire.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f := made(t, name, file.Values...)
		in, out := make([]float64, len(k.Inputs)), make([]float64, 5)
		for range 20 {
			fz, s, alpha := 1000+6000*r.Float64(), 0.5*(2*r.Float64()-1), 0.4*(2*r.Float64()-1)
			gamma, v, yaw := 0.1*(2*r.Float64()-1), 3+30*r.Float64(), 2*r.Float64()-1
			for i, input := range k.Inputs {
				in[i] = map[string]float64{"Fz": fz, "S": s, "alpha": alpha, "gamma": gamma, "Omega": v / 0.33, "VCx": v, "mu": 1,
					"direction": 1, "wn": yaw}[input]
			}
			f.Eval(in, out)
			want := inSAE(func(alpha float64) [5]float64 {
				if name == "Pacejka02" {
					return plainPacejka(p, fz, s, alpha, v/0.33, gamma, v)
				}
				return plainMF6(p, fz, s, alpha, gamma, v/0.33, v, yaw)
			}, alpha, adapted)
			for i := range out {
				if compared++; !(math.Abs(out[i]-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
					t.Fatalf("%s, adapted %v, turn slip %v: output %d is %.12g, in SAE axes %.12g at %v", name, adapted,
						p["TurnSlip"], i, out[i], want[i], in)
				}
			}
		}
		back, _, err := tir.FromSAE(turned, "t.tir")
		if again, failed := tire.ReadFile(back, "t.tir", tire.ReadOptions{}); !adapted && (err != nil || failed != nil ||
			!slices.Equal(again.Values, values)) {
			t.Fatalf("turned twice, a file is another one: %v, %v", err, failed)
		}
	}
	if compared < 5000 {
		t.Errorf("%d numbers are compared", compared)
	}
}

// Only numbers change: comments, order, spelling, line ends and what else stands in the file stay.
func TestFromSAEKeepsTheText(t *testing.T) {
	text := strings.Join([]string{"$ my tire", "[MDI_HEADER]", "FILE_TYPE='tir'", "(COMMENTS)", "PKY1 = 5 of us",
		"[MODEL]", "FITTYP\t=\t6", "[NOTES]", "PVY1 = 1", "[SLIP_ANGLE_RANGE]", "ALPMIN = -0.3 $ least", "ALPMAX = '0.5'",
		"[LATERAL_COEFFICIENTS]", " PVY1 = +1.0D-02 ! shift", "pky1=@$ sign", "PVY2 = 0", `PVY3 = "-.5"`, "PKY1 = @",
		"PHY1 = 0.003", "PEY3\t= -.1e+1", "[SHAPE]", "1 0", "0.9 1", "\x1a"}, "\r\n")
	adapted, j670 := strings.ReplaceAll(text, "@", "20.5"), strings.ReplaceAll(text, "@", "-20.5")
	for _, c := range []struct{ from, keys, want string }{
		{adapted, "PVY1, PKY1, PVY3", strings.NewReplacer("+1.0D-02", "-1.0D-02", "=20.5", "=-20.5", "= 20.5", "= -20.5",
			"\"-.5\"", "\".5\"").Replace(adapted)},
		{j670, "PVY1, PVY3, PHY1, PEY3, ALPMIN, ALPMAX", strings.NewReplacer("+1.0D-02", "-1.0D-02", "\"-.5\"", "\".5\"",
			"-0.3", "-0.5", "'0.5'", "'0.3'", "0.003", "-0.003", "-.1e+1", ".1e+1").Replace(j670)},
	} {
		got, _, err := tir.FromSAE([]byte(c.from), "t.tir")
		want := "$ Turned from SAE to ISO axes, with other signs of " + c.keys + "\r\n" + c.want
		if err != nil || string(got) != want {
			t.Errorf("%v, %q, want %q", err, got, want)
		}
		marked, _, err := tir.FromSAE([]byte("\xef\xbb\xbf"+c.from), "t.tir")
		if err != nil || string(marked) != "\xef\xbb\xbf"+want {
			t.Errorf("with a byte-order mark: %v, %q", err, marked)
		}
	}
	for _, bad := range []string{"[MODEL]\nFITTYP = 6\n", "[LATERAL_COEFFICIENTS]\nPKY1 = 0\n", "x\n",
		`[LATERAL_COEFFICIENTS]
PKY1 = -9
[SLIP_ANGLE_RANGE]
ALPMIN = -1
`} {
		if got, _, err := tir.FromSAE([]byte(bad), "t.tir"); err == nil || !strings.HasPrefix(err.Error(), "t.tir:1:1:") {
			t.Errorf("%q becomes %q, %v", bad, got, err)
		}
	}
}
