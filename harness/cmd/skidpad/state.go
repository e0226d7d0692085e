package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// stateFlag adds the flag for the saved state of a vehicle.
func stateFlag(flags *pflag.FlagSet, more string) *string {
	return flags.String("state", "", "`FILE` with a vehicle's state, saved by skidpad_save or Vehicle.save: its texts "+
		"and parameters are set"+more+", and --set after them; a library in it must be named by --set, too")
}

// stateSettings returns the settings of a saved state that differ from the vehicle as loaded: texts and parameters, and
// for a state saved before initialisation also start values and inputs. The state may name only tire libraries that set
// names, too: otherwise a state alone could run their code.
func stateSettings(file, model, tree, libraryFile string, set settings) (parameters, start settings, err error) {
	if file == "" {
		return nil, nil, nil
	}
	if strings.EqualFold(filepath.Ext(model), ".fmu") {
		return nil, nil, usageError{errors.New("--state: it is for model files; an FMU saves states of another kind")}
	}
	state, err := bounded.State.Read(file)
	if err != nil {
		return nil, nil, fmt.Errorf("--state: %w", err)
	}
	loaded, err := openLibrary(libraryFile)
	if err != nil {
		return nil, nil, err
	}
	fresh, err := loaded.Load(model, tree)
	if err != nil {
		return nil, nil, err
	}
	defer fresh.Close()
	restored, err := fresh.Copy()
	if err != nil {
		return nil, nil, err
	}
	defer restored.Close()
	if err := nameLibraries(restored, set); err != nil {
		return nil, nil, err
	}
	if err := restored.Restore(state); err != nil {
		return nil, nil, fmt.Errorf("--state %s: %w", file, err)
	}
	texts, err := changedTexts(fresh, restored)
	if err != nil {
		return nil, nil, err
	}
	parameters, start, err = changedNumbers(fresh, restored)
	return slices.Concat(texts, parameters), start, err
}

// nameLibraries lets a vehicle hear of the libraries that settings name, for whichever tire, law or controller.
func nameLibraries(vehicle *library.Vehicle, set settings) error {
	mounted := ""
	for _, v := range vehicle.All() {
		component, _, _ := strings.Cut(v.Name, ".")
		for _, key := range [...]string{".model", ".function"} {
			if _, err := vehicle.Text(component + key); err == nil {
				mounted = component + key
			}
		}
		if mounted != "" {
			break
		}
	}
	for _, s := range set {
		if mounted == "" || !tire.NamesLibrary(s.Value) {
			continue
		}
		if err := vehicle.SetText(mounted, s.Value); err != nil {
			return fmt.Errorf("--set %s: %w", s.Name, err)
		}
	}
	return nil
}

// changedTexts are the texts of a restored vehicle that differ. They are set in the fresh vehicle, too, so that both
// have the same tire coefficients.
func changedTexts(fresh, restored *library.Vehicle) (changed settings, err error) {
	seen := map[string]bool{}
	for _, v := range fresh.All() {
		component, _, _ := strings.Cut(v.Name, ".")
		if seen[component] {
			continue
		}
		seen[component] = true
		for _, key := range drive.TextKeys {
			name := component + "." + key
			before, none := fresh.Text(name)
			if none != nil {
				continue
			}
			after, err := restored.Text(name)
			if err != nil || before == after {
				continue
			}
			if err := fresh.SetText(name, after); err != nil {
				return nil, fmt.Errorf("--state: %w", err)
			}
			changed = append(changed, manoeuvre.Setting{Name: name, Value: after})
		}
	}
	return changed, nil
}

// changedNumbers are the parameters of a restored vehicle that differ from a fresh one with the same texts, and its
// start values and inputs, unless it is initialised.
func changedNumbers(fresh, restored *library.Vehicle) (parameters, start settings, err error) {
	if err := fresh.Refresh(); err != nil {
		return nil, nil, err
	}
	running := isInitialised(restored, fresh.All())
	for _, v := range fresh.All() {
		parameter := v.Causality == library.Parameter || v.Causality == library.Tunable
		if !parameter && running {
			continue
		}
		var before, after [1]float64
		reference := []uint32{v.Reference}
		if fresh.Get(reference, before[:]) != nil || restored.Get(reference, after[:]) != nil || before == after {
			continue // others cannot be read before initialisation
		}
		set := manoeuvre.Setting{Name: v.Name, Value: strconv.FormatFloat(after[0], 'g', -1, 64)}
		switch {
		case parameter:
			parameters = append(parameters, set)
		case fresh.Set(reference, after[:]) == nil: // one that can be set
			start = append(start, set)
		}
	}
	return parameters, start, nil
}

// isInitialised reports whether a vehicle refuses to set a parameter, even to the value that it has.
func isInitialised(vehicle *library.Vehicle, variables []library.Variable) bool {
	var value [1]float64
	for _, v := range variables {
		reference := []uint32{v.Reference}
		if v.Causality == library.Parameter && vehicle.Get(reference, value[:]) == nil {
			return vehicle.Set(reference, value[:]) != nil
		}
	}
	return false
}
