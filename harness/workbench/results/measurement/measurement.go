package measurement

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/unit"
)

// Measurement is a measured file with the names of our variables, in SI units. Its time has the shift.
type Measurement struct {
	File    string
	Shift   float64
	Found   *Correlation // how the shift was found; nil where it was given
	mapping Map
	table   *table
	time    []float64 // as in the file [s]; nil without one
	columns map[string]Series
}

// Series is a variable over time, or over the rows of the file where that has no time. It is straight between two
// samples, but not where it has a gap.
type Series struct {
	Name, Unit   string    // the unit is SI; "" where the file does not say it
	Time, Values []float64 // as many; finite
	starts       []int     // of the pieces between gaps
	rows         []int     // of the file
}

// Read reads a measured file.
func Read(path string, m Map) (*Measurement, error) {
	t, err := readTable(path)
	if err != nil {
		return nil, err
	}
	r := &Measurement{File: path, Shift: m.Shift, mapping: m, table: t, columns: map[string]Series{}}
	return r, r.readTime()
}

// readTime finds the time, which a file need not have.
func (m *Measurement) readTime() error {
	as, mapped := m.mapping.Columns["time"]
	if !mapped {
		as = Column{Name: "time", Gain: 1}
		i := slices.IndexFunc(m.table.channels, func(c channel) bool { return isTime(c.Name) })
		if i < 0 {
			return nil
		}
		as.Name = m.table.channels[i].Name
	}
	values, _, err := m.convert("time", "s", as)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(values, math.IsNaN); i >= 0 {
		return fmt.Errorf("%s: row %d, column %s: there is no time; remove the row", m.File, i+1, as.Name)
	}
	if err := trace.CheckTime(as.Name, values); err != nil {
		return fmt.Errorf("%s: %w", m.File, err)
	}
	m.time = values
	return nil
}

// convert returns the values of a column in SI, with gaps. wanted is the unit that they must have, "" for any.
func (m *Measurement) convert(name, wanted string, as Column) (values []float64, si string, err error) {
	c := m.table.find(as.Name)
	if c == nil {
		return nil, "", noSuch(m.File, as.Name, m.table.names())
	}
	if c.fault != nil {
		return nil, "", fmt.Errorf("%s: %w", m.File, c.fault)
	}
	in := c.Unit
	if as.Unit != "" {
		in = as.Unit
	}
	if in == "" {
		return as.si(c.Values, unit.Unit{}), "", nil
	}
	of, err := unitOf(in)
	if err != nil {
		return nil, "", fmt.Errorf("%s: column %s: %w; write the unit into [column] \"%s\", as in unit = \"deg/s\"", m.File,
			as.Name, err, name)
	}
	if wanted != "" {
		w, err := unit.Declared(wanted)
		if err == nil && !alike(of.Exponents, w.Exponents) {
			return nil, "", fmt.Errorf("%s: column %s is in %s, and %s is in %s; map another column, or correct its unit in "+
				"[column]", m.File, as.Name, in, name, wanted)
		}
	}
	return as.si(c.Values, of), of.Base(in), nil
}

// alike reports whether two units are of one dimension; rad and 1 are.
func alike(a, b unit.Exponents) bool {
	last := len(a) - 1
	a[last], b[last] = 0, 0
	return a == b
}

// Has reports whether the file has a column for a variable.
func (m *Measurement) Has(name string) bool { return m.table.find(m.mapping.column(name).Name) != nil }

// HasTime reports whether the file has a time.
func (m *Measurement) HasTime() bool { return m.time != nil }

// Variables are the variables of a run that the file has: those of the map, otherwise all of one name.
func (m *Measurement) Variables(run []string) (list []string, err error) {
	for name := range m.mapping.Columns {
		if name == "time" {
			continue
		}
		if !slices.Contains(run, name) {
			return nil, noSuch("the run", name, run)
		}
		list = append(list, name)
	}
	if slices.Sort(list); list != nil {
		return list, nil
	}
	for _, name := range run {
		if m.Has(name) && name != "time" {
			list = append(list, name)
		}
	}
	if list == nil {
		return nil, fmt.Errorf("%s has no column that is called like a variable of the run; name them in a table [column] "+
			"of --by, as in \"body.wz\" = { name = %q, unit = \"deg/s\" }; it has %s", m.File, m.table.names()[0],
			strings.Join(m.table.names()[:min(12, len(m.table.channels))], ", "))
	}
	return list, nil
}

// Series returns the samples of a variable. The run has it in the unit wanted, "" for an unknown unit.
func (m *Measurement) Series(name, wanted string) (Series, error) {
	s, has := m.columns[name]
	if !has {
		var err error
		if s, err = m.series(name, wanted); err != nil {
			return s, err
		}
		m.columns[name] = s
	}
	s.Time = trace.Mapped(s.Time, func(t float64) float64 { return t + m.Shift })
	if name == "time" {
		s.Values = s.Time
	}
	return s, nil
}

// series is a variable without the shift.
func (m *Measurement) series(name, wanted string) (s Series, err error) {
	as := m.mapping.column(name)
	if name == "time" && m.time != nil {
		s.Name, s.Unit, s.Values = "time", "s", m.time
	} else if s.Values, s.Unit, err = m.convert(name, wanted, as); err != nil {
		return s, err
	}
	s.Name = name
	all := s.Values
	s.Values = nil
	for i, x := range all {
		if math.IsNaN(x) {
			continue
		}
		if math.IsInf(x, 0) {
			return s, fmt.Errorf("%s: row %d, column %s: %g is not a finite number", m.File, i+1, as.Name, x)
		}
		t := float64(i)
		if m.time != nil {
			t = m.time[i]
		}
		s.Time, s.Values, s.rows = append(s.Time, t), append(s.Values, x), append(s.rows, i)
	}
	if len(s.Values) < 2 {
		return s, fmt.Errorf("%s: column %s has fewer than two values", m.File, as.Name)
	}
	s.starts = pieces(s.Time)
	if as.Filter > 0 {
		if m.time == nil {
			return s, fmt.Errorf("%s: column %s cannot be filtered, because the file has no time", m.File, as.Name)
		}
		return s, s.filter(as.Filter)
	}
	return s, nil
}

// pieces are the first samples of pieces between gaps. A gap is longer than 1.9 times the median distance of samples:
// one sample that is missing makes one.
func pieces(time []float64) []int {
	const longest = 1.9
	step := medianStep(time)
	starts := []int{0}
	for i := 1; i < len(time); i++ {
		if time[i]-time[i-1] > longest*step {
			starts = append(starts, i)
		}
	}
	return starts
}

// medianStep is the median distance of times.
func medianStep(time []float64) float64 {
	steps := make([]float64, 0, len(time))
	for i := 1; i < len(time); i++ {
		if d := time[i] - time[i-1]; d > 0 {
			steps = append(steps, d)
		}
	}
	if len(steps) == 0 {
		return 0
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// Starts are the first samples of the pieces between gaps.
func (s Series) Starts() []int { return s.starts }

// Pieces are the bounds of the pieces between gaps.
func (s Series) Pieces() (list [][2]int) {
	for k, from := range s.starts {
		to := len(s.Time)
		if k+1 < len(s.starts) {
			to = s.starts[k+1]
		}
		list = append(list, [2]int{from, to})
	}
	return list
}

// Covers reports whether a time is not within a gap.
func (s Series) Covers(t float64) bool {
	i := sort.SearchFloat64s(s.Time, t)
	return i == 0 || i == len(s.Time) || s.Time[i] == t || !slices.Contains(s.starts, i)
}

// Paired are the values of two variables in the rows that have both.
func Paired(a, b Series) (x, y Series) {
	x, y = Series{Name: a.Name, Unit: a.Unit}, Series{Name: b.Name, Unit: b.Unit}
	for i, k := 0, 0; i < len(a.rows) && k < len(b.rows); {
		switch d := a.rows[i] - b.rows[k]; {
		case d < 0:
			i++
		case d > 0:
			k++
		default:
			x.Time, x.Values, x.rows = append(x.Time, a.Time[i]), append(x.Values, a.Values[i]), append(x.rows, a.rows[i])
			y.Time, y.Values, y.rows = append(y.Time, b.Time[k]), append(y.Values, b.Values[k]), append(y.rows, b.rows[k])
			i, k = i+1, k+1
		}
	}
	return x, y
}

// interpolated is the value of a curve at a time, straight between its samples; false outside.
func interpolated(time, values []float64, t float64) (x float64, ok bool) {
	i := sort.SearchFloat64s(time, t)
	switch {
	case i == len(time):
		return 0, false
	case time[i] == t:
		return values[i], true
	case i == 0:
		return 0, false
	}
	u := (t - time[i-1]) / (time[i] - time[i-1])
	return values[i-1] + u*(values[i]-values[i-1]), true
}
