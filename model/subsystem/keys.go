package subsystem

import "skidpad/model/keys"

// FileKeys are the keys of a subsystem file.
var FileKeys = []keys.Key{
	{Name: "kind", Shape: keys.WordShape, Choices: []string{"subsystem"}, Text: "marks the file as a subsystem"},
	{Name: "title", Shape: keys.TextShape, Optional: true, Text: "title"},
	{Name: "source", Shape: keys.TextShape, Optional: true, Text: "origin of the numbers"},
	{Name: "frames", Shape: keys.TextsShape, Optional: true,
		Text: "frames, and components, that the user gives; all others are the file's own"},
	{Name: "nodes", Shape: keys.TextsShape, Optional: true,
		Text: "nodes of networks that the user gives, in all domains; all others are the file's own"},
	{Name: "sides", Shape: keys.WordShape, Default: "none", Choices: []string{"none", "left"},
		Text: "left: written for the left side, and mirrored where it is used at R; none: in the middle, not mirrored"},
	{Name: "options", Shape: keys.TableShape, Optional: true,
		Text: "choices of a use: name = [\"default\", \"other\"]; the key when of a component, a table within it, a use or " +
			"a parameter names them"},
	{Name: "parameters", Shape: keys.TableShape, Optional: true,
		Text: "parameters that the user gives: name = { value, unit, text, share }"},
	{Name: "component", Shape: keys.TableShape, Optional: true, Text: "components by name"},
	{Name: "use", Shape: keys.TableShape, Optional: true, Text: "[use.NAME]: subsystems of which it consists"},
	{Name: "exports", Shape: keys.TableShape, Optional: true,
		Text: "names that users can rely on: name = \"component\" or \"component.quantity\""},
}

// ParameterKeys are the keys of one parameter of a subsystem file.
var ParameterKeys = []keys.Key{
	{Name: "value", Optional: true, Text: "start value; without it the user must give one"},
	{Name: "unit", Shape: keys.TextShape, Optional: true,
		Text: "unit of the value; not needed where the value has one, as in \"0.7 m\""},
	{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"},
	{Name: "share", Optional: true, Text: "true: one parameter for all instances of a use, called like the use"},
	WhenKey,
}

// WhenKey is the key of components, tables within them, uses and parameters of a subsystem file that exist only for
// some choices.
var WhenKey = keys.Key{Name: "when", Shape: keys.TextShape, Optional: true,
	Text: "condition over options of the file: it exists only when, for example, \"joints == bushings\"; and, or, !="}

// The choices for the corners of a use.
const (
	mechanism = "mechanism" // as the file has them
	tabulated = "tabulated" // by tables of their motion
)

// UseKeys are the keys of one use.
var UseKeys = []keys.Key{
	{Name: "file", Shape: keys.TextShape, Text: "subsystem file, relative to this file, or the name of a shipped one"},
	{Name: "at", Shape: keys.TextsShape, Optional: true,
		Text: "instances, such as L and R; default: one, called like the use alone"},
	{Name: "count", Optional: true, Text: "makes an array of this number of elements, each with the instances of `at`"},
	{Name: "first", Default: "1", Text: "number of the first element of the array"},
	{Name: "frames", Shape: keys.TableShape, Optional: true,
		Text: "frames that the file wants: its name = name here; of an array a name, or a list with one for each element"},
	{Name: "nodes", Shape: keys.TableShape, Optional: true,
		Text: "nodes of networks that the file wants: its name = name here; of an array a name, or a list, too"},
	{Name: "parameters", Shape: keys.TableShape, Optional: true,
		Text: "parameters of the file: its name = number, quantity or formula over parameters here; of an array a list, too"},
	{Name: "points", Shape: keys.TableShape, Optional: true, Keys: PointsKeys,
		Text: "the points of the file from a table, { file = \"front.csv\" }; parameters come first"},
	{Name: "suspension", Shape: keys.WordShape, Default: mechanism, Choices: []string{mechanism, tabulated},
		Text: "tabulated, in a model: runs and FMUs have tables in place of the links of both wheels; the rig has the links"},
	{Name: "component", Shape: keys.TableShape, Optional: true,
		Text: "changes in components of the file, in all instances: [use.NAME.component.ITS_NAME]"},
	{Name: "remove", Optional: true, Text: "true, in a variant: the base's use of this name is left out"},
}
