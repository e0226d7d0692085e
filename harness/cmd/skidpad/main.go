// Command skidpad drives the Skidpad library and looks into its models.
//
//	skidpad simulate MODEL --manoeuvre NAME   one run of a model or FMU, recorded as CSV
//	skidpad list models                       what can be given by name
//	skidpad pack MODEL -o X.fmu --fmi 3       an FMU of a model
//	skidpad check X.fmu                       what is wrong with an FMU
//	skidpad help COMMAND                      what a command takes, with an example
//
// Exit status: 0 done and all checks hold, 1 the work failed or a check does not
// hold, 2 the command line is wrong, 130 it was interrupted. Results go to stdout or to the files named,
// everything else to stderr.
//
// Commands that load a library start this program once more, with --load-in-child and a task; so a library that ends
// its process does not end the command.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
)

// The exit statuses.
const (
	good        = 0
	failed      = 1
	wrongUsage  = 2
	interrupted = 130
)

// errFailed ends the command with status failed when the reason is already reported.
var errFailed = errors.New("failed")

// usageError is a wrong command line: status wrongUsage.
type usageError struct{ error }

// keepsResults reports that the running command ends by itself when its context is cancelled, and writes the results so
// far.
var keepsResults atomic.Bool

func main() {
	library.RunAsChild()
	linearise.UseLibraries()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(context.Background())
	var ending sync.Mutex
	go func() {
		<-signals
		if keepsResults.Load() {
			fmt.Fprintln(os.Stderr, "\nskidpad: interrupted; results so far are written (interrupt again to end at once)")
			cancel()
			library.EndLoading() // before a run there is nothing to keep
			<-signals
		}
		ending.Lock()
		library.RemoveUnpacked()
		output.RemoveEmptyFolders()
		os.Exit(interrupted)
	}()
	status := command(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	ending.Lock() // a command that fails because its files go has been interrupted
	os.Exit(status)
}

// interruptOf is closed when the user interrupts the command, which from now on ends by itself.
func interruptOf(c *cobra.Command) <-chan struct{} {
	keepsResults.Store(true)
	return c.Context().Done()
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
func command(ctx context.Context, args []string, in io.Reader, to, errorsTo io.Writer) int {
	kept := &written{Writer: to}
	stdout, stderr := output.NewVisible(kept), output.NewVisible(errorsTo)
	defer stderr.Close()
	status := withoutPanic(stderr, func() int { return perform(ctx, args, in, stdout, stderr) })
	output.RemoveEmptyFolders()
	stdout.Close()
	if kept.err != nil && status == good {
		fmt.Fprintf(stderr, "skidpad: results are not complete: %v\n", kept.err)
		return failed
	}
	return status
}

// withoutPanic turns a panic of the work into one line with what a report of it needs.
func withoutPanic(stderr io.Writer, work func() int) (status int) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		line := fmt.Sprintf("skidpad: defect of this program: %v, %s", cause, origin())
		if files := bounded.Opened(); len(files) > 0 {
			line += "; files read: " + strings.Join(files, ", ")
		}
		fmt.Fprintf(stderr, "%s; please report it to the maintainers of Skidpad with this line, these files, the command "+
			"line and the output of skidpad --version\n", line)
		status = failed
	}()
	return work()
}

// origin is the position in this program that began a panic; it is called while the panic is recovered.
func origin() string {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers[:])])
	panicked := false
	for {
		f, more := frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", f.Function, f.Line)
		}
		panicked = panicked || strings.HasPrefix(f.Function, "runtime.gopanic")
		if !more {
			return "at an unknown place"
		}
	}
}

func perform(ctx context.Context, args []string, in io.Reader, stdout, stderr io.Writer) int {
	begun := false // the command line is right
	root := newRoot(&begun)
	root.SetIn(in)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(withTwoDashes(root, args))
	c, err := root.ExecuteContextC(ctx)
	if err == nil {
		return good
	}
	if !errors.Is(err, errFailed) {
		fmt.Fprintf(stderr, "%s: %v\n", c.CommandPath(), err)
	}
	if _, is := errors.AsType[usageError](err); is || !begun {
		fmt.Fprintf(stderr, "%s --help shows arguments and an example\n", c.CommandPath())
		return wrongUsage
	}
	if errors.Is(err, output.ErrInterrupted) || errors.Is(err, library.ErrEnded) {
		return interrupted
	}
	return failed
}
