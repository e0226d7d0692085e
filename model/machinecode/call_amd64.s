#include "textflag.h"

// func call(text, memory, pool unsafe.Pointer) (guards uint64)
// The code is a leaf: it uses no stack and keeps nothing.
TEXT ·call(SB), 0, $8-32
	MOVQ text+0(FP), AX
	MOVQ memory+8(FP), DI
	MOVQ pool+16(FP), SI
	CALL AX
	MOVQ AX, guards+24(FP)
	RET
