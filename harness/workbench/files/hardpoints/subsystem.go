package hardpoints

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// subsystemText is the file of a subsystem as text, with a block [HARDPOINT]. Its rows have a name, the side and three
// coordinates. The file does not say its axes.
var subsystemText = form{
	title: "subsystem text with [HARDPOINT]", suggestedUnit: "mm",
	is:   func(text []byte) bool { return hardpointBlock.Match(text) },
	read: readSubsystem,
}

var (
	hardpointBlock = regexp.MustCompile(`(?m)^\s*\[HARDPOINT\]`)
	hardpointRow   = regexp.MustCompile(`^\s*'([^']+)'\s+'([^']+)'\s+(\S+)\s+(\S+)\s+(\S+)\s*$`)
	lengthUnit     = regexp.MustCompile(`(?mi)^\s*LENGTH\s*=\s*'([^']*)'`)
)

// lengthUnits are units by their names in the block [UNITS].
var lengthUnits = map[string]string{"mm": "mm", "meter": "m", "m": "m", "inch": "in", "cm": "cm"}

func readSubsystem(text []byte) (content, error) {
	var c content
	if m := lengthUnit.FindSubmatch(text); m != nil {
		unit, ok := lengthUnits[strings.ToLower(string(m[1]))]
		if !ok {
			return c, fmt.Errorf("[UNITS] LENGTH = '%s'; it must be mm, cm, meter or inch", m[1])
		}
		c.unit = unit
	}
	inside, skipped := false, 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		t := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(t, "["):
			inside = strings.HasPrefix(t, "[HARDPOINT]")
			if !inside && !strings.HasPrefix(t, "[UNITS]") {
				skipped++
			}
			continue
		case !inside, t == "", strings.HasPrefix(t, "$"), strings.HasPrefix(t, "!"), strings.HasPrefix(t, "{"):
			continue
		}
		m := hardpointRow.FindStringSubmatch(t)
		if m == nil {
			return c, atLine(i+1, fmt.Errorf("%q; a row of [HARDPOINT] is 'name' 'left/right' x y z", t))
		}
		place, err := numbers(m[3:6])
		if err != nil {
			return c, atLine(i+1, err)
		}
		switch m[2] {
		case "left/right", "left", "single":
			c.rows = append(c.rows, row{m[1], left, place, i + 1, ""})
		case "right":
			c.rows = append(c.rows, row{m[1], right, place, i + 1, ""})
		default:
			return c, atLine(i+1, fmt.Errorf("side %q; it must be left, right, left/right or single", m[2]))
		}
	}
	if skipped > 0 {
		c.ignored = append(c.ignored, fmt.Sprintf("%d other blocks of the file", skipped))
	}
	return c, nil
}
