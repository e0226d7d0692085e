package formulate_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Rates and outputs equal their formulas, at random states and inputs. States and inputs start at their values, and no
// result depends on a variable that its formula does not use.
func TestEquationsEqualTheirFormulas(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Arms"
[parameters]
stiffness = { value = 40, unit = "1/s2" }
[component.arm]
type = "equations"
inputs = [{ name = "wanted", unit = "rad", value = 0.25 }, { name = "load", unit = "N.m" }]
states = [{ name = "angle", unit = "rad", value = 0.5, rate = "rate" }, { name = "rate", unit = "rad/s", rate = "stiffness*lack - 3*rate + load*cos(angle)" }]
outputs = [{ name = "lack", unit = "rad", value = "wanted - angle" }, { name = "work", unit = "rad2", value = "lack^2*stiffness/2" }]
`), "arms.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	x, u := make([]float64, 2), make([]float64, 2)
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	tape.Start(u, x)
	if !slices.Equal(x, []float64{0.5, 0}) || !slices.Equal(u, []float64{0.25, 0}) {
		t.Errorf("states start at %v, inputs at %v", x, u)
	}
	r := rand.New(rand.NewPCG(3, 4))
	rates, outputs := make([]float64, 2), make([]float64, len(p.Outputs))
	for range 20 {
		x[0], x[1], u[0], u[1] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		tape.Derivatives(0, x, u, rates)
		tape.Outputs(outputs)
		lack := u[0] - x[0]
		want := map[string]float64{"arm.angle": x[0], "arm.rate": x[1], "arm.lack": lack, "arm.work": lack * lack * 20}
		for i, v := range p.Outputs {
			if w, ok := want[v.Name]; !ok || math.Abs(outputs[i]-w) > 1e-14*(1+math.Abs(w)) {
				t.Errorf("%s is %v, by its formula %v", v.Name, outputs[i], w)
			}
		}
		if w := 40*lack - 3*x[1] + u[1]*math.Cos(x[0]); rates[0] != x[1] || math.Abs(rates[1]-w) > 1e-13*(1+math.Abs(w)) {
			t.Errorf("rates %v, by their formulas %v and %v", rates, x[1], w)
		}
	}
}

// A tire without a wheel returns the results of its function for the inputs.
func TestTireForcesEqualThoseOfTheFunction(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/tire_pacejka2002.toml")
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	c := m.Components[0].(*component.TireForces)
	kind, err := tire.Lookup(c.Force.Name)
	if err != nil {
		t.Fatal(err)
	}
	function, err := kind.New(c.Force.Parameters)
	if err != nil {
		t.Fatal(err)
	}
	if err := tape.Bind(0, function, kind.Inputs); err != nil {
		t.Fatal(err)
	}
	called := map[string]string{"S": "kappa", "Reff": "R_eff"} // variables that have other names than intermediates
	r := rand.New(rand.NewPCG(5, 6))
	u, in, want, got := make([]float64, len(p.Inputs)), make([]float64, len(kind.Inputs)), make([]float64, 5),
		make([]float64, len(p.Outputs))
	for range 50 {
		for i := range u {
			u[i] = r.NormFloat64() / 10
		}
		set := func(name string, value float64) {
			u[slices.IndexFunc(p.Inputs, func(v program.Variable) bool { return v.Name == "tire."+name })] = value
		}
		set("Fz", 4000+1000*r.Float64())
		set("Omega", 50)
		set("VCx", 17)
		set("R_eff", 0.33)
		for i, name := range kind.Inputs {
			if other := called[name]; other != "" {
				name = other
			}
			in[i] = u[slices.IndexFunc(p.Inputs, func(v program.Variable) bool { return v.Name == "tire."+name })]
		}
		function.Eval(in, want)
		tape.Derivatives(0, nil, u, nil)
		tape.Outputs(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, from the function %v", got, want)
		}
	}
}

// Quantities can use every request of tire functions, published or not.
func TestQuantitiesUseRequestedInputsOfTires(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/generic4w_outside.toml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, o := range f.Outputs {
		if strings.HasPrefix(o.Name, "tire_") && (strings.HasSuffix(o.Name, ".spin") || strings.HasSuffix(o.Name, ".speed")) {
			found++
		}
	}
	if found != 8 {
		t.Errorf("%d of 8 quantities", found)
	}
}

// The vehicle with tires outside is the generic vehicle except for its tire functions: a change of one
// has to be made in the other.
func TestVehicleWithTiresOutsideIsTheGenericVehicle(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("../../resources/models", name))
		if err != nil {
			t.Fatal(err)
		}
		_, components, _ := strings.Cut(string(data), "[component.road]")
		components, _, _ = strings.Cut(components, "\n[quantities]")
		return strings.TrimSpace(components)
	}
	own := "function = \"Pacejka02\"\nfile = \"../tires/pacejka2002.toml\""
	want, got := strings.ReplaceAll(read("generic4w.toml"), own, `function = "inputs"`), read("generic4w_outside.toml")
	if got != want {
		t.Error("the components of generic4w_outside.toml are not those of generic4w.toml")
	}
}
