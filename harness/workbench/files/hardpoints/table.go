package hardpoints

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"skidpad/model/bounded"
)

// table is a CSV file with a name and three coordinates in each row. Names can begin with the prefixes hpl_, hpr_ and
// hps_ of points on the left, on the right and in the plane of symmetry.
var table = form{
	title: "table of points", suggestedAxes: "iso", suggestedUnit: "mm",
	is:   func([]byte) bool { return true },
	read: readTable,
}

var unitOfHeader = regexp.MustCompile(`[\[(]\s*(mm|cm|m|in)\s*[\])]`)

func readTable(text []byte) (content, error) {
	var c content
	r := bounded.NewRows(bytes.NewReader(text))
	r.Comment = '#'
	for first := true; ; first = false {
		fields, err := r.Next()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return c, err // it names the line
		}
		line, _ := r.Place(0)
		if len(fields) != 4 {
			return c, atLine(line, fmt.Errorf("%d fields; a row has a name and three coordinates", len(fields)))
		}
		place, err := numbers(fields[1:])
		if err != nil {
			if first { // the header
				if c.unit, err = headerUnit(fields[1:]); err != nil {
					return c, atLine(line, err)
				}
				continue
			}
			return c, atLine(line, err)
		}
		name, side := strings.TrimSpace(fields[0]), left
		switch {
		case strings.HasPrefix(name, "hpl_"), strings.HasPrefix(name, "hps_"):
			name = name[len("hpl_"):]
		case strings.HasPrefix(name, "hpr_"):
			name, side = name[len("hpr_"):], right
		}
		c.rows = append(c.rows, row{name, side, place, line, ""})
	}
}

// headerUnit is the unit of the coordinates in the header, "" if it names none.
func headerUnit(columns []string) (unit string, err error) {
	for i, c := range columns {
		c = strings.TrimSpace(c)
		if !strings.EqualFold(c[:min(1, len(c))], "xyz"[i:i+1]) {
			return "", fmt.Errorf("column %q; the columns are name, x, y, z", c)
		}
		m := unitOfHeader.FindStringSubmatch(c)
		switch {
		case m == nil:
		case unit != "" && unit != m[1]:
			return "", fmt.Errorf("columns in %s and %s; one unit is allowed", unit, m[1])
		default:
			unit = m[1]
		}
	}
	return unit, nil
}
