package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/laps"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// usualMargin is the distance of a body from the borders on the line of least curvature [m].
const usualMargin = 0.3

// lineFlags adds the flags of the line along a track. The function that it returns makes the line for a car.
func lineFlags(flags *pflag.FlagSet) func(manoeuvre.Target, *course.Course) (*course.Course, laps.Line, error) {
	name := flags.String("line", course.Centre, "`LINE` to drive on: centre, the reference line of the file, or "+
		"least-curvature, between the borders")
	width := flags.Float64("body-width", 0, "`WIDTH` [m] of the body on the line of least curvature; default: of the "+
		"role outline")
	margin := flags.Float64("margin", usualMargin, "`DISTANCE` [m] of the body from the borders on the line of least "+
		"curvature")
	return func(target manoeuvre.Target, track *course.Course) (*course.Course, laps.Line, error) {
		line := laps.Line{Name: *name}
		switch {
		case !slices.Contains([]string{course.Centre, course.Race}, *name):
			return nil, line, usageError{fmt.Errorf("--line %q; it is %s or %s", *name, course.Centre, course.Race)}
		case *name == course.Centre && (flags.Changed("body-width") || flags.Changed("margin")):
			return nil, line, usageError{fmt.Errorf("--body-width and --margin belong to the line of least curvature; add "+
				"--line %s", course.Race)}
		case flags.Changed("body-width") && !(*width > 0):
			return nil, line, usageError{fmt.Errorf("--body-width is %g m; it must be above 0", *width)}
		case !(*margin >= 0):
			return nil, line, usageError{fmt.Errorf("--margin is %g m; it must be 0 or more", *margin)}
		case *name == course.Race:
			line.BodyWidth, line.Margin = *width, *margin
			if !flags.Changed("body-width") {
				o, err := target.Resolved()
				if err != nil {
					return nil, line, err
				}
				if o.Outline == nil {
					return nil, line, errors.New("the width of the car is not known; give it by --body-width, or by the role " +
						"outline")
				}
				line.BodyWidth = o.Outline.Width
			}
		}
		return line.Of(track)
	}
}
