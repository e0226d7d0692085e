package program

// Beside runs two independent functions concurrently, and returns when both have ended. A panic of either function
// becomes a panic of the caller.
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
