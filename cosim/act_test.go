package cosim

import (
	"errors"
	"math"
	"strings"
	"testing"

	"skidpad/model/program"
)

// hold is a sampled hold, an act with a period: it gives an input the value of another one.
type hold struct {
	plainAct
	in       *Instance
	from, to int
	period   float64    // [s]
	halved   int        // a state that it halves, -1 for none
	fails    error      // what do returns
	done     [1]float64 // how often it has acted
	at       []float64  // when [s]
}

func (h *hold) next() float64 { return (h.done[0] + 1) * h.period }

func (h *hold) do(t, _ float64) error {
	h.in.u[h.to] = h.in.u[h.from]
	if h.halved >= 0 {
		h.in.x[h.halved] /= 2
	}
	h.done[0]++
	h.at = append(h.at, t)
	return h.fails
}

func (h *hold) saved() []float64 { return h.done[:] }

func (h *hold) inGo() string { return "a hold is sampled" }

func (h *hold) alone() string { return "" }

// withHolds makes a system whose instances hold the torque of a rear wheel at a front wheel, for a time each.
func withHolds(t *testing.T, period float64) *System {
	t.Helper()
	s, err := SharedModel("generic4w", "")
	if err != nil {
		t.Fatal(err)
	}
	input := func(name string) int {
		i, ok := s.Find(name)
		if !ok {
			t.Fatalf("no variable %s", name)
		}
		return s.variables[i].source
	}
	from, to := input("drive_RL.torque"), input("drive_FL.torque")
	before := actKinds
	actKinds = append(actKinds[:len(actKinds):len(actKinds)], &actKind{
		changes: true,
		in:      func(p *program.Program) bool { return p == s.program },
		make:    func(in *Instance) act { return &hold{in: in, from: from, to: to, period: period, halved: -1} },
	})
	t.Cleanup(func() { actKinds = before })
	return s
}

// holding starts a vehicle with a hold and a mass.
func holding(t *testing.T, s *System, method string, mass float64) (*ride, *hold) {
	t.Helper()
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	r := &ride{in, t}
	if err := in.SetText(MethodVariable, method); err != nil {
		t.Fatal(err)
	}
	r.set("body.mass", mass)
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return r, in.acts[len(in.acts)-1].act.(*hold)
}

// An act is executed once, at the end of the first solver step that reaches its time, in communication steps of any
// length. Its change counts from the next solver step on.
func TestActsAreDoneWhenTheyAreDue(t *testing.T) {
	s := withHolds(t, 0.0025)
	var want *ride
	for _, h := range []float64{0.001, 0.01, 0.03} {
		r, act := holding(t, s, "rk4", 2000)
		r.set("drive_RL.torque", 100)
		for range int(math.Round(0.03 / h)) {
			if err := r.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		times := []float64{0.003, 0.005, 0.008, 0.01, 0.013, 0.015, 0.018, 0.02, 0.023, 0.025, 0.028, 0.03}
		if len(act.at) != len(times) {
			t.Fatalf("steps of %g s: done at %v", h, act.at)
		}
		for k, at := range act.at {
			r.near("time of an act", at, times[k], 1e-12)
		}
		r.near("torque that is held", r.get("drive_FL.torque"), 100, 0)
		if want == nil {
			want = r
		}
		if !sameBits(r.x, want.x) {
			t.Errorf("in steps of %g s the states are others", h)
		}
	}
	if free, _ := holding(t, s, "rk4", 2000); free.Step(0.03) != nil || sameBits(free.x, want.x) {
		t.Error("the hold does nothing")
	}
}

// The numbers of an act are saved and restored. A reset makes them 0, a step that fails leaves them alone.
func TestActsAreSavedAndPutBack(t *testing.T) {
	r, act := holding(t, withHolds(t, 0.003), "rk4", 2000)
	run := func(n int) {
		t.Helper()
		for range n {
			r.set("drive_RL.torque", 1000*math.Sin(100*r.Time()))
			if err := r.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(10)
	saved := make([]byte, r.StateSize())
	if err := r.Save(saved); err != nil {
		t.Fatal(err)
	}
	run(20)
	want, done := append([]float64(nil), r.x...), act.done[0]
	r.set("drive_RL.torque", 1e308)
	if err := r.Step(0.01); err == nil {
		t.Fatal("a step to infinity succeeds")
	}
	if act.done[0] != done || !sameBits(r.x, want) {
		t.Errorf("after a step that fails the hold has acted %g times, not %g", act.done[0], done)
	}
	r.set("drive_RL.torque", 0)
	act.fails = errors.New("the hold is broken")
	if err := r.Step(0.01); err == nil || !strings.Contains(err.Error(), "broken; the state at 0.03") {
		t.Errorf("a step with an act that fails: %v", err)
	}
	if act.fails = nil; act.done[0] != done || !sameBits(r.x, want) {
		t.Error("an act that fails leaves another state")
	}
	if err := r.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if act.done[0] != 3 {
		t.Fatalf("the restored hold has acted %g times, not 3", act.done[0])
	}
	run(20)
	if act.done[0] != done || !sameBits(r.x, want) {
		t.Error("a restored vehicle goes elsewhere")
	}
	r.Reset()
	if act.done[0] != 0 {
		t.Errorf("after a reset the hold has acted %g times", act.done[0])
	}
}

// Acts in lanes have the results of acts of single instances, to the last bit. An act can refuse C. An act that changes
// inputs refuses importers that integrate.
func TestActsInLanesAndWithoutGo(t *testing.T) {
	s := withHolds(t, 0.003)
	for _, method := range []string{"heun", "linearly-implicit"} {
		var alone, together [program.Width]*ride
		var list []*Instance
		for i := range alone {
			for _, r := range []**ride{&alone[i], &together[i]} {
				var act *hold
				*r, act = holding(t, s, method, 2000+20*float64(i))
				act.halved = len(s.program.States) - 1
			}
			list = append(list, together[i].Instance)
		}
		f, err := NewFleet(list)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 30 {
			for i := range alone {
				for _, r := range []*ride{alone[i], together[i]} {
					r.set("drive_RL.torque", float64(k*i))
				}
				if err := alone[i].Step(0.004); err != nil {
					t.Fatal(err)
				}
			}
			for _, err := range f.Step(0.004, 2) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(f.groups) != 1 {
			t.Fatal("no vehicle steps in lanes")
		}
		for i, r := range alone {
			if own := together[i]; !sameBits(r.x, own.x) || !sameBits(r.u, own.u) {
				t.Errorf("%s: vehicle %d goes elsewhere in lanes", method, i)
			}
		}
		if plan, why := list[0].Plan(); plan != nil || why != "a hold is sampled" {
			t.Errorf("the plan is %v: %q", plan, why)
		}
		if err := list[0].Step(0.0045); err == nil || !strings.Contains(err.Error(), "not an integer multiple") {
			t.Errorf("a step that is no multiple of the solver step: %v", err)
		}
	}
	if !s.HasDiscreteContacts() {
		t.Error("an importer may integrate the states")
	}
}
