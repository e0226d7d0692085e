package standalone

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/capi/standalone/text"
	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/tire/machinecode"
)

// sourceTables prints the tables of variables for the sources of an FMU.
type sourceTables struct {
	*writer
	table   *fmu.Table
	version int
	first   *cosim.Instance // with the method of the model description

	parameters map[string]int // of the program, by name
	states     map[uint32]int // by reference
	choices    []int          // parameters chosen by texts
	text       strings.Builder
}

// The C names of modes, calls and memories of values, in the order of their numbers.
var (
	modeNames = []string{"INSTANTIATED", "INITIALIZATION", "EVENT", "CONTINUOUS", "STEP", "STEP_FAILED", "STEPPING",
		"INTERMEDIATE", "TERMINATED", "FAILED"}
	callNames = map[fmu.Call]string{
		fmu.CallSetDebugLogging: "SET_DEBUG_LOGGING", fmu.CallSetupExperiment: "SETUP_EXPERIMENT",
		fmu.CallEnterInitializationMode: "ENTER_INITIALIZATION", fmu.CallExitInitializationMode: "EXIT_INITIALIZATION",
		fmu.CallTerminate: "TERMINATE", fmu.CallReset: "RESET", fmu.CallGet: "GET", fmu.CallSet: "SET",
		fmu.CallGetState: "GET_FMU_STATE", fmu.CallSetState: "SET_FMU_STATE", fmu.CallDerivatives: "DERIVATIVES",
		fmu.CallEnterEventMode: "ENTER_EVENT_MODE", fmu.CallUpdateDiscreteStates: "UPDATE",
		fmu.CallEvaluateDiscreteStates: "EVALUATE", fmu.CallEnterContinuousTimeMode: "ENTER_CONTINUOUS",
		fmu.CallEnterStepMode: "ENTER_STEP", fmu.CallCompletedIntegratorStep: "COMPLETED", fmu.CallSetTime: "SET_TIME",
		fmu.CallSetContinuousStates: "SET_STATES", fmu.CallGetContinuousStates: "GET_STATES",
		fmu.CallGetNominals: "NOMINALS", fmu.CallCount: "COUNT", fmu.CallDoStep: "DO_STEP",
		fmu.CallSetInputDerivatives: "INPUT_DERIVATIVES", fmu.CallGetOutputDerivatives: "OUTPUT_DERIVATIVES",
		fmu.CallGetStatus: "GET_STATUS",
	}
	causalities = []fmu.Causality{fmu.Parameter, fmu.Input, fmu.Output, fmu.Local, fmu.Independent}
	codes       = []string{"native", "portable"}
)

// files returns tables.h and tables.c.
func (t *sourceTables) files() []File {
	p := t.in.System().Program()
	t.parameters, t.states = map[string]int{}, map[uint32]int{}
	for i, v := range p.Parameters {
		t.parameters[v.Name] = i
		if v.Choices != nil {
			t.choices = append(t.choices, i)
		}
	}
	for i, d := range t.table.Derivatives {
		t.states[t.table.Variables[d.Reference].State] = i
	}
	t.line("/* The variables of the FMU, and which call is allowed when. */\n#include \"tables.h\"\n")
	t.entries()
	t.references()
	t.rules()
	t.texts()
	t.dependencies()
	header := strings.Replace(text.Tables, "/* @sizes@ */", t.sizes(), 1)
	return []File{{"tables.c", t.named(t.text.String())}, {"tables.h", t.named(header)}}
}

func (t *sourceTables) line(format string, arguments ...any) {
	fmt.Fprintf(&t.text, format+"\n", arguments...)
}

// list prints an array, with a last element that is never read.
func (t *sourceTables) list(kind, name, length string, elements []string, last string) {
	t.line("%s %s[%s] = {", kind, name, length)
	for _, e := range append(slices.Clone(elements), last) {
		if e != "" {
			t.line("    %s,", e)
		}
	}
	t.line("};\n")
}

// events returns the references of variables whose changes are logged.
func (t *sourceTables) events() (list []string) {
	for _, v := range t.table.Variables {
		if v.Variability == fmu.Discrete && v.Kind != cosim.Ended {
			list = append(list, fmt.Sprint(v.Reference))
		}
	}
	return list
}

// sizes returns the sizes of tables, and the enumerations of package fmu.
func (t *sourceTables) sizes() string {
	s, p := t.in.System(), t.in.System().Program()
	var b strings.Builder
	step, outputs := -1, t.shown()
	if k, chosen := t.parameters[cosim.StepVariable]; chosen {
		step = k
	}
	timed := 0
	if p.Timed {
		timed = 1
	}
	contact := slices.IndexFunc(outputs, func(o shown) bool { return s.Variables()[o.Variable].Kind == cosim.Indicator })
	b.WriteString("enum {\n")
	for _, n := range []struct {
		name string
		n    int
	}{
		{"REFERENCES", len(t.table.Variables)},
		{"NUMBERS", s.First(cosim.Text)},
		{"TEXTS", len(t.table.Variables) - s.First(cosim.Text)}, {"FIRST_INPUT", s.First(cosim.Input)},
		{"FIRST_OUTPUT", s.First(cosim.Output)},
		{"OUTPUT_NUMBERS", s.First(cosim.Contact) - s.First(cosim.Output)}, {"FIRST_RATE", s.First(cosim.Rate)},
		{"CONTACTS", len(t.table.Indicators)}, {"FIRST_CONTACT", max(0, contact)}, {"EVENTS", len(t.events())},
		{"CHOICES", len(t.choices)}, {"MODES", len(modeNames)}, {"CATEGORIES", len(fmu.Categories)},
		{"TIMED", timed}, {"STEP_PARAMETER", step}, {"STEP_PARAMETER_OR_0", max(0, step)},
		{"STATES_OR_1", max(1, len(p.States))}, {"LIMIT_ROWS", len(t.plan.Rows)}, {"NOTES", len(t.first.Warnings())},
		{"SOLVER_NOTES", len(t.first.Notes())}, {"RUNNING", len(t.table.Outputs) + len(t.table.Derivatives)},
		{"STARTING", len(t.table.Initial)},
		{"DISCRETE_CONTACTS", len(t.plan.Contacts)}, {"BOUND_FAULTS", 3 * len(t.plan.Bounds)},
		{"CONSTRAINT_FAULT", constraintFault}, {"FRICTION_FAULT", frictionFault}, {"SEED_FAULT", seedFault},
		{"SAMPLED", len(p.Samplers)},
	} {
		fmt.Fprintf(&b, "    VEHICLE_%s = %d,\n", n.name, n.n)
	}
	fmt.Fprintf(&b, "};\n\n/* Of a contact [N]. */\n#define VEHICLE_HYSTERESIS %s\n\n",
		machinecode.Number(cosim.Hysteresis))
	b.WriteString("/* Modes, which are bits; calls; categories of messages. */\nenum {\n")
	for i, name := range modeNames {
		fmt.Fprintf(&b, "    VEHICLE_%s = %d,\n", name, 1<<i)
	}
	fmt.Fprintf(&b, "    VEHICLE_ANYTIME = %d\n};\nenum {\n", fmu.Anytime)
	for call := range fmu.Rules(t.version) {
		fmt.Fprintf(&b, "    VEHICLE_CALL_%s,\n", callNames[fmu.Call(call)])
	}
	b.WriteString("};\nenum {\n")
	for _, c := range fmu.Categories {
		fmt.Fprintf(&b, "    VEHICLE_%s,\n", upperSnake(c.Name))
	}
	b.WriteString("};")
	return b.String()
}

// upperSnake returns LOG_STATUS_ERROR for logStatusError.
func upperSnake(camel string) string {
	var b strings.Builder
	for _, c := range camel {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return strings.ToUpper(b.String())
}

// entries prints the variables.
func (t *sourceTables) entries() {
	t.line("const vehicle_entry vehicle_entries[VEHICLE_REFERENCES] = {")
	for i := range t.table.Variables {
		v, c := &t.table.Variables[i], &t.in.System().Variables()[i]
		kind, at := t.position(i)
		start, state := "-1", -1
		if c.Initial {
			start = fmt.Sprint(t.parameters[v.Name])
		}
		if k, is := t.states[v.Reference]; is {
			state = k
		}
		computed := "NULL"
		if !v.HasStart() {
			reason := strings.TrimPrefix(t.in.System().Computed(i).Error(), v.Name)
			if reason != " is computed by the model and cannot be set" {
				computed = quoted(reason)
			}
		}
		t.line("    {%s, %s, %s, %s, %d, %d, %d, %s, %d, %s, %d, %d, %d, %d},", quoted(v.Name), computed,
			machinecode.Number(v.Start),
			[...]string{fmu.Real: "VEHICLE_REAL", fmu.Boolean: "VEHICLE_BOOLEAN", fmu.String: "VEHICLE_STRING"}[v.Type],
			slices.Index(causalities, v.Causality), flag(v.Initial == fmu.Exact), limits(c), "VEHICLE_AT_"+kind, at, start,
			state, flag(c.Discrete), flag(c.Driver != ""), flag(strings.HasSuffix(v.Name, ".model")))
	}
	t.line("};\n")
}

func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}

// limits returns the bounds of settable values, as bits of tables.h.
func limits(v *cosim.Variable) int {
	return flag(v.Nonnegative) | flag(v.Positive)<<1 | flag(v.AtMostOne)<<2
}

// position returns the position of the value of variable i: the suffix of a name in tables.h, and an index.
func (t *sourceTables) position(i int) (kind string, at int) {
	s := t.in.System()
	v := &s.Variables()[i]
	switch v.Kind {
	case cosim.Parameter:
		switch v.Name {
		case cosim.StepVariable:
			return "STEP", 0
		case cosim.ToleranceVariable:
			return "TOLERANCE", 0
		}
		return "PARAMETER", t.parameters[v.Name]
	case cosim.Input:
		return "INPUT", i - s.First(cosim.Input)
	case cosim.Output:
		return "OUTPUT", slices.IndexFunc(t.shown(), func(o shown) bool { return o.Variable == i })
	case cosim.Contact:
		return "CONTACT", i - s.First(cosim.Contact)
	case cosim.Energy:
		if s.IsWork(i) {
			return "WORK", 0
		}
		return "ENERGY", 0
	case cosim.Ended:
		return [...]string{"ENDED", "ENDED_TIME"}[i-s.First(cosim.Ended)], 0
	case cosim.State:
		return "STATE", v.State
	case cosim.Rate:
		return "RATE", v.State
	case cosim.Indicator:
		return "INDICATOR", i - s.First(cosim.Indicator)
	case cosim.Time:
		return "TIME", 0
	}
	if k := slices.IndexFunc(t.choices, func(k int) bool { return s.Program().Parameters[k].Name == v.Name }); k >= 0 {
		return "CHOICE", k
	}
	switch v.Name {
	case cosim.MethodVariable:
		return "METHOD", 0
	case cosim.CodeVariable:
		return "CODE", 0
	}
	return "TEXT", 0
}

// references prints lists of references.
func (t *sourceTables) references() {
	var states, nominals, rates, indicators []string
	for _, d := range t.table.Derivatives {
		state := t.table.Variables[d.Reference].State
		states, rates = append(states, fmt.Sprint(state)), append(rates, fmt.Sprint(d.Reference))
		nominals = append(nominals, machinecode.Number(t.table.Variables[state].Nominal))
	}
	for _, r := range t.table.Indicators {
		indicators = append(indicators, fmt.Sprint(r))
	}
	t.list("const uint32_t", "vehicle_state_references", "VEHICLE_STATES + 1", states, "0")
	t.list("const double", "vehicle_nominals", "VEHICLE_STATES + 1", nominals, "0.0")
	t.list("const uint32_t", "vehicle_rate_references", "VEHICLE_STATES + 1", rates, "0")
	t.list("const uint32_t", "vehicle_indicator_references", "VEHICLE_CONTACTS + 1", indicators, "0")
	t.list("const uint32_t", "vehicle_event_references", "VEHICLE_EVENTS + 1", t.events(), "0")
}

// rules prints the calls that are allowed in each mode.
func (t *sourceTables) rules() {
	var calls, modes, categories, words []string
	for _, r := range fmu.Rules(t.version) {
		calls = append(calls, fmt.Sprintf("{%s, {%du, %du}}", quoted(r.Name), r.Modes[fmu.ModelExchange],
			r.Modes[fmu.CoSimulation]))
	}
	for _, name := range fmu.Modes() {
		modes = append(modes, quoted(name))
	}
	for _, c := range fmu.Categories {
		categories = append(categories, quoted(c.Name))
	}
	for _, c := range causalities {
		words = append(words, quoted(c.String()))
	}
	t.list("const vehicle_call", "vehicle_calls", "", calls, "")
	t.list("const char *const", "vehicle_mode_names", "VEHICLE_MODES", modes, "")
	t.list("const char *const", "vehicle_categories", "VEHICLE_CATEGORIES", categories, "")
	t.list("const char *const", "vehicle_causalities", "5", words, "")
	t.line("const char vehicle_token[] = %s;\n", quoted(t.table.Token))
}

// texts prints texts of variables, choices, and messages.
func (t *sourceTables) texts() {
	var starts, chosen, news, notes, solverNotes []string
	for _, v := range t.table.Variables[t.in.System().First(cosim.Text):] {
		starts = append(starts, quoted(v.StartText))
	}
	t.list("const char *const", "vehicle_texts", "VEHICLE_TEXTS", starts, "")
	t.list("const char *const", "vehicle_codes", "2", []string{quoted(codes[0]), quoted(codes[1])}, "")
	var choices []string
	for _, k := range t.choices {
		v := &t.in.System().Program().Parameters[k]
		choices = append(choices, fmt.Sprintf("{%d, %d, %d, %d}", k, len(chosen), len(v.Choices), int(v.Start)))
		for _, c := range v.Choices {
			chosen = append(chosen, quoted(c))
		}
	}
	t.list("const vehicle_choice", "vehicle_choice_list", "VEHICLE_CHOICES + 1", choices, "{0, 0, 0, 0}")
	t.list("const char *const", "vehicle_choice_texts", "", chosen, `""`)
	for i := range t.plan.Rows {
		news = append(news, quoted(t.plan.Rows[i].News[0]), quoted(t.plan.Rows[i].News[1]))
	}
	var faults []string
	for _, b := range t.plan.Bounds {
		for _, rule := range boundRules(b.Of) {
			faults = append(faults, quoted(b.Of.Name+" = "+b.Of.Text+" is "),
				quoted("; it must "+rule.must+": correct the parameters of the formula"))
		}
	}
	for _, c := range t.plan.Contacts {
		faults = append(faults, quoted(c.Name+".initial_mode = "), quoted(": it must be 0, 1 or -1"))
	}
	for _, s := range t.in.System().Program().Samplers {
		for _, text := range samplerFaultTexts(s.Name) {
			faults = append(faults, quoted(text))
		}
	}
	t.list("const char *const", "vehicle_fault_texts", "", faults, `""`)
	t.list("const char *const", "vehicle_row_news", "", news, `""`)
	report := t.first.Report() // its first lines are the same
	for i, n := range t.first.Warnings() {
		notes = append(notes, fmt.Sprintf("{%s, %d}", quoted(n), flag(report[i].OfFiles)))
	}
	for _, n := range t.first.Notes() {
		solverNotes = append(solverNotes, quoted(n))
	}
	t.list("const vehicle_note", "vehicle_notes", "VEHICLE_NOTES + 1", notes, `{"", 0}`)
	t.list("const char *const", "vehicle_solver_notes", "VEHICLE_SOLVER_NOTES + 1", solverNotes, `""`)
}

// dependencies prints the dependencies of variables.
func (t *sourceTables) dependencies() {
	var on []string
	dependents := func(unknowns []fmu.Unknown) (list []string) {
		for _, u := range unknowns {
			list = append(list, fmt.Sprintf("{%d, %d, %d}", u.Reference, len(on), len(u.Dependencies)))
			for _, r := range u.Dependencies {
				on = append(on, fmt.Sprint(r))
			}
		}
		return list
	}
	t.list("const vehicle_dependent", "vehicle_running", "VEHICLE_RUNNING + 1",
		dependents(slices.Concat(t.table.Outputs, t.table.Derivatives)), "{0, 0, 0}")
	t.list("const vehicle_dependent", "vehicle_starting", "VEHICLE_STARTING + 1", dependents(t.table.Initial), "{0, 0, 0}")
	t.line("const uint32_t vehicle_dependencies[] = {")
	for part := range slices.Chunk(append(on, "0"), 20) {
		t.line("    %s,", strings.Join(part, ", "))
	}
	t.line("};")
}
