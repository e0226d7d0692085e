package verify

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"skidpad/harness/evidence/references"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
)

// WriteReport writes what was verified as an HTML file.
func (v *Verified) WriteReport(to io.Writer, library *library.Library, convergence *Convergence) error {
	page := &report.Page{
		Title: "Skidpad: verification",
		Subtitle: "The library, driven through its C interface, next to an independent multibody solver and to " +
			"Morency (2007)",
		Facts: []report.Fact{
			{Name: "library", Value: library.Version + ", native C interface"},
			{Name: "reference",
				Value: "absolute coordinates, Lagrange multipliers, stabilised index 2, BDF of variable order and " +
					"step; no formulation shared with the library"},
			{Name: "third party",
				Value: "MuJoCo, driven by a script that rebuilds both vehicles (resources/references/witness)"},
			{Name: "machine", Value: fmt.Sprintf("%s %s, %d processors", runtime.GOOS, runtime.GOARCH,
				runtime.NumCPU())},
			{Name: "made", Value: time.Now().UTC().Format("2006-01-02 15:04 UTC")},
		},
	}
	page.Sections = append(page.Sections,
		report.Section{
			Title: "Runs against their references",
			Text: "Every quantity that the library publishes is compared with the reference solver at samples of " +
				"0.05 s. The table shows, for each run, the quantity that uses most of what it is allowed; all " +
				"quantities stand with the plots of the run.",
			Blocks: []report.Block{v.runTable()},
		},
		report.Section{
			Title: "Published statements: Morency (2007)",
			Text: "Statements of Morency (2007), chapter 5, about results, and how they are measured; explicit Euler " +
				"is compared with the reference.",
			Blocks: []report.Block{v.statementBlock()},
		},
		report.Section{
			Title:  "Cost and time",
			Blocks: []report.Block{block(v.solverTable()), block(v.costTable())},
		},
	)
	if len(v.Linear) > 0 {
		page.Sections = append(page.Sections, report.Section{
			Title: "Linear equations",
			Text: "Eigenvalues about steady motions, made in two ways that share nothing: the symbolic equations, " +
				"differentiated, and Minaker's formulation, body by body with the tangent stiffness of the forces of " +
				"the steady motion.",
			Blocks: []report.Block{block(v.linearTable())},
		})
	}
	if convergence != nil {
		page.Sections = append(page.Sections, convergence.section())
	}
	if energies := v.energyTable(); len(energies.rows) > 0 {
		page.Sections = append(page.Sections, report.Section{
			Title: "Balance of energy", Text: "What is stored at the begin, and supplied, is dissipated or stored at the end.",
			Blocks: []report.Block{block(energies)},
		})
	}
	shown := map[string]bool{}
	for i := range v.Runs {
		if r := v.Runs[i].Reference; !shown[r.Name] {
			shown[r.Name] = true
			page.Sections = append(page.Sections, v.runSection(r))
		}
	}
	page.Sections = append(page.Sections, v.accuracySection())
	return page.Write(to)
}

// block shows a table as it stands on the terminal.
func block(t table) *report.Table {
	b := &report.Table{Title: t.title, Note: t.note, Rows: t.rows}
	for i, name := range t.columns {
		kind := map[byte]report.Kind{'w': report.Words, 'n': report.Number, 'v': report.Verdict}[t.kinds[i]]
		b.Columns = append(b.Columns, report.Column{Name: name, Kind: kind})
	}
	return b
}

func (v *Verified) runTable() *report.Table { return block(v.comparisonTable(false)) }

// comparisonTable has a row for the worst quantity of each run, or for every quantity.
func (v *Verified) comparisonTable(every bool) table {
	t := table{
		title: "Largest differences", kinds: "wwnnnnnnv",
		columns: []string{"run", "quantity", "largest difference", "at, s", "RMS", "of its range", "allowed",
			"quantities", "verdict"},
		note: "RK4 at 1 ms: 1e-6 m, 1e-7 rad, 1e-6 m/s, 1e-4 rad/s of wheel spin; other quantities 1e-5 of their " +
			"range. Linearly implicit at 1 ms: what explicit Euler does in an independent simulation, at 0.5 ms in " +
			"the braking runs and 1 ms in the others.",
	}
	for i := range v.Runs {
		r := &v.Runs[i]
		list := r.Comparisons
		if !every {
			list = []Comparison{*worst(list)}
		}
		for _, c := range list {
			pass := c.Pass()
			if !every {
				pass = r.Pass()
			}
			t.rows = append(t.rows, []string{r.Name(), c.Quantity, fmt.Sprintf("%.2g %s", c.Max, c.Unit),
				fmt.Sprintf("%.4g", c.At),
				fmt.Sprintf("%.2g", c.RMS), c.share(), fmt.Sprintf("%.2g", c.Bound), fmt.Sprint(len(r.Comparisons)),
				report.PassOrFail(pass)})
		}
	}
	return t
}

func (v *Verified) statementBlock() *report.Statements {
	b := &report.Statements{}
	for _, s := range v.Statements {
		text := s.Statement
		for _, source := range v.Source.Statements {
			if source.Name == s.Name {
				text = source.Text
			}
		}
		if s.Name == "G12" { // which holds at half a millisecond only when braking
			text += " (here: " + s.Statement + ")"
		}
		b.Items = append(b.Items, report.Statement{Name: s.Name, Text: text, Run: s.Run, Measured: s.Measured,
			Bound: s.Bound, Pass: s.Pass, NotJudged: s.NotJudged})
	}
	return b
}

// shownQuantities are plotted of the body, as far as a model has them, with the least range of the vertical axis.
var shownQuantities = []struct {
	display.Quantity
	span float64
}{
	{display.X, 0.1}, {display.Y, 0.1}, {display.Speed, 0.1}, {display.YawRate, 0.01}, {display.Roll, 0.01},
	{display.Pitch, 0.01},
}

// shownOfCorners are plotted of wheels and tires.
var shownOfCorners = []struct {
	prefix, suffix, label, unit string
	span                        float64
}{
	{"wheel_", ".omega", "spin", "rad/s", 0.1}, {"tire_", ".Fz", "Fz", "kN", 0.01}, {"tire_", ".Fx", "Fx", "kN", 0.01},
	{"tire_", ".Fy", "Fy", "kN", 0.01}, {"tire_", ".Mz", "Mz", "N.m", 1},
	{"tire_", ".kappa", "longitudinal slip", "", 0.001},
}

// runSection shows the runs of one reference: plots of the first tree, every quantity in a
// table that is folded away.
func (v *Verified) runSection(r *references.Reference) report.Section {
	s := report.Section{
		Title: r.Name,
		Text: fmt.Sprintf("Model %s, manoeuvre %s%s. The reference solver with tolerance %.0e and the library with "+
			"RK4 at 1 ms; below each plot, the library less the reference.",
			r.Model, r.Manoeuvre, prefixed(", tires ", r.Facts.Tires), r.Facts.Tolerance),
	}
	var own Verified
	for i := range v.Runs {
		if v.Runs[i].Reference == r {
			own.Runs = append(own.Runs, v.Runs[i])
		}
	}
	run := &own.Runs[0]
	grid := &report.Grid{}
	add := func(quantity, label string, scale, span float64) {
		if !r.Trace.Has(quantity) || !run.Trace.Has(quantity) {
			return
		}
		scaled := func(t *trace.Trace) []float64 {
			return trace.Mapped(t.Column(quantity), func(x float64) float64 { return x / scale })
		}
		f := &report.Plot{
			Title: quantity, X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: label, Span: span},
			Difference: &report.Axis{Label: "difference", Span: span * 1e-9},
			Curves: []report.Curve{
				{Label: "reference", X: r.Trace.Time, Y: scaled(r.Trace), Broad: true},
				{Label: "Skidpad, " + run.Method, X: run.Trace.Time, Y: scaled(run.Trace)},
			},
		}
		for _, c := range run.Comparisons {
			if c.Quantity == quantity {
				f.Note = fmt.Sprintf("Off by at most %.2g %s, %s of its range.", c.Max, c.Unit, c.share())
			}
		}
		grid.Plots = append(grid.Plots, f)
	}
	body := r.Trace.Body()
	for _, q := range shownQuantities {
		label, scale := q.Label(display.Degrees())
		add(q.Of(body), label, scale, q.span)
	}
	for _, q := range shownOfCorners {
		for _, corner := range []string{"FL", "RR", "1L", "3R"} {
			add(q.prefix+corner+q.suffix, display.Label(q.label, q.unit), display.Factor(q.unit), q.span)
		}
	}
	every := block(own.comparisonTable(true))
	every.Title, every.Folded = "All quantities of all runs", true
	s.Blocks = append(s.Blocks, grid, every)
	return s
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// accuracySection says how good the references themselves are.
func (v *Verified) accuracySection() report.Section {
	t := table{
		kinds: "wwnnnnnn", columns: []string{"reference", "made by", "tolerance", "position, m", "angle, rad",
			"speed, m/s", "wheel spin, rad/s", "force, N"},
		note: "Largest difference between the kept run and one with ten times its tolerance. Errors fall with the " +
			"tolerance, so what is kept is closer.",
	}
	shown := map[string]bool{}
	for i := range v.Runs {
		r := v.Runs[i].Reference
		if shown[r.Name] {
			continue
		}
		shown[r.Name] = true
		largest := func(match func(name string) bool) string {
			worst, any := 0.0, false
			for name, accuracy := range r.Facts.Accuracy {
				if match(name) {
					worst, any = max(worst, accuracy), true
				}
			}
			if !any {
				return "-"
			}
			return fmt.Sprintf("%.1e", worst)
		}
		ending := func(endings ...string) func(string) bool {
			return func(name string) bool {
				return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
			}
		}
		t.rows = append(t.rows, []string{r.Name, r.Facts.Command, fmt.Sprintf("%.0e", r.Facts.Tolerance),
			largest(ending(".x", ".y", ".z", ".s")), largest(ending(".yaw", ".pitch", ".roll")),
			largest(ending(".vx", ".vy", ".vz", ".s_dot")),
			largest(ending(".omega")), largest(ending(".Fx", ".Fy", ".Fz"))})
	}
	return report.Section{
		Title: "How good the references are", Blocks: []report.Block{block(t)},
		Text: "The reference solver reads the same model files and shares the tire functions with the library, which " +
			"are checked against tables of their own. It is itself compared with state derivatives and contact " +
			"geometry of two other formulations, with closed solutions, and with a third-party engine.",
	}
}
