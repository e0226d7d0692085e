package statements

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
)

// Scenario is one manoeuvre of one vehicle.
type Scenario struct {
	Model, Manoeuvre string // file names without .toml
	FMU              string // file name without .fmu
	Method           string // the model's own solver, where it is driven with that only
	Checks           func(*trace.Trace) []Check
	EulerStep        float64  // s, step of the convergence check of explicit Euler
	EulerTrees       []string // tree selections of the convergence check
	Euler            []Tolerance
}

// The tree selections of the models: with the tire edges in the cotree, and with
// tire edges T1 and R1 in the tree.
var (
	cotree    = []string{"default"}
	bothTrees = []string{"default", "tire"}
)

// Morency are the manoeuvres of the two vehicles of Morency (2007).
var Morency = []Scenario{
	{"generic4w", "generic4w_sine", "GenericVehicle", "", GenericSine, 0.001, cotree, GenericSineEuler},
	{"generic4w", "generic4w_braking", "GenericVehicle", "", GenericBraking, 0.0005, cotree, GenericBrakingEuler},
	{"skidder", "skidder_sine", "ForestrySkidder", "", SkidderSine, 0.001, bothTrees, SkidderSineEuler},
	{"skidder", "skidder_braking", "ForestrySkidder", "", SkidderBraking, 0.001, bothTrees, SkidderBrakingEuler},
}

// OwnSolver are the manoeuvres of the vehicles that are driven with the solvers of their models only.
var OwnSolver = slices.Concat(pointMasses, twoWheelers, halfCars, tractorSemitrailers, passengerCars)

// FitFourTires gives all tires of a vehicle with four wheels a force function.
func FitFourTires(function, file string) []manoeuvre.Setting {
	var settings []manoeuvre.Setting
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		settings = append(settings, manoeuvre.Setting{Name: "tire_" + corner + ".model", Value: function},
			manoeuvre.Setting{Name: "tire_" + corner + ".file", Value: file})
	}
	return settings
}

// MatchedRolling writes a parameter file in which the Fiala tire of the generic vehicle has the rolling resistance of
// the vehicle's Pacejka tire, as G10 needs: QSy1 R0 = 0.01 x 0.344 m instead of the printed 0.01 m.
func MatchedRolling(printed string) (file string, remove func(), err error) {
	text, err := bounded.Tire.Read(printed)
	if err != nil {
		return "", nil, err
	}
	const old, matched = "\nCr = 0.01 ", "\nCr = 0.00344 "
	if !strings.Contains(string(text), old) {
		return "", nil, fmt.Errorf("%s does not hold the line Cr = 0.01", printed)
	}
	f, err := os.CreateTemp("", "fiala*.toml")
	if err != nil {
		return "", nil, err
	}
	_, err = f.WriteString(strings.Replace(string(text), old, matched, 1))
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", nil, err
	}
	return f.Name(), func() { os.Remove(f.Name()) }, nil
}
