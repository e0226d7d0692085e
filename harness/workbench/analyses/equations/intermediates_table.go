package equations

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Published are the costs of the intermediates of the front left tire of the generic vehicle, by Morency (2007), Tables
// 4.4 and 4.5.
type Published struct {
	Title string
	Rows  []PublishedRow `toml:"row"`
}

// PublishedRow is a row of the tables. It has no Complete where the source's program ran out of memory; Damaged says
// which cells the copy at hand has lost.
type PublishedRow struct {
	Name, Damaged string
	Complete      []int
	Sequence      []int
}

// PublishedModel is the name of the model that the published costs are for.
const PublishedModel = "GenericVehicle"

// ReadPublished reads the published costs.
func ReadPublished(path string) (*Published, error) {
	text, err := bounded.Facts.Read(path)
	if err != nil {
		return nil, err
	}
	p := &Published{}
	return p, document.Decode(text, path, p)
}

// row returns the row of a name, nil if missing.
func (p *Published) row(name string) *PublishedRow {
	if p == nil {
		return nil
	}
	i := slices.IndexFunc(p.Rows, func(r PublishedRow) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Rows[i]
}

// Table is the cost of a tire's intermediates, beside the published values, which may be nil.
type Table struct {
	Model, Tire string
	Rows        []Intermediate
	Published   *Published
}

// Print prints the table.
func (t *Table) Print(w io.Writer) {
	const row, narrow = 6, 4 // widths
	groups := []struct {
		name  string
		width int // of a column
	}{{"complete substitution", 9}, {"sequence", narrow}, {"added", narrow}, {"Morency: complete", 5},
		{"Morency: sequence", narrow}}
	if t.Published == nil {
		groups = groups[:3]
	}
	fmt.Fprintf(w, "%s of %s: cost of each intermediate\n\n", t.Tire, t.Model)
	names, signs := strings.Repeat(" ", row), strings.Repeat(" ", row)
	for _, g := range groups {
		names += fmt.Sprintf("  %-*s", 4*(g.width+1)-1, g.name)
		signs += " "
		for _, sign := range [...]string{"+", "x", "div", "f"} {
			signs += fmt.Sprintf(" %*s", g.width, sign)
		}
	}
	fmt.Fprintf(w, "%s  place\n%s\n", names, signs)
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%-*s", row, r.Name)
		for i, c := range [...]Operations{r.Complete, r.Sequence, r.Added} {
			fmt.Fprint(w, " ")
			for _, n := range c {
				fmt.Fprintf(w, " %*.7g", groups[i].width, n)
			}
		}
		mark := ""
		if p := t.Published.row(r.Name); p != nil {
			publishedCells(w, p.Complete, groups[3].width)
			publishedCells(w, p.Sequence, groups[4].width)
			if p.Damaged != "" {
				mark = "  *"
			}
		}
		fmt.Fprintf(w, "  %s%s\n", r.positions(), mark)
	}
	t.explain(w)
}

func publishedCells(w io.Writer, cells []int, width int) {
	fmt.Fprint(w, " ")
	for i := range 4 {
		if cells == nil {
			fmt.Fprintf(w, " %*s", width, "-")
		} else {
			fmt.Fprintf(w, " %*d", width, cells[i])
		}
	}
}

// explain says what the columns are.
func (t *Table) explain(w io.Writer) {
	fmt.Fprint(w, "\ncomplete substitution: written out in states and inputs, nothing shared; parameters are numbers\n"+
		"sequence: rows above stay names, except u_z\n"+
		"added: what the row adds to all rows above after elimination of common subexpressions\n"+
		"place: earliest and latest place in the order of evaluation\n")
	if t.Published == nil {
		return
	}
	fmt.Fprint(w, "Morency (2007), Tables 4.4 and 4.5, counted by Maple; -: its program ran out of memory\n")
	for _, r := range t.Published.Rows {
		if r.Damaged != "" {
			fmt.Fprintf(w, "* %s: %s\n", r.Name, r.Damaged)
		}
	}
}

// positions is the range of positions of a row.
func (r *Intermediate) positions() string {
	switch r.Earliest {
	case 0:
		return "-"
	case r.Latest:
		return fmt.Sprint(r.Earliest)
	}
	return fmt.Sprintf("%d to %d", r.Earliest, r.Latest)
}

// operationsJSON are operations as JSON has them.
type operationsJSON struct {
	Additions       float64 `json:"additions"`
	Multiplications float64 `json:"multiplications"`
	Divisions       float64 `json:"divisions"`
	Functions       float64 `json:"functions"`
}

func operationsOf(c Operations) *operationsJSON {
	return &operationsJSON{c[additions], c[multiplications], c[divisions], c[functions]}
}

func publishedOperations(cells []int) *operationsJSON {
	if cells == nil {
		return nil
	}
	var c Operations
	for i, n := range cells {
		c[i] = float64(n)
	}
	return operationsOf(c)
}

// WriteJSON writes what Print prints.
func (t *Table) WriteJSON(to io.Writer) error {
	type publishedJSON struct {
		Complete *operationsJSON `json:"complete"`
		Sequence *operationsJSON `json:"sequence"`
		Damaged  string          `json:"damaged,omitempty"`
	}
	type rowJSON struct {
		Name      string          `json:"name"`
		Complete  *operationsJSON `json:"complete"`
		Sequence  *operationsJSON `json:"sequence"`
		Added     *operationsJSON `json:"added"`
		Earliest  int             `json:"earliest"`
		Latest    int             `json:"latest"`
		Published *publishedJSON  `json:"published,omitempty"`
	}
	data := struct {
		Model         string    `json:"model"`
		Tire          string    `json:"tire"`
		Intermediates []rowJSON `json:"intermediates"`
	}{Model: t.Model, Tire: t.Tire}
	for _, r := range t.Rows {
		row := rowJSON{r.Name, operationsOf(r.Complete), operationsOf(r.Sequence), operationsOf(r.Added), r.Earliest,
			r.Latest, nil}
		if p := t.Published.row(r.Name); p != nil {
			row.Published = &publishedJSON{publishedOperations(p.Complete), publishedOperations(p.Sequence), p.Damaged}
		}
		data.Intermediates = append(data.Intermediates, row)
	}
	return output.WriteJSON(to, data)
}
