package component

import (
	"skidpad/model/keys"
	"skidpad/tire"
)

// scalar is a number that mirroring keeps; asymmetric is a number that differs between the sides.
func scalar(name, unit, def, text string) keys.Key {
	return keys.Key{Name: name, Unit: unit, Default: def, Text: text, Mirror: keys.Stays}
}

func asymmetric(m keys.Mirror, k keys.Key) keys.Key {
	k.Mirror = m
	return k
}

func positive(name, unit, text string) keys.Key {
	return keys.Key{Name: name, Unit: unit, Text: text, Positive: true}
}

func nonnegative(name, unit, def, text string) keys.Key {
	return keys.Key{Name: name, Unit: unit, Default: def, Text: text, Nonnegative: true}
}

// onRevolute gives the key another unit on a revolute joint.
func onRevolute(k keys.Key, unit string) keys.Key {
	k.Turning = unit
	return k
}

func fraction(name, def, text string) keys.Key {
	return keys.Key{Name: name, Unit: "1", Default: def, Text: text, Nonnegative: true, AtMostOne: true}
}

func vector(m keys.Mirror, name, unit, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.VectorShape, Unit: unit, Default: "[0, 0, 0]", Text: text, Mirror: m}
}

// monotone is a curve that keeps between its points: for forces.
func monotone(name, units, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.CurveShape, Unit: units, Optional: true, Text: text, Mirror: keys.Stays}
}

// monotoneOnRevolute has other units on a revolute joint.
func monotoneOnRevolute(name, units, turning, text string) keys.Key {
	return onRevolute(monotone(name, units, text), turning)
}

// orSurface is a curve that can have a second variable, of another unit on a revolute joint.
func orSurface(k keys.Key, second, turning string) keys.Key {
	k.Second, k.TurningSecond = second, turning
	return k
}

// smooth is a curve with a continuous second derivative: for kinematics.
func smooth(name, units, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.CurveShape, Unit: units, Optional: true, Smooth: true, Text: text,
		Mirror: keys.Stays}
}

func frame(name, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.FrameShape, Text: text}
}

func sequence(def string) keys.Key {
	return keys.Key{Name: "sequence", Shape: keys.WordShape, Default: def,
		Choices: []string{"321", "312", "313", "123", "132", "213", "231"},
		Text:    "axes of the three rotations, each about the axis rotated by the preceding ones"}
}

var (
	rotationAxisKey = keys.Key{Name: "axis", Shape: keys.AxisShape, Text: "axis in the frame `from`",
		Mirror: keys.RotationAxis}
	translationAxisKey = asymmetric(keys.TranslationAxis, rotationAxisKey)

	// mirrorKey is for components with an axis.
	mirrorKey = keys.Key{Name: "mirror", Shape: keys.WordShape, Optional: true, Choices: []string{"same", "opposite"},
		Text: "sign of the coordinate on the right side, where a subsystem is mirrored; default: by the axis"}
	fromKey = frame("from", "tail frame")
	toKey   = frame("to", "head frame")
	// keepKey concerns the coordinates of a component.
	keepKey = keys.Key{Name: "keep", Shape: keys.TruthShape, Default: "false",
		Text: "true: assembly leaves the coordinates as they start"}
	activeKey = fraction("active", "1", "1: active, 0: inactive")
	textKey   = keys.Key{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"}
	nameKey   = keys.Key{Name: "name", Shape: keys.TextShape,
		Text: "name of the variable, `quantity` or `component.quantity`, without the name of this component"}
	unitKey    = keys.Key{Name: "unit", Shape: keys.TextShape, Text: "unit"}
	valueKey   = scalar("value", "", "0", "value in the steady state")
	ownNameKey = keys.Key{Name: "name", Shape: keys.TextShape,
		Text: "name of the variable, after the name of the component and a dot"}
	startKey    = scalar("value", "", "0", "value at the start")
	functionKey = []keys.Key{
		{Name: "function", Shape: keys.TextShape, Text: "registered tire function"},
		{Name: "file", Shape: keys.TextShape, Optional: true,
			Text: "parameter file, TOML or a property file (.tir), relative to the model file"},
		{Name: "parameters", Shape: keys.TableShape, Optional: true, Text: "parameters by name, instead of a file"},
	}
)

// forceKey is the force function of a tire.
var forceKey = keys.Key{Name: "force", Shape: keys.TableShape, Text: "force function",
	Stray: "coefficients are changed in a copy of the file, or in a run by --set 'tire_FL.LMUY=0.8'", Keys: append(
		functionKey[:len(functionKey):len(functionKey)],
		keys.Key{Name: "allow_downgrade", Shape: keys.WordShape, Default: "no", Choices: []string{"no", "yes"},
			Text: "yes: Pacejka02 accepts a property file of Magic Formula 6.x; the coefficients that version 5.2 does not " +
				"have are ignored and listed"},
		keys.Key{Name: "combined", Shape: keys.WordShape, Default: tire.CombinedByFile,
			Choices: []string{tire.CombinedByFile, tire.CombinedByEllipse},
			Text: "what combines longitudinal and lateral slip: the coefficients of the file, or a friction ellipse, for " +
				"Magic Formulas whose file has none"},
	)}
