package program

// The names of conditions that end runs.
const (
	Fallen     = "fallen"
	RolledOver = "rolled-over"
	BelowRoad  = "below-road"
	Crushed    = "crushed"
)

// TableRange is where an argument of a table has to stay. Behind the margins of the ends, the side Ends has how far it
// is outside, which is above 0 then.
type TableRange struct {
	Key, Unit string // of the table in the model file, and of the argument
	Low, High float64
}

// End is a condition that makes the rest of a run meaningless. The side Ends has its margin, above 0 where it holds.
type End struct {
	Name      string // what has happened
	Component string // to what
	Default   bool   // it ends runs unless something else is asked for
}
