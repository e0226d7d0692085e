package main

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu"
)

// The kinds of skidpad.h.
const (
	kindParameter = iota
	kindInput
	kindOutput
	kindState
	kindContact
	kindEnergy
	kindEnd
)

// TestRangeBoundsSettableValues: exactly the values beyond a bound are rejected.
func TestRangeBoundsSettableValues(t *testing.T) {
	bounded := 0
	for _, model := range []string{"passenger_car", "skidder"} {
		handle, err := loadModel("../resources/models/"+model+".toml", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer free(handle)
		all := listed(t, handle)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			v := all[name]
			if v.kind != kindParameter && v.kind != kindInput {
				if !math.IsNaN(v.minimum) || !math.IsNaN(v.maximum) {
					t.Errorf("%s: %s of kind %d has the range %g to %g", model, name, v.kind, v.minimum, v.maximum)
				}
				continue
			}
			for _, beyond := range []struct {
				value, bound float64
			}{{-1 - math.Abs(v.start), v.minimum}, {2 + math.Abs(v.start), v.maximum}} {
				if beyond.bound == beyond.bound {
					beyond.value = beyond.bound + math.Copysign(1e-9, beyond.value)
				}
				status := set(handle, &v.reference, 1, &beyond.value)
				if (status == statusOK) == (beyond.bound == beyond.bound) {
					t.Errorf("%s: %s, from %g to %g, is set to %g with status %d %s", model, name, v.minimum, v.maximum,
						beyond.value, status, errorText(handle))
				}
				if beyond.bound == beyond.bound {
					bounded++
					within := beyond.bound - math.Copysign(1e-9, beyond.value-beyond.bound)
					if set(handle, &v.reference, 1, &within) != statusOK {
						t.Errorf("%s: %s is not set to %g: %s", model, name, within, errorText(handle))
					}
				}
				set(handle, &v.reference, 1, &v.start)
			}
		}
	}
	if bounded < 100 {
		t.Errorf("only %d bounds", bounded)
	}
}

// TestVariableKindsFollowTheModel: exactly the variables with a rate are states and have a nominal value.
func TestVariableKindsFollowTheModel(t *testing.T) {
	_, table, err := fmu.Load("../resources/models/generic4w.toml", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	handle, err := loadModel("../resources/models/generic4w.toml", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(handle)
	all, states := listed(t, handle), 0
	for name, v := range all {
		_, rate := table.Find("der(" + name + ")")
		if (v.kind == kindState) != rate || math.IsNaN(v.nominal) == rate || v.nominal <= 0 {
			t.Errorf("%s is of kind %d, nominal %g; it has a rate: %v", name, v.kind, v.nominal, rate)
		}
		if rate {
			states++
		}
		if (v.kind == kindContact) != strings.HasSuffix(name, ".contact") ||
			slices.Contains([]int32{kindEnergy, kindPeak, kindRate}, v.kind) != (v.causality == causalityLocal) {
			t.Errorf("%s is of kind %d, causality %d", name, v.kind, v.causality)
		}
	}
	if states < 20 {
		t.Errorf("only %d states", states)
	}
	for name, want := range map[string][2]int32{ // kind and causality
		"body.mass": {kindParameter, 0}, "brake_FL.torque": {kindInput, 1}, "body.ay": {kindOutput, 2},
		"body.vx": {kindState, 2}, "tire_FL.contact": {kindContact, 2}, "energy.supplied": {kindEnergy, causalityLocal},
		"tire_FL.LMUY": {kindCoefficient, causalityTunable}, "tire_FL.PKY1": {kindCoefficient, 0},
		"tire_FL.mu_x_peak": {kindPeak, causalityLocal}, "tire_RR.utilisation": {kindPeak, causalityLocal},
		"der(body.vx)": {kindRate, causalityLocal},
	} {
		if v := all[name]; [2]int32{v.kind, v.causality} != want {
			t.Errorf("%s is of kind %d, causality %d; want %v", name, v.kind, v.causality, want)
		}
	}
}
