package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skidpad/harness/workbench/runs/constants"
)

// seconds is the value of a flag that is a time.
type seconds struct {
	s       *float64
	zeroToo bool // 0 is allowed
}

// secondsFlag adds a flag of a time above 0, given in seconds or with a unit; usage has its name in backquotes.
func secondsFlag(flags *pflag.FlagSet, name string, standard float64, usage string) *float64 {
	return addSeconds(flags, name, standard, usage, false)
}

// secondsOrZeroFlag is secondsFlag for a time that can be 0.
func secondsOrZeroFlag(flags *pflag.FlagSet, name string, standard float64, usage string) *float64 {
	return addSeconds(flags, name, standard, usage, true)
}

func addSeconds(flags *pflag.FlagSet, name string, standard float64, usage string, zeroToo bool) *float64 {
	value := &seconds{s: &standard, zeroToo: zeroToo}
	flags.Var(value, name, usage)
	return value.s
}

func (v *seconds) String() string {
	if v.s == nil {
		return "0"
	}
	return strconv.FormatFloat(*v.s, 'g', -1, 64)
}

func (v *seconds) Type() string { return "SECONDS" }

// unspaced matches a number with a unit directly behind it. No unit of time begins with e, as an exponent does.
var unspaced = regexp.MustCompile(`^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)([A-DF-Za-df-zµ].*)$`)

func (v *seconds) Set(text string) error {
	x, written, is, err := constants.ParseWritten("", "", unspaced.ReplaceAllString(strings.TrimSpace(text), "$1 $2"))
	if is && err == nil {
		err = written.Fits("s")
	} else if err == nil {
		x, err = finite(strings.TrimSpace(text))
	}
	if err != nil {
		return fmt.Errorf("%q is not a time; give seconds, or a number with a unit of time such as 10ms or \"2 min\"", text)
	}
	switch {
	case v.zeroToo && x < 0:
		return fmt.Errorf("%s is below 0", text)
	case !v.zeroToo && x <= 0:
		return fmt.Errorf("%s is not above 0", text)
	}
	*v.s = x
	return nil
}
