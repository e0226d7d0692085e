package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"skidpad/cosim"
	"skidpad/fmu"
)

// maxText bounds the length of a string argument, in bytes.
const maxText = 1 << 16

// cVariable is skidpad_variable of skidpad.h, field by field.
type cVariable struct {
	reference        uint32
	causality        int32
	start            float64
	name, unit, text *byte
	minimum, maximum float64
	nominal          float64
	kind             int32
}

// load reads and formulates a model; see skidpad_load_reactions.
func load(path, tree, reactions *byte, handle *uintptr, reason *byte, capacity int64) status {
	if handle == nil || capacity < 0 || (reason == nil && capacity > 0) {
		return statusArgument
	}
	*handle = 0
	err := protect(func() error {
		file, err := goText("path", path)
		if err != nil {
			return err
		}
		selection := ""
		if tree != nil {
			if selection, err = goText("tree", tree); err != nil {
				return err
			}
		}
		var asked []string
		if reactions != nil {
			text, err := goText("reactions", reactions)
			if err != nil {
				return err
			}
			asked = elements(text)
		}
		*handle, err = loadModel(file, selection, asked)
		return err
	})
	text := ""
	if err != nil {
		text = err.Error()
	}
	putText(reason, capacity, text)
	if s := statusOf(err); s != statusRefused {
		return s
	}
	return statusModel
}

// elements returns the parts of a comma-separated list.
func elements(list string) (parts []string) {
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// free releases a vehicle; see skidpad_free.
func free(handle uintptr) status { return freeOf(handle, nil) }

// freeOf releases a vehicle; owner is the fleet that owns the vehicle, nil for none.
func freeOf(handle uintptr, owner *vehicleFleet) status {
	s := guardDefective(handle, func(v *vehicle) error {
		if v.owner != owner {
			return argumentError("the vehicle belongs to a fleet and lives as long; release the fleet by skidpad_fleet_free")
		}
		vehicles.forget(handle)
		v.release()
		return nil
	})
	if s == statusOK { // no call uses the vehicle any more
		vehicles.retire(handle)
	}
	return s
}

// lastError returns the C text of the latest failure; see skidpad_last_error.
func lastError(handle uintptr) (text *byte) {
	guardDefective(handle, func(v *vehicle) error {
		var none error
		defer memoryError(&none)  // without memory there is no text now, and the failure stays
		now := cString(v.failure) // before the text of the last call is freed
		cFree(v.failureText)
		v.failureText, text = now, now
		return nil
	})
	return text
}

// variableCount: see skidpad_variable_count.
func variableCount(handle uintptr, count *int64) status {
	return guard(handle, func(v *vehicle) error {
		if count == nil {
			return argumentError("count is NULL")
		}
		*count = int64(len(v.variables) + len(v.tireVariables()))
		return nil
	})
}

// describe: see skidpad_describe.
func describe(handle uintptr, index int64, out *cVariable) status {
	return guard(handle, func(v *vehicle) error {
		if out == nil {
			return argumentError("variable is NULL")
		}
		if first := int64(len(v.variables)); index >= first && index < first+int64(len(v.tireVariables())) {
			c := &v.tireVariables()[index-first]
			*out = cVariable{reference: uint32(c.Index), start: c.Start, kind: kindCoefficient}
			out.minimum, out.maximum, out.nominal = math.NaN(), math.NaN(), math.NaN()
			switch {
			case c.Kind == cosim.Peak:
				out.kind, out.causality = kindPeak, causalityLocal
			case c.Tunable:
				out.causality = causalityTunable
			}
			out.name, out.unit, out.text = v.textsOfTireVariable(c)
			return nil
		}
		if index < 0 || index >= int64(len(v.variables)) {
			return argumentError(fmt.Sprintf("variable index %d; the model has %d variables", index,
				len(v.variables)+len(v.tireVariables())))
		}
		variable := &v.variables[index]
		*out = cVariable{
			reference: variable.Reference, causality: causalityOf(variable), start: variable.Start, kind: kindOf(variable),
		}
		out.minimum, out.maximum, out.nominal = variable.Range()
		out.name, out.unit, out.text = v.textsOf(int(index))
		return nil
	})
}

// find: see skidpad_find.
func find(handle uintptr, name *byte, reference *uint32) status {
	return guard(handle, func(v *vehicle) error {
		if reference == nil {
			return argumentError("reference is NULL")
		}
		key, err := goText("name", name)
		if err != nil {
			return err
		}
		i, known := v.byName[key]
		if !known {
			list := v.tireVariables()
			if at := slices.IndexFunc(list, func(c cosim.TireVariable) bool { return c.Name == key }); at >= 0 {
				i, known = list[at].Index, true
			}
		}
		if !known {
			return argumentError(fmt.Sprintf("no variable is called %q", key))
		}
		*reference = uint32(i)
		return nil
	})
}

// set: see skidpad_set.
func set(handle uintptr, references *uint32, count int64, values *float64) status {
	return guard(handle, func(v *vehicle) error {
		refs, vals, err := v.arrays(references, count, values)
		if err != nil {
			return err
		}
		return v.put(refs, vals)
	})
}

// setRates: see skidpad_set_rates.
func setRates(handle uintptr, references *uint32, count int64, rates *float64) status {
	return guard(handle, func(v *vehicle) error {
		refs, vals, err := v.arrays(references, count, rates)
		if err != nil {
			return err
		}
		for i, ref := range refs {
			if err := v.known(ref); err != nil {
				return err
			}
			if err := v.engine.SetRate(int(ref), vals[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// get: see skidpad_get.
func get(handle uintptr, references *uint32, count int64, values *float64) status {
	return guard(handle, func(v *vehicle) error {
		refs, vals, err := v.arrays(references, count, values)
		if err != nil {
			return err
		}
		return v.take(refs, vals)
	})
}

// setText: see skidpad_set_text.
func setText(handle uintptr, name, value *byte) status {
	return guard(handle, func(v *vehicle) error {
		key, err := goText("name", name)
		if err != nil {
			return err
		}
		text, err := goText("value", value)
		if err != nil {
			return err
		}
		v.ofTires = nil
		return v.engine.SetText(key, text)
	})
}

// getText: see skidpad_get_text.
func getText(handle uintptr, name, value *byte, capacity int64) status {
	return guard(handle, func(v *vehicle) error {
		key, err := goText("name", name)
		if err != nil {
			return err
		}
		if value == nil || capacity <= 0 {
			return argumentError("value is NULL or capacity is not above 0")
		}
		text, err := v.engine.Text(key)
		if err == nil {
			putText(value, capacity, text)
		}
		return err
	})
}

// setTimeLimit: see skidpad_set_time_limit.
func setTimeLimit(handle uintptr, seconds float64) status {
	return guard(handle, func(v *vehicle) error {
		limit, err := timeLimit(seconds)
		if err == nil {
			v.engine.SetTimeLimit(limit)
		}
		return err
	})
}

// timeLimit converts a limit in seconds.
func timeLimit(seconds float64) (time.Duration, error) {
	if !(seconds >= 0 && seconds <= longestLimit) {
		return 0, argumentError(fmt.Sprintf("the time limit is %g s; it must be from 0, which is none, to %g s",
			seconds, longestLimit))
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

const longestLimit = 1e6 // s

// warnings: see skidpad_warnings.
func warnings(handle uintptr, text *byte, capacity int64) status {
	return guard(handle, func(v *vehicle) error {
		if text == nil || capacity <= 0 {
			return argumentError("text is NULL or capacity is not above 0")
		}
		list, notes := v.engine.Warnings(), v.engine.Notes()
		list, v.warned = list[min(v.warned, len(list)):], len(list)
		if len(notes) > 0 && !v.noted { // once per start
			list, v.noted = slices.Concat(list, notes), true
		}
		putText(text, capacity, strings.Join(append(slices.Clone(list), v.engine.RangeWarnings()...), "\n"))
		return nil
	})
}

// trim: see skidpad_trim.
func trim(handle uintptr) status {
	return guard(handle, func(v *vehicle) error {
		_, err := v.engine.Trim()
		return err
	})
}

// initialise: see skidpad_initialise.
func initialise(handle uintptr) status {
	return guard(handle, func(v *vehicle) error { return v.engine.Initialise() })
}

// step: see skidpad_step.
func step(handle uintptr, h float64) status {
	return guard(handle, func(v *vehicle) error {
		v.stepsAlone()
		return v.engine.Step(h)
	})
}

// The values of skidpad_read.
const (
	readAfterStep int32 = iota
	readAfterInputs
)

// checkRead refuses what is no skidpad_read.
func checkRead(read int32) error {
	if read == readAfterStep || read == readAfterInputs {
		return nil
	}
	return argumentError(fmt.Sprintf("read is %d; it must be SKIDPAD_READ_AFTER_STEP or SKIDPAD_READ_AFTER_INPUTS",
		read))
}

// rollout: see skidpad_rollout.
func rollout(handle uintptr, steps int64, h float64, in *uint32, nIn int64, inputs *float64, out *uint32, nOut int64,
	outputs *float64, read int32, made *int64) status {
	if made != nil {
		*made = 0
	}
	return guard(handle, func(v *vehicle) error {
		if steps < 0 {
			return argumentError(fmt.Sprintf("steps is %d; it must not be negative", steps))
		}
		if err := checkRead(read); err != nil {
			return err
		}
		v.stepsAlone()
		for n := range steps {
			toSet, values, err := v.arrays(in, nIn, at(inputs, int(n*nIn)))
			if err != nil {
				return err
			}
			toRead, found, err := v.arrays(out, nOut, at(outputs, int(n*nOut)))
			if err != nil {
				return err
			}
			if err := v.put(toSet, values); err != nil {
				return err
			}
			if read == readAfterInputs {
				if err := v.take(toRead, found); err != nil {
					return err
				}
			}
			if err := v.engine.Step(h); err != nil {
				return err
			}
			if read == readAfterStep {
				if err := v.take(toRead, found); err != nil {
					return err
				}
			}
			if made != nil {
				*made = n + 1
			}
		}
		return nil
	})
}

// timeOf: see skidpad_time.
func timeOf(handle uintptr, time *float64) status {
	return guard(handle, func(v *vehicle) error {
		if time == nil {
			return argumentError("time is NULL")
		}
		*time = v.engine.Time()
		return nil
	})
}

// stateSize: see skidpad_state_size.
func stateSize(handle uintptr, size *int64) status {
	return guard(handle, func(v *vehicle) error {
		if size == nil {
			return argumentError("size is NULL")
		}
		*size = int64(v.engine.StateSize())
		return nil
	})
}

// save: see skidpad_save.
func save(handle uintptr, buffer *byte, capacity int64) status {
	return guard(handle, func(v *vehicle) error {
		state, err := v.state(buffer, capacity)
		if err != nil {
			return err
		}
		need := v.engine.StateSize()
		if len(state) < need {
			return argumentError(fmt.Sprintf("buffer of %d bytes; the state has %d", len(state), need))
		}
		return v.engine.Save(state[:need])
	})
}

// restore: see skidpad_restore.
func restore(handle uintptr, buffer *byte, size int64) status {
	return guardDefective(handle, func(v *vehicle) error {
		state, err := v.state(buffer, size)
		if err != nil {
			return err
		}
		if err := v.revive(); err != nil {
			return err
		}
		v.ofTires = nil
		return v.engine.Restore(state)
	})
}

// reset: see skidpad_reset.
func reset(handle uintptr) status {
	return guardDefective(handle, func(v *vehicle) error {
		v.ofTires, v.noted = nil, false
		if v.broken == nil {
			err := protect(func() error { v.engine.Reset(); return nil })
			if err == nil {
				return nil
			}
			v.broken = err
		}
		return v.revive()
	})
}

// causalityTunable is the skidpad_causality of parameters that can also be set between steps.
const causalityTunable = 3

// causalityLocal is the skidpad_causality of variables that are computed only when they are read.
const causalityLocal = 4

// causalityOf returns the skidpad_causality of a variable.
func causalityOf(v *fmu.Variable) int32 {
	switch v.Causality {
	case fmu.Parameter:
		return 0
	case fmu.Input:
		return 1
	case fmu.Local:
		return causalityLocal
	}
	return 2
}

// The skidpad_kind of variables of tire functions, and of rates of states.
const (
	kindCoefficient = 7
	kindPeak        = 8
	kindRate        = 9
)

// kindOf returns the skidpad_kind of a variable of the model.
func kindOf(v *fmu.Variable) int32 {
	if v.IsState() {
		return 3
	}
	switch v.Kind {
	case cosim.Parameter:
		return 0
	case cosim.Input:
		return 1
	case cosim.Contact:
		return 4
	case cosim.Energy:
		return 5
	case cosim.Ended:
		return 6
	case cosim.Rate:
		return kindRate
	}
	return 2
}

// arrays returns the caller's arrays as slices.
func (v *vehicle) arrays(references *uint32, count int64, values *float64) ([]uint32, []float64, error) {
	if count == 0 {
		return nil, nil, nil
	}
	if most := int64(len(v.variables)); count < 0 || count > most && count > most+int64(len(v.tireVariables())) {
		return nil, nil, argumentError(fmt.Sprintf("count %d; allowed are 0 to %d, the number of variables",
			count, len(v.variables)+len(v.tireVariables())))
	}
	if references == nil || values == nil {
		return nil, nil, argumentError("references or values is NULL")
	}
	return unsafe.Slice(references, count), unsafe.Slice(values, count), nil
}

// known reports whether reference names a variable.
func (v *vehicle) known(reference uint32) error {
	if int64(reference) >= int64(len(v.variables)) && !v.engine.IsTireVariable(int(reference)) {
		return argumentError(fmt.Sprintf("unknown value reference %d; "+
			"the model has 0 to %d and those of coefficients and peaks of tires", reference, len(v.variables)-1))
	}
	return nil
}

// state returns the caller's state buffer.
func (v *vehicle) state(buffer *byte, size int64) ([]byte, error) {
	if buffer == nil {
		return nil, argumentError("buffer is NULL")
	}
	if size < 0 || size > maxState {
		return nil, argumentError(fmt.Sprintf("size %d; a state has 0 to %d bytes", size, maxState))
	}
	return unsafe.Slice(buffer, size), nil
}

// maxState bounds the size of states that a caller passes, in bytes.
const maxState = 1 << 28

// goText copies a C string of the caller; what names the string in errors.
func goText(what string, text *byte) (string, error) {
	if text == nil {
		return "", argumentError(what + " is NULL")
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		if n++; n == maxText {
			return "", argumentError(fmt.Sprintf("%s is longer than %d bytes", what, maxText-1))
		}
	}
	return string(unsafe.Slice(text, n)), nil
}

// putText writes text to a buffer of the caller, cut to its capacity.
func putText(buffer *byte, capacity int64, text string) {
	if buffer == nil || capacity <= 0 {
		return
	}
	room := unsafe.Slice(buffer, min(capacity, int64(len(text))+1))
	room[copy(room[:len(room)-1], text)] = 0
}
