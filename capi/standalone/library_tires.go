package standalone

import (
	"fmt"
	"strings"

	"skidpad/capi/standalone/text"
	"skidpad/cosim"
	"skidpad/model/program"
	"skidpad/tire"
	"skidpad/tire/external"
)

// tireOfLibrary returns a placeholder of a library tire function. The library is never loaded: the program with the C
// file provides the function and its inputs. The placeholder has no inputs and returns no force.
func tireOfLibrary(_, symbol, _ string) (*tire.Kind, error) {
	k := &tire.Kind{Name: symbol, Outputs: forces, Join: joinTires}
	k.Open = func(tire.OpenRequest) (tire.Function, error) { return &libraryTire{}, nil }
	return k, nil
}

// forces lists the results of a force function.
var forces = []string{"Fx", "Fy", "Mx", "My", "Mz"}

// libraryTire is a tire with a placeholder; libraryTires groups the tires with the same function.
type (
	libraryTire struct {
		group *libraryTires
		index int
	}
	libraryTires struct{ results []float64 }
)

func joinTires(functions []tire.Function) error {
	g := &libraryTires{make([]float64, len(functions)*len(forces))}
	for k, f := range functions {
		t := f.(*libraryTire)
		t.group, t.index = g, k
	}
	return nil
}

// Eval implements tire.Function.
func (t *libraryTire) Eval(_, out []float64) { clear(out) }

// Member implements tire.Grouped.
func (t *libraryTire) Member() (tire.Group, int) { return t.group, t.index }

// Argument implements tire.Group; no tire has arguments.
func (g *libraryTires) Argument(int, int) *float64 { return nil }

// Result implements tire.Group.
func (g *libraryTires) Result(k, r int) *float64 { return &g.results[k*len(forces)+r] }

// Eval implements tire.Group.
func (g *libraryTires) Eval() {}

// Memories returns the memory of the results.
func (g *libraryTires) Memories() [][]float64 { return [][]float64{g.results} }

// functionOf returns the name of the text that selects the function of a call.
func functionOf(c *program.Call) (name string) { return c.Owner() + ".model" }

// LibraryTire returns the name of the first tire with a library function, "" for none.
func LibraryTire(in *cosim.Instance) string {
	for _, c := range in.System().Program().Calls {
		if value, err := in.Text(functionOf(&c)); err == nil && external.Names(value) {
			return c.Component()
		}
	}
	return ""
}

// checkLibraryTires rejects library tires in files that cannot call tire functions.
func (w *writer) checkLibraryTires(in *cosim.Instance) error {
	switch name := LibraryTire(in); {
	case name == "":
		return nil
	case w.forFMU:
		return fmt.Errorf("the function of %s is in a library, which sources of an FMU cannot call; pack an FMU without "+
			"sources", name)
	case w.CasADi || w.Module || w.Derivatives:
		return fmt.Errorf("the function of %s is in a library, which only a C file without derivatives can call; use "+
			"--target c without --derivatives, or a built-in function", name)
	}
	return nil
}

// call writes the calls of the functions of a group.
func (w *writer) call(group int) {
	for k, f := range w.plan.Called {
		if f.Group == group {
			w.line("    if (!vehicle_call_tire(c, %d, &%s))\n        return 0;", k, w.at(f.Results))
		}
	}
}

// libraryTires writes the possible inputs of library tires, and their calls.
func (w *writer) libraryTires() {
	if len(w.plan.Called) == 0 {
		w.line("static int vehicle_has_tires(const vehicle *c)\n{\n    (void)c;\n    return 1;\n}\n")
		return
	}
	var offers, first []string
	for _, f := range w.plan.Called {
		first = append(first, fmt.Sprint(len(offers)))
		for _, o := range f.Offered {
			offers = append(offers, fmt.Sprintf("    {%s, %s},\n", quoted(o.Name), w.offset(o.At)))
		}
	}
	w.line("typedef struct {\n    const char *name;\n    int at;\n} vehicle_offer;\n")
	w.line("/* By tire, what its function can ask for. */\nstatic const vehicle_offer vehicle_offers[] = {\n%s};",
		strings.Join(offers, ""))
	w.line("static const int vehicle_first_offer[VEHICLE_TIRES + 1] = {%s, %d};\n", strings.Join(first, ", "),
		len(offers))
	w.body.WriteString(text.TiresRun)
}
