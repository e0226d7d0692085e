package fmu

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// The icon is the course that gave the product its name: two circles side by side, and
// the car's way through them, an eight.

const iconSize = 256

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
	result := color.NRGBA{}
	for _, layer := range []struct {
		c     color.NRGBA
		depth float64 // inside of the layer's edge
	}{
		{course, max(68-left, 68-right)},
		{color.NRGBA{0xff, 0xff, 0xff, 0xff}, max(44-left, 44-right)},
		{way, 5 - ring},
		{ink, max(9-math.Hypot(x-72, y-middle), 9-math.Hypot(x-184, y-middle))},
	} {
		result = over(layer.c, result, max(0, min(1, layer.depth+0.5)))
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
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256">` + "\n")
	for _, x := range []string{"72", "184"} {
		b.WriteString(`<circle cx="` + x + `" cy="128" r="56" fill="none" stroke="#d9e2ec" stroke-width="24"/>` + "\n")
	}
	for _, x := range []string{"72", "184"} {
		b.WriteString(`<circle cx="` + x + `" cy="128" r="56" fill="none" stroke="#e8590c" stroke-width="10"/>` + "\n")
		b.WriteString(`<circle cx="` + x + `" cy="128" r="9" fill="#1f2a37"/>` + "\n")
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
