// Package export makes FMUs of models, and packages of systems of FMUs.
package export

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"skidpad/fmu"
	"skidpad/fmu/system"
	"skidpad/harness"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/output"
)

// Export says how FMUs are made.
type Export struct {
	// Binaries is the folder with the FMI libraries, one folder for each platform; "" for fmi beside this program.
	Binaries     string
	fmu.Choice            // of the models
	Prescribe    []string // patterns of joints in whose place the FMUs have motion drivers
	Version      int      // of FMI: 2 or 3
	AllowPlugins bool     // a system file may name libraries, whose code then runs wherever the package is simulated
	Content      Content
	Methods      []string  // of integration in C sources, beside that of the model; nil: euler, heun, rk4
	Report       io.Writer // a line for each file
}

// IsFMU reports whether a path names a file of an FMU, and not a folder for some.
func IsFMU(out string) bool { return strings.HasSuffix(out, ".fmu") }

// IsSSP reports whether a path names a package of a system.
func IsSSP(out string) bool { return strings.HasSuffix(out, ".ssp") }

// CheckVersion refuses a version of FMI that there is not.
func (e *Export) CheckVersion() error {
	if e.Version != 2 && e.Version != 3 {
		return fmt.Errorf("there is no FMI %d; 2 and 3 are possible", e.Version)
	}
	return nil
}

// fileEnding matches the ending of a file's name. The names of folders rarely have one; v1.2 is no match.
var fileEnding = regexp.MustCompile(`\.[A-Za-z][A-Za-z0-9]*$`)

// CheckOut refuses the name of a file that is neither an FMU nor a package, such as car.zip. An existing folder may
// have such a name, and so may a new one with a separator at its end.
func CheckOut(out string) error {
	ending := fileEnding.FindString(out)
	if ending == "" || IsFMU(out) || IsSSP(out) {
		return nil
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		return nil
	}
	return fmt.Errorf("%s ends in %s; an FMU ends in .fmu, a package of a system in .ssp: name %s.fmu, or %s%c for a "+
		"folder of that name", out, ending, strings.TrimSuffix(out, ending), out, filepath.Separator)
}

// MakeFolder makes the folder that a file, or that FMUs come into, and refuses a folder that is called like a file.
func MakeFolder(out string) error {
	if !IsFMU(out) && !IsSSP(out) {
		return output.MakeFolder(out)
	}
	if err := output.MakeFolder(filepath.Dir(out)); err != nil {
		return err
	}
	return output.CheckOutput(out, filepath.Ext(out))
}

// System writes a package of a system file.
func (e *Export) System(file, out string) error {
	whole, err := system.Read(file, e.AllowPlugins)
	if err != nil {
		return err
	}
	libraries, about, err := e.parts()
	if err != nil {
		return err
	}
	if err := output.WriteFile(out,
		func(w io.Writer) error { return whole.Write(w, libraries, e.Version, about) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Report, "%s: SSP 1.0, FMI %d.0, %d components, %d connections\n", out, e.Version,
		len(whole.Components), len(whole.Connections))
	return err
}

// Models writes FMUs of model files: one to a file, or all into a folder, called like their models.
func (e *Export) Models(models []string, out string) error {
	libraries, about, err := e.parts()
	if err != nil {
		return err
	}
	called, packages, files := map[string]string{}, make([]*fmu.Package, len(models)), make([]string, len(models))
	for i, model := range models { // what is wrong with one of them is found before the first is written
		if len(e.Prescribe) > 0 {
			prescribed, remove, err := e.prescribed(model)
			if err != nil {
				return err
			}
			defer remove()
			model = prescribed
		}
		p, err := fmu.NewPackage(model, e.Choice, libraries, e.Version, about)
		if err == nil && e.Content != Libraries {
			if err = e.addSources(p); err != nil {
				err = fmt.Errorf("%s: %w", model, err)
			}
		}
		if err != nil {
			return err
		}
		file := out
		if !IsFMU(out) {
			file = filepath.Join(out, p.Table.Name+".fmu")
		}
		key := strings.ToLower(file) // some systems do not tell capital letters of files apart
		if other, ok := called[key]; ok {
			return fmt.Errorf("%s and %s would both be %s; give one of the models another name, or pack it into "+
				"another folder", other, model, file)
		}
		called[key], packages[i], files[i] = model, p, file
	}
	for i, p := range packages {
		file := files[i]
		if err := output.WriteFile(file, p.Write); err != nil {
			return err
		}
		fmt.Fprintf(e.Report, "%s: FMI %d.0, %d variables, %s\n", file, e.Version, len(p.Table.Variables),
			strings.Join(p.Implementations(), " "))
	}
	return nil
}

// prescribed writes a model file with motion drivers in the place of joints.
func (e *Export) prescribed(model string) (file string, remove func(), err error) {
	folder, err := os.MkdirTemp("", "skidpad-pack")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	file = filepath.Join(folder, filepath.Base(model))
	err = output.WriteFile(file, func(w io.Writer) error {
		_, err := modelfile.Prescribe(w, model, folder, e.Prescribe)
		return err
	})
	if err != nil {
		remove()
	}
	return file, remove, err
}

// parts are what FMUs are made of beside their models.
func (e *Export) parts() (*fmu.Libraries, fmu.About, error) {
	binaries := e.Binaries
	if binaries == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmu.About{}, err
		}
		binaries = filepath.Join(filepath.Dir(self), "fmi")
	}
	generated, err := buildTime()
	if err != nil {
		return nil, fmu.About{}, err
	}
	about := fmu.About{Version: harness.Version, Generated: generated}
	if e.Content == Sources {
		return &fmu.Libraries{}, about, nil
	}
	libraries, err := fmu.ReadLibraries(binaries)
	return libraries, about, err
}

// buildTime is now, or what SOURCE_DATE_EPOCH says for builds that can be repeated.
func buildTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH = %q is not a number of seconds", text)
	}
	return time.Unix(seconds, 0), nil
}
