package standalone

import (
	"fmt"
	"strings"

	"skidpad/cosim"
	"skidpad/model/program"
	"skidpad/tire/machinecode"
)

// shown is an output with the position of its value after the evaluation of the outputs.
type shown struct {
	cosim.Shown
	touches bool // 1 where the number is above 0, else 0
}

// shown returns the outputs in the order of the variables.
func (w *writer) shown() (list []shown) {
	s := w.in.System()
	for _, n := range w.plan.Numbers {
		if v := &s.Variables()[n.Variable]; w.isShown(v.Kind) && w.wants(v.Name) {
			list = append(list, shown{n, false})
		}
	}
	for _, n := range w.plan.Touches {
		if !w.forFMU && w.wants(s.Variables()[n.Variable].Name) {
			list = append(list, shown{n, true})
		}
	}
	return list
}

// isShown reports whether numbers of a kind are outputs. FMUs take contacts from the event indicators.
func (w *writer) isShown(k cosim.Kind) bool {
	return k == cosim.Output || w.forFMU && k == cosim.Indicator
}

// wants reports whether an output is computed.
func (w *writer) wants(name string) bool { return w.Outputs == nil || w.Outputs(name) }

// constants returns the sizes and offsets of the memories.
func (w *writer) constants() string {
	var s strings.Builder
	s.WriteString("/* Where memories of the equations begin, and inputs in them. */\nenum {\n")
	total := 0
	for k, n := range w.size {
		fmt.Fprintf(&s, "    VEHICLE_MEMORY_%d = %d,\n", k, total)
		total += (n + 3) / 4 * 4
	}
	fmt.Fprintf(&s, "    VEHICLE_RATE_INPUTS = VEHICLE_MEMORY_%d + %d,\n", w.plan.Rates.Memory, w.plan.Rates.Inputs)
	if l := w.plan.Linear; l != nil {
		fmt.Fprintf(&s, "    VEHICLE_LINEAR_INPUTS = VEHICLE_MEMORY_%d + %d,\n", l.At.Memory, l.At.Inputs)
		if of := l.Correction; of != nil {
			fmt.Fprintf(&s, "    VEHICLE_CORRECTED = %d,\n    VEHICLE_SPEEDS = %d,\n", len(of.Residuals.Results)/2, of.Speeds)
			fmt.Fprintf(&s, "    VEHICLE_RESIDUAL_INPUTS = VEHICLE_MEMORY_%d + %d,\n", of.Residuals.Memory, of.Residuals.Inputs)
		}
	}
	fmt.Fprintf(&s, "    VEHICLE_ROWS = %d,\n    VEHICLE_GROUNDS = %d,\n    VEHICLE_WATCHED = %d,\n"+
		"    VEHICLE_READY = 0x5eed\n};\n\n", len(w.plan.Rows), len(w.plan.Grounds), len(w.plan.Watched))
	w.methods(&s)
	fmt.Fprintf(&s, "static const double vehicle_longest = %s, vehicle_tolerance = %s;\n\n",
		machinecode.Number(w.plan.LongestStep), machinecode.Number(w.tolerance()))
	longest := "c->longest"
	for i, v := range w.parameters() {
		if v.Name == cosim.StepVariable {
			longest = fmt.Sprintf("c->parameters[%d]", i)
		}
	}
	s.WriteString("static double vehicle_longest_step(const vehicle *c)\n{\n")
	fmt.Fprintf(&s, "    return %s;\n}\n\n", longest)
	return s.String()
}

// parameters returns the settable parameters, none if frozen.
func (w *writer) parameters() []program.Variable {
	if w.Frozen {
		return nil
	}
	return w.in.System().Program().Parameters
}

// frozenParameters returns the number of parameters that are not variables.
func (w *writer) frozenParameters() int {
	return len(w.in.System().Program().Parameters) - len(w.parameters())
}

// total returns the number of numbers in all memories.
func (w *writer) total() (n int) {
	for _, size := range w.size {
		n += (size + 3) / 4 * 4
	}
	return n
}

// tables returns names, units, descriptions and bounds of all variables.
func (w *writer) tables() string {
	p := w.in.System().Program()
	var b strings.Builder
	table := func(name string, list []program.Variable, start func(i int) float64) {
		fmt.Fprintf(&b, "const vehicle_variable vehicle_%s_table[%d] = {\n", name, max(1, len(list)))
		for i, v := range list {
			low, high := w.bounds(v.Name)
			fmt.Fprintf(&b, "    {%s, %s, %s, %s, %s, %s},\n", quoted(v.Name), quoted(v.Unit), quoted(v.Text),
				machinecode.Number(start(i)), low, high)
		}
		if len(list) == 0 {
			b.WriteString("    {\"\", \"\", \"\", 0.0, 0.0, 0.0}\n")
		}
		b.WriteString("};\n\n")
	}
	parameters := w.plan.Memory[w.plan.Rates.Memory][w.plan.Memories[w.plan.Rates.Memory].Parameters:]
	table("parameter", w.parameters(), func(i int) float64 { return parameters[i] })
	table("input", p.Inputs[:len(p.Inputs)-p.Controls], func(i int) float64 { return w.plan.U[i] })
	table("state", p.States, func(i int) float64 { return w.plan.X[i] })
	table("output", w.computed(), func(int) float64 { return 0 })
	w.texts(&b, "method", len(w.method), func(i int) string { return w.method[i] })
	warnings := w.warnings()
	w.texts(&b, "warning", len(warnings), func(i int) string { return warnings[i].text() })
	if n := len(w.plan.Called); n > 0 {
		w.texts(&b, "tire", n, func(i int) string { return w.plan.Called[i].Component })
	}
	w.texts(&b, "end", len(p.Ends), func(i int) string { return p.Ends[i].Component + ": " + p.Ends[i].Name })
	fmt.Fprintf(&b, "static const double vehicle_input_starts[VEHICLE_ALL_INPUTS + 1] = {\n")
	for _, x := range w.plan.U {
		fmt.Fprintf(&b, "    %s,\n", machinecode.Number(x))
	}
	b.WriteString("    0.0\n};\n\n")
	return b.String()
}

// texts writes a table of texts.
func (w *writer) texts(b *strings.Builder, name string, n int, text func(i int) string) {
	fmt.Fprintf(b, "const char *const vehicle_%s_table[%d] = {\n", name, max(1, n))
	for i := range n {
		fmt.Fprintf(b, "    %s,\n", quoted(text(i)))
	}
	if n == 0 {
		b.WriteString("    \"\"\n")
	}
	b.WriteString("};\n\n")
}

// bounds returns the bounds of a variable, in C.
func (w *writer) bounds(name string) (low, high string) {
	low, high = "-OP_INFINITY", "OP_INFINITY"
	s := w.in.System()
	if i, ok := s.Find(name); ok {
		v := s.Variables()[i]
		switch {
		case v.Positive:
			low = "0x1p-1074"
		case v.Nonnegative:
			low = "0.0"
		}
		if v.AtMostOne {
			high = "1.0"
		}
	}
	return low, high
}

// quoted returns a C string.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(text) {
		switch {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
