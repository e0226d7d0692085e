package cosim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire/machinecode"
)

// reader executes a listing on empty memories. It makes new code of the operations of each block.
type reader struct {
	*testing.T
	*Listing
	memory [][]float64
	code   map[*program.Block]*machinecode.Code
}

// newReader makes a reader and copies the constant numbers from the memories of an instance.
func newReader(t *testing.T, l *Listing, numbers [][]float64) *reader {
	r := &reader{T: t, Listing: l, code: map[*program.Block]*machinecode.Code{}}
	for k, m := range l.Memories {
		own := make([]float64, m.Size)
		copy(own[m.From:m.To], numbers[k][m.From:m.To])
		r.memory = append(r.memory, own)
	}
	return r
}

// run runs the operations of a block.
func (r *reader) run(b *program.Block, memory int) (good bool) {
	size := r.Memories[memory].Size
	code := r.code[b]
	if code == nil {
		of, err := b.Operations()
		if err == nil {
			code, err = machinecode.Compile(of, size/b.Lanes, b.Lanes)
		}
		if err != nil {
			r.Fatal(err)
		}
		r.code[b] = code
	}
	room := make([]float64, code.Slots*b.Lanes)
	copy(room, r.memory[memory])
	good = code.Run(room)
	copy(r.memory[memory], room[:size])
	return good
}

// set writes the parameters into all memories that contain them.
func (r *reader) set(parameters []float64) {
	for k, m := range r.Memories {
		if m.Parameters >= 0 {
			copy(r.memory[k][m.Parameters:], parameters)
			r.run(m.Init, k)
		}
	}
}

// plain fails where C of explicit methods would need fused operations, which some processors lack. It checks the start,
// the rates, the outputs, the conditions that end runs and the bounds.
func (r *reader) plain() {
	blocks := map[*program.Block]int{r.Start.Block: r.Start.Memory}
	memories := []int{r.Rates.Memory}
	for _, s := range []*Straight{r.Rates, r.Outputs, r.Ends} {
		if s == nil {
			continue
		}
		memories = append(memories, s.Memory)
		for _, part := range s.Parts {
			for _, run := range part.Runs {
				blocks[run.Block] = run.Memory
			}
		}
	}
	for _, b := range r.Bounds {
		memories = append(memories, b.At.Memory)
	}
	for _, c := range r.Carcasses {
		blocks[c.Block] = c.Memory
	}
	for _, k := range memories {
		blocks[r.Memories[k].Init] = k
	}
	for b, memory := range blocks {
		of, err := b.Operations()
		if err != nil {
			r.Fatal(err)
		}
		text := machinecode.NewText("model")
		text.Add("block", of, r.Memories[memory].Size/b.Lanes, b.Lanes)
		if strings.Contains(text.Functions(), "op_fma") {
			r.Errorf("a block on memory %d has fused operations", memory)
		}
	}
}

// bounds checks that numbers leave their bounds exactly where the program reports it, with parameters of either sign.
func (r *reader) bounds(in *Instance, random *rand.Rand) {
	for range 20 {
		p := slices.Clone(in.p)
		for range 3 {
			p[random.IntN(len(p))] *= 2 * random.NormFloat64()
		}
		r.set(p)
		beyond := ""
		for _, b := range r.Bounds {
			x := *r.at(b.At)
			if beyond == "" && (b.Of.Positive && !(x > 0) || b.Of.Nonnegative && !(x >= 0) || b.Of.AtMostOne && !(x <= 1)) {
				beyond = fmt.Sprintf("%s = %s is %.6g;", b.Of.Name, b.Of.Text, x)
			}
		}
		err := in.sys.program.CheckBounds(p)
		if (beyond == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), beyond) {
			r.Errorf("%s: %q is beyond its bounds, want %v", in.sys.program.Name, beyond, err)
		}
	}
	r.set(in.p)
}

func (r *reader) at(p Place) *float64 { return &r.memory[p.Memory][p.At] }

// start returns the state at the start and writes level ground to the inputs.
func (r *reader) start(u []float64) (x []float64) {
	copy(r.memory[r.Rates.Memory][r.Rates.Inputs:], u)
	r.run(r.Start.Block, r.Start.Memory)
	for _, p := range r.Start.States {
		x = append(x, *r.at(p))
	}
	for _, g := range r.Grounds {
		s := &r.Surfaces[g.Surface]
		if *r.at(s.Left) != *r.at(s.Right) {
			r.Error("the friction of the sides differs")
		}
		u[g.Height] = *r.at(s.Height) + u[g.Above]
		u[g.Friction] = *r.at(s.Left)
		u[g.SlopeX], u[g.SlopeY], u[g.Rate] = 0, 0, 0
	}
	if len(r.Carcasses) > 0 {
		r.evaluate(r.Rates, x, u)
	}
	for _, c := range r.Carcasses {
		for _, s := range c.States {
			*r.at(s.Slip) = x[s.State]
		}
		if !r.run(c.Block, c.Memory) {
			r.Error("a guard gives up")
		}
		for _, s := range c.States {
			x[s.State] = *r.at(s.Energy)
		}
	}
	return x
}

// evaluate returns the results of an evaluation.
func (r *reader) evaluate(s *Straight, x, u []float64) (results []float64) {
	if s.States >= 0 {
		copy(r.memory[s.Memory][s.States:], x)
		copy(r.memory[s.Memory][s.Inputs:], u)
	}
	for _, part := range s.Parts {
		for _, m := range part.Moves {
			*r.at(m.To) = *r.at(m.From)
		}
		for _, run := range part.Runs {
			if !r.run(run.Block, run.Memory) {
				r.Error("a guard gives up")
			}
		}
	}
	for _, p := range s.Results {
		results = append(results, *r.at(p))
	}
	return results
}

// factorise makes the first solution of the latest evaluation of Linear.At; nil where rows have to be exchanged.
func (r *reader) factorise(n int) []float64 {
	if !r.run(r.Linear.Factors.Block, r.Linear.Factors.Memory) {
		return nil
	}
	return slices.Clone(r.memory[r.Linear.Right.Memory][r.Linear.Right.At:][:n])
}

// solve makes a further solution.
func (r *reader) solve(b []float64) []float64 {
	copy(r.memory[r.Linear.Given.Memory][r.Linear.Given.At:], b)
	r.run(r.Linear.Solves.Block, r.Linear.Solves.Memory)
	return r.memory[r.Linear.Right.Memory][r.Linear.Right.At:][:len(b)]
}

// same fails unless numbers are bit-identical.
func (r *reader) same(what string, got, want []float64) {
	r.Helper()
	if len(got) != len(want) {
		r.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			r.Errorf("%s %d: %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// A listing is complete: on empty memories it reproduces the instance bit for bit. This includes start, rates, outputs,
// implicit systems, margins of conditions and watched numbers, also with other masses than in the model file.
func TestListingsAreComplete(t *testing.T) {
	testrun.Slow(t)
	if !testrun.All() {
		for model, method := range map[string]string{"generic4w": "euler", "passenger_car": "euler",
			"skidder": "linearly-implicit", "generic4w_carcass": "linearly-implicit"} {
			if why := listedAs(t, model, method); why != "" {
				t.Errorf("%s, %s: %s", model, method, why)
			}
		}
		return
	}
	files, _ := filepath.Glob("../resources/models/*.toml")
	complete := 0
	for _, file := range files {
		model, lacking := strings.TrimSuffix(filepath.Base(file), ".toml"), ""
		methods := []string{"euler", "rk4", "linearly-implicit"}
		if model == "fuse_box" { // too fast for the others
			methods = methods[2:]
		}
		for _, method := range methods {
			if why := listedAs(t, model, method); why != "" {
				lacking = why
			}
		}
		if lacking == "" {
			complete++
			continue
		}
		t.Logf("%s: %s", model, lacking)
	}
	if complete < modelsInC {
		t.Errorf("%d models have listings, fewer than %d", complete, modelsInC)
	}
}

// modelsInC is how many shipped models have a listing with each method.
const modelsInC = 31

// A listing contains the ground of a terrain whose height and friction are formulas over parameters. Code of the start
// computes these formulas, and nothing else reads them.
func TestListingsHaveTheGroundOfFormulas(t *testing.T) {
	m, err := vehicle.Parse([]byte(`base = "passenger_car.toml"
name = "Raised"
title = "Raised"
[parameters]
step = { value = 0.01, unit = "m", text = "step" }
grip = { value = 0.8, unit = "1", text = "grip" }
[component.road]
height = "step*cos(3) - 0.001"
friction = { left = "grip*1.1", right = "grip*1.1" }
`), "test.toml", func(_ bounded.Kind, name string) ([]byte, error) {
		return os.ReadFile(filepath.Join("../resources/models", name))
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if why := systemListedAs(t, s, "euler"); why != "" {
		t.Error(why)
	}
}

// listedAs checks the listing of a shipped model with a method, or returns the reason why there is none.
func listedAs(t *testing.T, model, method string) (why string) {
	s, err := SharedModel(model, "")
	if err != nil {
		t.Fatal(err)
	}
	return systemListedAs(t, s, method)
}

func systemListedAs(t *testing.T, s *System, method string) (why string) {
	model := s.program.Name
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range s.variables[:s.first[Input]] {
		if v := &s.variables[i]; v.parameter >= 0 && v.Start != 0 && strings.HasSuffix(v.Name, "mass") {
			_ = in.Set(i, v.Start*(1+0.1*random.Float64()))
		}
	}
	for i := range s.variables { // delayed slips of carcasses at the start
		if v := &s.variables[i]; v.Initial && (strings.HasSuffix(v.Name, ".q1") || strings.HasSuffix(v.Name, ".q2")) {
			_ = in.Set(i, 0.05*random.NormFloat64())
		}
	}
	const step = 1e-4 // stable for stiff bushings by euler
	if err := errors.Join(in.SetText("solver.method", method), in.Set(s.index[StepVariable], step)); err != nil {
		return err.Error()
	}
	if err := in.Initialise(); err != nil {
		return err.Error()
	}
	l, numbers, why := in.Listing(nil)
	if why != "" {
		return why
	}
	r := newReader(t, l, numbers)
	r.set(in.p)
	r.plain()
	r.bounds(in, random)
	u := append([]float64(nil), in.u...)
	x := r.start(u)
	r.same(model+": state at the start", x, in.x)
	for range 3 {
		if err := in.refresh(); err != nil {
			t.Fatal(err)
		}
		r.same(model+": rate", r.evaluate(l.Rates, in.x, in.continued), in.dx)
		r.same(model+": output", r.evaluate(l.Outputs, in.x, in.continued), in.y)
		for i, row := range l.Rows {
			name := model + ": " + row.Subject + " " + row.Quantity
			r.same(name, []float64{*r.at(row.At)}, []float64{*in.watch.at[in.watch.of.rows[i].of]})
			limits := []float64{row.Low, row.High}
			for side, at := range []Place{row.LowAt, row.HighAt} {
				if at.Memory != Nowhere {
					limits[side] = row.Scale * *r.at(at)
				}
			}
			r.same(name+", limits", limits, in.watch.limits[i][:])
		}
		if l.Residuals != nil {
			problem{in}.Residuals(in.since, in.x)
			r.same(model+": residual", r.evaluate(l.Residuals, in.x, in.continued), in.sides.phi)
		}
		if l.Ends != nil {
			in.ends.evaluate()
			for i, got := range r.evaluate(l.Ends, in.x, in.continued) {
				r.same(model+": margin", []float64{got}, []float64{in.ends.side.Value(i)})
			}
		}
		if l.Linear != nil {
			k := make([]float64, len(in.x))
			in.linearise(0, in.x, k, 0.003)
			*r.at(l.Linear.C) = 0.003
			r.evaluate(l.Linear.At, in.x, in.continued)
			if first := r.factorise(len(k)); first != nil {
				r.same(model+": first solution", first, k)
				problem{in}.Solve(k)
				r.same(model+": solution", r.solve(first), k)
			} else if s.model.Name != "BicycleRolling" {
				t.Errorf("%s: a pivot vanishes", model)
			}
		}
		if err := in.Step(0.01); err != nil {
			t.Fatal(err)
		}
	}
	return ""
}

// Instances with the tire functions of the model file and the same texts share a listing. Instances with another
// method, or with a coefficient that was set, do not.
func TestInstancesShareAListing(t *testing.T) {
	list := func(method string, coefficient float64) *Listing {
		s, err := SharedModel("generic4w", "")
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if err := in.SetText("solver.method", method); err != nil {
			t.Fatal(err)
		}
		if coefficient != 0 {
			k, ok := s.FindCoefficient("tire_FL.LMUX")
			if !ok {
				t.Fatal("there is no tire_FL.LMUX")
			}
			if err := in.Set(k, coefficient); err != nil {
				t.Fatal(err)
			}
		}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		plan, why := in.Plan()
		if !machinecode.Callable {
			t.Skip(why)
		}
		return plan.Listing
	}
	first := list("euler", 0)
	if list("euler", 0) != first {
		t.Error("two instances have two listings")
	}
	if list("rk4", 0) == first {
		t.Error("two methods have one listing")
	}
	if list("euler", 0.5) == first {
		t.Error("another coefficient has the listing of the model file")
	}
}
