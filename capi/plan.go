package main

// #cgo CFLAGS: -O3
// #include <stdlib.h>
// #include "core_types.h"
// #include "plugin.h"
// #include "step.h"
// static int32_t evaluate(const void *function, const char *who, size_t n, const uintptr_t *instances,
//                         const double *inputs, const double *states, double *outputs, double *rates)
// {
//     return plugin_evaluate(function, who, n, instances, inputs, states, outputs, rates);
// }
// static void call_through_core(step_tires *t) { t->evaluate = evaluate; }
import "C"

import (
	"math"
	"runtime"
	"slices"
	"unsafe"

	_ "skidpad/capi/standalone/text" // so that this package is compiled again when the text has changed
	"skidpad/cosim"
)

// plan is a cosim.Plan in C memory, for step.c. It points into pinned memory of Go.
type plan struct {
	c      *C.skidpad_plan
	of     *cosim.Plan // keeps the code that C runs
	pinned runtime.Pinner
	blocks []unsafe.Pointer
}

// methods maps the names of the methods in step.c to their constants.
var methods = map[string]C.int32_t{
	"euler": C.STEP_EULER, "heun": C.STEP_HEUN, "rk4": C.STEP_RK4, "linearly-implicit": C.STEP_LINEARLY_IMPLICIT,
}

// publishPlan gives the shim a plan of the next step if the shim may make this step without Go.
func (k *component) publishPlan() {
	if k.plan != nil {
		k.plan.c.ready = 0
	}
	if k.broken != "" {
		return
	}
	of, _ := k.Plan()
	if of == nil || !k.Planned() {
		return
	}
	if k.plan == nil || k.plan.of != of {
		k.dropPlan()
		if k.plan = newPlan(of, k.window, true); k.plan == nil {
			return // the core makes the steps
		}
		k.log()
		k.window.plan = k.plan.c
	}
	t, stop, watching := k.Now()
	p := k.plan.c
	_, _, logging := k.Logged()
	p.time, p.stop, p.watching, p.logging = C.double(t), C.double(stop), flag(watching), flag(logging)
	due, uncut := k.StepsBetweenSamples()
	p.due, p.uncut = C.double(due), C.double(uncut)
	p.fresh, p.inputs_are, p.ready = C.STEP_NOTHING, C.STEP_INPUTS_WRITTEN, 1
}

// takeSteps takes over the steps of the shim since the last call.
func (k *component) takeSteps() {
	if k.plan == nil {
		return
	}
	p := k.plan.c
	current := p.shown != 0 && C.step_show(p) != 0
	if p.tried != 0 {
		k.Tried()
	}
	if p.stepped != 0 {
		k.Stepped(float64(p.time))
	}
	if p.shown != 0 {
		k.Shown(current)
	}
	p.stepped, p.shown, p.tried, p.fresh = 0, 0, 0, C.STEP_NOTHING
}

// dropPlan releases the plan, if there is one.
func (k *component) dropPlan() {
	if k.plan != nil {
		k.window.plan = nil
		k.plan.release()
		k.plan = nil
	}
}

func (p *plan) release() {
	p.pinned.Unpin()
	for _, b := range p.blocks {
		C.free(b)
	}
}

// newPlan writes a plan for C, with values in a window. It returns nil if only Go can call parts of the plan, or if
// there is no memory. With readings, all reads evaluate the rates first, so that failing functions are found.
func newPlan(of *cosim.Plan, w *C.skidpad_window, readings bool) *plan {
	p, made := &plan{of: of}, false
	if protect(func() error { made = p.write(w, readings); return nil }) != nil || !made {
		p.release()
		return nil
	}
	return p
}

// write writes the plan. It reports whether C can execute the whole plan.
func (p *plan) write(w *C.skidpad_window, readings bool) bool {
	of := p.of
	c := (*C.skidpad_plan)(p.block(1, C.sizeof_skidpad_plan))
	p.c = c
	for _, memory := range of.Memory {
		p.numbers(memory)
	}
	n, m := len(of.X), len(of.U)
	c.method, c.longest = methods[of.Method], C.double(of.LongestStep)
	c.states, c.inputs, c.settable = C.size_t(n), C.size_t(m), C.size_t(w.inputs_to-w.inputs_from)
	c.x, c.u, c.rate = p.numbers(of.X), p.numbers(of.U), p.numbers(of.Rate)
	c.work = (*C.double)(p.block(6*n+3*m, 8))
	motions := list[C.step_motion](p, len(of.Motions))
	for i, m := range of.Motions {
		motions[i] = C.step_motion{C.int32_t(m.Position), C.int32_t(m.Rate), C.int32_t(m.Acceleration)}
	}
	c.motions, c.motion_count = unsafe.SliceData(motions), C.size_t(len(motions))
	watched := list[C.int32_t](p, len(of.Watched))
	for i, k := range of.Watched {
		watched[i] = C.int32_t(k)
	}
	c.watched, c.watched_count = unsafe.SliceData(watched), C.size_t(len(watched))
	p.watch()
	p.contacts()
	p.samples()
	if !p.ground() || !p.evaluation(&c.rates, of.Rates) || !p.evaluation(&c.outputs, of.Outputs) ||
		!p.evaluation(&c.ends, of.Ends) || !p.evaluation(&c.next, of.Samples) || !p.linear(&c.linear, of.Linear) {
		return false
	}
	least := C.uint8_t(C.STEP_NOTHING)
	if readings && c.foreign != 0 {
		least = C.STEP_RATES_ALONE
	}
	p.show(w, least)
	return true
}

// watch writes the checks of each solver step.
func (p *plan) watch() {
	c, of := p.c, &p.of.Watch
	gates := list[C.step_place](p, len(of.Gates))
	quick := list[[C.STEP_GATE_NUMBERS]float64](p, len(of.Gates))
	for i, g := range of.Gates {
		gates[i] = p.at(g.At)
		quick[i] = [...]float64{C.STEP_MIDDLE: g.Middle, C.STEP_HALF: math.Float64frombits(uint64(g.Half))}
	}
	c.gates, c.gate_limits = unsafe.SliceData(gates), (*C.double)(unsafe.Pointer(unsafe.SliceData(quick)))
	c.gate_count = C.size_t(len(gates))
	rows := list[C.step_row](p, len(of.Limits))
	limits := list[[C.STEP_LIMITS]float64](p, len(of.Limits))
	for i, l := range of.Limits {
		r := &p.of.Rows[i]
		rows[i] = C.step_row{at: p.at(r.At), touching: p.at(r.Touching), touches: flag(r.Touching.Memory >= 0)}
		limits[i] = [...]float64{C.STEP_LOW: l.Low, C.STEP_HIGH: l.High, C.STEP_BACK_LOW: l.BackLow,
			C.STEP_BACK_HIGH: l.BackHigh}
	}
	c.rows, c.row_limits = unsafe.SliceData(rows), (*C.double)(unsafe.Pointer(unsafe.SliceData(limits)))
	c.row_count = C.size_t(len(rows))
	c.noted, c.out = p.numbers(of.Numbers), p.numbers(of.Out)
	c.kept = (*C.double)(p.block(len(of.Numbers)+1, 8))
}

// samples writes the samplers.
func (p *plan) samples() {
	c, of := p.c, p.of
	n := len(of.Sampling)
	if n == 0 {
		return
	}
	sampling, heldBy := list[C.step_sampling](p, n), list[C.int32_t](p, n)
	var held []C.int32_t
	for i, s := range of.Sampling {
		for k, number := range []*float64{s.Sample, s.Phase, s.Active} {
			p.pinned.Pin(number)
			sampling[i].numbers[k] = (*C.double)(number)
		}
		heldBy[i] = C.int32_t(len(of.Samplers[i].Values))
		for _, v := range of.Samplers[i].Values {
			held = append(held, C.int32_t(v.Input))
		}
	}
	kept := list[C.int32_t](p, len(held))
	copy(kept, held)
	c.sampler_count, c.sampling = C.size_t(n), unsafe.SliceData(sampling)
	c.held_by, c.held = unsafe.SliceData(heldBy), unsafe.SliceData(kept)
	c.samples = p.numbers(of.SampleCounts)
	c.samples_before, c.next_values = (*C.double)(p.block(n+1, 8)), (*C.double)(p.block(len(held)+1, 8))
	c.samples_take_rates = flag(len(of.Samples.Parts[0].Moves) > 0)
}

// block returns zeroed C memory that lives as long as the plan.
func (p *plan) block(n, size int) unsafe.Pointer {
	b := cAllocate(n, size)
	p.blocks = append(p.blocks, b)
	return b
}

// list returns n zeroed items in C memory; the list has an address also if n is 0.
func list[T any](p *plan, n int) []T {
	var one T
	return unsafe.Slice((*T)(p.block(n, int(unsafe.Sizeof(one)))), max(n, 1))[:n]
}

// numbers pins numbers of Go and returns their address.
func (p *plan) numbers(of []float64) *C.double {
	if cap(of) == 0 {
		return (*C.double)(p.block(1, 8))
	}
	p.pinned.Pin(unsafe.SliceData(of))
	return (*C.double)(unsafe.SliceData(of))
}

// at returns the address of a number, nil for none.
func (p *plan) at(place cosim.Place) *C.double { return (*C.double)(p.of.At(place)) }

// evaluation writes an evaluation, nothing for nil. It reports whether C can execute the evaluation.
func (p *plan) evaluation(c *C.step_evaluation, of *cosim.Straight) bool {
	if of == nil {
		return true
	}
	if of.States >= 0 {
		c.states = p.at(cosim.Place{Memory: of.Memory, At: of.States})
		c.inputs = p.at(cosim.Place{Memory: of.Memory, At: of.Inputs})
	}
	parts := list[C.step_part](p, len(of.Parts))
	for i := range of.Parts {
		if !p.part(&parts[i], &of.Parts[i]) {
			return false
		}
	}
	c.parts, c.part_count = unsafe.SliceData(parts), C.size_t(len(parts))
	results := list[*C.double](p, len(of.Results))
	for i, at := range of.Results {
		results[i] = p.at(at)
	}
	c.results, c.result_count = unsafe.SliceData(results), C.size_t(len(results))
	if of.Collect != nil {
		c.collect = p.job(of.Collect.Job(nil, p.of.Memory[of.Memory]))
	}
	return true
}

func (p *plan) part(c *C.step_part, of *cosim.StraightPart) bool {
	switch {
	case of.Called >= 0:
		g, ok := p.of.Groups[of.Called].(*pluginGroup)
		if !ok {
			return false
		}
		p.c.foreign = 1
		t := list[C.step_tires](p, 1)
		p.tires(&t[0], g)
		c.tires, c.count = &t[0], 1
	case of.Copy != nil:
		from, to := p.of.Memory[of.Moves[0].From.Memory], p.of.Memory[of.Moves[0].To.Memory]
		p.jobs(c, p.job(of.Copy.Job(to, from)))
	case of.Moves != nil:
		moves := list[C.step_move](p, len(of.Moves))
		for i, m := range of.Moves {
			moves[i] = C.step_move{from: p.at(m.From), to: p.at(m.To)}
		}
		c.moves, c.count = unsafe.SliceData(moves), C.size_t(len(moves))
	default:
		var jobs []C.step_job
		for _, r := range of.Runs {
			jobs = append(jobs, p.run(r))
		}
		p.jobs(c, jobs...)
	}
	return true
}

// jobs writes jobs as the content of a part.
func (p *plan) jobs(c *C.step_part, jobs ...C.step_job) {
	kept := list[C.step_job](p, len(jobs))
	copy(kept, jobs)
	c.jobs, c.count = unsafe.SliceData(kept), C.size_t(len(jobs))
}

// run writes a run of code.
func (p *plan) run(r cosim.Run) C.step_job {
	var fixed []float64
	if r.Fixed >= 0 {
		fixed = p.of.Memory[r.Fixed]
	}
	return p.job(r.Code.Job(p.of.Memory[r.Memory], fixed))
}

// tires writes the call of library tire functions, with the checks of pluginGroup.Eval.
func (p *plan) tires(t *C.step_tires, g *pluginGroup) {
	C.call_through_core(t)
	api := (*C.skidpad_tire)(p.block(1, C.sizeof_skidpad_tire))
	*api = *g.api
	*t = C.step_tires{
		evaluate: t.evaluate, function: unsafe.Pointer(api), who: g.who, n: C.size_t(len(g.tires)),
		instances: &g.instances[0], inputs: cPointer(g.in), states: cPointer(g.x), outputs: cPointer(g.out),
		rates: cPointer(g.dx), output_count: C.size_t(len(g.out)), largest: largest,
		guard_size: C.size_t(unsafe.Sizeof(whole)),
	}
	intact := list[[guardLength]uint64](p, 1)
	intact[0], t.intact = whole, unsafe.Pointer(&intact[0])
	for i := range g.guards {
		for k, side := range g.guards[i].sides() {
			t.guards[2*i+k] = unsafe.Pointer(side)
		}
	}
}

func (p *plan) job(j *cosim.Job) C.step_job {
	return C.step_job{code: (*C.step_code)(j.Text), memory: p.numbers(j.Memory), pool: p.numbers(j.Pool),
		fixed: p.numbers(j.Fixed)}
}

// linear writes an implicit system, nothing for nil.
func (p *plan) linear(c *C.step_linear, of *cosim.Linear) bool {
	if of == nil {
		return true
	}
	c.c = p.at(of.C)
	if len(p.of.X) > 0 { // else both positions are past the last number
		c.given, c.right = p.at(of.Given), p.at(of.Right)
	}
	c.factors, c.solves = p.run(of.Factors), p.run(of.Solves)
	if of := of.Correction; of != nil {
		c.speeds, c.by, c.correct = C.size_t(of.Speeds), p.at(of.By), p.run(of.Run)
		if !p.evaluation(&c.residuals, of.Residuals) {
			return false
		}
	}
	return p.evaluation(&c.at, of.At)
}

// show writes the address of each value and the evaluation that a read requires, at least the evaluation least. Values
// of parameters and inputs are in the window.
func (p *plan) show(w *C.skidpad_window, least C.uint8_t) {
	of, c := p.of, p.c
	window := unsafe.Slice(w.values, int(w.count))
	values, needs := list[*C.double](p, len(window)), list[C.uint8_t](p, len(window))
	for i := range needs {
		needs[i] = C.STEP_BY_GO
	}
	numbers := list[C.step_move](p, len(of.Numbers)+1)[:0]
	put := func(i int, from *C.double, needed C.uint8_t) {
		if unread := i >= int(w.unread_from) && i < int(w.unread_to); i >= int(w.read_from) && !unread {
			values[i], needs[i] = from, max(needed, least)
		}
	}
	add := func(i int, from *C.double, needed C.uint8_t) {
		if i < len(window) {
			numbers = append(numbers, C.step_move{from: from, to: &window[i]})
			put(i, from, needed)
		}
	}
	for i := range int(w.inputs_to) {
		put(i, &window[i], C.STEP_NOTHING)
	}
	add(of.Time, &c.time, C.STEP_NOTHING)
	for _, n := range of.Numbers {
		add(n.Variable, p.at(n.At), needed(n))
	}
	for _, h := range of.Held {
		if h.Variable < len(window) {
			put(h.Variable, p.at(h.At), C.STEP_NOTHING)
		}
	}
	c.numbers, c.number_count = unsafe.SliceData(numbers), C.size_t(len(numbers))
	touches := list[C.step_touch](p, len(of.Touches))
	c.touching = C.STEP_RATES_ALONE
	for i, t := range of.Touches {
		touches[i] = C.step_touch{above: p.at(t.At), value: &window[t.Variable]}
		c.touching = max(c.touching, C.int32_t(needed(t)))
	}
	for _, t := range of.Touches {
		put(t.Variable, &window[t.Variable], C.uint8_t(c.touching))
	}
	c.touches, c.touch_count = unsafe.SliceData(touches), C.size_t(len(touches))
	c.values, c.needs = unsafe.SliceData(values), unsafe.SliceData(needs)
}

// needed returns the evaluation that computes a number.
func needed(n cosim.Shown) C.uint8_t {
	if n.Late {
		return C.STEP_OUTPUTS
	}
	return C.STEP_RATES_ALONE
}

// log gives the plan the logged values of contacts, so that C notices changes.
func (k *component) log() {
	references, logged, _ := k.Logged()
	touches := unsafe.Slice(k.plan.c.touches, int(k.plan.c.touch_count))
	for i, t := range k.plan.of.Touches {
		if at := slices.Index(references, uint32(t.Variable)); at >= 0 {
			touches[i].logged = k.plan.numbers(logged[at:])
		}
	}
	modes := unsafe.Slice(k.plan.c.contact_logged, int(k.plan.c.contact_count))
	for i := range k.plan.of.Contacts {
		if at := slices.Index(references, uint32(k.plan.of.Contacts[i].Shown)); at >= 0 {
			modes[i] = k.plan.numbers(logged[at:])
		}
	}
}
