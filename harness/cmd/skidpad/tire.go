package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"skidpad/harness/output"
	"skidpad/harness/tirefile"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// tireVerb evaluates a tire function for every line of a table, describes one, converts a tire file, or measures a tire
// on a rig.
func tireVerb(args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "rig" {
		return rigVerb(args[1:], stdout, stderr)
	}
	flags := newFlags(stdout,
		"tire FUNCTION\n       skidpad tire FILE --in CSV [--out CSV]\n       skidpad tire convert FROM TO [--side "+
			"left|right] [--vertical-stiffness N/m]\n       skidpad tire rig FILE|LIBRARY [flags]   (skidpad tire rig "+
			"--help)\n\n"+
			"FUNCTION, one of "+strings.Join(tire.Names(), ", ")+", is described.\n"+
			"FILE, a tire file (TOML or .tir), is evaluated for every line of a table whose heading names the\n"+
			"function's inputs in any order; a missing column mu is 1. Units are SI and radians,\n"+
			"axes ISO. The output is the table with the returned values as further columns.\n\n"+
			"FROM, a tire file, is written as TO in the form that its ending .toml or .tir names;\n"+
			"from .tir to .tir all entries stay, in one form.",
		"  skidpad tire Fiala\n  skidpad tire resources/tires/fiala_generic4w.toml --in slip.csv --out forces.csv\n"+
			"  skidpad tire convert resources/tires/pacejka2002.toml tire.tir --vertical-stiffness 3.04e5")
	in := flags.String("in", "", "CSV `FILE` to read; - is stdin")
	out := flags.String("out", "-", "CSV `FILE` to write; - is stdout")
	side := flags.String("side", "", "side `left|right` on which the tire of a .tir is mounted; empty: as it says")
	stiffness := flags.Float64("vertical-stiffness", 0,
		"vertical stiffness `N/m` for a .tir of a TOML file, which does not have it")
	what, err := parse(flags, args, 1, 3)
	if err != nil {
		return err
	}
	if *side != "" && *side != "left" && *side != "right" {
		return usageError{fmt.Errorf("--side is %q; it must be left or right", *side)}
	}
	switch {
	case what[0] == "convert" && len(what) == 3:
		return convertTire(what[1], what[2], *side, *stiffness, stderr)
	case what[0] == "convert" || len(what) != 1:
		return usageError{fmt.Errorf("%d arguments %q; one FUNCTION or FILE, or convert FROM TO expected", len(what),
			what)}
	}
	if kind, err := tire.Lookup(what[0]); err == nil {
		if *in != "" {
			return usageError{fmt.Errorf("%s needs parameters to be evaluated; name a tire file instead", kind.Name)}
		}
		tirefile.Describe(stdout, kind)
		return nil
	}
	return evaluateTire(what[0], *side, *in, *out, stdout, stderr)
}

// evaluateTire evaluates a tire file for every line of a table.
func evaluateTire(path, side, in, out string, stdout, stderr io.Writer) error {
	kind, function, err := tirefile.Open(path, side, stderr)
	if err != nil {
		return err
	}
	if in == "" {
		return usageError{errors.New("--in is missing")}
	}
	if err := checkOutputs([]string{"--out", out, ".csv"}); err != nil {
		return err
	}
	var input io.Reader = os.Stdin
	if in != "-" {
		file, err := bounded.Table.Open(in)
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	table := func(to io.Writer) error { return tirefile.Evaluate(kind, function, input, in, to) }
	_, err = writeResults(out, stdout, table)
	return err
}

// convertTire writes a tire file in the form that the ending of its new name tells.
func convertTire(from, to, side string, stiffness float64, stderr io.Writer) error {
	file, err := tirefile.Read(from, side, stderr)
	if err != nil {
		return err
	}
	properties := strings.EqualFold(filepath.Ext(from), ".tir")
	var text []byte
	switch ending := strings.ToLower(filepath.Ext(to)); {
	case ending == ".toml":
		text, err = tire.WriteTOML(file)
	case ending != ".tir":
		return usageError{fmt.Errorf("%s ends with %q; .toml and .tir can be written", to, ending)}
	case properties && side != "":
		return usageError{errors.New("--side goes with TOML: a .tir says on which side its tire was measured")}
	case properties:
		text, err = tirefile.Rewritten(from)
	default:
		text, err = tire.WriteProperties(file, stiffness)
	}
	if err != nil {
		return err
	}
	return output.WriteFile(to, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
