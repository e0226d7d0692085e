package main

import (
	"fmt"
	"math"
	"strconv"

	"skidpad/harness/workbench/results/report"
)

// chart is a diagram with axes, curves and areas.
type chart struct {
	drawing
	x, y scale
}

// scale is an axis: its label, its ends, and the positions of its ends on the drawing.
type scale struct {
	label         string
	low, high     float64
	log           bool
	first, second float64 // pixels of low and high
}

// pixel is the position of a value on the drawing.
func (s *scale) pixel(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	return s.first + (v-low)/(high-low)*(s.second-s.first)
}

// ticks are round values, some five, or the powers of ten.
func (s *scale) ticks() (list []float64) {
	if s.log {
		for v := math.Round(math.Log10(s.low)); math.Pow(10, v) <= s.high*(1+1e-9); v++ {
			list = append(list, math.Pow(10, v))
		}
		return list
	}
	step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/4)))
	for _, factor := range []float64{5, 2} {
		if step*factor <= (s.high-s.low)/3.5 {
			step *= factor
			break
		}
	}
	for k := math.Ceil(s.low/step - 1e-9); k*step <= s.high+1e-9*step; k++ {
		list = append(list, k*step)
	}
	return list
}

// The size of charts in pixels.
const (
	chartWidth, chartHeight = 480.0, 300.0
	chartLeft, chartTop     = 56.0, 46.0
	chartBottom             = 42.0
)

// newChart is a chart without curves; right is the room that it leaves beside them.
func newChart(title string, x, y scale, right float64) *chart {
	x.first, x.second = chartLeft, chartWidth-right
	y.first, y.second = chartHeight-chartBottom, chartTop
	c := &chart{drawing{title: title, width: chartWidth, height: chartHeight}, x, y}
	c.write("title", "start", [2]float64{8, 15}, title)
	return c
}

// axes draws the frame with ticks and labels, and lines of a grid where it is to have one.
func (c *chart) axes(grid bool) {
	for _, v := range c.x.ticks() {
		at := c.x.pixel(v)
		top := c.y.first - 4
		if grid {
			top = c.y.second
		}
		c.path("ground", false, [2]float64{at, c.y.first}, [2]float64{at, top})
		c.write("", "middle", [2]float64{at, c.y.first + 16}, label(v))
	}
	for _, v := range c.y.ticks() {
		at := c.y.pixel(v)
		right := c.x.first + 4
		if grid {
			right = c.x.second
		}
		c.path("ground", false, [2]float64{c.x.first, at}, [2]float64{right, at})
		c.write("", "end", [2]float64{c.x.first - 5, at + 4}, label(v))
	}
	fmt.Fprintf(&c.body, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"none\" stroke=\"#46505c\"/>\n",
		number(c.x.first), number(c.y.second), number(c.x.second-c.x.first), number(c.y.first-c.y.second))
	c.write("", "middle", [2]float64{(c.x.first + c.x.second) / 2, c.y.first + 34}, c.x.label)
	c.write("", "start", [2]float64{8, chartTop - 9}, c.y.label)
}

// label writes a value of an axis.
func label(v float64) string {
	return strconv.FormatFloat(v+0, 'g', 6, 64) // + 0 makes -0 0
}

// curve draws a line through values in a colour; dashed where the dashes have a length.
func (c *chart) curve(colour string, dash float64, x, y []float64) {
	var points [][2]float64
	for i := range x {
		points = append(points, [2]float64{c.x.pixel(x[i]), c.y.pixel(y[i])})
	}
	style := ""
	if dash > 0 {
		style = fmt.Sprintf(" stroke-dasharray=\"%s %s\"", number(dash), number(dash/2))
	}
	fmt.Fprintf(&c.body, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s d=\"%s\"/>\n", colour, style,
		outline(thinned(points), false))
}

// key draws a line of the legend at a position, and its meaning; it returns the next free position.
func (c *chart) key(x float64, colour string, dash float64, text string) float64 {
	style := ""
	if dash > 0 {
		style = fmt.Sprintf(" stroke-dasharray=\"%s %s\"", number(dash), number(dash/2))
	}
	fmt.Fprintf(&c.body, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\"%s d=\"M%s %sh20\"/>\n", colour, style,
		number(x), number(chartTop-13))
	c.write("", "start", [2]float64{x + 26, chartTop - 9}, text)
	return x + 40 + 7.6*float64(len(text))
}

// areas fills polygons, holes by holes, in a colour; the lines around them are in the same colour, so that areas beside
// each other have no gap.
func (c *chart) areas(colour, edge string, polygons [][][2]float64) {
	var d string
	for _, p := range polygons {
		if p = thinned(append(p, p[0])); len(p) > 3 {
			d += outline(p[:len(p)-1], true)
		}
	}
	if d != "" {
		fmt.Fprintf(&c.body, "<path fill=\"%s\" stroke=\"%s\" stroke-width=\".6\" fill-rule=\"evenodd\" d=\"%s\"/>\n", colour,
			edge, d)
	}
}

// outline is the path through points, whose coordinates are those from point to point.
func outline(points [][2]float64, closed bool) string {
	d := ""
	var last [2]float64 // as it is written
	for i, p := range points {
		for k := range p {
			p[k] = math.Round(p[k]*10) / 10
		}
		if d += "Ml"[min(i, 1) : min(i, 1)+1]; i > 1 {
			d = d[:len(d)-1] + " "
		}
		d += number(p[0]-last[0]) + " " + number(p[1]-last[1])
		last = p
	}
	if closed {
		d += "z"
	}
	return d
}

// thinned leaves out points that are nearer than a third of a pixel to the line between those that stay.
func thinned(points [][2]float64) [][2]float64 {
	if len(points) < 3 {
		return points
	}
	var curve report.Curve
	for _, p := range points {
		curve.X, curve.Y = append(curve.X, p[0]), append(curve.Y, p[1])
	}
	const size = 1000
	box := []report.Curve{{X: []float64{0, size}, Y: []float64{0, size}}}
	curve = simplified(curve, &report.Plot{}, box, 0.35/size)
	thin := make([][2]float64, len(curve.X))
	for i := range thin {
		thin[i] = [2]float64{curve.X[i], curve.Y[i]}
	}
	return thin
}
