package pdfium

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// interruptible adds a global to a WebAssembly module, exported as stopGlobal, and a check of it to every function and
// every iteration of a loop: once it is not zero, the module traps. The module itself cannot change it.
//
// The runtime's own way to stop a running module (WithCloseOnContextDone) leaves the compiled code at each of these
// places and makes a page of pictures six to eight times slower. The cost of comparing a global cannot be measured.
func interruptible(module []byte) ([]byte, error) {
	r := &wasmReader{data: module}
	out := bytes.Clone(r.bytes(preambleLength))

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
			var err error
			if body, err = checkedCode(section, global); err != nil {
				return nil, err
			}

		default:
			body = section.data
		}

		if section.cut {
			return nil, errCutOff
		}

		out = append(out, kind)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}

	if r.cut {
		return nil, errCutOff
	}

	return out, nil
}

const (
	stopGlobal     = "stop" // name of the global
	preambleLength = 8      // "\0asm" and the version
)

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

// checkedCode inserts the check at the beginning of each function and each loop.
func checkedCode(r *wasmReader, global uint64) ([]byte, error) {
	check := binary.AppendUvarint([]byte{opGlobalGet}, global)
	check = append(check, opIf, noResult, opUnreachable, opEnd)
	count := r.number()

	out := binary.AppendUvarint(nil, count)
	for ; count > 0 && !r.cut; count-- {
		f := &wasmReader{data: r.bytes(int(r.number()))}
		for n := f.number(); n > 0 && !f.cut; n-- { // local variables: how many, of which type
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

		if f.cut {
			return nil, errCutOff
		}

		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}

	return out, nil
}

// wasmReader reads from the front. A read beyond the end returns nothing and sets cut; so does every later one.
type wasmReader struct {
	data []byte
	at   int
	cut  bool
}

func (r *wasmReader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}

	return 0
}

func (r *wasmReader) bytes(n int) []byte {
	if n < 0 || n > len(r.data)-r.at {
		r.end()
		return nil
	}

	r.at += n

	return r.data[r.at-n : r.at : r.at]
}

// end notes that the data is cut off.
func (r *wasmReader) end() {
	r.at = len(r.data)
	r.cut = true
}

func (r *wasmReader) rest() []byte { return r.bytes(len(r.data) - r.at) }

// number reads an unsigned LEB128.
func (r *wasmReader) number() uint64 {
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 {
		r.end()
		return 0
	}

	r.at += n

	return v
}

// skip skips LEB128 numbers, signed or not.
func (r *wasmReader) skip(numbers int) {
	for ; numbers > 0 && !r.cut; numbers-- {
		for r.byte() >= 0x80 {
		}
	}
}

// skipImmediates skips the operands of an instruction. Instructions that the library does not use (vectors, threads)
// are unknown.
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

// skipExtended does the same for instructions of two bytes: saturating conversions, and bulk memory and table
// operations.
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
