package browser

import (
	"image"

	"github.com/chromedp/chromedp"
)

// Picture opens a page in headless Chromium, without network, and returns a screenshot; fragment is the part of the
// address behind the sign #.
func Picture(path, fragment string) (drawn image.Image, found error) {
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
	if err := chromedp.Run(ctx, chromedp.Navigate(at), chromedp.ActionFunc(laidOut)); err != nil {
		return nil, err
	}
	return shot(ctx, 0, 0, width, height)
}
