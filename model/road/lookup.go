package road

import (
	"slices"
	"unsafe"

	"skidpad/model/program"
)

// Lookup is a shape whose heights follow from the place and the time alone, for callers outside of Go.
type Lookup struct {
	Kind          string    // Flat, Table, Grid, Formula, ISO8608, Profile, Mesh or CRG
	Columns, Rows int       // of a grid; a table has as many columns as samples
	X, Y, Cell    float64   // of a grid: first node, distance of nodes [m]
	Numbers       []float64 // of a table: x of all samples, then z; of a grid: heights by row; else see below
	Indices       []int32
	Heights       []float32

	// Of a formula: its inputs are x, y and t, the results of Outputs height, slopes and rate. Of an ISO8608 it is the
	// sine of x, whose slope is the cosine.
	Rates, Outputs *program.Straight
}

// Kinds of a lookup that are an RDF.
const (
	// Profile begins with the cosine and the sine of its turn, lean, offset and friction. Then there are the tables at the
	// left, with Columns samples, and at the right, with Rows samples; none where it is that at the left.
	Profile = "profile"
	// Mesh begins with the cosine and the sine of its turn, its place x, y and z, and the corner of its cells. Then there
	// are the triangles: x and y of the corners, a, b, c, friction. Indices are the beginnings of
	// the cells in a list of triangles, then the list.
	Mesh = "mesh"
)

// Listed describes a surface: the heights including a plane, if the surface is sloped, and the map of friction, if
// there is one.
type Listed struct {
	Heights  Lookup
	Friction *Lookup
	Sloped   bool
}

// Listed describes the surface, and adds the memories of formulas to a listing; ok is false for other kinds.
func (s *Surface) Listed(to *program.Listed) (l Listed, ok bool) {
	l.Sloped = s.plane
	if l.Heights, ok = lookup(s.shape, to); !ok || s.Friction == nil {
		return l, ok
	}
	friction, ok := lookup(s.Friction.shape, to)
	l.Friction = &friction
	return l, ok
}

func lookup(s shape, to *program.Listed) (l Lookup, ok bool) {
	switch s := s.(type) {
	case level:
		return Lookup{Kind: Flat}, true
	case *table:
		return Lookup{Kind: Table, Columns: len(s.x), Numbers: slices.Concat(s.x, s.z)}, true
	case *grid:
		return Lookup{Kind: Grid, Columns: s.columns, Rows: s.rows, X: s.x, Y: s.y, Cell: s.cell, Numbers: s.z}, true
	case *formula:
		return s.lookup(Formula, to)
	case *iso8608:
		sine, err := newFormula("sin(x)")
		if err != nil {
			panic(err)
		}
		l, ok = sine.lookup(ISO8608, to)
		l.Columns = waves
		return l, ok
	case *profiled:
		return s.lookup()
	case *mesh:
		return s.lookup(), true
	case *crg:
		return s.lookup(), true
	}
	return Lookup{}, false
}

func (f *formula) lookup(kind string, to *program.Listed) (l Lookup, ok bool) {
	l.Kind = kind
	if l.Rates, l.Outputs = f.machine.Straight(to); l.Rates == nil {
		return l, false
	}
	to.Memories[l.Rates.Memory].Parameters = program.Nowhere // a formula has none
	return l, true
}

// Waves returns the waves of an iso8608, four numbers each: wave numbers along x and y, phase, amplitude; nil for other
// surfaces. They change when the surface is given a seed.
func (s *Surface) Waves() []float64 {
	r, is := s.shape.(*iso8608)
	if !is {
		return nil
	}
	return unsafe.Slice(&r.waves[0].kx, 4*len(r.waves))
}

// lookup is false for sines, which are computed by functions that C has not.
func (r *profiled) lookup() (l Lookup, ok bool) {
	left, known := r.left.(*table)
	right, other := r.right.(*table)
	if !known || !other {
		return l, false
	}
	l = Lookup{Kind: Profile, Columns: len(left.x),
		Numbers: slices.Concat([]float64{r.cos, r.sin, r.lean, r.offset, r.friction}, left.x, left.z)}
	if right != left {
		l.Rows, l.Numbers = len(right.x), slices.Concat(l.Numbers, right.x, right.z)
	}
	return l, true
}

// lookup has the numbers of a line in the order of step_tables.h.
func (c *crg) lookup() Lookup {
	line := &c.line
	flag := map[bool]float64{true: 1}
	l := Lookup{Kind: CRG, Columns: len(line.x), Rows: len(c.v), Heights: c.z, Numbers: []float64{
		line.u0, line.du, line.right, line.left, flag[line.closure.joined], line.closure.before, line.closure.behind,
		float64(c.u.mode), c.u.offset, float64(c.w.mode), c.w.offset, c.begin, c.end, flag[c.banking != nil],
		float64(line.blocks[0].last + 1), 3 * highest}}
	banking := c.banking
	if banking == nil {
		banking = make([]float64, len(line.x))
	}
	l.Numbers = slices.Concat(l.Numbers, line.x, line.y, c.height, banking, c.v)
	for _, b := range line.blocks {
		l.Numbers = append(l.Numbers, b.x, b.y, b.r)
	}
	return l
}

func (m *mesh) lookup() Lookup {
	l := Lookup{Kind: Mesh, Columns: m.columns, Rows: m.rows, Cell: m.cell,
		Numbers: []float64{m.cos, m.sin, m.x, m.y, m.z, m.left, m.bottom}}
	for i := range m.triangles {
		t := &m.triangles[i]
		l.Numbers = append(l.Numbers, t.x[0], t.x[1], t.x[2], t.y[0], t.y[1], t.y[2], t.a, t.b, t.c, t.friction)
	}
	at := int32(0)
	for _, cell := range m.cells {
		l.Indices = append(l.Indices, at)
		at += int32(len(cell))
	}
	l.Indices = append(append(l.Indices, at), slices.Concat(m.cells...)...)
	return l
}

// HasLine reports whether queries go on from earlier ones nearby.
func (s *Surface) HasLine() bool {
	_, ok := s.shape.(*crg)
	return ok
}
