package formulate_test

import (
	"fmt"
	"math"
	"testing"
)

// Oil with bubbles takes what compresses both: V p/K + V (a(0) - a(p)) is the oil that has come in.
func TestOilWithAir(t *testing.T) {
	const volume, modulus, flow = 2e-4, 1.2e9, 1e-6
	line := func(p float64) float64 { return 0.03 - 0.02*min(p, 1e6)/1e6 - 0.005*max(0, p-1e6)/1e6 }
	gas := func(n float64) func(float64) float64 {
		return func(p float64) float64 { return 0.02 * math.Pow(9e4/(p+9e4), 1/n) }
	}
	for air, share := range map[string]func(float64) float64{
		`0.02, exponent = 1, ambient = "0.9 bar"`:                                          gas(1),
		`0.02, exponent = 1.3, ambient = "0.9 bar"`:                                        gas(1.3),
		`{ points = [[0, 0.03], ["10 bar", 0.01], ["20 bar", 0.005]], smooth = "linear" }`: line,
	} {
		r := rideOf(t, fmt.Sprintf(`name = "air"
[component]
q = { type = "flow-source", to = "a", flow = 1e-6 }
oil = { type = "volume", from = "a", volume = "0.2 l", bulk_modulus = "1.2 GPa", air = %s }
`, air))
		step := 1e-3
		expectNear(t, r.values()["oil.air_share"], share(0), 1e-14, "share at the start, air = "+air)
		slope := (share(1) - share(-1)) / 2
		expectNear(t, r.values()["rate of oil.pressure"], flow/volume/(1/modulus-slope), 1e-5, "rate, air = "+air)
		for _, time := range []float64{0.5, 1.5, 3} {
			r.to(time, step)
			v := r.values()
			p := v["oil.pressure"]
			expectNear(t, volume*p/modulus+volume*(share(0)-share(p)), flow*time, 2e-4, "oil, air = "+air)
			expectNear(t, v["oil.air_share"], share(p), 1e-12, "share, air = "+air)
		}
	}
}

// A booster turns a force into a pressure; the rate of the pressure follows from that of the force.
func TestBooster(t *testing.T) {
	r := rideOf(t, `name = "booster"
[component]
pedal = { type = "pressure-source", to = "a", booster = { points = [[0, 0], [100, "10 bar"], [300, "70 bar"]], smooth = "linear" }, force = "input" }
line = { type = "line", from = "a", resistance = 2e9 }
oil = { type = "volume", from = "a", capacity = 1e-12 }
soft = { type = "pressure-source", to = "b", booster = [[0, 0], [1, 5]], force = "3 + time", resistance = 1 }
end = { type = "line", from = "b", resistance = 4 }
`)
	for force, pressure := range map[float64]float64{50: 5e5, 200: 4e6, 300: 7e6} {
		r.set("pedal.force", force)
		r.set("pedal.rate", 0)
		v := r.values()
		expectNear(t, v["pedal.pressure"], pressure, 1e-14, "pressure")
		expectNear(t, v["line.flow"], pressure/2e9, 1e-14, "flow")
		expectNear(t, v["pedal.power"], pressure*pressure/2e9, 1e-14, "power")
	}
	r.set("pedal.force", 200)
	r.set("pedal.rate", 40)
	expectNear(t, r.values()["oil.flow"], 1e-12*40*3e4, 1e-13, "flow into the oil")
	expectNear(t, r.values()["soft.flow"], 3, 1e-13, "flow by a formula")
}

// Faults of air and boosters.
func TestFaultsOfAirAndBoosters(t *testing.T) {
	for text, parts := range map[string][]string{
		`v = { type = "volume", from = "a", capacity = 1, air = 0.1 }`:    {"v.air has no effect"},
		`v = { type = "volume", from = "a", volume = 1, air = 1.1 }`:      {"v.air", "1.1"},
		`v = { type = "volume", from = "a", volume = 1, exponent = 1.2 }`: {"v.exponent has no effect"},
		`v = { type = "volume", from = "a", volume = 1, air = [[0, 1], [9, 0]], ambient = 1 }`: {
			"v.ambient has no effect"},
		`v = { type = "volume", from = "a", volume = 1, air = [[0, 0.1], [1, 0.2]] }`:        {"v.air rises"},
		`v = { type = "volume", from = "a", volume = 1, air = [[0, 0.1], [1, -0.2]] }`:       {"v.air", "from 0 to 1"},
		`v = { type = "pressure-source", to = "a", booster = [[0, 0], [1, -5]], force = 1 }`: {"v.booster falls"},
		`v = { type = "pressure-source", to = "a", booster = [[0, 0], [1, 5]] }`:             {`lacks the key "force"`},
		`v = { type = "pressure-source", to = "a", force = 2, pressure = 3 }`:                {"v.force has no effect"},
		`v = { type = "pressure-source", to = "a" }`:                                         {`lacks the key "pressure"`},
		`v = { type = "pressure-source", to = "a", booster = [[0, 0], [1, 5]], force = 1, pressure = 2 }`: {
			"both pressure and booster"},
	} {
		refused(t, text, parts...)
	}
}
