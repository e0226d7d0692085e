package manoeuvre

import (
	"errors"
	"strings"
	"testing"

	"skidpad/model/document"
	"skidpad/model/roles"
)

// If roles do not state a wheelbase, it is determined; if that fails, the result is the error, not a number.
func TestSteeredCarsFindTheirWheelbase(t *testing.T) {
	root, err := document.Parse([]byte(`[roles]
chassis = "body"
axles = [["a", "b"], ["c", "d"]]
steering = { drivers = ["steer"], ratio = 16 }
`), "car.toml")
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("the tires do not touch the road")
	target := Target{Model: "Car", Roles: root.Field("roles"),
		Find: func(*roles.Roles) (map[string]float64, error) { return map[string]float64{"wheelbase": 2.5}, nil }}
	if c, err := ReadSteeredCar(target); err != nil || c.Wheelbase != 2.5 {
		t.Errorf("%+v, error %v", c, err)
	}
	target.Find = func(*roles.Roles) (map[string]float64, error) { return nil, failure }
	if c, err := ReadSteeredCar(target); !errors.Is(err, failure) || !strings.Contains(err.Error(), "wheelbase of Car") {
		t.Errorf("%+v, error %v", c, err)
	}
}
