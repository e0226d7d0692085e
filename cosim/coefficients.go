package cosim

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/tire"
)

// tireNumbers are the coefficients of tires that one instance has in place of those of their files.
type tireNumbers struct {
	named       []bool       // by call: the file of its function was set, nil where none was
	assignments []assignment // numbers of tire functions that were set, by ascending index
	files       [][]float64  // by call: the parameters in the file of its function, nil until they are needed
	changes     int          // of functions without a new arrangement
}

// assignment is a number that was set.
type assignment struct {
	index int
	value float64
}

func byIndex(a assignment, index int) int { return cmp.Compare(a.index, index) }

// Coefficients lists the numbers of the tire functions that the texts name now. Their start values come from the
// files; they are 0 where a file cannot be read.
func (in *Instance) Coefficients() []TireVariable {
	return in.sys.listCoefficients(in.texts, coefficients{in}.fileValues)
}

// TireVariables lists coefficients, then peak variables, of the tire functions that the texts name now.
func (in *Instance) TireVariables() []TireVariable {
	return append(in.Coefficients(), in.sys.listPeaks(in.texts)...)
}

// IsTireVariable reports whether an index names a coefficient or a peak, also if the present functions lack it.
func (in *Instance) IsTireVariable(i int) bool {
	_, coefficient := in.sys.read(i)
	_, peak := in.sys.peak(i)
	return coefficient || peak
}

// coefficients is an instance as the numbers of its tire functions see it.
type coefficients struct{ *Instance }

// fileValues returns the parameters of a function as its file has them.
func (in coefficients) fileValues(at spot) ([]float64, error) {
	if in.files == nil {
		in.files = make([][]float64, len(in.sys.program.Calls))
	}
	if in.files[at.call] == nil {
		c := in.sys.program.Calls[at.call]
		name, file := in.sys.chosen(at.call, c, in.texts)
		values, _, err := in.sys.parameters(c, at.kind, name, file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Component(), err)
		}
		in.files[at.call] = values
	}
	return in.files[at.call], nil
}

// value returns the present value of a number.
func (in coefficients) value(index int) (float64, error) {
	at, err := in.sys.locate(index, in.texts)
	if err != nil {
		return 0, err
	}
	if i, set := slices.BinarySearchFunc(in.assignments, index, byIndex); set {
		return in.assignments[i].value, nil
	}
	file, err := in.fileValues(at)
	if err != nil {
		return 0, err
	}
	return at.kind.Complete(file)[at.Place], nil
}

// with returns the tire function after a number is set. It returns nil where only initialisation can judge the
// number: other settings can still make the number valid.
func (in coefficients) with(index int, value float64) (spot, tire.Function, error) {
	at, err := in.sys.locate(index, in.texts)
	if err != nil {
		return at, nil, err
	}
	name := in.sys.nameOf(index)
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return at, nil, fmt.Errorf("%s = %v: the value must be a finite number", name, value)
	case in.initialised && !at.Scale:
		return at, nil, fmt.Errorf("%s cannot be set after initialisation, as scale factors can; reset the instance "+
			"first", name)
	case in.pendingStep.active:
		return at, nil, fmt.Errorf("%s: %w", name, errUnderway)
	case in.initialised && in.derived != nil:
		return at, nil, fmt.Errorf("%s cannot be set while the run carries derivatives; set it before the initialisation",
			name)
	}
	file, err := in.fileValues(at)
	if err != nil {
		return at, nil, err
	}
	values := at.kind.Complete(in.sys.assigned(at.call, at.kind, file, in.assignments, in.texts))
	values[at.Place] = value
	f, err := at.kind.Make(values, in.sys.program.Calls[at.call].Combined)
	if err != nil && (in.initialised || at.kind.Blames(err, at.Coefficient)) {
		return at, nil, fmt.Errorf("%s = %v: %w", name, value, err)
	}
	return at, f, nil
}

// set gives a number of a tire function another value.
func (in coefficients) set(index int, value float64) error {
	at, f, err := in.with(index, value)
	if err != nil {
		return err
	}
	i, set := slices.BinarySearchFunc(in.assignments, index, byIndex)
	if !set {
		in.assignments = slices.Insert(in.assignments, i, assignment{index, value})
	}
	in.assignments[i].value = value
	if !in.initialised {
		in.disconnect()
		return nil
	}
	in.replace(at.call, f)
	return nil
}

// replace gives the function of a call the parameters of another one of its kind, without a new arrangement.
func (in coefficients) replace(call int, by tire.Function) {
	tire.Replace(in.tires.functions[call], by)
	in.tires.plain = false
	in.tires.renew(in.sys.program.Calls[call].Component())
	in.changes++
	in.fresh = false
}

// save appends the set coefficients to a saved state: their count, and the name and value of each.
func (in coefficients) save(b []byte) []byte {
	if len(in.assignments) == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(in.assignments)))
	for _, a := range in.assignments {
		n, _ := in.sys.read(a.index)
		b = binary.LittleEndian.AppendUint32(b, uint32(in.sys.nameLength(a.index)))
		b = append(append(b, n.carrier.name...), '.')
		if n.relaxation {
			b = append(b, relaxationPart...)
		}
		b = append(b, n.name...)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(a.value))
	}
	return b
}

var errCoefficientsCut = errors.New("the coefficients of tires in the saved state are cut short")

// readCoefficients reads the coefficients that were set, and returns the bytes behind them.
func (in stateReader) readCoefficients(s *saved, rest []byte) ([]byte, error) {
	if s.flags&flagCoefficients == 0 {
		return rest, nil
	}
	if len(rest) < 4 {
		return nil, errCoefficientsCut
	}
	count := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	for range count {
		if len(rest) < 4 || uint64(binary.LittleEndian.Uint32(rest))+12 > uint64(len(rest)) {
			return nil, errCoefficientsCut
		}
		n := int(binary.LittleEndian.Uint32(rest))
		name := string(rest[4 : 4+n])
		value := math.Float64frombits(binary.LittleEndian.Uint64(rest[4+n:]))
		rest = rest[4+n+8:]
		index, known := in.sys.FindCoefficient(name)
		if !known {
			return nil, fmt.Errorf("the saved state has set %q, which is not a coefficient of a tire", name)
		}
		if math.IsNaN(value) || math.IsInf(value, 0) || len(s.set) > 0 && s.set[len(s.set)-1].index >= index {
			return nil, errors.New("the saved state holds coefficients of tires that no instance can have")
		}
		s.set = append(s.set, assignment{index, value})
	}
	if len(s.set) == 0 {
		return nil, errors.New("the saved state holds coefficients of tires that no instance can have")
	}
	return rest, in.sys.checkAssignments(s.set, s.texts)
}
