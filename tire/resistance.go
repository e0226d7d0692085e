package tire

// ResistanceByForce is the coefficient of the longitudinal force in the rolling resistance of a Magic Formula, 0 where
// there is none.
func ResistanceByForce(kind *Kind, parameters []float64) float64 {
	if len(parameters) < len(kind.Parameters) { // the ranges of a property file may follow
		return 0
	}
	share := 0.0
	for i, p := range kind.Parameters {
		switch {
		case p.Name == "QSy2":
			share = parameters[i]
		case p.Name == "LMy" && parameters[i] == 0:
			return 0
		}
	}
	return share
}
