// Command site makes the documentation site of the repository, and runs what the pages tell a
// reader to do.
//
//	go run ./harness/site build OUT [REPORT]   writes OUT/site: static pages without network; with REPORT,
//	                                           the page of skidpad verify, among them
//	go run ./harness/site run OUT [PAGE...]    runs every block of code in the pages, or in those named
//
// OUT is what ./build.sh makes; both are run from the repository root. build refuses links and
// anchors that lead nowhere, faulty mathematics, and pages of docs/ that belong to no chapter. run
// refuses blocks whose label it does not know: each block is run, compared, parsed, or said to be run elsewhere.
// Faults are reported with page and line. Exit status: 0 done, 1 faults found, 2 invalid command line.
//
// The data flow: chapters.go lists the pages; page.go reads one, with the mathematics of math.go;
// links.go resolves where links lead; build.go writes HTML. For run, fence.go finds the blocks of
// a page, scratch.go lays out the folder in which they run, run.go and blocks.go run them.
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error
	switch arguments := os.Args[1:]; {
	case len(arguments) == 2 && arguments[0] == "build":
		err = build(".", arguments[1], "", os.Stdout)
	case len(arguments) == 3 && arguments[0] == "build":
		err = build(".", arguments[1], arguments[2], os.Stdout)
	case len(arguments) >= 2 && arguments[0] == "run":
		err = run(".", arguments[1], arguments[2:], os.Stdout)
	default:
		fmt.Fprintln(os.Stderr, "use: go run ./harness/site build OUT [REPORT] | run OUT [PAGE...]")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
