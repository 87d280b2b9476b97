//go:build unix

package pdfium

import (
	"fmt"
	"syscall"
)

// reserve returns addresses for so many bytes, none of which can be used yet.
func reserve(bytes int) ([]byte, error) {
	region, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("reserve %d bytes for a document: %w", bytes, err)
	}

	return region, nil
}

// commit makes reserved addresses memory, all zero. A page of it is taken from the system when it is first written.
func commit(part []byte) error { return syscall.Mprotect(part, syscall.PROT_READ|syscall.PROT_WRITE) }

// giveBack returns all of a region to the system. What is not reserved any more cannot be returned: there is no other
// error.
func giveBack(region []byte) { _ = syscall.Munmap(region) }
