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

	"skidpad/capi/standalone"
	"skidpad/cosim"
)

//go:embed c/whole.c
var wholeC string

// Methods and models whose steps in generated C are compared with steps of the library.
var (
	wholeMethods = []string{"euler", "rk4", "linearly-implicit"}
	wholeModels  = strings.Fields("generic4w skidder truck3 car_trailer passenger_car tractor_semitrailer")
)

// wholeSteps compares steps of whole vehicles in generated C with steps of the library, in turn.
func (s *Suite) wholeSteps() ([]Section, error) {
	sections := make([]Section, len(wholeMethods))
	for i, method := range wholeMethods {
		sections[i] = Section{Title: "Steps of 1 ms of whole vehicles, " + method, Unit: "ns",
			Note: "Generated C by gcc -O2 " + native + "; a second from the start in turns of 100 steps. All states are " +
				"bit-identical at the end of the second."}
	}
	var files []string
	for _, name := range wholeModels {
		files = append(files, filepath.Join(s.Resources, "models", name+".toml"))
	}
	files = append(files, filepath.Join(s.Resources, "benchmarks", "lfdm24.toml"))
	for n, file := range append(files, s.Models...) {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		list, err := s.wholeVehicle(file)
		switch {
		case err != nil && n < len(files):
			return nil, fmt.Errorf("%s: %w", name, err)
		case err != nil:
			sections[0].List = append(sections[0].List, Measurement{Name: name, Remarks: "not compared: " + err.Error()})
		}
		for i, both := range list {
			c, library := both[0], both[1]
			c.Name, library.Name = name+", generated C", name+", library"
			c.Remarks = fmt.Sprintf("%.2f times the library", c.Median()/library.Median())
			sections[i].List = append(sections[i].List, c, library)
		}
	}
	return sections, nil
}

// wholeVehicle measures steps of a model by each method, in generated C and in the library.
func (s *Suite) wholeVehicle(file string) (list [][2]Measurement, err error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program, err := s.wholeProgram(file, folder)
	if err != nil {
		return nil, err
	}
	for i, method := range wholeMethods {
		numbers, err := numbersOfC(program, "", s.Library.Path, file, strconv.Itoa(i), strconv.Itoa(s.Rounds))
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			err = fmt.Errorf("%s: %s", method, strings.TrimSpace(string(exit.Stderr)))
		}
		if err != nil {
			return nil, err
		}
		var both [2]Measurement
		for k, x := range numbers {
			both[k%2].Values = append(both[k%2].Values, x)
		}
		list = append(list, both)
	}
	return list, nil
}

// wholeProgram compiles the program that makes steps of a model in generated C and in the library.
func (s *Suite) wholeProgram(file, folder string) (binary string, err error) {
	system, err := cosim.Load(file, cosim.Options{})
	if err != nil {
		return "", err
	}
	of, err := standalone.Instances(wholeMethods, system.Instantiate)
	if err != nil {
		return "", err
	}
	defer func() {
		for _, in := range of {
			in.Close()
		}
	}()
	list, err := standalone.Files(of, standalone.Options{Name: "vehicle"})
	if err != nil {
		return "", err
	}
	files, err := s.headers()
	if err != nil {
		return "", err
	}
	files["whole.c"] = wholeC
	for _, f := range list {
		files[f.Name] = f.Text
	}
	return compileC(folder, files, "whole.c", "-O2", native, "-I"+folder)
}
