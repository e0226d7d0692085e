package roles

import (
	"fmt"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// reader reads a table of roles.
type reader struct {
	*keys.Reader
	roles *Roles
	role  string // that is being read
}

// Read reads the table [roles], nil for none; faults receives its errors.
func Read(n *Node, faults *document.Faults) *Roles {
	r := &reader{keys.NewReader(faults.File, nil, nil), &Roles{Table: n}, ""}
	if n == nil {
		return r.roles
	}
	if n.Kind == document.Table {
		n = without(n)
		r.roles.Table = n
	}
	f := r.Fields(n, "roles", FileKeys)
	for _, key := range Keys {
		if f.Given(key) {
			r.role = key
			r.read(key, f)
		}
	}
	faults.Include(r.Err())
	return r.roles
}

// without is a table without the keys that are false, at any depth of tables. With them a variant, or a car file,
// removes keys of the earlier file.
func without(n *Node) *Node {
	if n.Kind != document.Table {
		return n
	}
	kept := *n
	kept.Keys, kept.Fields = nil, map[string]*Node{}
	for _, key := range n.Keys {
		if v := n.Field(key); v.Kind != document.Truth || v.Text != "false" {
			kept.Keys, kept.Fields[key] = append(kept.Keys, key), without(v)
		}
	}
	return &kept
}

// read reads one role.
func (r *reader) read(key string, f *keys.Fields) {
	o, v := r.roles, f.Node(key)
	switch key {
	case "chassis":
		o.Chassis = r.name(v, Component)
	case "axles":
		r.axles(v, f.Table)
	case "spin", "rolling_radius", "travel", "stops", "unsprung":
		if !f.Given("axles") {
			r.At(v, "%s is given for wheels, and roles has no axles; give axles first", key)
		}
	case "engine_speed":
		o.EngineSpeed = r.name(v, Output)
	case "road":
		o.Road = r.name(v, Component)
	case "trailer":
		for _, item := range r.list(v) {
			o.Trailers = append(o.Trailers, r.name(item, Component))
		}
	case "shell":
		o.Shell = f.Text(key)
	case "wheelbase":
		o.Wheelbase = f.Number(key)
	case "understeer":
		x := f.Number(key)
		o.Understeer = &x
	case "brake":
		o.Brake, o.FrontShare = r.brake(v)
	default:
		if t := f.Sub(key); t.Table != nil {
			r.table(key, t)
		}
	}
}

// table reads a role that is a table.
func (r *reader) table(key string, f *keys.Fields) {
	o := r.roles
	switch key {
	case "steering":
		o.Steering = r.steering(f)
	case "throttle":
		o.Throttle = r.throttle(f)
	case "gear":
		o.Gear = r.gear(f)
	case "outline":
		o.Outline = &Outline{f.Number("width"), f.Number("front"), f.Number("rear")}
	case "start":
		o.Start = r.start(f)
	default:
		o.Inputs = append(o.Inputs, NamedSet{key, r.inputs(f, Input)})
	}
}

// list are the items of a list, or the one value in place of a list of one.
func (r *reader) list(v *Node) []*Node {
	if v.Kind != document.List {
		return []*Node{v}
	}
	if len(v.Items) == 0 {
		r.At(v, "roles.%s is an empty list; leave the role out where nothing has it", r.role)
	}
	return v.Items
}

// name reads the name of a component or a variable.
func (r *reader) name(v *Node, kind Kind) string {
	if v.Kind != document.Text || !IsName(v.Text, kind > Tire) {
		what := "the name of a component"
		if kind > Tire {
			what = "the name of a variable, COMPONENT.QUANTITY"
		}
		r.At(v, "roles.%s is %s; it must be %s", r.role, v, what)
		return ""
	}
	r.roles.Names = append(r.roles.Names, Reference{v.Text, kind, v, r.role})
	return v.Text
}

// IsName reports whether a text can be the name of a component or of a variable. A name has letters, digits and _, and
// in a variable points between. Any text without blanks, operators and @ is also allowed, such as names in FMUs of
// third-party tools.
func IsName(text string, variable bool) bool {
	if text == "" || len(text) > 1000 {
		return false
	}
	if !variable {
		return !strings.ContainsFunc(text, func(c rune) bool { return !identifierRune(c) && c != '.' })
	}
	return !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c == '@' || c == '"' || c == 0x7f })
}

func identifierRune(c rune) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// fit is the error of a number whose unit fits none of several quantities.
func fit(n *Node, units ...string) error {
	number, is, err := unit.ParseNumber(n.Text)
	if n.Kind != document.Text || !is || err != nil {
		return nil // reported, or without a unit
	}
	for _, wanted := range units {
		if _, err = unit.Fit(number.Unit, wanted); err == nil {
			return nil
		}
	}
	if last := len(units) - 1; last > 0 {
		err = fmt.Errorf("%w, nor in %s", err, strings.Join(units[:last], " or "))
	}
	return err
}

// RatioOfRack reports whether a ratio is the angle of a steering wheel by the travel of a rack, in rad/m. Other ratios
// are by the angle of road wheels.
func RatioOfRack(n *Node) (bool, error) { return fit(n, "1") != nil, fit(n, "1", "rad/m") }

// formula returns a number or a formula, whose names the reader of a manoeuvre checks; nil without.
func (r *reader) formula(f *keys.Fields, key string) *Node {
	v := f.Node(key)
	if v != nil && v.Kind != document.Number && v.Kind != document.Text {
		r.At(v, "%s is %s; it must be a number or a formula of constants", f.PathOf(key), v)
		return nil
	}
	return v
}

// inputs reads the key input, a name, or inputs, several.
func (r *reader) inputs(f *keys.Fields, kind Kind) (names []string) {
	one, many := f.Node("input"), f.Node("inputs")
	switch {
	case one != nil && many != nil:
		r.At(many, "roles.%s has both input and inputs; give one of them (a car file or a variant takes the other out by "+
			"false)", r.role)
	case one != nil:
		return []string{r.name(one, kind)}
	case many == nil:
		f.FaultOfTable("roles.%s has no inputs; give input = \"COMPONENT.QUANTITY\", or inputs = [...]", r.role)
	default:
		for _, item := range r.list(many) {
			names = append(names, r.name(item, kind))
		}
	}
	return names
}

func (r *reader) throttle(f *keys.Fields) *Throttle {
	t := &Throttle{Inputs: r.inputs(f, Input), Closed: f.Number("closed"), Open: f.Number("open"),
		Proportional: r.formula(f, "proportional"), Integral: r.formula(f, "integral"), Least: r.formula(f, "least"),
		Limit: r.formula(f, "limit")}
	if t.Closed >= t.Open {
		f.FaultOfTable("roles.throttle is closed at %g and open at %g; closed must be below open", t.Closed, t.Open)
	}
	return t
}

func (r *reader) brake(v *Node) (sets []Set, frontShare *float64) {
	for _, item := range r.list(v) {
		f := r.Fields(item, "roles.brake", brakeKeys)
		if f.Table == nil {
			continue
		}
		s, units := Set{Inputs: r.inputs(f, Input)}, []string{"N.m.s2/m", "N.s2/m", "Pa.s2/m"}
		if f.Text("per") == "pedal" {
			units = []string{"s2/m"}
		}
		if f.Given("factor") {
			s.Factor = f.Number("factor")
			if err := fit(f.Node("factor"), units...); err != nil {
				f.Fault("factor", "%s is %s: %v", f.PathOf("factor"), f.Node("factor"), err)
			}
		}
		sets = append(sets, s)
		if f.Given("front_share") {
			if frontShare != nil {
				f.Fault("front_share", "%s is given twice; give it in one of the tables", f.PathOf("front_share"))
			}
			share := f.Number("front_share")
			frontShare = &share
		}
	}
	for _, s := range sets[min(1, len(sets)):] {
		if (s.Factor == 0) != (sets[0].Factor == 0) {
			r.At(v, "roles.brake has factors for some of its inputs; give them for all or for none")
			break
		}
	}
	return sets, frontShare
}

func (r *reader) gear(f *keys.Fields) *Gear {
	g := &Gear{Normal: f.Number("normal"), Lowest: f.Number("lowest"), Backward: f.Number("backwards"),
		Shift: f.Number("shift")}
	if f.Given("input") {
		g.Input = r.name(f.Node("input"), Input)
	}
	return g
}

func (r *reader) steering(f *keys.Fields) *Steering {
	s := &Steering{Ratio: f.Number("ratio")}
	if n := f.Node("ratio"); n != nil {
		var err error
		if s.Rack, err = RatioOfRack(n); err != nil {
			f.Fault("ratio", "%s is %s: %v", f.PathOf("ratio"), n, err)
		}
	}
	switch input, drivers := f.Node("input"), f.Node("drivers"); {
	case input != nil && drivers != nil:
		r.At(drivers, "roles.steering has both input, the angle of a steering wheel, and drivers, angles of the road "+
			"wheels; give one of them")
	case input != nil:
		s.Wheel = true
		name := r.name(input, Input)
		s.Drivers = []string{name}
		for _, end := range []string{".angle", ".position"} {
			s.Drivers[0] = strings.TrimSuffix(s.Drivers[0], end)
		}
	case drivers != nil:
		for _, item := range r.list(drivers) {
			s.Drivers = append(s.Drivers, r.name(item, Component))
		}
	default:
		f.FaultOfTable("roles.steering has neither input, the angle of a steering wheel, nor drivers, the components that " +
			"turn the road wheels")
	}
	if !f.Given("ratio") && !s.Wheel {
		f.FaultOfTable("roles.steering has no ratio; give the ratio of an imagined steering wheel: a number such as 16 " +
			"for drivers that turn road wheels, or the angle per travel, such as \"131 rad/m\", for drivers that slide")
	}
	if s.Rack && s.Wheel {
		f.Fault("ratio", "%s is %s, the angle of a steering wheel by the travel of a rack; with input it is the overall "+
			"steering ratio, such as 16", f.PathOf("ratio"), f.Node("ratio"))
	}
	return s
}

// start checks that a table of start values holds numbers and formulas.
func (r *reader) start(f *keys.Fields) *Node {
	for _, name := range f.Names() {
		r.formula(f, name)
		if !strings.HasPrefix(name, "@") {
			r.roles.Names = append(r.roles.Names, Reference{name, Start, f.Node(name), r.role})
		}
	}
	return f.Table
}
