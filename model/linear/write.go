package linear

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
	"skidpad/model/solver"
)

// constantTolerance is the largest change of linear equations along their steady motion, as a share of
// their size, up to which they count as constant.
const constantTolerance = 1e-7

// WriteModel writes the minimal form of a system s, which l.At returned, as a model file. The file has one component
// of linear equations, with the names, units and values of the vehicle's states, inputs and outputs. about describes
// the steady state. Where the vehicle moves on in the steady state, some variables are not linear in time, for example
// an angle of a wheel or the position in a turn. WriteModel leaves these variables out, and returns their names.
func (l *Model) WriteModel(to io.Writer, s *System, about string) (omitted []string, err error) {
	if len(s.States) == 0 {
		return nil, fmt.Errorf("model %s has no states, and a model of linear equations needs at least one: its "+
			"outputs follow from its inputs at once, by the matrix D", l.program.Name)
	}
	m, err := s.Minimal(nil)
	if err != nil {
		return nil, err
	}
	states, outputs, err := l.timeInvariant(s, m)
	if err != nil {
		return nil, err
	}
	for i, name := range m.States {
		if !slices.Contains(states, i) {
			omitted = append(omitted, name)
		}
	}
	for i, name := range m.Outputs {
		if !slices.Contains(outputs, i) && !slices.Contains(omitted, name) {
			omitted = append(omitted, name)
		}
	}
	outputs = slices.DeleteFunc(outputs, func(i int) bool { return slices.Contains(m.States, m.Outputs[i]) })
	var b bytes.Buffer
	l.writeHead(&b, omitted, about)
	b.WriteString("states = [\n")
	for _, i := range states {
		fmt.Fprintf(&b, "  { name = %s, unit = %s, value = %s, rate = %s },\n",
			quoted(m.States[i]), quoted(m.StateUnits[i]), number(m.X[i]), number(m.Rates[i]))
	}
	b.WriteString("]\n")
	l.writeInputs(&b, m)
	l.writeOutputs(&b, s, m, outputs)
	writeMatrix(&b, "A", m.A, states, states, m.States)
	writeMatrix(&b, "B", m.B, states, nil, m.States)
	writeMatrix(&b, "C", m.C, outputs, states, m.Outputs)
	writeMatrix(&b, "D", m.D, outputs, nil, m.Outputs)
	_, err = to.Write(b.Bytes())
	return omitted, err
}

// writeHead writes the file up to the keys of the component. rk4 replaces a solver method that handles constraints,
// because linear equations have none.
func (l *Model) writeHead(b *bytes.Buffer, omitted []string, about string) {
	source := l.source
	name := source.Solver.Method
	if method, err := solver.Lookup(name); err != nil || method.Constraints {
		name = "rk4"
	}
	fmt.Fprintf(b, "# Linear equations of %s about the steady state with %s.\n", source.Name, about)
	fmt.Fprintf(b, "name = %s\ntitle = %s\n", quoted(source.Name+"Linear"),
		quoted(strings.TrimPrefix(source.Title+", linear about "+about, ", ")))
	if source.Source != "" {
		fmt.Fprintf(b, "source = %s\n", quoted(source.Source))
	}
	if len(source.Outputs) > 0 {
		b.WriteString("outputs = [\n")
		for _, name := range source.Outputs {
			if !slices.Contains(omitted, name) {
				fmt.Fprintf(b, "  %s,\n", quoted(name))
			}
		}
		b.WriteString("]\n")
	}
	fmt.Fprintf(b, "\n[solver]\nmethod = %s\nstep = %s\n\n[experiment]\nstop_time = %s\n\n"+
		"[component.linear]\ntype = \"linear-equations\"\n",
		quoted(name), number(source.Solver.Step), number(source.StopTime))
}

// writeInputs writes the inputs. An input that is the rate of another input has the key rate_of.
func (l *Model) writeInputs(b *bytes.Buffer, m *System) {
	if len(m.Inputs) == 0 {
		return
	}
	rateOf := map[int]int{}
	for _, motion := range l.program.Motions {
		rateOf[motion.Rate] = motion.Position
		if motion.Acceleration >= 0 {
			rateOf[motion.Acceleration] = motion.Rate
		}
	}
	b.WriteString("inputs = [\n")
	for i, v := range l.program.Inputs[:len(m.Inputs)] {
		writeVariable(b, &v, m.U[i])
		if of, ok := rateOf[i]; ok {
			fmt.Fprintf(b, ", rate_of = %s", quoted(m.Inputs[of]))
		}
		b.WriteString(" },\n")
	}
	b.WriteString("]\n")
}

// writeOutputs writes the outputs that are not states of the minimal form m.
func (l *Model) writeOutputs(b *bytes.Buffer, s, m *System, outputs []int) {
	if len(outputs) == 0 {
		return
	}
	b.WriteString("outputs = [\n")
	for _, i := range outputs {
		v := l.program.Outputs[i]
		if slices.Contains(s.States, v.Name) {
			v.Text = "state of the vehicle, which follows from the other states"
		}
		writeVariable(b, &v, m.Y[i])
		b.WriteString(" },\n")
	}
	b.WriteString("]\n")
}

// writeVariable writes the table of an input or output, without the brace at its end.
func writeVariable(b *bytes.Buffer, v *program.Variable, value float64) {
	fmt.Fprintf(b, "  { name = %s, unit = %s, value = %s", quoted(v.Name), quoted(v.Unit), number(value))
	if v.Text != "" {
		fmt.Fprintf(b, ", text = %s", quoted(v.Text))
	}
}

// timeInvariant returns the indices of the states and outputs of the minimal form m of s whose equations stay constant
// along the steady state, and do not depend on states whose equations change.
func (l *Model) timeInvariant(s, m *System) (states, outputs []int, err error) {
	states, outputs = count(len(m.States)), count(len(m.Outputs))
	if floats.Norm(s.Rates, math.Inf(1)) == 0 {
		return states, outputs, nil
	}
	for _, time := range []float64{1, math.Sqrt2} { // [s]; no wheel turns a whole number of times in both
		copy(l.u, s.U)
		for i := range l.x {
			l.x[i] = s.X[i] + time*s.Rates[i]
		}
		if l.carried != nil {
			l.carried.Move(s.X, l.x)
		}
		later, err := l.lineariseAtState()
		if err != nil {
			return nil, nil, err
		}
		if later, err = later.Minimal(m.States); err != nil {
			return nil, nil, err
		}
		// isConstant reports whether rows i of the derivatives a and b are constant along the steady state, and value i
		// changes by a times the rates of the states.
		isConstant := func(i int, a, laterA, b, laterB *mat.Dense, value, laterValue []float64) bool {
			v, size := value[i], max(1, math.Abs(value[i]))
			for k, rate := range m.Rates {
				change := a.At(i, k) * rate * time
				v, size = v+change, max(size, math.Abs(change))
			}
			return !differ(a, laterA, i) && !differ(b, laterB, i) && math.Abs(laterValue[i]-v) <= constantTolerance*size
		}
		states = slices.DeleteFunc(states, func(i int) bool {
			return !isConstant(i, m.A, later.A, m.B, later.B, m.Rates, later.Rates)
		})
		outputs = slices.DeleteFunc(outputs, func(i int) bool {
			return !isConstant(i, m.C, later.C, m.D, later.D, m.Y, later.Y)
		})
	}
	for again := true; again; {
		// sees reports whether row i of a matrix depends on a state that is not in the list.
		sees := func(matrix *mat.Dense, i int) bool {
			for k := range m.States {
				if matrix.At(i, k) != 0 && !slices.Contains(states, k) {
					return true
				}
			}
			return false
		}
		before := len(states)
		states = slices.DeleteFunc(states, func(i int) bool { return sees(m.A, i) })
		outputs = slices.DeleteFunc(outputs, func(i int) bool { return sees(m.C, i) })
		again = len(states) < before
	}
	if len(states) == 0 {
		return nil, nil, fmt.Errorf("no state has linear equations that stay constant along the steady state")
	}
	return states, outputs, nil
}

// differ reports whether row i of two matrices differs.
func differ(a, b *mat.Dense, i int) bool {
	if a.IsEmpty() {
		return false
	}
	x, y := a.RawRowView(i), b.RawRowView(i)
	return floats.Distance(x, y, math.Inf(1)) > constantTolerance*max(1, floats.Norm(x, math.Inf(1)))
}

// writeMatrix writes rows and columns of a matrix as a key of the file, each row with its name as a comment; columns is
// nil for all columns.
func writeMatrix(b *bytes.Buffer, name string, m *mat.Dense, rows, columns []int, names []string) {
	if m.IsEmpty() || len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "%s = [\n", name)
	m = part(m, rows, columns)
	for i := range rows {
		b.WriteString("  [")
		for k, v := range m.RawRowView(i) {
			if k > 0 {
				b.WriteString(", ")
			}
			b.WriteString(number(v))
		}
		fmt.Fprintf(b, "], # %s\n", names[rows[i]])
	}
	b.WriteString("]\n")
}

// number writes a number so that reading it back is bit-identical; -0 is written as 0.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// quoted writes a text in quotes; TOML has the escapes of JSON.
func quoted(text string) string {
	q, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return string(q)
}
