package main

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
)

var writing = regexp.MustCompile(`os\.(WriteFile|Create|OpenFile)\(`)

// lintWrites finds files of the command that are not written by harness/workbench/results/output, which leaves no
// half files. What goes to temporary folders is its own.
func lintWrites(t *tree) (found []finding, seen checked, err error) {
	seen = checked{}
	for _, name := range t.names {
		if !isSource(name) || path.Dir(name) != "harness/cmd/skidpad" {
			continue
		}
		seen["files"]++
		text, err := t.read(name)
		if err != nil {
			return nil, nil, err
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			if call := writing.Find(line); call != nil {
				found = append(found, finding{name, i + 1, fmt.Sprintf("%s...); use output.WriteFile", call)})
			}
		}
	}
	return found, seen, nil
}
