package main

import (
	"math"
	"testing"
)

// surrounded is the area to the left of borders, as the points of a grid count.
func surrounded(borders [][][2]float64) (area float64) {
	for _, b := range borders {
		for i, p := range b {
			q := b[(i+1)%len(b)]
			area += (p[0]*q[1] - q[0]*p[1]) / 2
		}
	}
	return area
}

func grid(columns, rows int, z func(x, y float64) float64) *field {
	return &field{columns: columns, rows: rows,
		z:     func(column, row int) float64 { return z(float64(column), float64(row)) },
		point: func(column, row float64) [2]float64 { return [2]float64{column, row} }}
}

// The areas above a level equal the areas of circles, holes, strips and the whole grid. Borders meet the edge of the
// grid, and borders of a linear field are straight.
func TestAreasAboveALevel(t *testing.T) {
	square := func(x, y float64) float64 { return (x-20)*(x-20) + (y-15)*(y-15) }
	for name, c := range map[string]struct {
		f       *field
		level   float64
		area    float64
		borders int
	}{
		"circle":   {grid(41, 31, func(x, y float64) float64 { return -square(x, y) }), -100, math.Pi * 100, 1},
		"hole":     {grid(41, 31, square), 100, 40*30 - math.Pi*100, 2},
		"strip":    {grid(41, 31, func(x, _ float64) float64 { return x }), 10.25, 29.75 * 30, 1},
		"all":      {grid(41, 31, func(_, y float64) float64 { return y }), -1, 1200, 1},
		"nothing":  {grid(41, 31, func(_, y float64) float64 { return y }), 31, 0, 0},
		"saddle":   {grid(2, 2, func(x, y float64) float64 { return (x - 0.5) * (y - 0.5) }), 0.125, 0.0625, 2},
		"lopsided": {grid(5, 9, func(x, y float64) float64 { return x + y/2 }), 4.5, 12.25, 1},
	} {
		borders := c.f.above(c.level)
		if area := surrounded(borders); len(borders) != c.borders || math.Abs(area-c.area) > 5e-3*c.area {
			t.Errorf("%s: %d borders around %g, want %d around %g", name, len(borders), area, c.borders, c.area)
		}
	}
}

// Axes have round values between their ends, and curves that cross 0 keep the point where they do.
func TestAxesOfCharts(t *testing.T) {
	for _, c := range []struct {
		s    scale
		want []float64
	}{
		{scale{low: 0, high: 10}, []float64{0, 2, 4, 6, 8, 10}}, {scale{low: 1, high: 10}, []float64{2, 4, 6, 8, 10}},
		{scale{low: -24.6, high: 11}, []float64{-20, -10, 0, 10}},
		{scale{low: 0.01, high: 100, log: true}, []float64{0.01, 0.1, 1, 10, 100}},
	} {
		got := c.s.ticks()
		if len(got) < len(c.want) {
			t.Errorf("%g to %g: %v, want %v", c.s.low, c.s.high, got, c.want)
			continue
		}
		for _, v := range c.want {
			near := false
			for _, x := range got {
				near = near || math.Abs(x-v) < 1e-9
			}
			if !near {
				t.Errorf("%g to %g: %v, want %v among them", c.s.low, c.s.high, got, c.want)
			}
		}
	}
	s := scale{low: 0.01, high: 100, log: true, first: 50, second: 450}
	if at := s.pixel(1); math.Abs(at-250) > 1e-9 {
		t.Errorf("1 is at %g", at)
	}
	var curves sortedCurves
	for x, values := range [][]float64{{-1, 2}, {3, 0}, {-2, 0}, {0, -3}} {
		curves.add(float64(x), values)
	}
	if x, y := curves.curves[0].above(0); len(x) != 3 || y[1] != 3 || y[2] != 0 || len(curves.curves) != 2 ||
		curves.curves[1].y[2] != -2 {
		t.Errorf("%v, %v of %v", x, y, curves)
	}
}
