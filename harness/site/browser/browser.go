// Package browser opens pages in headless Chromium as a reader does, without network, and checks what is drawn.
package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/url"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long the browser may take for all that one check wants of it; most need seconds, the whole site
// some minutes.
const patience = 15 * time.Minute

// open starts the browser with an empty page of a width and a height in pixels. Of the network it reaches the host
// alone, if that is not "". The function ends the browser and returns the error of the run. If the browser has ended by
// itself, the error has its name and its last output.
func open(width, height int64, host string) (context.Context, func(error) error, error) {
	program, err := find()
	if err != nil {
		return nil, nil, err
	}
	resolved := "MAP * ~NOTFOUND"
	if host != "" {
		resolved += ", EXCLUDE " + host
	}
	var wrote tail
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("host-resolver-rules", resolved),
		chromedp.CombinedOutput(&wrote))
	limited, end := context.WithTimeout(context.Background(), patience)
	allocated, endAllocation := chromedp.NewExecAllocator(limited, options...)
	ctx, endPage := chromedp.NewContext(allocated)
	stop := func(err error) error {
		ended := ctx.Err()
		endPage()
		endAllocation()
		end()
		if err == nil || ended == nil {
			return err
		}
		return fmt.Errorf("%s ended before the check did: %w; it wrote last: %s", program, err, wrote.String())
	}
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		_ = stop(nil)
		return nil, nil, fmt.Errorf("%s: %w", program, err) // with what it wrote
	}
	return ctx, stop, nil
}

// tail keeps the last few kilobytes of what a browser writes while it runs.
type tail struct {
	sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	t.last = append(t.last, p...)
	t.last = t.last[max(0, len(t.last)-4096):]
	return len(p), nil
}

func (t *tail) String() string {
	t.Lock()
	defer t.Unlock()
	return string(bytes.TrimSpace(t.last))
}

// Names are the names of the supported browsers; one browser is enough.
var Names = []string{"chromium", "chromium-browser", "google-chrome"}

// find names the browser.
func find() (string, error) {
	for _, name := range Names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium; install it, for example: apt-get install chromium")
}

// address is the address of a file.
func address(path, fragment string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: whole, Fragment: fragment}).String(), nil
}

// laidOut waits until the page has been drawn twice, so that what scripts change as it loads is there.
func laidOut(ctx context.Context) error {
	const drawnTwice = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	return chromedp.Evaluate(drawnTwice, nil, await).Do(ctx)
}

// shot takes a picture of a part of the page.
func shot(ctx context.Context, x, y, width, height float64) (image.Image, error) {
	var data []byte
	err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) (err error) {
		data, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).
			WithClip(&page.Viewport{X: x, Y: y, Width: width, Height: height, Scale: 1}).Do(ctx)
		return err
	}))
	if err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(data))
}
