package hardpoints

import (
	"math"
	"regexp"
	"strings"
	"unicode"
)

// listing is a printed list of coordinates of a Lotus program. A row is x y z POINT:n name or x y z POINT ( n ) = name.
// Its axes are x rearward and z up.
var listing = form{
	title: "Lotus listing", axes: "lotus", unit: "mm",
	is:   func(text []byte) bool { return listingRow.Match(text) },
	read: readListing,
}

const listingNumber = `([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)`

var (
	listingRow = regexp.MustCompile(`(?mi)^[ \t]*` + listingNumber + `[ \t,]+` + listingNumber + `[ \t,]+` +
		listingNumber + `[ \t,]+POINT[ \t]*(?::[ \t]*[0-9]+|\([ \t]*[0-9]+[ \t]*\)[ \t]*=)[ \t:]*(.+?)[ \t\r]*$`)
	// valueRow is a line of a value, such as CASTOR TRAIL (HUB TRAIL) (mm): 5.00.
	valueRow = regexp.MustCompile(`(?i)^[ \t]*([a-z][^:\n]*?)[ \t]*\((mm|deg|degs)\)[ \t]*:?[ ` +
		`\t]*` + listingNumber + `[ \t\r]*$`)
	springLine = regexp.MustCompile(`(?i)damper to (lower wishbone|upper wishbone|upright)`)
)

// listedFigures are figures of the rig that listings have.
var listedFigures = []struct {
	name   *regexp.Regexp
	figure string
	sign   float64
}{
	{regexp.MustCompile(`(?i)^cast[eo]r angle$`), "castor", 1},
	{regexp.MustCompile(`(?i)^king ?pin (angle|inclination)$`), "inclination", 1},
	{regexp.MustCompile(`(?i)^cast[eo]r offset( \(grnd\))?$`), "trail", 1},
	{regexp.MustCompile(`(?i)^cast[eo]r trail \(hub( trail)?\)$`), "hub_trail", -1}, // positive: the axis is behind
	{regexp.MustCompile(`(?i)^king ?pin offset \((at ground|grnd)\)$`), "scrub", 1},
	{regexp.MustCompile(`(?i)^king ?pin offset \((at wheel|w/c)\)$`), "hub_offset", 1},
	{regexp.MustCompile(`(?i)^roll centre height$`), "roll_centre_one_wheel", 1},
}

var radiusName = regexp.MustCompile(`(?i)^tyre rolling radius$`)

// springChoices are choices of the option spring_on.
var springChoices = map[string]string{"lower wishbone": "lower", "upper wishbone": "upper", "upright": "carrier"}

func readListing(text []byte) (content, error) {
	var c content
	for i, line := range strings.Split(string(text), "\n") {
		if m := listingRow.FindStringSubmatch(line); m != nil {
			place, err := numbers(m[1:4])
			if err != nil {
				return c, atLine(i+1, err)
			}
			c.rows = append(c.rows, row{m[4], left, place, i + 1, ""})
			continue
		}
		if m := springLine.FindStringSubmatch(line); m != nil {
			c.options = append(c.options, Option{"spring_on", springChoices[strings.ToLower(m[1])], strings.TrimSpace(line)})
			continue
		}
		if m := valueRow.FindStringSubmatch(line); m != nil {
			x, err := number(m[3])
			if err != nil {
				return c, atLine(i+1, err)
			}
			c.take(m[1], m[3], x*map[bool]float64{true: 1e-3, false: math.Pi / 180}[strings.EqualFold(m[2], "mm")])
			continue
		}
		if line = strings.TrimSpace(line); strings.ContainsFunc(line, unicode.IsLetter) {
			c.ignored = append(c.ignored, line)
		}
	}
	return c, nil
}

// take takes a value of a listing [m], [rad].
func (c *content) take(name, text string, x float64) {
	if radiusName.MatchString(name) {
		c.radius = x
		return
	}
	for _, f := range listedFigures {
		if f.name.MatchString(name) {
			c.printed = append(c.printed, Printed{f.figure, f.sign * x, name, text})
			return
		}
	}
	c.ignored = append(c.ignored, name)
}
