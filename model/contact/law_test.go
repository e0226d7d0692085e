package contact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type vector [3]float64

func (a vector) plus(s float64, b vector) (sum vector) {
	for k := range sum {
		sum[k] = a[k] + float64(s*b[k])
	}
	return sum
}

func (a vector) dot(b vector) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func (a vector) length() float64 { return math.Sqrt(a.dot(a)) }

// judge is the law in the words of the specification, with branches in place of masks.
type judge struct {
	in                 []float64
	at, speed, rim     vector
	rising, normal     vector
	a, b, radius, dist float64
	seen               map[string]int
}

func (j *judge) vector(at int) vector { return vector(j.in[at : at+3]) }

func (j *judge) above(p vector) float64 {
	return p[2] - j.in[Height] - float64(j.a*(p[0]-j.at[0])) - float64(j.b*(p[1]-j.at[1]))
}

// contact is place, speed and mode after the step.
func (j *judge) contact() (at, speed vector, mode float64) {
	j.at, j.speed, j.rim, j.rising = j.vector(Place), j.vector(Speed), j.vector(Rim), j.vector(Rising)
	j.a, j.b = j.in[SlopeX], j.in[SlopeY]
	s := 1 / math.Sqrt(1+float64(j.a*j.a)+float64(j.b*j.b))
	j.normal = vector{-j.a * s, -j.b * s, s}
	j.radius, j.dist = j.rim.plus(-1, j.at).length(), j.above(j.rim)*s
	if j.dist > j.radius {
		j.seen["air"]++
		return j.at, j.speed, Air
	}
	if j.in[Mode] == Rolling {
		j.seen["goes on rolling"]++
		return j.roll()
	}
	dt, before := j.in[Step], j.vector(BeforeSpeed)
	start := j.vector(BeforeRim).plus(-j.vector(BeforeRim).plus(-1, j.vector(Before)).length(), j.normal)
	share := 0.0
	high, low := j.above(start)+float64(j.rising[2]*dt), j.above(j.rim.plus(-j.radius, j.normal))
	if high > 0 {
		share = max(0, min(1, high/(high-low)))
		j.seen["falls within the step"]++
	}
	tau := share * dt
	rest := dt - tau
	acceleration := j.speed.plus(-1, before)
	for k := range acceleration {
		acceleration[k] /= dt
	}
	arrives := before.plus(tau, acceleration).plus(-1, j.rising)
	normal := arrives.dot(j.normal)
	if normal >= 0 {
		j.seen["rolls without an impact"]++
		return j.roll()
	}
	after := j.rising
	for k := range after {
		after[k] += float64(-j.in[Vert]*normal*j.normal[k]) +
			float64(j.in[Hor]*(arrives[k]-float64(normal*j.normal[k])))
	}
	hit := vector{start[0] + float64(before[0]*tau), start[1] + float64(before[1]*tau)}
	hit[2] = -j.above(hit) - float64(j.rising[2]*rest)
	at = hit.plus(rest, after).plus(rest*rest/2, acceleration)
	if j.above(at) < 0 {
		j.seen["rolls after a second impact"]++
		return j.roll()
	}
	j.seen["impact"]++
	return at, after.plus(rest, acceleration), Impact
}

func (j *judge) roll() (at, speed vector, mode float64) {
	at = j.rim.plus(-j.dist, j.normal)
	at[2] -= j.above(at)
	rim := j.vector(RimSpeed)
	return at, rim.plus(-j.in[Tangential]*rim.plus(-1, j.rising).dot(j.normal), j.normal), Rolling
}

// The formulas are the rules of the specification: to the last bit, with machine code and without.
func TestFormulasAreTheRules(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 7))
	seen := map[string]int{}
	native, plain := NewWheel(), NewWheel()
	for range 200_000 {
		some := func(at int, size float64) {
			for k := range 3 {
				native.Numbers[at+k] = size * r.NormFloat64()
				if r.IntN(8) == 0 {
					native.Numbers[at+k] = 0
				}
			}
		}
		in := native.Numbers
		in[Vert], in[Hor], in[Tangential] = r.Float64(), r.Float64(), float64(r.IntN(2))
		in[InitialMode], in[Mode], in[Step] = float64(r.IntN(3)-1), float64(r.IntN(3)), []float64{1e-3, 0.01}[r.IntN(2)]
		some(Before, 0.02)
		some(BeforeSpeed, 2)
		some(BeforeRim, 0.02)
		some(Speed, 2)
		some(RimSpeed, 2)
		in[BeforeRim+2] += 0.3
		for k := range 3 {
			in[Place+k] = in[Before+k] + 0.01*r.NormFloat64()
			in[Rim+k] = in[BeforeRim+k] + 0.01*r.NormFloat64()
			in[Inertia+k] = 1 + r.Float64()
		}
		in[Height], in[Rising+2] = 0.03*r.NormFloat64(), float64(r.IntN(2))*0.3*r.NormFloat64()
		in[SlopeX], in[SlopeY] = float64(r.IntN(2))*0.3*r.NormFloat64(), float64(r.IntN(2))*0.2*r.NormFloat64()
		if r.IntN(4) == 0 {
			in[Height] = in[Place+2] + []float64{0, 1e-9, 2e-9, -2e-9}[r.IntN(4)]
		}
		copy(plain.Numbers, in[:Inputs])
		native.Evaluate(true)
		plain.Evaluate(false)
		j := &judge{in: plain.Numbers, seen: seen}
		at, speed, mode := j.contact()
		var impulse vector
		for k := range impulse {
			impulse[k] = in[Inertia+k] * (speed[k] - j.speed[k])
		}
		start := in[InitialMode]
		if start == -1 {
			start = Air
			if math.Abs(j.at[2]-in[Height]) <= OnTerrain {
				start = Rolling
				seen["starts on the ground"]++
			}
		}
		want := slices.Concat(at[:], speed[:], []float64{mode}, j.normal[:], impulse[:], []float64{start})
		for i, w := range want {
			got, other := in[Inputs+i], plain.Numbers[Inputs+i]
			if got != w || math.Float64bits(got) != math.Float64bits(other) { // of zeros, signs can differ from the rules
				t.Fatalf("result %d of %v is %g, without machine code %g; by the rules %g", i, in[:Inputs], got, other, w)
			}
		}
	}
	for _, way := range []string{"air", "goes on rolling", "falls within the step", "rolls without an impact",
		"rolls after a second impact", "impact", "starts on the ground"} {
		if seen[way] < 1000 {
			t.Errorf("%s: only %d times", way, seen[way])
		}
	}
}
