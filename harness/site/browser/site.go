package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// inspected is the browser's inspection of one page at one width.
type inspected struct {
	Faults  []string
	Links   [][2]string // page and anchor
	Anchors []string
}

//go:embed inspect.js
var inspect string

// CheckSite opens every page of the site in folder, at every width in pixels, and returns the faults. Faults are pages
// wider than the window, error messages, requests to other hosts, missing pictures, links to missing pages or anchors.
// It skips the pages that except names. Of the pages that show files it opens one of each language, and the pages whose
// lines are link targets.
func CheckSite(folder string, widths []int, except ...string) (found error) {
	pages, err := pagesOf(folder, except...)
	if err != nil {
		return err
	}
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' data:; "+
			"script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' data:")
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	ctx, end, err := open(int64(slices.Max(widths)), 900, "127.0.0.1")
	if err != nil {
		return err
	}
	defer func() { found = end(found) }()
	var heard messages
	chromedp.ListenTarget(ctx, heard.hear)
	if err := chromedp.Run(ctx, log.Enable()); err != nil {
		return err
	}
	var faults []error
	links, anchors := map[string][][2]string{}, map[string][]string{}
	look := func(name string) error {
		for _, width := range widths {
			found, err := inspectPage(ctx, &heard, server.URL+"/"+name, width)
			if err != nil {
				return fmt.Errorf("%s at %d pixels: %w", name, width, err)
			}
			for _, fault := range found.Faults {
				faults = append(faults, fmt.Errorf("%s at %d pixels: %s", name, width, fault))
			}
			links[name], anchors[name] = found.Links, found.Anchors
		}
		return nil
	}
	for _, name := range pages {
		if err := look(name); err != nil {
			return err
		}
	}
	for _, name := range pages {
		for _, link := range links[name] {
			if strings.HasPrefix(link[0], sources) && link[1] != "" && anchors[link[0]] == nil {
				if err := look(link[0]); err != nil {
					return err
				}
			}
			if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(link[0]))); err != nil {
				faults = append(faults, fmt.Errorf("%s: the link to %s leads nowhere", name, link[0]))
			} else if link[1] != "" && !slices.Contains(anchors[link[0]], link[1]) {
				faults = append(faults, fmt.Errorf("%s: the link to %s leads nowhere: there is no #%s", name, link[0],
					link[1]))
			}
		}
	}
	return errors.Join(faults...)
}

// sources is the folder of pages that show files of the repository.
const sources = "source/"

// pagesOf lists the pages of a folder, except for some. Pages that show files differ only in their text; pagesOf lists
// the first page of each language.
func pagesOf(folder string, except ...string) ([]string, error) {
	var pages []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".html" && !slices.Contains(except, name) {
			pages = append(pages, name)
		}
		return err
	})
	seen := map[string]bool{}
	pages = slices.DeleteFunc(pages, func(name string) bool {
		language := path.Ext(strings.TrimSuffix(name, ".html"))
		if !strings.HasPrefix(name, sources) {
			return false
		}
		another := seen[language]
		seen[language] = true
		return another
	})
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("%s has no pages", folder)
	}
	return pages, err
}

// messages gathers what the browser reports of a page while it loads.
type messages struct {
	mutex sync.Mutex
	list  []string
}

// hear is called in a goroutine of the browser's.
func (m *messages) hear(event any) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		m.list = append(m.list, "says "+event.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if event.Type == runtime.APITypeError {
			for _, argument := range event.Args {
				m.list = append(m.list, "says "+strings.Trim(string(argument.Value), `"`))
			}
		}
	case *log.EventEntryAdded: // requests that the policy refuses or that fail
		if event.Entry.Level == log.LevelError {
			m.list = append(m.list, "says "+event.Entry.Text)
		}
	}
}

// taken returns the messages since the last call of taken.
func (m *messages) taken() []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	list := m.list
	m.list = nil
	return list
}

// inspectPage opens a page and lists what is wrong with it.
func inspectPage(ctx context.Context, heard *messages, at string, width int) (inspected, error) {
	var found inspected
	err := chromedp.Run(ctx, chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate(at),
		chromedp.ActionFunc(laidOut),
		chromedp.Evaluate(inspect, &found))
	found.Faults = append(found.Faults, heard.taken()...) // the answer came behind them
	return found, err
}
