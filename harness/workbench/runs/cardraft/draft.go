package cardraft

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/grip"
	"skidpad/model/roles"
)

// guess is a draft of roles in progress.
type guess struct {
	of      *Vehicle
	list    []library.Variable
	spins   map[string]string // by tire; nil where nobody knows
	lines   []string
	unknown []string
	chassis string
	road    string
	tires   []string
	order   [][]string // tires by axle, from the front
	outline string     // line; "" where nobody knows where the tires are
}

// Draft guesses the roles of a vehicle from the names of its variables: the chassis is the heaviest body with a
// heading, and tires are assigned by their position. spins are the variables of the angular velocities of wheels, by
// tire, as far as they are known. Roles that cannot be guessed are comments.
func (v *Vehicle) Draft(spins map[string]string) (string, error) {
	s, closeIt, err := v.Open()
	if err != nil {
		return "", err
	}
	all, ok := s.(interface{ All() []library.Variable })
	g := &guess{of: v, spins: spins}
	if ok {
		g.list = all.All()
	}
	g.terrain(s)
	closeIt()
	if err := g.body(); err != nil {
		return "", err
	}
	g.axles()
	g.controls()
	var b strings.Builder
	b.WriteString("# A draft: check every line. Give this file by --car, or copy [roles] into the model file.\n[roles]\n")
	for _, line := range g.lines {
		b.WriteString(line + "\n")
	}
	if g.outline == "" {
		g.outline = "# outline = " + roles.Examples["outline"] + " # m, from the origin of the chassis"
	}
	b.WriteString(g.outline + "; lane changes need it\n")
	for _, text := range g.unknown {
		b.WriteString("# " + text + "\n")
	}
	return b.String(), nil
}

func (g *guess) has(name string) *library.Variable {
	i := slices.IndexFunc(g.list, func(v library.Variable) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &g.list[i]
}

// owners are the components that publish all quantities.
func (g *guess) owners(quantities ...string) (names []string) {
	for _, v := range g.list {
		owner, first := strings.CutSuffix(v.Name, "."+quantities[0])
		if !first {
			continue
		}
		lacks := func(q string) bool { return g.has(owner+"."+q) == nil }
		if !slices.ContainsFunc(quantities, lacks) {
			names = append(names, owner)
		}
	}
	return names
}

// body guesses chassis and tires.
func (g *guess) body() error {
	bodies, heaviest := g.owners("vx", "vy", "wz", "yaw", "roll"), -1.0
	for _, name := range bodies {
		mass := 0.0
		if m := g.has(name + ".mass"); m != nil {
			mass = m.Start
		}
		if mass > heaviest {
			g.chassis, heaviest = name, mass
		}
	}
	g.tires = g.owners("Fz", "kappa", "alpha")
	if g.chassis == "" || len(g.tires) == 0 {
		return fmt.Errorf("no draft: the vehicle has %d bodies with vx, vy, wz, yaw and roll, and %d tires with Fz, kappa "+
			"and alpha; a car has both", len(bodies), len(g.tires))
	}
	g.lines = append(g.lines, fmt.Sprintf("chassis = %q", g.chassis))
	return nil
}

// axles guesses which tires are together.
func (g *guess) axles() {
	places, err := grip.Contacts(g.of.initial, g.chassis, g.tires)
	if err != nil {
		g.unknown = append(g.unknown, fmt.Sprintf("axles = [[...], [...]] # of %s: %v", strings.Join(g.tires, ", "), err))
		return
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(places[b].X, places[a].X) })
	g.outlined(places)
	var axles [][]int
	for _, i := range order {
		if last := len(axles) - 1; last >= 0 && math.Abs(places[axles[last][0]].X-places[i].X) < 0.3 {
			axles[last] = append(axles[last], i)
		} else {
			axles = append(axles, []int{i})
		}
	}
	var tires, spins []string
	complete := true
	for _, axle := range axles {
		slices.SortFunc(axle, func(a, b int) int { return cmp.Compare(places[b].Y, places[a].Y) })
		tires = append(tires, g.nested(axle, places, func(i int) string { return g.tires[i] }))
		var names []string
		for _, i := range axle {
			names = append(names, g.tires[i])
		}
		g.order = append(g.order, names)
		spins = append(spins, g.nested(axle, places, func(i int) string {
			name := g.spin(g.tires[i])
			complete = complete && name != ""
			return name
		}))
	}
	g.lines = append(g.lines, "axles = ["+strings.Join(tires, ", ")+"]")
	if complete {
		g.lines = append(g.lines, "spin = ["+strings.Join(spins, ", ")+"]")
	} else {
		g.unknown = append(g.unknown, "spin = [[...], [...]] # variables of the angular velocities of the wheels, nested "+
			"as axles is")
	}
}

// outlined guesses the outline of the body from the places of the tires.
func (g *guess) outlined(places []grip.Contact) {
	const overhang, tire = 0.85, 0.22 // of cars, m: beyond the wheels, width of a tire
	front, rear, side := math.Inf(-1), math.Inf(1), 0.0
	for _, p := range places {
		front, rear, side = max(front, p.X), min(rear, p.X), max(side, math.Abs(p.Y))
	}
	g.outline = fmt.Sprintf("outline = { width = %.2f, front = %.2f, rear = %.2f } # m, from the origin of the chassis; "+
		"guessed from the places of the wheels", 2*side+tire, front+overhang, overhang-rear)
}

// nested writes the tires of an axle from the left; twins from outside in.
func (g *guess) nested(axle []int, places []grip.Contact, name func(int) string) string {
	sides := [2][]string{}
	for _, i := range axle {
		if places[i].Y > 0 || len(axle) == 1 {
			sides[0] = append(sides[0], fmt.Sprintf("%q", name(i)))
		} else {
			sides[1] = append(sides[1], fmt.Sprintf("%q", name(i)))
		}
	}
	slices.Reverse(sides[1])
	var parts []string
	for _, side := range sides {
		switch {
		case len(side) == 1:
			parts = append(parts, side[0])
		case len(side) > 1:
			parts = append(parts, "["+strings.Join(side, ", ")+"]")
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// spin is the angular velocity of a tire's wheel: as it is known, or the one with the same end of its name.
func (g *guess) spin(tire string) string {
	if name := g.spins[tire]; name != "" {
		return name
	}
	end := endOf(tire)
	for _, v := range g.list {
		owner, is := strings.CutSuffix(v.Name, ".omega")
		if is && strings.Contains(owner, "wheel") && strings.HasSuffix(owner, end) {
			return v.Name
		}
	}
	return ""
}

// driven are the torques of the rearmost axle of those that have torques of their own; the others are a comment.
func (g *guess) driven(torques []string) []string {
	byAxle := make([][]string, len(g.order))
	for _, name := range torques {
		owner := strings.TrimSuffix(name, ".torque")
		at := slices.IndexFunc(g.order, func(axle []string) bool {
			return slices.ContainsFunc(axle, func(tire string) bool { return endOf(tire) == endOf(owner) })
		})
		if at < 0 {
			return torques
		}
		byAxle[at] = append(byAxle[at], name)
	}
	var others []string
	for i := len(byAxle) - 1; i >= 0; i-- {
		if len(byAxle[i]) == 0 {
			continue
		}
		for _, names := range byAxle[:i] {
			others = append(others, names...)
		}
		if len(others) > 0 {
			g.unknown = append(g.unknown, "throttle has the torques of the rear wheels; these drive others: "+
				strings.Join(others, ", "))
		}
		return byAxle[i]
	}
	return torques
}

// endOf is the end of a name that identifies the parts of a corner, such as _RL.
func endOf(name string) string {
	if i := strings.IndexByte(name, '_'); i >= 0 {
		return name[i:]
	}
	return name
}

// controls guesses inputs by the ends of their names.
func (g *guess) controls() {
	inputs := func(end string, fits func(owner string) bool) (names []string) {
		for _, v := range g.list {
			if owner, is := strings.CutSuffix(v.Name, end); is && v.Causality == library.Input && fits(owner) {
				names = append(names, v.Name)
			}
		}
		return names
	}
	any := func(string) bool { return true }
	brakes := func(owner string) bool { return strings.Contains(strings.ToLower(owner), "brake") }
	drives := func(owner string) bool { return !brakes(owner) }
	listed := func(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }
	quoted := func(names []string) string {
		if len(names) == 1 {
			return "input = " + listed(names)
		}
		return "inputs = [" + listed(names) + "]"
	}
	steers := inputs(".angle", any)
	wheel := slices.IndexFunc(steers, func(n string) bool { return g.has(strings.TrimSuffix(n, "angle")+"ratio") != nil })
	switch {
	case wheel >= 0:
		g.lines = append(g.lines, fmt.Sprintf("steering = { input = %q }", steers[wheel]))
	case len(steers) > 0:
		for i := range steers {
			steers[i] = strings.TrimSuffix(steers[i], ".angle")
		}
		g.lines = append(g.lines, "steering = { drivers = ["+listed(steers)+"], ratio = 16 } # of an imagined steering wheel")
	default:
		g.unknown = append(g.unknown, `steering = { input = "..." } # angle of the steering wheel`)
	}
	throttles := inputs(".throttle", any)
	torques := g.driven(inputs(".torque", drives))
	switch {
	case len(throttles) > 0:
		g.lines = append(g.lines, "throttle = { "+quoted(throttles)+", closed = 0, open = 1 }")
	case len(torques) > 0:
		g.lines = append(g.lines, "throttle = { "+quoted(torques)+", closed = -100, open = 500 } # N.m")
	default:
		g.unknown = append(g.unknown, `throttle = { input = "...", closed = 0, open = 1 }`)
	}
	if names := inputs(".torque", brakes); len(names) > 0 {
		g.lines = append(g.lines, "brake = { "+quoted(names)+" } # the factor is found")
	} else {
		g.unknown = append(g.unknown, `brake = { input = "..." }`)
	}
	for _, role := range []struct{ key, end string }{{"gear", ".gear"}, {"clutch", ".clutch"}, {"wind", ".wind_y"},
		{"hands", ".hold"}} {
		if names := inputs(role.end, any); len(names) > 0 {
			g.lines = append(g.lines, fmt.Sprintf("%s = { input = %q }", role.key, names[0]))
		}
	}
	if g.road != "" {
		g.lines = append(g.lines, fmt.Sprintf("road = %q", g.road))
	}
}

// terrain finds the ground whose kind can be chosen; texts of the library are not among its variables.
func (g *guess) terrain(s drive.Subject) {
	texts, listed := s.(interface {
		Text(name string) (string, error)
	})
	for _, v := range g.list {
		owner, is := strings.CutSuffix(v.Name, ".mu")
		if !is || g.road != "" {
			continue
		}
		if g.has(owner+".kind") != nil {
			g.road = owner
		} else if listed {
			if _, err := texts.Text(owner + ".kind"); err == nil {
				g.road = owner
			}
		}
	}
}
