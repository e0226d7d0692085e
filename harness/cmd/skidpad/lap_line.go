package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/pflag"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/laps"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// usualMargin is the distance of a body from the borders on the line of least curvature [m].
const usualMargin = 0.3

// lineFlags adds the flags of the line along a track. The function that it returns makes the line for a car, and gives
// the width of the body [m]: NaN where neither the flag nor the role outline gives it.
func lineFlags(
	flags *pflag.FlagSet, drives *bool,
) func(manoeuvre.Target, *course.Course) (*course.Course, laps.Line, float64, error) {
	name := flags.String("line", course.Centre, "`LINE` to drive on: centre, the reference line of the file, or "+
		"least-curvature, between the borders")
	width := flags.Float64("body-width", 0, "`WIDTH` [m] of the body on the line of least curvature, and for the borders "+
		"with --drive; default: of the role outline")
	margin := flags.Float64("margin", usualMargin, "`DISTANCE` [m] of the body from the borders on the line of least "+
		"curvature")
	return func(target manoeuvre.Target, track *course.Course) (*course.Course, laps.Line, float64, error) {
		line, race := laps.Line{Name: *name}, *name == course.Race
		switch {
		case !slices.Contains([]string{course.Centre, course.Race}, *name):
			return nil, line, 0, usageError{fmt.Errorf("--line %q; it is %s or %s", *name, course.Centre, course.Race)}
		case !race && flags.Changed("margin"):
			return nil, line, 0, usageError{fmt.Errorf("--margin belongs to the line of least curvature; add --line %s",
				course.Race)}
		case !race && !*drives && flags.Changed("body-width"):
			return nil, line, 0, usageError{fmt.Errorf("--body-width belongs to the line of least curvature and to --drive; "+
				"add --line %s or --drive", course.Race)}
		case flags.Changed("body-width") && !(*width > 0):
			return nil, line, 0, usageError{fmt.Errorf("--body-width is %g m; it must be above 0", *width)}
		case !(*margin >= 0):
			return nil, line, 0, usageError{fmt.Errorf("--margin is %g m; it must be 0 or more", *margin)}
		}
		body := *width
		if !flags.Changed("body-width") && (race || *drives) {
			o, err := target.Resolved()
			if err != nil {
				return nil, line, 0, err
			}
			if body = math.NaN(); o.Outline != nil {
				body = o.Outline.Width
			}
		}
		if race {
			if math.IsNaN(body) {
				return nil, line, 0, errors.New("the width of the car is not known; give it by --body-width, or by the role " +
					"outline")
			}
			line.BodyWidth, line.Margin = body, *margin
		}
		track, line, err := line.Of(track)
		return track, line, body, err
	}
}
