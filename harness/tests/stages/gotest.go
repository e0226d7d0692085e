package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// counts are numbers of tests, those below other tests not counted.
type counts struct{ passed, failed, skipped int }

// skip is a test that was left out, and why.
type skip struct{ reason, test string }

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// goTest runs go test with arguments and counts the tests. It prints a line for each package, the output of failed
// tests, and the slowest tests.
func (j *job) goTest(variables []string, arguments ...string) error {
	c := j.start("go", append([]string{"test", "-json", "-count=1", "-vet=off"}, arguments...)...)
	c.Env = append(c.Env, variables...)
	c.Stdout = nil // read here
	lines, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	results := readTests(lines, j.log)
	err = j.finish(c)
	j.counts.passed += results.passed
	j.counts.failed += results.failed
	j.counts.skipped += results.skipped
	j.skips = append(j.skips, results.skips...)
	if err == nil && results.passed == 0 {
		return errors.New("no test ran")
	}
	return err
}

// testResults is the outcome of one go test.
type testResults struct {
	counts
	skips []skip
}

// named is a test or, without its name, a package.
type named struct{ pack, test string }

func (n named) String() string { return strings.TrimPrefix(n.pack, "skidpad/") + " " + n.test }

// readTests reads what go test -json prints.
func readTests(from io.Reader, log io.Writer) *testResults {
	r := &testResults{}
	output, failed := map[named]*strings.Builder{}, map[named]bool{}
	type timed struct {
		of      named
		seconds float64
	}
	var times []timed
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if line == "" && err != nil {
			break
		}
		var e event
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil {
			io.WriteString(log, line) // of a program that go test has not caught
			continue
		}
		of := named{e.Package, e.Test}
		top, _, below := strings.Cut(e.Test, "/")
		switch e.Action {
		case "output":
			if output[of] == nil {
				output[of] = &strings.Builder{}
			}
			output[of].WriteString(e.Output)
		case "build-output":
			io.WriteString(log, e.Output)
		case "pass", "fail", "skip":
			text := ""
			if output[of] != nil {
				text = output[of].String()
			}
			delete(output, of)
			switch {
			case e.Test == "":
				if e.Action == "fail" && !failed[of] { // in none of its tests: it did not start, or ended in between
					for _, other := range slices.SortedFunc(maps.Keys(output), compareNamed) {
						if other.pack == e.Package {
							fmt.Fprintf(log, "--- not ended: %s\n%s", other, output[other])
						}
					}
				}
				printPackage(log, e, text)
			case e.Action == "fail":
				failed[named{e.Package, ""}] = true
				fmt.Fprintf(log, "--- FAILED: %s\n%s", of, text)
			}
			if e.Test == "" || below {
				continue
			}
			times = append(times, timed{named{e.Package, top}, e.Elapsed})
			switch e.Action {
			case "pass":
				r.passed++
			case "fail":
				r.failed++
			case "skip":
				r.skipped++
				r.skips = append(r.skips, skip{reasonOf(text), of.String()})
			}
		}
	}
	slices.SortStableFunc(times, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	for i, t := range times[:min(5, len(times))] {
		if i == 0 {
			fmt.Fprintln(log, "slowest tests:")
		}
		fmt.Fprintf(log, "  %6.2f s  %s\n", t.seconds, t.of)
	}
	return r
}

func compareNamed(a, b named) int {
	return cmp.Or(strings.Compare(a.pack, b.pack), strings.Compare(a.test, b.test))
}

// printPackage prints the last line of a package that passed, or the whole output of one that failed.
func printPackage(log io.Writer, e event, text string) {
	if e.Action == "fail" {
		io.WriteString(log, text)
		return
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, "[no test files]") {
		fmt.Fprintln(log, last)
	}
}

// reasonOf returns the reason in the output of a skipped test.
func reasonOf(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		position, reason, found := strings.Cut(line, ": ")
		if found && strings.Contains(position, ".go:") {
			return reason
		}
	}
	return "no reason given"
}
