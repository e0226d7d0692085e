package bench

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"skidpad/capi/standalone"
	"skidpad/cosim"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/lanes"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

//go:embed c/tires.c
var tiresC string

//go:embed c/rates.c
var ratesC string

// plainC names the plain C of a tire function: type and function.
var plainC = map[string][2]string{
	"Pacejka02": {"pacejka2002", "pacejka2002_forces"}, "Fiala": {"fiala", "fiala_forces"},
	"StretchedString": {"stretched_string", "stretched_string_rates"},
	"ConstantLength":  {"constant_length", "constant_length_rates"},
}

// candidate is one implementation that is timed.
type candidate struct {
	name string
	run  func(n int)             // evaluates n times
	ask  func() (float64, error) // in place of run: returns nanoseconds per evaluation, measured elsewhere
	n    int
}

// compare measures candidates in turn, round by round.
func (s *Suite) compare(list []candidate) ([]Measurement, error) {
	results := make([]Measurement, len(list))
	for i := range list {
		results[i].Name = list[i].name
		if c := &list[i]; c.run != nil {
			for c.n = 1; ; c.n *= 2 { // about 5 ms a round
				begin := time.Now()
				if c.run(c.n); time.Since(begin) > 5*time.Millisecond {
					break
				}
			}
		}
	}
	for range s.Rounds {
		for i := range list {
			var v float64
			if c := &list[i]; c.run != nil {
				begin := time.Now()
				c.run(c.n)
				v = float64(time.Since(begin).Nanoseconds()) / float64(c.n)
			} else {
				var err error
				if v, err = c.ask(); err != nil {
					return nil, err
				}
			}
			results[i].Values = append(results[i].Values, v)
		}
	}
	return results, nil
}

// subject is a model whose rates are measured.
type subject struct {
	name      string
	model     *vehicle.Model
	program   *program.Program
	p, x, u   []float64
	kinds     []*tire.Kind
	functions []tire.Function
}

// newSubject reads a model.
func newSubject(path string) (*subject, error) {
	m, err := vehicle.Read(path)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".toml")
	for _, c := range m.Components { // the tape evaluates tires without a carcass here
		if t, is := c.(*component.Tire); is && t.Slip.Carcass {
			t.Slip.Carcass = false
			name = strings.TrimSuffix(name, delayed) + delayed
		}
	}
	return subjectOf(name, m)
}

// delayed is the suffix of models whose carcass tires are measured with delayed slip.
const delayed = ", delayed slip"

func subjectOf(name string, m *vehicle.Model) (*subject, error) {
	s := &subject{name: name, model: m}
	var err error
	if s.program, err = formulate.Program(m, formulate.Options{}); err != nil {
		return nil, err
	}
	for _, c := range s.program.Calls {
		k, err := tire.Lookup(c.Function)
		if err != nil {
			return nil, err
		}
		f, err := k.Make(c.Parameters, c.Combined)
		if err != nil {
			return nil, err
		}
		s.kinds, s.functions = append(s.kinds, k), append(s.functions, f)
	}
	for _, v := range s.program.Parameters {
		s.p = append(s.p, v.Start)
	}
	for _, v := range s.program.Inputs {
		s.u = append(s.u, v.Start)
	}
	s.x = make([]float64, len(s.program.States))
	tape, err := s.machine(s.program.Tape(), s.functions)
	if err != nil {
		return nil, err
	}
	tape.Start(s.u, s.x)
	for i, v := range s.program.States { // tires with slip
		switch {
		case strings.HasSuffix(v.Name, ".q1"):
			s.x[i] = 0.01
		case strings.HasSuffix(v.Name, ".q2"):
			s.x[i] = -0.02
		}
	}
	return s, nil
}

func (s *subject) machine(code program.Code, functions []tire.Function) (program.Machine, error) {
	m := s.program.NewMachine(code)
	for i, f := range functions {
		if err := m.Bind(i, f, s.kinds[i].Inputs); err != nil {
			return nil, err
		}
	}
	m.SetParameters(s.p)
	return m, nil
}

func (s *subject) evaluate(m program.Machine) func(n int) {
	x, dx := slices.Clone(s.x), make([]float64, len(s.x))
	return func(n int) {
		for range n {
			x[3%len(x)] += 1e-12
			m.Derivatives(0, x, s.u, dx)
		}
	}
}

// rates returns the rates at the states and inputs of the subject.
func (s *subject) rates(m program.Machine) []float64 {
	dx := make([]float64, len(s.x))
	m.Derivatives(0, s.x, s.u, dx)
	return dx
}

// generate returns the files of the model as generated C with the method euler. It also sets the inputs of the subject
// that the engine controls to their start values.
func (s *subject) generate() (map[string]string, error) {
	system, err := cosim.New(s.model, cosim.Options{})
	if err != nil {
		return nil, err
	}
	in, err := system.Instantiate()
	if err == nil {
		err = errors.Join(in.SetText("solver.method", "euler"), in.Initialise())
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	list, err := standalone.Files([]*cosim.Instance{in}, standalone.Options{Name: "vehicle"})
	if err != nil {
		return nil, err
	}
	files := map[string]string{"rates.c": ratesC}
	for _, f := range list {
		files[f.Name] = f.Text
	}
	plan, _ := in.Plan()
	copy(s.u, plan.Memory[plan.Rates.Memory][plan.Rates.Inputs:])
	return files, nil
}

// emit compiles the model as generated C. input has the states and inputs for the program.
func (s *subject) emit(folder string, flags ...string) (binary string, input string, err error) {
	files, err := s.generate()
	if err != nil {
		return "", "", err
	}
	var numbers strings.Builder
	for _, v := range slices.Concat(s.x, s.u[:len(s.u)-s.program.Controls]) {
		numbers.WriteString(strconv.FormatFloat(v, 'g', 17, 64) + "\n")
	}
	binary, err = compileC(folder, files, "rates.c", flags...)
	return binary, numbers.String(), err
}

// inC formats numbers as a C initialiser.
func inC(numbers []float64) string {
	var texts []string
	for _, v := range numbers {
		texts = append(texts, strconv.FormatFloat(v, 'g', 17, 64))
	}
	return strings.Join(texts, ", ")
}

// compileC compiles the file main of files with gcc -O3, or with cc if there is no gcc.
func compileC(folder string, files map[string]string, main string, flags ...string) (binary string, err error) {
	return compile([]string{"gcc", "cc"}, folder, files, main, flags...)
}

// compile compiles the file main of files with -O3 and the first installed compiler.
func compile(compilers []string, folder string, files map[string]string, main string, flags ...string) (string, error) {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	binary := filepath.Join(folder, strings.TrimSuffix(main, filepath.Ext(main)))
	compiler := compilers[len(compilers)-1]
	for _, c := range slices.Backward(compilers) {
		if _, err := exec.LookPath(c); err == nil {
			compiler = c
		}
	}
	arguments := append([]string{"-O3", "-o", binary, filepath.Join(folder, main)}, flags...)
	if out, err := exec.Command(compiler, append(arguments, "-lm", "-ldl")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return binary, nil
}

// askC runs a C program and returns the median of the printed numbers.
func askC(binary, input string, arguments ...string) (float64, error) {
	list, err := numbersOfC(binary, input, arguments...)
	if err != nil || len(list) == 0 {
		return 0, errors.Join(err, errors.New("no numbers from "+binary))
	}
	m := Measurement{Values: list}
	return m.Median(), nil
}

func numbersOfC(binary, input string, arguments ...string) ([]float64, error) {
	c := exec.Command(binary, arguments...)
	c.Stdin = strings.NewReader(input)
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	var list []float64
	for line := range strings.FieldsSeq(string(out)) {
		v, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// rightHandSides compares complete evaluations of the rates, tires included.
func (s *Suite) rightHandSides() ([]Section, error) {
	var sections []Section
	files := []string{"generic4w.toml", "skidder.toml", "truck3.toml", "car_trailer.toml"}
	for i := range files {
		files[i] = filepath.Join(s.Resources, "models", files[i])
	}
	for _, file := range append(files, s.Models...) {
		b, err := newSubject(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		section, err := s.rightHandSide(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		sections = append(sections, *section)
	}
	return sections, nil
}

func (s *Suite) rightHandSide(b *subject) (*Section, error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	tape, err := b.machine(b.program.Tape(), b.functions)
	if err != nil {
		return nil, err
	}
	var list []candidate
	for i, c := range []struct {
		name  string
		flags []string
	}{{base, []string{plain}}, {"the same, -march=native", []string{plain, native}},
		{"generated C with vectors, -march=native", []string{native}}} {
		subfolder := filepath.Join(folder, strconv.Itoa(i))
		if err := os.Mkdir(subfolder, 0o755); err != nil {
			return nil, err
		}
		binary, input, err := b.emit(subfolder, c.flags...)
		if err != nil {
			return nil, err
		}
		if rates, err := numbersOfC(binary, input, "0"); err != nil || !near(rates, b.rates(tape), 0) {
			return nil, errors.Join(err, fmt.Errorf("%s computes %g, the tape %g", c.name, rates, b.rates(tape)))
		}
		list = append(list, candidate{name: c.name,
			ask: func() (float64, error) { return askC(binary, input, "20000", "1") }})
	}
	want := b.rates(tape)
	add := func(name string, code program.Code, functions []tire.Function) error {
		m, err := b.machine(code, functions)
		if err != nil {
			return err
		}
		if got := b.rates(m); !near(got, want, 0) {
			return fmt.Errorf("%s computes %g, the tape %g", name, got, want)
		}
		list = append(list, candidate{name: name, run: b.evaluate(m)})
		return nil
	}
	if code, err := b.program.Native(b.program.Tape()); err == nil {
		if together := lanes.BatchFunctions(b.functions); len(together) > 0 {
			err = errors.Join(add("load-time native code", code, together),
				add("the same, tires one by one", code, b.functions))
		} else {
			err = add("load-time native code", code, b.functions)
		}
		if err != nil {
			return nil, err
		}
	}
	list = append(list, candidate{name: "tape", run: b.evaluate(tape)})
	results, err := s.compare(list)
	return &Section{
		Title: "Right-hand side of " + b.name, Unit: "ns", Base: base, List: results,
		Note: b.scope() + " All results are finite and bit-identical.",
	}, err
}

// base names the reference of all comparisons.
const base = "generated C -O3 " + plain

// plain is the flag for generated C without vectors.
const plain = "-DOP_LANES=1"

// scope describes the compared parts of the model.
func (s *subject) scope() string {
	if len(s.program.Calls) == 0 {
		return "Complete."
	}
	return "Complete, with " + s.program.Calls[0].Function + " tires."
}

// near reports whether two lists are finite and agree, relative to their size.
func near(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tolerance*(1+math.Abs(b[i]))) {
			return false
		}
	}
	return true
}

// tires compares tire functions.
func (s *Suite) tires() ([]Section, error) {
	var sections []Section
	for _, name := range []string{"Pacejka02", "Fiala", "StretchedString"} {
		section, err := s.tire(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sections = append(sections, *section)
	}
	return sections, nil
}

// points has the inputs of a tire that rolls with slip.
var points = map[string]float64{
	"Fz": 4500, "S": 0.02, "alpha": 0.03, "Omega": 50, "gamma": 0.01, "Reff": 0.33, "VCx": 20, "mu": 1, "direction": 1,
	"VPy": 0.4, "VEx": -0.3, "VPxs": 20, "VExs": 20, "q1": 0.01, "q2": 0.02,
}

// tireFiles names the parameter files of the measured tire functions.
var tireFiles = map[string]string{
	"Pacejka02": "pacejka2002.toml", "Fiala": "fiala_generic4w.toml", "StretchedString": "stretched_string.toml",
}

// tireProgram prints the results of a tire function in C or, with an argument, the time of one evaluation [ns].
const tireProgram = `#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <time.h>
#include "tires.c"
int main(int argc, char **argv)
{
	%[1]s p = { %[2]s };
	double in[] = { %[3]s }, out[5];
	struct timespec a, b;
	(void)argv;
	%[4]s(&p, in, out);
	for (int i = 0; argc == 1 && i < %[5]d; i++)
		printf("%%.17g\n", out[i]);
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < 20000; i++) {
		in[1] += 1e-9;
		%[4]s(&p, in, out);
		__asm__ volatile("" ::: "memory");
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (argc > 1)
		printf("%%.3f\n", ((b.tv_sec - a.tv_sec)*1e9 + b.tv_nsec - a.tv_nsec)/20000);
	return 0;
}
`

// compileTire compiles a tire function in C with its parameters and inputs.
func compileTire(folder, name string, parameters, in []float64, outputs int) (binary string, err error) {
	c := plainC[name]
	program := fmt.Sprintf(tireProgram, c[0], inC(parameters), inC(in), c[1], outputs)
	return compileC(folder, map[string]string{"tires.c": tiresC, "one.c": program}, "one.c")
}

func (s *Suite) tire(name string) (*Section, error) {
	kind, err := tire.Lookup(name)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(s.Resources, "tires", tireFiles[name]))
	if err != nil {
		return nil, err
	}
	parameters, err := tire.ParseFile(text, tireFiles[name])
	if err != nil {
		return nil, err
	}
	f, err := kind.New(parameters.Values)
	if err != nil {
		return nil, err
	}
	in, out := make([]float64, len(kind.Inputs)), make([]float64, len(kind.Outputs))
	for i, input := range kind.Inputs {
		in[i] = points[input]
	}
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	binary, err := compileTire(folder, name, parameters.Values, in, len(out))
	if err != nil {
		return nil, err
	}
	f.Eval(in, out)
	if want, err := numbersOfC(binary, ""); err != nil || !near(out, want, 1e-9) {
		return nil, errors.Join(err, fmt.Errorf("the tire function returns %g in Go and %g in C", out, want))
	}
	list := []candidate{
		{name: "C -O3", ask: func() (float64, error) { return askC(binary, "", "time") }},
		{name: "Go", run: func(n int) {
			for range n {
				in[1] += 1e-9
				f.Eval(in, out)
			}
		}},
	}
	results, err := s.compare(append(list, together(kind, f, in)...))
	return &Section{Title: "Tire function " + name, Unit: "ns", Base: "C -O3", List: results}, err
}

// together returns a candidate that evaluates four tires of one function in lanes; none without machine code.
func together(kind *tire.Kind, f tire.Function, in []float64) []candidate {
	member, ok := lanes.BatchFunctions(slices.Repeat([]tire.Function{f}, 4))[0].(tire.Grouped)
	if !ok {
		return nil
	}
	g, _ := member.Member()
	for k := range 4 {
		for a, x := range in {
			*g.Argument(k, a) = x
		}
	}
	return []candidate{{name: "four together, each", run: func(n int) {
		for range n / 4 {
			*g.Argument(0, 1) += 1e-9
			g.Eval()
		}
	}}}
}
