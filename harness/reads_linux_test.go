package harness_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/fmu/check"
	"skidpad/fmu/system"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/analyses/optimise"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
	"skidpad/model/vehicle"
	"skidpad/tire/sti"
)

// badFiles makes a file of each kind that must not be read, with a name that ends in ending, and returns their paths.
func badFiles(t *testing.T, ending string) map[string]string {
	t.Helper()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name+ending) }
	large := at("large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 3<<30); err != nil { // takes no room
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", at("zero")); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return map[string]string{"a file of 3 GiB": large, "a pipe": at("pipe"), "a folder": at("folder"),
		"/dev/zero": at("zero"), "a socket": at("socket")}
}

// changed writes a variant of a shipped model.
func changed(t *testing.T, base, more string) string {
	t.Helper()
	base, err := filepath.Abs(built.Path("resources", "models", base))
	if err != nil {
		t.Fatal(err)
	}
	return writtenFile(t, "variant.toml", fmt.Sprintf(`base = %q
name = "Variant"
title = "Variant"
%s`, base,
		more))
}

func writtenFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every kind of file that a user names is rejected if it is not a regular file or too large: at once, by name, with the
// allowed size or kind, and without memory for it. A reader that waits for a pipe would reach the time limit of the
// test.
func TestFilesThatCannotBeReadAreRejected(t *testing.T) {
	good := writtenFile(t, "good.csv", "time,a\n0,1\n1,2\n")
	text := func(name string) func(path string) error {
		return func(path string) error {
			base := "generic4w.toml"
			if strings.HasPrefix(name, "terrain.") {
				base = "fourwheel_pointmass.toml"
			}
			s, err := cosim.Load(built.Path("resources", "models", base), cosim.Options{})
			if err != nil {
				return err
			}
			in, err := s.Instantiate()
			if err != nil {
				return err
			}
			if kind := strings.TrimSuffix(name, ".file") + ".kind"; strings.HasPrefix(name, "terrain.") {
				if err := in.SetText(kind, "grid"); err != nil {
					return err
				}
			}
			if err := in.SetText(name, path); err != nil {
				return err
			}
			return in.Initialise()
		}
	}
	read := func(base, format string) func(path string) error {
		return func(path string) error {
			_, err := vehicle.Read(changed(t, base, fmt.Sprintf(format, path)))
			return err
		}
	}
	first := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		ending string
		read   func(path string) error
	}{
		"model":           {".toml", func(path string) error { return first(vehicle.Read(path)) }},
		"model document":  {".toml", func(path string) error { return first(modelfile.Sources(path)) }},
		"name of a model": {".toml", func(path string) error { return first(modelfile.Name(path)) }},
		"base": {".toml", func(path string) error {
			return first(vehicle.Read(writtenFile(t, "v.toml", fmt.Sprintf("base = %q\n", path))))
		}},
		"tire file, TOML": {".toml", read("generic4w.toml", "[component.tire_FL.force]\nfile = %q\n")},
		"tire file, .tir": {".tir", read("generic4w.toml", "[component.tire_FL.force]\nfile = %q\n")},
		"tire text":       {".tir", text("tire_FL.file")},
		"road grid": {".asc", read("fourwheel_pointmass.toml",
			`[component.terrain]
kind = "grid"
file = %q
`)},
		"road table": {".csv", read("fourwheel_pointmass.toml",
			`[component.terrain]
kind = "table"
file = %q
`)},
		"road CRG": {".crg", read("fourwheel_pointmass.toml",
			`[component.terrain]
kind = "crg"
file = %q
`)},
		"road property file": {".rdf", read("fourwheel_pointmass.toml",
			`[component.terrain]
kind = "rdf"
file = %q
`)},
		"friction": {".asc", read("fourwheel_pointmass.toml",
			"[component.terrain]\nfriction = { kind = \"grid\", file = %q }\n")},
		"road text": {".asc", text("terrain.file")},
		"referenced CRG": {".crg", func(path string) error {
			first := filepath.Join(filepath.Dir(path), "first.txt")
			if err := os.WriteFile(first, []byte("$ROAD_CRG_FILE\n"+filepath.Base(path)+"\n$\n"), 0o600); err != nil {
				return err
			}
			return read("fourwheel_pointmass.toml", `[component.terrain]
kind = "crg"
file = %q
`)(first)
		}},
		"manoeuvre": {".toml", func(path string) error { return first(manoeuvre.Read(path)) }},
		"car": {".toml", func(path string) error {
			text, err := os.ReadFile(built.Manoeuvre("step_steer"))
			if err != nil {
				return err
			}
			return first(manoeuvre.ReadFor(manoeuvre.Target{Model: "PassengerCar", Car: path},
				writeBeside(t, t.TempDir(), string(text))))
		}},
		"study":       {".toml", func(path string) error { return first(sweep.ReadStudy(path)) }},
		"panels":      {".toml", func(path string) error { return first(linearise.ReadStudy(path)) }},
		"search":      {".toml", func(path string) error { return first(optimise.ReadStudy(path)) }},
		"comparison":  {".toml", func(path string) error { return first(compare.ReadSpec(path)) }},
		"recorded":    {".csv", func(path string) error { return first((&compare.Spec{}).Compare(path, good)) }},
		"reference":   {".csv", func(path string) error { return first((&compare.Spec{}).Compare(good, path)) }},
		"system":      {".toml", func(path string) error { return first(system.Read(path, false)) }},
		"FMU":         {".fmu", func(path string) error { return first(library.OpenFMU(path)) }},
		"FMU's name":  {".fmu", func(path string) error { return first(modelfile.Name(path)) }},
		"checked FMU": {".fmu", func(path string) error { return first(check.FMU(path)) }},
		"packed tire": {".tir", func(path string) error {
			return first(fmu.Collect(changed(t, "generic4w.toml",
				fmt.Sprintf("[component.tire_FL.force]\nfile = %q\n", path))))
		}},
		"packed model": {".toml", func(path string) error { return first(fmu.Collect(path)) }},
		"FMI library": {".so", func(path string) error {
			folder := filepath.Join(t.TempDir(), "x86_64-linux")
			if err := os.Mkdir(folder, 0o700); err != nil {
				return err
			}
			if err := os.Symlink(path, filepath.Join(folder, "skidpad_fmi2.so")); err != nil {
				return err
			}
			return first(fmu.ReadLibraries(filepath.Dir(folder)))
		}},
		"tire of the Standard Tyre Interface": {".toml", func(path string) error {
			var s sti.Server
			a := sti.Arguments{Job: int32(sti.Inquire)}
			s.Serve(&a, &sti.Arrays{}, func() string { return path })
			if a.Error <= sti.Warning {
				return nil
			}
			return fmt.Errorf("%s", a.Model[:])
		}},
	} {
		for what, path := range badFiles(t, c.ending) {
			if what == "a folder" && name == "recorded" {
				continue // a folder of runs can be compared
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := c.read(path)
			runtime.ReadMemStats(&after)
			switch {
			case err == nil:
				t.Errorf("%s: %s is read", name, what)
			case !strings.Contains(err.Error(), "must be a regular file of at most") &&
				!strings.Contains(err.Error(), "the most that a") ||
				!strings.Contains(err.Error(), filepath.Base(path)) &&
					!strings.Contains(err.Error(), "skidpad_fmi2.so"):
				t.Errorf("%s: %s: %v", name, what, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
				t.Errorf("%s: %s: %d MiB", name, what, took>>20)
			}
		}
	}
}

// writeBeside writes a manoeuvre beside a folder.
func writeBeside(t *testing.T, folder, text string) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(folder), "manoeuvre.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A host sets strings through the C API or of an FMU. It survives files that have no end, and the error names the file.
func TestHostsSurviveFilesWithoutEnd(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := library.Load(built.Model("generic4w"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	for what, path := range badFiles(t, ".tir") {
		err := vehicle.SetText("tire_FL.file", path)
		if err == nil {
			err = vehicle.Initialise()
		}
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "tire file") {
			t.Errorf("%s: error %v", what, err)
		}
		if err := vehicle.Reset(); err != nil {
			t.Fatalf("after %s: %v", what, err)
		}
		if _, err := library.Load(path, ""); err == nil || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), "model file") {
			t.Errorf("%s as a model: error %v", what, err)
		}
	}
	if err := vehicle.Initialise(); err != nil {
		t.Error(err)
	}
	if err := vehicle.Step(0.01); err != nil {
		t.Error(err)
	}
}
