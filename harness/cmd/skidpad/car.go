package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// carCommand shows what manoeuvres know of a vehicle, or drafts its roles.
func carCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "car MODEL|X.fmu [--car FILE] [--draft|--check]",
		Short: "show what manoeuvres know of a vehicle, or draft its roles",
		Long: "Prints the numbers of a vehicle that manoeuvres use, each with its origin: the roles of the model file or\n" +
			"of a car file, or short runs. With --draft it prints a table [roles] that is guessed by the names of\n" +
			"variables and by the places of the tires; save it in the model file or in a car file (docs/cars.md). With\n" +
			"--check it says for each manoeuvre whether the vehicle can make it, and what to write where it cannot.",
		Example: "  skidpad car passenger_car\n  skidpad car passenger_car --check\n" +
			"  skidpad car my_car.fmu --draft > my_car_roles.toml",
		Args: arguments(1, 1, "one MODEL or X.fmu"), ValidArgsFunction: names(resources.Models, ".fmu"),
	}
	flags := c.Flags()
	draft := flags.Bool("draft", false, "print a draft of [roles]")
	check := flags.Bool("check", false, "print which manoeuvres the vehicle can make, and what the others lack")
	car, libraryFile := carFlag(flags), libraryFlag(flags)
	excludeEachOther(c, "draft", "check")
	c.RunE = func(c *cobra.Command, args []string) error {
		model := args[0]
		if err := found(c, resources.Models, &model); err != nil {
			return err
		}
		v := cardraft.Vehicle{Open: func() (drive.Subject, func(), error) { return openSubject(model, "", *libraryFile) }}
		if *draft {
			if *car != "" {
				return usageError{errors.New("--draft writes a new car file; leave out --car")}
			}
			spins, err := modelfile.Spins(model)
			if err != nil {
				return err
			}
			text, err := v.Draft(spins)
			if err == nil {
				fmt.Fprint(c.OutOrStdout(), text)
			}
			return err
		}
		if *check {
			fits, target, err := fitsOf(c, model, *car, *libraryFile)
			if err != nil {
				return err
			}
			return printFits(c.OutOrStdout(), fits, target, model, *libraryFile)
		}
		target, err := modelfile.Target(model, *car)
		if err != nil {
			return err
		}
		if v.Roles, err = target.Resolved(); err != nil {
			return err
		}
		if err := printCar(c, &v, target, warnOf(model, c.ErrOrStderr())); err != nil {
			return err
		}
		fmt.Fprint(c.OutOrStdout(), lacking(&v, model, cmp.Or(target.Car, target.File)))
		return nil
	}
	return c
}

// printCar prints stated and found numbers. It warns of contradictions, except where the reader of the model has warned
// already.
func printCar(c *cobra.Command, v *cardraft.Vehicle, t manoeuvre.Target, warned []string) error {
	numbers, err := v.Numbers()
	if err != nil {
		return err
	}
	found := map[string]float64{}
	for _, n := range numbers {
		found[n.Name] = n.Value
	}
	for _, d := range v.Roles.Contradictions(manoeuvre.SizesOf(found, len(v.Roles.Axles))) {
		prefix := strings.TrimSuffix(d.String(), d.Text)
		if !slices.ContainsFunc(warned, func(w string) bool { return strings.HasPrefix(w, prefix) }) {
			fmt.Fprintln(c.ErrOrStderr(), library.WarningPrefix+d.String())
		}
	}
	stated := statedIn(v.Roles)
	table := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\t\t\t\n", t.Model)
	for i, n := range numbers {
		if slices.ContainsFunc(stated, func(s cardraft.Number) bool { return s.Name == n.Name }) {
			numbers[i].Origin += "; not used, it is stated"
		}
	}
	for _, n := range append(stated, numbers...) {
		fmt.Fprintf(table, "%s\t%.6g\t%s\t%s\n", n.Name, n.Value, n.Unit, n.Origin)
	}
	return table.Flush()
}

// lacking says which roles that most manoeuvres need a vehicle lacks, with the lines of a draft that give them; ""
// where it has all.
func lacking(v *cardraft.Vehicle, model, file string) string {
	o, list := v.Roles, []string(nil)
	for _, role := range []struct {
		name  string
		lacks bool
	}{{"steering", o.Steering == nil}, {"throttle", o.Throttle == nil}, {"brake", len(o.Brake) == 0},
		{"outline", o.Outline == nil}} {
		if role.lacks {
			list = append(list, role.name)
		}
	}
	if list == nil {
		return ""
	}
	lines := drafted(v, model, list)
	text := fmt.Sprintf("%s: no %s in [roles]; manoeuvres that need it refuse the vehicle", file, strings.Join(list, ", "))
	if lines != "" {
		text += ". A draft:"
	}
	return text + "\n" + lines
}

// drafted are the lines of a draft that give roles, and examples where the draft has none.
func drafted(v *cardraft.Vehicle, model string, list []string) string {
	var draft string
	if spins, err := modelfile.Spins(model); err == nil {
		draft, _ = v.Draft(spins) // a vehicle without a draft has examples only
	}
	var lines strings.Builder
	for _, key := range list {
		known := false
		for line := range strings.Lines(draft) {
			if name, _, _ := strings.Cut(strings.TrimPrefix(line, "# "), " = "); name == key {
				lines.WriteString("  " + line)
				known = true
			}
		}
		if !known {
			fmt.Fprintf(&lines, "  # %s = %s\n", key, cmp.Or(roles.Examples[key], `{ input = "..." }`))
		}
	}
	return lines.String()
}

// statedIn are the numbers that roles state, with the files that have them.
func statedIn(o *roles.Roles) (list []cardraft.Number) {
	add := func(name, unit string, x float64, at *roles.Node) {
		list = append(list, cardraft.Number{Name: name, Unit: unit, Value: x, Origin: "[roles] of " + at.File})
	}
	if o.Wheelbase != 0 {
		add("wheelbase", "m", o.Wheelbase, o.Table.Field("wheelbase"))
	}
	if ratio := o.Steering.Overall(); ratio != 0 {
		add("steering_ratio", "1", ratio, o.Table.Field("steering").Field("ratio"))
	}
	if o.Understeer != nil {
		add("understeer", "rad.s2/m", *o.Understeer, o.Table.Field("understeer"))
	}
	for i := range o.Axles {
		if o.Axles[i].Radius != 0 {
			add(fmt.Sprintf("radius_%d", i+1), "m", o.Axles[i].Radius, o.Table.Field("rolling_radius"))
		}
	}
	if len(o.Brake) > 0 && o.Brake[0].Factor != 0 {
		add("brake_factor", "input.s2/m", o.Brake[0].Factor, roles.FactorOf(o.Table))
	}
	if o.Throttle != nil {
		throttle := o.Table.Field("throttle")
		add("closed", "input", o.Throttle.Closed, cmp.Or(throttle.Field("closed"), throttle))
		add("open", "input", o.Throttle.Open, cmp.Or(throttle.Field("open"), throttle))
	}
	if o.Outline != nil {
		outline := o.Table.Field("outline")
		add("body_width", "m", o.Outline.Width, outline.Field("width"))
		add("body_front", "m", o.Outline.Front, outline.Field("front"))
		add("body_rear", "m", o.Outline.Rear, outline.Field("rear"))
	}
	return list
}

// finder finds numbers of a vehicle that its roles do not state.
func finder(model, tree, libraryFile string) func(*roles.Roles) (map[string]float64, error) {
	return func(o *roles.Roles) (map[string]float64, error) {
		v := cardraft.Vehicle{Roles: o,
			Open: func() (drive.Subject, func(), error) { return openSubject(model, tree, libraryFile) }}
		return v.Find()
	}
}
