package standalone

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/fmu"
	"skidpad/fmu/fmutest"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// misuse adds a call that no importer should make, or a call with odd arguments.
func (s *script) misuse(r *rand.Rand) {
	switch r.IntN(6) {
	case 0:
		s.add("null %d", r.IntN(15))
	case 1:
		s.add("length %d %d", r.IntN(6), 1+r.IntN(5))
	case 2:
		s.add("damage %d %d %d %d", r.IntN(2), r.IntN(6), r.IntN(1001), []int{0, 0, 1, 128}[r.IntN(4)])
	case 3:
		s.add("mistake %d", r.IntN(7))
	case 4:
		s.add("save %d", r.IntN(2))
	case 5:
		s.add("renew %d", r.IntN(2))
	}
}

// withMisuse joins scripts and inserts misuse between their calls. Most calls of the scripts succeed, so that misuse
// meets vehicles in all states.
func withMisuse(seed uint64, scripts ...*script) *script {
	r, calls := rand.New(rand.NewPCG(seed, 9)), &script{}
	for _, s := range scripts {
		for line := range strings.Lines(s.String()) {
			calls.WriteString(line)
			if r.IntN(12) == 0 {
				calls.misuse(r)
			}
		}
		calls.add("free")
	}
	return calls
}

// binaryFMU links the program that runs scripts to the library of an FMU. The folder gets the resources.
func binaryFMU(t *testing.T, p *fmu.Package, version int) (program, resources string) {
	t.Helper()
	folder := t.TempDir()
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	for name, content := range fmutest.Unpack(t, packed.Bytes()) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	headers, err := filepath.Abs(standardHeaders)
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := filepath.Glob(filepath.Join(built.Binaries(t), "*", fmt.Sprintf("skidpad_fmi%d.*", version)))
	if err != nil || len(libraries) != 1 {
		t.Fatalf("%q: %v", libraries, err)
	}
	program = filepath.Join(folder, "run")
	empty := filepath.Join(folder, fmt.Sprintf("fmi%d.h", version)) // the header of sources, which has their prefix
	text := fmt.Sprintf("#include \"fmi%dFunctions.h\"\n", version)
	if err := os.WriteFile(empty, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(folder, filepath.Base(libraries[0]))
	files, err := filepath.Glob(filepath.Join(filepath.Dir(libraries[0]), "*"))
	for _, file := range files { // libraries search each other in their folder
		if err == nil {
			err = os.Symlink(file, filepath.Join(folder, filepath.Base(file)))
		}
	}
	of, wrong := elf.Open(library)
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	defer of.Close()
	names, err := of.DynString(elf.DT_SONAME)
	if err == nil && len(names) > 0 {
		err = os.Symlink(library, filepath.Join(folder, names[0]))
	}
	if err != nil {
		t.Fatal(err)
	}
	command(t, "gcc", "-std=gnu99", "-isystem", headers, "-I", folder, fmt.Sprintf("-DFMI_VERSION=%d", version),
		"-o", program, "testdata/fmu.c", library, "-Wl,-rpath,"+folder)
	return program, filepath.Join(folder, "resources")
}

// ofStates matches messages about saved states, which differ between libraries and sources.
var ofStates = regexp.MustCompile(`^# \d logStatus\w+ .*(saved state|not a state from|FMU state|serialized state)`)

// comparable returns the answers of a run without these messages.
func comparable(lines []string) (kept []string) {
	for _, line := range changed(lines) {
		if !ofStates.MatchString(line) {
			kept = append(kept, line)
		}
	}
	return kept
}

// Sources and the library of the binary FMU answer all calls alike: results, statuses and messages are equal. Calls
// include NULL arguments, arrays of other lengths, and damaged or freed states. Sanitizers find no fault in the
// sources.
func TestSourcesAnswerRandomCallsLikeBinaryFMU(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.Requires(t, "gcc")
	// the library does not assemble starts here, because sources cannot
	never := func(model string) string { return explicit(t, model, `assemble = "never"`) }
	for i, model := range []string{"skidder_carcass", "skidder_carcass", never("motorcycle2d"), never("motorcycle3d")} {
		version := 2 + i%2
		t.Run(fmt.Sprint(filepath.Base(model), version), func(t *testing.T) {
			p, err := fmu.NewPackage(fileOf(model), fmu.Choice{}, &fmu.Libraries{}, version, fmu.About{})
			if err != nil {
				t.Fatal(err)
			}
			binary, resources := binaryFMU(t, p, version)
			folder := t.TempDir()
			writeSources(t, folder, model, p.Table, SourceOptions{version, "vehicle"}, "rk4", "euler")
			sanitized := compiledSources(t, folder, version,
				"gcc -O0 -fsanitize=address,undefined -fno-sanitize-recover=all")
			foreign := startRun(p.Table) // the library accepts states of other instances
			foreign.add("call reset")
			foreign.add("mistake 7 %s", p.Table.Token)
			if got := strings.Join(answersOfSources(t, sanitized, foreign), "\n"); !strings.Contains(got, "= mistake -> 3") {
				t.Errorf("a state of another instance: %s", got)
			}
			for seed := range uint64(anyCalls / 8 / 150) {
				var scripts []*script
				for k := range uint64(6) {
					scripts = append(scripts, randomCalls(p.Table, p.System, version, 6*seed+k, 150))
				}
				importer := seed
				if p.Table.HasDiscreteContacts { // for co-simulation only
					importer |= 1
				}
				scripts = append(scripts, randomRun(p.Table, p.System, version, seed, 60),
					derivativeRun(p.Table, p.System, version, importer, []string{"rk4", "euler"}[seed/2%2]))
				calls := withMisuse(seed, scripts...)
				c := exec.Command(binary, resources)
				c.Stdin = strings.NewReader(calls.String())
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%.2000s", err, out)
				}
				compare(t, calls, p.Table, comparable(answersOfSources(t, sanitized, calls)), comparable(answers(string(out))))
			}
		})
	}
}

// anyCalls is the approximate number of calls of each version.
const anyCalls = 20_000
