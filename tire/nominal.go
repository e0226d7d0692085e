package tire

// NominalLoad is the load for which the parameters of a force function were measured, with its scale [N]; 0 for a
// function that has none.
func NominalLoad(kind *Kind, parameters []float64) float64 {
	if len(parameters) < len(kind.Parameters) {
		return 0
	}
	load, scale := 0.0, 1.0
	for i, p := range kind.Parameters {
		switch p.Name {
		case "Fz0":
			load = parameters[i]
		case "LFz0":
			scale = parameters[i]
		}
	}
	return load * scale
}
