package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// blocksOf reads the blocks of a page.
func blocksOf(t *testing.T, text string) ([]*block, error) {
	t.Helper()
	p, err := parsePage("x.md", []byte("# X\n\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return blocks(p)
}

func TestUnknownLabelsAreFaults(t *testing.T) {
	for text, want := range map[string]string{
		"```\nls\n```\n":                                          "x.md:4: a block of code without a label",
		"```bash\nls\n```\n":                                      `x.md:4: the label "bash" is not known`,
		"```sh later\nls\n```\n":                                  `x.md:4: the label "sh later": later is not known`,
		"```sh beside\nls\n```\n":                                 `x.md:4: the label "sh beside": beside goes with python`,
		"```python beside\nx = 1\n```\n":                          "x.md:4: no block of sh is directly before this block",
		"```sh\nls\n```\n\nso\n\n```python beside\nx = 1\n```\n":  "x.md:10: no block of sh is directly before",
		"```python\nx = 1\n```\n\n```python beside\nx = 1\n```\n": "x.md:8: no block of sh is directly before",
		"```python fails\nls\n```\n":                              "fails goes with sh alone",
		"```sh in=x\nls\n```\n":                                   "in=MODEL goes with toml alone",
		"```toml file=\na = 1\n```\n":                             "names no file",
		"```toml file=../x\na = 1\n```\n":                         "outside of the page's working folder",
		"```toml more=../x\na = 1\n```\n":                         "outside of the page's working folder",
		"```toml in=x file=y\na = 1\n```\n":                       "has 3 words",
		"```rust file=x.rs\nls\n```\n":                            "the language is not known",
		"```sh\n```\n":                                            "an empty block",
		"text\n\n    skidpad run\n":                               "x.md:5: an indented block of code",
	} {
		if _, err := blocksOf(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; expected %q", text, err, want)
		}
	}
	list, err := blocksOf(t,
		"```sh\nls\n```\n\n```text\na\n```\n\ntext\n\n```text\nb\n```\n\n```c file=a.c\nint x;\n```\n")
	if err != nil || len(list) != 4 || !list[1].follows || list[2].follows || list[3].verb != "file" ||
		list[3].value != "a.c" {
		t.Errorf("%v, %v", list, err)
	}
}

func TestOutputIsComparedLineByLine(t *testing.T) {
	const printed = "one 1\ntwo 2 of 5 s\nthree\n"
	for wanted, good := range map[string]bool{
		"one 1\nthree\n":              true,
		"one 1\n...\nthree\n":         true,
		"one ...\ntwo ... of ... s\n": true,
		"...three\n":                  true,
		"three\none 1\n":              false, // another order
		"one\n":                       false, // a part of a line
		"two ... of ... m\n":          false,
		"four\n":                      false,
		"one 1\none 1\n":              false,
	} {
		if err := compare(wanted, printed); (err == nil) != good {
			t.Errorf("%q: %v", wanted, err)
		}
	}
}

// scene is the setting of a block's run: an output folder, and an environment of Python without packages.
type scene struct{ out, environment, packages string }

// newScene makes a scene.
func newScene(t *testing.T) *scene {
	t.Helper()
	testrun.Requires(t, "cc", "python3")
	out := t.TempDir()
	// In place of the command: it fails if it is not asked to load a model with c = 3.
	command := "#!/bin/sh\ngrep -q 'c = 3' \"$2\" && grep -q 'b = 2' \"$2\"\n"
	if err := os.WriteFile(filepath.Join(out, "skidpad"), []byte(command), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"skidpad.h": "int five(void);\n", "skidpad_tire.h": "\n",
		"five.c": "int five(void) { return 5; }\n"} {
		if err := write(out, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := exec.Command("cc", "-shared", "-fPIC", filepath.Join(out, "five.c"), "-o",
		filepath.Join(out, "libskidpad.so")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	environment := t.TempDir()
	if said, err := exec.Command("python3", "-m", "venv", "--without-pip", environment).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	site, err := filepath.Glob(filepath.Join(environment, "lib", "python*", "site-packages"))
	if err != nil || len(site) != 1 {
		t.Fatalf("%v, %v", site, err)
	}
	return &scene{out, environment, site[0]}
}

// run runs the blocks of a text without a checkout.
func (s *scene) run(t *testing.T, text string) (tally, error) {
	t.Helper()
	list, err := blocksOf(t, text)
	if err != nil {
		t.Fatal(err)
	}
	root := repositoryOf(t, map[string]string{"resources/models/a.toml": "a = 1\n[t]\nb = 2\n"})
	return runPage(root, s.out, s.environment, s.packages, list)
}

func TestBlocksThatFailAreReportedWithTheirPlace(t *testing.T) {
	s := newScene(t)
	for text, want := range map[string][]string{
		"```sh\necho before\nfalse\necho behind\n```\n": {"x.md:4: sh: exit status 1",
			"--- the block\necho before", "printed\nbefore\n---"},
		"```sh\nfalse | cat\n```\n":               {"x.md:4: sh: exit status 1"},
		"```sh\necho $UNSET\n```\n":               {"UNSET"},
		"```sh fails\ntrue\n```\n":                {"x.md:4: sh: the block succeeds"},
		"```sh\necho 1\n```\n\n```text\n2\n```\n": {`x.md:8: the line "2" was not printed`, "printed\n1\n"},
		"```python\nx = 1\n```\n\n```python\nprint(y)\n```\n": {"x.md:8: python",
			`File "x.md", line 8`, "NameError"},
		"```python\nimport warnings\nwarnings.warn('old')\n```\n": {"UserWarning: old"},
		"```python\nimport os\nos._exit(3)\n```\n":                {"the program ended"},
		"```c\nint a;\nint unused;\na = five(); return a;\n```\n": {"x.md:4: c", "x.md:5",
			"unused"},
		"```c\nreturn five();\n```\n": {"x.md:4: c: exit status 5"},
		"```toml\na = \n```\n": {
			"x.md:4: toml: line 1 of the block"},
		"```toml in=resources/models/a.toml\n[t]\nd = 3\n```\n":                           {"x.md:4: toml: exit status 1"},
		"```toml in=resources/models/none.toml\n[t]\nc = 3\n```\n":                        {"none.toml"},
		"```toml more=none.toml\na = 3\n```\n":                                            {"nothing to go on with"},
		"```toml file=resources/models/a.toml\na = 3\n```\n":                              {"is a file of the repository"},
		"```sh\ncd resources\nexport A=b\n```\n\n```sh\nls models\necho $A\nfalse\n```\n": {"a.toml\nb\n"},
	} {
		_, err := s.run(t, text)
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %v; expected %q", text, err, part)
			}
		}
	}
}

func TestBlocksThatSucceedAreCounted(t *testing.T) {
	count, err := newScene(t).run(t,
		"```sh\necho one; echo two >&2\n```\n\n```text\none\ntwo\n```\n\n```sh fails\nfalse\n```\n\n```python\nx = "+
			"1\n```\n\n```python\nprint(x)\n```\n\n"+
			"```text\n1\n```\n\n```text\na picture\n```\n\n```toml in=resources/models/a.toml\n[t]\nc = "+
			"3\n```\n\n```c file=sub/a.c\nint main(void) { return 0; }\n```\n\n"+
			"```c\nprintf(\"%d\\n\", five());\n```\n\n```text\n5\n```\n\n```c\n#include <skidpad.h>\nint main(void) "+
			"{ return five() - 5; }\n```\n\n"+
			"```toml file=b.toml\na = 1\n```\n\n```toml more=b.toml\n[t]\nc = 2\n```\n\n"+
			"```sh\nprintf 'a = 1\\n\\n[t]\\nc = 2\\n' | cmp - b.toml\n```\n\n"+
			"```sh\ncc sub/a.c -o a && ./a && printf 'b = 2\\nc = 3' >m && skidpad equations m && test ! -e "+
			".git\n```\n")
	want := "3 sh run, 1 sh run, failing as told, 2 python run, 2 c run, 1 toml loaded, 3 file written, 3 output " +
		"compared, 1 text"
	if err != nil || count.String() != want {
		t.Errorf("%v, %v; expected %s", count, err, want)
	}
}

func TestBlocksRunElsewhereAreListed(t *testing.T) {
	list, err := blocksOf(t, "```sh elsewhere\n./build.sh   # builds\n```\n\n```sh elsewhere\n./build.sh soon\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := list[0].elsewhereCommands(repository); err != nil || len(found) != 1 ||
		found[0].command != "./build.sh" {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := list[1].elsewhereCommands(repository); err == nil ||
		!strings.Contains(err.Error(), `nothing runs "./build.sh soon"`) {
		t.Errorf("a command that nothing runs: %v", err)
	}
	root := repositoryOf(t, map[string]string{"build.sh": "nothing\n"})
	if _, err := list[0].elsewhereCommands(root); err == nil || !strings.Contains(err.Error(), "not there any more") {
		t.Errorf("a script that does not run it any more: %v", err)
	}
}

// A block beside commands does the same, also where the commands warn; a warning of other blocks is a fault.
func TestABlockBesideCommandsMayWarn(t *testing.T) {
	s := newScene(t)
	warn := "import warnings\nwarnings.warn('%s')\nprint('went on')\n```\n"
	beside := "```sh\ntrue\n```\n\n```python beside\n" + fmt.Sprintf(warn, "first") +
		"\n```text\n...UserWarning: first\n...\nwent on\n```\n"
	if did, err := s.run(t, beside); err != nil || did["python run"] != 1 || did["output compared"] != 1 {
		t.Errorf("%v, %v", did, err)
	}
	if _, err := s.run(t, beside+"\n```python\n"+fmt.Sprintf(warn, "second")); err == nil ||
		!strings.Contains(err.Error(), "UserWarning: second") {
		t.Errorf("a warning of the block behind: %v", err)
	}
}

// The way from templates to a vehicle in another program's master takes less than half an hour of reading, at 200 words
// a minute, and typing, at 200 characters a minute.
func TestAFirstVehicleTakesHalfAnHour(t *testing.T) {
	p, err := readPage(repository, "docs/first-vehicle.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := blocks(p)
	if err != nil {
		t.Fatal(err)
	}
	prose, typed := string(p.source), 0
	for _, b := range list {
		prose = strings.Replace(prose, b.code, "", 1)
		if b.language != "text" && b.verb != "beside" { // a reader takes one of two blocks beside each other
			typed += len(b.code)
		}
	}
	words := len(strings.Fields(prose))
	minutes := float64(words)/200 + float64(typed)/200
	t.Logf("%d words and %d characters: %.1f minutes", words, typed, minutes)
	if !(minutes < 30) || words < 200 || typed < 500 {
		t.Errorf("%d words and %d characters take %.1f minutes; the page says half an hour", words, typed, minutes)
	}
}

// A block that serves a page would wait forever. The bound ends it, with its children.
func TestABlockThatDoesNotEndIsReported(t *testing.T) {
	testrun.Requires(t, "bash", "timeout")
	folder := t.TempDir()
	r := &runner{folder: folder, state: folder, longest: "0.2"}
	for _, verb := range []string{"", "fails"} {
		_, _, err := r.run(&block{language: "sh", verb: verb, code: "sleep 1000 | cat\n"})
		if err == nil || !strings.Contains(err.Error(), "has not ended within 0.2 s; show a command that serves a page") {
			t.Errorf("%q: %v", verb, err)
		}
	}
}
