package bench

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// mechanics returns a copy of a model with the components that every multibody program has: rigid bodies, arms and
// joints. Tires become rigid bodies. If straight is set, suspensions lose their curves and become prismatic joints.
// Motion drivers remain and keep their start position; treeOf welds their frames at position 0.
func mechanics(m *vehicle.Model, straight bool) *vehicle.Model {
	kept := *m
	kept.Components, kept.Quantities, kept.Outputs, kept.Roles = nil, nil, nil, nil
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidBody, *component.RigidArm, *component.Prismatic, *component.Revolute,
			*component.MotionDriver:
			kept.Components = append(kept.Components, c)
		case *component.Tire:
			kept.Components = append(kept.Components, &component.RigidBody{Header: c.Header, Frame: c.Frame, Mass: c.Mass,
				Inertia: c.Inertia, Damping: keys.Zero(), Sequence: c.Sequence})
		case *component.Suspension:
			guide := *c
			if straight {
				guide.X, guide.Y, guide.Z, guide.Toe, guide.Camber, guide.Castor = nil, nil, nil, nil, nil, nil
				guide.Surfaces, guide.Second = [6]*curve.Surface{}, ""
			}
			kept.Components = append(kept.Components, &guide)
		}
	}
	return &kept
}

// placement is the position [m] and orientation of a frame in a reference frame.
type placement struct {
	at       r3.Vec
	rotation r3.Rotation
}

func noRotation() r3.Rotation { return r3.NewRotation(0, r3.Vec{}) }

// then returns the placement p q: q is a placement in the frame that p places, p q in the reference frame of p.
func (p placement) then(q placement) placement {
	return placement{r3.Add(p.at, p.rotation.Rotate(q.at)),
		r3.Rotation(quat.Mul(quat.Number(p.rotation), quat.Number(q.rotation)))}
}

// inverse returns the placement of the reference frame in the placed frame.
func (p placement) inverse() placement {
	back := r3.Rotation(quat.Conj(quat.Number(p.rotation)))
	return placement{back.Rotate(r3.Scale(-1, p.at)), back}
}

// link is a joint with the bodies that are rigidly connected to its head frame, the frame of the link.
type link struct {
	joint    string    // name of the joint's component
	parent   int       // index of the link that carries the joint, -1: the ground
	kind     string    // "free", "slide" or "hinge"
	axis     r3.Vec    // in the frame of the link
	pose     placement // in the frame of the parent, at joint position 0
	position string    // name of the position state; empty for a free link
	speed    string    // name of the speed state
	mass     float64   // kg; 0 if there is no body between this joint and the next one
	centre   r3.Vec    // of mass, m, in the frame of the link
	inertia  *r3.Mat   // about the centre of mass, kg m2, along the axes of the link
}

// tree is the mechanical tree of a model, the links in depth-first order.
type tree struct {
	gravity [3]float64 // m/s^2
	links   []link
	bodies  []component.Lump // that no link has yet
	joints  []component.Component
	arms    map[string][]arm             // by the frame from which they lead
	used    map[component.Component]bool // joints that have a link
}

// arm is a rigid connection to a frame, placed in the frame that is its key in tree.arms.
type arm struct {
	to   string
	pose placement
}

// treeOf returns the tree of a model that mechanics has returned. The first body is free in ground.
func treeOf(m *vehicle.Model) (*tree, error) {
	t := &tree{arms: map[string][]arm{}, used: map[component.Component]bool{}}
	root := ""
	t.gravity = values(m.Gravity)
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidBody:
			if root == "" {
				root = c.Frame
				if c.Sequence != "321" || c.Name != c.Frame {
					return nil, fmt.Errorf("%s has the frame %s and the sequence %s; the first body must have a frame "+
						"with its own name, and the sequence 321", c.Name, c.Frame, c.Sequence)
				}
			}
			t.bodies = append(t.bodies, c.Lump())
		case *component.RigidArm:
			t.connect(c.From, c.To, placement{vec(values(c.Translation)), sequenceRotation(c.Sequence, values(c.Angles))})
		case *component.MotionDriver:
			t.connect(c.From, c.To, placement{rotation: noRotation()})
		default:
			t.joints = append(t.joints, c)
		}
	}
	t.grow(link{joint: root, parent: -1, kind: "free", pose: placement{rotation: noRotation()}}, root)
	for _, c := range t.joints {
		if !t.used[c] {
			return nil, fmt.Errorf("joint %s does not lead away from %s, the first body; every joint must", c.Head().Name, root)
		}
	}
	if len(t.bodies) > 0 {
		return nil, fmt.Errorf("the body at frame %s is not connected by joints that lead away from %s, the first body",
			t.bodies[0].Frame, root)
	}
	return t, nil
}

func (t *tree) connect(from, to string, p placement) {
	t.arms[from] = append(t.arms[from], arm{to, p})
	t.arms[to] = append(t.arms[to], arm{from, p.inverse()})
}

// grow adds a link and all links that it carries. The bodies that are rigidly connected to the frame are the link.
func (t *tree) grow(l link, frame string) {
	l.inertia = r3.NewMat(nil)
	index := len(t.links)
	t.links = append(t.links, l)
	rigid, order := map[string]placement{frame: {rotation: noRotation()}}, []string{frame}
	for i := 0; i < len(order); i++ {
		for _, a := range t.arms[order[i]] {
			if _, known := rigid[a.to]; !known {
				rigid[a.to] = rigid[order[i]].then(a.pose)
				order = append(order, a.to)
			}
		}
	}
	t.bodies = slices.DeleteFunc(t.bodies, func(b component.Lump) bool {
		p, here := rigid[b.Frame]
		if here {
			t.links[index].add(b, p)
		}
		return here
	})
	for _, c := range t.joints {
		from, to, next := jointOf(c)
		if p, here := rigid[from]; here && !t.used[c] {
			t.used[c] = true
			next.parent, next.pose = index, p
			t.grow(next, to)
		}
	}
}

// jointOf returns the frames of a joint, and its link without placement and mass.
func jointOf(c component.Component) (from, to string, l link) {
	name := c.Head().Name
	switch c := c.(type) {
	case *component.Revolute:
		return c.From, c.To, link{joint: name, kind: "hinge", axis: vec(c.Axis), position: name + ".phi",
			speed: name + ".omega"}
	case *component.Prismatic:
		return c.From, c.To, link{joint: name, kind: "slide", axis: vec(c.Axis), position: name + ".s",
			speed: name + ".s_dot"}
	case *component.Suspension:
		return c.From, c.To, link{joint: name, kind: "slide", axis: r3.Vec{Z: 1}, position: name + ".travel",
			speed: name + ".travel_dot"}
	}
	panic("bench: " + name + " is not a joint")
}

// add adds a body, placed by p in the frame of the link, to the mass, centre and inertia of the link.
func (l *link) add(b component.Lump, p placement) {
	matrix := b.Inertia.Matrix()
	turn, own := p.rotation.Mat(), r3.NewMat(slices.Concat(matrix[0][:], matrix[1][:], matrix[2][:]))
	own.Mul(turn, own)
	own.Mul(own, turn.T())
	mass := l.mass + b.Mass.Value
	if mass == 0 {
		return
	}
	centre := r3.Scale(1/mass, r3.Add(r3.Scale(l.mass, l.centre), r3.Scale(b.Mass.Value, p.at)))
	l.inertia.Add(l.inertia, own)
	l.inertia.Add(l.inertia, steiner(l.mass, r3.Sub(l.centre, centre)))
	l.inertia.Add(l.inertia, steiner(b.Mass.Value, r3.Sub(p.at, centre)))
	l.mass, l.centre = mass, centre
}

// steiner returns the inertia about the origin of a point mass at a position (parallel-axis theorem).
func steiner(mass float64, at r3.Vec) *r3.Mat {
	cross, m := r3.NewMat(nil), r3.NewMat(nil)
	cross.Skew(at)
	m.Mul(cross, cross.T())
	m.Scale(mass, m)
	return m
}

func vec(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

func values(v keys.Vector) [3]float64 { return [3]float64{v[0].Value, v[1].Value, v[2].Value} }

// sequenceRotation returns a rotation by successive angles about the axes of a sequence such as "321".
func sequenceRotation(sequence string, angles [3]float64) r3.Rotation {
	turn := quat.Number(noRotation())
	for i, digit := range sequence {
		var axis [3]float64
		axis[digit-'1'] = 1
		turn = quat.Mul(turn, quat.Number(r3.NewRotation(angles[i], vec(axis))))
	}
	return r3.Rotation(turn)
}

// text writes the gravity, then a line for each link: parent, kind, axis, position and quaternion (w, x, y, z) in the
// parent, mass, centre of mass, inertia (xx, yy, zz, xy, xz, yz).
func (t *tree) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %v %v\n", t.gravity[0], t.gravity[1], t.gravity[2])
	for i := range t.links {
		l := &t.links[i]
		fmt.Fprintf(&b, "%d %s %s %s %s %v %s %s\n", l.parent, l.kind, words(l.axis), words(l.pose.at),
			quaternion(l.pose.rotation), l.mass, words(l.centre), six(l.inertia))
	}
	return b.String()
}

// mjcf writes the tree in the format of MuJoCo. Links without mass form one body with the next link that has mass.
func (t *tree) mjcf() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "<mujoco><compiler angle=\"radian\" autolimits=\"false\" balanceinertia=\"false\"/>\n"+
		"<option gravity=\"%v %v %v\"/><worldbody>\n", t.gravity[0], t.gravity[1], t.gravity[2])
	if err := t.body(&b, 0); err != nil {
		return "", err
	}
	b.WriteString("</worldbody></mujoco>\n")
	return b.String(), nil
}

// body writes the body of the link first, and its child bodies. Links without mass are further joints of a body.
func (t *tree) body(b *strings.Builder, first int) error {
	chain := []int{first}
	children := t.children(first)
	for t.links[chain[len(chain)-1]].mass == 0 {
		if len(children) != 1 {
			return fmt.Errorf("the part after joint %s has no mass and carries %d joints; MuJoCo needs a mass, or one joint",
				t.links[chain[len(chain)-1]].joint, len(children))
		}
		chain = append(chain, children[0])
		children = t.children(children[0])
	}
	pose := placement{rotation: noRotation()}
	for _, i := range chain {
		pose = pose.then(t.links[i].pose)
	}
	fmt.Fprintf(b, "<body pos=%q quat=%q>\n", words(pose.at), quaternion(pose.rotation))
	back := pose.inverse()
	at := placement{rotation: noRotation()}
	for _, i := range chain {
		l := &t.links[i]
		at = at.then(l.pose)
		if l.kind == "free" {
			b.WriteString("<freejoint/>\n")
			continue
		}
		here := back.then(at)
		fmt.Fprintf(b, "<joint type=%q axis=%q pos=%q/>\n", l.kind, words(here.rotation.Rotate(l.axis)), words(here.at))
	}
	l := &t.links[chain[len(chain)-1]]
	fmt.Fprintf(b, "<inertial mass=\"%v\" pos=%q fullinertia=%q/>\n", l.mass, words(l.centre), six(l.inertia))
	for _, child := range children {
		if err := t.body(b, child); err != nil {
			return err
		}
	}
	b.WriteString("</body>\n")
	return nil
}

func (t *tree) children(of int) (list []int) {
	for i := range t.links {
		if t.links[i].parent == of {
			list = append(list, i)
		}
	}
	return list
}

func words(v r3.Vec) string { return fmt.Sprintf("%v %v %v", v.X, v.Y, v.Z) }

func quaternion(r r3.Rotation) string {
	return fmt.Sprintf("%v %v %v %v", r.Real, r.Imag, r.Jmag, r.Kmag)
}

func six(m *r3.Mat) string {
	return fmt.Sprintf("%v %v %v %v %v %v", m.At(0, 0), m.At(1, 1), m.At(2, 2), m.At(0, 1), m.At(0, 2), m.At(1, 2))
}
