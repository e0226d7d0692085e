package live

import (
	"fmt"
	"reflect"

	"skidpad/harness/workbench/runs/manoeuvre"
)

// Described are the driver and the controls of a car that stands at its start, as JSON writes them: the fields of the
// structs of this package by their names. A program that has the law in another language begins with them. most is the
// lateral acceleration that keys steer to [m/s2].
func Described(v Finder, car *manoeuvre.DrivenCar, most float64) (driver, controls any, err error) {
	c, err := newControls(v, car)
	if err != nil {
		return nil, nil, err
	}
	d := newDriver(car, c, most)
	return fields(reflect.ValueOf(d)), fields(reflect.ValueOf(*c)), nil
}

// fields are a value of the law with all fields, also those that are not exported.
func fields(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Struct:
		all := map[string]any{}
		for i := range v.NumField() {
			all[v.Type().Field(i).Name] = fields(v.Field(i))
		}
		return all
	case v.Kind() == reflect.Slice, v.Kind() == reflect.Array:
		list := []any{}
		for i := range v.Len() {
			list = append(list, fields(v.Index(i)))
		}
		return list
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.Kind() == reflect.String:
		return v.String()
	case v.CanFloat():
		return v.Float()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	}
	panic(fmt.Sprintf("a field of the law is a %s", v.Type())) // a fault of this package
}
