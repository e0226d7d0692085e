//go:build linux

#include "textflag.h"

// func call(text, memory, pool, fixed unsafe.Pointer) (guards uint64)
// The code is a leaf: it uses no stack and keeps nothing.
TEXT ·call(SB), 0, $16-40
	MOVD text+0(FP), R5
	MOVD memory+8(FP), R0
	MOVD pool+16(FP), R1
	MOVD fixed+24(FP), R2
	CALL (R5)
	MOVD R0, guards+32(FP)
	RET

// func flushInstructions(address unsafe.Pointer, n int)
TEXT ·flushInstructions(SB), NOSPLIT, $0-16
	MOVD address+0(FP), R0
	MOVD n+8(FP), R1
	ADD  R0, R1, R1
	AND  $~15, R0, R2

clean:
	WORD $0xd50b7b22 // dc cvau, x2
	ADD  $16, R2     // lines are not shorter
	CMP  R1, R2
	BLO  clean
	WORD $0xd5033b9f // dsb ish
	AND  $~15, R0, R2

invalidate:
	WORD $0xd50b7522 // ic ivau, x2
	ADD  $16, R2
	CMP  R1, R2
	BLO  invalidate
	WORD $0xd5033b9f // dsb ish
	WORD $0xd5033fdf // isb
	RET
