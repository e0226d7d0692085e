package program

import "skidpad/model/expr"

// Source is what a formulation hands over: quantities as expressions of one
// pool. Names and units are those that are published.
type Source struct {
	Name       string
	Pool       *expr.Pool
	States     []SourceState
	Inputs     []SourceSymbol
	Parameters []SourceSymbol
	Outputs    []SourceValue
	Motions    []Motion
	Calls      []SourceCall
	// Derivatives makes the Jacobian of a group of quantities by another.
	Derivatives func(of, by Quantity) *Derivatives
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

// SourceCall is an external call; Returned are the symbols bound to its values.
type SourceCall struct {
	Call
	Arguments []*expr.Expr
	Returned  []*expr.Expr
}
