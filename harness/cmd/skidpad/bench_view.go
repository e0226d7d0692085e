package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"skidpad/harness/evidence/bench"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
)

// benchViewCommand measures the live view.
func benchViewCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "view [MODEL] [flags]", Short: "measure the live view of a vehicle",
		Long: "Starts 'skidpad view' and drives a vehicle through its socket, RK4 at 1 ms for the shipped passenger car.\n" +
			"Measures side by side: processor time of the server without and with two viewers, lateness of slices and\n" +
			"dropped time, idle and with all processors busy, the way from an input to the state that has it, the start,\n" +
			"and the size of the page. The processor time is read on Linux only.",
		Example: "  skidpad bench view\n  skidpad bench view my_car/vehicle.toml --seconds 60",
		Args:    arguments(0, 1, "at most one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	seconds := secondsFlag(flags, "seconds", 10, "`SECONDS` of each of the four measurements")
	libraryFile := libraryFlag(flags)
	asJSON := jsonFlag(flags)
	c.RunE = func(c *cobra.Command, args []string) error {
		if !(*seconds > 0 && *seconds <= 3600) {
			return usageError{errors.New("--seconds must be above 0, and at most an hour")}
		}
		model := "passenger_car"
		if len(args) > 0 {
			model = args[0]
		}
		if err := found(c, resources.Models, &model); err != nil {
			return err
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		command := []string{self, "view", model, "--driver", "socket", "--speed", "50 km/h"}
		if *libraryFile != "" {
			command = append(command, "--library", *libraryFile)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		interrupt := interruptOf(c)
		go func() {
			select {
			case <-interrupt:
				cancel()
			case <-ctx.Done():
			}
		}()
		v := bench.View{Command: command, Seconds: *seconds, Progress: output.NewProgress(c.ErrOrStderr())}
		report, err := v.Do(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return report.JSON(c.OutOrStdout())
		}
		report.Print(c.OutOrStdout())
		return nil
	}
	return c
}
