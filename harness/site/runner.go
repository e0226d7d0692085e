package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// blocksProgram runs blocks of Python.
//
//go:embed blocks.py
var blocksProgram string

// runner runs the blocks of one page.
type runner struct {
	folder  string // like a checkout
	state   string // for what blocks hand on: folder and variables of the shell
	python  string // environment of the page
	cache   string // of what pages install
	longest string // bound of a block of sh, s
	merged  int    // models that were made of fragments
	inputs  io.WriteCloser
	answer  *bufio.Reader
	wait    func() error
}

// environ is the environment of the blocks.
func (r *runner) environ() []string {
	return append(os.Environ(), "PIP_CACHE_DIR="+r.cache, "PIP_NO_COMPILE=1", "PATH="+filepath.Join(r.state, "bin")+":"+
		filepath.Join(r.python, "bin")+":"+os.Getenv("PATH"), "VIRTUAL_ENV="+r.python)
}

// run runs one block and returns its outcome and its printed output.
func (r *runner) run(b *block) (what, printed string, err error) {
	file := filepath.Join(r.folder, filepath.FromSlash(b.value))
	if b.verb == "file" || b.verb == "more" {
		if b.language == "toml" {
			if _, err := parse(b.code); err != nil {
				return "", "", err
			}
		}
		if info, err := os.Lstat(file); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return "", "", fmt.Errorf("%s is a file of the repository; choose another name", b.value)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", "", err
		}
		if b.verb == "more" {
			before, err := os.ReadFile(file)
			if err != nil {
				return "", "", fmt.Errorf("nothing to go on with: %w", err)
			}
			return "file written", "", os.WriteFile(file, append(append(before, '\n'), b.code...), 0o644)
		}
		return "file written", "", os.WriteFile(file, []byte(b.code), 0o644)
	}
	switch b.language {
	case "sh":
		if b.verb == "elsewhere" {
			return "elsewhere", "", nil
		}
		printed, err = r.shell(b.code)
		if b.verb != "fails" {
			return "sh run", printed, err
		}
		if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
			return "", printed, err
		}
		if err == nil {
			return "", printed, errors.New("the block succeeds, and its label says that it fails")
		}
		return "sh run, failing as told", printed, nil
	case "python":
		printed, err = r.runPython(b)
		return "python run", printed, err
	case "c":
		printed, err = r.runC(b)
		return "c run", printed, err
	}
	fragment, err := parse(b.code)
	if err != nil || b.verb == "" {
		return "toml parsed", "", err
	}
	printed, err = r.load(b.value, fragment)
	return "toml loaded", printed, err
}

// shell runs commands. Folder and exported variables go on to the next block, as in a terminal.
func (r *runner) shell(code string) (string, error) {
	const script = `set -euo pipefail
state=$1
if [ -f "$state/shell" ]; then . "$state/shell"; fi
trap '{ export -p; printf "cd %q\n" "$PWD"; } >"$state/shell"' EXIT
. "$state/block.sh"
`
	if err := os.WriteFile(filepath.Join(r.state, "block.sh"), []byte(code), 0o644); err != nil {
		return "", err
	}
	printed, err := r.command("timeout", "--kill-after=10", r.longest, "bash", "-c", script, "bash", r.state)
	if ended, is := errors.AsType[*exec.ExitError](err); is && ended.ExitCode() == endedByTimeout {
		err = fmt.Errorf("has not ended within %s s; show a command that serves a page, or waits for somebody, as text",
			r.longest)
	}
	return printed, err
}

// endedByTimeout is the status of the program timeout after it has ended a program with its children.
const endedByTimeout = 124

// command runs a program in the folder of the page and returns what it prints.
func (r *runner) command(program string, arguments ...string) (string, error) {
	c := exec.Command(program, arguments...)
	c.Dir = r.folder
	c.Env = r.environ()
	printed, err := c.CombinedOutput()
	return string(printed), err
}

// runPython runs a block in the program of the page.
func (r *runner) runPython(b *block) (string, error) {
	if r.inputs == nil {
		c := exec.Command(filepath.Join(r.python, "bin", "python"), "-I", "-B", "-W", "error", "-c", blocksProgram)
		c.Dir = r.folder
		c.Env = r.environ()
		var err error
		if r.inputs, err = c.StdinPipe(); err != nil {
			return "", err
		}
		answer, err := c.StdoutPipe()
		if err != nil {
			return "", err
		}
		r.answer = bufio.NewReader(answer)
		if err := c.Start(); err != nil {
			return "", err
		}
		r.wait = c.Wait
	}
	output := filepath.Join(r.state, "printed")
	order, err := json.Marshal(map[string]any{"page": b.page.name, "line": b.at, "code": b.code, "output": output,
		"warns": b.verb == "beside"})
	if err != nil {
		return "", err
	}
	if _, err := r.inputs.Write(append(order, '\n')); err != nil {
		return "", err
	}
	good, ended := r.answer.ReadString('\n')
	printed, err := os.ReadFile(output)
	switch {
	case ended != nil:
		return string(printed), errors.New("the program ended")
	case err == nil && good != "true\n":
		return string(printed), errors.New("the program ended with an exception")
	}
	return string(printed), err
}

// close ends the program in Python.
func (r *runner) close() {
	if r.inputs != nil {
		r.inputs.Close()
		_ = r.wait() // the page shows nothing of its exit status
	}
}

// runC compiles a block with the library and runs it.
func (r *runner) runC(b *block) (string, error) {
	line := fmt.Sprintf("#line %d %q\n", b.at, b.page.name)
	program := line + b.code
	if !strings.Contains(b.code, "#include") {
		program = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include " +
			"<skidpad.h>\n#include <skidpad_tire.h>\nint main(void)\n{\n" +
			line + b.code + "return 0;\n}\n"
	}
	source, compiled := filepath.Join(r.state, "program.c"), filepath.Join(r.state, "program")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		return "", err
	}
	out := filepath.Join(r.folder, "out")
	if printed, err := r.command("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I"+out, source,
		filepath.Join(out, "libskidpad.so"), "-Wl,-rpath,"+out, "-lm", "-o", compiled); err != nil {
		return printed, err
	}
	return r.command(compiled)
}

func parse(code string) (map[string]any, error) {
	var table map[string]any
	_, err := toml.Decode(code, &table)
	if fault, is := errors.AsType[toml.ParseError](err); is {
		return nil, fmt.Errorf("line %d of the block, column %d: %w", fault.Position.Line, fault.Position.Col, err)
	}
	return table, err
}

// load merges a fragment into a model and lets the command load the result, which lies beside
// the model.
func (r *runner) load(model string, fragment map[string]any) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.folder, model))
	if err != nil {
		return "", err
	}
	whole, err := parse(string(data))
	if err != nil {
		return "", fmt.Errorf("%s: %w", model, err)
	}
	merge(whole, fragment)
	text, err := toml.Marshal(whole)
	if err != nil {
		return "", err
	}
	r.merged++
	name := path.Join(path.Dir(model), fmt.Sprintf("fragment_%d.toml", r.merged))
	if err := os.WriteFile(filepath.Join(r.folder, name), text, 0o644); err != nil {
		return "", err
	}
	return r.command(filepath.Join(r.folder, "out", "skidpad"), "equations", name)
}

// merge puts the tables of a fragment into a model: tables into those of the same name, lists of tables
// behind the existing ones; everything else replaces the existing value.
func merge(whole, fragment map[string]any) {
	for key, value := range fragment {
		before, isTable := whole[key].(map[string]any)
		after, stays := value.(map[string]any)
		if isTable && stays {
			merge(before, after)
			continue
		}
		list, isList := whole[key].([]map[string]any)
		more, goesOn := value.([]map[string]any)
		if isList && goesOn {
			whole[key] = append(list, more...)
			continue
		}
		whole[key] = value
	}
}
