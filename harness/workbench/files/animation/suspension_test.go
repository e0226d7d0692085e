package animation

import (
	"maps"
	"math"
	"slices"
	"testing"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/vehicle"
)

// run is a trace of two samples.
func run(columns map[string][]float64) *trace.Trace {
	t := trace.New(trace.Named(slices.Sorted(maps.Keys(columns))...), 0)
	t.Time = []float64{0, 1}
	for i, c := range t.Channels {
		t.Values[i] = columns[c.Name]
	}
	return t
}

// placedAt are the poses of all frames at a sample.
func placedAt(m *vehicle.Model, run *trace.Trace, at int) map[string]pose {
	p := newPlacement(m, channelNames(run))
	p.place(rowAt(run, at))
	return p.known()
}

// A part carried only by a suspension has the pose of the suspension: outward is +y on the left and -y on the right.
// The top of a carrier with camber leans outward, with castor rearward, and the front of a carrier with toe-in points
// inward. Its arm is drawn.
func TestSuspensionsCarryFrames(t *testing.T) {
	for side, outward := range map[string]float64{"left": 1, "right": -1} {
		m, err := vehicle.Parse([]byte(`name = "Corner"
[component.body]
type = "rigid-body"
mass = 500
inertia = { xx = 100, yy = 300, zz = 320 }
[component.corner]
type = "suspension"
from = "body"
to = "carrier"
side = "`+side+`"
x = [[-0.1, 0.04], [0, 0], [0.1, -0.04]]
y = [[-0.1, -0.03], [0, 0], [0.1, 0.03]]
toe = [[-0.1, -0.02], [0, 0], [0.1, 0.02]]
camber = [[-0.1, -0.05], [0, 0], [0.1, 0.05]]
castor = [[-0.1, -0.06], [0, 0], [0.1, 0.06]]
[component.arm]
type = "rigid-arm"
from = "carrier"
to = "hub"
translation = [0, 0.2, 0]
[component.hub]
type = "point-mass"
mass = 20
`), "corner.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		columns := map[string][]float64{"corner.travel": {0, 0.05}}
		for name, v := range map[string]float64{"x": 10, "y": 2, "z": 0.5, "yaw": 0, "pitch": 0, "roll": 0} {
			columns["body."+name] = []float64{v, v}
		}
		carrier, known := placedAt(m, run(columns), 1)["carrier"]
		if !known {
			t.Fatalf("%s: the carrier is nowhere", side)
		}
		near(t, side+": place", carrier.r, vector{10 - 0.02, 2 + outward*0.015, 0.55})
		up, ahead := carrier.q.rotate(vector{0, 0, 1}), carrier.q.rotate(vector{1, 0, 0})
		// to first order in small angles; their products are below 0.001
		for what, got := range map[string][2]float64{"top outward": {outward * up[1], 0.025}, "top rearward": {-up[0], 0.03},
			"front inward": {-outward * ahead[1], 0.01}} {
			if math.Abs(got[0]-got[1]) > 1e-3 {
				t.Errorf("%s: %s %g, want %g", side, what, got[0], got[1])
			}
		}
		scene, err := New(m, run(columns))
		if err != nil || len(scene.Missing) > 0 {
			t.Errorf("%s: %v, missing %q", side, err, scene.Missing)
		}
	}
}

// Surfaces are read at the travel and at the recorded motion of what the suspension follows.
func TestSuspensionsFollowARack(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Corner"
[component.rack]
type = "prismatic"
from = "ground"
to = "rack_body"
axis = "y"
[component.rack_body]
type = "point-mass"
mass = 2
[component.corner]
type = "suspension"
from = "ground"
to = "carrier"
steer = "rack"
y = [[-1, -1, 0.1], [-1, 1, 0.3], [1, -1, 0.2], [1, 1, 0.4]]
[component.carrier]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }
`), "corner.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]float64{"corner.travel": {0, 0.5}, "rack.s": {0, -0.4}}
	near(t, "place", placedAt(m, run(columns), 1)["carrier"].r, vector{0, 0.25 + 0.05*0.5 - 0.1*0.4, 0.5})
}
