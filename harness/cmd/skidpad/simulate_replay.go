package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/replay"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// replayFlags are the flags of simulate that repeat a recorded drive.
type replayFlags struct {
	drive   *string
	segment *int
	noCheck *bool
	as      *string // manoeuvre file to write
}

// ofReplay are the flags of simulate that --replay uses. A drive has everything else itself.
var ofReplay = []string{"replay", "segment", "no-check", "as-manoeuvre", "out", "record", "single", "every", "filter",
	"plot", "plot-style", "allow-plugins", "library"}

// check refuses flags that a repetition does not use.
func (r *replayFlags) check(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains(ofReplay, f.Name) {
			err = fmt.Errorf("--%s has no effect with --replay: a drive has its own vehicle, settings and inputs; remove it",
				f.Name)
		}
	})
	return err
}

// replayed repeats a recorded drive and writes its outputs.
func (f *simulateFlags) replayed(c *cobra.Command) (failure error) {
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	if err := checkOutputs([]string{"--as-manoeuvre", *f.replay.as, ".toml"}); err != nil {
		return err
	}
	if err := recording.Check(*f.out, *f.single); err != nil {
		return usageError{fmt.Errorf("--out %w", err)}
	}
	thinning, err := recording.ParseThinning(*f.every, *f.filter)
	if err != nil {
		return usageError{err}
	}
	d, err := replay.Open(*f.replay.drive)
	if err != nil {
		return err
	}
	defer d.Close()
	if !*f.replay.noCheck {
		if err := d.Comparable(); err != nil {
			return err
		}
	}
	if err := thinning.Check(d.Step); err != nil {
		return usageError{err}
	}
	if len(d.Plugins) > 0 && !*f.plugins {
		return fmt.Errorf("%s: %s = %s is a library, whose code would run in this process; --allow-plugins permits it, for "+
			"drives and libraries that you trust", *f.replay.drive, d.Plugins[0].Name, d.Plugins[0].Value)
	}
	folder, err := os.MkdirTemp("", "skidpad-drive-*")
	if err != nil {
		return err
	}
	defer func() { failure = errors.Join(failure, os.RemoveAll(folder)) }()
	model, err := d.Unpack(folder)
	if err != nil {
		return err
	}
	lib, err := openLibrary(*f.library)
	if err != nil {
		return err
	}
	v, err := lib.Load(model, d.Tree)
	if err != nil {
		return err
	}
	defer v.Close()
	for _, text := range d.Plugins {
		if err := v.SetText(text.Name, text.Value); err != nil {
			return err
		}
	}
	var vehicleRoles *roles.Roles
	if m, err := vehicle.Read(model); err == nil {
		vehicleRoles = m.Roles
	}
	if *f.replay.as != "" {
		if err := f.replay.write(d, v); err != nil {
			return err
		}
	}
	names := v.Outputs()
	if *f.record != "" {
		if names, err = recording.Choose(recording.Split(*f.record), v.Outputs(), v.Locals(), vehicleRoles); err != nil {
			return usageError{fmt.Errorf("--record: %w", err)}
		}
	}
	channels, err := channelsOf(v, names, vehicleRoles)
	if err != nil {
		return err
	}
	rec := &recorder{path: *f.out, stdout: stdout, thinning: thinning, keeps: *f.plot != ""}
	rec.Single = *f.single
	rec.know("vehicle", d.Vehicle)
	rec.know("drive", *f.replay.drive)
	rec.know("version", harness.Version)
	if err := rec.Begin(channels); err != nil {
		return err
	}
	made := -1 // slices of all segments so far; their first one begins at 0
	take := func(_, slice int, values []float64) error {
		if slice == 0 && made >= 0 {
			return nil // the end of a segment and the begin of the next one are at the same time of the driver
		}
		made++
		return rec.Row(float64(made)*d.Step, values)
	}
	result, err := d.Repeat(v, *f.replay.segment, names, !*f.replay.noCheck, take)
	if err != nil {
		return err
	}
	where, err := rec.end(&drive.Result{})
	if *f.plot != "" {
		err = errors.Join(err, f.draw(rec.Trace, d.Vehicle))
	}
	fmt.Fprintf(stderr, "%s: %.1f s", *f.replay.drive, float64(max(0, made))*d.Step)
	if !*f.replay.noCheck {
		fmt.Fprintf(stderr, ", %d of %d states equal", result.Equal, result.Compared)
	}
	fmt.Fprintf(stderr, "; %s\n", cmp.Or(where, *f.out))
	return err
}

// write writes a segment of a drive as a manoeuvre.
func (r *replayFlags) write(d *replay.Drive, v *library.Vehicle) error {
	segment := *r.segment
	if segment == 0 && len(d.Segments) > 1 {
		return usageError{fmt.Errorf("--as-manoeuvre: the drive has %d segments; --segment chooses one", len(d.Segments))}
	}
	name := strings.TrimSuffix(filepath.Base(*r.as), filepath.Ext(*r.as))
	text, err := d.Manoeuvre(v, max(1, segment), name)
	if err != nil {
		return err
	}
	return output.WriteFile(*r.as, func(to io.Writer) error { _, err := to.Write(text); return err })
}

// channelsOf describes variables of a vehicle.
func channelsOf(v *library.Vehicle, names []string, o *roles.Roles) (list []trace.Channel, err error) {
	for _, name := range names {
		x, err := v.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, trace.Channel{Name: name, Unit: x.Unit, Text: x.Text, Role: o.Role(name)})
	}
	return list, nil
}
