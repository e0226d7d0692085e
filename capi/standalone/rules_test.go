package standalone

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// codeOf returns C code without comments, strings and continued lines.
func codeOf(text string) string {
	text = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(text, " ")
	text = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(text, `""`)
	return strings.ReplaceAll(text, "\\\n", " ")
}

var definition = regexp.MustCompile(`(?m)^(?:[A-Za-z][\w ]*[ *])(\w+)\(([^(){};]*)\)\s*\{`)

// function is a C function; functions of the same name under several #if are joined.
type function struct{ parameters, body string }

func functionsOf(code string) map[string]function {
	list := map[string]function{}
	for _, m := range definition.FindAllStringSubmatchIndex(code, -1) {
		name := code[m[2]:m[3]]
		list[name] = function{code[m[4]:m[5]], list[name].body + code[m[1]:closing(code, m[1]-1)]}
	}
	return list
}

// callsOf lists the callees of each function in C code; macros with arguments count as functions.
func callsOf(code string) map[string][]string {
	bodies := map[string]string{}
	for name, f := range functionsOf(code) {
		bodies[name] = f.body
	}
	for _, m := range regexp.MustCompile(`(?m)^#define (\w+)\([^)]*\)(.*)$`).FindAllStringSubmatch(code, -1) {
		bodies[m[1]] += m[2]
	}
	calls := map[string][]string{}
	called := regexp.MustCompile(`\b([A-Za-z_]\w*)\(`)
	for name, body := range bodies {
		for _, c := range called.FindAllStringSubmatch(body, -1) {
			if _, own := bodies[c[1]]; own && !slices.Contains(calls[name], c[1]) {
				calls[name] = append(calls[name], c[1])
			}
		}
	}
	for name := range bodies {
		calls[name] = append(calls[name], "")
	}
	return calls
}

// deepest returns the largest sum of numbers along a chain of calls; the test fails if a function calls itself.
func deepest(t *testing.T, calls map[string][]string, of func(name string) int, name string, above []string) int {
	if slices.Contains(above, name) {
		t.Fatalf("%s calls itself: %v", name, above)
	}
	most := 0
	for _, c := range calls[name] {
		most = max(most, deepest(t, calls, of, c, append(above, name)))
	}
	return of(name) + most
}

// withAllMethods writes a shipped model with all methods; the name is a long one.
func withAllMethods(t *testing.T, model, name string) map[string]string {
	t.Helper()
	of, err := Instances([]string{"euler", "heun", "rk4", "linearly-implicit"},
		func() (*cosim.Instance, error) { return vehicleOf(t, model), nil })
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for range 2 {
		files, err := Files(of, Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if before, again := texts[f.Name]; again && before != f.Text {
				t.Errorf("%s: two texts of the same vehicle differ", f.Name)
			}
			texts[f.Name] = f.Text
		}
	}
	return texts
}

// Generated C keeps the rules that real-time targets have: no recursion, no memory from the heap, no jumps, no pointers
// to functions, arrays of constant size, shifts of unsigned numbers only. The same vehicle gives the same bytes.
func TestGeneratedCodeKeepsRules(t *testing.T) {
	testrun.Slow(t)
	const name = "a_name_of_20_letters"
	for _, model := range testrun.Either([]string{"skidder_carcass"}, []string{"generic4w", "passenger_car", "wheel"}) {
		texts := withAllMethods(t, model, name)
		code := codeOf(texts[name+".h"] + "\n" + texts[name+".c"])
		rules(t, code)
		calls := callsOf(code)
		for function := range calls {
			deepest(t, calls, func(string) int { return 0 }, function, nil)
		}
		if len(calls[name+"_step"]) < 5 || len(calls) < 100 {
			t.Errorf("%s: %d functions with their calls, those of a step: %v", model, len(calls), calls[name+"_step"])
		}
		distinct(t, texts[name+".h"], name)
	}
}

// rules checks that generated C lacks certain words and forms.
func rules(t *testing.T, code string) {
	t.Helper()
	for about, forbidden := range map[string]string{
		"a jump, a heap, a stream or a global state": `\b(goto|setjmp|longjmp|malloc|calloc|` +
			`realloc|free|alloca|errno|f?printf|va_\w+|do)\b`,
		"a variable number of arguments": `\.\.\.`,
		"a pointer to a function":        `\(\s*\*\s*\w*\s*\)\s*\(`,
		"a macro that computes":          `(?m)^#define \w+ .*\w[ )]*[-+*/%&|^<>]+[ (]*\w.*$`,
		"an array whose size can vary": `(?m)^ *(?:static |const )*(?:double|int|char|size_t|uint64_t) \w+` +
			`\[[^\]]*[a-z][^\]]*\]`,
		"a static variable in a function": `(?m)^ +static (?:double|int|size_t|unsigned|uint64_t|char)`,
		"a variable of the file": `(?m)^static (?:double|int|size_t|unsigned|uint64_t|char) \w+` +
			`(?:\[[^\]]*\])?( =|;)`,
		"a shift of a number with a sign": `(?m)(?:^|[^\w.)\]])(?:int|i|n|by|step|-?\d+) ?(?:<<|>>)`,
		"a comparison of floats by bits":  `\bmemcmp\b`,
		"a function of the library libm":  `\b(?:sin|cos|tan|exp|log|pow|fmax|fmin|floor|fmod|atan2?|tanh)\(`,
	} {
		if found := regexp.MustCompile(forbidden).FindString(code); found != "" {
			t.Errorf("%s: %.120s", about, found)
		}
	}
	shifted := regexp.MustCompile(`[^\w)](v\d+) (?:<<|>>)`)
	for _, m := range shifted.FindAllStringSubmatch(code, -1) {
		if !regexp.MustCompile(`(?:uint64_t|op_u\d) ` + m[1] + ` =`).MatchString(code) {
			t.Errorf("a shift of %s, which is no word", m[1])
			break
		}
	}
	switches, defaults := strings.Count(code, "switch ("), strings.Count(code, "default:")
	if switches == 0 || switches != defaults {
		t.Errorf("%d switches, %d of them complete", switches, defaults)
	}
}

// distinct checks external names, which linkers may distinguish by 31 characters only.
func distinct(t *testing.T, header, name string) {
	t.Helper()
	seen := map[string]string{}
	for _, m := range regexp.MustCompile(`\b(`+name+`_\w+)(?:\(|\[)`).FindAllStringSubmatch(codeOf(header), -1) {
		short := m[1][:min(31, len(m[1]))]
		if other := seen[short]; other != "" && other != m[1] {
			t.Errorf("%s and %s are equal in 31 characters", other, m[1])
		}
		seen[short] = m[1]
	}
	if len(seen) < 15 {
		t.Errorf("only %d names", len(seen))
	}
}

// A call needs at most 8 KiB of stack.
func TestStackOfCalls(t *testing.T) {
	testrun.Slow(t)
	testrun.Requires(t, "gcc")
	levels := testrun.Either([]string{"-O1"}, []string{"-O1", "-O2 -march=native", "-O3", "-Os"})
	for _, model := range testrun.Either([]string{"skidder"}, []string{"skidder", "generic4w", "passenger_car"}) {
		folder, _ := withMethods(t, model, "euler", "rk4")
		source, err := os.ReadFile(filepath.Join(folder, "vehicle.c"))
		if err != nil {
			t.Fatal(err)
		}
		calls := callsOf(codeOf(string(source)))
		for _, level := range levels {
			arguments := append(strings.Fields(level), "-fstack-usage", "-c", "vehicle.c")
			c := exec.Command("gcc", arguments...)
			c.Dir = folder
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("gcc: %v\n%.2000s", err, out)
			}
			text, err := os.ReadFile(filepath.Join(folder, "vehicle.su"))
			if err != nil {
				t.Fatal(err)
			}
			used := map[string]int{}
			for _, m := range regexp.MustCompile(`(?m):(\w+)[.\w]*\t(\d+)\t([\w,]+)`).FindAllStringSubmatch(string(text), -1) {
				if m[3] != "static" && m[3] != "dynamic,bounded" { // dynamic: alignment of vectors, which is counted
					t.Errorf("%s %s: the stack of %s is %s", model, level, m[1], m[3])
				}
				n, _ := strconv.Atoi(m[2])
				used[m[1]] = max(used[m[1]], n+8) // the return address
			}
			of := func(name string) int { return used[name] }
			for _, name := range []string{"step", "initialise", "output", "rates", "restore"} {
				if n := deepest(t, calls, of, "vehicle_"+name, nil); n == 0 || n > 8<<10 {
					t.Errorf("%s %s: vehicle_%s needs %d bytes of stack", model, level, name, n)
				} else {
					t.Logf("%s %s: vehicle_%s needs %d bytes of stack", model, level, name, n)
				}
			}
		}
	}
}
