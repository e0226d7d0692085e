package library

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// base is the base type of a variable; it selects the FMI functions.
type base uint8

const (
	float64Base base = iota
	float32Base
	int8Base
	uint8Base
	int16Base
	uint16Base
	int32Base
	uint32Base
	int64Base
	uint64Base
	boolean3 // one byte
	boolean2 // an int
	text
	other // binary values and clocks
	bases // how many there are
)

// baseInfo describes a base type.
type baseInfo struct {
	name        string // in the names of functions
	size        int    // of a value [bytes]
	least, most float64
}

// exact is up to where all whole numbers are numbers of double precision.
const exact = 1 << 53

var infos = [bases]baseInfo{
	float64Base: {"Float64", 8, 0, 0}, float32Base: {"Float32", 4, 0, 0},
	int8Base: {"Int8", 1, math.MinInt8, math.MaxInt8}, uint8Base: {"UInt8", 1, 0, math.MaxUint8},
	int16Base: {"Int16", 2, math.MinInt16, math.MaxInt16}, uint16Base: {"UInt16", 2, 0, math.MaxUint16},
	int32Base: {"Int32", 4, math.MinInt32, math.MaxInt32}, uint32Base: {"UInt32", 4, 0, math.MaxUint32},
	int64Base: {"Int64", 8, -exact, exact}, uint64Base: {"UInt64", 8, 0, exact},
	boolean3: {"Boolean", 1, 0, 1}, boolean2: {"Boolean", 4, 0, 1}, text: {"String", 8, 0, 0},
}

// baseCalled is the base type with the name of an element of a description.
func baseCalled(name string, version int) base {
	if version == 2 {
		switch name {
		case "Real":
			return float64Base
		case "Integer", "Enumeration":
			return int32Base
		case "Boolean":
			return boolean2
		case "String":
			return text
		}
		return other
	}
	if name == "Enumeration" {
		return int64Base
	}
	for b := range bases {
		if infos[b].name == name && b != boolean2 {
			return b
		}
	}
	return other
}

func (b base) float() bool { return b <= float32Base }

// function is the name of the base type in the names of functions of a version.
func (b base) function(version int) string {
	if version == 2 && b != text && b != boolean2 {
		return map[base]string{float64Base: "Real", int32Base: "Integer"}[b]
	}
	return infos[b].name
}

// parse reads a start value.
func (b base) parse(text string) (float64, error) {
	if b == boolean2 || b == boolean3 {
		switch text {
		case "true", "1":
			return 1, nil
		case "false", "0":
			return 0, nil
		}
		return 0, fmt.Errorf("start value %q is not a Boolean: true or false", text)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("start value %q is not a number", text)
	}
	return x, nil
}

// check says why a number is no value of the base type.
func (b base) check(x float64) error {
	if b.float() {
		return nil
	}
	if i := infos[b]; x != math.Trunc(x) || !(x >= i.least && x <= i.most) {
		return fmt.Errorf("%v is not a value of type %s: whole numbers from %.17g to %.17g are", x, i.name, i.least, i.most)
	}
	return nil
}

// load reads a value.
func (b base) load(from unsafe.Pointer) float64 {
	switch b {
	case float64Base:
		return *(*float64)(from)
	case float32Base:
		return float64(*(*float32)(from))
	case int8Base:
		return float64(*(*int8)(from))
	case uint8Base:
		return float64(*(*uint8)(from))
	case int16Base:
		return float64(*(*int16)(from))
	case uint16Base:
		return float64(*(*uint16)(from))
	case int32Base:
		return float64(*(*int32)(from))
	case uint32Base:
		return float64(*(*uint32)(from))
	case int64Base:
		return float64(*(*int64)(from))
	case uint64Base:
		return float64(*(*uint64)(from))
	case boolean3:
		return float64(min(*(*uint8)(from), 1))
	case boolean2:
		if *(*int32)(from) != 0 {
			return 1
		}
	}
	return 0
}

// store writes a value that check lets pass.
func (b base) store(to unsafe.Pointer, x float64) {
	switch b {
	case float64Base:
		*(*float64)(to) = x
	case float32Base:
		*(*float32)(to) = float32(x)
	case int8Base:
		*(*int8)(to) = int8(x)
	case uint8Base, boolean3:
		*(*uint8)(to) = uint8(x)
	case int16Base:
		*(*int16)(to) = int16(x)
	case uint16Base:
		*(*uint16)(to) = uint16(x)
	case int32Base, boolean2:
		*(*int32)(to) = int32(x)
	case uint32Base:
		*(*uint32)(to) = uint32(x)
	case int64Base:
		*(*int64)(to) = int64(x)
	case uint64Base:
		*(*uint64)(to) = uint64(x)
	}
}
