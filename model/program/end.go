package program

// The names of end conditions.
const (
	Fallen     = "fallen"
	RolledOver = "rolled-over"
	BelowRoad  = "below-road"
	Crushed    = "crushed"
)

// TableRange is the allowed range of the argument of a table. After the margins of the end conditions, the side Ends
// has the distance of the argument from the range, above 0 outside.
type TableRange struct {
	Key, Unit string // of the table in the model file, and of the argument
	Low, High float64
}

// End is a condition that makes the rest of a run meaningless. The side Ends has its margin, above 0 if the condition
// holds.
type End struct {
	Name      string // name of the condition
	Component string // affected component
	Default   bool   // ends runs by default
}
