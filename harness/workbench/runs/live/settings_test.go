package live

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// standing is a passenger car at a speed, with settings.
func withSettings(t *testing.T, speed float64, set ...manoeuvre.Setting) *piloted {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := built.Model("passenger_car")
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	car, err := manoeuvre.ReadDrivenCar(target, speed)
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	start := &Start{Vehicle: v, Step: slice, Plan: drive.Plan{Settings: set,
		Manoeuvre: &manoeuvre.Manoeuvre{Name: "drive", Start: car.Start, Roles: car.Roles}}}
	file, err := filepath.Abs(built.Path("resources", "tires", "mf62_205_60R15.tir"))
	if err != nil {
		t.Fatal(err)
	}
	tires := []Tire{{"other", "MF62", file}}
	if start.Settings, err = NewSettings(v, []string{"front_spring", "sprung", "road.mu", "air.wind_y"}, tires,
		[]string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"}); err != nil {
		t.Fatal(err)
	}
	return run(t, v, car, start, "body.x", "body.z", "body.vx", "front_spring", "tire_FL.Fz", "tire_RL.terrain_z")
}

// change builds a vehicle with what waits, and puts it in place of a vehicle that stands.
func (p *piloted) change(t *testing.T) error {
	t.Helper()
	now, err := p.Snapshot(p.ctx)
	if err != nil {
		return err
	}
	spare, err := p.vehicle.Copy()
	if err != nil {
		t.Fatal(err)
	}
	defer spare.Close()
	other := *p.start
	other.Vehicle = spare
	if err := other.From(now, now.Settings); err != nil {
		return err
	}
	state, err := spare.Save()
	if err != nil {
		t.Fatal(err)
	}
	return p.Replace(p.ctx, state)
}

// Settings of parameters wait while the vehicle moves. At a reset they act as if they had been set before the start,
// and the ones before stay.
func TestSettingsActAtAReset(t *testing.T) {
	p := withSettings(t, 12)
	s := p.start.Settings
	p.do(t, p.Advance(p.ctx, 100))
	p.do(t, s.Want("front_spring", 30_000))
	if err := p.change(t); !Moves(err) {
		t.Errorf("a setting of a vehicle that moves: %v", err)
	}
	p.do(t, p.Advance(p.ctx, 100))
	p.do(t, p.Set(p.ctx, "road.mu", 0.5))
	p.do(t, p.Advance(p.ctx, 100))
	p.do(t, p.Reset(p.ctx))
	p.do(t, p.Advance(p.ctx, 300))
	p.do(t, s.Want("sprung", 1100))
	p.do(t, s.WantTire("other"))
	p.do(t, p.Reset(p.ctx))
	p.do(t, p.Advance(p.ctx, 300))
	p.do(t, s.WantTire(ModelTires))
	p.do(t, p.Reset(p.ctx))
	p.do(t, p.Advance(p.ctx, 300))
	p.end()
	set := []manoeuvre.Setting{{Name: "front_spring", Value: "30000"}, {Name: "road.mu", Value: "0.5"}}
	heavy := append(slices.Clone(set), manoeuvre.Setting{Name: "sprung", Value: "1100"})
	tires := slices.Clone(heavy)
	for _, wheel := range s.Of {
		tires = append(tires, manoeuvre.Setting{Name: wheel + ".model", Value: "MF62"},
			manoeuvre.Setting{Name: wheel + ".file", Value: s.Tires[0].File})
	}
	for segment, set := range map[int][]manoeuvre.Setting{3: set, 4: tires, 5: heavy} {
		q := withSettings(t, 12, set...)
		q.do(t, q.Advance(q.ctx, 300))
		q.end()
		for _, name := range []string{"body.x", "body.z", "front_spring", "tire_FL.Fz"} {
			got, want := p.at(segment, name), q.at(1, name)
			if len(want) != 301 || !slices.Equal(got[:301], want) {
				t.Errorf("segment %d: %s is %v, set before the start %v", segment, name, got[300], want[300])
			}
		}
	}
	values := map[int]*Values{}
	for _, e := range p.events {
		if e.Kind == "begin" {
			values[e.Segment] = e.Values
		}
	}
	if v := values[1]; v.Numbers[0] != 24445 || v.Tire != ModelTires {
		t.Errorf("settings at the begin: %+v", v)
	}
	if v := values[4]; v.Numbers[0] != 30_000 || v.Numbers[1] != 1100 || v.Numbers[2] != 0.5 || v.Tire != "other" {
		t.Errorf("settings after the second reset: %+v", v)
	}
}

// A vehicle that stands gets another mass where it is, and a return to an earlier moment brings back the mass before.
func TestSettingsActAtStandstill(t *testing.T) {
	p := withSettings(t, 0)
	s := p.start.Settings
	p.Drive(Command{Device: Program, Throttle: 0.5})
	p.do(t, p.Advance(p.ctx, 2500))
	p.Drive(Command{Device: Program, Brake: 5})
	p.do(t, p.Advance(p.ctx, 3500))
	p.do(t, p.Set(p.ctx, "tire_RL.terrain_z", 0.01))
	p.do(t, p.Advance(p.ctx, 500))
	p.do(t, p.Keep(p.ctx, 1))
	p.do(t, s.Want("sprung", 1300))
	p.do(t, p.change(t))
	p.do(t, p.Advance(p.ctx, 2000))
	p.do(t, p.Return(p.ctx, 1))
	p.do(t, p.Advance(p.ctx, 1))
	p.end()
	before, after, back := p.at(2, "body.x"), p.at(3, "body.x"), p.at(4, "body.z")
	x := before[len(before)-1]
	if !(x > 0.5) || math.Abs(after[0]-x) > 1e-9 || math.Abs(after[len(after)-1]-x) > 0.02 {
		t.Errorf("the vehicle stands at %g m, then at %g and %g m", x, after[0], after[len(after)-1])
	}
	heights := p.at(3, "body.z")
	if sinks := heights[0] - heights[len(heights)-1]; !(sinks > 0.02 && sinks < 0.06) || // 3300 N on springs of 88 kN/m
		back[0] != heights[0] {
		t.Errorf("with 334 kg more the body sinks by %g m; before it was at %g m", sinks, back[0])
	}
	if lifted := p.at(3, "tire_RL.terrain_z"); lifted[0] != 0.01 {
		t.Errorf("an input that nobody drives is %g", lifted[0])
	}
	if s.Waiting() {
		t.Error("something waits")
	}
}

// A page changes settings of the list only, within their bounds.
func TestSettingsAreBounded(t *testing.T) {
	p := withSettings(t, 12)
	p.end()
	s := p.start.Settings
	for name, c := range map[string]struct {
		value float64
		says  string
	}{"front_spring": {1e6, "12222.5 to 48890"}, "sprung": {math.NaN(), "is possible"}, "rear_spring": {2e4, "--param"}} {
		if err := s.Want(name, c.value); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.WantTire("plugin:x.so#f"); err == nil || !strings.Contains(err.Error(), "list tires") {
		t.Errorf("a plug-in: %v", err)
	}
	if _, err := NewSettings(p.vehicle, []string{"body.x"}, nil, nil); err == nil {
		t.Error("an output is a setting")
	}
	if other, err := NewSettings(p.vehicle, nil, s.Tires, nil); err != nil || other.WantTire("other") == nil {
		t.Errorf("tires of a vehicle without wheels, %v", err)
	}
	p.do(t, s.Want("sprung", 1000))
	p.do(t, s.Want("front_spring", 30_000))
	taken := s.take()
	p.do(t, s.Want("sprung", 1100))
	s.PutBack(taken)
	if s.waiting["sprung"] != 1100 || s.waiting["front_spring"] != 30_000 {
		t.Errorf("%v waits", s.waiting)
	}
	for i, want := range [][2]float64{{24445.0 / 2, 2 * 24445}, {965.7 / 2, 2 * 965.7}, {0.1, 1.2}, {-15, 15}} {
		if x := s.List[i]; x.Least != want[0] || x.Most != want[1] || x.Now != (i >= 2) {
			t.Errorf("%+v, want %v", x, want)
		}
	}
}
