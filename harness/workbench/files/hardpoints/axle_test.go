package hardpoints

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
)

// springs complete the corner.
const springs = "spring_upper,-10,480,690\nspring_lower,0,580,205\n"

// axleOf makes an axle of a text.
func axleOf(t *testing.T, text string) *Axle {
	t.Helper()
	a, err := read(t, text, Options{}).Axle("Front", "front\n[roles]\n.csv")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The rack moves to the right for tie rods behind the wheel centres, to the left for those ahead of them. The tires
// touch the road.
func TestAxleOfACorner(t *testing.T) {
	behind := tableOfTheCorner + springs
	a := axleOf(t, behind)
	for _, want := range []string{"file = \"corner_double_wishbone\"\nat = [\"L\", \"R\"]", "lower_front = [150, " +
		"360, 200]",
		"rack = [-140, 0, 240]\ntravel_per_turn = -50", "start = { s = 0.5135 }", "tire_FL\", \"tire_FR"} {
		if !strings.Contains(a.Text, want) {
			t.Errorf("the axle has no %s:\n%s", want, a.Text)
		}
	}
	ahead := strings.Replace(behind, "hpl_tierod_outer,-130", "hpl_tierod_outer,130", 1)
	if a = axleOf(t, ahead); !strings.Contains(a.Text, "travel_per_turn = 50") {
		t.Errorf("tie rods ahead:\n%s", a.Text)
	}
	in := read(t, behind, Options{})
	in.Radius = 0.29
	a, err := in.Axle("Front", "front.csv")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.Text, `unloaded_radius = "290 mm"`) || !strings.Contains(a.Text, "start = { s = 0.49 }") {
		t.Errorf("a radius of 290 mm:\n%s", a.Text)
	}
}

// Sides that differ become two uses, each with the points of its side.
func TestAxleOfSidesThatDiffer(t *testing.T) {
	a := axleOf(t, tableOfTheCorner+springs+"hpr_lca_front,150,-364,200\n")
	left, right, _ := strings.Cut(a.Text, "[use.F2]")
	if !strings.Contains(left, "at = [\"L\"]") || !strings.Contains(left, "lower_front = [150, 360, 200]") ||
		!strings.Contains(right, "at = [\"R\"]") || !strings.Contains(right, "lower_front = [150, 364, 200]") ||
		!strings.Contains(right, `axles = [["tire_FL", "tire_F2R"]]`) {
		t.Errorf("the axle is\n%s", a.Text)
	}
}

// Choices and values that the corner does not have are told, not written.
func TestUnusedContentOfAnAxle(t *testing.T) {
	in := read(t, tableOfTheCorner+springs+"shock_lower,1,580,205\n", Options{}) // without its upper end
	in.Options = []Option{{"spring_on", "roof", "a line"}, {"joints", "bushings", "b"}}
	in.Values = []Value{{Parameter: "damping", Value: 1500, Unit: "N.s/m", From: "c"},
		{Parameter: "radial", Value: 1, Unit: "N/m", From: "d"}}
	a, err := in.Axle("Front", "front.csv")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(a.Unused, "; "); got != `shock_lower: corner_double_wishbone has no point damper_bottom with `+
		`these options; a line: corner_double_wishbone has no choice spring_on = "roof"` {
		t.Errorf("unused: %s", got)
	}
	if strings.Contains(a.Text, "roof") || !strings.Contains(a.Text, `radial = "1 N/m"`) || strings.Contains(a.Text,
		"damper_bottom") ||
		!strings.Contains(a.Text, `joints = "bushings"`) || !strings.Contains(a.Text, `damping = "1500 N.s/m"`) {
		t.Errorf("the axle is\n%s", a.Text)
	}
}

// A damper with points of its own is a component of its own; on the points of the spring it is part of the spring.
func TestDamperApart(t *testing.T) {
	const damper = "shock_upper,-10,480,690\nshock_lower,%s,580,205\n"
	for at, apart := range map[string]bool{"30": true, "0.05": false} {
		a := axleOf(t, tableOfTheCorner+springs+strings.Replace(damper, "%s", at, 1))
		if strings.Contains(a.Text, `damper = "apart"`) != apart || strings.Contains(a.Text, "damper_bottom") != apart ||
			slices.ContainsFunc(a.Model.Components, func(c component.Component) bool {
				return strings.HasPrefix(c.Head().Name, "damper_")
			}) != apart {
			t.Errorf("a damper at x = %s mm:\n%s", at, a.Text)
		}
	}
}

// A rigid axle is one use of both sides; sides that differ have no place in it.
func TestRigidAxle(t *testing.T) {
	const axle = `wheel_centre,0,740,300
centre,0,0,300
lower_front,520,480,290
lower_rear,20,540,240
upper_front,400,0,440
upper_rear,-10,0,430
spring_top,30,500,560
spring_bottom,30,500,290
damper_top,-60,440,650
damper_bottom,-80,560,260
panhard_chassis,-120,520,330
panhard_axle,-120,-520,310
`
	a := axleOf(t, axle)
	if strings.Contains(a.Text, "at = ") || !strings.Contains(a.Text, "panhard_axle = [-120, -520, 310]") ||
		len(a.Unused) > 0 {
		t.Errorf("unused %v:\n%s", a.Unused, a.Text)
	}
	in := read(t, axle, Options{})
	in.Radius = 0.3
	if a, err := in.Axle("Front", "front.csv"); err != nil || len(a.Model.Components) == 0 {
		t.Errorf("with a radius: %v", err)
	}
	_, err := read(t, axle+"hpr_spring_top,30,-510,560\n", Options{}).Axle("Front", "front.csv")
	if err == nil || !strings.Contains(err.Error(), "axle_links has points of the left side only") {
		t.Errorf("sides that differ: %v", err)
	}
}

func TestPointsOfNoCorner(t *testing.T) {
	for text, want := range map[string]string{
		tableOfTheCorner:                      "corner_double_wishbone needs spring_top, spring_bottom, too",
		"bolt,1,2,3\nlca_front,100,200,300\n": "no shipped corner has these points",
		"wheel_centre,0,740,300\nspring_top,30,500,560\nspring_bottom,30,500,290\ndamper_top,-60,440,650\n" +
			"damper_bottom,-80,560,260\nlower_front,520,480,290\nlower_rear,20,540,240\n": "axle_links needs centre, ",
		strings.Replace(tableOfTheCorner+springs, "-130,665,232", "-140,355,240", 1): "an axle of " +
			"corner_double_wishbone with " +
			"these points is refused: ",
	} {
		in := read(t, text, Options{})
		if a, err := in.Axle("Front", "front.csv"); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "axle_end") { // a part of axle_links
			t.Errorf("%v: %+v; want %s", err, a, want)
		}
	}
}
