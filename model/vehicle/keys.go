package vehicle

import (
	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/solver"
)

// TopKeys are the keys of a model file outside of its components.
var TopKeys = []keys.Key{
	{Name: "base", Shape: keys.TextShape, Optional: true,
		Text: "base of this variant: another model file, relative to this file, or the name of a shipped one"},
	{Name: "name", Shape: keys.TextShape, Text: "identifier of the model"},
	{Name: "title", Shape: keys.TextShape, Optional: true, Text: "title"},
	{Name: "source", Shape: keys.TextShape, Optional: true, Text: "origin of the numbers"},
	{Name: "gravity", Shape: keys.VectorShape, Unit: "m/s2", Default: "[0, 0, -9.81]",
		Text: "gravitational acceleration in ground; a single number g means [0, 0, -g]"},
	{Name: "parameters", Shape: keys.TableShape, Optional: true,
		Text: "named parameters: name = { value, unit, text }"},
	{Name: "component", Shape: keys.TableShape, Text: "components by name"},
	{Name: "use", Shape: keys.TableShape, Optional: true, Text: "[use.NAME]: subsystem files of which the model consists"},
	{Name: "tree", Shape: keys.TableShape, Optional: true,
		Text: "[[tree]]: trees to choose from; the first is the default", Keys: treeKeys},
	{Name: "quantities", Shape: keys.TableShape, Optional: true,
		Text: "additional published quantities: \"name\" = { value, unit, text }"},
	{Name: "roles", Shape: keys.TableShape, Optional: true,
		Text: "roles of components and inputs, by which manoeuvres know the vehicle"},
	{Name: "outputs", Shape: keys.TextsShape, Optional: true,
		Text: "names of the published outputs, each once; default: all"},
	{Name: keys.ReactionsKey, Shape: keys.TextsShape, Optional: true, Names: keys.Components,
		Text: "joints, arms, rods and contacts whose reactions are published, by names or patterns such as wheel_*; " +
			"\"NAME in FRAME\" resolves in axes of a frame, otherwise those of the tail"},
	{Name: "reaction_length", Unit: "m", Default: "1", Positive: true,
		Text: "length that weighs moments against forces where constraints are redundant and the reactions of least norm " +
			"are published"},
	{Name: "start", Shape: keys.WordShape, Default: Starts[0], Choices: Starts,
		Text: "given: the start values of the file; steady: those of a steady motion, which the search of trim finds from " +
			"them when the model is loaded"},
	{Name: "solver", Shape: keys.TableShape, Optional: true, Text: "solver defaults", Keys: []keys.Key{
		{Name: "method", Shape: keys.WordShape, Default: "rk4", Choices: solver.Names(), Text: "method"},
		{Name: "step", Unit: "s", Default: "0.001", Positive: true, Text: "longest solver step"},
		{Name: "jacobian", Shape: keys.WordShape, Default: solver.Matrices[0], Choices: solver.Matrices,
			Text: "matrix of the method linearly-implicit; tangent: stiffness and damping of all loads, with the geometry " +
				"held; exact: the derivative of the rates, for comparison"},
		{Name: "multipliers", Shape: keys.WordShape, Default: Multipliers[0], Choices: Multipliers,
			Text: "constraint violations that dlmm corrects: those at the beginning of a step, or those of every stage"},
		{Name: "assemble", Shape: keys.WordShape, Default: Assemblies[0], Choices: Assemblies,
			Text: "whether coordinates and speeds of the start change until constraints hold: where the start would be " +
				"refused, always, or never"},
		{Name: "constraint_tolerance", Default: "1e-6", Positive: true,
			Text: "largest permitted violation of a constraint at the start, in the unit of the constraint"},
	}},
	{Name: "experiment", Shape: keys.TableShape, Optional: true, Text: "default experiment", Keys: []keys.Key{
		{Name: "stop_time", Unit: "s", Default: "10", Positive: true, Text: "end"},
	}},
}

var treeKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "name"},
	{Name: "prefer", Shape: keys.TextsShape, Optional: true, Text: "edges that the tree takes first"},
	{Name: "forbid", Shape: keys.TextsShape, Optional: true, Text: "edges that the tree must not contain"},
	{Name: "translation", Shape: keys.TextsShape, Optional: true, Text: "the complete translational tree"},
	{Name: "rotation", Shape: keys.TextsShape, Optional: true, Text: "the complete rotational tree"},
	{Name: "electrical", Shape: keys.TextsShape, Optional: true, Text: "the complete electrical tree"},
	{Name: "hydraulic", Shape: keys.TextsShape, Optional: true, Text: "the complete hydraulic tree"},
	{Name: "thermal", Shape: keys.TextsShape, Optional: true, Text: "the complete thermal tree"},
	{Name: "formulation", Shape: keys.WordShape, Default: Formulations[0], Choices: Formulations,
		Text: "formulation of the constraints; multipliers: all are independent and hold; udwadia-kalaba: some can be " +
			"redundant, and the available friction relaxes those of relaxed wheels"},
	{Name: "baumgarte", Shape: keys.TableShape, Optional: true,
		Text: "stabilisation of constraints", Keys: baumgarteKeys},
}

var baumgarteKeys = []keys.Key{
	{Name: "alpha", Unit: "1/s", Default: "20", Nonnegative: true,
		Text: "damping; default with a joint whose motion is given: 300"},
	{Name: "beta", Unit: "1/s", Default: "20", Nonnegative: true,
		Text: "frequency; default with a joint whose motion is given: 300"},
}

// drivenBaumgarte is the default of alpha and beta where the motion of a joint is given [1/s]. The given rate can jump
// between communication steps. The rest of a loop, such as tie rods on a rack, follows the jump by stabilisation alone,
// with a delay of about 1/alpha.
const drivenBaumgarte = 300

// Formulations lists the formulations of the equations of constrained motion.
var Formulations = []string{"multipliers", UdwadiaKalaba}

// UdwadiaKalaba is the formulation by the generalised inverse, with weights.
const UdwadiaKalaba = component.UdwadiaKalaba

// The values of solver.assemble: a start is assembled where it would be refused, always, or never.
const Auto, Always, Never = "auto", "always", "never"

// Assemblies are all of them.
var Assemblies = []string{Auto, Always, Never}

// Starts are the values of start.
var Starts = []string{"given", SteadyStart}

// SteadyStart is the start in a steady motion.
const SteadyStart = "steady"

// Multipliers are the variants of the solver methods dlmm and dlmm-euler.
var Multipliers = []string{"step", "stage"}
