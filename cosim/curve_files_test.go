package cosim_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
)

// bouncing is a mass on two springs whose forces come from files. It starts at 1 cm, without gravity.
const bouncing = `name = "Bouncing"
gravity = 0
[component.slide]
type = "prismatic"
from = "ground"
to = "body"
axis = "z"
[component.slide.start]
s = 0.01
[component.body]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "slide"
spring_force = { file = "%s", column = "force", over = "x" }
[component.second]
type = "spring-damper"
joint = "slide"
spring_force = { file = "weak.csv", column = "force", over = "x" }
`

// linearSpring is the table of a spring of that stiffness [N/m].
func linearSpring(stiffness float64) string {
	return fmt.Sprintf("x [m],force [N]\n-1,%g\n0,0\n1,%g\n", -stiffness, stiffness)
}

// bouncingOn writes the model and its files into a folder and loads it.
func bouncingOn(t *testing.T, folder, file string) *cosim.System {
	t.Helper()
	for name, text := range map[string]string{
		"weak.csv": linearSpring(100), "soft.csv": linearSpring(1000), "hard.csv": linearSpring(4000),
		"hole.csv": "x [m],force [N]\n0,0\n0,1\n",
		"none.csv": "x [m],moment [N.m]\n0,0\n1,1\n", "on_" + file + ".toml": fmt.Sprintf(bouncing, file),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := cosim.Load(filepath.Join(folder, "on_"+file+".toml"), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const springFile = "spring.spring_force.file"

// bounceOn starts a run with a file of the spring in place of the model's, "" for the model's own.
func bounceOn(t *testing.T, s *cosim.System, method, file string) *run {
	t.Helper()
	r := instance(t, s, method, 1e-3)
	if file != "" {
		r.text(springFile, file)
	}
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return r
}

// A file that is set in place of the model's gives its motion: x = 1 cm cos(sqrt(k/m) t), after a reset that of the
// model's own file again.
func TestFilesOfCurvesCanBeReplaced(t *testing.T) {
	s := bouncingOn(t, t.TempDir(), "soft.csv")
	for _, method := range []string{"rk4", "linearly-implicit"} {
		r := instance(t, s, method, 1e-3)
		for _, c := range []struct {
			file      string
			second    string
			stiffness float64
		}{
			{"", "", 1100}, {"hard.csv", "", 4100}, {"", "", 1100}, {"hard.csv", "", 4100}, {"soft.csv", "", 1100},
			{"", "hard.csv", 5000}, {"hard.csv", "soft.csv", 5000}, {"weak.csv", "", 200},
		} {
			for name, file := range map[string]string{springFile: c.file, "second.spring_force.file": c.second} {
				if file != "" {
					r.text(name, file)
				}
			}
			r.text("solver.method", method)
			r.set(cosim.StepVariable, 1e-3)
			if err := r.in.Initialise(); err != nil {
				t.Fatal(err)
			}
			r.steps(200, 1e-3)
			want := 0.01 * math.Cos(0.2*math.Sqrt(c.stiffness/10))
			if x := r.get("slide.s"); math.Abs(x-want) > 2e-6 {
				t.Errorf("%s, %q, %q: x = %g, want %g", method, c.file, c.second, x, want)
			}
			r.in.Reset()
		}
	}
}

// What replaces a file gives the bits of a model that names the file itself, alone, in a fleet and after a saved state.
func TestReplacedFilesOfCurvesEqualTheModel(t *testing.T) {
	folder := t.TempDir()
	soft, hard := bouncingOn(t, folder, "soft.csv"), bouncingOn(t, folder, "hard.csv")
	for _, method := range []string{"heun", "linearly-implicit"} {
		want := bounceOn(t, hard, method, "")
		want.steps(50, 1e-3)
		alone := bounceOn(t, soft, method, "hard.csv")
		alone.steps(20, 1e-3)
		state := make([]byte, alone.in.StateSize())
		if err := alone.in.Save(state); err != nil {
			t.Fatal(err)
		}
		alone.steps(30, 1e-3)
		restored := bounceOn(t, soft, method, "")
		restored.steps(3, 1e-3)
		if err := restored.in.Restore(state); err != nil {
			t.Fatal(err)
		}
		restored.steps(30, 1e-3)
		var all []*cosim.Instance
		for i := range 8 {
			all = append(all, bounceOn(t, soft, method, [...]string{"", "hard.csv"}[i%2]).in)
		}
		fleet, err := cosim.NewFleet(all)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			for _, err := range fleet.Step(1e-3, 1) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, in := range map[string]*cosim.Instance{
			"alone": alone.in, "restored": restored.in, "fleet 1": all[1], "fleet 7": all[7],
		} {
			if x, err := in.Get(want.variable("slide.s")); err != nil || x != want.get("slide.s") {
				t.Errorf("%s, %s: x = %v (%v), want %v", method, name, x, err, want.get("slide.s"))
			}
		}
		own := bounceOn(t, soft, method, "")
		own.steps(50, 1e-3)
		if x, _ := all[0].Get(own.variable("slide.s")); x != own.get("slide.s") {
			t.Errorf("%s: x = %v in the fleet on the model's own file, want %v", method, x, own.get("slide.s"))
		}
	}
}

// A file that cannot be had or makes no curve is refused with its place, and another one goes.
func TestReplacedFilesOfCurvesAreChecked(t *testing.T) {
	folder := t.TempDir()
	s := bouncingOn(t, folder, "soft.csv")
	for _, c := range []struct{ file, want string }{
		{"missing.csv", springFile + ": "},
		{"hole.csv", "hole.csv:3:1"},
		{"none.csv", `no column "force"`},
		{"", springFile + ": "},
	} {
		r := instance(t, s, "rk4", 1e-3)
		r.text(springFile, c.file)
		if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want an error with %q", c.file, err, c.want)
		}
		r.text(springFile, "hard.csv")
		if err := r.in.Initialise(); err != nil {
			t.Errorf("after %q: %v", c.file, err)
		}
	}
	r := bounceOn(t, s, "rk4", "hard.csv")
	if files := r.in.TextFiles(); len(files) != 2 || files[0] != filepath.Join(folder, "hard.csv") {
		t.Errorf("the files of the texts are %q", files)
	}
	state := make([]byte, r.in.StateSize())
	if err := r.in.Save(state); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "hard.csv"), []byte(linearSpring(3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := bounceOn(t, s, "rk4", "")
	other.steps(10, 1e-3)
	x := other.get("slide.s")
	if err := other.in.Restore(state); err == nil || !strings.Contains(err.Error(), "curves") {
		t.Errorf("a state on another content of the file: %v", err)
	}
	if got := other.get("slide.s"); got != x {
		t.Errorf("a refused state changes x from %v to %v", x, got)
	}
	other.steps(190, 1e-3)
	if want := 0.01 * math.Cos(0.2*math.Sqrt(110)); math.Abs(other.get("slide.s")-want) > 2e-6 {
		t.Errorf("after a refused state, x = %v, want %v", other.get("slide.s"), want)
	}
	r.in.Reset()
	r.text(springFile, "hard.csv")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	r.steps(200, 1e-3)
	if want := 0.01 * math.Cos(0.2*math.Sqrt(310)); math.Abs(r.get("slide.s")-want) > 2e-6 {
		t.Errorf("with the file as it is after a reset, x = %v, want %v", r.get("slide.s"), want)
	}
}

// A base that has other variables since the model was loaded is noticed when the model is read again.
func TestReplacedFilesOfCurvesNeedTheSameModel(t *testing.T) {
	folder := t.TempDir()
	bouncingOn(t, folder, "soft.csv")
	variant := filepath.Join(folder, "variant.toml")
	if err := os.WriteFile(variant, []byte("name = \"Variant\"\nbase = \"on_soft.csv.toml\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := cosim.Load(variant, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bounceOn(t, s, "rk4", "hard.csv")
	base := strings.Replace(fmt.Sprintf(bouncing, "soft.csv"), "name = ", "outputs = [\"slide.s\"]\nname = ", 1)
	if err := os.WriteFile(filepath.Join(folder, "on_soft.csv.toml"), []byte(base), 0o600); err != nil {
		t.Fatal(err)
	}
	bounceOn(t, s, "rk4", "hard.csv") // this file exists
	r := instance(t, s, "rk4", 1e-3)
	r.text(springFile, "./soft.csv")
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), "has changed since it was loaded") {
		t.Errorf("another base gives %v", err)
	}
}
