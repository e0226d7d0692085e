package bench

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed c/recording.c
var recordingC string

// recordingCases are what recording.c measures, bare steps first.
var recordingCases = []string{"bare", "nothing read", "one state", "20 outputs", "all outputs",
	"20 outputs, inputs change", "the same, read after the inputs"}

// recording measures what reading values adds to a step.
func (s *Suite) recording() ([]Section, error) {
	var sections []Section
	for _, name := range []string{"generic4w", "passenger_car"} {
		list, err := s.recordingOf(filepath.Join(s.Resources, "models", name+".toml"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sections = append(sections, Section{Title: "Recording, " + name + ", euler, steps of 1 ms", Unit: "ns",
			Base: recordingCases[0], List: list, Note: "Rollouts of 200 steps in C in turn, the least of ten each. Bare: one " +
				"communication step. Inputs change: the steering at every point."})
	}
	return sections, nil
}

// recordingOf measures a model.
func (s *Suite) recordingOf(file string) ([]Measurement, error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	files, err := s.headers()
	if err != nil {
		return nil, err
	}
	files["recording.c"] = recordingC
	program, err := compileC(folder, files, "recording.c", "-I"+folder)
	if err != nil {
		return nil, err
	}
	numbers, err := numbersOfC(program, "", s.Library.Path, file, "euler", strconv.Itoa(s.Rounds))
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, err
	}
	list := make([]Measurement, len(recordingCases))
	for k, name := range recordingCases {
		list[k].Name = name
	}
	for k, x := range numbers {
		m := &list[k%len(list)]
		m.Values = append(m.Values, x)
	}
	return list, nil
}
