package manoeuvre

import "skidpad/model/keys"

// The keys of manoeuvre files and car files; those of tables in them are beside what reads the tables.

// key is a key that must be given.
func key(name string, shape keys.Shape, unit, text string) keys.Key {
	return keys.Key{Name: name, Shape: shape, Unit: unit, Text: text, Filled: true}
}

// maybe is a key that need not be given.
func maybe(name string, shape keys.Shape, unit, text string) keys.Key {
	return keys.Key{Name: name, Shape: shape, Unit: unit, Text: text, Filled: true, Optional: true}
}

// above0 is a number above 0 that must be given.
func above0(name, unit, text string) keys.Key {
	return keys.Key{Name: name, Unit: unit, Text: text, Positive: true}
}

// table is a table that need not be given.
func table(name, text string, list []keys.Key) keys.Key {
	return keys.Key{Name: name, Shape: keys.TableShape, Text: text, Optional: true, Keys: list}
}

// named is a table by names of the file's own, which need not be given.
func named(name, text string, value keys.Key) keys.Key {
	return keys.Key{Name: name, Shape: keys.NamedShape, Text: text, Optional: true, Value: &value}
}

const (
	number   = keys.ScalarShape
	text     = keys.TextShape
	texts    = keys.TextsShape
	numbers  = keys.ScalarsShape
	anyUnit  = keys.AnyUnit
	pureUnit = "1"
)

// FileKeys are the keys of manoeuvre files.
var FileKeys = []keys.Key{
	key("name", text, "", "identifier of the manoeuvre"), key("title", text, "", "heading of results"),
	maybe("source", text, "", "where the numbers come from"),
	{Name: "group", Shape: keys.WordShape, Text: "heading under which lists show it", Optional: true, Choices: Groups},
	maybe("models", texts, "",
		"names of the models for which it is meant; without models and cars any that has the roles"),
	maybe("cars", text, "", "folder of car files of a manoeuvre for any car; it need not exist and can hold other files"),
	named("constants", "numbers that formulas use, by their names", key("", number, anyUnit, "number or formula")),
	{Name: "duration", Unit: "s", Text: "of a manoeuvre without phases", Optional: true, Positive: true},
	above0("step", "s", "communication step"),
	named("parameters", "parameters and texts that are set before initialisation", keys.Key{Shape: keys.AnyShape,
		Any: []keys.Key{{Shape: number, Unit: anyUnit, Plain: true}, {Shape: text}}}),
	named("start", "start values that replace those of the model, by variables",
		key("", number, anyUnit, "start value")),
	{Name: "input", Shape: keys.TablesShape, Text: "signals and what takes them", Optional: true, Keys: inputKeys},
	{Name: "feedback", Shape: keys.TablesShape, Text: "laws that set inputs", Optional: true, Keys: feedbackKeys},
	table("steering", "steering wheel, for phases", steeringKeys),
	table("speed_control", "controller of the speed, for phases", speedControlKeys),
	table("path_follower", "driver, for phases", pathFollowerKeys),
	table("pedals", "hold the speed by throttle and brake with the vehicle's own gain", pedalsKeys),
	table("driver", "driver who looks ahead and adapts to the vehicle, in place of path_follower", driverKeys),
	{Name: "phase", Shape: keys.TablesShape, Text: "parts, one after the other", Optional: true, Keys: phaseKeys},
	{Name: "stop", Shape: keys.TablesShape, Text: "conditions that end a run with a verdict", Optional: true,
		Keys: stopKeys},
	endAtKey,
	named("sweep", "constants and the values that they take, a run for each combination",
		keys.Key{Shape: keys.AnyShape, Any: []keys.Key{
			{Shape: numbers, Unit: anyUnit}, {Shape: keys.TableShape, Keys: seriesKeys}}}),
	table("prerun", "manoeuvre run before, whose characteristic values become constants", prerunKeys),
	{Name: "figures", Shape: keys.TableShape, Text: "characteristic values", Optional: true, Kinds: figureKinds()},
	table("track", "lanes between borders", trackKeys),
	table("search", "for the largest constant that keeps a characteristic value at 1", searchKeys),
	maybe("record", texts, "", "patterns of outputs to record, also by roles: of simulate without --record, and of "+
		"manoeuvre beside what the figures need"),
}

var carModelsKey = maybe("models", texts, "", "names of the models that it is for; any without")

// CarKeys are the keys of car files, beside the table of roles.
var CarKeys = []keys.Key{
	carModelsKey,
	maybe("roles", keys.TableShape, "", "parts of the vehicle by their roles"),
	named("constants", "numbers that formulas of manoeuvres use", key("", number, anyUnit, "number or formula")),
	named("start", "start values, by variables", key("", number, anyUnit, "start value")),
	table("speed_control", "controller of the speed", speedControlKeys),
	table("path_follower", "driver", pathFollowerKeys),
	{Name: "stop", Shape: keys.TablesShape, Text: "conditions that end a run with a verdict", Optional: true,
		Keys: stopKeys},
}
