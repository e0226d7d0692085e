package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire/machinecode"
)

// randomCircuit draws a circuit. Loops of capacities, cutsets of inductances and singular circuits are frequent.
func randomCircuit(r *rand.Rand) *circuit {
	c := &circuit{}
	nodes := []string{"ground", "a", "b", "c", "d", "e", "f"}[:2+r.IntN(6)]
	size := func() float64 { return 0.5 + 2*r.Float64() }
	draw := func(words []string) part {
		p := part{word: words[r.IntN(len(words))], value: size()}
		between := func() [2]string {
			a, b := r.IntN(len(nodes)), r.IntN(len(nodes))
			if a == b { // a component needs two nodes
				b = (a + 1) % len(nodes)
			}
			return [2]string{nodes[a], nodes[b]}
		}
		p.ends, p.course.kind = between(), []string{"number", "formula", "input"}[r.IntN(3)]
		p.course.value = r.NormFloat64()
		if p.course.kind != "number" {
			p.course.rate = r.NormFloat64()
		}
		switch p.word {
		case "inductor", "voltage-source":
			p.resistance = []float64{0, size()}[r.IntN(2)]
		case "converter":
			p.supply = between()
			if r.IntN(2) == 0 && p.supply[0] != "ground" {
				p.supply[1] = "ground"
			}
			p.course.value = []float64{0.5, -2, size(), -size()}[r.IntN(4)]
			if r.IntN(2) == 0 {
				p.course.kind, p.course.rate = "number", 0
			}
		case "dc-machine":
			p.resistance, p.inductance = size(), []float64{0, size()}[r.IntN(2)]
			if p.inductance > 0 && r.IntN(2) == 0 {
				p.resistance = 0
			}
			if len(c.inertia) == 0 || r.IntN(2) == 0 {
				c.inertia, c.damping = append(c.inertia, size()), append(c.damping, size())
			}
			p.joint = r.IntN(len(c.inertia))
		}
		return p
	}
	words := []string{"resistor", "resistor", "resistor", "inductor", "inductor", "capacitor", "capacitor", "capacitor",
		"voltage-source", "current-source", "converter", "dc-machine"}
	for _, node := range nodes[1:] { // most nodes have a way to the ones before
		p := draw(words)
		p.ends = [2]string{node, nodes[r.IntN(slices.Index(nodes, node))]}
		c.parts = append(c.parts, p)
	}
	for range r.IntN(14) {
		c.parts = append(c.parts, draw(words))
	}
	for i := range c.parts {
		c.parts[i].name = fmt.Sprintf("%s%d", strings.ReplaceAll(c.parts[i].word, "-", "_"), i)
	}
	return c
}

// specialCircuits are circuits that are seldom drawn.
func specialCircuits() []*circuit {
	ground := func(node string) [2]string { return [2]string{node, "ground"} }
	changing := func(kind string) part {
		return part{word: "converter", name: "converter", ends: ground("b"), supply: ground("a"),
			course: course{kind, 0.7, 0.4}}
	}
	inductor := func(name, node string, inductance float64) part {
		return part{word: "inductor", name: name, ends: ground(node), value: inductance}
	}
	capacitor := func(name, node string, capacitance float64) part {
		return part{word: "capacitor", name: name, ends: ground(node), value: capacitance}
	}
	source := part{word: "current-source", name: "current_source", ends: ground("b"), course: course{"input", 0.3, 0.6}}
	var list []*circuit
	for _, kind := range []string{"input", "formula"} {
		list = append(list,
			// the flow of one inductance is the ratio times the flow of the other
			&circuit{parts: []part{changing(kind), inductor("inductor1", "a", 1.3), inductor("inductor2", "b", 0.6), source}},
			&circuit{parts: []part{changing(kind), capacitor("capacitor1", "a", 1.3), capacitor("capacitor2", "b", 0.6),
				source}})
	}
	return list
}

// trees returns a selection of valid trees of the electrical network: by preference, and complete ones.
func trees(t *testing.T, r *rand.Rand, g *graph.Graph, count int) (list []graph.Selection) {
	var names, known []string
	for _, e := range g.Scalars {
		names = append(names, e.Name)
	}
	for range 2 * count {
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		s := graph.Selection{Prefer: slices.Clone(names)}
		f, err := graph.Select(g, s)
		if err != nil {
			t.Errorf("prefer %q: %v", names, err)
			return nil
		}
		var tree []string
		for _, i := range f.Networks[0].Tree {
			tree = append(tree, g.Scalars[i].Name)
		}
		if text := strings.Join(tree, " "); !slices.Contains(known, text) && len(list) < count {
			known = append(known, text)
			if r.IntN(2) == 0 && len(tree) > 0 {
				r.Shuffle(len(tree), func(i, j int) { tree[i], tree[j] = tree[j], tree[i] })
				s = graph.Selection{Scalar: [3][]string{tree}}
			}
			list = append(list, s)
		}
	}
	for k := range count { // most of these are not valid
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		s := graph.Selection{Forbid: slices.Clone(names[:1+r.IntN(min(2, len(names)))])}
		if k%2 == 0 {
			s = graph.Selection{Scalar: [3][]string{slices.Clone(names[:1+r.IntN(len(names))])}}
		}
		if _, err := graph.Select(g, s); err == nil {
			list = append(list, s)
		}
	}
	return list
}

// Random networks have the rates, potentials, flows and poles of the modified nodal equations, in every tree. A
// singular one is refused, with the components that are to blame; a regular one only by a documented rule.
func TestRandomNetworksObeyNodalEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 26))
	compared, singular, restricted, programs, byRatio, losing := 0, 0, 0, 0, 0, 0
	special := specialCircuits()
	for k := range testrun.Either(30, 300) + len(special) {
		var c *circuit
		if k < len(special) {
			c = special[k]
		} else {
			c = randomCircuit(r)
		}
		n := c.nodal()
		m, err := vehicle.Parse([]byte(c.model()), "network.toml", bounded.Kind.Read)
		if err == nil {
			_, err = formulate.New(m, formulate.Options{})
		}
		regular := len(n.free()) == 0
		switch {
		case err != nil && regular:
			if !n.documented(err.Error()) {
				t.Errorf("network %d is regular, and refused: %v\n%s", k, err, c.model())
			}
			restricted++
			if ratioInput.MatchString(err.Error()) {
				byRatio++
				if n.losesStates(err.Error()) {
					losing++
				}
			}
			continue
		case err != nil:
			if !n.blamed(err.Error()) {
				t.Errorf("network %d is singular, but the message does not say why: %v\n%s", k, err, c.model())
			}
			singular++
			continue
		case !regular:
			t.Errorf("network %d is singular, and accepted:\n%s", k, c.model())
			continue
		}
		compared++
		programs += n.compare(t, r, k, m)
		if t.Failed() {
			t.Fatalf("network %d:\n%s", k, c.model())
		}
	}
	t.Logf("%d networks compared in %d programs, %d singular, %d restricted, of %d by a ratio %d lose states", compared,
		programs, singular, restricted, byRatio, losing)
	if compared < singular || restricted > compared {
		t.Error("too few networks were compared")
	}
}

var (
	ratioInput      = regexp.MustCompile(`ratio of (\w+)(?:, which)? is (?:an input|a formula of the time)`)
	ratioDifference = regexp.MustCompile(`by a sum of ratios of ([\w, ]+), which can be 0`)
)

// documented reports whether a message refuses a circuit by a documented rule: the engine divides neither by a ratio
// that can be 0 nor by a sum of ratios.
func (c *circuit) documented(message string) bool {
	named := func(name string, free bool) bool {
		return slices.ContainsFunc(c.parts, func(p part) bool {
			return p.name == name && p.word == "converter" && (!free || p.course.kind != "number")
		})
	}
	if s := ratioInput.FindStringSubmatch(message); s != nil {
		return named(s[1], true)
	}
	s := ratioDifference.FindStringSubmatch(message)
	unknown := func(name string) bool { return !named(name, false) }
	return s != nil && !slices.ContainsFunc(strings.Split(s[1], ", "), unknown)
}

// losesStates reports whether a message blames a ratio, and whether the circuit has other states at the ratio 0.
func (n *nodal) losesStates(message string) bool {
	s := ratioInput.FindStringSubmatch(message)
	if s == nil {
		return false
	}
	zero := *n.circuit
	zero.parts = slices.Clone(n.parts)
	for i := range zero.parts {
		if p := &zero.parts[i]; p.name == s[1] {
			p.course.value, p.course.rate = 0, 0
		}
	}
	there := zero.nodal()
	_, directions := n.consistent()
	_, left := there.consistent()
	return len(there.free()) > 0 || len(directions) != len(left)
}

var (
	sourceLoop = regexp.MustCompile(`loop of (?:voltage sources|converters) (.*): give`)
	sourceEnds = regexp.MustCompile(`both (?:ends|nodes of the load) of (?:the voltage source|converter) (\w+) are one`)
	floating   = regexp.MustCompile(`no path joins the electrical nodes? (.*) to the ground`)
	undecided  = regexp.MustCompile(`the voltage of nodes? (.*) does not follow from anything: ` +
		`(?:only|cutset of current sources) ([\w, -]+?)(?: joins? .*)?; give`)
	quotedNames = regexp.MustCompile(`"(\w+)"`)
)

// blamed reports whether a message names what makes the circuit singular.
func (n *nodal) blamed(message string) bool {
	if s := sourceLoop.FindStringSubmatch(message); s != nil {
		return n.loops(strings.Split(s[1], " - "))
	}
	if s := sourceEnds.FindStringSubmatch(message); s != nil {
		return n.loops(s[1:])
	}
	if s := undecided.FindStringSubmatch(message); s != nil {
		return n.floats(quoted(s[1]), strings.FieldsFunc(s[2], func(r rune) bool { return strings.ContainsRune(", -", r) }))
	}
	if s := floating.FindStringSubmatch(message); s != nil {
		return n.floats(quoted(s[1]), nil)
	}
	return n.documented(message)
}

func quoted(text string) (names []string) {
	for _, q := range quotedNames.FindAllStringSubmatch(text, -1) {
		names = append(names, q[1])
	}
	return names
}

// compare holds the engine against the nodal equations in several trees, and returns how many programs it compared.
func (n *nodal) compare(t *testing.T, r *rand.Rand, k int, m *vehicle.Model) (programs int) {
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, directions := n.consistent()
	if z == nil {
		t.Errorf("network %d has no solution", k)
		return 0
	}
	for _, d := range directions {
		s := r.NormFloat64()
		for i := range z {
			z[i] += s * d[i]
		}
	}
	for _, s := range trees(t, r, f.Forest.Graph, testrun.Either(4, 20)) {
		own := *m
		own.Trees = []vehicle.Tree{{Name: "own", Selection: s}}
		p, tape := machine(t, &own, formulate.Options{})
		programs++
		if programs == 1 {
			checkMachineCode(t, p)
		}
		u := make([]float64, len(p.Inputs))
		for i, v := range p.Inputs {
			u[i] = v.Start
			if v.Name == "time" {
				u[i] = witnessTime
			}
			for j := range n.parts {
				switch q := &n.parts[j]; v.Name {
				case q.name + "." + q.input():
					u[i] = q.course.value
				case q.name + ".rate":
					u[i] = q.course.rate
				}
			}
		}
		values, rates := n.published(z)
		scale := 1.0
		for _, v := range values {
			scale = max(scale, math.Abs(v))
		}
		x, dx, y := make([]float64, len(p.States)), make([]float64, len(p.States)), make([]float64, len(p.Outputs))
		var dynamic []int
		for i, v := range p.States {
			value, known := values[v.Name]
			if !known {
				t.Errorf("state %s is unknown to the witness", v.Name)
			}
			x[i] = value
			if !strings.HasSuffix(v.Name, ".phi") {
				dynamic = append(dynamic, i)
			}
		}
		if len(dynamic) != len(directions) {
			t.Errorf("network %d, %+v: %d states, the nodal equations have %d", k, s, len(dynamic), len(directions))
			return programs
		}
		tape.Derivatives(witnessTime, x, u, dx)
		tape.Outputs(y)
		for i, v := range p.States {
			if want := rates[v.Name]; !(math.Abs(dx[i]-want) <= 1e-9*scale) {
				t.Errorf("network %d, %+v: rate of %s is %.15g, by nodal equations %.15g", k, s, v.Name, dx[i], want)
			}
		}
		power, sum := 0.0, 0.0
		for i, v := range p.Outputs {
			if want, known := values[v.Name]; known && !(math.Abs(y[i]-want) <= 1e-9*scale) {
				t.Errorf("network %d, %+v: %s is %.15g, by nodal equations %.15g", k, s, v.Name, y[i], want)
			}
			name, is := strings.CutSuffix(v.Name, ".power")
			if j := slices.IndexFunc(n.parts, func(q part) bool { return q.name == name }); is && j >= 0 {
				sum += math.Abs(y[i])
				switch n.parts[j].word {
				case "voltage-source", "current-source":
					power -= y[i]
				case "converter": // it takes none
				default:
					power += y[i]
				}
			}
		}
		if !(math.Abs(power) <= 1e-12*max(1, sum)) { // Tellegen
			t.Errorf("network %d, %+v: powers add up to %g W, of %g W", k, s, power, sum)
		}
		if !slices.ContainsFunc(n.parts, func(q part) bool { return q.word == "converter" && q.course.rate != 0 }) {
			n.comparePoles(t, k, dynamic, x, dx, func(x, dx []float64) { tape.Derivatives(witnessTime, x, u, dx) })
		}
	}
	return programs
}

// checkMachineCode makes the machine code of a program, which is refused if it has other bits than the tape.
func checkMachineCode(t *testing.T, p *program.Program) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		return // there is none for this machine
	}
	if _, err := p.Native(p.Tape()); err != nil {
		t.Error(err)
	}
}

// comparePoles: s E - A is singular at each eigenvalue of the rates. Rates are affine in the states.
func (n *nodal) comparePoles(t *testing.T, k int, dynamic []int, x, dx []float64, rates func(x, dx []float64)) {
	if len(dynamic) == 0 {
		return
	}
	matrix := mat.NewDense(len(dynamic), len(dynamic), nil)
	for column, j := range dynamic {
		moved, there := slices.Clone(x), make([]float64, len(x))
		moved[j]++
		rates(moved, there)
		for row, i := range dynamic {
			matrix.Set(row, column, there[i]-dx[i])
		}
	}
	var eigen mat.Eigen
	if !eigen.Factorize(matrix, mat.EigenNone) {
		t.Fatalf("network %d: no eigenvalues", k)
	}
	for _, lambda := range eigen.Values(nil) {
		if d := n.distance(lambda); !(d <= 1e-10) {
			t.Errorf("network %d: %g is no pole of the nodal equations: %g", k, lambda, d)
		}
	}
}
