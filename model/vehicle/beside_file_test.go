package vehicle_test

import (
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// Coefficients beside a file are refused with how they are changed.
func TestCoefficientsBesideAFile(t *testing.T) {
	for keys, want := range map[string]string{
		"LMUY = 0.8": "car.toml:5:8: unknown key \"LMUY\" in tire_FL.force; coefficients are changed in a copy of the " +
			"file, or in a run by --set 'tire_FL.LMUY=0.8'; allowed keys: function, file, parameters, allow_downgrade, combined",
		`fil = "x"`: "car.toml:5:7: unknown key \"fil\" in tire_FL.force; did you mean \"file\"? allowed keys: function, ",
		"parameters = { LMUY = 0.8 }": "tire_FL.force has both file and parameters; it needs one of them. Coefficients " +
			"of a file are changed in a copy of it, or in a run by --set 'tire_FL.LMUY=0.8'; expose = [\"LMUY\"] of the tire",
	} {
		_, err := vehicle.Parse([]byte(`base = "generic4w.toml"
name = "C"
title = "C"
[component.tire_FL.force]
`+keys+"\n"),
			"car.toml", vehicle.Opener("../../resources/models/car.toml"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", keys, err, want)
		}
	}
	_, err := vehicle.Parse([]byte(`base = "passenger_car.toml"
name = "C"
title = "C"
[component.tire_FL.slip.relaxation]
parameters = { LMUY = 0.8 }
`), "car.toml",
		vehicle.Opener("../../resources/models/car.toml"))
	if err == nil || !strings.Contains(err.Error(), "--set 'tire_FL.relaxation.LMUY=0.8'") {
		t.Error(err)
	}
}
