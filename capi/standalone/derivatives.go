package standalone

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/cosim"
	"skidpad/model/program"
)

// differentiated returns the outputs with derivatives, nil for no derivatives.
func (w *writer) differentiated() *cosim.Differentiated {
	if !w.Derivatives {
		return nil
	}
	of := &cosim.Differentiated{Fixed: w.Frozen, Start: w.forFMU}
	for _, y := range w.shown() {
		if !y.touches {
			of.Outputs = append(of.Outputs, y.Variable)
		}
	}
	return of
}

// derivatives writes forward and reverse sweeps, and the sparsity table of the Jacobian.
func (w *writer) derivatives() error {
	d := w.plan.Derivatives
	if d == nil {
		return nil
	}
	w.line("enum {\n    VEHICLE_DIRECTION = VEHICLE_MEMORY_%d + %d,\n    VEHICLE_WEIGHTS = VEHICLE_MEMORY_%d + %d,",
		d.Direction.Memory, d.Direction.At+w.frozenParameters(), d.Weights.Memory, d.Weights.At)
	step := slices.IndexFunc(w.parameters(), func(v program.Variable) bool { return v.Name == cosim.StepVariable })
	w.line("    VEHICLE_STEP_SETTING = %d, /* a setting of the solver: nothing is differentiated by it */", step)
	w.line("    VEHICLE_POINT_INPUTS = VEHICLE_MEMORY_%d + %d,\n    VEHICLE_SHAPING = %d\n};\n", d.At.Memory, d.At.Inputs,
		len(d.Shaping))
	w.line("/* The derivatives of every operation at states x, with the inputs in their place. */")
	w.line("static int vehicle_evaluate_point(vehicle *c, const double *x)\n{")
	w.put(d.At, "x")
	if err := w.evaluate(d.At); err != nil {
		return err
	}
	w.line("    return 1;\n}\n")
	for _, f := range []struct {
		name string
		run  cosim.Run
	}{{"follow_parameters", d.Parameters}, {"sweep_along", d.Along}, {"sweep_against", d.Against}} {
		if f.name == "follow_parameters" && w.Frozen {
			w.line("static int vehicle_%s(const vehicle *c)\n{\n    (void)c;\n    return 1; /* there are none */\n}\n", f.name)
			continue
		}
		call, err := w.run(&f.run)
		if err != nil {
			return err
		}
		w.line("static int vehicle_%s(vehicle *c)\n{\n    return !%s;\n}\n", f.name, call)
	}
	w.line("static void vehicle_read_along(const vehicle *c, double *to)\n{\n    (void)c;")
	for i, v := range w.values() {
		if v < 0 {
			w.line("    to[%d] = 0.0;", i)
		} else {
			w.line("    to[%d] = %s;", i, w.signed(d.Values[v]))
		}
	}
	w.line("}\n\n/* By all inputs, those included that the solver sets. */")
	w.line("static void vehicle_read_against(const vehicle *c, double *to)\n{\n    (void)c;")
	for i, v := range d.Variables[w.frozenParameters():] {
		w.line("    to[%d] = %s;", i, w.signed(v))
	}
	w.line("}\n\nstatic void vehicle_put_weights(vehicle *c, const double *weights)\n{\n" +
		"    double *const to = c->memory + VEHICLE_WEIGHTS;\n    (void)to;\n    (void)weights;")
	for i, v := range w.values() {
		if v >= 0 {
			w.line("    to[%d] = 0.0 + weights[%d];", v, i)
		}
	}
	w.line("}\n")
	if err := w.shaping(); err != nil {
		return err
	}
	w.pattern()
	return w.startDerivatives()
}

// startDerivatives writes sweeps over the states at the start.
func (w *writer) startDerivatives() error {
	d := w.plan.Derivatives
	if d.Start == nil {
		return nil
	}
	w.line("enum { VEHICLE_START_WEIGHTS = VEHICLE_MEMORY_%d + %d };\n", d.Start.Weights.Memory, d.Start.Weights.At)
	for _, f := range []struct {
		name string
		run  cosim.Run
	}{{"evaluate_start", d.Start.At}, {"sweep_start_along", d.Start.Along}, {"sweep_start_against", d.Start.Against}} {
		call, err := w.run(&f.run)
		if err != nil {
			return err
		}
		w.line("static int vehicle_%s(vehicle *c)\n{\n    return !%s;\n}\n", f.name, call)
	}
	w.line("static void vehicle_read_start_along(const vehicle *c, double *to)\n{\n    (void)c;\n    (void)to;")
	for i, v := range d.Start.Values {
		w.line("    to[%d] = %s;", i, w.signed(v))
	}
	w.line("}\n\n/* Adds to what is there, by all inputs. */")
	w.line("static void vehicle_add_start_against(const vehicle *c, double *to)\n{\n    (void)c;\n    (void)to;")
	for i, v := range d.Start.Variables {
		w.line("    to[%d] += %s;", i, w.signed(v))
	}
	w.line("}\n")
	w.table("const int vehicle_carcass_states[VEHICLE_CARCASS_STATES + 1]", d.Carcasses, 0)
	return nil
}

// pattern writes the tables of the Jacobian.
func (w *writer) pattern() {
	columns, groups := w.columns()
	var rows, of, starts, order, ends []int
	for _, c := range columns {
		starts = append(starts, len(rows))
		rows = append(rows, c.rows...)
		for range c.rows {
			of = append(of, c.variable-w.frozenParameters())
		}
	}
	for group := range groups {
		for k, c := range columns {
			if c.group == group {
				order = append(order, k)
			}
		}
		ends = append(ends, len(order))
	}
	w.line("enum { VEHICLE_COLUMNS = %d, VEHICLE_GROUPS = %d, VEHICLE_CONTROLS = %d };\n", len(columns), groups,
		w.in.System().Program().Controls)
	w.table("const int vehicle_entry_row[VEHICLE_ENTRIES + 1]", rows, 0)
	w.table("const int vehicle_entry_column[VEHICLE_ENTRIES + 1]", of, 0)
	w.line("/* Where the entries of a column begin; columns by groups, one sweep each; where groups end. */")
	w.table("static const int vehicle_column_entries[VEHICLE_COLUMNS + 1]", starts, len(rows))
	w.table("static const int vehicle_group_columns[VEHICLE_COLUMNS + 1]", order, 0)
	w.table("static const int vehicle_group_ends[VEHICLE_GROUPS + 1]", ends, 0)
}

// table writes a table of numbers, followed by the number last.
func (w *writer) table(declared string, list []int, last int) {
	w.line("%s = {", declared)
	for part := range slices.Chunk(list, 20) {
		w.line("    %s", strings.TrimSpace(numbers(part)))
	}
	w.line("    %d\n};\n", last)
}

// signed returns the C expression of a number in memory, or of its opposite.
func (w *writer) signed(s program.Signed) string {
	switch {
	case s.Memory == cosim.Nowhere:
		return "0.0"
	case s.Negative:
		return "-" + w.at(s.Place)
	}
	return w.at(s.Place)
}

// values returns for each rate and shown output its number among the values with derivatives; -1: none.
func (w *writer) values() (list []int) {
	n := len(w.in.System().Program().States)
	for i := range n {
		list = append(list, i)
	}
	for _, y := range w.shown() {
		if y.touches {
			list = append(list, -1)
			continue
		}
		list = append(list, n)
		n++
	}
	return list
}

// shapeSize returns the number of numbers that describe all terrain: levels of surfaces and sizes of footprints.
func (w *writer) shapeSize() int { return 5*len(w.plan.Surfaces) + 2*len(w.plan.Grounds) }

// shaping writes the dependence of terrain on parameters, by differences as in the engine.
func (w *writer) shaping() error {
	d := w.plan.Derivatives
	rates := w.plan.Rates.Memory
	w.line("/* The step of differences at a value. */")
	w.line("static double vehicle_difference(double x)\n{\n    const double h = 1e-6 * op_abs(x);\n" +
		"    return h > 1e-7 ? h : 1e-7;\n}\n")
	w.line("enum { VEHICLE_SHAPE_SIZE = %d, VEHICLE_SURFACES = %d };", w.shapeSize(), len(w.plan.Surfaces))
	w.line("/* Parameters of terrain, and the terrain with each of them a little larger, and smaller. */")
	w.line("static const int vehicle_shaping[VEHICLE_SHAPING + 1] = {%s0};", numbers(d.Shaping))
	w.line("static int vehicle_shape(vehicle *c)\n{")
	if len(d.Shaping) == 0 {
		w.line("    (void)c;\n    return 1;\n}\n")
		return nil
	}
	call, err := w.run(&cosim.Run{Block: w.plan.Memories[rates].Init, Memory: rates, Fixed: cosim.Nowhere})
	if err != nil {
		return err
	}
	w.line("    double *const p = %s + %d, *to = c->shapes;", memory(rates), w.plan.Memories[rates].Parameters)
	w.line("    int k, side;\n    for (k = 0; k < VEHICLE_SHAPING; k++) {\n" +
		"        const double x = p[vehicle_shaping[k]], h = vehicle_difference(x);\n" +
		"        for (side = 1; side >= -1; side -= 2) {\n            p[vehicle_shaping[k]] = x + side * h;")
	w.line("            if (%s)\n                return 0;", call)
	for _, s := range w.plan.Surfaces {
		for _, n := range []struct {
			name string
			at   cosim.Place
		}{{"LEVEL", s.Height}, {"SLOPE_X", s.SlopeX}, {"SLOPE_Y", s.SlopeY}, {"LEFT", s.Left}, {"RIGHT", s.Right}} {
			w.line("            to[STEP_%s] = %s;", n.name, w.at(n.at))
		}
		w.line("            to += STEP_GROUND_NUMBERS;")
	}
	for _, g := range w.plan.Grounds {
		length, width := "0", "0"
		if g.Points > 0 {
			length, width = w.at(g.Length), w.at(g.Width)
		}
		w.line("            to[STEP_LENGTH] = %s;\n            to[STEP_WIDTH] = %s;\n"+
			"            to += STEP_FOOTPRINT_NUMBERS;", length, width)
	}
	w.line("        }\n        p[vehicle_shaping[k]] = x;\n    }\n    return !%s;\n}\n", call)
	return nil
}

// column is a column of the Jacobian, with its structurally non-zero rows. Columns of a group have no row in common.
type column struct {
	variable, group int
	rows            []int
}

// columns returns the columns of states and inputs.
func (w *writer) columns() (list []column, groups int) {
	p, d := w.in.System().Program(), w.plan.Derivatives
	first := len(p.Parameters) + len(p.States) // of the inputs
	rows := make([][]int, first+len(p.Inputs))
	for row, v := range w.values() {
		if v < 0 {
			continue
		}
		for _, k := range d.Depends[v] {
			rows[k] = append(rows[k], row)
		}
	}
	for _, g := range w.plan.Grounds {
		to := &rows[first+g.Above]
		*to = append(*to, rows[first+g.Height]...)
		slices.Sort(*to)
		*to = slices.Compact(*to)
	}
	var taken []map[int]bool // rows by group
	for k := len(p.Parameters); k < len(rows)-p.Controls; k++ {
		group := 0
		for group < len(taken) && slices.ContainsFunc(rows[k], func(row int) bool { return taken[group][row] }) {
			group++
		}
		if group == len(taken) {
			taken = append(taken, map[int]bool{})
		}
		for _, row := range rows[k] {
			taken[group][row] = true
		}
		list = append(list, column{k, group, rows[k]})
	}
	return list, len(taken)
}

// entryCount returns the number of entries of the Jacobian.
func (w *writer) entryCount() (n int) {
	columns, _ := w.columns()
	for _, c := range columns {
		n += len(c.rows)
	}
	return n
}

// numbers returns the numbers of a table in C, with commas.
func numbers(list []int) string {
	var s strings.Builder
	for _, n := range list {
		fmt.Fprintf(&s, "%d, ", n)
	}
	return s.String()
}
