package measured

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/document"
	"skidpad/model/unit"
)

// header finds the columns.
func (t *table) header(header []string, test string) error {
	var given, idle []string
	for i, text := range header {
		text = strings.TrimSpace(text)
		title, rest, has := strings.Cut(text, "[")
		title = strings.TrimSpace(title)
		given = append(given, title)
		f := field{index: i, header: text, sign: 1}
		if has && strings.HasSuffix(rest, "]") {
			f.unit = strings.TrimSpace(strings.TrimSuffix(rest, "]"))
		}
		f.key, f.sign = t.names.column(text, title)
		if f.key == "over" {
			f.unit = ""
		}
		if !slices.Contains(known, f.key) {
			if slices.Contains(unused, f.key) {
				idle = append(idle, text)
				continue
			}
			a := fmt.Sprintf("the column %s, which is no column of kc.csv", quoted(text))
			if near := document.Nearest(f.key, known); near != "" {
				a += "; the nearest is " + near
			}
			t.Ignored = append(t.Ignored, a)
			continue
		}
		if first := t.find(f.key); first != nil {
			return fmt.Errorf("the columns %s and %s are both %s; rename one, or map it by [names] of --names",
				quoted(first.header), quoted(text), f.key)
		}
		if wanted := unitOf(f.key); wanted != "" {
			if f.unit == "" {
				return fmt.Errorf("the column %s lacks its unit; write %s [%s] or another unit of this dimension", quoted(text),
					title, wanted)
			}
			of, err := unit.Fit(f.unit, wanted)
			if err != nil {
				return fmt.Errorf("the column %s: %w", quoted(text), err)
			}
			f.of = of
		}
		t.fields = append(t.fields, f)
	}
	if len(idle) > 0 {
		t.Ignored = append(t.Ignored, shortened(idle)+", which no part of the corner needs")
	}
	if test == "" && t.find("test") == nil {
		return fmt.Errorf("the column test is missing; it tells the test of each row: %s. The columns are %s", listOfTests(),
			shortened(given))
	}
	if t.find("travel_left") == nil {
		return fmt.Errorf("the column travel_left is missing; the left wheel is needed, the right one is optional. [names] "+
			"of "+
			"--names maps columns. The columns are %s", shortened(given))
	}
	return nil
}

// known are the keys of columns.
var known = func() []string {
	list := []string{"test", "over", "at"}
	for _, c := range wheelColumns {
		for _, side := range sides {
			list = append(list, c.name+"_"+side)
		}
	}
	return list
}()

// unitOf is the SI unit of a column of a wheel, "" for others.
func unitOf(key string) string {
	name := key[:max(strings.LastIndexByte(key, '_'), 0)]
	for _, c := range wheelColumns {
		if c.name == name {
			return c.unit
		}
	}
	return ""
}

func (t *table) find(key string) *field {
	if i := slices.IndexFunc(t.fields, func(f field) bool { return f.key == key }); i >= 0 {
		return &t.fields[i]
	}
	return nil
}

// row adds a row to a test.
func (t *table) row(name string, row []string) error {
	of := t.Tests[name]
	switch {
	case of == nil:
		of = &Test{Name: name, Sides: [2]map[string][]float64{{}, {}}}
		t.Tests[name] = of
	case len(of.At) == mostRows:
		return fmt.Errorf("the test %s has more than %d rows; thin them, 5 mm or 200 N apart are enough", name, mostRows)
	}
	line, _ := t.rows.Place(0)
	t.lines[name] = append(t.lines[name], line)
	n := len(of.At)
	for i := range t.fields {
		f := &t.fields[i]
		if unitOf(f.key) == "" {
			continue
		}
		cut := strings.LastIndexByte(f.key, '_')
		side := slices.Index(sides[:], f.key[cut+1:])
		key := f.key[:cut]
		text := strings.TrimSpace(row[f.index])
		if text == "" {
			if t.empty[name+" "+f.key] == 0 {
				t.empty[name+" "+f.key] = line
			}
			of.Sides[side][key] = append(of.Sides[side][key], math.NaN())
			continue
		}
		x, err := number(text)
		if err != nil {
			return fmt.Errorf("column %s: %w", quoted(f.header), err)
		}
		of.Sides[side][key] = append(of.Sides[side][key], f.sign*f.of.Of(x))
	}
	at, err := t.at(of, row, n)
	if err != nil {
		return err
	}
	of.At = append(of.At, at)
	return nil
}

// mostRows bounds the rows of a test.
const mostRows = 2000

// number is a finite number.
func number(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x-x) || math.Abs(x) > 1e9 {
		return 0, fmt.Errorf("%s is not a finite number of at most 1e9", quoted(text))
	}
	return x, nil
}

// at is the place of a row in its test. Motions up and down need no column of their own.
func (t *table) at(of *Test, row []string, n int) (float64, error) {
	f, wanted := t.find("at"), ""
	for _, test := range testNames {
		if test.name == of.Name {
			wanted = test.unit
		}
	}
	switch {
	case of.Name == "bounce":
		of.Unit = "m"
		return of.Sides[0]["travel"][n], nil
	case of.Name == "roll":
		of.Unit = "m"
		return -of.Sides[0]["travel"][n], nil
	case f == nil:
		return 0, fmt.Errorf("the test %s needs the column at, with what it varies: at [%s] here", of.Name,
			orSteering(wanted))
	}
	name := f.unit
	if over := t.find("over"); over != nil && (name == "SI" || name == "") {
		_, rest, _ := strings.Cut(row[over.index], "[")
		name = strings.TrimSuffix(strings.TrimSpace(rest), "]")
	}
	if name == "SI" && wanted != "" {
		name = wanted
	}
	if wanted == "" {
		wanted = "rad"
		if u, err := unit.Parse(name); err == nil && u.Exponents == length {
			wanted = "m"
		}
	}
	u, err := unit.Fit(name, wanted)
	if name == "" || err != nil {
		return 0, fmt.Errorf("the column at of the test %s has no unit of its own; write at [%s], or [SI] with the unit in "+
			"the column over, such as load [N]", of.Name, orSteering(wanted))
	}
	if of.Unit != "" && of.Unit != wanted {
		return 0, fmt.Errorf("the test %s varies a length and an angle; keep one", of.Name)
	}
	of.Unit = wanted
	x, err := number(strings.TrimSpace(row[f.index]))
	if err != nil {
		return 0, fmt.Errorf("column %s: %w", quoted(f.header), err)
	}
	return f.sign * u.Of(x), nil
}

var length = func() unit.Exponents {
	u, _ := unit.Declared("m")
	return u.Exponents
}()

func orSteering(unit string) string {
	if unit == "" {
		return "mm] of the rack or at [deg"
	}
	return unit
}

// finish checks a test and puts its rows in order.
func (t *table) finish(of *Test) error {
	lines, n := t.lines[of.Name], len(of.At)
	for side := range sides {
		for _, c := range wheelColumns {
			values := of.Sides[side][c.name]
			gaps := 0
			for _, x := range values {
				if math.IsNaN(x) {
					gaps++
				}
			}
			switch {
			case gaps == n:
				delete(of.Sides[side], c.name)
			case gaps > 0:
				return fmt.Errorf("line %d: the test %s has no number in the column %s_%s; fill the cell, or leave the column "+
					"empty in the whole test", t.empty[of.Name+" "+c.name+"_"+sides[side]], of.Name, c.name, sides[side])
			}
		}
	}
	wanted := needed[of.Name]
	if wanted == nil {
		wanted = []string{"toe", "camber"}
	}
	for _, key := range wanted {
		if of.Sides[0][key] == nil {
			return fmt.Errorf("the test %s has no column %s_left, which it needs; [names] of --names maps columns with other "+
				"names", of.Name, key)
		}
	}
	if n < least {
		return fmt.Errorf("line %d: the test %s has %d rows; it needs %d, on both sides of 0", lines[0], of.Name, n, least)
	}
	if of.At[n-1] < of.At[0] {
		slices.Reverse(of.At)
		slices.Reverse(lines)
		for side := range sides {
			for _, values := range of.Sides[side] {
				slices.Reverse(values)
			}
		}
	}
	for i := 1; i < n; i++ {
		if of.At[i] <= of.At[i-1] {
			return fmt.Errorf("line %d: the test %s goes back from %.6g to %.6g %s; its rows must rise or fall steadily: take "+
				"one direction of the loop, or the mean of both", lines[i], of.Name, of.At[i-1], of.At[i], of.Unit)
		}
	}
	if of.At[0] >= 0 || of.At[n-1] <= 0 {
		return fmt.Errorf("line %d: the test %s goes from %.6g to %.6g %s; it must have rows on both sides of 0, the design "+
			"position", lines[0], of.Name, of.At[0], of.At[n-1], of.Unit)
	}
	return nil
}

// quoted is a string of the file in a message.
func quoted(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "..."
	}
	return strconv.Quote(text)
}

// shortened is a list of names in a message.
func shortened(names []string) string {
	const most = 24
	var list []string
	for i, name := range names {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		list = append(list, quoted(name))
	}
	return strings.Join(list, ", ")
}
