package cosim

import (
	"fmt"
	"strings"
	"testing"
)

// axleOn is a rigid axle on four longitudinal links and a Panhard rod. The upper links are narrower by `splay` at the
// axle; parallel ones depend on each other, as four forces along x have three independent moments and resultants.
func axleOn(splay float64, others ...string) []string {
	tables := []string{`[component.axle]
type = "rigid-body"
mass = 80
inertia = { xx = 10, yy = 1, zz = 10 }
start = { position = [0, 0, 0.3] }
`, `[component.spring]
type = "spring-damper"
from = "ground"
to = "axle"
stiffness = 20000
damping = 1000
free_length = 0.4
`}
	link := func(name string, from, to [3]float64) {
		for k, frame := range []string{"ground", "axle"} {
			tables = append(tables, fmt.Sprintf("[component.%s_%d]\ntype = \"rigid-arm\"\nfrom = %q\nto = \"%s_%d\"\n"+
				"translation = %s\n", name, k, frame, name, k, list3([2][3]float64{from, to}[k])))
		}
		length := 0.0
		for k, v := range to {
			d := v - from[k]
			if k == 2 {
				d += 0.3
			}
			length += d * d
		}
		tables = append(tables, fmt.Sprintf("[component.%[1]s]\ntype = \"rod\"\nform = \"square\"\nfrom = \"%[1]s_0\"\n"+
			"to = \"%[1]s_1\"\nlength = \"sqrt(%.17[2]g)\"\n", name, length))
	}
	for i, side := range []string{"left", "right"} {
		y := 0.5 - float64(i)
		link("lower_"+side, [3]float64{0.5, y, 0.25}, [3]float64{0, y, -0.05})
		link("upper_"+side, [3]float64{0.4, 0.8 * y, 0.45}, [3]float64{0, (0.8 - splay) * y, 0.15})
	}
	link("panhard", [3]float64{-0.1, 0.5, 0.3}, [3]float64{-0.1, -0.5, 0})
	return append(tables, others...)
}

func TestRedundantLinksOfAnAxleAreNamed(t *testing.T) {
	t.Parallel()
	got := openingOf(t, axleOn(0), nil)
	if !strings.HasPrefix(got, "at the start the constraints of ") || strings.Contains(got, "panhard") ||
		!strings.Contains(got, "put a bushing in place of one, or a ball joint in place of a hinge") {
		t.Error(got)
	}
	for _, name := range []string{"lower_left", "lower_right", "upper_left", "upper_right"} {
		if !strings.Contains(got, name) {
			t.Errorf("%s is missing in %s", name, got)
		}
	}
	for name, tables := range map[string][]string{
		"splayed upper links": axleOn(0.3),
		"other formulation":   axleOn(0, "[[tree]]\nname = \"one\"\nformulation = \"udwadia-kalaba\"\n"),
	} {
		if got := openingOf(t, tables, nil); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	var three []string // with an elastic fourth one
	for _, table := range axleOn(0) {
		if strings.HasPrefix(table, "[component.upper_left]") {
			table = "[component.upper_left]\ntype = \"spring-damper\"\nfrom = \"upper_left_0\"\nto = \"upper_left_1\"\n" +
				"stiffness = 1e6\ndamping = 1000\nfree_length = 0.4\n"
		}
		three = append(three, table)
	}
	if got := openingOf(t, three, nil); got != "" {
		t.Error(got)
	}
}
