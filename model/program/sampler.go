package program

// Sampler is a component that acts at samples: at the time Phase, and then each Sample. The side Samples computes the
// next values of all samplers, in their order, and behind them the arguments of all functions of samplers.
type Sampler struct {
	Name          string
	Sample, Phase int // constants [s]
	Active        int // constant: 0 where it never acts
	Values        []SampledValue
	// Function computes the next values in place of formulas, once at each sample; nil where formulas do. Its results
	// are the next values, in their order. Where no function is bound, the values stay.
	Function *Call
}

// SampledValue is a value that a sampler holds between samples.
type SampledValue struct {
	Name    string // of the variable
	Control int    // control with the value
	Start   int    // constant: value before the first sample
	Formula string // of the next value, of a mode the table of changes
}
