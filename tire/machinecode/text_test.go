package machinecode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// inC has functions that run in a process of their own.
type inC struct {
	*Text
	names []string
	limbs []bool
}

func newInC() *inC { return &inC{Text: NewText("t")} }

func (c *inC) added(name string, limbs bool) int {
	c.names, c.limbs = append(c.names, name), append(c.limbs, limbs)
	return len(c.names) - 1
}

// source is a program that reads runs and writes their results: the number of a function, how many numbers the memory
// and the fixed numbers have, and these.
func (c *inC) source() string {
	var s strings.Builder
	s.WriteString(c.Operations())
	s.WriteString("\n#include <stdio.h>\n#include <stdlib.h>\n\n")
	s.WriteString(c.Functions())
	s.WriteString("typedef int function(double *m, const double *f);\n")
	s.WriteString("static int run(uint32_t n, double *m, const double *f)\n{\n    switch (n) {\n")
	for k, name := range c.names {
		fmt.Fprintf(&s, "    case %d:\n", k)
		if c.limbs[k] {
			fmt.Fprintf(&s, "        %s_copy(m);\n", name)
		}
		fmt.Fprintf(&s, "        return %s(m, f);\n", name)
	}
	s.WriteString(`    default:
        return -1;
    }
}

int main(void)
{
    uint32_t head[3];
    while (fread(head, sizeof head, 1, stdin) == 1) {
        double *m = (double *)calloc(head[1] + 1, sizeof *m), *f = (double *)calloc(head[2] + 1, sizeof *f);
        if (fread(m, sizeof *m, head[1], stdin) != head[1] || fread(f, sizeof *f, head[2], stdin) != head[2])
            return 1;
        head[0] = (uint32_t)run(head[0], m, f);
        fwrite(head, sizeof *head, 1, stdout);
        fwrite(m, sizeof *m, head[1], stdout);
        free(m);
        free(f);
    }
    return 0;
}
`)
	return s.String()
}

// aRun is one run of a function.
type aRun struct {
	function      int
	memory, fixed []float64
	good          bool // no guard gave up
}

// warnings lists the warnings that the text must not cause.
var warnings = strings.Fields("-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion " +
	"-Wstrict-prototypes -Werror")

// compileC compiles a C text; a compiler may have flags.
func compileC(t *testing.T, source, compiler string, flags ...string) string {
	t.Helper()
	fields := strings.Fields(compiler)
	testrun.Requires(t, fields[0])
	folder := t.TempDir()
	file, program := filepath.Join(folder, "text.c"), filepath.Join(folder, "text")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := append(fields[1:], warnings...)
	if strings.HasSuffix(fields[0], "++") {
		arguments = append(fields[1:], "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-x", "c++")
	}
	arguments = append(append(arguments, flags...), "-o", program, file)
	if out, err := exec.Command(fields[0], arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%.4000s", compiler, strings.Join(flags, " "), err, out)
	}
	return program
}

// inProcess runs runs in a program.
func inProcess(t *testing.T, command []string, runs []aRun) []aRun {
	t.Helper()
	var in bytes.Buffer
	for _, r := range runs {
		binary.Write(&in, binary.NativeEndian, []uint32{uint32(r.function), uint32(len(r.memory)), uint32(len(r.fixed))})
		binary.Write(&in, binary.NativeEndian, r.memory)
		binary.Write(&in, binary.NativeEndian, r.fixed)
	}
	c := exec.Command(command[0], command[1:]...)
	c.Stdin = &in
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	from := bytes.NewReader(out)
	got := make([]aRun, len(runs))
	for i, r := range runs {
		var gaveUp int32
		got[i].memory = make([]float64, len(r.memory))
		if err := binary.Read(from, binary.NativeEndian, &gaveUp); err != nil {
			t.Fatal(err)
		}
		if err := binary.Read(from, binary.NativeEndian, got[i].memory); err != nil {
			t.Fatal(err)
		}
		got[i].good = gaveUp == 0
	}
	return got
}

// builds are compilers with their options.
var builds = []string{"gcc -std=c99 -O2", "gcc -O2 -march=native", "gcc -O0 -march=native", "gcc -O1",
	"gcc -O3 -march=native", "gcc -Os -std=c11", "g++ -std=c++17 -O2 -march=native", "clang -std=c99 -O0",
	"clang -O2 -march=native", "clang -O3 -march=native", "clang -O3", "gcc -std=c99 -O2 -DOP_LANES=1",
	"clang -O2 -march=native -DOP_LANES=1", "g++ -std=c++17 -O1 -DOP_LANES=1",
	"gcc -O3 -march=native -ftrapv -fsanitize=undefined -fno-sanitize-recover=all"}

// vectorsAndNone are builds with vectors of both sizes and without.
var vectorsAndNone = []string{"gcc -O1 -march=native", "gcc -O1", "gcc -O1 -DOP_LANES=1"}

// eachBuild runs a test for a few builds, or in full runs for all builds; clang belongs to a stage of its own.
func eachBuild(t *testing.T, few []string, do func(t *testing.T, compiler string)) {
	for _, b := range testrun.Either(few, builds) {
		t.Run(strings.ReplaceAll(b, " ", ""), func(t *testing.T) {
			if strings.HasPrefix(b, "clang") {
				testrun.InStage(t, "compilers")
			}
			do(t, b)
		})
	}
}

// textProgram is a program of the test with its runs, and what they must give.
type textProgram struct {
	runs  []aRun
	want  []aRun
	slots [][]int // by run: the numbers that are compared
	about []string
}

func (p *textProgram) add(about string, function, needs, lanes int, memory, fixed []float64, b *Builder, from, to int) {
	given := append(append([]float64(nil), memory...), make([]float64, max(0, needs*lanes-len(memory)))...)
	p.runs = append(p.runs, aRun{function: function, memory: given, fixed: fixed})
	interpreted := append([]float64(nil), given...)
	good := b.interpret(interpreted, fixed, lanes)
	p.want = append(p.want, aRun{memory: interpreted, good: good})
	var slots []int
	for s := from; s < to; s++ {
		slots = append(slots, s)
	}
	p.slots, p.about = append(p.slots, slots), append(p.about, about)
}

// compare runs all in a program, and compares.
func (p *textProgram) compare(t *testing.T, command ...string) {
	t.Helper()
	for i, got := range inProcess(t, command, p.runs) {
		want := p.want[i]
		if got.good != want.good {
			t.Fatalf("%s: guards disagree: %v, interpreted %v", p.about[i], got.good, want.good)
		}
		for _, s := range p.slots[i] {
			if got.good && !same(got.memory[s], want.memory[s]) {
				t.Fatalf("%s: number %d is %v, interpreted %v", p.about[i], s, got.memory[s], want.memory[s])
			}
		}
	}
}

// A constant table of four equal numbers and zeros is copied without a change. gcc 12 copies such a table wrongly by
// memcpy, for processors with AVX-512.
func TestTablesAreCopiedInC(t *testing.T) {
	testrun.Slow(t)
	eachBuild(t, []string{"gcc -O2 -march=native"}, func(t *testing.T, compiler string) {
		source := operationsText + `
#include <stdio.h>
static const double table[8] = {117000, 117000, 117000, 117000};
int main(void)
{
    static double to[16];
    op_copy(to + 5, table, 8);
    return printf("%.0f %.0f %.0f", to[5], to[8], to[9]) < 0;
}
`
		out, err := exec.Command(compileC(t, source, compiler)).Output()
		if want := "117000 117000 0"; err != nil || string(out) != want {
			t.Errorf("copied %s, want %s: %v", out, want, err)
		}
	})
}

// Functions of C have the bits of Go, at arguments of all sizes and at those where they change.
func TestFunctionsInCHaveTheBitsOfGo(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(11, 12))
	unary := map[string]func(b *Builder, x Value) Value{
		"sin": (*Builder).Sin, "cos": (*Builder).Cos, "tan": (*Builder).Tan, "exp": (*Builder).Exp,
		"tanh": (*Builder).Tanh, "atan": (*Builder).Atan, "asin": (*Builder).Asin, "abs": (*Builder).Abs,
		"neg": (*Builder).Neg, "sqrt": (*Builder).Sqrt,
		"log": func(b *Builder, x Value) Value { return b.Log(b.Abs(x)) },
		"atan2": func(b *Builder, x Value) Value {
			return b.Add(b.Atan2(x, b.Const(-1)), b.Atan2(b.Const(-2), x))
		},
		"not":  func(b *Builder, x Value) Value { return b.Select(b.Not(b.Less(x, b.Const(0.5))), x, b.Const(7)) },
		"max":  func(b *Builder, x Value) Value { return b.Max(x, b.Const(0)) },
		"step": func(b *Builder, x Value) Value { return b.And(b.NotLess(x, b.Const(1)), b.Const(3)) },
		"sign": func(b *Builder, x Value) Value { return b.Copysign(b.Const(math.Inf(1)), x) },
		"look": func(b *Builder, x Value) Value { return b.Look([]float64{1, -0.1, math.Inf(-1), 3e300}, x) },
		"both": func(b *Builder, x Value) Value {
			m := b.AndNot(b.Less(x, b.Const(-1)), b.Or(b.Less(x, b.Const(1)), b.Unordered(x, x)))
			return b.Select(m, b.Sub(x, b.Const(-2)), b.Or(x, b.Const(1)))
		},
	}
	c, p := newInC(), &textProgram{}
	for name, f := range unary {
		b := NewBuilder()
		b.Store(1, f(b, b.Load(0)))
		for _, lanes := range []int{1, 4} {
			at := c.added(fmt.Sprintf("f_%s_%d", name, lanes), false)
			needs := c.Add(c.names[at], b, 2, lanes)
			list := arguments(r, 300)
			for ; len(list) > lanes; list = list[lanes:] {
				p.add(fmt.Sprintf("%s(%v)", name, list[:lanes]), at, needs, lanes, list[:lanes], nil, b, lanes, 2*lanes)
			}
		}
	}
	eachBuild(t, vectorsAndNone, func(t *testing.T, compiler string) {
		p.compare(t, compileC(t, c.source(), compiler, "-lm"))
	})
}

// Random programs have the bits that they have interpreted, long ones, too, which become several functions.
func TestRandomProgramsInC(t *testing.T) {
	testrun.Slow(t)
	c, p := newInC(), &textProgram{}
	c.longest = 170
	for seed := range testrun.Either[uint64](2, 8) {
		r := rand.New(rand.NewPCG(seed, 17))
		b := randomProgram(r, 100+int(seed)*50)
		for _, lanes := range []int{1, 4} {
			at := c.added(fmt.Sprintf("f%d_%d", seed, lanes), false)
			needs := c.Add(c.names[at], b, inputs+outputs, lanes)
			for range 5 {
				p.add(fmt.Sprintf("seed %d, %d lanes", seed, lanes), at, needs, lanes, normal(r, lanes*inputs),
					normal(r, lanes*fixed), b, lanes*inputs, lanes*(inputs+outputs))
			}
		}
	}
	eachBuild(t, vectorsAndNone, func(t *testing.T, compiler string) {
		p.compare(t, compileC(t, c.source(), compiler, "-lm"))
	})
}

// normal are n random numbers.
func normal(r *rand.Rand, n int) (list []float64) {
	for range n {
		list = append(list, r.NormFloat64()*3)
	}
	return list
}

// Limbs side by side have the bits of operations one by one.
func TestLimbsInC(t *testing.T) {
	testrun.Slow(t)
	c, p := newInC(), &textProgram{}
	c.longest = 300
	seeds := []uint64{24, 32} // between them, they have all operations
	for seed := range testrun.Either[uint64](0, 15) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		v := newVehicle(seed)
		last := int(v.slots) + v.results
		at := c.added(fmt.Sprintf("f%d_%d", len(c.names), seed), true)
		isFixed := func(slot int32) bool { return slot < int32(v.limbs)*v.fixed }
		needs := c.AddLimbs(c.names[at], v.b, isFixed, last)
		for trial := range 6 {
			memory := make([]float64, v.slots)
			for i := range memory {
				memory[i] = v.r.NormFloat64() * math.Pow(10, float64(trial-2))
				if v.r.IntN(20) == 0 {
					memory[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), 1e30}[v.r.IntN(2+2*(trial/5))]
				}
			}
			p.add(fmt.Sprintf("seed %d, trial %d", seed, trial), at, needs, 1, memory, nil, v.b, int(v.slots), last)
		}
	}
	text := c.Functions()
	for _, operation := range []string{"addsub2", "addsub4", "high2", "low2", "select4", "four", "words4", "unordered4",
		"fma4"} {
		if !strings.Contains(text, "op_"+operation+"(") {
			t.Errorf("no program with op_%s", operation)
		}
	}
	eachBuild(t, vectorsAndNone, func(t *testing.T, compiler string) {
		p.compare(t, compileC(t, c.source(), compiler, "-lm"))
	})
}

// The printed a b + c, rounded once, has the bits of the processor's instruction, also for subnormal numbers and for
// products that c cancels.
func TestExactFusedOperationsInC(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(19, 20))
	c, p := newInC(), &textProgram{}
	b := NewBuilder()
	b.Store(3, b.MulAdd(b.Load(0), b.Load(1), b.Load(2)))
	b.Store(4, b.MulSub(b.Load(0), b.Load(1), b.Load(2)))
	b.Store(5, b.SubMul(b.Load(0), b.Load(1), b.Load(2)))
	at := c.added("fused", false)
	needs := c.Add("fused", b, 6, 1)
	random := func(around int) float64 {
		e := uint64(max(0, min(2046, around+r.IntN(121)-60)))
		bits := r.Uint64()&(1<<63|1<<52-1) | e<<52
		switch r.IntN(6) {
		case 0:
			bits &^= 1<<(20+r.IntN(32)) - 1 // few digits: ties, and products that are exact
		case 1:
			bits |= 1<<(20+r.IntN(32)) - 1
		}
		return math.Float64frombits(bits)
	}
	for range testrun.Either(10_000, 2_000_000) {
		x := random([]int{1023, 60, 500, 1980, 700}[r.IntN(5)])
		y := random([]int{1023, 60, 1000, 1100, 1300}[r.IntN(5)])
		product := x * y
		z := random(max(0, int(math.Float64bits(product)>>52&0x7ff)))
		switch r.IntN(8) {
		case 0:
			z = -product
		case 1:
			z = special[r.IntN(len(special))]
		case 2:
			x = special[r.IntN(len(special))]
		}
		p.add(fmt.Sprintf("%x %x %x", x, y, z), at, needs, 1, []float64{x, y, z}, nil, b, 3, 6)
	}
	eachBuild(t, []string{"gcc -std=c99 -O2"}, func(t *testing.T, compiler string) {
		p.compare(t, compileC(t, c.source(), compiler, "-lm"))
	})
}

// Differences and sums by turns, of two and of four numbers, comparisons of equal numbers, and the halves of vectors.
func TestTurnsAndHalvesInC(t *testing.T) {
	testrun.Slow(t)
	b := NewBuilder()
	x := b.make(instruction{op: opLoad, width: 4})
	y := b.make(instruction{op: opLoad, width: 4, n: 4})
	four := b.make(instruction{op: opAddSub, width: 4, a: x, b: y})
	two := b.make(instruction{op: opAddSub, width: 2, a: y, b: x})
	upper := b.make(instruction{op: opUpper, width: 2, a: four})
	smaller := b.make(instruction{op: opSmaller, width: 2, a: y, b: x})
	less := b.make(instruction{op: opLess, width: 2, a: x, b: y})
	chosen := b.make(instruction{op: opSelect, width: 2, a: less, b: y, c: x})
	signs := b.make(instruction{op: opSelect, width: 2, a: x, b: y, c: two})
	for k, v := range []Value{four, upper, two, smaller, chosen, signs} {
		b.Store(int32(8+2*k), v)
		b.code = append(b.code, instruction{op: opStore, a: v, n: int32(9 + 2*k), upper: true})
	}
	b.code = append(b.code, instruction{op: opGuard, width: 4, a: x})
	lanes := NewBuilder()
	seven := lanes.make(instruction{op: opAdd, width: 1, a: lanes.Const(3), b: lanes.Const(4)})
	lanes.Store(1, seven)
	c := newInC()
	at := c.added("turns", false)
	c.function("turns", b, 20, 1)
	c.added("lanes", false)
	c.Add("lanes", lanes, 2, 4)
	rest := make([]float64, 12)
	runs := []aRun{
		{function: at, memory: append([]float64{1, 0, 3, 4, 10, math.Copysign(0, -1), 30, 40}, rest...)},
		{function: at, memory: append([]float64{1, -2, 3, 4, 10, -2, 30, 40}, rest...)},
		{function: at, memory: append([]float64{1, 2, 3, -4, 10, 2, 30, 40}, rest...)},
		{function: at + 1, memory: []float64{1, 2, 3, 4, 0, 0, 0, 0}},
	}
	want := []aRun{
		{memory: []float64{1 - 10, 0, 3 - 30, 4 + 40, 10 - 1, 0, 1, 0, 10, 0, 10 - 1, 0}, good: true},
		{memory: []float64{1 - 10, -4, 3 - 30, 4 + 40, 10 - 1, -4, 1, -2, 10, -2, 10 - 1, -2}},
		{memory: []float64{1 - 10, 4, 3 - 30, 36, 10 - 1, 4, 1, 2, 10, 2, 10 - 1, 4}},
		{memory: []float64{7, 7, 7, 7}, good: true},
	}
	eachBuild(t, vectorsAndNone, func(t *testing.T, compiler string) {
		for k, got := range inProcess(t, []string{compileC(t, c.source(), compiler, "-lm")}, runs) {
			results := got.memory[len(got.memory)-len(want[k].memory):]
			if !slices.EqualFunc(results, want[k].memory, same) || got.good != want[k].good {
				t.Errorf("%v, %v; want %v, %v", results, got.good, want[k].memory, want[k].good)
			}
		}
	})
}
