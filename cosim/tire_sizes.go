package cosim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/bounded"
	parts "skidpad/model/component"
	"skidpad/model/program"
	"skidpad/tire"
)

// sizesOf returns the numbers of the wheel in the property file of tire k, nil without a readable file.
func (s *System) sizesOf(k int, texts []string) map[string]float64 {
	t, file := s.tires[k], texts[s.tires[k].text+1]
	if file == t.file {
		return t.of.Sizes
	}
	data, err := bounded.Tire.Read(s.path(file))
	if err != nil {
		return nil // reported when the function is bound
	}
	p, err := tire.ReadFile(data, file, tire.ReadOptions{Radius: t.of.Radius})
	if err != nil {
		return nil
	}
	return p.Sizes
}

// takeSizes replaces the parameters of tire k that come from its property file by the numbers of a new file. A value
// that the user has set differs from the number of the file before, and stays.
func (in *Instance) takeSizes(k int, before map[string]float64) {
	now := in.sys.sizesOf(k, in.texts)
	for i, v := range in.sys.program.Parameters {
		if v.FromFile == "" || !strings.HasPrefix(v.Name, in.sys.tires[k].name+".") {
			continue
		}
		if x, has := now[v.FromFile]; has && in.p[i] == before[v.FromFile] {
			in.p[i] = x
		}
	}
}

// farSize is the tolerance between the numbers of a tire and of its property file, as a fraction of the file's number.
const farSize = 0.02

// tireSize is a number of a tire that its property file can contain.
type tireSize struct {
	key, name string  // of the file; of the component
	parameter int     // index into the program's parameters, -1 for none
	value     float64 // of the model file
}

// findSizes lists the numbers of each tire that property files can contain.
func (s *System) findSizes() {
	for k := range s.tires {
		t := &s.tires[k]
		c, _ := parts.Named[*parts.Tire](s.model.Scope(), t.name)
		if c == nil {
			continue
		}
		for _, size := range c.Sizes() {
			at := slices.IndexFunc(s.program.Parameters, func(v program.Variable) bool {
				return v.Name == t.name+"."+size.Name
			})
			t.sizes = append(t.sizes, tireSize{size.Key, size.Name, at, size.Value})
		}
	}
}

// sizes warns of tires whose radii, stiffnesses and dampings differ from their property file, and of relaxations with
// another file.
func (in notes) sizes() []notice {
	var texts []string
	var of [][]string // tires, by text
	say := func(name, text string) {
		i := slices.Index(texts, text)
		if i < 0 {
			texts, of, i = append(texts, text), append(of, nil), len(texts)
		}
		of[i] = append(of[i], name)
	}
	for k := range in.sys.tires {
		t := &in.sys.tires[k]
		sizes, file := in.sys.sizesOf(k, in.texts), in.texts[t.text+1]
		if sizes == nil {
			continue
		}
		var list []string
		for _, s := range t.sizes {
			own := s.value
			if s.parameter >= 0 {
				own = in.p[s.parameter]
			}
			x, said := sizes[s.key]
			switch asks := s.parameter >= 0 && in.sys.program.Parameters[s.parameter].FromFile != ""; {
			case said && math.Abs(own-x) > farSize*math.Abs(x):
				list = append(list, fmt.Sprintf("%s is %.4g, %s of the file %.4g", s.name, own, s.key, x))
			case !said && asks && file != t.file && own == s.value:
				say(t.name, fmt.Sprintf("%s has no %s, and %s stays %.4g, of the file %s; set it", file, s.key, s.name,
					own, t.file))
			}
		}
		if list != nil {
			say(t.name, fmt.Sprintf("the forces come from %s, the sizes do not: %s; set these numbers, too, or write "+
				"{ from = \"file\" } for them in the model file", file, strings.Join(list, ", ")))
		}
		if relaxation := in.relaxationFile(t.name); relaxation != "" && relaxation != file {
			say(t.name, fmt.Sprintf("the forces come from %s, the relaxation comes from %s; set "+
				"<tire>.relaxation.file, too, or name the file in slip.relaxation of the model file", file, relaxation))
		}
	}
	for i, text := range texts {
		texts[i] = strings.Join(of[i], ", ") + ": " + text
	}
	return noticed(parametersRule, texts...)
}

// relaxationFile returns the parameter file of the relaxation of a tire, "" for none.
func (in notes) relaxationFile(tire string) string {
	for _, t := range in.sys.slots {
		if t.name == tire && t.of.IsRelaxation() {
			return in.texts[t.text+1]
		}
	}
	return ""
}
