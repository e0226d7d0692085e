package fmu

import (
	"io"

	"skidpad/fmu/markup"
)

// TerminalsAndIcons writes terminalsAndIcons.xml for FMI 3.0. Importers of 2.0 do not agree on the version in this file
// (docs/importers.md). Forces and motions of several components are signals: they are not flows of one scalar.
func (t *Table) TerminalsAndIcons(w io.Writer) error {
	d := markup.New(w)
	d.Begin("fmiTerminalsAndIcons", "fmiVersion", "3.0")
	d.Begin("GraphicalRepresentation")
	d.Leaf("CoordinateSystem", "x1", "-100", "y1", "-100", "x2", "100", "y2", "100",
		"suggestedScalingFactorTo_mm", "0.1")
	d.Leaf("Icon", "x1", "-100", "y1", "-100", "x2", "100", "y2", "100")
	d.End()
	if len(t.Terminals) > 0 {
		d.Begin("Terminals")
		for _, terminal := range t.Terminals {
			d.Begin("Terminal", "name", terminal.Name, "matchingRule", "plug", "terminalKind", terminal.Kind,
				"description", terminal.Text)
			for _, m := range terminal.Members {
				kind := "signal"
				if m.Inflow {
					kind = "inflow"
				}
				d.Leaf("TerminalMemberVariable", "variableName", m.Variable, "memberName", m.Name, "variableKind", kind)
			}
			d.End()
		}
		d.End()
	}
	d.End()
	return d.Flush()
}
