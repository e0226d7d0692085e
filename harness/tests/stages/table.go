package main

import "os"

var (
	standardAndAll = []size{standard, all}
	standardOnly   = []size{standard}
	allOnly        = []size{all}
	longOnly       = []size{long}
)

// stages are all stages. Those of standard runs that a full run does more thoroughly are of standard runs only.
var stages = []stage{
	{name: "format", does: "all files are formatted by gofmt", sizes: standardAndAll, seconds: 1, run: format},
	{name: "lint", does: "length of lines, plain terms, imports, bounded reading of files", sizes: standardAndAll,
		seconds: 5, run: commands([]string{"go", "run", "./harness/tests/lint"})},
	{name: "build", does: "everything is built into out/, for the stages behind it", sizes: []size{standard, all, long},
		seconds: 1000, run: build},
	{name: "vet", does: "go vet, also as for Windows and Arm64", sizes: standardAndAll, seconds: 30, run: vet},
	{name: "staticcheck", does: "staticcheck", sizes: standardAndAll, seconds: 40,
		run: commands([]string{"go", "tool", "staticcheck", "./..."})},
	{name: "tests", does: "all tests of Go but those in a browser; slow ones thinned in standard runs",
		sizes: standardAndAll, needs: []string{"build"}, tools: []tool{fortran}, seconds: 300,
		run: func(j *job) error { return j.goTest(nil, "-timeout", j.mostTime(), "./...") }},
	{name: "race", does: "tests below one second of the packages with goroutines, under the race detector",
		sizes: standardAndAll, needs: []string{"build"}, tools: []tool{fortran}, seconds: 120, run: race},
	{name: "fmpy", does: "FMPy validates and runs all FMUs", sizes: standardOnly, needs: []string{"build"}, seconds: 50,
		foreign: "FMPy", run: script("harness/hosts/conformance/run.sh", "--fmpy")},
	{name: "importer", does: "an importer in C runs all FMUs", sizes: standardOnly, needs: []string{"build"}, seconds: 30,
		run: script("harness/hosts/programs/run.sh", "--short")},
	{name: "package", does: "tests of the Python package in a clean environment", sizes: standardOnly,
		needs: []string{"build"}, seconds: 60, foreign: "pip", run: script("harness/hosts/bindings/run.sh", "--package")},
	{name: "browser", does: "pages in Chromium: one in standard runs", sizes: standardAndAll, needs: []string{"build"},
		tools: []tool{browser}, seconds: 10, foreign: "Chromium", run: inBrowser},

	{name: "fuzz", does: "20000 more inputs for each fuzz target, guided by coverage", sizes: allOnly, seconds: 300,
		run: fuzzing(20_000)},
	{name: "witness", does: "references computed again by third-party programs", sizes: allOnly, needs: []string{"build"},
		seconds: 60, run: script("harness/evidence/witness/run.sh")},
	{name: "conformance", does: "FMUs in third-party importers, and the reverse; other systems", sizes: allOnly,
		needs: []string{"build"}, tools: []tool{mingw, arm64}, seconds: 200,
		foreign: "FMPy, libcosim, Ecos, VDMCheck, fmi-rs, Wine, QEMU", run: script("harness/hosts/conformance/run.sh")},
	{name: "bindings", does: "Python with all optional packages, notebooks, CMake, pkg-config, Octave", sizes: allOnly,
		needs: []string{"build"}, seconds: 250, foreign: "pip, Jupyter, Octave, CMake",
		run: script("harness/hosts/bindings/run.sh")},
	{name: "site", does: "axe-core on each page of the site; every block of code of the documentation", sizes: allOnly,
		needs: []string{"build"}, after: []string{"bindings"}, tools: []tool{browser, clang, lld}, seconds: 170,
		foreign: "npm, Chromium, the importers of the pages", run: site},
	{name: "hosts", does: "the libraries in adverse host processes", sizes: allOnly, needs: []string{"build"},
		seconds: 500, run: script("harness/hosts/programs/run.sh")},

	{name: "release", does: "archives and Python packages: equal bytes, old glibc, without compilers, a newcomer's steps",
		sizes: allOnly, needs: []string{"build"}, after: []string{"conformance"}, tools: []tool{mingw}, seconds: 600,
		foreign: "pip, FMPy", run: script("harness/release/run.sh")},

	{name: "compilers", does: "generated C by gcc and clang, for other processors, as WebAssembly", sizes: allOnly,
		needs: []string{"build"}, tools: []tool{clang, lld, node, browser, arm64, armhf, s390x, riscv64, qemu}, seconds: 240,
		foreign: "clang, QEMU, Node.js, Chromium", run: inCompilers},

	{name: "soak", does: "an hour of everything that hosts do at once, on five builds with different checks",
		sizes: longOnly, run: script("harness/hosts/programs/soak.sh")},
	{name: "calls", does: "coverage-guided fuzzing of all FMI functions, some 10^7 calls, an hour", sizes: longOnly,
		run: script("harness/hosts/programs/fuzz.sh", "100000")},
	{name: "live-fuzz", does: "10^6 hellos, messages, drives, hosts and origins of live pages each, an hour",
		sizes: longOnly, run: fuzzing(1_000_000, "harness/workbench/files/view", "harness/workbench/runs/live/wire",
			"harness/workbench/runs/replay")},
	{name: "live-memory", does: "a live vehicle with two viewers, one of which stops reading, for half an hour",
		sizes: longOnly, run: goTests([]string{"SKIDPAD_TESTS=all", "SKIDPAD_LIVE_SECONDS=1800"}, "-timeout", "90m", "-run",
			"TestMemoryStaysFlat", "./harness/workbench/files/view")},
	{name: "faulty-files", does: "10^7 faulty files of models, subsystems, manoeuvres and cars, an hour or two",
		sizes: longOnly, run: faultyFiles},
	{name: "cars", does: "every manoeuvre for any car with a vehicle whose parts have other names, half an hour",
		sizes: longOnly, run: goTests([]string{"SKIDPAD_ALL_MANOEUVRES=1"}, "-timeout", "60m", "-run", "Renamed",
			"./harness/workbench/runs/cardraft")},
	{name: "standing", does: "shipped vehicles held on their brakes for a minute with each method, a minute",
		sizes: longOnly, run: goTests([]string{"SKIDPAD_HELD=60"}, "-timeout", "60m", "-run",
			"^(TestDriftingVehiclesAreNoted|TestRandomStops|TestLockedVehicleStands)$", "./cosim",
			"-standing")},
	{name: "mutants", does: "15000 structural mutants of the shipped models are formulated and run, 10 minutes",
		sizes: longOnly, run: goTests(nil, "-timeout", "2h", "-run", "TestStructuralMutants", "./cosim", "-mutants",
			"15000")},
	{name: "energy", does: "ten times as many random falls and roll-overs, two minutes", sizes: longOnly,
		run: goTests(nil, "-timeout", "30m", "-run", "EnergyWith|Shipped", "./cosim", "-tumbling", "10")},
	{name: "python", does: "studies of 64 chunks, object stores, Python without a global lock, learning; an hour",
		sizes: longOnly, foreign: "pip, Dask, Ray, PyTorch", run: script("harness/hosts/bindings/run.sh", "--long")},
	{name: "peers", does: "accelerations beside those of MuJoCo and Pinocchio, three minutes", sizes: longOnly,
		foreign: "pip", run: script("harness/evidence/bench/peers.sh")},
	{name: "editors", does: "the language server taplo completes keys by the schema, a minute", sizes: longOnly,
		foreign: "npm, taplo", run: editors},
}

func build(j *job) error { return j.command("./build.sh", "build") }

// goTests makes a stage of go test.
func goTests(variables []string, arguments ...string) func(*job) error {
	return func(j *job) error { return j.goTest(variables, arguments...) }
}

func site(j *job) error {
	return commands([]string{"harness/site/check.sh", j.out}, []string{"go", "run", "./harness/site", "run", j.out})(j)
}

func faultyFiles(j *job) error {
	variables := []string{"SKIDPAD_FAULTY_FILES=10000000"}
	if os.Getenv("SKIDPAD_FAULTY_FILES") != "" {
		variables = nil
	}
	return j.goTest(variables, "-timeout", "24h", "-run", "TestFaultyFiles", "./harness/workbench/runs/manoeuvre")
}

func editors(j *job) error {
	folder := j.scratch + "/taplo"
	if err := j.command("npm", "install", "--silent", "--prefix", folder, "@taplo/lsp@0.8.0"); err != nil {
		return err
	}
	return j.goTest([]string{"SKIDPAD_TAPLO=" + folder}, "-run", "Taplo", "./harness/workbench/analyses/schema")
}
