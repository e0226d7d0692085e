package library

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"skidpad/fmu/check"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// tinyLibraries are the compiled libraries by their flags.
var tinyLibraries sync.Map

// tinyLibrary compiles testdata/tiny.c for a version and an interface, once for the same flags.
func tinyLibrary(t *testing.T, version int, of Interface, flags ...string) []byte {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the libraries are compiled for Linux")
	}
	define := map[Interface]string{CoSimulation: "CS", ModelExchange: "ME", ScheduledExecution: "SE"}[of]
	arguments := append([]string{"-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", fmt.Sprintf("-DVERSION=%d", version),
		"-D" + define, built.Path("harness", "testdata", "tiny.c"), "-o", "-"}, flags...)
	key := strings.Join(arguments, " ")
	made, _ := tinyLibraries.LoadOrStore(key, sync.OnceValues(func() ([]byte, error) {
		path := filepath.Join(t.TempDir(), "tiny.so")
		arguments[slices.Index(arguments, "-")] = path
		if text, err := exec.Command("cc", arguments...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, text)
		}
		return os.ReadFile(path)
	}))
	content, err := made.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// tiny is an FMU of testdata/tiny.c.
type tiny struct {
	version    int
	of         Interface
	words      string   // of the token
	attributes string   // of the interface
	root       string   // attributes of the description
	elements   string   // of the structure, instead of those for the variables below
	experiment string   // elements before the variables
	variables  string   // instead of x, k and u
	encoding   string   // of the description, UTF-8 without
	flags      []string // of the compiler
	files      map[string][]byte
	without    bool // the library
}

// Variables of most tiny FMUs, by versions.
const (
	variables2 = `
<ScalarVariable name="y" valueReference="1" causality="output" variability="discrete" initial="calculated"><Real/></ScalarVariable>
<ScalarVariable name="k" valueReference="2" causality="parameter" variability="fixed"><Real start="2"/></ScalarVariable>
<ScalarVariable name="u" valueReference="3" causality="input" variability="discrete"><Real start="0"/></ScalarVariable>
<ScalarVariable name="n" valueReference="1" causality="output" variability="discrete" initial="calculated"><Integer/></ScalarVariable>
<ScalarVariable name="b" valueReference="1" causality="output" variability="discrete" initial="calculated"><Boolean/></ScalarVariable>`
	variables3 = `
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="y" valueReference="1" causality="output" variability="discrete" initial="calculated"/>
<Float64 name="k" valueReference="2" causality="parameter" variability="fixed" start="2"/>
<Float64 name="u" valueReference="3" causality="input" variability="discrete" start="0"/>
<Int32 name="n" valueReference="11" causality="output" variability="discrete" initial="calculated"/>
<Boolean name="b" valueReference="12" causality="output" variability="discrete" initial="calculated"/>`
)

// Variables of those for model exchange: x, its rate, n, k and u.
const (
	states2 = `
<ScalarVariable name="x" valueReference="1" causality="output" variability="continuous" initial="exact"><Real start="0"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="90" causality="local" variability="continuous"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="n" valueReference="1" causality="output" variability="discrete" initial="calculated"><Integer/></ScalarVariable>
<ScalarVariable name="k" valueReference="2" causality="parameter" variability="fixed"><Real start="2"/></ScalarVariable>
<ScalarVariable name="u" valueReference="3" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>`
	states3 = `
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="x" valueReference="1" causality="output" variability="continuous" initial="exact" start="0"/>
<Float64 name="der(x)" valueReference="90" causality="local" variability="continuous" initial="calculated" derivative="1"/>
<Int32 name="n" valueReference="11" causality="output" variability="discrete" initial="calculated"/>
<Float64 name="k" valueReference="2" causality="parameter" variability="fixed" start="2"/>
<Float64 name="u" valueReference="3" causality="input" variability="continuous" start="0"/>`
	ball3 = `
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="x" valueReference="1" causality="output" variability="continuous" initial="exact" start="1" reinit="true"/>
<Float64 name="v" valueReference="5" causality="local" variability="continuous" initial="exact" start="0" reinit="true"/>
<Float64 name="der(x)" valueReference="90" causality="local" variability="continuous" initial="calculated" derivative="1"/>
<Float64 name="der(v)" valueReference="91" causality="local" variability="continuous" initial="calculated" derivative="5"/>
<Float64 name="z" valueReference="92" causality="local" variability="continuous" initial="calculated"/>
<Int32 name="n" valueReference="11" causality="output" variability="discrete" initial="calculated"/>`
	ball2 = `
<ScalarVariable name="x" valueReference="1" causality="output" variability="continuous" initial="exact"><Real start="1" reinit="true"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="90" causality="local" variability="continuous"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="v" valueReference="5" causality="local" variability="continuous" initial="exact"><Real start="0" reinit="true"/></ScalarVariable>
<ScalarVariable name="der(v)" valueReference="91" causality="local" variability="continuous"><Real derivative="3"/></ScalarVariable>
<ScalarVariable name="n" valueReference="1" causality="output" variability="discrete" initial="calculated"><Integer/></ScalarVariable>`
)

// structure2 and structure3 are model structures: outputs, derivatives, and what is unknown at the start.
func structure2(outputs, derivatives, unknown []int) string {
	list := func(name string, of []int) string {
		if len(of) == 0 {
			return ""
		}
		text := "<" + name + ">"
		for _, i := range of {
			text += fmt.Sprintf(`<Unknown index="%d"/>`, i)
		}
		return text + "</" + name + ">"
	}
	return list("Outputs", outputs) + list("Derivatives", derivatives) + list("InitialUnknowns", unknown)
}

func structure3(outputs, derivatives, unknown, indicators []int) string {
	var b strings.Builder
	for _, l := range []struct {
		name string
		of   []int
	}{{"Output", outputs}, {"ContinuousStateDerivative", derivatives}, {"InitialUnknown", unknown},
		{"EventIndicator", indicators}} {
		for _, i := range l.of {
			fmt.Fprintf(&b, `<%s valueReference="%d"/>`, l.name, i)
		}
	}
	return b.String()
}

// write writes the FMU.
func (k *tiny) write(t *testing.T) string {
	t.Helper()
	token, structure, variables := "guid", structure2([]int{1, 4, 5}, nil, []int{1, 4, 5}), variables2
	if k.version == 3 {
		token, variables = "instantiationToken", variables3
		structure = structure3([]int{1, 11, 12}, nil, []int{1, 11, 12}, nil)
	}
	if k.variables != "" {
		variables = k.variables
	}
	if k.elements != "" {
		structure = k.elements
	}
	encoding := "UTF-8"
	if k.encoding != "" {
		encoding = k.encoding
	}
	description := fmt.Sprintf(`<?xml version="1.0" encoding="%s"?>
<fmiModelDescription fmiVersion="%d.0" modelName="tiny" %s="tiny%s" generationTool="a tool" %s>
<%v modelIdentifier="tiny" %s/>
%s<ModelVariables>%s</ModelVariables>
<ModelStructure>%s</ModelStructure>
</fmiModelDescription>`, encoding, k.version, token, k.words, k.root, k.of, k.attributes, k.experiment, variables, structure)
	files := map[string][]byte{"modelDescription.xml": []byte(description)}
	if !k.without {
		files["binaries/"+platform(k.version)+"/tiny"+librarySuffix()] = tinyLibrary(t, k.version, k.of, k.flags...)
	}
	for name, content := range k.files {
		files[name] = content
	}
	path := filepath.Join(t.TempDir(), "tiny.fmu")
	writeZip(t, path, files, nil)
	return path
}

// kindOfFMU is a kind of legal FMUs, with the results of check and simulation.
type kindOfFMU struct {
	tiny
	steps, step float64 // that simulate makes; 1 s in steps of 0.1 s without
	set         map[string]float64
	later       map[string]float64 // what is set after half of the steps
	texts       map[string]string
	want        map[string]float64 // values in the end
	log         []string           // messages that are logged
	warned      []string           // in the run
	hints       []string           // of the check
	cautions    []string
	refused     string  // by simulate, in these words
	unchecked   bool    // it is at fault in the check
	ends        float64 // the simulation ends here by the FMU's own will
}

// kinds is the table of the kinds of FMUs that other tools make, by their names.
func kinds() map[string]kindOfFMU {
	y := map[string]float64{"y": 1, "n": 10, "b": 1}
	cs := func(version int, words, attributes string) tiny {
		return tiny{version: version, words: words, attributes: attributes}
	}
	with := func(k tiny, change func(*tiny)) tiny {
		change(&k)
		return k
	}
	state2 := ` canGetAndSetFMUstate="true"`
	state3 := ` canGetAndSetFMUState="true"`
	me2 := tiny{version: 2, of: ModelExchange, variables: states2, root: `numberOfEventIndicators="0"`,
		elements: structure2([]int{1, 3}, []int{2}, []int{2, 3})}
	me3 := tiny{version: 3, of: ModelExchange, variables: states3,
		elements: structure3([]int{1, 11}, []int{90}, []int{90, 11}, nil)}
	bouncing2 := tiny{version: 2, of: ModelExchange, words: " ball", variables: ball2, root: `numberOfEventIndicators="1"`,
		elements: structure2([]int{1, 5}, []int{2, 4}, []int{2, 4, 5})}
	bouncing3 := tiny{version: 3, of: ModelExchange, words: " ball", variables: ball3,
		elements: structure3([]int{1, 11}, []int{90, 91}, []int{90, 91, 11}, []int{92})}
	words := func(k tiny, words, attributes string) tiny {
		k.words += words
		k.attributes = attributes
		return k
	}
	// The ball bounces at 1 s, 3 s, 5 s, ...: at 4 s it is as high as at the start.
	bounce := map[string]float64{"x": 1, "n": 2, "v": 0}
	arrays := func(dimension string) tiny {
		return with(cs(3, "", ""), func(k *tiny) {
			k.variables = variables3 + `
<UInt64 name="columns" valueReference="25" causality="structuralParameter" variability="fixed" start="3"/>
<Float64 name="a" valueReference="6" causality="parameter" variability="fixed" start="11 12 13 21 22 23"><Dimension start="2"/>` +
				dimension + `</Float64>`
		})
	}
	clocked := func(interval, words, attributes string) tiny {
		return with(cs(3, words, ` hasEventMode="true"`+attributes), func(k *tiny) {
			k.variables = variables3 + `
<Clock name="clock" valueReference="32" causality="input" variability="discrete" intervalVariability="constant"` +
				interval + `/>`
		})
	}
	types3 := with(cs(3, "", ""), func(k *tiny) {
		k.variables = variables3
		for i, name := range []string{"Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64"} {
			k.variables += fmt.Sprintf(`
<%s name="v%d" valueReference="%d" causality="parameter" variability="fixed" start="0"/>`, name, i, 20+i)
		}
		k.variables += `
<UInt64 name="v7" valueReference="27" causality="structuralParameter" variability="fixed" start="0"/>
<Float32 name="f" valueReference="28" causality="parameter" variability="fixed" start="0"/>
<Boolean name="on" valueReference="29" causality="parameter" variability="fixed" start="false"/>
<String name="s" valueReference="30" causality="parameter" variability="fixed"><Dimension start="2"/><Start value="fixed"/><Start value="start"/></String>
<Binary name="bytes" valueReference="31" causality="parameter" variability="fixed"><Start value="00ff"/></Binary>
<Clock name="clock" valueReference="32" causality="local" variability="discrete" intervalVariability="triggered"/>`
	})
	return map[string]kindOfFMU{
		"2.0": {tiny: cs(2, "", ""), want: y}, "3.0": {tiny: cs(3, "", ""), want: y},
		"inputs and parameters are set": {tiny: cs(2, "", ""), set: map[string]float64{"k": 3, "u": 0.5},
			want: map[string]float64{"y": 2.5}},
		"the importer has memory":           {tiny: cs(2, " memory", ""), want: y},
		"the importer's memory is not used": {tiny: cs(2, "", ` canNotUseMemoryManagementFunctions="true"`), want: y},
		"messages are formats without category": {tiny: cs(2, " talk", ""), want: y, log: []string{
			"trial: -3,  0.25, 1099511627776, 100%, text and 1.5", "plain", "1 2 3 4 5 6 7.5", ""}},
		"messages of 3.0 are no formats": {tiny: cs(3, " talk", ""), want: y, log: []string{"plain 100% #"}},
		"the mathematical library is not named": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.flags = []string{"-DMATHS", "-Wl,--no-as-needed"}
		}), want: y},
		"states are not saved, 2.0": {tiny: cs(2, "", ` canGetAndSetFMUstate="false"`), want: y},
		"no functions for states": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.flags = []string{"-DNO_STATE"}
		}), want: y},
		"states are saved in memory, 2.0": {tiny: cs(2, " state", state2), want: y},
		"states are saved in memory, 3.0": {tiny: cs(3, " state", state3), want: y},
		"states are saved as bytes, 2.0":  {tiny: cs(2, " state bytes", state2+` canSerializeFMUstate="1"`), want: y},
		"states are saved as bytes, 3.0":  {tiny: cs(3, " state bytes", state3+` canSerializeFMUState="true"`), want: y},
		"the end of steps is rounded":     {tiny: cs(3, " ulp", ""), want: y},
		"steps end a little later": {tiny: cs(3, " round", ""), want: y, warned: []string{inexact},
			cautions: []string{inexact}},
		"steps have two parts": {tiny: cs(3, " early", ` mightReturnEarlyFromDoStep="true"`),
			want: map[string]float64{"y": 1, "n": 30}},
		"own steps": {tiny: cs(3, " own", ` fixedInternalStepSize="0.1" canHandleVariableCommunicationStepSize="true"`),
			want: y},
		"steps that are no multiples of own ones": {tiny: cs(3, " own", ` fixedInternalStepSize="0.1"`), step: 0.05,
			refused: "take 0.1 s (fixedInternalStepSize); choose a communication step that is a multiple"},
		"constant steps":            {tiny: cs(2, " constant", ` canHandleVariableCommunicationStepSize="false"`), want: y},
		"events are handled inside": {tiny: cs(3, "", ` hasEventMode="true"`), want: y},
		"the FMU ends, 2.0": {tiny: cs(2, " end", ""), ends: 0.5, want: map[string]float64{"y": 0.5},
			hints: []string{"the FMU ended the simulation at 0.5 s"}},
		"the FMU ends, 3.0": {tiny: cs(3, " end", ""), ends: 0.5, want: map[string]float64{"y": 0.5},
			hints: []string{"the FMU ended the simulation at 0.5 s"}},
		"warnings, 2.0":                      {tiny: cs(2, " warns", ""), want: y, warned: []string{"careful"}},
		"warnings, 3.0":                      {tiny: cs(3, " warns", ""), want: y, warned: []string{"careful"}},
		"terminated before it is freed, 2.0": {tiny: cs(2, " strict", ""), want: y},
		"terminated before it is freed, 3.0": {tiny: cs(3, " strict", ""), want: y},
		"never freed after a fatal error":    {tiny: cs(2, " strict dies", ""), refused: "status 4", unchecked: true},
		"one instance":                       {tiny: cs(2, " alone", ` canBeInstantiatedOnlyOncePerProcess="true"`), want: y},
		"a tool is needed": {tiny: cs(2, " tool", ` needsExecutionTool="true"`),
			refused: "it needs an installed tool (needsExecutionTool), perhaps a tool",
			hints:   []string{"cannot be instantiated"}},
		"resources, 2.0": {tiny: with(cs(2, " resources", ""), func(k *tiny) {
			k.files = map[string][]byte{"resources/y.txt": []byte("a")}
		}), want: y},
		"resources, 3.0": {tiny: with(cs(3, " resources", ""), func(k *tiny) {
			k.files = map[string][]byte{"resources/y.txt": []byte("a")}
		}), want: y},
		"an experiment with less": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.experiment = `<DefaultExperiment startTime="0" stopTime="0.5" tolerance="1e-5" stepSize="0.05"/>`
		}), want: y},
		"aliases of 2.0": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.variables = variables2 + `
<ScalarVariable name="position" valueReference="1" causality="local" variability="discrete"><Real/></ScalarVariable>`
		}), want: map[string]float64{"y": 1, "position": 1}},
		"aliases of 3.0": {tiny: with(cs(3, "", ""), func(k *tiny) {
			k.variables = strings.Replace(variables3, `name="y" valueReference="1" causality="output" variability="discrete" `+
				`initial="calculated"/>`, `name="y" valueReference="1" causality="output" variability="discrete" `+
				`initial="calculated"><Alias name="position"/></Float64>`, 1)
		}), want: map[string]float64{"y": 1, "position": 1}},
		"types of 2.0": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.variables = variables2 + `
<ScalarVariable name="i" valueReference="5" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>
<ScalarVariable name="e" valueReference="6" causality="parameter" variability="fixed"><Enumeration declaredType="two" start="1"/></ScalarVariable>
<ScalarVariable name="on" valueReference="2" causality="parameter" variability="fixed"><Boolean start="false"/></ScalarVariable>
<ScalarVariable name="s" valueReference="1" causality="parameter" variability="fixed"><String start="start"/></ScalarVariable>`
			k.experiment = `<TypeDefinitions><SimpleType name="two"><Enumeration>
<Item name="a" value="1"/><Item name="b" value="2"/></Enumeration></SimpleType></TypeDefinitions>`
		}), set: map[string]float64{"i": -5, "e": 2}, texts: map[string]string{"on": "true", "s": "text"},
			want: map[string]float64{"y": 1, "i": -5, "e": 2, "on": 1}},
		"types of 3.0": {tiny: types3, set: map[string]float64{"v0": -128, "v1": 255, "v2": -32768, "v3": 65535,
			"v4": -2147483648, "v5": 4294967295, "v6": -1 << 53, "v7": 1 << 53, "f": 0.1},
			texts: map[string]string{"on": "true", "s[2]": "text"},
			want: map[string]float64{"v0": -128, "v1": 255, "v2": -32768, "v3": 65535, "v4": -2147483648, "v5": 4294967295,
				"v6": -1 << 53, "v7": 1 << 53, "f": float64(float32(0.1)), "on": 1, "y": 1}},
		"arrays": {tiny: arrays(`<Dimension start="3"/>`), set: map[string]float64{"a[1,2]": 120, "a[2,3]": 230},
			want: map[string]float64{"a[1,1]": 11, "a[1,2]": 120, "a[1,3]": 13, "a[2,1]": 21, "a[2,3]": 230, "y": 1}},
		"arrays by structural parameters": {tiny: arrays(`<Dimension valueReference="25"/>`),
			set: map[string]float64{"a[2,1]": 210}, want: map[string]float64{"a[2,1]": 210, "a[2,2]": 22, "a[1,3]": 13}},
		"only sources": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.without = true
			k.files = map[string][]byte{"sources/tiny.h": []byte("int x;")}
		}), refused: `binaries/linux64/tiny.so; it has sources: compile the sources, for instance by "fmpy compile `},
		"sources and libraries for others": {tiny: with(cs(2, "", ""), func(k *tiny) {
			k.without = true
			k.files = map[string][]byte{"sources/tiny.h": []byte("int x;"), "binaries/win64/tiny.dll": []byte("x")}
		}), refused: "it has no library for this platform, binaries/linux64/tiny.so; it has binaries/win64, sources",
			hints: []string{"it was not run: it has no library for this platform, binaries/linux64/tiny.so; it has "}},
		"model exchange, 2.0": {tiny: me2, want: map[string]float64{"x": 1}},
		"model exchange, 3.0": {tiny: me3, want: map[string]float64{"x": 1}},
		"model exchange with inputs": {tiny: me3, set: map[string]float64{"u": 0.5, "k": 4},
			want: map[string]float64{"x": 3}},
		"discrete inputs of model exchange, 2.0": {tiny: with(words(me2, " adds", ""), func(k *tiny) {
			k.variables += `
<ScalarVariable name="i" valueReference="5" causality="input" variability="discrete"><Integer start="0"/></ScalarVariable>`
		}), later: map[string]float64{"i": 2}, want: map[string]float64{"x": 2}},
		"discrete inputs of model exchange, 3.0": {tiny: with(words(me3, " adds", ""), func(k *tiny) {
			k.variables += `
<UInt16 name="i" valueReference="25" causality="input" variability="discrete" start="0"/>`
		}), later: map[string]float64{"i": 2, "u": 1}, want: map[string]float64{"x": 3}},
		"model exchange that decays": {tiny: words(me2, " decay", ""), want: map[string]float64{"x": 1 - math.Exp(-1)}},
		"rates that are not everywhere": {tiny: words(me3, " fast", ""), steps: 1, step: 0.4,
			want: map[string]float64{"x": math.Exp(-20)}},
		"no completed steps, 2.0": {tiny: words(me2, " silent", ` completedIntegratorStepNotNeeded="true"`),
			want: map[string]float64{"x": 1}},
		"no completed steps, 3.0": {tiny: words(me3, " silent", ""), want: map[string]float64{"x": 1}},
		"completed steps, 3.0": {tiny: words(me3, "", ` needsCompletedIntegratorStep="true"`),
			want: map[string]float64{"x": 1}},
		"state events, 2.0":          {tiny: bouncing2, steps: 40, want: bounce},
		"state events, 3.0":          {tiny: bouncing3, steps: 40, want: bounce},
		"long steps with events":     {tiny: bouncing3, steps: 1, step: 4, want: bounce},
		"updates of discrete states": {tiny: words(bouncing3, " twice", ""), steps: 40, want: bounce},
		"time events, 2.0": {tiny: with(words(me2, " stairs", ""), func(k *tiny) {
			k.variables = strings.Replace(states2, ` derivative="1"`, "", 1)
			k.elements = structure2([]int{1, 3}, nil, []int{3})
		}), steps: 30, want: map[string]float64{"n": 3}},
		"time events, 3.0": {tiny: with(words(me3, " stairs", ""), func(k *tiny) {
			k.variables = strings.Replace(states3, ` derivative="1"`, "", 1)
			k.elements = structure3([]int{1, 11}, nil, []int{11}, nil)
		}), steps: 30, want: map[string]float64{"n": 3}},
		"time events within steps": {tiny: words(me3, " stairs ramp", ""), steps: 4, step: 0.7,
			want: map[string]float64{"n": 2, "x": 2.6}},
		"clocks tick": {tiny: clocked(` intervalDecimal="0.25" shiftDecimal="0.1"`, " clocked state", state3),
			want: map[string]float64{"n": 4 + 10*6, "y": 1}},
		"clocks without an interval do not tick": {tiny: with(clocked("", " clocked", ""), func(k *tiny) {
			k.variables = strings.Replace(k.variables, `"constant"`, `"triggered"`, 1)
		}), want: map[string]float64{"n": 10 * 2}, hints: []string{"do not tick: clock"}},
		"clocks tick between steps": {tiny: clocked(` intervalDecimal="0.25" shiftDecimal="0.1"`, " clocked", ""),
			step: 0.7, steps: 2,
			want: map[string]float64{"n": 6 + 10*8, "y": 1.4}},
		"an event ends the simulation": {tiny: words(bouncing3, " end", ""), steps: 40, ends: 3,
			hints: nil, want: map[string]float64{"n": 2}},
		"scheduled execution": {tiny: tiny{version: 3, of: ScheduledExecution, variables: `
<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Clock name="clock" valueReference="32" causality="input" variability="discrete" intervalVariability="constant" intervalDecimal="0.1"
 priority="1"/>`,
			elements: " "}, refused: "scheduled execution", hints: []string{"scheduled execution alone"}},
	}
}

// Legal FMUs of every kind pass the check, and run as they should.
func TestLegalFMUsOfEveryKindRun(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	for name, k := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := k.write(t)
			if !k.unchecked {
				k.check(t, path)
			}
			k.run(t, path)
		})
	}
}

// check checks the FMU, which must have no faults.
func (k *kindOfFMU) check(t *testing.T, path string) {
	t.Helper()
	read, err := check.FMU(path)
	if err != nil || len(read) > 0 {
		t.Errorf("the description: %v %v", read, err)
	}
	found, err := Exercise(path)
	if err != nil {
		t.Fatal(err)
	}
	said := map[Level][]string{}
	for _, f := range found {
		if !strings.Contains(f.Text, "the library has no function") || k.version == 2 {
			said[f.Level] = append(said[f.Level], f.Text)
		}
	}
	if len(said[Fault]) > 0 {
		t.Errorf("called wrong: %q", said[Fault])
	}
	for level, want := range map[Level][]string{Caution: k.cautions, Hint: k.hints} {
		if len(said[level]) != len(want) {
			t.Errorf("%v: %q, want %q", level, said[level], want)
			continue
		}
		for i, words := range want {
			if !strings.Contains(said[level][i], words) {
				t.Errorf("%v: %q, want %q", level, said[level][i], words)
			}
		}
	}
}

// run runs the FMU.
func (k *kindOfFMU) run(t *testing.T, path string) {
	t.Helper()
	f, err := OpenFMU(path)
	var c *Instance
	if err == nil {
		defer f.Close()
		if c, err = f.Instantiate("trial", f.Token); err == nil {
			defer c.Close()
			err = k.drive(c)
		}
	}
	if k.refused != "" {
		if err == nil || !strings.Contains(err.Error(), k.refused) {
			t.Errorf("error %v, want %q", err, k.refused)
		}
		return
	}
	if ended, is := err.(*Ended); is && k.ends > 0 && math.Abs(ended.Time-k.ends) < 1e-9 {
		err = nil
	} else if k.ends > 0 {
		t.Errorf("it ends with %v, want the end at %g s", err, k.ends)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range k.want {
		references, err := c.References(name)
		if err != nil {
			t.Fatal(err)
		}
		var got [1]float64
		if err := c.Get(references, got[:]); err != nil || !(math.Abs(got[0]-want) <= 1e-6*max(1, math.Abs(want))) {
			t.Errorf("%s = %.12g, want %.12g; %v", name, got[0], want, err)
		}
	}
	for name, want := range k.texts {
		if v, err := c.Find(name); err == nil && v.Kind == Text {
			if text, err := c.Text(name); err != nil || text != want {
				t.Errorf("%s = %q, want %q; %v", name, text, want, err)
			}
		}
	}
	for _, want := range k.log {
		if !slices.Contains(c.Messages, want) {
			t.Errorf("messages %q lack %q", c.Messages, want)
		}
	}
	warnings, err := c.Warnings()
	if err != nil || len(warnings) != len(k.warned) {
		t.Errorf("warnings %v, want %q; %v", warnings, k.warned, err)
	}
	for i, want := range k.warned {
		if i < len(warnings) && (warnings[i].Text != want || warnings[i].Count < 2) {
			t.Errorf("warning %+v, want %q, more than once", warnings[i], want)
		}
	}
}

// drive sets what has to be set, and makes the steps.
func (k *kindOfFMU) drive(c *Instance) error {
	for name, value := range k.set {
		if err := c.SetNamed(name, value); err != nil {
			return err
		}
	}
	for name, text := range k.texts {
		if err := c.SetText(name, text); err != nil {
			return err
		}
	}
	if err := c.Initialise(); err != nil {
		return err
	}
	n, h := k.steps, k.step
	if n == 0 {
		n = 10
	}
	if h == 0 {
		h = 0.1
	}
	for i := range int(n) {
		for name, value := range k.later {
			if i < int(n)/2 {
				value = 0
			}
			if err := c.SetNamed(name, value); err != nil {
				return err
			}
		}
		if err := c.Step(h); err != nil {
			return err
		}
	}
	return nil
}

// The command simulates these FMUs by a manoeuvre for their model. The end of a simulation by the FMU is a verdict, and
// all rows before it are written.
func TestTheCommandSimulatesFMUsOfOtherTools(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	manoeuvre := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(manoeuvre, []byte(`name = "own"
title = "A constant input"
models = ["tiny"]
duration = 1
step = 0.1
[[input]]
variables = ["u"]
signal = { kind = "constant", value = 0.5 }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ kind, set, last, says string }{
		{"arrays", "a[1,2]=3", "1,2,10,1", "own: 10 steps"},
		{"arrays by structural parameters", "columns=2", "", "columns is the size of an array"},
		{"the FMU ends, 2.0", "k=2", "0.5,1,5,1", "own: the FMU ended the simulation at 0.5 s"},
		{"the FMU ends, 3.0", "k=2", "0.5,1,5,1", "own: the FMU ended the simulation at 0.5 s"},
		{"types of 2.0", "i=1.5", "", "i: 1.5 is not a value of type Int32: whole numbers from -2147483648 to 2147483647"},
		{"types of 2.0", "on=maybe", "", `on is a Boolean, so "maybe" cannot be its value: true or false`},
		{"model exchange with inputs", "k=2", "1,2,0", "own: 10 steps"},
		{"warnings, 3.0", "k=2", "1,2,10,1", "own: warning: careful"},
		{"2.0", "k=2", "1,2,10,1", "noise"},
	} {
		k := kinds()[want.kind]
		if want.says == "noise" {
			k.words += " prints" // in each step
		}
		run, temporary := commandLine(t, "simulate", k.write(t), "--manoeuvre", manoeuvre, "--set", want.set, "--out", "-")
		var said strings.Builder
		run.Stderr = &said
		out, err := run.Output()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		last := lines[len(lines)-1]
		if strings.Contains(string(out), "noise") {
			t.Errorf("the output of the library is among the results:\n%s", out)
		}
		if (err == nil) != (want.last != "") || want.last != "" && !near(last, want.last) ||
			!strings.Contains(said.String(), want.says) {
			t.Errorf("%s: %v, last row %s, want %s; said\n%s, want %q", want.kind, err, last, want.last, &said, want.says)
		}
		checkEmpty(t, temporary)
	}
}

// The time is a column once, also where all local variables are recorded; names with commas stand between quotes.
func TestTheTimeIsRecordedOnce(t *testing.T) {
	t.Parallel()
	k := kinds()["arrays"]
	k.variables = strings.Replace(k.variables, `parameter" variability="fixed" start="11 12 13 21 22 23"`,
		`local" variability="discrete" initial="calculated"`, 1)
	manoeuvre := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(manoeuvre, []byte(`name = "own"
title = "Own"
models = ["tiny"]
duration = 1
step = 0.1
`), 0o600); err != nil {
		t.Fatal(err)
	}
	for record, want := range map[string]string{
		"*":      `time,y,n,b,"a[1,1]","a[1,2]","a[1,3]","a[2,1]","a[2,2]","a[2,3]"`,
		"a[2,1]": `time,"a[2,1]"`,
	} {
		run, _ := commandLine(t, "simulate", k.write(t), "--manoeuvre", manoeuvre, "--record", record, "--out", "-")
		out, err := run.Output()
		if head, _, _ := strings.Cut(string(out), "\n"); err != nil || head != want {
			t.Errorf("--record %s: %v, columns %s, want %s", record, err, head, want)
		}
	}
}

// near compares rows of numbers.
func near(got, want string) bool {
	a, b := strings.Split(got, ","), strings.Split(want, ",")
	for i := range a {
		x, err := strconv.ParseFloat(a[i], 64)
		y, _ := strconv.ParseFloat(b[min(i, len(b)-1)], 64)
		if err != nil || len(a) != len(b) || math.Abs(x-y) > 1e-9 {
			return false
		}
	}
	return true
}
