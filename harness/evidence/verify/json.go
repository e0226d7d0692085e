package verify

import (
	"io"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
)

// verifiedJSON is the output of skidpad verify --json.
type verifiedJSON struct {
	Pass        bool            `json:"pass"`
	Runs        []runJSON       `json:"runs"`
	Statements  []statementJSON `json:"statements"`
	Linear      []linearJSON    `json:"linear"`
	Times       []timesJSON     `json:"times"`
	Convergence []orderJSON     `json:"convergence,omitempty"`
}

type runJSON struct {
	Reference  string         `json:"reference"`
	Tree       string         `json:"tree"`
	Solver     string         `json:"solver"`
	Step       float64        `json:"step"` // s
	Pass       bool           `json:"pass"`
	Quantities []quantityJSON `json:"quantities"`
	Energy     *drive.Energy  `json:"energy,omitempty"`
}

type quantityJSON struct {
	Quantity string   `json:"quantity"`
	Unit     string   `json:"unit"`
	Largest  *float64 `json:"largest"` // difference
	At       float64  `json:"at"`      // s
	RMS      *float64 `json:"rms"`
	Range    *float64 `json:"range"`
	Allowed  float64  `json:"allowed"`
	Pass     bool     `json:"pass"`
}

type statementJSON struct {
	Run string `json:"run"`
	statements.Check
}

type linearJSON struct {
	Model string   `json:"model"`
	Known *float64 `json:"known"` // largest difference to known eigenvalues [1/s]
	Apart *float64 `json:"apart"` // the two methods
	Pass  bool     `json:"pass"`
}

type timesJSON struct {
	Run       string             `json:"run"`
	Vehicle   string             `json:"vehicle"`
	Reference float64            `json:"reference"` // s
	Engine    map[string]float64 `json:"engine"`    // s, by solver and tree
}

type orderJSON struct {
	Run      string     `json:"run"`
	Solver   string     `json:"solver"`
	Promised float64    `json:"promised"`
	Steps    []float64  `json:"steps"` // s
	Errors   []*float64 `json:"errors"`
	Observed []*float64 `json:"observed"`
	Pass     bool       `json:"pass"`
}

// WriteJSON writes what was verified; convergence is nil where it was not studied. Numbers that are not finite are
// null.
func (v *Verified) WriteJSON(to io.Writer, convergence *Convergence) error {
	data := verifiedJSON{Pass: v.OK(), Runs: []runJSON{}, Statements: []statementJSON{}, Linear: []linearJSON{},
		Times: []timesJSON{}}
	for i := range v.Runs {
		r := &v.Runs[i]
		run := runJSON{Reference: r.Reference.Name, Tree: r.Tree, Solver: r.Method, Step: r.Step, Pass: r.Pass(),
			Energy: r.Energy}
		for _, c := range r.Comparisons {
			run.Quantities = append(run.Quantities, quantityJSON{c.Quantity, c.Unit, output.Number(c.Max), c.At,
				output.Number(c.RMS), output.Number(c.Range), c.Bound, c.Pass()})
		}
		data.Runs = append(data.Runs, run)
	}
	for _, s := range v.Statements {
		data.Statements = append(data.Statements, statementJSON(s))
	}
	for i := range v.Linear {
		l := &v.Linear[i]
		data.Linear = append(data.Linear, linearJSON{l.Model, output.Number(l.Known()), output.Number(l.Apart),
			l.Pass()})
	}
	for _, t := range v.Times {
		engine := map[string]float64{}
		for name, d := range t.Engine {
			engine[name] = d.Seconds()
		}
		data.Times = append(data.Times, timesJSON{t.Run, t.Vehicle, t.Reference.Seconds(), engine})
	}
	if convergence != nil {
		data.Pass = data.Pass && convergence.OK()
		for i := range convergence.Orders {
			data.Convergence = append(data.Convergence, orderOf(&convergence.Orders[i], ""))
		}
		for i := range convergence.Constrained {
			o := &convergence.Constrained[i]
			data.Convergence = append(data.Convergence, orderOf(&o.Order, ", "+o.Multipliers))
		}
	}
	return output.WriteJSON(to, data)
}

// orderOf is an order whose run is called with a suffix.
func orderOf(o *Order, suffix string) orderJSON {
	numbers := func(list []float64) []*float64 {
		var all []*float64
		for _, x := range list {
			all = append(all, output.Number(x))
		}
		return all
	}
	return orderJSON{o.Run + suffix, o.Method, o.Promised, o.Steps, numbers(o.Errors), numbers(o.Observed), o.Reached()}
}
