package manoeuvre

import (
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/model/document"
)

// The keys of manoeuvre files and car files, which their readers and the schemas of editors share.

// key is a key that must be given.
func key(name string, shape document.Shape, unit, text string) document.Key {
	return document.Key{Name: name, Shape: shape, Unit: unit, Text: text}
}

// maybe is a key that need not be given.
func maybe(name string, shape document.Shape, unit, text string) document.Key {
	return document.Key{Name: name, Shape: shape, Unit: unit, Text: text, Optional: true}
}

// above0 is a number above 0 that must be given.
func above0(name, unit, text string) document.Key {
	return document.Key{Name: name, Unit: unit, Text: text, Positive: true}
}

// table is a table that need not be given.
func table(name, text string, keys []document.Key) document.Key {
	return document.Key{Name: name, Shape: document.TableShape, Text: text, Optional: true, Keys: keys}
}

// named is a table by names of the file's own, which need not be given.
func named(name, text string, value document.Key) document.Key {
	return document.Key{Name: name, Shape: document.NamedShape, Text: text, Optional: true, Value: &value}
}

const (
	number   = document.NumberShape
	text     = document.TextShape
	texts    = document.TextsShape
	numbers  = document.NumbersShape
	anyUnit  = document.AnyUnit
	pureUnit = "1"
)

var conditionKeys = []document.Key{
	key("formula", text, "", "formula of variables, time [s] and constants"),
	maybe("above", number, anyUnit, "the condition holds while the formula is above it"),
	maybe("below", number, anyUnit, "the condition holds while the formula is below it"),
	maybe("crosses", number, anyUnit, "the condition holds when the formula has crossed it"),
}

var (
	amplitude = key("amplitude", number, anyUnit, "in the unit of what is driven")
	pointsOf  = []document.Key{key("time", numbers, "s", "times, which increase"),
		key("value", numbers, anyUnit, "a value for each time, in the unit of what is driven")}
)

// signalKinds are the kinds of signals.
var signalKinds = []document.Choice{
	{Word: "constant", Text: "one value", Keys: []document.Key{
		key("value", number, anyUnit, "in the unit of what is driven")}},
	{Word: "sine", Text: "amplitude times sin(2 pi time/period)", Keys: []document.Key{amplitude,
		above0("period", "s", "of the sine")}},
	{Word: "piecewise-linear", Text: "straight lines through points, constant before the first and after the last",
		Keys: pointsOf},
	{Word: "steps", Text: "each value from its time on, zero before the first", Keys: pointsOf},
	{Word: "sine-with-dwell", Text: "one period of a sine whose second peak is held", Keys: []document.Key{amplitude,
		above0("frequency", "Hz", "of the sine"),
		{Name: "dwell", Unit: "s", Text: "for which the second peak is held", Nonnegative: true}}},
	{Word: "chirp", Text: "sine whose frequency increases", Keys: []document.Key{amplitude,
		{Name: "first", Unit: "Hz", Text: "frequency at the beginning", Nonnegative: true},
		above0("last", "Hz", "frequency at the end"), above0("period", "s", "after which it begins again")}},
	{Word: "formula", Text: "formula of time [s] and constants", Keys: []document.Key{
		key("formula", text, "", "formula of time [s] and constants")}},
}

// signalOf is a key that holds a signal.
func signalOf(name, text string, optional bool) document.Key {
	return document.Key{Name: name, Shape: document.TableShape, Text: text, Optional: optional, Kinds: signalKinds}
}

var inputKeys = []document.Key{
	maybe("variables", texts, "", "inputs or roles such as @brake, which take the value of the signal"),
	maybe("drivers", texts, "", "motion drivers and roads, which also take its rates; in place of variables"),
	signalOf("signal", "what they take, in their unit", false),
}

var feedbackKeys = []document.Key{
	key("variables", texts, "", "inputs that the law sets at each communication point"),
	key("law", text, "", "formula of outputs, time [s] and constants"),
}

var stopKeys = []document.Key{
	key("verdict", text, "", "what is said of a run that ends by it"),
	{Name: "when", Shape: document.TableShape, Text: "when the run ends", Keys: conditionKeys},
}

var steeringKeys = []document.Key{
	key("drivers", texts, "", "components that turn road wheels, or the steering of the vehicle"),
	{Name: "ratio", Unit: pureUnit, Text: "steering wheel to road wheels; not for a steering that has one", Optional: true,
		Positive: true},
}

var speedControlKeys = []document.Key{
	maybe("variable", text, "", "speed that is held [m/s]; the chassis's by default"),
	maybe("torques", texts, "", "inputs that all take one value; the throttle's by default"),
	key("proportional", number, anyUnit, "value for a lack of speed of 1 m/s"),
	key("integral", number, anyUnit, "value for a lack of speed of 1 m/s over 1 s"),
	{Name: "limit", Unit: anyUnit, Text: "largest value", Positive: true},
	maybe("least", number, anyUnit, "least value; -limit by default"),
}

var pathFollowerKeys = []document.Key{
	maybe("body", text, "", "that is steered; the chassis by default"),
	above0("preview", "s", "time by whose way the driver looks ahead"),
	{Name: "proportional", Unit: "rad/m", Text: "steering-wheel angle for an offset ahead", Nonnegative: true},
	{Name: "integral", Unit: "rad/m/s", Text: "steering-wheel angle for an offset over time", Nonnegative: true},
	above0("lag", "s", "of the steering wheel"), above0("rate", "rad/s", "largest one of the steering wheel"),
	above0("limit", "rad", "largest angle of the steering wheel"),
}

// pathKinds are the kinds of paths.
var pathKinds = []document.Choice{
	{Word: "circle", Text: "circle to the left, with a negative radius to the right", Keys: []document.Key{
		key("radius", number, "m", "of the circle"), above0("laps", pureUnit, "how often it goes round")}},
	{Word: "points", Text: "straight lines through points", Keys: []document.Key{
		key("x", numbers, "m", "ahead of where the phase begins"), key("y", numbers, "m", "to the left of it")}},
	{Word: "track", Text: "along the lanes of the track", Keys: []document.Key{
		{Name: "into", Unit: "m", Text: "by which a lane is left before its end, and reached behind its beginning",
			Nonnegative: true}}},
	{Word: "continued", Text: "the path of the phase before"},
}

var phaseKeys = []document.Key{
	key("name", text, "", "of the phase"),
	{Name: "duration", Unit: "s", Text: "of the phase; or until with timeout", Optional: true, Positive: true},
	table("until", "condition that ends the phase", conditionKeys),
	{Name: "timeout", Unit: "s", Text: "after which the run ends with a verdict if until does not hold", Positive: true,
		Optional: true},
	{Name: "input", Shape: document.TablesShape, Text: "inputs of this phase", Optional: true, Keys: inputKeys},
	signalOf("steering", "angle of the steering wheel [rad]", true),
	signalOf("speed", "that the speed control holds [m/s]", true),
	{Name: "path", Shape: document.TableShape, Text: "that the driver steers along", Optional: true, Kinds: pathKinds},
}

var sectionKeys = []document.Key{
	above0("length", "m", "of the section"),
	maybe("right", number, "m", "right border; none between lanes"), maybe("left", number, "m", "left border"),
	maybe("aim", number, "m", "line that a driver follows; the middle by default"),
}

var trackKeys = []document.Key{
	key("start", number, "m", "where the first section begins"),
	{Name: "section", Shape: document.TablesShape, Text: "lanes and what is between them", Keys: sectionKeys},
}

var searchKeys = []document.Key{
	key("constant", text, "", "that is sought"), key("unit", text, "", "of the constant"),
	key("from", number, anyUnit, "least value"), key("to", number, anyUnit, "largest value"),
	{Name: "tolerance", Unit: anyUnit, Text: "interval that is left", Positive: true},
	key("figure", text, "", "characteristic value that is 1 up to the value sought, and 0 beyond"),
}

var seriesKeys = []document.Key{
	key("from", number, anyUnit, "first value"), key("step", number, anyUnit, "from one to the next"),
	key("to", number, anyUnit, "last value"),
}

var prerunKeys = []document.Key{
	key("manoeuvre", text, "", "file of the manoeuvre that is run before"),
	named("replace", "constants of that manoeuvre", key("", number, anyUnit, "number or formula")),
	{Name: "constants", Shape: document.NamedShape, Text: "constants of this one, by characteristic values of that one",
		Value: &document.Key{Shape: text, Text: "characteristic value"}},
}

// FileKeys are those of manoeuvre files.
var FileKeys = []document.Key{
	key("name", text, "", "identifier of the manoeuvre"), key("title", text, "", "heading of results"),
	maybe("source", text, "", "where the numbers come from"),
	maybe("models", texts, "", "names of the models that it is for"),
	maybe("cars", text, "", "folder of car files, of a manoeuvre for any car; it need not exist"),
	named("constants", "numbers that formulas use, by their names", key("", number, anyUnit, "number or formula")),
	{Name: "duration", Unit: "s", Text: "of a manoeuvre without phases", Optional: true, Positive: true},
	above0("step", "s", "communication step"),
	named("parameters", "parameters and texts set before initialisation", document.Key{Shape: document.AnyShape,
		Any: []document.Key{{Shape: number, Unit: anyUnit, Plain: true}, {Shape: text}}}),
	named("start", "start values, by variables", key("", number, anyUnit, "start value")),
	{Name: "input", Shape: document.TablesShape, Text: "signals and what takes them", Optional: true, Keys: inputKeys},
	{Name: "feedback", Shape: document.TablesShape, Text: "laws that set inputs", Optional: true, Keys: feedbackKeys},
	table("steering", "steering wheel, for phases", steeringKeys),
	table("speed_control", "controller of the speed, for phases", speedControlKeys),
	table("path_follower", "driver, for phases", pathFollowerKeys),
	{Name: "phase", Shape: document.TablesShape, Text: "parts, one after the other", Optional: true, Keys: phaseKeys},
	{Name: "stop", Shape: document.TablesShape, Text: "conditions that end a run with a verdict", Optional: true,
		Keys: stopKeys},
	{Name: "end_at", Shape: document.ListShape, Text: "conditions that end a run", Optional: true,
		Value: &document.Key{Shape: document.AnyShape, Any: []document.Key{
			{Shape: text, Text: "name of a condition"}, {Shape: document.TableShape, Keys: conditionKeys}}}},
	named("sweep", "constants and the values that they take, a run for each combination",
		document.Key{Shape: document.AnyShape, Any: []document.Key{
			{Shape: numbers, Unit: anyUnit}, {Shape: document.TableShape, Keys: seriesKeys}}}),
	table("prerun", "manoeuvre run before, whose characteristic values become constants", prerunKeys),
	{Name: "figures", Shape: document.TableShape, Text: "characteristic values", Optional: true, Kinds: figureKinds()},
	table("track", "lanes between borders", trackKeys),
	table("search", "for the largest constant at which a characteristic value is 1", searchKeys),
	maybe("record", texts, "", "patterns of names of outputs to record"),
}

// CarKeys are those of car files, beside the table of roles.
var CarKeys = []document.Key{
	maybe("models", texts, "", "names of the models that it is for; any without"),
	maybe("roles", document.TableShape, "", "parts of the vehicle by their roles"),
	named("constants", "numbers that formulas of manoeuvres use", key("", number, anyUnit, "number or formula")),
	named("start", "start values, by variables", key("", number, anyUnit, "start value")),
	table("speed_control", "controller of the speed", speedControlKeys),
	table("path_follower", "driver", pathFollowerKeys),
	{Name: "stop", Shape: document.TablesShape, Text: "conditions that end a run with a verdict", Optional: true,
		Keys: stopKeys},
}

// figureKinds are the kinds of characteristic values.
func figureKinds() (list []document.Choice) {
	for _, name := range figures.Names() {
		kind := figures.Find(name)
		list = append(list, document.Choice{Word: name, Text: "characteristic values", Keys: figureKeys(kind)})
	}
	return list
}

// figureKeys are those of a kind of characteristic values.
func figureKeys(kind *figures.Kind) []document.Key {
	list := []document.Key{maybe("body", text, "", "whose motion is evaluated; the chassis by default"),
		maybe("front", texts, "", "tires of the front axle"), maybe("rear", texts, "", "tires of the rear axle")}
	if kind.Following {
		list = append(list, key("following", text, "", "body or sensor of a following unit"))
	}
	for _, option := range kind.Options {
		list = append(list, key(option, number, kind.UnitOf(option), "number of the evaluation"))
	}
	for _, input := range kind.Inputs {
		list = append(list, key(input, text, "", "name of an input"))
	}
	return list
}

// kindKeys are the keys of a table of one of several kinds, with that which tells the kind; nil for an unknown kind.
func kindKeys(kinds []document.Choice, word string) []document.Key {
	i := slices.IndexFunc(kinds, func(c document.Choice) bool { return c.Word == word })
	if i < 0 {
		return nil
	}
	return append([]document.Key{key("kind", text, "", "")}, kinds[i].Keys...)
}
