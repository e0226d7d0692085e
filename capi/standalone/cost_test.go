package standalone

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// README.txt states the size of an instance exactly, and the size of machine code within a fifth. Operations of a
// solver step are in proportion to evaluations: rk4 takes four times the operations of an evaluation.
func TestReadmeStatesSizesAndCosts(t *testing.T) {
	testrun.Slow(t)
	testrun.Requires(t, "gcc", "size")
	for _, model := range testrun.Either([]string{"skidder"}, []string{"skidder", "generic4w", "passenger_car",
		"fourwheel_pointmass"}) {
		folder, of := withMethods(t, model, "euler", "heun", "rk4")
		instance(t, folder)
		instance(t, written(t, of[0], Options{Name: "vehicle", Derivatives: true}))
		text, err := os.ReadFile(filepath.Join(folder, "README.txt"))
		if err != nil {
			t.Fatal(err)
		}
		said := func(pattern string) int {
			m := regexp.MustCompile(pattern).FindSubmatch(text)
			if m == nil {
				t.Fatalf("README.txt has no %s:\n%s", pattern, text)
			}
			n, _ := strconv.Atoi(string(m[1]))
			return n
		}
		euler, heun, rk4 := said(`euler (\d+)`), said(`heun (\d+)`), said(`rk4 (\d+)`)
		contacts := 0
		if p := of[0].System().Program(); len(p.Contacts) > 0 {
			contacts = 2*euler - heun // contacts act once per step
			if each := contacts / len(p.Contacts); each < 100 || each > 300 {
				t.Errorf("%s: %d operations of each contact", model, each)
			}
		}
		if euler < 1000 || heun-contacts != 2*(euler-contacts) || rk4-contacts != 4*(euler-contacts) {
			t.Errorf("%s: euler %d, heun %d, rk4 %d operations", model, euler, heun, rk4)
		}
		in := func(name string, arguments ...string) string {
			c := exec.Command(name, arguments...)
			c.Dir = folder
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			return string(out)
		}
		if !testrun.All() {
			continue
		}
		in("gcc", "-O2", "-march=x86-64-v3", "-c", "vehicle.c")
		fields := strings.Fields(strings.Split(in("size", "vehicle.o"), "\n")[1])
		code, _ := strconv.Atoi(fields[0])
		constants, _ := strconv.Atoi(fields[1])
		if is, kilo := float64(code+constants)/1000, float64(said(`about (\d+) kB`)); is > 1.2*kilo || is < kilo/1.2 {
			t.Errorf("%s: machine code has %.0f kB, README.txt says %.0f", model, is, kilo)
		}
	}
}

// instance compares the size of an instance with README.txt.
func instance(t *testing.T, folder string) {
	t.Helper()
	main := "#include \"vehicle.h\"\n#include <stdio.h>\nint main(void)\n{\n    printf(\"%d\", (int)sizeof(vehicle));\n" +
		"    return 0;\n}\n"
	if err := os.WriteFile(filepath.Join(folder, "size.c"), []byte(main), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "instance")
	if out, err := exec.Command("gcc", "-o", program, filepath.Join(folder, "size.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bytes, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "README.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "An instance has " + string(bytes) + " bytes"; !strings.Contains(string(text), want) {
		t.Errorf("README.txt does not say %q:\n%s", want, text)
	}
}
