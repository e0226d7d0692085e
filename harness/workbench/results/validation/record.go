package validation

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/measurement"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/bounded"
)

// quantity is a column that measured files can have.
type quantity struct {
	name string
	display.Quantity
	of func(r *figures.Record) *[]float64
}

var quantities = []quantity{
	{"steering_wheel", display.Quantity{Title: "Steering-wheel angle", SI: "rad"},
		func(r *figures.Record) *[]float64 { return &r.Steer }},
	{"steering_torque", display.Quantity{Title: "Steering-wheel torque", SI: "N.m"},
		func(r *figures.Record) *[]float64 { return &r.Hands }},
	{"speed", display.Speed, func(r *figures.Record) *[]float64 { return &r.Speed }},
	{"a_y", display.Lateral, func(r *figures.Record) *[]float64 { return &r.Lateral }},
	{"yaw_rate", display.YawRate, func(r *figures.Record) *[]float64 { return &r.YawRate }},
	{"side_slip", display.SideSlip, func(r *figures.Record) *[]float64 { return &r.SideSlip }},
	{"roll", display.Roll, func(r *figures.Record) *[]float64 { return &r.Roll }},
}

func quantityOf(name string) *quantity {
	i := slices.IndexFunc(quantities, func(q quantity) bool { return q.name == name })
	if i < 0 {
		return nil
	}
	return &quantities[i]
}

func names() (list []string) {
	for _, q := range quantities {
		list = append(list, q.name)
	}
	return list
}

// run is a simulated or a measured run. The signals of quantities that it has not are 0.
type run struct {
	*figures.Record
	name    string
	file    string
	has     map[string]bool
	hasTime bool    // otherwise the rows are steady states
	zero    float64 // time at which the steering wheel passes half of its largest angle [s]
	figures map[string]value
}

// value is a characteristic value in SI units; NaN where it is missing.
type value struct {
	unit, missing string
	number        float64
}

// simulation is a folder of skidpad manoeuvre --out.
type simulation struct {
	kind    *figures.Kind
	options figures.Options
	signals signalNames
	runs    []*run
}

// signalNames are the variables of the recorded runs, as figures.json has them.
type signalNames struct {
	Body, Steering string
	Factor         float64 `json:"steering_factor"`
	Torque         string  `json:"steering_torque"`
}

// readSimulation reads a folder, whose test must be one of the kinds.
func readSimulation(folder string, kinds []string) (*simulation, error) {
	path := filepath.Join(folder, "figures.json")
	text, err := bounded.Table.Read(path)
	if err != nil {
		return nil, fmt.Errorf("%w; SIMULATED is a folder that 'skidpad manoeuvre --out' has written", err)
	}
	var data struct {
		Kind    string
		Options map[string]float64
		Signals signalNames
		Runs    []struct {
			Varied  map[string]float64
			Verdict string
			Phases  []figures.Phase
			Figures []struct {
				Figure, Unit, Missing string
				Value                 *float64
			}
		}
	}
	if err := json.Unmarshal(text, &data); err != nil {
		return nil, fmt.Errorf("%s: %w; run the manoeuvre again", path, err)
	}
	if data.Kind == "" || data.Signals.Body == "" || len(data.Runs) == 0 {
		return nil, fmt.Errorf("%s: the kind of test, the signals or the runs are missing, as an earlier version wrote "+
			"it; run the manoeuvre again", path)
	}
	kind := figures.Find(data.Kind)
	if kind == nil || !slices.Contains(kinds, data.Kind) {
		return nil, fmt.Errorf("%s: the test is %s; this standard is about %s", path, data.Kind, strings.Join(kinds, ", "))
	}
	s := &simulation{kind: kind, options: kind.New(), signals: data.Signals}
	for _, o := range s.options.Numbers() {
		x, has := data.Options[o.Name]
		if !has {
			return nil, fmt.Errorf("%s: the option %s of %s is missing; run the manoeuvre again", path, o.Name, data.Kind)
		}
		*o.Value = x
	}
	for i, of := range data.Runs {
		r, err := s.read(folder, i+1)
		if err != nil {
			return nil, err
		}
		r.name = fmt.Sprintf("run %d", i+1)
		var varied []string
		for _, name := range slices.Sorted(maps.Keys(of.Varied)) {
			varied = append(varied, fmt.Sprintf("%s=%.4g", name, of.Varied[name]))
		}
		if varied != nil {
			r.name += " (" + strings.Join(varied, ", ") + ")"
		}
		r.Verdict, r.Phases = of.Verdict, of.Phases
		for _, f := range of.Figures {
			v := value{f.Unit, f.Missing, math.NaN()}
			if f.Value != nil {
				v.number = *f.Value
			}
			r.figures[f.Figure] = v
		}
		s.runs = append(s.runs, r)
	}
	return s, nil
}

// read reads a run of the folder: run_N.parquet, or run_N.csv with its inputs.
func (s *simulation) read(folder string, number int) (*run, error) {
	file := filepath.Join(folder, "run_"+strconv.Itoa(number)+".parquet")
	_, err := os.Stat(file)
	full := err != nil
	if full {
		file = filepath.Join(folder, "run_"+strconv.Itoa(number)+".csv")
	}
	t, err := recording.Read(file)
	if err != nil {
		return nil, err
	}
	if full {
		inputs, err := recording.Read(filepath.Join(folder, "inputs_"+strconv.Itoa(number)+".csv"))
		if err != nil {
			return nil, err
		}
		if len(inputs.Time) != len(t.Time) {
			return nil, fmt.Errorf("%s has %d rows, and its inputs %d; run the manoeuvre again", file, len(t.Time),
				len(inputs.Time))
		}
		t = t.Beside(inputs)
	}
	if len(t.Time) < 2 {
		return nil, fmt.Errorf("%s: fewer than two rows", file)
	}
	r := newRun(file, t.Time)
	r.hasTime = true
	r.take(&s.signals, func(name string) []float64 {
		if !t.Has(name) {
			return nil
		}
		return t.Column(name)
	})
	for _, name := range []string{"steering_wheel", "a_y"} {
		if !r.has[name] {
			return nil, fmt.Errorf("%s: the variables of %s are missing; run the manoeuvre again", file, name)
		}
	}
	return r, nil
}

// newRun is a run without signals.
func newRun(file string, time []float64) *run {
	r := &run{Record: &figures.Record{Time: time, Ratio: 1}, file: file, name: filepath.Base(file),
		has: map[string]bool{}, figures: map[string]value{}}
	for _, to := range []*[]float64{&r.Steer, &r.Speed, &r.Lateral, &r.YawRate, &r.SideSlip, &r.Roll, &r.X, &r.Y, &r.Yaw} {
		*to = make([]float64, len(time))
	}
	return r
}

// take takes quantities that follow from variables of the vehicle, where it has no columns for them yet.
func (r *run) take(s *signalNames, column func(name string) []float64) {
	set := func(name string, values []float64) {
		if values != nil && !r.has[name] {
			*quantityOf(name).of(r.Record), r.has[name] = values, true
		}
	}
	of := func(key string) []float64 { return column(s.Body + "." + key) }
	set("speed", of("vx"))
	set("yaw_rate", of("wz"))
	set("roll", of("roll"))
	if vx, vy := of("vx"), of("vy"); vx != nil && vy != nil {
		set("side_slip", figures.SideSlip(vx, vy))
	}
	if ay, az, roll := of("ay"), of("az"), of("roll"); ay != nil && az != nil && roll != nil {
		set("a_y", figures.Horizontal(ay, az, roll))
	}
	if s.Steering != "" {
		if x := column(s.Steering); x != nil {
			set("steering_wheel", trace.Mapped(x, func(v float64) float64 { return s.Factor * v }))
		}
	}
	if s.Torque != "" {
		set("steering_torque", column(s.Torque))
	}
}

const (
	mostFiles  = 200 // of a measurement
	longestGap = 0.1 // s, over which a measured signal is interpolated
)

// measuredFiles are the files of paths: files, and all measured files of folders.
func measuredFiles(paths []string) (list []string, err error) {
	endings := []string{".csv", ".csv.gz", ".txt", ".tsv", ".asc", ".parquet", ".mat", ".mf4"}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			list = append(list, path)
			continue
		}
		before := len(list)
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := strings.ToLower(e.Name())
			fits := slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })
			if fits && e.Type()&fs.ModeDir == 0 && !strings.HasPrefix(name, "figures.") && !strings.HasPrefix(name, "inputs_") {
				list = append(list, filepath.Join(path, e.Name()))
			}
		}
		if len(list) == before {
			return nil, fmt.Errorf("%s: no measured file; files are read that end in %s", path, measurement.MayRead)
		}
	}
	if len(list) > mostFiles {
		return nil, fmt.Errorf("%d measured files; at most %d are compared", len(list), mostFiles)
	}
	return list, nil
}

// readMeasured reads a measured file. Its columns have the names of quantities, are mapped to them, or have the names
// of the variables of the simulation.
func (s *simulation) readMeasured(file string, m measurement.Map) (*run, error) {
	in, err := measurement.Read(file, m)
	if err != nil {
		return nil, err
	}
	time, err := base(in)
	if err != nil {
		return nil, err
	}
	r := newRun(file, time)
	r.hasTime = in.HasTime()
	column := func(name, unit string) (values []float64) {
		if err == nil {
			var series measurement.Series
			if series, err = in.Series(name, unit); err == nil {
				values, err = resampled(file, series, time, in.HasTime())
			}
		}
		return values
	}
	for _, q := range quantities {
		if _, mapped := m.Columns[q.name]; mapped || in.Has(q.name) {
			*q.of(r.Record), r.has[q.name] = column(q.name, q.SI), true
		}
	}
	r.take(&s.signals, func(name string) []float64 {
		if !in.Has(name) {
			return nil
		}
		return column(name, "")
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// base are the times at which the signals of a measured file are taken: as far apart as its rows are in the median.
// Without a time they are the numbers of its rows.
func base(in *measurement.Measurement) ([]float64, error) {
	if !in.HasTime() {
		longest := 0
		for _, q := range quantities {
			if in.Has(q.name) {
				s, err := in.Series(q.name, q.SI)
				if err != nil {
					return nil, err
				}
				longest = max(longest, int(s.Time[len(s.Time)-1])+1)
			}
		}
		if longest < 2 {
			return nil, fmt.Errorf("%s: it has neither a time nor a column of %s; map its columns by [column] of --by",
				in.File, strings.Join(names(), ", "))
		}
		rows := make([]float64, longest)
		for i := range rows {
			rows[i] = float64(i)
		}
		return rows, nil
	}
	s, err := in.Series("time", "s")
	if err != nil {
		return nil, err
	}
	steps := make([]float64, 0, len(s.Time))
	for i := 1; i < len(s.Time); i++ {
		steps = append(steps, s.Time[i]-s.Time[i-1])
	}
	slices.Sort(steps)
	step, span := steps[len(steps)/2], s.Time[len(s.Time)-1]-s.Time[0]
	if rows := span / step; !(step > 0 && rows < 4*float64(len(s.Time))) {
		return nil, fmt.Errorf("%s: its rows are too unevenly apart in time: %g s in the median, %d rows in %g s", in.File,
			step, len(s.Time), span)
	}
	var times []float64
	for i := 0; float64(i) <= span/step*(1+1e-9); i++ {
		times = append(times, s.Time[0]+float64(i)*step)
	}
	return times, nil
}

// resampled is a signal at times, straight between its samples. It refuses gaps.
func resampled(file string, s measurement.Series, times []float64, hasTime bool) ([]float64, error) {
	longest, unit := longestGap, "s"
	if !hasTime {
		longest, unit = 1, "rows"
	}
	step := times[1] - times[0]
	before := math.Inf(-1)
	for _, t := range append([]float64{times[0]}, append(slices.Clone(s.Time), times[len(times)-1])...) {
		if gap := t - before; !math.IsInf(gap, 0) && gap > max(longest, 1.9*step) {
			return nil, fmt.Errorf("%s: %s has a gap of %.4g %s at %.6g; at most %g are interpolated: cut the file there", file,
				s.Name, gap, unit, before, max(longest, 1.9*step))
		}
		before = t
	}
	out := make([]float64, len(times))
	for i, t := range times {
		out[i] = figures.At(s.Time, s.Values, min(max(t, s.Time[0]), s.Time[len(s.Time)-1]))
	}
	return out, nil
}
