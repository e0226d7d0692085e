package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report prints the table of a run: what ran, how long it took, what was skipped and why. It reports whether all has
// passed.
func report(to io.Writer, results []*result, left []stage, wall time.Duration) bool {
	fmt.Fprint(to, "\n== what ran\n\n")
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "stage\tresult\twall s\tCPU s\ttests\tskipped\t")
	var cpu time.Duration
	number := map[verdict]int{}
	for _, r := range results {
		number[r.verdict]++
		cpu += r.cpu
		if r.verdict == notRun {
			fmt.Fprintf(table, "%s\t%s\t\t\t\t\t\n", r.name, r.verdict)
			continue
		}
		tests, skipped := "", ""
		if c := r.counts; c != (counts{}) {
			tests, skipped = fmt.Sprint(c.passed+c.failed), fmt.Sprint(c.skipped)
		}
		fmt.Fprintf(table, "%s\t%s\t%.0f\t%.0f\t%s\t%s\t\n", r.name, r.verdict, r.wall.Seconds(), r.cpu.Seconds(), tests,
			skipped)
	}
	fmt.Fprintf(table, "total\t\t%.0f\t%.0f\t\t\t\n", wall.Seconds(), cpu.Seconds())
	table.Flush()
	skips(to, results)
	if len(left) > 0 {
		fmt.Fprint(to, "\nnot part of this run:\n")
		for _, s := range left {
			fmt.Fprintf(to, "  %s: %s (./build.sh test %s)\n", s.name, s.does, s.sizes[0])
		}
	}
	for _, r := range results {
		switch r.verdict {
		case failed, notRun:
			fmt.Fprintf(to, "\n%s: %s: %s\n", r.verdict, r.name, r.why)
			for _, line := range failures(r.log) {
				if line != "" {
					fmt.Fprintf(to, "  %s\n", line)
				}
			}
		}
	}
	for _, r := range results {
		if r.verdict == flaky {
			for _, line := range failures(r.log) {
				fmt.Fprintf(to, "FLAKY: %s, %s\n", r.name, line)
			}
		}
	}
	good := number[passed] + number[flaky]
	fmt.Fprintf(to, "\nstages: %d passed, %d failed, %d skipped\n", good, number[failed], number[notRun])
	return good == len(results)
}

// skips prints the reasons of skipped tests, the most frequent reason first.
func skips(to io.Writer, results []*result) {
	type reason struct{ stage, text string }
	tests := map[reason][]string{}
	var reasons []reason
	for _, r := range results {
		for _, s := range r.skips {
			of := reason{r.name, s.reason}
			if tests[of] == nil {
				reasons = append(reasons, of)
			}
			tests[of] = append(tests[of], s.test)
		}
	}
	if reasons == nil {
		return
	}
	slices.SortStableFunc(reasons, func(a, b reason) int { return cmp.Compare(len(tests[b]), len(tests[a])) })
	fmt.Fprint(to, "\nskipped tests:\n")
	for _, of := range reasons {
		list := tests[of]
		names := strings.Join(list[:min(2, len(list))], ", ")
		if len(list) > 2 {
			names += ", ..."
		}
		fmt.Fprintf(to, "  %3d in %s: %s (%s)\n", len(list), of.stage, of.text, names)
	}
}
