package program

import (
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// A listing describes evaluations by straight-line code on memories and by moves between memories. A listing contains
// no addresses: machines of a program with functions of the same kinds have equal listings, and each machine has
// memories. Callers outside of Go run listings, and printers write them as C.

// Place is number At of a memory. Memory is Nowhere for no place.
type Place struct{ Memory, At int }

// Nowhere is the number of no memory.
const Nowhere = -1

// Memory describes a memory.
type Memory struct {
	Size       int    // numbers that operations reach; machine code keeps further numbers behind
	From, To   int    // the numbers that never change: constants, coefficients of tire functions
	Parameters int    // the place of the parameters, Nowhere for none
	Init       *Block // runs when the parameters have changed; nil for nothing
}

// Straight is an evaluation: the states go to a memory from States on, and the inputs from Inputs on; then the parts
// run one after the other, and leave the results.
type Straight struct {
	Memory         int
	States, Inputs int // Nowhere for an evaluation that takes no states and inputs
	Parts          []Part
	Results        []Place
	Own            []bool            // by result, of an evaluation after another one: whether it writes the place
	Collect        *machinecode.Code // puts all results side by side; of rates only, nil where there is none
}

// Part is one part of a Straight: moves, runs, or a call of a group of functions.
type Part struct {
	Moves  []Move
	Copy   *machinecode.Code // makes all moves at once; nil where there is no such code
	Runs   []Run
	Called int // the group, Nowhere where the part is no call
}

// Move takes a number from one place to another.
type Move struct{ From, To Place }

// Run is a run of a block on a memory. A guard that gives up ends the evaluation, which Go repeats with portable code.
type Run struct {
	*Block
	Memory, Fixed int // Fixed: the memory of the fixed numbers, Nowhere where the code reads none
}

// Block is machinecode.Block.
type Block = machinecode.Block

// Linear is an implicit system (I - c J) k = b: At writes the numbers of the system into a memory, and the rates;
// Factors prepares Solves for the number -c at C; Solves takes b from Given on and leaves k from Right on. Where
// Factors gives up, rows have to be exchanged, which Go does.
type Linear struct {
	At              *Straight
	C, Given, Right Place
	Factors, Solves Run
}

// Beginning makes the state at the start of parameters and inputs in the memory of the rates. Run leaves the states at
// States, and the numbers that contacts and terrains refer to at Constants.
type Beginning struct {
	Run
	States, Constants []Place
}

// Listed collects the memories of a listing, those of one machine, and the groups of functions outside of Go.
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
