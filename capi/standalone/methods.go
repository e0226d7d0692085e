package standalone

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/cosim"
	"skidpad/model/program"
	"skidpad/model/solver"
	"skidpad/tire"
)

// Methods lists the integration methods of generated C.
const Methods = "euler, heun, rk4 and linearly-implicit"

// SplitMethods returns the names of a comma-separated list, none of an empty list.
func SplitMethods(list string) (names []string, err error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if _, err := solver.Lookup(name); err != nil {
			return nil, fmt.Errorf("%q is no method; it must be one of %s, or several of them with commas", name, Methods)
		}
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("%s is named twice", name)
		}
		names = append(names, name)
	}
	return names, nil
}

// Instances returns an initialised instance for each method; without methods, an instance with the method of the model.
// fresh returns an uninitialised instance with all other settings. Instances loads no tire library.
func Instances(methods []string, fresh func() (*cosim.Instance, error)) (list []*cosim.Instance, err error) {
	defer func() {
		if err != nil {
			for _, in := range list {
				in.Close()
			}
			list = nil
		}
	}()
	tire.SetLoader(tire.Plugin, tireOfLibrary)
	defer tire.SetLoader(tire.Plugin, nil)
	for i := range max(1, len(methods)) {
		in, err := fresh()
		if err != nil {
			return list, err
		}
		list = append(list, in)
		if len(methods) > 0 {
			err = in.SetText("solver.method", methods[i])
		}
		if err == nil {
			err = Refusal(in)
		}
		if err == nil {
			err = in.Initialise()
		}
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

// list takes a listing for all methods, with the implicit system if linearly-implicit is among them. Euler damps
// carcasses in another way and has separate rates.
func (w *writer) list(of []*cosim.Instance) error {
	base := -1
	var plans []*cosim.Plan
	for i, in := range of {
		plan, why := in.Plan()
		if plan == nil {
			return fmt.Errorf("%s; %s", why, coverage)
		}
		plan = &cosim.Plan{Listing: plan.Listing, X: plan.X, U: plan.U, Waves: plan.Waves,
			Seeds: plan.Seeds, LongestStep: plan.LongestStep}
		w.in, w.plan = in, plan
		if plan.Listing, plan.Memory, why = in.Listing(w.differentiated()); why != "" { // includes the checks of the start
			return fmt.Errorf("%s; %s", why, coverage)
		}
		plans, w.method = append(plans, plan), append(w.method, plan.Method)
		if plan.Linear != nil || base < 0 || plans[base].Method == euler {
			base = i
		}
	}
	w.in, w.plan = of[base], plans[base]
	for _, plan := range plans {
		if !sameVehicle(plan, w.plan, len(w.in.System().Program().Parameters)) {
			return errors.New("the instances are not the same vehicle at the same start")
		}
		if plan.Method == euler && plan != w.plan {
			w.takeEuler(plan)
		}
	}
	return nil
}

// euler is the method with separate rates and derivatives of rates.
const euler = "euler"

// takeEuler records the blocks that replace blocks of w.plan in a plan of the method euler.
func (w *writer) takeEuler(plan *cosim.Plan) {
	w.euler = map[placed]*program.Block{}
	for i, of := range chosen(w.plan) {
		for k, part := range of.Parts {
			for n, r := range part.Runs {
				block := chosen(plan)[i].Parts[k].Runs[n].Block
				if r.Memory != of.Memory && block != r.Block { // tires, not equations
					w.euler[placed{r.Block, r.Memory}] = block
				}
			}
		}
	}
}

// chosen returns the evaluations of a plan that can differ by method.
func chosen(p *cosim.Plan) []*program.Straight {
	list := []*program.Straight{p.Rates}
	if p.Derivatives != nil {
		list = append(list, p.Derivatives.At)
	}
	return list
}

// sameVehicle reports whether two plans have the same start and the same parameter values. Rates and derivatives must
// have the same parts, on memories with the same constants.
func sameVehicle(a, b *cosim.Plan, parameters int) bool {
	of := func(p *cosim.Plan) []float64 {
		return p.Memory[p.Rates.Memory][p.Memories[p.Rates.Memory].Parameters:][:parameters]
	}
	m := matching{a, b, map[int]int{}}
	return sameBits(of(a), of(b)) && sameBits(a.X, b.X) && sameBits(a.U, b.U) &&
		slices.EqualFunc(chosen(a), chosen(b), func(p, q *program.Straight) bool {
			return m.memories(p.Memory, q.Memory) && slices.EqualFunc(p.Parts, q.Parts, m.parts)
		})
}

// sameBits reports whether numbers are bit-identical.
func sameBits(x, y []float64) bool {
	return slices.EqualFunc(x, y, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// matching pairs memories of two plans that have the same size and the same constants.
type matching struct {
	a, b *cosim.Plan
	of   map[int]int
}

// memories reports whether two memories match: the same size and the same constants.
func (m *matching) memories(i, k int) bool {
	if known, has := m.of[i]; has {
		return known == k
	}
	m.of[i] = k
	p, q := &m.a.Memories[i], &m.b.Memories[k]
	return p.Size == q.Size && sameBits(m.a.Memory[i][p.From:p.To], m.b.Memory[k][q.From:q.To])
}

func (m *matching) parts(p, q program.Part) bool {
	samePlace := func(x, y program.Place) bool { return x.At == y.At && m.memories(x.Memory, y.Memory) }
	return slices.EqualFunc(p.Moves, q.Moves, func(x, y program.Move) bool {
		return samePlace(x.From, y.From) && samePlace(x.To, y.To)
	}) && slices.EqualFunc(p.Runs, q.Runs, func(r, s program.Run) bool { return m.memories(r.Memory, s.Memory) })
}

// constantOf returns the name of a method in C, without the prefix.
func constantOf(method string) string { return strings.ToUpper(strings.ReplaceAll(method, "-", "_")) }

// methods writes the methods of the file, by number and by index in step_methods.h.
func (w *writer) methods(s *strings.Builder) {
	for _, m := range solver.Methods() {
		if m.InC {
			fmt.Fprintf(s, "#define STEP_HAS_%s %d\n", constantOf(m.Name), count(w.method, m.Name))
		}
	}
	corrects := 0
	if w.plan.Linear != nil && w.plan.Linear.Correction != nil {
		corrects = 1
	}
	fmt.Fprintf(s, "#define STEP_CORRECTS %d\n", corrects)
	var numbers []string
	for _, m := range w.method {
		numbers = append(numbers, "STEP_"+constantOf(m))
	}
	fmt.Fprintf(s, "static const int vehicle_step_methods[VEHICLE_METHODS] = {%s};\n\n", strings.Join(numbers, ", "))
}

// count returns how often a list contains a name.
func count(list []string, name string) (n int) {
	for _, x := range list {
		if x == name {
			n++
		}
	}
	return n
}
