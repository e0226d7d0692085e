package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/document"
)

// listedConstant is a constant of a manoeuvre file, which --let can change.
type listedConstant struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as the file has it, with its unit
	Text  string `json:"text"`  // the comment behind it
}

// listConstants prints title and constants of a manoeuvre, by its name.
func listConstants(c *cobra.Command, name string, asJSON bool) error {
	file := name
	if err := found(c, resources.Manoeuvres, &file); err != nil {
		return err
	}
	data, err := resources.Manoeuvres.Read(file)
	if err != nil {
		return err
	}
	root, err := document.Parse(data, file)
	if err != nil {
		return err
	}
	list := constantsOf(root, strings.Split(string(data), "\n"))
	if asJSON {
		return output.WriteJSON(c.OutOrStdout(), list)
	}
	if title := root.Field("title"); title != nil {
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n\n", name, title.Text)
	}
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, constant := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", constant.Name, constant.Value, constant.Text)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "\n--let NAME=VALUE changes a constant: "+
		"skidpad manoeuvre MODEL --manoeuvre %s --let NAME=VALUE\n", name)
	return err
}

// constantsOf are the constants of a manoeuvre file, as its lines have them.
func constantsOf(root *document.Node, lines []string) []listedConstant {
	list := []listedConstant{}
	table := root.Field("constants")
	if table == nil {
		return list
	}
	for _, name := range table.Keys {
		value := table.Field(name)
		line, text, _ := strings.Cut(lines[value.Line-1], "#")
		_, written, _ := strings.Cut(line, "=")
		list = append(list, listedConstant{name, strings.Trim(strings.TrimSpace(written), `"`), strings.TrimSpace(text)})
	}
	return list
}
