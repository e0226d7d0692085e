package tire

// Function is one parameterised tire function. Eval is pure: out depends only
// on in; it allocates nothing and returns finite numbers for finite inputs.
type Function interface {
	// Eval maps in (ordered as Kind.Inputs) to out (ordered as Kind.Outputs).
	Eval(in, out []float64)
}

// Differentiable is a Function that knows its own derivatives.
type Differentiable interface {
	Function
	// Jacobian writes d out[i] / d in[j] to jac[i*len(in)+j].
	Jacobian(in, jac []float64)
}

// Kind is the registry entry of a tire function: what it is called, which
// intermediate variables it wants, its parameters, and what it returns
// (tire-component contract: name, inputs, parameters, outputs, in order).
type Kind struct {
	Name       string
	Text       string   // one line, with the source
	Inputs     []string // names of intermediates
	Parameters []ParameterInfo
	Outputs    []string // Fx Fy Mx My Mz, or q1dot q2dot
	New        func(parameters []float64) (Function, error)
}

// ParameterInfo describes one parameter of a Kind.
type ParameterInfo struct{ Name, Unit, Text string }
