package main

// ikoki are the figures of Ikoki (2022).
var ikoki []picture
