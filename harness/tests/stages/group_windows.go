package main

import "os/exec"

// ownGroup changes nothing: build.sh needs a POSIX shell.
func ownGroup(*exec.Cmd) {}
