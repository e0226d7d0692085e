package main

import (
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"path/filepath"
	"strings"

	"skidpad/harness/site/drivable"
)

// liveView is the page of the documentation about driving.
const liveView = "docs/view.md"

// drive is a page with a vehicle that readers drive.
type drive struct {
	title, address string
	page           []byte
}

// makeDrives makes the pages of vehicles to drive. Compiled vehicles stay in out/drive. Without a compiler the site has
// no such pages, which the log says.
func makeDrives(root, out string, log io.Writer) (list []drive, err error) {
	without := func(why error) ([]drive, error) {
		_, err := fmt.Fprintf(log, "no page with a vehicle to drive: %v\n", why)
		return nil, err
	}
	if !drivable.Compiles() {
		return without(drivable.ErrNoCompiler)
	}
	for i, m := range drivable.Models {
		address := "drive.html"
		if i > 0 {
			address = "drive_" + m.Name + ".html"
		}
		list = append(list, drive{title: m.Title, address: address})
	}
	for i, m := range drivable.Models {
		links := `<a href="` + relative(list[i].address, address(liveView)) + `">manual</a>`
		for k, other := range list {
			if k != i {
				links += fmt.Sprintf("\n<a href=%q>%s</a>", other.address, html.EscapeString(other.title))
			}
		}
		list[i].page, err = drivable.Page(root, m.Name, filepath.Join(out, "drive", m.Name),
			template.HTML(links)) //nolint:gosec // our own texts
		if errors.Is(err, drivable.ErrNoCompiler) {
			return without(err)
		} else if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// driveLinks are links to the pages of vehicles to drive, for the page at an address.
func (s *site) driveLinks(at string) string {
	if len(s.drives) == 0 {
		return ""
	}
	var links []string
	for _, d := range s.drives {
		links = append(links, fmt.Sprintf("<a href=%q>%s</a>", relative(at, d.address), html.EscapeString(d.title)))
	}
	return `<p class="drive">Drive a vehicle in the browser, with nothing to install: ` + strings.Join(links, ", ") +
		"</p>\n"
}
