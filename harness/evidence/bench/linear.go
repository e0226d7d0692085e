package bench

import (
	"path/filepath"
	"time"

	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// linear measures a sweep of the rolling bicycle: steady motions, matrices and eigenvalues at 200 speeds.
func (s *Suite) linear() ([]Section, error) {
	m, err := vehicle.Read(filepath.Join(s.Resources, "models", "bicycle_rolling.toml"))
	if err != nil {
		return nil, err
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		return nil, err
	}
	sweep := func() error {
		for i := range 200 {
			if err := vehicle.Set("speed", 0.05*float64(i+1)); err != nil {
				return err
			}
			system, err := vehicle.At()
			if err != nil {
				return err
			}
			if _, err := system.Modes(); err != nil {
				return err
			}
		}
		return nil
	}
	if err := sweep(); err != nil { // compiles the derivatives
		return nil, err
	}
	one := Measurement{Name: "eigenvalues of bicycle_rolling at 200 speeds"}
	for range max(3, s.Rounds) {
		begin := time.Now()
		if err := sweep(); err != nil {
			return nil, err
		}
		one.Values = append(one.Values, time.Since(begin).Seconds()*1e3)
	}
	return []Section{{Title: "Linear equations", Unit: "ms", List: []Measurement{one}}}, nil
}
