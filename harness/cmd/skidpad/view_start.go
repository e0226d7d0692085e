package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/files/view"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// startFlags are the flags of view that choose the start of the vehicle and its way.
type startFlags struct {
	manoeuvre, track *string
	speed            *float64
	let              constantValues
}

func startFlagsOf(c *cobra.Command) *startFlags {
	f := &startFlags{}
	f.manoeuvre = manoeuvreFlag(c, "`MANOEUVRE`, TOML file or name, that drives while you watch; key T hands over to you")
	f.track = c.Flags().String("track", "", "`MANOEUVRE` whose lanes, cones and line you drive along yourself")
	c.RegisterFlagCompletionFunc("track", names(resources.Manoeuvres))
	c.Flags().Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre, such as 'speed=80 km/h'; may be repeated")
	f.speed = &speedValue(c).value
	return f
}

// check refuses flags that do not go together, and finds the manoeuvre.
func (f *startFlags) check(c *cobra.Command) error {
	switch {
	case *f.manoeuvre != "" && *f.track != "":
		return usageError{errors.New("--manoeuvre lets a manoeuvre drive, --track lets you drive along its track; " +
			"give one of them")}
	case f.of() == "" && len(f.let) > 0:
		return usageError{errors.New("--let sets a constant of a manoeuvre; give --manoeuvre or --track, too")}
	case f.of() != "" && c.Flags().Changed("speed"):
		return usageError{errors.New("--speed is for a drive without a manoeuvre; --let sets the constant speed of a " +
			"manoeuvre")}
	}
	return found(c, resources.Manoeuvres, f.manoeuvre, f.track)
}

// of is the manoeuvre; "" without one.
func (f *startFlags) of() string { return *f.manoeuvre + *f.track }

// started is a vehicle that is ready for a drive.
type started struct {
	vehicle live.Subject
	car     *manoeuvre.DrivenCar // nil where nobody can drive
	roles   *roles.Roles
	start   *live.Start
	course  *view.Course // nil without
}

// read reads the car and the manoeuvre of a vehicle.
func (f *startFlags) read(e *evaluate.Evaluator, step float64, stderr io.Writer) (*started, error) {
	s := &started{start: &live.Start{Step: step}}
	of := &manoeuvre.Manoeuvre{Name: "drive", Models: []string{e.Target.Model}}
	if path := f.of(); path != "" {
		var err error
		if of, _, err = readForOneRun(e, path, false, stderr); err != nil {
			return nil, err
		}
	}
	car, err := manoeuvre.ReadDrivenCar(e.Target, *f.speed)
	switch {
	case err == nil:
		s.car, s.roles = car, car.Roles
	case *f.manoeuvre == "":
		return nil, fmt.Errorf("%w; 'skidpad view --manoeuvre' shows vehicles that nobody can drive", err)
	default:
		if s.roles = of.Roles; s.roles == nil {
			s.roles = &roles.Roles{}
		}
	}
	if f.of() == "" {
		of.Start, of.Roles = car.Start, car.Roles
	}
	s.start.Plan = drive.Plan{Manoeuvre: of, Method: e.Method, Settings: e.Settings, AllowPlugins: e.AllowPlugins}
	if *f.manoeuvre != "" {
		s.start.Pilot = &live.Pilot{}
	}
	return s, nil
}

// way makes the course of the manoeuvre, for a vehicle that has been prepared.
func (f *startFlags) way(s *started) error {
	m := s.start.Plan.Manoeuvre
	if f.of() == "" || s.roles.Chassis == "" {
		return nil
	}
	c := &view.Course{Manoeuvre: m, Chassis: s.roles.Chassis, Fixed: *f.track != "", Turns: s.start.Turns,
		Ratio: s.start.Ratio}
	followed := false
	for _, p := range m.Phases {
		followed = followed || p.Path != nil
	}
	if c.Fixed && len(m.Track) == 0 && !followed {
		return usageError{fmt.Errorf("--track %s: the manoeuvre has no track and no path; double_lane_change and "+
			"circle_radius have one", m.Name)}
	}
	if c.Fixed && len(m.Track) > 0 {
		speed, err := s.vehicle.References(s.roles.Chassis + ".vx")
		if err != nil {
			return err
		}
		var now [1]float64
		if err := s.vehicle.Get(speed, now[:]); err != nil {
			return err
		}
		c.Lead = max(leastLead, 2*now[0])
		c.Manoeuvre = view.Ahead(m, c.Lead)
	}
	if k := m.KeyFigures; k != nil && (!c.Fixed || k.Kind == "lane-change") && (m.Steering != nil || k.Inputs != nil) {
		var err error
		if c.Passage, err = evaluate.NewPassage(c.Manoeuvre, s.vehicle); err != nil {
			return err
		}
	}
	s.course = c
	return nil
}

// leastLead is the least way [m] from the start to the axes of a track, which the driver needs to get going.
const leastLead = 20.0
