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
		{"ball joint on the hinge", "corner_double_wishbone", "parameters.lower_outer = [-20, 365, 197.5]\n",
			[]string{"the wheel cannot move up or down", "the height of the left wheel", "three points of an arm"}},
		{"outer joint between the inner ones", "corner_double_wishbone", "parameters.upper_outer = [-20, 422.5, 432.5]\n",
			[]string{"upper_rod_fore_FL, upper_rod_aft_FL depend on each other"}},
	} {
		r, err := rig.New(shippedAxle(t, corners(c.file, c.options)), rig.Options{Axle: 1})
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
