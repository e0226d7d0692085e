package roles

import "skidpad/model/keys"

// The keys of [roles], which their reader and the schema of editors share.

// name is the name of a component or a variable.
func name(key, text string) keys.Key {
	return keys.Key{Name: key, Shape: keys.TextShape, Text: text, Optional: true}
}

// perWheel is a list by axles, nested as axles is; twins are one level deeper.
func perWheel(key, text string) keys.Key {
	side := keys.Key{Shape: keys.AnyShape, Any: []keys.Key{{Shape: keys.TextShape},
		{Shape: keys.TextsShape, Filled: true}}}
	axle := keys.Key{Shape: keys.AnyShape, Any: []keys.Key{{Shape: keys.ListShape, Value: &side},
		{Shape: keys.TextShape}}}
	return keys.Key{Name: key, Shape: keys.ListShape, Text: text, Optional: true, Value: &axle}
}

func quantity(key, unit, text string) keys.Key {
	return keys.Key{Name: key, Shape: keys.QuantityShape, Unit: unit, Text: text, Optional: true}
}

// orElse is a quantity with a default.
func orElse(key, unit, text, otherwise string) keys.Key {
	return keys.Key{Name: key, Shape: keys.QuantityShape, Unit: unit, Text: text, Default: otherwise}
}

// formula is a number, or a formula of constants of the manoeuvre.
func formula(key, text string) keys.Key {
	return keys.Key{Name: key, Unit: keys.AnyUnit, Text: text, Optional: true}
}

func tableOf(key, text string, list []keys.Key) keys.Key {
	return keys.Key{Name: key, Shape: keys.TableShape, Text: text, Optional: true, Keys: list}
}

func above0(key, unit, text string, optional bool) keys.Key {
	return keys.Key{Name: key, Shape: keys.QuantityShape, Unit: unit, Text: text, Optional: optional, Positive: true}
}

// inputKeys name one input or several.
var inputKeys = []keys.Key{name("input", "variable, COMPONENT.QUANTITY"),
	{Name: "inputs", Shape: keys.AnyShape, Text: "several variables that all take one value", Optional: true,
		Any: []keys.Key{{Shape: keys.TextsShape, Filled: true}, {Shape: keys.TextShape}}}}

var throttleKeys = append(inputKeys[:2:2],
	orElse("closed", keys.AnyUnit, "value of the closed throttle", "0"),
	orElse("open", keys.AnyUnit, "value of the open throttle", "1"),
	formula("proportional", "of the speed control, for a lack of speed of 1 m/s"),
	formula("integral", "of the speed control, for a lack of 1 m/s over 1 s"),
	formula("least", "least value of the speed control"),
	formula("limit", "largest value of the speed control"))

var brakeKeys = append(inputKeys[:2:2],
	keys.Key{Name: "per", Shape: keys.WordShape, Choices: []string{"deceleration", "pedal"},
		Text: "whether inputs are torques or forces, or pedals from 0 to 1", Default: "deceleration"},
	above0("factor", keys.AnyUnit, "value of the inputs for a deceleration of 1 m/s2", true),
	keys.Key{Name: "front_share", Shape: keys.QuantityShape, Unit: "1", Optional: true, Nonnegative: true, AtMostOne: true,
		Text: "share of the first axle in the braking torque, for models without a brake-distribution"})

var gearKeys = []keys.Key{name("input", "variable of the gear"),
	orElse("normal", "1", "gear of normal driving", "1"),
	orElse("lowest", "1", "gear to start with", "1"),
	orElse("backwards", "1", "gear to reverse with", "-1"),
	quantity("shift", "rad/s", "engine speed at which a hurried driver changes up")}

var steeringKeys = []keys.Key{name("input", "angle of the steering wheel, or drivers"),
	{Name: "drivers", Shape: keys.AnyShape, Text: "components that turn road wheels, or a rack, in place of input",
		Optional: true, Any: []keys.Key{{Shape: keys.TextsShape, Filled: true}, {Shape: keys.TextShape}}},
	above0("ratio", keys.AnyUnit, "overall steering ratio; with drivers that of an imagined steering wheel, or for a "+
		"rack the steering-wheel angle by the travel, such as \"131 rad/m\"", true)}

var outlineKeys = []keys.Key{above0("width", "m", "width without mirrors", false),
	above0("front", "m", "foremost point ahead of the origin of the chassis", false),
	above0("rear", "m", "rearmost point behind the origin of the chassis", false)}

// Shells are the kinds of bodies.
var Shells = []string{"sedan", "van", "truck", "formula", "box"}

var radiusKey = keys.Key{Shape: keys.QuantityShape, Unit: "m", Positive: true}

var stopKey = keys.Key{Shape: keys.QuantityShape, Unit: "m"}

// FileKeys describe the keys of [roles].
var FileKeys = []keys.Key{
	name("chassis", "component or frame whose motion is evaluated, which publishes vx, vy, ax, ay, az, wz, roll, "+
		"pitch, yaw, x, y"),
	perWheel("axles", "tires by axle from the front, each from the left; twins nested, from outside in"),
	perWheel("spin", "variables of the angular velocities of the wheels, nested as axles is"),
	{Name: "rolling_radius", Shape: keys.ListShape, Filled: true, Value: &radiusKey, Optional: true,
		Text: "rolling radius of each axle"},
	perWheel("travel", "variables of the suspension travel, nested as axles is"),
	{Name: "stops", Shape: keys.ListShape, Text: "travel at the stops of rebound and bump, for each axle",
		Optional: true, Value: &keys.Key{Shape: keys.ListShape, Filled: true, Value: &stopKey}},
	perWheel("unsprung", "bodies that the suspensions carry, nested as axles is"),
	tableOf("steering", "what steers", steeringKeys),
	tableOf("throttle", "what drives", throttleKeys),
	{Name: "brake", Shape: keys.AnyShape, Text: "what brakes; a list of tables gives axles factors of their own",
		Optional: true, Any: []keys.Key{
			{Shape: keys.TableShape, Keys: brakeKeys}, {Shape: keys.TablesShape, Keys: brakeKeys}}},
	tableOf("gear", "what changes gears", gearKeys),
	tableOf("clutch", "clutch, 0 open, 1 engaged", inputKeys),
	tableOf("wind", "wind from the right", inputKeys),
	tableOf("hands", "hands that hold the steering wheel (1) or release it (0)", inputKeys),
	tableOf("parking", "parking brake", inputKeys),
	name("engine_speed", "variable of the engine speed [rad/s]"),
	name("road", "terrain, which manoeuvres can change"),
	tableOf("outline", "outline of the body", outlineKeys),
	{Name: "shell", Shape: keys.WordShape, Choices: Shells, Optional: true,
		Text: "kind of body that animations draw; default: by the wheels, the axles and the height of the chassis"},
	{Name: "trailer", Shape: keys.AnyShape, Text: "chassis of towed units, from the front", Optional: true,
		Any: []keys.Key{{Shape: keys.TextsShape, Filled: true}, {Shape: keys.TextShape}}},
	above0("wheelbase", "m", "wheelbase", true),
	quantity("understeer", "rad.s2/m", "understeer gradient at the road wheels that a driver compensates"),
	{Name: "start", Shape: keys.NamedShape, Text: "further start values, by variables", Optional: true,
		Value: &keys.Key{Unit: keys.AnyUnit, Text: "number or formula of constants"}},
}

// Examples are values of roles as a file has them, for messages about roles that are missing.
var Examples = map[string]string{
	"chassis":  `"body"`,
	"axles":    `[["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]`,
	"steering": `{ input = "steering.angle" }`,
	"throttle": `{ input = "engine.throttle" }`,
	"brake":    `{ input = "brakes.torque" }`,
	"gear":     `{ input = "gearbox.gear", shift = 600 }`,
	"clutch":   `{ input = "gearbox.clutch" }`,
	"wind":     `{ input = "air.wind_y" }`,
	"hands":    `{ input = "steering.hold" }`,
	"parking":  `{ input = "parking_brake.torque" }`,

	"engine_speed": `"engine.speed"`,
	"outline":      "{ width = 1.8, front = 2.2, rear = 2.4 }",
}

// Keys are the keys of [roles].
var Keys = keys.NamesOf(FileKeys)
