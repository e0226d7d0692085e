package vehicle_test

import (
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// A wheel spins forward about an axis that points to the left. An axis to the right is rejected with a suggestion, at
// the place of the axis.
func TestSpinAxesPointToTheLeft(t *testing.T) {
	text := `base = "skidder.toml"
name = "Turned"
title = "Wheels that turn backwards"
[component.wheel_FL]
axis = [0, -1, 0]
`
	_, err := vehicle.Parse([]byte(text), "turned.toml", vehicle.Opener("../../resources/models/turned.toml"))
	if err == nil || !strings.Contains(err.Error(), "turned.toml:5:1: wheel_FL turns the wheel of tire_FL about an axis "+
		"that points to the right (y is -1)") || !strings.Contains(err.Error(), `axis = "y"`) {
		t.Errorf("%v", err)
	}
	for _, axis := range []string{`"y"`, "[0.1, 0.99, 0.05]"} {
		good := strings.Replace(text, "[0, -1, 0]", axis, 1)
		_, err := vehicle.Parse([]byte(good), "good.toml", vehicle.Opener("../../resources/models/good.toml"))
		if err != nil {
			t.Errorf("axis %s: %v", axis, err)
		}
	}
}
