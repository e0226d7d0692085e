package translate

import (
	"strings"
	"testing"
)

func translated(text string) (string, error) {
	return JavaScript([]Source{{"a.go", []byte("package a\n" + text)}})
}

// Constants have the values of Go, ways to fields lead through embedded structs, and operations have parentheses: the
// precedence of & differs.
func TestWhatIsWritten(t *testing.T) {
	const law = `import "math"
type Key uint16
const (
	Left Key = 1 << iota
	Right
)
const part = 1 - 0.08
type wheel struct{ angle, rate float64 }
type driver struct {
	wheel
	list []int
	on   bool
}
func half(x float64) float64 { return x / 2 }
func (d *driver) first() float64 {
	if len(d.list) == 0 {
		return math.NaN()
	}
	return float64(d.list[0])
}
func (d *driver) turn(k Key, to float64) {
	a, b := 2*part, -d.angle
	if k&Right != 0 && !d.on {
		d.angle, d.rate = d.rate, half(a)
	} else if to > b {
		d.rate -= (a + b) * min(to, math.Abs(b))
	}
	for i := range d.list {
		d.list[i] = 0
	}
	switch {
	case to < 0, d.on:
		d.on = false
	default:
		d.wheel.rest(k)
	}
}
func (w *wheel) rest(k Key) {
	switch k {
	case Left:
		w.angle = math.Copysign(float64(k), w.rate)
	}
}
`
	got, err := translated(law)
	if err != nil {
		t.Fatal(err)
	}
	const want = `class wheel {
angle = 0;
rate = 0;
rest(k) {
const w = this;
switch (k) {
case 1: {
w.angle = Copysign((k), w.rate);
break;
}
}
}
}
class driver {
wheel = new wheel();
list = [];
on = false;
first() {
const d = this;
if ((d.list.length === 0)) {
return NaN();
}
return (d.list[0]);
}
turn(k, to) {
const d = this;
let [a, b] = [1.84, -(d.wheel.angle)];
if ((((k & 2) !== 0) && !(d.on))) {
[d.wheel.angle, d.wheel.rate] = [d.wheel.rate, half(a)];
} else if ((to > b)) {
d.wheel.rate -= ((a + b) * Math.min(to, Abs(b)));
}

for (let i = 0; i < d.list.length; i++) {
d.list[i] = 0;
}
switch (true) {
case (to < 0): case d.on: {
d.on = false;
break;
}
default: {
d.wheel.rest(k);
break;
}
}
}
}
function half(x) {
return (x / 2);
}
return { wheel, driver, half };
})()`
	if body, _ := strings.CutPrefix(got, "(() => {\n"+helpers); body != want {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
}

// What would mean something else in JavaScript is refused, with its place.
func TestWhatIsRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"var x = 1.0", "a.go:2:5: the translation to JavaScript does not know the variable x"},
		{"func f(a, b int) int { return a / b }", "/ of int"},
		{"func f(a float32) float32 { return 2 * a }", "* of float32"},
		{"type d float64\nfunc f(a d) d { return a + a }", "+ of"},
		{"func f(a, b int32) bool { return a&b == 0 }", "& of other integers"},
		{"func f(a, b uint16) bool { return a<<b == 0 }", "<<"},
		{"func f(a float64) float64 { return math.Sin(a) }", "the call math.Sin(a)"},
		{"import \"math\"\nfunc f(a float64) float64 { return math.Sin(a) }", "the call math.Sin(a)"},
		{"func f(a float64) int { return int(a) }", "the call int(a)"},
		{"func f(a string) int { return len(a) }", "the call len(a)"},
		{"func f(a float64) { g(a) }", "the call g(a)"},
		{"type p struct{ x float64 }\nfunc f(a *p) { b := *a; b.x = 1 }", "the expression *a"},
		{"type p struct{ x float64 }\nfunc f(a p) {}", "a copied p"},
		{"type p struct{ x float64 }\nfunc (a p) f() {}", "a method of a value"},
		{"type q struct{ p }\ntype p struct{ x float64 }\nfunc f(a, b *q) { a.p = b.p }", "a copy of"},
		{"type p struct{ x float64 }\nfunc f(a []p) {\n\tfor _, b := range a { b.x = 1 }\n}", "such a statement"},
		{"func f(a [2]int) {}", "a copied [2]int"},
		{"func f(a [][2]int) { a[0][1] = 2 }", "a change of an array"},
		{"func f(a [][2]int) {\n\tfor _, b := range a { b[0] = 1 }\n}", "a change of an array"},
		{"func f(a int) {\n\tfor i := range a { g(i) }\n}", "such a statement"},
		{"func f(a string) bool { return a == \"\" }", "== of string"},
		{"func f() (a, b float64) { return 1, 2 }", "several results"},
		{"func f(a float64) { a, b := 1.0, 2.0; g(a, b) }", "a := that also assigns or reads a"},
		{"func f(a float64) {\n\tif a > 0 {\n\t\ta := a\n\t\tg(a)\n\t}\n}", "a := that also assigns or reads a"},
		{"func f(new float64) {}", "the name new"},
		{"func Abs(x float64) float64 { return x }", "the name Abs"},
		{"func f(a float64) {\n\tdefer f(a)\n}", "such a statement: *ast.DeferStmt"},
		{"func f(a float64) {\n\tfor a > 0 {\n\t}\n}", "such a statement: *ast.ForStmt"},
		{"func f(a float64) {\n\tif b := a; b > 0 {\n\t}\n}", "such a statement: *ast.IfStmt"},
		{"func f(a float64) {\n\tswitch a {\n\tcase 1:\n\t\tfallthrough\n\tcase 2:\n\t}\n}",
			"such a statement: *ast.BranchStmt"},
		{"type p struct{ f func() }", "the type func()"},
		{"type p struct{ c chan int }", "the type chan int"},
		{"func f(a uint16) { a |= 1 }", "|="},
		{"func f(a int) { a += 1 }", "+= of int"},
		{"func f(a float64) float64 { return min(a, 1) + float64(max(1, 2)) + g }", "the expression g"},
		{"func f(a, b int) int { return min(a, b) }", "of int"},
		{"func f() bool { return g.h == 1 }", "g.h"},
	} {
		text, want := c[0], c[1]
		got, err := translated(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.go:") {
			t.Errorf("%s: %v; want %q\n%s", text, err, want, got)
		}
	}
	if _, err := translated("func f( {"); err == nil {
		t.Error("a text that is no Go passes")
	}
}
