// Command skidpad drives the Skidpad library and looks into its models.
//
//	skidpad run                               the main job: all runs, all checks
//	skidpad simulate MODEL --manoeuvre FILE   one run of a model or FMU, recorded as CSV
//	skidpad pack MODEL -o X.fmu --fmi 3       an FMU of a model
//	skidpad pack SYSTEM -o X.ssp --fmi 2      a package of a system of FMUs
//	skidpad check X.fmu                       what is wrong with an FMU
//	skidpad VERB --help                       what a verb takes, with an example
//
// Exit status: 0 done and all checks hold, 1 the work failed or a check does not
// hold, 2 the command line is wrong, 130 it was interrupted. Results go to stdout or to the files named,
// everything else to stderr.
//
// Verbs that load a library start the command once more, with --load-in-child and a task, so that a library that
// ends its process does not end the command.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"skidpad/harness/library"
	"skidpad/harness/output"
)

// verb is one thing the command can do.
type verb struct {
	name    string
	summary string // one line of the overview
	run     func(args []string, stdout, stderr io.Writer) error
}

// verbs, in the order of the overview.
var verbs = []verb{
	{"run", "drive the vehicles of all sources through their manoeuvres and check the results", runVerb},
	{"simulate", "drive one model or FMU through one manoeuvre and record it", simulateVerb},
	{"manoeuvre", "run a manoeuvre and print its key figures", manoeuvreVerb},
	{"compare", "compare runs with references by corridors, and key figures by tolerances", compareVerb},
	{"sweep", "drive a model through a manoeuvre for every combination of parameter values", sweepVerb},
	{"animate", "make a page that plays a recorded run", animateVerb},
	{"pack", "make FMUs of models, or a package of a system", packVerb},
	{"check", "check an FMU: archive, model description, and what its library does", checkVerb},
	{"verify", "compare the library with references and with the source", verifyVerb},
	{"reference", "regenerate the stored results of the reference solver", referenceVerb},
	{"bench", "measure how fast the library is, next to plain C", benchVerb},
	{"equations", "show tree, states, equation counts and cost of a model", equationsVerb},
	{"linearize", "eigenvalues and frequency responses about steady motions", linearizeVerb},
	{"generate", "write a model's simulation code as Go or C", generateVerb},
	{"tire", "evaluate or describe a tire function, convert a tire file, or measure a tire on a rig", tireVerb},
}

// errFailed ends the command with status 1 when the reason is already reported.
var errFailed = errors.New("failed")

// usageError is a wrong command line: status 2.
type usageError struct{ error }

func main() {
	library.RunAsChild()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var ending sync.Mutex
	go func() {
		<-interrupted
		ending.Lock()
		library.RemoveUnpacked()
		os.Exit(130)
	}()
	status := command(os.Args[1:], os.Stdout, os.Stderr)
	ending.Lock() // a command that fails because its files go has been interrupted
	os.Exit(status)
}

// written notes the first error of a writer.
type written struct {
	io.Writer
	err error
}

func (o *written) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// command runs one command line and returns the exit status. What it writes is made visible, wherever it comes from.
// Results that could not be written are a failure.
func command(args []string, to, errorsTo io.Writer) int {
	kept := &written{Writer: to}
	stdout, stderr := output.NewVisible(kept), output.NewVisible(errorsTo)
	defer stderr.Close()
	status := perform(args, stdout, stderr)
	stdout.Close()
	if kept.err != nil && status == 0 {
		fmt.Fprintf(stderr, "skidpad: results are not complete: %v\n", kept.err)
		return 1
	}
	return status
}

func perform(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		overview(stderr)
		return 2
	}
	switch args[0] {
	case "help", "--help", "-help", "-h":
		overview(stdout)
		return 0
	}
	for _, v := range verbs {
		if v.name != args[0] {
			continue
		}
		err := v.run(args[1:], stdout, stderr)
		if err == nil || errors.Is(err, flag.ErrHelp) {
			return 0
		}
		if !errors.Is(err, errFailed) {
			fmt.Fprintf(stderr, "skidpad %s: %v\n", v.name, err)
		}
		if _, is := errors.AsType[usageError](err); is {
			fmt.Fprintf(stderr, "skidpad %s --help lists its arguments\n", v.name)
			return 2
		}
		return 1
	}
	fmt.Fprintf(stderr, "skidpad: unknown verb %q\n", args[0])
	overview(stderr)
	return 2
}

func overview(w io.Writer) {
	fmt.Fprintln(w, "usage: skidpad VERB [arguments]")
	fmt.Fprintln(w)
	for _, v := range verbs {
		fmt.Fprintf(w, "  %-10s  %s\n", v.name, v.summary)
	}
	fmt.Fprintln(w, "\nskidpad VERB --help shows arguments and an example.")
}

// newFlags returns a flag set whose help is usage, the flags, and example.
// help is where --help writes.
func newFlags(help io.Writer, usage, example string) *flag.FlagSet {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are reported once, by command
	flags.Usage = func() {
		fmt.Fprintf(help, "usage: skidpad %s\n\n", usage)
		flags.SetOutput(help)
		flags.PrintDefaults()
		flags.SetOutput(io.Discard)
		fmt.Fprintf(help, "\nexample:\n%s\n", example)
	}
	return flags
}

// parse reads args with flags and returns the arguments that are none. Flags
// may stand before, between and after them. There must be between low and high.
func parse(flags *flag.FlagSet, args []string, low, high int) ([]string, error) {
	help := flags.Usage
	flags.Usage = func() {} // the package calls it on every error
	var positional []string
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			help()
			return nil, err
		} else if err != nil {
			return nil, usageError{err}
		}
		if flags.NArg() == 0 {
			break
		}
		positional = append(positional, flags.Arg(0))
		args = flags.Args()[1:]
	}
	if n := len(positional); n < low || n > high {
		return nil, usageError{fmt.Errorf("%d arguments %q; %d expected", n, positional, high)}
	}
	return positional, nil
}
