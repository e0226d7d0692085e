package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/fmu/archive"
	"skidpad/fmu/check"
	"skidpad/harness/library"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
)

// checkCommand looks into an FMU or a package of a system and lets it run.
func checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "check X.fmu|X.ssp [flags]", Short: "validate an FMU: archive, model description, library, sources",
		Long: "Looks for mistakes in the archive and the model description of an FMU of any tool, then loads its\n" +
			"library in a process of its own and calls it, and lets the C compiler read its sources. Of a package\n" +
			"(X.ssp) the structure and all its FMUs are checked.\n" +
			"Prints a line for each finding: an error breaks the standard, a warning is what importers are known to\n" +
			"stumble over, a hint is worth knowing. Exit status 1 if there is an error.",
		Example: "  skidpad check out/fmi3/GenericVehicle.fmu",
		Args:    arguments(1, 1, "one X.fmu or X.ssp"),
	}
	asJSON := jsonFlag(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		file, stdout := args[0], c.OutOrStdout()
		findings, err := checkFile(file)
		if err != nil {
			return err
		}
		failed := check.Count(findings, check.Error) > 0
		if *asJSON {
			err = output.WriteJSON(stdout, struct {
				File     string          `json:"file"`
				Pass     bool            `json:"pass"`
				Findings []check.Finding `json:"findings"`
			}{file, !failed, append([]check.Finding{}, findings...)})
		} else {
			writeFindings(stdout, file, findings)
		}
		if failed {
			return errFailed
		}
		return err
	}
	return c
}

// shown is how many findings of one rule are written; a list that a tool leaves out has an entry for each variable.
const shown = 5

func writeFindings(to io.Writer, file string, findings []check.Finding) {
	seen := map[string]int{}
	for _, f := range findings {
		if seen[f.Rule]++; f.Rule == "" || seen[f.Rule] <= shown {
			fmt.Fprintf(to, "%s: %v\n", file, f)
		}
	}
	for _, r := range check.Rules {
		if more := seen[r.ID] - shown; more > 0 {
			fmt.Fprintf(to, "%s: %s: %d more of %s, which --json lists\n", file, r.Grade, more, r.ID)
		}
	}
	if len(findings) == 0 {
		fmt.Fprintf(to, "%s: 0 findings\n", file)
		return
	}
	var counts []string
	for _, grade := range []check.Grade{check.Error, check.Warning, check.Hint} {
		n, ending := check.Count(findings, grade), "s"
		if n == 1 {
			ending = ""
		}
		counts = append(counts, fmt.Sprintf("%d %s%s", n, grade, ending))
	}
	fmt.Fprintf(to, "%s: %s; %d findings\n", file, strings.Join(counts, ", "), len(findings))
}

// checkFile checks an FMU or a package with its FMUs.
func checkFile(file string) ([]check.Finding, error) {
	isSystem, err := check.IsSystem(file)
	if err != nil {
		return nil, notChecked(file, err)
	}
	if !isSystem {
		findings, err := check.FMU(file)
		if err != nil {
			return nil, err
		}
		return append(findings, exercise(file, findings)...), nil
	}
	folder, err := os.MkdirTemp("", "ssp")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	findings, parts, err := check.System(file, folder)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		for _, f := range exercise(part.Path, part.Findings) {
			f.Place = part.Name
			findings = append(findings, f)
		}
	}
	return findings, nil
}

// exercise lets an FMU run, and a compiler read its sources.
func exercise(file string, findings []check.Finding) []check.Finding {
	if slices.ContainsFunc(findings, func(f check.Finding) bool { return f.Rule == "F-BIN-3" }) {
		return nil
	}
	var list []check.Finding
	behaviour, err := library.Exercise(file)
	for _, f := range behaviour {
		list = append(list, check.Finding{Grade: check.Grade(f.Level.String()), Text: f.Text})
	}
	if err == nil {
		var refused []check.Finding
		refused, err = library.CompileSources(file)
		list = append(list, refused...)
	}
	if err != nil {
		list = append(list, check.Finding{Grade: check.Error, Text: strings.TrimPrefix(err.Error(), file+": ")})
	}
	return list
}

// notChecked says what to do with a file that is neither an FMU nor a package.
func notChecked(file string, err error) error {
	const takes = "check takes FMUs (X.fmu) and packages of systems (X.ssp)"
	switch ending := strings.ToLower(filepath.Ext(file)); {
	case errors.Is(err, archive.ErrNotZip) && ending == ".toml":
		return fmt.Errorf("%s is a TOML file; %s. A model file is checked by \"skidpad equations %s\" and becomes an FMU by "+
			"\"skidpad pack %s -o X.fmu\"; a manoeuvre is checked by \"skidpad simulate MODEL --manoeuvre %s\"; "+
			"\"skidpad schema\" writes schemas, by which editors check TOML files", file, takes, file, file, file)
	case errors.Is(err, archive.ErrNotZip) && (ending == ".ssd" || ending == ".xml"):
		return fmt.Errorf("%s is a part of a package or of an FMU; %s: check the archive that it belongs to", file, takes)
	case errors.Is(err, archive.ErrNotZip):
		return fmt.Errorf("%w; %s", err, takes)
	case errors.Is(err, os.ErrNotExist):
		if path, err := resources.Models.Find(file); err == nil && path != file {
			return fmt.Errorf("%s is a model; %s. \"skidpad equations %s\" checks it, \"skidpad pack %s -o X.fmu\" makes an "+
				"FMU of it", file, takes, file, file)
		}
		return fmt.Errorf("%w; %s", err, takes)
	}
	return err
}
