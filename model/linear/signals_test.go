package linear_test

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// The eigenvalues of a motor with a PI controller of its speed are the published poles of the closed loop: winding and
// controller are components of equations, shaft and rotor are mechanics.
func TestLinearAnalysisSeesLoopsInsideTheModel(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "MotorLoop"
[component.rotor]
type = "rigid-body"
mass = 1
inertia = { axial = 0.01, transverse = 0.01, axis = "y" }
[component.shaft]
type = "revolute"
from = "ground"
to = "rotor"
axis = "y"
start = { omega = 50 }
torque = "input"
[component.winding]
type = "equations"
inputs = [{ name = "voltage", unit = "V" }, { name = "load", unit = "N.m", value = 0.5 }]
states = [{ name = "current", unit = "A", rate = "(voltage - 0.5*current - 0.1*shaft.omega)/0.001", value = 5.5 }]
outputs = [{ name = "torque", unit = "N.m", value = "0.1*current - 0.001*shaft.omega - load", to = ["shaft.torque"] }]
[component.control]
type = "equations"
inputs = [{ name = "speed", unit = "rad/s", from = "shaft.omega" }, { name = "wish", unit = "rad/s", value = 50 }]
states = [{ name = "z", unit = "rad", rate = "wish - speed", value = 1.55 }]
outputs = [{ name = "voltage", unit = "V", value = "0.5*(wish - speed) + 5*z", to = ["winding.voltage"] }]
`), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	want := []complex128{-487.9102118, complex(-6.0948941, 8.0827061), complex(-6.0948941, -8.0827061)}
	found := 0
	for _, mode := range modes(t, s) {
		for _, w := range want {
			if cmplx.Abs(mode.Value-w) < 1e-7*math.Max(1, cmplx.Abs(w)) {
				found++
			}
		}
	}
	if found != len(want) && found != len(want)-1 { // a pair can be one mode
		t.Errorf("the eigenvalues are %v, published %v", modes(t, s), want)
	}
}

// Linear equations are made of formulas: a law in a function is refused with what to do.
func TestALawInAFunctionIsNotLinearised(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Law"
[component.law]
type = "equations"
function = "plugin:law.so#law"
inputs = [{ name = "u", unit = "1" }]
states = [{ name = "x", unit = "1" }]
`), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = linear.New(m, ""); err == nil || !strings.Contains(err.Error(), "law.law: the function plugin:law.so#law "+
		"cannot be linearised here; write the law by formulas") {
		t.Errorf("%v", err)
	}
}
