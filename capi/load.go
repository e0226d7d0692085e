package main

import "errors"

func loadModel(path, tree string) (uintptr, error) { return 0, errors.New(path + ": no engine") }
