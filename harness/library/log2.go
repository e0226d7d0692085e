package library

import (
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"unsafe"
)

// variadic are the arguments of a variadic function in C: those in registers, as the System V and the Arm procedure
// calls pass them, and all others.
type variadic struct {
	whole []uintptr // integers and pointers in registers
	real  []float64 // in registers
	stack []uintptr // all others
}

// log2 delivers a message of FMI 2.0, whose format the arguments follow.
func log2(environment, status uintptr, category, format *byte, arguments variadic) {
	deliver(environment, int32(status), category, doubled.Replace(arguments.format(goString(format))))
}

// next takes an argument from registers, or from the stack.
func (v *variadic) next() (x uintptr, ok bool) {
	from := &v.whole
	if len(v.whole) == 0 {
		from = &v.stack
	}
	if len(*from) == 0 {
		return 0, false
	}
	x, *from = (*from)[0], (*from)[1:]
	return x, true
}

func (v *variadic) nextReal() (x float64, ok bool) {
	if len(v.real) > 0 {
		x, v.real = v.real[0], v.real[1:]
		return x, true
	}
	if len(v.stack) == 0 {
		return 0, false
	}
	x, v.stack = math.Float64frombits(uint64(v.stack[0])), v.stack[1:]
	return x, true
}

// format writes a message as printf does. What it does not know, and all from there on, stays as it is.
func (v *variadic) format(text string) string {
	var b strings.Builder
	for text != "" {
		before, after, found := strings.Cut(text, "%")
		b.WriteString(before)
		if !found {
			break
		}
		end := strings.IndexFunc(after, func(c rune) bool { return !strings.ContainsRune("0123456789+-# .hlzjtqL*", c) })
		if end < 0 {
			return b.String() + "%" + after
		}
		word, ok := v.convert(after[:end], after[end])
		if !ok {
			return b.String() + "%" + after
		}
		b.WriteString(word)
		text = after[end+1:]
	}
	return b.String()
}

// convert writes an argument by flags, width, precision and size, and a letter.
func (v *variadic) convert(flags string, letter byte) (string, bool) {
	if letter == '%' {
		return "%", true
	}
	for strings.Contains(flags, "*") {
		width, ok := v.next()
		if !ok {
			return "", false
		}
		flags = strings.Replace(flags, "*", fmt.Sprint(int32(width)), 1)
	}
	size := strings.Trim(flags, "0123456789+-# .")
	verb := "%" + strings.TrimRight(flags, "hlzjtqL")
	switch letter {
	case 'd', 'i', 'u', 'x', 'X', 'o', 'c':
		x, ok := v.next()
		var value any = int32(x)
		switch long := strings.ContainsAny(size, "zjtq") || strings.Count(size, "l") >= longestInt; {
		case long && (letter == 'd' || letter == 'i'):
			value = int64(x)
		case long:
			value = uint64(x)
		case letter != 'd' && letter != 'i' && letter != 'c':
			value = uint32(x)
		}
		if letter == 'i' || letter == 'u' {
			letter = 'd'
		}
		return fmt.Sprintf(verb+string(letter), value), ok
	case 'f', 'F', 'e', 'E', 'g', 'G':
		x, ok := v.nextReal()
		if size == "L" { // which no compiler passes in these registers
			return "", false
		}
		if (letter == 'g' || letter == 'G') && !strings.Contains(verb, ".") {
			verb += ".6"
		}
		return fmt.Sprintf(verb+string(letter), x), ok
	case 's':
		x, ok := v.next()
		return fmt.Sprintf(verb+"s", foreignText(x)), ok
	case 'p':
		x, ok := v.next()
		return fmt.Sprintf("%#x", x), ok
	}
	return "", false
}

// mostOfText bounds a text that an FMU gives [bytes].
const mostOfText = 1 << 16

// foreignText copies a C text from an address that may be wrong.
func foreignText(address uintptr) (text string) {
	if address == 0 {
		return "(null)"
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			text = "?"
		}
	}()
	var b []byte
	for at := *(*unsafe.Pointer)(unsafe.Pointer(&address)); len(b) < mostOfText; at = unsafe.Add(at, 1) {
		c := *(*byte)(at)
		if c == 0 {
			break
		}
		b = append(b, c)
	}
	return string(b)
}
