package program

// The names of conditions that end runs.
const (
	Fallen     = "fallen"
	RolledOver = "rolled-over"
	BelowRoad  = "below-road"
	Crushed    = "crushed"
)

// End is a condition that makes the rest of a run meaningless. The side Ends has its margin, above 0 where it holds.
type End struct {
	Name      string // what has happened
	Component string // to what
	Default   bool   // it ends runs unless something else is asked for
}
