package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"skidpad/fmu/fmutest"
	"skidpad/harness"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/selftest"
)

// TestCommandReferenceEqualsTheHelp: docs/command-reference.md is what skidpad help --markdown prints.
func TestCommandReferenceEqualsTheHelp(t *testing.T) {
	page := filepath.Join("..", "..", "..", "docs", "command-reference.md")
	status, want, stderr := try("help", "--markdown")
	if status != good || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if *built.Update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != want {
		t.Errorf("%s is not current (%v); go test ./harness/cmd/skidpad -run CommandReference -update writes it", page, err)
	}
	var begun bool
	everyCommand(newRoot(&begun), func(c *cobra.Command) {
		if c.HasParent() && !strings.Contains(want, "\n### `"+c.CommandPath()+"`\n") {
			t.Errorf("the reference lacks %s", c.CommandPath())
		}
	})
}

// TestEveryCommandExplainsItselfWithAnExample, asked in any way, and without any work.
func TestEveryCommandExplainsItselfWithAnExample(t *testing.T) {
	_, overview, _ := try("--help")
	for _, line := range []string{"-h", "-help", "help", "--help simulate", "help help --markdown=false"} {
		status, stdout, stderr := try(strings.Fields(line)...)
		if status != good || stderr != "" || !strings.HasPrefix(stdout, "Usage: skidpad ") {
			t.Errorf("%s: status %d, %q, %q", line, status, stdout, stderr)
		}
	}
	for _, want := range []string{"Usage: skidpad COMMAND [arguments]\n\nSimulate\n", "\n\nAnalyse\n", "\n\nExchange\n",
		"\n\nMaintain\n", "Exit status: 0 done"} {
		if !strings.Contains(overview, want) {
			t.Errorf("the overview lacks %q:\n%s", want, overview)
		}
	}
	var begun bool
	everyCommand(newRoot(&begun), func(c *cobra.Command) {
		if !c.HasParent() {
			return
		}
		words := strings.Fields(c.CommandPath())[1:]
		_, help, _ := try(append([]string{"help"}, words...)...)
		for _, ask := range []string{"--help", "-help", "-h"} {
			status, stdout, stderr := try(append(words, ask)...)
			if status != good || stderr != "" || stdout != help || !strings.HasPrefix(stdout, "Usage: "+c.CommandPath()+" ") ||
				!strings.Contains(stdout, "\nExample:\n  ") {
				t.Errorf("%s %s: status %d, stderr %q, help %q", words, ask, status, stderr, stdout)
			}
		}
		if summary := "  " + c.Name() + " "; len(words) == 1 && !strings.Contains(overview, summary) {
			t.Errorf("the overview lacks %s", c.Name())
		}
		for line := range strings.Lines(help) {
			if len(line) > 122 {
				t.Errorf("%s: a line of %d characters: %s", words, len(line)-1, line)
			}
		}
	})
}

// TestVersionEqualsTheProductVersion, with what it was built by and for.
func TestVersionEqualsTheProductVersion(t *testing.T) {
	for _, ask := range []string{"--version", "-version", "-v"} {
		status, stdout, stderr := try(ask)
		if status != good || stderr != "" || !strings.HasPrefix(stdout, "skidpad "+harness.Version) ||
			!strings.HasSuffix(stdout, ", "+runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH+"\n") {
			t.Errorf("%s: status %d, %q, %q", ask, status, stdout, stderr)
		}
	}
}

// TestVerboseBelongsToVersion: the self-test needs both flags, and fails without a library beside the command.
func TestVerboseBelongsToVersion(t *testing.T) {
	if status, _, stderr := try("--verbose"); status != wrongUsage || !strings.Contains(stderr, "--version --verbose") {
		t.Errorf("status %d, %q", status, stderr)
	}
	status, stdout, stderr := try("--version", "--verbose")
	if status != failed || stderr != "" {
		t.Errorf("status %d, %q", status, stderr)
	}
	for _, want := range []string{version() + "\n", "\nprocessor  ", "\nC compiler  ", "\nclang  ",
		"FAILED  library: no library", "\nself-test FAILED"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
}

// TestMissingPartsAreNoFailure: the self-test passes without a part that is not there, and says how to get it.
func TestMissingPartsAreNoFailure(t *testing.T) {
	found := selftest.Check{Name: "run", Found: "6 values"}
	needs := selftest.Check{Name: "FMU", Needs: errors.New("get it")}
	fault := selftest.Check{Name: "library", Fault: errors.New("torn")}
	for want, checks := range map[string][]selftest.Check{
		"passed  run: 6 values\nnot installed  FMU: get it\ntrue":  {found, needs},
		"FAILED  library: torn\nfalse":                             {fault},
		"FAILED  library: torn\nnot installed  FMU: get it\nfalse": {fault, needs},
	} {
		var text strings.Builder
		passed := writeChecks(&text, checks)
		if got := fmt.Sprint(text.String(), passed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTheCommitIsPartOfTheVersion, where the linker was told it.
func TestTheCommitIsPartOfTheVersion(t *testing.T) {
	defer func() { harness.Commit = "" }()
	for name, want := range map[string]string{"": harness.Version + ", go", "0123abcd": ", commit 0123abcd, go",
		"0123abcd-changed": ", commit 0123abcd with changes, go"} {
		if harness.Commit = name; !strings.Contains(version(), want) {
			t.Errorf("%q: %q", name, version())
		}
	}
}

// TestExitStatusesAreDocumented where a user looks for them.
func TestExitStatusesAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, overview, _ := try("--help")
	for name, text := range map[string]string{"docs/command.md": string(page), "--help": overview} {
		for _, status := range []string{"0", "1", "2", "130"} {
			if !strings.Contains(text, status+" ") && !strings.Contains(text, "| "+status+" |") {
				t.Errorf("%s lacks exit status %s", name, status)
			}
		}
	}
}

// TestShellsComplete commands, flags and names; each script fits its shell.
func TestShellsComplete(t *testing.T) {
	for shell, holds := range map[string]string{"bash": "complete -o default", "zsh": "#compdef skidpad",
		"fish": "complete -c skidpad", "powershell": "Register-ArgumentCompleter"} {
		status, script, stderr := try("completion", shell)
		if status != good || stderr != "" || !strings.Contains(script, holds) {
			t.Errorf("%s: status %d, %s", shell, status, stderr)
		}
		t.Run(shell, func(t *testing.T) {
			switch path, _ := exec.LookPath(shell); {
			case shell == "bash":
				testrun.Requires(t, shell)
			case path == "" || shell == "powershell":
				t.Skip("the shell is not here; that of the tests is bash")
			}
			check := exec.Command(shell, "-n")
			check.Stdin = bytes.NewReader([]byte(script))
			if text, err := check.CombinedOutput(); err != nil {
				t.Errorf("the shell refuses its script: %v: %s", err, text)
			}
		})
	}
	for line, holds := range map[string]string{
		"sim":           "simulate\trun one manoeuvre",
		"simulate pass": "passenger_car\tPassenger car",
		"simulate passenger_car --manoeuvre step":    "step_steer\tStep steer",
		"animate run.csv --model bicy":               "bicycle\tBenchmark bicycle",
		"list ":                                      "manoeuvres",
		"tire Fia":                                   "Fiala",
		"tire rig mf":                                "mf61_205_60R15\t",
		"tire rig x --relaxation stre":               "stretched_string\t",
		"simulate x --manoeuvre y --no-":             "--no-prerun\t",
		"generate skidder --target ":                 "c",
		"equations pendulum --export ":               "casadi",
		"equations pendulum --matrices --format ":    "latex",
		"completion po":                              "powershell",
		"reference generic4w_s":                      "generic4w_sine",
		"help manoe":                                 "manoeuvre\t",
		"linearize bicycle_rolling --at speed=1 --c": "--check\t",
		"simulate x --method li":                     "linearly-implicit",
		"sweep x --method r":                         "rk4",
		"linearize x --fmi ":                         "3",
		"pack x --fmi ":                              "2",
		"simulate x --plot-style p":                  "paper",
		"simulate generic4w --set tire_FL.m":         "tire_FL.model=\tforce function",
		"simulate generic4w --set brake_FL.t":        "brake_FL.torque=\t",
		"manoeuvre generic4w --set body.v":           "body.vx=\t",
		"trim generic4w --set solver.me":             "solver.method=\t",
		"simulate ../../../resources/models/skidd":   "../../../resources/models/skidder.toml",
		"simulate ../../../resources/mod":            "../../../resources/models/",
	} {
		words := strings.Fields(line)
		if strings.HasSuffix(line, " ") {
			words = append(words, "")
		}
		if status, stdout, _ := try(append([]string{"__complete"}, words...)...); status != good ||
			!strings.Contains("\n"+stdout, "\n"+holds) {
			t.Errorf("%q: status %d, %q, want %q", line, status, stdout, holds)
		}
	}
}

// TestOwnFilesComplete beside shipped names: model files and FMUs, folders, and no other files. Behind NAME= nothing is
// completed.
func TestOwnFilesComplete(t *testing.T) {
	folder := t.TempDir()
	for _, file := range []string{"resources/models/sedan.toml", "sea.toml", "sea.fmu", "sea.csv", ".sea.toml",
		"season/winter.toml"} {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte("title = \"Sedan\"\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	// an FMU whose libraries are none: completion reads its description alone
	_, packed := fmutest.Pack(t, filepath.Join("..", "..", "..", "resources", "models", "generic4w.toml"), 2)
	if err := os.WriteFile(filepath.Join(folder, "generic.fmu"), packed, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for line, want := range map[string]string{
		"simulate se":                           "sedan\tSedan\nsea.fmu\nsea.toml\nseason/\n",
		"equations se":                          "sedan\tSedan\nsea.toml\nseason/\n", // takes no FMUs
		"simulate season":                       "season/\n",
		"simulate season/":                      "season/winter.toml\n",
		"simulate .s":                           ".sea.toml\n",
		"simulate none/":                        "",
		"simulate sedan --set ":                 "", // it has no vehicle
		"simulate sea.fmu --set ":               "",
		"simulate generic.fmu --set steer_FL.r": "steer_FL.rate=\tprescribed motion, rate\n",
		"simulate sedan --set mass=1":           "",
		"simulate --set ":                       "",
	} {
		words := strings.Fields(line)
		if strings.HasSuffix(line, " ") {
			words = append(words, "")
		}
		status, stdout, _ := try(append([]string{"__complete"}, words...)...)
		got, directive, _ := strings.Cut("\n"+stdout, "\n:")
		if got = strings.TrimPrefix(got+"\n", "\n"); status != good || got != want {
			t.Errorf("%q: status %d, %q, want %q", line, status, got, want)
		}
		if goesOn := strings.HasPrefix(directive, "2\n"); goesOn != (line == "simulate season") {
			t.Errorf("%q: directive %s", line, directive)
		}
	}
}
