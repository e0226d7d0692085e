package standalone

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Derivatives in C are bit-identical to the library: along directions, against weights, and as entries of the Jacobian.
// They are compared at points of runs, with parameters different from the file.
func TestDerivativesInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	for _, model := range testrun.Either([]string{"skidder"}, various) {
		t.Run(model, func(t *testing.T) {
			method := "euler"
			if model == "fuse_box" { // too fast for the other one
				method = "linearly-implicit"
			}
			testDerivatives(t, vehicleOf(t, model, "solver.method", method), testrun.Either("gcc -O1 -march=native",
				"gcc -O0 -march=native"), nil, false)
		})
	}
}

// Derivatives of a vehicle with frozen parameters, by states and inputs, equal the library.
func TestDerivativesOfFrozenVehicles(t *testing.T) {
	testrun.Slow(t)
	for _, model := range testrun.Either([]string{"skidder_carcass"},
		[]string{"skidder_carcass", "bicycle", "passenger_car"}) {
		t.Run(model, func(t *testing.T) {
			testDerivatives(t, vehicleOf(t, model, "solver.method", "euler"), "gcc -O1 -march=native", nil, true)
		})
	}
	t.Run("formula", func(t *testing.T) {
		testrun.OnlyAll(t)
		testDerivatives(t, onTerrain(t, "passenger_car", "kind", "formula", "formula", "0.02*sin(x)*cos(0.5*y)"),
			"gcc -O0 -march=native", nil, true)
	})
}

// Derivatives on terrain are bit-identical to the library, too: planes depend on parameters of the road, on footprints
// and on ground with two frictions.
func TestDerivativesOnTerrainAreBitIdenticalToLibrary(t *testing.T) {
	testrun.OnlyAll(t)
	for _, c := range []struct {
		model  string
		texts  []string
		values map[string]float64
	}{
		{"generic4w", []string{"kind", "plane"}, map[string]float64{"road.slope_x": 0.03, "road.slope_y": -0.02,
			"road.height": 0.1, "body.z": 0.1}},
		{"passenger_car", []string{"kind", "formula", "formula", "0.02*sin(x)*cos(0.5*y)", "friction_kind", "table",
			"friction_file", "friction.csv"}, nil},
		{"passenger_car", nil, map[string]float64{"road.friction_left": 0.3, "road.friction_right": 0.9}},
	} {
		t.Run(c.model+strings.Join(c.texts, "_"), func(t *testing.T) {
			testDerivatives(t, onTerrain(t, c.model, c.texts...), "gcc -O0 -march=native", c.values, false)
		})
	}
}

// A parameter can set terrain and footprints: planes depend on both.
func TestDerivativesByTerrainAndFootprints(t *testing.T) {
	testrun.OnlyAll(t)
	file := built.Terrain(t, "generic4w")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	for _, change := range [][2]string{
		{"\n[parameters]", "\n[parameters]\nsize = { value = 0.12, unit = \"m\" }\n#"},
		{"vertical_damping = 500\n", "vertical_damping = 500\n" +
			"enveloping = { length = \"size\", width = \"0.1 + size/2\" }\n"},
		{"kind = \"flat\"\n", "kind = \"flat\"\nheight = \"size/3 - 0.04\"\n"},
	} {
		if !strings.Contains(text, change[0]) {
			t.Fatal(change[0])
		}
		text = strings.ReplaceAll(text, change[0], change[1])
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in := onTerrainOf(t, file, "kind", "formula", "formula", "0.02*sin(3*x)*cos(2*y)")
	testDerivatives(t, in, "gcc -O0 -march=native", nil, false)
}

// The entries of the Jacobian are among the dependencies that descriptions of FMUs declare.
func TestEntriesAreDeclaredDependencies(t *testing.T) {
	testrun.Slow(t)
	for _, model := range testrun.Either([]string{"passenger_car"}, covered) {
		in := initialised(t, model, "solver.method", "euler")
		w, err := newWriter([]*cosim.Instance{in}, Options{Name: "vehicle", Derivatives: true}, false)
		if err != nil {
			t.Fatal(err)
		}
		s := in.System()
		p, d := s.Program(), newDifferentiation(t, in)
		declared, _ := s.Dependencies()
		columns, _ := w.columns()
		entries := 0
		for _, c := range columns {
			k := c.variable - len(p.Parameters)
			for _, row := range c.rows {
				of := declared[d.values[row]]
				among := slices.Contains(of.States, k)
				if k >= len(p.States) {
					among = slices.Contains(of.Others, d.by[c.variable])
				}
				if entries++; !among {
					t.Errorf("%s: %s by %s is no declared dependency", model, s.Variables()[d.values[row]].Name,
						s.Variables()[d.by[c.variable]].Name)
				}
			}
		}
		if entries < len(p.States) {
			t.Errorf("%s: %d entries", model, entries)
		}
	}
}

// differentiation lists the differentiated variables: indices in the library in the order of C, -1 for none.
type differentiation struct {
	*testing.T
	in         *cosim.Instance
	values, by []int
	zeros      bool // signs of zeros may differ
}

func newDifferentiation(t *testing.T, in *cosim.Instance) *differentiation {
	t.Helper()
	s := in.System()
	p := s.Program()
	d := &differentiation{T: t, in: in}
	find := func(name string) int {
		i, ok := s.Find(name)
		if !ok {
			t.Fatal(name)
		}
		return i
	}
	for _, v := range p.Parameters {
		i := find(v.Name)
		if s.Variables()[i].Kind != cosim.Parameter { // a start value
			i = -1
		}
		d.by = append(d.by, i)
	}
	for i, v := range p.States {
		d.by = append(d.by, find(v.Name))
		d.values = append(d.values, slices.IndexFunc(s.Variables(), func(v cosim.Variable) bool {
			return v.Kind == cosim.Rate && v.State == i
		}))
	}
	for _, v := range p.Inputs[:len(p.Inputs)-p.Controls] {
		d.by = append(d.by, find(v.Name))
	}
	plan, why := in.Plan()
	if plan == nil {
		t.Fatal(why)
	}
	for _, y := range (&writer{in: in, plan: plan}).shown() {
		if y.touches {
			y.Variable = -1
		}
		d.values = append(d.values, y.Variable)
	}
	return d
}

// among returns the variables of a list, without -1, and their numbers.
func among(list []int, numbers []float64) (variables []int, of []float64) {
	for k, i := range list {
		if i >= 0 {
			variables, of = append(variables, i), append(of, numbers[k])
		}
	}
	return variables, of
}

// agree reports whether two numbers are bit-identical, except for the sign of a zero where that may differ.
func (d *differentiation) agree(got, want float64) bool {
	return same(got, want) || d.zeros && got == want
}

// compare compares numbers of C with the library.
func (d *differentiation) compare(what string, list []int, got, want []float64) {
	d.Helper()
	n := 0
	for k, i := range list {
		switch {
		case i < 0:
			continue
		case !d.agree(got[k], want[n]):
			d.Errorf("%s: by or of %s: %v, in the library %v", what, d.in.System().Variables()[i].Name, got[k], want[n])
		}
		n++
	}
	if d.Failed() {
		d.FailNow()
	}
}

// numbers returns random numbers, some of them 0; 0 without a variable.
func (d *differentiation) numbers(r *rand.Rand, list []int) []float64 {
	numbers := make([]float64, len(list))
	for k, i := range list {
		if i >= 0 && r.IntN(4) > 0 {
			numbers[k] = r.NormFloat64()
		}
	}
	return numbers
}

func testDerivatives(t *testing.T, in *cosim.Instance, compiler string, values map[string]float64, frozen bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 6))
	parameters := changeSome(in, r)
	for k, v := range in.System().Program().Parameters {
		if x, is := values[v.Name]; is {
			at, _ := in.System().Find(v.Name)
			if err := in.Set(at, x); err != nil {
				t.Fatal(err)
			}
			parameters[k] = x
		}
	}
	method, _ := in.Text("solver.method")
	err := in.Initialise()
	if _, _, why := in.Listing(nil); err != nil || why != "" { // with other parameters, the start violates constraints
		in.Reset()
		if err := errors.Join(in.SetText("solver.method", method), in.Initialise()); err != nil {
			t.Fatal(err)
		}
		for k, v := range in.System().Program().Parameters {
			parameters[k] = v.Start
		}
	}
	d := newDifferentiation(t, in)
	folder := written(t, in, Options{Name: "vehicle", Derivatives: true, Frozen: frozen})
	c := &vehicleInC{order: binary.NativeEndian}
	if frozen {
		d.by, d.zeros = d.by[len(parameters):], true
	} else {
		c.say('p', parameters)
	}
	c.say('i')
	const points = 3
	var forward, adjoint, inputs [points][]float64
	s := in.System()
	p := s.Program()
	for k := range points {
		forward[k] = slices.Concat(d.numbers(r, d.by), d.numbers(r, d.by))
		adjoint[k] = slices.Concat(d.numbers(r, d.values), d.numbers(r, d.values))
		c.say('F', forward[k])
		c.say('A', adjoint[k])
		c.say('J')
		inputs[k] = make([]float64, len(p.Inputs)-p.Controls)
		for i := range inputs[k] {
			inputs[k][i] = p.Inputs[i].Start + 0.02*r.NormFloat64()
			if in.Check(s.First(cosim.Input)+i, inputs[k][i]) != nil {
				inputs[k][i] = p.Inputs[i].Start
			}
		}
		c.say('u', inputs[k], make([]float64, len(inputs[k])))
		c.say('s', []float64{0.002})
	}
	c.run(t, compiled(t, folder, compiler+" -DDERIVATIVES"))
	if got := c.status(t); got != 0 {
		t.Fatal("initialise", got)
	}
	for k := range points {
		d.directions(c, forward[k], adjoint[k])
		d.entries(c)
		for i, u := range inputs[k] {
			if err := in.Set(s.First(cosim.Input)+i, u); err != nil {
				t.Fatal(err)
			}
		}
		err, status := in.Step(0.002), c.status(t)
		if err != nil || status > 2 { // a condition may have ended the run
			t.Fatal(status, err)
		}
	}
}

// directions compares two sweeps along directions, and two against weights.
func (d *differentiation) directions(c *vehicleInC, forward, adjoint []float64) {
	d.Helper()
	for _, sweep := range []struct {
		name     string
		from, to []int
		given    []float64
		run      func(unknowns, knowns []int, seed, result []float64) error
	}{{"forward", d.by, d.values, forward, d.in.Directional}, {"adjoint", d.values, d.by, adjoint, d.in.Adjoint}} {
		if got := c.status(d.T); got != 0 {
			d.Fatal(sweep.name, got)
		}
		for n := range 2 {
			_, seed := among(sweep.from, sweep.given[n*len(sweep.from):(n+1)*len(sweep.from)])
			unknowns, _ := among(d.values, make([]float64, len(d.values)))
			knowns, _ := among(d.by, make([]float64, len(d.by)))
			_, want := among(sweep.to, make([]float64, len(sweep.to)))
			if err := sweep.run(unknowns, knowns, seed, want); err != nil {
				d.Fatal(err)
			}
			d.compare(sweep.name, sweep.to, c.numbers(d.T, len(sweep.to)), want)
		}
	}
}

// entries compares the Jacobian: entries missing in C are 0.
func (d *differentiation) entries(c *vehicleInC) {
	d.Helper()
	if got := c.status(d.T); got != 0 {
		d.Fatal("jacobian", got)
	}
	p := d.in.System().Program()
	width := len(p.States) + len(p.Inputs) - p.Controls
	first := len(d.by) - width
	got := make([]float64, len(d.values)*width)
	has := make([]bool, len(got))
	for range c.status(d.T) {
		row, column := c.status(d.T), c.status(d.T)
		at := row*width + column - first
		if has[at] {
			d.Fatalf("row %d, column %d is there twice", row, column)
		}
		has[at], got[at] = true, c.numbers(d.T, 1)[0]
	}
	unknowns, _ := among(d.values, make([]float64, len(d.values)))
	want := make([]float64, len(unknowns)*width)
	if err := d.in.Jacobian(unknowns, d.by[first:], want); err != nil {
		d.Fatal(err)
	}
	for row, i := range d.values {
		if i < 0 {
			continue
		}
		for k := range width {
			at := row*width + k
			if x := want[k]; has[at] && !d.agree(got[at], x) || !has[at] && x != 0 {
				d.Fatalf("d %s/d %s: %v (%v), in the library %v", d.in.System().Variables()[i].Name,
					d.in.System().Variables()[d.by[first+k]].Name, got[at], has[at], x)
			}
		}
		want = want[width:]
	}
}
