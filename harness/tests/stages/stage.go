package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"skidpad/harness/tests/testrun"
)

// size is the size of a run: how much is tested, and how thoroughly.
type size string

const (
	standard size = "standard" // ./build.sh test: before each change lands
	all      size = "all"      // ./build.sh test all: before an issue is closed
	long     size = "long"     // ./build.sh test long: what a change has touched
)

// stage is one part of the tests.
type stage struct {
	name    string
	does    string   // one line
	sizes   []size   // the runs that it is part of
	needs   []string // stages that must have passed, where they are part of the run
	after   []string // stages that must have ended, where they are part of the run, since both write to one folder
	tools   []tool   // Debian packages, beside those that its script installs
	foreign string   // third-party programs that can fail by themselves: the stage runs again, alone
	seconds int      // expected wall time on two cores: longer stages start first
	run     func(*job) error
}

// in reports whether a stage is part of the runs of a size.
func (s *stage) in(of size) bool { return slices.Contains(s.sizes, of) }

// job is one run of a stage.
type job struct {
	name    string // of the stage
	ctx     context.Context
	size    size
	out     string    // what the stage build makes, an absolute path
	scratch string    // for temporary files
	log     io.Writer // shown when the stage has ended; several programs may write at a time
	cpu     time.Duration
	counts  counts
	skips   []skip
}

// environment returns the environment of the programs of a stage.
func (j *job) environment() []string {
	tests := map[size]string{standard: testrun.Thinned, all: testrun.Full, long: testrun.Full}[j.size]
	return append(os.Environ(), "TMPDIR="+j.scratch, "SKIDPAD_OUT="+j.out, testrun.Variable+"="+tests,
		testrun.StageVariable+"="+j.name, "PIP_NO_COMPILE=1")
}

// start makes a command whose processes all end when the run is interrupted.
func (j *job) start(name string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(j.ctx, name, arguments...)
	c.Env = j.environment()
	c.Stdout, c.Stderr = j.log, j.log
	ownGroup(c)
	c.WaitDelay = 10 * time.Second
	return c
}

// finish waits for a command and counts its time.
func (j *job) finish(c *exec.Cmd) error {
	err := c.Wait()
	if c.ProcessState != nil {
		j.cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", shortened(c.Args), err)
	}
	return nil
}

// shortened are the first words of a command.
func shortened(arguments []string) string {
	const most = 8
	if len(arguments) > most {
		return strings.Join(arguments[:most], " ") + " ..."
	}
	return strings.Join(arguments, " ")
}

// command runs a program in the root of the repository.
func (j *job) command(name string, arguments ...string) error {
	c := j.start(name, arguments...)
	if err := c.Start(); err != nil {
		return err
	}
	return j.finish(c)
}

// with runs a program with more variables of the environment.
func (j *job) with(variables []string, name string, arguments ...string) error {
	c := j.start(name, arguments...)
	c.Env = append(c.Env, variables...)
	if err := c.Start(); err != nil {
		return err
	}
	return j.finish(c)
}

// output runs a program and returns what it prints.
func (j *job) output(name string, arguments ...string) (string, error) {
	var text strings.Builder
	c := j.start(name, arguments...)
	c.Stdout = &text
	if err := c.Start(); err != nil {
		return "", err
	}
	err := j.finish(c)
	return text.String(), err
}

// script makes a stage of a script that gets the folder of the build and more arguments.
func script(path string, arguments ...string) func(*job) error {
	return func(j *job) error { return j.command(path, append([]string{j.out}, arguments...)...) }
}

// commands makes a stage of programs, one after the other.
func commands(lines ...[]string) func(*job) error {
	return func(j *job) error {
		var faults []error
		for _, line := range lines {
			faults = append(faults, j.command(line[0], line[1:]...))
		}
		return errors.Join(faults...)
	}
}

// checkNames finds mistakes in the table: names that are given twice or do not exist.
func checkNames(stages []stage) error {
	names := map[string]bool{}
	for _, s := range stages {
		if names[s.name] || s.name == string(all) || s.name == string(long) {
			return fmt.Errorf("two stages or sizes are called %q", s.name)
		}
		names[s.name] = true
	}
	for _, s := range stages {
		for _, other := range slices.Concat(s.needs, s.after) {
			if !names[other] {
				return fmt.Errorf("stage %s waits for %q, which is not a stage", s.name, other)
			}
		}
	}
	return nil
}

// root is the folder of the repository: that of go.mod.
func root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		return "", fmt.Errorf("%s has no go.mod: run ./build.sh test in the folder of the sources", folder)
	}
	return folder, nil
}
