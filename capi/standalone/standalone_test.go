package standalone

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// generated writes a vehicle with the prefix vehicle into a folder.
func generated(t *testing.T, in *cosim.Instance, outputs ...func(name string) bool) (folder string) {
	t.Helper()
	o := Options{Name: "vehicle"}
	if len(outputs) > 0 {
		o.Outputs = outputs[0]
	}
	return written(t, in, o)
}

// written writes a vehicle with options into a folder.
func written(t *testing.T, in *cosim.Instance, o Options) (folder string) {
	t.Helper()
	files, err := Files([]*cosim.Instance{in}, o)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

var warningsOfC = strings.Fields("-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion " +
	"-Wstrict-prototypes -Werror")

// compiled compiles a vehicle with the driver of the tests.
func compiled(t *testing.T, folder, compiler string) (program string) {
	t.Helper()
	return compiledWith(t, folder, "driver", compiler)
}

// compiledWith compiles a vehicle with a C file of testdata.
func compiledWith(t *testing.T, folder, name, compiler string) (program string) {
	t.Helper()
	return compiledFrom(t, folder, name, compiler, filepath.Join(folder, "vehicle.c"))
}

// compiledFrom compiles a C file of testdata with other files.
func compiledFrom(t *testing.T, folder, name, compiler string, others ...string) (program string) {
	t.Helper()
	fields := strings.Fields(compiler)
	testrun.Requires(t, fields[0])
	program = filepath.Join(folder, name)
	main, err := filepath.Abs(filepath.Join("testdata", name+".c"))
	if err != nil {
		t.Fatal(err)
	}
	arguments := append(fields[1:], warningsOfC...)
	if strings.HasSuffix(fields[0], "++") { // C++ lacks some of these warnings
		arguments = append(fields[1:], "-Wall", "-Wextra", "-Wpedantic", "-Werror")
	}
	arguments = append(append(arguments, "-I", folder, "-o", program, main), append(others, "-lm")...)
	if out, err := exec.Command(fields[0], arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%.3000s", compiler, err, out)
	}
	return program
}

// vehicleInC is a run of a vehicle in C, on a machine with a byte order.
type vehicleInC struct {
	order    binary.ByteOrder
	commands bytes.Buffer
	answers  *bytes.Reader
}

func (v *vehicleInC) say(command byte, numbers ...[]float64) {
	v.commands.WriteByte(command)
	for _, n := range numbers {
		binary.Write(&v.commands, v.order, n)
	}
}

func (v *vehicleInC) run(t *testing.T, program ...string) {
	t.Helper()
	c := exec.Command(program[0], program[1:]...)
	c.Stdin = &v.commands
	var says strings.Builder
	c.Stderr = &says
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, says.String())
	}
	v.answers = bytes.NewReader(out)
}

func (v *vehicleInC) status(t *testing.T) int {
	t.Helper()
	var n int32
	if err := binary.Read(v.answers, v.order, &n); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

func (v *vehicleInC) word(t *testing.T, to *uint64) {
	t.Helper()
	if err := binary.Read(v.answers, v.order, to); err != nil {
		t.Fatal(err)
	}
}

func (v *vehicleInC) numbers(t *testing.T, n int) []float64 {
	t.Helper()
	list := make([]float64, n)
	if err := binary.Read(v.answers, v.order, list); err != nil {
		t.Fatal(err)
	}
	return list
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// vehicleOf returns an uninitialised instance of a shipped model; texts are names and values.
func vehicleOf(t *testing.T, model string, texts ...string) *cosim.Instance {
	t.Helper()
	sys, err := cosim.Load(fileOf(model), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := sys.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	for i := 0; i < len(texts); i += 2 {
		if err := in.SetText(texts[i], texts[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

// fileOf returns the file of a shipped model, or the given path.
func fileOf(model string) string {
	if filepath.IsAbs(model) {
		return model
	}
	return built.Model(model)
}

// initialised returns an initialised instance of a shipped model.
func initialised(t *testing.T, model string, texts ...string) *cosim.Instance {
	t.Helper()
	in := vehicleOf(t, model, texts...)
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return in
}
