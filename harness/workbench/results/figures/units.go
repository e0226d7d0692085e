package figures

// units are SI units of options; those that differ between kinds stand in unitsOfKinds. Pure numbers have none.
var units = map[string]string{
	"acceleration_edge": "Hz", "before": "s", "body_front": "m", "body_rear": "m", "body_width": "m", "bos": "rad",
	"creep_window": "s", "displacement_limit": "m", "displacement_time": "s", "distance": "m", "A": "rad", "early": "s",
	"first_time": "s", "lift": "m", "local": "m/s2", "period": "s", "radius": "m", "regression_from": "m/s2",
	"regression_to": "m/s2", "second_time": "s", "segment": "s", "steady_window": "s", "steer_edge": "Hz",
	"steering_time": "s", "until": "s", "wheelbase": "m", "window": "s", "yaw_edge": "Hz",
}

var unitsOfKinds = map[string]map[string]string{
	"frequency-response":      {"from": "Hz", "to": "Hz", "read_at": "Hz"},
	"four-post":               {"from": "Hz", "between": "Hz", "to": "Hz"},
	"acceleration":            {"from": "m/s", "to": "m/s"},
	"acceleration-from-rest":  {"to": "m/s"},
	"coast-down":              {"from": "m/s", "to": "m/s"},
	"snaking":                 {"read_at": "m/s"},
	"slowly-increasing-steer": {"read_at": "m/s2"},
	"steady-circle-speed":     {"read_at": "m/s2"},
	"steady-circle-radius":    {"read_at": "m/s2"},
	"straight-braking":        {"read_at": "s"},
	"crosswind":               {"read_at": "s"},
	"steering-release":        {"read_at": "s"},
}

// UnitOf is the SI unit of an option; "1" for a pure number.
func (k *Kind) UnitOf(option string) string {
	if u := unitsOfKinds[k.Name][option]; u != "" {
		return u
	}
	if u := units[option]; u != "" {
		return u
	}
	return "1"
}
