package hardpoints

import (
	"bytes"
	"regexp"
	"strings"
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
	castorLine  = regexp.MustCompile(`(?mi)^[ \t]*CAST[EO]R ANGLE[^-+0-9\n]*` + listingNumber)
	kingpinLine = regexp.MustCompile(`(?mi)^[ \t]*KING ?PIN (?:ANGLE|INCLINATION)[^-+0-9\n]*` + listingNumber)
)

func readListing(text []byte) (content, error) {
	c := content{printed: map[string]float64{}}
	other := 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		m := listingRow.FindSubmatch(line)
		if m == nil {
			if strings.TrimSpace(string(line)) != "" {
				other++
			}
			continue
		}
		place, err := numbers([]string{string(m[1]), string(m[2]), string(m[3])})
		if err != nil {
			return c, atLine(i+1, err)
		}
		c.rows = append(c.rows, row{string(m[4]), left, place, i + 1})
	}
	for name, pattern := range map[string]*regexp.Regexp{"castor angle": castorLine, "kingpin angle": kingpinLine} {
		m := pattern.FindSubmatch(text)
		if m == nil {
			continue
		}
		v, err := number(string(m[1]))
		if err != nil {
			return c, err
		}
		c.printed[name] = v
	}
	return c, nil
}
