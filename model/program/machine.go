package program

import (
	"strings"

	"skidpad/tire"
)

// Machine is one running copy of a Program: it owns all scratch memory. Not safe for
// concurrent use. No method but SetParameters and Bind may be slow; none of the
// others allocates.
type Machine interface {
	// SetParameters runs the init block (parameter-only work) for p, ordered as Program.Parameters.
	SetParameters(p []float64)
	// Bind makes call number i (index into Program.Calls) use f, which takes the
	// intermediates called inputs, in that order.
	Bind(i int, f tire.Function, inputs []string) error
	// Unbind forgets all functions, so that none is planned with others that are closed.
	Unbind()
	// Start writes the initial state for inputs u at t = 0 (from the start-value parameters).
	Start(u, x []float64)
	// Derivatives evaluates dx = f(t, x, u).
	Derivatives(t float64, x, u, dx []float64)
	// Outputs evaluates y at the point of the latest Derivatives call.
	Outputs(y []float64)
	// Jacobian returns what evaluates the derivatives of some quantities by others
	// with the machine's parameters and functions. The first call for a pair compiles
	// its code; what Bind changes after that needs a new call.
	Jacobian(of, by Quantity) *JacobianEvaluator
	// Tangent returns what evaluates derivatives along a direction: of rates and outputs along one
	// of parameters, states and inputs. It costs a few times as much as the rates, however many of
	// them change. The first call compiles its code; what Bind changes after that needs a new call.
	Tangent() *Sweep
	// Adjoint returns what evaluates derivatives against a direction: of a sum of rates and outputs
	// with weights by all parameters, states and inputs at once.
	Adjoint() *Sweep
	// Arguments writes what call number i got at the latest Derivatives call, in the order of the
	// inputs that it was bound with.
	Arguments(i int, dst []float64)
	// Argument and Result tell where argument k of call number i, and its result k, stand after Derivatives, until a
	// function is bound again or Straight is called.
	Argument(i, k int) *float64
	Result(i, k int) *float64
	// Offered tells where the argument of call number i with a name stands after Derivatives, whether or not its function
	// asks for it, until Straight is called; nil where the call offers none of this name.
	Offered(i int, name string) *float64
	// Watched tells where number i of the source's Watched stands after Derivatives, until Straight is called.
	Watched(i int) *float64
	// Constants writes the values that contacts and terrains refer to, after Start.
	Constants(dst []float64)
	// Side returns what evaluates a computation beside the rates, with the machine's parameters.
	Side(kind SideKind) *Side
	// Returned writes what the external calls have returned at the latest Derivatives call, each followed by the load that
	// acts where it has one; ReturnedCount is how many values that are.
	Returned(dst []float64)
	ReturnedCount() int
	// Straight lists Derivatives, and Outputs after Derivatives, and adds the memories to the listing; nil where blocks or
	// functions run in Go alone. The memories are in use until a function is bound again or Straight is called again.
	Straight(to *Listed) (rates, outputs *Straight)
	// Beginning lists Start and Constants on the memory of the rates.
	Beginning(rates *Straight) *Beginning
	// Sweeps lists derivatives of rates and of some outputs, with start also those of the states at the start, and adds
	// the memories to the listing, or says why not. Fixed: none by parameters.
	Sweeps(to *Listed, outputs []int, fixed, start bool) (s *Sweeps, why string)
	// Linearisation is valid until a function is bound again.
	Linearisation() *Linearisation
}

// Variable is one named quantity of a program.
type Variable struct {
	Name, Unit, Text string
	Display          string  // unit in which people wrote it, or want to see it; "" for none
	Start            float64 // parameters and inputs: value before anything is set
	StartValue       bool    // a parameter that is the start value of the state of the same name
	Driver           string  // of an output that is an input of a component: the variable whose value it has
	FromFile         string  // of a parameter: key of a tire's property file that has the value

	Nonnegative, Positive, AtMostOne bool     // what the value of a parameter or input must be
	Choices                          []string // texts that the values 0, 1, ... of a parameter stand for
}

// Motion is a group of inputs that describe one prescribed motion: between two
// communication points position continues with rate and acceleration. Indices
// into Program.Inputs; Acceleration is -1 when the motion has none.
type Motion struct{ Position, Rate, Acceleration int }

// LawRole is the role of functions that compute outputs and rates of equations, behind the name of the component.
const LawRole = "law"

// IsLaw reports whether the function of a call is one of those.
func (c *Call) IsLaw() bool { return strings.HasSuffix(c.Name, "."+LawRole) }

// Call is one external function call of the program, of a tire or of equations.
type Call struct {
	Name     string   // component and role: "tire_FL.force", "tire_FL.relaxation"
	Function string   // registered tire function of the model file, for example "Pacejka02"
	Inputs   []string // names of the intermediates that a function can ask for
	// Asked lists the Inputs that the function of the model file takes, nil for all. The other ones share the slots of
	// an earlier call.
	Asked      []string
	Outputs    []string  // names bound to the returned values, in order
	File       string    // parameter file of the function, "" where the parameters are in the model file
	Downgrade  bool      // a property file of Magic Formula 6.x may be read with the equations of 5.2
	Combined   string    // what combines slips of a force function, "" for the coefficients of its file
	Side       string    // on which the tire is mounted: "left", "right", or "" for as its file says
	Radius     float64   // unloaded radius [m] for a property file without it, 0 for none
	Parameters []float64 // of the function, from the model file
	Warnings   []string  // of the parameter file
	// Sizes are what a property file says of the wheel, by its keys.
	Sizes map[string]float64
	Wheel bool // there is a wheel, whose place and load the function can know or find

	Returns []string // what the function itself returns, Outputs unless it is part of a carcass
	// Carcass is the setting of the carcass that is put around a force function. Its relaxation function, a call of
	// the same component, is Inside: only the carcass calls it.
	Carcass *tire.CarcassSetting
	Inside  bool
}
