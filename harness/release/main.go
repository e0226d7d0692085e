// Command release makes archives for users; it runs in the root of the repository, and ./build.sh release calls it:
//
//	go run ./harness/release licences FOLDER BINARY...
//	go run ./harness/release archives VERSION STAGED FOLDER
//
// The first form collects the licences of all that is compiled into some binaries, and adds them to FOLDER. The second
// form writes into FOLDER an archive and a Python package for each system, and their checksums. STAGED has a folder for
// each system, such as linux-amd64, and the folders fmi and licences, which all archives share. All files have the
// date SOURCE_DATE_EPOCH, so that the bytes of an archive depend on its files only.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	switch {
	case len(arguments) > 2 && arguments[0] == "licences":
		return collect(arguments[1], arguments[2:])
	case len(arguments) == 4 && arguments[0] == "archives":
		seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w; it must be the date of the files, in seconds", err)
		}
		r := &release{version: arguments[1], staged: arguments[2], date: time.Unix(seconds, 0).UTC()}
		return r.write(arguments[3])
	}
	return errors.New("usage: release licences FOLDER BINARY...\n       release archives VERSION STAGED FOLDER")
}
