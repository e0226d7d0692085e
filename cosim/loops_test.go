package cosim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/graph"
)

// crank is an arm of 0.1 m on a hinge in the ground; its end is joined to a rack that moves along x.
func crank(joint string) []string {
	return []string{`[component.crank]
type = "rigid-body"
mass = 1
inertia = { xx = 0.01, yy = 0.01, zz = 0.01 }
`, `[component.hinge]
type = "revolute"
from = "ground"
to = "crank"
axis = "z"
start = { phi = 0.5 }
`, `[component.end]
type = "rigid-arm"
from = "crank"
to = "end"
translation = [0.1, 0, 0]
`, `[component.slide]
type = "motion-driver"
from = "ground"
to = "rack"
axis = "x"
kind = "translation"
`, joint}
}

func openingOf(t *testing.T, tables []string, values map[string]float64) string {
	t.Helper()
	in, err := systemOf(t, tables).Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	r := &ride{in, t}
	for name, v := range values {
		r.set(name, v)
	}
	if err := in.Initialise(); err != nil {
		return err.Error()
	}
	return ""
}

// A rod of 0.3 m reaches the arm's end of 0.1 m from 0.2 to 0.4 m. Its gap is the way beyond.
func TestOpenLoopsNameChainGapAndReach(t *testing.T) {
	t.Parallel()
	const loop = "loop ground - slide - tie - crank - ground cannot close: "
	for _, form := range []string{"distance", "square"} {
		tie := fmt.Sprintf("[component.tie]\ntype = \"rod\"\nfrom = \"rack\"\nto = \"end\"\nlength = 0.3\nform = %q\n", form)
		for position, want := range map[float64]string{
			0.4124: loop + "tie (0.3 m) is 12.4 mm too short at slide 0.412 m; it closes from 0.2 to 0.4 m",
			0.1876: loop + "tie (0.3 m) is 12.4 mm too long at slide 0.188 m; it closes from 0.2 to 0.4 m",
			-0.45:  loop + "tie (0.3 m) is 50 mm too short at slide -0.45 m; it closes from -0.4 to -0.2 m",
			0.399:  "", -0.201: "",
		} {
			got := openingOf(t, crank(tie), map[string]float64{"slide.position": position})
			if (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%s %g: %s", form, position, got)
			}
		}
	}
}

// A ball joint reaches the arm's end at 0.1 m alone, and a hinge needs its axis too.
func TestOpenJointsNameTheirGap(t *testing.T) {
	t.Parallel()
	redundant := "[[tree]]\nname = \"one\"\nformulation = \"udwadia-kalaba\"\n"
	ball := redundant + "[component.ball]\ntype = \"spherical\"\nfrom = \"rack\"\nto = \"end\"\n"
	got := openingOf(t, crank(ball), map[string]float64{"slide.position": 0.15})
	if !strings.Contains(got, "loop ground - slide - crank - ground cannot close: its ends stay 50 mm apart at ball:") {
		t.Error(got)
	}
	tilted := `[component.spring]
type = "spring-damper"
from = "rack"
to = "end"
stiffness = 1
damping = 0
free_length = 0.1

[component.tilt]
type = "rigid-arm"
from = "ground"
to = "tilt"
translation = [0, 0, 0.2]
angles = [0, 0, 0.05]

[component.pivot]
type = "rigid-arm"
from = "crank"
to = "pivot"
translation = [0, 0, 0.2]

[component.second]
type = "revolute"
from = "tilt"
to = "pivot"
axis = "z"

` + redundant
	got = openingOf(t, crank(tilted), nil)
	if !strings.Contains(got, "loop ground - crank - ground cannot close: its ends stay 2.86 deg askew at second") {
		t.Error(got)
	}
}

// The chain is the shortest one and begins at the chassis, or at the ground.
func TestChainsOfLoops(t *testing.T) {
	t.Parallel()
	c := randomCorner(rand.New(rand.NewPCG(6, 1)))
	c.start = "position = " + list3(c.centre)
	tables := c.tables()
	for name, want := range map[string]string{
		"tie":       "loop ground - rack - tie - carrier - lower_fore - ground",
		"upper_aft": "loop ground - upper_aft - carrier - lower_fore - ground",
		"rack":      "loop ground - rack - tie - carrier - lower_fore - ground",
	} {
		l := graph.NewLinkage(systemOf(t, tables).model.Graph(), "")
		got, is := l.Through(name)
		if back := strings.Split(got.String()[len("loop "):], " - "); !is || got.String() != want {
			slices.Reverse(back)
			if "loop "+strings.Join(back, " - ") != want {
				t.Errorf("%s: %s", name, got)
			}
		}
		if driven := name != "upper_aft"; driven != (got.Driver == "rack.position") {
			t.Errorf("%s is driven by %q", name, got.Driver)
		}
	}
	if got, is := graph.NewLinkage(systemOf(t, tables).model.Graph(), "").Through("spring"); is {
		t.Error(got)
	}
}

// The reach of a corner ends where the corner still closes, and it does not close a little beyond.
func TestReachOfCorners(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testrun.Either(2, 10)) {
		c := randomCorner(rand.New(rand.NewPCG(seed, 11)))
		c.start = "position = " + list3(c.centre)
		got := openingOf(t, c.tables(), map[string]float64{"rack.position": -1})
		var low, high float64
		_, after, _ := strings.Cut(got, "it closes from ")
		if _, err := fmt.Sscanf(after, "%g to %g m", &low, &high); err != nil {
			t.Fatalf("seed %d: %s", seed, got)
		}
		for _, end := range []float64{low, high} {
			inside, outside := math.Nextafter(end, 0)*0.99, end*1.01
			if got := openingOf(t, c.tables(), map[string]float64{"rack.position": inside}); got != "" {
				t.Errorf("seed %d: %s at %g m within %g m", seed, got, inside, end)
			}
			if got := openingOf(t, c.tables(), map[string]float64{"rack.position": outside}); got == "" {
				t.Errorf("seed %d: closes at %g m beyond %g m", seed, outside, end)
			}
		}
	}
}
