package course

import "math"

// The ellipsoid of WGS-84: semi-major axis [m] and flattening (NIMA TR8350.2, third edition, table 3.1).
const (
	equator    = 6378137.0
	flattening = 1 / 298.257223563
)

// farthest is the largest distance of a point from the first one [m]. A length in the tangent plane is too short there
// by d^2/(2 R^2), 3e-5.
const farthest = 50_000

// plane are places in the plane that is level at the first of them, x to the east and y to the north [m], by latitudes
// and longitudes [rad] and heights [m], nil for 0. far is the index of a point that is too far away, -1 for none.
//
// A point is ((N + h) cos lat cos lon, (N + h) cos lat sin lon, (N (1 - e^2) + h) sin lat) with
// N = a/sqrt(1 - e^2 sin^2 lat), e^2 = f (2 - f); the plane has the directions east and north of the first point
// (IOGP Guidance Note 7-2, geocentric and topocentric conversions, EPSG methods 9602 and 9836).
func plane(latitude, longitude, height []float64) (x, y []float64, far int) {
	const e2 = flattening * (2 - flattening)
	geocentric := func(i int) (gx, gy, gz float64) {
		sinLat, cosLat := math.Sincos(latitude[i])
		sinLon, cosLon := math.Sincos(longitude[i])
		n := equator / math.Sqrt(1-e2*sinLat*sinLat)
		h := 0.0
		if height != nil {
			h = height[i]
		}
		return (n + h) * cosLat * cosLon, (n + h) * cosLat * sinLon, (n*(1-e2) + h) * sinLat
	}
	sinLat, cosLat := math.Sincos(latitude[0])
	sinLon, cosLon := math.Sincos(longitude[0])
	x0, y0, z0 := geocentric(0)
	x, y = make([]float64, len(latitude)), make([]float64, len(latitude))
	for i := range latitude {
		gx, gy, gz := geocentric(i)
		gx, gy, gz = gx-x0, gy-y0, gz-z0
		if gx*gx+gy*gy+gz*gz > farthest*farthest {
			return nil, nil, i
		}
		x[i] = cosLon*gy - sinLon*gx
		y[i] = cosLat*gz - sinLat*(cosLon*gx+sinLon*gy)
	}
	return x, y, -1
}
