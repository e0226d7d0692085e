package road

import (
	"errors"
	"fmt"
)

// The kinds of terrain.
const (
	Flat    = "flat"    // z = height
	Plane   = "plane"   // z = height + slope_x x + slope_y y
	Table   = "table"   // samples over x, linear between them, constant beyond
	Formula = "formula" // z = formula(x, y, t)
	Grid    = "grid"    // heights on a grid, bilinear between them, constant beyond
)

// Kinds lists the kinds.
var Kinds = []string{Flat, Plane, Table, Formula, Grid}

// Shape says what a terrain is.
type Shape struct {
	Kind    string
	Formula string
	File    string // relative to the model file
}

// Needs tells whether the kind needs "formula" or "file".
func (s Shape) Needs(key string) bool {
	return key == "formula" && s.Kind == Formula || key == "file" && (s.Kind == Table || s.Kind == Grid)
}

// Point is a surface at one place and time.
type Point struct {
	Height         float64 // m
	SlopeX, SlopeY float64 // dz/dx, dz/dy
	Rate           float64 // dz/dt at the place [m/s]
}

// Surface is an opened shape. It is not safe for concurrent use.
type Surface struct {
	shape
	// Height [m] is added to the heights of every kind; the slopes are those of a plane.
	Height, SlopeX, SlopeY float64
	plane                  bool
}

// shape is what a kind adds to the plane.
type shape interface {
	at(x, y, t float64) Point
}

// At returns the surface at a place [m] and a time [s]. Where x or y is not finite, neither is
// the height.
func (s *Surface) At(x, y, t float64) Point {
	p := s.at(x, y, t)
	p.Height += s.Height
	if s.plane {
		p.Height += s.SlopeX*x + s.SlopeY*y
		p.SlopeX, p.SlopeY = s.SlopeX, s.SlopeY
	}
	return p
}

// level is what flat and plane add: nothing.
type level struct{}

func (level) at(x, y, _ float64) Point { return Point{Height: 0 * (x + y)} }

// Open reads the file of a shape, or its formula.
func (s Shape) Open(read func(file string) ([]byte, error)) (*Surface, error) {
	for _, given := range []struct{ key, text string }{{"formula", s.Formula}, {"file", s.File}} {
		if s.Needs(given.key) && given.text == "" {
			return nil, fmt.Errorf("a terrain of the kind %s needs the key %q", s.Kind, given.key)
		}
	}
	switch s.Kind {
	case Flat:
		return &Surface{shape: level{}}, nil
	case Plane:
		return &Surface{shape: level{}, plane: true}, nil
	case Formula:
		f, err := newFormula(s.Formula)
		return &Surface{shape: f}, err
	case Table, Grid:
		data, err := read(s.File)
		if err != nil {
			return nil, err
		}
		parse := func() (shape, error) { return parseGrid(data) }
		if s.Kind == Table {
			parse = func() (shape, error) { return parseTable(data) }
		}
		f, err := parse()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.File, err)
		}
		return &Surface{shape: f}, nil
	}
	return nil, fmt.Errorf("there is no terrain of the kind %q; there are %q", s.Kind, Kinds)
}

var errEmpty = errors.New("the file holds no heights")
