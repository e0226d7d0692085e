package standalone

import (
	"fmt"
	"strings"

	"skidpad/cosim"
	"skidpad/tire/machinecode"
)

// samples writes the samplers: their constants, the values that they hold, and the values from a sample on.
func (w *writer) samples() error {
	list := w.plan.Samplers
	var inputs, counts []string
	for _, s := range list {
		counts = append(counts, fmt.Sprint(len(s.Values)))
		for _, v := range s.Values {
			inputs = append(inputs, fmt.Sprint(v.Input))
		}
	}
	w.line("#define STEP_SAMPLES %d\nenum { VEHICLE_SAMPLERS = %d, VEHICLE_HELD = %d, VEHICLE_SAMPLE_NUMBERS = %d };\n",
		min(1, len(list)), len(list), len(inputs), w.sampleNumbers())
	if len(list) == 0 {
		return nil
	}
	w.line("/* By sampler how many values it holds, and by value its input. */")
	w.line("static const int32_t vehicle_held_by[VEHICLE_SAMPLERS] = {%s};", strings.Join(counts, ", "))
	w.line("static const int32_t vehicle_held[VEHICLE_HELD] = {%s};\n", strings.Join(inputs, ", "))
	w.line("static void vehicle_put_samplers(vehicle *c)\n{")
	for i, s := range list {
		for k, at := range []string{w.at(s.Sample), w.at(s.Phase), w.at(s.Active)} {
			w.line("    c->sampling[%d] = %s;", 3*i+k, at)
		}
	}
	w.line("}\n\nstatic void vehicle_start_samples(vehicle *c)\n{")
	w.line("    memset(c->samples, 0, sizeof c->samples);\n    c->samples[0] = c->time;")
	for _, s := range list {
		for _, v := range s.Values {
			w.line("    c->inputs[%d] = %s;", v.Input, w.at(v.Start))
		}
	}
	w.line("    memcpy(c->memory + VEHICLE_RATE_INPUTS, c->inputs, sizeof(double) * VEHICLE_ALL_INPUTS);\n}\n")
	return w.nextValues()
}

// nextValues writes the values from a sample on.
func (w *writer) nextValues() error {
	of := w.plan.Samples
	w.line("/* The values from a sample on, at states x and inputs that are in the memory already; dx is overwritten. */")
	w.line("static int vehicle_next_values(vehicle *c, const double *x, double *dx, double *values)\n{")
	if len(of.Parts[0].Moves) > 0 {
		w.line("    if (!vehicle_evaluate(c, x, dx)) /* forces of tires are among what follows */\n        return 0;")
	} else {
		w.line("    (void)dx;")
	}
	w.put(of, "x")
	w.line("    memcpy(%s + %d, c->memory + VEHICLE_RATE_INPUTS, sizeof(double) * VEHICLE_ALL_INPUTS);", memory(of.Memory),
		of.Inputs)
	if err := w.evaluate(of); err != nil {
		return err
	}
	w.results(of, "values")
	return nil
}

// sampleTimes writes the check of the times of samplers at the start.
func (w *writer) sampleTimes() {
	if len(w.plan.Samplers) > 0 && len(w.plan.Contacts) > 0 {
		w.line("static int vehicle_is_multiple(double n)\n{")
		w.line("    return n < 1e15 && op_abs(n - (double)(int64_t)(n + 0.5)) <= 1e-6;\n}\n")
	}
	w.line("/* Whether samplers can act at their times: with wheel contacts, at ends of solver steps. */")
	w.line("static int vehicle_may_sample(vehicle *c)\n{\n    (void)c;")
	number := 1 + 3*len(w.plan.Bounds) + len(w.plan.Contacts)
	for i := range w.plan.Samplers {
		sample := fmt.Sprintf("c->sampling[%d]", 3*i)
		w.line("    if (!(%s >= %s))\n        return %s;", sample, machinecode.Number(cosim.LeastSample),
			w.fault(number, sample, "0"))
		for k := 0; k < 2 && len(w.plan.Contacts) > 0; k++ {
			time := fmt.Sprintf("c->sampling[%d]", 3*i+k)
			w.line("    if (!vehicle_is_multiple(%s / vehicle_longest_step(c)))\n        return %s;", time,
				w.fault(number+1+k, time, "0"))
		}
		number += samplerFaults
	}
	w.line("    return 1;\n}\n")
}

// samplerFaults is the number of faults of a sampler at the start: a sample that is too short, and a sample or a phase
// that is no multiple of the solver step.
const samplerFaults = 3

// samplerFaultTexts are what is said of the faults of a sampler, before and behind the number.
func samplerFaultTexts(name string) (list []string) {
	const multiple = " s; in models with wheel contacts it must be an integer multiple of the solver step"
	return []string{name + ".sample is ", fmt.Sprintf(" s; it must be at least %g s", cosim.LeastSample),
		name + ".sample is ", multiple, name + ".phase is ", multiple}
}

// heldValues is how many values samplers hold.
func (w *writer) heldValues() (n int) {
	for _, s := range w.plan.Samplers {
		n += len(s.Values)
	}
	return n
}

// sampleNumbers is how many numbers of a saved state count samples: the time from which they count, and by sampler how
// many are past.
func (w *writer) sampleNumbers() int {
	if len(w.plan.Samplers) == 0 {
		return 0
	}
	return 1 + len(w.plan.Samplers)
}

// checkSamples refuses samples in functions that are smooth.
func (w *writer) checkSamples() error {
	if p := w.in.System().Program(); len(p.Samplers) > 0 && (w.CasADi || w.Acados) {
		return fmt.Errorf("%s acts at samples, and the functions for CasADi and acados are smooth: use equations in its "+
			"place", p.Samplers[0].Name)
	}
	return nil
}
