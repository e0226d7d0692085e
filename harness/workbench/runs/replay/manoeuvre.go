package replay

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/live"
	"skidpad/model/bounded"
)

// Opened is a vehicle that has been loaded, and not yet initialised.
type Opened interface {
	Vehicle
	live.Subject
	All() []library.Variable
}

// sampling is the time between two points of a signal [s].
const sampling = 0.01

// Manoeuvre is a manoeuvre file with the start and the inputs of a segment (from 1 on), as straight lines between
// points each 10 ms. The manoeuvre therefore differs a little from the drive. Parameters that differ from those of the
// model are in the file; other tires are not.
func (d *Drive) Manoeuvre(v Opened, segment int, name string) ([]byte, error) {
	if segment < 1 || segment > len(d.Segments) {
		return nil, fmt.Errorf("segment %d; the drive has the segments 1 to %d", segment, len(d.Segments))
	}
	s := &d.Segments[segment-1]
	state, err := d.files.Read(stateName(segment), bounded.State)
	if err != nil {
		return nil, err
	}
	data, err := d.files.Read(inputsName(segment), bounded.Drive)
	if err != nil {
		return nil, err
	}
	if err := d.checkInputs(segment, data); err != nil {
		return nil, err
	}
	states := live.States(v, v.All())
	if err := v.Restore(state); err != nil {
		return nil, fmt.Errorf("%s: %w", stateName(segment), err)
	}
	text := &strings.Builder{}
	fmt.Fprintf(text, "# Segment %d of a drive of 'skidpad view', as straight lines between points each %g ms.\n", segment,
		1000*sampling)
	fmt.Fprintf(text, "name = %s\ntitle = %s\nsource = \"a recorded drive\"\nmodels = [%s]\n", quoted(name),
		quoted("Drive of "+d.Facts.Vehicle), quoted(d.Facts.Vehicle))
	fmt.Fprintf(text, "duration = %s # s\nstep = %s # s\n", number(float64(s.Slices)*d.Step), number(d.Step))
	var parameters []string
	for _, name := range v.Adjustable() {
		if x, err := v.Find(name); err == nil && x.Causality != library.Input && !strings.HasPrefix(name, "solver.") {
			parameters = append(parameters, name)
		}
	}
	if err := table(text, v, "parameters", parameters, true); err != nil {
		return nil, err
	}
	if err := table(text, v, "start", states, false); err != nil {
		return nil, err
	}
	d.signals(text, data, s.Slices)
	return []byte(text.String()), nil
}

// table writes the values of variables, all or those that differ from the start of the model.
func table(to *strings.Builder, v Opened, name string, names []string, differing bool) error {
	references, err := v.References(names...)
	if err != nil {
		return err
	}
	values := make([]float64, len(names))
	if err := v.Get(references, values); err != nil {
		return err
	}
	begun := false
	for i, one := range names {
		x, err := v.Find(one)
		if err != nil {
			return err
		}
		if differing && x.Start == values[i] {
			continue
		}
		if !begun {
			fmt.Fprintf(to, "\n[%s]\n", name)
			begun = true
		}
		fmt.Fprintf(to, "%s = %s\n", quoted(one), number(values[i]))
	}
	return nil
}

// signals writes the inputs. A row of inputs acts from the end of the slice before.
func (d *Drive) signals(to *strings.Builder, data []byte, slices int) {
	at := func(slice, input int) float64 {
		return math.Float64frombits(binary.LittleEndian.Uint64(data[8*(slice*len(d.Inputs)+input):]))
	}
	stride := max(1, int(math.Round(sampling/d.Step)))
	for i, name := range d.Inputs {
		var times, values []string
		changes := false
		for n := 0; n < slices; n = min(n+stride, max(slices-1, n+1)) {
			changes = changes || at(n, i) != at(0, i)
			times, values = append(times, number(float64(n)*d.Step)), append(values, number(at(n, i)))
		}
		fmt.Fprintf(to, "\n[[input]]\nvariables = [%s]\n", quoted(name))
		if changes {
			fmt.Fprintf(to, "signal = { kind = \"piecewise-linear\", time = [%s], value = [%s] }\n", strings.Join(times, ", "),
				strings.Join(values, ", "))
		} else {
			fmt.Fprintf(to, "signal = { kind = \"constant\", value = %s }\n", values[0])
		}
	}
}

func quoted(text string) string { return strconv.Quote(text) }

// number is a number as TOML has it, with all digits.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
