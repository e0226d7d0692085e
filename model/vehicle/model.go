package vehicle

import (
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/subsystem"
)

// Parameter is a named, settable parameter of the whole model.
type Parameter struct {
	Name, Unit, Text string      // Text describes it
	Value            keys.Scalar // always a literal
	// Choices are the allowed texts of the parameter, nil for a number. Its value in formulas is the index of the present
	// text.
	Choices []string
	Pos     keys.Position
}

// Quantity is a formula over published variables, inputs and parameters of a model.
type Quantity struct {
	Name, Unit, Text string // Unit is SI
	Formula          string
	Display          string // unit for display, "" for SI
	Pos              keys.Position
}

// Model is a validated model file. Only Read and Parse build it.
type Model struct {
	Name        string // identifier, also the FMU's model name
	Title       string
	Source      string         // where the numbers come from
	Gravity     [3]keys.Scalar // m/s^2 in the ground frame
	Parameters  []Parameter
	Components  []component.Component // in file order: the order of graph edges and so of states
	Trees       []Tree                // the first is the default; never empty
	Outputs     []string              // names of output variables; empty: all published variables
	Quantities  []Quantity            // published in addition to the outputs of components
	Roles       *roles.Roles          // roles for manoeuvres; the equations do not use them
	Solver      Solver
	StopTime    float64 // s, default end of an experiment
	File        string  // path it was read from, "" when parsed from memory
	Fingerprint string  // hex SHA-256 of the file's bytes; bases of a variant and subsystem files count in

	// ReactionLength weighs moments against forces in the norm of reactions of redundant constraints [m].
	ReactionLength keys.Scalar

	// Warnings lists allowed but implausible values of the file, one line each with its place.
	Warnings []string
	// StartWarnings are the last of the Warnings, about the position and the motion of the vehicle at the start. Other
	// start values make them void.
	StartWarnings []string

	Steady bool // it starts in a steady motion

	Tabulated bool // uses ask for tables in place of their corners

	Origins map[string]*document.Origin // of the components of subsystems, by name
	Exports []subsystem.Export          // exports of subsystems

	CurveFiles []keys.CurveFile   // of curves and surfaces, relative to the model file
	Formulas   []document.Formula // numbers that cannot be set, because they follow from parameters

	data      []byte   // of the file
	read      string   // name for reading
	reactions []string // requested in addition to the file's reactions
}

// Tree says which edges the spanning trees should hold, and how constraints are treated.
type Tree struct {
	Name string
	graph.Selection
	BaumgarteAlpha keys.Scalar // 1/s
	BaumgarteBeta  keys.Scalar // 1/s
	Formulation    string      // of the constraints, one of Formulations
}

// Solver holds the solver defaults of a model.
type Solver struct {
	Method      string  // one of solver.Names
	Step        float64 // s
	Jacobian    string  // one of solver.Matrices
	Multipliers string  // one of Multipliers
	Assemble    string  // one of Assemblies
	Tolerance   float64 // of violations of constraints at the start, in their units
}

// Scope returns the model's components as they find each other.
func (m *Model) Scope() *component.Scope { return component.NewScope(m.Components) }

// Graph returns the linear graph of the model's components.
func (m *Model) Graph() *graph.Graph { return m.Scope().Graph() }

// LastingWarnings are the warnings that do not depend on start values.
func (m *Model) LastingWarnings() []string { return m.Warnings[:len(m.Warnings)-len(m.StartWarnings)] }
