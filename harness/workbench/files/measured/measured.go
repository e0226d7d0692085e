// Package measured reads the tables of a K&C measurement of an axle: CSV files with the columns of kc.csv, or with
// other names, units and signs that a file of names maps to them.
//
//	FOLDER -> rows -> Axle: the curves of both wheels by test, in SI units with the signs of kc.csv
package measured

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/unit"
)

// Axle are the curves of an axle.
type Axle struct {
	Tests   map[string]*Test // by name
	Files   []string         // that were read
	Ignored []string         // columns and tests without a use
}

// Test is a curve of both wheels over what the test varies.
type Test struct {
	Name string
	Unit string    // of At, SI
	At   []float64 // rising
	// Sides are the columns of the left and the right wheel; a column that was not measured is missing.
	Sides [2]map[string][]float64
}

// testNames are the names of tests, with the unit of what each varies. The unit of steer is m or rad.
var testNames = []struct{ name, unit string }{{"bounce", "m"}, {"roll", "m"}, {"steer", ""},
	{"lateral_parallel", "N"}, {"lateral_opposed", "N"}, {"braking", "N"}, {"driving", "N"},
	{"aligning_parallel", "N.m"}, {"aligning_opposed", "N.m"}}

// wheelColumns are the columns of a wheel that are read, with their units.
var wheelColumns = []struct{ name, unit string }{{"travel", "m"}, {"toe", "rad"}, {"camber", "rad"}, {"x", "m"},
	{"y", "m"}, {"Fz", "N"}, {"castor", "rad"}, {"contact_y", "m"}}

// unused are columns of kc.csv that no part of a corner needs.
var unused = []string{"camber_front_view_left", "camber_front_view_right", "contact_x_left", "contact_x_right", "rack",
	"rack_force"}

// needed are the columns that a test must have. Others are used where they exist.
var needed = map[string][]string{"bounce": {"travel", "toe", "camber", "x", "y", "Fz"}, "roll": {"travel", "Fz"},
	"steer": {"toe", "camber", "x", "y"}}

// least is the smallest number of rows of a test.
const least = 5

var sides = [2]string{"left", "right"}

// Whole is the name of a file with all tests, which the column test names.
const Whole = "kc.csv"

// Read reads a folder: kc.csv, or a file for each test, such as bounce.csv and lateral_parallel.csv. In place of the
// folder, the path can be that of a file with all tests.
func Read(path string, names *Names) (*Axle, error) {
	a := &Axle{Tests: map[string]*Test{}}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	file := path
	if info.IsDir() {
		file = filepath.Join(path, Whole)
	}
	switch err := a.file(file, "", names); {
	case err == nil:
	case !info.IsDir() || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		for _, t := range testNames {
			err := a.file(filepath.Join(path, t.name+".csv"), t.name, names)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	if len(a.Files) == 0 {
		return nil, fmt.Errorf("%s: the folder has neither %s with all tests nor a file of a test, such as bounce.csv; the "+
			"tests are %s", path, Whole, listOfTests())
	}
	if a.Tests["bounce"] == nil {
		return nil, fmt.Errorf("%s: the test bounce is missing; kinematics and springs come from it. The file has %s; "+
			"[tests] of --names maps the names of tests", a.Files[0], strings.Join(a.names(), ", "))
	}
	return a, nil
}

func listOfTests() string {
	var list []string
	for _, t := range testNames {
		list = append(list, t.name)
	}
	return strings.Join(list, ", ")
}

// names are the tests in the order of kc.csv.
func (a *Axle) names() (list []string) {
	for _, t := range testNames {
		if a.Tests[t.name] != nil {
			list = append(list, t.name)
		}
	}
	if list == nil {
		list = []string{"no test that is known"}
	}
	return list
}

// file reads a file of one test, or of all tests.
func (a *Axle) file(path, test string, names *Names) error {
	text, err := bounded.Measured.Read(path)
	if err != nil {
		return err
	}
	if err := a.parse(text, path, test, names); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	a.Files = append(a.Files, path)
	return nil
}

// field is a column of a file.
type field struct {
	index  int
	header string
	key    string // such as toe_left, or test, over, at
	unit   string // as written, "" for none
	sign   float64
	of     unit.Unit // of wheels
}

// table reads a file.
type table struct {
	*Axle
	rows   *bounded.Rows
	names  *Names
	fields []field
	lines  map[string][]int // of the rows of tests
	empty  map[string]int   // line of the first empty cell, by test and column
}

// parse reads the text of a file.
func (a *Axle) parse(text []byte, path, test string, names *Names) error {
	if names == nil {
		names = &Names{}
	}
	t := &table{Axle: a, rows: bounded.NewRows(bytes.NewReader(text)), names: names, lines: map[string][]int{},
		empty: map[string]int{}}
	t.rows.Comment = '#'
	header, err := t.rows.Next()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty; it needs a header such as test, travel_left [mm], toe_left [deg] and rows of " +
			"numbers")
	}
	if err != nil {
		return err
	}
	if err := t.header(header, test); err != nil {
		return err
	}
	ignored := map[string]bool{}
	for {
		row, err := t.rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		of := test
		if i := t.find("test"); i != nil {
			given := strings.TrimSpace(row[i.index])
			if of = names.test(given); !slices.ContainsFunc(testNames, func(n struct{ name, unit string }) bool {
				return n.name == of
			}) {
				if !ignored[given] {
					ignored[given] = true
					a.Ignored = append(a.Ignored, fmt.Sprintf("the rows of the test %s, which is none of %s", quoted(given),
						listOfTests()))
				}
				continue
			}
		}
		if err := t.row(of, row); err != nil {
			line, _ := t.rows.Place(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	for _, n := range testNames {
		if of := a.Tests[n.name]; of != nil && t.lines[n.name] != nil {
			if err := t.finish(of); err != nil {
				return err
			}
		}
	}
	return nil
}
