// Package course reads tracks: a line on the ground with borders, heights and banking, by the distance along the line.
//
//	CSV -> rows -> checks -> smoothing -> Course at even distances -> LeastCurvature, the race line
package course

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/shelf"
)

// Course is a track by the distance along its reference line. The distance is measured in the plan: slopes do not
// lengthen it. All slices have one length. The last point of a closed course is its first one again, with a heading
// that differs by the full turns of a lap.
type Course struct {
	Name   string
	Title  string // first comment of the file, "" without
	Closed bool
	// S is the distance, from 0 on in even steps; X and Y are the place in the plan, Z the height [m].
	S, X, Y, Z []float64
	// Heading is the angle from x to the direction of the line, continuous along the course [rad]. Curvature is positive
	// in turns to the left [1/m].
	Heading, Curvature []float64
	// Left and Right are the distances from the line to the borders, both positive [m].
	Left, Right []float64
	// Bank is positive where the left side is higher, as a roll about the direction of the line in ISO axes; a turn to
	// the left with helpful banking has a negative one. Slope is positive uphill. Both [rad].
	Bank, Slope []float64

	Smoothing float64 // as in Options [m]
	Moved     float64 // largest displacement of a point of the file by smoothing [m]
	MovedAt   string  // place of that point in the file, "line 12"
}

// Length is the length of the course, for a closed one the length of a lap [m].
func (c *Course) Length() float64 { return c.S[len(c.S)-1] }

// At returns the place [m] and the direction [rad] at a distance along the line [m]: cubics through the points of the
// course, with their directions.
func (c *Course) At(s float64) (x, y, heading float64) {
	step := c.S[1]
	i := min(max(int(s/step), 0), len(c.S)-2)
	u := s/step - float64(i)
	beginY, beginX := math.Sincos(c.Heading[i])
	endY, endX := math.Sincos(c.Heading[i+1])
	v := 1 - u
	cubic := func(a, slopeA, b, slopeB float64) float64 {
		return v*v*(1+2*u)*a + u*u*(1+2*v)*b + step*u*v*(v*slopeA-u*slopeB)
	}
	return cubic(c.X[i], beginX, c.X[i+1], endX), cubic(c.Y[i], beginY, c.Y[i+1], endY),
		v*c.Heading[i] + u*c.Heading[i+1]
}

// Options say how a course is made of points.
type Options struct {
	// Smoothing is the length of a wave whose amplitude is halved; longer waves keep more of it. 0 leads through all
	// points [m].
	Smoothing float64
	Step      float64 // distance between points of the course, rounded so that the length has whole steps [m]
}

// The lines along a track.
const (
	Centre = "centre"          // the reference line of the file
	Race   = "least-curvature" // LeastCurvature
)

// Usual are the options of a course without others.
var Usual = Options{Smoothing: 10, Step: 1}

// Bounds of courses.
const (
	LeastRows  = 5
	mostRows   = 100_000
	mostPoints = 200_000 // of a course
	Longest    = 100_000 // m
)

// Ending is the ending of files with tracks.
const Ending = ".csv"

// Find is the path of a track that a file in a folder names: the path of a file, or the name of a shipped track.
func Find(folder, file string) string {
	return bounded.OrShipped(bounded.In(folder, file), file, shelf.Tracks)
}

// Read reads a track from a CSV file.
func Read(path string, o Options) (*Course, error) {
	text, err := bounded.Track.Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, o)
}

// Parse is Read for the bytes of a file. Errors have the file, the line and the column.
func Parse(file string, text []byte, o Options) (*Course, error) {
	p, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	return p.Course(o)
}

// Points are the points of a track as a file has them, before they are checked and smoothed. Slices have one length; Z
// and Bank are nil without heights and banking.
type Points struct {
	File, Title string
	X, Y, Z     []float64 // [m]
	Left, Right []float64 // [m]
	Bank        []float64 // [rad]
	Lines       []int     // of the file, for messages
	Counts      string    // unit of Lines: "line"
	Opening     string    // remedy of messages: how the file makes a track open
	Ends        Ends
}

// Ends say whether a track is closed.
type Ends int

const (
	ByPlace Ends = iota // closed where the last point is near the first one
	Open
	Closed
)

// Course checks the points, smooths the line, and returns points at even distances.
func (p *Points) Course(o Options) (*Course, error) {
	closed, err := p.check()
	if err != nil {
		return nil, err
	}
	c, pieces, err := p.course(closed, o)
	if err == nil {
		err = p.folds(c, pieces)
	}
	if err != nil {
		return nil, err
	}
	c.Name, c.Title = strings.TrimSuffix(filepath.Base(p.File), filepath.Ext(p.File)), p.Title
	return c, nil
}

// fault is an error at a line of the file.
func (p *Points) fault(i int, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if p.Counts != aLine {
		return p.file("%s: %s", p.place(i), text)
	}
	return fmt.Errorf("%s:%d: %s", p.File, p.Lines[i], text)
}

// aLine is the unit of places in CSV files, anOpenLine the remedy that makes such a track open.
const (
	aLine      = "line"
	anOpenLine = "write the line # open"
)

// place is the place of a point in the file.
func (p *Points) place(i int) string { return fmt.Sprintf("%s %d", p.Counts, p.Lines[i]) }

// file is an error of the whole file.
func (p *Points) file(format string, args ...any) error {
	return fmt.Errorf("%s: %s", p.File, fmt.Sprintf(format, args...))
}

// degrees is an angle in a message.
func degrees(angle float64) float64 { return angle * 180 / math.Pi }
