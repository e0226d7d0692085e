package cosim_test

import (
	"strings"
	"testing"
)

// A parameter can move the value of a formula beyond the bounds of its key: Initialise then returns an error that names
// the key, and accepts the instance again with a valid parameter. Set rejects a negative friction, also during a run,
// and the friction keeps its value.
func TestBoundsOfFormulasAndFriction(t *testing.T) {
	r := instance(t, load(t, "passenger_car", ""), "rk4", 0.001)
	r.set("sprung", -3)
	const want = "body.mass = sprung is -3; it must not be negative: correct the parameters of the formula"
	if err := r.in.Initialise(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	r.set("sprung", 965.7)
	r.set("wheel", 40)
	if err := r.in.Initialise(); err == nil ||
		!strings.Contains(err.Error(), "upright_FL.mass = unsprung - wheel is -8.1; it must not be negative") {
		t.Errorf("got %v", err)
	}
	r.set("wheel", 17)
	r.set("front_x", -5)
	if err := r.in.Initialise(); err == nil ||
		!strings.Contains(err.Error(), " = front_x + rear_x is -3.5773; it must be above 0") {
		t.Errorf("got %v", err)
	}
	r.set("front_x", 1.1562)
	i := r.variable("road.mu")
	if err := r.in.Set(i, -0.5); err == nil || err.Error() != "road.mu = -0.5: the value must not be negative" {
		t.Errorf("got %v", err)
	}
	r.start(noInput)
	if err := r.in.Set(i, -0.5); err == nil {
		t.Error("a negative friction is accepted during a run")
	}
	r.drive(noInput, 0.001, 0.1)
	r.near("road.mu", 1, 0)
}
