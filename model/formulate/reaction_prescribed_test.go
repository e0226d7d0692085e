package formulate_test

import (
	"fmt"
	"math"
	"testing"
)

// heldTwice is a slender rod whose angle is prescribed, while a stay from a peg holds its middle: no speed is left for
// the constraint.
const heldTwice = `name = "Held"
reactions = ["* in ground"]
reaction_length = %v
[component.drive]
type = "motion-driver"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0, transverse = 0.375, axis = "z" }
[component.up]
type = "rigid-arm"
from = "ground"
to = "peg"
translation = [0.8, 0, 0.1]
[component.stay]
type = "rod"
from = "peg"
to = "rod"
length = "%.17g"
[[tree]]
name = "all"
formulation = "udwadia-kalaba"
`

// Where a motion is prescribed in full, all constraints follow from it. Driver and stay share the weight by least norm.
// The minimum of |R - T e|^2 + ((M - T c)/L)^2 + T^2 gives the force T of the stay along e. R and M are the force and
// the moment of the driver alone, c the moment of e about the pivot.
func TestAStayBesideADriverSharesItsLoad(t *testing.T) {
	const angle, weight = 0.4, 2 * 9.81
	x, z := -0.75*math.Sin(angle), -0.75*math.Cos(angle)
	distance := math.Hypot(x-0.8, z-0.1)
	ex, ez := (x-0.8)/distance, (z-0.1)/distance // from the peg to the rod
	c := z*ex - x*ez                             // about y
	alone := -x * weight                         // about y, against that of the weight
	for _, length := range []float64{1, 0.3} {
		s := newStill(t, fmt.Sprintf(heldTwice, length, distance), "")
		if len(s.p.States) != 0 || s.p.Constraints != 1 {
			t.Fatalf("%d states, %d constraints", len(s.p.States), s.p.Constraints)
		}
		s.at(map[string]float64{"drive.angle": angle})
		share := (weight*ez + alone*c/(length*length)) / (2 + c*c/(length*length))
		s.near("tension", s.value("stay.force"), -share, weight, 1e-7)
		s.near("stay.Fx", s.value("stay.Fx"), share*ex, weight, 1e-7)
		s.near("stay.Fz", s.value("stay.Fz"), share*ez, weight, 1e-7)
		s.near("drive.My", s.value("drive.My"), alone-share*c, weight, 1e-7)
		s.near("drive.torque", s.value("drive.torque"), s.value("drive.My"), weight, 1e-13)
		s.near("sum along x", s.value("drive.Fx")+s.value("stay.Fx"), 0, weight, 1e-13)
		s.near("sum along z", s.value("drive.Fz")+s.value("stay.Fz"), weight, weight, 1e-13)
	}
}
