package tir_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/tire/tir"
)

var expectation = regexp.MustCompile(`(?m)^\$ expect (\d+): (.*)$`)

// Each broken file ends with the required part of its message, and the message's line.
func TestBrokenFilesAreExplained(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.tir")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d broken files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		_, err = read(data, name)
		if err == nil {
			t.Errorf("%s is accepted", name)
			continue
		}
		expected := expectation.FindAllStringSubmatch(string(data), -1)
		if len(expected) == 0 {
			t.Errorf("%s does not say what is expected", name)
		}
		for _, e := range expected {
			found := false
			for line := range strings.Lines(err.Error()) {
				found = found || strings.HasPrefix(line, fmt.Sprintf("%s:%s:", name, e[1])) &&
					strings.Contains(line, e[2])
			}
			if !found {
				t.Errorf("%s: no message for line %s with %q:\n%v", name, e[1], e[2], err)
			}
		}
		if lines := strings.Count(err.Error(), "\n") + 1; lines > 2 {
			t.Errorf("%s has one fault and gets %d messages:\n%v", name, lines, err)
		}
	}
}

func read(data []byte, name string) (*tir.Properties, error) {
	file, err := tir.Parse(data, name)
	if err != nil {
		return nil, err
	}
	return tir.Read(file, 0)
}
