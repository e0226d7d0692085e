package animation

import (
	"math"
	"testing"

	"skidpad/model/roles"
)

// made is the shell of a vehicle with wheels of a radius at the places x, of a kind or the usual one.
func made(t *testing.T, kind string, o roles.Outline, radius, half float64, x ...float64) *Shell {
	t.Helper()
	b := &shellMaker{Shell: &Shell{}, outline: &o, front: x[0], rear: x[len(x)-1], radius: radius, road: -0.6}
	for _, at := range x {
		for _, side := range []float64{1, -1} {
			b.wheels = append(b.wheels, shellWheel{vector{at, side * half, radius - 0.6}, radius, 0.6 * radius})
		}
	}
	if kind == "" {
		kind = b.kind(len(x))
	}
	b.build(kind, false)
	return b.Shell
}

// Shells reach from the front of the outline to its rear, stand above the road and are symmetric. Faces are flat, and
// closed shells have them outside: the volume that they enclose is positive.
func TestShellsFillTheOutline(t *testing.T) {
	for kind, of := range map[string]struct {
		roles.Outline
		radius, half, front, rear float64
		given                     string
	}{
		"sedan":   {roles.Outline{Width: 1.8, Front: 2.1, Rear: 2.4}, 0.31, 0.75, 1.3, -1.3, ""},
		"truck":   {roles.Outline{Width: 2.5, Front: 1.5, Rear: 6}, 0.5, 1.05, 0, -4.5, ""},
		"formula": {roles.Outline{Width: 1.4, Front: 1.4, Rear: 1.3}, 0.2, 0.6, 0.8, -0.75, ""},
		"van":     {roles.Outline{Width: 2, Front: 2.45, Rear: 3}, 0.34, 0.85, 1.5, -1.9, "van"},
		"box":     {roles.Outline{Width: 1.2, Front: 0.8, Rear: 0.9}, 0.2, 0.5, 0.5, -0.5, "box"},
	} {
		s := made(t, of.given, of.Outline, of.radius, of.half, of.front, of.rear)
		if s.Kind != kind {
			t.Errorf("%s is a %s", kind, s.Kind)
		}
		low, high := vector{9, 9, 9}, vector{-9, -9, -9}
		for _, f := range s.Faces {
			for _, i := range f.Points {
				for k, x := range s.Points[i] {
					if !f.Over {
						low[k], high[k] = min(low[k], x), max(high[k], x)
					}
				}
			}
		}
		if math.Abs(low[1]+high[1]) > 1e-9 || low[2] < -0.6 || low[2] > -0.1 || math.Abs(high[0]-of.Front) > 0.02 ||
			math.Abs(low[0]+of.Rear) > 0.02 {
			t.Errorf("%s reaches from %v to %v", kind, low, high)
		}
		volume := 0.0
		var outward [2]float64 // area of the left and the right side, outward
		for _, f := range s.Faces {
			if f.Over {
				continue
			}
			a := s.Points[f.Points[0]]
			for i := 2; i < len(f.Points); i++ {
				b, c := s.Points[f.Points[i-1]], s.Points[f.Points[i]]
				area := ((b[2]-a[2])*(c[0]-a[0]) - (b[0]-a[0])*(c[2]-a[2])) / 2 // to the left
				if side := a[1] + b[1] + c[1]; side > 0 {
					outward[0] += area
				} else {
					outward[1] -= area
				}
				volume += (a[0]*(b[1]*c[2]-b[2]*c[1]) + a[1]*(b[2]*c[0]-b[0]*c[2]) + a[2]*(b[0]*c[1]-b[1]*c[0])) / 6
			}
		}
		if box := (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]); !(volume > 0.1*box && volume < box) {
			t.Errorf("%s encloses %.3g m3, in a box of %.3g m3", kind, volume, box)
		}
		if !(outward[0] > 0.5 && math.Abs(outward[0]-outward[1]) < 1e-9) {
			t.Errorf("%s has %.3g m2 on its left side, %.3g m2 on its right", kind, outward[0], outward[1])
		}
		if len(s.Faces) > 400 {
			t.Errorf("%s has %d faces: the painter is too slow for them", kind, len(s.Faces))
		}
	}
}

// The fenders of a car leave its wheels free: no face of the sides is in front of a wheel.
func TestArchesAreOverTheWheels(t *testing.T) {
	for _, kind := range []string{"sedan", "van", "box"} {
		archesAreFree(t, made(t, kind, roles.Outline{Width: 1.8, Front: 2.1, Rear: 2.4}, 0.31, 0.75, 1.3, -1.3))
	}
}

func archesAreFree(t *testing.T, s *Shell) {
	t.Helper()
	for _, f := range s.Faces {
		var middle vector
		side := true
		for _, i := range f.Points {
			p := s.Points[i]
			side = side && p[1] > 0.8
			for k := range p {
				middle[k] += p[k] / float64(len(f.Points))
			}
		}
		for _, x := range []float64{1.3, -1.3} {
			if d := math.Hypot(middle[0]-x, middle[2]-(0.31-0.6)); side && d < 0.31 {
				t.Errorf("%s: a face of the side is %.2f m from a wheel centre", s.Kind, d)
			}
		}
	}
}
