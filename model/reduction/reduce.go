// Package reduction replaces the corners of an axle by tables: kinematics over travel and rack, springs over lengths,
// masses, and compliance over the travel. The rig solves the positions of the tables.
package reduction

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/rig"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Axle is an axle of independent corners with its kinematics as tables.
type Axle struct {
	Tables *rig.Tables
	Use    string         // such as F of the wheels tire_FL and tire_FR
	Corner *document.Node // subsystem file of the left corner
	Frames []string       // that a use gives, with the names in the vehicle
	Given  map[string]string
	// Nodes of networks are those that a use gives, with the names in the vehicle.
	Nodes      []string
	GivenNodes map[string]string
	// Between are components of the vehicle between both wheels, and Spans are the lengths of springs among them, over the
	// travels of the left and the right wheel; nil for none.
	Between *document.Node
	Spans   *rig.Tables
	Links   []Link
	Yields  []Yielding // effects of loads; none for ideal joints
	Modes   []Mode     // motions of the hub by compliance
	// Straight are the springs between chassis and hub that stay between points, because they act on a yielding hub.
	Straight []string
	Dropped  []string // components on the corner that the file does not have
	// Dependent are the files of an axle whose wheels move each other; nil for independent wheels.
	Dependent *Dependent
	Notes     []string       // about the vehicle with the tables
	Full      []rig.Figure   // of the axle
	Reduced   []rig.Figure   // with the tables; nil where the vehicle with the tables cannot be read
	Model     *vehicle.Model // the vehicle with the tables, nil likewise

	suffix  string
	onAngle map[string]string // revolute joints on whose angles springs act
	File    string            // of the model
}

// Link is a body between chassis and carrier. Its mass is divided so that the travel of the wheel moves the same mass.
type Link struct {
	Component string
	Mass      float64 // kg
	OnCarrier float64 // part of it
}

// reducer writes the corner of a vehicle.
type reducer struct {
	*Axle
	m       *vehicle.Model
	scope   *component.Scope
	root    *document.Node
	reader  *keys.Reader
	tire    string
	joint   string // of the wheel's rotation
	hub     string // its tail
	chassis string
	parts   *node           // components of the file
	carried *lump           // on the hub, without the wheel
	yields  []rig.Yield     // over the travel, and over the rack where it matters
	ahead   []rig.Yield     // those with the rack at 0
	design  rig.Yield       // in the design position
	onHub   map[string]line // springs between chassis and hub, which act on it
	sides   sides
	wheel   map[string]bool // frames that turn with the wheel
	rigid   map[string]bool // frames fixed to the hub
	flat    *document.Node  // the vehicle with tables
}

// Reduce makes tables of the kinematics of an axle, and a subsystem file of its corner with them. It compares the
// figures of the axle with and without tables. The path leads to the file of the model.
func Reduce(path string, m *vehicle.Model, of *roles.Roles, o rig.Options, tolerance float64) (*Axle, error) {
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		return nil, err
	}
	o.Roles, o.Bodies = of, true
	full, err := rig.New(m, o)
	if err != nil {
		return nil, err
	}
	b, err := reduce(path, d.Root, m, o, tolerance)
	if err != nil {
		return nil, err
	}
	return b.Axle, b.compare(full, o)
}

// reduce makes the tables of an axle, and the vehicle with them. root has the components of the model.
func reduce(path string, root *document.Node, m *vehicle.Model, o rig.Options, tolerance float64) (*reducer, error) {
	tires, rack, err := rig.Axle(m, o)
	if err != nil {
		return nil, err
	}
	b := &reducer{Axle: &Axle{Given: map[string]string{}, GivenNodes: map[string]string{}, onAngle: map[string]string{},
		File: path}, m: m,
		scope: m.Scope(), root: root.Without("base"), tire: tires[rig.Left], chassis: o.Roles.Chassis}
	if err := b.named(tires); err != nil {
		return nil, err
	}
	if err := b.locate(); err != nil {
		return nil, err
	}
	b.reader = keys.NewReader(path, b.root, nil)
	for _, p := range m.Parameters {
		b.reader.Parameters[p.Name] = p.Value.Value
	}
	if err := b.part(tires, rack); err != nil {
		return nil, err
	}
	if b.sides.frames[rig.Left][b.sides.hubs[rig.Right]] {
		return b, b.dependent(o, tolerance)
	}
	links, err := b.links(o)
	if err != nil {
		return nil, err
	}
	if err := b.tabulate(links, tolerance); err != nil {
		return nil, err
	}
	bodies, err := links.Bodies()
	if err != nil {
		return nil, err
	}
	if err := b.findYields(links); err != nil {
		return nil, err
	}
	if err := b.lineUp(links); err != nil {
		return nil, err
	}
	if err := b.corner(bodies, b.steer(links.Rack)); err != nil {
		return nil, err
	}
	if err := b.between(links, tolerance); err != nil {
		return nil, err
	}
	b.Notes = append(b.Notes, b.Tables.Notes...)
	return b, b.withRest(o)
}

// named finds the use of the corners from the names of the tires, such as tire_FL and tire_FR.
func (b *reducer) named(tires [2]string) error {
	at := strings.LastIndexByte(tires[0], '_')
	left, isLeft := strings.CutSuffix(tires[0], "L")
	right, isRight := strings.CutSuffix(tires[1], "R")
	if at < 0 || !isLeft || !isRight || left != right || len(left) < at+2 {
		return fmt.Errorf("the wheels are called %s and %s; the reduction needs the names of a use at L and R, such as "+
			"tire_FL and tire_FR", tires[0], tires[1])
	}
	b.suffix, b.Use = tires[0][at:], left[at+1:]
	return nil
}

// own reports whether a component or frame belongs to the left corner, by its name.
func (b *reducer) own(name string) bool { return strings.HasSuffix(name, b.suffix) }

// local is the name in the subsystem file. Parts of the left side outside of the corner lose their last letter, L.
func (b *reducer) local(name string) string {
	if b.own(name) {
		return strings.TrimSuffix(name, b.suffix)
	}
	return strings.TrimSuffix(name, "L")
}

// locate finds the hub, and the frames fixed to it or turning with the wheel.
func (b *reducer) locate() error {
	for _, a := range b.scope.Axles() {
		if c, is := component.Named[component.Wheeled](b.scope, b.tire); is && a.Wheel.Frame == c.Wheel().Frame {
			b.joint = a.Joint
		}
	}
	j, found := component.Named[component.Jointed](b.scope, b.joint)
	if !found {
		return fmt.Errorf("the wheel %s turns on no revolute joint, and the reduction needs one", b.tire)
	}
	b.hub = j.Moves().From
	if !b.own(b.hub) || !b.own(b.joint) {
		return fmt.Errorf("the joint %s of the wheel %s belongs to no corner with names that end in %s", b.joint, b.tire,
			b.suffix)
	}
	b.wheel, b.rigid = b.fixed(j.Moves().To), b.fixed(b.hub)
	return nil
}

// fixed are the frames that arms and welds fix to a frame.
func (b *reducer) fixed(frame string) map[string]bool {
	set := map[string]bool{frame: true}
	for again := true; again; {
		again = false
		for _, c := range b.m.Components {
			if t := c.Head().Type; t != "rigid-arm" && t != "weld" {
				continue
			}
			ends := c.Frames().Joins
			if set[ends[0]] != set[ends[1]] {
				set[ends[0]], set[ends[1]], again = true, true, true
			}
		}
	}
	return set
}

// keeps reports whether a component of the corner belongs to the wheel or the hub, and not to the suspension.
func (b *reducer) keeps(c component.Component) bool {
	if _, sprung := c.(component.Sprung); sprung {
		return false
	}
	f, on := c.Frames(), false
	for _, frame := range slices.Concat(f.Joins[:], f.Uses) {
		switch {
		case frame == "ground" && f.Carries, frame == "", !b.own(frame):
		case frame == b.hub || b.wheel[frame]:
			on = true
		default:
			return false
		}
	}
	if heavy, is := c.(component.Heavy); is && heavy.Lump().Frame == b.hub {
		return false // a part of the new upright
	}
	return on
}

// corner makes the subsystem file.
func (b *reducer) corner(bodies []rig.Body, rack string) error {
	parts := table()
	centre := b.Tables.Centre
	parts.put("corner", table().put("type", text("rigid-arm")).
		put("text", text("from the chassis to the wheel centre in the design position")).put("from", text("chassis")).
		put("to", text("corner")).put("translation", vector(centre)).Node)
	b.frame("chassis", b.chassis)
	b.parts = parts
	parts.put("susp", b.guide(rack))
	b.upright(parts, bodies)
	if err := b.yielding(bodies); err != nil {
		return err
	}
	var springs, kept []component.Component
	for _, c := range b.m.Components {
		h := c.Head()
		_, sprung := c.(component.Sprung)
		_, heavy := c.(component.Heavy)
		switch {
		case sprung && b.mine(h.Name):
			springs = append(springs, c)
		case !b.own(h.Name) || sprung:
		case b.keeps(c):
			kept = append(kept, c)
		case heavy || slices.Contains(replaced, h.Type):
		default:
			b.Dropped = append(b.Dropped, h.Name)
		}
	}
	for _, c := range springs {
		name := c.Head().Name
		_, on := b.onHub[name]
		switch {
		case on && b.yield():
			b.Straight = append(b.Straight, name)
			b.straight(name)
		case !b.Still(name):
			parts.put(b.local(name), b.spring(name))
		}
	}
	for _, c := range kept {
		parts.put(b.local(c.Head().Name), b.kept(c))
	}
	exports := table().put("wheel", text(b.local(b.tire))).put("travel", text("susp.travel"))
	for _, c := range kept {
		if c.Head().Type == "brake" {
			exports.put("brake", text(b.local(c.Head().Name)))
		}
	}
	root := table()
	root.put("kind", text("subsystem")).put("title", text("Corner by tables of "+b.m.Name+", "+b.Use))
	root.put("frames", words(b.Frames...)).put("sides", text("left"))
	root.put("component", parts.Node).put("exports", exports.Node)
	b.Corner = root.Node
	return b.reader.Err()
}

// Still reports whether the length of a spring hardly changes with travel and rack. Such springs are elastic links and
// belong to the compliance.
func (b *Axle) Still(spring string) bool {
	const least = 0.01 // of the travel
	low, high, arm := math.Inf(1), math.Inf(-1), 1.0
	c := b.Tables.Column(rig.Length, spring)
	if joint := b.onAngle[spring]; joint != "" {
		c, arm = b.Tables.Column(rig.Angle, joint), typicalArm
	}
	if c != nil {
		for _, values := range c.Values {
			low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
		}
	}
	t := b.Tables.Travel
	return arm*(high-low) < least*(t[len(t)-1]-t[0])
}

// typicalArm turns an angle of a suspension into a displacement [m].
const typicalArm = 0.3

// replaced are the types of components whose motions are in the tables.
var replaced = []string{"rigid-arm", "weld", "rod", "revolute", "prismatic", "spherical", "strut", "suspension",
	"motion-driver", "bushing", "free"}

// withRest puts the tables into the vehicle. The remaining force of the pads, by torsion of bushings and weight of
// links, becomes a spring on the travel.
func (b *reducer) withRest(o rig.Options) error {
	if err := b.replace(); err != nil || b.Model == nil {
		return err
	}
	o.Bodies = false
	r, err := rig.New(b.Model, o)
	if err != nil {
		return err
	}
	points, most := &document.Node{Kind: document.List}, 0.0
	for _, y := range b.ahead {
		s, err := r.Solve(rig.Given{Travel: [2]float64{y.Travel, y.Travel}}, nil)
		if err != nil {
			return err
		}
		rest := math.Round(1e6*(y.Pad-s.Pads[rig.Left].V)) / 1e6
		points.Items = append(points.Items, &document.Node{Kind: document.List,
			Items: []*document.Node{numeral(y.Travel), numeral(rest)}})
		most = max(most, math.Abs(rest))
	}
	const least = 0.1 // N
	if most <= least {
		return nil
	}
	b.parts.put("rest", table().put("type", text("spring-damper")).
		put("text", text("further force of the pad, such as by torsion of bushings")).put("joint", text("susp")).
		put("spring_force", table().put("points", points).put("smooth", text("spline")).Node).Node)
	return b.replace()
}

// compare finds the figures of the axle, and the motion of the wheel by loads, with and without tables.
func (b *reducer) compare(full *rig.Rig, o rig.Options) (err error) {
	if b.Full, err = full.Figures(); err != nil || b.Model == nil {
		return err
	}
	o.Bodies = false
	reduced, err := rig.New(b.Model, o)
	if err != nil {
		return err
	}
	if b.Reduced, err = reduced.Figures(); err != nil {
		return err
	}
	if len(b.Modes) > 0 {
		b.Yields, err = compliance(full, reduced, b.Tables)
	}
	return err
}

// cornerFile is the name of the corner's file while the vehicle with tables is read.
const cornerFile = "reduced corner.toml"

// replace makes the vehicle with tables, none where parts outside of the corner name the suspension.
func (b *reducer) replace() error {
	parts := table()
	all := b.root.Field("component")
	for _, name := range all.Keys {
		if !b.own(name) && !b.opposite(name) && !b.sides.gone[name] {
			parts.put(name, all.Field(name))
		}
	}
	for _, name := range b.Between.Keys {
		parts.put(name, b.Between.Field(name))
	}
	frames := table()
	for _, name := range b.Frames {
		frames.put(name, text(b.Given[name]))
	}
	withoutIdle(parts, frames.Node)
	root := b.other(parts.Node)
	use := table().put("file", text(cornerFile)).put("at", words("L", "R")).put("frames", frames.Node)
	root.put("use", table().put(b.Use, use.Node).Node)
	var vehicleText, corner bytes.Buffer
	none := func(string) string { return "" }
	if err := document.Write(&vehicleText, root.Node, "component", none); err != nil {
		return err
	}
	if err := document.Write(&corner, b.Corner, "component", none); err != nil {
		return err
	}
	open := vehicle.Opener(b.File)
	d, err := vehicle.ParseDocument(vehicleText.Bytes(), b.File, func(kind bounded.Kind, name string) ([]byte, error) {
		if filepath.Base(name) == cornerFile {
			return corner.Bytes(), nil
		}
		return open(kind, name)
	})
	if err == nil {
		b.flat = d.Root
		b.Model, err = vehicle.ReadRoot(d.Root, b.File)
	}
	if err != nil {
		b.Notes = append(b.Notes, fmt.Sprintf("the vehicle with the tables was not compared, because parts outside of the "+
			"corner name parts of the suspension: %v", err))
	}
	return nil
}

// other is the file of the vehicle with other components.
func (b *reducer) other(components *document.Node) *node {
	root := table()
	for _, key := range b.root.Keys {
		if key != "component" {
			root.put(key, b.root.Field(key))
		}
	}
	return root.put("component", components)
}

// links is the axle without the bars between its wheels, and with its rack held. Then each wheel yields alone.
func (b *reducer) links(o rig.Options) (*rig.Rig, error) {
	m := b.m
	if len(b.sides.bars) > 0 {
		components := b.root.Field("component")
		for _, bar := range b.sides.bars {
			components = components.Without(bar.Name)
		}
		var err error
		if m, err = vehicle.ReadRoot(b.other(components).Node, b.File); err != nil {
			return nil, err
		}
	}
	o.Pinion = true
	return rig.New(m, o)
}

// WithTables is the figure with a key of the vehicle with the tables; nil where it is missing.
func (r *Axle) WithTables(key string) *rig.Figure {
	for i := range r.Reduced {
		if f := &r.Reduced[i]; f.Key == key && f.Missing == "" {
			return f
		}
	}
	return nil
}
