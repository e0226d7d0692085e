package program

// Beside runs two functions that do not need each other at the same time, and returns when both have ended. A panic of
// either is one of the caller.
func Beside(a, b func()) {
	ended := make(chan any)
	go func() {
		defer func() { ended <- recover() }()
		a()
	}()
	defer func() {
		if failure := <-ended; failure != nil {
			panic(failure)
		}
	}()
	b()
}
