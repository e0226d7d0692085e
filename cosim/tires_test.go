package cosim_test

import (
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/tire"
)

// The same function with another parameter file gives another tire: front tires of the skidder with the parameters of
// the rear tires.
func TestParameterFileChangesTheTire(t *testing.T) {
	force := func(file string) float64 {
		r := instance(t, load(t, "skidder", ""), "rk4", 0.001)
		if err := r.in.SetText("tire_FL.file", file); err != nil {
			t.Fatal(err)
		}
		r.set("articulation.angle", 0.05)
		r.start(noInput)
		for range 50 {
			if err := r.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		return r.get("tire_FL.Fy")
	}
	front, rear := force("../tires/fiala_skidder_front.toml"), force("../tires/fiala_skidder_rear.toml")
	if front == rear || front == 0 {
		t.Errorf("Fy is %g N with both files", front)
	}
}

// A failed step restores the values and rates that were set while it was under way.
func TestFailedStepRestoresInputsAndRates(t *testing.T) {
	r := instance(t, load(t, "skidder", ""), "euler", 0.5)
	r.start(noInput)
	brake, _ := r.sys.Find("brake_FL.torque")
	if err := r.in.Set(brake, 10); err != nil {
		t.Fatal(err)
	}
	if err := r.in.SetRate(brake, 3); err != nil {
		t.Fatal(err)
	}
	if err := r.in.Begin(50); err != nil {
		t.Fatal(err)
	}
	for k := 0; ; k++ {
		done, err := r.in.Next()
		if done {
			t.Fatal("the step did not fail")
		}
		if err != nil {
			break
		}
		if k == 0 {
			if err := r.in.Set(brake, 20); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := r.get("brake_FL.torque"); got != 10 {
		t.Errorf("the brake torque is %g N m after the failed step, want 10", got)
	}
	if err := r.in.Step(1e-4); err != nil {
		t.Fatal(err)
	}
	if got, want := r.get("brake_FL.torque"), 10+3*1e-4; got != want {
		t.Errorf("the brake torque is %.17g N m after a step of 0.1 ms, want %.17g", got, want)
	}
}

// A function that needs a wheel is refused where there is none.
func TestFunctionsThatNeedAWheelAreRefusedWithoutOne(t *testing.T) {
	kind := tire.Kind{
		Name: "Wheel needed", Inputs: []string{"Fz"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
		New: func([]float64) (tire.Function, error) { return wheelFunction{}, nil },
	}
	if err := tire.Register(kind); err != nil {
		t.Fatal(err)
	}
	for file, refused := range map[string]bool{"tire_pacejka2002": true, "generic4w": false} {
		r := instance(t, load(t, file, ""), "rk4", 0.001)
		for _, v := range r.sys.Variables() {
			if v.Kind == cosim.Text && strings.HasSuffix(v.Name, ".model") &&
				!strings.HasSuffix(v.Name, ".relaxation.model") {
				if err := r.in.SetText(v.Name, kind.Name); err != nil {
					t.Fatal(err)
				}
			}
		}
		err := r.in.Initialise()
		if refused != (err != nil) || refused &&
			!strings.Contains(err.Error(), "needs the pose of its wheel, but this component has no wheel") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

type wheelFunction struct{}

func (wheelFunction) Eval(in, out []float64)        { clear(out) }
func (wheelFunction) Place(t float64, p *tire.Pose) {}
