package figures

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"
)

// frequencyResponse is after ISO 7401, against the angle of the steering wheel.
var frequencyResponse = Kind{
	Plots:   responsePlots,
	Name:    "frequency-response",
	Options: []string{"from", "to", "segment", "coherence", "read_at"},
	Phases:  []string{"steer"},
	Run: func(r *Record, o map[string]float64) []Figure {
		yaw, lateral := Spectrum(r, r.YawRate, o), Spectrum(r, r.Lateral, o)
		slip, roll := Spectrum(r, r.SideSlip, o), Spectrum(r, r.Roll, o)
		if yaw == nil {
			return []Figure{figure("yaw_gain_0", yawGain, "1/s",
				math.NaN()).or("the run is shorter than a segment, or from and to leave no frequency")}
		}
		coherence := 1.0
		for _, s := range []*Response{yaw, lateral, slip, roll} {
			for _, c := range s.Coherence {
				coherence = min(coherence, c)
			}
		}
		list := []Figure{figure("coherence",
			"least coherence of all responses, from the frequency from to the frequency to", "1", coherence)}
		if coherence < o["coherence"] {
			return append(list, figure("yaw_gain_0", yawGain, "1/s",
				math.NaN()).or("the coherence is below %g: the response is not linear", o["coherence"]))
		}
		gain, phase := yaw.Gain(), yaw.Phase()
		peak := Peak(gain, 0, len(gain)-1)
		fit := fitYaw(yaw)
		at := func(s *Response) (gain, phase float64) {
			return At(s.Frequency, s.Gain(), o["read_at"]), At(s.Frequency, s.Phase(), o["read_at"])
		}
		yawAt, yawPhase := at(yaw)
		lateralAt, lateralPhase := at(lateral)
		slipAt, slipPhase := at(slip)
		rollAt, rollPhase := at(roll)
		return append(list,
			figure("yaw_gain_0", yawGain, "1/s", fit.gain),
			figure("yaw_frequency", "undamped natural frequency of that form", "Hz", fit.frequency),
			figure("yaw_damping", "damping ratio of that form", "1", fit.damping),
			figure("yaw_peak_ratio", "largest gain of the yaw rate by yaw_gain_0", "1", gain[peak]/fit.gain),
			figure("yaw_peak_frequency", "frequency of the largest gain of the yaw rate", "Hz", yaw.Frequency[peak]),
			figure("yaw_bandwidth", "frequency at which the yaw rate is 45 deg behind", "Hz",
				Crossing(yaw.Frequency, phase, -math.Pi/4, 0, len(phase)-1)).or("it is less than 45 deg behind"),
			figure("yaw_gain", "gain of the yaw rate at the frequency read_at", "1/s", yawAt),
			figure("yaw_phase", "phase of the yaw rate there", "rad", yawPhase),
			figure("yaw_delay", "-yaw_phase by the angular frequency", "s", -yawPhase/(2*math.Pi*o["read_at"])),
			figure("a_y_gain", "gain of the lateral acceleration there", "m/s2", lateralAt),
			figure("a_y_phase", "phase of the lateral acceleration there", "rad", lateralPhase),
			figure("a_y_delay", "-a_y_phase by the angular frequency", "s", -lateralPhase/(2*math.Pi*o["read_at"])),
			figure("side_slip_gain", "gain of the side-slip angle there", "1", slipAt),
			figure("side_slip_phase", "phase of the side-slip angle there", "rad", slipPhase),
			figure("roll_gain", "gain of the roll angle there", "1", rollAt),
			figure("roll_phase", "phase of the roll angle there", "rad", rollPhase),
		)
	},
}

const yawGain = "static gain of the yaw rate by the steering-wheel angle, of the form K (1 + T s)/(1 + 2 D s/w + " +
	"s^2/w^2) that fits its response"

// Spectrum is the response of a signal to the steering wheel in the phase "steer" after its first segment, in which the
// vehicle begins to follow, at the frequencies of the options; nil where there are none. The steering repeats itself
// after a segment: of a chirp that does not, a window would weight the input differently from the later response.
func Spectrum(r *Record, x []float64, o map[string]float64) *Response {
	if len(r.Time) < 2 {
		return nil
	}
	first, last := r.phase("steer")
	rows := math.Round(o["segment"] / r.step())
	if !(rows >= 1 && rows <= float64(last-first)) {
		return nil
	}
	first += int(rows)
	s := Welch(r.Steer[first:last+1], x[first:last+1], r.step(), o["segment"])
	if s == nil {
		return nil
	}
	if s = s.Within(o["from"], o["to"]); len(s.Frequency) == 0 {
		return nil
	}
	return s
}

// yawForm is K (1 + T s)/(1 + 2 D s/w + s^2/w^2).
type yawForm struct{ gain, lead, frequency, damping float64 } // frequency in Hz

// fitYaw fits the form by least squares: K + K T s - 2 D/w s H - s^2 H/w^2 = H, each equation divided by the
// denominator of the fit before (Sanathanan and Koerner 1963).
func fitYaw(r *Response) yawForm {
	var p mat.VecDense
	n := len(r.H)
	missing := yawForm{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	if n < 2 {
		return missing
	}
	weights := make([]complex128, n)
	for k := range weights {
		weights[k] = 1
	}
	for range 20 {
		a, b := mat.NewDense(2*n, 4, nil), mat.NewVecDense(2*n, nil)
		for k, h := range r.H {
			s := complex(0, 2*math.Pi*r.Frequency[k])
			for j, c := range []complex128{1, s, -s * h, -s * s * h} {
				c *= weights[k]
				a.Set(2*k, j, real(c))
				a.Set(2*k+1, j, imag(c))
			}
			h *= weights[k]
			b.SetVec(2*k, real(h))
			b.SetVec(2*k+1, imag(h))
		}
		if err := p.SolveVec(a, b); err != nil {
			return missing
		}
		for k := range weights {
			s := complex(0, 2*math.Pi*r.Frequency[k])
			weights[k] = 1 / (1 + complex(p.AtVec(2), 0)*s + complex(p.AtVec(3), 0)*s*s)
			if cmplx.IsNaN(weights[k]) || cmplx.IsInf(weights[k]) {
				return missing
			}
		}
	}
	w := 1 / math.Sqrt(p.AtVec(3))
	return yawForm{p.AtVec(0), p.AtVec(1) / p.AtVec(0), w / (2 * math.Pi), p.AtVec(2) * w / 2}
}

// responsePlots are gains, phases and a coherence over the frequency.
func responsePlots(runs []*Record, o map[string]float64) []Plot {
	const over = "frequency, Hz"
	of := func(signal func(r *Record) []float64, what func(*Response) []float64) func(r *Record) []float64 {
		return func(r *Record) []float64 {
			if s := Spectrum(r, signal(r), o); s != nil {
				return what(s)
			}
			return nil
		}
	}
	hertz := func(s *Response) []float64 { return s.Frequency }
	yaw, lateral := func(r *Record) []float64 { return r.YawRate }, func(r *Record) []float64 { return r.Lateral }
	var list []Plot
	for _, p := range []struct {
		title, unit string
		signal      func(r *Record) []float64
	}{{"Yaw rate by steering wheel", "1/s", yaw}, {"Lateral acceleration by steering wheel", "m/s2", lateral}} {
		phase := func(s *Response) []float64 { return degrees(s.Phase()) }
		list = append(list,
			Overlaid(p.title+": gain", over, p.unit, runs, of(p.signal, hertz), of(p.signal, (*Response).Gain)),
			Overlaid(p.title+": phase", over, "deg", runs, of(p.signal, hertz), of(p.signal, phase)))
	}
	coherence := func(s *Response) []float64 { return s.Coherence }
	return append(list, Overlaid("Coherence of the yaw rate", over, "1", runs, of(yaw, hertz), of(yaw, coherence)))
}
