#include "textflag.h"

// func call(text, memory, pool, fixed unsafe.Pointer) (guards uint64)
// The code is a leaf: it uses no stack and keeps nothing.
TEXT ·call(SB), 0, $8-40
	MOVQ text+0(FP), AX
	MOVQ memory+8(FP), DI
	MOVQ pool+16(FP), SI
	MOVQ fixed+24(FP), DX
	CALL AX
	MOVQ AX, guards+32(FP)
	RET
