package live

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"skidpad/harness/library"
)

// Instance is an FMU as a vehicle. Its saved states begin with their time: an FMU does not tell the time of a state.
type Instance struct{ *library.Instance }

// Advance sets inputs, makes a communication step of h seconds, and reads outputs.
func (v Instance) Advance(h float64, in []uint32, inputs []float64, out []uint32, outputs []float64) error {
	if err := v.Set(in, inputs); err != nil {
		return err
	}
	if err := v.Step(h); err != nil {
		return err
	}
	return v.Get(out, outputs)
}

// Save returns the time and the complete state.
func (v Instance) Save() ([]byte, error) {
	state, err := v.Instance.Save()
	if err != nil {
		return nil, fmt.Errorf("%w; a live vehicle keeps states, for returns to earlier moments: export an FMU for "+
			"co-simulation that can do so, or run it without a page, 'skidpad simulate'", err)
	}
	time, err := v.Time()
	return append(binary.LittleEndian.AppendUint64(nil, math.Float64bits(time)), state...), err
}

// Restore brings back a saved state and its time.
func (v Instance) Restore(state []byte) error {
	const timeSize = 8
	if len(state) < timeSize {
		return errors.New("the saved state of the FMU has no time")
	}
	return v.Instance.Restore(state[timeSize:], math.Float64frombits(binary.LittleEndian.Uint64(state)))
}
