package identify

import (
	"fmt"
	"math"
	"slices"
)

// either is the first of tests that was measured; nil for none.
func (c *Corner) either(names ...string) *test {
	for _, name := range names {
		if of := c.tests[name]; of != nil {
			return of
		}
	}
	return nil
}

func (c *Corner) lateral() *test  { return c.either("lateral_parallel", "lateral_opposed") }
func (c *Corner) aligning() *test { return c.either("aligning_parallel", "aligning_opposed") }

// joints finds the joints that yield, by closed forms.
//
// The toe joint turns by p about an axis a through P: the vertical component of a is 1, toe-in is -p, camber -p a_x.
// With the moment w = P x a of the axis about the wheel centre, a load of force F at Q and moment M turns the axis by
// T = a.M + F.(a x Q + w), and the wheel centre moves by p w. The slopes of toe by a moment about z, by F_x at the
// centre and the contact and by F_y at the contact give c = p/T, w_x, a_y and w_y in turn. In the plane z = 0 this is
// an axis c_F/c_M ahead of the contact, c_F being the toe-in by a force outward and c_M the toe-out by a moment
// outward.
//
// The camber joint turns about x, above the wheel centre by -y/camber of what is left by a lateral force.
func (c *Corner) joints() {
	e := c.contact
	align, side := c.aligning(), c.lateral()
	yield := -align.by("toe")
	c.axis = [3]float64{0, 0, 1}
	switch {
	case align == nil:
		c.note("no test aligning_parallel or aligning_opposed, and so no compliance of toe")
	case c.fast(yield, c.inertia()[2]):
		c.note("toe by a moment about z is %.3g deg/(100 N.m): too stiff for a joint, which is left out", -yield*100/degree)
	default:
		brake, drive := c.tests["braking"], c.tests["driving"]
		if drive != nil && brake != nil {
			c.moment[0] = -drive.by("toe") / yield
			c.axis[1] = (-brake.by("toe")/yield + e[1] - c.moment[0]) / e[2]
		} else {
			c.note("no tests braking and driving: the axis of the toe compliance leans neither inward nor outward, and is at " +
				"the wheel centre in y")
		}
		c.axis[0] = -align.by("camber") / yield
		c.moment[1] = c.axis[0] * e[2]
		if side != nil {
			c.moment[1] += -side.by("toe")/yield - e[0]
		}
		c.toeLaw = law{over: make([]float64, len(align.at)), value: make([]float64, len(align.at))}
	}
	c.meet()
	if side == nil {
		c.note("no test lateral_parallel or lateral_opposed, and so no compliance of camber")
		return
	}
	camber := side.by("camber") - side.by("toe")*c.axis[0]*c.yields()
	height := -(side.by("y") + side.by("toe")*c.moment[1]*c.yields()) / camber
	if side.of["y"] == nil || !(math.Abs(height) < 0.8*c.Radius) {
		height = 0
	}
	if arm := height - e[2]; c.fast(-camber/arm, c.inertia()[0]) {
		c.note("camber by a lateral force is %.3g deg/kN: too stiff for a joint, which is left out", camber*1e3/degree)
	} else {
		c.height = height
		c.camberLaw = law{over: make([]float64, len(side.at)), value: make([]float64, len(side.at))}
	}
	drive := c.tests["driving"]
	recession := drive.by("x") + drive.by("toe")*c.moment[0]*c.yields()
	if drive != nil && !c.fast(recession, c.Unsprung) {
		c.recession = recession
	}
}

// yields is 1 with a toe joint, else 0.
func (c *Corner) yields() float64 {
	if c.toeLaw.over == nil {
		return 0
	}
	return 1
}

// meet gives the moment of the axis its last component: a.w is 0.
func (c *Corner) meet() { c.moment[2] = -c.axis[0]*c.moment[0] - c.axis[1]*c.moment[1] }

// point is the point of the axis next to the wheel centre: a x w/a.a.
func (c *Corner) point() (p [3]float64) {
	a, w := c.axis, c.moment
	size := a[0]*a[0] + a[1]*a[1] + a[2]*a[2]
	for i := range p {
		j, k := (i+1)%3, (i+2)%3
		p[i] = (a[j]*w[k] - a[k]*w[j]) / size
	}
	return p
}

// Moments of inertia of the shipped corner about the wheel centre, of its upright and its tire [kg m2].
const inertiaX, inertiaZ = 0.4 + 0.5, 0.4 + 0.5

// inertia are the moments of inertia of the unsprung parts about the axes of the camber and the toe joint.
func (c *Corner) inertia() [3]float64 {
	p := c.point()
	return [3]float64{inertiaX + c.Unsprung*c.height*c.height, 0, inertiaZ + c.Unsprung*(p[0]*p[0]+p[1]*p[1])}
}

// fast reports whether a compliance makes a motion that needs shorter steps than 1 ms, or is none.
func (c *Corner) fast(compliance, inertia float64) bool {
	limit := 2 * math.Pi * fastest
	return !(compliance*inertia*limit*limit > 1)
}

// laws finds the laws of the joints from the rows of the tests. The moments of the pads belong to them, so that the
// joints have angle 0 in the design position.
func (c *Corner) laws() error {
	a, w, e := c.axis, c.moment, c.contact
	weight := c.Unsprung * gravity
	if c.toeLaw.over != nil {
		t := c.aligning()
		toe, pads := t.changes(t.of["toe"]), t.pads(c)
		for i, m := range t.at {
			c.toeLaw.over[i] = -toe[i]
			c.toeLaw.value[i] = m + (a[0]*e[1]-a[1]*e[0]+w[2])*pads[i] - w[2]*weight
		}
		if err := c.toeLaw.rises(t, "toe"); err != nil {
			return err
		}
	}
	if c.camberLaw.over != nil {
		t := c.lateral()
		toe, camber, pads := t.changes(t.of["toe"]), t.changes(t.of["camber"]), t.pads(c)
		for i, f := range t.at {
			c.camberLaw.over[i] = toe[i]*a[0]*c.yields() - camber[i]
			c.camberLaw.value[i] = (c.height-e[2])*f + e[1]*pads[i]
		}
		return c.camberLaw.rises(t, "camber")
	}
	return nil
}

// pads are the forces of the pad in the rows, of the design position where they were not measured.
func (c *test) pads(of *Corner) []float64 {
	if pads := c.of["Fz"]; pads != nil {
		return pads
	}
	design := of.tests["bounce"].middle(of.tests["bounce"].of["Fz"])
	return slices.Repeat([]float64{design}, len(c.at))
}

// rises checks that the moment of a joint rises with its angle.
func (l *law) rises(of *test, key string) error {
	for i := 1; i < len(l.over); i++ {
		if l.over[i] <= l.over[i-1] || l.value[i] <= l.value[i-1] {
			return fmt.Errorf("%s: %s does not fall steadily with the load, from %.6g to %.6g %s; smooth the rows, thin them, "+
				"or "+
				"turn a sign round by [names] of --names", of.name, key, of.at[i-1], of.at[i], of.unit)
		}
	}
	return nil
}

// stiffness is the slope of a law about 0.
func (l *law) stiffness() float64 {
	i := min(max(1, slices.IndexFunc(l.over, func(x float64) bool { return x >= 0 })), len(l.over)-1)
	return (l.value[i] - l.value[i-1]) / (l.over[i] - l.over[i-1])
}
