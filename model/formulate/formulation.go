package formulate

import (
	"skidpad/model"
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// Formulation holds a model's equations while they are built, and afterwards
// for packages that read or transform them.
//
//	M pdot + C^T f = b,  C pdot = e,  qdot = h(p, q, t)
type Formulation struct {
	Model  *model.Model
	Forest *graph.Forest
	Pool   *expr.Pool

	Speeds      []State // p, in graph order
	Coordinates []State // q, in the same order
	Internal    []State // component states, by instance

	Mass        [][]*expr.Expr // M, symmetric; nil where a recursion does without it
	Load        []*expr.Expr   // b
	Constraints []Constraint
	Calls       []Call
	Inputs      []Input
	Controls    []Input // what the engine itself sets between solver steps; they follow the inputs
	Contacts    []program.WheelContact
	Terrains    []program.Terrain
	Uneven      []component.UnevenRoad
	Bounds      []program.Bound // of formulas over parameters
	Constants   []*expr.Expr    // of parameters; what the contacts and terrains refer to by index
	Motions     [][3]int        // indices into Inputs: position, rate, acceleration or -1
	Parameters  []Parameter
	Outputs     []Output
	Indicators  int // how many of the outputs, the last ones, are event indicators

	// Solution of the linear equations: pdot, then f, as definitions.
	Solution []*expr.Expr
	// What solves them, also for other right-hand sides.
	equationsOfMotion solver
	// Instead of factors and Mass, where the effort for them would grow too fast.
	accelerated *recursion

	scope       *component.Scope
	tree        model.Tree
	rowOf       map[string]int        // constraints that components ask for again
	kept        map[string]*expr.Expr // values that they do
	grips       []relaxedRow
	torques     []driveTorque
	enforced    int  // number of constraints that are active without weights, the first ones
	demands     int  // control that is the first demand of the constraints
	withoutMass bool // a recursion solves the equations
	explicit    bool // the solution of the equations is differentiated as it stands
	classes     []class
	classOf     []int // by node, -1 for the frame of a point mass
	points      []point
	carriers    map[int]*carried // by edge
	known       map[resolution]expr.Vector
	parameterOf map[string]*expr.Expr
	inputOf     map[string]*expr.Expr
	speedIndex  map[int][]int // branch edge -> indices into Speeds
	owner       [][2]int      // of each speed: branch edge and number within it
	direct      []*expr.Expr  // loads that act on one speed only
	brakes      []brake
	secants     []secantSlope
	sliding     []slidingForce
	bodies      []body
	forces      loads
	rows        map[*expr.Expr]bool // definitions that are tire intermediates
	options     Options
	err         error                 // the first fault of the model
	published   []Output              // quantities that component laws leave for the outputs
	indicators  []Output              // event indicators that they leave
	askedFor    map[string]*expr.Expr // intermediates of tires, by the names of variables
}

// State is a state variable with its derivative.
type State struct {
	Name, Unit string
	Text       string // "" where its name says what it is
	Symbol     *expr.Expr
	Rate       *expr.Expr
	Start      *expr.Expr // of parameters and inputs
	start      model.Scalar
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
	Value            float64
	StartValue       bool     // of the state of the same name
	Choices          []string // texts that the values 0, 1, ... stand for; nil for a number
	Symbol           *expr.Expr

	Nonnegative, Positive, AtMostOne bool // what its value must be
}

// Output is a published quantity.
type Output struct {
	Name, Unit, Text string
	Value            *expr.Expr
}

// Call is an external function call.
type Call struct {
	Name       string // component and role
	Function   string
	Inputs     []string
	Arguments  []*expr.Expr
	Outputs    []string
	Returned   []*expr.Expr
	Load       *expr.Expr            // normal force that acts: Fz unless the function knows better; nil where none does
	Pose       func() [3]expr.Vector // of the wheel: centre, heading, normal of the road; nil where there is none
	File, Side string
	Downgrade  bool
	Parameters []float64
	Warnings   []string
}

// Constraint is one scalar constraint of a chord or of a component.
type Constraint struct {
	Name     string
	Position *expr.Expr // Phi
	Velocity *expr.Expr // its rate
	Row      []*expr.Expr
	Bias     *expr.Expr // Phi'' without the terms in pdot, with multipliers plus what is asked for below
	Active   *expr.Expr // 1, or 0 where it is inactive; all of the above have it as a factor

	Stabilising *expr.Expr // what Phi'' is to be the opposite of
}

// Options choose between formulations of the same model.
type Options struct {
	Tree string // name of a tree of the model; "" for its first
	// Equations is applied to dynamic and constraint equations, by default
	// Simplified; Intermediates to tire intermediates, by default Unchanged.
	Equations, Intermediates Pass
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

// solver solves the equations of accelerations and reactions for a right-hand side; name is that of
// each unknown.
type solver interface {
	solve(f *Formulation, right []*expr.Expr, name func(i int) string) []*expr.Expr
}

// New formulates the equations of a model.
func New(m *model.Model, o Options) (*Formulation, error) {
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
	for _, stage := range []func(){
		f.variables, f.orientations, func() { f.withoutMass = f.recursive() }, f.pointMotions, f.kinematicEquations,
		f.massMatrix, f.componentLoads, f.inertiaLoads, f.equations,
		f.constraints, f.solve,
		func() { f.starts(tree.Name == m.Trees[0].Name) }, f.outputs,
	} {
		if stage(); f.err != nil {
			return nil, f.err
		}
	}
	return f, nil
}

func newFormulation(m *model.Model, scope *component.Scope, forest *graph.Forest, pool *expr.Pool) *Formulation {
	return &Formulation{
		Model: m, Forest: forest, Pool: pool, scope: scope,
		carriers:    map[int]*carried{},
		known:       map[resolution]expr.Vector{},
		parameterOf: map[string]*expr.Expr{},
		inputOf:     map[string]*expr.Expr{},
		speedIndex:  map[int][]int{},
		rows:        map[*expr.Expr]bool{},
		rowOf:       map[string]int{},
		kept:        map[string]*expr.Expr{},
		askedFor:    map[string]*expr.Expr{},
	}
}

// States lists speeds, coordinates and component states in the order of the
// state vector (linear-graph specification, section 7.1).
func (f *Formulation) States() []State {
	all := append([]State(nil), f.Speeds...)
	all = append(all, f.Coordinates...)
	return append(all, f.Internal...)
}
