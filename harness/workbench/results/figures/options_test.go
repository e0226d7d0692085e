package figures

import (
	"reflect"
	"testing"

	"skidpad/model/unit"
)

// Every number of the options of a kind is told once, with a unit that is known and a sentence.
func TestOptionsTellAllTheirNumbers(t *testing.T) {
	for i := range kinds {
		k := &kinds[i]
		o := k.New()
		known := map[*float64]string{}
		names := map[string]bool{}
		for _, n := range o.Numbers() {
			if _, err := unit.ParseSI(n.Unit); err != nil || n.Text == "" || n.Name == "" || names[n.Name] ||
				known[n.Value] != "" {
				t.Errorf("%s: %+v: %v", k.Name, n.Key, err)
			}
			known[n.Value], names[n.Name] = n.Name, true
		}
		fields := 0
		var count func(v reflect.Value)
		count = func(v reflect.Value) {
			for j := range v.NumField() {
				if f := v.Field(j); f.Kind() == reflect.Struct {
					count(f)
				} else if fields++; known[(*float64)(f.Addr().UnsafePointer())] == "" {
					t.Errorf("%s: %s is not told", k.Name, v.Type().Field(j).Name)
				}
			}
		}
		if count(reflect.Indirect(reflect.ValueOf(o))); fields != len(known) {
			t.Errorf("%s has %d numbers and tells %d", k.Name, fields, len(known))
		}
	}
}
