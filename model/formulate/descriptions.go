package formulate

import (
	"cmp"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// describeStates gives states the descriptions of the outputs of the same names.
func (f *Formulation) describeStates(texts map[string]string) {
	for _, states := range [][]State{f.Speeds, f.Coordinates, f.Internal} {
		for i := range states {
			states[i].Text = cmp.Or(states[i].Text, texts[states[i].Name])
		}
	}
}

// stateTexts are the descriptions of the coordinates and speeds of suspensions and steering wheels.
var stateTexts = map[string]string{
	"travel": "suspension travel, upward", "travel_dot": "rate of the suspension travel, upward",
	"wheel_angle": "steering-wheel angle, positive to the left",
	"wheel_rate":  "steering-wheel rate, positive to the left",
}

// anglesOfSequences are the names of angles whose rates can be states.
var anglesOfSequences = []string{"yaw", "pitch", "roll", "tilt", "spin", "angle1", "angle2", "angle3"}

// coordinateText describes a state that no component describes.
func coordinateText(name string) string {
	_, quantity, _ := strings.Cut(name, ".")
	switch quantity {
	case "angle1", "angle2", "angle3":
		which := map[string]string{"angle1": "first", "angle2": "second", "angle3": "third"}[quantity]
		return which + " angle of the rotation sequence, right-handed about its axis"
	case "x", "y", "z":
		return "relative position, " + quantity + " component"
	case "vx", "vy", "vz":
		return "relative velocity, " + quantity[1:] + " component"
	case "vx_ground", "vy_ground", "vz_ground":
		return "difference of inertial velocities in axes of ground, " + quantity[1:2] + " component"
	case "wx_ground", "wy_ground", "wz_ground":
		return "angular velocity in axes of ground, " + quantity[1:2] + " component"
	case "wx", "wy", "wz":
		return "relative angular velocity, " + quantity[1:] + " component"
	}
	if text := stateTexts[quantity]; text != "" {
		return text
	}
	switch of, rate := strings.CutSuffix(quantity, "_dot"); {
	case rate && len(of) == 1 && strings.Contains("xyz", of):
		return "rate of the position, " + of + " component"
	case rate && slices.Contains(anglesOfSequences, of):
		return "rate of the angle " + of
	}
	return "state: " + words(quantity)
}

// parameterText describes a parameter by its key in the model file; a parameter without a key is described by its name.
func (f *Formulation) parameterText(name string) string {
	owner, key, inComponent := strings.Cut(name, ".")
	if !inComponent {
		if axis, gravity := strings.CutPrefix(name, "gravity_"); gravity {
			return "gravitational acceleration in ground, " + axis + " component"
		}
		return "parameter of the model: " + words(name)
	}
	for _, c := range f.Model.Components {
		if head := c.Head(); head.Name == owner {
			i := slices.IndexFunc(component.Types, func(t component.Type) bool { return t.Word == head.Type })
			if i >= 0 {
				return cmp.Or(keyText(component.Types[i].Keys, key), words(key)) + " (" + head.Type + ")"
			}
		}
	}
	return words(key)
}

// keyText is the description of a key, or of a component of a vector or a key of a table that is joined to it by "_";
// "" where there is none.
func keyText(list []keys.Key, name string) string {
	for _, k := range list {
		rest, inside := strings.CutPrefix(name, k.Name+"_")
		switch {
		case name == k.Name:
			return headed(k.Name, k.Text)
		case inside && k.Shape == keys.VectorShape && strings.Contains("xyz", rest):
			return headed(k.Name, k.Text) + ", " + rest + " component"
		case inside && len(k.Keys) > 0:
			if text := keyText(k.Keys, rest); text != "" {
				return headed(k.Name, text)
			}
		}
	}
	return tableText(list, name)
}

// tableText is the description of a key in one of the tables of a list of keys. A key in a list of tables follows the
// name of its entry, as in steer_L_lateral.
func tableText(list []keys.Key, name string) string {
	for _, k := range list {
		for _, inner := range k.Keys {
			entry, in := strings.CutSuffix(name, "_"+inner.Name)
			switch {
			case k.Shape == keys.TableShape && name == inner.Name:
				return headed(inner.Name, inner.Text)
			case k.Shape == keys.TablesShape && in:
				return words(entry) + ": " + inner.Text
			}
		}
	}
	return ""
}

// headed puts the words of a key before a text that lacks them.
func headed(key, text string) string {
	if strings.Contains(text, words(key)) {
		return text
	}
	return words(key) + ": " + text
}

func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
