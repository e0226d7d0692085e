package figures

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat"
)

// Response is how an output follows an input, by frequency.
type Response struct {
	Frequency []float64 // Hz
	H         []complex128
	Coherence []float64
}

// Welch estimates the frequency response of y to u: the cross spectrum divided by the spectrum of u, over segments that
// overlap by three quarters, each without its mean. If u has the period of a segment, like a repeated chirp, segments
// are whole periods. Lines do not mix then, and no window is applied, which would average each line with its
// neighbours. Otherwise a Hann window is applied. The coherence always comes from windowed segments. Whole periods of a
// periodic but nonlinear response would be coherent; mixtures of neighbouring lines are not. With a repeated input
// these mixtures cancel out in four such segments, or eight, for any phases of linear lines. Lines that u does not
// hold, below a thousandth of its largest amplitude, have no coherence. Rows are step seconds apart. It returns nil
// where the record is not as long as a segment.
func Welch(u, y []float64, step, segment float64) *Response {
	n := int(math.Round(segment / step))
	if n < 2 || len(u) < n {
		return nil
	}
	window := make([]float64, n)
	for i := range window {
		window[i] = (1 - math.Cos(2*math.Pi*float64(i)/float64(n))) / 2
	}
	windowed := newCross(u, y, n, window)
	r, of := &Response{}, windowed
	if repeats(u, n) {
		of = newCross(u, y, n, nil)
	}
	least := 0.0
	for k := 1; k < len(of.uu); k++ {
		least = max(least, 1e-6*of.uu[k])
	}
	for k := range of.uu {
		coherence := (real(windowed.uy[k])*real(windowed.uy[k]) + imag(windowed.uy[k])*imag(windowed.uy[k])) /
			(windowed.uu[k] * windowed.yy[k])
		if of.uu[k] < least {
			coherence = 0
		}
		r.Frequency = append(r.Frequency, float64(k)/(float64(n)*step))
		r.H = append(r.H, of.uy[k]/complex(of.uu[k], 0))
		r.Coherence = append(r.Coherence, coherence)
	}
	return r
}

// repeats reports whether a signal repeats itself after n rows, within a thousandth of its largest deviation from its
// mean.
func repeats(x []float64, n int) bool {
	if len(x) <= n {
		return false
	}
	mean, most, away := stat.Mean(x, nil), 0.0, 0.0
	for i, v := range x {
		if most = max(most, math.Abs(v-mean)); i >= n {
			away = max(away, math.Abs(v-x[i-n]))
		}
	}
	return away <= 1e-3*most
}

// cross are the spectra of two signals and their cross spectrum, summed over segments.
type cross struct {
	uu, yy []float64
	uy     []complex128
}

// newCross takes segments of n rows; without a window for nil.
func newCross(u, y []float64, n int, window []float64) cross {
	fft := fourier.NewFFT(n)
	spectrum := func(x []float64) []complex128 {
		m := stat.Mean(x, nil)
		w := make([]float64, n)
		for i := range w {
			if w[i] = x[i] - m; window != nil {
				w[i] *= window[i]
			}
		}
		return fft.Coefficients(nil, w)
	}
	bins := n/2 + 1
	c := cross{make([]float64, bins), make([]float64, bins), make([]complex128, bins)}
	for begin := 0; begin+n <= len(u); begin += max(n/4, 1) {
		a, b := spectrum(u[begin:begin+n]), spectrum(y[begin:begin+n])
		for k := range bins {
			c.uu[k] += real(a[k])*real(a[k]) + imag(a[k])*imag(a[k])
			c.yy[k] += real(b[k])*real(b[k]) + imag(b[k])*imag(b[k])
			c.uy[k] += cmplx.Conj(a[k]) * b[k]
		}
	}
	return c
}

// Within keeps the frequencies from low to high.
func (r *Response) Within(low, high float64) *Response {
	out := &Response{}
	for k, f := range r.Frequency {
		if f >= low*(1-1e-9) && f <= high*(1+1e-9) {
			out.Frequency, out.H, out.Coherence = append(out.Frequency, f), append(out.H, r.H[k]),
				append(out.Coherence, r.Coherence[k])
		}
	}
	return out
}

// Gain is the magnitude, by frequency.
func (r *Response) Gain() []float64 {
	var list []float64
	for _, h := range r.H {
		list = append(list, cmplx.Abs(h))
	}
	return list
}

// Phase is continuous from the first frequency on [rad].
func (r *Response) Phase() []float64 {
	var list []float64
	for k, h := range r.H {
		p := cmplx.Phase(h)
		if k > 0 {
			p += 2 * math.Pi * math.Round((list[k-1]-p)/(2*math.Pi))
		}
		list = append(list, p)
	}
	return list
}
