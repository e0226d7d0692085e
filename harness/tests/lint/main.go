// Command lint checks rules of this repository that no compiler knows: the place of code, the length of lines, and the
// choice of words. It takes seconds. Behaviour is the subject of the tests.
//
//	go run ./harness/tests/lint                      checks everything
//	go run ./harness/tests/lint lines imports        checks by these linters alone
//	go run ./harness/tests/lint --write              writes the tables of packages in ARCHITECTURE.md, made from the code
//	go run ./harness/tests/lint --since origin/main  reports faults of text in lines changed since a revision only
//
// Run it from the repository root. It reads the files that git tracks, and new files that git does not ignore. Each
// fault is a line FILE:LINE: WHAT; WHAT TO WRITE INSTEAD. Exit status: 0 no faults, 1 faults, 2 invalid command line.
//
// A linter is a file of this folder, a row of the table linters, and a test that shows it a faulty text.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// finding is a fault at a place.
type finding struct {
	file string
	line int
	what string // with what to write instead
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.what) }

// checked counts what a linter has looked at, by kinds.
type checked map[string]int

// linter is a rule.
type linter struct {
	name, what string
	run        func(*tree) ([]finding, checked, error)
	least      checked // a linter that has looked at less is broken, or looks at the wrong folder
	lines      bool    // each fault belongs to the text of one line, so that --since can leave out old lines
}

// linters are all of them.
var linters = []linter{
	{"components", "the engine asks components by interfaces, never for their Go types", lintComponents,
		checked{"types": 30, "files": 100}, false},
	{"imports", "packages import only those that their class may; " +
		"the tables of ARCHITECTURE.md are made from the code", lintImports,
		checked{"packages": 40}, false},
	{"lines", "lines of code end at 120 columns", lintLines,
		checked{".go": 300, ".c": 1, ".h": 1, ".py": 1, ".sh": 1, ".m": 1}, true},
	{"phrases", "texts use plain terms of the field, by the list harness/tests/lint/phrases.tsv", lintPhrases,
		checked{".go": 300, ".c": 1, ".h": 1, ".py": 1, ".sh": 1, ".toml": 1, ".md": 1, ".m": 1}, true},
	{"reads", "files of users are read through model/bounded and model/document only", lintReads,
		checked{"files": 200}, false},
	{"writes", "the command writes files through harness/workbench/results/output only", lintWrites,
		checked{"files": 10}, false},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command in the working folder.
func run(arguments []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("lint", flag.ContinueOnError)
	flags.SetOutput(stderr)
	since := flags.String("since", "",
		"the linters "+strings.Join(namesOf(func(l linter) bool { return l.lines }), " and ")+
			" report faults only in lines that differ from `REVISION` of git")
	write := flags.Bool("write", false, "write the tables of packages in "+tables+", made from the code, first")
	flags.Usage = func() {
		fmt.Fprint(stderr, "Checks rules of this repository that no compiler knows. Run it from the repository root:\n\n"+
			"  go run ./harness/tests/lint [--since REVISION] [--write] [LINTER...]\n\n"+
			"Without names of linters, all of them run:\n\n")
		for _, l := range linters {
			fmt.Fprintf(stderr, "  %-12s%s\n", l.name, l.what)
		}
		fmt.Fprint(stderr, "\nFlags:\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, "\nExit status: 0 no faults, 1 faults, 2 invalid command line.\n")
	}
	if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	chosen, err := choose(flags.Args())
	if err != nil {
		fmt.Fprintln(stderr, "lint:", err)
		return 2
	}
	begin := time.Now()
	t, err := open(".")
	if err == nil && *since != "" {
		t.changed, err = changedSince(".", *since)
	}
	if err == nil && *write {
		err = writeTables(t)
	}
	if err != nil {
		fmt.Fprintln(stderr, "lint:", err)
		return 2
	}
	faults, broken := check(t, chosen)
	for _, f := range faults {
		fmt.Fprintln(stdout, f)
	}
	for _, err := range broken {
		fmt.Fprintln(stdout, "lint:", err)
	}
	if n := len(faults) + len(broken); n > 0 {
		fmt.Fprintf(stdout, "%d faults\n", n)
		return 1
	}
	fmt.Fprintf(stdout, "lint: %d linters, no faults, %.1f s\n", len(chosen), time.Since(begin).Seconds())
	return 0
}

// namesOf are the names of some linters.
func namesOf(which func(linter) bool) (names []string) {
	for _, l := range linters {
		if which(l) {
			names = append(names, l.name)
		}
	}
	return names
}

// choose returns linters by their names; all for none.
func choose(names []string) ([]linter, error) {
	if len(names) == 0 {
		return linters, nil
	}
	var list []linter
	for _, name := range names {
		i := slices.IndexFunc(linters, func(l linter) bool { return l.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no linter %q; there are: %s", name,
				strings.Join(namesOf(func(linter) bool { return true }), ", "))
		}
		list = append(list, linters[i])
	}
	return list, nil
}

// check runs linters side by side. Faults are in the order of files and lines; broken are linters that cannot run.
func check(t *tree, chosen []linter) (faults []finding, broken []error) {
	var (
		wait sync.WaitGroup
		lock sync.Mutex
	)
	for _, l := range chosen {
		wait.Go(func() {
			found, seen, err := l.run(t)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				broken = append(broken, fmt.Errorf("linter %s: %w", l.name, err))
				return
			}
			for _, kind := range slices.Sorted(maps.Keys(l.least)) {
				if n := seen[kind]; n < l.least[kind] {
					broken = append(broken, fmt.Errorf("linter %s has looked at %d of the kind %q, which are at least %d: "+
						"run it from the repository root; if that is so, correct the linter", l.name, n, kind, l.least[kind]))
				}
			}
			for _, f := range found {
				if !l.lines || t.isChanged(f.file, f.line) {
					faults = append(faults, f)
				}
			}
		})
	}
	wait.Wait()
	slices.SortFunc(faults, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.what, b.what))
	})
	slices.SortFunc(broken, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return faults, broken
}
