package main

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"skidpad/model/component"
)

// reactionsFlags are --reactions, with what reactions become there, and --in.
func reactionsFlags(flags *pflag.FlagSet, what string) (reactions, frame *string) {
	reactions = flags.String("reactions", "", "`PATTERNS` of joints, arms, rods and contacts, 'wheel_*,rod in ground', "+
		"whose reactions "+what+": force and moment of each on its head, NAME.Fx to NAME.Mz")
	frame = flags.String("in", "", "`FRAME` in whose axes --reactions are, such as ground; default: the tail of each")
	return reactions, frame
}

// reactionsIn are the elements of --reactions with the axes of --in, as a model file has them, separated by commas.
func reactionsIn(patterns, frame string) (string, error) {
	if patterns == "" {
		if frame != "" {
			return "", usageError{errors.New("--in: there is no --reactions whose axes it names")}
		}
		return "", nil
	}
	var list []string
	for _, pattern := range strings.Split(patterns, ",") {
		pattern = strings.TrimSpace(pattern)
		if frame != "" && !strings.Contains(pattern, " in ") {
			pattern += " in " + frame
		}
		list = append(list, pattern)
	}
	return strings.Join(list, ","), nil
}

// withReactions adds the outputs of reactions to what is recorded.
func withReactions(record []string, reactions string, outputs []string) []string {
	for _, element := range strings.Split(reactions, ",") {
		pattern, _, _ := strings.Cut(element, " ")
		for _, name := range outputs {
			owner, key, _ := strings.Cut(name, ".")
			is, err := path.Match(pattern, owner)
			if err == nil && is && slices.Contains(component.ReactionKeys, key) && !slices.Contains(record, name) {
				record = append(record, name)
			}
		}
	}
	return record
}
