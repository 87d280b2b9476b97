package pdfium

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// interruptible gives a WebAssembly module a global, exported as stopGlobal, and makes every function and every turn
// of every loop look at it: once it is not zero, the module traps. The module itself cannot change it.
//
// The runtime has a way of its own to end a module that runs (WithCloseOnContextDone). It leaves the compiled code at
// each of these places and makes a page of pictures six to eight times slower; a comparison with a global is hardly
// to be measured.
func interruptible(module []byte) (out []byte, err error) {
	defer func() {
		if recover() != nil { // the only panics are indexes behind the end
			out = nil
			err = errCutOff
		}
	}()

	const preamble = 8 // "\0asm" and the version
	r := &wasmReader{data: module, at: preamble}
	out = append(out, module[:preamble]...)

	var global uint64
	for r.at < len(module) {
		kind := r.byte()
		section := &wasmReader{data: r.bytes(int(r.number()))}

		var body []byte
		switch kind {
		case sectionGlobal: // no globals are imported: all are counted here
			global = section.number()
			body = append(binary.AppendUvarint(nil, global+1), section.rest()...)
			body = append(body, typeI32, mutable, opI32Const, 0, opEnd)

		case sectionExport:
			body = append(binary.AppendUvarint(nil, section.number()+1), section.rest()...)
			body = append(binary.AppendUvarint(body, uint64(len(stopGlobal))), stopGlobal...)
			body = append(body, exportGlobal)
			body = binary.AppendUvarint(body, global)

		case sectionCode:
			if body, err = checkedCode(section, global); err != nil {
				return nil, err
			}

		default:
			body = section.data
		}

		out = append(out, kind)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}

	return out, nil
}

// stopGlobal is the name of the global.
const stopGlobal = "stop"

var errCutOff = errors.New("the WebAssembly module is cut off")

// Sections, types and instructions (WebAssembly core specification 2.0, 5.4 and 5.5).
const (
	sectionGlobal = 6
	sectionExport = 7
	sectionCode   = 10
	exportGlobal  = 3
	typeI32       = 0x7f
	mutable       = 1
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opEnd         = 0x0b
	opBranch      = 0x0c
	opBranchIf    = 0x0d
	opBranchTable = 0x0e
	opCall        = 0x10
	opIndirect    = 0x11
	opSelectTyped = 0x1c
	opLocalGet    = 0x20
	opGlobalGet   = 0x23
	opTableSet    = 0x26
	opLoad        = 0x28
	opStoreLast   = 0x3e
	opMemorySize  = 0x3f
	opMemoryGrow  = 0x40
	opI32Const    = 0x41
	opI64Const    = 0x42
	opF32Const    = 0x43
	opF64Const    = 0x44
	opPlainFirst  = 0x45
	opPlainLast   = 0xc4
	opRefNull     = 0xd0
	opRefIsNull   = 0xd1
	opRefFunc     = 0xd2
	opExtended    = 0xfc
	noResult      = 0x40
)

// checkedCode puts the check at the front of each function and each loop.
func checkedCode(r *wasmReader, global uint64) ([]byte, error) {
	check := binary.AppendUvarint([]byte{opGlobalGet}, global)
	check = append(check, opIf, noResult, opUnreachable, opEnd)
	count := r.number()

	out := binary.AppendUvarint(nil, count)
	for range count {
		f := &wasmReader{data: r.bytes(int(r.number()))}
		for range f.number() { // local variables: how many, of which type
			f.number()
			f.byte()
		}

		body := append(append([]byte{}, f.data[:f.at]...), check...)
		for f.at < len(f.data) {
			from := f.at

			op := f.byte()
			if err := f.skipImmediates(op); err != nil {
				return nil, err
			}

			body = append(body, f.data[from:f.at]...)
			if op == opLoop {
				body = append(body, check...)
			}
		}

		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}

	return out, nil
}

// wasmReader reads from the front and panics behind the end.
type wasmReader struct {
	data []byte
	at   int
}

func (r *wasmReader) byte() byte {
	r.at++
	return r.data[r.at-1]
}

func (r *wasmReader) bytes(n int) []byte {
	if n < 0 || n > len(r.data)-r.at {
		panic(errCutOff)
	}

	r.at += n

	return r.data[r.at-n : r.at : r.at]
}

func (r *wasmReader) rest() []byte { return r.bytes(len(r.data) - r.at) }

// number reads an unsigned LEB128.
func (r *wasmReader) number() uint64 {
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 {
		panic(errCutOff)
	}

	r.at += n

	return v
}

// skip passes over so many LEB128 numbers, signed or not.
func (r *wasmReader) skip(numbers int) {
	for range numbers {
		for r.byte() >= 0x80 {
		}
	}
}

// skipImmediates passes over what follows an instruction's byte. Instructions that the library does not use (vectors,
// threads) are unknown.
func (r *wasmReader) skipImmediates(op byte) error {
	switch {
	case op >= opBlock && op <= opIf,
		op == opBranch,
		op == opBranchIf,
		op == opCall,
		op >= opLocalGet && op <= opTableSet,
		op == opMemorySize,
		op == opMemoryGrow,
		op == opI32Const,
		op == opI64Const,
		op == opRefNull,
		op == opRefFunc:
		r.skip(1)

	case op == opBranchTable:
		r.skip(int(r.number()) + 1)
	case op == opIndirect, op >= opLoad && op <= opStoreLast:
		r.skip(2)
	case op == opSelectTyped:
		r.skip(int(r.number()))
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)

	case op <= 0x01,
		op == 0x05,
		op == opEnd,
		op == 0x0f,
		op == 0x1a,
		op == 0x1b,
		op >= opPlainFirst && op <= opPlainLast,
		op == opRefIsNull:

	case op == opExtended:
		return r.skipExtended()
	default:
		return fmt.Errorf("WebAssembly instruction %#x is unknown", op)
	}

	return nil
}

// skipExtended does the same for instructions of two bytes: conversions that saturate, and memory and tables in
// bulk.
func (r *wasmReader) skipExtended() error {
	switch sub := r.number(); sub {
	case 0, 1, 2, 3, 4, 5, 6, 7:
	case 9, 11, 13, 15, 16, 17:
		r.skip(1)
	case 8, 10, 12, 14:
		r.skip(2)
	default:
		return fmt.Errorf("WebAssembly instruction 0xfc %d is unknown", sub)
	}

	return nil
}
