package course

import (
	"fmt"

	"skidpad/model/bounded"
)

// ofSpeeds are the columns of a speed over the distance.
var ofSpeeds = []heading{{"distance", "m"}, {"speed", "m/s"}}

// ReadSpeed reads a speed [m/s] over the distance [m] from a CSV file. Distances rise. Errors have the file, the line
// and the column.
func ReadSpeed(path string) (distance, speed []float64, err error) {
	text, err := bounded.Track.Read(path)
	if err != nil {
		return nil, nil, err
	}
	return parseSpeed(path, text)
}

func parseSpeed(file string, text []byte) (distance, speed []float64, err error) {
	r := &reader{file: file, is: "a speed over the distance", known: ofSpeeds, cone: -1}
	if err := r.read(text, func() error {
		for _, h := range ofSpeeds {
			if _, has := r.columns[h.name]; !has {
				return r.fault(-1, "column %s [%s] is missing; %s has distance and speed", h.name, h.unit, r.is)
			}
		}
		return nil
	}); err != nil {
		return nil, nil, err
	}
	distance, speed = r.values["distance"], r.values["speed"]
	if len(distance) == 0 {
		return nil, nil, fmt.Errorf("%s: no row of numbers; %s has at least one", file, r.is)
	}
	for i := 1; i < len(distance); i++ {
		if distance[i] <= distance[i-1] {
			return nil, nil, fmt.Errorf("%s:%d: distance %g m after %g m; distances must increase", file, r.lines[i],
				distance[i], distance[i-1])
		}
	}
	return distance, speed, nil
}
