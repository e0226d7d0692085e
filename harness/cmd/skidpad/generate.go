package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/resources"
	"skidpad/model/formulate"
)

// generateCommand writes a model's simulation code as Go or C.
func generateCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "generate MODEL --lang go|c [flags]", Short: "write a model's simulation code as Go or C",
		Long: "Writes the straight-line program of a model: one C file that needs math.h alone, or a Go file for use\n" +
			"within the sources of Skidpad. A comment at its top lists the slots of constants, parameters, inputs,\n" +
			"states, rates and outputs, with their units.",
		Example: "  skidpad generate skidder --lang c --out skidder.c",
		Args:    arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	lang := flags.String("lang", "", "language `go|c` (required)")
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	pass := flags.String("pass", "", "`PASS` over the intermediates of tires, for comparison: unchanged, simplify or "+
		"combine, as in equations --passes; default: unchanged, the cheapest")
	c.RegisterFlagCompletionFunc("pass", cobra.FixedCompletions(formulate.PassNames(), cobra.ShellCompDirectiveNoFileComp))
	pkg := flags.String("package", "main", "package `NAME` of the Go file")
	out := flags.StringP("out", "o", "-", "`FILE` to write; - is standard output")
	writesTo(flags, "out")
	c.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"go", "c"}, cobra.ShellCompDirectiveNoFileComp))
	c.RunE = func(c *cobra.Command, args []string) error {
		endings := map[string][]string{"go": {".go"}, "c": {".c", ".h"}}[*lang]
		switch {
		case *lang == "":
			return usageError{errors.New("--lang is missing; give --lang c for one C file that needs math.h alone, or " +
				"--lang go for a Go file within the sources of Skidpad")}
		case endings == nil:
			return usageError{fmt.Errorf("--lang is %q; it must be go or c, for the program that runs; skidpad equations "+
				"%s --export sympy|casadi|matlab writes the equations before optimisation", *lang, args[0])}
		}
		intermediates, err := formulate.PassOf(*pass)
		if err != nil {
			return usageError{fmt.Errorf("--pass: %w", err)}
		}
		if err := checkOutputs(append([]string{"--out", *out}, endings...)); err != nil {
			return err
		}
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		m, err := readModel(args[0], c.ErrOrStderr())
		if err != nil {
			return err
		}
		p, err := formulate.Program(m, formulate.Options{Tree: *tree, Intermediates: intermediates, Names: true})
		if err != nil {
			return err
		}
		var text string
		if *lang == "go" {
			command := "skidpad generate " + filepath.Base(args[0]) + " --lang go"
			if text, err = p.Go(*pkg, command, lowerFirst(m.Name)); err != nil {
				return err
			}
		} else {
			text = p.C(snake(m.Name))
		}
		if *out == "" { // as long as - has not been its name
			*out = "-"
		}
		_, err = writeResults(*out, c.OutOrStdout(), func(to io.Writer) error {
			_, err := io.WriteString(to, text)
			return err
		})
		return err
	}
	return c
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// snake turns GenericVehicle into generic_vehicle.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
