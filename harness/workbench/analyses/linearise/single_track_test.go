package linearise

import (
	"bytes"
	"maps"
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// followed are the modes of a model over its speed, with the stability limits.
func followed(t *testing.T, file string, speeds ...float64) *Result {
	t.Helper()
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	l := &Result{Title: m.Title, Varied: manoeuvre.Variation{Name: "speed", Values: speeds}}
	if err := l.AddAll(vehicle, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Follow(); err != nil {
		t.Fatal(err)
	}
	if l.Limits, err = l.StabilityLimits(vehicle); err != nil {
		t.Fatal(err)
	}
	return l
}

// The wobble of a motorcycle is a fast oscillation of the steer. Its damping falls with the speed until it grows. The
// weave is a slow one, from below 1 Hz to 3 Hz as the speed rises (Sharp 1971). Limits name the mode that changes.
func TestModesOfAMotorcycleAreNamed(t *testing.T) {
	testrun.Slow(t)
	l := followed(t, "testdata/motorcycle.toml", 5, 10, 15, 20, 25, 30, 35, 40, 45, 50)
	damping := math.Inf(1)
	for i, modes := range l.Followed {
		speed, names := l.Varied.Values[i], map[string]int{}
		for _, m := range modes {
			names[m.Named]++
			switch hertz := m.Hertz(); {
			case m.Named == wobble && !(hertz > 5 && hertz < 10 && m.Damping() < damping+1e-9):
				t.Errorf("%g m/s: wobble of %g Hz, damping %g after %g", speed, hertz, m.Damping(), damping)
			case m.Named == wobble:
				damping = m.Damping()
			case m.Named == weave && !(hertz > 0.2 && hertz < 4):
				t.Errorf("%g m/s: weave of %g Hz", speed, hertz)
			case m.Named == capsize && !(imag(m.Value) == 0 && math.Abs(real(m.Value)) < 4):
				t.Errorf("%g m/s: capsize %v", speed, m.Value)
			}
		}
		delete(names, "")
		delete(names, castering) // becomes a motion of the tires
		want := map[string]int{weave: 2, capsize: 1}
		if speed >= 15 {
			want[wobble] = 2
		}
		if !maps.Equal(names, want) {
			t.Errorf("%g m/s: the modes are %v, want %v", speed, names, want)
		}
	}
	var limits []string
	for _, s := range l.Limits {
		limits = append(limits, s.Mode)
	}
	if got := strings.Join(limits, " "); got != "weave capsize wobble" {
		t.Errorf("limits of %s", got)
	}
	var table bytes.Buffer
	l.PrintModes(&table)
	l.PrintStabilityLimits(&table)
	for _, want := range []string{"name            participation", "wobble 1.00     steer 1.", "participation above 1: ",
		"1 oscillatory, 1 real: wobble\n"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table has no %q:\n%s", want, table.String())
		}
	}
}

// The benchmark bicycle is stable between the published limits of weave and capsize (Meijaard et al. 2007).
func TestStabilityLimitsOfTheBicycle(t *testing.T) {
	l := followed(t, built.Model("bicycle_rolling"), 2, 4, 5, 8)
	for k, want := range []StabilityLimit{{Value: 4.292382536341, Mode: weave}, {Value: 6.024262015388, Mode: capsize}} {
		if len(l.Limits) != 2 || l.Limits[k].Mode != want.Mode || math.Abs(l.Limits[k].Value-want.Value) > 1e-8 {
			t.Errorf("limits %+v", l.Limits)
		}
	}
}

// Growing modes without oscillation leave the name weave to an oscillation; of two oscillations one alone has the name,
// both halves of its pair.
func TestOneOscillationIsTheWeave(t *testing.T) {
	mode := func(branch int, value complex128) FollowedMode {
		return FollowedMode{Mode: linear.Mode{Value: value}, Branch: branch}
	}
	modes := []FollowedMode{mode(1, 3), mode(2, 2), mode(3, -1+4i), mode(4, -1-4i), mode(5, -2+9i),
		mode(6, -2-9i)}
	var alike []map[string]float64
	means := map[int]map[string]float64{}
	for i, x := range []float64{0.9, 0.8, 0.7, 0.7, 0.6, 0.6} {
		alike = append(alike, map[string]float64{weave: x})
		means[modes[i].Branch] = alike[i]
	}
	nameAt(modes, alike, means)
	for i, want := range []string{weave, weave, weave, weave, "", ""} {
		if modes[i].Named != want {
			t.Errorf("mode %v is %q, not %q", modes[i].Value, modes[i].Named, want)
		}
	}
}

// The share of the steer is the mean of its part in the shape and of its participation.
func TestTheSteerSharesAModeByShapeAndParticipation(t *testing.T) {
	m := &FollowedMode{Mode: linear.Mode{Value: 1, Shape: []complex128{1, 3i}},
		Shares: []linear.Share{{Group: linear.Roll, Value: 0.9}, {Group: linear.Steering, Value: 0.1}}}
	if x := likeness(m, 0, 1); math.Abs(x[weave]-0.5) > 1e-15 || math.Abs(x[capsize]-0.5) > 1e-15 { // (0.9 + 0.1)/2
		t.Errorf("it is like %v", x)
	}
}

// A limit with an oscillating eigenvalue belongs to an oscillation, also if a real mode with a nearer frequency becomes
// stable as well.
func TestTheModeOfALimitOscillatesAsItsEigenvalue(t *testing.T) {
	modes := func(weaves, capsizes complex128) []FollowedMode {
		return []FollowedMode{{Mode: linear.Mode{Value: weaves}, Named: weave},
			{Mode: linear.Mode{Value: capsizes}, Named: capsize}}
	}
	l := &Result{Followed: [][]FollowedMode{modes(0.5+1i, 0.2), modes(-0.5+1i, -0.2)}}
	for at, want := range map[complex128]string{0.4i: weave, 0: capsize} {
		if got := l.crossing(1, at); got != want {
			t.Errorf("the limit at %v is one of %s, not of %s", at, got, want)
		}
	}
}

// A vehicle with four wheels has no such names, and its table no column for them.
func TestModesOfACarHaveTheNamesOfTheirGroups(t *testing.T) {
	m, err := vehicle.Read(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
		if err := vehicle.Free(torque); err != nil {
			t.Fatal(err)
		}
	}
	l := &Result{Title: m.Title, Varied: manoeuvre.Variation{Name: "body.vx", Values: []float64{20}}}
	if err := l.AddAll(vehicle, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Follow(); err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	l.PrintModes(&table)
	if strings.Contains(table.String(), "  name ") || l.Followed[0][0].Named != "" {
		t.Errorf("%s", table.String())
	}
}
