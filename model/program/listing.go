package program

import (
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// A listing describes evaluations by straight-line code on memories and by moves between memories. A listing contains
// no addresses: machines of a program with functions of the same kinds have equal listings, and each machine has
// memories. Callers outside of Go run listings, and printers write them as C.

// Place is number At of a memory. Memory is Nowhere for no number.
type Place struct{ Memory, At int }

// Nowhere is the number of no memory.
const Nowhere = -1

// Memory describes a memory.
type Memory struct {
	Size       int    // numbers used by operations; machine code stores further numbers after them
	From, To   int    // range of constant numbers: constants, coefficients of tire functions
	Parameters int    // index of the first parameter, Nowhere for none
	Init       *Block // runs when the parameters have changed; nil for nothing
}

// Straight is an evaluation. The states are copied to a memory from States on, the inputs from Inputs on. Then the
// parts run one after the other and compute the results.
type Straight struct {
	Memory         int
	States, Inputs int // Nowhere for an evaluation without states and inputs
	Parts          []Part
	Results        []Place
	Own            []bool            // by result, for a second evaluation: whether it writes the result
	Collect        *machinecode.Code // copies all results to neighbouring numbers; for rates only, else nil
}

// Part is one part of a Straight: moves, runs, or a call of a group of functions.
type Part struct {
	Moves  []Move
	Copy   *machinecode.Code // makes all moves at once; nil where there is no such code
	Runs   []Run
	Called int // the group, Nowhere for other parts
}

// Move takes a number from one place to another.
type Move struct{ From, To Place }

// Run is a run of a block on a memory. A guard that fails ends the evaluation, which Go repeats with portable code.
type Run struct {
	*Block
	Memory, Fixed int // Fixed: the memory of the fixed numbers, Nowhere for none
}

// Block is machinecode.Block.
type Block = machinecode.Block

// Linear is an implicit system (I - c J) k = b: At writes the numbers of the system for the number c at C into a
// memory; Factors writes the k for the rates b from Right on, and prepares Solves; Solves reads b from Given on and
// writes k from Right on. If Factors fails, Go solves the system with row exchanges.
type Linear struct {
	At              *Straight
	C, Given, Right Place
	Factors, Solves Run
	Correction      *Correction // nil for a system without constraints
}

// Correction corrects constraints: Residuals are their violations, then the rates of these; Run reads changes of rates
// from By on, and writes changes of speeds, and of coordinates by c times these, from Right of the system on.
type Correction struct {
	Speeds    int // the first states are speeds, then as many coordinates
	Residuals *Straight
	By        Place
	Run       Run
}

// Beginning computes the state at the start from parameters and inputs, in the memory of the rates. Run writes the
// states to States, and the numbers used by contacts and terrains to Constants.
type Beginning struct {
	Run
	States, Constants []Place
}

// Listed collects the memories of a machine for a listing, and the groups of functions outside of Go.
type Listed struct {
	Memories []Memory
	Numbers  [][]float64 // by memory
	Groups   []tire.Group
}

// Add adds a memory and returns its number.
func (l *Listed) Add(numbers []float64, as Memory) int {
	l.Memories, l.Numbers = append(l.Memories, as), append(l.Numbers, numbers)
	return len(l.Memories) - 1
}

// PlaceOf returns the place of a number, Nowhere for a number in none of the memories.
func (l *Listed) PlaceOf(number *float64) Place {
	for k, numbers := range l.Numbers {
		if at := indexIn(numbers, number); at >= 0 {
			return Place{k, int(at)}
		}
	}
	return Place{Nowhere, 0}
}
