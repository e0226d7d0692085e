package fmu

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"skidpad/tire"
)

//go:embed documentation.html
var documentationText string

var documentationPage = template.Must(template.New("documentation").Parse(documentationText))

// documentation writes the page about the model.
func (p *Package) documentation(w io.Writer) error {
	type component struct{ Name, Type, Text string }
	page := struct {
		Table                                          *Table
		Version                                        int
		Tool                                           string
		Components                                     []component
		Parameters, Texts, Inputs, Outputs, Indicators []Variable
		States                                         []Variable
		Tires                                          []string
		Implementations                                string
	}{
		Table: p.Table, Version: p.Version, Tool: "Skidpad " + p.About.Version,
		Tires: tire.Names(), Implementations: strings.Join(p.Implementations(), ", "),
	}
	for _, c := range p.System.Model().Components {
		h := c.Head()
		page.Components = append(page.Components, component{h.Name, h.Type, h.Text})
	}
	for _, v := range p.Table.Variables {
		switch {
		case v.Type == String:
			page.Texts = append(page.Texts, v)
		case v.Causality == Parameter:
			page.Parameters = append(page.Parameters, v)
		case v.Causality == Input:
			page.Inputs = append(page.Inputs, v)
		case v.Causality == Output:
			page.Outputs = append(page.Outputs, v)
		case v.Derivative:
			page.States = append(page.States, p.Table.Variables[v.State])
		}
	}
	for _, r := range p.Table.Indicators {
		page.Indicators = append(page.Indicators, p.Table.Variables[r])
	}
	return documentationPage.Execute(w, page)
}
