package equations

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/model/bounded"
	"skidpad/model/expr"
	"skidpad/model/vehicle"
)

func read(t *testing.T, name, tree string) *Equations {
	t.Helper()
	m, err := vehicle.Read(built.Path("resources", "models", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(m, tree)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func byName(t *testing.T, rows []Intermediate, name string) *Intermediate {
	t.Helper()
	i := slices.IndexFunc(rows, func(r Intermediate) bool { return r.Name == name })
	if i < 0 {
		t.Fatalf("there is no row %s", name)
	}
	return &rows[i]
}

func published(t *testing.T) *Published {
	t.Helper()
	p, err := ReadPublished(built.Path("resources", "references", "morency2007_intermediates.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Morency (2007), Tables 4.4 and 4.5: which costs do not depend on how the kinematics is written, and the trends.
func TestCostsOfIntermediates(t *testing.T) {
	for _, model := range []string{"generic4w", "skidder", "generic4w_fourpost"} {
		rows, err := read(t, model, "").Intermediates("tire_FL")
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]Operations{"u_z": {}, "u_y": {}, "R_eff": {3, 3, 0, 1}, "r_E/C": {0, 3, 3, 0},
			"V_Px*": {1, 1}, "V_Ex*": {1, 1}, "S": {0, 0, 1, 1}, "alpha": {0, 0, 1, 2}}
		if model == "skidder" { // its effective radius is the loaded one
			want["R_eff"] = Operations{}
		}
		growing := []string{"R_l", "F_z", "r_P/C", "r_E/C", "V_Ex", "V_Ex*", "S"}
		e := byName(t, rows, "r_E/C")
		if ratio := e.Complete.Total() / e.Sequence.Total(); ratio < 50 {
			t.Errorf("%s: complete substitution of r_E/C costs %g times the sequence", model, ratio)
		}
		for name, cost := range want {
			if got := byName(t, rows, name).Sequence; got != cost {
				t.Errorf("%s: the sequence of %s costs %v, want %v", model, name, got, cost)
			}
		}
		for i := 1; i < len(growing); i++ {
			below, above := byName(t, rows, growing[i-1]).Complete.Total(), byName(t, rows, growing[i]).Complete.Total()
			if above <= below {
				t.Errorf("%s: %s costs %g, %s above it %g", model, growing[i], above, growing[i-1], below)
			}
		}
		for _, r := range rows {
			for k := range r.Sequence {
				if r.Sequence[k] > r.Complete[k] || r.Added[k] > r.Sequence[k] {
					t.Errorf("%s: %s costs %v completely, %v in sequence, and adds %v", model, r.Name, r.Complete, r.Sequence,
						r.Added)
				}
			}
		}
	}
}

// The added costs of the rows are the cost of a program that shares all equal subexpressions, in any order: their sum
// is the cost of all distinct nodes.
func TestAddedCostsSumToTheCostOfAllNodes(t *testing.T) {
	rows, err := read(t, "generic4w", "").Intermediates("tire_FL")
	if err != nil {
		t.Fatal(err)
	}
	var together, all Operations
	seen := map[*expr.Expr]bool{}
	var visit func(*expr.Expr)
	visit = func(e *expr.Expr) {
		if !seen[e] {
			seen[e] = true
			all.add(own(e))
			for _, a := range e.Args() {
				visit(a)
			}
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		together.add(rows[i].Added)
		for _, e := range rows[i].bodies {
			visit(e)
		}
	}
	if together != all || all.Total() == 0 {
		t.Errorf("the rows add %v, all nodes cost %v", together, all)
	}
}

// onPlate is a wheel on a road that is a body of its own and turns.
const onPlate = `name = "OnPlate"
[component.plate]
type = "rigid-body"
mass = 500
inertia = { xx = 50, yy = 200, zz = 200 }
[component.tire_FL]
type = "tire"
frame = "tire_FL"
road = "plate"
mass = 20
inertia = { axial = 1.5, transverse = 1 }
unloaded_radius = 0.355
vertical_stiffness = 3e5
vertical_damping = 500
rolling_radius = { method = "unloaded" }
slip = { method = "kinematic" }
force = { function = "Pacejka02", file = "../../../../resources/tires/pacejka2002.toml" }
[[tree]]
name = "free"
prefer = ["tire_FL.T1", "tire_FL.R1"]
`

// Without names the rows are other expressions with the same values, and both have those of the engine's own
// intermediates, which are written otherwise.
func TestIntermediatesEqualTheEngine(t *testing.T) {
	m, err := vehicle.Parse([]byte(onPlate), "plate.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	plate, err := New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model string
		e     *Equations
	}{
		{"generic4w", read(t, "generic4w", "")}, {"generic4w", read(t, "generic4w", "tire")},
		{"skidder", read(t, "skidder", "")}, {"plate", plate},
	} {
		e := c.e
		rows, err := e.Intermediates("tire_FL")
		if err != nil {
			t.Fatal(err)
		}
		f := e.Formulation
		written := map[*expr.Expr]*expr.Expr{} // names and definitions without names and definitions
		var write func(*expr.Expr) *expr.Expr
		write = func(x *expr.Expr) *expr.Expr {
			if known := written[x]; known != nil {
				return known
			}
			out := f.Pool.Map(x, func(x *expr.Expr) *expr.Expr {
				if x.Kind() == expr.Definition {
					return write(x.Args()[0])
				}
				return written[x]
			})
			written[x] = out
			return out
		}
		for _, r := range rows {
			for i, name := range r.names {
				written[name] = write(r.bodies[i])
			}
		}
		engine := map[string]*expr.Expr{}
		own := map[string]string{"Fz": "F_z", "gamma": "gamma", "Reff": "R_eff", "Rl": "R_l", "Omega": "Omega",
			"VCx": "V_Cx", "VCy": "V_Cy", "VPx": "V_Px", "VPy": "V_Py", "VEx": "V_Ex", "VPxs": "V_Px*", "VExs": "V_Ex*"}
		if c.model == "skidder" { // the others have delayed slip
			own["S"], own["alpha"] = "S", "alpha"
		}
		for _, call := range f.Calls {
			for i, name := range call.Inputs {
				if row, is := own[name]; is && strings.HasPrefix(call.Name, "tire_FL.") {
					engine[row] = call.Arguments[i]
				}
			}
		}
		if len(engine) < 10 {
			t.Fatalf("the engine asks for %d of the rows only", len(engine))
		}
		random := rand.New(rand.NewPCG(23, 21))
		for range 20 {
			values := map[*expr.Expr]float64{}
			for _, p := range f.Parameters {
				values[p.Symbol] = p.Value
			}
			for _, in := range f.Inputs {
				values[in.Symbol] = in.Start + 0.1*random.NormFloat64()
			}
			evaluator := expr.NewEvaluator(values)
			for _, s := range f.States() {
				values[s.Symbol] = evaluator.Value(s.Start) + 0.02*random.NormFloat64()
			}
			complete := expr.NewEvaluator(values)
			for _, r := range rows {
				for i, name := range r.names {
					values[name] = expr.NewEvaluator(values).Value(r.bodies[i])
					got, want := complete.Value(written[name]), values[name]
					if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
						t.Errorf("%s: %s %d is %g written out, %g in sequence", c.model, r.Name, i, got, want)
					}
				}
				if own := engine[r.Name]; own != nil && len(r.names) > 0 {
					got, want := values[r.names[0]], complete.Value(own)
					if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
						t.Errorf("%s: %s is %g, the engine has %g", c.model, r.Name, got, want)
					}
				}
			}
		}
	}
}

// The rules of counting, on expressions whose cost one sees.
func TestOperationsOfExpressions(t *testing.T) {
	p := expr.NewPool()
	symbols := map[string]*expr.Expr{"k": p.Sym("k", expr.Parameter)}
	for _, name := range []string{"x", "y", "z"} {
		symbols[name] = p.Sym(name, expr.State)
	}
	s := p.Call(expr.Sin, symbols["x"])
	symbols["twice"] = p.Define("twice", p.Add(p.Mul(s, symbols["y"]), symbols["z"])) // 1 +, 1 x, 1 f
	for text, want := range map[string]Operations{
		"x - y + 3":                      {2},
		"k + 3":                          {},
		"k*3*x":                          {0, 1},
		"x/k":                            {0, 1},
		"k/x":                            {0, 0, 1},
		"x^3*y/z^2":                      {0, 4, 1},
		"1/x":                            {0, 0, 1},
		"k + x + k^2":                    {1},
		"2*x - y":                        {1, 1},
		"twice*(twice + y)":              {3, 3, 0, 2},
		"sin(x)*cos(twice) + sin(x)":     {2, 2, 0, 4},
		"(x + y)/(twice*twice + sin(k))": {3, 2, 1, 1},
	} {
		e, err := p.Parse(text, func(name string) *expr.Expr { return symbols[name] })
		if err != nil {
			t.Fatal(err)
		}
		if got := outright(e, map[*expr.Expr]Operations{}); got != want {
			t.Errorf("%s costs %v, want %v", text, got, want)
		}
	}
	// the second row is written with the name of the first, twice, and adds the rest
	name := p.Sym("row", expr.State)
	shared := p.Call(expr.Sin, symbols["x"])
	rows := []Intermediate{{names: []*expr.Expr{name}, bodies: []*expr.Expr{p.Mul(shared, symbols["y"])}},
		{names: []*expr.Expr{p.Sym("next", expr.State)},
			bodies: []*expr.Expr{p.Mul(name, p.Add(name, shared, symbols["z"]))}}}
	count(rows)
	if r := rows[1]; r.Complete != (Operations{2, 3, 0, 3}) || r.Sequence != (Operations{2, 1, 0, 1}) ||
		r.Added != (Operations{2, 1}) {
		t.Errorf("%+v", r)
	}
}

// Morency (2007), Table 4.5, lists the rows that stay names in each row. A row comes after these rows and before the
// rows that use it, and no row can come earlier or later than its positions.
func TestPlacesInTheOrderOfEvaluation(t *testing.T) {
	rows, err := read(t, "generic4w", "").Intermediates("tire_FL")
	if err != nil {
		t.Fatal(err)
	}
	keeps := map[string][]string{"u_x": nil, "u_y": {"u_x"}, "gamma": {"u_x", "u_y"}, "R_l": {"gamma"},
		"F_z": {"R_l", "gamma"}, "r_P/C": {"u_y", "gamma", "R_l"}, "R_eff": {"R_l"}, "r_E/C": {"R_l", "R_eff", "r_P/C"},
		"Omega": {"gamma"}, "V_Cx": {"u_x"}, "V_Cy": {"u_y"}, "V_Px": {"V_Cx", "r_P/C", "u_x"},
		"V_Py": {"V_Cy", "r_P/C", "u_y"}, "V_Ex": {"V_Cx", "r_E/C", "u_x"}, "V_Px*": {"V_Px", "Omega", "R_l"},
		"V_Ex*": {"V_Ex", "Omega", "R_eff"}, "S": {"V_Ex", "V_Ex*"}, "alpha": {"V_Py", "V_Px*"}}
	last := byName(t, rows, "S").Latest
	for name, kept := range keeps {
		earliest, first := 1, last+1
		for _, other := range kept {
			earliest = max(earliest, byName(t, rows, other).Earliest+1)
		}
		for user, kept := range keeps {
			if slices.Contains(kept, name) {
				first = min(first, byName(t, rows, user).Latest)
			}
		}
		if r := byName(t, rows, name); r.Earliest != earliest || r.Latest != first-1 {
			t.Errorf("%s has the places %s; want %d to %d", name, r.positions(), earliest, first-1)
		}
	}
	if u := byName(t, rows, "u_z"); u.positions() != "-" {
		t.Errorf("u_z has the place %s", u.positions())
	}
}

// The published rows are ours, and the table and JSON have the same numbers.
func TestTableAndJSONOfIntermediates(t *testing.T) {
	rows, err := read(t, "generic4w", "").Intermediates("tire_FL")
	if err != nil {
		t.Fatal(err)
	}
	table := &Table{Model: PublishedModel, Tire: "tire_FL", Rows: rows, Published: published(t)}
	if n := len(table.Published.Rows); n != len(rows) || n != 20 {
		t.Fatalf("%d published rows, %d of ours", n, len(rows))
	}
	for i, p := range table.Published.Rows {
		if p.Name != rows[i].Name || len(p.Sequence) != 4 || len(p.Complete) != 4 && p.Name != "S" && p.Name != "alpha" {
			t.Errorf("row %d: published %+v, ours %s", i, p, rows[i].Name)
		}
	}
	var text, data bytes.Buffer
	table.Print(&text)
	if err := table.WriteJSON(&data); err != nil {
		t.Fatal(err)
	}
	type cost = struct{ Additions, Multiplications, Divisions, Functions float64 }
	var got struct {
		Model, Tire   string
		Intermediates []struct {
			Name                      string
			Complete, Sequence, Added cost
			Earliest, Latest          int
			Published                 *struct {
				Complete, Sequence *cost
				Damaged            string
			}
		}
	}
	if err := json.Unmarshal(data.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Model != PublishedModel || got.Tire != "tire_FL" || len(got.Intermediates) != 20 {
		t.Fatalf("%+v", got)
	}
	for i, r := range got.Intermediates {
		if operationsStruct(rows[i].Complete) != r.Complete || operationsStruct(rows[i].Sequence) != r.Sequence ||
			operationsStruct(rows[i].Added) != r.Added || r.Earliest != rows[i].Earliest || r.Latest != rows[i].Latest {
			t.Errorf("%+v is not %+v", r, rows[i])
		}
		if memory := r.Name == "S" || r.Name == "alpha"; r.Published == nil || (r.Published.Complete == nil) != memory {
			t.Errorf("%s: published %+v", r.Name, r.Published)
		}
	}
	if r := got.Intermediates[9].Published; *r.Complete != (cost{197, 576, 6, 1383}) || *r.Sequence != (cost{0, 3, 3, 0}) {
		t.Errorf("r_E/C: %+v", r)
	}
	for _, line := range []string{"r_E/C", " 197   576     6  1383     0    3    3    0", "* R_l: ",
		" -     -     -     -"} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("the table has no %q:\n%s", line, text.String())
		}
	}
	table.Published = nil
	text.Reset()
	table.Print(&text)
	if strings.Contains(text.String(), "Morency") || strings.Count(text.String(), "\n") != 29 {
		t.Errorf("without published costs:\n%s", text.String())
	}
}

func operationsStruct(c Operations) struct{ Additions, Multiplications, Divisions, Functions float64 } {
	return struct{ Additions, Multiplications, Divisions, Functions float64 }{c[0], c[1], c[2], c[3]}
}

// The table is for tires with a loaded radius on a plane road.
func TestIntermediatesOfOtherTiresAreRefused(t *testing.T) {
	for _, c := range []struct{ model, tire, message string }{
		{"generic4w", "tire_LF", "its tires are tire_FL, tire_FR, tire_RL, tire_RR"},
		{"pendulum", "tire_FL", "no component of the type tire"},
		{"redbike", "tire_R", "the contact of the tire is undeformed"},
		{"passenger_car", "tire_FL", "the contact of the tire is conservative"},
	} {
		_, err := read(t, c.model, "").Intermediates(c.tire)
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s %s: %v", c.model, c.tire, err)
		}
	}
}
