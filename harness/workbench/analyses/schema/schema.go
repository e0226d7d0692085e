// Package schema makes JSON Schemas, draft 4, of the key tables of files, for editors that complete and check TOML.
package schema

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/fmu/system"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/analyses/optimise"
	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/validation"
	"skidpad/harness/workbench/runs/assess"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Object is a JSON object.
type Object map[string]any

// Kinds are the files that there is a schema for.
var Kinds = []string{"model", "subsystem", "manoeuvre", "car", "tire", "system", "sweep", "corridor", "linear",
	"optimise", "assessment", "display", "driver", "loads", "targets", "validation"}

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
		s = table(manoeuvre.CarKeys)
		s["properties"].(Object)["roles"] = rolesTable()
	case "system":
		s = table(system.FileKeys)
	case "sweep":
		s = table(sweep.FileKeys)
	case "corridor":
		s = table(compare.FileKeys)
	case "validation":
		s = table(validation.FileKeys)
	case "linear":
		s = table(linearise.FileKeys)
	case "optimise":
		s = table(optimise.FileKeys)
	case "assessment":
		s = table(assess.FileKeys)
	case "display":
		s = table(display.FileKeys)
	case "driver":
		s = table(drive.KnowledgeKeys)
	case "loads":
		s = table(suspension.FileKeys)
	case "targets":
		s = table(suspension.TargetKeys)
	default:
		return nil, fmt.Errorf("there is no schema of %q; there are those of %s", kind, strings.Join(Kinds, ", "))
	}
	s["$schema"], s["title"] = "http://json-schema.org/draft-04/schema#", "Skidpad "+kind+" file"
	return s, nil
}

// modelFile describes a model or a variant. A variant may omit keys that its base has.
func modelFile() Object {
	s := table(vehicle.TopKeys)
	properties := s["properties"].(Object)
	properties["gravity"] = anyOf(describe(vehicle.TopKeys, "gravity"), vector(), number(&keys.Key{}))
	parameter, choice := table(vehicle.ParameterKeys), table(vehicle.ChoiceKeys)
	override := table(vehicle.ParameterKeys) // of what a base says
	delete(override, "required")
	vectorParameter := vectorOf(subsystem.VectorKeys)
	group := Object{"type": "object", "additionalProperties": anyOf("", parameter, vectorParameter, choice, override)}
	properties["parameters"] = Object{"type": "object", "description": describe(vehicle.TopKeys, "parameters"),
		"additionalProperties": anyOf("", parameter, vectorParameter, choice, group, override)}
	properties["quantities"] = Object{"type": "object", "description": describe(vehicle.TopKeys, "quantities"),
		"additionalProperties": table(vehicle.QuantityKeys)}
	tree := slices.IndexFunc(vehicle.TopKeys, func(k keys.Key) bool { return k.Name == "tree" })
	properties["tree"] = Object{"type": "array", "minItems": 1, "items": table(vehicle.TopKeys[tree].Keys)}
	properties["component"] = Object{"type": "object", "description": describe(vehicle.TopKeys, "component"),
		"additionalProperties": Object{"oneOf": components(nil)}}
	properties["use"] = uses(describe(vehicle.TopKeys, "use"))
	properties["roles"] = rolesTable()
	delete(s, "required")
	s["anyOf"] = []Object{{"required": []string{"name", "component"}}, {"required": []string{"name", "use"}},
		{"required": []string{"name", "base"}}}
	return s
}

// subsystemFile is the schema of subsystems.
func subsystemFile() Object {
	s := table(subsystem.FileKeys)
	properties := s["properties"].(Object)
	parameter := table(subsystem.ParameterKeys)
	parameter["properties"].(Object)["share"] = Object{"enum": []bool{true},
		"description": describe(subsystem.ParameterKeys, "share")}
	ofLeft := vectorOf(subsystem.FileVectorKeys)
	ofLeft["properties"].(Object)["share"] = Object{"enum": []bool{true},
		"description": describe(subsystem.FileVectorKeys, "share")}
	group := Object{"type": "object", "additionalProperties": parameter}
	properties["parameters"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "parameters"),
		"additionalProperties": anyOf("", parameter, ofLeft, group)}
	properties["component"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "component"),
		"additionalProperties": Object{"oneOf": components([]keys.Key{subsystem.WhenKey})}}
	when := value(&subsystem.WhenKey)
	s["definitions"] = Object{"conditional": Object{"type": "object", "title": "value with a condition",
		"properties": Object{"when": when, "value": Object{}}, "required": []string{"when", "value"},
		"additionalProperties": false}}
	properties["options"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "options"),
		"additionalProperties": Object{"type": "array", "minItems": 2, "uniqueItems": true,
			"items": Object{"type": "string", "pattern": "^[A-Za-z0-9_]+$"}}}
	properties["use"] = uses(describe(subsystem.FileKeys, "use"))
	properties["exports"] = Object{"type": "object", "description": describe(subsystem.FileKeys, "exports"),
		"additionalProperties": Object{"type": "string", "minLength": 1}}
	s["required"] = []string{"kind"}
	return s
}

// vectorOf is the schema of a parameter that is a vector.
func vectorOf(list []keys.Key) Object {
	s := table(list)
	value := s["properties"].(Object)["value"].(Object)
	value["minItems"], value["maxItems"] = 3, 3
	return s
}

// uses is the schema of subsystem uses, including the changes of a variant to a use of its base. Keys of changed
// components depend on the file and are unknown here.
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
		"additionalProperties": anyOf("", value, Object{"type": "array", "items": value},
			Object{"type": "array", "items": vector()}, Object{"type": "object"})}
	properties["component"] = Object{"type": "object", "description": describe(subsystem.UseKeys, "component"),
		"additionalProperties": Object{"type": "object"}}
	choice := Object{"type": "string", "pattern": "^[A-Za-z0-9_]+$"}
	use["additionalProperties"] = anyOf("choice for an option of the file, or choices of its parts", choice,
		Object{"type": "object", "additionalProperties": choice})
	return Object{"type": "object", "description": description, "additionalProperties": use}
}

// components are the types, each with its own keys and more that all of them have, and what a variant changes of a
// component of its base.
func components(more []keys.Key) []Object {
	var list []Object
	for i := range component.Types {
		t := &component.Types[i]
		c := table(slices.Concat(within(t.Keys, more), more))
		c["title"], c["description"] = t.Word, t.Text
		properties := c["properties"].(Object)
		if len(more) > 0 {
			for name, v := range properties {
				text, _ := v.(Object)["description"].(string)
				delete(v.(Object), "description")
				properties[name] = anyOf(text, v.(Object), Object{"$ref": "#/definitions/conditional"})
			}
			properties["when"] = value(&subsystem.WhenKey)
		}
		properties["type"] = Object{"enum": []string{t.Word}, "description": t.Text}
		properties["text"] = Object{"type": "string", "description": "description"}
		required, _ := c["required"].([]string)
		c["required"] = append([]string{"type"}, required...)
		list = append(list, c)
	}
	return append(list, Object{"type": "object", "title": "change of a component of the base",
		"not": Object{"required": []string{"type"}}})
}

// within are keys whose tables have more keys.
func within(list, more []keys.Key) []keys.Key {
	list = slices.Clone(list)
	for i := range list {
		if k := &list[i]; k.Shape == keys.TableShape && len(k.Keys) > 0 {
			k.Keys = slices.Concat(within(k.Keys, more), more)
		}
	}
	return list
}

// manoeuvreFile describes a manoeuvre: for some models or for any car, with phases or with one duration.
func manoeuvreFile() Object {
	s := table(manoeuvre.FileKeys)
	s["allOf"] = []Object{
		{"not": Object{"required": []string{"models", "cars"}}},
		{"oneOf": []Object{{"required": []string{"duration"}}, {"required": []string{"phase"}}}},
	}
	return s
}

// rolesTable describes the table of roles. A variant or a car file removes all roles, or some, by false.
func rolesTable() Object {
	s := table(roles.FileKeys)
	s["description"] = "parts of the vehicle by their roles"
	return removable(s)
}

// removable lets every key of a table, and of tables in it, be false. A change of a table need not give what must be
// given.
func removable(s Object) Object {
	out := func(value Object) Object {
		text, _ := value["description"].(string)
		return anyOf(text, removable(value), Object{"enum": []bool{false}, "description": "takes it out"})
	}
	if properties, is := s["properties"].(Object); is {
		for name, value := range properties {
			properties[name] = out(value.(Object))
		}
	}
	if value, is := s["additionalProperties"].(Object); is {
		s["additionalProperties"] = out(value)
	}
	for _, of := range [][]Object{list(s["anyOf"]), list(s["oneOf"])} {
		for i := range of {
			of[i] = removable(of[i])
		}
	}
	delete(s, "required")
	return s
}

func list(value any) []Object {
	objects, _ := value.([]Object)
	return objects
}

// tireFile is the schema of parameter files of tire functions.
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
