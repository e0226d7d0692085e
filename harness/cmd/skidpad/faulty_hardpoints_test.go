package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// faultyAxle is an axle of a shipped corner on a body that moves freely. more stands in the model, options in the use.
func faultyAxle(corner, options, parameters, more string) string {
	return fmt.Sprintf(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.51] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [0, 0, -0.5] }
%s
[use.F]
file = %q
at = ["L", "R"]
frames = { chassis = "front", rack = "front", road = "road" }
%s
[use.F.parameters]
%s
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"]]
`, more, corner, options, parameters)
}

// A fault in points, joints, options or tables has one message, with its place, the wrong value and a remedy.
func TestFaultyHardPoints(t *testing.T) {
	testrun.Slow(t)
	const wishbones, links, strut = "corner_double_wishbone", "corner_five_link", "corner_macpherson"
	// a link between two points, of which a bushing and a ball joint hold the ends
	const link = `link = { type = "rigid-body", mass = 1, inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }, design = [0.15, 0.5, -0.1] }
bush = { type = "bushing", from = "body@link_inner", to = "link@link_inner", stiffness = [1e6, 1e6, 1e6]%s }
ball = { type = "spherical", from = "link@link_outer", to = "body@link_outer" }
[parameters]
link_inner = { value = [300, 400, -100], unit = "mm" }
link_outer = { value = [0, 600, -100], unit = "mm" }
`
	bushings := "joints = \"bushings\"\n"
	for _, c := range []struct {
		name                              string
		corner, options, parameters, more string
		want                              []string
		table                             string // front.csv
	}{
		// points
		{name: "metres", corner: wishbones, parameters: `lower_outer = ["10 m", "680 m", "180 m"]`,
			want: []string{"lower_outer is 680 m away", `write unit = "mm"`}},
		{name: "beyond all numbers", corner: wishbones, parameters: `lower_outer = [1e300, 680, 180]`,
			want: []string{"lower_outer is 1e+297 m away (x)", "within 1e+06 m"}},
		{name: "not a number", corner: wishbones, parameters: `lower_outer = [nan, 680, 180]`,
			want: []string{"lower_outer_F_x.value is nan", "finite"}},
		{name: "infinite", corner: wishbones, parameters: `lower_outer = [inf, 680, 180]`, want: []string{"finite"}},
		{name: "two coordinates", corner: wishbones, parameters: `lower_outer = [10, 680]`,
			want: []string{"lower_outer is a list of 2", "[x, y, z]"}},
		{name: "other side", corner: wishbones, parameters: `tie_outer = [-130, -665, 232]`,
			want: []string{"points of a left side have y < 0", ": tie_outer; on the left: wheel_centre, lower_front"}},
		{name: "x reversed", corner: wishbones, parameters: "lower_front = [-150, 360, 200]\nlower_rear = [190, 370, 195]",
			want: []string{"lower_front lies behind lower_rear", "--axes"}},
		{name: "hinge of one point", corner: wishbones, parameters: `lower_front = [-190, 370, 195]`,
			want: []string{"lower_hinge_FL.axis has no direction", "the points that it joins are one point"}},
		{name: "hinge of nearly one point", corner: wishbones, parameters: `lower_front = [-190, 370.01, 195]`,
			want: []string{"the arm of lower_outer, lower_front and lower_rear has no plane", "at least 1 deg"}},
		{name: "rods from one point", corner: wishbones, options: `spring_on = "carrier"`,
			parameters: `lower_front = [-190, 370, 195]`, want: []string{"the arm of lower_outer", "no plane"}},
		{name: "ball joint on the hinge", corner: wishbones, parameters: `lower_outer = [-20, 365, 197.5]`,
			want: []string{"the arm of lower_outer", "180 deg apart", "away from the line"}},
		{name: "three points on a line", corner: wishbones, parameters: `upper_outer = [-25, 422.6, 432]`,
			want: []string{"the arm of upper_outer, upper_front and upper_rear has no plane"}},
		{name: "flat arm of a strut", corner: strut, parameters: `lower_outer = [-135, 375, 200]`,
			want: []string{"the arm of lower_outer", "no plane"}},
		{name: "rod of one point", corner: wishbones, parameters: `tie_inner = [-130, 665, 232]`,
			want: []string{"tie_FL.length", "must be above 0"}},
		{name: "strut of one point", corner: strut, parameters: `strut_bottom = [-35, 560, 830]`,
			want: []string{"strut_FL.axis has no direction", "one point"}},
		{name: "spring of one point", corner: wishbones, parameters: `spring_top = [0, 580, 205]`,
			want: []string{"spring_top and spring_bottom are 0 mm apart", "correct one of the points"}},
		{name: "two equal links", corner: links,
			parameters: "upper_aft_inner = [130, 440, 445]\nupper_aft_outer = [15, 690, 465]",
			want:       []string{"upper_fore_FL, upper_aft_FL depend on each other"}},
		{name: "two links on one line", corner: links,
			parameters: "upper_aft_inner = [130, 440, 445]\nupper_aft_outer = [72.5, 565, 455]",
			want:       []string{"upper_fore_FL, upper_aft_FL depend on each other", "no two links may lie on one line"}},
		{name: "links that meet in the wheel centre", corner: links, parameters: "upper_fore_outer = [0, 745, 305]\n" +
			"upper_aft_outer = [0, 745, 305]\nlower_fore_outer = [0, 745, 305]\nlower_aft_outer = [0, 745, 305]\n" +
			"toe_outer = [0, 745, 305]", want: []string{"depend on each other"}},
		{name: "wheel centre inside", corner: wishbones, parameters: `wheel_centre = [0, 300, 300]`,
			want: []string{"wheel_centre is inside the body", "0.3 m from the middle", "lower_front on the body 0.36 m"}},
		{name: "wheel above the road", corner: wishbones, parameters: `wheel_centre = [0, 740, 600]`,
			want: []string{"tire_FL is 0.296 m above the road, of a radius of 0.314 m"}},
		{name: "wheel below the road", corner: wishbones, parameters: `wheel_centre = [0, 740, -300]`,
			want: []string{"tire_FL is 0.604 m into the road"}},
		{name: "another radius", corner: wishbones, options: `component.tire.unloaded_radius = "500 mm"`,
			want: []string{"of a radius of 0.5 m (its file has 0.3135 m)"}},
		{name: "unknown point", corner: wishbones, options: `component.tie.to = "carrier@tie_outr"`,
			want: []string{"there is no point tie_outr", `did you mean "tie_outer"`}},
		// springs and bushings
		{name: "spring that pulls", corner: wishbones, parameters: `load = "-2 kN"`,
			want: []string{"pulls with 2000 N in the design position", "0.4953 m", "0.4509 m", "free_length = { load"}},
		{name: "spring without stiffness", corner: wishbones, parameters: `stiffness = 0`,
			want: []string{"spring_lower_FL.free_length", "load_F/stiffness_F", "not a finite number"}},
		{name: "negative sleeve", corner: wishbones, options: bushings, parameters: `radial = -1`,
			want: []string{"lower_fore_FL.stiffness[0]", "must not be negative", "lower_fore_FL, lower_aft_FL, upper_fore_FL"}},
		{name: "negative loss", corner: wishbones, options: bushings + "component.lower_fore.loss = -1",
			want: []string{"lower_fore_FL.loss is -1"}},
		{name: "axis without direction", corner: wishbones,
			options: bushings + `component.lower_fore.along = "lower_front - lower_front"`,
			want:    []string{"lower_fore_FL.along has no direction"}},
		{name: "skew axes", corner: wishbones, more: strings.Replace(fmt.Sprintf(link, ""), "[1e6, 1e6, 1e6]",
			"[1e6, 1e6, 1e6], axes = [[1, 0, 0], [1, 1, 0]]", 1), want: []string{"bush.axes"}},
		{name: "unsymmetric matrix", corner: wishbones, more: strings.Replace(fmt.Sprintf(link, ""),
			"stiffness = [1e6, 1e6, 1e6]", "matrix = [[9, 2, 0, 0, 0, 0], [0, 9, 0, 0, 0, 0], [0, 0, 9, 0, 0, 0], "+
				"[0, 0, 0, 9, 0, 0], [0, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 9]]", 1),
			want: []string{"bush.matrix[1][0] is 0, and [0][1] is 2", "symmetric"}},
		{name: "curve that falls", corner: wishbones,
			more: fmt.Sprintf(link, ", spring_force_x = [[-1, 10], [0, 0], [1, -10]]"), want: []string{"bush.spring_force_x"}},
		{name: "mount that spins", corner: strut, options: bushings, parameters: `top_turning = 0`,
			want: []string{"mount_FL, mount_FR can move", "nothing resists", "a small rotational stiffness"}},
		// options, files, tables
		{name: "misspelt choice", corner: wishbones, options: `joints = "bushing"`,
			want: []string{`did you mean "bushings"`, "one of ideal, bushings"}},
		{name: "misspelt option", corner: wishbones, options: `joint = "bushings"`,
			want: []string{`unknown key "joint"`, `did you mean "joints"`}},
		{name: "part without a choice", corner: wishbones, options: `joints = { default = "ideal", lowr = "bushings" }`,
			want: []string{"use F.joints.lowr", "no part of this name"}},
		{name: "component of another option", corner: wishbones, options: `component.upper_fore.stiffness = [1, 2, 3]`,
			want: []string{"upper_fore, which exists only when joints == bushings", `here joints = "ideal"`}},
		{name: "misspelt parameter", corner: wishbones, parameters: `lower_font = [1, 2, 3]`,
			want: []string{`gives "lower_font"`, `did you mean "lower_front"`}},
		{name: "misspelt file", corner: "corner_double_wishbon", want: []string{`a subsystem "corner_double_wishbone"`}},
		{name: "body without mass", corner: wishbones, parameters: `carrier_mass = 0`,
			want: []string{"carrier_FL has inertia but no mass"}},
		{name: "table that is not there", corner: wishbones, options: `points = { file = "none.csv" }`,
			want: []string{"none.csv: no such file"}},
		{name: "point missing in a row", corner: wishbones, options: `points = { file = "front.csv" }`,
			table: "lower_front,150,360", want: []string{"line 2 has 3 fields"}},
		{name: "point twice", corner: wishbones, options: `points = { file = "front.csv" }`,
			table: "lower_front,150,360,200\nlower_front,150,360,200", want: []string{"lower_front twice, first in line 2"}},
		{name: "point of another corner", corner: wishbones, options: `points = { file = "front.csv" }`,
			table: "lower_frond,150,360,200", want: []string{`no point of skidpad:`, `did you mean "lower_front"`}},
		{name: "word for a number", corner: wishbones, options: `points = { file = "front.csv" }`,
			table: "lower_front,a,360,200", want: []string{`x of lower_front is "a"`, "finite number"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			file := filepath.Join(folder, "axle.toml")
			for name, text := range map[string]string{file: faultyAxle(c.corner, c.options, c.parameters, c.more),
				filepath.Join(folder, "front.csv"): "name,x [mm],y [mm],z [mm]\n" + c.table + "\n"} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			status, stdout, stderr := try("kc", file)
			messages := strings.Split(strings.TrimSpace(stderr), "\n")
			if len(messages) != 1 || messages[0] == "" {
				t.Errorf("status %d, %d messages: %s", status, len(messages), stderr)
			}
			if strings.Contains(stdout+stderr, "Inf") || strings.Contains(stdout+stderr, "NaN") {
				t.Errorf("no number: %s%s", stdout, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("the message has no %q: %s", want, stderr)
				}
			}
		})
	}
}
