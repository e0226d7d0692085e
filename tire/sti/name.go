package sti

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ABI says how a routine takes its arguments.
type ABI int32

// The conventions.
const (
	GFortran ABI = iota // all by reference; lengths of texts by value at the end
	IfortWin            // the same of Intel Fortran for Windows on x86-64, whose symbols are in capitals
	AdamsC              // C in the style of Adams: lengths by reference, each directly behind its text
)

var abis = []string{"gfortran", "ifort-win", "adams-c"}

// RoadForm says which road routine a routine calls.
type RoadForm int32

// The forms.
const (
	TYDEXRoad RoadForm = iota // height at a place
	AdamsRoad                 // penetration of a disc
)

var roadForms = []string{"tydex", "adams"}

// Name says where a routine is and how it is to be called:
//
//	LIBRARY#ROUTINE?KEY=VALUE&KEY=VALUE
//
// with these keys, all optional, the first value being the default:
//
//	abi        gfortran, ifort-win, adams-c
//	road       tydex, adams
//	iswtch     4; a whole number
//	deqini     start: DEQVAR begins with DEQINI; offset: it begins with 0, and the tire adds DEQINI
//	angtwc     zero; state: the rim's angle is a state behind those of the tire
//	library    private: each vehicle has a copy of the library; shared: it serves many at once
//	varinf     Fx:1,Fy:2: components in axes W that are taken from VARINF
//	ropar      Fz:1,S:2: places of ROPAR in which the tire finds what the vehicle knows of its contact
type Name struct {
	Library, Routine string
	ABI              ABI
	Road             RoadForm
	Switch           int32
	Offset           bool // DEQINI is added by the tire
	Angle            bool // ANGTWC is integrated
	Shared           bool
	Outputs          []Place // components in W by their places in VARINF
	Contact          []Place // quantities of the contact by their places in ROPAR
}

// Place is the place of a quantity in an array, from 1.
type Place struct {
	Quantity string
	At       int32
}

// components are the results of a tire in axes W.
var components = []string{"Fx", "Fy", "Mx", "My", "Mz", "Fz"}

// contact are the quantities of the contact that a tire can ask for; see skidpad_tire.h.
var contact = []string{"Fz", "S", "alpha", "Omega", "gamma", "Reff", "Rl", "VCx", "VCy", "VPx", "VPy", "VEx", "VPxs",
	"VExs", "wn", "mu"}

// NewName reads the options of a name.
func NewName(library, routine, options string) (Name, error) {
	n := Name{Library: library, Routine: routine, Switch: 4}
	seen := map[string]bool{}
	for _, option := range strings.FieldsFunc(options, func(r rune) bool { return r == '&' }) {
		key, value, _ := strings.Cut(option, "=")
		if seen[key] {
			return n, fmt.Errorf("option %s is given twice", key)
		}
		seen[key] = true
		if err := n.set(key, value); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *Name) set(key, value string) (err error) {
	word := func(words ...string) int {
		i := slices.Index(words, value)
		if i < 0 {
			err = fmt.Errorf("option %s is %q; it must be %s", key, value, strings.Join(words, " or "))
		}
		return i
	}
	switch key {
	case "abi":
		n.ABI = ABI(word(abis...))
	case "road":
		n.Road = RoadForm(word(roadForms...))
	case "deqini":
		n.Offset = word("start", "offset") == 1
	case "angtwc":
		n.Angle = word("zero", "state") == 1
	case "library":
		n.Shared = word("private", "shared") == 1
	case "iswtch":
		i, failed := strconv.ParseInt(value, 10, 32)
		if failed != nil {
			return fmt.Errorf("option iswtch is %q; it must be a whole number, as the routine wants it", value)
		}
		n.Switch = int32(i)
	case "varinf":
		n.Outputs, err = places(key, value, components)
	case "ropar":
		n.Contact, err = places(key, value, contact)
	default:
		err = fmt.Errorf("unknown option %q; there are abi, road, iswtch, deqini, angtwc, library, varinf, ropar", key)
	}
	return err
}

// largest is the largest size of an array.
const largest = 1 << 20

// places reads a list of quantities with their places.
func places(key, value string, allowed []string) ([]Place, error) {
	var list []Place
	for _, item := range strings.Split(value, ",") {
		quantity, number, _ := strings.Cut(item, ":")
		at, err := strconv.Atoi(number)
		switch {
		case !slices.Contains(allowed, quantity):
			return nil, fmt.Errorf("option %s: there is no quantity %q; there are %s", key, quantity,
				strings.Join(allowed, ", "))
		case err != nil || at < 1 || at > largest:
			return nil, fmt.Errorf("option %s: the place of %s is %q; places count from 1, as in %s:1", key, quantity,
				number, quantity)
		case slices.ContainsFunc(list, func(p Place) bool { return p.Quantity == quantity || p.At == int32(at) }):
			return nil, fmt.Errorf("option %s: %s: a quantity or a place is given twice", key, item)
		}
		list = append(list, Place{quantity, int32(at)})
	}
	return list, nil
}

// errLong says that a file name does not fit.
var errLong = errors.New("its file name has more than 256 characters, which STI routines cannot take; use a shorter " +
	"path")
