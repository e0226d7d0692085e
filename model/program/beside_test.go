package program

import "testing"

func TestBesideRunsBothAtTheSameTime(t *testing.T) {
	a, b := make(chan int), make(chan int)
	sum := 0
	Beside(func() { a <- 1; sum += <-b }, func() { sum += <-a; b <- 2 })
	if sum != 3 {
		t.Errorf("the sum is %d, not 3", sum)
	}
}

func TestPanicsBesideReachTheCaller(t *testing.T) {
	fail := func() { panic("broken") }
	for name, call := range map[string]func(done *bool){
		"first":  func(done *bool) { Beside(fail, func() { *done = true }) },
		"second": func(done *bool) { Beside(func() { *done = true }, fail) },
	} {
		t.Run(name, func(t *testing.T) {
			done := false
			defer func() {
				if got := recover(); got != "broken" {
					t.Errorf("the caller gets %v", got)
				}
				if !done {
					t.Error("the other one has not ended")
				}
			}()
			call(&done)
		})
	}
}
