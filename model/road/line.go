package road

// Line is the line of an OpenCRG road, cross-section by cross-section. It is the reference line if that is between the
// borders of the grid, else the middle between the borders.
type Line struct {
	X, Y []float64 // place in the plan [m]
	// Height [m] and CrossSlope, the rise to the left by the width, belong to a straight line across the road. It has
	// the least squared distances from the heights of the cross-section.
	Height, CrossSlope []float64
	Left, Right        float64 // distances from the line to the borders, both positive [m]
	Closed             bool    // REFLINE_CONTINUATION is 1
}

// Line returns the line of an OpenCRG road; nil for other surfaces, and the number of a cross-section that has fewer
// than two heights, from 1 on; 0 for none.
func (s *Surface) Line() (line *Line, bare int) {
	c, is := s.shape.(*crg)
	if !is {
		return nil, 0
	}
	l, middle := &c.line, 0.0
	if !(l.right < 0 && l.left > 0) {
		middle = (l.right + l.left) / 2
	}
	line = &Line{Left: l.left - middle, Right: middle - l.right, Closed: l.closure.closed()}
	for i := range c.height {
		height, slope, known := c.across(i, middle)
		if !known {
			return nil, i + 1
		}
		x, y, _ := l.point(l.u0+float64(i)*l.du, middle)
		along := float64(i) * l.du
		height, _, slope = fade(c.begin, height, 0, slope, 1, along, c.height[0])
		height, _, slope = fade(c.end, height, 0, slope, -1, l.length()-along, c.height[len(c.height)-1])
		line.X, line.Y = append(line.X, x), append(line.Y, y)
		line.Height, line.CrossSlope = append(line.Height, s.Height+height), append(line.CrossSlope, slope)
	}
	return line, 0
}

// across returns the height at v and the slope of the straight line through the heights of a cross-section. It reports
// whether there are at least two heights.
func (c *crg) across(i int, v float64) (height, slope float64, known bool) {
	n := len(c.v)
	row := c.z[i*n : (i+1)*n]
	var count, meanV, meanZ, square, product float64
	for j, z := range row {
		if z == z {
			count, meanV, meanZ = count+1, meanV+c.v[j], meanZ+float64(z)
		}
	}
	if count < 2 {
		return 0, 0, false
	}
	meanV, meanZ = meanV/count, meanZ/count
	for j, z := range row {
		if z == z {
			square += (c.v[j] - meanV) * (c.v[j] - meanV)
			product += (c.v[j] - meanV) * (float64(z) - meanZ)
		}
	}
	slope = product / square
	height = c.height[i] + meanZ + slope*(v-meanV)
	if c.banking != nil {
		height, slope = height+c.banking[i]*v, slope+c.banking[i]
	}
	return height, slope, true
}
