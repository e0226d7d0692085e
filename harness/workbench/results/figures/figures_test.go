package figures

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
)

// near fails if a value differs from the wanted value by more than the tolerance, relative to the wanted value;
// absolute if that is 0.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	size := math.Abs(want)
	if size == 0 {
		size = 1
	}
	if !(math.Abs(got-want) <= tolerance*size) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

// pick returns a figure.
func pick(t *testing.T, list []Figure, id string) Figure {
	t.Helper()
	for _, f := range list {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("there is no figure %q", id)
	return Figure{}
}

// times are rows 1 ms apart up to end.
func times(end float64) []float64 {
	list := make([]float64, int(math.Round(end*1000))+1)
	for i := range list {
		list[i] = float64(i) / 1000
	}
	return list
}

// of is a signal by time.
func of(time []float64, f func(t float64) float64) []float64 { return mapped(time, f) }

// record has signals that are 0 until a test sets them.
func record(time []float64, phases ...Phase) *Record {
	zero := func() []float64 { return make([]float64, len(time)) }
	return &Record{Ratio: 16, Phases: phases, Time: time, Steer: zero(), Speed: zero(), SideSlip: zero(),
		Lateral: zero(), Ahead: zero(), Aside: zero(), Up: zero(), YawRate: zero(), Roll: zero(), Pitch: zero(),
		X: zero(), Y: zero(), Yaw: zero()}
}

// The body measures ay and az along its own rolled axes. Horizontal recovers the horizontal acceleration of the ground
// frame from them.
func TestHorizontalAccelerationIsIndependentOfRoll(t *testing.T) {
	const a, up, roll = 4.0, 0.7, 0.1
	s, c := math.Sincos(roll)
	got := Horizontal([]float64{a*c + up*s}, []float64{up*c - a*s}, []float64{roll})
	near(t, "horizontal acceleration", got[0], a, 1e-15)
	near(t, "side-slip angle", SideSlip([]float64{20}, []float64{-20 * math.Tan(0.03)})[0], -0.03, 1e-15)
	near(t, "side-slip angle at standstill", SideSlip([]float64{0}, []float64{0})[0], 0, 0)
}

func TestSteadyValueIsTheMeanOfAConstantWindow(t *testing.T) {
	time := times(5)
	last := len(time) - 1
	drift := func(rate float64) []float64 { return of(time, func(t float64) float64 { return 10 + rate*(t-4.5) }) }
	near(t, "steady value", Steady(time, drift(0.19), 0, last, 1, 0.02), 10, 1e-12)
	if x := Steady(time, drift(0.21), 0, last, 1, 0.02); !math.IsNaN(x) {
		t.Errorf("a change of 2.1 %% is steady: %g", x)
	}
	if x := Steady(time, drift(0), 4500, last, 1, 0.02); !math.IsNaN(x) {
		t.Errorf("half a window is steady: %g", x)
	}
}

func TestCrossingsLieBetweenRows(t *testing.T) {
	time := []float64{0, 1, 2, 3}
	near(t, "crossing", Crossing(time, []float64{0, 0, 1, 3}, 0.25, 0, 3), 1.25, 1e-15)
	near(t, "crossing downwards", Crossing(time, []float64{3, 1, 0, -3}, -1, 0, 3), 2+1.0/3, 1e-15)
	if x := Crossing(time, []float64{0, 0, 1, 3}, 4, 0, 3); !math.IsNaN(x) {
		t.Errorf("a level that is not reached is crossed at %g", x)
	}
	near(t, "value", At(time, []float64{0, 0, 1, 3}, 2.5), 2, 1e-15)
	if x := At(time, []float64{0, 0, 1, 3}, 3.1); !math.IsNaN(x) {
		t.Errorf("beyond the record there is %g", x)
	}
}

// At the edge both passes take 3 dB together, far below it nothing, at each doubling above it 12 order dB; the phase
// stays.
func TestFilterHasButterworthGainAndNoPhase(t *testing.T) {
	const step, edge, order = 1e-3, 6.0, 6
	time := times(20)
	for _, f := range []float64{0.5, 3, 6, 9, 12} {
		x := of(time, func(t float64) float64 { return math.Sin(2 * math.Pi * f * t) })
		y := LowPass(x, step, edge, order)
		sin, cos := 0.0, 0.0 // parts of the filtered signal in the middle 10 s, a whole number of periods
		for i := 5000; i < 15000; i++ {
			s, c := math.Sincos(2 * math.Pi * f * time[i])
			sin, cos = sin+s*y[i]/5000, cos+c*y[i]/5000
		}
		ratio := math.Tan(math.Pi*f*step) / math.Tan(math.Pi*edge*step)
		near(t, "gain", sin, 1/(1+(math.Sqrt2-1)*math.Pow(ratio, 2*order)), 1e-6)
		near(t, "phase", cos, 0, 1e-6)
	}
	line := LowPass(of(time, func(t float64) float64 { return 3 - 2*t }), step, edge, order)
	near(t, "first row of a line", line[0], 3, 1e-6)
	near(t, "last row of a line", line[len(line)-1], -37, 1e-6)
}

// secondOrder is the step response of w^2/(s^2 + 2 D w s + w^2) from t = 0 on.
func secondOrder(t, w, d float64) float64 {
	if t <= 0 {
		return 0
	}
	wd := w * math.Sqrt(1-d*d)
	return 1 - math.Exp(-d*w*t)*(math.Cos(wd*t)+d*w/wd*math.Sin(wd*t))
}

// The figures of a second-order system have closed forms: peak at pi/wd, overshoot exp(-pi D/sqrt(1 - D^2)).
func TestStepFiguresOfASecondOrderSystem(t *testing.T) {
	const w, d, delta, begin = 8.0, 0.5, 0.6, 1.0
	for _, side := range []float64{1, -1} {
		time := times(8)
		r := record(time, Phase{"straight", 0, begin}, Phase{"step", begin, 8})
		r.Steer = of(time, func(t float64) float64 { return side * delta * min(max((t-begin-0.1)/0.2, 0), 1) })
		zero := begin + 0.2 // half of the angle
		r.YawRate = of(time, func(t float64) float64 { return side * 0.25 * secondOrder(t-zero, w, d) })
		r.Lateral = of(time, func(t float64) float64 { return side * 4 * secondOrder(t-zero-0.1, w, d) })
		r.SideSlip = of(time, func(t float64) float64 { return -side * 0.02 * secondOrder(t-zero, w, d) })
		// not steady
		r.Roll = of(time, func(t float64) float64 { return side*0.1*secondOrder(t-zero, w, d) + 0.1*(t-4) })
		list := stepSteer.Run(r, &stepOptions{steadyWindow: 1, steadyShare: 0.02, responseShare: 0.9, settlingShare: 0.05})
		peak := math.Pi / (w * math.Sqrt(1-d*d))
		near(t, "steady yaw rate", pick(t, list, "yaw_rate_steady").Value, side*0.25, 1e-6)
		near(t, "gain", pick(t, list, "yaw_gain").Value, 0.25/delta, 1e-6)
		near(t, "peak time", pick(t, list, "yaw_rate_peak_time").Value, peak, 1e-5)
		near(t, "peak time of a_y", pick(t, list, "a_y_peak_time").Value, peak+0.1, 1e-5)
		near(t, "overshoot", pick(t, list, "yaw_rate_overshoot").Value, math.Exp(-math.Pi*d/math.Sqrt(1-d*d)), 1e-5)
		near(t, "TB factor", pick(t, list, "TB").Value, peak*0.02, 1e-5)
		response := pick(t, list, "yaw_rate_response_time").Value
		near(t, "value at the response time", secondOrder(response, w, d), 0.9, 1e-5)
		if response > peak {
			t.Errorf("response time %g after the peak", response)
		}
		near(t, "response time of a_y", pick(t, list, "a_y_response_time").Value, response+0.1, 1e-4)
		settled := pick(t, list, "yaw_rate_settling_time").Value
		near(t, "value at the settling time", math.Abs(secondOrder(settled, w, d)-1), 0.05, 1e-3)
		for x := settled + 0.001; x < 5; x += 0.001 {
			if math.Abs(secondOrder(x, w, d)-1) > 0.05 {
				t.Fatalf("not settled at %g", x)
			}
		}
		const why = "not steady: it changes by more than 2 % in the last 1 s of the phase"
		if f := pick(t, list, "roll_steady"); f.Missing != why || !math.IsNaN(f.Value) {
			t.Errorf("roll that goes on is steady: %+v", f)
		}
	}
}

// A response that creeps towards its steady value has no peak: the largest value at the end of the record is not a
// peak.
func TestAStepWithoutOvershootHasNoPeak(t *testing.T) {
	const begin = 1.0
	for _, side := range []float64{1, -1} {
		time := times(8)
		r := record(time, Phase{"straight", 0, begin}, Phase{"step", begin, 8})
		r.Steer = of(time, func(t float64) float64 { return side * 0.6 * min(max((t-begin)/0.2, 0), 1) })
		creeping := func(t float64) float64 { return side * (1 - math.Exp(-2*max(t-begin, 0))) }
		r.Lateral, r.YawRate, r.SideSlip, r.Roll = of(time, creeping), of(time, creeping), of(time, creeping),
			of(time, creeping)
		list := stepSteer.Run(r, &stepOptions{steadyWindow: 1, steadyShare: 0.02, responseShare: 0.9, settlingShare: 0.05})
		for _, id := range []string{"a_y_peak_time", "yaw_rate_peak_time", "TB"} {
			if f := pick(t, list, id); f.Missing != "no overshoot" || !math.IsNaN(f.Value) {
				t.Errorf("%s is %g (%s) without a peak", id, f.Value, f.Missing)
			}
		}
		near(t, "overshoot", pick(t, list, "a_y_overshoot").Value, 0, 0)
		near(t, "steady value", pick(t, list, "a_y_steady").Value, side, 1e-4)
	}
}

// A delay is a lag, and a factor a gain.
func TestLagsOfASineAreItsDelays(t *testing.T) {
	const delay, begin, f = 0.0615, 1.0, 0.5
	for _, side := range []float64{1, -1} {
		time := times(8)
		sine := func(t float64) float64 {
			if t < begin || t > begin+1/f {
				return 0
			}
			return side * math.Sin(2*math.Pi*f*(t-begin))
		}
		r := record(time, Phase{"straight", 0, begin}, Phase{"sine", begin, begin + 1/f},
			Phase{"after", begin + 1/f, 8})
		r.Steer = of(time, func(t float64) float64 { return 0.6 * sine(t) })
		r.YawRate = of(time, func(t float64) float64 {
			y := 0.3 * sine(t-delay)
			if y*side < 0 {
				y *= 1.1
			}
			return y
		})
		r.Lateral = of(time, func(t float64) float64 { return 4 * sine(t-2*delay) })
		r.SideSlip = of(time, func(t float64) float64 { return side * 0.001 * t })
		list := sineSteer.Run(r, nil)
		near(t, "side-slip that is left", pick(t, list, "side_slip_left").Value, side*0.008, 1e-9)
		near(t, "steering", pick(t, list, "delta_H").Value, side*0.6, 1e-6)
		near(t, "first lag", pick(t, list, "yaw_rate_lag_1").Value, delay, 1e-4)
		near(t, "second lag", pick(t, list, "yaw_rate_lag_2").Value, delay, 1e-4)
		near(t, "lag of a_y", pick(t, list, "a_y_lag_1").Value, 2*delay, 1e-4)
		near(t, "gain", pick(t, list, "yaw_rate_gain").Value, 0.5, 1e-5)
		near(t, "asymmetry", pick(t, list, "yaw_rate_asymmetry").Value, 1.1, 1e-5)
	}
}

// chirp repeats itself after 20 s.
func chirp(t float64) float64 {
	t = math.Mod(t, 20)
	return math.Sin(2 * math.Pi * 4.5 * t * t / 40)
}

// The test simulates K (1 + T s)/(1 + 2 D s/w + s^2/w^2). Over whole periods the response and the fit equal the
// formula, and the static gain is the gain of the first line. Noise in the output takes coherence away.
func TestFrequencyResponseOfTheSingleTrackForm(t *testing.T) {
	const k, lead, w, d, delay = 0.3, 0.1, 7.0, 0.6, 0.12
	time := times(55)
	r := record(time, Phase{"steer", 0, 55})
	r.Steer = of(time, chirp)
	r.YawRate = make([]float64, len(time))
	x, v := 0.0, 0.0 // x'' = w^2 (u - x) - 2 D w x', y = K (x + T x')
	rate := func(x, v, t float64) (float64, float64) { return v, w*w*(chirp(t)-x) - 2*d*w*v }
	for i := range time {
		r.YawRate[i] = k * (x + lead*v)
		t, h := time[i], 1e-3
		a1, b1 := rate(x, v, t)
		a2, b2 := rate(x+h/2*a1, v+h/2*b1, t+h/2)
		a3, b3 := rate(x+h/2*a2, v+h/2*b2, t+h/2)
		a4, b4 := rate(x+h*a3, v+h*b3, t+h)
		x, v = x+h/6*(a1+2*a2+2*a3+a4), v+h/6*(b1+2*b2+2*b3+b4)
	}
	r.Lateral = of(time, func(t float64) float64 { return 9 * chirp(max(t-delay, 0)) })
	r.SideSlip = of(time, func(t float64) float64 { return -0.5 * chirp(max(t-0.05, 0)) })
	r.Roll = of(time, func(t float64) float64 { return 0.2 * chirp(max(t-0.03, 0)) })
	o := &FrequencyOptions{from: 0.2, to: 4, segment: 20, coherence: 0.95, readAt: 1}
	s := Spectrum(r, r.YawRate, o)
	for i, f := range s.Frequency {
		p := complex(0, 2*math.Pi*f)
		want := k * (1 + lead*p) / (1 + 2*d*p/w + p*p/(w*w))
		ratio := s.H[i] / want
		near(t, "gain", math.Hypot(real(ratio), imag(ratio)), 1, 1e-5)
		near(t, "phase", math.Atan2(imag(ratio), real(ratio)), 0, 1e-5)
	}
	list := frequencyResponse.Run(r, o)
	near(t, "static gain", pick(t, list, "yaw_gain_0").Value, k, 1.1e-3)
	near(t, "its frequency", pick(t, list, "yaw_gain_0_frequency").Value, 0.05, 1e-12)
	near(t, "frequency", pick(t, list, "yaw_frequency").Value, w/(2*math.Pi), 1e-5)
	near(t, "damping", pick(t, list, "yaw_damping").Value, d, 1e-5)
	near(t, "misfit", pick(t, list, "yaw_misfit").Value, 0, 1e-5)
	near(t, "delay", pick(t, list, "a_y_delay").Value, delay, 2e-3)
	near(t, "gain of a_y", pick(t, list, "a_y_gain").Value, 9, 2e-3)
	near(t, "phase of a_y", pick(t, list, "a_y_phase").Value, -2*math.Pi*delay, 2e-3)
	near(t, "gain of the side-slip", pick(t, list, "side_slip_gain").Value, 0.5, 2e-3)
	near(t, "phase of the side-slip", math.Remainder(pick(t, list, "side_slip_phase").Value+math.Pi, 2*math.Pi),
		-2*math.Pi*0.05, 2e-3)
	near(t, "gain of the roll angle", pick(t, list, "roll_gain").Value, 0.2, 2e-3)
	near(t, "phase of the roll angle", pick(t, list, "roll_phase").Value, -2*math.Pi*0.03, 2e-3)
	form := func(hertz float64) complex128 {
		p := complex(0, 2*math.Pi*hertz)
		return k * (1 + lead*p) / (1 + 2*d*p/w + p*p/(w*w))
	}
	near(t, "static gain", pick(t, list, "yaw_gain_0").Value, cmplx.Abs(form(0.05)), 1e-5)
	near(t, "gain of the yaw rate at 1 Hz", pick(t, list, "yaw_gain").Value, cmplx.Abs(form(1)), 1e-5)
	near(t, "phase of the yaw rate at 1 Hz", pick(t, list, "yaw_phase").Value, cmplx.Phase(form(1)), 1e-5)
	near(t, "delay of the yaw rate at 1 Hz", pick(t, list, "yaw_delay").Value, -cmplx.Phase(form(1))/(2*math.Pi), 1e-5)
	top, peakFrequency := 0.0, 0.0
	for f := 0.2; f < 4; f += 1e-3 {
		if g := cmplx.Abs(form(f)); g > top {
			top, peakFrequency = g, f
		}
	}
	// the top lies between lines
	near(t, "peak ratio", pick(t, list, "yaw_peak_ratio").Value, top/cmplx.Abs(form(0.05)), 1e-3)
	// the lines are 0.05 Hz apart
	near(t, "frequency of the peak", pick(t, list, "yaw_peak_frequency").Value, peakFrequency, 0.05)
	bandwidth := 2 * math.Pi * pick(t, list, "yaw_bandwidth").Value
	near(t, "phase at the bandwidth", math.Atan(lead*bandwidth)-math.Atan2(2*d*bandwidth/w,
		1-bandwidth*bandwidth/(w*w)), -math.Pi/4, 2e-3)

	random := rand.New(rand.NewPCG(1, 2))
	for i := range r.Lateral {
		r.Lateral[i] += 300 * random.NormFloat64()
	}
	list = frequencyResponse.Run(r, o)
	if c := pick(t, list, "coherence").Value; c > 0.95 {
		t.Errorf("coherence %g with noise", c)
	}
	if f := pick(t, list, "yaw_gain_0"); !strings.Contains(f.Missing, "coherence") {
		t.Errorf("a response without coherence has figures: %+v", f)
	}
}

// The response has more poles than the fitted form. The static gain, the peak and the gain at 1 Hz come from the
// response, and the fit reports its misfit. Steering without a period is windowed. Frequencies outside its spectrum
// have no coherence, and a response that falls from the first line on has no peak.
func TestFrequencyResponseIsMeasured(t *testing.T) {
	time := times(75)
	// all lines from one to 4.5 Hz
	sines := func(first int) func(float64) float64 {
		return func(t float64) (sum float64) {
			for k := first; k <= 90; k++ {
				sum += 1e-3 * math.Sin(2*math.Pi*float64(k)/20*t-math.Pi*float64(k*k)/90)
			}
			return sum
		}
	}
	form := func(p complex128) complex128 {
		const w, d = 7.0, 0.55
		return 0.3 * (1 + 0.12*p) / (1 + 2*d*p/w + p*p/(w*w)) * (1 + 2*0.35*p/12 + p*p/(12*12)) /
			(1 + 2*0.2*p/12 + p*p/(12*12)) / (1 + 0.03*p)
	}
	// one period of the response from its lines, repeated
	respond := func(steer []float64, form func(complex128) complex128) []float64 {
		const n = 20000
		fft := fourier.NewFFT(n)
		lines := fft.Coefficients(nil, steer[:n])
		for k := range lines {
			lines[k] *= form(complex(0, 2*math.Pi*float64(k)/20)) / n
		}
		period := fft.Sequence(nil, lines)
		out := make([]float64, len(steer))
		for i := range out {
			out[i] = period[i%n]
		}
		return out
	}
	o := &FrequencyOptions{from: 0.2, to: 4, segment: 20, coherence: 0.95, readAt: 1}
	made := func(steer func(float64) float64, form func(complex128) complex128) *Record {
		r := record(time, Phase{"steer", 0, 75})
		r.Steer = of(time, steer)
		r.YawRate = respond(r.Steer, form)
		r.Lateral, r.SideSlip, r.Roll = r.YawRate, r.YawRate, r.YawRate
		return r
	}
	gain := func(hertz float64) float64 { return cmplx.Abs(form(complex(0, 2*math.Pi*hertz))) }
	list := frequencyResponse.Run(made(chirp, form), o)
	near(t, "static gain", pick(t, list, "yaw_gain_0").Value, gain(0.05), 1e-9)
	top, peakFrequency := 0.0, 0.0
	for k := 4; k <= 80; k++ {
		if g := gain(float64(k) / 20); g > top {
			top, peakFrequency = g, float64(k)/20
		}
	}
	near(t, "peak ratio", pick(t, list, "yaw_peak_ratio").Value, top/gain(0.05), 1e-9)
	near(t, "frequency of the peak", pick(t, list, "yaw_peak_frequency").Value, peakFrequency, 1e-9)
	near(t, "gain", pick(t, list, "yaw_gain").Value, gain(1), 1e-9)
	if f := pick(t, list, "yaw_misfit"); !(f.Value > 0.01 && f.Value < 0.2) {
		t.Errorf("the form of two poles is off by %g", f.Value)
	}
	falls := func(p complex128) complex128 { return 0.3 / (1 + 0.2*p) }
	list = frequencyResponse.Run(made(chirp, falls), o)
	for _, id := range []string{"yaw_peak_ratio", "yaw_peak_frequency"} {
		if f := pick(t, list, id); !strings.Contains(f.Missing, "no peak") {
			t.Errorf("%s of a response that falls: %+v", id, f)
		}
	}
	o.readAt = 4.1
	if f := pick(t, frequencyResponse.Run(made(chirp, falls), o), "yaw_gain"); !strings.Contains(f.Missing, "read_at") {
		t.Errorf("outside of the frequencies: %+v", f)
	}
	o.readAt = 1
	high := made(sines(30), form)
	if f := pick(t, frequencyResponse.Run(high, o), "yaw_gain_0"); !strings.Contains(f.Missing, "coherence") {
		t.Errorf("steering from 1.5 Hz on: %+v", f)
	}
	o.from = 2
	near(t, "lowest frequency", pick(t, frequencyResponse.Run(high, o), "yaw_gain_0_frequency").Value, 1.5, 1e-9)
	odd := made(chirp, form)
	o.from, o.segment = 0.2, 17 // no period of the steering
	list = frequencyResponse.Run(odd, o)
	near(t, "windowed gain", pick(t, list, "yaw_gain").Value, gain(1), 0.02)
}

// The yaw rate decays with a time constant from its second peak on: ratios of 1 s and 1.75 s by hand. A lateral
// acceleration that rises as a t leads to a t^3/6.
func TestDwellFiguresOfADecay(t *testing.T) {
	const begin, tau, amplitude, a = 1.0, 0.5, 3.0, 3.0
	const steering = 1/0.7 + 0.5
	o := &dwellOptions{steeringTime: steering, bos: 5 * math.Pi / 180, firstTime: 1, firstLimit: 0.35,
		secondTime: 1.75, secondLimit: 0.2, displacementTime: 1.07, displacementLimit: 1.83, displacementFrom: 5, a: 0.5,
		filterOrder: 6, yawEdge: 6, steerEdge: 10, accelerationEdge: 6}
	for _, side := range []float64{1, -1} {
		time := times(6)
		r := record(time, Phase{"straight", 0, begin}, Phase{"steer", begin, 2.929}, Phase{"after", 2.929, 6})
		r.Steer = of(time, func(t float64) float64 {
			t -= begin
			switch w := 2 * math.Pi * 0.7; {
			case t < 0 || t > steering:
				return 0
			case t < 0.75/0.7:
				return side * amplitude * math.Sin(w*t)
			case t < 0.75/0.7+0.5:
				return -side * amplitude
			default:
				return side * amplitude * math.Sin(w*(t-0.5))
			}
		})
		// 2 before the wheel changes its sign; then the other way, with a long flat peak; far more back again in the
		// end
		peak := begin + steering - 0.2
		r.YawRate = of(time, func(t float64) float64 {
			switch {
			case t < begin+0.3:
				return 0
			case t < begin+0.6:
				return side * 2
			case t < peak:
				return -side * 1
			case t > 5.7:
				return side * 3
			}
			return -side * math.Exp(-(t-peak)/tau)
		})
		started := At(time, time, Crossing(time, scaled(LowPass(r.Steer, 1e-3, 10, 6), side), o.bos, 500, 2000))
		r.Lateral = of(time, func(t float64) float64 { return side * a * max(t-started, 0) })
		r.Y = of(time, func(t float64) float64 { return 7 + side*a*math.Pow(max(t-started, 0), 3)/6 })
		r.SideSlip = of(time, func(t float64) float64 { return -side * 0.1 * max(0, t-3) })
		list := dwellRun(r, o)
		near(t, "steering begins", started-begin, math.Asin(o.bos/amplitude)/(2*math.Pi*0.7), 0.5)
		// the filter raises the edge of the flat peak by some percent, which is part of the figure
		top := pick(t, list, "yaw_peak").Value
		near(t, "peak", top, -side, 0.12)
		near(t, "first ratio", pick(t, list, "yaw_ratio_1").Value*math.Abs(top), math.Exp(-1.2/tau), 1e-3)
		near(t, "second ratio", pick(t, list, "yaw_ratio_2").Value*math.Abs(top), math.Exp(-1.95/tau), 1e-3)
		near(t, "displacement", pick(t, list, "displacement").Value, side*a*math.Pow(1.07, 3)/6, 1e-5)
		near(t, "integrated displacement", pick(t, list, "displacement_integrated").Value, side*a*math.Pow(1.07, 3)/6,
			5e-3)
		near(t, "difference of the displacements", pick(t, list, "displacement_difference").Value,
			pick(t, list, "displacement_integrated").Value-pick(t, list, "displacement").Value, 1e-9)
		near(t, "largest yaw rate", pick(t, list, "yaw_rate_max").Value, side*3, 1e-9)
		near(t, "largest side-slip", pick(t, list, "side_slip_max").Value, -side*0.3, 1e-9)
		near(t, "amplitude by A", pick(t, list, "amplitude_by_A").Value, 6, 1e-5)
		near(t, "pass", pick(t, list, "pass").Value, 0, 0) // 0.61 m are not enough
		o.displacementFrom = 6.5
		near(t, "pass below the amplitude that asks for a displacement", pick(t, dwellRun(r, o), "pass").Value, 1, 0)
		all := sineWithDwell.All([]*Record{r, r, r}, o)
		near(t, "runs", pick(t, all, "runs").Value, 3, 0)
		near(t, "runs that pass", pick(t, all, "passed").Value, 3, 0)
		o.secondLimit = 0.01
		near(t, "runs that pass a sharper limit", pick(t, sineWithDwell.All([]*Record{r, r, r}, o), "passed").Value, 0,
			0)
		near(t, "pass with a sharper limit", pick(t, dwellRun(r, o), "pass").Value, 0, 0)
		o.secondLimit, o.firstLimit = 0.2, 0.05
		near(t, "pass with a sharper first limit", pick(t, dwellRun(r, o), "pass").Value, 0, 0)
		o.firstLimit, o.displacementFrom = 0.35, 5
	}
}

// A car with K_u = k and roll and side-slip in proportion, at constant speed and on a circle, to both sides.
func TestGradientsOfALinearCar(t *testing.T) {
	const k, l, v, radius = 0.003, 2.8, 25.0, 100.0
	o := &circleOptions{fitRange: fitRange{regressionFrom: 1, regressionTo: 4}, wheelbase: l, local: 1, readAt: 2}
	for _, side := range []float64{1, -1} {
		time := times(60)
		fast, round := record(time, Phase{"ramp", 0, 60}), record(time, Phase{"ramp", 0, 60})
		for _, r := range []*Record{fast, round} {
			r.Lateral = of(time, func(t float64) float64 { return side * (0.2 + 0.1*t) })
			r.Roll = scaled(r.Lateral, 0.02)
			r.Hands = scaled(r.Lateral, 2.2)
		}
		fast.Speed = of(time, func(float64) float64 { return v })
		fast.Steer = scaled(fast.Lateral, 16*(l/(v*v)+k))
		fast.SideSlip = scaled(fast.Lateral, -0.004)
		round.Speed = of(time, func(t float64) float64 { return math.Sqrt(radius * (0.2 + 0.1*t)) })
		round.Steer = mapped(round.Lateral, func(a float64) float64 { return 16 * (side*l/radius + k*a) })
		round.SideSlip = mapped(round.Lateral, func(a float64) float64 { return side*0.015 - 0.005*a })
		for i, list := range [][]Figure{steadyCircleSpeed.Run(fast, o), steadyCircleRadius.Run(round, o)} {
			near(t, "K_u", pick(t, list, "K_u").Value, k, 1e-9)
			near(t, "characteristic speed", pick(t, list, "characteristic_speed").Value, math.Sqrt(l/k), 1e-9)
			near(t, "steering gradient", pick(t, list, "steering_gradient").Value, 16*([]float64{l / (v * v), 0}[i]+k),
				1e-9)
			near(t, "roll gradient", pick(t, list, "roll_gradient").Value, 0.02, 1e-9)
			near(t, "side-slip gradient", pick(t, list, "side_slip_gradient").Value, -[]float64{0.004, 0.005}[i], 1e-9)
			near(t, "steering-torque gradient", pick(t, list, "steering_torque_gradient").Value, 2.2, 1e-9)
			near(t, "angle", pick(t, list, "delta_H").Value, 16*([]float64{2 * l / (v * v), l / radius}[i]+2*k), 1e-9)
			if f := pick(t, list, "a_y_max"); !strings.Contains(f.Missing, "still rises") {
				t.Errorf("the end of the test is the largest a_y: %+v", f)
			}
			if f := pick(t, list, "a_y_2K_u"); f.Missing == "" {
				t.Errorf("a linear car doubles its K_u at %g", f.Value)
			}
		}
		slow := *fast
		slow.Steer = scaled(fast.Lateral, 16*(l/(v*v)+3*k)) // of the other side
		all := bothSides([]*Record{fast, &slow}, o)
		near(t, "mean K_u", pick(t, all, "K_u_mean").Value, 2*k, 1e-9)
		near(t, "mean angle", pick(t, all, "delta_H_mean").Value, 16*(2*l/(v*v)+4*k), 1e-9)
		near(t, "tangent speed", pick(t, steadyCircleRadius.Run(round, o), "tangent_speed").Value, math.Sqrt(radius*3),
			1e-6)

		// with a term of third order K_u grows as 1 + 3 (a/b)^2: it is twice that of a narrow range at small a
		const b = 6.0
		fast.Steer = mapped(fast.Lateral, func(a float64) float64 { return 16 * (l/(v*v)*a + k*(a+a*a*a/(b*b))) })
		o.regressionFrom, o.regressionTo, o.local = 0.3, 0.4, 0.2
		near(t, "a_y at which K_u doubles", pick(t, steadyCircleSpeed.Run(fast, o), "a_y_2K_u").Value,
			b*math.Sqrt((1+6*0.35*0.35/(b*b))/3), 2e-3)
		o.regressionFrom, o.regressionTo, o.local = 1, 4, 1
	}
}

func TestANeutralCarHasNoCharacteristicSpeed(t *testing.T) {
	for _, f := range speeds(0, 2.8) {
		if !math.IsNaN(f.Value) || !strings.Contains(f.Missing, "neutral") {
			t.Errorf("%+v", f)
		}
	}
	near(t, "critical speed", pick(t, speeds(-0.002, 2.8), "critical_speed").Value, math.Sqrt(1400), 1e-12)
	if f := pick(t, speeds(-0.002, 2.8), "characteristic_speed"); f.Missing != "the vehicle oversteers" {
		t.Errorf("%+v", f)
	}
}

// A is the mean of both sides, rounded to a tenth of a degree.
func TestAIsReadFromTheLine(t *testing.T) {
	const g = 9.80665
	o := &steerOptions{fitRange: fitRange{0.1 * g, 0.375 * g}, readAt: 0.3 * g, departure: 0.1}
	time := times(10)
	var runs []*Record
	for _, side := range []float64{1, -1} {
		r := record(time, Phase{"ramp", 0, 10})
		r.Lateral = of(time, func(t float64) float64 { return side * 0.6 * t })
		gradient := 8 + side // deg/(m/s2)
		r.Steer = mapped(r.Lateral, func(a float64) float64 {
			return math.Pi / 180 * (gradient*a + side*20*max(math.Abs(a)-4, 0))
		})
		near(t, "A of a side", pick(t, slowlyIncreasingSteer.Run(r, o), "A_run").Value, math.Pi/180*gradient*0.3*g,
			1e-9)
		near(t, "steering gradient", pick(t, slowlyIncreasingSteer.Run(r, o), "steering_gradient").Value,
			math.Pi/180*gradient, 1e-9)
		// 20 (a - 4) = 0.1 gradient a
		near(t, "linear range", pick(t, slowlyIncreasingSteer.Run(r, o), "linear_range").Value, 80/(20-0.1*gradient),
			1e-6)
		runs = append(runs, r)
	}
	near(t, "A", pick(t, slowlyIncreasingSteer.All(runs, o), "A").Value, 23.5*math.Pi/180, 1e-12) // 8*0.3 g = 23.536
}

// A constant deceleration d is found, with the way v^2/(2 d), and the wheel whose slip is large first.
func TestBrakingFiguresOfAConstantDeceleration(t *testing.T) {
	const v, d, begin = 25.0, 6.0, 1.0
	end := begin + v/d
	time := times(math.Floor(end*1000) / 1000)
	r := record(time, Phase{"straight", 0, begin}, Phase{"brake", begin, time[len(time)-1]})
	r.Speed = of(time, func(t float64) float64 { return v - d*max(t-begin, 0) })
	r.X = of(time, func(t float64) float64 { return v*t - d*math.Pow(max(t-begin, 0), 2)/2 })
	r.Pitch = of(time, func(t float64) float64 { return 0.03 * math.Exp(-math.Pow(t-2, 2)) })
	slip := func(at float64) []float64 { return of(time, func(t float64) float64 { return -max(0, t-at) }) }
	load := of(time, func(t float64) float64 { return 4000 + 500*min(max(t-begin, 0), 1) })
	r.Front = []Tire{{Name: "left", Load: load, Slip: slip(2)}, {Name: "right", Load: load, Slip: slip(1.9)}}
	r.Rear = []Tire{{Name: "rear", Load: load, Slip: slip(3)}}
	r.Y = of(time, func(t float64) float64 { return -3e-4 * math.Exp(-math.Pow(t-3, 2)) })
	r.Yaw = of(time, func(t float64) float64 { return 0.02 * math.Max(0, t-begin) })
	r.YawRate = of(time, func(t float64) float64 { return 0.02 * (t - begin) })
	o := &brakingOptions{fromShare: 0.8, toShare: 0.1, locked: 0.9, readAt: 1, creepWindow: 2}
	list := straightBraking.Run(r, o)
	near(t, "yaw rate after 1 s", pick(t, list, "yaw_rate").Value, 0.02, 1e-9)
	// from where it was at the beginning
	near(t, "deviation", pick(t, list, "deviation_max").Value, -3e-4+3e-4*math.Exp(-4), 1e-6)
	near(t, "yaw angle", pick(t, list, "yaw_max").Value, 0.02*(time[len(time)-1]-begin), 1e-9)
	if f := pick(t, list, "creep"); f.Missing == "" {
		t.Errorf("without rest there is a creep of %g m", f.Value)
	}
	near(t, "deceleration", pick(t, list, "mean_deceleration").Value, d, 1e-6)
	near(t, "way", pick(t, list, "distance").Value, v*v/(2*d), 1e-6)
	near(t, "speed", pick(t, list, "speed").Value, v, 1e-9)
	near(t, "speed at the end", pick(t, list, "end_speed").Value, v-d*(time[len(time)-1]-begin), 1e-9)
	near(t, "pitch", pick(t, list, "pitch_max").Value, 0.03, 1e-9)
	near(t, "load", pick(t, list, "load_transfer").Value, 1000, 1e-9)
	locked := pick(t, list, "locked")
	near(t, "locking", locked.Value, 1.8, 1e-9)
	for _, c := range []struct{ window, creep float64 }{{2, 0.004}, {0.5, 0.001}} {
		rest := record(times(9), Phase{"brake", 0, 5}, Phase{"rest", 5, 9})
		rest.Speed, rest.X = of(rest.Time, func(t float64) float64 { return 9 - t }),
			of(rest.Time, func(t float64) float64 { return 0.002 * t })
		o.creepWindow = c.window
		near(t, "creep", pick(t, straightBraking.Run(rest, o), "creep").Value, c.creep, 1e-9)
	}
	if !strings.Contains(locked.Definition, "right") {
		t.Errorf("the first wheel to lock is %q", locked.Definition)
	}
}

// Short and empty runs cause no panic, and every missing value has a reason.
func TestRunsThatEndEarlyHaveReasons(t *testing.T) {
	for _, k := range kinds {
		options := every(&k, 1)
		if o, is := options.(*dwellOptions); is {
			o.filterOrder, o.yawEdge, o.steerEdge, o.accelerationEdge = 6, 6, 10, 6
		}
		first := append(slices.Clone(k.Phases), "")[0]
		for _, r := range []*Record{record([]float64{0}), record([]float64{0}, Phase{first, 0, 0}),
			record(times(0.002), Phase{first, 0.001, 0.002})} {
			if k.Inputs != nil {
				r.HalfCar = withoutGrip(r.Time)
			}
			if k.Following {
				r.Following = follower(r.Time)
			}
			if k.Batteries {
				r.Wanted = r.Speed
			}
			list := k.Run(r, options)
			if k.All != nil {
				list = append(list, k.All([]*Record{r}, options)...)
			}
			for _, f := range list {
				if math.IsNaN(f.Value) == (f.Missing == "") || math.IsInf(f.Value, 0) {
					t.Errorf("%s: %+v", k.Name, f)
				}
			}
		}
	}
}

// A decaying oscillation about any level has its frequency and damping, also among a ripple that is smaller than what
// counts.
func TestSteeringReleaseOfADecayingOscillation(t *testing.T) {
	const w, d, level, from = 8.0, 0.25, 0.01, 0.2
	const release = 2.0
	time := times(8)
	wd := w * math.Sqrt(1-d*d)
	decay := func(amplitude float64) func(float64) float64 {
		return func(t float64) float64 {
			u := max(t-release, 0)
			return level + (amplitude-level)*math.Exp(-d*w*u)*(math.Cos(wd*u)+d/math.Sqrt(1-d*d)*math.Sin(wd*u))
		}
	}
	o := &releaseOptions{before: 1, readAt: 3, share: 0.02}
	for _, side := range []float64{1, -1} {
		r := record(time, Phase{"circle", 0, release}, Phase{"release", release, 8})
		r.YawRate = of(time, func(t float64) float64 { return side*decay(from)(t) + 2e-5*math.Sin(300*t) })
		r.Steer = of(time, func(t float64) float64 { return side * 0.3 * math.Exp(-math.Ln2*max(t-release, 0)/0.07) })
		r.Lateral = of(time, func(float64) float64 { return side * 1.5 })
		r.Hands = of(time, func(t float64) float64 { return side * 2.5 })
		list := steeringRelease.Run(r, o)
		near(t, "a_y", pick(t, list, "a_y").Value, side*1.5, 1e-12)
		near(t, "yaw_rate", pick(t, list, "yaw_rate").Value, side*from, 1e-5)
		near(t, "delta_H", pick(t, list, "delta_H").Value, side*0.3, 1e-12)
		near(t, "M_H", pick(t, list, "M_H").Value, side*2.5, 1e-12)
		near(t, "delta_H_half", pick(t, list, "delta_H_half").Value, 0.07, 1e-5)
		near(t, "delta_H_left", pick(t, list, "delta_H_left").Value, math.Exp2(-3/0.07), 1e-12)
		near(t, "yaw_rate_left", pick(t, list, "yaw_rate_left").Value, decay(from)(release+3)/from, 5e-3)
		low := level - (from-level)*math.Exp(-math.Pi*d/math.Sqrt(1-d*d))
		near(t, "yaw_rate_overshoot", pick(t, list, "yaw_rate_overshoot").Value, -low/from, 1e-3)
		near(t, "yaw_frequency", pick(t, list, "yaw_frequency").Value, wd/(2*math.Pi), 0.01)
		near(t, "yaw_damping", pick(t, list, "yaw_damping").Value, d, 0.02)
	}
	if got := pick(t, steeringRelease.Run(record(time, Phase{"release", 2, 8}), o), "yaw_rate"); got.Missing == "" {
		t.Error("figures of a steering wheel that is not free")
	}
}

// A missing value of a run that ended early has the verdict in its reason; other values are unchanged.
func TestMissingValuesOfARunThatEndedEarlyNameTheVerdict(t *testing.T) {
	kind := Kind{Run: func(*Record, Options) []Figure {
		return []Figure{figure("lost", "", "s", math.NaN()).or("the run did not reach the phase"), figure("kept", "", "s", 2)}
	}}
	for verdict, want := range map[string]string{
		"": "the run did not reach the phase", "fallen at 3.21 s": "the run did not reach the phase: fallen at 3.21 s",
	} {
		list := kind.Of(&Record{Verdict: verdict}, nil)
		if list[0].Missing != want || list[1].Missing != "" || list[1].Value != 2 {
			t.Errorf("%q: %+v", verdict, list)
		}
	}
}

// A value of all runs that is missing names the verdict of the first run that ended early, and how many others did.
func TestMissingValuesOfAllRunsNameTheVerdicts(t *testing.T) {
	kind := Kind{All: func([]*Record, Options) []Figure {
		return []Figure{figure("lost", "", "s", math.NaN()).or("no run has one"), figure("kept", "", "s", 2)}
	}}
	fallen, whole := &Record{Verdict: "fallen at 3.21 s"}, &Record{}
	for _, c := range []struct {
		runs []*Record
		want string
	}{
		{[]*Record{whole, whole}, "no run has one"},
		{[]*Record{whole, fallen}, "no run has one: run 2: fallen at 3.21 s"},
		{[]*Record{fallen, whole, {Verdict: "stopped"}, fallen}, "no run has one: run 1: fallen at 3.21 s (and 2 more)"},
	} {
		list := kind.OfAll(c.runs, nil)
		if list[0].Missing != c.want || list[1].Missing != "" || list[1].Value != 2 {
			t.Errorf("%+v, want %q", list, c.want)
		}
	}
	if list := (&Kind{}).OfAll([]*Record{fallen}, nil); list != nil {
		t.Errorf("a kind without values of all runs has %+v", list)
	}
}
