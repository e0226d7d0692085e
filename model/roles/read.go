package roles

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// reader reads a table of roles.
type reader struct {
	*document.Faults
	roles *Roles
	role  string // that is being read
}

// Read reads the table [roles], nil for none; what is wrong with it goes to faults.
func Read(n *Node, faults *document.Faults) *Roles {
	r := &reader{faults, &Roles{Table: n}, ""}
	if n == nil {
		return r.roles
	}
	if n.Kind != document.Table {
		r.At(n, "roles is %s; it must be a table [roles]", n)
		return r.roles
	}
	n = without(n)
	r.roles.Table = n
	r.unknown(n, "roles", Keys)
	for _, key := range Keys {
		if v := n.Field(key); v != nil {
			r.role = key
			r.read(key, v, n)
		}
	}
	return r.roles
}

// without is a table without the keys that are false, at any depth of tables: a variant, or a car file, takes out by
// them what the file before has.
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

// read reads the value v of one role of n.
func (r *reader) read(key string, v, n *Node) {
	o := r.roles
	switch key {
	case "chassis":
		o.Chassis = r.name(v, Component)
	case "axles":
		r.axles(v, n)
	case "spin", "rolling_radius", "travel", "stops", "unsprung":
		if n.Field("axles") == nil {
			r.At(v, "%s is given for wheels, and roles has no axles; give axles first", key)
		}
	case "steering":
		o.Steering = r.steering(v)
	case "throttle":
		o.Throttle = r.throttle(v)
	case "brake":
		o.Brake = r.brake(v)
	case "gear":
		o.Gear = r.gear(v)
	case "engine_speed":
		o.EngineSpeed = r.name(v, Output)
	case "road":
		o.Road = r.name(v, Component)
	case "outline":
		if r.table(v, outlineKeys) {
			o.Outline = &Outline{r.positive(v, "width", "m"), r.positive(v, "front", "m"), r.positive(v, "rear", "m")}
		}
	case "trailer":
		for _, item := range r.list(v) {
			o.Trailers = append(o.Trailers, r.name(item, Component))
		}
	case "wheelbase":
		o.Wheelbase = r.quantity(v, "m")
		if o.Wheelbase <= 0 {
			r.At(v, "roles.wheelbase is %s; it must be above 0", v)
		}
	case "understeer":
		x := r.quantity(v, "rad.s2/m")
		o.Understeer = &x
	case "start":
		o.Start = r.start(v)
	default:
		if r.table(v, inputKeys) {
			o.Inputs = append(o.Inputs, NamedSet{key, r.inputs(v, Input)})
		}
	}
}

// unknown notes keys that are not allowed.
func (r *reader) unknown(n *Node, path string, allowed []string) {
	for _, key := range n.Keys {
		if slices.Contains(allowed, key) {
			continue
		}
		hint := ""
		if near := document.Nearest(key, allowed); near != "" {
			hint = "; did you mean " + strconv.Quote(near) + "?"
		}
		r.At(n.Field(key), "%s has the unknown key %q%s (allowed: %s)", path, key, hint, strings.Join(allowed, ", "))
	}
}

// table reports whether v is a table, and notes keys that are not allowed.
func (r *reader) table(v *Node, list []keys.Key) bool {
	allowed := keys.NamesOf(list)
	if v.Kind != document.Table {
		r.At(v, "roles.%s is %s; it must be a table { %s }", r.role, v, strings.Join(allowed, ", "))
		return false
	}
	r.unknown(v, "roles."+r.role, allowed)
	return true
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

// IsName reports whether a text can be the name of a component, or of a variable: letters, digits and _, of a variable
// with points between, or any text without blanks, operators and @, such as the names in FMUs of other tools.
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

// quantity reads a number, or a text of a number and its unit, for what is kept in si, in any unit where that is "";
// several have " or " between.
func (r *reader) quantity(v *Node, si string) float64 {
	switch {
	case v.Kind == document.Number && !math.IsNaN(v.Number) && !math.IsInf(v.Number, 0):
		return v.Number
	case v.Kind == document.Text:
		number, is, err := unit.ParseNumber(v.Text)
		if !is && err == nil {
			break
		}
		var u unit.Unit
		if err == nil {
			u, err = fit(number.Unit, si)
		}
		if x := u.Of(number.Value); err == nil && !math.IsInf(x, 0) {
			return x
		} else if err == nil {
			break
		}
		r.At(v, "roles.%s is %q: %v", r.role, v.Text, err)
		return 1
	}
	r.At(v, "roles.%s holds %s; it must be a finite number, or a text of a number and a unit such as \"1.9 m\"", r.role, v)
	return 1
}

// fit reads a unit for what is kept in one of those of si.
func fit(name, si string) (u unit.Unit, err error) {
	if si == "" {
		return unit.Parse(name)
	}
	units := strings.Split(si, " or ")
	for _, wanted := range units {
		if u, err = unit.Fit(name, wanted); err == nil {
			return u, nil
		}
	}
	if len(units) > 1 {
		err = fmt.Errorf("%w, nor in %s", err, strings.Join(units[:len(units)-1], " or "))
	}
	return u, err
}

// number reads a key that holds a quantity, or gives otherwise where it is missing.
func (r *reader) number(n *Node, key, si string, otherwise float64) float64 {
	if v := n.Field(key); v != nil {
		return r.quantity(v, si)
	}
	return otherwise
}

// positive reads a quantity that must be there and above 0.
func (r *reader) positive(n *Node, key, si string) float64 {
	v := n.Field(key)
	if v == nil {
		r.At(n, "roles.%s has no %s; it is a number [%s]", r.role, key, si)
		return 1
	}
	x := r.quantity(v, si)
	if x <= 0 {
		r.At(v, "roles.%s.%s is %s; it must be above 0", r.role, key, v)
	}
	return x
}

// formula reads a number or a formula, whose names the reader of a manoeuvre checks; nil without.
func (r *reader) formula(n *Node, key string) *Node {
	v := n.Field(key)
	if v != nil && v.Kind != document.Number && v.Kind != document.Text {
		r.At(v, "roles.%s.%s is %s; it must be a number or a formula of constants", r.role, key, v)
		return nil
	}
	return v
}

// inputs reads the key input, a name, or inputs, several.
func (r *reader) inputs(n *Node, kind Kind) (names []string) {
	one, many := n.Field("input"), n.Field("inputs")
	switch {
	case one != nil && many != nil:
		r.At(many, "roles.%s has both input and inputs; give one of them (a car file or a variant takes the other out by "+
			"false)", r.role)
	case one != nil:
		return []string{r.name(one, kind)}
	case many == nil:
		r.At(n, "roles.%s has no inputs; give input = \"COMPONENT.QUANTITY\", or inputs = [...]", r.role)
	default:
		for _, item := range r.list(many) {
			names = append(names, r.name(item, kind))
		}
	}
	return names
}

func (r *reader) throttle(v *Node) *Throttle {
	if !r.table(v, throttleKeys) {
		return nil
	}
	t := &Throttle{Inputs: r.inputs(v, Input), Closed: r.number(v, "closed", "", 0), Open: r.number(v, "open", "", 1)}
	if t.Closed >= t.Open {
		r.At(v, "roles.throttle is closed at %g and open at %g; closed must be below open", t.Closed, t.Open)
	}
	t.Proportional, t.Integral = r.formula(v, "proportional"), r.formula(v, "integral")
	t.Least, t.Limit = r.formula(v, "least"), r.formula(v, "limit")
	return t
}

func (r *reader) brake(v *Node) (sets []Set) {
	for _, item := range r.list(v) {
		if !r.table(item, brakeKeys) {
			continue
		}
		s, si := Set{Inputs: r.inputs(item, Input)}, "N.m.s2/m or N.s2/m or Pa.s2/m"
		if per := item.Field("per"); per != nil {
			switch {
			case per.Kind == document.Text && per.Text == "pedal":
				si = "s2/m"
			case per.Kind != document.Text || per.Text != "deceleration":
				r.At(per, `roles.brake.per is %s; it is "deceleration", where inputs are torques or forces, or "pedal", `+
					`where they go from 0 to 1`, per)
			}
		}
		if item.Field("factor") != nil {
			s.Factor = r.positive(item, "factor", si)
		}
		sets = append(sets, s)
	}
	for _, s := range sets[min(1, len(sets)):] {
		if (s.Factor == 0) != (sets[0].Factor == 0) {
			r.At(v, "roles.brake has factors for some of its inputs; give them for all or for none")
			break
		}
	}
	return sets
}

func (r *reader) gear(v *Node) *Gear {
	if !r.table(v, gearKeys) {
		return nil
	}
	g := &Gear{Normal: r.number(v, "normal", "1", 1), Lowest: r.number(v, "lowest", "1", 1),
		Backward: r.number(v, "backwards", "1", -1), Shift: r.number(v, "shift", "rad/s", 0)}
	if v.Field("input") != nil {
		g.Input = r.name(v.Field("input"), Input)
	}
	return g
}

func (r *reader) steering(v *Node) *Steering {
	if !r.table(v, steeringKeys) {
		return nil
	}
	s := &Steering{}
	switch input, drivers := v.Field("input"), v.Field("drivers"); {
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
		r.At(v, "roles.steering has neither input, the angle of a steering wheel, nor drivers, the components that turn "+
			"the road wheels")
	}
	if v.Field("ratio") != nil {
		s.Ratio = r.positive(v, "ratio", "1")
	} else if !s.Wheel {
		r.At(v, "roles.steering has no ratio; where drivers turn road wheels, give the ratio of an imagined steering "+
			"wheel, such as 16")
	}
	return s
}

// start checks that a table of start values holds numbers and formulas.
func (r *reader) start(v *Node) *Node {
	if v.Kind != document.Table {
		r.At(v, "roles.start is %s; it must be a table of start values by the names of variables", v)
		return nil
	}
	for _, name := range v.Keys {
		r.formula(v, name)
		if !strings.HasPrefix(name, "@") {
			r.roles.Names = append(r.roles.Names, Reference{name, Start, v.Field(name), r.role})
		}
	}
	return v
}
