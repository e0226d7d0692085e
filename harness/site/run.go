package main

import (
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

// recipes is the folder of pages whose sections run each in an empty folder, with the command and the Python package.
const recipes = "docs/recipes/"

// tutorial is a page of one program that runs like a recipe, since its readers have neither the sources nor a compiler.
const tutorial = "docs/first-vehicle.md"

// programs divides the blocks of a page into those that run together: the blocks of a section of recipes, else all.
func programs(list []*block) [][]*block {
	if !strings.HasPrefix(list[0].page.name, recipes) {
		return [][]*block{list}
	}
	var parts [][]*block
	for i, b := range list {
		if i == 0 || b.section != list[i-1].section {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], b)
	}
	return parts
}

// title names what runs together.
func title(list []*block) string {
	if name := list[0].page.name; !strings.HasPrefix(name, recipes) {
		return name
	}
	return list[0].page.name + ", " + list[0].section
}

// workers is how many pages run side by side.
const workers = 2

// run runs the blocks of the named pages of the repository at root, or of all pages, with what was built into out. It
// reports for each page what became of its blocks.
func run(root, out string, names []string, log io.Writer) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	pages, err := blocksByPage(root)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		if pages, err = named(pages, names); err != nil {
			return err
		}
	}
	environment, packages, err := packages(root, out)
	if err != nil {
		return err
	}
	// Pages with many blocks first, so that no long one is left for the end.
	slices.SortStableFunc(pages, func(a, b []*block) int { return len(b) - len(a) })
	if failed := runPages(root, out, environment, packages, pages, log); failed > 0 {
		return fmt.Errorf("%d of %d pages with code failed", failed, len(pages))
	}
	return nil
}

// named selects the pages of these names.
func named(pages [][]*block, names []string) (selected [][]*block, err error) {
	for _, name := range names {
		before := len(selected)
		for _, list := range pages {
			if title(list) == name || list[0].page.name == name {
				selected = append(selected, list)
			}
		}
		if len(selected) == before {
			return nil, fmt.Errorf("%s is not a page with code; name pages as docs/start.md, recipes as "+
				"\"docs/recipes/tires.md, Own tire in C\"", name)
		}
	}
	return selected, nil
}

// blocksByPage reads the blocks of code of all pages that have some, as they run together.
func blocksByPage(root string) (pages [][]*block, err error) {
	var faults []error
	used := map[other]bool{}
	for _, c := range present(root) {
		for _, name := range c.pages {
			p, err := readPage(root, name)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			if p.figures != nil {
				continue // harness/hosts/bindings runs notebooks
			}
			list, err := blocks(p)
			faults = append(faults, err)
			for _, b := range list {
				if b.verb != "elsewhere" {
					continue
				}
				others, err := b.elsewhereCommands(root)
				if err != nil {
					faults = append(faults, fmt.Errorf("%s: %w", b.position(), err))
				}
				for _, o := range others {
					used[o] = true
				}
			}
			if len(list) > 0 {
				pages = append(pages, programs(list)...)
			}
		}
	}
	for _, o := range elsewhere {
		if !used[o] {
			faults = append(faults,
				fmt.Errorf("harness/site/elsewhere.go: no page shows %q any more; take it out of the table", o.command))
		}
	}
	return pages, errors.Join(append(faults, outside(root))...)
}

// runPages runs the blocks of pages, side by side, and counts the pages that fail.
func runPages(root, out, environment, packages string, pages [][]*block, log io.Writer) (failed int) {
	next := make(chan []*block)
	var group sync.WaitGroup
	var mutex sync.Mutex
	for range workers {
		group.Go(func() {
			for list := range next {
				began := time.Now()
				report, err := runPage(root, out, environment, packages, list)
				mutex.Lock()
				if err != nil {
					failed++
					fmt.Fprintf(log, "FAILED  %v\n", err)
				} else {
					fmt.Fprintf(log, "passed  %s in %.1f s: %s\n", title(list), time.Since(began).Seconds(),
						report)
				}
				mutex.Unlock()
			}
		})
	}
	for _, list := range pages {
		next <- list
	}
	close(next)
	group.Wait()
	return failed
}

// tally counts what became of the blocks of a page.
type tally map[string]int

func (t tally) String() string {
	var parts []string
	for _, what := range []string{"sh run", "sh run, failing as told", "python run", "c run", "toml loaded",
		"toml parsed", "file written", "output compared", "elsewhere", "text"} {
		if t[what] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", t[what], what))
		}
	}
	return strings.Join(parts, ", ")
}

// runPage runs the blocks of one page in order, up to the first one that fails.
func runPage(root, out, environment, packages string, list []*block) (tally, error) {
	folder, err := os.MkdirTemp("", "page")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	r := &runner{folder: filepath.Join(folder, "skidpad"), state: folder, python: filepath.Join(folder, "python"),
		cache: filepath.Join(out, "bindings", "pip"), longest: "600"}
	defer r.close()
	if slices.ContainsFunc(list, (*block).needsFolder) {
		if name := list[0].page.name; name == tutorial || strings.HasPrefix(name, recipes) {
			err = os.Mkdir(r.folder, 0o755)
		} else {
			err = layOut(root, out, r.folder)
		}
		if err != nil {
			return nil, err
		}
		if err := pythonFor(r.python, environment, packages); err != nil {
			return nil, err
		}
		if err := os.Mkdir(filepath.Join(folder, "bin"), 0o755); err != nil {
			return nil, err
		}
		if err := os.Symlink(filepath.Join(out, "skidpad"), filepath.Join(folder, "bin", "skidpad")); err != nil {
			return nil, err
		}
	}
	count := tally{}
	printed, isRun := "", false // by the block before
	for _, b := range list {
		if b.language == "text" && b.verb == "" {
			if !b.follows || !isRun {
				count["text"]++
				continue
			}
			isRun = false
			if err := compare(b.code, printed); err != nil {
				return nil, fmt.Errorf("%s: %w\n--- what the block before it printed\n%s---", b.position(), err, printed)
			}
			count["output compared"]++
			continue
		}
		var what string
		if what, printed, err = r.run(b); err != nil {
			return nil, fmt.Errorf("%s: %s: %w\n--- the block\n%s--- what it printed\n%s---", b.position(), b.language,
				err, b.code, printed)
		}
		isRun = strings.Contains(what, " run")
		count[what]++
	}
	return count, nil
}

// compare looks for every line of wanted in printed, in that order. Three points stand for
// anything: in a line of their own for any lines, in others for any characters.
func compare(wanted, printed string) error {
	left := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	for line := range strings.Lines(wanted) {
		line = strings.TrimRight(line, " \n")
		if line == "" || strings.TrimSpace(line) == "..." {
			continue
		}
		at := slices.IndexFunc(left, func(have string) bool { return matches(line, strings.TrimRight(have, " \r")) })
		if at < 0 {
			return fmt.Errorf("the line %q was not printed there; correct the page, or what it tells to do", line)
		}
		left = left[at+1:]
	}
	return nil
}

// matches compares a line with a pattern; three points in the pattern match any characters.
func matches(pattern, line string) bool {
	parts := strings.Split(pattern, "...")
	if len(parts) == 1 {
		return pattern == line
	}
	line, ok := strings.CutPrefix(line, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(line, part)
		if at < 0 {
			return false
		}
		line = line[at+len(part):]
	}
	return strings.HasSuffix(line, last)
}
