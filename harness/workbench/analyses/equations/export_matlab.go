package equations

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/formulate"
)

var functionName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,62}$`)

// matlab writes a file of m-code: a function of the file's name that returns handles and tables.
func (e *export) matlab(w io.Writer, file string) error {
	name := strings.TrimSuffix(filepath.Base(file), ".m")
	if file == "-" {
		name = "equations_of_motion"
	}
	if !functionName.MatchString(name) {
		return fmt.Errorf("--out %s: a file of m-code has the name of its function: letters, digits and _, at most 63, "+
			"beginning with a letter", file)
	}
	f, n := e.Formulation, e.matlabNotation()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("function eq = %s()", name)
	line("%% %s: %s, tree %s", oneLine(e.Model.Name), oneLine(e.Model.Title), oneLine(e.Tree))
	line("%% %s", strings.ReplaceAll(e.form("CT", "p'", "q'", "Phi'"), "\n", "\n% "))
	line("%% written by: %s", e.command)
	b.WriteString(matlabHelp)
	functions := e.functions()
	for i := range functions {
		if !private[functions[i].name] {
			line("eq.%s = @%s; %% %s", functions[i].name, functions[i].name, functions[i].text)
		}
	}
	line("eq.rates = @rates; %% p' of the equations, q', and rates of the states of components")
	line("eq.reactions = @reactions; %% forces f of the constraints")
	line("%% name, value, unit; eq.p has the values by identifiers\neq.parameters = [cell(0, 3); {")
	for _, p := range e.parameters {
		line("  %s, %s, %s;%s", quoted(p.Name), expr.ShortNumber(p.Value), quoted(p.Unit), matlabRemark(p.Text))
	}
	line("}];\neq.p = struct();")
	for i, p := range e.parameters {
		line("eq.p.%s = eq.parameters{%d, 2};", e.names.Of(p.Symbol), i+1)
	}
	line("%% name, start value, unit, in the order of the state vector; eq.x has the start values")
	line("eq.states = [cell(0, 3); {")
	starts := e.starts()
	for i, s := range f.States() {
		line("  %s, %s, %s;%s", quoted(s.Name), expr.ShortNumber(starts[i]), quoted(s.Unit), matlabRemark(s.Text))
	}
	line("}];\neq.x = reshape([eq.states{:, 2}], [], 1);")
	line("%% name, value, unit; eq.u has the values\neq.inputs = [cell(0, 3); {")
	for _, in := range e.inputs {
		line("  %s, %s, %s;%s", quoted(in.Name), expr.ShortNumber(in.Start), quoted(in.Unit), matlabRemark(in.Text))
	}
	line("}];\neq.u = reshape([eq.inputs{:, 2}], [], 1);")
	line("eq.speeds = {%s};\neq.coordinates = {%s};\neq.constraints = {%s};", quotedList(namesOf(f.Speeds)),
		quotedList(namesOf(f.Coordinates)), quotedList(e.constraints()))
	line("%% external functions, to be set: arguments, and the vector that is returned\neq.calls = struct();")
	for _, c := range e.used(functions) {
		line("%% %s(%s)\n%%   -> %s\neq.calls.%s = [];", c.Function, strings.Join(c.Inputs, ", "),
			strings.Join(c.Outputs, ", "), callField(&c))
	}
	line("end")
	for i := range functions {
		e.matlabFunction(&b, n, &functions[i])
	}
	e.matlabRates(&b)
	for _, t := range e.tables.list {
		line("\nfunction y = %s(x)\n  values = [%s];", e.tables.name[t], numbersOf(t))
		if isGrid(t) {
			line("  y = sum(x >= values); %% how many of them are not above x\nend")
		} else {
			line("  y = values(min(max(floor(x), 0), numel(values) - 1) + 1);\nend")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const matlabHelp = `%
% Each function takes the states x and the inputs u, columns in the order of the tables below, the parameters p, a struct,
% and calls, a struct of handles of external functions: eq.rates(eq.x, eq.u, eq.p, eq.calls).
`

// matlabFunction writes a function.
func (e *export) matlabFunction(b *strings.Builder, n *expr.Notation, g *function) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	arguments := "x, u, p, calls"
	if g.name == "internal" {
		arguments += ", solution"
	}
	line("\nfunction result = %s(%s)\n%% %s", g.name, arguments, g.text)
	index := map[string]int{}
	for i, s := range e.Formulation.States() {
		index["x"+s.Name] = i + 1
	}
	for i, in := range e.inputs {
		index["u"+in.Name] = i + 1
	}
	e.unpack(g, func(symbol *expr.Expr, table, key string) {
		if table == "p" {
			line("  %s = p.%s;", e.names.Of(symbol), e.names.Of(symbol))
		} else {
			line("  %s = %s(%d);", e.names.Of(symbol), table, index[table+key])
		}
	}, func(d *expr.Expr, s solved) {
		line("  %s = %s;", e.names.Of(d), times(s.factor.Mul(d.Value()), fmt.Sprintf("solution(%d)", s.at+1)))
	})
	called := false
	for _, d := range g.definitions {
		if d.Depends()&expr.Returned != 0 && !called {
			called = true
			e.matlabCallsOf(b, n, g)
		}
		line("  %s = %s;", e.names.Of(d), n.Subterm(d))
	}
	if !called {
		e.matlabCallsOf(b, n, g)
	}
	columns := g.columns
	if g.vector {
		columns = 1
	}
	line("  result = zeros(%d, %d);", len(g.rows), columns)
	for i, row := range g.rows {
		for j, x := range row {
			if !x.IsZero() {
				line("  result(%d, %d) = %s;", i+1, j+1, n.Write(x))
			}
		}
	}
	line("end")
}

func (e *export) matlabCallsOf(b *strings.Builder, n *expr.Notation, g *function) {
	for i := range g.calls {
		c := &g.calls[i]
		var arguments []string
		for _, a := range c.Arguments {
			arguments = append(arguments, n.Write(a))
		}
		load := "[]"
		if c.Load != nil {
			load = arguments[indexOf(c.Inputs, "Fz")]
		}
		names := returnedNames(c, e.names)
		fmt.Fprintf(b, "  returned = called(calls, '%s', %d, {%s}, %s);\n", callField(c), len(names),
			strings.Join(arguments, ", "), load)
		for k, name := range names {
			fmt.Fprintf(b, "  %s = returned(%d);\n", name, k+1)
		}
	}
}

// callField is the identifier of a call: tire_FL_force of tire_FL.force.
func callField(c *formulate.Call) string { return strings.ReplaceAll(c.Name, ".", "_") }

// matlabRates writes what solves the equations.
func (e *export) matlabRates(b *strings.Builder) {
	f := e.Formulation
	solution := `  mass = M(x, u, p, calls);
  directions = CT(x, u, p, calls);
  asked = [b(x, u, p, calls); e(x, u, p, calls)];
  solution = [mass, directions; directions', -slack(x, u, p, calls)] \ asked;
`
	if f.Weighted() {
		solution = "  solution = weighted(x, u, p, calls);\n"
	}
	n := len(f.Speeds)
	fmt.Fprintf(b, `
function result = rates(x, u, p, calls)
  solution = solved(x, u, p, calls);
  result = [solution(1:%d); h(x, u, p, calls); internal(x, u, p, calls, solution)];
end

function result = reactions(x, u, p, calls)
  result = solved(x, u, p, calls);
  result = result(%d:end);
end

function solution = solved(x, u, p, calls)
%% p' and f of M p' + CT f = b, C p' - slack f = e
%send

function values = called(calls, name, count, arguments, load)
%% the results of an external function; where a load acts, it is the last: from the function, or the given one
  if ~isfield(calls, name) || isempty(calls.(name))
    error('calls.%%s is not set; the file lists its arguments and results', name);
  end
  values = calls.(name)(arguments{:});
  if ~isempty(load) && numel(values) == count - 1
    values = [values(:); load];
  end
  if numel(values) ~= count
    error('calls.%%s returned %%d values; it must return %%d', name, numel(values), count);
  end
end

function y = clamp(x)
  y = max(-1, min(1, x));
end

function y = where(c, x)
  y = 0;
  if c > 0
    y = x;
  end
end
`, n, n+1, solution)
}

// matlabNotation returns the notation of m-code.
func (e *export) matlabNotation() *expr.Notation {
	return &expr.Notation{
		Name:   e.names.Of,
		Number: expr.ShortNumber,
		Function: func(x *expr.Expr, args []string) string {
			switch name := x.Fn().String(); {
			case x.Table() != nil:
				return e.tables.name[x.Table()] + "(" + args[0] + ")"
			case x.Fn() == expr.Step:
				return "double(" + args[0] + " > 0)"
			case x.Fn() == expr.Log:
				return "log(" + args[0] + ")"
			default:
				return name + "(" + strings.Join(args, ", ") + ")"
			}
		},
		Power: func(base string, n int) string { return base + "^" + strconv.Itoa(n) },
		Times: "*",
		Group: func(inner string) string { return "(" + inner + ")" },
	}
}

// quoted writes a string of m-code within one line.
func quoted(text string) string { return "'" + strings.ReplaceAll(oneLine(text), "'", "''") + "'" }

func quotedList(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, quoted(name))
	}
	return strings.Join(list, ", ")
}

func matlabRemark(text string) string {
	if text == "" {
		return ""
	}
	return " % " + oneLine(text)
}
