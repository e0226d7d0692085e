package linear_test

import (
	"errors"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// motor is the text of a motor; tests add the law of its voltage.
const motor = `name = "MotorLoop"
[component.rotor]
type = "rigid-body"
mass = 1
inertia = { axial = 0.01, transverse = 0.01, axis = "y" }
[component.shaft]
type = "revolute"
from = "ground"
to = "rotor"
axis = "y"
start = { omega = 50 }
torque = "input"
[component.winding]
type = "equations"
inputs = [{ name = "voltage", unit = "V" }, { name = "load", unit = "N.m", value = 0.5 }]
states = [{ name = "current", unit = "A", rate = "(voltage - 0.5*current - 0.1*shaft.omega)/0.001", value = 5.5 }]
outputs = [{ name = "torque", unit = "N.m", value = "0.1*current - 0.001*shaft.omega - load", to = ["shaft.torque"] }]
[component.control]
type = "equations"
inputs = [{ name = "speed", unit = "rad/s", from = "shaft.omega" }, { name = "wish", unit = "rad/s", value = 50 }]
`

// linearised is a motor with a law.
func linearised(t *testing.T, law string) *linear.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(motor+law), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const (
	byFormulas = `states = [{ name = "z", unit = "rad", rate = "wish - speed", value = 1.55 }]
outputs = [{ name = "voltage", unit = "V", value = "0.5*(wish - speed) + 5*z", to = ["winding.voltage"] }]
`
	byFunction = `function = "plugin:law.so#law"
file = "gains.txt"
states = [{ name = "z", unit = "rad", value = 1.55 }]
outputs = [{ name = "voltage", unit = "V", to = ["winding.voltage"] }]
`
)

// pi is the law as a function. It fails below a speed.
type pi struct {
	least float64
	fault error
}

func (p *pi) Eval(in, out []float64) {
	speed, z, wish := in[0], in[1], in[2]
	out[0], out[1] = 0.5*(wish-speed)+5*z, wish-speed
	if speed < p.least {
		p.fault = errors.New("too slow")
		out[0], out[1] = 0, 0
	}
}

func (p *pi) Fault() error {
	err := p.fault
	p.fault = nil
	return err
}

// differentiable is the law with derivatives.
type differentiable struct{ *pi }

func (differentiable) Jacobian(_, jac []float64) { copy(jac, []float64{-0.5, 5, 0.5, -1, 0, 1}) }

// A motor with a PI controller of its speed has the published poles of the closed loop as eigenvalues. Winding and
// controller are components of equations, shaft and rotor are mechanics. The controller can be a function; without
// derivatives of the function, differences replace them, and a note reports it.
func TestLinearAnalysisSeesLoopsInsideTheModel(t *testing.T) {
	var files []string
	for name, law := range map[string]tire.Function{"LinearPI": &pi{}, "LinearPIWithDerivatives": differentiable{&pi{}}} {
		err := tire.Register(tire.Kind{Name: name, Inputs: []string{"speed", "z", "wish"},
			Outputs: []string{"voltage", "z_dot"},
			Open: func(r tire.OpenRequest) (tire.Function, error) {
				files = append(files, r.Tire+" "+r.File)
				return law, nil
			}})
		if err != nil && !strings.Contains(err.Error(), "exists already") {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]struct {
		notes string
		file  string
	}{
		"": {},
		"LinearPI": {notes: "control: the function LinearPI tells no derivatives; differences of its results are " +
			"taken"},
		"LinearPIWithDerivatives": {file: "other.txt"},
	} {
		law := byFormulas
		if name != "" {
			law = byFunction
		}
		l := linearised(t, law)
		if want.file != "" { // before the model, whose function keeps it
			if err := l.SetText("control.file", want.file); err != nil {
				t.Fatal(err)
			}
		}
		if name != "" {
			if err := l.SetText("control.model", name); err != nil {
				t.Fatal(err)
			}
		}
		files = nil
		s, err := l.At()
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(l.Notes(), "\n"); notes != want.notes {
			t.Errorf("%s: the notes are %q", name, notes)
		}
		if opened := strings.Join(files, ", "); name != "" && opened != "control "+want.file {
			t.Errorf("%s is opened for %q", name, opened)
		}
		hasPublishedPoles(t, modes(t, s))
		if equations, _ := written(t, l, s); !hasOutput(equations, "control.voltage") {
			t.Errorf("%s: the linear equations lack the output of the law", name)
		}
		twin, err := l.Copy()
		if err != nil {
			t.Fatal(err)
		}
		if s, err = twin.At(); err != nil {
			t.Fatal(err)
		}
		hasPublishedPoles(t, modes(t, s))
	}
}

// hasOutput reports whether linear equations have an output of that name.
func hasOutput(equations *cosim.System, name string) bool {
	_, is := equations.Find(name)
	return is
}

// hasPublishedPoles checks modes against the poles of the loop.
func hasPublishedPoles(t *testing.T, found []linear.Mode) {
	t.Helper()
	want := []complex128{-487.9102118, complex(-6.0948941, 8.0827061), complex(-6.0948941, -8.0827061)}
	n := 0
	for _, mode := range found {
		for _, w := range want {
			if cmplx.Abs(mode.Value-w) < 1e-7*math.Max(1, cmplx.Abs(w)) {
				n++
			}
		}
	}
	if n != len(want) && n != len(want)-1 { // a pair can be one mode
		t.Errorf("the eigenvalues are %v, published %v", found, want)
	}
}

// A model file cannot make code run, nor does a law serve that is none or that fails.
func TestLawsWithoutLinearEquationsAreRejected(t *testing.T) {
	l := linearised(t, byFunction)
	if _, err := l.At(); err == nil || !strings.Contains(err.Error(), "control: the model file names the library "+
		`function "plugin:law.so#law", and a model file cannot make code run; if you trust it, set control.model`) {
		t.Errorf("%v", err)
	}
	failing := tire.Kind{Name: "SlowPI", Inputs: []string{"speed", "z", "wish"}, Outputs: []string{"voltage", "z_dot"},
		Open: func(tire.OpenRequest) (tire.Function, error) { return &pi{least: 1e3}, nil }}
	if err := tire.Register(failing); err != nil && !strings.Contains(err.Error(), "exists already") {
		t.Fatal(err)
	}
	if err := l.SetText("control.model", "SlowPI"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.At(); err == nil || err.Error() != "control: the function failed: too slow" {
		t.Errorf("a law that fails: %v", err)
	}
	for name, want := range map[string]string{
		"NoLaw":             `control: there is no law "NoLaw"`,
		"Fiala":             "control: function Fiala returns Fx, Fy, Mx, My, Mz; here voltage, z_dot are needed",
		"plugin:law.so#law": "libraries can be loaded by",
	} {
		if err := l.SetText("control.model", name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// heldMass is a mass on a spring with a component that acts at samples.
const heldMass = `name = "Held"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "block", axis = "x" }
block = { type = "rigid-body", mass = 2, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "slide", stiffness = 50, damping = 4 }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.hold]
`

func heldModel(t *testing.T, component string) *linear.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(heldMass+component), "held.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Linear equations refuse a component that acts at samples. An inactive component is left out with a note, and its
// outputs are constants.
func TestSampledEquationsAreLeftOut(t *testing.T) {
	l := heldModel(t, `type = "sampled-equations"
sample = 0.01
inputs = [{ name = "x", unit = "m", from = "slide.s" }]
outputs = [{ name = "force", unit = "N", start = 5, value = "-100*x", to = ["push.force"] }]
`)
	if _, err := l.At(); err == nil || !strings.Contains(err.Error(), "hold acts at samples") ||
		!strings.Contains(err.Error(), "set hold.active = 0") {
		t.Errorf("the error is %v", err)
	}
	if err := l.Set("hold.active", 0); err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	if a := s.A; math.Abs(a.At(0, 0)+2) > 1e-12 || math.Abs(a.At(0, 1)+25) > 1e-12 || math.Abs(s.X[1]-0.1) > 1e-12 {
		t.Errorf("A %v, at %v", a, s.X)
	}
	if notes := strings.Join(l.Notes(), "\n"); !strings.Contains(notes, "hold is left out") {
		t.Errorf("the notes are %q", notes)
	}
}

// A controller with a function is refused until it is switched off; linear equations never call its function. Without a
// function its values are constants.
func TestControllersAreLeftOut(t *testing.T) {
	l := heldModel(t, `type = "controller"
sample = 0.01
inputs = [{ name = "x", unit = "m", from = "slide.s" }]
outputs = [{ name = "force", unit = "N", start = 5, to = ["push.force"] }]
`)
	constant := func() {
		t.Helper()
		s, err := l.At()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.A.At(0, 1)+25) > 1e-12 || math.Abs(s.X[1]-0.1) > 1e-12 {
			t.Errorf("A %v, at %v", s.A, s.X)
		}
		left := func(note string) bool { return strings.HasPrefix(note, "hold is left out") }
		if notes := l.Notes(); !slices.ContainsFunc(notes, left) {
			t.Errorf("the notes are %q", notes)
		}
	}
	constant()
	for name, value := range map[string]string{"hold.function": "plugin:./none.so#none", "hold.file": "gains.txt"} {
		if err := l.SetText(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.At(); err == nil || !strings.Contains(err.Error(), "set hold.active = 0") {
		t.Errorf("the error is %v", err)
	}
	if err := l.Set("hold.active", 0); err != nil {
		t.Fatal(err)
	}
	constant()
	if err := l.SetText("hold.model", "x"); err == nil || !strings.Contains(err.Error(), "<controller>.function") {
		t.Errorf("the error is %v", err)
	}
}
