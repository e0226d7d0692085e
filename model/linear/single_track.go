package linear

import (
	"cmp"

	"skidpad/model/component"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// singleTrack names the angles of lean and steer of a vehicle with two wheels, one of them steered by a joint; "" for
// other vehicles. groups has the group of each state; a steering joint with a damper is in the group steer, not toe.
func singleTrack(m *vehicle.Model, states []program.Variable, groups []string) (leanAngle, steerAngle string) {
	if len(component.All[component.Wheeled](m.Scope())) != 2 {
		return "", ""
	}
	only := func(group string) string {
		found := ""
		for i, s := range states {
			switch {
			case groups[i] != group || s.Unit != "rad":
			case found != "":
				return ""
			default:
				found = s.Name
			}
		}
		return found
	}
	leanAngle, steerAngle = only(roll), cmp.Or(only(steer), only(toe))
	if leanAngle == "" || steerAngle == "" {
		return "", ""
	}
	for i, group := range groups {
		if group == toe {
			groups[i] = steer
		}
	}
	return leanAngle, steerAngle
}
