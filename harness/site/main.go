// Command site builds the documentation site of the repository, and runs the commands and code of the pages.
//
//	go run ./harness/site build OUT [REPORT]   writes OUT/site: static pages without network; with REPORT,
//	                                           the page of skidpad verify, among them, and with pages
//	                                           of vehicles to drive, if clang is here
//	go run ./harness/site run OUT [PAGE...]    runs every block of code in the pages, or in those named
//
// OUT is the output of ./build.sh; run both commands from the repository root. build rejects links and anchors without
// target, faulty mathematics, and pages of docs/ without chapter. run rejects blocks with an unknown label: each block
// is run, compared, parsed, or marked as run elsewhere. Faults are reported with page and line. Exit status: 0 done, 1
// faults found, 2 invalid command line.
//
// The data flow: chapters.go lists the pages; page.go reads a page, with the mathematics of math.go; links.go resolves
// links; build.go writes HTML; drive.go adds pages with vehicles to drive, of package drivable. For run, fence.go finds
// the blocks of a page, scratch.go lays out their working folder, run.go and blocks.go run them.
package main

import (
	"fmt"
	"os"
)

func main() {
	var err error
	switch arguments := os.Args[1:]; {
	case len(arguments) == 2 && arguments[0] == "build":
		err = buildAll(arguments[1], "")
	case len(arguments) == 3 && arguments[0] == "build":
		err = buildAll(arguments[1], arguments[2])
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

// buildAll builds the site with all that this machine can make.
func buildAll(out, report string) error {
	drives, err := makeDrives(".", out, os.Stdout)
	if err != nil {
		return err
	}
	return build(".", out, report, os.Stdout, drives...)
}
