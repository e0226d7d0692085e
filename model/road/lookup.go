package road

import (
	"slices"

	"skidpad/model/program"
)

// Lookup is a shape whose heights follow from the place and the time alone, for callers outside of Go.
type Lookup struct {
	Kind          string    // Flat, Table, Grid or Formula
	Columns, Rows int       // of a grid; a table has as many columns as samples
	X, Y, Cell    float64   // of a grid: first node, distance of nodes [m]
	Numbers       []float64 // of a table: x of all samples, then z; of a grid: heights by row

	// Of a formula: its inputs are x, y and t, the results of Outputs height, slopes and rate.
	Rates, Outputs *program.Straight
}

// Listed describes a surface: the heights with those of a plane, if it is sloped, and the map of friction, if there is
// one.
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
		l = Lookup{Kind: Formula}
		if l.Rates, l.Outputs = s.machine.Straight(to); l.Rates == nil {
			return l, false
		}
		to.Memories[l.Rates.Memory].Parameters = program.Nowhere // a formula has none
		return l, true
	}
	return Lookup{}, false
}

// HasLine reports whether queries go on from earlier ones nearby.
func (s *Surface) HasLine() bool {
	_, ok := s.shape.(*crg)
	return ok
}
