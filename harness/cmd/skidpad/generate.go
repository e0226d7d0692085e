package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"skidpad/harness/output"
	"skidpad/model"
	"skidpad/model/formulate"
)

// generateVerb writes a model's simulation code as Go or C.
func generateVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "generate MODEL.toml --lang go|c [--tree NAME] [--package NAME] [--out FILE]",
		"  skidpad generate resources/models/skidder.toml --lang c --out skidder.c")
	lang := flags.String("lang", "", "language: go or c")
	tree := flags.String("tree", "", "tree of the model (default: its first)")
	pkg := flags.String("package", "main", "package of the Go file")
	out := flags.String("out", "", "file to write (default: standard output)")
	files, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	endings := map[string][]string{"go": {".go"}, "c": {".c", ".h"}}[*lang]
	if endings == nil {
		return usageError{fmt.Errorf("--lang is %q; it must be go or c", *lang)}
	}
	if err := checkOutputs(append([]string{"--out", *out}, endings...)); err != nil {
		return err
	}
	m, err := model.Read(files[0])
	if err != nil {
		return err
	}
	p, err := formulate.Program(m, formulate.Options{Tree: *tree})
	if err != nil {
		return err
	}
	var text string
	if *lang == "go" {
		command := "skidpad generate " + filepath.Base(files[0]) + " --lang go"
		if text, err = p.Go(*pkg, command, lowerFirst(m.Name)); err != nil {
			return err
		}
	} else {
		text = p.C(snake(m.Name))
	}
	if *out == "" {
		_, err = io.WriteString(stdout, text)
		return err
	}
	return output.WriteFile(*out, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
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
