package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness"
	"skidpad/model"
	"skidpad/model/linear"
)

// linearizeVerb linearises a model about steady motions.
func linearizeVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "linearize MODEL.toml --at NAME=FIRST:LAST:STEP [--eigen] [--modes] [--bode INPUT:OUTPUT] [--transfer INPUT:OUTPUT] [--handling CARS] [flags]",
		"  skidpad linearize resources/models/bicycle_rolling.toml --at speed=0:10:0.05 --eigen \\\n"+
			"    --bode steer.torque:rear_frame.wz --out bicycle --plot\n"+
			"  skidpad linearize resources/models/generic4w.toml --at body.vx=20 --set body.wz=0.2 \\\n"+
			"    --free steer_FL.angle,steer_FR.angle,drive_RL.torque,drive_RR.torque\n"+
			"  skidpad linearize resources/models/passenger_car.toml --at body.vx=27.78 --free engine.throttle \\\n"+
			"    --modes --transfer steering:body.wz --handling resources/cars\n"+
			"  skidpad linearize resources/models/bicycle_rolling.toml --at speed=4.6 --fmu bicycle.fmu")
	at := flags.String("at", "", "`NAME=FIRST:LAST:STEP` or NAME=VALUE: start value or parameter, for each of whose values the model is linearised about the steady motion nearest to its start (required)")
	eigen := flags.Bool("eigen", false, "eigenvalues, and where their stability changes; this is done when nothing else is asked for")
	modes := flags.Bool("modes", false, "modes with frequency, damping, time constant and participating states, which name them, each followed from value to value")
	bode := flags.String("bode", "", "`INPUT:OUTPUT` of a frequency response; a motion driver, steering or road as INPUT stands for its motion with rate and acceleration, A+B for A and B together")
	transfer := flags.String("transfer", "", "`INPUT:OUTPUT` of a transfer function, as for --bode: poles, zeros, steady-state gain and, with --modes, controllability by INPUT and observability in OUTPUT")
	handling := flags.String("handling", "", "`FOLDER` of files of cars, such as resources/cars, of which one is for the model: understeer gradient, characteristic or critical speed and static margin at a speed that is held")
	frequencies := flags.String("frequencies", "0.01:100:201", "`FIRST:LAST:COUNT` of angular frequencies [rad/s], evenly on a logarithmic scale")
	out := flags.String("out", "", "`FOLDER` for steady.csv, forces.csv, eigenvalues.csv, modes.csv, shapes.csv, bode.csv, transfer.csv, handling.csv, the linear equations in independent states as linear.mat, linear.json and, of a single value, as A.csv, B.csv, C.csv and D.csv; default: results go to stdout")
	draw := flags.Bool("plot", false, "draw eigenvalues.png and bode.png into the folder")
	hold := flags.String("hold", "", "`STATES`, with commas between, that the search for a steady motion keeps as they start, as it does those of --at and --set")
	free := flags.String("free", "", "`INPUTS`, with commas between, that it may choose, such as torques that hold a speed")
	check := flags.Bool("check", false, "also make the equations body by body with tangent stiffness, and fail where the two ways differ by more than 1e-9")
	forces := flags.Bool("forces", false, "steady forces of connections; an error where they cannot be found; default: those of a single value beside its eigenvalues, and forces.csv, where they can")
	tree := flags.String("tree", "", "tree selection of the model; default: its first")
	export := linearExportFlags(flags)
	var set settings
	flags.Var(&set, "set", "parameter, start value, input, coefficient of a tire (tire_FL.LMUY) or text (tire_FL.file) `NAME=VALUE`; may be repeated")
	files, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	varied, err := values(*at)
	if err != nil {
		return usageError{err}
	}
	if *forces && *out == "" && len(varied.Values) > 1 {
		return usageError{errors.New("--forces of several values needs --out, the folder of forces.csv; or give --at NAME=VALUE")}
	}
	if *draw && *out == "" {
		return usageError{errors.New("--plot needs --out, the folder to draw into")}
	}
	if err := export.check(varied); err != nil {
		return usageError{err}
	}
	*eigen = *eigen || !*modes && !*forces && *bode == "" && *transfer == "" && *handling == "" && !export.asked()
	m, err := model.Read(files[0])
	if err != nil {
		return err
	}
	vehicle, err := linear.New(m, *tree)
	if err != nil {
		return err
	}
	for _, s := range harness.TextsFirst(set) {
		v, err := strconv.ParseFloat(s.Value, 64)
		if err != nil {
			err = vehicle.SetText(s.Name, s.Value)
		} else {
			err = vehicle.Set(s.Name, v)
		}
		if err != nil {
			return fmt.Errorf("--set %s=%s: %w", s.Name, s.Value, err)
		}
	}
	if err := each(*hold, vehicle.Hold); err != nil {
		return usageError{err}
	}
	if err := each(*free, vehicle.Free); err != nil {
		return usageError{err}
	}
	result := &harness.Linearised{Title: m.Title, Varied: varied}
	if *bode != "" {
		if err := forBode(result, *bode, *frequencies); err != nil {
			return usageError{err}
		}
	}
	if *transfer != "" {
		var ok bool
		if result.From, result.To, ok = strings.Cut(*transfer, ":"); !ok {
			return usageError{fmt.Errorf("--transfer %q is not INPUT:OUTPUT", *transfer)}
		}
	}
	var car *linear.Car
	if *handling != "" {
		if car, err = harness.HandlingCar(*handling, m.Name); err != nil {
			return err
		}
	}
	for _, v := range varied.Values {
		if err := linearise(result, vehicle, car, v); err != nil {
			return err
		}
	}
	if *modes {
		if err := result.Follow(); err != nil {
			return err
		}
	}
	if err := export.write(stderr, vehicle, result); err != nil {
		return err
	}
	second := another(result, m, set)
	if *forces && second.err != nil {
		return fmt.Errorf("--forces: forces of connections are not found: %w", second.err)
	}
	if *check {
		if err := second.check(stdout); err != nil {
			return err
		}
	}
	if *out == "" {
		if *eigen || *modes {
			printSteady(stdout, result)
		}
		if *eigen {
			printEigenvalues(stdout, result)
		}
		if *eigen || *forces {
			second.print(stdout)
		}
		if *modes {
			result.PrintModes(stdout)
		}
		if *transfer != "" {
			result.PrintTransfer(stdout)
		}
		result.PrintHandling(stdout)
		if *bode != "" {
			return result.BodeTable().WriteCSV(stdout)
		}
		return nil
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	var jobs []struct {
		file  string
		write func(io.Writer) error
	}
	job := func(file string, write func(io.Writer) error) {
		jobs = append(jobs, struct {
			file  string
			write func(io.Writer) error
		}{filepath.Join(*out, file), write})
	}
	job("steady.csv", result.SteadyTable().WriteCSV)
	if forces := second.forces(); forces != nil {
		job("forces.csv", forces.WriteCSV)
	}
	if *eigen {
		job("eigenvalues.csv", result.EigenTable().WriteCSV)
	}
	if *modes {
		job("modes.csv", result.WriteModes)
		job("shapes.csv", result.WriteShapes)
	}
	if *draw && (*eigen || *modes) {
		job("eigenvalues.png", result.PlotEigenvalues)
	}
	if *transfer != "" {
		job("transfer.csv", result.WriteTransfer)
	}
	if *handling != "" {
		job("handling.csv", result.HandlingTable().WriteCSV)
	}
	if *bode != "" {
		job("bode.csv", result.BodeTable().WriteCSV)
		if *draw {
			job("bode.png", result.PlotBode)
		}
	}
	job("linear.mat", result.WriteMAT)
	job("linear.json", result.WriteJSON)
	if len(result.Systems) == 1 {
		minimal, err := result.Minimal()
		if err != nil {
			return err
		}
		s := minimal[0]
		for _, m := range []struct {
			name          string
			matrix        *mat.Dense
			rows, columns []string
		}{{"A", s.A, s.States, s.States}, {"B", s.B, s.States, s.Inputs}, {"C", s.C, s.Outputs, s.States}, {"D", s.D, s.Outputs, s.Inputs}} {
			job(m.name+".csv", func(to io.Writer) error { return harness.WriteMatrix(to, m.matrix, m.rows, m.columns) })
		}
	}
	for _, j := range jobs {
		if err := harness.WriteFile(j.file, j.write); err != nil {
			return err
		}
		fmt.Fprintln(stdout, j.file)
	}
	if *eigen {
		return limits(stdout, result, vehicle)
	}
	return nil
}

// each does something with each of a list of names.
func each(list string, do func(string) error) error {
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		if err := do(name); err != nil {
			return err
		}
	}
	return nil
}

// values reads NAME=FIRST:LAST:STEP or NAME=VALUE.
func values(text string) (harness.Variation, error) {
	name, list, ok := strings.Cut(text, "=")
	v := harness.Variation{Name: name}
	if !ok || name == "" {
		return v, fmt.Errorf("--at %q is neither NAME=FIRST:LAST:STEP nor NAME=VALUE", text)
	}
	var numbers []float64
	for part := range strings.SplitSeq(list, ":") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || x-x != 0 {
			return v, fmt.Errorf("--at %s: %q is not a finite number", text, part)
		}
		numbers = append(numbers, x)
	}
	switch len(numbers) {
	case 1:
		v.Values = numbers
		return v, nil
	case 3:
	default:
		return v, fmt.Errorf("--at %s: FIRST:LAST:STEP or a single value is expected", text)
	}
	steps := math.Round((numbers[1] - numbers[0]) / numbers[2])
	const most = 1_000_000
	if !(steps >= 0 && steps < most) || math.Abs(numbers[0]+steps*numbers[2]-numbers[1]) > 1e-6*math.Abs(numbers[2]) {
		return v, fmt.Errorf("--at %s: steps of %g do not lead from %g to %g, or there are more than %d", text, numbers[2], numbers[0], numbers[1], most)
	}
	for i := range int(steps) + 1 {
		v.Values = append(v.Values, numbers[0]+float64(i)*numbers[2])
	}
	return v, nil
}

// forBode reads what a Bode plot is of.
func forBode(result *harness.Linearised, of, frequencies string) error {
	var ok bool
	if result.Input, result.Output, ok = strings.Cut(of, ":"); !ok {
		return fmt.Errorf("--bode %q is not INPUT:OUTPUT", of)
	}
	spread, err := harness.ParseVariation("frequencies=" + frequencies)
	if err != nil {
		return err
	}
	first, last := spread.Values[0], spread.Values[len(spread.Values)-1]
	if len(spread.Values) < 2 || first <= 0 || last <= first {
		return fmt.Errorf("--frequencies %s: they must be above 0 and rise", frequencies)
	}
	result.Frequencies = linear.LogSpace(first, last, len(spread.Values))
	return nil
}

// linearise adds one value to the result.
func linearise(result *harness.Linearised, vehicle *linear.Model, car *linear.Car, value float64) error {
	system, err := about(vehicle, result.Varied.Name, value)
	if err != nil {
		return err
	}
	modes, err := system.Modes()
	if err != nil {
		return err
	}
	result.Modes, result.Systems = append(result.Modes, modes), append(result.Systems, system)
	if result.To != "" {
		t, err := system.Transfer(result.From, result.To)
		if err != nil {
			return err
		}
		result.Transfers = append(result.Transfers, t)
	}
	if car != nil {
		h, err := vehicle.Handling(system, *car)
		if err != nil {
			return err
		}
		result.Handling = append(result.Handling, h)
	}
	if result.Output == "" {
		return nil
	}
	response, err := system.Response(result.Input, result.Output, result.Frequencies)
	result.Responses = append(result.Responses, response)
	return err
}

// about linearises with a value.
func about(vehicle *linear.Model, name string, value float64) (*linear.System, error) {
	if err := vehicle.Set(name, value); err != nil {
		return nil, err
	}
	system, err := vehicle.At()
	if err != nil {
		return nil, fmt.Errorf("%s = %g: %w", name, value, err)
	}
	return system, nil
}

// printSteady prints the steady motion, if it is only one.
func printSteady(to io.Writer, result *harness.Linearised) {
	if len(result.Systems) == 1 {
		fmt.Fprintln(to, "steady motion, as far as it is not 0:")
		table := result.SteadyTable()
		for i, v := range table.Rows[0][1:] {
			if math.Abs(v) > 1e-12 {
				fmt.Fprintf(to, "%24s %14.9g\n", table.Columns[i+1], v)
			}
		}
	}
}

// printEigenvalues prints eigenvalues, of pairs the one above.
func printEigenvalues(to io.Writer, result *harness.Linearised) {
	fmt.Fprintf(to, "%12s %14s %14s %12s %9s\n", result.Varied.Name, "real 1/s", "imaginary 1/s", "omega rad/s", "damping")
	for i, modes := range result.Modes {
		for _, m := range modes {
			if imag(m.Value) < 0 {
				continue
			}
			fmt.Fprintf(to, "%12.6g %14.8f %14.8f %12.6f %9.5f\n", result.Varied.Values[i], real(m.Value), imag(m.Value), m.Frequency(), m.Damping())
		}
	}
}

// growing is the least share of an eigenvalue's magnitude that its real part has in a unstable mode:
// less is rounding, as in oscillations without damping.
const growing = 1e-10

// unstable counts the unstable modes, oscillations once.
func unstable(modes []linear.Mode) (oscillations, others int) {
	for _, m := range modes {
		switch {
		case real(m.Value) <= growing*cmplx.Abs(m.Value) || imag(m.Value) < 0:
		case imag(m.Value) > 0:
			oscillations++
		default:
			others++
		}
	}
	return oscillations, others
}

// limits prints between which values modes become stable or unstable, found by bisection.
func limits(to io.Writer, result *harness.Linearised, vehicle *linear.Model) error {
	for i := 1; i < len(result.Modes); i++ {
		low, high := result.Varied.Values[i-1], result.Varied.Values[i]
		o, r := unstable(result.Modes[i-1])
		last, rest := unstable(result.Modes[i])
		if o == last && r == rest {
			continue
		}
		for range 60 {
			middle := (low + high) / 2
			if middle == low || middle == high {
				break
			}
			system, err := about(vehicle, result.Varied.Name, middle)
			if err != nil {
				return err
			}
			modes, err := system.Modes()
			if err != nil {
				return err
			}
			if a, b := unstable(modes); a == o && b == r {
				low = middle
			} else {
				high, last, rest = middle, a, b
			}
		}
		fmt.Fprintf(to, "%s = %.7g: unstable modes change from %d oscillatory, %d real to %d oscillatory, %d real\n", result.Varied.Name, high, o, r, last, rest)
	}
	return nil
}
