package cosim

import (
	"errors"
	"strings"
	"testing"

	"skidpad/model/unit"
)

// The error for a computed variable names the variables that set it: start values by formulas follow from the
// variables in the formulas.
func TestComputedVariablesNameTheirStartValues(t *testing.T) {
	bicycle := begin(t, "bicycle", nil, nil)
	for name, want := range map[string]string{
		"rear_frame.z": "rear_frame.z is computed by the model and cannot be set; before initialisation, its " +
			"start value follows from hub_height, lean, pitch",
		"rear_frame.az":      "rear_frame.az is computed by the model and cannot be set",
		"der(rear_frame.vz)": "der(rear_frame.vz) is computed by the model and cannot be set",
	} {
		i, ok := bicycle.sys.Find(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		if err := bicycle.Check(i, 1); err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
}

// The error lists twelve of many variables that set the start of a wheel in a tree with its coordinates.
func TestErrorsOfComputedVariablesAreShort(t *testing.T) {
	car := loaded(t, "skidder", "tire", nil, nil)
	i, ok := car.sys.Find("tire_FL.y_dot")
	if !ok {
		t.Fatal("no tire_FL.y_dot")
	}
	err := car.Check(i, 1)
	if err == nil || strings.Count(err.Error(), ",") != 12 || !strings.HasSuffix(err.Error(), " more") {
		t.Errorf("%v", err)
	}
}

// A step that diverges names a remedy that is not in use.
func TestRemedyDiffersFromTheMethodInUse(t *testing.T) {
	for method, other := range map[string]bool{"rk4": true, "linearly-implicit": false} {
		r := loaded(t, "generic4w", "", map[string]string{MethodVariable: method}, nil)
		r.set("drive_FL.torque", 1e306)
		var err error
		for range 100 {
			if err = r.Step(0.05); err != nil {
				break
			}
		}
		if !errors.Is(err, ErrNotFinite) || strings.Contains(err.Error(), "the method linearly-implicit") != other ||
			!strings.Contains(err.Error(), "try a smaller solver.step") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// Neither another step nor another method helps a body without mass.
func TestRemedyForMissingMassIsMass(t *testing.T) {
	for _, method := range []string{"euler", "rk4", "linearly-implicit"} {
		r := loaded(t, "generic4w", "", map[string]string{MethodVariable: method}, map[string]float64{"body.mass": 0,
			"body.inertia_yy": 0})
		var err error
		for k := 0; err == nil && k < 10; k++ {
			err = r.Step(0.001)
		}
		if !errors.Is(err, ErrNotFinite) || !strings.HasSuffix(err.Error(),
			"give body.mass, body.inertia_yy a value above 0, as the model does") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// The unit of a rate is the unit of its state per second.
func TestUnitsOfRates(t *testing.T) {
	second, err := unit.ParseSI("s")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"m", "rad", "m/s", "rad/s", "1", "rad/m", "N.s", "Pa", "kg.m2/s"} {
		of, err := unit.ParseSI(name)
		if err != nil {
			t.Fatal(err)
		}
		rate, err := unit.ParseSI(perSecond(name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range of {
			if rate[i] != of[i]-second[i] {
				t.Errorf("%s per second is %s", name, perSecond(name))
			}
		}
	}
	if got := perSecond("m/s"); got != "m/s2" {
		t.Errorf("m/s per second is %s, usually m/s2", got)
	}
}
