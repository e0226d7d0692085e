package browser

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// looked is what the browser says about one page at one width.
type looked struct {
	Page    string
	Width   int
	Faults  []string
	Links   [][2]string // page and anchor
	Anchors []string
}

//go:embed look.js
var look string

// listen gathers the faults of a page while it loads.
const listen = `<script>
window.faults = [];
console.error = (...what) => faults.push('says ' + what.join(' '));
addEventListener('error', e => faults.push(e.message ? 'says ' + e.message : 'cannot load ' + (e.target.src || e.target.href)), true);
addEventListener('unhandledrejection', e => faults.push('says ' + e.reason));
addEventListener('securitypolicyviolation', e => faults.push('asks for ' + e.blockedURI));
</script>`

// patience is how long the browser may take for a whole site; it needs seconds.
const patience = 5 * time.Minute

// CheckSite opens every page of the site in folder, at every width in pixels, and returns what is
// wrong: pages wider than the window, messages of errors, requests to other places, missing pictures, links to
// pages or anchors that are not there. Pages that except names are not opened.
func CheckSite(folder string, widths []int, except ...string) error {
	program, err := find()
	if err != nil {
		return err
	}
	var pages []string
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".html" && !slices.Contains(except, name) {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s has no pages", folder)
	}
	var (
		mutex  sync.Mutex
		faults []error
	)
	seen := make(chan []looked, 1)
	files := http.FileServer(http.Dir(folder))
	handler := http.NewServeMux()
	handler.HandleFunc("POST /seen", func(_ http.ResponseWriter, r *http.Request) {
		var list []looked
		if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
			list = []looked{{Page: "look", Faults: []string{err.Error()}}}
		}
		seen <- list
	})
	handler.HandleFunc("GET /look", func(w http.ResponseWriter, _ *http.Request) {
		list, _ := json.Marshal(pages) // texts
		sizes, _ := json.Marshal(widths)
		fmt.Fprintf(w, "<!DOCTYPE html><link rel=icon href=data:,><body><script>const pages = %s, widths = %s;\n%s</script>", list, sizes, look)
	})
	handler.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			mutex.Lock()
			faults = append(faults, fmt.Errorf("%s is asked for and is not there", name))
			mutex.Unlock()
		}
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' data:")
		if err != nil || path.Ext(name) != ".html" {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(bytes.Replace(data, []byte("<head>"), []byte("<head>"+listen), 1)) // a browser that is gone is noticed below
	})
	server := httptest.NewServer(handler)
	defer server.Close()
	profile, err := os.MkdirTemp("", "site")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	var messages bytes.Buffer
	command := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--user-data-dir="+profile, fmt.Sprintf("--window-size=%d,1000", slices.Max(widths)+100), "--remote-debugging-port=0", server.URL+"/look")
	command.Stderr = &messages
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	var list []looked
	select {
	case list = <-seen:
		_ = command.Process.Kill() // it would wait for us
		<-ended
	case err := <-ended:
		return fmt.Errorf("%s ended before it had looked at all pages: %w\n%s", program, err, messages.String())
	case <-time.After(patience):
		_ = command.Process.Kill()
		<-ended
		return fmt.Errorf("%s did not look at all pages within %v\n%s", program, patience, messages.String())
	}
	anchors := map[string][]string{}
	for _, l := range list {
		anchors[l.Page] = l.Anchors
	}
	for _, l := range list {
		for _, fault := range l.Faults {
			faults = append(faults, fmt.Errorf("%s at %d pixels: %s", l.Page, l.Width, fault))
		}
		if l.Width != widths[0] {
			continue // the links are the same
		}
		for _, link := range l.Links {
			if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(link[0]))); err != nil {
				faults = append(faults, fmt.Errorf("%s: the link to %s leads nowhere", l.Page, link[0]))
			} else if link[1] != "" && !slices.Contains(anchors[link[0]], link[1]) {
				faults = append(faults, fmt.Errorf("%s: the link to %s leads nowhere: there is no #%s", l.Page, link[0], link[1]))
			}
		}
	}
	return errors.Join(faults...)
}
