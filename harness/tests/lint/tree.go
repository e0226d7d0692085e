package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// tree is the repository: names of files, with slashes, and what they hold.
type tree struct {
	names   []string
	read    func(name string) ([]byte, error)
	changed map[string]map[int]bool // lines by file; nil for all
}

// git runs git in a folder.
func git(folder string, arguments ...string) (string, error) {
	command := exec.Command("git", arguments...)
	command.Dir = folder
	output, err := command.Output()
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		return "", fmt.Errorf("git: %s", strings.TrimSpace(string(exit.Stderr)))
	}
	return string(output), err
}

// open lists the tracked files of a repository, and new files that git does not ignore.
func open(root string) (*tree, error) {
	list, err := git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("%w; run the linters in a git checkout", err)
	}
	t := &tree{read: func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, name)) }}
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		// Deleted files are listed until git is told; links lead to files of the list.
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			t.names = append(t.names, name)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return t, nil
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// changedSince are the lines that differ from a revision, by file. New files have been changed as a whole.
func changedSince(root, revision string) (map[string]map[int]bool, error) {
	difference, err := git(root, "-c", "core.quotePath=false", "diff", "--unified=0", "--no-color", "--no-ext-diff",
		"--no-renames", "--src-prefix=a/", "--dst-prefix=b/", revision, "--")
	if err != nil {
		return nil, err
	}
	added, err := git(root, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	changed := changedLines(difference)
	for name := range strings.SplitSeq(added, "\x00") {
		changed[name] = nil
	}
	return changed, nil
}

// changedLines are the new lines of a difference without context.
func changedLines(difference string) map[string]map[int]bool {
	changed, name := map[string]map[int]bool{}, ""
	for line := range strings.Lines(difference) {
		if of, is := strings.CutPrefix(line, "+++ b/"); is {
			name = strings.TrimRight(of, "\t\n")
			changed[name] = map[int]bool{}
		}
		if m := hunk.FindStringSubmatch(line); m != nil {
			first, _ := strconv.Atoi(m[1])
			count := 1
			if m[2] != "" {
				count, _ = strconv.Atoi(m[2])
			}
			for i := range count {
				changed[name][first+i] = true
			}
		}
	}
	return changed
}

// isChanged reports whether a line is one to report faults of.
func (t *tree) isChanged(name string, line int) bool {
	if t.changed == nil {
		return true
	}
	lines, is := t.changed[name]
	return is && (lines == nil || lines[line])
}

// isSource reports whether a file is Go code for go build and not a test.
func isSource(name string) bool {
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		if folder == "testdata" || folder == "out" || folder != "." && strings.HasPrefix(folder, ".") ||
			strings.HasPrefix(folder, "_") {
			return false
		}
	}
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// parse reads the syntax of a Go file; set gets its positions.
func (t *tree) parse(set *token.FileSet, name string, mode parser.Mode) (*ast.File, error) {
	text, err := t.read(name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(set, name, text, mode)
}

// at is a finding at a place of Go code.
func at(position token.Position, what string, arguments ...any) finding {
	return finding{position.Filename, position.Line, fmt.Sprintf(what, arguments...)}
}
