package main

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/files/animation"
)

// bodyStyle is the style of pictures with bodies.
const bodyStyle = `.paint0 { fill: #1c4a72; stroke: #1c4a72; }
.paint1 { fill: #225a8a; stroke: #225a8a; }
.paint2 { fill: #2a6ba2; stroke: #2a6ba2; }
.paint3 { fill: #347dba; stroke: #347dba; }
.paint4 { fill: #4390cf; stroke: #4390cf; }
.glass { fill: #27323f; stroke: #27323f; }
.dark { fill: #2b2f36; stroke: #2b2f36; }
.lamp { fill: #eef0e6; stroke: #eef0e6; }
.tail { fill: #b3242b; stroke: #b3242b; }
.metal { fill: #a9b0ba; stroke: #a9b0ba; }
.paint0, .paint1, .paint2, .paint3, .paint4, .glass, .dark, .lamp, .tail, .metal {
  stroke-width: .6; stroke-linejoin: round;
}
`

// shades is the number of brightnesses of a painted face.
const shades = 5

// body draws a vehicle with its shell, from the farthest layer to the nearest: lining of the arches, wheels, shell,
// lamps and windows. Vehicles without a shell are drawn by their shapes.
func (c camera) body(scene *animation.Scene) (pieces []piece) {
	shell := scene.Shell
	if shell == nil {
		return c.pieces(scene)
	}
	pose := scene.Poses[shell.Frame]
	centre := vector(pose[:3])
	near := func(layer int, at vector) float64 { // vehicles are farther apart than layers
		const apart, within = 0.2, 0.02
		return dot(centre, c.towards) + apart*float64(layer) +
			within*(dot(at, c.towards)-dot(centre, c.towards))
	}
	for _, s := range scene.Shapes {
		if s.Kind != "wheel" {
			continue
		}
		a := scene.Poses[s.Frames[0]]
		for k, p := range c.wheel(a, s.Size[0], s.Size[1]) {
			p.near = near(1, vector(a[:3])) + 1e-6*float64(k)
			pieces = append(pieces, p)
		}
	}
	for _, f := range shell.Faces {
		var points []vector
		var middle vector
		for _, i := range f.Points {
			p := inGround(pose, shell.Points[i])
			points = append(points, p)
			for k := range middle {
				middle[k] += p[k] / float64(len(f.Points))
			}
		}
		normal := normalOf(points)
		layer := 2
		switch away := dot(normal, c.towards) <= 0; {
		case away && f.Paint == "dark" && !f.Over:
			layer = 0
		case away:
			continue
		case f.Over:
			layer = 3
		}
		class := f.Paint
		if class == "paint" {
			light := vector{0.35, 0.5, 0.8}
			bright := max(0, dot(normal, light)/math.Sqrt(dot(light, light)))
			class = fmt.Sprintf("paint%d", min(shades-1, int(bright*shades)))
		}
		pieces = append(pieces, piece{class, true, points, 0, near(layer, middle)})
	}
	return pieces
}

// normalOf is the unit normal of a flat face.
func normalOf(points []vector) (n vector) {
	for i, a := range points {
		b := points[(i+1)%len(points)]
		for k := range 3 {
			n[k] += (a[(k+1)%3] - b[(k+1)%3]) * (a[(k+2)%3] + b[(k+2)%3])
		}
	}
	size := math.Sqrt(dot(n, n))
	for k := range n {
		n[k] /= size
	}
	return n
}
