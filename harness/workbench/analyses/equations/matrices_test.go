package equations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/site/mathml"
	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

func parse(t *testing.T, text string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "model.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// printed are the equations that --matrices prints, as JSON.
type printed struct {
	Parts []struct {
		Symbol    string
		Symmetric bool
		Entries   []struct{ Row, Column, Value string }
	}
	Speeds, Coordinates []struct{ Name string }
	Constraints         []string
	Definitions         []struct{ Name, Value string }
	Calls               []struct {
		Name      string
		Arguments []struct{ Name, Value string }
		Returns   []string
	}
	Tables []struct {
		Name    string
		Numbers []float64
	}
}

func printedJSON(t *testing.T, m *vehicle.Model, tree string, only []string, inline int) *printed {
	t.Helper()
	x, err := MatricesOf(m, tree, only, inline)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := x.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	p := &printed{}
	if err := json.Unmarshal(text.Bytes(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

// evaluate reads printed equations without tables and returns their entries by place.
func (p *printed) evaluate(t *testing.T, tape *onTape, at point) map[string]float64 {
	t.Helper()
	pool, known, values := expr.NewPool(), map[string]*expr.Expr{}, map[*expr.Expr]float64{}
	give := func(name string, v float64) {
		known[name] = pool.Sym(name, expr.State)
		values[known[name]] = v
	}
	for i, s := range tape.f.States() {
		give(s.Name, at.x[i])
	}
	for i, in := range tape.inputs {
		give(in.Name, at.u[i])
	}
	for i, q := range tape.f.Parameters {
		if !q.StartValue {
			give(q.Name, at.p[i])
		}
	}
	read := func(text string) float64 {
		e, err := pool.Parse(text, func(name string) *expr.Expr { return known[name] })
		if err != nil {
			t.Fatalf("%v in %.200s", err, text)
		}
		return expr.NewEvaluator(values).Value(e)
	}
	next := 0
	define := func(returned bool) { // up to what waits for external calls
		for ; next < len(p.Definitions); next++ {
			d := p.Definitions[next]
			e, err := pool.Parse(d.Value, func(name string) *expr.Expr { return known[name] })
			if err != nil {
				if returned {
					t.Fatalf("%v in %s = %.200s", err, d.Name, d.Value)
				}
				return
			}
			give(d.Name, expr.NewEvaluator(values).Value(e))
		}
	}
	define(len(p.Calls) == 0)
	for i, c := range p.Calls {
		k := slices.IndexFunc(tape.f.Calls, func(o formulate.Call) bool { return o.Name == c.Name })
		in, out := []float64{}, make([]float64, len(tape.f.Calls[k].Returned))
		for _, a := range c.Arguments {
			in = append(in, read(a.Value))
		}
		standIn{}.Eval(in, out)
		if tape.f.Calls[k].Load != nil {
			out = append(out, in[slices.Index(tape.f.Calls[k].Inputs, "Fz")])
		}
		for n, name := range c.Returns {
			give(name, out[n])
		}
		define(i == len(p.Calls)-1)
	}
	entries := map[string]float64{}
	for _, part := range p.Parts {
		for _, e := range part.Entries {
			entries[part.Symbol+" "+e.Row+" "+e.Column] = read(e.Value)
			if part.Symmetric {
				entries[part.Symbol+" "+e.Column+" "+e.Row] = entries[part.Symbol+" "+e.Row+" "+e.Column]
			}
		}
	}
	return entries
}

// Entries that are printed, however much is written out, have the values of the tape; those that are not are 0.
func TestPrintedMatricesEqualTheTape(t *testing.T) {
	testrun.Slow(t)
	names := shipped(t)
	if !testrun.All() {
		names = []string{"pendulum", "double_pendulum", "point_pendulum", "bicycle", "skidder", "wheel_rolling", "halfcar",
			"truck_trailer"}
	}
	checked := 0
	for _, name := range names {
		m := model(t, name)
		for _, tree := range formulate.TreeNames(m) {
			tape := newTape(t, m, tree, formulate.Options{Mass: true})
			for _, inline := range []int{0, 1, 3} {
				p := printedJSON(t, m, tree, nil, inline)
				longest := 0
				for _, d := range p.Definitions {
					longest = max(longest, len(d.Value))
				}
				for _, part := range p.Parts {
					for _, e := range part.Entries {
						longest = max(longest, len(e.Value))
					}
				}
				if len(p.Tables) > 0 || longest > expr.MaxFormula {
					continue
				}
				random := rand.New(rand.NewPCG(1, uint64(inline)))
				for range testrun.Either(2, 20) {
					at := tape.random(random)
					for i, in := range tape.inputs { // printed equations have the defaults of what a solver sets
						if isSetBySolver(in.Name) {
							at.u[i] = in.Start
						}
					}
					compare(t, fmt.Sprint(name, " ", tree, " ", inline), p, tape, at)
					checked++
				}
			}
		}
	}
	if checked < len(names) {
		t.Errorf("only %d states of %d models", checked, len(names))
	}
}

func compare(t *testing.T, where string, p *printed, tape *onTape, at point) {
	t.Helper()
	got := p.evaluate(t, tape, at)
	parts, _ := tape.evaluate(at)
	var speeds, coordinates []string
	for _, s := range p.Speeds {
		speeds = append(speeds, s.Name)
	}
	for _, s := range p.Coordinates {
		coordinates = append(coordinates, s.Name)
	}
	rows := map[string][]string{"M": speeds, "CT": speeds, "b": speeds, "e": p.Constraints, "Phi": p.Constraints,
		"Phi_dot": p.Constraints, "h": coordinates}
	columns := map[string][]string{"M": speeds, "CT": p.Constraints}
	for symbol, list := range parts {
		names := columns[symbol]
		if names == nil {
			names = []string{""}
		}
		most := 0.0
		for _, v := range list {
			most = max(most, math.Abs(v))
		}
		for i, row := range rows[symbol] {
			scale := most
			if symbol == "M" || symbol == "CT" {
				if own := slices.Max(magnitudes(list[i*len(names) : (i+1)*len(names)])); own > 1e-13*most { // not rounding of zeros
					scale = own
				}
			}
			for j, column := range names {
				a, b := got[symbol+" "+row+" "+column], list[i*len(names)+j]
				if !(math.Abs(a-b) <= 1e-12*scale) {
					t.Errorf("%s: %s[%s, %s] is %g, the tape has %g", where, symbol, row, column, a, b)
				}
			}
		}
	}
}

func magnitudes(list []float64) []float64 {
	result := []float64{0}
	for _, v := range list {
		result = append(result, math.Abs(v))
	}
	return result
}

// Morency (2007), (2.12), (2.13) and (2.17): a rod in absolute coordinates has M = diag(m, m, J). Its constraints are
// x = l/2 cos(theta), y = l/2 sin(theta), with the Jacobian [[1, 0, l/2 sin(theta)], [0, 1, -l/2 cos(theta)]]. The
// source has x down and y aside; here they are -z and -x, and the speeds are those along the axes of the rod.
func TestPendulumInAbsoluteCoordinates(t *testing.T) {
	m := model(t, "pendulum")
	x, err := MatricesOf(m, "body", nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	x.PrintText(&text)
	for _, line := range []string{
		"M[rod.vx, rod.vx] = rod.mass", "M[rod.vz, rod.vz] = rod.mass", "M[rod.wy, rod.wy] = rod.inertia_transverse",
		"Phi[joint.T1_3] = rod.z - cos(rod.pitch)*cos(rod.roll)*arm.translation_z",
		"CT[rod.vz, joint.T1_3] = cos(rod.pitch)*cos(rod.roll)",
		"CT[rod.wy, joint.T1_3] = sin(rod.pitch)*arm.translation_z",
	} {
		if !strings.Contains(text.String(), "  "+line+"\n") {
			t.Errorf("not there: %s", line)
		}
	}
	if n := strings.Count(text.String(), "  M["); n != 6 {
		t.Errorf("M has %d entries; it is diagonal", n)
	}
	tape, p := newTape(t, m, "body", formulate.Options{Mass: true}), printedJSON(t, m, "body", nil, 0)
	const half = 0.75
	index := func(name string) int {
		return slices.IndexFunc(tape.f.States(), func(s formulate.State) bool { return s.Name == name })
	}
	random := rand.New(rand.NewPCG(2, 12))
	for range 20 {
		at := tape.random(random)
		for _, name := range []string{"rod.y", "rod.yaw", "rod.roll"} {
			at.x[index(name)] = 0
		}
		theta, down, aside := at.x[index("rod.pitch")], -at.x[index("rod.z")], -at.x[index("rod.x")]
		got := p.evaluate(t, tape, at)
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%s is %g, want %g", what, got, want)
			}
		}
		near("Phi, down", -got["Phi joint.T1_3 "], down-half*math.Cos(theta))
		near("Phi, aside", -got["Phi joint.T1_1 "], aside-half*math.Sin(theta))
		// speeds in ground from those of the rod
		sin, cos := math.Sin(theta), math.Cos(theta)
		along := func(row string, x, z float64) float64 { // of the partial by a speed in ground with these components
			u, w := got["CT rod.vx "+row], got["CT rod.vz "+row]
			return u*(cos*x-sin*z) + w*(sin*x+cos*z)
		}
		near("d down/d down", along("joint.T1_3", 0, 1), 1)
		near("d down/d aside", along("joint.T1_3", 1, 0), 0)
		near("d aside/d aside", along("joint.T1_1", 1, 0), 1)
		near("d aside/d down", along("joint.T1_1", 0, 1), 0)
		near("d down/d theta", -got["CT rod.wy joint.T1_3"], half*sin)
		near("d aside/d theta", -got["CT rod.wy joint.T1_1"], -half*cos)
	}
}

// arm is a planar arm of three slender rods, hinged in a row, which lie along x where all angles are 0; y is up.
const arm = `name = "Arm"
gravity = [0, -9.81, 0]
[component.shoulder]
type = "revolute"
from = "ground"
to = "upper_joint"
axis = "z"
[component.upper]
type = "rigid-body"
mass = 3
inertia = { axial = 1e-6, transverse = 0.0625, axis = "x" }
[component.upper_half]
type = "rigid-arm"
from = "upper_joint"
to = "upper"
translation = [0.25, 0, 0]
[component.upper_end]
type = "rigid-arm"
from = "upper_joint"
to = "elbow_place"
translation = [0.5, 0, 0]
[component.elbow]
type = "revolute"
from = "elbow_place"
to = "lower_joint"
axis = "z"
[component.lower]
type = "rigid-body"
mass = 2
inertia = { axial = 1e-6, transverse = 0.026666666666666665, axis = "x" }
[component.lower_half]
type = "rigid-arm"
from = "lower_joint"
to = "lower"
translation = [0.2, 0, 0]
[component.lower_end]
type = "rigid-arm"
from = "lower_joint"
to = "wrist_place"
translation = [0.4, 0, 0]
[component.wrist]
type = "revolute"
from = "wrist_place"
to = "hand_joint"
axis = "z"
[component.hand]
type = "rigid-body"
mass = 1
inertia = { axial = 1e-6, transverse = 0.0075, axis = "x" }
[component.hand_half]
type = "rigid-arm"
from = "hand_joint"
to = "hand"
translation = [0.15, 0, 0]
`

// closedForm returns M and b of the arm by Lagrange, for joint angles q and rates p. With absolute angles a, lengths l
// and first moments s of the masses beyond,
//
//	T = sum over links of (J a'^2 + 2 l_i s_j cos(a_i - a_j) a_i' a_j')/2
func closedForm(q, p [3]float64) (m [3][3]float64, b [3]float64) {
	mass, length, g := [3]float64{3, 2, 1}, [3]float64{0.5, 0.4, 0.3}, 9.81
	var angle, rate [3]float64
	for i := range 3 {
		for j := range i + 1 {
			angle[i] += q[j]
			rate[i] += p[j]
		}
	}
	var absolute [3][3]float64 // M of absolute angles
	var load [3]float64
	for i := range 3 {
		beyond := 0.0
		for k := i + 1; k < 3; k++ {
			beyond += mass[k]
		}
		absolute[i][i] = length[i] * length[i] * (mass[i]/3 + beyond)
		load[i] = -g * length[i] * (mass[i]/2 + beyond) * math.Cos(angle[i])
	}
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			beyond := mass[j] / 2
			for k := j + 1; k < 3; k++ {
				beyond += mass[k]
			}
			c := length[i] * length[j] * beyond
			absolute[i][j] = c * math.Cos(angle[i]-angle[j])
			absolute[j][i] = absolute[i][j]
			load[i] -= c * math.Sin(angle[i]-angle[j]) * rate[j] * rate[j]
			load[j] += c * math.Sin(angle[i]-angle[j]) * rate[i] * rate[i]
		}
	}
	for i := range 3 { // an angle turns all links beyond
		for k := i; k < 3; k++ {
			b[i] += load[k]
			for j := range 3 {
				for l := j; l < 3; l++ {
					m[i][j] += absolute[k][l]
				}
			}
		}
	}
	return m, b
}

// Entries of a planar arm agree with the closed form, and at one state with numbers of another program.
func TestPlanarArm(t *testing.T) {
	tape := newTape(t, parse(t, arm), "", formulate.Options{Mass: true})
	p := printedJSON(t, parse(t, arm), "", []string{"M", "b"}, 0)
	random := rand.New(rand.NewPCG(3, 24))
	for k := range 20 {
		at := tape.random(random)
		var q, rate [3]float64
		for i := range 3 {
			rate[i], q[i] = 2*random.NormFloat64(), 2*random.NormFloat64()
		}
		if k == 0 { // sample of the data that the equations are held against
			q = [3]float64{0.750572799628, 2.383282805817, 1.654114141471}
			rate = [3]float64{-1.099171240038, -0.7993348603551, 1.494213781585}
		}
		copy(at.x, append(rate[:], q[:]...))
		mass, load := closedForm(q, rate)
		if k == 0 {
			for i, row := range [3][3]float64{{0.612146942356, -0.05058648257183, -0.02186011934997},
				{-0.05058648257183, 0.2866800925003, 0.02500671291682}, {-0.02186011934997, 0.02500671291682, 0.03}} {
				for j, want := range row {
					if math.Abs(mass[i][j]-want) > 1e-12 {
						t.Errorf("closed form: M[%d][%d] is %.13g, want %.13g", i, j, mass[i][j], want)
					}
				}
				if want := [3]float64{-7.890364062636, 7.269317320213, -0.255877689499}[i]; math.Abs(load[i]-want) > 1e-11 {
					t.Errorf("closed form: b[%d] is %.13g, want %.13g", i, load[i], want)
				}
			}
		}
		got, names := p.evaluate(t, tape, at), []string{"shoulder.omega", "elbow.omega", "wrist.omega"}
		for i := range 3 {
			for j := range 3 {
				if v := got["M "+names[i]+" "+names[j]]; math.Abs(v-mass[i][j]) > 1e-12*mass[0][0] {
					t.Errorf("M[%d][%d] is %g, want %g", i, j, v, mass[i][j])
				}
			}
			if v := got["b "+names[i]+" "]; math.Abs(v-load[i]) > 1e-12*slices.Max(magnitudes(load[:])) {
				t.Errorf("b[%d] is %g, want %g", i, v, load[i])
			}
		}
	}
}

// The mathematics of LaTeX is well formed, line by line.
func TestLatex(t *testing.T) {
	for _, name := range []string{"pendulum", "bicycle", "passenger_car"} {
		x, err := MatricesOf(model(t, name), "", nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		x.PrintLatex(&text)
		lines := 0
		for _, line := range strings.Split(text.String(), "\n") {
			if line == "" || line[0] == '%' || strings.HasPrefix(line, `\begin`) || strings.HasPrefix(line, `\end`) {
				continue
			}
			lines++
			line = strings.NewReplacer("&", "", `\_`, "-").Replace(strings.TrimSuffix(line, ` \\`))
			if _, err := mathml.Convert(line, false); err != nil {
				t.Fatalf("%s: %v in %.300s", name, err, line)
			}
		}
		if lines < 3 {
			t.Errorf("%s: %d lines", name, lines)
		}
	}
	for name, want := range map[string]string{
		"v_susp_FL_x": `v_{\mathrm{susp\_FL},x}`, "R_body_13": `R_{\mathrm{body},13}`,
		"alpha_fork_y_2": `\alpha_{\mathrm{fork},y,2}`,
		"F_tire_FL_z":    `F_{\mathrm{tire\_FL},z}`, "omega_dot_wheel": `\dot{\omega}_{\mathrm{wheel}}`, "m": "m",
	} {
		if got := definitionSymbol(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := variableSymbol("body.vx"); got != `v_{x,\mathrm{body}}` {
		t.Errorf("body.vx is %s", got)
	}
}

// In LaTeX a constraint and the definition of its value have one symbol, which is defined once.
func TestLatexDefinesEachSymbolOnce(t *testing.T) {
	x, err := MatricesOf(model(t, "point_pendulum"), "", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	x.PrintLatex(&text)
	for _, want := range []string{`\Phi_{\mathrm{rod}} &= \mathrm{length}`,
		`\dot{\Phi}_{\mathrm{rod}} &= 2 \mathrm{length}`} {
		if symbol, _, _ := strings.Cut(want, "&="); strings.Count(text.String(), "\n"+symbol+"&=") != 1 ||
			!strings.Contains(text.String(), want) {
			t.Errorf("%s: %s", want, &text)
		}
	}
}

// Writing out is bounded, and only the chosen parts are there.
func TestPartsAndInline(t *testing.T) {
	if _, err := MatricesOf(model(t, "passenger_car"), "", nil, 1000); err == nil ||
		!strings.Contains(err.Error(), "give a smaller number") {
		t.Errorf("everything written out: %v", err)
	}
	p := printedJSON(t, model(t, "bicycle"), "", []string{"M", "h"}, 0)
	if len(p.Parts) != 2 || p.Parts[0].Symbol != "M" || p.Parts[1].Symbol != "h" || len(p.Calls) != 0 {
		t.Errorf("%+v", p)
	}
	long, short := printedJSON(t, model(t, "bicycle"), "", nil, 0), printedJSON(t, model(t, "bicycle"), "", nil, 2)
	if len(short.Definitions) >= len(long.Definitions) {
		t.Errorf("%d definitions, %d where some are written out", len(long.Definitions), len(short.Definitions))
	}
}

// A car takes less than 5 MB in any form: the size is linear in that of the equations.
func TestSize(t *testing.T) {
	m := model(t, "passenger_car")
	x, err := MatricesOf(m, "", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for form, print := range map[string]func(*bytes.Buffer) error{
		"text":   func(to *bytes.Buffer) error { x.PrintText(to); return nil },
		"latex":  func(to *bytes.Buffer) error { x.PrintLatex(to); return nil },
		"json":   func(to *bytes.Buffer) error { return x.WriteJSON(to) },
		"sympy":  func(to *bytes.Buffer) error { return Export(to, m, "", "sympy", "-") },
		"casadi": func(to *bytes.Buffer) error { return Export(to, m, "", "casadi", "-") },
		"matlab": func(to *bytes.Buffer) error { return Export(to, m, "", "matlab", "-") },
	} {
		var text bytes.Buffer
		if err := print(&text); err != nil {
			t.Fatal(err)
		}
		if n := text.Len(); n > 5e6 || n < 1e5 {
			t.Errorf("%s: %d bytes", form, n)
		}
	}
}
