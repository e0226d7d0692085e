package component_test

import (
	"testing"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// TestCouplingComponentsReportCoupling: the recursion over branches would leave out the inertia that it does not know
// of.
func TestCouplingComponentsReportCoupling(t *testing.T) {
	given := keys.Scalar{Value: 0.2}
	turning, formula := component.Spinning{Inertia: given}, component.Spinning{Inertia: keys.Scalar{Formula: true}}
	for _, c := range []struct {
		what    string
		coupled component.Coupling
		want    bool
	}{
		{"engine with inertia", &component.Engine{Spinning: turning}, true},
		{"engine whose inertia is a formula", &component.Engine{Spinning: formula}, true},
		{"engine without", &component.Engine{}, false},
		{"gearbox with inertia", &component.Gearbox{Spinning: turning}, true},
		{"differential with inertia", &component.Differential{Spinning: turning}, true},
		{"differential without", &component.Differential{}, false},
		{"free steering wheel", &component.Steering{HandWheel: &component.HandWheel{Inertia: given}}, true},
		{"steering wheel with an angle", &component.Steering{}, false},
		{"mass that differs by direction", &component.PointMass{Anisotropic: true}, true},
		{"mass", &component.PointMass{}, false},
		{"suspension that follows a rack", &component.Suspension{Second: "rack"}, true},
		{"suspension", &component.Suspension{}, false},
		{"parallelogram", &component.Parallelogram{}, true},
		{"right angle", &component.RightAngle{}, true},
		{"rolling wheel", &component.RollingWheel{}, true},
		{"relaxed wheel", &component.RelaxedWheel{}, true},
	} {
		if got := c.coupled.Couples(); got != c.want {
			t.Errorf("%s couples bodies: %v", c.what, got)
		}
	}
}
