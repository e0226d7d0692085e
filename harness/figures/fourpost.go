package figures

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/stat"
)

// fourPost is for a car on four posts, in the phase "shake": how its body and its wheels follow the first post. What
// they do not follow has no figures, as roll when all posts move alike.
var fourPost = Kind{
	Name:    "four-post",
	Options: []string{"from", "between", "to", "segment", "coherence"},
	Phases:  []string{"shake"},
	Run: func(r *Record, o map[string]float64) []Figure {
		var list []Figure
		for _, s := range []struct {
			id, what, unit string
			x              []float64
			accelerated    bool
		}{
			{"heave", "height of the centre of mass by that of the post", "1", r.Up, true},
			{"roll", "roll angle by the height of the post", "rad/m", r.Roll, false},
			{"pitch", "pitch angle by the height of the post", "rad/m", r.Pitch, false},
		} {
			list = append(list, resonance(r, s.x, s.accelerated, o, o["from"], o["between"], s.id, s.what, s.unit)...)
		}
		for _, tires := range [][]Tire{r.Front, r.Rear} {
			for _, tire := range tires {
				list = append(list, resonance(r, tire.Load, false, o, o["between"], o["to"], "load_"+tire.Name,
					"vertical force of "+tire.Name+" by the height of the post", "N/m")...)
			}
		}
		return list
	},
}

// resonance is where a response is largest between two frequencies. Of an acceleration it is that of the way.
func resonance(
	r *Record, x []float64, accelerated bool, o map[string]float64, from, to float64, id, what, unit string,
) []Figure {
	gain, frequency := math.NaN(), math.NaN()
	coherence := 0.0
	if s := shaken(r, x, o["segment"]); s != nil {
		s = s.Within(from, to)
		for k, h := range s.H {
			if accelerated {
				h /= complex(-math.Pow(2*math.Pi*s.Frequency[k], 2), 0)
			}
			if g := cmplx.Abs(h); !(g <= gain) {
				gain, frequency, coherence = g, s.Frequency[k], s.Coherence[k]
			}
		}
	}
	const rounding = 1e-9 // rad, m/s2, N
	if first, last := r.phase("shake"); !(coherence >= o["coherence"]) ||
		stat.PopStdDev(x[first:last+1], nil) < rounding {
		gain, frequency = math.NaN(), math.NaN()
	}
	const why = "it does not follow the post"
	return []Figure{
		figure(id+"_gain", "largest gain: "+what, unit, gain).or(why),
		figure(id+"_frequency", "frequency at which it is largest", "Hz", frequency).or(why),
	}
}

// shaken is the response of a signal to the post after a first segment, as Spectrum is that to the steering wheel; nil
// where the run is too short or there is no post.
func shaken(r *Record, x []float64, segment float64) *Response {
	first, last := r.phase("shake")
	if r.step() > 0 {
		first += int(math.Round(segment / r.step()))
	}
	if first >= last || r.Post == nil {
		return nil
	}
	return Welch(r.Post[first:last+1], x[first:last+1], r.step(), segment)
}
