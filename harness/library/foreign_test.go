package library

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"skidpad/harness/tests/built"
)

// commandLine prepares a run of the command with a folder of its own for temporary files.
func commandLine(t *testing.T, arguments ...string) (run *exec.Cmd, temporary string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX C compiler")
	}
	temporary = t.TempDir()
	run = exec.Command(built.Command(t), arguments...)
	run.Env = append(os.Environ(), "TMPDIR="+temporary)
	return run, temporary
}

// checkEmpty checks that a folder for temporary files has none.
func checkEmpty(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left behind: %v %v", left, err)
	}
}

// withoutMissing are findings that the libraries of these tests have many of.
var withoutMissing = regexp.MustCompile(`.*: the library has no function .*\n`)

// checkBoth runs an FMU by the verbs check and simulate. Each must end with status 1 and the texts, print no stack of a
// crash, and remove its files.
func checkBoth(t *testing.T, file string, says ...string) {
	t.Helper()
	for _, arguments := range [][]string{
		{"check", file},
		{"simulate", file, "--manoeuvre", built.Manoeuvre("generic4w_sine"), "--duration", "0.01", "--out", os.DevNull},
	} {
		run, temporary := commandLine(t, arguments...)
		text, _ := run.CombinedOutput()
		text = withoutMissing.ReplaceAll(text, nil)
		for _, words := range says {
			if status := run.ProcessState.ExitCode(); status != 1 || !bytes.Contains(text, []byte(words)) ||
				bytes.Contains(text, []byte("goroutine ")) {
				t.Errorf("%s: status %d, output\n%.2000s\nwant status 1 and %q", arguments[0], status, text, words)
			}
		}
		if arguments[0] == "check" && !bytes.Contains(text, []byte("findings\n")) {
			t.Errorf("check does not finish:\n%s", text)
		}
		checkEmpty(t, temporary)
	}
}

// faulty compiles testdata/faulty.c: what way says happens where fault says.
func faulty(t *testing.T, fault, way, marker string) []byte {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX C compiler")
	}
	path := filepath.Join(t.TempDir(), "faulty.so")
	arguments := []string{"-shared", "-fPIC", "-Wall", "-Werror", built.Path("harness", "testdata", "faulty.c"), "-o",
		path, `-DFAULT="` + fault + `"`, "-DWAY=" + way}
	if marker != "" {
		arguments = append(arguments, `-DMARKER="`+marker+`"`)
	}
	if text, err := exec.Command("cc", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// foreign writes an FMU 2.0 whose library has an identifier, as it stands in XML; files are added or replaced.
func foreign(t *testing.T, identifier string, library []byte, files map[string][]byte) string {
	t.Helper()
	all := map[string][]byte{
		"modelDescription.xml": []byte(`<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="faulty" guid="t"><CoSimulation modelIdentifier="` + identifier + `" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/><ModelVariables/><ModelStructure/></fmiModelDescription>`),
		"binaries/" + platform(2) + "/faulty" + librarySuffix(): library,
	}
	for name, content := range files {
		all[name] = content
	}
	path := filepath.Join(t.TempDir(), "faulty.fmu")
	writeZip(t, path, all, nil)
	return path
}

// writeZip writes files and symbolic links.
func writeZip(t *testing.T, path string, files map[string][]byte, links map[string]string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	add := func(name string, mode fs.FileMode, content []byte) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(mode)
		to, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		to.Write(content)
	}
	for name, content := range files {
		add(name, 0o644, content)
	}
	for name, target := range links {
		add(name, fs.ModeSymlink|0o777, []byte(target))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file.Close()
}

// A library that ends its process, in whichever way and function, becomes an error that says so.
func TestLibraryEndingItsProcessIsAnError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fault, way, says string }{
		{"constructor", "abort()", "SIGABRT"},
		{"constructor", "exit(0)", "exit status 0"},
		{"constructor", "_exit(0)", "exit status 0"},
		{"constructor", "*(volatile char *)8 = 1", "SIGSEGV"},
		{"constructor", "raise(SIGKILL)", "signal: killed"},
		{"constructor", "exit(100 / zero)", "SIGFPE"},
		{"constructor", "fputs(\"last\\033[31m\\nwords\", stderr); exit(3)", `exit status 3, saying "last [31m words"`},
		{"constructor", "close(0); exit(4)", "exit status 4"},
		{"constructor", "if (write(0, \"{\\\"End\\\":true}\\n\", 13) == 13) exit(5)", "exit status 5"},
		{"fmi2Instantiate", "abort()", "instantiating the FMU"},
		{"fmi2FreeInstance", "abort()", "SIGABRT"},
	} {
		t.Run(c.fault+" "+c.way, func(t *testing.T) {
			t.Parallel()
			checkBoth(t, foreign(t, "faulty", faulty(t, c.fault, c.way, ""), nil), "faulty.so: ",
				"ended the child process that tried it (", c.says)
		})
	}
}

// The exercise names the call that ended the process, and keeps its earlier findings.
func TestTheExerciseNamesTheFatalCall(t *testing.T) {
	t.Parallel()
	for fault, says := range map[string]string{
		"fmi2DoStep": "a step of the FMU", "fmi2GetFMUstate": "saving the state", "fmi2Reset": "resetting the FMU",
		"fmi2EnterInitializationMode": "initialising the FMU", "fmi2Terminate": "terminating the FMU",
	} {
		wrong, err := Exercise(foreign(t, "faulty", faulty(t, fault, "abort()", ""), nil))
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "faulty.fmu") {
			t.Errorf("abort in %s: %v, want %q", fault, err, says)
		}
		if list := fmt.Sprint(wrong); !strings.Contains(list, "no function fmi2GetTypesPlatform") ||
			!strings.Contains(list, "a wrong token") {
			t.Errorf("abort in %s: findings %q", fault, wrong)
		}
	}
}

// A library that does not return is stopped, with all processes that it has started.
func TestHangingLibraryIsStopped(t *testing.T) {
	t.Parallel()
	for way, kind := range map[string]string{
		"for (;;) pause()": "load FMU", "raise(SIGSTOP)": "exercise FMU",
		"if (fork() == 0) for (;;) pause(); for (;;) pause()": "load FMU", "for (;;) zero++": "exercise FMU",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			f, err := unpackFMU(foreign(t, "faulty", faulty(t, "constructor", way, ""), nil))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			order := f.task(kind)
			order.Patience = 3 * time.Second // also for starting the child
			if _, err := inChild(order); err == nil ||
				!strings.Contains(err.Error(), "faulty.so: loading the library took longer than 3s") {
				t.Error(err)
			}
			checkGone(t, f.LibraryPath())
		})
	}
}

// The time limit applies to one call: an exercise may take longer.
func TestManyCallsMayTakeLongerThanOne(t *testing.T) {
	t.Parallel()
	f, err := unpackFMU(foreign(t, "faulty", faulty(t, "fmi2DoStep", "usleep(15000)", ""), nil))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	order := f.task("exercise FMU")
	order.Patience = 2 * time.Second // 250 steps take 3.75 s
	if _, err := inChild(order); err != nil {
		t.Error(err)
	}
}

// A child whose parent has been killed ends by itself.
func TestAChildEndsAfterItsParent(t *testing.T) {
	t.Parallel()
	f, err := unpackFMU(foreign(t, "faulty", faulty(t, "constructor", "for (;;) pause()", ""), nil))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	order := f.task("load FMU")
	order.Patience = time.Second
	argument, err := json.Marshal(order)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0], childArgument, string(argument))
	child.Run() // alone it would hang for ever
	if status := child.ProcessState.ExitCode(); status != 3 {
		t.Errorf("status %d, want 3", status)
	}
}

// checkGone waits until no process has a text in its command line or maps a file of that name.
func checkGone(t *testing.T, text string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	for {
		maps, _ := filepath.Glob("/proc/[0-9]*/maps")
		found := ""
		for _, name := range maps {
			content, _ := os.ReadFile(name)
			if bytes.Contains(content, []byte(text)) {
				found = name
			}
		}
		if found == "" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A process that a library leaves behind, and that keeps the pipe of the reports open, does not hold up its parent.
func TestProcessesLeftByALibraryAreEnded(t *testing.T) {
	t.Parallel()
	f, err := unpackFMU(foreign(t, "faulty", faulty(t, "constructor", "if (fork() == 0) for (;;) pause(); exit(0)", ""),
		nil))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := inChild(f.task("load FMU")); err == nil || !strings.Contains(err.Error(), "exit status 0") {
		t.Error(err)
	}
	checkGone(t, f.LibraryPath())
}

// An interruption while a library hangs ends the command, the child and the files.
func TestAnInterruptionEndsTheChild(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		for _, verb := range []string{"check", "simulate"} {
			marker := filepath.Join(t.TempDir(), "marker")
			files := map[string][]byte{} // which take a moment to remove
			for i := range 300 {
				files[fmt.Sprintf("resources/%d", i)] = nil
			}
			file := foreign(t, "faulty", faulty(t, "constructor", "for (;;) pause()", marker), files)
			arguments := []string{verb, file}
			if verb == "simulate" {
				arguments = append(arguments, "--manoeuvre", built.Manoeuvre("generic4w_sine"))
			}
			run, temporary := commandLine(t, arguments...)
			var text bytes.Buffer
			run.Stdout, run.Stderr = &text, &text
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			var child int
			for child == 0 {
				content, _ := os.ReadFile(marker)
				child, _ = strconv.Atoi(string(content))
				time.Sleep(time.Millisecond)
			}
			if child == run.Process.Pid {
				t.Errorf("%s loads the library itself", verb)
			}
			run.Process.Signal(signal)
			run.Wait()
			if status := run.ProcessState.ExitCode(); status != 130 ||
				strings.Contains(text.String(), "child process") {
				t.Errorf("%s after %v: status %d, output %q", verb, signal, status, &text)
			}
			checkEmpty(t, temporary)
			checkGone(t, temporary)
		}
	}
}

// A library cannot be named outside of the folder of its platform, and none there is loaded.
func TestALibraryOutsideOfItsFolderIsNotLoaded(t *testing.T) {
	t.Parallel()
	marker := filepath.Join(t.TempDir(), "marker")
	evil := faulty(t, "constructor", "exit(0)", marker)
	outside := filepath.Join(t.TempDir(), "evil"+librarySuffix())
	if err := os.WriteFile(outside, evil, 0o755); err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(outside, librarySuffix())
	files := map[string][]byte{"resources/evil" + librarySuffix(): evil, "binaries/" + platform(2) + "/deeper/evil" +
		librarySuffix(): evil}
	for _, c := range []struct{ identifier, says string }{
		{"../../resources/evil", "cannot be the name of a file"},
		{"../" + platform(2) + "/faulty", "cannot be the name of a file"},
		{"..", "cannot be the name of a file"},
		{"deeper/evil", "cannot be the name of a file"},
		{base, "cannot be the name of a file"},
		{strings.Repeat("../", 20) + base, "cannot be the name of a file"},
		{`..\..\resources\evil`, "cannot be the name of a file"},
		{`C:\evil`, "cannot be the name of a file"},
		{"", "cannot be the name of a file"},
		{" faulty", "cannot be the name of a file"},
		{"faulty&#10;", "cannot be the name of a file"},
		{"évil", "cannot be the name of a file"},
		{strings.Repeat("x", 10000), "at most 249"},
		{strings.Repeat("../", 5000) + "evil", "cannot be the name of a file"},
		{"faulty&#0;", "illegal character"},
		{"faulty\x00", "illegal character"},
	} {
		file := foreign(t, c.identifier, evil, files)
		f, err := OpenFMU(file)
		if err == nil {
			f.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 1000 {
			t.Errorf("modelIdentifier %.50q: %.1000v, want %q", c.identifier, err, c.says)
		}
		if _, err := Exercise(file); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("exercise with modelIdentifier %.50q: %.1000v, want %q", c.identifier, err, c.says)
		}
	}
	links := foreign(t, "faulty", nil, nil)
	for _, name := range []string{"binaries/" + platform(2) + "/faulty" + librarySuffix(), "binaries/" + platform(2),
		"resources/x"} {
		writeZip(t, links, map[string][]byte{
			"modelDescription.xml": []byte(`<fmiModelDescription fmiVersion="2.0" modelName="faulty" guid="t"><CoSimulation ` +
				`modelIdentifier="faulty"/></fmiModelDescription>`),
		}, map[string]string{name: outside})
		if f, err := OpenFMU(links); err == nil || !strings.Contains(err.Error(), name+`" is a link`) {
			t.Errorf("%s is a link: %v", name, err)
			if err == nil {
				f.Close()
			}
		}
		if _, err := Exercise(links); err == nil || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("exercise where %s is a link: %v", name, err)
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the library outside was loaded")
	}
	for _, identifier := range []string{"../../resources/evil", strings.Repeat("x", 10000)} {
		checkBoth(t, foreign(t, identifier, evil, files), "modelIdentifier")
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the command has loaded the library outside")
	}
}

// A link in an unpacked folder is not followed, however it came there.
func TestALinkInTheUnpackedFolderIsNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need privileges there")
	}
	for _, link := range []string{"faulty" + librarySuffix(), "."} {
		f, err := unpackFMU(foreign(t, "faulty", []byte("x"), nil))
		if err != nil {
			t.Fatal(err)
		}
		outside := t.TempDir()
		os.WriteFile(filepath.Join(outside, "faulty"+librarySuffix()), []byte("x"), 0o755)
		linkPath := filepath.Join(filepath.Dir(f.LibraryPath()), link)
		os.RemoveAll(linkPath)
		if err := os.Symlink(filepath.Join(outside, link), linkPath); err != nil {
			t.Fatal(err)
		}
		if _, err := readUnpacked(f.Folder, f.Path); err == nil ||
			!strings.Contains(err.Error(), "is a link to "+outside) {
			t.Errorf("%s is a link: %v", link, err)
		}
		f.Close()
	}
}

// An FMU of Skidpad with a damaged shim or core is an error, whatever the damage does to the loader of the system.
func TestDamagedLibrariesAreErrors(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the sections of ELF files are damaged")
	}
	good := filepath.Join(built.FMUs(t, "generic4w", "skidder"), "fmi3", "GenericVehicle.fmu")
	folder := "binaries/" + platform(3) + "/"
	shim := folder + "GenericVehicle.so"
	core := func(files map[string][]byte) string {
		for name := range files {
			if strings.HasPrefix(name, folder+"skidpad-core-") {
				return name
			}
		}
		t.Fatal("no core")
		return ""
	}
	type edit func(files map[string][]byte)
	cut := func(share float64) edit {
		return func(files map[string][]byte) {
			files[shim] = files[shim][:int(share*float64(len(files[shim])))]
		}
	}
	cases := map[string]edit{
		"core cut":           func(files map[string][]byte) { files[core(files)] = files[core(files)][:1<<20] },
		"core without bytes": func(files map[string][]byte) { clear(files[core(files)]) },
		"core without header": func(files map[string][]byte) {
			clear(files[core(files)][:64])
		},
		"core without program headers": func(files map[string][]byte) { clear(files[core(files)][64:512]) },
	}
	for _, share := range []float64{0, 0.001, 0.1, 0.5, 0.75} {
		cases[fmt.Sprintf("shim cut to %g of its length", share)] = cut(share)
	}
	for _, section := range []string{".dynamic", ".dynsym", ".dynstr", ".rela.dyn", ".text"} {
		cases["core without "+section] = func(files map[string][]byte) { clearSection(t, files[core(files)], section) }
	}
	for _, section := range []string{".dynamic", ".text"} {
		cases["shim without "+section] = func(files map[string][]byte) { clearSection(t, files[shim], section) }
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := repacked(t, good, func(files map[string][]byte) {
				for name := range files {
					if strings.HasPrefix(name, "binaries/") && !strings.HasPrefix(name, folder) {
						delete(files, name)
					}
				}
				damage(files)
			})
			checkBoth(t, file, filepath.Base(file)+": ")
		})
	}
}

// clearSection fills a section of an ELF file with zeros.
func clearSection(t *testing.T, library []byte, name string) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Section(name)
	if s == nil {
		t.Fatalf("no section %s", name)
	}
	clear(library[s.Offset : s.Offset+s.FileSize])
}

// A damaged Skidpad library, or a Skidpad library that ends its process, is an error of every command that uses it.
func TestADamagedLibraryForModelFilesIsAnError(t *testing.T) {
	t.Parallel()
	model := built.Model("generic4w")
	for _, arguments := range [][]string{
		{"simulate", model, "--manoeuvre", built.Manoeuvre("generic4w_sine")},
		{"manoeuvre", model, "--manoeuvre", built.Manoeuvre("brake")},
		{"verify", "--resources", built.Path("resources")},
	} {
		for _, content := range [][]byte{faulty(t, "constructor", "abort()", ""), {}} {
			library := filepath.Join(t.TempDir(), "libskidpad.so")
			if err := os.WriteFile(library, content, 0o755); err != nil {
				t.Fatal(err)
			}
			run, temporary := commandLine(t, append(arguments, "--library", library)...)
			text, _ := run.CombinedOutput()
			if status := run.ProcessState.ExitCode(); status != 1 || !bytes.Contains(text, []byte(library)) ||
				bytes.Contains(text, []byte("goroutine ")) {
				t.Errorf("%s: status %d, output\n%.2000s", arguments[0], status, text)
			}
			checkEmpty(t, temporary)
		}
	}
	content, err := os.ReadFile(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{100, 1 << 16, len(content) / 2} {
		library := filepath.Join(t.TempDir(), "libskidpad.so")
		if err := os.WriteFile(library, content[:n], 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(library); err == nil || !strings.Contains(err.Error(), library) {
			t.Errorf("the library cut to %d bytes: %v", n, err)
		}
	}
}
