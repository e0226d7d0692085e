package standalone

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/program"
	"skidpad/model/road"
	"skidpad/tire/machinecode"
)

var shapeKinds = map[string]string{
	road.Flat: "STEP_FLAT", road.Table: "STEP_TABLE", road.Grid: "STEP_GRID", road.Formula: "STEP_FORMULA_KIND",
	road.ISO8608: "STEP_WAVES", road.Profile: "STEP_PROFILE", road.Mesh: "STEP_MESH", road.CRG: "STEP_LINE",
}

// noShape is the C initialiser of an absent shape.
const noShape = "{STEP_FLAT, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL}"

// mostHeights bounds the number of heights of tables and grids, which the file contains as text.
const mostHeights = 200_000

// ground writes the terrain under tires and contact masses: the positions of the wheels, the formulas, the heights and
// the tables.
func (w *writer) ground() error {
	if w.wheelsOf() != nil {
		if err := w.wheels(); err != nil {
			return err
		}
	} else if w.looksUp() { // all tires are on level ground
		w.line("static const double *vehicle_wheels(vehicle *c, const double *x, const double *u)\n{\n" +
			"    (void)c;\n    (void)x;\n    (void)u;\n    return NULL;\n}\n")
	}
	if w.looksUp() {
		if err := w.formulas(); err != nil {
			return err
		}
	}
	surfaces := ""
	for i := range w.plan.Surfaces {
		s := &w.plan.Surfaces[i]
		lookup := s.Heights
		if lookup.Kind == road.ISO8608 {
			lookup.Numbers = w.plan.Waves[i]
		}
		heights, err := w.shape(&lookup, 2*i)
		if err != nil {
			return err
		}
		friction, mapped := noShape, 0
		if s.Friction != nil {
			mapped = 1
			if friction, err = w.shape(s.Friction, 2*i+1); err != nil {
				return err
			}
		}
		sloped := 0
		if s.Sloped {
			sloped = 1
		}
		surfaces += fmt.Sprintf("    {%s, %s, %d, %d},\n", heights, friction, sloped, mapped)
	}
	w.line("#define STEP_TERRAIN %d\nenum { VEHICLE_UNEVEN = %d };", flag(w.looksUp()), flag(w.plan.Wheels != nil))
	w.line("static const step_surface vehicle_surfaces[] = {\n%s    {%s, %[2]s, 0, 0}\n};\n", surfaces, noShape)
	w.line("static const step_ground vehicle_grounds[VEHICLE_GROUNDS + 1] = {")
	for _, g := range w.plan.Grounds {
		w.line("    {%d, %d, %d, %d, %d, %d, %d, %d},", g.Surface, g.Points, g.Above, g.Height, g.SlopeX, g.SlopeY, g.Rate,
			g.Friction)
	}
	w.line("    {0, 0, 0, 0, 0, 0, 0, 0}\n};\n")
	return w.contacts()
}

// looksUp reports whether steps look up terrain under tires or contact masses.
func (w *writer) looksUp() bool { return w.wheelsOf() != nil || len(w.plan.Contacts) > 0 }

// wheelsOf returns the evaluation of the wheel positions, for uneven terrain and for derivatives by parameters of
// terrain.
func (w *writer) wheelsOf() *program.Straight {
	if d := w.plan.Derivatives; d != nil {
		return d.Wheels
	}
	return w.plan.Wheels
}

// wheels writes the centres of the wheels.
func (w *writer) wheels() error {
	of := w.wheelsOf()
	w.line("/* The centres of the wheels on terrain [m], and directions; NULL where they cannot be computed. */")
	w.line("static int vehicle_evaluate_wheels(vehicle *c, const double *x, const double *u, double *to)\n{")
	w.put(of, "x")
	w.line("    memcpy(%s + %d, u, sizeof(double) * VEHICLE_ALL_INPUTS);", memory(of.Memory), of.Inputs)
	if err := w.evaluate(of); err != nil {
		return err
	}
	w.results(of, "to")
	w.line("static const double *vehicle_wheels(vehicle *c, const double *x, const double *u)\n{")
	w.line("    return vehicle_evaluate_wheels(c, x, u, c->placed) ? c->placed : NULL;\n}\n")
	return nil
}

// formulas writes the formulas of surfaces, numbered as in shape.
func (w *writer) formulas() error {
	var calls []string
	write := func(l *road.Lookup, k int) error {
		if l == nil || l.Rates == nil {
			return nil
		}
		w.line("static int vehicle_formula_%d(vehicle *c, double x, double y, double t, double *to)\n{", k)
		for i, name := range []string{"x", "y", "t"} {
			w.line("    %s = %s;", w.at(program.Place{Memory: l.Rates.Memory, At: l.Rates.Inputs + i}), name)
		}
		for _, part := range []*program.Straight{l.Rates, l.Outputs} {
			if err := w.evaluate(part); err != nil {
				return err
			}
		}
		w.results(l.Outputs, "to")
		calls = append(calls, fmt.Sprintf("    case %d:\n        return vehicle_formula_%[1]d(c, x, y, t, to);\n", k))
		return nil
	}
	for i := range w.plan.Surfaces {
		s := &w.plan.Surfaces[i]
		if err := write(&s.Heights, 2*i); err != nil {
			return err
		}
		if err := write(s.Friction, 2*i+1); err != nil {
			return err
		}
	}
	w.line("static int vehicle_formula(vehicle *c, int32_t k, double x, double y, double t, double *to)\n{")
	w.line("    (void)c;\n    (void)x;\n    (void)y;\n    (void)t;\n    (void)to;\n    switch (k) {")
	for _, call := range calls {
		w.body.WriteString(call)
	}
	w.line("    default:\n        return 0;\n    }\n}\n")
	return nil
}

// shape returns the lookup of a surface as an initialiser of step_shape, and writes its heights.
func (w *writer) shape(l *road.Lookup, k int) (string, error) {
	numbers, indices, grid := "NULL", "NULL", "NULL"
	if n := len(l.Numbers) + len(l.Indices) + len(l.Heights); n > mostHeights {
		return "", fmt.Errorf("a road has a table, a grid or a mesh of %d numbers; generated C has at most %d: use a "+
			"coarser road or a part of it; %s", n, mostHeights, coverage)
	}
	if len(l.Indices) > 0 {
		indices = fmt.Sprintf("vehicle_cells_%d", k)
		w.line("static const int32_t %s[%d] = {", indices, len(l.Indices))
		for part := range slices.Chunk(l.Indices, 16) {
			w.line("    %s,", strings.Trim(strings.ReplaceAll(fmt.Sprint(part), " ", ", "), "[]"))
		}
		w.line("};\n")
	}
	if len(l.Numbers) > 0 {
		numbers = fmt.Sprintf("vehicle_heights_%d", k)
		w.line("static const double %s[%d] = {", numbers, len(l.Numbers))
		for _, x := range l.Numbers {
			w.line("    %s,", machinecode.Number(x))
		}
		w.line("};\n")
	}
	if len(l.Heights) > 0 {
		grid = fmt.Sprintf("vehicle_grid_%d", k)
		w.line("static const float %s[%d] = {", grid, len(l.Heights))
		for _, z := range l.Heights {
			w.line("    %s,", float(z))
		}
		w.line("};\n")
	}
	kind := shapeKinds[l.Kind]
	if kind == "" {
		kind = shapeKinds[road.Flat]
	}
	return fmt.Sprintf("{%s, %d, %d, %d, %s, %s, %s, %s, %s, %s}", kind, l.Columns, l.Rows, k, machinecode.Number(l.X),
		machinecode.Number(l.Y), machinecode.Number(l.Cell), numbers, indices, grid), nil
}

// float returns a 32-bit number in C.
func float(x float32) string {
	if x != x {
		return "(float)NAN"
	}
	return machinecode.Number(float64(x)) + "f"
}

// shares returns the number of factors by which footprints attenuate waves.
func (w *writer) shares() int {
	most := 0
	for _, g := range w.plan.Grounds {
		if s := &w.plan.Surfaces[g.Surface]; g.Points > 0 && s.Heights.Kind == road.ISO8608 {
			most = max(most, 3*s.Heights.Columns)
		}
	}
	return most + 1
}
