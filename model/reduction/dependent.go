package reduction

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/rig"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
)

// Dependent are the tables of an axle whose wheels move each other. Its file has the parts of both wheels, and Ends are
// the files of the left and the right wheel that it uses.
type Dependent struct {
	Ends  [2]*document.Node
	Files [2]string // names of these files, beside the file of the axle, when it is written
}

// Names of the sides at the end of names.
var sideNames = [2]string{"L", "R"}

// dependent puts tables over the travels of both wheels in the place of joints and rods. Everything else stays where it
// is, because both carriers move as they did: bodies, springs between points, and beams between the carriers.
func (b *reducer) dependent(o rig.Options, tolerance float64) error {
	b.Dependent, b.Between = &Dependent{}, table().Node
	gone, err := b.loose()
	if err != nil {
		return err
	}
	r, err := rig.New(b.m, o)
	if err != nil {
		return err
	}
	b.Tables, err = r.Tabulate(rig.Tabulated{Tolerance: tolerance, Other: true, Both: true})
	if err != nil {
		return err
	}
	b.Notes = append(b.Notes, b.Tables.Notes...)
	shared, err := b.shared()
	if err != nil {
		return err
	}
	parts := table()
	all := b.root.Field("component")
	for _, name := range all.Keys {
		switch {
		case gone[name]:
		case !b.family(name):
			parts.put(name, all.Field(name))
		default:
			n := b.node(name)
			if component := b.scope.Find(name); component.Head().Type == "rigid-body" && b.carries(name) {
				n = n.Without("design").Without("design_in").Without("start")
			}
			if shared != "" && b.opposite(name) {
				n = b.renamed(n, func(of string) string {
					if of == shared {
						return shared + sideNames[rig.Right]
					}
					return of
				}, func(node string) string { return node })
			}
			parts.put(name, n)
		}
	}
	for side := range 2 {
		b.guided(parts, side)
	}
	withoutIdle(parts, table().put("of", words(b.chassis)).Node)
	b.flat = b.other(parts.Node).Node
	if b.Model, err = vehicle.ReadRoot(b.flat, b.File); err != nil {
		return fmt.Errorf("the vehicle with the tables cannot be read: %w", err)
	}
	b.files(parts.Node)
	return b.reader.Err()
}

// carries reports whether a body moves with a wheel's hub.
func (b *reducer) carries(body string) bool {
	heavy, is := b.scope.Find(body).(component.Heavy)
	return is && (b.fixed(b.sides.hubs[rig.Left])[heavy.Lump().Frame] ||
		b.fixed(b.sides.hubs[rig.Right])[heavy.Lump().Frame])
}

// loose finds the joints and rods that the tables replace.
func (b *reducer) loose() (gone map[string]bool, err error) {
	gone = map[string]bool{}
	chassis := b.fixed(b.chassis)
	carriers := b.fixed(b.sides.hubs[rig.Left])
	maps.Copy(carriers, b.fixed(b.sides.hubs[rig.Right]))
	for _, c := range b.m.Components {
		h, f := c.Head(), c.Frames()
		ends := f.Joins
		if ends[0] == "" && len(f.Uses) == len(ends) { // a rod
			ends = [2]string(f.Uses)
		}
		first, second := carriers[ends[0]], carriers[ends[1]]
		switch {
		case !slices.Contains(replaced, h.Type) || h.Type == "rigid-arm" || h.Type == "weld" || !first && !second,
			b.sides.stay[ends[0]] && b.sides.stay[ends[1]]: // the joint of a wheel
		case h.Type == "bushing" && first && second:
			b.Notes = append(b.Notes, fmt.Sprintf("%s between the carriers acts as it did; without the joints, a load on "+
				"the wheels no longer bends it", h.Name))
		case h.Type == "bushing":
			return nil, fmt.Errorf("the wheels move each other, and %s yields; tables of such an axle need ideal joints: "+
				"choose them for the tables (joints = \"ideal\" in shipped files), or keep the points of this axle", h.Name)
		case (first || chassis[ends[0]]) && (second || chassis[ends[1]]):
			gone[h.Name] = true
		default:
			return nil, fmt.Errorf("the wheels move each other, and %s joins their carriers to a part that is neither a "+
				"carrier nor the chassis, such as a lever or a knuckle; keep the points of this axle, and reduce the others",
				h.Name)
		}
	}
	return gone, nil
}

// shared finds the frame of a rigid axle, which carries the right wheel by arms; "" for wheels with carriers of their
// own.
func (b *reducer) shared() (frame string, err error) {
	left, right := b.fixed(b.sides.hubs[rig.Left]), b.sides.hubs[rig.Right]
	if !left[right] {
		return "", nil
	}
	for _, c := range b.m.Components {
		f := c.Frames()
		for _, of := range slices.Concat(f.Joins[:], f.Uses) {
			switch {
			case !b.opposite(c.Head().Name) || !left[of] || b.opposite(of):
			case frame == "":
				frame = of
			case frame != of:
				return "", fmt.Errorf("parts of the right wheel are on %s and on %s of the axle; tables of an axle need one frame "+
					"of it, so build its parts from the frame %s", frame, of, frame)
			}
		}
	}
	if frame == "" || b.rightOf(right) == "" {
		return "", fmt.Errorf("the right wheel is on no arm with a name that ends in %s", b.suffixOf(rig.Right))
	}
	return frame, nil
}

// rightOf is the arm to a frame of the right wheel, "" for none.
func (b *reducer) rightOf(frame string) string {
	for _, c := range b.m.Components {
		if c.Head().Type == "rigid-arm" && c.Frames().Joins[1] == frame && b.opposite(c.Head().Name) {
			return c.Head().Name
		}
	}
	return ""
}

// suffixOf is the end of the names of a side.
func (b *reducer) suffixOf(side int) string { return b.suffix[:len(b.suffix)-1] + sideNames[side] }

// middle is the end of the names of the parts of both wheels.
func (b *reducer) middle() string { return b.suffix[:len(b.suffix)-1] }

// family reports whether a component or frame belongs to the use of the axle.
func (b *reducer) family(name string) bool {
	return b.own(name) || b.opposite(name) || strings.HasSuffix(name, b.middle())
}

// guided adds the suspension of a wheel.
func (b *reducer) guided(parts *node, side int) {
	end, other, t := b.suffixOf(side), b.suffixOf(1-side), b.Tables
	of, centre, word := rig.OfWheel, t.Centre, "left"
	if side == rig.Right {
		of, centre, word = rig.OfRight, t.Right, "right"
		centre[1] *= -1
	}
	corner := "corner" + end
	parts.put(corner, table().put("type", text("rigid-arm")).
		put("text", text("from the chassis to the wheel centre in the design position")).put("from", text(b.chassis)).
		put("to", text(corner)).put("translation", vector(centre)).Node)
	susp := table().put("type", text("suspension")).put("from", text(corner)).put("to", text(b.sides.hubs[side])).
		put("side", text(word)).put("other", text("susp"+other))
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Of == of {
			list := points(t, c)
			if side == rig.Right { // over its own travel first
				for _, p := range list.Items {
					p.Items[0], p.Items[1] = p.Items[1], p.Items[0]
				}
			}
			susp.put(c.Key, list)
		}
	}
	parts.put("susp"+end, susp.Node)
}

// renamed is a component with other names of components and frames, and other names of nodes of networks.
func (b *reducer) renamed(n *document.Node, name, ofNode func(string) string) *document.Node {
	var change func(n *document.Node, list []keys.Key) *document.Node
	one := func(n *document.Node, name func(string) string) *document.Node {
		m := *n
		if n.Kind == document.Text {
			m.Text = name(n.Text)
		}
		return &m
	}
	change = func(n *document.Node, list []keys.Key) *document.Node {
		m := *n
		m.Fields = map[string]*document.Node{}
		for _, key := range n.Keys {
			value := n.Field(key)
			m.Fields[key] = value
			k := slices.IndexFunc(list, func(k keys.Key) bool { return k.Name == key })
			if k < 0 {
				continue
			}
			shape, by := list[k].Shape, name
			node := shape == keys.NodeShape || shape == keys.NodesShape
			if node {
				by = ofNode
			}
			switch {
			case shape == keys.TableShape && value.Kind == document.Table:
				m.Fields[key] = change(value, list[k].Keys)
			case !node && shape != keys.FrameShape && shape != keys.FramesShape && list[k].Names != keys.Components:
			case value.Kind == document.List:
				all := *value
				all.Items = nil
				for _, item := range value.Items {
					all.Items = append(all.Items, one(item, by))
				}
				m.Fields[key] = &all
			default:
				m.Fields[key] = one(value, by)
			}
		}
		return &m
	}
	return change(n, subsystem.TypeOf(n).Keys)
}

// files are the subsystem file of the axle and the files of its wheels. The use of a file gives the names that the file
// does not have.
func (b *reducer) files(parts *document.Node) {
	var ends [2]*node
	var wants, wantsNodes [2][]string
	axle := table()
	b.frame("chassis", b.chassis)
	inAxle := func(name string) (local string, is bool) { // the file of the axle has it
		for side, end := range sideNames {
			if of, is := strings.CutSuffix(name, b.suffixOf(side)); is {
				return of + "_" + end, true
			}
		}
		of, is := strings.CutSuffix(name, b.middle())
		return of, is || name == "ground"
	}
	local := func(name string) string { // in the file of the axle
		of, is := inAxle(name)
		switch {
		case is:
			return of
		case name == b.chassis:
			of = "chassis"
		}
		b.frame(of, name)
		return of
	}
	localNode := func(name string) string {
		of, is := inAxle(name)
		if is {
			return of
		}
		for slices.ContainsFunc([]string{b.suffixOf(rig.Left), b.suffixOf(rig.Right), b.middle()},
			func(end string) bool { return occurs(parts, of+end) }) {
			of += "_given" // a node of the axle has the name
		}
		if !slices.Contains(b.Nodes, of) {
			b.Nodes = append(b.Nodes, of)
		}
		b.GivenNodes[of] = name
		return of
	}
	want := func(list *[]string, name string) string {
		if name != "ground" && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
		return name
	}
	for side := range 2 {
		ends[side] = table()
	}
	for _, name := range parts.Keys {
		n := parts.Field(name)
		switch side := slices.IndexFunc([]int{rig.Left, rig.Right}, func(side int) bool {
			return strings.HasSuffix(name, b.suffixOf(side))
		}); {
		case side >= 0:
			ends[side].put(strings.TrimSuffix(name, b.suffixOf(side)), b.renamed(n, func(of string) string {
				if base, is := strings.CutSuffix(of, b.suffixOf(side)); is {
					return base
				}
				return want(&wants[side], local(of))
			}, func(of string) string {
				if base, is := strings.CutSuffix(of, b.suffixOf(side)); is {
					return base
				}
				return want(&wantsNodes[side], localNode(of))
			}))
		case strings.HasSuffix(name, b.middle()):
			axle.put(strings.TrimSuffix(name, b.middle()), b.renamed(n, local, localNode))
		}
	}
	root := table()
	root.put("kind", text("subsystem")).put("title", text("Axle by tables of "+b.m.Name+", "+b.Use))
	root.put("frames", words(b.Frames...))
	if len(b.Nodes) > 0 {
		root.put("nodes", words(b.Nodes...))
	}
	uses := table()
	for side, end := range sideNames {
		file, use := table(), table()
		file.put("kind", text("subsystem")).put("title", text("Wheel "+end+" of an axle by tables of "+b.m.Name))
		given := func(key string, names []string) {
			all := table()
			for _, name := range names {
				all.put(name, text(name))
			}
			file.put(key, words(names...))
			use.put(key, all.Node)
		}
		given("frames", wants[side])
		if len(wantsNodes[side]) > 0 {
			given("nodes", wantsNodes[side])
		}
		uses.put(end, use.Node)
		b.Dependent.Ends[side] = file.put("component", ends[side].Node).Node
	}
	root.put("component", axle.Node).put("use", uses.Node)
	b.Corner = root.Node
}
