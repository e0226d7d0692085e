package verify

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table is a table of a verification, for the terminal and the report.
type table struct {
	title, note string
	columns     []string
	kinds       string // of the columns: w for words, n for numbers, v for a verdict
	rows        [][]string
}

// print writes the table as text.
func (t *table) print(to io.Writer) {
	fmt.Fprintf(to, "%s\n\n", t.title)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.columns}, t.rows...) {
		fmt.Fprintf(w, "  %s\n", strings.Join(row, "\t"))
	}
	w.Flush()
	fmt.Fprintf(to, "\n  %s\n\n", t.note)
}

// energyTable shows what of the energy that was exchanged the ledger of each run lacks.
func (v *Verified) energyTable() table {
	t := table{
		title: "Balance of energy", kinds: "wnnnnn",
		columns: []string{"run", "exchanged, J", "supplied, J", "dissipated, J", "balance, J", "of what was exchanged"},
		note: "Exchanged energy: energy supplied and dissipated, and the variation of kinetic and potential energy. " +
			"In Morency (2007), slip is measured at one radius and the force acts at another. Such tires generate or lose " +
			"energy, which the table shows.",
	}
	for i := range v.Runs {
		r := &v.Runs[i]
		if e := r.Energy; e != nil {
			number := func(x float64) string { return fmt.Sprintf("%.6g", x) }
			t.rows = append(t.rows, []string{r.Name(), number(e.Exchanged), number(e.Supplied), number(e.Dissipated),
				fmt.Sprintf("%.2g", e.Balance), fmt.Sprintf("%.1g", e.Relative())})
		}
	}
	return t
}

// solverTable puts the reference solver at the source's tolerance and the engine side by
// side, with the times of the source.
func (v *Verified) solverTable() table {
	t := table{
		title: "Time for 10 s: an ADAMS-style solver and the engine",
		note: fmt.Sprintf("Both measured in this run; the reference solver (stabilised index 2, BDF) with tolerance "+
			"%g like ADAMS in the source. In s, and in brackets how many times longer the reference solver takes, or "+
			"ADAMS.", sourceTolerance),
		columns: []string{"run", "reference solver"}, kinds: "wn",
	}
	for _, e := range EngineRuns {
		t.columns, t.kinds = append(t.columns, e.Name), t.kinds+"n"
	}
	t.columns, t.kinds = append(t.columns, "source: ADAMS", "source: Euler 1 ms"), t.kinds+"nn"
	for _, times := range v.Times {
		reference := times.Reference.Seconds()
		row := []string{times.Run, seconds(reference)}
		for _, e := range EngineRuns {
			row = append(row, beside(times.Engine[e.Name].Seconds(), reference))
		}
		adams, own := 0.0, 0.0
		if !times.fiala() {
			adams, own = times.of(v.Source.Adams, ""), times.of(v.Source.Costs, "no tire edge in the tree")
		}
		t.rows = append(t.rows, append(row, seconds(adams), beside(own, adams)))
	}
	return t
}

// fiala reports whether the run is one of the generic vehicle with Fiala tires.
func (t *SolverTimes) fiala() bool { return strings.HasSuffix(t.Run, "_fiala") }

// of finds the time of the run's manoeuvre in a table of Morency (2007).
func (t *SolverTimes) of(costs []SourceCost, variant string) float64 {
	for _, c := range costs {
		if c.Vehicle == t.Vehicle && c.Variant == variant {
			if strings.Contains(t.Run, "sine") {
				return c.Sine
			}
			return c.Braking
		}
	}
	return 0
}

// costTable puts operations, times of simulation with explicit Euler at 1 ms, and times of
// formulation next to those of the source.
func (v *Verified) costTable() table {
	t := table{
		title: "Cost of one evaluation and time of a run, next to the source's Tables 5.1 to 5.6",
		note: "Operations: additions / multiplications / divisions / functions of the rates, tire functions " +
			"excluded. Times: 10 s with explicit Euler at 1 ms; the source's on a Pentium 4 with 3.2 GHz. The " +
			"library always runs the first kind of program; the variants with passes are formulated for the " +
			"comparison only, and run as machine code in this process.",
		columns: []string{"vehicle", "variant", "operations", "source", "sine, s", "source", "braking, s", "source",
			"formulation, s", "source"}, kinds: "wwnnnnnnnn",
	}
	for _, c := range v.Costs {
		var source SourceCost
		for _, s := range v.Source.Costs {
			if s.Vehicle == c.Vehicle && s.Variant == c.Variant {
				source = s
			}
		}
		sine, braking := v.euler(c, "sine"), v.euler(c, "braking")
		t.rows = append(t.rows, []string{
			c.Vehicle, c.Variant, operations(c.Operations), operations(source.Operations),
			seconds(sine), seconds(source.Sine), seconds(braking), seconds(source.Braking),
			seconds(c.Formulation.Seconds()), seconds(source.Formulation),
		})
	}
	return t
}

// euler is the engine's time of a variant's run; 0 where there is none.
func (v *Verified) euler(c EngineCost, manoeuvre string) float64 {
	if c.Times != nil {
		return c.Times[manoeuvre].Seconds()
	}
	for _, t := range v.Times {
		if t.Vehicle != c.Vehicle || !strings.Contains(t.Run, manoeuvre) || t.fiala() != (c.Variant == "Fiala tires") {
			continue
		}
		switch c.Variant {
		case "no tire edge in the tree", "Fiala tires":
			return t.Engine[EngineRuns[0].Name].Seconds()
		case "tire edges in the tree":
			return t.Engine[EngineRuns[1].Name].Seconds()
		}
	}
	return 0
}

func operations(n [4]int) string { return fmt.Sprintf("%d / %d / %d / %d", n[0], n[1], n[2], n[3]) }

// seconds shows a time with three digits; 0 stands for one that is not known.
func seconds(s float64) string {
	if s == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", s)
}

// beside shows a time, and how many times longer the slower one is.
func beside(s, slower float64) string {
	if s == 0 || slower == 0 {
		return seconds(s)
	}
	return fmt.Sprintf("%.3g (%.1f)", s, slower/s)
}
