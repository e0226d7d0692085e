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

// Welch estimates the response of y to u as their cross spectrum by the spectrum of u. Both are cut into segments
// that overlap by three quarters; of each the mean is taken off, and a Hann window is applied. A window mixes each line
// of a spectrum with its two neighbours; of an input that repeats itself after a segment these mixtures cancel out in
// four such segments, or eight, whatever the phases of the lines are. Rows are step seconds apart. It returns nil where
// the record is not as long as a segment.
func Welch(u, y []float64, step, segment float64) *Response {
	n := int(math.Round(segment / step))
	if n < 2 || len(u) < n {
		return nil
	}
	fft := fourier.NewFFT(n)
	window := make([]float64, n)
	for i := range window {
		window[i] = (1 - math.Cos(2*math.Pi*float64(i)/float64(n))) / 2
	}
	spectrum := func(x []float64) []complex128 {
		m := stat.Mean(x, nil)
		w := make([]float64, n)
		for i := range w {
			w[i] = window[i] * (x[i] - m)
		}
		return fft.Coefficients(nil, w)
	}
	bins := n/2 + 1
	uu, yy, uy := make([]float64, bins), make([]float64, bins), make([]complex128, bins)
	for begin := 0; begin+n <= len(u); begin += n / 4 {
		a, b := spectrum(u[begin:begin+n]), spectrum(y[begin:begin+n])
		for k := range bins {
			uu[k] += real(a[k])*real(a[k]) + imag(a[k])*imag(a[k])
			yy[k] += real(b[k])*real(b[k]) + imag(b[k])*imag(b[k])
			uy[k] += cmplx.Conj(a[k]) * b[k]
		}
	}
	r := &Response{}
	for k := range bins {
		r.Frequency = append(r.Frequency, float64(k)/(float64(n)*step))
		r.H = append(r.H, uy[k]/complex(uu[k], 0))
		r.Coherence = append(r.Coherence, (real(uy[k])*real(uy[k])+imag(uy[k])*imag(uy[k]))/(uu[k]*yy[k]))
	}
	return r
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
