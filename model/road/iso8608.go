package road

import (
	"fmt"
	"math"
	"strings"

	"skidpad/tire/elementary"
)

// Classes lists the classes of road roughness (ISO 8608).
var Classes = []string{"A", "B", "C", "D", "E", "F", "G", "H"}

// The spectral density of displacement along a road has the value of its class at a spatial frequency of 0.1 cycles a
// metre [m3], and falls with the square of the frequency. ISO 8608, clause 4 and Table C.1, gives the geometric mean of
// class A, and the power of 2 from class to class.
const (
	smoothest          = 16e-6
	byClass            = 2
	referenceFrequency = 0.1 // cycles/m
)

// LargestSeed bounds seeds.
const LargestSeed = 1 << 53

// The band of spatial frequencies [cycles/m], and how many waves it holds.
const (
	lowestFrequency, highestFrequency = 0.011, 2.83
	waves                             = 160
)

// iso8608 is a rough road, an isotropic surface of waves in all directions. Along every straight line it has the
// spectral density of its class,
//
//	G(n) = G0 (n0/n)^2 from the lowest to the highest frequency.
//
// Of the variance of the surface, waves of the frequencies N and above have
//
//	E(N) = G0 n0^2 arccos(N/highest)/N,
//
// which is the energy of a spectrum over all directions whose density along a line is G. All
// numbers are made with operations that are bit-identical on every platform.
type iso8608 struct {
	variance float64 // G0 n0^2 [m]
	waves    []directedWave
}

// directedWave is amplitude cos(kx x + ky y + phase).
type directedWave struct{ kx, ky, phase, amplitude float64 }

func newISO8608(class string) (*iso8608, error) {
	k := strings.Index("ABCDEFGH", class)
	if len(class) != 1 || k < 0 {
		return nil, fmt.Errorf("there is no class %q of roads; there are %q", class, Classes)
	}
	r := &iso8608{variance: math.Ldexp(smoothest, byClass*k) * (referenceFrequency * referenceFrequency),
		waves: make([]directedWave, waves)}
	r.seed(1)
	return r, nil
}

// seed draws new waves: one of every of equal intervals of the logarithm of the frequency, in
// any direction, with any phase.
func (r *iso8608) seed(seed uint64) {
	const span = 5.550136717838913 // ln(highest/lowest)
	above := func(n float64) float64 {
		return float64(r.variance * ((math.Pi/2 - elementary.Asin(min(1, n/highestFrequency))) / n))
	}
	border := func(i int) float64 { return lowestFrequency * elementary.Exp(float64(i)*(span/waves)) }
	random := splitMix(seed)
	for i := range r.waves {
		w := &r.waves[i]
		lower, upper := border(i), border(i+1)
		frequency := lower * elementary.Exp(random.next()*(span/waves))
		sin, cos := elementary.Sincos(2 * math.Pi * random.next())
		k := 2 * math.Pi * frequency
		w.kx, w.ky, w.phase = k*cos, k*sin, 2*math.Pi*random.next()
		w.amplitude = math.Sqrt(2 * max(0, above(lower)-above(upper)))
	}
}

// splitMix is a generator of random numbers (Steele, Lea, Flood 2014).
type splitMix uint64

// next returns a number from 0 to 1, 1 excluded.
func (s *splitMix) next() float64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) * 0x1p-53
}

func (r *iso8608) at(q Query) Point {
	p := Point{Friction: 1, U: q.X, V: q.Y}
	for i := range r.waves {
		w := &r.waves[i]
		sin, cos := elementary.Sincos(float64(w.kx*q.X) + float64(w.ky*q.Y) + w.phase)
		p.Height += float64(w.amplitude * cos)
		slope := -float64(w.amplitude * sin)
		p.SlopeX += float64(slope * w.kx)
		p.SlopeY += float64(slope * w.ky)
	}
	return p
}
