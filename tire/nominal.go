package tire

// NominalLoad is the nominal load of the parameters of a force function, with its scale [N]; 0 for a function without
// nominal load.
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
