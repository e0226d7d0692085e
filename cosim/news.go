package cosim

import (
	"strconv"
	"strings"
)

// news returns the message that the row has left its limits, with placeholders for numbers.
func (r *watchedRow) news(above bool) string { return r.subject + ": " + r.rule.news(r, above) }

// fillIn replaces the placeholders of a message about limits by numbers. A placeholder is a number of digits and a
// letter, in braces. 0 digits stands for the shortest form that identifies the number. The letters are t the time [s],
// x the value, s its size, h the upper limit, e the limit that x exceeds. Sources of FMUs contain these messages, too,
// and fill them in the same way.
func fillIn(text string, t, x float64, limits [2]float64) string {
	var b strings.Builder
	for {
		before, placeholder, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number := map[byte]float64{'t': t, 'x': x, 's': max(x, -x), 'h': limits[1], 'e': limits[1]}
		if x < limits[0] {
			number['e'] = limits[0]
		}
		digits := int(placeholder[0] - '0')
		if digits == 0 {
			digits = -1
		}
		b.WriteString(strconv.FormatFloat(number[placeholder[1]], 'g', digits, 64))
		text = placeholder[len("0t}"):]
	}
}
