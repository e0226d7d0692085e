package drive

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// adjustable is a subject that lists what can be set before initialisation.
type adjustable interface{ Adjustable() []string }

// TextKeys are the keys of texts, behind the name of their component.
var TextKeys = []string{"model", "function", "file", "kind", "formula", "class", "friction_kind", "friction_formula",
	"friction_file", "method", "code"}

// patterned sets numbers and texts by patterns over names, tire_*.LMUY and tire_*.file, and numbers by factors of their
// values, PKY1*. It remembers the settings.
type patterned struct {
	subject Settable
	vehicle *roles.Roles
	set     map[string]float64
	done    []manoeuvre.Setting // in place of patterns, factors and roles
}

// Apply sets texts first, then numbers, by patterns and factors, too.
func Apply(s Settable, settings []manoeuvre.Setting) error {
	several := patterned{subject: s, set: map[string]float64{}}
	return several.apply(settings)
}

// apply sets texts first, then numbers.
func (p *patterned) apply(settings []manoeuvre.Setting) error {
	for _, setting := range manoeuvre.TextsFirst(settings) {
		list, err := p.each(setting)
		if err != nil {
			return err
		}
		for _, one := range list {
			if err := Fits(p.subject, one.Name, one.Written); err != nil {
				return err
			}
			if err := set(p.subject, one); err != nil {
				return err
			}
			p.done = append(p.done, one)
		}
	}
	return nil
}

// CheckSetting returns why the subject has nothing to set of a name, pattern or role, or not in the unit of the
// setting, whose place and text its caller tells. The value of the setting does not matter.
func CheckSetting(s Subject, vehicle *roles.Roles, setting manoeuvre.Setting) error {
	several := patterned{subject: s, vehicle: vehicle, set: map[string]float64{}}
	list, err := several.each(setting)
	if err != nil {
		return err
	}
	for _, one := range list {
		v, err := s.Find(one.Name)
		if err != nil {
			return err
		}
		if err := one.Written.Fits(v.Unit); err != nil {
			return errors.Unwrap(err)
		}
		if err := s.SetNamed(one.Name, v.Start); err != nil { // what is computed cannot be set to any value
			return err
		}
	}
	return nil
}

// each are the names of a setting with the values that they get.
func (p *patterned) each(s manoeuvre.Setting) ([]manoeuvre.Setting, error) {
	if strings.HasPrefix(s.Name, "@") {
		return p.role(s)
	}
	pattern, times := strings.CutSuffix(s.Name, "*")
	several := strings.ContainsAny(pattern, "*?")
	value, err := strconv.ParseFloat(s.Value, 64)
	switch {
	case !times && !several:
		if err == nil {
			p.set[s.Name] = value
		}
		return []manoeuvre.Setting{s}, nil
	case times && (err != nil || s.Written.Fits("1") != nil):
		return nil, fmt.Errorf("%s=%s multiplies what %s is; it takes a number without a unit", s.Name, s.Value, pattern)
	}
	names := []string{pattern}
	if several {
		if names, err = p.matching(pattern, err != nil); err != nil {
			return nil, err
		}
	}
	var list []manoeuvre.Setting
	for _, name := range names {
		one := manoeuvre.Setting{Name: name, Value: s.Value, Written: s.Written}
		if times {
			one.Written = constants.Written{}
			now, known := p.set[name]
			if !known {
				v, err := p.subject.Find(name)
				if err != nil {
					return nil, err
				}
				now = v.Start
			}
			value, _ := strconv.ParseFloat(s.Value, 64)
			p.set[name] = now * value
			one.Value = strconv.FormatFloat(now*value, 'g', -1, 64)
		} else if value, err := strconv.ParseFloat(s.Value, 64); err == nil {
			p.set[name] = value
		}
		list = append(list, one)
	}
	return list, nil
}

// role are the settings of a name that begins with a role: @road.mu, @wheel[*].LMUY, @wheel[1?].PKY1*.
func (p *patterned) role(s manoeuvre.Setting) (list []manoeuvre.Setting, err error) {
	pattern, times := strings.CutSuffix(s.Name, "*")
	vehicle := p.vehicle
	if vehicle == nil {
		vehicle = &roles.Roles{}
	}
	names, err := vehicle.Pattern(pattern)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if times {
			name += "*"
		}
		of, err := p.each(manoeuvre.Setting{Name: name, Value: s.Value, Written: s.Written})
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	return list, nil
}

// matching are the names of numbers or texts that can be set and match a pattern.
func (p *patterned) matching(pattern string, texts bool) (names []string, err error) {
	a, ok := p.subject.(adjustable)
	if !ok {
		return nil, fmt.Errorf("%q is a pattern, and the vehicle does not list what can be set", pattern)
	}
	all, what := a.Adjustable(), "parameter"
	if texts {
		all, what = p.texts(all), "text"
	}
	for _, name := range all {
		is, err := path.Match(pattern, name)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		}
		if is {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no %s matches %q%s", what, pattern, p.near(pattern, all))
	}
	return names, nil
}

// texts are the texts of components that have numbers with these names.
func (p *patterned) texts(numbers []string) (names []string) {
	subject, ok := p.subject.(interface {
		Text(name string) (string, error)
	})
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for _, name := range numbers {
		owner, _, _ := strings.Cut(name, ".")
		if seen[owner] {
			continue
		}
		seen[owner] = true
		for _, key := range TextKeys {
			if _, err := subject.Text(owner + "." + key); err == nil {
				names = append(names, owner+"."+key)
			}
		}
	}
	return names
}

// near suggests names for a pattern without matches: names with its owner, or with its key.
func (p *patterned) near(pattern string, all []string) string {
	owner, _, _ := strings.Cut(pattern, ".")
	key := pattern[strings.LastIndex(pattern, ".")+1:]
	var ofOwner, ofKey []string
	for _, name := range all {
		of, _, _ := strings.Cut(name, ".")
		if is, _ := path.Match(owner, of); is && owner != "*" {
			ofOwner = append(ofOwner, name)
		} else if is, _ := path.Match(key, name[strings.LastIndex(name, ".")+1:]); is && key != pattern {
			ofKey = append(ofKey, name)
		}
	}
	const most = 5
	list := func(names []string) string {
		if len(names) > most {
			return strings.Join(names[:most], ", ") + ", ..."
		}
		return strings.Join(names, ", ")
	}
	hint := ""
	if ofOwner != nil {
		hint = "; " + owner + " has " + list(ofOwner)
	} else if ofKey != nil {
		hint = "; " + key + " stands in " + list(ofKey)
	}
	if strings.ToUpper(key) == key {
		hint += "; an FMU has the coefficients of tires that its model exposes, or all with pack --tire-parameters"
	}
	return hint
}
