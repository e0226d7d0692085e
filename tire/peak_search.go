package tire

import (
	"fmt"
	"math"
)

// A search scans the curve before it narrows down. Neighbouring distances of the scan have the ratio scanRatio. Two
// peaks within this ratio count as one.
const (
	scanned   = 40
	scanRatio = 1.2
	rival     = 0.05  // of the largest force found: what another local maximum can lack and still be the largest
	equal     = 1e-12 // forces closer than this share are equal, and the smaller slip counts
	flat      = 1e-9  // of the slope without slip: slopes by differences below it are none
)

// Find returns the largest force of the curve that was arranged. Of several places with the same force it is the one
// with the smallest slip.
func (s *PeakSearch) Find() (Peak, error) {
	n := narrowing{search: s, end: s.end()}
	best := n.largest()
	if err := s.fault(); err != nil {
		return Peak{}, err
	}
	if x := best.force; x-x != 0 {
		return Peak{}, fmt.Errorf("the force function %s returns %v at the slip %v", s.kind.Name, x, s.side*best.at)
	}
	return Peak{Slip: s.side * best.at, Force: best.force, Found: best.found}, nil
}

// point is a point of a curve.
type point struct {
	at, force float64
	found     bool
}

// narrowing is one search along a curve.
type narrowing struct {
	search  *PeakSearch
	end     float64
	at      [scanned + 2]float64 // 0 first
	force   [scanned + 2]float64
	nothing float64 // slopes up to here are none
}

// largest scans the curve and narrows every local maximum that can be the largest one.
func (n *narrowing) largest() (best point) {
	last := len(n.at) - 1
	n.at[last] = n.end
	for i := last - 1; i > 0; i-- {
		n.at[i] = n.at[i+1] / scanRatio
	}
	high, size := math.Inf(-1), 0.0
	for i, at := range n.at {
		n.force[i] = n.search.force(at)
		high, size = max(high, n.force[i]), max(size, math.Abs(n.force[i]))
	}
	if !(size <= math.MaxFloat64) || n.end == 0 {
		return point{at: n.end, force: n.force[last] + size - size}
	}
	if n.search.exact == nil {
		n.nothing = flat * math.Abs(n.search.slope(0))
	}
	best.force = math.Inf(-1)
	for i, force := range n.force {
		local := (i == 0 || force > n.force[i-1]) && (i == last || force >= n.force[i+1])
		if !local || force < high-rival*size {
			continue
		}
		if p := n.narrow(i); p.force > best.force+equal*math.Abs(best.force) || math.IsInf(best.force, -1) {
			best = p
		}
	}
	return best
}

// narrow finds the local maximum next to scanned point i, whose force none of its neighbours exceeds.
func (n *narrowing) narrow(i int) point {
	here := n.sample(n.at[i])
	switch {
	case n.rises(here) && i == len(n.at)-1, !n.rises(here) && i == 0:
		return point{at: here.at, force: here.force}
	case n.rises(here):
		return n.refinePeak(here, n.sample(n.at[i+1]), func(p sample) bool { return !n.rises(p) || p.force < here.force })
	}
	enough := here.force - equal*math.Abs(here.force)
	before := n.sample(n.at[i-1])
	for j := i - 2; j >= 0 && !n.rises(before) && before.force >= enough; j-- { // a plateau counts from its begin
		before = n.sample(n.at[j])
	}
	return n.refinePeak(before, here, func(p sample) bool { return !n.rises(p) && p.force >= enough })
}

// sample is a point of the curve with its slope.
type sample struct{ at, force, slope float64 }

func (n *narrowing) sample(at float64) sample {
	return sample{at, n.search.force(at), n.search.slope(at)}
}

// rises reports whether the force grows with the slip.
func (n *narrowing) rises(p sample) bool { return p.slope > n.nothing }

// refinePeak narrows a peak down that lies between two points; beyond reports whether a point is beyond it. It is the
// search of Brent (1973, chapter 4) for a zero of the slope, which bisects where slopes tell nothing but their sign.
func (n *narrowing) refinePeak(low, high sample, beyond func(p sample) bool) point {
	steep := max(math.Abs(low.slope), math.Abs(high.slope))
	signed := func(p sample) float64 {
		slope := math.Abs(p.slope)
		if slope <= n.nothing {
			slope = steep
		}
		if beyond(p) {
			return -slope
		}
		return slope
	}
	a, b, c := low, high, low
	fa, fb := math.Abs(low.slope), -math.Abs(high.slope)
	if !n.rises(low) || fb == 0 {
		fa, fb = steep, -steep
	}
	fc := fa
	step, before := b.at-a.at, b.at-a.at
	for range 200 {
		if (fb > 0) == (fc > 0) {
			c, fc = a, fa
			step, before = b.at-a.at, b.at-a.at
		}
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		least, half := narrowest*math.Abs(b.at), (c.at-b.at)/2
		if math.Abs(half) <= least {
			break
		}
		if next, good := interpolated(a.at, b.at, c.at, fa, fb, fc, before, least); good {
			before, step = step, next
		} else {
			step, before = half, half
		}
		a, fa = b, fb
		if math.Abs(step) > least {
			b = n.sample(b.at + step)
		} else {
			b = n.sample(b.at + math.Copysign(least, half))
		}
		fb = signed(b)
	}
	return n.better(b, c)
}

// narrowest is the relative width of the final interval around a peak.
const narrowest = 4e-16

// interpolated is a step from b to the zero of a function with values at a, b and c. A good step stays between b and c
// and is shorter than half of the step before the last one.
func interpolated(a, b, c, fa, fb, fc, before, least float64) (step float64, good bool) {
	if math.Abs(before) < least || math.Abs(fa) <= math.Abs(fb) {
		return 0, false
	}
	half, s := (c-b)/2, fb/fa
	p, q := 2*half*s, 1-s
	if a != c {
		r, t := fb/fc, fa/fc
		p, q = s*(2*half*t*(t-r)-(b-a)*(r-1)), (t-1)*(r-1)*(s-1)
	}
	if p > 0 {
		q = -q
	}
	p = math.Abs(p)
	return p / q, 2*p < min(3*half*q-math.Abs(least*q), math.Abs(before*q))
}

// better chooses the end of a narrow interval with the smaller slope, unless its force is smaller.
func (n *narrowing) better(a, b sample) point {
	if math.Abs(b.slope) < math.Abs(a.slope) {
		a, b = b, a
	}
	if a.force < b.force-equal*math.Abs(b.force) {
		a = b
	}
	p := point{at: a.at, force: a.force, found: true}
	if n.search.exact == nil {
		return n.polish(p)
	}
	return p
}

// polish compares forces about a peak that was found by differences, which are blurred about a kink, by the golden
// section.
func (n *narrowing) polish(p point) point {
	const share = 0.6180339887498949
	low, high := p.at*(1-2*differenceShare), min(p.at*(1+2*differenceShare), n.end)
	a, b := high-share*(high-low), low+share*(high-low)
	left, right := n.search.force(a), n.search.force(b)
	for range 60 {
		if left >= right {
			high, b, right = b, a, left
			a = high - share*(high-low)
			left = n.search.force(a)
		} else {
			low, a, left = a, b, right
			b = low + share*(high-low)
			right = n.search.force(b)
		}
	}
	if left > p.force+equal*math.Abs(p.force) {
		return point{at: a, force: left, found: true}
	}
	return p
}
