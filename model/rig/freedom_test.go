package rig_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/rig"
)

// The rig refuses a design position whose links depend on each other, or with an arm of three points on one line. The
// message names the parts.
func TestSingularDesignPositions(t *testing.T) {
	for _, c := range []struct {
		name, file, options string
		want                []string
	}{
		{"two links on one line", "corner_five_link", "parameters.lower_aft_inner = [300, 480, 240]\n" +
			"parameters.lower_aft_outer = [45, 690, 205]\n", []string{"lower_fore_FL, lower_aft_FL depend on each other",
			"the left wheel is free to move with carrier_FL, carrier_FR", "no two links may lie on one line"}},
		{"all links through one point", "corner_five_link", "parameters.upper_fore_outer = [0, 690, 300]\n" +
			"parameters.upper_aft_outer = [0, 690, 300]\nparameters.lower_fore_outer = [0, 690, 300]\n" +
			"parameters.lower_aft_outer = [0, 690, 300]\nparameters.toe_outer = [0, 690, 300]\n",
			[]string{"depend on each other", "nor may all links of a carrier meet one line"}},
		{"all links level and through the wheel centre", "corner_five_link", `[use.F.parameters]
upper_fore_inner = [130, 440, 300]
upper_fore_outer = [0, 745, 300]
upper_aft_inner = [-120, 440, 300]
upper_aft_outer = [0, 745, 300]
lower_fore_inner = [300, 480, 305]
lower_fore_outer = [0, 745, 305]
lower_aft_inner = [-60, 260, 305]
lower_aft_outer = [0, 745, 305]
toe_outer = [0, 745, 310]
`, []string{"the wheel cannot move up or down", "the height of the left wheel", "three points of an arm"}},
	} {
		axle := strings.Replace(corners(c.file, c.options), "parameters.toe = 0.002\nparameters.camber = -0.01\n", "", 1)
		r, err := rig.New(shippedAxle(t, axle), rig.Options{Axle: 1})
		if err == nil {
			_, err = r.Solve(rig.Given{}, nil)
		}
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v; want %s", c.name, err, want)
			}
		}
	}
}

// A top mount without a rotational stiffness turns freely and moves no wheel. With a stiffness nothing does.
func TestLooseParts(t *testing.T) {
	for options, want := range map[string][]string{
		"joints = \"bushings\"\nparameters.top_turning = 0\n": {"mount_FL", "mount_FR"},
		"joints = \"bushings\"\n":                             nil,
		"joints = \"ideal\"\n":                                nil,
	} {
		r, err := rig.New(shippedAxle(t, corners("corner_macpherson", options)), rig.Options{Axle: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Solve(rig.Given{}, nil); err != nil || !slices.Equal(r.Loose, want) {
			t.Errorf("%s: %v, %v; want %v", options, r.Loose, err, want)
		}
	}
}
