package library

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// A library that is damaged or faulty can end the process that loads it. Therefore a child process loads it first: the
// same program, started once more, which reports its calls and findings to its parent.

// childArgument is the first argument of a child process; the second is its task in JSON.
const childArgument = "--load-in-child"

// task is the task of a child process.
type task struct {
	Kind    string // a key of tasks
	Folder  string // of an unpacked FMU
	Path    string // of the FMU or the library
	Library string // what messages call the library
	Symbol  string // of a function in the library
	// Of a function that is tried: the component and its parameter file, and the number of results.
	Component, File string
	Results         int
	Patience        time.Duration // longest duration of one call into the library
}

// tasks are the kinds of work for child processes.
var tasks = map[string]func(t task, r *reporter) error{
	"load library": func(t task, r *reporter) error {
		r.begin("loading the library")
		_, err := load(t.Path)
		return err
	},
	"open function": func(t task, r *reporter) error {
		r.begin("opening the function " + t.Symbol)
		_, err := openFunction(t.Path, t.Symbol)
		return err
	},
	"try function": func(t task, r *reporter) error {
		r.begin("opening the function " + t.Symbol)
		f, err := openFunction(t.Path, t.Symbol)
		if err != nil {
			return err
		}
		return f.try(t.Component, t.File, t.Results, r)
	},
	"load FMU": func(t task, r *reporter) error {
		f, err := readUnpacked(t.Folder, t.Path)
		if err != nil {
			return err
		}
		return f.try(r)
	},
	"exercise FMU": func(t task, r *reporter) error {
		f, err := readUnpacked(t.Folder, t.Path)
		if err != nil {
			return err
		}
		return f.exercise(r)
	},
}

// patience is the longest duration of one call into a library, unless the task says otherwise.
const patience = time.Minute

// message is a message from a child process to its parent, a line of JSON.
type message struct {
	Begin   string   `json:",omitempty"` // what the child does from now on
	Finding *Finding `json:",omitempty"`
	End     bool     `json:",omitempty"` // the work is done
	Error   string   `json:",omitempty"` // with End: why it failed
}

// reporter sends messages from a child process.
type reporter struct {
	to       *json.Encoder
	patience time.Duration
	watchdog *time.Timer
}

func (r *reporter) begin(what string) { r.send(message{Begin: what}) }

func (r *reporter) find(level Level, format string, arguments ...any) {
	r.send(message{Finding: &Finding{level, fmt.Sprintf(format, arguments...)}})
}

// send ignores errors: a parent that has ended needs no report.
func (r *reporter) send(m message) {
	r.watchdog.Reset(2 * r.patience)
	r.to.Encode(m)
}

var childrenServed bool

// RunAsChild does the work of a child process and ends the process, if OpenFMU, Open or Exercise has started it;
// otherwise RunAsChild returns at once. A program that calls OpenFMU, Open or Exercise must call RunAsChild before
// anything else.
func RunAsChild() {
	childrenServed = true
	if len(os.Args) != 3 || os.Args[1] != childArgument {
		return
	}
	var t task
	if err := json.Unmarshal([]byte(os.Args[2]), &t); err != nil || tasks[t.Kind] == nil {
		fmt.Fprintf(os.Stderr, "%s is for processes that %s starts itself\n", childArgument, os.Args[0])
		os.Exit(2)
	}
	// A child writes its reports to standard input: a pipe that every system hands on and no library prints to.
	r := &reporter{to: json.NewEncoder(os.Stdin), patience: t.Patience}
	// The parent ends a child that takes too long, unless the parent itself has been killed.
	r.watchdog = time.AfterFunc(2*t.Patience, func() { os.Exit(3) })
	end := message{End: true}
	if err := tasks[t.Kind](t, r); err != nil {
		end.Error = err.Error()
	}
	r.send(end)
	os.Exit(0)
}

// children are the child processes that run, as keys.
var children sync.Map

// ErrEnded is the error of loading a library that EndLoading has ended.
var ErrEnded = errors.New("interrupted while the library was loaded")

var loadingEnded atomic.Bool

// EndLoading ends the child processes that try libraries; no library is tried from now on. What runs already goes on.
func EndLoading() {
	loadingEnded.Store(true)
	unpacking.Lock() // no child is about to start
	defer unpacking.Unlock()
	children.Range(func(child, _ any) bool {
		endGroup(child.(*os.Process))
		return true
	})
}

// inChild does a task in a child process, and returns what the child has found. The error says why the child has
// failed or ended.
func inChild(t task) (findings []Finding, err error) {
	if !childrenServed {
		return nil, errors.New("this program cannot load a foreign library: call library.RunAsChild when it starts")
	}
	t.Patience = cmp.Or(t.Patience, patience)
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	said := &lastWords{}
	child, err := startChild(t, write, said)
	if err != nil {
		return nil, err
	}
	w := childWatch{doing: "starting"}
	w.watch(child, read, t.Patience)
	unpacking.RLock() // does not return if the child was ended because this process is ending
	children.Delete(child.Process)
	unpacking.RUnlock()
	switch {
	case loadingEnded.Load():
		return nil, fmt.Errorf("%s: %w", t.Library, ErrEnded)
	case w.end.Error != "":
		return w.findings, errors.New(w.end.Error)
	case w.end.End && child.ProcessState.Success():
		return w.findings, nil
	case w.late:
		return w.findings, fmt.Errorf("%s: %s took longer than %v, and the child process that tried it was stopped; "+
			"the library hangs: report this to its author", t.Library, w.doing, t.Patience)
	}
	return w.findings,
		fmt.Errorf("%s: %s ended the child process that tried it (%v%v); the file is damaged or faulty: export or "+
			"copy it again, or report this to its author", t.Library, w.doing, child.ProcessState, said)
}

// startChild starts a child process with a task; it reports to a pipe, which is closed here.
func startChild(t task, reports *os.File, said *lastWords) (*exec.Cmd, error) {
	defer reports.Close()
	argument, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.Command(self, childArgument, string(argument))
	child.Stdin, child.Stderr = reports, said
	child.WaitDelay = time.Second // for processes that the library has left behind
	separate(child)
	unpacking.RLock() // a process that is ending starts no child
	defer unpacking.RUnlock()
	if loadingEnded.Load() {
		return nil, fmt.Errorf("%s: %w", t.Library, ErrEnded)
	}
	if err := child.Start(); err != nil {
		return nil, fmt.Errorf("cannot start a child process that loads the library first: %w", err)
	}
	children.Store(child.Process, nil)
	return child, nil
}

// childWatch is the state of a watched child process.
type childWatch struct {
	findings []Finding
	doing    string  // what it has begun last
	late     bool    // it has been ended because it took too long
	end      message // its last report
}

// watch follows the reports of a child until it has ended, and ends the child if a report takes longer than the
// patience.
func (w *childWatch) watch(child *exec.Cmd, from *os.File, patience time.Duration) {
	ended := make(chan struct{})
	go func() {
		child.Wait()
		close(ended)
	}()
	reports, abandoned := make(chan message), make(chan struct{})
	defer close(abandoned)
	go receive(from, reports, abandoned)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for running := true; running || reports != nil; {
		select {
		case r, more := <-reports:
			switch {
			case !more:
				reports = nil
			case r.End:
				w.end = r
			case r.Begin != "":
				w.doing = r.Begin
			case r.Finding != nil:
				w.findings = append(w.findings, *r.Finding)
			}
			if running {
				limit.Reset(patience)
			}
		case <-ended:
			running, ended = false, nil
			limit.Reset(child.WaitDelay) // a process that the library has left behind can keep the pipe open
		case <-limit.C:
			endGroup(child.Process)
			if !running {
				reports = nil
				break
			}
			w.late = true
		}
	}
}

// receive hands reports on until the pipe ends or they are abandoned.
func receive(from *os.File, to chan<- message, abandoned <-chan struct{}) {
	defer close(to)
	for lines := bufio.NewScanner(from); lines.Scan(); {
		var r message
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			return // the library has written to the pipe
		}
		select {
		case to <- r:
		case <-abandoned:
			return
		}
	}
}

// lastWords keeps the end of the output of a process, up to the stacks printed by Go after a fatal signal.
type lastWords struct {
	text   []byte
	stacks bool
}

func (w *lastWords) Write(p []byte) (int, error) {
	const most = 500
	if !w.stacks {
		w.text = append(w.text, p...)
		w.text, _, w.stacks = bytes.Cut(w.text, []byte("\ngoroutine "))
		w.text = w.text[max(0, len(w.text)-most):]
	}
	return len(p), nil
}

// String returns the words on one line, without control characters.
func (w *lastWords) String() string {
	printable := strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return ' '
	}, strings.ToValidUTF8(string(w.text), "?"))
	words := strings.Join(strings.Fields(printable), " ")
	if words == "" {
		return ""
	}
	return fmt.Sprintf(", saying %q", words)
}
