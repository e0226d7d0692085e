package drive

import (
	"errors"
	"fmt"
	"strings"

	"skidpad/harness/library"
	"skidpad/model/roles"
)

// Located puts the place at which roles name a variable, or its component, before the error that the vehicle does not
// have the variable.
func Located(err error, vehicle *roles.Roles) error {
	unknown := (*library.UnknownVariable)(nil)
	if vehicle == nil || !errors.As(err, &unknown) {
		return err
	}
	for _, n := range vehicle.Names {
		if n.Name == unknown.Name || strings.HasPrefix(unknown.Name, n.Name+".") {
			return fmt.Errorf("%s:%d:%d: roles.%s is %q: %w", n.At.File, n.At.Line, n.At.Column, n.Role, n.Name, err)
		}
	}
	return err
}
