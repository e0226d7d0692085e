package hardpoints

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/document"
)

// otherNames are names of points in other programs, in small letters with one space between words, by the names here.
var otherNames = map[string][]string{
	"wheel_centre": {"wheel center", "wheel centre", "wheel centre point", "wheel center point"},

	"lower_front": {"lca front", "lca inner front", "lca chassis front", "lower wishbone front pivot",
		"lower control arm front"},
	"lower_rear": {"lca rear", "lca inner rear", "lca chassis rear", "lower wishbone rear pivot",
		"lower control arm rear"},
	"lower_outer": {"lca outer", "lower wishbone outer ball joint", "lower ball joint"},
	"upper_front": {"uca front", "uca inner front", "upper wishbone front pivot", "upper control arm front"},
	"upper_rear":  {"uca rear", "uca inner rear", "upper wishbone rear pivot", "upper control arm rear"},
	"upper_outer": {"uca outer", "upper wishbone outer ball joint", "upper ball joint"},

	"tie_inner": {"tierod inner", "tie rod inner", "inner track rod ball joint", "tie rod inboard"},
	"tie_outer": {"tierod outer", "tie rod outer", "outer track rod ball joint", "tie rod outboard"},

	"strut_top":    {"strut top", "top strut mount", "top mount", "strut to body point", "strut top point", "strut upper"},
	"strut_bottom": {"strut lower", "strut bottom", "lower strut mount", "strut slider lower point", "strut slider point"},

	"spring_top":    {"spring upper", "spring top", "upper spring pivot point", "spring to body point"},
	"spring_bottom": {"spring lower", "spring bottom", "lower spring pivot point", "spring to wishbone point"},
	"damper_top": {"damper upper", "shock upper", "damper top", "damper to body point", "upper damper point",
		"damper body end"},
	"damper_bottom": {"damper lower", "shock lower", "damper bottom", "damper to wishbone point", "lower damper point",
		"damper wishbone end"},

	"pushrod_outer": {"pushrod outer", "push rod wishbone end", "push rod upright end", "pushrod outboard"},
	"pushrod_inner": {"pushrod inner", "push rod rocker end", "pushrod inboard"},
	"rocker_axis_1": {"rocker axis 1st point", "rocker axis 1"},
	"rocker_axis_2": {"rocker axis 2nd point", "rocker axis 2"},
	"rocker_spring": {"damper to rocker point", "spring to rocker point", "rocker spring"},

	"upper_fore_inner": {"uf inner"}, "upper_fore_outer": {"uf outer"},
	"upper_aft_inner": {"ua inner"}, "upper_aft_outer": {"ua outer"},
	"lower_fore_inner": {"lf inner"}, "lower_fore_outer": {"lf outer"},
	"lower_aft_inner": {"la inner"}, "lower_aft_outer": {"la outer"},
	"toe_inner": {"tl inner"}, "toe_outer": {"tl outer"},

	"arm_outer_pivot": {}, "arm_inner_pivot": {}, // hinge of a trailing arm
	"centre_of_mass": {"center of mass"}, // of a trailing arm

	"panhard_chassis": {"panhard rod chassis", "track bar chassis"},
	"panhard_axle":    {"panhard rod axle", "track bar axle"},
	"centre":          {"axle centre", "axle center"}, // of mass of a rigid axle
}

// known are the names here by all their other names.
var known = func() map[string]string {
	names := map[string]string{}
	for name, others := range otherNames {
		names[plain(name)] = name
		for _, other := range others {
			names[other] = name
		}
	}
	return names
}()

var separators = regexp.MustCompile(`[\s_\-.:]+`)

// plain is a name in small letters with single spaces.
func plain(name string) string {
	return strings.TrimSpace(separators.ReplaceAllString(strings.ToLower(name), " "))
}

// name gives the points the names here. Points without one are listed as ignored, with the nearest name.
func (in *Import) name(rows []row, users map[string]string) error {
	for given := range users {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.name == given }) {
			return fmt.Errorf("[names] %s is not a point of the file; its points are %s", given, listed(rows))
		}
	}
	read := [2]map[string]row{{}, {}}
	for _, r := range rows {
		name, ok := users[r.name]
		if !ok {
			name, ok = known[plain(r.name)]
		}
		if !ok {
			in.Ignored = append(in.Ignored, fmt.Sprintf("%s: no point of Skidpad has this name%s", r.name, suggestion(r.name)))
			continue
		}
		if first, twice := read[r.side][name]; twice {
			return twiceError(first, r, name)
		}
		read[r.side][name] = r
		p := Point{name, cmp.Or(r.from, r.name), r.place}
		if r.side == right {
			in.Right = append(in.Right, p)
		} else {
			in.Left = append(in.Left, p)
		}
	}
	if len(in.Left) == 0 && len(in.Right) > 0 {
		return errors.New("the file has points of the right side only; give them as points of the left side, with the " +
			"other sign of y")
	}
	if len(in.Left) == 0 {
		return fmt.Errorf("none of the points has a name that is known: %s; --names FILE.toml maps names in a table [names]",
			listed(rows))
	}
	return nil
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

func twiceError(first, second row, name string) error {
	if first.line == 0 {
		return fmt.Errorf("%s and %s are both %s; remove one, or map one to another name by --names", first.name, second.name,
			name)
	}
	if first.name == second.name {
		return atLine(second.line, fmt.Errorf("%s: %w (first in line %d)", second.name, errTwice, first.line))
	}
	return atLine(second.line, fmt.Errorf("%s is %s, as is %s in line %d; remove one, or map one to another name by "+
		"--names", second.name, name, first.name, first.line))
}

// suggestion names the nearest known name.
func suggestion(name string) string {
	var all []string
	for other := range known {
		all = append(all, other)
	}
	slices.Sort(all)
	near := document.Nearest(plain(name), all)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; the nearest is %s", known[near])
}

// mostListed bounds lists of names in errors.
const mostListed = 12

func listed(rows []row) string {
	var names []string
	for i, r := range rows {
		if i == mostListed {
			names = append(names, "...")
			break
		}
		names = append(names, r.name)
	}
	return strings.Join(names, ", ")
}
