package schema

import (
	"strconv"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// manoeuvreFile is that of manoeuvres, which are for some models or for any car, and have phases or one duration.
func manoeuvreFile() Object {
	s := plainTable(manoeuvre.FileKeys)
	s["allOf"] = []Object{
		{"not": Object{"required": []string{"models", "cars"}}},
		{"oneOf": []Object{{"required": []string{"duration"}}, {"required": []string{"phase"}}}},
	}
	return s
}

// rolesTable is that of roles, which a variant or a car file can take out, whole or in part, by false.
func rolesTable() Object {
	s := plainTable(roles.FileKeys)
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

// plainTable is that of a list of keys, and nothing else.
func plainTable(list []document.Key) Object {
	properties, required := Object{}, []string{}
	for i := range list {
		k := &list[i]
		properties[k.Name] = plainValue(k)
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

// plainValue is that of a key, with its unit in the description, and its default.
func plainValue(k *document.Key) Object {
	s := plainShape(k)
	s["description"] = described(k)
	if x, err := strconv.ParseFloat(k.Default, 64); err == nil {
		s["default"] = x
	} else if k.Default != "" {
		s["default"] = k.Default
	}
	return s
}

// described is the text of a key, with its unit.
func described(k *document.Key) string {
	if k.Unit == "" || k.Unit == document.AnyUnit || k.Unit == "1" {
		return k.Text
	}
	return k.Text + " [" + k.Unit + "]"
}

func plainShape(k *document.Key) Object {
	notEmpty := Object{"type": "string", "minLength": 1}
	listOf := func(items Object) Object { return Object{"type": "array", "minItems": 1, "items": items} }
	switch k.Shape {
	case document.TextShape:
		return notEmpty
	case document.WordShape:
		return Object{"enum": k.Choices}
	case document.TextsShape:
		return listOf(notEmpty)
	case document.NumbersShape:
		return listOf(plainNumber(k))
	case document.TableShape:
		if len(k.Kinds) > 0 {
			return kinds(k.Kinds)
		}
		return plainTable(k.Keys)
	case document.TablesShape:
		return Object{"type": "array", "items": plainTable(k.Keys)}
	case document.NamedShape:
		return Object{"type": "object", "additionalProperties": plainValue(k.Value)}
	case document.ListShape:
		return Object{"type": "array", "items": plainValue(k.Value)}
	case document.AnyShape:
		var list []Object
		for i := range k.Any {
			list = append(list, plainValue(&k.Any[i]))
		}
		return Object{"anyOf": list}
	}
	return plainNumber(k)
}

// kinds is a table whose key "kind" tells which other keys it has.
func kinds(list []document.Choice) Object {
	var all []Object
	for _, choice := range list {
		s := plainTable(choice.Keys)
		s["title"], s["description"] = choice.Word, choice.Text
		s["properties"].(Object)["kind"] = Object{"enum": []string{choice.Word}, "description": choice.Text}
		required, _ := s["required"].([]string)
		s["required"] = append([]string{"kind"}, required...)
		all = append(all, s)
	}
	return Object{"oneOf": all}
}

// plainNumber is a number within the bounds of a key, or a text of a number with its unit or of a formula.
func plainNumber(k *document.Key) Object {
	plain := Object{"type": "number"}
	if k.Nonnegative || k.Positive {
		plain["minimum"], plain["exclusiveMinimum"] = 0, k.Positive
	}
	if k.Plain {
		return plain
	}
	return Object{"anyOf": []Object{plain, {"type": "string", "minLength": 1}}}
}
