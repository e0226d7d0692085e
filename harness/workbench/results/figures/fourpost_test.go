package figures

import (
	"math"
	"testing"
)

// A mass on a spring and a damper stands on the post. The gain of its height is largest at the maximum of the formula.
// The gain of the force is largest far above the resonance, where the mass stands still. Roll and pitch do not follow
// the post and have no figures.
func TestFourPostFiguresOfAnOscillator(t *testing.T) {
	const w, d, period = 2 * math.Pi * 1.5, 0.3, 20.0
	time := times(75)
	post := func(t float64) (z, v float64) {
		s := math.Mod(t, period)
		const rise = 25 / period
		return 0.01 * math.Sin(math.Pi*rise*s*s), 0.01 * 2 * math.Pi * rise * s * math.Cos(math.Pi*rise*s*s)
	}
	r := record(time, Phase{"settle", 0, 5}, Phase{"shake", 5, 75})
	r.Post, r.Up = make([]float64, len(time)), make([]float64, len(time))
	load := make([]float64, len(time))
	x, v := 0.0, 0.0
	rate := func(x, v, t float64) (float64, float64) {
		z, zv := post(t)
		return v, w*w*(z-x) + 2*d*w*(zv-v)
	}
	for i, t := range time {
		r.Post[i], _ = post(t)
		_, r.Up[i] = rate(x, v, t)
		load[i] = 4000 + 2e5*(r.Post[i]+0.5*x)
		const h = 1e-3
		a1, b1 := rate(x, v, t)
		a2, b2 := rate(x+h/2*a1, v+h/2*b1, t+h/2)
		a3, b3 := rate(x+h/2*a2, v+h/2*b2, t+h/2)
		a4, b4 := rate(x+h*a3, v+h*b3, t+h)
		x, v = x+h/6*(a1+2*a2+2*a3+a4), v+h/6*(b1+2*b2+2*b3+b4)
	}
	r.Front = []Tire{{Name: "left", Load: load}}
	list := fourPost.Run(r, &postOptions{from: 0.5, crossover: 5, to: 20, segment: period, coherence: 0.9})
	top, peakFrequency := 0.0, 0.0
	for f := 0.5; f < 5; f += 0.05 {
		u := 2 * math.Pi * f / w
		if g := math.Sqrt((1 + 4*d*d*u*u) / (math.Pow(1-u*u, 2) + 4*d*d*u*u)); g > top {
			top, peakFrequency = g, f
		}
	}
	near(t, "gain", pick(t, list, "heave_gain").Value, top, 0.01)
	near(t, "frequency", pick(t, list, "heave_frequency").Value, peakFrequency, 0.05)
	// far above the resonance the mass stands still
	near(t, "load", pick(t, list, "load_left_gain").Value, 2e5, 0.05)
	for _, id := range []string{"roll_gain", "roll_frequency", "pitch_gain", "pitch_frequency"} {
		if f := pick(t, list, id); f.Missing == "" {
			t.Errorf("%s without roll and pitch is %g", id, f.Value)
		}
	}
}
