package cosim_test

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// doorOnHinges is a door on two hinges about the same axis, near each other on an inclined wall.
const doorOnHinges = `name = "Door"
reactions = ["hinge_*", "upper"]
[component.door]
type = "rigid-body"
mass = 20
inertia = { xx = 2, yy = 3, zz = 1 }
start = { angles = [0.3, 0.2, 0.1] }
[component.upper]
type = "rigid-arm"
from = "door"
to = "top"
translation = [-0.4, 0, 0.06]
[component.lower]
type = "rigid-arm"
from = "door"
to = "bottom"
translation = [-0.4, 0, -0.06]
[component.wall]
type = "rigid-arm"
from = "ground"
to = "wall"
angles = [0.3, 0.2, 0.1]
[component.above]
type = "rigid-arm"
from = "wall"
to = "frame_top"
translation = [0, 0, 0.06]
[component.below]
type = "rigid-arm"
from = "wall"
to = "frame_bottom"
translation = [0, 0, -0.06]
[component.hinge_top]
type = "%[1]s"
from = "frame_top"
to = "top"
%[2]s
[component.hinge_bottom]
type = "%[1]s"
from = "frame_bottom"
to = "bottom"
%[2]s
[[tree]]
name = "only"
formulation = "udwadia-kalaba"
`

// The reactions that redundant constraints leave undetermined are named when a run starts. Between two hinges these are
// all reactions except the moments about the hinge axis, between two balls only the forces along the line through both.
func TestUndeterminedReactionsAreNamed(t *testing.T) {
	for joint, open := range map[[2]string]string{
		{"revolute", "axis = \"z\"\ntorque = \"input\""}: "hinge_top.Fx, hinge_top.Fy, hinge_top.Fz, " +
			"hinge_top.Mx, hinge_top.My, hinge_bottom.Fx, hinge_bottom.Fy, hinge_bottom.Fz, hinge_bottom.Mx, hinge_bottom.My",
		{"spherical", ""}: "hinge_top.Fz, hinge_bottom.Fz",
	} {
		text := fmt.Sprintf(doorOnHinges, joint[0], joint[1])
		for _, asks := range []bool{true, false} {
			if !asks {
				text = strings.Replace(text, "reactions = [\"hinge_*\", \"upper\"]\n", "", 1)
			}
			m, err := vehicle.Parse([]byte(text), "door.toml", nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := cosim.New(m, cosim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := instance(t, s, "rk4", 0.001)
			r.start(func(r *run, _ float64) {
				if joint[0] == "revolute" { // the torque determines the moment about the axis
					r.set("hinge_top.torque", 5)
				}
			})
			found := ""
			for _, w := range r.in.Report() {
				if w.Rule == "reactions" {
					found += w.Text
				}
			}
			if !asks {
				if found != "" {
					t.Errorf("nobody has asked for reactions: %s", found)
				}
				continue
			}
			for _, name := range strings.Split(open, ", ") {
				if !strings.Contains(found, name+",") && !strings.Contains(found, name+";") {
					t.Errorf("%s: %s is not among them: %s", joint[0], name, found)
				}
			}
			for _, axis := range []string{"hinge_top.Mz", "hinge_bottom.Mz"} {
				if strings.Contains(found, axis) {
					t.Errorf("%s: %s is determined: %s", joint[0], axis, found)
				}
			}
			if joint[0] == "spherical" && strings.Contains(found, "hinge_top.Fx") {
				t.Errorf("two balls: %s", found)
			}
			if !strings.Contains(found, "bushings") {
				t.Errorf("no remedy: %s", found)
			}
			if list := r.in.Warnings(); len(list) != 1 || !strings.HasPrefix(list[0], cosim.WarningPrefix) {
				t.Errorf("warnings %q", list) // the command shows only warnings with the prefix
			}
		}
	}
}
