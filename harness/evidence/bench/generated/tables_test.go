package generated_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/curve"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// onCurve is a mass on a spring by a curve; %s are its points.
const onCurve = `name = "OnCurve"
[component.slide]
type = "prismatic"
from = "ground"
to = "mass"
axis = "x"
[component.mass]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "slide"
spring_force = [%s]
`

// curvesOf are points of curves of 2 to the most points, spread evenly, at random, and in clusters that share cells.
func curvesOf(r *rand.Rand) (list [][2][]float64) {
	for _, n := range []int{2, 3, 4, 9, 200, 1000, curve.Most} {
		for _, distance := range []func() float64{
			func() float64 { return 0.01 },
			func() float64 { return 0.001 + 0.01*r.Float64() },
			func() float64 { return math.Pow(10, -6*float64(r.IntN(2))) * (0.5 + r.Float64()) },
		} {
			var x, y []float64
			at := r.NormFloat64()
			for range n {
				x, y = append(x, at), append(y, 10*r.NormFloat64())
				at += distance()
			}
			list = append(list, [2][]float64{x, y})
			if n > 1000 {
				break
			}
		}
	}
	return list
}

func curveText(x, y []float64) string {
	var rows []string
	for i := range x {
		rows = append(rows, fmt.Sprintf("[%.17g, %.17g]", x[i], y[i]))
	}
	return fmt.Sprintf(onCurve, strings.Join(rows, ", "))
}

func curveProgram(t *testing.T, x, y []float64) *program.Program {
	t.Helper()
	m, err := vehicle.Parse([]byte(curveText(x, y)), "curve.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// placesOf are the points of a curve with their neighbours, places between and beyond them, and what is no place.
func placesOf(r *rand.Rand, x []float64) []float64 {
	width := x[len(x)-1] - x[0]
	list := []float64{x[0] - width, x[len(x)-1] + 3*width, -1e200, 1e200, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 150 {
		i := r.IntN(len(x))
		list = append(list, x[i], math.Nextafter(x[i], -9), math.Nextafter(x[i], 9), x[0]+width*r.Float64())
	}
	return list
}

// rateOf is the acceleration of the mass of a state: minus the force of the curve.
func rateOf(p *program.Program, m program.Machine, at float64) float64 {
	x, u, dx := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States))
	for i, s := range p.States {
		if s.Name == "slide.s" {
			x[i] = at
		}
	}
	m.Derivatives(0, x, u, dx)
	for i, s := range p.States {
		if s.Name == "slide.s_dot" {
			return dx[i]
		}
	}
	return math.NaN()
}

// Curves of any length are the same number in the tape, in machine code and in its lanes, to the last bit, and what the
// curve itself has, which goes another way.
func TestCurvesOfAnyLength(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 1))
	for _, c := range curvesOf(r) {
		p := curveProgram(t, c[0], c[1])
		plain, err := curve.Monotone(c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		tape := p.NewTape()
		tape.SetParameters(startValues(p))
		var machines [program.Width]program.Machine
		code, err := p.Native(p.Tape())
		if err != nil {
			t.Skip(err)
		}
		for lane := range machines {
			machines[lane] = p.NewMachine(code)
			machines[lane].SetParameters(startValues(p))
		}
		lanes, noLanes := program.NewLanes(machines, nil, [program.Width][]program.Callee{}, [program.Width][]tire.Function{})
		if noLanes == nil {
			var room program.Workspace
			room.Prepare(lanes, nil)
			lanes.Use(&room)
		}
		places := placesOf(r, c[0])
		for k, at := range places {
			want := rateOf(p, tape, at)
			if got := rateOf(p, machines[0], at); math.Float64bits(got) != math.Float64bits(want) && got == got {
				t.Fatalf("%d points, at %g: %.17g by machine code, %.17g by the tape", len(c[0]), at, got, want)
			}
			value, slope, _ := plain.At(at)
			size := math.Abs(value) + math.Abs(slope)*1e-4 + 100
			if !(math.Abs(want+value) <= 1e-12*size) && want == want && !math.IsInf(at, 0) {
				t.Fatalf("%d points, at %.17g: %.17g, the curve has %.17g", len(c[0]), at, want, -value)
			}
			if noLanes != nil {
				continue
			}
			x, dx := make([]float64, len(p.States)*program.Width), make([]float64, len(p.States)*program.Width)
			for i, s := range p.States {
				for lane := range program.Width {
					if s.Name == "slide.s" {
						x[i*program.Width+lane] = places[(k+lane)%len(places)]
					}
				}
			}
			lanes.Derivatives(x, make([]float64, len(p.Inputs)*program.Width), dx)
			for i, s := range p.States {
				for lane := range program.Width {
					want := rateOf(p, tape, places[(k+lane)%len(places)])
					if got := dx[i*program.Width+lane]; s.Name == "slide.s_dot" && math.Float64bits(got) != math.Float64bits(want) &&
						got == got {
						t.Fatalf("%d points, at %g: %.17g in lane %d, %.17g by the tape", len(c[0]), places[(k+lane)%len(places)],
							got, lane, want)
					}
				}
			}
		}
	}
}

func startValues(p *program.Program) []float64 {
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	return values
}

// The cost of rates does not grow with the points of a curve, except for comparisons where points share cells.
func TestCurvesCostTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 2))
	operations := func(n int) int {
		var x, y []float64
		for i := range n {
			x, y = append(x, float64(i)/float64(n)), append(y, r.NormFloat64())
		}
		return curveProgram(t, x, y).RateCost.Total()
	}
	short := operations(4)
	for _, n := range []int{9, 1000, curve.Most} {
		if long := operations(n); long != short {
			t.Errorf("%d operations with 4 points, %d with %d", short, long, n)
		}
	}
}

// Generated Go and C have the numbers of the tape, to the last bit.
func TestGeneratedCodeLooksUp(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(25, 3))
	curves := curvesOf(r)
	for _, c := range [][2][]float64{curves[4], curves[14]} { // of 3 points, and of 200 in clusters
		p := curveProgram(t, c[0], c[1])
		tape := p.NewTape()
		tape.SetParameters(startValues(p))
		places := placesOf(r, c[0])
		var in strings.Builder
		for _, at := range places {
			fmt.Fprintf(&in, "%x\n", math.Float64bits(at))
		}
		for language, run := range map[string]func() *exec.Cmd{
			"Go": func() *exec.Cmd { return goCommand(t, p, c) },
			"C":  func() *exec.Cmd { return cCommand(t, p) },
		} {
			command := run()
			command.Stdin = strings.NewReader(in.String())
			out, err := command.CombinedOutput()
			got := strings.Fields(string(out))
			if err != nil || len(got) != len(places) {
				t.Fatalf("%d numbers by %s, want %d: %v\n%s", len(got), language, len(places), err, out[:min(len(out), 2000)])
			}
			for k, at := range places {
				want := "nan"
				if rate := rateOf(p, tape, at); rate == rate {
					want = fmt.Sprintf("%x", math.Float64bits(rate))
				}
				if got[k] != want {
					t.Fatalf("%d points, at %g: %s by %s, %s by the tape", len(c[0]), at, got[k], language, want)
				}
			}
		}
	}
}

// goCommand runs the generated Go in a package that lies in this module for the compiler only.
func goCommand(t *testing.T, p *program.Program, c [2][]float64) *exec.Cmd {
	t.Helper()
	text, err := p.Go("main", "test", "Curve")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	virtual := filepath.Join(root, "harness/evidence/bench/generated/overlaid")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(virtual, "curve.go"): writeText(t, folder, "curve.go", text),
		filepath.Join(virtual, "main.go"):  writeText(t, folder, "main.go", goMain),
	}})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "curve")
	build := exec.Command("go", "build", "-o", binary, "-overlay", writeText(t, folder, "overlay.json", string(overlay)),
		"./harness/evidence/bench/generated/overlaid")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exec.Command(binary, writeText(t, folder, "curve.toml", curveText(c[0], c[1])))
}

// cCommand runs the emitted C.
func cCommand(t *testing.T, p *program.Program) *exec.Cmd {
	t.Helper()
	testrun.Requires(t, "gcc")
	folder := t.TempDir()
	writeText(t, folder, "model.c", p.C("curve"))
	var parameters []string
	for _, x := range startValues(p) {
		parameters = append(parameters, strconv.FormatFloat(x, 'g', -1, 64))
	}
	state := func(name string) string {
		return fmt.Sprint(slices.IndexFunc(p.States, func(s program.Variable) bool { return s.Name == name }))
	}
	binary := filepath.Join(folder, "curve")
	out, err := exec.Command("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-O2",
		"-ffp-contract=off", "-DPARAMETERS="+strings.Join(parameters, ","), "-DPOSITION="+state("slide.s"),
		"-DSPEED="+state("slide.s_dot"), "-o", binary, writeText(t, folder, "main.c", cRates), "-lm").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exec.Command(binary)
}

func writeText(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// goMain prints the rates of the mass by generated Go.
const goMain = `package main

import (
	"bufio"
	"fmt"
	"math"
	"os"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

func main() {
	m, err := vehicle.Read(os.Args[1])
	if err != nil {
		panic(err)
	}
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		panic(err)
	}
	if p.Fingerprint() != CurveFingerprint {
		panic("another program")
	}
	machine := p.NewMachine(Curve)
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	machine.SetParameters(values)
	x, u, dx := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States))
	index := map[string]int{}
	for i, s := range p.States {
		index[s.Name] = i
	}
	in := bufio.NewReader(os.Stdin)
	for {
		var b uint64
		if _, err := fmt.Fscanf(in, "%x\n", &b); err != nil {
			return
		}
		x[index["slide.s"]] = math.Float64frombits(b)
		machine.Derivatives(0, x, u, dx)
		if rate := dx[index["slide.s_dot"]]; rate == rate {
			fmt.Printf("%x\n", math.Float64bits(rate))
		} else {
			fmt.Println("nan")
		}
	}
}
`

// cRates prints them by C.
const cRates = `#include "model.c"
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	static double v[curve_memory], x[curve_states], u[curve_inputs + 1], dx[curve_states];
	uint64_t bits;
	const double parameters[] = { PARAMETERS };
	curve_parameters_set(v, parameters);
	while (scanf("%llx", (unsigned long long *)&bits) == 1) {
		memcpy(&x[POSITION], &bits, sizeof bits);
		curve_rates(v, x, u, dx, NULL, NULL);
		memcpy(&bits, &dx[SPEED], sizeof bits);
		if (dx[SPEED] != dx[SPEED])
			puts("nan");
		else
			printf("%llx\n", (unsigned long long)bits);
	}
}
`
