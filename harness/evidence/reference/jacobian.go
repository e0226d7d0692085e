package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// jacobian is the derivative of the residual, dF/dy + c dF/dy', with its structure.
// Columns of positions, velocities and auxiliary unknowns are taken by differences,
// those that share no row together (Curtis, Powell and Reid 1974); those of the
// multipliers are the constraints' gradients.
type jacobian struct {
	system  *System
	matrix  *sparse
	rows    [][]int // by column, up to lambda
	columns [][]int // groups of columns that share no row
	slope   []entry // dF/dy
	inertia []entry // dF/dy'
	y, f, g []float64
}

// entry is a number at a slot of a row of the matrix.
type entry struct {
	row, slot int
	value     float64
}

func newJacobian(s *System) *jacobian {
	j := &jacobian{system: s, matrix: newSparse(s.size), rows: s.dependentRows(), y: make([]float64, s.size),
		f: make([]float64, s.size), g: make([]float64, s.size)}
	for column, rows := range j.rows {
		for _, row := range rows {
			j.matrix.entry(row, column)
		}
	}
	j.group()
	return j
}

// dependence collects the rows of the residual that depend on each position, velocity and auxiliary unknown.
type dependence struct {
	*System
	rows [][]int
}

// own are the unknowns of the position and of the velocity of a part.
func (d *dependence) own(k int) (q, v []int) {
	if k < d.fixed {
		return nil, nil
	}
	p := &d.parts[k]
	if p.turns {
		return span(p.q, 7), span(p.v, 6)
	}
	return span(p.q, 3), span(p.v, 3)
}

func (d *dependence) add(columns []int, list ...[]int) {
	for _, c := range columns {
		for _, l := range list {
			d.rows[c] = append(d.rows[c], l...)
		}
	}
}

// couple adds parts that depend on each other, and what depends on them besides.
func (d *dependence) couple(parts []int, more []int) {
	for _, a := range parts {
		q, v := d.own(a)
		columns := slices.Concat(q, v)
		for _, b := range parts {
			q, v := d.own(b)
			d.add(columns, q, v)
		}
		d.add(columns, more)
	}
}

// joint adds what a joint couples.
func (d *dependence) joint(j *joint) {
	n := len(j.conditions)
	rows := slices.Concat(span(d.lambda+j.first, n), span(d.mu+j.first, n))
	parts := []int{j.from.part, j.to.part}
	if driver := j.driver; driver != nil && driver.hand != nil {
		hand := []int{driver.hand.turn.unknown}
		parts = append(parts, driver.hand.hub.part)
		d.add(hand, rows)
		for _, part := range parts {
			q, v := d.own(part)
			d.add(hand, q, v)
		}
	}
	d.couple(parts, rows)
}

// dependentRows lists the rows by unknown.
func (s *System) dependentRows() [][]int {
	d := &dependence{s, make([][]int, s.lambda)}
	for k := s.fixed; k < len(s.parts); k++ {
		d.couple([]int{k}, nil)
	}
	for i := range s.joints {
		d.joint(&s.joints[i])
	}
	for _, l := range s.loads {
		d.couple(l.touches(), nil)
		if turning, is := l.(interface{ angles() []int }); is { // its torque depends on angles of shafts
			for _, part := range l.touches() {
				_, v := d.own(part)
				d.add(turning.angles(), v)
			}
		}
		if reading, is := l.(interface{ reads() *reading }); is { // networks
			for _, part := range l.touches() {
				_, v := d.own(part)
				d.add(d.columns(reading.reads()), v)
			}
		}
		if b, is := l.(*bar); is && b.left.kind == aboutAxis {
			for _, part := range b.touches() { // each angle acts at both joints
				_, v := d.own(part)
				d.add([]int{b.left.angle.unknown, b.right.angle.unknown}, v)
			}
		}
	}
	for _, r := range s.revolutes {
		d.couple([]int{r.from.part, r.to.part}, []int{r.unknown})
		_, from := d.own(r.from.part)
		_, to := d.own(r.to.part)
		d.add([]int{r.unknown}, []int{r.unknown}, from, to)
	}
	for _, e := range s.scalars {
		d.scalar(e)
	}
	for _, state := range s.states {
		d.state(state)
	}
	for _, w := range s.tires {
		if w.hasSlips() {
			slips := span(w.slips, 2)
			d.couple(w.touches(), slips)
			_, v := d.own(w.centre.part)
			d.add(slips, slips, v)
		}
	}
	for c := range d.rows {
		slices.Sort(d.rows[c])
		d.rows[c] = slices.Compact(d.rows[c])
	}
	return d.rows
}

func span(first, count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// group finds columns that can be differenced together, those with most rows first.
func (j *jacobian) group() {
	order := span(0, len(j.rows))
	slices.SortStableFunc(order, func(a, b int) int { return len(j.rows[b]) - len(j.rows[a]) })
	var taken []map[int]bool
	for _, column := range order {
		g := slices.IndexFunc(taken, func(t map[int]bool) bool {
			return !slices.ContainsFunc(j.rows[column], func(row int) bool { return t[row] })
		})
		if g < 0 {
			g = len(taken)
			taken = append(taken, map[int]bool{})
			j.columns = append(j.columns, nil)
		}
		j.columns[g] = append(j.columns[g], column)
		for _, row := range j.rows[column] {
			taken[g][row] = true
		}
	}
}

// update takes the derivatives at a state.
func (j *jacobian) update(t float64, y, dy []float64) {
	s := j.system
	j.slope, j.inertia = j.slope[:0], j.inertia[:0]
	copy(j.y, y)
	s.residual(t, y, dy, j.f)
	for _, columns := range j.columns {
		for _, c := range columns {
			j.y[c] += step(y[c])
		}
		s.residual(t, j.y, dy, j.g)
		for _, c := range columns {
			h := j.y[c] - y[c]
			for _, row := range j.rows[c] {
				j.add(&j.slope, row, c, (j.g[row]-j.f[row])/h)
			}
			j.y[c] = y[c]
		}
	}
	s.evaluate(t, y) // back from the last difference
	for i := range s.joints {
		joint := &s.joints[i]
		for k := joint.first; k < joint.first+len(joint.conditions); k++ {
			for _, end := range joint.ends(&s.equations[k]) {
				j.reactions(end.part, end.gradient, k, y)
			}
		}
	}
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		for i := range 3 {
			j.add(&j.inertia, p.q+i, p.q+i, 1)
			j.add(&j.inertia, p.v+i, p.v+i, p.mass)
		}
		if p.turns {
			for i := range 4 {
				j.add(&j.inertia, p.q+3+i, p.q+3+i, 1)
			}
			for i, e := range identity {
				column := m.out(p.inertia.out(m.in(e)))
				j.add(&j.inertia, p.v+3, p.v+3+i, column.X)
				j.add(&j.inertia, p.v+4, p.v+3+i, column.Y)
				j.add(&j.inertia, p.v+5, p.v+3+i, column.Z)
			}
		}
	}
	s.rotorEntries(func(row, column int, value float64) { j.add(&j.inertia, row, column, value) })
	for c := s.auxiliaries; c < s.storages; c++ {
		j.add(&j.inertia, c, c, 1)
	}
	for _, e := range s.scalars {
		if e.stores() {
			j.add(&j.inertia, e.stored, e.stored, e.storageAt(y))
		}
	}
	for _, state := range s.states {
		j.add(&j.inertia, state.unknown, state.unknown, 1)
	}
}

// step is by how much an unknown is changed to take a difference.
func step(y float64) float64 { return 1.5e-8 * max(1, math.Abs(y)) }

func (j *jacobian) add(list *[]entry, row, column int, value float64) {
	*list = append(*list, entry{row, j.matrix.entry(row, column), value})
}

// reactions adds the columns of constraint k's multipliers in the rows of a part.
func (j *jacobian) reactions(part int, g gradient, k int, y []float64) {
	s := j.system
	if part < s.fixed {
		return
	}
	p := &s.parts[part]
	lambda, mu := s.lambda+k, s.mu+k
	for i, v := range components(g.v) {
		j.add(&j.slope, p.v+i, lambda, -v)
		j.add(&j.slope, p.q+i, mu, -v)
	}
	if !p.turns {
		return
	}
	for i, w := range components(g.w) {
		j.add(&j.slope, p.v+3+i, lambda, -w)
	}
	e := spun(quaternionAt(y, p.q+3), g.w)
	for i, v := range [4]float64{e.Real, e.Imag, e.Jmag, e.Kmag} {
		j.add(&j.slope, p.q+3+i, mu, -v)
	}
}

func components(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// factor finds the factors of dF/dy + c dF/dy'.
func (j *jacobian) factor(c float64) error {
	for _, row := range j.matrix.values {
		clear(row)
	}
	for _, e := range j.slope {
		j.matrix.values[e.row][e.slot] += e.value
	}
	for _, e := range j.inertia {
		j.matrix.values[e.row][e.slot] += c * e.value
	}
	return j.matrix.factor()
}

// dynamics solves the equations of motion at one state for accelerations and
// multipliers: M a - G^T lambda = f, G a = -bias.
type dynamics struct {
	system *System
	matrix *sparse
	b      []float64 // accelerations in the order of the velocities, then multipliers
}

func newDynamics(s *System) *dynamics {
	n := s.auxiliaries - s.velocities
	d := &dynamics{s, newSparse(n + len(s.equations)), make([]float64, n+len(s.equations))}
	return d
}

// solve finds the accelerations of the parts, which it also puts into their motions.
func (d *dynamics) solve(t float64, y []float64) error {
	s := d.system
	s.evaluate(t, y)
	for _, row := range d.matrix.values {
		clear(row)
	}
	put := func(row, column int, v float64) { d.matrix.values[row][d.matrix.entry(row, column)] += v }
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		at := p.v - s.velocities
		for i, f := range components(s.forces[k]) {
			put(at+i, at+i, p.mass)
			d.b[at+i] = f
		}
		if !p.turns {
			continue
		}
		for i, moment := range components(s.moments[k]) {
			for row, v := range components(m.out(p.inertia.out(m.in(identity[i])))) {
				put(at+3+row, at+3+i, v)
			}
			d.b[at+3+i] = moment
		}
	}
	d.constraints(put)
	s.rotorEntries(func(row, column int, value float64) { put(row-s.velocities, column-s.velocities, value) })
	if err := d.matrix.factor(); err != nil {
		return err
	}
	d.matrix.solve(d.b)
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		m.a = vectorAt(d.b, p.v-s.velocities)
		if p.turns {
			m.dw = vectorAt(d.b, p.v-s.velocities+3)
		}
	}
	return nil
}

// constraints puts the constraints and their multipliers into the matrix.
func (d *dynamics) constraints(put func(row, column int, v float64)) {
	s := d.system
	n := s.auxiliaries - s.velocities
	for i := range s.joints {
		j := &s.joints[i]
		for k := j.first; k < j.first+len(j.conditions); k++ {
			e := &s.equations[k]
			d.b[n+k] = -e.bias
			for _, end := range j.ends(e) {
				if end.part < s.fixed {
					continue
				}
				p := &s.parts[end.part]
				at := p.v - s.velocities
				for i, v := range components(end.v) {
					put(n+k, at+i, v)
					put(at+i, n+k, -v)
				}
				for i, w := range components(end.w) {
					if p.turns {
						put(n+k, at+3+i, w)
						put(at+3+i, n+k, -w)
					}
				}
			}
		}
	}
}

// rates writes y' of the state whose accelerations were solved for.
func (d *dynamics) rates(y, dy []float64) {
	s := d.system
	clear(dy)
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		put(dy, p.q, m.v)
		put(dy, p.v, m.a)
		if p.turns {
			putQuaternion(dy, p.q+3, spun(quaternionAt(y, p.q+3), m.w))
			put(dy, p.v+3, m.dw)
		}
	}
	for _, r := range s.revolutes {
		dy[r.unknown] = r.rate(s)
	}
	for _, e := range s.scalars {
		if e.stores() {
			dy[e.stored] = s.storedRate(e, y)
		}
	}
	for _, state := range s.states {
		dy[state.unknown] = state.rate(y)
	}
	for _, w := range s.tires {
		if w.hasSlips() {
			dy[w.slips], dy[w.slips+1] = w.slipRate[0], w.slipRate[1]
		}
	}
}
