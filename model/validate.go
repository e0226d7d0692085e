package model

import (
	"cmp"
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
				r.place(c.CrownRadius.Pos, "%s.crown_radius is %s; it must be below the radius %s", c.Name, c.CrownRadius.Text, c.Radius.Text)
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
		at := r.root.Field("outputs").Items[i]
		component, _, _ := strings.Cut(name, ".")
		switch {
		case r.component(component) == nil && !linear[name] && !slices.ContainsFunc(r.model.Quantities, func(q Quantity) bool { return q.Name == name }):
			r.At(at, "outputs names %q, but there is no component %q%s", name, component, r.nearestComponent(component))
		case slices.Contains(r.model.Outputs[:i], name):
			r.At(at, "outputs names %q twice; an output is published once", name)
		}
	}
}

func (r *reader) place(p Position, format string, args ...any) {
	r.At(&document.Node{File: cmp.Or(p.File, r.File), Line: max(p.Line, 1), Column: max(p.Column, 1)}, format, args...)
}

// key returns where a component names something: the place of the first of the
// keys that holds that text, otherwise that of the component.
func (r *reader) key(h *Header, text string, keys ...string) Position {
	table := r.root.Field("component").Field(h.Name)
	for _, k := range keys {
		if n := table.Field(k); n != nil && n.Kind == document.Text && n.Text == text {
			return r.position(n)
		}
	}
	return h.Pos
}

func (r *reader) component(name string) Component {
	for _, c := range r.model.Components {
		if c.Head().Name == name {
			return c
		}
	}
	return nil
}

// ends returns the frames that a component joins rigidly or by a joint (or
// gives to a body, with the ground as first), and those it merely uses.
func ends(c Component) (structural [2]string, used []string) {
	switch c := c.(type) {
	case *RigidBody:
		return [2]string{GroundFrame, c.Frame}, nil
	case *PointMass:
		return [2]string{GroundFrame, c.Frame}, nil
	case *Road:
		return [2]string{GroundFrame, c.Frame}, nil
	case *Terrain:
		return [2]string{GroundFrame, c.Frame}, nil
	case *Tire:
		return [2]string{GroundFrame, c.Frame}, []string{c.Road}
	case *RigidArm:
		return [2]string{c.From, c.To}, nil
	case *Revolute:
		return [2]string{c.From, c.To}, nil
	case *Prismatic:
		return [2]string{c.From, c.To}, nil
	case *Suspension:
		return [2]string{c.From, c.To}, nil
	case *Spherical:
		return [2]string{c.From, c.To}, nil
	case *MotionDriver:
		return [2]string{c.From, c.To}, nil
	case *TorqueDriver:
		used = []string{c.From, c.To}
	case *ForceDriver:
		used = []string{c.From, c.To}
	case *Rod:
		used = []string{c.From, c.To}
	case *RightAngle:
		used = []string{c.Corner, c.From, c.To}
	case *Parallelogram:
		used = c.Corners[:]
	case *RollingWheel:
		used = []string{c.Frame, c.Road}
	case *RelaxedWheel:
		used = []string{c.Frame, c.Road}
	case *SideForce:
		used = []string{c.Frame}
	case *Aerodynamics:
		used = []string{c.Frame}
	case *Differential:
		used = given(c.Housing)
	case *Engine:
		used = given(c.Frame)
	case *WheelContact:
		used = []string{c.Contact, c.Rim}
	case *Sensor:
		used = []string{c.From, c.To, c.Resolve}
	case *SpringDamper:
		if c.Joint == "" {
			used = []string{c.From, c.To}
		}
	}
	return structural, used
}

// directed returns the frames whose axes a component uses without giving them
// an orientation itself.
func directed(c Component) []string {
	switch c := c.(type) {
	case *Tire:
		return []string{c.Road}
	case *RollingWheel:
		return []string{c.Frame, c.Road}
	case *RelaxedWheel:
		return []string{c.Frame, c.Road}
	case *SideForce:
		return []string{c.Frame}
	case *Aerodynamics:
		return []string{c.Frame}
	case *Differential:
		return given(c.Housing)
	case *Engine:
		return given(c.Frame)
	case *TorqueDriver:
		return []string{c.From, c.To}
	case *ForceDriver:
		return []string{c.From}
	case *Sensor:
		return []string{c.Resolve}
	}
	return nil
}

// given is the list of a frame that may not be given.
func given(frame string) []string {
	if frame == "" {
		return nil
	}
	return []string{frame}
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
		s, used := ends(c)
		for _, f := range used {
			uses[f]++
		}
		if s[0] == "" {
			continue
		}
		uses[s[0]]++
		uses[s[1]]++
		known[s[0]], known[s[1]] = true, true
		if _, point := c.(*PointMass); !point {
			oriented[s[0]], oriented[s[1]] = true, true
		}
		if s[0] == s[1] {
			r.place(c.Head().Pos, "component %s joins the frame %q with itself", c.Head().Name, s[0])
		}
		group[find(s[0])] = find(s[1])
		switch c.(type) {
		case *RigidBody, *PointMass, *Road, *Tire, *Terrain:
			carried[s[1]] = true
		}
	}
	reported := map[string]bool{}
	for _, c := range r.model.Components {
		h := c.Head()
		s, used := ends(c)
		for _, f := range used {
			if !known[f] {
				r.place(r.key(h, f, frameKeys...), "component %s uses the frame %q, which no body, joint, arm or road has; frames: %s", h.Name, f, strings.Join(r.frames(), ", "))
			}
		}
		for _, f := range directed(c) {
			if known[f] && !oriented[f] {
				r.place(r.key(h, f, frameKeys...), "component %s needs the axes of the frame %q, but a point mass has none; name the frame of a body, joint, arm or road", h.Name, f)
			}
		}
		for _, f := range s {
			switch {
			case f == "" || reported[f]:
			case find(f) != find(GroundFrame):
				reported[f] = true
				r.place(r.key(h, f, frameKeys...), "frame %q of component %s is not connected to the ground by joints, arms or bodies", f, h.Name)
			case uses[f] == 1 && !carried[f]:
				reported[f] = true
				r.place(r.key(h, f, frameKeys...), "frame %q of component %s leads to nothing: no body, joint or load uses it", f, h.Name)
			}
		}
		if sameEnds(used, c) {
			r.place(h.Pos, "component %s acts between a frame and itself: %s", h.Name, strings.Join(used, ", "))
		}
	}
}

func sameEnds(used []string, c Component) bool {
	switch c.(type) {
	case *Sensor, *Tire:
		return false
	}
	for i, f := range used {
		if slices.Contains(used[:i], f) {
			return true
		}
	}
	return false
}

func (r *reader) frames() []string {
	var list []string
	for _, c := range r.model.Components {
		s, _ := ends(c)
		list = append(list, s[:]...)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(f string) bool { return f == "" })
}

// checkInertia: a body's principal moments are not negative and none exceeds
// the sum of the other two; a body without mass has none.
func (r *reader) checkInertia(c *RigidBody) {
	j := c.Inertia
	pos := c.Pos
	if n := r.root.Field("component").Field(c.Name).Field("inertia"); n != nil {
		pos = r.position(n)
	}
	p := principal(j.matrix())
	slack := 1e-9 * p[2]
	switch {
	case p[0] < -slack:
		r.place(pos, "%s.inertia is not physical: its principal moments are %.6g, %.6g, %.6g kg m2, none may be negative", c.Name, p[0], p[1], p[2])
	case p[2] > p[0]+p[1]+slack:
		r.place(pos, "%s.inertia is not physical: of its principal moments %.6g, %.6g, %.6g kg m2 the largest exceeds the sum of the others", c.Name, p[0], p[1], p[2])
	case c.Mass.Value == 0 && p[2] > 0:
		r.place(pos, "%s has inertia but no mass", c.Name)
	}
}

// matrix is that of the values.
func (j *Inertia) matrix() [3][3]float64 {
	if j.Axisymmetric {
		var m [3][3]float64
		for i := range m {
			m[i][i] = j.Transverse.Value
		}
		m[j.Axis][j.Axis] = j.Axial.Value
		return m
	}
	return [3][3]float64{
		{j.XX.Value, j.XY.Value, j.XZ.Value}, {j.XY.Value, j.YY.Value, j.YZ.Value}, {j.XZ.Value, j.YZ.Value, j.ZZ.Value},
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
			r.place(r.key(c.Head(), end.frame, end.key), "wheel-contact %s needs a point mass as %s; the frame %q has %d", c.Name, end.key, end.frame, masses)
		}
	}
	switch r.component(c.Terrain).(type) {
	case *Terrain:
	case nil:
		r.place(r.key(c.Head(), c.Terrain, "terrain"), "wheel-contact %s names the terrain %q, which does not exist%s", c.Name, c.Terrain, r.nearestComponent(c.Terrain))
	default:
		r.place(r.key(c.Head(), c.Terrain, "terrain"), "wheel-contact %s names %q as its terrain, which is something else", c.Name, c.Terrain)
	}
	if m := c.InitialMode; m.Value != 0 && m.Value != 1 && m.Value != -1 {
		r.place(m.Pos, "%s.initial_mode is %s; it must be 0, 1 or -1", c.Name, m.Text)
	}
}

// checkPlane: wheels that roll by constraint do so on a plane.
func (r *reader) checkPlane(h *Header, road string) {
	for _, c := range r.model.Components {
		if t, ok := c.(*Terrain); ok && t.Frame == road {
			r.place(r.key(h, road, "road"), "component %s rolls on the plane of a road, and %q is a terrain; name a road, or give the wheel a tire", h.Name, road)
		}
	}
}

// checkWheel: the inertia must be one that a body can have.
func (r *reader) checkWheel(c *Tire) {
	if axial, transverse := c.Inertia.Axial, c.Inertia.Transverse; axial.Value > 2*transverse.Value {
		r.place(axial.Pos, "%s.inertia: axial %s is above twice the transverse %s, which no body has", c.Name, axial.Text, transverse.Text)
	}
	onTerrain := slices.ContainsFunc(r.model.Components, func(other Component) bool { t, ok := other.(*Terrain); return ok && t.Frame == c.Road })
	if c.Enveloping != nil && !onTerrain {
		r.place(c.Enveloping.Length.Pos, "%s.enveloping goes with a terrain only; %q is a plane", c.Name, c.Road)
	}
}

// checkJoint: a load acts on a joint with one coordinate. It reports whether there is such a joint.
func (r *reader) checkJoint(h *Header, key, joint string) bool {
	switch c := r.component(joint); c.(type) {
	case *Prismatic, *Revolute, *Suspension:
		return true
	case nil:
		r.place(r.key(h, joint, key), "%s %s acts on the joint %q, which does not exist%s", h.Type, h.Name, joint, r.nearestComponent(joint))
	default:
		r.place(r.key(h, joint, key), "%s %s acts on %q, a %s; it must be a prismatic or revolute joint or a suspension", h.Type, h.Name, joint, c.Head().Type)
	}
	return false
}

// checkBar: an anti-roll bar compares the coordinates of two joints.
func (r *reader) checkBar(c *AntiRollBar) {
	left, right := r.checkJoint(c.Head(), "left", c.Left), r.checkJoint(c.Head(), "right", c.Right)
	switch {
	case !left || !right:
	case c.Left == c.Right:
		r.place(r.key(c.Head(), c.Right, "right"), "anti-roll-bar %s has the joint %q on both sides; name another one", c.Name, c.Right)
	case r.component(c.Left).Head().Type != r.component(c.Right).Head().Type:
		r.place(r.key(c.Head(), c.Right, "right"), "anti-roll-bar %s compares %s, a %s, with %s, a %s; both must be of one type", c.Name, c.Left, r.component(c.Left).Head().Type, c.Right, r.component(c.Right).Head().Type)
	}
}
