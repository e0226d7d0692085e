// Package tracks finds and reads tracks: CSV files, and OpenCRG roads by their reference line.
//
//	"club" -> Find -> skidpad:/tracks/club.csv -> Read -> course.Course
package tracks

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/runs/course"
	"skidpad/model/bounded"
	"skidpad/model/road"
	"skidpad/model/shelf"
)

// Find returns the path of a track. A word is the path of a file in one of the folders, or the name of a track or of an
// OpenCRG road in a folder called resources or among the shipped files. The path of a missing file belongs to the first
// folder.
func Find(word string, folders ...string) (string, error) {
	for _, folder := range folders {
		path := bounded.In(folder, word)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		}
	}
	path, err := resources.Tracks.Find(word)
	if err != nil {
		if grid, none := resources.Roads.Find(word); none == nil && isGrid(grid) {
			return grid, nil
		}
		return "", err
	}
	if path != word {
		return path, nil
	}
	shipped := []string{shelf.Tracks}
	if isGrid(word) {
		shipped = append(shipped, shelf.Roads)
	}
	return bounded.OrShipped(bounded.In(folders[0], word), word, shipped...), nil
}

// isGrid reports whether a file is an OpenCRG road.
func isGrid(path string) bool { return strings.EqualFold(filepath.Ext(path), ".crg") }

// Read reads a track.
func Read(path string, o course.Options) (*course.Course, error) {
	if !isGrid(path) {
		return course.Read(path, o)
	}
	surface, err := road.Shape{Kind: road.CRG, File: path}.Open(bounded.Kind.Read)
	if err != nil {
		return nil, err
	}
	line, bare := surface.Line()
	if line == nil {
		return nil, fmt.Errorf("%s: cross-section %d has fewer than two heights; a track has ground between its borders; "+
			"fill the heights, or set GRID_NAN_MODE", path, bare)
	}
	p, err := points(path, line)
	if err != nil {
		return nil, err
	}
	return p.Course(o)
}

// spacing is the distance between the cross-sections that count, as far as the file has so many [m].
const spacing = 1.0

// points are points of a line, at even distances.
func points(path string, line *road.Line) (*course.Points, error) {
	last := len(line.X) - 1
	hypot := func(i, k int) float64 { return math.Hypot(line.X[k]-line.X[i], line.Y[k]-line.Y[i]) }
	length := 0.0
	for i := range last {
		length += hypot(i, i+1)
	}
	if length > course.Longest {
		return nil, fmt.Errorf("%s: the road is %.6g m long; a track has at most %d m", path, length, course.Longest)
	}
	p := &course.Points{File: path, Counts: "cross-section", Opening: "set REFLINE_CONTINUATION to 0", Ends: course.Open}
	switch {
	case line.Closed:
		p.Ends = course.Closed
	case hypot(0, last) <= 2*hypot(0, 1): // as in CSV files
		p.Ends = course.ByPlace
	}
	for i := range line.X {
		for _, x := range []float64{line.X[i], line.Y[i], line.Height[i], line.Left, line.Right} {
			if !(math.Abs(x) <= course.Largest) {
				return nil, fmt.Errorf("%s: cross-section %d has a place, a height or a border at %g m; at most %g m are "+
					"possible; correct the file", path, i+1, x, course.Largest)
			}
		}
	}
	steps := min(max(int(length/spacing), course.LeastRows-1), last)
	for k := range steps + 1 {
		i := k * last / steps
		p.X, p.Y, p.Z = append(p.X, line.X[i]), append(p.Y, line.Y[i]), append(p.Z, line.Height[i])
		p.Left, p.Right = append(p.Left, line.Left), append(p.Right, line.Right)
		p.Bank, p.Lines = append(p.Bank, math.Atan(line.CrossSlope[i])), append(p.Lines, i+1)
	}
	if len(p.X) < course.LeastRows {
		return nil, fmt.Errorf("%s: %d cross-sections; a track has at least %d", path, len(p.X), course.LeastRows)
	}
	return p, nil
}
