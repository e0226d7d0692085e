package model

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/document"
)

// edgeNames lists the edges of a component (linear-graph specification, section
// 4): those that may be branches of a tree, and those that never are because
// they carry a law, a distance, or only observe.
func (r *reader) edgeNames(c Component) (branches, chords []string) {
	switch c := c.(type) {
	case *RigidBody, *Road, *Terrain:
		return []string{"T1", "R1"}, nil
	case *PointMass:
		return []string{"T1"}, nil
	case *Rod, *ForceDriver, *SideForce, *RollingWheel, *RelaxedWheel, *WheelContact:
		return nil, []string{"T1"}
	case *RightAngle:
		return nil, []string{"T1", "T2"}
	case *Parallelogram:
		return nil, []string{"T1", "T2", "T3"}
	case *TorqueDriver:
		return nil, []string{"R1"}
	case *SpringDamper:
		if _, turns := r.component(c.Joint).(*Revolute); turns {
			return nil, []string{"R1"}
		}
		return nil, []string{"T1"}
	case *AntiRollBar:
		if _, turns := r.component(c.Left).(*Revolute); turns {
			return nil, []string{"R1", "R2"}
		}
		return nil, []string{"T1", "T2"}
	case *Tire:
		return []string{"T1", "R1"}, []string{"T2", "T3", "R2", "R3"}
	case *Aerodynamics:
		return nil, []string{"T1", "R1"}
	case *Differential:
		return nil, r.drivenEdges(c.Outputs[:])
	case *Engine:
		return nil, r.drivenEdges([]string{c.Drives})
	case *Gearbox:
		return nil, r.drivenEdges([]string{c.Input, c.Drives})
	case *Sensor, *LinearEquations, *Equations, *TireForces, *Steering, *BrakeDistribution:
		return nil, nil
	default:
		return []string{"T1", "R2"}, []string{"R1"}
	}
}

// drivenEdges are those of torques on joints: R1, and R2 of a second one.
func (r *reader) drivenEdges(names []string) []string {
	var edges []string
	for i, name := range names {
		if _, turns := r.component(name).(*Revolute); turns {
			edges = append(edges, fmt.Sprintf("R%d", i+1))
		}
	}
	return edges
}

func (r *reader) checkTrees() {
	for i, t := range r.model.Trees {
		for _, use := range []struct {
			key   string
			edges []string
		}{{"prefer", t.Prefer}, {"forbid", t.Forbid}, {"translation", t.Translation}, {"rotation", t.Rotation}} {
			for k, name := range use.edges {
				at := r.root.Field("tree").Items[i].Field(use.key).Items[k]
				r.checkEdge(at, &t, use.key, name)
			}
		}
	}
}

// checkEdge refuses an edge that a key of a tree cannot name: one that does not
// exist, or that the tree cannot hold. Any edge may be forbidden.
func (r *reader) checkEdge(at *document.Node, t *Tree, key, name string) {
	component, edge, _ := strings.Cut(name, ".")
	c := r.component(component)
	if c == nil {
		r.At(at, "tree %q names the edge %q, but there is no component %q%s", t.Name, name, component, r.nearestComponent(component))
		return
	}
	branches, chords := r.edgeNames(c)
	allowed := slices.DeleteFunc(slices.Clone(branches), func(e string) bool {
		return key == "translation" && e[0] == 'R' || key == "rotation" && e[0] == 'T'
	})
	switch {
	case !slices.Contains(branches, edge) && !slices.Contains(chords, edge):
		all := slices.Concat(branches, chords)
		r.At(at, "tree %q names the edge %q; %s has %s", t.Name, name, component, orNone(all))
	case key == "forbid":
	case slices.Contains(t.Forbid, name):
		r.At(at, "tree %q holds the edge %q both under %s and under forbid", t.Name, name, key)
	case slices.Contains(chords, edge):
		r.At(at, "%s of tree %q names the edge %q, which is never in a tree; of %s it may name %s", key, t.Name, name, component, orNone(allowed))
	case !slices.Contains(allowed, edge):
		r.At(at, "%s of tree %q names the edge %q of the other domain; of %s it may name %s", key, t.Name, name, component, orNone(allowed))
	}
}

func orNone(edges []string) string {
	if len(edges) == 0 {
		return "no edge"
	}
	return "the edges " + strings.Join(edges, ", ")
}

// nearestComponent suggests a component for a name that none has.
func (r *reader) nearestComponent(name string) string {
	var names []string
	for _, c := range r.model.Components {
		names = append(names, c.Head().Name)
	}
	if near := document.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
