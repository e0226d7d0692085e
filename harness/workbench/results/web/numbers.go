package web

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/klauspost/compress/flate"
)

// Numbers are the numbers of a page, one column behind the other. numbers.js reads them in the same order.
type Numbers struct{ data []byte }

// Column says how a column of numbers is written. Step belongs to the kinds Codes and Even.
type Column struct {
	Kind int     `json:"kind"`
	Low  float64 `json:"low"`
	Step float64 `json:"step,omitempty"`
}

// Kinds of columns. Numbers are Low in all rows; codes of 16 bits, Low + code * Step; of 64 or 32 bits; or Low + row *
// Step, without data.
const (
	Constant = iota
	Codes
	Doubles
	Singles
	Even
)

// mostCode is the largest code. Low is rounded to steps, which takes one.
const mostCode = math.MaxUint16

// StepOfCodes is the least distance of codes for numbers in a range.
func StepOfCodes(low, high float64) float64 { return (high - low) / (mostCode - 1) }

// decimalStep is the least step of 1, 2 or 5 times a power of ten, so that round numbers stay round.
func decimalStep(low, high float64) float64 {
	least := StepOfCodes(low, high)
	power := math.Floor(math.Log10(least))
	for _, digit := range []float64{1, 2, 5} {
		if step, err := strconv.ParseFloat(fmt.Sprintf("%ge%g", digit, power), 64); err == nil && step >= least {
			return step
		}
	}
	return math.Pow(10, power+1)
}

// Decimals adds numbers as codes of 16 bits, at most 1/26000 of their range apart.
func (n *Numbers) Decimals(values []float64) Column {
	low, high := slices.Min(values), slices.Max(values)
	if !(high > low) {
		return Column{Low: low}
	}
	return n.Codes(values, decimalStep(low, high))
}

// Codes adds numbers as codes of 16 bits, multiples of a step, at least StepOfCodes of the numbers.
func (n *Numbers) Codes(values []float64, step float64) Column {
	first := math.Round(slices.Min(values) / step)
	// Second differences of smooth numbers are small: their upper bytes, side by side, are alike.
	at := len(n.data)
	n.data = append(n.data, make([]byte, 2*len(values))...)
	lower, upper := n.data[at:at+len(values)], n.data[at+len(values):]
	var code, rise uint16
	for i, v := range values {
		next := uint16(math.Round(v/step) - first)
		bend := next - code - rise
		lower[i], upper[i] = byte(bend), byte(bend>>8)
		code, rise = next, next-code
	}
	return Column{Codes, first * step, step}
}

// Rising adds numbers that rise, some of a list: as codes of 16 bits, exactly if the list begins with 0, has even steps
// and at most 65536 rows.
func (n *Numbers) Rising(values, list []float64) Column {
	if c, is := n.Even(values); is {
		return c
	}
	if c, is := n.Even(list); is && c.Low == 0 && len(list)-1 <= mostCode {
		return n.Codes(values, c.Step)
	}
	return n.Decimals(values)
}

// Even is the column of numbers that rise by even steps, as times do, if they do.
func (n *Numbers) Even(values []float64) (c Column, is bool) {
	last := len(values) - 1
	if last < 2 || !(values[last] > values[0]) {
		return c, false
	}
	c = Column{Even, values[0], (values[last] - values[0]) / float64(last)}
	const rounding = 1e-5 // of a step
	for i, v := range values {
		if math.Abs(v-c.Low-float64(i)*c.Step) > rounding*c.Step {
			return c, false
		}
	}
	return c, true
}

// Doubles adds numbers of 64 bits.
func (n *Numbers) Doubles(values []float64) Column {
	for _, v := range values {
		n.data = binary.LittleEndian.AppendUint64(n.data, math.Float64bits(v))
	}
	return Column{Kind: Doubles}
}

// Singles adds numbers of 32 bits.
func (n *Numbers) Singles(values []float64) Column {
	for _, v := range values {
		n.data = binary.LittleEndian.AppendUint32(n.data, math.Float32bits(float32(v)))
	}
	return Column{Kind: Singles}
}

// Packed is the data, deflated and in base64.
func (n *Numbers) Packed() (string, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(n.data); err != nil {
		return "", err
	}
	err = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}
