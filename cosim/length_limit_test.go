package cosim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The drop of the specification (rest of the sources, 1.4): the tires reach a length of 0.3254 m, the struts 0.3623 m.
func TestSpringsReportTheirLimitsOnce(t *testing.T) {
	for _, c := range []struct {
		limits string
		want   []string
	}{
		{"length_min = 0.33", []string{"spring_1: at 0.", "spring_3: at 0."}},
		{"length_min = 0.32", nil},
		{"length_min = 0.1\nlength_max = 0.39", []string{"spring_1: ", "spring_2: ", "spring_3: ", "spring_4: "}},
		{"length_max = 0.9", nil},
	} {
		base, err := filepath.Abs("../resources/models/motorcycle2d.toml")
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`base = %q
name = "Limited"
title = "Limited"
`, base)
		for i := range 4 {
			text += fmt.Sprintf("[component.spring_%d]\n%s\n", i+1, c.limits)
		}
		path := filepath.Join(t.TempDir(), "limited.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sys, err := Load(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := sys.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{in, t}
		for range 2 { // a run after a reset reports again
			r.Reset()
			if err := r.SetText("terrain.kind", "plane"); err != nil {
				t.Fatal(err)
			}
			r.set("terrain.height", -0.5)
			if err := r.Initialise(); err != nil {
				t.Fatal(err)
			}
			var got []string
			shortest, beyond := 1.0, false
			r.to(1, func() {
				for _, text := range r.RangeWarnings() {
					got = append(got, text)
					if name, _, _ := strings.Cut(text, ":"); r.get(name+".outside") == 0 {
						t.Errorf("%s, but the output is 0", text)
					}
				}
				length := r.get("spring_1.length")
				shortest = min(shortest, length)
				if side := r.get("spring_1.outside"); strings.Contains(c.limits, "0.33") && (side == -1) != (length < 0.33) {
					t.Fatalf("a length of %g is %g", length, side)
				} else if strings.Contains(c.limits, "0.39") && (side == 1) != (length > 0.39) {
					t.Fatalf("a length of %g is %g", length, side)
				} else {
					beyond = beyond || side != 0
				}
			})
			r.near("shortest tire", shortest, 0.3254, 1e-4)
			if len(got) != len(c.want) || beyond != (len(got) > 0) {
				t.Errorf("%s: %q, want %q", c.limits, got, c.want)
			}
			for _, want := range c.want {
				if !strings.Contains(strings.Join(got, "\n"), want) {
					t.Errorf("%s: %q lacks %q", c.limits, got, want)
				}
			}
		}
	}
}

// A spring on a revolute joint has limits of its angle. Limits that leave no length between them are an error.
func TestLimitsOfAnAngle(t *testing.T) {
	load := func(limits string) (*Instance, error) {
		path := filepath.Join(t.TempDir(), "limited.toml")
		base, err := filepath.Abs("../resources/models/pendulum.toml")
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`base = %q
name = "Limited"
title = "Limited"
[component.spring]
type = "spring-damper"
joint = "joint"
stiffness = 1.0
%s
`, base, limits)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sys, err := Load(path, Options{})
		if err != nil {
			return nil, err
		}
		return sys.Instantiate()
	}
	if _, err := load("length_min = 0.2\nlength_max = 0.2"); err == nil ||
		!strings.Contains(err.Error(), "spring.length_max is 0.2; it must be above length_min, which is 0.2") {
		t.Errorf("equal limits: %v", err)
	}
	in, err := load("length_min = -4.0\nlength_max = 0.1")
	if err != nil {
		t.Fatal(err)
	}
	r := &ride{in, t}
	r.set("joint.phi", 0.2)
	if err := r.Initialise(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.RangeWarnings(), "\n"); got !=
		"spring: at 0 s the angle is 0.2 rad, above length_max; this is reported once in a run" {
		t.Errorf("%q", got)
	}
}
