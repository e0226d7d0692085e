package program

import "skidpad/model/expr"

// Source is the result of a formulation: quantities as expressions of one pool. Names and units are published as given.
type Source struct {
	Name       string
	Pool       *expr.Pool
	States     []SourceState
	Inputs     []SourceSymbol
	Timed      bool                        // the last of the controls is the time
	Controls   int                         // number of inputs set by the engine: the last inputs
	Grounds    map[*expr.Expr][]*expr.Expr // by control of a terrain: the quantities that determine it
	Parameters []SourceSymbol
	Outputs    []SourceValue
	Indicators int // number of event indicators: the last outputs
	Motions    []Motion
	Calls      []SourceCall
	// Derivatives returns the Jacobian of a group of quantities by another group, for functions with the inputs wanted,
	// by call as indices into Call.Inputs.
	Derivatives func(of, by Quantity, wanted [][]int) *Derivatives
	Contacts    []WheelContact
	Samplers    []Sampler
	Limits      []Limit
	Networks    []NetworkState
	Watched     []*expr.Expr // watched numbers of each of Tires, then of each of Limits
	Tires       []Tire
	Terrains    []Terrain
	Uneven      []UnevenRoad
	Ends        []End
	Ranges      []TableRange
	Powers      []Variable
	Stores      [EnergyParts]bool // kinds of energy that the model stores in networks
	Shared      []string
	Braked      []int // calls of the force functions of tires with a brake
	// Constants depend on parameters only; contacts and terrains use them.
	Constants []*expr.Expr
	Bounds    []Bound
	// Constraints, Demands, Speeds and Redundant are described at Program.
	Constraints, Demands, Speeds int
	ConstraintNames              []string
	Redundant                    bool
	// Side returns a computation beside the rates.
	Side func(kind SideKind) *SourceSide
	// Implicit returns the implicit system of the rates.
	Implicit func(of Matrix, wanted [][]int) *Implicit
}

// Bound is a bound of the value of a formula over parameters.
type Bound struct {
	Name, Text                       string // of a key of a component; the formula
	Value                            *expr.Expr
	Nonnegative, Positive, AtMostOne bool
}

// Limit is a quantity that the model watches. In Watched it has its value and its limits.
type Limit struct {
	Of             LimitKind
	Component      string
	Quantity, Unit string // of the component, and its unit
	Below, Above   bool   // there is a lower, and an upper limit
	About          string // explanation in the warning; "" for none
}

// LimitKind is the kind of a limit; it decides the text of the warning.
type LimitKind uint8

// The kinds of limits.
const (
	LengthLimit LimitKind = iota // of a spring
	ChargeLimit                  // of a battery
	SupplyLimit                  // of the power that a network can supply
)

// NetworkState is a state of a network.
type NetworkState struct {
	State     int // index among the states
	Component string
	Node      string // where it is a potential: a node of its component
	Without   string // what the file can say so that the state vanishes; "" for nothing
}

// Usual is a usual magnitude of a potential or a flow, by its unit, and 1 for other units.
func Usual(unit string) float64 {
	switch unit {
	case "Pa":
		return 1e5
	case "m3/s":
		return 1e-4
	case "K":
		return 300
	}
	return 1
}

// Tire is a watched tire. In Watched it has inclination, deflection and radius.
type Tire struct {
	Component      string
	Leaning, Lying string  // texts of warnings of a tire that leans, or lies on the road; "" for no warning
	Depth          float64 // deflection when the road reaches the rim, divided by the radius
}

// SourceSymbol is a given variable of the program.
type SourceSymbol struct {
	Variable
	Symbol *expr.Expr
}

// SourceState is a state with its derivative and its start value.
type SourceState struct {
	SourceSymbol
	Rate, Begin *expr.Expr
}

// SourceValue is a computed variable of the program.
type SourceValue struct {
	Variable
	Value *expr.Expr
}

// SourceSide is a computation beside the rates: values that depend on states, inputs, parameters and given numbers.
type SourceSide struct {
	Given  []*expr.Expr // symbols
	Values []*expr.Expr
	Of     *Source       // source of its symbols, with the same variables; nil: the source of the program
	Ledger []LedgerEntry // description of the values of Energies
}

// LedgerEntry lists the values that are the energies of a component.
type LedgerEntry struct {
	Component string
	Values    [EnergyParts][]int
}

// The parts of an entry.
const (
	KineticEnergy    = iota // J
	PotentialEnergy         // J
	ElectricalEnergy        // J
	HydraulicEnergy         // J
	SuppliedPower           // W
	DissipatedPower         // W
	EnergyParts
)

// Load is the intermediate that holds the normal force of a tire.
const Load = "Fz"

// SourceCall is an external call; Returned are the symbols bound to its values. Load is the symbol of the acting load:
// the argument Load, or the last value returned by a tire.NormalForceSource function. It is nil for a call without a
// load.
type SourceCall struct {
	Call
	Arguments []*expr.Expr
	Returned  []*expr.Expr
	Load      *expr.Expr
}
