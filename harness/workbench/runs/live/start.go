package live

import (
	"slices"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Subject is a vehicle that can be prepared for a drive.
type Subject interface {
	drive.Subject
	Adjustable() []string
	Text(name string) (string, error)
	Reset() error
}

// Start prepares a vehicle for a drive, at its begin and at each reset. Its fields are set before the first call.
type Start struct {
	Vehicle  Subject
	Plan     drive.Plan // of a manoeuvre, which drives or only has a start
	Step     float64    // of a slice [s]
	Pilot    *Pilot     // that drives by the manoeuvre; nil if it only has a start
	Settings *Settings  // that pages change; nil for none

	Turns, Ratio float64 // of the steering, once the vehicle is prepared; see drive.InputDriver.SteeringRatios
}

// Prepare sets the settings and the start values of a vehicle that has just been loaded, and initialises it.
func (s *Start) Prepare() error {
	plan := s.Plan
	plan.Held = true
	if s.Settings != nil {
		plan.Settings = slices.Concat(plan.Settings, s.Settings.changed())
	}
	subject := drive.Subject(s.Vehicle)
	if s.Pilot != nil {
		s.Pilot.noted = noted{Subject: s.Vehicle}
		subject = &s.Pilot.noted
	} else {
		m := *plan.Manoeuvre
		m.Inputs, m.Feedback, m.Phases, m.Stops, m.SpeedControl, m.PathFollower = nil, nil, nil, nil, nil, nil
		m.Driver = nil
		plan.Manoeuvre = &m
	}
	d, err := plan.Prepare(subject, s.Step)
	if err != nil {
		return err
	}
	if s.Turns, s.Ratio, err = d.SteeringRatios(); err != nil {
		return err
	}
	if s.Pilot != nil {
		s.Pilot.driver, s.Pilot.manoeuvre, s.Pilot.duration = d, plan.Manoeuvre, 0
		if len(plan.Manoeuvre.Phases) == 0 {
			s.Pilot.duration = plan.Manoeuvre.Duration
		}
	}
	if s.Settings != nil {
		return s.Settings.begin(s.Vehicle)
	}
	return nil
}

// Again brings the vehicle back to its start. It keeps its present settings, and gets the waiting ones.
func (s *Start) Again() error {
	if s.Settings != nil {
		s.Settings.takeWaiting()
	}
	if err := s.Vehicle.Reset(); err != nil {
		return err
	}
	return s.Prepare()
}

// From prepares the vehicle, which is a spare one, with the settings and the state of another one.
func (s *Start) From(now *Snapshot, settings []manoeuvre.Setting) error {
	if err := s.Vehicle.Reset(); err != nil {
		return err
	}
	m := *s.Plan.Manoeuvre
	m.Start = append(slices.Clone(m.Start), now.Values...)
	other := *s
	other.Plan.Manoeuvre, other.Settings, other.Pilot = &m, nil, nil
	other.Plan.Settings = slices.Concat(other.Plan.Settings, settings)
	return other.Prepare()
}
