// Package schema makes JSON Schemas, draft 4, of the key tables of files, for editors that complete and check TOML.
package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skidpad/fmu/system"
	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Object is a JSON object.
type Object map[string]any

// Kinds are the files that there is a schema for.
var Kinds = []string{"model", "subsystem", "manoeuvre", "car", "tire", "system", "sweep", "corridor"}

// Of is the schema of a kind of files.
func Of(kind string) (Object, error) {
	var s Object
	switch kind {
	case "model":
		s = modelFile()
	case "subsystem":
		s = subsystemFile()
	case "tire":
		s = tireFile()
	case "manoeuvre":
		s = manoeuvreFile()
	case "car":
		s = plainTable(manoeuvre.CarKeys)
		s["properties"].(Object)["roles"] = rolesTable()
	case "system":
		s = plainTable(system.FileKeys)
	case "sweep":
		s = plainTable(sweep.FileKeys)
	case "corridor":
		s = plainTable(compare.FileKeys)
	default:
		return nil, fmt.Errorf("there is no schema of %q; there are those of %s", kind, strings.Join(Kinds, ", "))
	}
	s["$schema"], s["title"] = "http://json-schema.org/draft-04/schema#", "Skidpad "+kind+" file"
	return s, nil
}

// modelFile is that of models and their variants, which leave out what their base says.
func modelFile() Object {
	s := table(vehicle.TopKeys)
	properties := s["properties"].(Object)
	properties["gravity"] = anyOf(describe(vehicle.TopKeys, "gravity"), vector(), number(&keys.Key{}))
	parameter, choice := table(vehicle.ParameterKeys), table(vehicle.ChoiceKeys)
	override := table(vehicle.ParameterKeys) // of what a base says
	delete(override, "required")
	group := Object{"type": "object", "additionalProperties": anyOf("", parameter, choice, override)}
	properties["parameters"] = Object{"type": "object", "description": describe(vehicle.TopKeys, "parameters"),
		"additionalProperties": anyOf("", parameter, choice, group, override)}
	properties["quantities"] = Object{"type": "object", "description": describe(vehicle.TopKeys, "quantities"),
		"additionalProperties": table(vehicle.QuantityKeys)}
	tree := slices.IndexFunc(vehicle.TopKeys, func(k keys.Key) bool { return k.Name == "tree" })
	properties["tree"] = Object{"type": "array", "minItems": 1, "items": table(vehicle.TopKeys[tree].Keys)}
	properties["component"] = Object{"type": "object", "description": describe(vehicle.TopKeys, "component"),
		"additionalProperties": Object{"oneOf": components()}}
	properties["use"] = uses(describe(vehicle.TopKeys, "use"))
	properties["roles"] = rolesTable()
	delete(s, "required")
	s["anyOf"] = []Object{{"required": []string{"name", "component"}}, {"required": []string{"name", "use"}},
		{"required": []string{"name", "base"}}}
	return s
}

// subsystemFile is that of subsystems.
func subsystemFile() Object {
	s := table(subsystem.FileKeys)
	properties := s["properties"].(Object)
	parameter := table(subsystem.ParameterKeys)
	parameter["properties"].(Object)["share"] = Object{"enum": []bool{true},
		"description": describe(subsystem.ParameterKeys, "share")}
	group := Object{"type": "object", "additionalProperties": parameter}
	properties["parameters"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "parameters"),
		"additionalProperties": anyOf("", parameter, group)}
	properties["component"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "component"),
		"additionalProperties": Object{"oneOf": components()}}
	properties["use"] = uses(describe(subsystem.FileKeys, "use"))
	properties["exports"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "exports"),
		"additionalProperties": Object{"type": "string", "minLength": 1}}
	s["required"] = []string{"kind"}
	return s
}

// uses are those of subsystems, with what a variant changes in one of its base. Keys of components that are changed are
// not known here, because they depend on the file.
func uses(description string) Object {
	use := table(subsystem.UseKeys)
	delete(use, "required") // a use of the base has its file there
	text := Object{"type": "string", "minLength": 1}
	whole := Object{"type": "integer", "minimum": 1}
	properties := use["properties"].(Object)
	for name, s := range map[string]Object{"count": whole, "first": {"type": "integer", "minimum": 0},
		"remove": {"enum": []bool{true}}} {
		s["description"] = describe(subsystem.UseKeys, name)
		properties[name] = s
	}
	properties["frames"] = Object{"type": "object", "description": describe(subsystem.UseKeys, "frames"),
		"additionalProperties": anyOf("", text, Object{"type": "array", "items": text})}
	value := number(&keys.Key{})
	properties["parameters"] = Object{"type": "object", "description": describe(subsystem.UseKeys, "parameters"),
		"additionalProperties": anyOf("", value, Object{"type": "array", "items": value}, Object{"type": "object"})}
	properties["component"] = Object{"type": "object", "description": describe(subsystem.UseKeys, "component"),
		"additionalProperties": Object{"type": "object"}}
	return Object{"type": "object", "description": description, "additionalProperties": use}
}

// components are the types, each with its own keys, and what a variant changes of a component of its base.
func components() []Object {
	var list []Object
	for i := range component.Types {
		t := &component.Types[i]
		c := table(t.Keys)
		c["title"], c["description"] = t.Word, t.Text
		properties := c["properties"].(Object)
		properties["type"] = Object{"enum": []string{t.Word}, "description": t.Text}
		properties["text"] = Object{"type": "string", "description": "description"}
		required, _ := c["required"].([]string)
		c["required"] = append([]string{"type"}, required...)
		list = append(list, c)
	}
	return append(list, Object{"type": "object", "title": "change of a component of the base",
		"not": Object{"required": []string{"type"}}})
}

// tireFile is that of parameter files of tire functions.
func tireFile() Object {
	var list []Object
	for _, name := range tire.Names() {
		kind, err := tire.LookupForFile(name)
		if err != nil || len(kind.Parameters) == 0 {
			continue
		}
		parameters, required := Object{}, []string{}
		for _, p := range kind.Parameters {
			parameters[p.Name], required = number(&keys.Key{Unit: p.Unit}), append(required, p.Name)
		}
		for _, p := range kind.Optional {
			n := number(&keys.Key{Unit: p.Unit})
			n["default"] = p.Default
			parameters[p.Name] = n
		}
		list = append(list, Object{"type": "object", "title": name, "required": []string{"function", "parameters"},
			"properties": Object{
				"function": Object{"enum": []string{name}}, "title": Object{"type": "string"}, "source": Object{"type": "string"},
				"parameters": Object{"type": "object", "properties": parameters, "required": required,
					"additionalProperties": false},
			},
			"additionalProperties": false})
	}
	return Object{"oneOf": list}
}

// table is that of a list of keys. A table without keys of its own is free.
func table(list []keys.Key) Object {
	properties, required := Object{}, []string{}
	for i := range list {
		k := &list[i]
		properties[k.Name] = value(k)
		if k.Default == "" && !k.Optional {
			required = append(required, k.Name)
		}
	}
	s := Object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// value is that of a key, with its unit in the description, and its default.
func value(k *keys.Key) Object {
	s := shape(k)
	s["description"] = k.Text
	if k.Unit != "" {
		s["description"] = k.Text + " [" + k.Unit + "]"
	}
	if k.Default == "" {
		return s
	}
	switch x, err := strconv.ParseFloat(k.Default, 64); {
	case err == nil:
		s["default"] = x
	case k.Shape == keys.WordShape || k.Shape == keys.TextShape:
		s["default"] = k.Default
	}
	return s
}

func shape(k *keys.Key) Object {
	text := Object{"type": "string", "minLength": 1}
	switch k.Shape {
	case keys.VectorShape:
		return vector()
	case keys.TextShape, keys.FrameShape:
		return text
	case keys.WordShape:
		return Object{"enum": k.Choices}
	case keys.AxisShape:
		return anyOf("", Object{"enum": []string{"x", "y", "z"}},
			Object{"type": "array", "minItems": 3, "maxItems": 3, "items": Object{"type": "number"}})
	case keys.TextsShape:
		return Object{"type": "array", "items": text}
	case keys.TableShape:
		if len(k.Keys) == 0 {
			return Object{"type": "object"}
		}
		return table(k.Keys)
	case keys.TablesShape:
		return Object{"type": "array", "items": table(k.Keys)}
	case keys.MatrixShape:
		return Object{"type": "array", "items": Object{"type": "array", "items": number(&keys.Key{})}}
	case keys.CurveShape:
		form := table(slices.DeleteFunc(slices.Clone(keys.CurveKeys), func(k keys.Key) bool {
			return k.Shape == keys.CurveShape // its points
		}))
		properties := form["properties"].(Object)
		properties["points"], properties["over"] = points(), anyOf("", text, Object{"type": "array", "items": text})
		return anyOf("", points(), form)
	case keys.ScalarsShape:
		return Object{"type": "array", "minItems": 1, "items": number(k)}
	}
	return number(k)
}

// number is a number within the bounds of a key, or a text: a formula, or a number with its unit.
func number(k *keys.Key) Object {
	plain := Object{"type": "number"}
	if k.Nonnegative || k.Positive {
		plain["minimum"], plain["exclusiveMinimum"] = 0, k.Positive
	}
	if k.AtMostOne {
		plain["maximum"] = 1
	}
	forms := []Object{plain, {"type": "string", "minLength": 1}}
	if k.FromFile != "" {
		forms = append(forms, Object{"type": "object", "properties": Object{"from": Object{"enum": []string{"file"}}},
			"required": []string{"from"}, "additionalProperties": false})
	}
	s := anyOf("", forms...)
	if k.Unit != "" {
		s["description"] = "[" + k.Unit + "]"
	}
	return s
}

func vector() Object {
	return Object{"type": "array", "minItems": 3, "maxItems": 3, "items": number(&keys.Key{})}
}

// points are those of a curve, of two numbers each, or of a surface, of three.
func points() Object {
	return Object{"type": "array", "items": Object{"type": "array", "minItems": 2, "maxItems": 3,
		"items": number(&keys.Key{})}}
}

func anyOf(description string, list ...Object) Object {
	s := Object{"anyOf": list}
	if description != "" {
		s["description"] = description
	}
	return s
}

func describe(list []keys.Key, name string) string {
	for _, k := range list {
		if k.Name == name {
			return k.Text
		}
	}
	return ""
}
