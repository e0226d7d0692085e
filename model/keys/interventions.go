package keys

// The variables of a controller that says when it intervenes, after the name of its component and a dot, with their
// descriptions. Manoeuvres find the controllers of a vehicle, and of an FMU, by name and description together.
const (
	Intervening       = "intervening"
	InterveningText   = "1 while the controller intervenes, else 0"
	Interventions     = "interventions"
	InterventionsText = "how often the controller began to intervene"
)
