package generated_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

type zeros int

func (zeros) Eval(_, out []float64) { clear(out) }

func write17(b *strings.Builder, v float64) {
	b.WriteString(strconv.FormatFloat(v, 'g', 17, 64) + "\n")
}

func parse(t testing.TB, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// cMain reads parameters, state and inputs, and prints the rates; with an
// argument n it also times n evaluations and prints nanoseconds each.
const cMain = `#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "model.c"

static void none(int call, const double *in, double *out, void *context)
{
	(void)in, (void)context, (void)call;
	for (int i = 0; i < 5; i++)
		out[i] = 0;
}

static void calls(int call, const double *in, double *out, void *context)
{
	(void)in, (void)context, (void)call;
	if (call % 2 == 0)
		none(call, in, out, context);
	else
		out[0] = out[1] = 0;
}

int main(int argc, char **argv)
{
	static double v[vehicle_memory], p[vehicle_parameters], x[vehicle_states], u[vehicle_inputs], dx[vehicle_states];
	for (int i = 0; i < vehicle_parameters; i++)
		if (scanf("%lf", p + i) != 1) return 1;
	for (int i = 0; i < vehicle_states; i++)
		if (scanf("%lf", x + i) != 1) return 1;
	for (int i = 0; i < vehicle_inputs; i++)
		if (scanf("%lf", u + i) != 1) return 1;
	vehicle_call call = argc > 1 ? calls : none;
	vehicle_parameters_set(v, p);
	vehicle_rates(v, x, u, dx, call, 0);
	if (argc > 1) {
		long n = atol(argv[1]);
		struct timespec a, b;
		clock_gettime(CLOCK_MONOTONIC, &a);
		for (long i = 0; i < n; i++) {
			x[3] += 1e-12;
			vehicle_rates(v, x, u, dx, call, 0);
		}
		clock_gettime(CLOCK_MONOTONIC, &b);
		printf("%.3f\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / n);
		return 0;
	}
	for (int i = 0; i < vehicle_states; i++)
		printf("%.17g\n", dx[i]);
	static double y[vehicle_outputs_count], x0[vehicle_states];
	vehicle_outputs(v, y);
	for (int i = 0; i < vehicle_outputs_count; i++)
		printf("%.17g\n", y[i]);
	vehicle_start(v, u, x0);
	for (int i = 0; i < vehicle_states; i++)
		printf("%.17g\n", x0[i]);
	return 0;
}
`

// BenchmarkRightHandSide times one evaluation of the rates, external calls
// answered by zeros, by tape, generated Go, and emitted C at gcc -O3 in the same
// run; the metrics are ratios to C.
func BenchmarkRightHandSide(b *testing.B) {
	for _, name := range []string{"generic4w", "skidder"} {
		s := newBench(b, name)
		dir := b.TempDir()
		for file, text := range map[string]string{"model.c": s.p.C("vehicle"), "main.c": cMain} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
		}
		binary := filepath.Join(dir, "model")
		out, err := exec.Command("gcc", "-O3", "-o", binary, filepath.Join(dir, "main.c"), "-lm").CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		var in strings.Builder
		for _, v := range s.p.Parameters {
			write17(&in, v.Start)
		}
		for _, v := range append(append([]float64(nil), s.x...), s.u...) {
			write17(&in, v)
		}
		run := exec.Command(binary, "200000")
		run.Stdin = strings.NewReader(in.String())
		out, err = run.Output()
		if err != nil {
			b.Fatal(err)
		}
		c := parse(b, strings.TrimSpace(string(out)))
		tape, generated, native := s.ready(s.p.NewTape()), s.generated(b), s.native(b)
		for i, call := range s.p.Calls {
			for _, m := range []program.Machine{tape, generated, native} {
				if err := m.Bind(i, zeros(len(call.Outputs)), nil); err != nil {
					b.Fatal(err)
				}
			}
		}
		dx := make([]float64, len(s.x))
		for _, m := range []struct {
			name string
			eval func()
		}{
			{"tape", func() { tape.Derivatives(0, s.x, s.u, dx) }},
			{"generated Go", func() { generated.Derivatives(0, s.x, s.u, dx) }},
			{"native", func() { native.Derivatives(0, s.x, s.u, dx) }},
		} {
			b.Run(fmt.Sprintf("%s/%s", name, m.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.x[3] += 1e-12
					m.eval()
				}
				for _, v := range dx {
					if math.IsNaN(v) {
						b.Fatal("not a number")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/c, "times-C-O3")
				b.ReportMetric(c, "ns/C-O3")
			})
		}
	}
}

// BenchmarkFormulation is what a model costs at load time: reading, formulation
// and optimisation. Morency (2007) needed 13.5 s and 11.4 s.
func BenchmarkFormulation(b *testing.B) {
	for _, name := range []string{"generic4w", "skidder"} {
		for _, tree := range []string{"default", "tire"} {
			b.Run(name+"/"+tree, func(b *testing.B) {
				for b.Loop() {
					m, err := vehicle.Read("../../../../resources/models/" + name + ".toml")
					if err != nil {
						b.Fatal(err)
					}
					if _, err := formulate.Program(m, formulate.Options{Tree: tree}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
