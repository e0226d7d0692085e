package cosim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/testrun"
)

// shippedRuns are the shipped vehicles with carcasses and conservative contacts that are stopped, rolled over and
// dropped at random, with the names of their bodies.
var shippedRuns = []struct{ name, body string }{
	{"generic4w_carcass", "body"}, {"skidder_carcass", "front"}, {"passenger_car", "body"}, {"car_trailer", "body"},
}

// shippedCases is how many runs of each kind there are: a tenth of 200, times the flag tumbling.
func shippedCases() int { return 20 * *tumblingRuns }

// A braked vehicle that has stopped stays where it is, whatever its speed, its brakes and the friction were: it moves
// by less than a millimetre in ten seconds.
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

// A vehicle that rolls over or falls on any side, without anything that drives it, is never thrown up: it has at most
// a thousandth more energy than at the start, by the longitudinal force of Fiala, which is no brush's. The tires are
// Fiala's: falls load them with some twenty times the nominal load, where the friction of the Magic Formula's table
// has become negative. How far the energy rises above its least value is logged.
func TestShippedVehiclesMakeNoEnergy(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(2411, 2))
	systems := shippedSystems(t)
	for _, kind := range []string{"roll-overs", "drops"} {
		var rises []float64
		for n := range shippedCases() {
			c := shippedRuns[n%2] // without engines, which idle
			r := instance(t, systems[c.name], "rk4", 0.001)
			if c.name == "generic4w_carcass" {
				for _, corner := range corners {
					r.text("tire_"+corner+".model", "Fiala")
					r.text("tire_"+corner+".file", "../tires/fiala_generic4w.toml")
				}
			}
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
			for r.in.Time() < 3 {
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
			rises = append(rises, rise)
			if !(highest <= 1e-3*start) {
				t.Errorf("%s, number %d of %s: %.4g J more than at the start", c.name, n, kind, highest)
			}
		}
		slices.Sort(rises)
		t.Logf("%d %s: rises by at most %.3g of what was exchanged, median %.3g", len(rises), kind, rises[len(rises)-1],
			rises[len(rises)/2])
	}
}

func shippedSystems(t *testing.T) map[string]*cosim.System {
	systems := map[string]*cosim.System{}
	for _, c := range shippedRuns {
		systems[c.name] = load(t, c.name, "")
	}
	return systems
}

// named are the inputs with a beginning and an end.
func (r *run) named(begin, end string) (names []string) {
	for _, v := range r.in.System().Variables() {
		if v.Kind == cosim.Input && strings.HasPrefix(v.Name, begin) && strings.HasSuffix(v.Name, end) {
			names = append(names, v.Name)
		}
	}
	return names
}
