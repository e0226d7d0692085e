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

	"skidpad/model"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/shipped"
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

// candidate is one way to compute something.
type candidate struct {
	name string
	run  func(n int)             // does it n times
	ask  func() (float64, error) // instead: nanoseconds each, measured elsewhere
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
	program   *program.Program
	p, x, u   []float64
	kinds     []*tire.Kind
	functions []tire.Function
}

func newSubject(path string) (*subject, error) {
	m, err := model.Read(path)
	if err != nil {
		return nil, err
	}
	return subjectOf(strings.TrimSuffix(filepath.Base(path), ".toml"), m)
}

func subjectOf(name string, m *model.Model) (*subject, error) {
	s := &subject{name: name}
	var err error
	if s.program, err = formulate.Program(m, formulate.Options{}); err != nil {
		return nil, err
	}
	for _, c := range s.program.Calls {
		k, err := tire.Lookup(c.Function)
		if err != nil {
			return nil, err
		}
		f, err := k.New(c.Parameters)
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
	for i, v := range s.program.States { // a tire that works
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

// rates are the rates at the subject's point.
func (s *subject) rates(m program.Machine) []float64 {
	dx := make([]float64, len(s.x))
	m.Derivatives(0, s.x, s.u, dx)
	return dx
}

// emit compiles the model as C.
func (s *subject) emit(folder string) (binary string, input string, err error) {
	var calls strings.Builder
	calls.WriteString("static void calls(int call, const double *in, double *out, void " +
		"*context)\n{\n\t(void)context;\n\tswitch (call) {\n")
	for i, c := range s.program.Calls {
		names, ok := plainC[c.Function]
		if !ok {
			return "", "", fmt.Errorf("there is no plain C of %s", c.Function)
		}
		var values, arguments []string
		for _, v := range c.Parameters {
			values = append(values, strconv.FormatFloat(v, 'g', 17, 64))
		}
		for _, name := range s.kinds[i].Inputs {
			arguments = append(arguments, fmt.Sprintf("in[%d]", slices.Index(c.Inputs, name)))
		}
		fmt.Fprintf(&calls,
			"\tcase %d: {\n\t\tstatic const %s p = { %s };\n\t\tdouble a[] = { %s };\n\t\t%s(&p, a, "+
				"out);\n\t\treturn;\n\t}\n",
			i, names[0], strings.Join(values, ", "), strings.Join(arguments, ", "), names[1])
	}
	calls.WriteString("\t}\n}\n")
	var numbers strings.Builder
	for _, v := range slices.Concat(s.p, s.x, s.u) {
		numbers.WriteString(strconv.FormatFloat(v, 'g', 17, 64) + "\n")
	}
	binary, err = compileC(folder, map[string]string{"tires.c": tiresC, "model.c": s.program.C("vehicle"),
		"calls.c": calls.String(), "rates.c": ratesC}, "rates.c")
	return binary, numbers.String(), err
}

// compileC compiles one of some files with gcc -O3, or with another compiler where there is no
// gcc.
func compileC(folder string, files map[string]string, main string, flags ...string) (binary string, err error) {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	binary = filepath.Join(folder, strings.TrimSuffix(main, ".c"))
	compiler := "gcc"
	if _, err := exec.LookPath(compiler); err != nil {
		compiler = "cc"
	}
	arguments := append([]string{"-O3", "-o", binary, filepath.Join(folder, main)}, flags...)
	if out, err := exec.Command(compiler, append(arguments, "-lm", "-ldl")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return binary, nil
}

// askC runs a C program and returns the median of the numbers it prints.
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
		section, err := s.rightHandSide(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		sections = append(sections, *section)
	}
	return sections, nil
}

func (s *Suite) rightHandSide(file string) (*Section, error) {
	b, err := newSubject(file)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	binary, input, err := b.emit(folder)
	if err != nil {
		return nil, err
	}
	tape, err := b.machine(b.program.Tape(), b.functions)
	if err != nil {
		return nil, err
	}
	want := b.rates(tape)
	list := []candidate{{name: "emitted C -O3",
		ask: func() (float64, error) { return askC(binary, input, "20000", "1") }}}
	if rates, err := numbersOfC(binary, input, "0"); err != nil || !near(rates, want, 1e-9) {
		return nil, errors.Join(err, fmt.Errorf("emitted C computes %g, the tape %g", rates, want))
	}
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
	portable := b.program.Tape()
	if code, ok := shipped.Lookup(b.program.Fingerprint()); ok {
		portable = code
		if err := add("generated Go", code, b.functions); err != nil {
			return nil, err
		}
	}
	if code, err := b.program.Native(portable); err == nil {
		if err := errors.Join(add("load-time native code", code, tire.BatchFunctions(b.kinds, b.functions)),
			add("the same, tires one by one", code, b.functions)); err != nil {
			return nil, err
		}
	}
	list = append(list, candidate{name: "tape", run: b.evaluate(tape)})
	results, err := s.compare(list)
	return &Section{
		Title: "Right-hand side of " + b.name, Unit: "ns", Base: "emitted C -O3", List: results,
		Note: "Complete, with " + b.program.Calls[0].Function +
			" tires. All results are finite and bit-identical to the tape; C agrees within 1e-9.",
	}, err
}

// near reports whether two lists agree relative to their size, and are finite.
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

// points are inputs of a tire that rolls with slip.
var points = map[string]float64{
	"Fz": 4500, "S": 0.02, "alpha": 0.03, "Omega": 50, "gamma": 0.01, "Reff": 0.33, "VCx": 20, "mu": 1,
	"VPy": 0.4, "VEx": -0.3, "VPxs": 20, "VExs": 20, "q1": 0.01, "q2": 0.02,
}

func (s *Suite) tire(name string) (*Section, error) {
	kind, err := tire.Lookup(name)
	if err != nil {
		return nil, err
	}
	file := map[string]string{"Pacejka02": "pacejka2002.toml", "Fiala": "fiala_generic4w.toml",
		"StretchedString": "stretched_string.toml"}[name]
	text, err := os.ReadFile(filepath.Join(s.Resources, "tires", file))
	if err != nil {
		return nil, err
	}
	parameters, err := tire.ParseFile(text, file)
	if err != nil {
		return nil, err
	}
	f, err := kind.New(parameters.Values)
	if err != nil {
		return nil, err
	}
	in, out := make([]float64, len(kind.Inputs)), make([]float64, len(kind.Outputs))
	var values, arguments []string
	for _, v := range parameters.Values {
		values = append(values, strconv.FormatFloat(v, 'g', 17, 64))
	}
	for i, input := range kind.Inputs {
		in[i] = points[input]
		arguments = append(arguments, strconv.FormatFloat(in[i], 'g', 17, 64))
	}
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	c := plainC[name]
	binary, err := compileC(folder, map[string]string{"tires.c": tiresC,
		"one.c": fmt.Sprintf(`#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <time.h>
#include "tires.c"
int main(int argc, char **argv)
{
	%s p = { %s };
	double in[] = { %s }, out[5];
	struct timespec a, b;
	(void)argv;
	%s(&p, in, out);
	for (int i = 0; argc == 1 && i < %d; i++)
		printf("%%.17g\n", out[i]);
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < 20000; i++) {
		in[1] += 1e-9;
		%s(&p, in, out);
		__asm__ volatile("" ::: "memory");
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (argc > 1)
		printf("%%.3f\n", ((b.tv_sec - a.tv_sec)*1e9 + b.tv_nsec - a.tv_nsec)/20000);
	return 0;
}
`, c[0], strings.Join(values, ", "), strings.Join(arguments, ", "), c[1], len(out), c[1])}, "one.c")
	if err != nil {
		return nil, err
	}
	f.Eval(in, out)
	if want, err := numbersOfC(binary, ""); err != nil || !near(out, want, 1e-9) {
		return nil, errors.Join(err, fmt.Errorf("in Go %g is computed, in C %g", out, want))
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
	kinds, functions := slices.Repeat([]*tire.Kind{kind}, 4), slices.Repeat([]tire.Function{f}, 4)
	if member, ok := tire.BatchFunctions(kinds, functions)[0].(tire.Grouped); ok {
		g, _ := member.Member()
		for k := range 4 {
			for a, x := range in {
				*g.Argument(k, a) = x
			}
		}
		list = append(list, candidate{name: "four together, each", run: func(n int) {
			for range n / 4 {
				*g.Argument(0, 1) += 1e-9
				g.Eval()
			}
		}})
	}
	results, err := s.compare(list)
	return &Section{Title: "Tire function " + name, Unit: "ns", Base: "C -O3", List: results}, err
}
