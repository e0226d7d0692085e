package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Published are the values that a source states for each combination of a study.
type Published struct {
	File, Table string // a TOML file, and the name of a table in it
	values      []float64
	best        []float64 // of what is searched over; nil where none is published
	variations  []manoeuvre.Variation
}

// read reads the values of a study: nested lists, in the order of its variations.
func (p *Published) read(s *Study) error {
	data, err := bounded.Study.Read(p.File)
	if err != nil {
		return err
	}
	root, err := document.Parse(data, p.File)
	if err != nil {
		return err
	}
	r := keys.NewReader(p.File, root, nil)
	tables := r.Named(root, "the file", &publishedTable)
	if !tables.Require(p.Table) {
		return r.Err()
	}
	table := tables.Sub(p.Table)
	p.variations = s.Variations
	if table.Table != nil && table.Require("values") {
		p.values = p.nested(r, table, "values")
	}
	if s.Search != nil && table.Given("best") {
		p.best = p.nested(r, table, "best")
	}
	return r.Err()
}

// publishedTable is a table of a file of published values: lists by the names values and best.
var publishedTable = keys.Key{Shape: keys.NamedShape, Text: "published values", Value: &keys.Key{Shape: keys.ListShape,
	Text: "lists within each other, a level for each variation", Value: &keys.Key{Plain: true}}}

// nested reads a list with a level for each variation.
func (p *Published) nested(r *keys.Reader, table *keys.Fields, key string) []float64 {
	var all []float64
	var level func(n *document.Node, variations []manoeuvre.Variation)
	level = func(n *document.Node, variations []manoeuvre.Variation) {
		switch {
		case len(variations) == 0 && n.Kind != document.Number:
			r.At(n, "%s holds %s; it must be a number", table.PathOf(key), n)
		case len(variations) == 0:
			all = append(all, n.Number)
		case n.Kind != document.List:
			r.At(n, "%s holds %s; it must be a list", table.PathOf(key), n)
		default:
			if v := variations[0]; len(n.Items) != len(v.Values) {
				r.At(n, "%s is %s; the study has %d values of %s", table.PathOf(key), n, len(v.Values), v.Name)
			}
			for _, item := range n.Items {
				level(item, variations[1:])
			}
		}
	}
	level(table.Node(key), p.variations)
	return all
}

// at returns what is published for values of the variations, not a number where there is nothing.
func (p *Published) at(values []float64) (value, best float64) {
	k := 0
	for i, v := range p.variations {
		at := slices.Index(v.Values, values[i])
		if at < 0 {
			return math.NaN(), math.NaN()
		}
		k = k*len(v.Values) + at
	}
	if p.best == nil {
		return p.values[k], math.NaN()
	}
	return p.values[k], p.best[k]
}

// Result is the table of a study with a search or with published values, from the table of all its runs. Each run
// lasted the duration [s] unless it failed. Each combination has the characteristic value "largest", the largest
// magnitude of all recorded variables. With a search it has "least", the least of these, and the value of the search
// that gives it. Published values stand beside them. Runs that failed do not count.
func (s *Study) Result(runs *trace.Table, duration float64) *trace.Table {
	if s.Search == nil && s.Published == nil {
		return runs
	}
	varied, among, name := len(s.Variations), 1, "largest"
	t := &trace.Table{Columns: slices.Clone(runs.Columns[:varied])}
	if s.Search != nil {
		among, name = len(s.Search.Values), "least"
		t.Columns = append(t.Columns, s.Search.Name)
		varied++
	}
	t.Columns = append(t.Columns, name)
	if s.Published != nil {
		t.Columns = append(t.Columns, "published", "difference_percent")
		if s.Published.best != nil {
			t.Columns = append(t.Columns, "published."+s.Search.Name)
		}
	}
	for first := 0; first+among <= len(runs.Rows); first += among {
		row, least := slices.Clone(runs.Rows[first][:varied]), math.NaN()
		if s.Search != nil {
			row[varied-1] = math.NaN()
		}
		for _, run := range runs.Rows[first : first+among] {
			if x := largest(runs.Columns, run, duration); !(least <= x) && x == x {
				least = x
				copy(row, run[:varied])
			}
		}
		row = append(row, least)
		if s.Published != nil {
			value, best := s.Published.at(row)
			row = append(row, value, 100*(least/value-1))
			if s.Published.best != nil {
				row = append(row, best)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// largest is the largest magnitude of a run, not a number if it has failed.
func largest(columns []string, run []float64, duration float64) float64 {
	x := math.NaN()
	for i, column := range columns {
		switch {
		case column == "end" && run[i] < duration*(1-1e-9):
			return math.NaN()
		case strings.HasSuffix(column, ".least") || strings.HasSuffix(column, ".largest"):
			if v := math.Abs(run[i]); !(x >= v) {
				x = v
			}
		}
	}
	return x
}

// Agreement says how many values of a result are near those that are published; "" where there are none.
func (s *Study) Agreement(result *trace.Table) string {
	at := slices.Index(result.Columns, "difference_percent")
	if at < 0 {
		return ""
	}
	var all []float64
	near := [2]int{}
	for _, row := range result.Rows {
		d := math.Abs(row[at])
		if math.IsNaN(d) {
			continue
		}
		all = append(all, d)
		for i, limit := range [2]float64{2, 5} {
			if d <= limit {
				near[i]++
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	median := (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	text := fmt.Sprintf("%d of %d values are within 2 %% of those published, %d within 5 %%; the median difference is "+
		"%.2g %%", near[0], len(all), near[1], median)
	if best := len(result.Columns) - 1; s.Published.best != nil {
		same := 0
		for _, row := range result.Rows {
			if row[best] == row[len(s.Variations)] {
				same++
			}
		}
		text += fmt.Sprintf("; %d have the same %s", same, s.Search.Name)
	}
	return text
}
