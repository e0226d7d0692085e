package rig

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"skidpad/harness/library"
	"skidpad/model/bounded"
)

// Tire says which tire is on the stand.
type Tire struct {
	Model      string      // what a vehicle's tire.model takes: the name of a function, or "plugin:LIBRARY#SYMBOL"
	File       string      // its parameter file, "" for none
	Side       string      // "left" or "right": mounting side of a property file's tire; "" as the file states
	Radius     float64     // unloaded, m
	Stiffness  float64     // vertical, N/m
	Relaxation *Relaxation // nil where there is none
}

// Relaxation is the function that delays slip. One of a library, "plugin:LIBRARY#SYMBOL", has a parameter file or "".
type Relaxation struct {
	Function, File string
	Library        bool
}

// placed is a relaxation as the model file of the stand has it.
type placed struct {
	Function, Parameters string
	States               int // 0: as many as the function has
}

// State is how the wheel moves, steadily.
type State struct {
	Load     float64 // N
	Kappa    float64 // longitudinal slip
	Alpha    float64 // slip angle, rad
	Gamma    float64 // inclination, positive to the right, rad
	TurnSlip float64 // rate of the yaw angle by the speed, positive to the left, rad/m
	Speed    float64 // m/s
}

// Forces are the forces of the road on the tire about the contact point, in ISO tire axes.
type Forces struct {
	Fx, Fy, Fz, Mx, My, Mz float64 // N, N m
	Rl, Reff               float64 // loaded and effective radius, m
}

// Rig is a stand with a tire on it. Close it when done.
type Rig struct {
	tire    Tire
	delayed bool
	vehicle *library.Vehicle
	steps   int      // of the stand, since it was opened
	inputs  []uint32 // of inputNames
	outputs []uint32 // of outputNames
}

var (
	inputNames  = []string{"along.rate", "across.rate", "height.position", "heading.rate", "lean.angle", "axle.rate"}
	outputNames = []string{"tire.Fx", "tire.Fy", "tire.Fz", "tire.Mx", "tire.My", "tire.Mz", "tire.R_l", "tire.R_eff",
		"tire.kappa"}
)

//go:embed stand.toml
var standText string

var stand = template.Must(template.New("stand").Parse(standText))

// Open puts a tire on a stand of the library, with its slip at once or, with delayed, by its relaxation.
func Open(library *library.Library, tire Tire, delayed bool) (*Rig, error) {
	folder, err := os.MkdirTemp("", "skidpad-rig")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	switch {
	case !delayed:
		return build(library, tire, nil, folder)
	case tire.Relaxation.Library:
		r, err := build(library, tire, replaced(2), folder)
		if err == nil {
			return r, nil
		}
		if turning, fault := build(library, tire, replaced(3), folder); fault == nil {
			return turning, nil
		}
		return nil, err
	}
	// a model names files relative to itself
	data, err := bounded.Tire.Read(tire.Relaxation.File)
	if err != nil {
		return nil, err
	}
	name := "relaxation" + filepath.Ext(tire.Relaxation.File)
	if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
		return nil, err
	}
	return build(library, tire, &placed{tire.Relaxation.Function, fmt.Sprintf("file = %q", name), 0}, folder)
}

// replaced is a relaxation with that number of states, in whose place one from a library is put.
func replaced(states int) *placed {
	return &placed{"ConstantLength", "parameters = { Blong = 1, Blat = 1 }", states}
}

// build puts a tire on a stand whose model file, in the folder, has a relaxation or none.
func build(library *library.Library, tire Tire, relaxation *placed, folder string) (*Rig, error) {
	var text strings.Builder
	if err := stand.Execute(&text, struct {
		Tire
		Relaxation *placed
	}{tire, relaxation}); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "stand.toml")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		return nil, err
	}
	r := &Rig{tire: tire, delayed: relaxation != nil}
	var err error
	if r.vehicle, err = library.Load(path, ""); err != nil {
		return nil, err
	}
	if err := r.mount(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// mount sets what the tire is, and initialises.
func (r *Rig) mount() (err error) {
	if err := r.vehicle.SetText("tire.model", r.tire.Model); err != nil {
		return err
	}
	if r.tire.File != "" {
		if err := r.vehicle.SetText("tire.file", r.tire.File); err != nil {
			return err
		}
	}
	if x := r.tire.Relaxation; r.delayed && x.Library {
		if err := r.vehicle.SetText("tire.relaxation.model", x.Function); err != nil {
			return err
		}
		if err := r.vehicle.SetText("tire.relaxation.file", x.File); err != nil {
			return err
		}
	}
	if r.inputs, err = r.vehicle.References(inputNames...); err != nil {
		return err
	}
	if r.outputs, err = r.vehicle.References(outputNames...); err != nil {
		return err
	}
	if err := r.vehicle.SetNamed("height.position", r.tire.Radius); err != nil {
		return err
	}
	return r.vehicle.Initialise()
}

// Close takes the tire off.
func (r *Rig) Close() error { return r.vehicle.Close() }

// set moves the wheel: at a height with a spin, as the state says else.
func (r *Rig) set(s State, height, spin float64) error {
	sin, cos := math.Sincos(s.Alpha)
	return r.vehicle.Set(r.inputs, []float64{s.Speed * cos, s.Speed * sin, height, s.TurnSlip * s.Speed, s.Gamma, spin})
}

// Measure brings the wheel to a state, by its height and its spin, and returns what the tire does. A tire with internal
// states rolls on until they have settled. In turn slip, when the wheel does not run straight ahead, the tire is read
// at the start.
func (r *Rig) Measure(s State) (Forces, error) {
	f, err := r.adjust(s)
	for way := 0.0; err == nil && s.TurnSlip == 0 && way < settling; way += s.Speed * step {
		before := f
		if err = r.advance(s); err == nil {
			f, _, err = r.read(s)
		}
		if math.Abs(f.Fx-before.Fx)+math.Abs(f.Fy-before.Fy) <= 1e-12*s.Load {
			break
		}
	}
	return f, err
}

const (
	settling = 20.0 // way after which states have come to rest [m]
	step     = 1e-3 // s

	slowest   = 0.2        // m/s; at this speed the settling distance takes 100 000 steps
	mostSteps = 20_000_000 // of a stand; a plan has some 7000 states, each of 1200 steps at most at 16.7 m/s
)

// advance makes a step.
func (r *Rig) advance(s State) error {
	if r.steps++; r.steps > mostSteps {
		return fmt.Errorf("tire rig: %+v: the tire has not come to rest in the %d steps that a plan may have; measure "+
			"it faster, or with fewer loads", s, mostSteps)
	}
	return r.vehicle.Step(step)
}

// read returns the forces and the longitudinal slip, which must be numbers.
func (r *Rig) read(s State) (f Forces, slip float64, err error) {
	var out [9]float64
	if err := r.vehicle.Get(r.outputs, out[:]); err != nil {
		return f, slip, err
	}
	for i, x := range out {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return f, slip,
				fmt.Errorf("tire rig: %+v: %s is %g; it must be a finite number: check the parameters of the tire for "+
					"values that are too large", s, outputNames[i], x)
		}
	}
	return Forces{out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]}, out[8], nil
}

// adjust finds the height and the spin that give the state, and returns the forces.
func (r *Rig) adjust(s State) (Forces, error) {
	if !(s.Load > 0 && s.Speed >= slowest && math.Abs(s.Alpha) < math.Pi/2 && math.Abs(s.Gamma) < math.Pi/4) {
		return Forces{},
			fmt.Errorf("tire rig: %+v; the load must be above 0, the speed %g m/s or more, the slip angle below 90 "+
				"deg, the inclination below 45 deg", s, slowest)
	}
	upright, ahead := math.Cos(s.Gamma), s.Speed*math.Cos(s.Alpha)
	height := (r.tire.Radius - s.Load/r.tire.Stiffness) * upright
	spin := (1 + s.Kappa) * ahead / (r.tire.Radius - s.Load/r.tire.Stiffness)
	const most = 50
	var f Forces
	var slip float64
	for range most {
		if err := r.set(s, height, spin); err != nil {
			return f, err
		}
		var err error
		if f, slip, err = r.read(s); err != nil {
			return f, err
		}
		if r.delayed {
			slip = s.Kappa // what is published comes later
		}
		if math.Abs(s.Load-f.Fz) <= 1e-12*s.Load && math.Abs(s.Kappa-slip) <= 1e-12 {
			return f, nil
		}
		height -= (s.Load - f.Fz) / r.tire.Stiffness * upright
		spin += (s.Kappa - slip) * ahead / f.Reff
	}
	return f, fmt.Errorf("tire rig: %+v is not reached in %d steps: load %g N, slip %g", s, most, f.Fz, slip)
}

// relaxation is the distance after which a force has made 1 - 1/e of its change, when a freely rolling wheel takes a
// state at once [m]; for a stand with delayed slip.
func (r *Rig) relaxation(s State, force func(Forces) float64) (float64, error) {
	if err := r.vehicle.Reset(); err != nil {
		return 0, err
	}
	if err := r.mount(); err != nil {
		return 0, err
	}
	f, err := r.adjust(s)
	course := []float64{force(f)}
	for way := 0.0; err == nil && way < settling; way += s.Speed * step {
		if err = r.advance(s); err == nil {
			f, _, err = r.read(s)
		}
		course = append(course, force(f))
	}
	if err != nil {
		return 0, err
	}
	first, last := course[0], course[len(course)-1]
	level := first + (last-first)*(1-1/math.E)
	for i := 1; i < len(course); i++ {
		if a, b := course[i-1]-level, course[i]-level; a*b <= 0 && a != b {
			return (float64(i-1) + a/(a-b)) * step * s.Speed, nil
		}
	}
	return math.NaN(), nil
}
