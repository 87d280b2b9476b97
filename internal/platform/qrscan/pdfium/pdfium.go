// Package pdfium renders pages of PDF files as pictures, with PDFium compiled to WebAssembly.
//
// It promises that a file cannot reach anything outside its sandbox. Each document has its own instance without files,
// network or clock, with no more memory than it is opened with, which ends with its context. Its memory goes back to
// the system when the document is closed. A file that exploits PDFium causes an error and nothing else. It does not
// promise that a page looks the same as in another program.
//
// PDFium is compiled when the first document is opened, which takes seconds. Loading what an earlier process has
// compiled takes a tenth of a second.
//
// Read in this order: pdfium.go (what callers use), host.go (what the library gets from outside: next to nothing),
// interrupt.go (how it is stopped in the middle), memory.go with memory_unix.go.
package pdfium

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // the compiled library
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"sync"
	"unicode/utf16"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// wasm is dist/pdfium.wasm of the npm package @hyzyla/pdfium 2.1.13 (see LICENSE.pdfium), compressed with gzip -9 -n.
// The uncompressed file's SHA-256 is 71aec412a303a0405baee21c3d6d3f30ad2033dc02444130fe476be3976e2d09.
//
//go:embed pdfium.wasm.gz
var wasm []byte

// Limits of one document.
const (
	MemoryLimit = 256 << 20 // bytes that an instance may have at most, the file included
	LeastMemory = 32 << 20  // bytes that every instance may have: it begins with 16 MB
	MaxPixels   = 16 << 20  // of one page's picture, one byte each
	maxFile     = 32 << 20  // bytes
	maxWasm     = 8 << 20   // bytes of the uncompressed library
)

// pageMemory is a page of WebAssembly's memory.
const pageMemory = 64 << 10

// Why a file cannot be rendered.
var (
	ErrNotReadable = errors.New("not a readable PDF file")
	ErrProtected   = errors.New("the PDF file is protected by a password")
	ErrTooLarge    = errors.New("the PDF file needs more memory than a document may have")
)

// errClosed is a document's whose renderer has been closed.
var errClosed = errors.New("the PDF library is closed")

// Renderer opens documents. It is safe for concurrent use; the zero value is not usable.
type Renderer struct {
	cacheDir string
	mu       sync.Mutex
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	cache    wazero.CompilationCache
}

// New returns a renderer that has loaded nothing. cacheDir is a folder for the compiled library (14 MB), so that the
// next process need not compile it; "" for none. Its files are executed, so only this program may be able to write to
// it.
func New(cacheDir string) *Renderer { return &Renderer{cacheDir: cacheDir} }

// Close closes every open document. A closed renderer may be used again; it loads the library again.
func (r *Renderer) Close(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.runtime == nil {
		return nil
	}

	err := errors.Join(r.runtime.Close(ctx), r.cache.Close(ctx))
	r.runtime = nil

	return err
}

// Load loads the library, so that the first document need not wait for it. A second call does nothing.
func (r *Renderer) Load(ctx context.Context) error {
	_, _, err := r.load(ctx)
	return err
}

// load compiles the library, once. After an error the next call tries again. It does not stop when the context ends:
// the next caller needs the library too.
func (r *Renderer) load(ctx context.Context) (wazero.Runtime, wazero.CompiledModule, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.runtime != nil {
		return r.runtime, r.compiled, nil
	}

	ctx = context.WithoutCancel(ctx)

	cache := wazero.NewCompilationCache()
	if r.cacheDir != "" {
		var err error
		if cache, err = wazero.NewCompilationCacheWithDir(r.cacheDir); err != nil {
			return nil, nil, fmt.Errorf("open the folder of the compiled PDF library: %w", err)
		}
	}

	unpacked, err := gzip.NewReader(bytes.NewReader(wasm))
	if err != nil {
		return nil, nil, fmt.Errorf("unpack the PDF library: %w", err)
	}

	code, err := io.ReadAll(io.LimitReader(unpacked, maxWasm))
	if err != nil {
		return nil, nil, fmt.Errorf("unpack the PDF library: %w", err)
	}

	if code, err = interruptible(code); err != nil {
		return nil, nil, fmt.Errorf("prepare the PDF library: %w", err)
	}

	// memory limits each instance: wazero's own limit is for all alike, and would not say that it was reached
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))

	compiled, err := runtime.CompileModule(ctx, code)
	if err == nil {
		err = host(ctx, runtime, compiled)
	}

	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("compile the PDF library: %w", err), runtime.Close(ctx),
			cache.Close(ctx))
	}

	r.runtime = runtime
	r.compiled = compiled
	r.cache = cache

	return runtime, compiled, nil
}

// Document is an open file. It serves one caller at a time and must be closed.
type Document struct {
	module  api.Module
	memory  *memory
	stop    api.MutableGlobal // see interruptible
	handle  uint64
	pages   int
	picture []byte // of the page drawn last
	stopped bool
}

// Open opens a file, with at most so many bytes of memory, between LeastMemory and MemoryLimit. The document can be
// used until Close, or until the renderer is closed. data may be changed afterwards. Errors are ErrNotReadable,
// ErrProtected, ErrTooLarge, the context's, and internal ones.
func (r *Renderer) Open(ctx context.Context, data []byte, most int) (*Document, error) {
	if len(data) > maxFile {
		return nil, ErrTooLarge
	}

	runtime, compiled, err := r.load(ctx)
	if err != nil {
		return nil, err
	}

	if err := ctx.Err(); err != nil {
		return nil, err
	}

	memory, err := newMemory(min(max(most, LeastMemory), MemoryLimit) / pageMemory * pageMemory)
	if err != nil {
		return nil, err
	}

	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return memory })

	module, err := runtime.InstantiateModule(
		experimental.WithMemoryAllocator(ctx, allocator),
		compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions("__wasm_call_ctors", "FPDF_InitLibrary"),
	)
	if err != nil {
		memory.Free()

		return nil, fmt.Errorf("start the PDF library: %w", err)
	}

	stop, ok := module.ExportedGlobal(stopGlobal).(api.MutableGlobal)
	if !ok {
		return nil, errors.Join(errors.New("start the PDF library: it cannot be stopped"), module.Close(ctx))
	}

	d := &Document{module: module, memory: memory, stop: stop}
	if err := d.open(ctx, data); err != nil {
		return nil, errors.Join(err, d.Close(context.WithoutCancel(ctx)))
	}

	return d, nil
}

// passwordNeeded is PDFium's FPDF_ERR_PASSWORD.
const passwordNeeded = 4

func (d *Document) open(ctx context.Context, data []byte) error {
	if !d.memory.hold() {
		return errClosed
	}

	defer d.memory.release()

	at, err := d.call(ctx, "malloc", uint64(max(len(data), 1)))
	if err != nil {
		return err
	}

	if at == 0 || !d.module.Memory().Write(uint32(at), data) {
		return ErrTooLarge
	}

	if d.handle, err = d.call(ctx, "FPDF_LoadMemDocument", at, uint64(len(data)), 0); err != nil {
		return err
	}

	if d.handle == 0 {
		if code, err := d.call(ctx, "FPDF_GetLastError"); err == nil && code == passwordNeeded {
			return ErrProtected
		}

		return ErrNotReadable
	}

	pages, err := d.call(ctx, "FPDF_GetPageCount", d.handle)

	d.pages = int(int32(pages))
	if err == nil && d.pages < 1 {
		err = ErrNotReadable
	}

	return err
}

// Pages returns the number of pages, at least one. A damaged file may state more than it has.
func (d *Document) Pages() int { return d.pages }

// Alive reports whether further pages can be drawn. It is false once the library has stopped.
func (d *Document) Alive() bool { return !d.module.IsClosed() && !d.stopped }

// Close frees the memory. A second call does nothing.
func (d *Document) Close(ctx context.Context) error { return d.module.Close(ctx) }

// Bitmap formats and flags of PDFium (fpdfview.h).
const (
	formatGray    = 1
	annotations   = 0x0001 // such as stamps, which people see too
	nearestPixels = 0x2000 // pictures are not smoothed
	white         = 0xffffffff
)

// pointsPerInch is the unit of PDF.
const pointsPerInch = 72

// Page draws one page in grey; the first is 0. It uses fewer dots per inch than dpi if the page would otherwise have
// more than MaxPixels. rough skips the smoothing of scaled pictures, which takes a third of the time of a scanned page.
// The picture is good until the next page is drawn, in the same memory. Errors are ErrNotReadable, ErrTooLarge and the
// context's. After an error, check Alive before you draw another page.
func (d *Document) Page(ctx context.Context, number int, dpi float64, rough bool) (p *image.Gray, err error) {
	if !d.memory.hold() {
		return nil, errClosed
	}

	defer d.memory.release()

	page, err := d.call(ctx, "FPDF_LoadPage", d.handle, uint64(number))
	if err != nil {
		return nil, err
	}

	if page == 0 {
		return nil, ErrNotReadable
	}

	defer func() { err = errors.Join(err, d.drop(ctx, "FPDF_ClosePage", page)) }()

	width, height, err := d.size(ctx, page, dpi)
	if err != nil {
		return nil, err
	}

	bitmap, err := d.call(ctx, "FPDFBitmap_CreateEx", uint64(width), uint64(height), formatGray, 0, 0)
	if err != nil {
		return nil, err
	}

	if bitmap == 0 {
		return nil, ErrTooLarge
	}

	defer func() { err = errors.Join(err, d.drop(ctx, "FPDFBitmap_Destroy", bitmap)) }()

	w := uint64(width)
	h := uint64(height)

	flags := uint64(annotations)
	if rough {
		flags |= nearestPixels
	}

	if _, err := d.call(ctx, "FPDFBitmap_FillRect", bitmap, 0, 0, w, h, white); err != nil {
		return nil, err
	}

	if _, err := d.call(ctx, "FPDF_RenderPageBitmap", bitmap, page, 0, 0, w, h, 0, flags); err != nil {
		return nil, err
	}

	return d.copy(ctx, bitmap, width, height)
}

// drop frees what a page has taken, so that the next one finds that memory. A library that has stopped frees nothing.
func (d *Document) drop(ctx context.Context, name string, what uint64) error {
	if !d.Alive() {
		return nil
	}

	_, err := d.call(ctx, name, what)

	return err
}

// maxText is the most characters of a page that Text returns.
const maxText = 1 << 20

// Text returns what is written on a page, in the file's order; the first is 0. Errors are ErrNotReadable, ErrTooLarge
// and the context's.
func (d *Document) Text(ctx context.Context, number int) (string, error) {
	if !d.memory.hold() {
		return "", errClosed
	}

	defer d.memory.release()

	page, err := d.call(ctx, "FPDF_LoadPage", d.handle, uint64(number))
	if err != nil {
		return "", err
	}

	if page == 0 {
		return "", ErrNotReadable
	}

	text, err := d.call(ctx, "FPDFText_LoadPage", page)
	if err != nil {
		return "", err
	}

	if text == 0 {
		return "", ErrNotReadable
	}

	characters, err := d.call(ctx, "FPDFText_CountChars", text)
	if err != nil {
		return "", err
	}

	count := int(int32(characters))
	if count < 0 || count > maxText {
		return "", ErrNotReadable
	}

	written, err := d.characters(ctx, text, count)
	if err != nil {
		return "", err
	}

	if _, err := d.call(ctx, "FPDFText_ClosePage", text); err != nil {
		return "", err
	}

	_, err = d.call(ctx, "FPDF_ClosePage", page)

	return written, err
}

// characters copies the characters of a page out of the sandbox, where they are UTF-16 and end with 0.
func (d *Document) characters(ctx context.Context, text uint64, count int) (string, error) {
	const unit = 2 // bytes

	at, err := d.call(ctx, "malloc", uint64(unit*(count+1)))
	if err != nil {
		return "", err
	}

	if at == 0 {
		return "", ErrTooLarge
	}

	units, err := d.call(ctx, "FPDFText_GetText", text, 0, uint64(count), at)
	if err != nil {
		return "", err
	}

	got := int(int32(units))
	if got < 1 || got > count+1 {
		return "", nil // nothing is written there
	}

	raw, ok := d.module.Memory().Read(uint32(at), uint32(unit*(got-1)))
	if !ok {
		return "", ErrNotReadable
	}

	letters := make([]uint16, got-1)
	for i := range letters {
		letters[i] = binary.LittleEndian.Uint16(raw[unit*i:])
	}

	_, err = d.call(ctx, "free", at)

	return string(utf16.Decode(letters)), err
}

// size returns the width and height of a page in pixels.
func (d *Document) size(ctx context.Context, page uint64, dpi float64) (width, height int, err error) {
	w, err := d.call(ctx, "FPDF_GetPageWidthF", page)
	if err != nil {
		return 0, 0, err
	}

	h, err := d.call(ctx, "FPDF_GetPageHeightF", page)
	if err != nil {
		return 0, 0, err
	}

	x := float64(api.DecodeF32(w))

	y := float64(api.DecodeF32(h))               // points
	if !(x > 0 && y > 0 && x < 1e6 && y < 1e6) { // not a number is refused as well
		return 0, 0, ErrNotReadable
	}

	scale := min(dpi/pointsPerInch, math.Sqrt(MaxPixels/(x*y)))
	width = int(x * scale)

	height = int(y * scale)
	if width < 1 || height < 1 {
		return 0, 0, ErrNotReadable
	}

	return width, height, nil
}

// copy copies a picture out of the sandbox.
func (d *Document) copy(ctx context.Context, bitmap uint64, width, height int) (*image.Gray, error) {
	at, err := d.call(ctx, "FPDFBitmap_GetBuffer", bitmap)
	if err != nil {
		return nil, err
	}

	stride, err := d.call(ctx, "FPDFBitmap_GetStride", bitmap)
	if err != nil {
		return nil, err
	}

	row := int(int32(stride))
	if row < width || row > 2*width+pageMemory {
		return nil, ErrNotReadable
	}

	pixels, ok := d.module.Memory().Read(uint32(at), uint32(row*height))
	if !ok {
		return nil, ErrNotReadable
	}

	if cap(d.picture) < len(pixels) {
		d.picture = make([]byte, 0, len(pixels))
	}

	d.picture = append(d.picture[:0], pixels...)

	return &image.Gray{Pix: d.picture, Stride: row, Rect: image.Rect(0, 0, width, height)}, nil
}

// call calls a function of the library. If the library traps, the file is the cause: it is not readable, or needs more
// memory than it may have. Without that memory the library may also go on and leave something out, which is the same.
func (d *Document) call(ctx context.Context, name string, args ...uint64) (uint64, error) {
	end := context.AfterFunc(ctx, func() { d.stop.Set(1) })
	out, err := d.module.ExportedFunction(name).Call(ctx, args...)
	end()

	d.stopped = d.stopped || err != nil
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case d.memory.tooSmall():
		return 0, fmt.Errorf("%w: %s", ErrTooLarge, name)
	case err != nil:
		return 0, fmt.Errorf("%w: %s stopped", ErrNotReadable, name)
	case len(out) == 0:
		return 0, nil
	}

	return out[0], nil
}
