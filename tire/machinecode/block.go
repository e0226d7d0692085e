package machinecode

// Block is a piece of straight-line code: operations, and the machine code of the operations.
type Block struct {
	Lanes int // 1 or 4: slot s of lane l is number s*Lanes + l of its memory
	// Operations makes the operations, again in each call: kept, they would take more memory than their code.
	Operations func() (*Builder, error)
	Fixed      func(slot int32) bool // slots that change seldom, for LimbsOf; nil: none is known to
	Code       *Code                 // nil where portable code is run in its place
}

// NewBlock makes a block with machine code for a number of lanes, where there can be some.
func NewBlock(lanes int, operations func() (*Builder, error)) *Block {
	made := &Block{Lanes: lanes, Operations: operations}
	if b, err := operations(); err == nil {
		made.Code, _ = Compile(b, b.Slots(), lanes)
	}
	return made
}
