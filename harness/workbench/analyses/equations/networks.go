package equations

import (
	"fmt"
	"io"
	"strings"

	"skidpad/model/formulate"
)

// printNetworks prints the trees of the networks, and how their laws are solved.
func (e *Equations) printNetworks(w io.Writer) {
	f := e.Formulation
	for _, n := range f.Forest.Networks {
		if len(n.Edges) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s tree: %s\n", n.Domain, strings.Join(f.ScalarBranches(n), " "))
		converters := len(n.Converters)
		fmt.Fprintf(w, "  %d nodes besides the ground, %d edges, %d converters\n", len(n.Nodes), len(n.Edges)-2*converters,
			converters)
		for _, b := range f.Blocks {
			if b.Domain != n.Domain {
				continue
			}
			how := fmt.Sprintf("linear block of %d equations", b.Unknowns)
			if b.Loaded {
				how += ", and the closed form of a power load"
			}
			fmt.Fprintf(w, "  %s: %s\n", how, strings.Join(b.Edges, " "))
		}
	}
}

// addStorages adds the rows of networks: capacities and inductances in M, and their right-hand sides in b.
func addStorages(f *formulate.Formulation, mass, right *Part) {
	for _, s := range f.Storages {
		for i, row := range s.Names {
			for j := i; j < len(s.Names); j++ {
				mass.add(row, s.Names[j], s.Matrix[i][j])
			}
			right.add(row, "", s.Right[i])
		}
	}
}
