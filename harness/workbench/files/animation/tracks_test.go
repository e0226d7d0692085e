package animation

import (
	"math"
	"testing"

	"skidpad/harness/tests/pagedata"
	"skidpad/harness/workbench/results/web"
)

// decoded reads the columns of a course again.
func decoded(t *testing.T, c course, numbers *web.Numbers) (list [][7][]float64) {
	t.Helper()
	packed, err := numbers.Packed()
	if err != nil {
		t.Fatal(err)
	}
	r := pagedata.Open(t, packed)
	r.Column(web.Column{Kind: web.Doubles}, c.Moments) // times
	for _, track := range c.Tracks {
		var pose [7][]float64
		for k, of := range track.Columns {
			pose[k] = r.Column(of, c.Moments)
		}
		list = append(list, pose)
	}
	return list
}

// A body drives away. A hub moves on the body, and a wheel spins at the hub. One point is fixed to the hub, another
// yields by a fraction of a millimetre. Decoded poses are the poses of the scene. The hub carries wheel and points. A
// fixed frame takes no data.
func TestCoursesHoldThePoses(t *testing.T) {
	s := &Scene{Chassis: 1, Frames: 6}
	const moments = 400
	for n := range moments {
		at := 0.01 * float64(n)
		s.Times = append(s.Times, at)
		body := pose{vector{3000 * at, 20 * math.Sin(at), 0.5}, euler("321", [3]float64{3 * at, 0.1 * math.Sin(9*at), 0.2})}
		hub := body.then(pose{vector{1, 0.7, 0.05 * math.Sin(20*at)}, euler("321", [3]float64{0.3 * math.Sin(5*at), 0, 0})})
		wheel := hub.then(pose{vector{0, 0.1, 0}, turn([3]float64{0, 1, 0}, 70*at)})
		point := hub.then(pose{vector{0.2, 0.3, -0.1}, turn([3]float64{1, 0, 0}, 0.5)})
		yields := hub.then(pose{vector{0.2, 0.3, 2e-4 * math.Sin(30*at)}, unturned})
		for _, p := range []pose{wheel, body, hub, point, {q: unturned}, yields} {
			s.Poses = append(s.Poses, [7]float64{p.r[0], p.r[1], p.r[2], p.q[0], p.q[1], p.q[2], p.q[3]})
		}
	}
	to := &web.Numbers{}
	c := s.course(to)
	values := decoded(t, c, to)
	for f, want := range map[int]int{0: 2, 1: -1, 2: 1, 3: 2, 4: -1} {
		if c.Tracks[f].Carrier != want {
			t.Errorf("the carrier of frame %d is %d, want %d", f, c.Tracks[f].Carrier, want)
		}
	}
	for _, f := range []int{3, 4} {
		for k, of := range c.Tracks[f].Columns {
			if of.Kind != 0 {
				t.Errorf("column %d of the fixed frame %d is of kind %d", k, f, of.Kind)
			}
		}
	}
	worst := 0.0
	for at := range moments {
		known := make([]pose, s.Frames)
		for _, f := range c.Order {
			var p [7]float64
			for k := range p {
				p[k] = values[f][k][at]
			}
			known[f] = pose{vector(p[:3]), quaternion(p[3:])}
			if carrier := c.Tracks[f].Carrier; carrier >= 0 {
				known[f] = known[carrier].then(known[f])
			}
			want := s.pose(at, f)
			turned := want.q.conjugate().times(known[f].q)
			for k := range 3 {
				worst = max(worst, math.Abs(known[f].r[k]-want.r[k]), 2*math.Abs(turned[k+1]))
			}
		}
	}
	if !(worst < 1e-5) {
		t.Errorf("coded poses are %.2g m or rad off", worst)
	}
	packed, err := to.Packed()
	if most := moments * (8 + 3*8 + 4*4 + 2*2 + 2*4 + 2*2 + 7*4); err != nil || len(packed) > most {
		t.Errorf("%d letters for %d moments, at most %d: %v", len(packed), moments, most, err)
	}
}
