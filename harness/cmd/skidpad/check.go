package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/fmu/check"
	"skidpad/harness/library"
	"skidpad/harness/output"
)

// checkCommand looks into an FMU and lets it run.
func checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "check X.fmu [flags]", Short: "validate an FMU: archive, model description, library",
		Long: "Looks for errors in the archive and the model description of an FMU of any tool, then loads its library in\n" +
			"a process of its own and calls it. Prints a line for each finding; exit status 1 if there is one.",
		Example: "  skidpad check out/fmi3/GenericVehicle.fmu",
		Args:    arguments(1, 1, "one X.fmu"),
	}
	asJSON := jsonFlag(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		file, stdout := args[0], c.OutOrStdout()
		findings, err := check.FMU(file)
		if err != nil {
			return err
		}
		behaviour, err := library.Exercise(file)
		if err != nil {
			behaviour = append(behaviour, strings.TrimPrefix(err.Error(), file+": "))
		}
		for _, text := range behaviour {
			findings = append(findings, check.Finding{Text: text})
		}
		if *asJSON {
			err = output.WriteJSON(stdout, struct {
				File     string          `json:"file"`
				Pass     bool            `json:"pass"`
				Findings []check.Finding `json:"findings"`
			}{file, len(findings) == 0, append([]check.Finding{}, findings...)})
		} else {
			for _, f := range findings {
				fmt.Fprintf(stdout, "%s: %v\n", file, f)
			}
			fmt.Fprintf(stdout, "%s: %d findings\n", file, len(findings))
		}
		if len(findings) > 0 {
			return errFailed
		}
		return err
	}
	return c
}
