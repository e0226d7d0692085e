package figures

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/workbench/results/display"
)

// FrequencyOptions are the options of frequency responses.
type FrequencyOptions struct {
	from, to, segment, coherence, readAt float64
}

func (o *FrequencyOptions) Numbers() []Option {
	return []Option{
		from0(&o.from, "from", "Hz", "least frequency"),
		above0(&o.to, "to", "Hz", "largest frequency"),
		above0(&o.segment, "segment", "s", "length of the segments of the spectra"),
		share(&o.coherence, "coherence", "least coherence of a response that counts"),
		above0(&o.readAt, "read_at", "Hz", "frequency where gains and phases are read"),
	}
}

// frequencyResponse is after ISO 7401, against the angle of the steering wheel.
var frequencyResponse = Kind{
	Plots:  with(responsePlots),
	Name:   "frequency-response",
	Text:   "frequency response to the steering wheel, after ISO 7401",
	New:    func() Options { return new(FrequencyOptions) },
	Answer: []string{"yaw_gain_0", "yaw_frequency", "yaw_damping", "yaw_bandwidth", "yaw_delay", "a_y_delay"},
	Phases: []string{"steer"},
	Run: with(func(r *Record, o *FrequencyOptions) []Figure {
		whole := response(r, r.YawRate, o)
		yaw, lateral := Spectrum(r, r.YawRate, o), Spectrum(r, r.Lateral, o)
		slip, roll := Spectrum(r, r.SideSlip, o), Spectrum(r, r.Roll, o)
		if yaw == nil {
			return []Figure{figure("yaw_gain_0", yawGain, "1/s",
				math.NaN()).or("the run is shorter than two segments, or from and to leave no frequency")}
		}
		coherence := 1.0
		for _, s := range []*Response{yaw, lateral, slip, roll} {
			for _, c := range s.Coherence {
				coherence = min(coherence, c)
			}
		}
		list := []Figure{figure("coherence",
			"least coherence of all responses, from the frequency from to the frequency to", "1",
			coherence).or("the steering does not move")}
		if !(coherence >= o.coherence) {
			return append(list, figure("yaw_gain_0", yawGain, "1/s", math.NaN()).or("the coherence is below %g: the "+
				"response is not linear, or the steering does not hold all frequencies", o.coherence))
		}
		gain, phase := yaw.Gain(), yaw.Phase()
		peak := Peak(gain, 0, len(gain)-1)
		still := slices.IndexFunc(whole.Coherence[1:], func(c float64) bool { return c >= o.coherence }) + 1
		static := cmplx.Abs(whole.H[still])
		ratio, frequency := gain[peak]/static, yaw.Frequency[peak]
		if peak == 0 || peak == len(gain)-1 {
			ratio, frequency = math.NaN(), math.NaN()
		}
		const flat = "the gain is largest at an end of the frequencies from to to, and has no peak between them"
		bandwidth := "it is less than 45 deg behind"
		if phase[0] < -math.Pi/4 {
			bandwidth = "it is further behind at the frequency from already"
		}
		fit := fitYaw(yaw)
		at := func(s *Response) (gain, phase float64) {
			return At(s.Frequency, s.Gain(), o.readAt), At(s.Frequency, s.Phase(), o.readAt)
		}
		yawAt, yawPhase := at(yaw)
		lateralAt, lateralPhase := at(lateral)
		slipAt, slipPhase := at(slip)
		rollAt, rollPhase := at(roll)
		const outside = "read_at lies outside of the frequencies from to to"
		return append(list,
			figure("yaw_gain_0", yawGain, "1/s", static),
			figure("yaw_gain_0_frequency", "frequency at which yaw_gain_0 is read", "Hz", whole.Frequency[still]),
			figure("yaw_peak_ratio", "largest gain of the yaw rate by yaw_gain_0", "1", ratio).or(flat),
			figure("yaw_peak_frequency", "frequency of the largest gain of the yaw rate", "Hz", frequency).or(flat),
			figure("yaw_frequency", "undamped natural frequency w of the form K (1 + T s)/(1 + 2 D s/w + s^2/w^2) that "+
				"fits the response of the yaw rate", "Hz", fit.frequency).or(noFit),
			figure("yaw_damping", "damping ratio D of the form that has yaw_frequency", "1", fit.damping).or(noFit),
			figure("yaw_misfit", "root mean square of the deviation of that form from the response, by yaw_gain_0", "1",
				fit.away(yaw)/static).or(noFit),
			figure("yaw_bandwidth", "lowest frequency where the phase of the yaw rate is -45 deg", "Hz",
				Crossing(yaw.Frequency, phase, -math.Pi/4, 0, len(phase)-1)).or("%s", bandwidth),
			figure("yaw_gain", "gain of the yaw rate at the frequency read_at", "1/s", yawAt).or(outside),
			figure("yaw_phase", "phase of the yaw rate there", "rad", yawPhase).or(outside),
			figure("yaw_delay", "delay of the yaw rate at the frequency read_at: -yaw_phase by the angular frequency", "s",
				-yawPhase/(2*math.Pi*o.readAt)).or(outside),
			figure("a_y_gain", "gain of the lateral acceleration there", "m/s2", lateralAt).or(outside),
			figure("a_y_phase", "phase of the lateral acceleration there", "rad", lateralPhase).or(outside),
			figure("a_y_delay",
				"delay of the lateral acceleration at the frequency read_at: -a_y_phase by the angular frequency", "s",
				-lateralPhase/(2*math.Pi*o.readAt)).or(outside),
			figure("side_slip_gain", "gain of the side-slip angle there", "1", slipAt).or(outside),
			figure("side_slip_phase", "phase of the side-slip angle there", "rad", slipPhase).or(outside),
			figure("roll_gain", "gain of the roll angle there", "1", rollAt).or(outside),
			figure("roll_phase", "phase of the roll angle there", "rad", rollPhase).or(outside),
		)
	}),
}

const (
	yawGain = "static gain of the yaw rate by the steering-wheel angle: the gain at the lowest frequency above 0 with " +
		"the coherence"
	noFit = "the form does not fit the response"
)

// Spectrum is the response of a signal to the steering wheel in the phase "steer", at the frequencies of the options;
// nil if there are none. The first segment is left out because the vehicle begins to follow there.
func Spectrum(r *Record, x []float64, o *FrequencyOptions) *Response {
	s := response(r, x, o)
	if s == nil {
		return nil
	}
	lines := s.Frequency[1] / 2 // without the mean, which is taken off
	if s = s.Within(max(o.from, lines), o.to); len(s.Frequency) == 0 {
		return nil
	}
	return s
}

// response is Spectrum at all frequencies; nil where the run is too short.
func response(r *Record, x []float64, o *FrequencyOptions) *Response {
	if len(r.Time) < 2 {
		return nil
	}
	first, last := r.phase("steer")
	rows := math.Round(o.segment / r.step())
	if !(rows >= 1 && rows <= float64(last-first)) {
		return nil
	}
	first += int(rows)
	return Welch(r.Steer[first:last+1], x[first:last+1], r.step(), o.segment)
}

// yawForm is K (1 + T s)/(1 + 2 D s/w + s^2/w^2).
type yawForm struct{ gain, lead, frequency, damping float64 } // frequency in Hz

// away is the root mean square of the deviation of the form from a response.
func (f yawForm) away(r *Response) float64 {
	sum := 0.0
	for k, h := range r.H {
		s := complex(0, r.Frequency[k]/f.frequency)
		form := complex(f.gain, 0) * (1 + complex(f.lead*2*math.Pi*f.frequency, 0)*s) /
			(1 + complex(2*f.damping, 0)*s + s*s)
		away := cmplx.Abs(form - h)
		sum += away * away
	}
	return math.Sqrt(sum / float64(len(r.H)))
}

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
func responsePlots(runs []*Record, o *FrequencyOptions) []Plot {
	of := func(signal Signal, what func(*Response) []float64, title, si string) Signal {
		return Signal{display.Quantity{Title: title, SI: si}, func(r *Record) []float64 {
			if s := Spectrum(r, signal.Of(r), o); s != nil {
				return what(s)
			}
			return nil
		}}
	}
	over := func(signal Signal) Signal {
		return of(signal, func(s *Response) []float64 { return s.Frequency }, "frequency", "Hz")
	}
	var list []Plot
	for _, p := range []struct {
		title, unit string
		Signal
	}{{"Yaw rate by steering wheel", "1/s", YawRate}, {"Lateral acceleration by steering wheel", "m/s2", Lateral}} {
		list = append(list,
			Overlaid(p.title+": gain", runs, over(p.Signal), of(p.Signal, (*Response).Gain, "", p.unit)),
			Overlaid(p.title+": phase", runs, over(p.Signal), of(p.Signal, (*Response).Phase, "", "rad")))
	}
	coherence := func(s *Response) []float64 { return s.Coherence }
	return append(list, Overlaid("Coherence of the yaw rate", runs, over(YawRate), of(YawRate, coherence, "", "1")))
}
