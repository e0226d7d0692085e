package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/program"
	"skidpad/tire"
)

// Limits of the load on the tires at the start, as fractions of the nominal load of their parameter files.
const (
	leastNominal = 0.3
	mostNominal  = 3.0
)

// nominal warns at the start about tires with a load far from the nominal load of their parameters, where friction and
// stiffness are extrapolated. It checks the tires that alone carry the vehicle.
func (in notes) nominal() []notice {
	c := in.sys.carrying
	var shares, list []string
	of, position, scale := map[string][]string{}, "", ""
	for i, call := range in.sys.program.Calls {
		k := slices.Index(c.tires, in.tires.names[i])
		if !call.Wheel || k < 0 {
			continue
		}
		nominal := in.nominalLoad(i, call)
		load, err := in.Get(c.loads[k])
		if err != nil || !(nominal > 0) || load >= leastNominal*nominal && load <= mostNominal*nominal {
			continue
		}
		if position == "" {
			position, scale = c.places[k], fmt.Sprintf("%s.LFZO*=%.2g", c.tires[k], load/nominal)
		}
		share := fmt.Sprintf("%.2g of %.0f N", load/nominal, nominal)
		if of[share] == nil {
			shares = append(shares, share)
		}
		of[share] = append(of[share], c.tires[k])
	}
	for _, share := range shares {
		list = append(list, strings.Join(of[share], ", ")+" "+share)
	}
	if list == nil {
		return nil
	}
	return warnings(nominalRule, fmt.Sprintf("%s: at the start tires carry less than %g or more than %g of the nominal "+
		"load of their parameters, FNOMIN times LFZO: %s; friction and stiffness are extrapolated: take a file of a tire "+
		"for this load, or scale the nominal load, --set '%s'", position, leastNominal, mostNominal,
		strings.Join(list, "; "), scale))
}

// nominalLoad returns the nominal load in the parameters of a call, set parameters included [N]; 0 if there is none.
func (in notes) nominalLoad(i int, call program.Call) float64 {
	kind := in.tires.kinds[i]
	name, file := in.sys.chosen(i, call, in.texts)
	values, _, err := in.sys.parameters(call, kind, name, file)
	if err != nil {
		return 0 // reported when the function is bound
	}
	return tire.NominalLoad(kind, in.sys.assigned(i, kind, values, in.assignments, in.texts))
}
