package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/plots"
	"skidpad/model/formulate"
	"skidpad/model/solver"
	"skidpad/model/vehicle"
)

// names completes an argument, or the value of a flag, with the names of resources and with own files, also with other
// endings.
func names(kind resources.Kind, others ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		var list []string
		for _, e := range kind.List() {
			if strings.HasPrefix(e.Name, word) {
				list = append(list, e.Name+"\t"+e.Title)
			}
		}
		list = append(list, kind.Own(word, others...)...)
		if len(list) == 1 && strings.HasSuffix(list[0], "/") { // the path goes on
			return list, cobra.ShellCompDirectiveNoSpace
		}
		return list, cobra.ShellCompDirectiveDefault
	}
}

// completeFlags completes the values of flags that several commands have.
func completeFlags(c *cobra.Command) {
	const nothingElse = cobra.ShellCompDirectiveNoFileComp
	for name, values := range map[string]cobra.CompletionFunc{
		"method":     cobra.FixedCompletions(solver.Names(), nothingElse),
		"fmi":        cobra.FixedCompletions([]string{"2", "3"}, nothingElse),
		"plot-style": cobra.FixedCompletions(plots.Styles, nothingElse),
		"set":        settable,
	} {
		if c.Flags().Lookup(name) != nil {
			c.RegisterFlagCompletionFunc(name, values)
		}
	}
}

// settable completes NAME= by the variables of the vehicle on the command line that can be set.
func settable(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if len(args) == 0 || strings.Contains(word, "=") {
		return nil, directive
	}
	path, err := resources.Models.Find(args[0])
	if err != nil {
		return nil, directive
	}
	read := ofModel
	if strings.EqualFold(filepath.Ext(path), ".fmu") {
		read = ofFMU
	}
	var list []string
	for _, name := range read(path) {
		if strings.HasPrefix(name, word) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list, directive
}

// ofFMU are the settable variables of an FMU with their descriptions, none where it cannot be read. No code of it runs.
func ofFMU(path string) (list []string) {
	variables, _ := modelfile.FMUVariables(path)
	for _, v := range variables {
		if v.Causality == library.Parameter || v.Causality == library.Tunable || v.Causality == library.Input {
			list = append(list, v.Name+"=\t"+v.Text)
		}
	}
	return list
}

// ofModel are the settable variables of a model file with their descriptions, none where the file has faults.
func ofModel(path string) (list []string) {
	m, err := vehicle.Read(path)
	if err != nil {
		return nil
	}
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		return nil
	}
	list = append(list, "solver.method=\tintegration method: "+strings.Join(solver.Names(), ", "))
	for _, v := range slices.Concat(p.Parameters, p.Inputs) {
		list = append(list, v.Name+"=\t"+v.Text)
	}
	for i := range p.Calls {
		owner, role := p.Calls[i].Name, "relaxation function"
		if tire, forces := strings.CutSuffix(owner, ".force"); forces {
			owner, role = tire, "force function"
		}
		list = append(list, owner+".model=\t"+role, owner+".file=\tparameter file of the "+role)
	}
	return list
}
