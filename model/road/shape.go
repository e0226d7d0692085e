package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/model/bounded"
)

// The kinds of terrain.
const (
	Flat    = "flat"    // z = height
	Plane   = "plane"   // z = height + slope_x x + slope_y y
	Table   = "table"   // samples over x, linear between them, constant beyond
	Formula = "formula" // z = formula(x, y, t)
	Grid    = "grid"    // heights on a grid, bilinear between them, constant beyond
	CRG     = "crg"     // curved regular grid (ASAM OpenCRG)
	RDF     = "rdf"     // road property file (TeimOrbit)
	ISO8608 = "iso8608" // random waves of a class of roughness
)

// Kinds lists the kinds.
var Kinds = []string{Flat, Plane, Table, Formula, Grid, CRG, RDF, ISO8608}

// FrictionKinds lists the kinds of maps of friction; flat is none.
var FrictionKinds = []string{Flat, Table, Formula, Grid, CRG}

// Shape is the description of a terrain in a model file.
type Shape struct {
	Kind    string
	Formula string
	File    string // relative to the model file
	Centred bool   // a CRG begins at the origin, along x, wherever its file puts it
	Class   string // of roughness, of an iso8608
}

// Needs reports whether the kind needs "formula" or "file".
func (s Shape) Needs(key string) bool {
	return key == "formula" && s.Kind == Formula || key == "file" &&
		slices.Contains([]string{Table, Grid, CRG, RDF}, s.Kind)
}

// Point is a surface at one place and time.
type Point struct {
	Height         float64 // m
	SlopeX, SlopeY float64 // dz/dx, dz/dy
	Rate           float64 // dz/dt at the place [m/s]
	Friction       float64 // factor on the tire's own friction
	U, V           float64 // place along and across the line of the road, to its left; x and y where it has none [m]
	NoGround       bool    // here is nothing to stand on; Height and slopes are 0
}

// Query is the place and time of a query of a surface. A surface can lie over itself, for example a road that crosses
// itself on a bridge. A query there continues from an earlier query nearby, or looks down from above; everywhere else
// neither makes a difference.
type Query struct {
	X, Y, T float64 // m, s
	Above   float64 // height of the query: the highest surface below it counts [m]
	Near    float64 // U of an earlier query nearby; Unknown without one
}

// Unknown is the Near of a query without an earlier one.
var Unknown = math.NaN()

// Surface is an opened shape. It is not safe for concurrent use.
type Surface struct {
	shape
	// Height [m] is added to the heights of every kind; the slopes belong to kind Plane.
	Height, SlopeX, SlopeY float64
	// Left and Right are factors of friction on either side of the line of the road.
	Left, Right float64
	// Friction, if it is not nil, has a factor of friction in place of heights.
	Friction *Surface
	// Warnings lists doubtful properties of the file.
	Warnings []string
	plane    bool
}

// shape is the surface of a kind, in addition to the plane.
type shape interface {
	at(q Query) Point
}

// Seed draws new waves for an iso8608 surface; other surfaces have nothing that is random.
func (s *Surface) Seed(seed uint64) {
	if r, ok := s.shape.(*iso8608); ok {
		r.seed(seed)
	}
}

// At returns the surface at a place and a time. Where X or Y is not finite, neither is the height.
func (s *Surface) At(q Query) Point {
	q.Above -= s.Height
	p := s.at(q)
	p.Height += s.Height
	if s.plane {
		p.Height += float64(s.SlopeX*q.X) + float64(s.SlopeY*q.Y)
		p.SlopeX, p.SlopeY = s.SlopeX, s.SlopeY
	}
	p.Friction *= s.friction(q.X, q.Y, q.T, p.U, p.V)
	return p
}

// Level returns the height [m] and the factor of friction of a surface that is level, with the same friction
// everywhere; ok is false for others.
func (s *Surface) Level() (height, friction float64, ok bool) {
	_, even := s.shape.(level)
	return s.Height, s.Left, even && !s.plane && s.Friction == nil && s.Left == s.Right
}

// friction returns the factor of the sides and the map at a place and a time, which lies at u and v of the road.
func (s *Surface) friction(x, y, t, u, v float64) float64 {
	factor := s.Right
	if v >= 0 {
		factor = s.Left
	}
	if s.Friction != nil {
		factor *= max(0, s.Friction.At(Query{x, y, t, math.Inf(1), u}).Height)
	}
	return factor
}

// zero is 0 at every place, however far away, and not a number where there is none.
func zero(x, y float64) float64 { return float64(0*x) + float64(0*y) }

// level is the shape of flat and plane, without additional height.
type level struct{}

func (level) at(q Query) Point {
	return Point{Height: zero(q.X, q.Y), Friction: 1, U: q.X, V: q.Y}
}

// Open opens ground, with a map of factors of friction, which is flat where there is none.
func Open(ground, friction Shape, read bounded.Files) (*Surface, error) {
	s, err := ground.Open(read)
	if err != nil || friction.Kind == Flat {
		return s, err
	}
	if !slices.Contains(FrictionKinds, friction.Kind) {
		return nil, fmt.Errorf("friction: there is no map of the kind %q; there are %q", friction.Kind, FrictionKinds)
	}
	if s.Friction, err = friction.Open(read); err != nil {
		return nil, fmt.Errorf("friction: %w", err)
	}
	s.Warnings = append(s.Warnings, s.Friction.Warnings...)
	return s, nil
}

// Open reads the file of a shape, or its formula.
func (s Shape) Open(read bounded.Files) (*Surface, error) {
	for _, given := range []struct{ key, text string }{{"formula", s.Formula}, {"file", s.File}} {
		if s.Needs(given.key) && given.text == "" {
			return nil, fmt.Errorf("a terrain of the kind %s needs the key %q", s.Kind, given.key)
		}
	}
	surface := &Surface{Left: 1, Right: 1, plane: s.Kind == Plane}
	var err error
	switch s.Kind {
	case Flat, Plane:
		surface.shape = level{}
	case Formula:
		surface.shape, err = newFormula(s.Formula)
	case ISO8608:
		surface.shape, err = newISO8608(s.Class)
	case Table, Grid, CRG, RDF:
		surface.shape, surface.Warnings, err = s.open(read)
	default:
		err = fmt.Errorf("there is no terrain of the kind %q; there are %q", s.Kind, Kinds)
	}
	if err != nil {
		return nil, err
	}
	return surface, nil
}

// open reads the file of a shape.
func (s Shape) open(read bounded.Files) (shape, []string, error) {
	data, err := read(bounded.Road, s.File)
	if err != nil {
		return nil, nil, err
	}
	var opened shape
	var warnings []string
	switch s.Kind {
	case Table:
		opened, err = parseTable(data)
	case Grid:
		opened, err = parseGrid(data)
	case RDF:
		opened, warnings, err = parseRDF(data)
	case CRG:
		opened, warnings, err = openCRG(s.File, data, s.Centred, read)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return opened, warnings, nil
}

var errEmpty = errors.New("the file holds no heights")
