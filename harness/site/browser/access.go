package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// violation is a rule of axe-core that a page breaks.
type violation struct {
	ID, Help string
	Places   []string // elements, and what is wrong with each
}

// violations lists the violations of the page. axe-core does not read MathML, and reports table headers with formulas
// as empty.
const violations = `axe.run().then(found => found.violations.map(v => ({ ID: v.id, Help: v.help,
  Places: v.nodes.filter(n => v.id !== 'empty-table-header' || !n.html.includes('<math'))
    .map(n => n.html.slice(0, 120) + ': ' + [...n.any, ...n.all, ...n.none].map(c => c.message).join('; ')) }))
  .filter(v => v.Places.length))`

// look is how a page is looked at.
type look struct {
	scheme string
	width  int64
}

// CheckAccess opens every page of the site in folder from the disk, on a light desk and a dark phone. It returns the
// findings of axe-core: contrast, names, order of headings, keyboard access. axe names the script axe.min.js.
func CheckAccess(folder, axe string) (found error) {
	script, err := os.ReadFile(axe)
	if err != nil {
		return err
	}
	pages, err := pagesOf(folder)
	if err != nil {
		return err
	}
	ctx, end, err := open(width, 900, "")
	if err != nil {
		return err
	}
	defer func() { found = end(found) }()
	var faults []error
	for _, by := range []look{{"light", width}, {"dark", 360}} {
		scheme := emulation.SetEmulatedMedia().
			WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: by.scheme}})
		if err := chromedp.Run(ctx, chromedp.EmulateViewport(by.width, 900), scheme); err != nil {
			return err
		}
		for _, name := range pages {
			found, err := violationsOf(ctx, filepath.Join(folder, name), string(script))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for _, v := range found {
				faults = append(faults, fmt.Errorf("%s, %s at %d pixels: %s (%s), at %d places: %s", name, by.scheme,
					by.width, v.Help, v.ID, len(v.Places), strings.Join(v.Places[:min(3, len(v.Places))], " | ")))
			}
		}
	}
	return errors.Join(faults...)
}

func violationsOf(ctx context.Context, path, script string) ([]violation, error) {
	at, err := address(path, "")
	if err != nil {
		return nil, err
	}
	var found []violation
	var data []byte
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	if err := chromedp.Run(ctx, chromedp.Navigate(at), chromedp.ActionFunc(laidOut), chromedp.Evaluate(script, nil),
		chromedp.Evaluate(violations, &data, await)); err != nil {
		return nil, err
	}
	return found, json.Unmarshal(data, &found)
}

// Visit opens a file of a site from the disk, without network, in a window of a width in pixels, and does what the
// actions say.
func Visit(path string, width int64, actions ...chromedp.Action) (found error) {
	at, err := address(path, "")
	if err != nil {
		return err
	}
	return visit(at, "", width, actions)
}

// VisitServer is Visit for an address of a server on this machine.
func VisitServer(at string, width int64, actions ...chromedp.Action) error {
	u, err := url.Parse(at)
	if err != nil {
		return err
	}
	return visit(at, u.Hostname(), width, actions)
}

func visit(at, host string, width int64, actions []chromedp.Action) (found error) {
	ctx, end, err := open(width, 900, host)
	if err != nil {
		return err
	}
	defer func() { found = end(found) }()
	return chromedp.Run(ctx, append([]chromedp.Action{chromedp.Navigate(at), chromedp.ActionFunc(laidOut)},
		actions...)...)
}
