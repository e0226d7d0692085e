package bench

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

//go:embed c/lfdm.cpp
var lfdmCpp string

// LFDM measures steps of one car in LFDM and in the library, in turn. LFDM (Low-Fidelity Dynamic Models,
// uwsbel/low-fidelity-dynamic-models) has a sedan of 24 degrees of freedom, written by hand in C++.
//
// The argument sources is the folder of a checkout of LFDM.
func (s *Suite) LFDM(sources string) (*Report, error) {
	theirs := filepath.Join(sources, "wheeled_vehicle_models")
	model := filepath.Join(theirs, "24dof")
	if _, err := os.Stat(filepath.Join(model, "dof24_halfImplicit.cpp")); err != nil {
		return nil, fmt.Errorf("%s is not a checkout of LFDM: it must contain wheeled_vehicle_models/24dof: %w", sources, err)
	}
	folder, err := os.MkdirTemp("", "lfdm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	files, err := s.headers()
	if err != nil {
		return nil, err
	}
	files["lfdm.cpp"] = lfdmCpp
	binary, err := compile([]string{"g++", "c++"}, folder, files, "lfdm.cpp", native, "-std=c++17", "-w", "-I"+folder,
		"-I"+model, "-I"+filepath.Join(theirs, "utils"), "-I"+filepath.Join(theirs, "third_party"), "-I"+theirs,
		filepath.Join(model, "dof24.cpp"), filepath.Join(model, "dof24_halfImplicit.cpp"),
		filepath.Join(theirs, "utils", "utils.cpp"))
	if err != nil {
		return nil, err
	}
	numbers, err := numbersOfC(binary, "", s.Library.Path, filepath.Join(s.Resources, "benchmarks", "lfdm24.toml"),
		filepath.Join(model, "data", "json", "Sedan"), strconv.Itoa(s.Rounds))
	if err != nil {
		return nil, err
	}
	last := len(numbers) - 1
	both := [2]Measurement{{Name: "LFDM"}, {Name: "Skidpad"}}
	for k, x := range numbers[:last] {
		both[k%2].Values = append(both[k%2].Values, x)
	}
	return &Report{Machine: machine(), Sections: []Section{{
		Title: "Steps of 1 ms of LFDM's sedan, Euler, steering set before each step", Unit: "ns", Base: "LFDM",
		List: both[:],
		Note: fmt.Sprintf("LFDM: half-implicit Euler, tires TMeasy without relaxation, g++ -O3 %s; a second from the start "+
			"in turns of 100 steps.\n  Yaw rates differ by %.1f %% of their root mean square over ten seconds of 0.02 rad at "+
			"0.5 Hz.", native, 100*numbers[last]),
	}}}, nil
}
