package model

import (
	"slices"
	"strings"

	"skidpad/model/document"

	"gonum.org/v1/gonum/mat"
)

// validate checks what no single key can tell: names, frames, inertia, trees.
func (r *reader) validate() {
	r.checkFrames()
	for _, c := range r.model.Components {
		switch c := c.(type) {
		case *RigidBody:
			r.checkInertia(c)
		case *SpringDamper:
			if c.Joint != "" {
				r.checkJoint(c.Head(), "joint", c.Joint)
			}
		case *AntiRollBar:
			r.checkBar(c)
		case *WheelContact:
			r.checkContact(c)
		case *RollingWheel:
			if c.CrownRadius.Value >= c.Radius.Value {
				r.Place(c.CrownRadius.Pos, "%s.crown_radius is %s; it must be below the radius %s", c.Name,
					c.CrownRadius.Text, c.Radius.Text)
			}
			r.checkPlane(c.Head(), c.Road)
		case *RelaxedWheel:
			r.checkPlane(c.Head(), c.Road)
		case *Tire:
			r.checkWheel(c)
		}
	}
	r.checkDriveline()
	r.checkLinearNames()
	r.checkTrees()
	r.checkOutputs()
}

func (r *reader) checkOutputs() {
	linear := r.linearVariables()
	for i, name := range r.model.Outputs {
		at := r.Root.Field("outputs").Items[i]
		component, _, _ := strings.Cut(name, ".")
		switch {
		case r.scope.Find(component) == nil && !linear[name] && !slices.ContainsFunc(r.model.Quantities,
			func(q Quantity) bool { return q.Name == name }):
			r.At(at, "outputs names %q, but there is no component %q%s", name, component, r.nearestComponent(component))
		case slices.Contains(r.model.Outputs[:i], name):
			r.At(at, "outputs names %q twice; an output is published once", name)
		}
	}
}

// key returns where a component names something: the place of the first of the
// keys that holds that text, otherwise that of the component.
func (r *reader) key(h *Header, text string, keys ...string) Position {
	table := r.Root.Field("component").Field(h.Name)
	for _, k := range keys {
		if n := table.Field(k); n != nil && n.Kind == document.Text && n.Text == text {
			return r.Position(n)
		}
	}
	return h.Pos
}

// frameKeys are the keys that name frames.
var frameKeys = []string{"frame", "from", "to", "road", "resolve", "corner", "opposite", "contact", "rim", "housing"}

// checkFrames finds frames that nothing connects to the ground, frames that end
// in nothing, and components that join a frame with itself.
func (r *reader) checkFrames() {
	// group leads from each frame towards one that stands for all it is
	// connected to; find shortens the way
	group := map[string]string{}
	find := func(f string) string {
		for group[f] != "" && group[f] != f {
			if next := group[group[f]]; next != "" {
				group[f] = next
			}
			f = group[f]
		}
		return f
	}
	uses, carried := map[string]int{}, map[string]bool{GroundFrame: true}
	known, oriented := map[string]bool{GroundFrame: true}, map[string]bool{GroundFrame: true}
	for _, c := range r.model.Components {
		frames := c.Frames()
		for _, f := range frames.Uses {
			uses[f]++
		}
		tail, head := frames.Joins[0], frames.Joins[1]
		if tail == "" {
			continue
		}
		uses[tail]++
		uses[head]++
		known[tail], known[head] = true, true
		if !frames.Point {
			oriented[tail], oriented[head] = true, true
		}
		if tail == head {
			r.Place(c.Head().Pos, "component %s joins the frame %q with itself", c.Head().Name, tail)
		}
		group[find(tail)] = find(head)
		carried[head] = carried[head] || frames.Carries
	}
	reported := map[string]bool{}
	for _, c := range r.model.Components {
		h := c.Head()
		frames := c.Frames()
		for _, f := range frames.Uses {
			if !known[f] {
				r.Place(r.key(h, f, frameKeys...),
					"component %s uses the frame %q, which no body, joint, arm or road has; frames: %s", h.Name, f,
					strings.Join(r.frames(), ", "))
			}
		}
		for _, f := range frames.Axes {
			if known[f] && !oriented[f] {
				r.Place(r.key(h, f, frameKeys...),
					"component %s needs the axes of the frame %q, but a point mass has none; name the frame of a "+
						"body, joint, arm or road", h.Name, f)
			}
		}
		for _, f := range frames.Joins {
			switch {
			case f == "" || reported[f]:
			case find(f) != find(GroundFrame):
				reported[f] = true
				r.Place(r.key(h, f, frameKeys...),
					"frame %q of component %s is not connected to the ground by joints, arms or bodies", f, h.Name)
			case uses[f] == 1 && !carried[f]:
				reported[f] = true
				r.Place(r.key(h, f, frameKeys...),
					"frame %q of component %s leads to nothing: no body, joint or load uses it", f, h.Name)
			}
		}
		if used := frames.Uses; !frames.Alike && repeats(used) {
			r.Place(h.Pos, "component %s acts between a frame and itself: %s", h.Name, strings.Join(used, ", "))
		}
	}
}

func repeats(frames []string) bool {
	for i, f := range frames {
		if slices.Contains(frames[:i], f) {
			return true
		}
	}
	return false
}

func (r *reader) frames() []string {
	var list []string
	for _, c := range r.model.Components {
		joined := c.Frames().Joins
		list = append(list, joined[:]...)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(f string) bool { return f == "" })
}

// checkInertia: a body's principal moments are not negative and none exceeds
// the sum of the other two; a body without mass has none.
func (r *reader) checkInertia(c *RigidBody) {
	j := c.Inertia
	pos := c.Pos
	if n := r.Root.Field("component").Field(c.Name).Field("inertia"); n != nil {
		pos = r.Position(n)
	}
	p := principal(j.Matrix())
	slack := 1e-9 * p[2]
	switch {
	case p[0] < -slack:
		r.Place(pos, "%s.inertia is not physical: its principal moments are %.6g, %.6g, %.6g kg m2, "+
			"none may be negative", c.Name, p[0], p[1], p[2])
	case p[2] > p[0]+p[1]+slack:
		r.Place(pos, "%s.inertia is not physical: of its principal moments %.6g, %.6g, %.6g kg m2 the largest "+
			"exceeds the sum of the others", c.Name, p[0], p[1], p[2])
	case c.Mass.Value == 0 && p[2] > 0:
		r.Place(pos, "%s has inertia but no mass", c.Name)
	}
}

// principal returns the eigenvalues of a symmetric matrix, ascending; zeros where the matrix is not finite, which is
// reported elsewhere.
func principal(a [3][3]float64) [3]float64 {
	m := mat.NewSymDense(3, nil)
	for i := range a {
		for k := i; k < 3; k++ {
			m.SetSym(i, k, a[i][k])
		}
	}
	var p [3]float64
	var e mat.EigenSym
	if v := mat.Norm(m, 1); v-v == 0 && e.Factorize(m, false) {
		e.Values(p[:])
	}
	return p
}

// checkContact: a wheel contact changes the state of one point mass by that of another.
func (r *reader) checkContact(c *WheelContact) {
	for _, end := range []struct{ key, frame string }{{"contact", c.Contact}, {"rim", c.Rim}} {
		masses := 0
		for _, other := range r.model.Components {
			if m, ok := other.(*PointMass); ok && m.Frame == end.frame {
				masses++
			}
		}
		if masses != 1 {
			r.Place(r.key(c.Head(), end.frame,
				end.key), "wheel-contact %s needs a point mass as %s; the frame %q has %d", c.Name, end.key, end.frame,
				masses)
		}
	}
	switch r.scope.Find(c.Terrain).(type) {
	case *Terrain:
	case nil:
		r.Place(r.key(c.Head(), c.Terrain, "terrain"), "wheel-contact %s names the terrain %q, which does not exist%s",
			c.Name, c.Terrain, r.nearestComponent(c.Terrain))
	default:
		r.Place(r.key(c.Head(), c.Terrain,
			"terrain"), "wheel-contact %s names %q as its terrain, which is something else", c.Name, c.Terrain)
	}
	if m := c.InitialMode; m.Value != 0 && m.Value != 1 && m.Value != -1 {
		r.Place(m.Pos, "%s.initial_mode is %s; it must be 0, 1 or -1", c.Name, m.Text)
	}
}

// checkPlane: wheels that roll by constraint do so on a plane.
func (r *reader) checkPlane(h *Header, road string) {
	for _, c := range r.model.Components {
		if t, ok := c.(*Terrain); ok && t.Frame == road {
			r.Place(r.key(h, road, "road"),
				"component %s rolls on the plane of a road, and %q is a terrain; name a road, or give the wheel a tire",
				h.Name, road)
		}
	}
}

// checkWheel: the inertia must be one that a body can have.
func (r *reader) checkWheel(c *Tire) {
	if axial, transverse := c.Inertia.Axial, c.Inertia.Transverse; axial.Value > 2*transverse.Value {
		r.Place(axial.Pos, "%s.inertia: axial %s is above twice the transverse %s, which no body has", c.Name,
			axial.Text, transverse.Text)
	}
	onTerrain := slices.ContainsFunc(r.model.Components, func(other Component) bool {
		t,
			ok := other.(*Terrain)
		return ok && t.Frame == c.Road
	})
	if c.Enveloping != nil && !onTerrain {
		r.Place(c.Enveloping.Length.Pos, "%s.enveloping goes with a terrain only; %q is a plane", c.Name, c.Road)
	}
}

// checkJoint: a load acts on a joint with one coordinate. It reports whether there is such a joint.
func (r *reader) checkJoint(h *Header, key, joint string) bool {
	switch c := r.scope.Find(joint); c.(type) {
	case *Prismatic, *Revolute, *Suspension:
		return true
	case nil:
		r.Place(r.key(h, joint, key), "%s %s acts on the joint %q, which does not exist%s", h.Type, h.Name, joint,
			r.nearestComponent(joint))
	default:
		r.Place(r.key(h, joint, key),
			"%s %s acts on %q, a %s; it must be a prismatic or revolute joint or a suspension", h.Type, h.Name, joint,
			c.Head().Type)
	}
	return false
}

// checkBar: an anti-roll bar compares the coordinates of two joints.
func (r *reader) checkBar(c *AntiRollBar) {
	left, right := r.checkJoint(c.Head(), "left", c.Left), r.checkJoint(c.Head(), "right", c.Right)
	switch {
	case !left || !right:
	case c.Left == c.Right:
		r.Place(r.key(c.Head(), c.Right, "right"), "anti-roll-bar %s has the joint %q on both sides; name another one",
			c.Name, c.Right)
	case r.scope.Find(c.Left).Head().Type != r.scope.Find(c.Right).Head().Type:
		r.Place(r.key(c.Head(), c.Right,
			"right"), "anti-roll-bar %s compares %s, a %s, with %s, a %s; both must be of one type", c.Name, c.Left,
			r.scope.Find(c.Left).Head().Type, c.Right, r.scope.Find(c.Right).Head().Type)
	}
}
