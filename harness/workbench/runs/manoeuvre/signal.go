package manoeuvre

import (
	"cmp"
	"math"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/keys"
)

var (
	amplitude = key("amplitude", number, anyUnit, "in the unit of what is driven")
	pointsOf  = []keys.Key{key("time", numbers, "s", "times, which increase"),
		key("value", numbers, anyUnit, "a value for each time, in the unit of what is driven")}
)

// signalKinds are the kinds of signals.
var signalKinds = []keys.Kind{
	{Word: "constant", Text: "one value", Keys: []keys.Key{
		key("value", number, anyUnit, "in the unit of what is driven")}},
	{Word: "sine", Text: "amplitude times sin(2 pi time/period)", Keys: []keys.Key{amplitude,
		above0("period", "s", "of the sine")}},
	{Word: "piecewise-linear", Keys: pointsOf,
		Text: "straight lines through the points; constant before the first and after the last point"},
	{Word: "steps", Text: "each value from its time on; zero before the first time", Keys: pointsOf},
	{Word: "file", Text: "straight lines through the points of a CSV, whose header has names and units; constant before " +
		"the first and after the last point", Keys: []keys.Key{
		key("file", text, "", "CSV file, by its path from the manoeuvre file"),
		key("column", text, "", "column of the values; the times are the column time")}},
	{Word: "sine-with-dwell", Text: "one period of a sine whose second peak is held for the dwell time; zero " +
		"afterwards", Keys: []keys.Key{amplitude,
		above0("frequency", "Hz", "of the sine"),
		{Name: "dwell", Unit: "s", Text: "duration of the held second peak", Nonnegative: true}}},
	{Word: "chirp", Text: "sine whose frequency increases from first to last and starts again after period; " +
		"(first + last)/2 times period must be an integer", Keys: []keys.Key{amplitude,
		{Name: "first", Unit: "Hz", Text: "frequency at the beginning", Nonnegative: true},
		above0("last", "Hz", "frequency at the end"), above0("period", "s", "after which it begins again")}},
	{Word: "formula", Text: "formula of time [s] and constants", Keys: []keys.Key{
		key("formula", text, "", "formula of time [s] and constants")}},
}

// signalOf is a key that holds a signal.
func signalOf(name, text string, optional bool) keys.Key {
	return keys.Key{Name: name, Shape: keys.TableShape, Text: text, Optional: optional, Kinds: signalKinds}
}

// written is the first number of a signal with a unit.
func (r *manoeuvreReader) written(n *document.Node) (first constants.Written) {
	if of, is := r.columns[n]; is {
		return of
	}
	for _, key := range []string{"amplitude", "value"} {
		if v := n.Field(key); v != nil {
			for _, item := range append([]*document.Node{v}, v.Items...) {
				first = cmp.Or(first, r.Written(item, key))
			}
		}
	}
	return first
}

// signal reads the table of a key that describes a signal. The numbers have the SI unit si; "" where it is not known.
func (r *manoeuvreReader) signal(of *keys.Fields, key, si string) signal.Signal {
	kind, f := of.Kind(key)
	if kind == "" {
		return nil
	}
	for _, key := range []string{"amplitude", "value"} {
		if v := f.Table.Field(key); v != nil {
			r.fitAll(append([]*document.Node{v}, v.Items...), f.PathOf(key), si)
		}
	}
	switch kind {
	case "constant":
		return signal.Constant(f.Number("value"))
	case "sine":
		return signal.Sine{Amplitude: f.Number("amplitude"), Period: f.Number("period")}
	case "piecewise-linear":
		return r.piecewiseLinear(f)
	case "steps":
		return signal.Steps(r.piecewiseLinear(f))
	case "file":
		if s := r.signalFile(f, cmp.Or(si, keys.AnyUnit)); s != nil {
			return *s
		}
		return nil
	case "sine-with-dwell":
		return signal.SineWithDwell{Amplitude: f.Number("amplitude"), Frequency: f.Number("frequency"),
			Dwell: f.Number("dwell")}
	case "chirp":
		c := signal.Chirp{Amplitude: f.Number("amplitude"), First: f.Number("first"), Last: f.Number("last"),
			Period: f.Number("period")}
		if cycles := (c.First + c.Last) / 2 * c.Period; math.Abs(cycles-math.Round(cycles)) > 1e-6 {
			f.FaultOfTable("a chirp of %g cycles has a jump where it begins again; (first + last)/2 times period must be a "+
				"whole number", cycles)
		}
		return c
	case "formula":
		if text := f.Text("formula"); text != "" {
			formula, err := signal.ParseFormula(text, r.Constants)
			if err != nil {
				f.Fault("formula", "%v; names are time and constants", err)
				return nil
			}
			return formula
		}
	}
	return nil
}

func (r *manoeuvreReader) piecewiseLinear(f *keys.Fields) signal.PiecewiseLinear {
	p := signal.PiecewiseLinear{Time: f.Numbers("time"), Value: f.Numbers("value")}
	if len(p.Time) != len(p.Value) && p.Time != nil && p.Value != nil {
		f.Fault("value", "%d values for %d times; each time needs one", len(p.Value), len(p.Time))
	}
	for i := 1; i < len(p.Time); i++ {
		if p.Time[i] <= p.Time[i-1] {
			r.At(f.Node("time").Items[i], "time %g after %g; times must increase%s", p.Time[i], p.Time[i-1],
				r.causes(f.Node("time").Items[i-1:i+1]))
		}
	}
	return p
}
