package equations

import (
	"encoding/json"
	"io"

	"skidpad/harness/workbench/results/output"
	"skidpad/model/expr"
	"skidpad/model/formulate"
)

// matricesJSON is the output of skidpad equations --matrices --format json.
type matricesJSON struct {
	Model       string           `json:"model"`
	Title       string           `json:"title"`
	Tree        string           `json:"tree"`
	Form        string           `json:"form"`
	Speeds      []quantityJSON   `json:"speeds"`
	Coordinates []quantityJSON   `json:"coordinates"`
	Constraints []string         `json:"constraints"`
	Parts       []partJSON       `json:"parts"`
	Definitions []definitionJSON `json:"definitions"`
	Calls       []calledJSON     `json:"calls"`
	Tables      []tableJSON      `json:"tables"`
}

// tableJSON is a table: numbers by place, counted from 0. With counts, its value is the count of numbers up to the
// argument.
type tableJSON struct {
	Name    string          `json:"name"`
	Counts  bool            `json:"counts,omitempty"`
	Numbers json.RawMessage `json:"numbers"`
}

type quantityJSON struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

type partJSON struct {
	Symbol    string      `json:"symbol"`
	Text      string      `json:"text"`
	Symmetric bool        `json:"symmetric,omitempty"`
	Entries   []entryJSON `json:"entries"`
}

type entryJSON struct {
	Row    string `json:"row"`
	Column string `json:"column,omitempty"`
	Value  string `json:"value"`
}

type definitionJSON struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type calledJSON struct {
	Name      string           `json:"name"`
	Function  string           `json:"function"`
	Arguments []definitionJSON `json:"arguments"`
	Returns   []string         `json:"returns"`
}

// WriteJSON writes what PrintText prints.
func (x *Matrices) WriteJSON(to io.Writer) error {
	f, n := x.Formulation, x.readable()
	data := matricesJSON{
		Model: x.Model.Name, Title: x.Model.Title, Tree: x.Tree, Form: x.form("CT", "p'", "q'", "Phi'"),
		Speeds: quantitiesOf(f.Speeds), Coordinates: quantitiesOf(f.Coordinates), Constraints: x.constraints(),
		Definitions: []definitionJSON{}, Calls: []calledJSON{}, Tables: []tableJSON{},
	}
	for _, p := range x.Parts {
		part := partJSON{Symbol: p.Symbol, Text: p.Text, Symmetric: p.Symmetric, Entries: []entryJSON{}}
		for _, e := range p.Entries {
			part.Entries = append(part.Entries, entryJSON{e.Row, e.Column, n.Write(e.Value)})
		}
		data.Parts = append(data.Parts, part)
	}
	for _, d := range x.Definitions {
		data.Definitions = append(data.Definitions, definitionJSON{x.names.Of(d), n.Subterm(d)})
	}
	for i := range x.Calls {
		c := &x.Calls[i]
		call := calledJSON{Name: c.Name, Function: c.Function, Returns: returnedNames(c, x.names)}
		for k, a := range c.Arguments {
			call.Arguments = append(call.Arguments, definitionJSON{c.Inputs[k], n.Write(a)})
		}
		data.Calls = append(data.Calls, call)
	}
	for _, t := range x.tables.list {
		data.Tables = append(data.Tables, tableJSON{x.tables.name[t], isGrid(t), json.RawMessage("[" + numbersOf(t) + "]")})
	}
	return output.WriteJSON(to, data)
}

func quantitiesOf(states []formulate.State) []quantityJSON {
	list := []quantityJSON{}
	for _, s := range states {
		list = append(list, quantityJSON{s.Name, s.Unit})
	}
	return list
}

// readable returns the text notation with chosen definitions written out.
func (x *Matrices) readable() *expr.Notation {
	n := readable(x.names, &x.tables)
	n.Written = x.isWritten
	return n
}

func (x *Matrices) isWritten(d *expr.Expr) bool { return x.written[d] }
