package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/tests/testrun"
)

// parsed is the result of parsing a command line.
type parsed struct {
	command   string
	flags     map[string]string
	arguments []string
	err       error
}

// collected is a value of a flag that may be repeated: what it has been given, as texts.
type collected struct {
	pflag.Value
	texts []string
}

func (c *collected) String() string { return strings.Join(c.texts, ";") }

func (c *collected) Set(text string) error {
	c.texts = append(c.texts, text)
	return c.Value.Set(text)
}

// parseLine reads a command line without its work.
func parseLine(line ...string) (p parsed) {
	var begun bool
	root := newRoot(&begun)
	p.flags = map[string]string{}
	everyCommand(root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if text := f.Value.String(); text == "" && f.Value.Type() != "string" {
				f.Value = &collected{Value: f.Value}
			}
		})
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(c *cobra.Command, args []string) error {
			p.command, p.arguments = c.CommandPath(), args
			c.Flags().Visit(func(f *pflag.Flag) { p.flags[f.Name] = f.Value.String() })
			return nil
		}
	})
	root.SetArgs(withTwoDashes(root, line))
	p.err = root.Execute()
	return p
}

// valueFor is a value of a flag, which begins with a dash where it can.
func valueFor(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "SECONDS":
		return "3"
	case "float64", "int":
		return "-3"
	case "NAME=VALUE":
		return "-a=-1"
	case "NAME=VALUES":
		return "a=-1,2"
	case "N,N,...":
		return "-1,2"
	case "SPEED":
		return "-3"
	case "left|right":
		return "left"
	case "sae|iso":
		return "sae"
	}
	return "-value"
}

// TestEveryLongFlagMayBeginWithOneDash, before, between and behind arguments, with its value behind = or as the next
// word, which may itself begin with a dash; it is never read as short flags.
func TestEveryLongFlagMayBeginWithOneDash(t *testing.T) {
	testrun.Slow(t)
	var begun bool
	tried := 0
	everyCommand(newRoot(&begun), func(c *cobra.Command) {
		if !c.HasParent() {
			return
		}
		path := strings.Fields(c.CommandPath())[1:]
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" {
				return
			}
			tried++
			forms := [][]string{{"-" + f.Name + "=true"}, {"--" + f.Name + "=true"}, {"-" + f.Name}, {"--" + f.Name}}
			want := "true"
			if f.NoOptDefVal == "" {
				want = valueFor(f)
				forms = [][]string{{"-" + f.Name, want}, {"--" + f.Name, want}, {"-" + f.Name + "=" + want},
					{"--" + f.Name + "=" + want}}
			}
			if f.Shorthand != "" {
				forms = append(forms, []string{"-" + f.Shorthand, want}, []string{"--" + f.Shorthand, want})
			}
			shown := want
			if t := f.Value.Type(); t == "stringSlice" || t == "stringArray" {
				shown = "[" + want + "]"
			}
			for _, form := range forms {
				for at := range 3 {
					line := slices.Insert([]string{"a.toml", "b.toml"}, at, form...)
					got := parseLine(slices.Concat(path, line)...)
					if got.err != nil || got.command != c.CommandPath() || len(got.flags) != 1 || got.flags[f.Name] != shown ||
						!slices.Equal(got.arguments, []string{"a.toml", "b.toml"}) {
						t.Errorf("%s with %q at %d: %v", c.CommandPath(), form, at, got)
					}
				}
			}
		})
	})
	if tried < 100 {
		t.Errorf("only %d flags", tried)
	}
}

// TestCommandLineParsing: the end of flags, repeated flags, and arguments that look like flags.
func TestCommandLineParsing(t *testing.T) {
	for _, test := range []struct {
		line      string
		flags     string // sorted, NAME=VALUE
		arguments string
	}{
		{"simulate a -step 1 -step=2 --step 3", "step=3", "a"},
		{"simulate -set a=1 a --set b=2 -set=c=3", "set=a=1;b=2;c=3", "a"},
		{"simulate -- a -step 1", "", "a -step 1"},
		{"simulate a -out -- -step 1", "out=-- step=1", "a"},
		{"simulate a -out - -paced=false", "out=- paced=false", "a"},
		{"simulate a -paced false", "paced=true", "a false"},
		{"simulate a -o x.csv", "out=x.csv", "a"},
		{"simulate a -o=x.csv", "out=x.csv", "a"},
		{"simulate a -o -out", "out=-out", "a"},
		{"simulate a -duration 0.5", "duration=0.5", "a"},
		{"tire convert -side left a b", "side=left", "a b"},
		{"tire -side left convert a b", "side=left", "a b"},
		{"tire -side left convert a b -vertical-stiffness -30", "side=left vertical-stiffness=-30", "a b"},
		{"tire rig -loads 1,2 a", "loads=1,2", "a"},
	} {
		got := parseLine(strings.Fields(test.line)...)
		var flags []string
		for name, value := range got.flags {
			flags = append(flags, name+"="+value)
		}
		slices.Sort(flags)
		command := "skidpad " + strings.Fields(test.line)[0]
		for _, sub := range []string{"convert", "rig"} {
			if strings.Contains(test.line, " "+sub+" ") {
				command += " " + sub
			}
		}
		if got.err != nil || got.command != command || strings.Join(flags, " ") != test.flags ||
			strings.Join(got.arguments, " ") != test.arguments {
			t.Errorf("%s: %v", test.line, got)
		}
	}
}

// TestMisspellingsAreRejectedWithSuggestions, with status 2 and before any work.
func TestMisspellingsAreRejectedWithSuggestions(t *testing.T) {
	model, driven := shippedFile("models", "generic4w.toml"), shippedFile("manoeuvres", "generic4w_sine.toml")
	for _, test := range []struct {
		line   string
		status int
		says   string
	}{
		{"simlate a.toml", wrongUsage, `unknown command "simlate"; did you mean simulate?`},
		{"help simlate", wrongUsage, "did you mean simulate?"},
		{"simulate a.toml --manoeuver m", wrongUsage, "unknown flag: --manoeuver; did you mean --manoeuvre?"},
		{"simulate a.toml -manoeuver m", wrongUsage, "did you mean --manoeuvre?"},
		{"simulate a.toml -oresult.csv", wrongUsage, "unknown flag: --oresult.csv; the value of -o, which is --out"},
		{"simulate a.toml -x", wrongUsage, `unknown shorthand flag: 'x'`},
		{"simulate a.toml -hold -hol", wrongUsage, "did you mean --hold?"},
		{"--verson", wrongUsage, "did you mean --version?"},
		{"list model", wrongUsage, `did you mean models?`},
		{"list", wrongUsage, "expected one of models, subsystems, controllers, manoeuvres, assessments, systems, tires, " +
			"roads, tracks; a NAME behind subsystems or manoeuvres, got none"},
		{"completion tcsh", wrongUsage, `"tcsh" is not one of bash`},
		{"simulate generic4v --manoeuvre " + driven, wrongUsage, `did you mean "generic4w"?`},
		{"simulate " + model + " --manoeuvre generic4w_sin", wrongUsage,
			`no manoeuvre "generic4w_sin"; did you mean "generic4w_sine"?`},
		{"equations generic4v", wrongUsage, `did you mean "generic4w"?`},
		{"tire fiala_generic4v --in x.csv", wrongUsage, `did you mean "fiala_generic4w"?`},
		{"tire rig pacejka2002", wrongUsage, `"pacejka2002" is the name of 2 tires: `},
		{"reference generic4w_sin", wrongUsage, "did you mean generic4w_sine?"},
		{"linearize " + model + " --at body.vy=20 --set boddy.wz=1", failed, `did you mean "body.wz"?`},
		{"generate skidder", wrongUsage, "--target is missing; give --target c for a vehicle as a C file"},
		{"generate skidder --target fortran", wrongUsage, `--target is "fortran"; it must be c`},
		{"generate skidder --lang go", wrongUsage, `--target is "go"; it must be c`},
		{"generate skidder --target c --name 2x", wrongUsage, `--name is "2x"; it must begin with a small letter`},
		{"generate skidder --target c --method fast", wrongUsage,
			`--method: "fast" is no method; it must be one of euler, heun`},
		{"generate skidder --target c --method rk4,rk4", wrongUsage, "--method: rk4 is named twice"},
		{"generate skidder --target c --method euler,dlmm", failed, `solver.method is "dlmm": generated C has euler`},
		{"generate skidder --target wasm --derivatives", wrongUsage, "--derivatives goes with --target c"},
		{"generate skidder --target c --vary front.mass", wrongUsage, "--vary goes with --target casadi"},
		{"generate skidder --target casadi --controls drive", wrongUsage, "--controls goes with --target acados"},
		{"generate skidder --target acados --controls drive", failed, `--controls: the model has no input "drive"`},
		{"generate skidder --target acados --method linearly-implicit", failed, "linearly-implicit have no derivatives"},
		{"generate skidder --target casadi --vary mass", failed, `--vary: the model has no parameter "mass"`},
		{"generate skidder --target casadi --freeze --vary corner_x", wrongUsage, "--freeze leaves no parameters to --vary"},
		{"generate skidder --target casadi --method rk4,euler", failed, "steps for CasADi and acados have one method"},
		{"generate skidder --target c --outputs x.*", wrongUsage, "the model has no output x.*"},
		{"generate skidder --target c --set bodyy=1", wrongUsage, "bodyy"},
		{"generate motorcycle2d --target c", failed, `solver.method is "dlmm"`},
		{"generate motorcycle2d --target casadi --method rk4", failed, "the wheel contact contact_R acts between"},
		{"generate skidder --target c --pass fast", wrongUsage,
			`there is no pass "fast"; there are unchanged, simplify, combine`},
		{"generate skidder --target matlab", wrongUsage, "skidpad equations skidder --export sympy|casadi|matlab"},
		{"equations pendulum --export maple --out x", wrongUsage, `--export is "maple"; it must be sympy, casadi or matlab`},
		{"equations pendulum --export sympy", wrongUsage, "--out is missing"},
		{"equations pendulum --out x.py", wrongUsage, "--out belongs to --export"},
		{"equations pendulum --export sympy --out x.m", wrongUsage, ".py"},
		{"equations pendulum --export sympy --out sympy.py", failed, "in place of its own sympy; choose another name"},
		{"equations pendulum --export matlab --out 1st.m", failed, "a file of m-code has the name of its function"},
		{"equations pendulum --export sympy --matrices --out x.py", wrongUsage, "exclude each other"},
		{"equations pendulum --only M", wrongUsage, "--only belongs to --matrices"},
		{"equations pendulum --inline 2", wrongUsage, "--inline belongs to --matrices"},
		{"equations pendulum --matrices --only M,K", wrongUsage, `--only has "K"; the parts are M, C, b, Phi, h and e`},
		{"equations pendulum --matrices --format html", wrongUsage, `--format is "html"; it must be text, latex or json`},
		{"equations pendulum --matrices --inline=-1", wrongUsage, "--inline is -1; it must be 0 or more"},
		{"equations pendulum --matrices --tree bodies", failed, "it has joint, body"},
		{"check " + model, failed, model + " is a TOML file; check takes FMUs (X.fmu) and packages of systems (X.ssp). A " +
			"model file is checked by \"skidpad equations " + model + "\""},
		{"check generic4w", failed, "generic4w is a model; check takes FMUs"},
		{"check none.fmu", failed, "no such file or directory; check takes FMUs"},
		{"check flags_test.go", failed, "not a zip archive: zip: not a valid zip file; check takes FMUs"},
		{"pack " + model + " -o x.fmu --fmi 1", wrongUsage, "there is no FMI 1; 2 and 3 are possible"},
		{"pack " + model + " -o x.ssp --tree a", wrongUsage, "--tree: it is for FMUs of models, not for a package"},
		{"simulate " + model + " --manoeuvre m --let speed=80kmh", wrongUsage, `write "80 kmh"`},
		{"simulate " + model + " --manoeuvre m --let speed=80_kmh", wrongUsage, "is not a finite number"},
		{"linearize " + model + " --at body.vx=20_m", wrongUsage, "is not a finite number"},
		{"manoeuvre " + model + " --manoeuvre m --json --markdown", wrongUsage, "--markdown and --json exclude each other"},
	} {
		status, stdout, stderr := try(strings.Fields(test.line)...)
		if status != test.status || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("skidpad %s: status %d, %q, %q; want %d and %q", test.line, status, stdout, stderr, test.status,
				test.says)
		}
	}
	w := newWorkshop(t)
	args := append([]string{"simulate", model, "--manoeuvre", driven, "--out", w.path("run.csv")}, core(t)...)
	if status, _, stderr := try(append(args, "--set", "body.mas=1900")...); status != failed ||
		!strings.Contains(stderr, `the model has no variable "body.mas"; did you mean "body.mass"?`) {
		t.Errorf("a variable: status %d, %s", status, stderr)
	}
}
