// Command check opens all pages of a built site in headless Chromium, and has axe-core look for what keeps readers from
// using them.
//
//	go run ./harness/site/check SITE AXE
//
// SITE is the folder of the site, AXE the script axe.min.js of the npm package axe-core; harness/site/check.sh brings
// both. It is a program of its own, so that building the site needs no browser. Exit status: 0 nothing found,
// 1 faults found, 2 invalid command line.
package main

import (
	"fmt"
	"os"

	"skidpad/harness/site/browser"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "use: go run ./harness/site/check SITE AXE")
		os.Exit(2)
	}
	if err := browser.CheckAccess(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("passed  axe-core finds nothing in the pages of the site")
}
