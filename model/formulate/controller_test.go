package formulate_test

import (
	"slices"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// The arguments of controllers follow the next values of all samplers; the next values of a controller are those that
// it holds. Inputs read variables and parameters of the model.
func TestControllersHaveTheArgumentsOfTheirFunctions(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Controllers"
[parameters]
gain = { value = 40, unit = "1" }
[component.first]
type = "controller"
sample = 0.02
inputs = [{ name = "wanted", unit = "rad" }, { name = "gain_used", unit = "1", from = "gain" }]
states = [{ name = "sum", unit = "rad" }]
outputs = [{ name = "act", unit = "rad", start = 3 }]
[component.between]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "u", unit = "rad", from = "first.act" }]
outputs = [{ name = "twice", unit = "rad", value = "2*u" }]
[component.second]
type = "controller"
sample = 0.05
inputs = [{ name = "seen", unit = "rad", from = "between.twice" }]
outputs = [{ name = "y", unit = "1" }]
`), "controllers.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	var names []string
	held := map[string]float64{}
	u := make([]float64, len(p.Inputs))
	u[0] = 0.7
	for i, s := range p.Samplers {
		names = append(names, s.Name)
		for k, v := range s.Values {
			held[v.Name] = 1 + float64(10*i+k)
			u[v.Control] = held[v.Name]
		}
	}
	if !slices.Equal(names, []string{"first", "between", "second"}) || p.Samplers[1].Function != nil {
		t.Fatalf("the samplers are %q", names)
	}
	first, second := p.Samplers[0].Function, p.Samplers[2].Function
	for _, c := range []struct{ got, want []string }{
		{first.Inputs, []string{"wanted", "gain_used", "sum", "sample"}}, {first.Returns, []string{"act", "sum_next"}},
		{second.Inputs, []string{"seen", "sample"}}, {second.Returns, []string{"y"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	function, file := second.TextNames()
	if function != "second.function" || file != "second.file" {
		t.Errorf("the texts are %s and %s", function, file)
	}
	side := tape.Side(program.Samples)
	side.Evaluate(nil, u, nil)
	want := []float64{held["first.act"], held["first.sum"], 2 * held["first.act"], held["second.y"],
		0.7, 40, held["first.sum"], 0.02, held["between.twice"], 0.05}
	for i := range want {
		if side.Len() != len(want) || side.Value(i) != want[i] {
			t.Errorf("value %d of %d is %g, want %g", i, side.Len(), side.Value(i), want[i])
		}
	}
}
