// Command stages runs the tests of the repository, stage by stage; ./build.sh test calls it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	passed, err := run(os.Args[1:])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "build.sh test:", err)
		os.Exit(2)
	case !passed:
		os.Exit(1)
	}
}

// choose returns the size of a run and its stages: the named stages in the order of the arguments, or else all stages
// of the size. Without a size, a stage that a standard run lacks sets the first size that has it.
func choose(arguments []string) (size, []*stage, error) {
	chosenSize := standard
	if len(arguments) > 0 && (arguments[0] == string(all) || arguments[0] == string(long)) {
		chosenSize = size(arguments[0])
		arguments = arguments[1:]
	}
	var chosen []*stage
	for _, name := range arguments {
		i := slices.IndexFunc(stages, func(s stage) bool { return s.name == name })
		if i < 0 {
			return "", nil, fmt.Errorf("there is no stage %q; ./build.sh test --help lists them", name)
		}
		s := &stages[i]
		if chosenSize == standard && !s.in(standard) {
			chosenSize = s.sizes[0]
		}
		chosen = append(chosen, s)
	}
	if chosen == nil {
		for i := range stages {
			if stages[i].in(chosenSize) {
				chosen = append(chosen, &stages[i])
			}
		}
	}
	return chosenSize, chosen, nil
}

func help() {
	fmt.Print(`./build.sh test             tests that must pass before a change lands: ten minutes on two cores
./build.sh test all         tests that must pass before an issue is closed: half an hour
./build.sh test long        long tests: many hours; better name the stages that a change can have affected
./build.sh test [all] STAGE...  only these stages, one after the other, with the build that is in out/

`)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, s := range stages {
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.name, strings.Trim(fmt.Sprint(s.sizes), "[]"), s.does)
	}
	table.Flush()
}

func run(arguments []string) (bool, error) {
	if slices.Contains(arguments, "--help") || slices.Contains(arguments, "-h") {
		help()
		return true, nil
	}
	runSize, chosen, err := choose(arguments)
	if err == nil {
		err = checkNames(stages)
	}
	if err != nil {
		return false, err
	}
	folder, err := root()
	if err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp("", "skidpad-tests-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	// A shell that runs in the background ignores interrupts, and so do the programs that it starts. A Go program that
	// handles these signals gives its own child processes the default actions.
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer end()
	c := &crew{ctx: ctx, size: runSize, out: filepath.Join(folder, "out"), scratch: scratch, workers: 2, log: os.Stdout}
	whole := len(arguments) == 0 || runSize != standard && len(arguments) == 1 && arguments[0] == string(runSize)
	start := time.Now()
	if whole {
		if err := room(c.out, scratch); err != nil {
			return false, err
		}
	}
	if err := c.install(chosen); err != nil {
		return false, err
	}
	if !whole || runSize == long {
		c.workers, c.inOrder = 1, true
	}
	results := c.run(chosen)
	var leftOut []stage // of a whole run
	if whole {
		for _, s := range stages {
			if !s.in(runSize) && !(runSize != standard && s.in(standard)) {
				leftOut = append(leftOut, s)
			}
		}
	}
	passed := report(c.log, results, leftOut, time.Since(start))
	if ctx.Err() != nil {
		return false, errors.New("interrupted")
	}
	return passed, nil
}
