package main

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"

	"skidpad/harness/workbench/results/report"
)

// largest picture [B].
const largest = 36_000

// most curves of a plot; the colours of more would come twice.
const mostCurves = 6

var (
	viewBox = regexp.MustCompile(`^<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*><title>[^<]*</title>`)
	// letters matches the fonts of the reports; pictures use one font for all texts
	letters = regexp.MustCompile(`font-family:[^;"]*;?`)
)

// drawPlot makes a picture of a plot, with its title and legend above. It leaves out points that visibly lie on the
// line between their neighbours. Of curves that would make the picture too large, it leaves out the hardly visible
// ones.
func drawPlot(p *report.Plot) ([]byte, error) {
	p.Curves = someOf(p.Curves)
	all := p.Curves
	for part := 1.0 / 2500; ; part *= 1.5 {
		p.Curves = nil
		for _, c := range all {
			p.Curves = append(p.Curves, simplified(c, p, all, part))
		}
		data, err := framed(p)
		if err != nil || len(data) < largest {
			return data, err
		}
	}
}

// framed is a plot below its title and its legend.
func framed(p *report.Plot) ([]byte, error) {
	var text bytes.Buffer
	if err := p.WriteSVG(&text); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Title, err)
	}
	head := viewBox.FindSubmatch(text.Bytes())
	if head == nil {
		return nil, fmt.Errorf("%s: the plot has no size", p.Title)
	}
	var width, height float64
	if _, err := fmt.Sscan(string(head[1])+" "+string(head[2]), &width, &height); err != nil {
		return nil, err
	}
	const line, left, bold = 18.0, 8.0, 7.6 // bold: mean width of a letter of the title
	d := &drawing{title: p.Title, width: width}
	top := 0.0
	for _, part := range wrapped(p.Title, int((width-2*left)/bold)) {
		d.write("title", "start", [2]float64{left, top + 15}, part)
		top += line
	}
	top += 4
	x := left
	for _, key := range p.Legend() {
		const letter, swatch = 7.6, 22.0
		long := swatch + letter*float64(len(key.Label)) + 12
		if x > left && x+long > width {
			x, top = left, top+line
		}
		dashes := ""
		if key.Dashes != "" {
			dashes = fmt.Sprintf(" stroke-dasharray=\"%s\"", key.Dashes)
		}
		fmt.Fprintf(&d.body, "<path stroke=\"%s\" stroke-width=\"1.6\"%s d=\"M%s %sh18\"/>\n", key.Colour, dashes,
			number(x), number(top+8))
		d.write("key", "start", [2]float64{x + swatch, top + 12}, key.Label)
		x += long
	}
	if x > left {
		top += line + 4
	}
	d.height = height + top
	body := strings.TrimSuffix(strings.TrimSpace(string(text.Bytes()[len(head[0]):])), "</svg>")
	fmt.Fprintf(&d.body, "<g transform=\"translate(0 %s)\">%s</g>\n", number(top), letters.ReplaceAllString(body, ""))
	return d.svg(), nil
}

// joined are words that stay in a line: a number with its unit, and the name of a standard.
var joined = regexp.MustCompile(`\d+ N m\b|\b(ISO|FMVSS|UN) \S+`)

// wrapped splits a text into lines with at most the given number of letters, if the words are short enough.
func wrapped(text string, most int) (lines []string) {
	const blank = "\x00"
	text = joined.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, " ", blank) })
	for _, word := range strings.Fields(text) {
		word = strings.ReplaceAll(word, blank, " ")
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+1+len(word) <= most {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// someOf returns the curves, or mostCurves of them, evenly spaced, with the first and the last.
func someOf(curves []report.Curve) []report.Curve {
	n := len(curves)
	if n <= mostCurves {
		return curves
	}
	var list []report.Curve
	for k := range mostCurves {
		list = append(list, curves[int(math.Round(float64(k*(n-1))/(mostCurves-1)))])
	}
	return list
}

// simplified leaves out points of one curve of a plot (Ramer 1972, Douglas and Peucker 1973). Their distance to the
// line between the remaining points is below a fraction, part, of the plot's width or height.
func simplified(c report.Curve, p *report.Plot, all []report.Curve, part float64) report.Curve {
	scale := func(axis report.Axis, values func(report.Curve) []float64) func(float64) float64 {
		of := func(x float64) float64 {
			if axis.Log {
				return math.Log(x)
			}
			return x
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, c := range all {
			for _, x := range values(c) {
				low, high = min(low, of(x)), max(high, of(x))
			}
		}
		return func(x float64) float64 { return of(x) / max(high-low, axis.Span, 1e-12) }
	}
	sx := scale(p.X, func(c report.Curve) []float64 { return c.X })
	sy := scale(p.Y, func(c report.Curve) []float64 { return c.Y })
	stays := make([]bool, len(c.X))
	var split func(a, b int)
	split = func(a, b int) {
		ux, uy := sx(c.X[b])-sx(c.X[a]), sy(c.Y[b])-sy(c.Y[a])
		length := math.Hypot(ux, uy)
		farthest, at := part, -1
		for k := a + 1; k < b; k++ {
			dx, dy := sx(c.X[k])-sx(c.X[a]), sy(c.Y[k])-sy(c.Y[a])
			distance := math.Hypot(dx, dy)
			if length > 0 {
				distance = math.Abs(dx*uy-dy*ux) / length
			}
			if distance > farthest {
				farthest, at = distance, k
			}
		}
		if at >= 0 {
			stays[at] = true
			split(a, at)
			split(at, b)
		}
	}
	if c.Points {
		return c
	}
	stays[0], stays[len(stays)-1] = true, true
	split(0, len(stays)-1)
	out := c
	out.X, out.Y = nil, nil
	for k, stay := range stays {
		if stay {
			out.X, out.Y = append(out.X, c.X[k]), append(out.Y, c.Y[k])
		}
	}
	return out
}
