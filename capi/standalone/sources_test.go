package standalone

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// standardHeaders is the folder of the headers of the standard.
const standardHeaders = "../../fmu/check/headers"

// sourcesOf writes the sources of the FMU of a model.
func sourcesOf(t *testing.T, model string, version int, methods ...string) (folder string, s *cosim.System,
	table *fmu.Table) {
	t.Helper()
	s, table, err := fmu.Load(fileOf(model), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	writeSources(t, folder, model, table, SourceOptions{version, "vehicle"}, methods...)
	return folder, s, table
}

// instancesOf returns the instances for the sources of a shipped model.
func instancesOf(t *testing.T, model string, methods ...string) []*cosim.Instance {
	t.Helper()
	of, err := Instances(methods, func() (*cosim.Instance, error) { return vehicleOf(t, model), nil })
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// compiledSources compiles sources and the program that runs calls of a script on them.
func compiledSources(t *testing.T, folder string, version int, compiler string) (program string) {
	t.Helper()
	fields := strings.Fields(compiler)
	testrun.Requires(t, fields[0])
	headers, err := filepath.Abs(standardHeaders)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob(filepath.Join(folder, "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	main, err := filepath.Abs("testdata/fmu.c")
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(folder, "run")
	arguments := slices.Concat(fields[1:], warningsOfC, []string{"-isystem", headers, "-I", folder,
		fmt.Sprintf("-DFMI_VERSION=%d", version), "-o", program, main}, sources)
	if out, err := exec.Command(fields[0], arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%.3000s", compiler, err, out)
	}
	return program
}

// script is a list of calls of an FMU, one per line, in the words of testdata/fmu.c.
type script struct{ strings.Builder }

func (s *script) add(format string, arguments ...any) { fmt.Fprintf(s, format+"\n", arguments...) }

func bits(x float64) string { return fmt.Sprintf("%x", math.Float64bits(x)) }

// numbersOf returns the references of wanted variables of type Real or Float64 that library and sources compute.
func numbersOf(table *fmu.Table, s *cosim.System, wanted func(v *fmu.Variable) bool) (list []uint32) {
	for i := range table.Variables {
		v := &table.Variables[i]
		if v.Type == fmu.Real && (v.Kind != cosim.Energy || s.IsWork(i)) && wanted(v) {
			list = append(list, v.Reference)
		}
	}
	return list
}

func joined[T any](list []T) string { return strings.Trim(fmt.Sprint(list), "[]") }

func (s *script) get(list []uint32) { s.add("get %d %s", len(list), joined(list)) }

// answersOfSources runs a script on compiled sources, answersOfGo on the FMU of the library.
func answersOfSources(t *testing.T, program string, s *script) []string {
	t.Helper()
	c := exec.Command(program)
	c.Stdin = strings.NewReader(s.String())
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	return answers(string(out))
}

// atStart matches messages of rules about the start. Sources have these messages only if no value was changed.
var atStart = regexp.MustCompile(`^# 0 log(Solver|StatusWarning) `)

// inRuns matches messages of the same categories that sources have at any time.
var inRuns = regexp.MustCompile(`: at \S+ s |solver\.end_at|were not used|have begun|with steps of`)

// changed returns the comparable lines of a run with changed values, without the remark of sources about the binary
// FMU.
func changed(lines []string) (kept []string) {
	for _, line := range lines {
		if !atStart.MatchString(line) || inRuns.MatchString(line) {
			kept = append(kept, strings.TrimSuffix(line, "; the binary FMU assembles such starts"))
		}
	}
	return kept
}

// asGiven writes a variant of a model, whose starts are not assembled, because sources cannot.
func asGiven(t *testing.T, model string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), filepath.Base(model)+"_given.toml")
	text := fmt.Sprintf("name = \"AsGiven\"\ntitle = \"Start as given\"\nbase = %q\n[solver]\nassemble = \"never\"\n",
		model)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// answers returns the lines of an output, without the line about the code of steps, which only the library writes.
func answers(out string) []string {
	return slices.DeleteFunc(strings.Split(out, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "# 0 logSolver solver.code = ")
	})
}

// goFMU is an FMU of the library.
type goFMU struct {
	version int
	system  *cosim.System
	table   *fmu.Table
	c       *fmu.Component
	states  [8][]byte
	out     strings.Builder
	words   []string
}

func (g *goFMU) word() (w string) {
	if len(g.words) > 0 {
		w, g.words = g.words[0], g.words[1:]
	}
	return w
}

func (g *goFMU) integer() (n int) { _, _ = fmt.Sscan(g.word(), &n); return n }

func (g *goFMU) number() float64 {
	var b uint64
	_, _ = fmt.Sscanf(g.word(), "%x", &b)
	return math.Float64frombits(b)
}

func (g *goFMU) references(orders, numbers bool) (r []uint32, o []int32, x []float64) {
	for range g.integer() {
		r = append(r, uint32(g.integer()))
		if orders {
			o = append(o, int32(g.integer()))
		}
		if numbers {
			x = append(x, g.number())
		}
	}
	return r, o, x
}

func (g *goFMU) put(values []float64, status fmu.Status) fmu.Status {
	for _, x := range values {
		if status <= fmu.Warning {
			fmt.Fprintf(&g.out, " %x", math.Float64bits(x))
		}
	}
	return status
}

func (g *goFMU) instantiate() fmu.Status {
	use := fmu.Settings{Version: g.version, Interface: fmu.Interface(g.integer()), Logging: g.integer() != 0}
	var err error
	if g.c, err = fmu.NewComponent(g.system, g.table, use, make([]float64, g.system.First(cosim.Text))); err != nil {
		panic(err)
	}
	return fmu.OK
}

func (g *goFMU) enter() fmu.Status {
	start, defined, stop := g.number(), g.integer() != 0, g.number()
	if g.version == 3 {
		return g.c.EnterInitializationMode(true, start, defined, stop)
	}
	if s := g.c.SetupExperiment(start, defined, stop); s > fmu.Warning {
		return s
	}
	return g.c.EnterInitializationMode(false, 0, false, 0)
}

func (g *goFMU) call() fmu.Status {
	switch g.word() {
	case "exit":
		return g.c.ExitInitializationMode()
	case "terminate":
		return g.c.Terminate()
	case "reset":
		return g.c.Reset()
	case "event":
		return g.c.EnterEventMode()
	case "continuous":
		return g.c.EnterContinuousTimeMode()
	case "completed":
		return g.c.CompletedIntegratorStep()
	}
	status := g.c.UpdateDiscreteStates()
	if at := g.c.NextSample(); !math.IsInf(at, 1) {
		return g.put([]float64{at}, status)
	}
	return status
}

func (g *goFMU) step() fmu.Status {
	t, h := g.number(), g.number()
	result, status := g.c.DoStep(t, h)
	for status <= fmu.Warning && result.Pause != fmu.NoPause {
		var after fmu.Status
		result, after = g.c.Resume(false, 0)
		status = max(status, after)
	}
	if g.version == 3 {
		return g.put([]float64{result.Last}, status)
	}
	return status
}

func (g *goFMU) read() fmu.Status {
	which, n := g.integer(), g.integer()
	x := make([]float64, n)
	return g.put(x, [...]func([]float64) fmu.Status{g.c.GetContinuousStates, g.c.GetDerivatives,
		g.c.GetEventIndicators, g.c.GetNominals}[which](x))
}

func (g *goFMU) do(line string) fmu.Status {
	switch what := g.word(); what {
	case "instantiate":
		return g.instantiate()
	case "enter":
		return g.enter()
	case "call":
		return g.call()
	case "get", "booleans":
		r, _, _ := g.references(false, false)
		x := make([]float64, len(r))
		if what == "get" {
			return g.put(x, g.c.Get(fmu.Real, r, x))
		}
		status := fmu.OK
		for i := range r { // as the shim calls
			s := g.c.Get(fmu.Boolean, r[i:i+1], x[i:i+1])
			if s > fmu.Warning {
				return s
			}
			status = max(status, s)
		}
		return g.put(x, status)
	case "set":
		r, _, x := g.references(false, true)
		return g.c.SetReal(r, x)
	case "texts":
		r, _, _ := g.references(false, false)
		list, status := g.c.GetString(r)
		for _, s := range list {
			fmt.Fprint(&g.out, " ", s)
		}
		return status
	case "text":
		r := uint32(g.integer())
		_, rest, _ := strings.Cut(strings.TrimPrefix(line, "text "), " ")
		return g.c.SetString([]uint32{r}, []string{strings.TrimLeft(rest, " ")})
	case "step":
		return g.step()
	case "time":
		return g.c.SetTime(g.number())
	case "states":
		var x []float64
		for range g.integer() {
			x = append(x, g.number())
		}
		return g.c.SetContinuousStates(x)
	case "read":
		return g.read()
	case "along", "against":
		knowns, _, seeds := g.references(false, what == "along")
		unknowns, _, weights := g.references(false, what == "against")
		if what == "along" {
			x := make([]float64, len(unknowns))
			return g.put(x, g.c.DirectionalDerivative(unknowns, knowns, seeds, x))
		}
		x := make([]float64, len(knowns))
		return g.put(x, g.c.AdjointDerivative(unknowns, knowns, weights, x))
	case "rates":
		r, o, _ := g.references(true, false)
		x := make([]float64, len(r))
		return g.put(x, g.c.GetOutputDerivatives(r, o, x))
	case "derivatives":
		r, o, x := g.references(true, true)
		return g.c.SetInputDerivatives(r, o, x)
	case "debug":
		on, name := g.integer() != 0, g.word()
		if name == "" {
			return g.c.SetDebugLogging(on, nil)
		}
		return g.c.SetDebugLogging(on, []string{name})
	case "save":
		slot := g.integer()
		b := make([]byte, g.c.StateSize())
		status := g.c.Save(b)
		if status == fmu.OK {
			g.states[slot] = b
		}
		return status
	case "restore":
		return g.c.Restore(g.states[g.integer()])
	case "renew":
		return g.c.CheckState(g.states[g.integer()])
	case "null":
		return g.c.RejectCall([]string{"fmi2GetReal", "fmi3GetFloat64"}[g.version-2] + ": an argument is NULL")
	case "dependencies":
		if g.version == 2 {
			return fmu.OK
		}
		list, status := g.c.Dependencies(uint32(g.integer()))
		for _, r := range list {
			fmt.Fprintf(&g.out, " %d", r)
		}
		return status
	}
	panic(line)
}

func answersOfGo(s *cosim.System, table *fmu.Table, version int, calls *script) []string {
	g := goFMU{version: version, system: s, table: table}
	for line := range strings.Lines(calls.String()) {
		line = strings.TrimSuffix(line, "\n")
		g.words = strings.Fields(line)
		fmt.Fprintf(&g.out, "= %s", g.words[0])
		status := g.do(line)
		fmt.Fprintf(&g.out, " -> %d\n", status)
		for _, m := range g.c.Messages {
			fmt.Fprintf(&g.out, "# %d %s %s\n", m.Status, m.Category, m.Text)
		}
		g.c.Messages = nil
	}
	g.c.Close()
	return answers(g.out.String())
}

// compare compares the answers of sources and library, call by call.
func compare(t *testing.T, calls *script, table *fmu.Table, got, want []string) {
	t.Helper()
	lines, call := strings.Split(calls.String(), "\n"), -1
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if strings.HasPrefix(w, "=") {
			call++
		}
		if g != w {
			t.Fatalf("call %d, %.300q:\n%s\nthen in C:  %.200q\nthen in Go: %.200q", call, lines[max(0, call)],
				difference(g, w, lines[max(0, call)], table), got[min(i+1, len(got)):min(i+3, len(got))],
				want[min(i+1, len(want)):min(i+3, len(want))])
		}
	}
}

// difference describes the first difference of two answers.
func difference(got, want, call string, table *fmu.Table) string {
	g, w, asked := strings.Fields(got), strings.Fields(want), strings.Fields(call)
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] && asked[0] == "get" && i < len(asked) {
			var r int
			_, _ = fmt.Sscan(asked[i], &r)
			return fmt.Sprintf("%s is %s in C, %s in Go", table.Variables[r].Name, g[i], w[i])
		}
	}
	return fmt.Sprintf("in C:  %.600s\nin Go: %.600s", got, want)
}

// differs reports whether library and sources differ on a variable: on differing friction, and on the seed of a road
// without random heights.
func differs(v *fmu.Variable) bool {
	return strings.Contains(v.Name, ".friction_") || strings.HasSuffix(v.Name, ".seed")
}

// randomRun returns a random co-simulation run with inputs, saved states and reads.
func randomRun(table *fmu.Table, s *cosim.System, version int, seed uint64, steps int) *script {
	r, calls := rand.New(rand.NewPCG(seed, uint64(version))), &script{}
	readable := numbersOf(table, s, func(*fmu.Variable) bool { return true })
	started := numbersOf(table, s, func(v *fmu.Variable) bool {
		return v.HasStart() && !differs(v) &&
			!(table.HasDiscreteContacts && v.Name == cosim.StepVariable) // communication steps are multiples of it
	})
	inputs := numbersOf(table, s, func(v *fmu.Variable) bool { return v.Causality == fmu.Input })
	var booleans []uint32
	for _, v := range table.Variables {
		if v.Type == fmu.Boolean {
			booleans = append(booleans, v.Reference)
		}
	}
	change := func(list []uint32, by float64) {
		if len(list) == 0 {
			return
		}
		n := 1 + r.IntN(3)
		var b strings.Builder
		for range n {
			v := &table.Variables[list[r.IntN(len(list))]]
			x := v.Start * (1 + by*r.Float64())
			if v.Causality == fmu.Input && v.Start == 0 {
				x = by * (r.Float64() - 0.3)
			}
			if v.AtMostOne {
				x = min(x, 1)
			}
			fmt.Fprintf(&b, " %d %s", v.Reference, bits(x))
		}
		calls.add("set %d%s", n, b.String())
	}
	calls.add("instantiate 1 %d %s", 1, table.Token)
	calls.get(started)
	t := float64(r.IntN(3))
	saved := t
	calls.add("enter %s 1 %s", bits(t), bits(t+1000))
	change(started, 0.02)
	calls.get(readable)
	calls.dependencies(table)
	calls.add("save 2")
	change(inputs, 0.02)
	calls.add("restore 2")
	calls.sensitivities(table, s, version, r, true)
	calls.add("call exit")
	calls.get(readable)
	calls.dependencies(table)
	calls.add("save 2")
	for range steps {
		switch r.IntN(12) {
		case 0, 1, 2:
			change(inputs, 0.1)
		case 3:
			calls.add("save 2")
			saved = t
		case 4:
			calls.add("renew 2")
			calls.add("restore 2")
			t = saved
			calls.get(readable)
		case 5:
			if version == 2 && len(inputs) > 0 {
				calls.add("derivatives 1 %d %d %s", inputs[r.IntN(len(inputs))], 1+r.IntN(2), bits(0.1*r.Float64()))
			}
		case 6:
			calls.get(readable[:1+r.IntN(len(readable))])
		case 8:
			calls.sensitivities(table, s, version, r, false)
		case 7:
			calls.add("booleans %d %s", len(booleans), joined(booleans))
		}
		h := []float64{0.001, 0.01, 0.0007, 0.005}[r.IntN(4)]
		if table.HasDiscreteContacts {
			h = math.Ceil(h/s.Model().Solver.Step) * s.Model().Solver.Step
		}
		calls.add("step %s %s", bits(t+r.Float64()*1e-7*float64(r.IntN(2))), bits(h))
		t += h
	}
	calls.get(readable)
	calls.add("call terminate")
	calls.get(readable)
	calls.add("call reset")
	calls.get(started)
	return calls
}

// dependencies requests the dependencies of a variable in FMI 3.0.
func (s *script) dependencies(table *fmu.Table) {
	for _, u := range slices.Concat(table.Outputs[:min(3, len(table.Outputs))], table.Derivatives) {
		s.add("dependencies %d", u.Reference)
	}
}

// Sources compiled by gcc answer like the FMU of the library: bit-identical values, statuses, messages. Calls are
// co-simulation runs, an importer that integrates the states itself, and calls in random order.
func TestSourcesAnswerLikeTheFMU(t *testing.T) {
	testrun.Slow(t)
	type part struct {
		model   string
		version int
	}
	parts := []part{{"generic4w", 2}, {"skidder", 3}, {modelOf(t, sampledMass), 3}}
	if testrun.All() {
		parts = []part{{modelOf(t, sampledMass), 2}, {modelOf(t, sampledMass), 3}, {modelOf(t, sampledCar), 2}}
		for i, model := range various {
			if Refusal(vehicleOf(t, model)) != nil { // C does not have its method
				continue
			}
			parts = append(parts, part{asGiven(t, model), 2 + i%2}) // the versions differ in their shim alone
		}
		for _, model := range withContacts {
			file := explicit(t, model, `assemble = "never"`)
			parts = append(parts, part{file, 2}, part{file, 3})
		}
	}
	for _, p := range parts {
		t.Run(fmt.Sprintf("%s %d", filepath.Base(p.model), p.version), func(t *testing.T) {
			folder, s, table := sourcesOf(t, p.model, p.version)
			compiler := "gcc -O0"
			if testrun.All() && (filepath.Base(p.model) == "skidder_given.toml" || table.HasDiscreteContacts) {
				compiler = "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
			}
			program := compiledSources(t, folder, p.version, compiler)
			check := func(calls *script) {
				compare(t, calls, table, changed(answersOfSources(t, program, calls)),
					changed(answersOfGo(s, table, p.version, calls)))
			}
			calls := startRun(table)
			compare(t, calls, table, answersOfSources(t, program, calls), answersOfGo(s, table, p.version, calls))
			for seed := range uint64(testrun.Either(4, 10)) {
				check(randomRun(table, s, p.version, seed, 60))
			}
			if table.HasDiscreteContacts {
				check(contactRun(table))
			} else {
				check(exchangeRun(t, table, s, p.model))
			}
			for seed := range uint64(testrun.Either(20, 80)) {
				check(randomCalls(table, s, p.version, seed, 150))
			}
		})
	}
}

// startRun returns a run without changes, with all logging.
func startRun(table *fmu.Table) *script {
	calls := &script{}
	calls.add("instantiate 1 1 %s", table.Token)
	calls.add("enter 0 0 0")
	calls.add("call exit")
	calls.add("step 0 %s", bits(1e-3))
	calls.add("call terminate")
	return calls
}

// contactRun returns a run of a model with wheel contacts. Steps that are not multiples of the solver step are
// rejected.
func contactRun(table *fmu.Table) *script {
	calls := startRun(table)
	for _, h := range []float64{7e-4, 3.4e-3, 1e-3 * (1 + 1e-5), 1e-3 * (1 + 1e-7), 2e-3} {
		calls.add("call reset")
		calls.add("enter %s 0 0", bits(2))
		calls.add("call exit")
		calls.add("step %s %s", bits(2), bits(h))
	}
	return calls
}

// exchangeRun returns a run of an importer that integrates the states itself, with events.
func exchangeRun(t *testing.T, table *fmu.Table, s *cosim.System, model string) *script {
	t.Helper()
	r, calls := rand.New(rand.NewPCG(7, 7)), &script{}
	readable := numbersOf(table, s, func(*fmu.Variable) bool { return true })
	n := len(table.Derivatives)
	calls.add("instantiate 0 1 %s", table.Token)
	calls.add("enter %s 0 0", bits(1))
	calls.add("call exit")
	calls.add("read 3 %d", n)
	calls.add("call update")
	calls.add("call continuous")
	plan, why := initialised(t, model).Plan()
	if plan == nil {
		t.Fatal(why)
	}
	for k := range 40 {
		calls.add("time %s", bits(1+0.01*float64(k)))
		var b strings.Builder
		for _, v := range plan.X {
			fmt.Fprintf(&b, " %s", bits(v+0.02*(r.Float64()-0.5)))
		}
		calls.add("states %d%s", n, b.String())
		for what, count := range []int{n, n, len(table.Indicators)} {
			calls.add("read %d %d", what, count)
		}
		calls.add("call completed")
		if k%3 == 0 {
			calls.add("call event")
			calls.add("call update")
			calls.get(readable)
			calls.add("save 1")
			calls.add("call continuous")
		}
		if k%10 == 9 && n > 0 {
			state := table.Variables[table.Derivatives[k%n].Reference].State
			calls.add("set 1 %d %s", state, bits(r.Float64()))
			calls.get(readable)
			calls.add("restore 1")
			calls.get(readable)
			calls.add("call continuous")
		}
	}
	calls.add("states %d%s", n, strings.Repeat(" "+bits(math.Inf(1)), n))
	calls.add("call terminate")
	calls.add("step 0 0")
	return calls
}

// randomCalls returns calls that are mostly invalid.
func randomCalls(table *fmu.Table, s *cosim.System, version int, seed uint64, n int) *script {
	r, calls := rand.New(rand.NewPCG(seed, 1)), &script{}
	kind := int(seed % 2)
	if table.HasDiscreteContacts { // for co-simulation only
		kind = 1
	}
	calls.add("instantiate %d %d %s", kind, r.IntN(2), table.Token)
	calls.add("save 0")
	values := []float64{0, 1, -1, 0.5, 1e-3, 2, 12, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}
	any := func() float64 { return values[r.IntN(len(values))] }
	reference := func() uint32 {
		for {
			k := r.IntN(len(table.Variables) + 2)
			if k >= len(table.Variables) || table.Variables[k].Kind != cosim.Energy || s.IsWork(k) {
				return uint32(k)
			}
		}
	}
	time := 0.0
	for range n {
		switch r.IntN(28) {
		case 0, 1:
			calls.add("enter %s %d %s", bits(float64(r.IntN(2))), r.IntN(2), bits(any()))
		case 2, 3:
			calls.add("call exit")
		case 4:
			calls.add("call %s", []string{"terminate", "event", "continuous", "completed", "update"}[r.IntN(5)])
		case 5, 6, 7:
			calls.add("call reset")
			time = 0
		case 8, 9:
			list := []uint32{reference(), reference()}
			calls.get(list[:1+r.IntN(2)])
		case 10:
			calls.add("booleans 1 %d", reference())
		case 11, 12, 13:
			to := reference()
			for int(to) < len(table.Variables) && differs(&table.Variables[to]) {
				to = reference()
			}
			calls.add("set 1 %d %s", to, bits(any()))
		case 14:
			calls.add("texts 1 %d", reference())
		case 15:
			code, _ := table.Find(cosim.CodeVariable)
			calls.add("text %d %s", code, []string{"portable", "native", "100 % of #3#"}[r.IntN(3)])
		case 16, 17:
			calls.add("step %s %s", bits(time+[]float64{0, 1e-7, 0.5}[r.IntN(3)]), bits([]float64{1e-3, 1e-2, 0, -1, math.Inf(1),
				math.NaN(), 1e9}[r.IntN(7)]))
		case 18:
			calls.add("time %s", bits(any()))
		case 19:
			calls.add("read %d %d", r.IntN(4), r.IntN(3))
		case 20:
			if version == 2 {
				calls.add("derivatives 1 %d %d %s", reference(), r.IntN(4)-1, bits(any()))
			}
		case 21:
			calls.add("debug %d %s", r.IntN(2), []string{"", "logEvents", "logStatusWarning", "noSuchCategory"}[r.IntN(4)])
		case 22:
			calls.add("restore 0")
		case 23:
			calls.add("null 1")
		case 24:
			calls.add("dependencies %d", reference())
		case 25, 26:
			calls.oddSensitivities(table, version, r, reference, any)
		case 27:
			calls.add("rates 1 %d %d", reference(), r.IntN(4)-1)
		}
	}
	return calls
}

// numberOfAnySize returns a number of random size, often with few digits.
func numberOfAnySize(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return math.Trunc(1e7 * r.Float64())
	case 1:
		return math.Round(1e4*r.Float64()) / 1e3
	case 2:
		return math.Ldexp(1, r.IntN(2100)-1075)
	case 3:
		return math.Float64frombits(r.Uint64() >> 12)
	case 4:
		return float64(r.IntN(4000)) / 32 // possibly in the middle between two numbers of fewer digits
	}
	return math.Float64frombits(r.Uint64())
}

// Messages format numbers as the library does.
func TestSourcesWriteNumbersLikeTheFMU(t *testing.T) {
	testrun.Slow(t)
	testrun.Requires(t, "gcc")
	folder, _, _ := sourcesOf(t, "pendulum", 2)
	program := filepath.Join(folder, "numbers")
	command(t, "gcc", slices.Concat(warningsOfC, []string{"-I", folder, "-o", program, "testdata/numbers.c",
		filepath.Join(folder, "texts.c")})...)
	r := rand.New(rand.NewPCG(4, 4))
	var in strings.Builder
	var want []string
	for range testrun.Either(5000, 100_000) {
		x, digits := numberOfAnySize(r), r.IntN(18)
		fmt.Fprintf(&in, "%s %d\n", bits(x), digits)
		if digits == 0 {
			want = append(want, fmt.Sprintf("%g", x))
		} else {
			want = append(want, fmt.Sprintf("%.*g", digits, x))
		}
	}
	c := exec.Command(program)
	c.Stdin = strings.NewReader(in.String())
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	asked := strings.Split(in.String(), "\n")
	for i, got := range strings.Fields(string(out)) {
		if got != want[i] {
			t.Fatalf("%s: %s, not %s", asked[i], got, want[i])
		}
	}
}
