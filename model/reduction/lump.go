package reduction

// lump is a mass with its first and second moments.
type lump struct {
	mass   float64
	first  [3]float64
	second [3][3]float64 // inertia about the origin
}

// steiner is the inertia of a mass of 1 at a place, about the origin.
func steiner(p [3]float64) (j [3][3]float64) {
	square := p[0]*p[0] + p[1]*p[1] + p[2]*p[2]
	for i := range 3 {
		for k := range 3 {
			j[i][k] = -p[i] * p[k]
		}
		j[i][i] += square
	}
	return j
}

func (l *lump) add(mass float64, place [3]float64, inertia [3][3]float64) {
	l.mass += mass
	far := steiner(place)
	for i := range 3 {
		l.first[i] += mass * place[i]
		for k := range 3 {
			l.second[i][k] += inertia[i][k] + mass*far[i][k]
		}
	}
}

// centre is the centre of mass from a point, and the inertia about the centre, both in axes with these columns.
func (l *lump) centre(from [3]float64, axes [3][3]float64) (place [3]float64, inertia [3][3]float64) {
	var c, d [3]float64
	for i := range 3 {
		c[i] = l.first[i] / l.mass
		d[i] = c[i] - from[i]
	}
	far := steiner(c)
	for i := range 3 {
		for k := range 3 {
			place[i] += axes[k][i] * d[k]
			for row := range 3 {
				for column := range 3 {
					inertia[i][k] += axes[row][i] * (l.second[row][column] - l.mass*far[row][column]) * axes[column][k]
				}
			}
		}
	}
	return place, inertia
}
