package roles

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/document"
)

// Missing is the error of a role that the vehicle does not have.
type Missing struct {
	Role string // its key
	Name string // as it was written
}

func (e *Missing) Error() string {
	return fmt.Sprintf("%s needs the role %q, which the vehicle does not have", e.Name, e.Role)
}

// mention is one role in a formula: @axle[2].load.
var mention = regexp.MustCompile(`@[A-Za-z_]*(\[[^\]]*\])?(\.[A-Za-z_][A-Za-z0-9_]*)*`)

// reference are the parts of a mention.
type reference struct {
	text, role, index, quantity string
	indexed                     bool
}

func parts(text string) reference {
	m := reference{text: text}
	rest := strings.TrimPrefix(text, "@")
	if end := strings.IndexAny(rest, "[."); end >= 0 {
		m.role, rest = rest[:end], rest[end:]
	} else {
		m.role, rest = rest, ""
	}
	if strings.HasPrefix(rest, "[") {
		m.index, rest, m.indexed = strings.Cut(rest[1:], "]")
	}
	m.quantity = strings.TrimPrefix(rest, ".")
	return m
}

// word is a role that a name behind @ can begin with: whether it has an index, whether a quantity follows, and an
// example.
type word struct {
	role, key         string
	indexed, quantity bool
	example           string
}

// words are all of them.
var words = []word{
	{"chassis", "chassis", false, true, "@chassis.vx"},
	{"wheel", "axles", true, true, "@wheel[1L].Fz"},
	{"axle", "axles", true, true, "@axle[2].load"},
	{"steering", "steering", false, true, "@steering.angle"},
	{"trailer", "trailer", true, true, "@trailer[1].ay"},
	{"unsprung", "unsprung", true, true, "@unsprung[1L].az"},
	{"travel", "travel", true, false, "@travel[1L]"},
	{"road", "road", false, true, "@road.kind"},
	{"throttle", "throttle", false, false, "@throttle"},
	{"brake", "brake", false, false, "@brake"},
	{"gear", "gear", false, false, "@gear"},
	{"engine_speed", "engine_speed", false, false, "@engine_speed"},
	{"clutch", "clutch", false, false, "@clutch"},
	{"wind", "wind", false, false, "@wind"},
	{"hands", "hands", false, false, "@hands"},
	{"parking", "parking", false, false, "@parking"},
}

// check checks the form of a mention, and returns the key of its role.
func (m *reference) check() (key string, err error) {
	var known []string
	for _, w := range words {
		if known = append(known, w.role); w.role != m.role {
			continue
		}
		if w.indexed != m.indexed || w.quantity != (m.quantity != "") {
			return "", fmt.Errorf("%s is written like %s", m.text, w.example)
		}
		return w.key, nil
	}
	hint := ""
	if near := document.Nearest(m.role, known); near != "" {
		hint = "; did you mean @" + near + "?"
	}
	return "", fmt.Errorf("%s names no role%s (roles: @%s)", m.text, hint, strings.Join(known, ", @"))
}

// Formula is a formula with variables of the vehicle in place of roles.
func (r *Roles) Formula(text string) (string, error) {
	var first error
	resolved := mention.ReplaceAllStringFunc(text, func(found string) string {
		s, err := r.one(found)
		if err != nil && first == nil {
			first = err
		}
		return s
	})
	return resolved, first
}

// Mentions reports whether a text names a role.
func Mentions(text string) bool { return strings.Contains(text, "@") }

// Variable is the one variable that a role names: "@chassis.vx". Other names are returned as they are.
func (r *Roles) Variable(name string) (string, error) {
	if !strings.HasPrefix(name, "@") {
		return name, nil
	}
	s, err := r.one(name)
	if err == nil && strings.ContainsAny(s, " (") {
		err = fmt.Errorf("%s is computed from several variables, %s; give one variable here", name, s)
	}
	return s, err
}

// aliases are quantities of wheels and axles by the words of engineers.
var aliases = map[string]string{"slip": "kappa", "load": "Fz"}

// one resolves one mention.
func (r *Roles) one(text string) (string, error) {
	m := parts(text)
	key, err := m.check()
	if err != nil {
		return "", err
	}
	lacks := &Missing{key, text}
	if s, plain := r.plain(m.role); plain {
		if s == "" {
			return "", lacks
		}
		return s, nil
	}
	switch m.role {
	case "chassis":
		if r.Chassis == "" {
			return "", lacks
		}
		if m.quantity == "beta" {
			return fmt.Sprintf("atan2(%s.vy, %[1]s.vx)", r.Chassis), nil
		}
		return r.Chassis + "." + m.quantity, nil
	case "road":
		if r.Road == "" {
			return "", lacks
		}
		return r.Road + "." + m.quantity, nil
	case "steering":
		return r.steered(m, lacks)
	case "trailer":
		i, err := strconv.Atoi(m.index)
		if err == nil && len(r.Trailers) == 0 {
			return "", lacks
		}
		if err != nil || i < 1 || i > len(r.Trailers) {
			return "", fmt.Errorf("%s: there is no trailer %s; there are trailers 1 to %d", text, m.index, len(r.Trailers))
		}
		return r.Trailers[i-1] + "." + m.quantity, nil
	case "axle":
		return r.axle(m, lacks)
	}
	return r.wheel(m, lacks)
}

// plain is the variable of a role that has no quantity and no index; the first of several.
func (r *Roles) plain(role string) (name string, plain bool) {
	first := func(list []string) (string, bool) {
		if len(list) == 0 {
			return "", true
		}
		return list[0], true
	}
	switch role {
	case "throttle":
		if r.Throttle == nil {
			return "", true
		}
		return first(r.Throttle.Inputs)
	case "brake":
		if len(r.Brake) == 0 {
			return "", true
		}
		return first(r.Brake[0].Inputs)
	case "gear":
		if r.Gear == nil {
			return "", true
		}
		return r.Gear.Input, true
	case "engine_speed":
		return r.EngineSpeed, true
	}
	if slices.Contains(OptionalInputs, role) {
		return first(r.Input(role))
	}
	return "", false
}

func (r *Roles) steered(m reference, lacks error) (string, error) {
	switch {
	case r.Steering == nil:
		return "", lacks
	case !r.Steering.Wheel && m.quantity == "angle":
		position := "angle"
		if r.Steering.Rack {
			position = "position"
		}
		return fmt.Sprintf("(%v*%s.%s)", r.Steering.Ratio, r.Steering.Drivers[0], position), nil
	}
	return r.Steering.Drivers[0] + "." + m.quantity, nil
}

// axle is the sum over the wheels of an axle.
func (r *Roles) axle(m reference, lacks error) (string, error) {
	if len(r.Axles) == 0 {
		return "", lacks
	}
	i, err := strconv.Atoi(m.index)
	if err != nil || i < 1 || i > len(r.Axles) {
		return "", fmt.Errorf("%s: there is no axle %s; there are axles 1 to %d, from the front", m.text, m.index,
			len(r.Axles))
	}
	quantity, known := aliases[m.quantity]
	if !known {
		quantity = m.quantity
	}
	if !slices.Contains([]string{"Fx", "Fy", "Fz"}, quantity) {
		return "", fmt.Errorf("%s: an axle has load, Fx and Fy, the sums over its wheels; %s is one of a wheel, such as "+
			"@wheel[%dL].%[2]s", m.text, m.quantity, i)
	}
	var terms []string
	for _, w := range r.Axles[i-1].Wheels() {
		terms = append(terms, w.Tire+"."+quantity)
	}
	if len(terms) == 1 {
		return terms[0], nil
	}
	return "(" + strings.Join(terms, " + ") + ")", nil
}

// indexedWheel is a wheel with its index: 1L, or 2R1 and 2R2 of twins, from outside in.
type indexedWheel struct {
	index string
	wheel Wheel
}

// Places are all wheels, axle by axle, each side from outside in, with their indices: 1L, 2R1.
func (r *Roles) Places() (indices []string, wheels []Wheel) {
	for _, p := range r.places() {
		indices, wheels = append(indices, p.index), append(wheels, p.wheel)
	}
	return indices, wheels
}

// places are all wheels with their indices.
func (r *Roles) places() (list []indexedWheel) {
	for i := range r.Axles {
		for side, wheels := range [][]Wheel{r.Axles[i].Left, r.Axles[i].Right} {
			index := fmt.Sprintf("%d%c", i+1, "LR"[side])
			for k, w := range wheels {
				if len(wheels) > 1 {
					list = append(list, indexedWheel{fmt.Sprintf("%s%d", index, k+1), w})
				} else {
					list = append(list, indexedWheel{index, w})
				}
			}
		}
	}
	return list
}

// of is the variable, or the beginning of one, that a role has at a wheel; "" without.
func (w *Wheel) of(role string) string {
	switch role {
	case "travel":
		return w.Travel
	case "unsprung":
		return w.Unsprung
	}
	return w.Tire
}

// wheel resolves a role of a wheel.
func (r *Roles) wheel(m reference, lacks error) (string, error) {
	var indices []string
	for _, p := range r.places() {
		if indices = append(indices, p.index); p.index != m.index {
			continue
		}
		if s := m.at(&p.wheel); s != "" {
			return s, nil
		}
		if m.role == "wheel" {
			return "", &Missing{"spin", m.text}
		}
		return "", lacks
	}
	if len(indices) == 0 {
		return "", lacks
	}
	return "", fmt.Errorf("%s: there is no wheel %q (wheels: %s; axle from the front, side, and of twins from outside "+
		"in)", m.text, m.index, strings.Join(indices, ", "))
}

// spin is the quantity of a wheel that is the variable of the role spin.
const spin = "omega"

// at is the variable of a mention at a wheel; "" without.
func (m *reference) at(w *Wheel) string {
	of, quantity := w.of(m.role), m.quantity
	switch known, is := aliases[quantity]; {
	case m.role == "wheel" && quantity == spin:
		return w.Spin
	case of == "" || m.role == "travel":
		return of
	case is && m.role == "wheel":
		quantity = known
	}
	return of + "." + quantity
}

// Pattern are the patterns over names of variables that a pattern over roles stands for: "@wheel[*].F?" is one for each
// tire. Other patterns are returned as they are.
func (r *Roles) Pattern(pattern string) ([]string, error) {
	if !strings.HasPrefix(pattern, "@") {
		return []string{pattern}, nil
	}
	m := parts(pattern)
	if m.role == "axle" {
		return nil, fmt.Errorf("%s is a sum over wheels, which is not recorded; record @wheel[%s*].%s", pattern,
			m.index, m.quantity)
	}
	key, err := m.check()
	if err != nil {
		return nil, err
	}
	if !m.indexed || !strings.ContainsAny(m.index, "*?") {
		s, err := r.Variable(pattern)
		return []string{s}, err
	}
	var list []string
	if m.role == "trailer" {
		for i, name := range r.Trailers {
			if ok, _ := path.Match(m.index, strconv.Itoa(i+1)); ok {
				list = append(list, name+"."+m.quantity)
			}
		}
	}
	for _, p := range r.places() {
		if ok, _ := path.Match(m.index, p.index); ok && m.role != "trailer" && m.at(&p.wheel) != "" {
			list = append(list, m.at(&p.wheel))
		}
	}
	if len(list) == 0 {
		return nil, &Missing{key, pattern}
	}
	return list, nil
}

// TakesInput reports whether a name is a role of inputs alone, such as @brake.
func TakesInput(name string) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return name == "@"+w.role && !w.indexed && !w.quantity && w.role != "engine_speed"
	})
}

// Sets are the inputs of a role, with the factors of the signal for each: "@brake". A name without @ is an input
// itself.
func (r *Roles) Sets(name string) ([]Set, error) {
	if !strings.HasPrefix(name, "@") {
		return []Set{{[]string{name}, 1}}, nil
	}
	s, err := r.Variable(name)
	if err != nil {
		return nil, err
	}
	switch m := parts(name); {
	case m.role == "throttle":
		return []Set{{r.Throttle.Inputs, 1}}, nil
	case m.role == "brake":
		return r.Brake, nil
	case slices.Contains(OptionalInputs, m.role):
		return []Set{{r.Input(m.role), 1}}, nil
	}
	return []Set{{[]string{s}, 1}}, nil
}
