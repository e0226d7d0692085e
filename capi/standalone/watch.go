package standalone

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/cosim"
	"skidpad/tire/machinecode"
)

// rows writes the warning checks of rates.
func (w *writer) rows() {
	var entries, bits, once []string
	warnings := w.warnings()
	for i := range w.plan.Rows {
		r := &w.plan.Rows[i]
		touching, touches := "0", 0
		if r.Touching.Memory >= 0 {
			touching, touches = w.offset(r.Touching), 1
		}
		entries = append(entries, fmt.Sprintf("    {%s, %s, %d},", w.offset(r.At), touching, touches))
		bits = append(bits, fmt.Sprintf("%d,", slices.Index(warnings, w.warningOf(r))))
		once = append(once, map[bool]string{true: "1,", false: "0,"}[r.Rule == "length"])
	}
	w.line("static const step_row vehicle_rows[VEHICLE_ROWS + 1] = {")
	for _, p := range entries {
		w.line("%s", p)
	}
	w.line("    {0, 0, 0}\n};\n")
	w.line("/* By row: the bit of its warning, and whether that comes once in a run. */")
	w.line("static const unsigned char vehicle_bits[VEHICLE_ROWS + 1] = {%s 0};", strings.Join(bits, " "))
	w.line("static const unsigned char vehicle_once[VEHICLE_ROWS + 1] = {%s 0};\n", strings.Join(once, " "))
	w.line("static void vehicle_set_limits(vehicle *c)\n{\n    (void)c;")
	for i, r := range w.plan.Rows {
		at := 4 * i
		w.line("    c->row_limits[%d] = %s;", at, w.limit(r.Low, r.LowAt, r.Scale))
		w.line("    c->row_limits[%d] = %s;", at+1, w.limit(r.High, r.HighAt, r.Scale))
		w.line("    c->row_limits[%d] = %s * c->row_limits[%d];", at+2, machinecode.Number(r.Back), at)
		w.line("    c->row_limits[%d] = %s * c->row_limits[%d];", at+3, machinecode.Number(r.Back), at+1)
	}
	w.line("}\n")
}

// limit returns the C expression of a limit of a row.
func (w *writer) limit(x float64, from cosim.Place, scale float64) string {
	if from.Memory < 0 {
		return machinecode.Number(x)
	}
	return machinecode.Number(scale) + " * " + w.at(from)
}

// offset returns the offset of a number in all memories, for tables of steps.
func (w *writer) offset(p cosim.Place) string {
	w.frozen.read(p)
	return fmt.Sprintf("VEHICLE_MEMORY_%d + %d", p.Memory, p.At)
}

// warning is an entry of the table of warnings.
type warning struct{ subject, rule, quantity string }

// mostWarnings is the number of warning bits.
const mostWarnings = 64

// warningOf returns the entry of a row. If there are more rows than bits, all rows of a rule share an entry.
func (w *writer) warningOf(r *cosim.Row) warning {
	if len(w.plan.Rows) > mostWarnings {
		return warning{rule: r.Rule}
	}
	return warning{r.Subject, r.Rule, r.Quantity}
}

// warnings returns the entries of the table, each once.
func (w *writer) warnings() (list []warning) {
	for i := range w.plan.Rows {
		if x := w.warningOf(&w.plan.Rows[i]); !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// text returns the entry as in the table.
func (x warning) text() string {
	if x.subject == "" {
		return x.rule
	}
	return x.subject + ": " + x.rule + ", " + x.quantity
}
