package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// verdict is how a stage has ended.
type verdict string

const (
	passed verdict = "passed"
	flaky  verdict = "FLAKY" // at the second try, alone
	failed verdict = "FAILED"
	notRun verdict = "not run"
)

// result is the outcome of a stage.
type result struct {
	*stage
	verdict
	wall, cpu time.Duration
	counts    counts
	skips     []skip
	why       string // the reason, unless it has passed
	log       string // of the first try, where that failed
}

// crew runs stages.
type crew struct {
	ctx     context.Context
	size    size
	out     string
	scratch string
	workers int
	inOrder bool // stages start in their order, not by their length
	log     io.Writer
	logging sync.Mutex
}

// record is the output of a stage, which several goroutines write.
type record struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.text.String()
}

func (c *crew) say(format string, arguments ...any) {
	c.logging.Lock()
	defer c.logging.Unlock()
	fmt.Fprintf(c.log, format, arguments...)
}

// try runs a stage once, and shows its output in one piece when it has ended.
func (c *crew) try(s *stage) *result {
	c.say("\n== %s begins\n", s.name)
	var log record
	start := time.Now()
	r := &result{stage: s, verdict: passed}
	j := &job{name: s.name, ctx: c.ctx, size: c.size, out: c.out, scratch: filepath.Join(c.scratch, s.name), log: &log}
	err := os.MkdirAll(j.scratch, 0o755)
	if err == nil {
		err = s.run(j)
	}
	os.RemoveAll(j.scratch) // also what a tool has left behind
	if c.ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	r.wall, r.cpu, r.counts, r.skips = time.Since(start), j.cpu, j.counts, j.skips
	if err != nil {
		r.verdict, r.why, r.log = failed, err.Error(), log.String()
	}
	c.say("\n== %s: %s\n%s%s", s.name, r.verdict, log.String(), r.because())
	c.say("%.0f s, CPU time %.0f s\n", r.wall.Seconds(), r.cpu.Seconds())
	return r
}

func (r *result) because() string {
	if r.why == "" {
		return ""
	}
	return r.why + "\n"
}

// run runs stages, as many at a time as there are workers, the longest ones first. A stage starts when its needs have
// passed. A failure ends no other stage. A failed stage of third-party programs runs once more, alone.
func (c *crew) run(stages []*stage) []*result {
	results := map[string]*result{}
	queue := slices.Clone(stages)
	ended := make(chan *result)
	running := 0
	for len(queue) > 0 || running > 0 {
		for running < c.workers && c.ctx.Err() == nil {
			s := c.next(queue, stages, results)
			if s == nil {
				break
			}
			queue = slices.DeleteFunc(queue, func(other *stage) bool { return other == s })
			if lacking := lacks(s, results); lacking != "" {
				results[s.name] = &result{stage: s, verdict: notRun, why: "stage " + lacking + " has not passed"}
				continue
			}
			running++
			go func() { ended <- c.try(s) }()
		}
		if running == 0 {
			break
		}
		r := <-ended
		running--
		results[r.name] = r
	}
	for _, s := range stages {
		r := results[s.name]
		if r == nil {
			results[s.name] = &result{stage: s, verdict: notRun, why: "interrupted"}
			continue
		}
		if r.verdict == failed && s.foreign != "" && c.ctx.Err() == nil {
			c.say("\n== %s failed; it depends on %s, and runs once more, alone\n", s.name, s.foreign)
			if again := c.try(s); again.verdict == passed {
				again.verdict, again.why, again.log = flaky, r.why, r.log
				results[s.name] = again
			}
		}
	}
	list := make([]*result, len(stages))
	for i, s := range stages {
		list[i] = results[s.name]
	}
	return list
}

// next returns a stage of the queue that need not wait: the longest one, or the first one in runs in order. It returns
// nil if all stages have to wait.
func (c *crew) next(queue, stages []*stage, results map[string]*result) *stage {
	waits := func(s *stage) bool {
		return slices.ContainsFunc(slices.Concat(s.needs, s.after), func(name string) bool {
			part := slices.ContainsFunc(stages, func(other *stage) bool { return other.name == name })
			return part && results[name] == nil
		})
	}
	var best *stage
	for _, s := range queue {
		if !waits(s) && (best == nil || !c.inOrder && s.seconds > best.seconds) {
			best = s
		}
	}
	return best
}

// lacks returns the name of a failed or missing stage that s needs; "" if there is none.
func lacks(s *stage, results map[string]*result) string {
	for _, name := range s.needs {
		if r := results[name]; r != nil && r.verdict != passed && r.verdict != flaky {
			return name
		}
	}
	return ""
}

// failures returns the failed checks in the output of a stage, tests of Go with their first line, or its last lines.
func failures(log string) []string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	var found []string
	test := ""
	for _, line := range lines {
		line = strings.TrimSpace(line)
		switch name, of := strings.CutPrefix(line, "--- FAILED: "); {
		case of:
			test = name
			found = append(found, test)
		case test != "" && strings.Contains(line, "_test.go:"):
			found[len(found)-1] = test + ", " + line
			test = ""
		case strings.HasPrefix(line, "FAILED "):
			found = append(found, line)
		}
	}
	if found == nil {
		found = lines[max(0, len(lines)-3):]
	}
	return found[:min(5, len(found))]
}
