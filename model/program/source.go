package program

import "skidpad/model/expr"

// Source is what a formulation hands over: quantities as expressions of one
// pool. Names and units are those that are published.
type Source struct {
	Name       string
	Pool       *expr.Pool
	States     []SourceState
	Inputs     []SourceSymbol
	Timed      bool                        // the last of the controls is the time
	Controls   int                         // how many of the inputs, the last ones, the engine itself sets
	Grounds    map[*expr.Expr][]*expr.Expr // what the engine sets controls of terrains from; nothing for the others
	Parameters []SourceSymbol
	Outputs    []SourceValue
	Indicators int // how many of the outputs, the last ones, are event indicators
	Motions    []Motion
	Calls      []SourceCall
	// Derivatives makes the Jacobian of a group of quantities by another, for functions
	// that take the inputs wanted, by call as indices into Call.Inputs.
	Derivatives func(of, by Quantity, wanted [][]int) *Derivatives
	Contacts    []WheelContact
	Limits      []LengthLimit
	Watched     []*expr.Expr // what Tires have, one after the other, then what Limits have
	Tires       []Tire
	Terrains    []Terrain
	Uneven      []UnevenRoad
	Ends        []End
	Ranges      []TableRange
	Powers      []Variable
	Shared      []string
	Braked      []int // calls of the force functions of tires with a brake
	// Constants depend on parameters only; contacts and terrains refer to them.
	Constants []*expr.Expr
	Bounds    []Bound
	// Constraints is the number of scalar constraints between the states; Demands is the input
	// that is the first of their demands, with damping and stiffness in front of it. Speeds is
	// the number of speeds, which are the first states and are followed by as many coordinates.
	Constraints, Demands, Speeds int
	// Side makes a computation beside the rates.
	Side func(kind SideKind) *SourceSide
	// Implicit makes the implicit system of the rates.
	Implicit func(wanted [][]int) *Derivatives
}

// Bound is what the value of a formula over parameters must be.
type Bound struct {
	Name, Text                       string // of a key of a component; the formula
	Value                            *expr.Expr
	Nonnegative, Positive, AtMostOne bool
}

// LengthLimit is a length, or an angle, that the model watches. Of Watched it has its value, and its limits.
type LengthLimit struct {
	Component    string
	Length, Unit string // of the component, and its unit
	Below, Above bool   // there is a least, and a greatest one
}

// Tire is a tire that is watched. Of Watched it has its inclination, its deflection and its radius.
type Tire struct {
	Component      string
	Leaning, Lying string  // texts of warnings of a tire that leans, or lies on the road; "" for no warning
	Depth          float64 // deflection by the radius at which the road reaches its rim
}

// SourceSymbol is a variable that the program is given.
type SourceSymbol struct {
	Variable
	Symbol *expr.Expr
}

// SourceState is a state with its derivative and its start value.
type SourceState struct {
	SourceSymbol
	Rate, Begin *expr.Expr
}

// SourceValue is a variable that the program computes.
type SourceValue struct {
	Variable
	Value *expr.Expr
}

// SourceSide is a computation beside the rates: values of states, inputs, parameters and of what
// it is given.
type SourceSide struct {
	Given  []*expr.Expr // symbols
	Values []*expr.Expr
	Of     *Source       // whose symbols it has, with the same variables; nil: the program's own
	Ledger []LedgerEntry // what values are, of Energies
}

// LedgerEntry says which values are the energies of a component.
type LedgerEntry struct {
	Component string
	Values    [EnergyParts][]int
}

// What an entry has.
const (
	KineticEnergy   = iota // J
	PotentialEnergy        // J
	SuppliedPower          // W
	DissipatedPower        // W
	EnergyParts
)

// Load is the intermediate that holds the normal force of a tire.
const Load = "Fz"

// SourceCall is an external call; Returned are the symbols bound to its values. Load is bound to
// the argument of that name, or to what a tire.NormalForceSource function returns behind its other values;
// nil where there is nothing of that kind.
type SourceCall struct {
	Call
	Arguments []*expr.Expr
	Returned  []*expr.Expr
	Load      *expr.Expr
}
