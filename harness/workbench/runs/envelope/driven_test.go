package envelope

import (
	"math"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/lap"
	"skidpad/model/roles"
)

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// measured measures a model file or an FMU.
func measured(t *testing.T, file string, open func() (drive.Subject, func(), error), gears []float64) *Envelope {
	t.Helper()
	target, err := modelfile.Target(file, "")
	if err != nil {
		t.Fatal(err)
	}
	target.Find = func(o *roles.Roles) (map[string]float64, error) {
		v := cardraft.Vehicle{Roles: o, Open: open}
		return v.Find()
	}
	e, err := Measure(Car{Target: target, Open: open, Gears: gears})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The passenger car in its normal gear. Mass, drag and lift are in its model file, for air of 1.2041 kg/m3.
// Other numbers are from other runs: skidpad driver adapt finds a lateral limit of 8.22 m/s2, brake_distance a
// deceleration of 8.55 m/s2 from 100 km/h without locked wheels, and acceleration 8.635 s and 240.43 m from 80 to
// 120 km/h. Its FMU is measured alike.
func TestThePassengerCar(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := built.Model("passenger_car")
	e := measured(t, file, func() (drive.Subject, func(), error) {
		v, err := lib.Load(file, "")
		return v, func() { v.Close() }, err
	}, []float64{1})
	const m = 965.7 + 4*31.9
	near(t, "the mass", e.Mass, m, 1e-3*m)
	near(t, "the drag", e.AirDrag, 0.37*1.87*1.2041/2/m, 0.02*e.AirDrag)
	near(t, "the lift", e.Down, -(0.12+0.1)*1.87*1.2041/2/m, 0.02*math.Abs(e.Down))
	lateral, brake, _ := e.Largest(100 / 3.6)
	near(t, "the lateral limit", lateral, 8.22, 0.02*8.22)
	near(t, "the deceleration", brake, 8.55, 0.02*8.55)
	straight := &lap.Track{}
	for s := range 242 {
		straight.S, straight.Curvature = append(straight.S, float64(s)), append(straight.Curvature, 0)
	}
	straight.S[241] = 240.43
	l, err := lap.Solve(e, straight, 80/3.6)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the time from 80 km/h", l.Time(), 8.635, 0.01*8.635)
	near(t, "the speed at the end", 3.6*l.Points[241].Speed, 120, 0.5)

	fmu := built.FMU(t, file, 3)
	f, err := library.OpenFMU(fmu)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := measured(t, fmu, func() (drive.Subject, func(), error) {
		c, err := f.Instantiate(f.ModelName, f.Token)
		return c, func() { c.Close() }, err
	}, []float64{1})
	near(t, "the mass of the FMU", other.Mass, e.Mass, 1e-4*e.Mass)
	near(t, "its top speed", other.TopSpeed, e.TopSpeed, 0.01*e.TopSpeed)
	otherLateral, otherBrake, _ := other.Largest(100 / 3.6)
	near(t, "its lateral limit", otherLateral, lateral, 0.005*lateral)
	near(t, "its deceleration", otherBrake, brake, 0.005*brake)
}
