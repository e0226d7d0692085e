package cosim

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// curveSystems are systems of one model with other files of curves. The points lie in the equations: constant columns
// are folded, and equal ones are one.
type curveSystems struct {
	own     *System // with the files that the model file names
	content []byte  // digest of the other files; nil for its own

	mutex sync.Mutex
	made  []*System // the latest first
}

// mostCurveSystems bounds how many are kept.
const mostCurveSystems = 8

// withCurves is the system with the files of curves that texts name.
func (s *System) withCurves(texts []string) (*System, error) {
	own := s.curves.own
	instead := map[string]string{}
	content := map[string][]byte{}
	hash := sha256.New()
	for i, c := range own.model.CurveFiles {
		file := texts[own.texts.curves+i]
		if file == c.File {
			continue
		}
		data, err := bounded.Curves.Read(own.path(file))
		if err != nil {
			return nil, fmt.Errorf("%s.file: %w", c.Name, err)
		}
		instead[c.Name], content[file] = file, data
		fmt.Fprintf(hash, "%s %d\n", c.Name, len(data))
		hash.Write(data)
	}
	if len(instead) == 0 {
		return own, nil
	}
	return own.curves.find(hash.Sum(nil), func() (*vehicle.Model, error) {
		return own.model.WithCurves(instead, func(kind bounded.Kind, file string) ([]byte, error) {
			if data, ok := content[file]; ok && kind == bounded.Curves {
				return data, nil
			}
			return kind.Read(own.path(file))
		})
	})
}

// find returns the system for files of that content, made from a model unless it is there.
func (c *curveSystems) find(content []byte, read func() (*vehicle.Model, error)) (*System, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	at := slices.IndexFunc(c.made, func(s *System) bool { return string(s.curves.content) == string(content) })
	if at >= 0 {
		s := c.made[at]
		c.made = slices.Insert(slices.Delete(c.made, at, at+1), 0, s)
		return s, nil
	}
	m, err := read()
	if err != nil {
		return nil, err
	}
	s, err := New(m, c.own.options)
	if err != nil {
		return nil, err
	}
	if err := c.own.sameVariables(s); err != nil {
		return nil, err
	}
	s.folder, s.id = c.own.folder, c.own.id
	s.curves = &curveSystems{own: c.own, content: content}
	c.made = append([]*System{s}, c.made...)
	c.made = c.made[:min(len(c.made), mostCurveSystems)]
	return s, nil
}

// sameVariables fails where another system numbers its variables in another way.
func (s *System) sameVariables(other *System) error {
	same := slices.EqualFunc(s.variables, other.variables, func(a, b Variable) bool {
		return a.Name == b.Name && a.Kind == b.Kind && a.parameter == b.parameter && a.source == b.source
	})
	if !same {
		return fmt.Errorf("%s has changed since it was loaded; load it again", s.model.File)
	}
	return nil
}

// follow switches the instance to another system of the model, before functions are bound.
func (in *Instance) follow(s *System) {
	if in.sys != s {
		in.sys, in.machine = s, nil
	}
}
