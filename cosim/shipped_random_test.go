package cosim_test

import (
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/program"
)

// shippedRuns are the shipped vehicles with carcasses and conservative contacts that are stopped, rolled over and
// dropped at random, with the names of their bodies.
var shippedRuns = []struct{ name, body string }{
	{"generic4w_carcass", "body"}, {"skidder_carcass", "front"}, {"passenger_car", "body"}, {"car_trailer", "body"},
}

// shippedCases returns the number of runs of each kind, times the flag tumbling.
func shippedCases() int { return testrun.Either(12, 20) * *tumblingRuns }

// A braked vehicle that has stopped moves by less than a millimetre in ten seconds, for any speed, brakes and friction
// of the stop.
func TestShippedVehiclesStandAfterRandomStops(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	random := rand.New(rand.NewPCG(2411, 1))
	systems := shippedSystems(t)
	worst, stops := 0.0, 0
	for n := range shippedCases() {
		c := shippedRuns[n%len(shippedRuns)]
		method := []string{"heun", "rk4", "linearly-implicit", "euler"}[n/len(shippedRuns)%4]
		r := instance(t, systems[c.name], method, 0.001)
		speed := -3 + 10*random.Float64()
		r.set(c.body+".vx", speed)
		mu, torque := 0.35+0.65*random.Float64(), 1500+13500*random.Float64()
		if *tumblingRuns == 1 && !cosim.Picked(4, n, n/len(shippedRuns)) { // each vehicle, and each method
			continue
		}
		r.start(noInput)
		brakes := r.named("brake", ".torque")
		for _, v := range r.named("", ".mu") {
			r.set(v, mu)
		}
		hold := func(to float64) {
			r.drive(func(r *run, _ float64) {
				for _, b := range brakes {
					r.set(b, torque)
				}
			}, 0.001, to)
		}
		hold(25)
		x, y := r.get(c.body+".x"), r.get(c.body+".y")
		hold(35)
		moved := math.Hypot(r.get(c.body+".x")-x, r.get(c.body+".y")-y)
		stops++
		if worst = max(worst, moved); !(moved < 1e-3) {
			t.Errorf("%s, %s, from %.3g m/s, mu %.3g, %.4g N m: %.3g mm in ten seconds", c.name, method, speed, mu, torque,
				1e3*moved)
		}
	}
	t.Logf("%d stops: at most %.3g mm", stops, 1e3*worst)
}

// worstRises are the largest energy rises in 200 runs, as fractions of the exchanged energy (docs/limits.md).
var worstRises = map[string]float64{"roll-overs": 0.038, "drops": 0.033}

// A vehicle with its shipped tires that rolls over or falls on any side, without a drive, is never thrown up. Its
// energy exceeds the energy at the start by at most a thousandth, and hardly rises above its least value.
func TestShippedVehiclesMakeNoEnergy(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	list := conservativeVehicles(t)
	for _, kind := range []string{"roll-overs", "drops"} {
		var rises []float64
		for n := range shippedCases() {
			c := list[n%len(list)]
			// the motions of a vehicle are the same with any other vehicles in the list
			of := fnv.New64a()
			_, _ = io.WriteString(of, kind+" of "+c.name)
			random := rand.New(rand.NewPCG(of.Sum64(), uint64(n/len(list))))
			r := instance(t, c.sys, "rk4", 0.001)
			r.set(c.body+".vx", 10+20*random.Float64())
			r.set(c.body+".wx", (1.5+2.5*random.Float64())*float64(1-2*random.IntN(2)))
			if kind == "drops" {
				r.set(c.body+".vx", 10*random.Float64())
				r.set(c.body+".z", r.get(c.body+".z")+0.5+random.Float64())
				r.set(c.body+".wy", 2*random.NormFloat64())
			}
			r.start(noInput)
			least, exchanged, rise := math.Inf(1), 0.0, 0.0
			before, start, highest := math.NaN(), math.NaN(), 0.0
			for r.in.Time() < 3 && !nearlySingular(r, c.body) {
				r.step(0.01)
				kinetic := r.get("energy.kinetic")
				energy := kinetic + r.get("energy.potential")
				if !math.IsNaN(before) {
					exchanged += math.Abs(kinetic - before)
				}
				before, least = kinetic, min(least, energy)
				if math.IsNaN(start) {
					start = energy
				}
				highest = max(highest, energy-start)
				rise = max(rise, (energy-least)/max(exchanged, 1))
			}
			if rises = append(rises, rise); !(rise <= worstRises[kind]) {
				t.Errorf("%s, number %d of %s: the energy rises by %.4g of what was exchanged", c.name, n, kind, rise)
			}
			if !(highest <= 1e-3*start) {
				t.Errorf("%s, number %d of %s: %.4g J more than at the start", c.name, n, kind, highest)
			}
		}
		slices.Sort(rises)
		t.Logf("%d %s: rises by at most %.3g of what was exchanged, median %.3g", len(rises), kind, rises[len(rises)-1],
			rises[len(rises)/2])
	}
}

// A car of eight times its mass, whose tires carry nine times their nominal load, stops on its locked brakes and stays.
// A negative coefficient of friction would drive it backwards.
func TestAnOverloadedCarStopsOnItsBrakes(t *testing.T) {
	const mass, usual = 17500.0, 2077.0
	r := instance(t, load(t, "generic4w_carcass", ""), "rk4", 0.001)
	r.set("body.mass", mass)
	for _, c := range corners {
		for _, key := range []string{"spring_" + c + ".stiffness", "spring_" + c + ".damping",
			"tire_" + c + ".vertical_stiffness"} {
			r.set(key, r.get(key)*mass/usual)
		}
	}
	r.start(noInput)
	fastest, least, heaviest := r.get("body.vx"), 0.0, 0.0
	for r.in.Time() < 12 {
		for _, c := range corners {
			r.set("brake_"+c+".torque", 60000)
			heaviest = max(heaviest, r.get("tire_"+c+".Fz"))
		}
		r.step(0.01)
		least = min(least, r.get("body.vx"))
	}
	// The carcass springs back once, like the carcass of a stopped block.
	if end := r.get("body.vx"); !(least > -0.5 && math.Abs(end) < 0.05 && heaviest > 40000) {
		t.Errorf("from %g m/s to %g m/s, %g m/s backwards, with up to %g N on a tire", fastest, end, -least, heaviest)
	}
}

// nearlySingular reports whether angles come near an Euler-angle singularity: the pitch of the body, or of a trailer on
// its fifth wheel.
func nearlySingular(r *run, body string) bool {
	for _, name := range []string{body + ".pitch", "fifth_wheel.phi"} {
		if _, is := r.sys.Find(name); is && math.Abs(r.get(name)) > 1.3 {
			return true
		}
	}
	return false
}

// conservativeVehicle is a shipped vehicle whose tires have carcasses and conservative contacts, with its heaviest
// body.
type conservativeVehicle struct {
	name, body string
	sys        *cosim.System
}

// conservativeVehicles lists the conservative vehicles whose engines do not idle.
func conservativeVehicles(t *testing.T) (list []conservativeVehicle) {
	t.Helper()
	models := shippedModels(t)
	for _, name := range slices.Sorted(maps.Keys(models)) {
		tires, heaviest, body, idles := 0, 0.0, "", false
		sys := load(t, name, "")
		free := func(body string) bool {
			return slices.ContainsFunc(sys.Program().States, func(v program.Variable) bool { return v.Name == body+".vx" })
		}
		for _, c := range models[name].Components {
			switch c := c.(type) {
			case *component.Tire:
				if tires++; !c.Slip.Carcass || c.Contact.Method != component.ContactConservative {
					tires = -100
				}
			case *component.RigidBody:
				if c.Mass.Value > heaviest && free(c.Name) {
					heaviest, body = c.Mass.Value, c.Name
				}
			case *component.Engine:
				idles = idles || slices.ContainsFunc(c.Drag.Y, func(y float64) bool { return y > 0 })
			}
		}
		if len(sys.Program().Samplers) > 0 { // controllers drive the car
			continue
		}
		if tires > 0 && !idles && models[name].Solver.Method != "linearly-implicit" { // rk4 is too slow for stiff bushings
			list = append(list, conservativeVehicle{name, body, sys})
		}
	}
	if len(list) == 0 {
		t.Fatal("no shipped vehicle has conservative contacts")
	}
	return list
}

func shippedSystems(t *testing.T) map[string]*cosim.System {
	systems := map[string]*cosim.System{}
	for _, c := range shippedRuns {
		systems[c.name] = load(t, c.name, "")
	}
	return systems
}

// named returns the inputs with a prefix and a suffix.
func (r *run) named(begin, end string) (names []string) {
	for _, v := range r.in.System().Variables() {
		if v.Kind == cosim.Input && strings.HasPrefix(v.Name, begin) && strings.HasSuffix(v.Name, end) {
			names = append(names, v.Name)
		}
	}
	return names
}
