package bench

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"skidpad/cosim"
	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/vehicle"
)

//go:embed c/steps.c
var stepsC string

//go:embed c/fmu.c
var fmuC string

// drives are the shipped models with their manoeuvres.
var drives = []struct{ fmu, manoeuvre string }{
	{"GenericVehicle", "generic4w_sine"}, {"GenericVehicle", "generic4w_braking"}, {"ForestrySkidder", "skidder_sine"},
	{"ForestrySkidder", "skidder_braking"},
}

// runs measures real-time factors of the packed FMUs.
func (s *Suite) runs() ([]Section, error) {
	section := Section{
		Title: "Real-time factor of the packed FMUs, 1 ms steps", Unit: "times-real-time",
		Note: "Ten seconds of each manoeuvre, FMI 3.0, called step by step from Go; simulated time over the time " +
			"of the step calls.",
	}
	for _, d := range drives {
		m, err := manoeuvre.Read(filepath.Join(s.Resources, "manoeuvres", d.manoeuvre+".toml"))
		if err != nil {
			return nil, err
		}
		for _, method := range []string{"euler", "rk4", "linearly-implicit"} {
			if d.manoeuvre == "generic4w_braking" && method == "euler" {
				continue // unstable at 1 ms
			}
			one := Measurement{Name: d.manoeuvre + ", " + method}
			for range max(3, s.Rounds/3) {
				f, err := library.OpenFMU(filepath.Join(s.FMUs, "fmi3", d.fmu+".fmu"))
				if err != nil {
					return nil, err
				}
				f.Quiet = true
				c, err := f.Instantiate(f.ModelName, f.Token)
				if err != nil {
					return nil, err
				}
				result, err := drive.Simulate(c,
					drive.Plan{Manoeuvre: m, Method: method, Step: 0.001, Substep: 0.001, Record: []string{}})
				err = errors.Join(err, c.Close(), f.Close())
				if err != nil {
					return nil, err
				}
				one.Values = append(one.Values, result.Timing.RealTime)
			}
			section.List = append(section.List, one)
		}
	}
	fromC, err := s.runsFromC()
	return []Section{*fromC, section}, err
}

// runsFromC measures the generic vehicle's FMU from a program in C.
func (s *Suite) runsFromC() (*Section, error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	binary, err := compileC(folder, map[string]string{"fmu.c": fmuC}, "fmu.c")
	if err != nil {
		return nil, err
	}
	f, err := library.OpenFMU(filepath.Join(s.FMUs, "fmi3", "GenericVehicle.fmu"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	section := &Section{
		Title: "Sine steer of the packed FMU from C, 1 ms steps", Unit: "times-real-time",
		Note: "GenericVehicle.fmu, FMI 3.0, Pacejka, ten seconds, everything that the loop does included: steering " +
			"set, step made.",
	}
	references := map[string]string{}
	for _, v := range f.Variables {
		references[v.Name] = strconv.Itoa(int(v.Reference))
	}
	for _, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		arguments := []string{f.LibraryPath(), filepath.Join(f.Folder, "resources") + "/", f.Token, "10000",
			references["solver.method"], method}
		for _, wheel := range []string{"steer_FL", "steer_FR"} {
			for _, quantity := range []string{"angle", "rate", "acceleration"} {
				arguments = append(arguments, references[wheel+"."+quantity])
			}
		}
		list, err := numbersOfC(binary, "", arguments...)
		if err != nil {
			return nil, err
		}
		m := Measurement{Name: method}
		for _, ns := range list {
			m.Values = append(m.Values, 1e6/ns)
		}
		section.List = append(section.List, m)
	}
	return section, nil
}

// distribution measures the times of single steps, next to a program in C.
func (s *Suite) distribution() ([]Section, error) {
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	host, err := s.stepHost(folder)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.Resources, "models", "generic4w.toml")
	b, err := newSubject(path)
	if err != nil {
		return nil, err
	}
	generated, input, err := b.emit(folder, plain)
	if err != nil {
		return nil, err
	}
	free := Section{
		Title: "Single steps of the generic vehicle without pause", Unit: "ns",
		Note: fmt.Sprintf("%d steps each, one after the other in a program in C; medians. The system interrupts "+
			"steps: the plain program shows the same interruptions.", s.Steps),
	}
	library := func(method string, steps, paced int) ([]float64, error) {
		return durations(exec.Command(host, s.Library.Path, path, method, strconv.Itoa(steps), strconv.Itoa(paced)), "")
	}
	for _, c := range []struct {
		name string
		ask  func() ([]float64, error)
	}{
		{"generated C, Euler",
			func() ([]float64, error) { return durations(exec.Command(generated, "-"+strconv.Itoa(s.Steps)), input) }},
		{"library, euler", func() ([]float64, error) { return library("euler", s.Steps, 0) }},
		{"library, rk4", func() ([]float64, error) { return library("rk4", s.Steps, 0) }},
		{"library, linearly-implicit", func() ([]float64, error) { return library("linearly-implicit", s.Steps, 0) }},
	} {
		took, err := c.ask()
		if err != nil {
			return nil, err
		}
		free.List = append(free.List, single(c.name, took))
	}
	if s.Paced == 0 {
		return []Section{free}, nil
	}
	paced, err := s.pacedSteps(library)
	if err != nil {
		return nil, err
	}
	return []Section{free, *paced}, nil
}

// stepHost compiles the program that makes steps of the library.
func (s *Suite) stepHost(folder string) (string, error) {
	files, err := s.headers()
	if err != nil {
		return "", err
	}
	files["steps.c"] = stepsC
	return compileC(folder, files, "steps.c", "-I"+folder)
}

// headers returns the C headers of the library by name.
func (s *Suite) headers() (map[string]string, error) {
	files := map[string]string{}
	for _, name := range []string{"skidpad.h", "skidpad_tire.h", "skidpad_law.h", "skidpad_controller.h"} {
		header, err := os.ReadFile(filepath.Join(s.Header, name))
		if err != nil {
			return nil, err
		}
		files[name] = string(header)
	}
	return files, nil
}

// pacedSteps measures steps at 1 kHz. The function library makes steps by a method and returns their durations [ns].
func (s *Suite) pacedSteps(library func(method string, steps, paced int) ([]float64, error)) (*Section, error) {
	paced := &Section{
		Title: "Steps at 1 kHz, from when they are due to when they are done", Unit: "ns",
		Note: fmt.Sprintf("%d steps each, linearly-implicit; loaded: one busy process for each processor.", s.Paced),
	}
	for _, load := range []int{0, runtime.NumCPU()} {
		name := map[bool]string{true: "idle machine", false: "loaded machine"}[load == 0]
		stop := busy(load)
		took, err := library("linearly-implicit", s.Paced, 1)
		stop()
		if err != nil {
			return nil, err
		}
		m := single(name, took)
		missed := 0
		for _, d := range took {
			if d > 1e6 {
				missed++
			}
		}
		m.Remarks += fmt.Sprintf(", %d missed", missed)
		paced.List = append(paced.List, m)
	}
	return paced, nil
}

// constancy measures whether steps take the same time for any motion of the vehicle.
func (s *Suite) constancy() ([]Section, error) {
	m, err := manoeuvre.Read(filepath.Join(s.Resources, "manoeuvres", "generic4w_braking.toml"))
	if err != nil {
		return nil, err
	}
	system, err := cosim.Load(filepath.Join(s.Resources, "models", "generic4w.toml"), cosim.Options{})
	if err != nil {
		return nil, err
	}
	section := Section{
		Title: "One step in each half second of the braking manoeuvre", Unit: "ns",
		Note: "Medians of all rounds, for the fastest and the slowest half second. Machine code has no branches.",
	}
	const window = 500
	windows := int(m.Duration/0.001+0.5) / window
	for _, method := range []string{"rk4", "linearly-implicit"} {
		took := make([]Measurement, windows)
		for range s.Rounds {
			in, err := system.Instantiate()
			if err == nil {
				err = errors.Join(in.SetText("solver.method", method), in.Initialise())
			}
			if err != nil {
				return nil, err
			}
			for w := range windows {
				var total time.Duration
				for k := range window {
					t := float64(w*window+k) * 0.001
					for _, input := range m.Inputs {
						value, _, _ := input.Signal.At(t)
						for _, name := range input.Variables {
							i, _ := system.Find(name)
							if err := in.Set(i, value); err != nil {
								return nil, err
							}
						}
					}
					begin := time.Now()
					err := in.Step(0.001)
					total += time.Since(begin)
					if err != nil {
						return nil, err
					}
				}
				took[w].Values = append(took[w].Values, float64(total.Nanoseconds())/window)
			}
		}
		slices.SortFunc(took, func(a, b Measurement) int { return cmp.Compare(a.Median(), b.Median()) })
		least, largest := took[0], took[windows-1]
		least.Name, largest.Name = method+", least", method+", largest"
		largest.Remarks = fmt.Sprintf("%.1f %% more", 100*(largest.Median()/least.Median()-1))
		section.List = append(section.List, least, largest)
	}
	return []Section{section}, nil
}

// durations returns the binary numbers that a program prints.
func durations(c *exec.Cmd, input string) ([]float64, error) {
	c.Stdin = strings.NewReader(input)
	var text strings.Builder
	c.Stderr = &text
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, text.String())
	}
	list := make([]float64, len(out)/8)
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(out[8*i:]))
	}
	if len(list) == 0 {
		return nil, errors.New("no durations")
	}
	return list, nil
}

// single is a measurement with the tail of its distribution.
func single(name string, took []float64) Measurement {
	sorted := slices.Sorted(slices.Values(took))
	at := func(p float64) float64 { return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))] }
	over := len(sorted) - slices.IndexFunc(append(sorted, math.Inf(1)), func(d float64) bool { return d > 1e5 })
	return Measurement{
		Name: name, Values: []float64{at(0.5)},
		Remarks: fmt.Sprintf("p99.9 %.3g us, p99.99 %.3g us, worst %.3g us, %d above 100 us", at(0.999)/1e3,
			at(0.9999)/1e3, sorted[len(sorted)-1]/1e3, max(0, over)),
	}
}

// busy keeps a number of processes running until the result is called.
func busy(n int) (stop func()) {
	var list []*exec.Cmd
	for range n {
		if c := exec.Command("sh", "-c", "while :; do :; done"); c.Start() == nil {
			list = append(list, c)
		}
	}
	return func() {
		for _, c := range list {
			c.Process.Kill()
			c.Wait()
		}
	}
}

// scaling measures chains and stars of bodies, and tires.
func (s *Suite) scaling() ([]Section, error) {
	var sections []Section
	for _, star := range []bool{false, true} {
		name := map[bool]string{false: "chain", true: "star"}[star]
		section := Section{Title: "Right-hand side of a " + name + " of bodies in space", Unit: "ns"}
		var x, y []float64
		for _, n := range []int{10, 20, 50, 100, 200, 500} {
			m, err := vehicle.Parse([]byte(bodies(n, star)), name+".toml", nil)
			if err != nil {
				return nil, err
			}
			begin := time.Now()
			b, err := subjectOf(name, m)
			if err != nil {
				return nil, err
			}
			ready := time.Since(begin)
			code, err := b.program.Native(b.program.Tape())
			if err != nil {
				code = b.program.Tape()
			}
			machine, err := b.machine(code, b.functions)
			if err != nil {
				return nil, err
			}
			results, err := s.compare([]candidate{{name: fmt.Sprintf("%d bodies", n), run: b.evaluate(machine)}})
			if err != nil {
				return nil, err
			}
			results[0].Remarks = fmt.Sprintf("%d operations, formulated in %.0f ms", b.program.RateCost.Total(),
				ready.Seconds()*1e3)
			section.List = append(section.List, results...)
			x, y = append(x, float64(n)), append(y, float64(b.program.RateCost.Total()))
		}
		section.Note = "Operations = " + power(x, y) + ", fitted from 20 bodies on."
		sections = append(sections, section)
	}
	return sections, nil
}

// power fits c n^k to all points except the first.
func power(x, y []float64) string {
	var n, sx, sy, sxx, sxy float64
	for i := range x[1:] {
		a, b := math.Log(x[i+1]), math.Log(y[i+1])
		n, sx, sy, sxx, sxy = n+1, sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	k := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return fmt.Sprintf("%.4g n^%.3f", math.Exp((sy-k*sx)/n), k)
}

// bodies returns a model of links with hinges about different axes: a chain, or a star around one hub.
func bodies(n int, star bool) string {
	var b strings.Builder
	b.WriteString("name = \"Links\"\n[component.hub]\ntype = \"rigid-body\"\nmass = 3\ninertia = { xx = 0.2, yy = " +
		"0.3, zz = 0.25 }\n")
	last := "hub"
	for i := range n - 1 {
		fmt.Fprintf(&b,
			"[component.arm%[1]d]\ntype = \"rigid-arm\"\nfrom = %[2]q\nto = \"hinge%[1]d\"\ntranslation = [0.4, 0.02, "+
				"0.01]\n", i, last)
		fmt.Fprintf(&b,
			"[component.joint%[1]d]\ntype = \"revolute\"\nfrom = \"hinge%[1]d\"\nto = \"link%[1]d\"\naxis = "+
				"%[2]q\nstart = { phi = %[3]g }\n", i, "yzx"[i%3:i%3+1], 0.1*float64(i%5-2))
		fmt.Fprintf(&b,
			"[component.link%d]\ntype = \"rigid-body\"\nmass = 1\ninertia = { xx = 0.02, yy = 0.03, zz = 0.04, xz = "+
				"0.002 }\n", i)
		if !star {
			last = fmt.Sprintf("link%d", i)
		}
	}
	return b.String()
}

// fleets measures steps for several numbers of vehicles and threads.
func (s *Suite) fleets() ([]Section, error) {
	first, err := s.Library.Load(filepath.Join(s.Resources, "models", "generic4w.toml"), "")
	if err != nil {
		return nil, err
	}
	defer first.Close()
	var sections []Section
	for _, method := range []string{"euler", "linearly-implicit"} {
		section := Section{Title: "One step of one of many generic vehicles, " + method, Unit: "ns",
			Base: "1 vehicle, 1 thread"}
		var list []candidate
		for _, c := range [][2]int{{1, 1}, {4, 1}, {16, 1}, {64, 1}, {256, 1}, {64, runtime.NumCPU()},
			{256, runtime.NumCPU()}} {
			n, threads := c[0], c[1]
			var vehicles []*library.Vehicle
			for range n {
				v, err := first.Copy()
				if err == nil {
					defer v.Close()
					err = errors.Join(v.SetText("solver.method", method), v.Initialise())
				}
				if err != nil {
					return nil, err
				}
				vehicles = append(vehicles, v)
			}
			one := candidate{name: fmt.Sprintf("%d vehicles, %d threads", n, threads)}
			if n == 1 {
				one.name = section.Base
			}
			one.ask = func() (float64, error) {
				const steps = 10
				begin := time.Now()
				for range steps {
					if _, err := s.Library.StepAll(vehicles, 0.01, threads); err != nil {
						return 0, err
					}
				}
				return float64(time.Since(begin).Nanoseconds()) / float64(10*steps*n), nil
			}
			list = append(list, one)
		}
		if section.List, err = s.compare(list); err != nil {
			return nil, err
		}
		sections = append(sections, section)
	}
	return sections, nil
}

// memory measures the memory of an instance.
func (s *Suite) memory() ([]Section, error) {
	system, err := cosim.Load(filepath.Join(s.Resources, "models", "generic4w.toml"), cosim.Options{})
	if err != nil {
		return nil, err
	}
	section := Section{Title: "Memory of one instance of the generic vehicle", Unit: "B",
		Note: "Beside the model and its code, which all instances share."}
	for _, method := range []string{"rk4", "linearly-implicit"} {
		make := func(n int) (list []*cosim.Instance, err error) {
			for range n {
				in, err := system.Instantiate()
				if err == nil {
					err = errors.Join(in.SetText("solver.method", method), in.Initialise())
				}
				if err != nil {
					return nil, err
				}
				list = append(list, in)
			}
			return list, nil
		}
		if _, err := make(1); err != nil { // allocates the shared parts
			return nil, err
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		list, err := make(100)
		if err != nil {
			return nil, err
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		section.List = append(section.List,
			Measurement{Name: method, Values: []float64{float64(after.HeapAlloc-before.HeapAlloc) / 100}})
		runtime.KeepAlive(list)
	}
	return []Section{section}, nil
}

// processor returns the name of the processor, if the system reports it.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
