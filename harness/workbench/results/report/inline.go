package report

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"strconv"
)

var (
	prolog = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)
	fonts  = regexp.MustCompile(`font-family:[^;"]*;font-variant:normal;font-weight:normal;font-style:normal;`)
	lines  = regexp.MustCompile(` d="M[-0-9.,LM]*[0-9]"`)
	knot   = regexp.MustCompile(`([ML])([-0-9.]+),([-0-9.]+)`)
)

// inline makes a file's content an element of a page: it scales, has a title, asks for no fonts that must be installed,
// and is short.
func (f *Plot) inline(file []byte) (template.HTML, error) {
	if !prolog.Match(file) {
		return "", errors.New("the plot is no SVG")
	}
	body := prolog.ReplaceAll(file, nil)
	body = fonts.ReplaceAll(body, nil)
	body = lines.ReplaceAllFunc(body, short)
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %g %g" `+
		`font-family="Helvetica,Arial,sans-serif"><title>%s</title>`,
		figureWidth.Points(), f.height().Points(), template.HTMLEscapeString(f.Title))
	return template.HTML(head + string(bytes.TrimSpace(body))), nil
}

// short writes a path of lines with steps of 0.01 points from point to point. Rounding does not add up.
func short(path []byte) []byte {
	out := []byte(` d="`)
	var x, y int
	hundredths := func(text []byte) int {
		v, _ := strconv.ParseFloat(string(text), 64) // knot matches numbers
		return int(math.Round(100 * v))
	}
	for _, m := range knot.FindAllSubmatch(path, -1) {
		toX, toY := hundredths(m[2]), hundredths(m[3])
		if m[1][0] == 'M' {
			out = append(out, 'M')
			x, y = 0, 0
		} else {
			out = append(out, 'l')
		}
		out = appendHundredths(out, toX-x)
		if toY >= y {
			out = append(out, ',')
		}
		out = appendHundredths(out, toY-y)
		x, y = toX, toY
	}
	return append(out, '"')
}

// appendHundredths writes a number without zeros at its ends: .05, -1.2, 30.
func appendHundredths(out []byte, hundredths int) []byte {
	if hundredths < 0 {
		out, hundredths = append(out, '-'), -hundredths
	}
	if hundredths == 0 || hundredths >= 100 {
		out = strconv.AppendInt(out, int64(hundredths/100), 10)
	}
	if part := hundredths % 100; part > 0 {
		out = append(out, '.', byte('0'+part/10))
		if part%10 > 0 {
			out = append(out, byte('0'+part%10))
		}
	}
	return out
}
