// Package measurement reads files of measured signals: tables of data loggers, Parquet, MAT-files and MDF. It gives
// them the names of a vehicle's variables, SI units and a common time with a run, and says how far a run is from them.
package measurement

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/matfile"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/unit"
)

// MayRead lists the endings of files that are read.
const MayRead = ".csv, .csv.gz, .txt, .tsv, .asc, .parquet, .mat and .mf4"

// channel is a column of a file. NaN is a gap.
type channel struct {
	Name   string
	Raw    string // heading with the unit in it, "" where that is the name
	Unit   string // as the file has it; "" where it says none
	Values []float64
	fault  error // why the values cannot be used, nil where they can
}

// table is the content of a file.
type table struct {
	file     string
	channels []channel
}

// readTable reads a file by its ending.
func readTable(path string) (*table, error) {
	t := &table{file: path}
	var err error
	switch lower := strings.ToLower(path); filepath.Ext(lower) {
	case ".parquet":
		t.channels, err = ofTrace(recording.ReadGapped(path))
		if err != nil {
			return nil, err
		}
		return t, t.check()
	case ".mf4", ".mdf":
		var data []byte
		if data, err = bounded.Table.Read(path); err == nil {
			t.channels, err = ofTrace(recording.ReadMDF(data))
		}
	case ".mat":
		var data []byte
		if data, err = bounded.Table.Read(path); err == nil {
			t.channels, err = ofMAT(data)
		}
	case ".h5", ".hdf5", ".xlsx", ".xls", ".dat", ".d97", ".tdms", ".blf":
		return nil, fmt.Errorf("%s: files of this kind are not read; files are read that end in %s: save it as .csv, or in "+
			"Python as .parquet", path, MayRead)
	default:
		var data []byte
		if data, err = readText(path, strings.HasSuffix(lower, ".gz")); err == nil {
			t.channels, err = parseLogger(data)
		}
	}
	if err != nil {
		if strings.Contains(err.Error(), path) { // of the system
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, t.check()
}

// readText reads a text that may be compressed.
func readText(path string, compressed bool) ([]byte, error) {
	if !compressed {
		return bounded.Table.Read(path)
	}
	file, err := bounded.Table.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("not compressed by gzip, as its name says: %w", err)
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(io.LimitReader(zip, bounded.Table.Bytes+1))
	if err == nil && int64(b.Len()) > bounded.Table.Bytes {
		return nil, bounded.Table.TooLarge(path)
	}
	return b.Bytes(), err
}

// check refuses tables that have no channel, and channels of one name.
func (t *table) check() error {
	if len(t.channels) == 0 {
		return fmt.Errorf("%s: it has no channel of numbers", t.file)
	}
	if err := trace.CheckNames(t.names()); err != nil {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	return nil
}

func (t *table) names() []string {
	var names []string
	for _, c := range t.channels {
		names = append(names, c.Name)
	}
	return names
}

// find finds a channel by its name, or by its whole heading.
func (t *table) find(name string) *channel {
	i := slices.IndexFunc(t.channels, func(c channel) bool { return c.Name == name || c.Raw == name })
	if i < 0 {
		return nil
	}
	return &t.channels[i]
}

// noSuch is the error of a channel that the file lacks.
func noSuch(file, name string, names []string) error {
	hint := ""
	if near := document.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	} else {
		const most = 12
		shown := strings.Join(names[:min(len(names), most)], ", ")
		if n := len(names) - most; n > 0 {
			shown += fmt.Sprintf(" and %d more", n)
		}
		hint = "; it has " + shown
	}
	return fmt.Errorf("%s has no column %q%s", file, name, hint)
}

// ofTrace are the channels of a recording.
func ofTrace(r *trace.Trace, err error) ([]channel, error) {
	if err != nil {
		return nil, err
	}
	var list []channel
	if r.Time != nil {
		list = append(list, channel{Name: "time", Unit: "s", Values: r.Time})
	}
	for i, c := range r.Channels {
		list = append(list, channel{Name: c.Name, Unit: c.Unit, Values: r.Values[i]})
	}
	return list, nil
}

// ofMAT are the vectors of a MAT-file, also those inside of structures, whose names are joined by points. Files that
// Skidpad has written say the names and units of their signals.
func ofMAT(data []byte) ([]channel, error) {
	values, err := matfile.Read(data)
	if err != nil {
		return nil, err
	}
	var list []channel
	var walk func(prefix string, list []matfile.Value)
	walk = func(prefix string, values []matfile.Value) {
		for _, v := range values {
			switch name := prefix + v.Name; {
			case v.Fields != nil && name != "meta":
				walk(name+".", v.Fields)
			case len(v.Numbers) > 1:
				list = append(list, channel{Name: name, Values: v.Numbers})
			}
		}
	}
	walk("", values)
	rows := 0 // of the time, otherwise of the longest
	for i := range list {
		if rows = max(rows, len(list[i].Values)); isTime(list[i].Name) {
			rows = len(list[i].Values)
			break
		}
	}
	list = slices.DeleteFunc(list, func(c channel) bool { return len(c.Values) != rows })
	if meta := matfile.Find(values, "meta"); meta != nil {
		names, units := matfile.Find(meta.Fields, "names"), matfile.Find(meta.Fields, "units")
		places := matfile.Find(meta.Fields, "variables")
		if names != nil && units != nil && places != nil && len(names.Texts) == len(places.Texts) &&
			len(units.Texts) == len(places.Texts) {
			for i := range list {
				if k := slices.Index(places.Texts, list[i].Name); k >= 0 {
					list[i].Name, list[i].Unit = names.Texts[k], units.Texts[k]
				}
			}
		}
	}
	return list, nil
}

// isTime reports whether a channel is called as loggers call their time.
func isTime(name string) bool {
	switch strings.ToLower(strings.Join(strings.Fields(name), " ")) {
	case "time", "zeit", "timestamp", "timestamps", "time stamp", "elapsed time", "elapsed", "temps", "tiempo":
		return true
	}
	return name == "t" // and not T, a temperature
}

// aliases are units as loggers write them, by what they are called here.
var aliases = map[string]string{"g": "g0", "G": "g0", "kph": "km/h", "kmh": "km/h", "KPH": "km/h", "Km/h": "km/h",
	"KM/H": "km/h", "MPH": "mph", "sec": "s", "Sec": "s", "S": "s", "seconds": "s", "msec": "ms", "degrees": "deg",
	"Deg": "deg", "degree": "deg", "DEG": "deg", "grad": "deg", "C": "degC", "Celsius": "degC", "kNm": "kN.m",
	"mbar": "hPa", "1/min": "rpm", "U/min": "rpm", "RPM": "rpm", "rps": "rev/s", "percent": "%", "-": "1", "--": "1",
	"none": "1", "Bar": "bar", "psi": "psi", "inch": "in"}

// unitOf reads a unit as loggers write it: also with degree signs, raised digits, and g for the acceleration of
// gravity.
func unitOf(name string) (unit.Unit, error) {
	name = strings.TrimSpace(name)
	if alias, is := aliases[name]; is {
		name = alias
	}
	name = strings.NewReplacer("²", "2", "³", "3", "°C", "degC", "°", "deg", "Nm", "N.m", "µ", "u", "*", ".", "·", ".",
		"sec", "s").Replace(name)
	return unit.Parse(name)
}

// isUnit reports whether a text is a unit, or says that there is none.
func isUnit(text string) bool {
	_, err := unitOf(text)
	return err == nil
}

// gap is the value of a cell that holds none.
var gap = math.NaN()
