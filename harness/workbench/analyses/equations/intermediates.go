package equations

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/graph"
)

// Intermediate is a row of the table of a tire's intermediate variables, with what it costs.
type Intermediate struct {
	Name string
	Complete,
	Sequence,
	Added Operations
	// Earliest and Latest are the positions in the order of evaluation, from 1; rows of the same position can be computed
	// together. Both are 0 for u_z, which is always substituted.
	Earliest, Latest int

	names  []*expr.Expr // of its components: symbols
	bodies []*expr.Expr // what they stand for, by names of rows above and the engine's expressions of the kinematics
}

// Intermediates makes the intermediate variables of a tire by the formulas of Morency (2007), Table 4.3, from the
// kinematics of the model, and counts them. Slip is the slip without delay, as in the paper.
func (e *Equations) Intermediates(tire string) ([]Intermediate, error) {
	c, err := e.tire(tire)
	if err != nil {
		return nil, err
	}
	rows := rowsOf(e.Formulation, c)
	count(rows)
	order(rows)
	return rows, nil
}

// tire finds a tire that has the rows of the table.
func (e *Equations) tire(name string) (*component.Tire, error) {
	var names []string
	for _, c := range e.Model.Components {
		t, is := c.(*component.Tire)
		if !is {
			continue
		}
		if t.Name != name {
			names = append(names, t.Name)
			continue
		}
		if t.Contact.Method != component.ContactLoaded {
			return nil, fmt.Errorf("--intermediates %s: the contact of the tire is %s; the table is for the contact loaded",
				name, t.Contact.Method)
		}
		if e.Formulation.Forest.Graph.Node(t.Road) < 0 || e.standsOnTerrain(t) {
			return nil, fmt.Errorf("--intermediates %s: the tire stands on the terrain %q; the table is for tires on a "+
				"plane road", name, t.Road)
		}
		return t, nil
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("--intermediates %s: %s has no component of the type tire", name, e.Model.Name)
	}
	return nil, fmt.Errorf("--intermediates %s: %s has no tire of that name; its tires are %s", name, e.Model.Name,
		strings.Join(names, ", "))
}

func (e *Equations) standsOnTerrain(t *component.Tire) bool {
	return slices.ContainsFunc(e.Model.Components, func(c component.Component) bool {
		uneven, is := c.(component.Uneven)
		return is && uneven.Carries(t.Road)
	})
}

// rows are written with the names of those above. Those are symbols, not definitions, through which the pool looks: it
// would write sin(gamma) without gamma.
type rows struct {
	p    *expr.Pool
	tire string
	list []Intermediate
}

// vector adds a row. Components that are numbers stay numbers.
func (r *rows) vector(name string, v expr.Vector) expr.Vector {
	row := Intermediate{Name: name}
	named := expr.Vector{Frame: v.Frame}
	for i, axis := range [...]string{"x", "y", "z"} {
		named.X[i] = r.name(&row, name+" "+axis, v.X[i])
	}
	r.list = append(r.list, row)
	return named
}

func (r *rows) scalar(name string, e *expr.Expr) *expr.Expr {
	row := Intermediate{Name: name}
	named := r.name(&row, name, e)
	r.list = append(r.list, row)
	return named
}

func (r *rows) name(row *Intermediate, name string, e *expr.Expr) *expr.Expr {
	if e.Kind() == expr.Number {
		return e
	}
	symbol := r.p.Sym(name+" of "+r.tire, expr.State)
	row.names, row.bodies = append(row.names, symbol), append(row.bodies, e)
	return symbol
}

// rowsOf are the rows of Table 4.3, in its order. All vectors are resolved in the axes of the road.
func rowsOf(f *formulate.Formulation, c *component.Tire) []Intermediate {
	p, q, wheel := f.Pool, f.Forest.Graph.Node(c.Road), f.Forest.Graph.Node(c.Frame)
	road := f.Orientation(q, q).To
	position := f.Across(q, wheel, formulate.Position, road)
	velocity := f.Across(q, wheel, formulate.Velocity, road)
	turning := f.AcrossRotation(graph.Ground, q, formulate.Velocity, road)
	if !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, position))
	}
	w := f.AcrossRotation(q, wheel, formulate.Velocity, road)
	symmetry := expr.Vector{Frame: road}
	for i, row := range f.Orientation(wheel, q).M {
		symmetry.X[i] = row[c.Axis]
	}
	number := func(x float64) *expr.Expr { return p.Num(expr.FromFloat(x)) }
	free, kz, cz := number(c.UnloadedRadius.Value), number(c.VerticalStiffness.Value), number(c.VerticalDamping.Value)
	up := expr.Vector{Frame: road, X: [3]*expr.Expr{p.Int(0), p.Int(0), p.Int(1)}}

	r := &rows{p: p, tire: c.Name}
	r.vector("r_Q/C", p.NegV(position))
	uz := r.vector("u_z", up)
	ahead := p.Cross(symmetry, uz)
	ux := r.vector("u_x", p.ScaleV(p.Pow(p.Call(expr.Sqrt, p.Dot(ahead, ahead)), -1), ahead))
	uy := r.vector("u_y", p.Cross(uz, ux))
	gamma := r.scalar("gamma", p.Call(expr.Asin, p.Dot(p.Cross(uy, symmetry), ux)))
	sine, cosine := p.Call(expr.Sin, gamma), p.Call(expr.Cos, gamma)
	loaded := r.scalar("R_l", p.Div(p.Dot(position, uz), cosine))
	r.scalar("F_z", p.Call(expr.Max,
		p.Sub(p.Mul(kz, p.Sub(free, loaded), cosine), p.Mul(cz, p.Dot(velocity, uz))), p.Int(0)))
	contact := r.vector("r_P/C",
		p.SubV(p.ScaleV(p.Mul(loaded, sine), uy), p.ScaleV(p.Mul(loaded, cosine), uz)))
	effective := r.scalar("R_eff", rollingRadius(p, c, loaded))
	slipPoint := r.vector("r_E/C", p.ScaleV(p.Div(effective, loaded), contact))
	spin := r.scalar("Omega", p.Div(p.Sub(p.Dot(w, symmetry), p.Mul(p.Dot(w, uz), sine)), p.Pow(cosine, 2)))
	centreX := r.scalar("V_Cx", p.Dot(velocity, ux))
	centreY := r.scalar("V_Cy", p.Dot(velocity, uy))
	contactX := r.scalar("V_Px", p.Add(centreX, p.Dot(p.Cross(w, contact), ux)))
	contactY := r.scalar("V_Py", p.Add(centreY, p.Dot(p.Cross(w, contact), uy)))
	slipX := r.scalar("V_Ex", p.Add(centreX, p.Dot(p.Cross(w, slipPoint), ux)))
	heading := r.scalar("V_Px*", p.Add(contactX, p.Mul(spin, loaded)))
	rolling := r.scalar("V_Ex*", p.Add(slipX, p.Mul(spin, effective)))
	r.scalar("S", p.Neg(p.Div(slipX, p.Call(expr.Abs, rolling))))
	r.scalar("alpha", p.Call(expr.Atan, p.Div(contactY, p.Call(expr.Abs, heading))))
	return r.list
}

// rollingRadius is the rolling radius by the tire's method, with numbers in place of parameters, as in Morency (2007),
// Figure 4.5.
func rollingRadius(p *expr.Pool, c *component.Tire, loaded *expr.Expr) *expr.Expr {
	free, x := c.UnloadedRadius.Value, c.RollingRadius
	switch x.Method {
	case "loaded":
		return loaded
	case "unloaded":
		return p.Num(expr.FromFloat(free))
	}
	nominal := x.Fz0.Value / c.VerticalStiffness.Value // deflection
	number := func(x float64) *expr.Expr { return p.Num(expr.FromFloat(x)) }
	bend := p.Call(expr.Atan, p.Sub(number(x.B.Value*free/nominal), p.Mul(number(x.B.Value/nominal), loaded)))
	return p.Add(number(free-x.F.Value*free), p.Mul(number(-x.D.Value*nominal), bend), p.Mul(number(x.F.Value), loaded))
}

// order finds the places of the rows: the longest way from states to a row, and how far it can be put off until the
// first row that uses it.
func order(rows []Intermediate) {
	rowOf := map[*expr.Expr]int{}
	uses := make([][]int, len(rows))
	last := 0
	for i := range rows {
		row := &rows[i]
		if len(row.names) == 0 {
			continue
		}
		row.Earliest = 1
		uses[i] = used(row.bodies, rowOf)
		for _, used := range uses[i] {
			row.Earliest = max(row.Earliest, rows[used].Earliest+1)
		}
		last = max(last, row.Earliest)
		for _, name := range row.names {
			rowOf[name] = i
		}
	}
	for i := range rows {
		if rows[i].Earliest > 0 {
			rows[i].Latest = last
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		for _, used := range uses[i] {
			rows[used].Latest = min(rows[used].Latest, rows[i].Latest-1)
		}
	}
}

// used are the rows whose names are in expressions.
func used(roots []*expr.Expr, rowOf map[*expr.Expr]int) []int {
	var list []int
	seen := map[*expr.Expr]bool{}
	var visit func(*expr.Expr)
	visit = func(e *expr.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		if row, is := rowOf[e]; is && !slices.Contains(list, row) {
			list = append(list, row)
		}
		for _, a := range e.Args() {
			visit(a)
		}
	}
	for _, e := range roots {
		visit(e)
	}
	return list
}
