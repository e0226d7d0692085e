package tire_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// Without combined slip, Fx and My equal the published formulas for the slip angle 0. Fy, Mx and Mz equal the formulas
// for the slip 0; Fx has no arm in these formulas.
func TestUncombinedForcesEqualPureSlipForces(t *testing.T) {
	r := rand.New(rand.NewPCG(151, 152))
	for _, name := range []string{"Pacejka02", "MF61"} {
		k := tiretest.Lookup(t, name)
		values := k.Complete(tiretest.Parameters(t, tires)[name])[:len(k.Parameters)]
		p := byName(t, name, values)
		values = k.Complete(values)
		values[len(values)-1] = 0
		f := made(t, name, values...)
		plain := func(fz, s, alpha, gamma, omega, vcx float64) [5]float64 {
			if name == "MF61" {
				return plainMF6(p, fz, s, alpha, gamma, omega, vcx, 0)
			}
			return plainPacejka(p, fz, s, alpha, omega, gamma, vcx)
		}
		p["LS"] = 0
		var d differences
		for range 200 {
			fz, s, alpha := 500+8000*r.Float64(), 1.5*(2*r.Float64()-1), 0.8*(2*r.Float64()-1)
			gamma, v := 0.1*(2*r.Float64()-1), 3+30*r.Float64()
			got := at(k, f, fz, s, alpha, gamma, v/0.33, v)
			along, across := plain(fz, s, 0, gamma, v/0.33, v), plain(fz, 0, alpha, gamma, v/0.33, v)
			for i, want := range [5]float64{along[0], across[1], across[2], along[3], across[4]} {
				if !(math.Abs(got[i]-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Fatalf("%s: output %d is %.12g, by the pure slips %.12g at Fz %g, S %g, alpha %g, gamma %g", name, i, got[i],
						want, fz, s, alpha, gamma)
				}
			}
			d.compare(t, k, f, tiretest.Sample(r, k.Inputs))
		}
		d.judge(t, name)
	}
}

// USE_MODE 3 in the ones asks for pure slips; the other digits make no difference to forces. What is read is written
// again in both forms.
func TestUseModeOfPureSlips(t *testing.T) {
	for _, file := range []string{"pacejka2002.tir", "mf61_205_60R15.tir"} {
		data, err := os.ReadFile("../resources/tires/" + file)
		if err != nil {
			t.Fatal(err)
		}
		combined, err := tire.ReadFile(data, file, tire.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		k := tiretest.Lookup(t, combined.Function)
		want := k.Complete(combined.Values)
		want[len(want)-1] = 0
		line := "USE_MODE             = 14"
		if !bytes.Contains(data, []byte(line)) {
			t.Fatalf("%s has no line %q", file, line)
		}
		for _, mode := range []string{"3", "13", "113"} {
			text := bytes.Replace(data, []byte(line), []byte("USE_MODE = "+mode), 1)
			p, err := tire.ReadFile(text, file, tire.ReadOptions{})
			if err != nil {
				t.Errorf("%s, %s: %v", file, mode, err)
				continue
			}
			if !slices.Equal(p.Values, want) {
				t.Errorf("%s, %s: other parameters", file, mode)
			}
			if found := strings.Join(p.Warnings, "\n"); !strings.Contains(found, "braking takes nothing of cornering") {
				t.Errorf("%s, %s: the warnings are %q", file, mode, found)
			}
			written, err := tire.WriteProperties(p, 2e5)
			if err != nil {
				t.Fatal(err)
			}
			toml, err := tire.WriteTOML(p)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string][]byte{"t.tir": written, "t.toml": toml} {
				if again, err := tire.ReadFile(text, name, tire.ReadOptions{}); err != nil || !slices.Equal(again.Values, want) {
					t.Errorf("%s, %s as %s: %v, %v", file, mode, name, again, err)
				}
			}
		}
	}
	k := tiretest.Lookup(t, "MF61")
	values := k.Complete(tiretest.Parameters(t, tires)["MF61"])
	values[len(values)-1] = 0.5
	if _, err := k.New(values); err == nil || !strings.Contains(err.Error(), "is 0.5; it must be 1 or 0") {
		t.Errorf("half combined: %v", err)
	}
	if _, is := k.Coefficient("combined"); is {
		t.Error("combined is a coefficient")
	}
}
