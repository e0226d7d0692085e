package main

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// The Jacobian of a vehicle is bit-identical to the directional derivatives of its FMU, also after steps without Go,
// and does not change the vehicle. Rates of states are found by name.
func TestJacobianHasTheBitsOfDirectionalDerivatives(t *testing.T) {
	const model = "../resources/models/generic4w.toml"
	system, table, err := fmu.Load(model, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	component, err := fmu.NewComponent(system, table, fmu.Settings{Version: 3, Interface: fmu.CoSimulation},
		make([]float64, system.First(cosim.Text)))
	if err != nil {
		t.Fatal(err)
	}
	handle, err := loadModel(model, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(handle)
	reference := func(name string) uint32 {
		var r uint32
		if find(handle, c(name), &r) != statusOK {
			t.Fatal(errorText(handle))
		}
		return r
	}
	of := []uint32{reference("body.ay"), reference("der(body.wz)"), reference("tire_FL.Fy"), reference("der(tire_RR.q1)")}
	by := []uint32{reference("body.vy"), reference("steer_FL.angle"), reference("body.mass"), reference("tire_FL.q2")}
	ok := func(s fmu.Status) {
		t.Helper()
		if s != fmu.OK {
			t.Fatal(s, component.Messages)
		}
	}
	angle, turned := reference("steer_FL.angle"), 0.02
	ok(component.EnterInitializationMode(true, 0, false, 0))
	ok(component.ExitInitializationMode())
	ok(component.SetReal([]uint32{angle}, []float64{turned}))
	if initialise(handle) != statusOK || set(handle, &angle, 1, &turned) != statusOK {
		t.Fatal(errorText(handle))
	}
	values := func() (list [4]float64) {
		if get(handle, &of[0], 4, &list[0]) != statusOK {
			t.Fatal(errorText(handle))
		}
		return list
	}
	for k := range 30 {
		_, s := component.DoStep(0.001*float64(k), 0.001)
		ok(s)
		if step(handle, 0.001) != statusOK {
			t.Fatal(errorText(handle))
		}
	}
	before := values()
	matrix, column := make([]float64, 16), make([]float64, 4)
	if jacobian(handle, &of[0], 4, &by[0], 4, &matrix[0]) != statusOK {
		t.Fatal(errorText(handle))
	}
	for j := range by {
		ok(component.DirectionalDerivative(of, by[j:j+1], []float64{1}, column))
		for i, want := range column {
			if got := matrix[4*i+j]; got != want || j < 3 && i < 2 && got == 0 {
				t.Errorf("row %d, column %d: %v, not %v", i, j, got, want)
			}
		}
	}
	if values() != before {
		t.Error("the vehicle is another one after its Jacobian")
	}
	if s := jacobian(handle, &by[2], 1, &by[0], 1, &matrix[0]); s != statusRefused ||
		!strings.Contains(errorText(handle), "body.mass has no derivatives; outputs and derivatives of states have") {
		t.Error(s, errorText(handle))
	}
	if s := jacobian(handle, &of[0], 1, &of[0], 1, &matrix[0]); s != statusRefused ||
		!strings.Contains(errorText(handle), "nothing can be differentiated by body.ay now") {
		t.Error(s, errorText(handle))
	}
	if s := jacobian(handle, nil, 0, &by[0], 4, nil); s != statusOK {
		t.Error(s, errorText(handle))
	}
}

// Rates of states are local variables: listed and read like energies, and not settable.
func TestRatesOfStatesAreVariables(t *testing.T) {
	handle, err := loadModel("../resources/models/generic4w.toml", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(handle)
	all := listed(t, handle)
	states, rates := 0, 0
	for name, v := range all {
		if v.kind == kindState {
			states++
			rate, has := all["der("+name+")"]
			if !has || rate.kind != kindRate || rate.causality != causalityLocal {
				t.Errorf("der(%s) is %+v", name, rate)
			}
		}
		if v.kind == kindRate {
			rates++
		}
	}
	if states != rates || states < 20 {
		t.Errorf("%d states, %d rates", states, rates)
	}
	if initialise(handle) != statusOK {
		t.Fatal(errorText(handle))
	}
	rate, ax := all["der(body.vx)"].reference, 0.0
	speed, lateral := all["body.vy"].reference, 0.0
	turning, spin, along := all["body.wz"].reference, 0.0, all["body.ax"].reference
	var forward float64
	for r, to := range map[*uint32]*float64{&rate: &ax, &speed: &lateral, &turning: &spin, &along: &forward} {
		if get(handle, r, 1, to) != statusOK {
			t.Fatal(errorText(handle))
		}
	}
	if !(math.Abs(ax-(forward+spin*lateral)) <= 1e-9) { // straight ahead
		t.Errorf("der(body.vx) is %g, the acceleration is %g", ax, forward)
	}
	if s := set(handle, &rate, 1, &ax); s != statusRefused ||
		!strings.Contains(errorText(handle), "der(body.vx) is computed by the model and cannot be set") {
		t.Error(s, errorText(handle))
	}
}
