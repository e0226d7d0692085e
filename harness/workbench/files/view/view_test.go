package view

import (
	"context"
	"math"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/replay"
	"skidpad/model/vehicle"
)

const token = "0123456789abcdef"

// served is a live vehicle that a server shows.
type served struct {
	*View
	host  string
	model string
	drive string // recorded drive, written when the vehicle has ended
	end   func()
	log   []string
	mutex sync.Mutex
}

func (s *served) logged(text string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	n := 0
	for _, line := range s.log {
		if line == text {
			n++
		}
	}
	return n
}

// scenario is what a served vehicle does beside being driven.
type scenario struct {
	manoeuvre string   // name; "" without
	drives    bool     // the manoeuvre drives; else there is its track
	settings  []string // of the page
}

// serve shows a vehicle at a start speed: a shipped one, or one with a path.
func serve(t *testing.T, model string, speed float64, o live.Options, change func(*Options)) *served {
	t.Helper()
	return serveScenario(t, model, speed, scenario{}, o, change)
}

// serveScenario is serve with a scenario.
func serveScenario(t *testing.T, model string, speed float64, of scenario, o live.Options,
	change func(*Options)) *served {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := model
	if !filepath.IsAbs(model) {
		path = built.Model(model)
	}
	v, err := lib.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	car, err := manoeuvre.ReadDrivenCar(target, speed)
	if err != nil {
		t.Fatal(err)
	}
	driven := &manoeuvre.Manoeuvre{Name: "drive", Start: car.Start, Roles: car.Roles}
	if of.manoeuvre != "" {
		if driven, err = manoeuvre.ReadFor(target, built.Manoeuvre(of.manoeuvre)); err != nil {
			t.Fatal(err)
		}
	}
	start := &live.Start{Vehicle: v, Step: 1e-3, Plan: drive.Plan{Manoeuvre: driven}}
	if of.drives {
		start.Pilot = &live.Pilot{}
	}
	var changes *Changes
	if of.settings != nil {
		spare, err := v.Copy()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { spare.Close() })
		o.States = live.States(spare, spare.Variables)
		file, err := filepath.Abs(built.Path("resources", "tires", "mf62_205_60R15.tir"))
		if err != nil {
			t.Fatal(err)
		}
		if start.Settings, err = live.NewSettings(v, of.settings, []live.Tire{{Name: "wide", Function: "MF62", File: file}},
			[]string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"}); err != nil {
			t.Fatal(err)
		}
		changes = &Changes{Settings: start.Settings, Build: func(now *live.Snapshot) ([]byte, error) {
			other := *start
			other.Vehicle = spare
			if err := other.From(now, now.Settings); err != nil {
				return nil, err
			}
			return spare.Save()
		}}
	}
	if err := start.Prepare(); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &served{model: path, drive: filepath.Join(t.TempDir(), "drive.zip")}
	options := Options{Outputs: animation.Variables(m, v.Outputs()), Token: token, Log: func(text string) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.log = append(s.log, text)
	}}
	for _, w := range car.Roles.Wheels() { // for arrows
		for _, force := range []string{".Fx", ".Fy", ".Fz"} {
			options.Outputs = append(options.Outputs, w.Tire+force)
		}
	}
	options.Placing = len(options.Outputs)
	for _, name := range []string{car.Roles.Chassis + ".vx", car.Roles.Chassis + ".ax", car.Roles.Chassis + ".ay"} {
		if !slices.Contains(options.Outputs, name) {
			options.Outputs = append(options.Outputs, name)
		}
		options.Signals = append(options.Signals, Signal{Name: name, Role: car.Roles.Role(name)})
	}
	options.Signals = append(options.Signals, OfRows...)
	for _, w := range car.Roles.Wheels() {
		for _, force := range []string{".Fx", ".Fy", ".Fz"} {
			options.Signals = append(options.Signals, Signal{Name: w.Tire + force, Role: car.Roles.Role(w.Tire + force)})
		}
	}
	if err := options.Offer(v, car.Roles, o.Pace == 0); err != nil {
		t.Fatal(err)
	}
	values := make([]float64, options.Placing)
	references, err := v.References(options.Outputs[:options.Placing]...)
	if err == nil {
		err = v.Get(references, values)
	}
	if err != nil {
		t.Fatal(err)
	}
	if options.Poser, err = animation.NewPoser(m, options.Outputs[:options.Placing], values, 50); err != nil {
		t.Fatal(err)
	}
	o.Step, o.Outputs, o.Seldom, o.Recorded = 1e-3, options.Outputs, options.Seldom, true
	o.Restart, o.Pilot, o.Settings = start.Again, start.Pilot, start.Settings
	options.Changes, options.Piloted = changes, of.drives
	if of.manoeuvre != "" {
		c := &Course{Manoeuvre: driven, Chassis: car.Roles.Chassis, Fixed: !of.drives, Turns: start.Turns,
			Ratio: start.Ratio}
		if c.Fixed {
			c.Lead, c.Manoeuvre = 40, Ahead(driven, 40)
		}
		if c.Passage, err = evaluate.NewPassage(c.Manoeuvre, v); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.Passage.Outputs() {
			if !slices.Contains(options.Outputs, name) {
				options.Outputs = append(options.Outputs, name)
			}
		}
		options.Course = c
	}
	o.Outputs = options.Outputs
	if options.Loop, err = live.New(v, car, o); err != nil {
		t.Fatal(err)
	}
	if options.Course != nil {
		options.Course.Passage.SetInputs(options.Loop.Inputs())
	}
	files, err := v.ModelFiles()
	if err != nil {
		t.Fatal(err)
	}
	if options.Recorder, err = replay.NewWriter(s.drive, replay.Facts{Step: 1e-3, Inputs: options.Loop.Inputs()},
		files); err != nil {
		t.Fatal(err)
	}
	options.Lockstep = o.Pace == 0
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.host = listener.Addr().String()
	options.Hosts = []string{s.host}
	if change != nil {
		change(&options)
	}
	if s.View, err = New(options); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Run(ctx, func(h *http.Server) error { return h.Serve(listener) }) }()
	s.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(s.end)
	return s
}

// repeats repeats the recorded drive, and returns how many states were equal.
func (s *served) repeats(t *testing.T) replay.Result {
	t.Helper()
	return s.repeated(t, []string{"body.x"}, func(int, int, []float64) error { return nil })
}

// repeated is repeats with outputs.
func (s *served) repeated(t *testing.T, outputs []string, to replay.Sink) replay.Result {
	t.Helper()
	s.end()
	d, err := replay.Open(s.drive)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	model, err := d.Unpack(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.Load(model, "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	result, err := d.Repeat(v, 0, outputs, true, to)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A motion with constant speeds has these speeds between two poses.
func TestSpeedsOfPoses(t *testing.T) {
	turned := func(angle float64) [7]float64 {
		return [7]float64{1 + 3*angle, 2, 3 - angle, math.Cos(angle), 0.6 * math.Sin(angle), 0, 0.8 * math.Sin(angle)}
	}
	got := speeds(turned(0.3), turned(0.305), 0.01)
	want := [6]float64{1.5, 0, -0.5, 0.6, 0, 0.8}
	for k := range want {
		if math.Abs(got[k]-want[k]) > 1e-4 {
			t.Errorf("speeds %v, want %v", got, want)
		}
	}
	opposite := turned(0.305)
	for k := 3; k < 7; k++ {
		opposite[k] = -opposite[k]
	}
	if other := speeds(turned(0.3), opposite, 0.01); math.Abs(other[5]-got[5]) > 1e-9 {
		t.Errorf("the opposite quaternion gives %v", other)
	}
}
