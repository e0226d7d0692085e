package schema

import (
	"slices"
	"strconv"
	"strings"

	"skidpad/model/keys"
)

// table is the schema of a list of keys. A table without keys of its own is free.
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

// value describes the value of a key, with the unit in the description, and the default.
func value(k *keys.Key) Object {
	s := shape(k)
	s["description"] = withUnit(k.Text, k)
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
		return vectorOrFormula()
	case keys.TextShape, keys.FrameShape, keys.NodeShape:
		return text
	case keys.NodesShape:
		return Object{"type": "array", "minItems": 2, "maxItems": 2, "items": text}
	case keys.WordShape:
		return Object{"enum": k.Choices}
	case keys.AxisShape:
		if k.Plain {
			return anyOf("", Object{"enum": []string{"x", "y", "z"}},
				Object{"type": "array", "minItems": 3, "maxItems": 3, "items": Object{"type": "number"}})
		}
		return vectorOrFormula()
	case keys.TextsShape, keys.FramesShape:
		if k.Filled {
			return Object{"type": "array", "minItems": 1, "items": text}
		}
		return Object{"type": "array", "items": text}
	case keys.TruthShape:
		return Object{"type": "boolean"}
	case keys.NamedShape:
		return Object{"type": "object", "additionalProperties": value(k.Value)}
	case keys.ListShape:
		s := Object{"type": "array", "items": value(k.Value)}
		if k.Filled {
			s["minItems"] = 1
		}
		return s
	case keys.AnyShape:
		var list []Object
		for i := range k.Any {
			list = append(list, value(&k.Any[i]))
		}
		return anyOf("", list...)
	case keys.TableShape:
		switch {
		case len(k.Kinds) > 0:
			return kinds(k.Kinds)
		case len(k.Keys) == 0:
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
	if k.Whole != nil {
		plain = Object{"type": "integer", "minimum": k.Whole.Least, "maximum": k.Whole.Most}
	}
	if k.Plain {
		return plain
	}
	forms := []Object{plain, {"type": "string", "minLength": 1}}
	if k.FromFile != "" {
		forms = append(forms, Object{"type": "object", "properties": Object{"from": Object{"enum": []string{"file"}}},
			"required": []string{"from"}, "additionalProperties": false})
	}
	return anyOf(withUnit("", k), forms...)
}

// withUnit is a description with the unit of a key.
func withUnit(text string, k *keys.Key) string {
	for k.Shape == keys.ListShape {
		k = k.Value
	}
	if k.Unit == "" || k.Unit == keys.AnyUnit {
		return text
	}
	return strings.TrimLeft(text+" ["+k.Unit+"]", " ")
}

func vector() Object {
	return Object{"type": "array", "minItems": 3, "maxItems": 3, "items": number(&keys.Key{})}
}

// vectorOrFormula is a vector, or a formula of vectors.
func vectorOrFormula() Object { return anyOf("", vector(), Object{"type": "string", "minLength": 1}) }

// points describes the points of a curve (two numbers each) or of a surface (three).
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

// kinds describes a table whose other keys depend on its key "kind".
func kinds(list []keys.Kind) Object {
	var all []Object
	for _, choice := range list {
		s := table(choice.Keys)
		s["title"], s["description"] = choice.Word, choice.Text
		s["properties"].(Object)["kind"] = Object{"enum": []string{choice.Word}, "description": choice.Text}
		required, _ := s["required"].([]string)
		s["required"] = append([]string{"kind"}, required...)
		all = append(all, s)
	}
	return Object{"oneOf": all}
}
