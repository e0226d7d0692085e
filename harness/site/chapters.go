package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// chapter is a part of the site. Its pages are files of the repository in the order of reading, or patterns, whose
// files follow in the order of their names. The title of a page is its first heading.
type chapter struct {
	title string
	pages []string
}

// chapters in the order of the navigation, by purpose: learn, do, look up, understand. The first page is the front
// page.
var chapters = []chapter{
	{"Learn", []string{"README.md", "docs/install.md", "docs/start.md", "docs/first-vehicle.md", "docs/car-to-report.md",
		"docs/concepts.md",
		"docs/notebooks/first_steps.ipynb", "docs/notebooks/linear_analysis_and_fleets.ipynb",
		"docs/notebooks/own_tire.ipynb", "docs/glossary.md"}},
	{"Do: recipes", []string{"docs/recipes/index.md", "docs/recipes/handling.md", "docs/recipes/ride.md",
		"docs/recipes/controllers.md", "docs/recipes/networks.md", "docs/recipes/cars.md", "docs/recipes/tires.md",
		"docs/recipes/studies.md"}},
	{"Do: analyse and compare", []string{"docs/studies.md", "docs/compare.md", "docs/validation.md", "docs/assessments.md",
		"docs/animate.md", "docs/view.md",
		"docs/view-programs.md",
		"docs/linear.md",
		"docs/inverse.md", "docs/kc.md", "docs/equations.md", "docs/python-studies.md", "docs/gradients.md",
		"docs/learning.md"}},
	{"Do: couple and extend", []string{"docs/bindings.md", "docs/importers.md", "docs/foreign-fmus.md", "docs/check.md",
		"docs/own-controllers.md",
		"docs/brake-and-stability-control.md", "docs/drive-and-steering-control.md",
		"docs/tire-plug-ins.md", "docs/generate.md", "docs/casadi.md",
		"docs/real-time.md", "docs/security.md"}},
	{"Look up: files and functions", []string{"docs/model-files.md", "docs/curves.md", "docs/subsystems.md",
		"docs/networks.md", "docs/electric-drives.md",
		"docs/hardpoints.md", "docs/tires.md", "docs/roads.md", "docs/tracks.md", "docs/cars.md",
		"docs/manoeuvres.md",
		"docs/drivers.md", "docs/laps.md", "docs/warnings.md", "docs/fmi.md", "docs/command.md",
		"docs/command-reference.md", "docs/c-reference.md", "docs/python-reference.md"}},
	{"Look up: components", []string{"docs/components/*.md"}},
	{"Understand", []string{"docs/theory.md", "docs/solvers.md", "docs/energy.md", "docs/reactions.md",
		"docs/limits.md"}},
	{"Understand: vehicles", []string{"docs/passenger-car.md", "docs/tractor-semitrailer.md", "docs/two-wheelers.md",
		"docs/half-car.md", "docs/point-masses.md", "docs/gallery.md"}},
	{"Understand: evidence", []string{"docs/verification.md", "docs/performance.md", "docs/sources.md",
		"docs/figures/morency.md", "docs/figures/vaniwaarden.md", "docs/figures/afzal.md", "docs/figures/minaker.md",
		"docs/figures/ikoki.md"}},
	{"Project", []string{"docs/build.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}},
	{"Decisions", []string{
		"docs/decisions/0001-definitions.md", "docs/decisions/0002-linearly-implicit.md",
		"docs/decisions/0003-signs-at-standstill.md",
		"docs/decisions/0004-shim-and-core.md", "docs/decisions/0005-errors-stop-an-instance.md",
		"docs/decisions/0006-machine-code.md",
		"docs/decisions/0007-standstill.md", "docs/decisions/0008-rooms.md", "docs/decisions/0009-standstill-and-energy.md",
		"docs/decisions/0010-steps-without-go.md", "docs/decisions/0011-harness.md",
	}},
}

// present returns the chapters with the pages that the repository at root has.
func present(root string) []chapter {
	var list []chapter
	for _, c := range chapters {
		var pages []string
		for _, pattern := range c.pages {
			found, _ := fs.Glob(os.DirFS(root), pattern) // the patterns are valid
			pages = append(pages, found...)
		}
		if len(pages) > 0 {
			list = append(list, chapter{c.title, pages})
		}
	}
	return list
}

// has reports whether a page belongs to the chapter.
func (c *chapter) has(page string) bool {
	return slices.ContainsFunc(c.pages, func(pattern string) bool {
		is, _ := path.Match(pattern, page)
		return is
	})
}

// outside names the Markdown files and notebooks of docs/ and the Markdown files of the root that belong to no chapter.
func outside(root string) error {
	files, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		return err
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".md") || strings.HasSuffix(path, notebookSuffix)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(chapters,
			func(c chapter) bool { return c.has(filepath.ToSlash(name)) }) {
			return fmt.Errorf("%s belongs to no chapter of the site; add it to the table in harness/site/chapters.go, "+
				"where a reader looks for it", name)
		}
	}
	return nil
}
