package drive

import (
	"errors"
	"strings"

	"skidpad/harness/library"
	"skidpad/model/roles"
)

// published are variables that every component of a role has. Where a vehicle lacks that one, the role is wrong.
var published = map[string]string{"chassis": "vx", "axles": "Fz", "steering": "angle"}

// Located prefixes the error of a variable missing in the vehicle with the position of the role that names the variable
// or its component. If the component exists, the error is in the name behind it.
func Located(err error, vehicle *roles.Roles) error {
	unknown := (*library.UnknownVariable)(nil)
	if vehicle == nil || !errors.As(err, &unknown) {
		return err
	}
	for _, n := range vehicle.Names {
		wrong := n.Name == unknown.Name
		if strings.HasPrefix(unknown.Name, n.Name+".") {
			quantity, all := published[n.Role]
			wrong = all && !unknown.HasOther(n.Name+"."+quantity) || !all && !unknown.HasOwner(n.Name)
		}
		if wrong {
			return n.Located(err)
		}
	}
	return err
}
