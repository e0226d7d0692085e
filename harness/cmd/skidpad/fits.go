package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// listedManoeuvre is a manoeuvre of a list.
type listedManoeuvre struct {
	resources.Entry
	Group  string   `json:"group"`  // heading; "" for files without one
	Models []string `json:"models"` // that it is for; null for any vehicle with the roles
}

// listedManoeuvres are all manoeuvres that can be given by name.
func listedManoeuvres() ([]listedManoeuvre, error) {
	list := []listedManoeuvre{}
	for _, e := range resources.Manoeuvres.List() {
		h, err := manoeuvre.ReadHeading(e.Path)
		if err != nil {
			return nil, err
		}
		list = append(list, listedManoeuvre{e, h.Group, h.Models})
	}
	return list, nil
}

// printManoeuvres prints the manoeuvres for any vehicle by their groups, and the names of the others by their models.
func printManoeuvres(to io.Writer, list []listedManoeuvre) error {
	fmt.Fprint(to, "for any vehicle with the roles that they need; 'skidpad list manoeuvres CAR' says which CAR can "+
		"make\n")
	forAny := func(m listedManoeuvre) bool { return m.Models == nil }
	if err := printGroups(to, list, forAny); err != nil {
		return err
	}
	twoWheelers := manoeuvre.Groups[len(manoeuvre.Groups)-1]
	for _, part := range []struct {
		heading string
		chosen  func(listedManoeuvre) bool
	}{{"for single models", func(m listedManoeuvre) bool { return m.Group != twoWheelers }},
		{"two-wheelers, for single models", func(m listedManoeuvre) bool { return m.Group == twoWheelers }}} {
		fmt.Fprintf(to, "\n%s\n", part.heading)
		printByModel(to, list, func(m listedManoeuvre) bool { return m.Models != nil && part.chosen(m) })
	}
	return nil
}

// printByModel prints the names of manoeuvres in lines by their models.
func printByModel(to io.Writer, list []listedManoeuvre, chosen func(listedManoeuvre) bool) {
	names := map[string][]string{}
	for _, m := range list {
		if chosen(m) {
			names[m.Models[0]] = append(names[m.Models[0]], m.Name)
		}
	}
	const width = 100
	for _, model := range slices.Sorted(maps.Keys(names)) {
		line := "  " + model + ":"
		for i, name := range names[model] {
			if i > 0 {
				line += ","
			}
			if len(line)+len(name) > width {
				fmt.Fprintln(to, line)
				line = "   "
			}
			line += " " + name
		}
		fmt.Fprintln(to, line)
	}
}

// printGroups prints names and titles of manoeuvres under the headings of their groups.
func printGroups(to io.Writer, list []listedManoeuvre, chosen func(listedManoeuvre) bool) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, group := range append(slices.Clone(manoeuvre.Groups), "") {
		begun := false
		for _, m := range list {
			if m.Group != group || !chosen(m) {
				continue
			}
			if !begun {
				fmt.Fprintf(w, "\n%s\n", cmp.Or(group, "other"))
				begun = true
			}
			fmt.Fprintf(w, "  %s\t%s\n", m.Name, m.Title)
		}
	}
	return w.Flush()
}

// fit is a manoeuvre with the answer whether a vehicle can make it.
type fit struct {
	listedManoeuvre
	Fits  bool     `json:"fits"`
	Lacks []string `json:"lacks"` // roles; null where none is missing
	Why   string   `json:"why"`   // the error; "" where it fits
}

// fitsOf checks for each manoeuvre whether a vehicle can make it: the manoeuvres for any vehicle, and the manoeuvres
// for its model.
func fitsOf(c *cobra.Command, model, car, libraryFile string) (fits []fit, target manoeuvre.Target, err error) {
	if target, err = modelfile.Target(model, car); err != nil {
		return nil, target, err
	}
	target.Find = findOnce(finder(model, "", libraryFile))
	e := evaluate.Evaluator{Target: target,
		Open: func() (drive.Subject, func(), error) { return openSubject(model, "", libraryFile) }}
	all, err := listedManoeuvres()
	if err != nil {
		return nil, target, err
	}
	all = slices.DeleteFunc(all, func(m listedManoeuvre) bool {
		return m.Models != nil && (!slices.Contains(m.Models, target.Model) || car != "")
	})
	progress := output.SideBySide(output.NewProgressOf(c.ErrOrStderr(), "manoeuvres"), len(all))
	fits = make([]fit, len(all))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, m := range all {
		group.Go(func() error {
			fits[i] = fitOf(&e, m)
			progress(i).At("check", 1, 1)
			return nil
		})
	}
	_ = group.Wait() // what is wrong is in fits
	return fits, target, nil
}

// fitOf checks whether a vehicle can make one manoeuvre.
func fitOf(e *evaluate.Evaluator, m listedManoeuvre) fit {
	f := fit{listedManoeuvre: m, Fits: true}
	if err := e.Check(m.Path); err != nil {
		f.Fits, f.Why = false, err.Error()
		if lacks := (*manoeuvre.LackingRoles)(nil); errors.As(err, &lacks) {
			f.Lacks = lacks.Roles
		}
	}
	return f
}

// findOnce is a finder that runs the vehicle once for equal roles.
func findOnce(find func(*roles.Roles) (map[string]float64, error)) func(*roles.Roles) (map[string]float64, error) {
	var mutex sync.Mutex
	known := map[string]map[string]float64{}
	return func(o *roles.Roles) (map[string]float64, error) {
		mutex.Lock()
		defer mutex.Unlock()
		of := roles.Text("roles", o.Table)
		if numbers, is := known[of]; is {
			return numbers, nil
		}
		numbers, err := find(o)
		if err == nil {
			known[of] = numbers
		}
		return numbers, err
	}
}

// printFits prints which manoeuvres a vehicle can make, and for the others the reason with the lines to write.
func printFits(to io.Writer, fits []fit, target manoeuvre.Target, model, libraryFile string) error {
	able := 0
	var list []listedManoeuvre
	var missing []string
	for _, f := range fits {
		if f.Fits {
			able++
			list = append(list, f.listedManoeuvre)
		}
		for _, role := range f.Lacks {
			key, _, _ := strings.Cut(role, ".")
			if !slices.Contains(missing, key) {
				missing = append(missing, key)
			}
		}
	}
	fmt.Fprintf(to, "%s can make %d of %d manoeuvres\n", target.Model, able, len(fits))
	own := func(m listedManoeuvre) bool { return m.Models != nil }
	if slices.ContainsFunc(list, own) {
		fmt.Fprintf(to, "\nfor %s alone\n", target.Model)
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		for _, m := range list {
			if own(m) {
				fmt.Fprintf(w, "  %s\t%s\n", m.Name, m.Title)
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if err := printGroups(to, list, func(m listedManoeuvre) bool { return !own(m) }); err != nil || able == len(fits) {
		return err
	}
	if _, err := target.Resolved(); err != nil { // says how [roles] are written
		fmt.Fprintf(to, "\nmanoeuvres for any vehicle\n  %v\n", err)
	} else if len(missing) > 0 {
		fmt.Fprint(to, "\nroles are missing\n")
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		for _, f := range fits {
			if f.Lacks != nil {
				fmt.Fprintf(w, "  %s\t%s\n", f.Name, strings.Join(f.Lacks, ", "))
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(to, "\nlines for [roles] of %s, as far as the vehicle has these parts\n", cmp.Or(target.Car, target.File))
		v := cardraft.Vehicle{Open: func() (drive.Subject, func(), error) { return openSubject(model, "", libraryFile) }}
		var err error
		if v.Roles, err = target.Resolved(); err != nil {
			return err
		}
		fmt.Fprint(to, drafted(&v, model, missing))
	}
	names := map[string][]string{} // by what is wrong
	var errs []string
	for _, f := range fits {
		if !f.Fits && f.Lacks == nil {
			if names[f.Why] == nil {
				errs = append(errs, f.Why)
			}
			names[f.Why] = append(names[f.Why], f.Name)
		}
	}
	for _, err := range errs {
		fmt.Fprintf(to, "\n%s\n  %s\n", strings.Join(names[err], ", "), err)
	}
	return nil
}
