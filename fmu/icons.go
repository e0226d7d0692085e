package fmu

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// The icon is the course that gave the product its name: two circles side by side, and
// the car's way through them, an eight. The car, seen from above, is where they touch.

const iconSize = 256

// block is an upright rectangle with round corners.
type block struct {
	c                            color.NRGBA
	x, y, width, height, corners float64 // middle, sizes, radius
}

// car lists its parts from below to above: wheels, body, roof.
var car = []block{
	{ink, 112, 106, 10, 20, 3}, {ink, 144, 106, 10, 20, 3}, {ink, 112, 150, 10, 20, 3}, {ink, 144, 150, 10, 20, 3},
	{ink, 128, 128, 32, 76, 10}, {course, 128, 132, 22, 34, 6},
}

// depth is how far inside of b a point lies.
func (b block) depth(x, y float64) float64 {
	dx, dy := math.Abs(x-b.x)-b.width/2+b.corners, math.Abs(y-b.y)-b.height/2+b.corners
	return b.corners - math.Hypot(max(dx, 0), max(dy, 0)) - min(max(dx, dy), 0)
}

var (
	ink    = color.NRGBA{0x1f, 0x2a, 0x37, 0xff}
	course = color.NRGBA{0xd9, 0xe2, 0xec, 0xff}
	way    = color.NRGBA{0xe8, 0x59, 0x0c, 0xff}
)

// iconPNG draws the icon.
func iconPNG() ([]byte, error) {
	picture := image.NewNRGBA(image.Rect(0, 0, iconSize, iconSize))
	for y := range iconSize {
		for x := range iconSize {
			picture.SetNRGBA(x, y, iconColor(float64(x)+0.5, float64(y)+0.5))
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, picture)
	return b.Bytes(), err
}

// iconColor blends the layers at a point, each faded over one pixel at its edge.
func iconColor(x, y float64) color.NRGBA {
	const middle = iconSize / 2
	left, right := math.Hypot(x-72, y-middle), math.Hypot(x-184, y-middle)
	ring := min(math.Abs(left-56), math.Abs(right-56))
	type layer struct {
		c     color.NRGBA
		depth float64 // inside of the layer's edge
	}
	layers := []layer{
		{course, max(68-left, 68-right)},
		{color.NRGBA{0xff, 0xff, 0xff, 0xff}, max(44-left, 44-right)},
		{way, 5 - ring},
	}
	for _, b := range car {
		layers = append(layers, layer{b.c, b.depth(x, y)})
	}
	result := color.NRGBA{}
	for _, l := range layers {
		result = over(l.c, result, max(0, min(1, l.depth+0.5)))
	}
	return result
}

func over(top, below color.NRGBA, opacity float64) color.NRGBA {
	alpha := opacity + float64(below.A)/255*(1-opacity)
	if alpha == 0 {
		return below
	}
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round((float64(a)*opacity + float64(b)*float64(below.A)/255*(1-opacity)) / alpha))
	}
	return color.NRGBA{mix(top.R, below.R), mix(top.G, below.G), mix(top.B, below.B), uint8(math.Round(255 * alpha))}
}

// iconSVG is the same icon as lines.
func iconSVG() []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256">` + "\n")
	for _, x := range []string{"72", "184"} {
		b.WriteString(`<circle cx="` + x + `" cy="128" r="56" fill="none" stroke="#d9e2ec" stroke-width="24"/>` + "\n")
	}
	for _, x := range []string{"72", "184"} {
		b.WriteString(`<circle cx="` + x + `" cy="128" r="56" fill="none" stroke="#e8590c" stroke-width="10"/>` + "\n")
	}
	for _, part := range car {
		fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" rx="%g" fill="#%02x%02x%02x"/>`+"\n",
			part.x-part.width/2, part.y-part.height/2, part.width, part.height, part.corners, part.c.R,
			part.c.G, part.c.B)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
