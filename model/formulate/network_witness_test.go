package formulate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A circuit is an electrical network for both the engine, as a model file, and the witness, which knows no tree: it has
// the potentials of all nodes and the flows of all edges as unknowns.
type circuit struct {
	parts   []part
	inertia []float64 // of the joints of the machines [kg m2]
	damping []float64 // of the same joints [N m s]
}

// part is a component of a circuit.
type part struct {
	word, name string
	ends       [2]string // nodes from and to; of a converter those of the load
	supply     [2]string // of a converter
	value      float64   // main property: resistance, inductance, capacitance, constant
	resistance float64   // in series; of a machine, too
	inductance float64   // of a machine
	course     course    // of a source, and the ratio of a converter
	joint      int       // of a machine
}

// course is a value over time.
type course struct {
	kind        string // number, formula, input
	value, rate float64
}

// witnessTime is the time of all evaluations [s].
const witnessTime = 0.25

func (c course) text() string {
	switch c.kind {
	case "formula":
		return fmt.Sprintf(`"(%.17g) + (%.17g)*time"`, c.value-c.rate*witnessTime, c.rate)
	case "input":
		return `"input"`
	}
	return fmt.Sprintf("%.17g", c.value)
}

// model is the text of the model file.
func (c *circuit) model() string {
	var b strings.Builder
	b.WriteString("name = \"network\"\ngravity = [0, 0, 0]\n[component]\n")
	for k := range c.inertia {
		fmt.Fprintf(&b, "axle%d = { type = \"revolute\", from = \"ground\", to = \"rotor%d\", axis = \"z\" }\n", k, k)
		fmt.Fprintf(&b, "rotor%d = { type = \"rigid-body\", mass = 1, inertia = { xx = 2, yy = 2, zz = %.17g } }\n", k,
			c.inertia[k])
		fmt.Fprintf(&b, "friction%d = { type = \"spring-damper\", joint = \"axle%d\", damping = %.17g }\n", k, k,
			c.damping[k])
	}
	for _, p := range c.parts {
		fmt.Fprintf(&b, "%s = { type = %q", p.name, p.word)
		if p.word == "converter" {
			fmt.Fprintf(&b, ", supply = [%q, %q], load = [%q, %q]", p.supply[0], p.supply[1], p.ends[0], p.ends[1])
		} else {
			fmt.Fprintf(&b, ", from = %q, to = %q", p.ends[0], p.ends[1])
		}
		number := func(key string, value float64) {
			if value != 0 {
				fmt.Fprintf(&b, ", %s = %.17g", key, value)
			}
		}
		switch p.word {
		case "resistor":
			number("resistance", p.value)
		case "capacitor":
			number("capacitance", p.value)
		case "inductor":
			number("inductance", p.value)
			number("resistance", p.resistance)
		case "voltage-source":
			fmt.Fprintf(&b, ", voltage = %s", p.course.text())
			number("resistance", p.resistance)
		case "current-source":
			fmt.Fprintf(&b, ", current = %s", p.course.text())
		case "converter":
			fmt.Fprintf(&b, ", ratio = %s", p.course.text())
		case "dc-machine":
			number("constant", p.value)
			number("resistance", p.resistance)
			number("inductance", p.inductance)
			fmt.Fprintf(&b, ", joint = \"axle%d\"", p.joint)
		}
		b.WriteString(" }\n")
	}
	return b.String()
}

// input is the key of the input of a part whose course is an input.
func (p *part) input() string {
	return map[string]string{"voltage-source": "voltage", "current-source": "current", "converter": "ratio"}[p.word]
}

// nodal are the modified nodal equations of a circuit,
//
//	E z' = A z + b,  E z” = A z' + A' z + b'
//
// with z: the potentials of the nodes but the ground, the flow of each part, the flow of a converter's supply, and the
// speeds of the joints. Kirchhoff's law of each node comes first.
type nodal struct {
	*circuit
	nodes      []string
	flow, port []int // places in z, by part; port of the supply of converters
	speed      int   // place of the first speed
	size       int
	e, a, da   *mat.Dense
	b, db      []float64
}

func (c *circuit) nodal() *nodal {
	n := &nodal{circuit: c}
	for i := range c.parts {
		p := &c.parts[i]
		for _, node := range []string{p.ends[0], p.ends[1], p.supply[0], p.supply[1]} {
			if node != "" && node != "ground" && !slices.Contains(n.nodes, node) {
				n.nodes = append(n.nodes, node)
			}
		}
	}
	n.size = len(n.nodes)
	take := func() int { n.size++; return n.size - 1 }
	for i := range c.parts {
		n.flow, n.port = append(n.flow, take()), append(n.port, -1)
		if c.parts[i].word == "converter" {
			n.port[i] = take()
		}
	}
	n.speed = n.size
	n.size += len(c.inertia)
	for _, m := range []**mat.Dense{&n.e, &n.a, &n.da} {
		*m = mat.NewDense(n.size, n.size, nil)
	}
	n.b, n.db = make([]float64, n.size), make([]float64, n.size)
	for i := range c.parts {
		n.part(i)
	}
	for k := range c.inertia {
		row := n.speed + k
		n.e.Set(row, row, c.inertia[k])
		n.a.Set(row, row, -c.damping[k])
	}
	return n
}

// drop adds a factor times the drop between two nodes to a row of a matrix.
func (n *nodal) drop(m *mat.Dense, row int, ends [2]string, factor float64) {
	for k, sign := range []float64{factor, -factor} {
		if i := slices.Index(n.nodes, ends[k]); i >= 0 {
			m.Set(row, i, m.At(row, i)+sign)
		}
	}
}

// current adds a flow that leaves the first node and enters the second one to Kirchhoff's law of both.
func (n *nodal) current(ends [2]string, flow int) {
	for k, sign := range []float64{1, -1} {
		if i := slices.Index(n.nodes, ends[k]); i >= 0 {
			n.a.Set(i, flow, n.a.At(i, flow)+sign)
		}
	}
}

// part adds the law of a part. Its row has the number of the flow.
func (n *nodal) part(i int) {
	p, row := &n.parts[i], n.flow[i]
	n.current(p.ends, row)
	switch p.word {
	case "resistor": // 0 = drop - R i
		n.drop(n.a, row, p.ends, 1)
		n.a.Set(row, row, -p.value)
	case "capacitor": // C drop' = i
		n.drop(n.e, row, p.ends, p.value)
		n.a.Set(row, row, 1)
	case "inductor": // L i' = drop - R i
		n.e.Set(row, row, p.value)
		n.drop(n.a, row, p.ends, 1)
		n.a.Set(row, row, -p.resistance)
	case "voltage-source": // 0 = drop - R i + e
		n.drop(n.a, row, p.ends, 1)
		n.a.Set(row, row, -p.resistance)
		n.b[row], n.db[row] = p.course.value, p.course.rate
	case "current-source": // 0 = i - j
		n.a.Set(row, row, 1)
		n.b[row], n.db[row] = -p.course.value, -p.course.rate
	case "dc-machine": // L i' = drop - R i - k w,  J w' = k i - d w
		n.e.Set(row, row, p.inductance)
		n.drop(n.a, row, p.ends, 1)
		n.a.Set(row, row, -p.resistance)
		n.a.Set(row, n.speed+p.joint, -p.value)
		n.a.Set(n.speed+p.joint, row, p.value)
	case "converter": // 0 = drop - m drop of the supply,  0 = flow of the supply + m i
		n.drop(n.a, row, p.ends, 1)
		n.drop(n.a, row, p.supply, -p.course.value)
		n.drop(n.da, row, p.supply, -p.course.rate)
		port := n.port[i]
		n.current(p.supply, port)
		n.a.Set(port, port, 1)
		n.a.Set(port, row, p.course.value)
		n.da.Set(port, row, p.course.rate)
	}
}

// negligible is what counts as 0 against the largest singular value. Values of the networks have the size of 1.
const negligible = 1e-10

// nullSpace returns a basis of the null space of a matrix.
func nullSpace(m *mat.Dense) (basis [][]float64) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDFullV) {
		panic("no singular values")
	}
	var v mat.Dense
	svd.VTo(&v)
	s := svd.Values(nil)
	for k := range v.RawMatrix().Cols {
		if k >= len(s) || s[k] <= negligible*s[0] {
			basis = append(basis, mat.Col(nil, k, &v))
		}
	}
	return basis
}

// pencil is s E - A.
func (n *nodal) pencil(s float64) *mat.Dense {
	var m mat.Dense
	m.Scale(s, n.e)
	m.Sub(&m, n.a)
	return &m
}

// free are the solutions of s E z = A z for a number that is no pole: without them the circuit is regular.
func (n *nodal) free() [][]float64 { return nullSpace(n.pencil(0.73109)) }

// distance is the least singular value of lambda E - A against the largest one.
func (n *nodal) distance(lambda complex128) float64 {
	m := mat.NewDense(2*n.size, 2*n.size, nil)
	for i := range n.size {
		for j := range n.size {
			e, a := n.e.At(i, j), n.a.At(i, j)
			m.Set(i, j, real(lambda)*e-a)
			m.Set(n.size+i, n.size+j, real(lambda)*e-a)
			m.Set(i, n.size+j, -imag(lambda)*e)
			m.Set(n.size+i, j, imag(lambda)*e)
		}
	}
	var svd mat.SVD
	svd.Factorize(m, mat.SVDNone)
	s := svd.Values(nil)
	return s[len(s)-1] / s[0]
}

// consistent solves the equations and their first derivatives for z. It returns one solution, and the directions to all
// other solutions. Second derivatives add nothing for networks of these components.
func (n *nodal) consistent() (z []float64, directions [][]float64) {
	k := n.size
	m := mat.NewDense(2*k, 3*k, nil)
	block := func(i, j int, sign float64, of *mat.Dense) {
		var signed mat.Dense
		signed.Scale(sign, of)
		m.Slice(i*k, (i+1)*k, j*k, (j+1)*k).(*mat.Dense).Copy(&signed)
	}
	block(0, 0, -1, n.a)
	block(0, 1, 1, n.e)
	block(1, 0, -1, n.da)
	block(1, 1, -1, n.a)
	block(1, 2, 1, n.e)
	var svd mat.SVD
	svd.Factorize(m, mat.SVDFull)
	s := svd.Values(nil)
	rank := 0
	for rank < len(s) && s[rank] > negligible*s[0] {
		rank++
	}
	right := mat.NewDense(2*k, 1, slices.Concat(n.b, n.db))
	var all, rest mat.Dense
	svd.SolveTo(&all, right, rank)
	rest.Mul(m, &all)
	rest.Sub(&rest, right)
	if mat.Norm(&rest, 2) > 1e-10*(1+mat.Norm(right, 2)) {
		return nil, nil
	}
	var directional mat.Dense
	for _, v := range nullSpace(m) {
		if directional.IsEmpty() {
			directional.CloneFrom(mat.NewDense(1, k, v[:k]))
			continue
		}
		var grown mat.Dense
		grown.Stack(&directional, mat.NewDense(1, k, v[:k]))
		directional.CloneFrom(&grown)
	}
	if directional.IsEmpty() {
		return mat.Col(nil, 0, &all)[:k], nil
	}
	var of mat.SVD
	of.Factorize(&directional, mat.SVDThin)
	var v mat.Dense
	of.VTo(&v)
	for i, s := range of.Values(nil) {
		if s > 1e-8 {
			directions = append(directions, mat.Col(nil, i, &v))
		}
	}
	return mat.Col(nil, 0, &all)[:k], directions
}

// across is the drop between two nodes for a z.
func (n *nodal) across(z []float64, ends [2]string) float64 {
	at := func(node string) float64 {
		if i := slices.Index(n.nodes, node); i >= 0 {
			return z[i]
		}
		return 0
	}
	return at(ends[0]) - at(ends[1])
}

// published are the quantities that the components publish, and the rates of all that may be states, for a z.
func (n *nodal) published(z []float64) (values, rates map[string]float64) {
	values, rates = map[string]float64{}, map[string]float64{}
	torque := make([]float64, len(n.inertia))
	for i := range n.parts {
		p, flow := &n.parts[i], z[n.flow[i]]
		drop := n.across(z, p.ends)
		switch p.word {
		case "voltage-source", "current-source":
			drop = -drop
		case "converter":
			flow = -flow
			values[p.name+".supply_current"] = z[n.port[i]]
		case "capacitor":
			rates[p.name+".voltage"] = flow / p.value
		case "inductor":
			rates[p.name+".current"] = (drop - p.resistance*flow) / p.value
		case "dc-machine":
			torque[p.joint] += p.value * flow
			values[p.name+".torque"] = p.value * flow
			rates[p.name+".current"] = (drop - p.resistance*flow - p.value*z[n.speed+p.joint]) / p.inductance
		}
		values[p.name+".voltage"], values[p.name+".current"], values[p.name+".power"] = drop, flow, drop*flow
	}
	for k := range n.inertia {
		w := z[n.speed+k]
		name := fmt.Sprintf("axle%d.", k)
		values[name+"omega"], rates[name+"omega"] = w, (torque[k]-n.damping[k]*w)/n.inertia[k]
		values[name+"phi"], rates[name+"phi"] = 0, w
	}
	return values, rates
}

// loops reports whether the circuit has a current that flows in the given parts only, without any drop: a loop of
// sources and converters. With fewer of the parts there is none.
func (n *nodal) loops(names []string) bool {
	dependent := func(names []string) bool {
		m := n.pencil(0.73109)
		var columns []int
		for i := range n.parts {
			if slices.Contains(names, n.parts[i].name) {
				columns = append(columns, n.flow[i])
				if n.port[i] >= 0 {
					columns = append(columns, n.port[i])
				}
			}
		}
		if len(columns) == 0 {
			return false
		}
		some := mat.NewDense(n.size, len(columns), nil)
		for k, c := range columns {
			some.SetCol(k, mat.Col(nil, c, m))
		}
		return len(nullSpace(some)) > 0
	}
	if !dependent(names) {
		return false
	}
	for i := range names {
		if dependent(slices.Delete(slices.Clone(names), i, i+1)) {
			return false
		}
	}
	return true
}

// floats reports whether potentials of all the nodes can move, and with them drops of the given parts only.
func (n *nodal) floats(nodes, names []string) bool {
	m := n.pencil(0.73109)
	var still [][2]string
	for i := range n.parts {
		if p := &n.parts[i]; !slices.Contains(names, p.name) {
			still = append(still, p.ends, p.supply)
		}
	}
	rows := mat.NewDense(max(1, len(still)), n.size, nil)
	for k, ends := range still {
		n.drop(rows, k, ends, 1)
	}
	var all mat.Dense
	all.Stack(m, rows)
	basis := nullSpace(&all)
	for _, node := range nodes {
		moves := func(z []float64) bool { return math.Abs(n.across(z, [2]string{node, "ground"})) > 1e-6 }
		if !slices.ContainsFunc(basis, moves) {
			return false
		}
	}
	return len(nodes) > 0
}
