package linear_test

import (
	"errors"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// withSpeeds is a shipped model whose bodies and tires have the speeds of a word.
func withSpeeds(t *testing.T, name, word string) *linear.Model {
	t.Helper()
	m, err := vehicle.Read("../../resources/models/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidBody:
			c.Speeds = word
		case *component.Tire:
			c.Speeds = word
		}
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Eigenvalues, and the parts of the vehicle that move, do not depend on the speeds. The search for the steady motion
// keeps a start speed that the user sets.
func TestEigenvaluesDoNotDependOnTheSpeeds(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		name, speed, travels string
		value                float64
		free                 []string
	}{
		{"bicycle", "speed", "rear_frame.x_dot", 6, nil},
		{"generic4w", "body.vx", "body.x_dot", 22, []string{"drive_RL.torque", "drive_RR.torque"}},
	} {
		want := map[string][]complex128{}
		words := []string{"body", "ground", "rates"}
		if !testrun.Either(c.free == nil, true) {
			words = words[:2]
		}
		for _, word := range words {
			l := withSpeeds(t, c.name, word)
			for _, input := range c.free {
				if err := l.Free(input); err != nil {
					t.Fatal(err)
				}
			}
			s := at(t, l, c.speed, c.value)
			if i := slices.Index(s.States, c.travels); word != "body" && (i < 0 || s.X[i] != c.value) {
				t.Errorf("%s, %s: the speed of travel is not held: %v %v", c.name, word, s.States, s.X)
			}
			got := map[string][]complex128{}
			for _, m := range modes(t, s) {
				if cmplx.Abs(m.Value) > 1e-2 {
					most := s.Shares(&m)[0].Group
					got[most] = append(got[most], m.Value)
				}
			}
			if word == "body" {
				want = got
			}
			for name, list := range want {
				if len(list) != len(got[name]) {
					t.Errorf("%s, %s: %d modes %q, want %d", c.name, word, len(got[name]), name, len(list))
					continue
				}
				for _, v := range list {
					near := math.Inf(1)
					for _, g := range got[name] {
						near = min(near, cmplx.Abs(g-v))
					}
					// the free torques leave the steady state of the car open by a part of its rolling resistance
					if tolerance := map[string]float64{"bicycle": 1e-7, "generic4w": 1e-3}[c.name]; !(near <= tolerance*cmplx.Abs(v)) {
						t.Errorf("%s, %s: the nearest eigenvalue to %g is %g away", c.name, word, v, near)
					}
				}
			}
		}
	}
}

// A start speed can be held by its name, too; another name than those of states and start speeds is an error.
func TestStartSpeedsAreHeldByTheirNames(t *testing.T) {
	l := withSpeeds(t, "bicycle", "ground")
	if err := errors.Join(l.Hold("rear_frame.vx"), l.Hold("rear_frame.x_dot")); err != nil {
		t.Error(err)
	}
	if err := l.Hold("rear_frame.v"); err == nil || !strings.Contains(err.Error(), "rear_frame.x_dot") {
		t.Errorf("no error names the states: %v", err)
	}
}
