// Package output writes results for users: files that appear when they are complete, text for terminals, and the
// progress of long work.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// CheckOutput rejects an impossible result file before the work begins: a name with none of the endings, or a folder
// that does not exist or takes no file. Devices and pipes may be called anything.
func CheckOutput(path string, endings ...string) error {
	if old, err := os.Stat(path); err == nil && !old.Mode().IsRegular() {
		if old.IsDir() {
			return fmt.Errorf("%s is a folder; name a file that ends in %s", path, strings.Join(endings, " or "))
		}
		return nil
	}
	if !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(path), e) }) {
		return fmt.Errorf("%s: files are written that end in %s; the ending says what they hold", path,
			strings.Join(endings, " or "))
	}
	folder, err := os.Stat(filepath.Dir(path))
	switch {
	case err != nil:
		return fmt.Errorf("%s cannot be written: %w; make the folder first", path, err)
	case !folder.IsDir():
		return fmt.Errorf("%s cannot be written: %s is not a folder", path, filepath.Dir(path))
	}
	if err := checkReplaceable(path); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return checkWritable(filepath.Dir(path))
}

// checkWritable rejects a folder that takes no new file.
func checkWritable(folder string) error {
	probe, err := os.CreateTemp(folder, ".skidpad-*")
	if err != nil {
		var of *fs.PathError // not that of the probe
		if errors.As(err, &of) {
			err = of.Err
		}
		return fmt.Errorf("results cannot be written into %s: %w", folder, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// SameFile reports whether two paths lead to one file, which need not exist yet. Devices and pipes take several.
func SameFile(a, b string) bool {
	atA, errA := os.Stat(a)
	atB, errB := os.Stat(b)
	if errA == nil || errB == nil {
		return errA == nil && errB == nil && atA.Mode().IsRegular() && os.SameFile(atA, atB)
	}
	folderA, errA := os.Stat(filepath.Dir(a))
	folderB, errB := os.Stat(filepath.Dir(b))
	nameA, nameB := filepath.Base(a), filepath.Base(b)
	named := nameA == nameB || runtime.GOOS == "windows" && strings.EqualFold(nameA, nameB)
	return named && errA == nil && errB == nil && os.SameFile(folderA, folderB)
}

// ErrInterrupted is the error of work that its user has interrupted.
var ErrInterrupted = errors.New("interrupted")

// Interrupted reports whether a channel is closed; one that is nil never is.
func Interrupted(interrupt <-chan struct{}) bool {
	select {
	case <-interrupt:
		return true
	default:
		return false
	}
}

// WriteJSON writes a value as JSON with indentation.
func WriteJSON(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// Number is a finite number for JSON, or nil, written null, for other numbers.
func Number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
