package cosim

import (
	"math"
	"testing"
)

// Derivatives by terrain_z agree with differences, forward and adjoint. Output rates include the rise of the ground
// under the tires: with a formula over time, and with terrain_z.
func TestDerivativesFollowTheGround(t *testing.T) {
	for _, terrain := range []string{`kind = "flat"`, "kind = \"plane\"\nslope_x = 0.02",
		"kind = \"formula\"\nformula = \"0.05*x + 0.02*y + 0.03*t\""} {
		r := onRoad(t, terrain, map[string]string{"solver.method": "rk4"}, nil)
		r.drive(200)
		find := func(name string) int {
			i, found := r.sys.Find(name)
			if !found {
				t.Fatalf("no variable %s", name)
			}
			return i
		}
		outputs := []string{"tire_FL.Fz", "tire_FL.Fy", "body.az", "tire_RR.Fz"}
		var unknowns []int
		for _, name := range outputs {
			unknowns = append(unknowns, find(name))
		}
		const input, h = "tire_FL.terrain_z", 1e-6
		exact, n := make([]float64, len(outputs)), len(outputs)
		if err := r.Directional(unknowns, []int{find(input)}, []float64{1}, exact); err != nil {
			t.Fatal(err)
		}
		difference := make([]float64, n)
		for _, side := range []float64{1, -1} {
			r.set(input, side*h)
			for k, name := range outputs {
				difference[k] += side * r.get(name) / (2 * h)
			}
		}
		r.set(input, 0)
		for k, name := range outputs {
			r.near(terrain+": "+name+" by "+input, exact[k], difference[k], 1e-6*math.Abs(difference[k])+1e-3)
			back := []float64{0}
			if err := r.Adjoint(unknowns[k:k+1], []int{find(input)}, []float64{1}, back); err != nil {
				t.Fatal(err)
			}
			r.near(terrain+": adjoint of "+name, back[0], exact[k], 1e-12*math.Abs(exact[k])+1e-9)
		}

		before := r.get("tire_FL.Fz")
		for _, name := range []string{"road.height", "road.slope_x", "road.friction_left", "road.seed"} {
			at := r.sys.variables[find(name)].parameter
			x := r.p[at]
			exact := make([]float64, len(outputs))
			if err := r.Directional(unknowns, []int{find(name)}, []float64{1}, exact); err != nil {
				t.Fatal(err)
			}
			difference := make([]float64, n)
			for _, side := range []float64{1, -1, 0} { // the parameter cannot be set by its name now
				r.p[at] = x + side*h
				r.machine.SetParameters(r.p)
				r.updateConstants()
				r.fresh = false
				for k, output := range outputs {
					difference[k] += side * r.get(output) / (2 * h)
				}
			}
			for k, output := range outputs {
				r.near(terrain+": "+output+" by "+name, exact[k], difference[k], 1e-6*math.Abs(difference[k])+1e-2)
				back := []float64{0}
				if err := r.Adjoint(unknowns[k:k+1], []int{find(name)}, []float64{1}, back); err != nil {
					t.Fatal(err)
				}
				r.near(terrain+": adjoint of "+output+" by "+name, back[0], exact[k], 1e-9*math.Abs(exact[k])+1e-6)
			}
		}
		if after := r.get("tire_FL.Fz"); after != before {
			t.Errorf("%s: tire_FL.Fz is %g N before derivatives, %g N after them", terrain, before, after)
		}

		if err := r.SetRate(find(input), 0.02); err != nil { // m/s
			t.Fatal(err)
		}
		rates := make([]float64, n)
		if err := r.OutputRates(unknowns, rates); err != nil {
			t.Fatal(err)
		}
		const dt = 1e-6
		values := [3][]float64{}
		for m := range values {
			for _, name := range outputs {
				values[m] = append(values[m], r.get(name))
			}
			if err := r.Step(dt); err != nil {
				t.Fatal(err)
			}
		}
		for k, name := range outputs {
			difference := (4*values[1][k] - 3*values[0][k] - values[2][k]) / (2 * dt)
			r.near(terrain+": rate of "+name, rates[k], difference, 1e-3*math.Abs(difference)+1e-1)
		}
	}
}

// A derivative by a parameter does not depend on the other parameters that are asked for, even if one of them shapes
// the terrain.
func TestDerivativesByOneParameterAndByOthers(t *testing.T) {
	for _, together := range []bool{false, true} {
		r := onRoad(t, "kind = \"formula\"\nformula = \"0.05*sin(3*x)*sin(2*y)\"", nil, nil)
		find := func(name string) int {
			i, found := r.sys.Find(name)
			if !found {
				t.Fatalf("no variable %s", name)
			}
			return i
		}
		knowns, seed := []int{find("body.mass"), find("front_x")}, []float64{0, 1}
		if together {
			knowns[0] = find("road.slope_x")
		}
		derivative := []float64{math.NaN()}
		if err := r.Directional([]int{find("tire_FL.gamma")}, knowns, seed, derivative); err != nil {
			t.Fatal(err)
		}
		r.near("tire_FL.gamma by front_x", derivative[0], 0, 0) // the plane stays
	}
}

// A derivative by a parameter that does not shape the ground is the same alone and behind a parameter that does.
func TestDerivativesDoNotDependOnTheirOrder(t *testing.T) {
	const terrain = "kind = \"formula\"\nformula = \"0.02*sin(x)*cos(0.5*y) + 0.003*sin(20*t + 1)\""
	r := onRoad(t, terrain, map[string]string{"solver.method": "rk4"}, nil)
	find := func(name string) int {
		i, found := r.sys.Find(name)
		if !found {
			t.Fatalf("no variable %s", name)
		}
		return i
	}
	ground, other := find("road.height"), find("rear_x")
	var of []int
	for i := range r.sys.variables {
		if r.sys.variables[i].Kind == Rate {
			of = append(of, i)
		}
	}
	behind, alone := make([]float64, len(of)), make([]float64, len(of))
	r.Reset()
	if err := r.Directional(of, []int{ground, other}, []float64{0, 1}, behind); err != nil {
		t.Fatal(err)
	}
	r.sensed.terrains = nil // what is known about parameters
	r.generation++
	if err := r.Directional(of, []int{other}, []float64{1}, alone); err != nil {
		t.Fatal(err)
	}
	for k, i := range of {
		if alone[k] != behind[k] {
			t.Errorf("%s: %g alone, %g behind another", r.sys.variables[i].Name, alone[k], behind[k])
		}
	}
}
