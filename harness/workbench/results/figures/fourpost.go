package figures

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/stat"
)

// postOptions are the options of four posts.
type postOptions struct {
	from, crossover, to, segment, coherence float64
}

func (o *postOptions) Numbers() []Option {
	return []Option{
		from0(&o.from, "from", "Hz", "least frequency of the body"),
		from0(&o.crossover, "between", "Hz", "largest frequency of the body and least of the wheels"),
		above0(&o.to, "to", "Hz", "largest frequency of the wheels"),
		above0(&o.segment, "segment", "s", "length of the segments of the spectra"),
		share(&o.coherence, "coherence", "least coherence of a response that counts"),
	}
}

// fourPost is for a car on four posts, in the phase "shake": how its body and its wheels follow the first post. What
// they do not follow has no figures, as roll when all posts move alike.
var fourPost = Kind{
	Name:   "four-post",
	Text:   "responses to four posts",
	New:    func() Options { return new(postOptions) },
	Answer: []string{"heave_frequency", "heave_gain", "pitch_frequency", "pitch_gain", "roll_frequency", "roll_gain"},
	Phases: []string{"shake"},
	Run: with(func(r *Record, o *postOptions) []Figure {
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
			list = append(list, resonance(r, s.x, s.accelerated, o, o.from, o.crossover, s.id, s.what, s.unit)...)
		}
		for _, tires := range [][]Tire{r.Front, r.Rear} {
			for _, tire := range tires {
				list = append(list, resonance(r, tire.Load, false, o, o.crossover, o.to, "load_"+tire.Name,
					"vertical force of "+tire.Name+" by the height of the post", "N/m")...)
			}
		}
		return list
	}),
}

// resonance is where a response is largest between two frequencies. For an acceleration the gain is that of the
// displacement: the response divided by -(2 pi f)^2.
func resonance(
	r *Record, x []float64, accelerated bool, o *postOptions, from, to float64, id, what, unit string,
) []Figure {
	gain, frequency := math.NaN(), math.NaN()
	const rounding = 1e-9 // rad, m/s2, N
	first, last := r.phase("shake")
	s, why := shaken(r, x, o.segment)
	if s != nil {
		s = s.Within(from, to)
		top := -1
		for k, h := range s.H {
			if accelerated {
				h /= complex(-math.Pow(2*math.Pi*s.Frequency[k], 2), 0)
			}
			if g := cmplx.Abs(h); !(g <= gain) {
				gain, frequency, top = g, s.Frequency[k], k
			}
		}
		switch {
		case top < 0:
			why = "the frequencies leave no line of the response"
		case !(s.Coherence[top] >= o.coherence) || stat.PopStdDev(x[first:last+1], nil) < rounding:
			why = "it does not follow the post"
		}
	}
	if why != "" {
		gain, frequency = math.NaN(), math.NaN()
	}
	return []Figure{
		figure(id+"_gain", "largest gain: "+what, unit, gain).or("%s", why),
		figure(id+"_frequency", "frequency at which it is largest", "Hz", frequency).or("%s", why),
	}
}

// shaken is the response of a signal to the post after a first segment, as Spectrum is that to the steering wheel; nil
// and why where there is none.
func shaken(r *Record, x []float64, segment float64) (_ *Response, why string) {
	first, last := r.phase("shake")
	switch rows := math.Round(segment / r.step()); {
	case first > last:
		return nil, notReached
	case r.Post == nil:
		return nil, "no road moves"
	case !(rows >= 2 && 2*rows <= float64(last+1-first)):
		return nil, "the run is shorter than two segments"
	default:
		first += int(rows)
	}
	return Welch(r.Post[first:last+1], x[first:last+1], r.step(), segment), ""
}
