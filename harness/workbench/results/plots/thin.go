package plots

import "math"

// Thinned returns a curve that looks the same and has a limited number of points, its ends among them. A point stays if
// the line without it would be further away than a share of the ranges of the axes (Ramer 1972, Douglas and Peucker
// 1973). The share is the least that keeps the number, 1/4000 or more.
func Thinned(x, y []float64, most int) (thinX, thinY []float64) {
	if len(x) <= most || most < 2 {
		return x, y
	}
	width, height := span(x), span(y)
	keeps := make([]bool, len(x))
	for share := 1.0 / 4000; ; share *= 2 {
		clear(keeps)
		if count := keepShape(x, y, width*share, height*share, keeps); count <= most {
			break
		}
	}
	for i, keep := range keeps {
		if keep {
			thinX, thinY = append(thinX, x[i]), append(thinY, y[i])
		}
	}
	return thinX, thinY
}

// span is the range of numbers, 1 where they are equal.
func span(list []float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range list {
		low, high = min(low, v), max(high, v)
	}
	if high > low {
		return high - low
	}
	return 1
}

// keepShape marks the points without which a curve would leave its course by more than width and height, and counts
// them.
func keepShape(x, y []float64, width, height float64, keeps []bool) (count int) {
	// longer pieces are divided in the middle, so that the time does not grow with the square of their length
	const longest = 4096
	pieces := [][2]int{}
	for first := 0; first < len(x)-1; first += longest {
		pieces = append(pieces, [2]int{first, min(first+longest, len(x)-1)})
	}
	mark := func(i int) {
		if !keeps[i] {
			keeps[i] = true
			count++
		}
	}
	for len(pieces) > 0 {
		first, last := pieces[len(pieces)-1][0], pieces[len(pieces)-1][1]
		pieces = pieces[:len(pieces)-1]
		mark(first)
		mark(last)
		dx, dy := (x[last]-x[first])/width, (y[last]-y[first])/height
		long := math.Hypot(dx, dy)
		farthest, at := 1.0, -1
		for i := first + 1; i < last; i++ {
			u, v := (x[i]-x[first])/width, (y[i]-y[first])/height
			away := math.Hypot(u, v)
			if along := u*dx + v*dy; long > 0 && along > 0 {
				if away = math.Abs(u*dy-v*dx) / long; along > long*long {
					away = math.Hypot(u-dx, v-dy)
				}
			}
			if away > farthest {
				farthest, at = away, i
			}
		}
		if at >= 0 {
			pieces = append(pieces, [2]int{first, at}, [2]int{at, last})
		}
	}
	return count
}
