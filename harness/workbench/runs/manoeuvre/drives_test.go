package manoeuvre

import (
	"slices"
	"testing"

	"skidpad/harness/workbench/runs/signal"
)

// What signals, feedback, the speed control and a driver move is driven, in a phase as in the whole manoeuvre.
func TestInputsThatAManoeuvreDrives(t *testing.T) {
	steered := []InputSignal{{Drivers: []string{"steer"}}}
	braked := []InputSignal{{Variables: []string{"brake.torque"}}}
	feedback := []FeedbackLaw{{Variables: []string{"brake.torque"}}}
	fast := []Phase{{Speed: signal.Constant(1)}}
	speed := &SpeedControl{Torques: []string{"engine.throttle"}}
	steering := &Steering{Drivers: []string{"steer"}}
	for name, c := range map[string]struct {
		m    Manoeuvre
		want []string
	}{
		"nothing": {Manoeuvre{SpeedControl: speed, Steering: steering, PathFollower: &PathFollower{},
			Phases: []Phase{{}}}, nil},
		"a road":    {Manoeuvre{Inputs: []InputSignal{{Drivers: []string{"post"}}}}, []string{"post.z", "post.z_dot"}},
		"signals":   {Manoeuvre{Inputs: slices.Concat(steered, braked)}, []string{"steer.angle", "brake.torque"}},
		"a phase":   {Manoeuvre{Phases: []Phase{{}, {Inputs: braked}}}, []string{"brake.torque"}},
		"feedback":  {Manoeuvre{Feedback: feedback}, []string{"brake.torque"}},
		"the speed": {Manoeuvre{SpeedControl: speed, Phases: fast}, []string{"engine.throttle"}},
		"a driver's hands": {Manoeuvre{Steering: steering, PathFollower: &PathFollower{}, Phases: []Phase{{Path: &Path{}}}},
			[]string{"steer.angle"}},
	} {
		for _, input := range []string{"steer.angle", "brake.torque", "engine.throttle", "steer.wheel_torque", "body.mass",
			"post.z", "post.z_dot", "post.mu"} {
			if got := c.m.Drives(input); got != slices.Contains(c.want, input) {
				t.Errorf("%s: %s is driven: %v", name, input, got)
			}
		}
	}
}
