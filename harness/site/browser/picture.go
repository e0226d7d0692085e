package browser

import (
	"image"

	"github.com/chromedp/chromedp"
)

// Picture opens a page in headless Chromium, without network, does what the actions say, and returns a screenshot;
// fragment is the part of the address behind the sign #.
func Picture(path, fragment string, actions ...chromedp.Action) (drawn image.Image, found error) {
	at, err := address(path, fragment)
	if err != nil {
		return nil, err
	}
	const width, height = 1280, 800
	ctx, end, err := open(width, height, "")
	if err != nil {
		return nil, err
	}
	defer func() { found = end(found) }()
	steps := append([]chromedp.Action{chromedp.Navigate(at), chromedp.ActionFunc(laidOut)}, actions...)
	if err := chromedp.Run(ctx, steps...); err != nil {
		return nil, err
	}
	return shot(ctx, 0, 0, width, height)
}
