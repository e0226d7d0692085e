package figures

import (
	"math"
	"math/cmplx"
	"sort"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat"
)

// Weighting is a frequency weighting of ISO 2631-1 (annex A): two-pole Butterworth filters at 0.4 and 100 Hz, a
// transition from acceleration to velocity, and a step upwards.
type Weighting struct {
	f3, f4, q4     float64 // Hz
	f5, q5, f6, q6 float64 // 0 without a step
}

// The weightings of vertical and of horizontal vibration on a seat.
var (
	Wk = Weighting{f3: 12.5, f4: 12.5, q4: 0.63, f5: 2.37, q5: 0.91, f6: 3.35, q6: 0.91}
	Wd = Weighting{f3: 2, f4: 2, q4: 0.63}
)

// Gain is the magnitude at a frequency [Hz].
func (w Weighting) Gain(f float64) float64 {
	if f <= 0 {
		return 0
	}
	p := complex(0, f)
	second := func(f, q float64) complex128 { x := p / complex(f, 0); return 1 + x/complex(q, 0) + x*x }
	const low, high = 0.4, 100.0 // Hz
	h := (p / low) * (p / low) / second(low, math.Sqrt2/2) / second(high,
		math.Sqrt2/2) * (1 + p/complex(w.f3, 0)) / second(w.f4, w.q4)
	if w.f6 > 0 {
		h *= second(w.f5, w.q5) / second(w.f6, w.q6) * complex(w.f5*w.f5/(w.f6*w.f6), 0)
	}
	return cmplx.Abs(h)
}

// Density is the one-sided power spectral density over the frequency [Hz] of rows step seconds apart. It is the mean
// over Hann-windowed segments that overlap by half, each without its mean. It is nil where the record is not as long as
// a segment. The sum over all frequencies, times their distance, is the variance.
func Density(x []float64, step, segment float64) (frequency, density []float64) {
	n := int(math.Round(segment / step))
	if n < 2 || len(x) < n {
		return nil, nil
	}
	fft := fourier.NewFFT(n)
	density = make([]float64, n/2+1)
	w := make([]float64, n)
	segments := 0
	for begin := 0; begin+n <= len(x); begin += n / 2 {
		m := stat.Mean(x[begin:begin+n], nil)
		for i := range w {
			w[i] = (x[begin+i] - m) * (1 - math.Cos(2*math.Pi*float64(i)/float64(n))) / 2
		}
		for k, c := range fft.Coefficients(nil, w) {
			density[k] += real(c)*real(c) + imag(c)*imag(c)
		}
		segments++
	}
	scale := step / (float64(n) * 3.0 / 8) / float64(segments) // 3/8 is the mean square of the window
	for k := range density {
		if density[k] *= scale; k > 0 && (k < n/2 || n%2 == 1) {
			density[k] *= 2 // of both sides
		}
		frequency = append(frequency, float64(k)/(float64(n)*step))
	}
	return frequency, density
}

// Weighted is the root mean square of what a weighting leaves of a density.
func (w Weighting) Weighted(frequency, density []float64) float64 {
	if len(frequency) < 2 {
		return math.NaN()
	}
	sum := 0.0
	for k, f := range frequency {
		g := w.Gain(f)
		sum += g * g * density[k]
	}
	return math.Sqrt(sum * frequency[1])
}

// rideOptions are the options of a rough road.
type rideOptions struct {
	segment float64
}

func (o *rideOptions) Numbers() []Option {
	return []Option{
		above0(&o.segment, "segment", "s", "length of the segments of the spectra"),
	}
}

// ride is for rough roads, in the phase "ride".
var ride = Kind{
	Plots:   with(densities),
	Name:    "ride",
	Text:    "rough roads, weighted after ISO 2631-1",
	New:     func() Options { return new(rideOptions) },
	Answer:  []string{"a_v", "a_wz", "a_z", "air_time"},
	Phases:  []string{"ride"},
	Corners: true,
	Run: with(func(r *Record, o *rideOptions) []Figure {
		first, last := r.phase("ride")
		const short, total = "the run is shorter than a segment",
			"vertical acceleration of the centre of mass, root mean square weighted by Wk"
		if first > last {
			return []Figure{figure("a_wz", total, "m/s2", math.NaN()).or(notReached)}
		}
		part := func(x []float64) []float64 { return x[first : last+1] }
		weighted := func(x []float64, w Weighting) float64 {
			return w.Weighted(Density(part(x), r.step(), o.segment))
		}
		x, y, z := weighted(r.Ahead, Wd), weighted(r.Aside, Wd), weighted(r.Up, Wk)
		list := []Figure{
			figure("a_wz", total, "m/s2", z).or(short),
			figure("a_wx", "longitudinal acceleration, weighted by Wd", "m/s2", x).or(short),
			figure("a_wy", "lateral acceleration, weighted by Wd", "m/s2", y).or(short),
			figure("a_v", "vibration total value: root of the sum of their squares", "m/s2",
				math.Hypot(x, math.Hypot(y, z))).or(short),
			figure("a_z", "vertical acceleration, root mean square", "m/s2", stat.PopStdDev(part(r.Up), nil)),
		}
		for _, tires := range [][]Tire{r.Front, r.Rear} {
			for _, tire := range tires {
				load := part(tire.Load)
				list = append(list,
					figure("load_"+tire.Name,
						"dynamic wheel load coefficient: root mean square of the change of the load by its mean", "1",
						stat.PopStdDev(load, nil)/stat.Mean(load, nil)))
			}
		}
		for _, c := range r.Corners {
			travel, stopped := part(c.Travel), 0.0
			for _, s := range travel {
				if s <= c.Rebound || s >= c.Bump {
					stopped++
				}
			}
			list = append(list,
				figure("travel_"+c.Name, "suspension travel, root mean square about its mean", "m",
					stat.PopStdDev(travel, nil)),
				figure("a_z_"+c.Name, "vertical acceleration of the unsprung mass, root mean square", "m/s2",
					stat.PopStdDev(part(c.Up), nil)))
			if !math.IsInf(c.Rebound, 0) || !math.IsInf(c.Bump, 0) {
				list = append(list, figure("stops_"+c.Name, "share of the time at the stops of the suspension", "1",
					stopped/float64(len(travel))))
			}
		}
		air := 0.0
		for i := first; i <= last; i++ {
			if r.anyInTheAir(i) {
				air += r.step()
			}
		}
		return append(list, figure("air_time", "time in which a tire bears no load", "s", air).whole(r, "ride"))
	}),
}

// densities are the spectra of the vertical accelerations of the first run.
func densities(runs []*Record, o *rideOptions) []Plot {
	r := runs[0]
	if len(r.Phases) == 0 || len(r.Time) < 2 {
		return nil
	}
	p := Plot{Title: "Density of vertical accelerations of run 1", X: "frequency, Hz", Y: "(m/s2)2/Hz", Log: true}
	first := sort.SearchFloat64s(r.Time, r.Phases[len(r.Phases)-1].Begin)
	add := func(label string, acceleration []float64) {
		frequency, density := Density(acceleration[first:], r.Time[1]-r.Time[0], o.segment)
		c := Curve{Label: label}
		for k, hertz := range frequency {
			if hertz >= 0.2 && hertz <= 80 {
				c.X, c.Y = append(c.X, hertz), append(c.Y, max(density[k], 1e-9))
			}
		}
		p.Curves = append(p.Curves, c)
	}
	add("centre of mass", r.Up)
	for _, c := range r.Corners {
		add("unsprung mass of "+c.Name, c.Up)
	}
	return []Plot{p}
}

// obstacle is for single obstacles, in the phase "obstacle".
var obstacle = Kind{
	Name:   "obstacle",
	Text:   "single obstacles",
	New:    noOptions,
	Answer: []string{"load_max", "a_z_max", "air_time"},
	Phases: []string{"obstacle"},
	Run: func(r *Record, _ Options) []Figure {
		first, last := r.phase("obstacle")
		const most = "largest vertical force of a tire"
		if first > last || len(r.Front)+len(r.Rear) == 0 {
			return []Figure{figure("load_max", most, "N",
				math.NaN()).or(notReached + ", or no tires are named")}
		}
		largest, at, name := 0.0, r.Time[first], ""
		air := 0.0
		for i := first; i <= last; i++ {
			for _, tires := range [][]Tire{r.Front, r.Rear} {
				for _, tire := range tires {
					if tire.Load[i] > largest {
						largest, at, name = tire.Load[i], r.Time[i], tire.Name
					}
				}
			}
			if r.anyInTheAir(i) {
				air += r.step()
			}
		}
		load := read("load_max", most+": "+name, "N", largest, at)
		switch {
		case name == "":
			load = figure("load_max", most, "N", math.NaN()).or("no tire bears a load")
		case r.cut(r.row(at)):
			load = load.without(stillGrows)
		}
		return []Figure{
			load,
			r.leastLoad(first, last),
			figure("air_time", "time in which a tire bears no load", "s", air).whole(r, "obstacle"),
			r.largest("a_z_max", "largest vertical acceleration of the centre of mass", "m/s2", r.Up, first, last),
			r.largest("a_x_max", "largest longitudinal acceleration of the centre of mass", "m/s2", r.Ahead, first, last),
			r.largest("pitch_max", "largest pitch angle, front down positive", "rad", r.Pitch, first, last),
		}
	},
}

// anyInTheAir reports whether a tire bears no load.
func (r *Record) anyInTheAir(row int) bool {
	for _, tires := range [][]Tire{r.Front, r.Rear} {
		for _, tire := range tires {
			if tire.Load[row] <= 0 {
				return true
			}
		}
	}
	return false
}
