package manoeuvre

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// Findable are names of numbers that a vehicle's roles need not state because they can be determined. Further such
// numbers are brake_factor, the torque for a deceleration, and radius_1, radius_2, ..., the rolling radii of the axles.
var Findable = []string{"wheelbase", "steering_ratio", "understeer"}

// ofRoles are the roles that give the constants of manoeuvres.
var ofRoles = map[string]string{"body_width": "outline", "body_front": "outline", "body_rear": "outline",
	"closed": "throttle", "open": "throttle", "shift": "gear.shift", "wheelbase": "wheelbase",
	"steering_ratio": "steering.ratio", "understeer": "understeer"}

// constants returns the constants that follow from roles, without the constants of [constants]; words are names of
// constants that the manoeuvre uses, and others replace some of them.
func (c *car) constants(words []string, others []ConstantValue) (list []ConstantValue) {
	o := c.roles
	c.compare(words)
	add := func(name string, x float64) {
		c.reader.declare(name, roleUnits[name])
		if i := slices.IndexFunc(others, func(v ConstantValue) bool { return v.Name == name }); i >= 0 {
			x = others[i].Value
			c.reader.unfound = cmp.Or(c.reader.unfound, others[i].Written.Fits(roleUnits[name]))
		}
		c.reader.Constants[name] = x
		list = append(list, ConstantValue{Name: name, Value: x, Written: constants.InUnit(roleUnits[name])})
	}
	gear := roles.Gear{Normal: 1, Lowest: 1, Backward: -1}
	if o.Gear != nil {
		gear = *o.Gear
	}
	stated := map[string]float64{}
	if o.Wheelbase != 0 {
		stated["wheelbase"] = o.Wheelbase
	}
	if ratio := o.Steering.Overall(); ratio != 0 {
		stated["steering_ratio"] = ratio
	}
	if o.Understeer != nil {
		stated["understeer"] = *o.Understeer
	}
	for _, name := range Findable {
		x, known := stated[name]
		if !known && slices.Contains(words, name) && !c.states(name) {
			x, known = c.found(name)
		}
		if known {
			add(name, x)
		}
	}
	if outline := o.Outline; outline != nil {
		add("body_width", outline.Width)
		add("body_front", outline.Front)
		add("body_rear", outline.Rear)
	}
	if o.Throttle != nil {
		add("closed", o.Throttle.Closed)
		add("open", o.Throttle.Open)
	}
	add("gear", gear.Normal)
	add("lowest", gear.Lowest)
	add("backwards", gear.Backward)
	if gear.Shift != 0 {
		add("shift", gear.Shift)
	}
	return list
}

// roleUnits are the units of constants that follow from roles.
var roleUnits = map[string]string{"wheelbase": "m", "steering_ratio": "1", "understeer": "rad.s2/m", "body_width": "m",
	"body_front": "m", "body_rear": "m", "gear": "1", "lowest": "1", "backwards": "1"}

// compare notes statements of the car file for constants in use that differ from the values found in the vehicle. What
// the vehicle itself states is compared when its model file is read.
func (c *car) compare(words []string) {
	if c.root == nil {
		return
	}
	stated := c.root.Field("roles")
	if stated == nil || !slices.ContainsFunc(words, func(name string) bool {
		compared := append(slices.Clone(Findable), "body_width", "body_front", "body_rear")
		if !slices.Contains(compared, name) {
			return false
		}
		key, inner, _ := strings.Cut(ofRoles[name], ".")
		n := stated.Field(key)
		return n != nil && (inner == "" || n.Field(inner) != nil)
	}) {
		return
	}
	all, err := c.find()
	if err != nil {
		return // the run reports the error, unless the run does not need the number
	}
	for _, d := range c.roles.Contradictions(SizesOf(all, len(c.roles.Axles))) {
		if d.At.File == c.file {
			c.doubts = append(c.doubts, d.String())
		}
	}
}

// SizesOf are the sizes among numbers that were found in a vehicle with a number of axles.
func SizesOf(found map[string]float64, axles int) roles.Sizes {
	of := roles.Sizes{Wheelbase: found["wheelbase"], Ratio: math.Abs(found["steering_ratio"]),
		Brake: found["brake_factor"]}
	if gradient, known := found["understeer"]; known {
		of.Gradient = &gradient
	}
	for i := range axles {
		of.Radii = append(of.Radii, found[fmt.Sprintf("radius_%d", i+1)])
	}
	for name, x := range found {
		if strings.HasPrefix(name, "track_") {
			of.Track = max(of.Track, x)
		}
	}
	return of
}

// states reports whether the car file has a constant.
func (c *car) states(name string) bool {
	if c.root == nil {
		return false
	}
	n := c.root.Field("constants")
	return n != nil && n.Field(name) != nil
}

// found is a number that is found in the vehicle. What prevents that is a fault.
func (c *car) found(name string) (float64, bool) {
	all, err := c.find()
	if err != nil {
		if c.reader.unfound == nil {
			c.reader.unfound = fmt.Errorf("%s of %s: %w; state it in [roles]", name, c.target.Model, err)
		}
		return 1, true
	}
	x, known := all[name]
	return x, known
}

// The default driver turns the steering wheel less where the same angle gives more curvature than in a usual car. Low
// speeds are an exception. A car on a circle needs the angle 2*ratio*wheelbase/(v*preview)^2 for each metre between the
// circle and the preview point.
const (
	usualRatio     = 15.0
	usualWheelbase = 2.6 // m
)

// exactSpeed is the speed [m/s] where a proportional gain equals this angle in the usual car, with a preview [s].
func exactSpeed(preview, gain float64) float64 {
	return math.Sqrt(2*usualRatio*usualWheelbase/gain) / preview
}

// defaultDriver is a driver who looks 0.8 s ahead, and at least 3 m, which a car needs to follow circles of 9 m.
var defaultDriver = PathFollower{Preview: 0.8, Nearest: 3, Proportional: 2, Integral: 1, Lag: 0.1, Rate: 6, Limit: 9}

// drivers sets the drivers that follow from roles.
func (c *car) drivers(m *Manoeuvre) {
	o, r := c.roles, c.reader
	if s := o.Steering; s != nil {
		m.Steering = &Steering{Drivers: s.Drivers, Overall: r.Constants["steering_ratio"]}
		if !s.Wheel {
			m.Steering.Ratio, m.Steering.Rack = s.Ratio, s.Rack
		}
		follower := defaultDriver
		follower.Body = o.Chassis
		if ratio := s.Overall(); ratio > 0 { // a direct steering takes smaller angles
			share := min(1, ratio*cmp.Or(o.Wheelbase, usualWheelbase)/(usualRatio*usualWheelbase))
			follower.Slow = exactSpeed(follower.Preview, follower.Proportional)
			follower.Growth = math.Pow(follower.Slow*follower.Preview/follower.Nearest, 2)
			follower.Proportional, follower.Integral = share*follower.Proportional, share*follower.Integral
		}
		m.PathFollower = &follower
	}
	if t := o.Throttle; t != nil {
		gain := 2 * (t.Open - t.Closed)
		if t.Closed >= 0 && r.Constants["gear"] < 0 { // the gear turns the direction
			gain = -gain
		}
		number := func(n *document.Node, key string, otherwise float64) float64 {
			if n == nil {
				return otherwise
			}
			return r.Number(n, "roles.throttle."+key, &keys.Key{Unit: keys.AnyUnit})
		}
		m.SpeedControl = &SpeedControl{Variable: o.Chassis + ".vx", Torques: t.Inputs,
			Proportional: number(t.Proportional, "proportional", gain), Integral: number(t.Integral, "integral", gain),
			Limit: number(t.Limit, "limit", t.Open)}
		m.SpeedControl.Least = number(t.Least, "least", t.Closed)
	}
	if o.Chassis != "" && len(o.Axles) > 0 {
		var loads []string
		for _, w := range o.Wheels() {
			loads = append(loads, w.Tire+".Fz")
		}
		m.Stops = []Stop{
			{"rolled over", r.watch("abs("+o.Chassis+".roll)", Above, 1)},      // rad
			{"spun", r.watch(o.Chassis+".vx*sign(gear)", Below, -1)},           // m/s
			{"left the ground", r.watch(strings.Join(loads, " + "), Below, 1)}, // N
		}
	}
}

// watch is a condition over variables that roles have given.
func (r *manoeuvreReader) watch(formula string, kind ConditionKind, bound float64) *Condition {
	law, err := signal.ParseLaw(formula, r.Constants)
	if err != nil { // a name of a variable that is not part of a formula
		law, _ = signal.ParseLaw("0*1", nil)
		bound = math.Inf(1)
		if kind == Below {
			bound = math.Inf(-1)
		}
	}
	return &Condition{Law: law, Kind: kind, Bound: bound}
}

// start are the start values that follow from roles: the vehicle rolls at the speed of the manoeuvre.
func (c *car) start() (list []StartValue) {
	o, r := c.roles, c.reader
	speed, rolls := r.Constants["speed"]
	if rolls && o.Chassis != "" {
		list = append(list, StartValue{Variable: o.Chassis + ".vx", Value: speed})
	}
	if o.Start != nil {
		start := r.Named(o.Start, "roles.start", &keys.Key{Unit: keys.AnyUnit})
		for _, name := range start.Names() {
			n := start.Node(name)
			list = append(list, StartValue{r.variable(n, name), start.Number(name), r.Written(n, name)})
		}
	}
	if o.Gear != nil && o.Gear.Input != "" {
		list = append(list, StartValue{Variable: o.Gear.Input, Value: r.Constants["gear"]})
	}
	var lacking []string // tires
	for i := range o.Axles {
		a := &o.Axles[i]
		for _, w := range a.Wheels() {
			if w.Spin == "" {
				lacking = append(lacking, w.Tire)
			}
			if w.Spin == "" || !rolls {
				continue
			}
			radius, known := a.Radius, a.Radius != 0
			if !known && speed == 0 {
				radius, known = 1, true
			} else if !known {
				radius, known = c.found(fmt.Sprintf("radius_%d", i+1))
			}
			if known {
				list = append(list, StartValue{Variable: w.Spin, Value: quotient(speed, radius)})
			}
		}
	}
	if rolls && speed != 0 && len(lacking) > 0 && c.target.Spins != nil {
		c.doubts = append(c.doubts, fmt.Sprintf("%s: the roles have no \"spin\" for the wheels of %s, which do not start at "+
			"the %.4g m/s of the manoeuvre but as the vehicle itself does; write the variables of their angular velocities "+
			"into [roles] as spin, nested as axles is", cmp.Or(c.file, c.target.File), strings.Join(lacking, ", "), speed))
	}
	return list
}

// quotient divides as formulas of manoeuvres do.
func quotient(x, y float64) float64 {
	law, err := signal.ParseLaw(fmt.Sprintf("x/%v", y), nil)
	if err != nil {
		return x / y
	}
	return law.Value([]float64{x})
}

// vehicle are the roles that names of the manoeuvre may use.
func (r *manoeuvreReader) vehicle() *roles.Roles {
	if r.car != nil {
		return r.car.roles
	}
	return cmp.Or(r.own, &roles.Roles{})
}

// fail notes that a role cannot be resolved.
func (r *manoeuvreReader) fail(n *document.Node, err error) {
	var missing *roles.Missing
	if errors.As(err, &missing) {
		r.lack(missing.Role)
		return
	}
	r.At(n, "%v", err)
}

// variable is the name that the vehicle has for one of a manoeuvre.
func (r *manoeuvreReader) variable(n *document.Node, name string) string {
	s, err := r.vehicle().Variable(name)
	if err != nil {
		r.fail(n, err)
		return name
	}
	return s
}

// formula is a formula with the vehicle's names.
func (r *manoeuvreReader) formula(n *document.Node) string {
	if !roles.Mentions(n.Text) {
		return n.Text
	}
	s, err := r.vehicle().Formula(n.Text)
	if err != nil {
		r.fail(n, err)
		return "0"
	}
	return s
}

// lack notes a role that the vehicle does not have.
func (r *manoeuvreReader) lack(role string) {
	if !slices.Contains(r.lacks, role) {
		r.lacks = append(r.lacks, role)
	}
}

// lacking is the error of all roles that a manoeuvre needs and the vehicle does not have; nil without.
func (r *manoeuvreReader) lacking(what string) error {
	if r.car == nil || len(r.lacks) == 0 {
		return nil
	}
	t := r.car.target
	rank := func(role string) int {
		key, _, _ := strings.Cut(role, ".")
		return slices.Index(roles.Keys, key)
	}
	slices.SortStableFunc(r.lacks, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	fmu := strings.EqualFold(filepath.Ext(t.File), ".fmu")
	remedy := ""
	switch draft := strings.TrimSuffix(filepath.Base(t.File), filepath.Ext(t.File)) + "_roles.toml"; {
	case t.Car != "":
		remedy = "Write them into [roles] of " + t.Car + r.examples()
	case t.File == "":
		remedy = "Write them into [roles] of its model file, or give --car FILE"
	case t.Roles != nil && fmu:
		remedy = "Write them into [roles] of a file, and give it by --car" + r.examples()
	case t.Roles != nil:
		remedy = "Write them into [roles] of " + t.File + r.examples()
	case fmu:
		remedy = fmt.Sprintf("Give --car FILE; \"skidpad car %s --draft > %s\" writes a draft for --car %[2]s", t.File, draft)
	default:
		remedy = fmt.Sprintf("Write [roles] into %s or give --car FILE; \"skidpad car %[1]s --draft > %s\" writes a draft "+
			"for --car %[2]s", t.File, draft)
	}
	return &LackingRoles{Roles: r.lacks, text: fmt.Sprintf("%s lacks roles that %s needs: %s. %s", t.Model, what,
		strings.Join(r.lacks, ", "), remedy)}
}

// LackingRoles is the error of a manoeuvre that needs roles which the vehicle does not have.
type LackingRoles struct {
	Roles []string // such as "brake" or "brake.factor"
	text  string
}

func (e *LackingRoles) Error() string { return e.text }

// examples show how the roles that are missing are written.
func (r *manoeuvreReader) examples() string {
	var lines []string
	for _, role := range r.lacks {
		if example := roles.Examples[role]; example != "" {
			lines = append(lines, role+" = "+example)
		}
	}
	if lines == nil {
		return ""
	}
	return ", such as " + strings.Join(lines, ", ")
}

// lackOwn is lacking for a manoeuvre of single models, or a condition of a user.
func (r *manoeuvreReader) lackOwn(what string) error {
	if len(r.lacks) == 0 {
		return nil
	}
	return fmt.Errorf("%s uses roles that the vehicle does not have: %s. Write them into [roles] of its model file, or "+
		"use the names of variables", what, strings.Join(r.lacks, ", "))
}

// lackConstants turns constants that are missing, and that roles give, into roles that are.
func (r *manoeuvreReader) lackConstants(absent []string) {
	for _, name := range absent {
		if role := ofRoles[name]; role != "" && r.car != nil {
			r.lack(role)
		}
	}
}

// word is a name in a formula.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*`)

// wordsOf are the names in all texts of a document.
func wordsOf(n *document.Node) []string {
	words := map[string]bool{}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		if n == nil {
			return
		}
		if n.Kind == document.Text {
			for _, w := range word.FindAllString(n.Text, -1) {
				words[w] = true
			}
		}
		for _, item := range n.Items {
			walk(item)
		}
		for _, key := range n.Keys {
			walk(n.Field(key))
		}
	}
	walk(n)
	return slices.Collect(maps.Keys(words))
}

// brakeFactor is the value of what brakes for a deceleration of 1 m/s2, where the roles do not state it.
func (r *manoeuvreReader) brakeFactor(at *document.Node) float64 {
	if r.car == nil {
		r.At(at, "roles.brake of the vehicle has no factor, the value of the inputs for a deceleration of 1 m/s2")
		return 1
	}
	x, known := r.car.found("brake_factor")
	if !known {
		r.lack("brake.factor")
		return 1
	}
	return x
}
