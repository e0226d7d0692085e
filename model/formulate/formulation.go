package formulate

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Formulation holds a model's equations while they are built, and afterwards
// for packages that read or transform them.
//
//	M pdot + C^T f = b,  C pdot = e,  qdot = h(p, q, t)
type Formulation struct {
	Model  *vehicle.Model
	Forest *graph.Forest
	Pool   *expr.Pool

	Speeds      []State // p, in graph order
	Coordinates []State // q, in the same order
	Internal    []State // component states, by instance

	symbols
	kinematics
	collected
	restraints
	solution
	signals
	networks
	tables tables

	Outputs    []Output
	Indicators int // how many of the outputs, the last ones, are event indicators

	ends   []end    // conditions that end runs
	ranges []ranged // tables that runs must not leave

	options Options
	tree    vehicle.Tree
	scope   *component.Scope
	err     error // the first fault of the model
}

// State is a state variable with its derivative.
type State struct {
	Name, Unit string
	Text       string // "" where the name is enough
	Symbol     *expr.Expr
	Rate       *expr.Expr
	Start      *expr.Expr // of parameters and inputs
	start      keys.Scalar
	// startName is the parameter of the start value if it is not the state's own name; startUnit is its unit.
	startName, startUnit string
	begin                *expr.Expr // in place of a start value
	held                 bool       // it stays in a search for a steady motion
}

// Input is an input variable.
type Input struct {
	Name, Unit, Text string
	Start            float64
	Nonnegative      bool
	Symbol           *expr.Expr
}

// Parameter is a settable parameter.
type Parameter struct {
	Name, Unit, Text string
	Display          string // unit of the value in the file, "" for SI
	Value            float64
	FromFile         string   // key of a tire's property file that has the value
	StartValue       bool     // of the state of the same name
	Follows          bool     // with StartValue: it is added to a start in the design position
	Choices          []string // texts that the values 0, 1, ... stand for; nil for a number
	Symbol           *expr.Expr

	Nonnegative, Positive, AtMostOne bool // required bounds of its value
}

// Output is a published quantity.
type Output struct {
	Name, Unit, Text string
	Value            *expr.Expr
	Driver           string // of an input with the value of another variable: its name
}

// Call is an external function call.
type Call struct {
	Name       string // component and role
	Function   string
	Inputs     []string
	Asked      []string // names of the Inputs that the function itself takes; nil: all
	Arguments  []*expr.Expr
	Outputs    []string
	Returned   []*expr.Expr
	Load       *expr.Expr            // normal force that acts: Fz unless the function knows better; nil where none does
	Pose       func() [3]expr.Vector // of the wheel: centre, heading, normal of the road; nil where there is none
	File, Side string
	Downgrade  bool
	Combined   string
	Radius     float64
	Sizes      map[string]float64
	Parameters []float64
	Warnings   []string
	Returns    []string // outputs of the function itself
	Carcass    *tire.CarcassSetting
	Inside     bool // only a carcass calls it
}

// Constraint is one scalar constraint of a chord or of a component.
type Constraint struct {
	Name     string
	Position *expr.Expr // Phi
	Velocity *expr.Expr // its rate
	Row      []*expr.Expr
	Bias     *expr.Expr // Phi'' without the terms in pdot; with multipliers plus Stabilising
	Active   *expr.Expr // 1, or 0 where it is inactive; all of the above have it as a factor

	Stabilising *expr.Expr // demanded value of -Phi''
	ofNetwork   bool       // its reaction acts by loads of components

	own                *expr.Expr // Bias without stabilisation
	damping, stiffness *expr.Expr // derivatives of Stabilising by Velocity and Position; nil for 0
}

// Options choose between formulations of the same model.
type Options struct {
	Tree string // name of a tree of the model; "" for its first
	// Equations is applied to dynamic and constraint equations, by default
	// Simplified; Intermediates to tire intermediates, by default Unchanged.
	Equations, Intermediates Pass
	Mass                     bool // form M, also where a recursion is cheaper
	// Reactions is a frame in whose axes all reactions are published; "" for the reactions that the model lists.
	Reactions string
}

// Pass is an optional simplification of expressions.
type Pass uint8

// The passes.
const (
	Default Pass = iota
	Unchanged
	Simplified
	Combined
)

var passNames = [...]string{"", "unchanged", "simplify", "combine"}

func (p Pass) String() string { return passNames[p] }

// PassNames lists the names of passes.
func PassNames() []string { return passNames[1:] }

// PassOf finds a pass by its name; "" is the default.
func PassOf(name string) (Pass, error) {
	i := slices.Index(passNames[:], name)
	if i < 0 {
		return 0, fmt.Errorf("there is no pass %q; there are %s", name, strings.Join(PassNames(), ", "))
	}
	return Pass(i), nil
}

// solver solves the equations of accelerations and reactions for a right-hand side; name returns the name of each
// unknown.
type solver interface {
	solve(f *Formulation, right []*expr.Expr, name func(i int) string) []*expr.Expr
}

// New formulates the equations of a model.
func New(m *vehicle.Model, o Options) (*Formulation, error) {
	if o.Mass {
		return formulated(m, o, byMatrix)
	}
	f, err := formulated(m, o, byCount)
	if err != nil || !f.undecided {
		return f, err
	}
	recursion, err := formulated(m, o, byRecursion)
	if err != nil {
		return nil, err
	}
	return cheaper(f, recursion)
}

func formulated(m *vehicle.Model, o Options, how solves) (*Formulation, error) {
	f, err := formulationOf(m, o)
	if err != nil {
		return nil, err
	}
	err = f.run(f.variables, f.orientations, func() { f.decide(how) }, f.pointMotions, f.kinematicEquations,
		f.massMatrix, f.networkEquations, f.componentLoads, f.inertiaLoads, f.equations, f.constraints, f.solve,
		f.multipliersFound, f.heatsFound,
		func() { f.starts(f.tree.Name == m.Trees[0].Name) }, f.rejectSingularStart, f.outputs, f.findEnds)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// formulationOf begins a formulation with the tree that the options select.
func formulationOf(m *vehicle.Model, o Options) (*Formulation, error) {
	tree, err := treeOf(m, o.Tree)
	if err != nil {
		return nil, err
	}
	scope := component.NewScope(m.Components)
	forest, err := graph.Select(scope.Graph(), tree.Selection)
	if err != nil {
		return nil, err
	}
	f := newFormulation(m, scope, forest, expr.NewPool())
	f.options, f.tree = o, tree
	return f, nil
}

// run goes through stages up to the first fault.
func (f *Formulation) run(stages ...func()) error {
	for _, stage := range stages {
		if stage(); f.err != nil {
			return f.err
		}
	}
	return nil
}

func newFormulation(m *vehicle.Model, scope *component.Scope, forest *graph.Forest, pool *expr.Pool) *Formulation {
	return &Formulation{
		Model: m, Forest: forest, Pool: pool, scope: scope,
		symbols: symbols{
			parameterOf: map[string]*expr.Expr{}, inputOf: map[string]*expr.Expr{}, askedFor: map[string]*expr.Expr{},
		},
		kinematics: kinematics{
			carriers: map[int]*carried{}, known: map[resolution]expr.Vector{}, speedIndex: map[int][]int{},
		},
		collected: collected{
			stiff: stiff{pulling: map[string]bool{}}, rows: map[*expr.Expr]bool{}, kept: map[string]*expr.Expr{},
			reactions: map[string]bool{},
		},
		restraints: restraints{rowOf: map[string]int{}},
		signals:    signals{reading: map[string]*expr.Expr{}},
		solution:   solution{accelerations: rates{map[int]expr.Vector{}, map[int]expr.Vector{}}},
	}
}

// States lists speeds, coordinates and component states in the order of the
// state vector (linear-graph specification, section 7.1).
func (f *Formulation) States() []State {
	all := append([]State(nil), f.Speeds...)
	all = append(all, f.Coordinates...)
	return append(all, f.Internal...)
}
