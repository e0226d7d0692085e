package standalone

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"skidpad/capi/standalone/text"
	"skidpad/model/program"
	"skidpad/model/road"
)

// CasADiCommand returns the arguments of the compiler for the functions for CasADi in their folder.
func CasADiCommand(name string) []string {
	return []string{"-O2", "-march=native", "-shared", "-fPIC", "-o", name + "_casadi.so", name + "_casadi.c"}
}

// casadi returns a file with the vehicle and its functions for CasADi, and the description of its variables.
func (w *writer) casadi() ([]File, error) {
	functions := text.CasADi
	if w.plan.Linear == nil { // the matrix of a linearly implicit step has no derivatives
		functions += text.StepDerivatives + text.CasADiStep
	}
	tables, err := w.casadiTables()
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("rates f, steps (%s) and outputs y, with derivatives.\n *\n *     cc %s\n", w.plan.Method,
		strings.Join(CasADiCommand(w.Name), " "))
	return w.merged("casadi", "CasADi: "+about, tables+text.Point+functions)
}

// acados returns a file with the vehicle and its functions for acados, and the description of its variables.
func (w *writer) acados() ([]File, error) {
	if w.plan.Linear != nil {
		return nil, errors.New("steps of linearly-implicit have no derivatives, which acados needs; choose another method " +
			"with --method")
	}
	controlled, err := w.controlled()
	if err != nil {
		return nil, err
	}
	tables := fmt.Sprintf("\nenum { VEHICLE_CONTROLLED = %d };\n"+
		"static const int vehicle_controlled[VEHICLE_CONTROLLED + 1] = {%s0};\n", len(controlled), numbers(controlled))
	return w.merged("acados", "acados: steps ("+w.plan.Method+") with derivatives.\n",
		tables+text.Point+text.StepDerivatives+text.Acados)
}

// merged returns a vehicle with functions in one file, and the description of its variables.
func (w *writer) merged(target, about, functions string) ([]File, error) {
	if err := w.timed(); err != nil {
		return nil, err
	}
	if len(w.plan.Contacts) > 0 {
		return nil, fmt.Errorf("the wheel contact %s acts between solver steps; functions for CasADi and acados have no "+
			"such steps; use --target c", w.plan.Contacts[0].Name)
	}
	if len(w.method) > 1 {
		return nil, errors.New("steps for CasADi and acados have one method; give one with --method")
	}
	source, mark, err := w.marked()
	if err != nil {
		return nil, err
	}
	varied, err := w.varied()
	if err != nil {
		return nil, err
	}
	varies := fmt.Sprintf("\nenum { VEHICLE_VARIED = %d };\n"+
		"static const int vehicle_varied[VEHICLE_VARIED + 1] = {%s0};\nenum { VEHICLE_STAGES = %d };\n", len(varied),
		numbers(varied),
		map[string]int{euler: 1, "heun": 2, "rk4": 4}[w.method[0]])
	header := strings.Replace(w.header(), "/* The functions of "+w.Name+".c. */\n", "", 1)
	variables, err := w.moduleTables()
	about = fmt.Sprintf("/* %s for %s */\n", printable(w.in.System().Model().Name), about)
	return []File{
		{w.Name + "_" + target + ".c", about + header + "\n" + mark +
			"/* CasADi wants the name step_work for a function. */\n#define step_work step_task\n" + source +
			"#undef step_work\n" + w.named(varies+functions)},
		{w.Name + ".json", variables + "\n"},
	}, err
}

// timed returns an error if the vehicle depends on the time.
func (w *writer) timed() error {
	const why = "functions for CasADi and acados depend on states, inputs and parameters alone"
	p := w.in.System().Program()
	if p.Timed {
		return errors.New("equations of the model mention the time; " + why)
	}
	for i := range w.plan.Surfaces {
		s := &w.plan.Surfaces[i]
		for _, l := range []*road.Lookup{&s.Heights, s.Friction} {
			if l == nil || l.Kind != road.Formula {
				continue
			}
			for _, r := range runsOf(l.Rates, l.Outputs) {
				b, err := r.Operations()
				if err != nil {
					return err
				}
				if slices.Contains(b.Loaded(), int32(l.Rates.Inputs)+2) {
					return fmt.Errorf("%s: a formula mentions the time t; %s", p.Terrains[i].Name, why)
				}
			}
		}
	}
	return nil
}

// controlled returns the indices of the inputs that are controls of acados.
func (w *writer) controlled() (list []int, err error) {
	p := w.in.System().Program()
	inputs := p.Inputs[:len(p.Inputs)-p.Controls]
	for _, name := range w.Controls {
		k := slices.IndexFunc(inputs, func(v program.Variable) bool { return v.Name == name })
		if k < 0 {
			return nil, fmt.Errorf("--controls: the model has no input %q", name)
		}
		list = append(list, k)
	}
	if len(w.Controls) == 0 {
		for k := range inputs {
			list = append(list, k)
		}
	}
	return list, nil
}

// varied returns the indices of the parameters that are arguments of the functions.
func (w *writer) varied() (list []int, err error) {
	p := w.in.System().Program()
	for _, name := range w.Vary {
		k := slices.IndexFunc(p.Parameters, func(v program.Variable) bool { return v.Name == name })
		if k < 0 || p.Parameters[k].StartValue {
			return nil, fmt.Errorf("--vary: the model has no parameter %q that its equations depend on", name)
		}
		list = append(list, k)
	}
	return list, nil
}

// matrix is an argument or a result of a function for CasADi: its name, and the rows of each column.
type matrix struct {
	name    string
	rows    int
	columns [][]int
}

// dense returns a matrix without structural zeros.
func dense(name string, rows, columns int) matrix {
	every := make([]int, rows)
	for i := range every {
		every[i] = i
	}
	return matrix{name, rows, slices.Repeat([][]int{every}, columns)}
}

// pattern returns the sparsity pattern of a matrix for CasADi: numbers of rows and columns, beginnings of columns,
// and rows.
func (m matrix) pattern() []int {
	at, rows := []int{0}, []int{}
	for _, c := range m.columns {
		rows = append(rows, c...)
		at = append(at, len(rows))
	}
	return slices.Concat([]int{m.rows, len(m.columns)}, at, rows)
}

// casadiTables returns names and patterns of all functions, and the parameters that are arguments.
func (w *writer) casadiTables() (string, error) {
	varied, err := w.varied()
	if err != nil {
		return "", err
	}
	p := w.in.System().Program()
	nx, nu, np, ny := len(p.States), len(p.Inputs)-p.Controls, len(varied), len(w.shown())
	x, u, of := dense("x", nx, 1), dense("u", nu, 1), dense("p", np, 1)
	var s strings.Builder
	known := map[string]string{}
	function := func(name string, list ...matrix) {
		var names, patterns []string
		for _, m := range list {
			names = append(names, quoted(m.name))
			pattern := numbers(m.pattern())
			if known[pattern] == "" {
				known[pattern] = fmt.Sprintf("vehicle_pattern_%d", len(known)+1)
				fmt.Fprintf(&s, "static const long long int %s[] = {%s0};\n", known[pattern], broken(pattern))
			}
			patterns = append(patterns, known[pattern])
		}
		fmt.Fprintf(&s, "static const char *const %s_names[] = {%s};\n", name, strings.Join(names, ", "))
		fmt.Fprintf(&s, "static const long long int *const %s_patterns[] = {%s};\n", name, strings.Join(patterns, ", "))
	}
	columns, _ := w.columns()
	for _, f := range []struct {
		name, result string
		first, count int
	}{{"f", "xdot", 0, nx}, {"y", "y", nx, ny}} {
		function(f.name, x, u, of, dense(f.result, f.count, 1))
		value := matrix{"out_" + f.result, f.count, [][]int{{}}}
		by := func(name string, columns []column) matrix {
			m := matrix{"jac_" + f.result + "_" + name, f.count, nil}
			for _, c := range columns {
				var rows []int
				for _, row := range c.rows {
					if row -= f.first; row >= 0 && row < f.count {
						rows = append(rows, row)
					}
				}
				m.columns = append(m.columns, rows)
			}
			return m
		}
		function("jac_"+f.name, x, u, of, value, by("x", columns[:nx]), by("u", columns[nx:]),
			dense("jac_"+f.result+"_p", f.count, np))
		for _, n := range []int{1, 4} {
			function(fmt.Sprintf("fwd%d_%s", n, f.name), x, u, of, value, dense("fwd_x", nx, n), dense("fwd_u", nu, n),
				dense("fwd_p", np, n), dense("fwd_"+f.result, f.count, n))
		}
		function("adj1_"+f.name, x, u, of, value, dense("adj_"+f.result, f.count, 1), dense("adj_x", nx, 1),
			dense("adj_u", nu, 1), dense("adj_p", np, 1))
	}
	h, value := dense("h", 1, 1), matrix{"out_x1", nx, [][]int{{}}}
	function("step", x, u, of, h, dense("x1", nx, 1))
	if w.plan.Linear != nil {
		return s.String(), nil
	}
	function("jac_step", x, u, of, h, value, dense("jac_x1_x", nx, nx), dense("jac_x1_u", nx, nu),
		dense("jac_x1_p", nx, np), dense("jac_x1_h", nx, 1))
	for _, n := range []int{1, 4} {
		function(fmt.Sprintf("fwd%d_step", n), x, u, of, h, value, dense("fwd_x", nx, n), dense("fwd_u", nu, n),
			dense("fwd_p", np, n), dense("fwd_h", 1, n), dense("fwd_x1", nx, n))
	}
	function("adj1_step", x, u, of, h, value, dense("adj_x1", nx, 1), dense("adj_x", nx, 1), dense("adj_u", nu, 1),
		dense("adj_p", np, 1), dense("adj_h", 1, 1))
	return s.String(), nil
}

// broken breaks a long list of numbers into lines.
func broken(list string) string {
	var s strings.Builder
	for length, word := 0, ""; list != ""; {
		word, list, _ = strings.Cut(list, " ")
		if length += len(word) + 1; length > 100 {
			s.WriteString("\n    ")
			length = len(word) + 1
		}
		s.WriteString(word + " ")
	}
	return s.String()
}
