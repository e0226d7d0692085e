package equations

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// shipped are the names of all shipped models.
func shipped(t *testing.T) []string {
	t.Helper()
	files, err := os.ReadDir(built.Path("resources", "models"))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range files {
		if name, is := strings.CutSuffix(f.Name(), ".toml"); is {
			list = append(list, name)
		}
	}
	return list
}

func model(t *testing.T, name string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Read(built.Path("resources", "models", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// partOrder are the parts of what onTape evaluates.
var partOrder = []string{"M", "CT", "b", "e", "Phi", "Phi_dot", "h"}

// onTape evaluates the parts of the equations of a model on the tape of a program whose outputs they are.
type onTape struct {
	f       *formulate.Formulation
	p       *program.Program
	machine program.Machine
	inputs  []formulate.Input // with what the engine sets
	shape   map[string][2]int
}

func newTape(t *testing.T, m *vehicle.Model, tree string, o formulate.Options) *onTape {
	t.Helper()
	o.Tree = tree
	f, err := formulate.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	x := &onTape{f: f, inputs: slices.Concat(f.Inputs, f.Controls), shape: map[string][2]int{}}
	s := f.Source()
	if o.Mass {
		s.Outputs, s.Indicators = nil, 0
		parts := f.Matrices()
		add := func(name string, columns int, values []*expr.Expr) {
			x.shape[name] = [2]int{len(values) / max(columns, 1), columns}
			for _, v := range values {
				s.Outputs = append(s.Outputs, program.SourceValue{Value: v})
			}
		}
		n, k := len(f.Speeds), len(f.Constraints)
		var transposed []*expr.Expr
		for i := range n {
			for j := range k {
				transposed = append(transposed, parts.C[j][i])
			}
		}
		add("M", n, slices.Concat(parts.M...))
		add("CT", k, transposed)
		x.shape["CT"] = [2]int{n, k}
		for i, list := range [][]*expr.Expr{parts.B, parts.E, parts.Phi, parts.PhiDot, parts.H} {
			add(partOrder[2+i], 1, list)
		}
	}
	if x.p, err = program.Build(s); err != nil {
		t.Fatal(err)
	}
	x.machine = x.p.NewTape()
	for i := range x.p.Calls {
		if c := &x.p.Calls[i]; len(c.Outputs) > 0 {
			if err := x.machine.Bind(i, standIn{}, c.Inputs); err != nil {
				t.Fatal(err)
			}
		}
	}
	return x
}

// isSetBySolver reports whether an input is a weight or demand of constraints.
func isSetBySolver(name string) bool {
	return strings.HasPrefix(name, "constraint ") || strings.HasPrefix(name, "demand of ")
}

// standIn is a smooth function in place of that of a tire: of each argument, and of the number of the result.
type standIn struct{}

func (standIn) Eval(in, out []float64) {
	for k := range out {
		sum := float64(k + 1)
		for i, v := range in {
			sum += v / (1 + math.Abs(v)) / float64(i+1)
		}
		out[k] = 100 * math.Sin(sum)
	}
}

// point is a state of a model, with its inputs and all parameters.
type point struct{ x, u, p []float64 }

// random is a state near the start.
func (x *onTape) random(r *rand.Rand) point {
	var at point
	values := map[*expr.Expr]float64{}
	for _, p := range x.f.Parameters {
		values[p.Symbol] = p.Value
		at.p = append(at.p, p.Value)
	}
	for _, in := range x.inputs {
		at.u = append(at.u, in.Start+0.1*r.NormFloat64())
		values[in.Symbol] = at.u[len(at.u)-1]
	}
	evaluator := expr.NewEvaluator(values)
	for _, s := range x.f.States() {
		at.x = append(at.x, evaluator.Value(s.Start)+0.1*r.NormFloat64())
	}
	return at
}

// evaluate returns the parts, rows after each other, and the rates.
func (x *onTape) evaluate(at point) (parts map[string][]float64, rates []float64) {
	x.machine.SetParameters(at.p)
	rates, all := make([]float64, len(x.p.States)), make([]float64, len(x.p.Outputs))
	x.machine.Derivatives(0, at.x, at.u, rates)
	x.machine.Outputs(all)
	parts = map[string][]float64{}
	for _, name := range partOrder {
		n := x.shape[name][0] * x.shape[name][1]
		if n <= len(all) {
			parts[name], all = all[:n], all[n:]
		}
	}
	return parts, rates
}

// write writes an exported file, and returns its path.
func write(t *testing.T, folder, file string, m *vehicle.Model, tree, language string) string {
	t.Helper()
	path := filepath.Join(folder, file)
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if err := Export(to, m, tree, language, file); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", file, err))
	}
	return path
}
