package library

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"skidpad/model/bounded"
)

// Concurrent runs that open one file try it once; a failed file is tried again.
func TestAFileIsTriedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "library")
	if err := os.WriteFile(path, []byte(path), 0o600); err != nil {
		t.Fatal(err)
	}
	fault := errors.New("fault")
	if err := once(bounded.Library, path, func() error { return fault }); err != fault {
		t.Errorf("a file that fails: %v", err)
	}
	var tried atomic.Int32
	var all sync.WaitGroup
	begin := make(chan struct{})
	for range 8 {
		all.Go(func() {
			<-begin
			if err := once(bounded.Library, path, func() error {
				time.Sleep(20 * time.Millisecond) // the others come meanwhile
				tried.Add(1)
				return nil
			}); err != nil {
				t.Error(err)
			}
			if tried.Load() == 0 {
				t.Error("opened before it was tried")
			}
		})
	}
	close(begin)
	all.Wait()
	if n := tried.Load(); n != 1 {
		t.Errorf("the file was tried %d times", n)
	}
}
