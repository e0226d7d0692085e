package browser

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
)

// Picture opens a page in headless Chromium, without network, and returns what it shows; fragment
// is what its address has behind the sign #.
func Picture(path, fragment string) (image.Image, error) {
	program, err := find()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "page.png")
	var messages bytes.Buffer
	command := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--window-size=1280,800", "--virtual-time-budget=2000", "--screenshot="+file, "file://"+whole+"#"+fragment)
	command.Stderr = &messages
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", program, err, messages.String())
	}
	return readPNG(file)
}
