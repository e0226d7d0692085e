package program

import (
	"strings"

	"skidpad/tire"
)

// Machine is a running copy of a Program: it owns all scratch memory. It is not safe for concurrent use. Only
// SetParameters and Bind may be slow; other methods do not allocate.
type Machine interface {
	// SetParameters runs the init block (parameter-only work) for p, ordered as Program.Parameters.
	SetParameters(p []float64)
	// Bind makes call number i (index into Program.Calls) use f, whose arguments are the intermediates named by inputs,
	// in this order.
	Bind(i int, f tire.Function, inputs []string) error
	// Unbind removes all functions, so that new functions are not grouped with closed functions.
	Unbind()
	// Start writes the initial state for inputs u at t = 0 (from the start-value parameters).
	Start(u, x []float64)
	// Derivatives evaluates dx = f(t, x, u).
	Derivatives(t float64, x, u, dx []float64)
	// Outputs evaluates y at the point of the latest Derivatives call.
	Outputs(y []float64)
	// Jacobian returns an evaluator of the derivatives of some quantities by others, with the machine's parameters and
	// functions. The first call for a pair compiles its code. After Bind, call Jacobian again.
	Jacobian(of, by Quantity) *JacobianEvaluator
	// Tangent returns an evaluator of derivatives of rates and outputs along a direction of parameters, states and
	// inputs. It costs a few times as much as the rates, for any direction. The first call compiles its code. After
	// Bind, call Tangent again.
	Tangent() *Sweep
	// Adjoint returns an evaluator of the derivatives of a weighted sum of rates and outputs, by all parameters, states
	// and inputs at once.
	Adjoint() *Sweep
	// Arguments writes the arguments of call number i at the latest Derivatives call, in the order of the inputs of
	// Bind.
	Arguments(i int, dst []float64)
	// Argument and Result return the addresses of argument k and result k of call number i after Derivatives. They are
	// valid until a function is bound again or Straight is called.
	Argument(i, k int) *float64
	Result(i, k int) *float64
	// Offered returns the address, after Derivatives, of the possible argument of call number i with a name; its
	// function need not use the argument. The address is valid until Straight is called; nil for an unknown name.
	Offered(i int, name string) *float64
	// Watched returns the address of number i of the source's Watched after Derivatives, valid until Straight is
	// called.
	Watched(i int) *float64
	// Constants writes the values used by contacts and terrains, after Start.
	Constants(dst []float64)
	// Side returns an evaluator of a computation beside the rates, with the machine's parameters.
	Side(kind SideKind) *Side
	// Returned writes the results of all external calls at the latest Derivatives call; the results of a call with a
	// load are followed by the acting load. ReturnedCount is the number of these values.
	Returned(dst []float64)
	ReturnedCount() int
	// ReturnedAt lists the places of the same values in a listing, after its rates.
	ReturnedAt(rates *Straight) []Place
	// Straight lists Derivatives, and Outputs after Derivatives, and adds the memories to the listing; nil if only Go
	// can run blocks or functions. The memories are in use until a function is bound again or Straight is called again.
	Straight(to *Listed) (rates, outputs *Straight)
	// Beginning lists Start and Constants on the memory of the rates.
	Beginning(rates *Straight) *Beginning
	// Sweeps lists derivatives of rates and of some outputs, and adds the memories to the listing. With start it also
	// lists derivatives of the states at the start; with fixed it omits derivatives by parameters. It returns the
	// reason if it cannot list them.
	Sweeps(to *Listed, outputs []int, fixed, start bool) (s *Sweeps, why string)
	// Linearisation is valid until a function is bound again.
	Linearisation(of Matrix) *Linearisation
}

// Variable is a named quantity of a program.
type Variable struct {
	Name, Unit, Text string
	Display          string  // unit of the model file, or for display; "" for none
	Start            float64 // parameters and inputs: value before anything is set
	StartValue       bool    // a parameter that is the start value of the state of the same name
	Follows          bool    // of a parameter with StartValue: the state starts at a value that follows from others
	Held             bool    // of a state: it stays in a search for a steady motion, as a state of charge does
	Driver           string  // of an output that is an input of a component: the source variable
	FromFile         string  // of a parameter: key of a tire's property file with the value

	Nonnegative, Positive, AtMostOne bool     // bounds of the value of a parameter or input
	Choices                          []string // texts for the values 0, 1, ... of a parameter
}

// Motion is a group of inputs of a prescribed motion, as indices into Program.Inputs. Between two communication points,
// the position continues with rate and acceleration. Acceleration is -1 for a motion without acceleration.
type Motion struct{ Position, Rate, Acceleration int }

// LawRole is the role of functions that compute outputs and rates of equations; in names of calls it follows the
// component.
const LawRole = "law"

// IsLaw reports whether the function of a call has the role LawRole.
func (c *Call) IsLaw() bool { return strings.HasSuffix(c.Name, "."+LawRole) }

// ControllerRole is the role of functions of components that act at samples.
const ControllerRole = "controller"

// isController reports whether the function of a call has the role ControllerRole.
func (c *Call) isController() bool { return strings.HasSuffix(c.Name, "."+ControllerRole) }

// Call is an external function call of the program, of a tire or of equations, or of a sampler.
type Call struct {
	Name     string   // component and role: "tire_FL.force", "tire_FL.relaxation"
	Function string   // registered tire function of the model file, for example "Pacejka02"
	Inputs   []string // names of the possible inputs, which are intermediates
	// Asked lists the Inputs of the function of the model file, nil for all. Other inputs share the slots of an earlier
	// call.
	Asked      []string
	Outputs    []string  // names bound to the returned values, in order
	File       string    // parameter file of the function, "" if the parameters are in the model file
	Downgrade  bool      // a property file of Magic Formula 6.x may be read with the equations of 5.2
	Combined   string    // method of combined slip of a force function, "" for the coefficients of its file
	Side       string    // side of the tire: "left", "right", or "" for the side in its file
	Radius     float64   // unloaded radius [m] for a property file without it, 0 for none
	Parameters []float64 // of the function, from the model file
	Warnings   []string  // of the parameter file
	// Sizes has the dimensions of the wheel from a property file, by its keys.
	Sizes map[string]float64
	Wheel bool // there is a wheel, whose position and load the function can use or compute

	Returns []string // results of the function itself: Outputs, unless it is part of a carcass
	// Carcass is the setting of the carcass that is put around a force function. Its relaxation function, a call of
	// the same component, is Inside: only the carcass calls it.
	Carcass *tire.CarcassSetting
	Inside  bool
}
