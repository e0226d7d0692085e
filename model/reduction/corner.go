package reduction

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/rig"
	"skidpad/model/subsystem"
)

// frame notes a name that a use gives.
func (b *reducer) frame(local, name string) {
	if !slices.Contains(b.Frames, local) {
		b.Frames = append(b.Frames, local)
	}
	b.Given[local] = name
}

// points is the list of a column: travel, second variable if there is one, value.
func points(t *rig.Tables, c *rig.Column) *document.Node {
	list := &document.Node{Kind: document.List}
	for i, z := range t.Travel {
		for j, s := range t.Steer {
			x := []*document.Node{numeral(z), numeral(s), numeral(trimmed(c.Values[i][j]))}
			if !t.Two() {
				x = slices.Delete(x, 1, 2)
			}
			list.Items = append(list.Items, &document.Node{Kind: document.List, Items: x})
		}
	}
	return list
}

// trimmed is a value of a table without digits far below the tolerance.
func trimmed(x float64) float64 { return math.Round(1e11*x)/1e11 + 0 }

// guide is the suspension by tables.
func (b *reducer) guide(rack string) *document.Node {
	t := table().put("type", text("suspension")).put("from", text("corner")).put("to", text(b.local(b.hub))).
		put("side", text("left"))
	if b.Tables.Steered() {
		t.put("steer", text(rack))
		b.frame(rack, rack)
	}
	for i := range b.Tables.Columns {
		if c := &b.Tables.Columns[i]; c.Of == rig.OfWheel {
			t.put(c.Key, points(b.Tables, c))
		}
	}
	return t.Node
}

// spring is a spring with its own laws and a length or an angle by tables.
func (b *reducer) spring(name string) *document.Node {
	t := table().put("type", text("spring-damper"))
	if joint := b.turning(name); joint != "" {
		b.rocker(joint)
		t.put("joint", text(b.local(joint)))
	} else {
		t.put("joint", text("susp")).put("length", points(b.Tables, b.Tables.Column(rig.Length, name)))
	}
	return lengthened(others(t, b.node(name), "type", "from", "to", "joint", "length"))
}

// lengthened adds a length to a spring on a travel, whose free length is below 0.
func lengthened(t *document.Node) *document.Node {
	free := t.Field("free_length")
	if free == nil || t.Field("length") == nil || !(free.Number < 0) {
		return t
	}
	more := -free.Number
	for _, key := range []string{"free_length", "length_min", "length_max"} {
		if n := t.Field(key); n != nil {
			t.Fields[key] = numeral(trimmed(n.Number + more))
		}
	}
	for _, point := range t.Field("length").Items {
		last := len(point.Items) - 1
		point.Items[last] = numeral(trimmed(point.Items[last].Number + more))
	}
	return t
}

// node is the table of a component with numbers in place of formulas.
func (b *reducer) node(name string) *document.Node {
	n := b.root.Field("component").Field(name)
	list := subsystem.TypeOf(n).Keys
	return b.numeric(b.reader.Fields(n.Without("type").Without("text"), name, list), n, list)
}

func (b *reducer) numeric(f *keys.Fields, n *document.Node, list []keys.Key) *document.Node {
	m := *n
	m.Fields = map[string]*document.Node{}
	for _, key := range n.Keys {
		value := n.Field(key)
		m.Fields[key] = value
		k := slices.IndexFunc(list, func(k keys.Key) bool { return k.Name == key })
		if k < 0 {
			continue
		}
		switch shape := list[k].Shape; {
		case shape == keys.ScalarShape && value.Kind == document.Text, shape == keys.AnyShape && value.Kind == document.Text:
			m.Fields[key] = numeral(f.Scalar(key).Value)
		case shape == keys.VectorShape && value.Kind == document.List:
			items := *value
			items.Items = nil
			for i, x := range f.Vector(key) {
				item := value.Items[i]
				if item.Kind == document.Text {
					item = numeral(x.Value)
				}
				items.Items = append(items.Items, item)
			}
			m.Fields[key] = &items
		case shape == keys.TableShape && value.Kind == document.Table:
			m.Fields[key] = b.numeric(f.Sub(key), value, list[k].Keys)
		}
	}
	return &m
}

// kept is a component of the wheel or the hub, with the names of the subsystem file.
func (b *reducer) kept(c component.Component) *document.Node {
	n := b.node(c.Head().Name)
	f := c.Frames()
	names := slices.Concat(f.Joins[:], f.Uses)
	for _, other := range b.m.Components {
		if b.own(other.Head().Name) {
			names = append(names, other.Head().Name)
		}
	}
	for _, key := range n.Keys {
		value := n.Field(key)
		if value.Kind != document.Text || !slices.Contains(names, value.Text) || value.Text == "ground" {
			continue
		}
		renamed := *value
		if b.own(value.Text) {
			renamed.Text = b.local(value.Text)
		} else {
			if value.Text == b.chassis {
				renamed.Text = "chassis"
			}
			b.frame(renamed.Text, value.Text)
		}
		n.Fields[key] = &renamed
	}
	return n
}

// upright makes the unsprung body from the bodies on the hub and parts of the links, and a body on the chassis from the
// rest of the links.
func (b *reducer) upright(parts *node, bodies []rig.Body) {
	var carrier, rest lump
	hub := b.Tables.Centre
	speed := b.centreSpeed()
	for i := range bodies {
		body := &bodies[i]
		c := b.scope.Find(body.Component)
		heavy, is := c.(component.Heavy)
		switch {
		case !is || !b.sides.frames[rig.Left][heavy.Lump().Frame] || b.keeps(c) || b.wheel[heavy.Lump().Frame]:
		case b.rigid[heavy.Lump().Frame]:
			carrier.add(body.Mass, body.Place, body.Inertia)
		default:
			share := min(body.Bounce()/speed, body.Mass)
			b.Links = append(b.Links, Link{body.Component, body.Mass, share})
			carrier.add(share, hub, [3][3]float64{})
			if body.Mass > share {
				inertia := body.Inertia
				for r := range inertia {
					for k := range inertia {
						inertia[r][k] *= 1 - share/body.Mass
					}
				}
				rest.add(body.Mass-share, body.Place, inertia)
			}
		}
	}
	put := func(name, from string, l *lump, at [3]float64, turn [3][3]float64) {
		if l.mass == 0 {
			return
		}
		place, inertia := l.centre(at, turn)
		if from != name {
			parts.put(name+"_place", table().put("type", text("rigid-arm")).put("from", text(from)).
				put("to", text(name)).put("translation", vector(place)).Node)
		}
		parts.put(name, table().put("type", text("rigid-body")).put("mass", numeral(l.mass)).
			put("inertia", inertiaTable(inertia)).Node)
	}
	b.carried = &carrier
	put(b.carrier(), b.local(b.hub), &carrier, hub, b.turned())
	put("links", "chassis", &rest, [3]float64{}, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
}

// carrier is the name of the unsprung body, that of a body on the hub: roles may name it.
func (b *reducer) carrier() string {
	for _, c := range component.All[component.Heavy](b.scope) {
		if l := c.Lump(); l.Rigid && b.own(c.Head().Name) && b.rigid[l.Frame] {
			return b.local(c.Head().Name)
		}
	}
	return "upright"
}

// steer is the second variable of the suspension: a rack, or the steering that shifts it.
func (b *reducer) steer(rack string) string {
	if s, led := component.SteeredBy(b.scope, rack); led {
		return s.Head().Name
	}
	return rack
}

// centreSpeed is the square of the motion of the wheel centre per travel, in the design position.
func (b *reducer) centreSpeed() float64 {
	t := b.Tables
	at := func(of []float64, x float64) int { return slices.Index(of, x) }
	i, j := at(t.Travel, 0), at(t.Steer, 0)
	sum := 1.0
	for k := range 2 {
		v := t.Columns[k].Values
		d := derivative(t.Travel[i-1:i+2], [3]float64{v[i-1][j], v[i][j], v[i+1][j]})
		sum += d * d
	}
	return sum
}

// derivative is the slope of the parabola through three points, at the middle one.
func derivative(x []float64, y [3]float64) float64 {
	a, c := x[1]-x[0], x[2]-x[1]
	return ((y[1]-y[0])/a*c + (y[2]-y[1])/c*a) / (a + c)
}

// guided is the frame on the suspension, where the hub yields against it.
const guided = "guided"

// turned are the axes of the hub in the design position as columns, in axes of the chassis: toe-in about -z, camber
// about the new -x.
func (b *reducer) turned() [3][3]float64 {
	st, ct := math.Sincos(-b.Tables.Angles[0])
	sc, cc := math.Sincos(-b.Tables.Angles[1])
	return [3][3]float64{{ct, -st * cc, st * sc}, {st, ct * cc, -ct * sc}, {0, sc, cc}}
}
