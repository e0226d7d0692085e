package vehicle_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// A tree may forbid every edge that the graph has of a component, and no other.
func TestTreesNameTheEdgesOfTheGraph(t *testing.T) {
	for _, c := range component.Types {
		for _, v := range examples(t, c.Word) {
			text := inPrelude(v.text)
			var edges []string
			for _, e := range parse(t, text).Graph().Edges {
				if own, ok := strings.CutPrefix(e.Name, "example."); ok {
					edges = append(edges, own)
				}
			}
			for _, edge := range []string{"T1", "T2", "T3", "T4", "R1", "R2", "R3"} {
				forbid := "forbid = [\"example." + edge + "\"]\n"
				with := strings.Replace(text, "[[tree]]\n", "[[tree]]\n"+forbid, 1)
				if with == text {
					with += `
[[tree]]
name = "default"
` + forbid
				}
				_, err := vehicle.Parse([]byte(with), "example.toml", tireFile)
				if has := slices.Contains(edges, edge); has != (err == nil) {
					t.Errorf("%s, edge %s: in the graph %v, error %v", c.Word, edge, has, err)
				}
			}
		}
	}
}

// The page of a component names the edges of its examples.
func TestPagesNameTheEdgesOfTheGraph(t *testing.T) {
	for _, c := range component.Types {
		_, section, _ := strings.Cut(prose(t, c.Word), "\n## Edges\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, v := range examples(t, c.Word) {
			for _, e := range parse(t, inPrelude(v.text)).Graph().Edges {
				edge, own := strings.CutPrefix(e.Name, "example.")
				if own && !strings.Contains(section, "`"+edge+"`") {
					t.Errorf("the page of %s does not name its edge %s", c.Word, edge)
				}
			}
		}
	}
}
