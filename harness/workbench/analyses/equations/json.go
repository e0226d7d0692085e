package equations

import (
	"io"

	"skidpad/harness/workbench/results/output"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/graph"
)

// equationsJSON is the output of skidpad equations --json.
type equationsJSON struct {
	Model     string               `json:"model"`
	Title     string               `json:"title"`
	Trees     []string             `json:"trees"`
	Branches  map[string][]string  `json:"branches"` // of the tree, by domain
	Equations map[string]int       `json:"equations"`
	States    []string             `json:"states"`
	Cost      map[string]countJSON `json:"cost"`
	Calls     []callJSON           `json:"calls"`
	Passes    []passJSON           `json:"passes,omitempty"`
}

// countJSON are operations.
type countJSON struct {
	Additions       int `json:"additions"`
	Multiplications int `json:"multiplications"`
	Divisions       int `json:"divisions"`
	Functions       int `json:"functions"`
	Assignments     int `json:"assignments"`
}

// callJSON is a call of an external function.
type callJSON struct {
	Name     string   `json:"name"`
	Function string   `json:"function"`
	Inputs   []string `json:"inputs"`
}

type passJSON struct {
	Equations     string    `json:"equations"`
	Intermediates string    `json:"intermediates"`
	Cost          countJSON `json:"cost"`
}

func countOf(c expr.Cost) countJSON {
	return countJSON{c.Additions, c.Multiplications, c.Divisions, c.Functions, c.Assignments}
}

// WriteJSON writes what Print prints, but how long it took.
func (e *Equations) WriteJSON(to io.Writer) error {
	f, p, n := e.Formulation, e.Program, e.Formulation.Count()
	data := equationsJSON{
		Model: e.Model.Name, Title: e.Model.Title, Trees: formulate.TreeNames(e.Model), Branches: map[string][]string{},
		Equations: map[string]int{"dynamic": n.Dynamic, "constraint": n.Constraints, "kinematic": n.Kinematic,
			"component": n.Component},
		States: []string{}, Calls: []callJSON{},
		Cost: map[string]countJSON{"rates_as_formulated": countOf(f.Before()), "rates": countOf(p.RateCost),
			"outputs": countOf(p.OutputCost), "parameters": countOf(p.InitCost)},
	}
	for _, d := range []graph.Domain{graph.Translation, graph.Rotation} {
		data.Branches[d.String()] = append([]string{}, f.Branches(d)...)
	}
	for _, s := range f.States() {
		data.States = append(data.States, s.Name)
	}
	for _, c := range p.Calls {
		data.Calls = append(data.Calls, callJSON{c.Name, c.Function, c.Inputs})
	}
	for _, pass := range e.Passes {
		data.Passes = append(data.Passes, passJSON{pass.Equations, pass.Intermediates, countOf(pass.Cost)})
	}
	return output.WriteJSON(to, data)
}
