package generated_test

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/expr"
	"skidpad/model/program"
)

// largerMain prints what the emitted C makes of pairs of numbers on standard input.
const largerMain = `#include <stdio.h>
#include "model.c"
static void none(int call, const double *in, double *out, void *context)
{
	(void)call, (void)in, (void)out, (void)context;
}
int main(void)
{
	double v[pair_memory], p[1] = {0}, u[1] = {0}, x[3] = {0}, dx[3];
	pair_parameters_set(v, p);
	while (scanf("%lf %lf", x, x + 1) == 2) {
		pair_rates(v, x, u, dx, none, 0);
		printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
	}
	return 0;
}
`

// The larger and the smaller of two numbers are those of the tape in emitted C, where one of them is NaN, too.
func TestEmittedCKeepsNaN(t *testing.T) {
	testrun.Requires(t, "gcc")
	pool := expr.NewPool()
	symbols := map[string]*expr.Expr{}
	source := &program.Source{Name: "Pair", Pool: pool}
	for _, name := range []string{"x", "y", "z"} {
		symbols[name] = pool.Sym(name, expr.State)
	}
	for i, text := range []string{"max(x, y)", "min(x, y)", "clamp(x)"} {
		rate, err := pool.Parse(text, func(name string) *expr.Expr { return symbols[name] })
		if err != nil {
			t.Fatal(err)
		}
		name := []string{"x", "y", "z"}[i]
		source.States = append(source.States, program.SourceState{SourceSymbol: program.SourceSymbol{
			Variable: program.Variable{Name: name}, Symbol: symbols[name]}, Rate: rate, Begin: pool.Int(0)})
	}
	p, err := program.Build(source)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	writeText(t, folder, "model.c", p.C("pair"))
	main := writeText(t, folder, "main.c", largerMain)
	binary := filepath.Join(folder, "pair")
	out, err := exec.Command("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
		"-Wno-unused-parameter", "-O2", "-ffp-contract=off", "-o", binary, main, "-lm").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	numbers := []float64{math.NaN(), math.Inf(-1), -2, -0.5, 0, 0.5, 3, math.Inf(1)}
	var in strings.Builder
	for _, a := range numbers {
		for _, b := range numbers {
			fmt.Fprintln(&in, a, b)
		}
	}
	run := exec.Command(binary)
	run.Stdin = strings.NewReader(in.String())
	if out, err = run.Output(); err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(out))
	if len(fields) != 3*len(numbers)*len(numbers) {
		t.Fatalf("%d values from C", len(fields))
	}
	tape, want := p.NewTape(), make([]float64, 3)
	for _, a := range numbers {
		for _, b := range numbers {
			tape.Derivatives(0, []float64{a, b, 0}, nil, want)
			for i, w := range want {
				got, err := strconv.ParseFloat(fields[0], 64)
				if strings.HasSuffix(fields[0], "nan") {
					got, err = math.NaN(), nil
				}
				fields = fields[1:]
				if err != nil || got != w && !(math.IsNaN(got) && math.IsNaN(w)) {
					t.Errorf("rate %d at %v and %v: %v by C, %v by tape (%v)", i, a, b, got, w, err)
				}
			}
		}
	}
}
