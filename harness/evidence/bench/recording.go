package bench

import (
	_ "embed"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"skidpad/harness/library"
)

//go:embed c/recording.c
var recordingC string

//go:embed c/recording_fmu.c
var recordingFMUC string

// recordingCases names the cases of recording.c, bare steps first.
var recordingCases = []string{"bare", "nothing read", "one state", "20 outputs", "all outputs",
	"20 outputs, inputs change", "the same, read after the inputs"}

// recordingFMUCases names the cases of recording_fmu.c, bare steps first.
var recordingFMUCases = []string{"bare", "nothing read", "20 outputs", "all outputs"}

// recording measures the additional time of a step when values are read.
func (s *Suite) recording() ([]Section, error) {
	var sections []Section
	for _, of := range [][2]string{{"generic4w", "GenericVehicle"}, {"passenger_car", "PassengerCar"}} {
		name, fmu := of[0], of[1]
		list, err := s.recordingOf(filepath.Join(s.Resources, "models", name+".toml"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sections = append(sections, Section{Title: "Recording, " + name + ", euler, steps of 1 ms", Unit: "ns",
			Base: recordingCases[0], List: list, Note: "Rollouts of 200 steps in C in turn, the least of ten each. Bare: one " +
				"communication step. Inputs change: the steering at every point."})
		if list, err = s.recordingOfFMU(filepath.Join(s.FMUs, "fmi3", fmu+".fmu")); err != nil {
			return nil, fmt.Errorf("%s: %w", fmu, err)
		}
		sections = append(sections, Section{Title: "Recording, " + fmu + ".fmu, FMI 3.0, euler, steps of 1 ms", Unit: "ns",
			Base: recordingFMUCases[0], List: list, Note: "200 calls of fmi3DoStep and fmi3GetFloat64 in turn, the least of " +
				"ten each. Bare: one communication step."})
	}
	return sections, nil
}

// recordingOf measures all recordingCases of a model.
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
	return recorded(recordingCases, program, s.Library.Path, file, "euler", strconv.Itoa(s.Rounds))
}

// recordingOfFMU measures an FMU.
func (s *Suite) recordingOfFMU(file string) ([]Measurement, error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program, err := compileC(folder, map[string]string{"recording_fmu.c": recordingFMUC}, "recording_fmu.c")
	if err != nil {
		return nil, err
	}
	f, err := library.OpenFMU(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := os.ReadFile(filepath.Join(f.Folder, "modelDescription.xml"))
	if err != nil {
		return nil, err
	}
	type variable struct {
		Name      string `xml:"name,attr"`
		Reference string `xml:"valueReference,attr"`
		Causality string `xml:"causality,attr"`
	}
	var described struct {
		Numbers []variable `xml:"ModelVariables>Float64"`
		Texts   []variable `xml:"ModelVariables>String"`
	}
	if err := xml.Unmarshal(text, &described); err != nil {
		return nil, err
	}
	arguments := []string{f.LibraryPath(), filepath.Join(f.Folder, "resources") + "/", f.Token, strconv.Itoa(s.Rounds)}
	for _, v := range described.Texts {
		if v.Name == "solver.method" {
			arguments = append(arguments, v.Reference, "euler")
		}
	}
	for _, v := range described.Numbers {
		if v.Causality == "output" {
			arguments = append(arguments, v.Reference)
		}
	}
	return recorded(recordingFMUCases, program, arguments...)
}

// recorded runs a program that prints a number for each case, round by round.
func recorded(cases []string, program string, arguments ...string) ([]Measurement, error) {
	numbers, err := numbersOfC(program, "", arguments...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, err
	}
	list := make([]Measurement, len(cases))
	for k, name := range cases {
		list[k].Name = name
	}
	for k, x := range numbers {
		m := &list[k%len(list)]
		m.Values = append(m.Values, x)
	}
	return list, nil
}
