package document

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// pdfOf is a small PDF with the objects.
func pdfOf(objects ...string) string {
	var b strings.Builder
	b.WriteString(
		"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages " +
			"/Kids [] /Count 0 >>\nendobj\n",
	)

	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+3, o)
	}

	fmt.Fprintf(
		&b,
		"xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+3,
		b.Len(),
	)

	return b.String()
}

func packed(s string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()

	return b.String()
}

func objectStream(content string) string {
	p := packed(content)

	return fmt.Sprintf(
		"<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\r\n%s\nendstream",
		len(p),
		p,
	)
}

func pictureOf(w, h int) image.Image {
	p := image.NewGray(image.Rect(0, 0, w, h))
	for i := range p.Pix {
		p.Pix[i] = byte(i * 7)
	}

	p.Set(0, 0, color.White)

	return p
}

func pngOf(w, h int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, pictureOf(w, h)); err != nil {
		panic(err)
	}

	return b.String()
}

func jpegOf(w, h int) string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, pictureOf(w, h), nil); err != nil {
		panic(err)
	}

	return b.String()
}

// pngChunk is a chunk with its checksum.
func pngChunk(kind, data string) string {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(out, kind+data...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(kind+data))))
}

func pngSized(w, h uint32, more string) string {
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)

	return string(pngSignature) + pngChunk("IHDR", string(size)+"\x08\x00\x00\x00\x00") + more + pngChunk(
		"IDAT",
		packed(strings.Repeat("\x00", 1000)),
	) + pngChunk("IEND", "")
}

// zipEnd is the end of an archive's directory, with a comment.
func zipEnd(comment string) string {
	return "PK\x05\x06" + strings.Repeat(
		"\x00",
		16,
	) + string(binary.LittleEndian.AppendUint16(nil, uint16(len(comment)))) + comment
}

func jpegComment(text string) string {
	return "\xff\xfe" + string(binary.BigEndian.AppendUint16(nil, uint16(len(text)+2))) + text
}

func TestDocumentsAreTakenForWhatTheyAre(t *testing.T) { // L-01
	camera := jpegOf(20, 10) + strings.Repeat("\x00", 40) + jpegOf(5, 5)

	for name, c := range map[string]struct {
		content string
		want    facts
	}{
		"pdf":                {pdfOf(), facts{contentType: PDF}},
		"pdf, object stream": {pdfOf(objectStream("1 0 <</Type/Page>>")), facts{contentType: PDF}},
		"pdf, attachment": {pdfOf("<< /Type /EmbeddedFile /Subtype /text#2Fxml /Length 6 " +
			">>\nstream\n<a></a>\nendstream"), facts{contentType: PDF}},
		"pdf, zeros at its end": {pdfOf() + strings.Repeat("\x00", 500), facts{contentType: PDF}},
		"pdf, words like the names": {pdfOf("<< /JavaScripts 1 /Launched 2 /EncryptMetadata false /Title (Launch, " +
			"JavaScript) >>"), facts{contentType: PDF}},
		"pdf, an archive attached": {pdfOf("<< /Length 30 >>\nstream\n" + zipEnd("") + "\nendstream"), facts{contentType: PDF}},
		"png":                      {pngOf(30, 20), facts{PNG, 30, 20}},
		"png, 40 million pixels":   {pngSized(8000, 5000, ""), facts{PNG, 8000, 5000}},
		"jpeg":                     {jpegOf(30, 20), facts{JPEG, 30, 20}},
		"jpeg of a camera":         {camera, facts{JPEG, 20, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			for way, r := range map[string]io.Reader{
				"at once":      strings.NewReader(c.content),
				"byte by byte": iotest.OneByteReader(strings.NewReader(c.content)),
			} {
				f, err := inspect(r)
				require.NoError(t, err, "%s, %s", name, way)
				require.Equal(t, c.want, f, "%s, %s", name, way)
			}
		})
	}
}

func TestWhatIsNotOneDocumentIsRefused(t *testing.T) { // L-01
	p := pngOf(30, 20)
	j := jpegOf(30, 20)
	d := pdfOf()

	comment := j[2:] // what would be an archive's comment, up to the end of the file
	for name, c := range map[string]struct {
		content string
		want    fault.Code
	}{
		"nothing":                         {"", fault.DocumentDamaged},
		"one byte":                        {"%", fault.DocumentTypeUnknown},
		"a page":                          {"<!DOCTYPE html><script>alert(1)</script>", fault.DocumentTypeUnknown},
		"svg":                             {`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, fault.DocumentTypeUnknown},
		"an archive":                      {"PK\x03\x04" + strings.Repeat("\x00", 40) + zipEnd(""), fault.DocumentTypeUnknown},
		"gif":                             {"GIF89a\x01\x00\x01\x00\x00\x00\x00;", fault.DocumentTypeUnknown},
		"pdf after a page":                {"<html>" + d, fault.DocumentTypeUnknown},
		"pdf after a line":                {"\n" + d, fault.DocumentTypeUnknown},
		"pdf, only its beginning":         {"%PDF-1.7\n", fault.DocumentDamaged},
		"pdf, no version":                 {"%PDF-x" + d[8:], fault.DocumentDamaged},
		"pdf, cut off":                    {d[:len(d)-20], fault.DocumentDamaged},
		"pdf, then an archive":            {d + zipEnd(""), fault.DocumentAmbiguous},
		"pdf in an archive's comment":     {d[:len(d)-1] + zipEnd("%%EOF"), fault.DocumentAmbiguous},
		"pdf, then a program":             {d + "MZ\x90\x00", fault.DocumentAmbiguous},
		"pdf, a page in its comment":      {strings.Replace(d, "1 0 obj", "%<HTML><body onload=alert(1)>\n1 0 obj", 1), fault.DocumentAmbiguous},
		"pdf, script":                     {pdfOf("<< /S /JavaScript /JS (app.alert(1)) >>"), fault.DocumentActive},
		"pdf, script written otherwise":   {pdfOf("<</S/J#61vaScr#69pt/JS 4 0 R>>"), fault.DocumentActive},
		"pdf, program":                    {pdfOf("<< /S /Launch /F (calc.exe) >>"), fault.DocumentActive},
		"pdf, player":                     {pdfOf("<< /Type /Annot /Subtype /RichMedia >>"), fault.DocumentActive},
		"pdf, script in an object stream": {pdfOf(objectStream("1 0 <</S /JavaScript /JS (x)>>")), fault.DocumentActive},
		"pdf, far in an object stream":    {pdfOf(objectStream("1 0 " + strings.Repeat(" ", 9000) + "<</S /Launch>>")), fault.DocumentActive},
		"pdf, stream that hides its type": {pdfOf(strings.Replace(objectStream("1 0 <</S /Launch>>"), "/ObjStm", "/Images", 1)), fault.DocumentActive},
		"pdf, encrypted":                  {strings.Replace(d, "/Root 1 0 R", "/Root 1 0 R /Encrypt 9 0 R", 1), fault.DocumentProtected},
		"png, cut off":                    {p[:len(p)-5], fault.DocumentDamaged},
		"png, only its signature":         {string(pngSignature), fault.DocumentDamaged},
		"png, a flipped bit":              {p[:60] + string(p[60]^1) + p[61:], fault.DocumentDamaged},
		"png, then a page":                {p + "<script>alert(1)</script>", fault.DocumentAmbiguous},
		"png, then an archive":            {p + "PK\x03\x04" + zipEnd(""), fault.DocumentAmbiguous},
		"png, a pdf in its text":          {pngSized(1, 1, pngChunk("tEXt", "a\x00%PDF-1.4 ")), fault.DocumentAmbiguous},
		"png, a page in its text":         {pngSized(1, 1, pngChunk("tEXt", "a\x00<script>alert(1)</script>")), fault.DocumentAmbiguous},
		"png, no picture":                 {string(pngSignature) + pngChunk("IHDR", "\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00") + pngChunk("IEND", ""), fault.DocumentDamaged},
		"png, 40,005,000 pixels":          {pngSized(8001, 5000, ""), fault.DocumentTooLarge},
		"png, 4 thousand million pixels":  {pngSized(65000, 65000, ""), fault.DocumentTooLarge},
		"jpeg, cut off":                   {j[:len(j)-2], fault.DocumentDamaged},
		"jpeg, only its beginning":        {j[:4], fault.DocumentDamaged},
		"jpeg, then an archive":           {j + "PK\x03\x04" + zipEnd(""), fault.DocumentAmbiguous},
		"jpeg, in an archive's comment":   {j[:2] + jpegComment(zipEnd(comment)[:22]) + comment, fault.DocumentAmbiguous},
		"jpeg, a page in its comment":     {j[:2] + jpegComment("<script>alert(1)</script>") + j[2:], fault.DocumentAmbiguous},
		"jpeg, a pdf in its comment":      {j[:2] + jpegComment("%PDF-1.4\n1 0 obj") + j[2:], fault.DocumentAmbiguous},
		"jpeg, many pictures":             {strings.Repeat(j, maxPictures+1), fault.DocumentDamaged},
		"jpeg, large":                     {strings.Replace(j, "\x08\x00\x14\x00\x1e", "\x08\xff\xff\xff\xff", 1), fault.DocumentTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			for way, r := range map[string]io.Reader{
				"at once":      strings.NewReader(c.content),
				"byte by byte": iotest.OneByteReader(strings.NewReader(c.content)),
			} {
				_, err := inspect(r)
				require.True(t, fault.Is(err, c.want), "%s, %s: %v", name, way, err)
				f, _ := fault.As(err)
				require.Equal(t, "/file", f.Fields[0].Pointer, name)
			}
		})
	}
}

func TestBombsAreRefusedBeforeTheyGoOff(t *testing.T) { // L-02
	bomb := pdfOf(objectStream("1 0 " + strings.Repeat("0 ", maxUnpacked/2)))
	require.Less(t, len(bomb), 1<<20)
	_, err := inspect(strings.NewReader(bomb))
	require.True(t, fault.Is(err, fault.DocumentTooLarge), "%v", err)

	large := packed("1 0 " + strings.Repeat("0 ", 2*maxUnpacked))
	total := int64(0)
	err = (&nameScan{}).unpack(bufio.NewReader(strings.NewReader(large)), &total)
	require.True(t, fault.Is(err, fault.DocumentTooLarge), "%v", err)
	require.LessOrEqual(t, total, int64(maxUnpacked+1), "no more is unpacked than is allowed")

	// A scan costs a pass over all pixels: a small file may not ask for thousands.
	j := jpegOf(30, 20)
	at := strings.LastIndex(j, "\xff\xda")
	scan := j[at : len(j)-2]
	_, err = inspect(strings.NewReader(j[:len(j)-2] + strings.Repeat(scan, maxScans) + "\xff\xd9"))
	require.True(t, fault.Is(err, fault.DocumentDamaged), "%v", err)
	_, err = inspect(strings.NewReader(j[:len(j)-2] + strings.Repeat(scan, maxScans-1) + "\xff\xd9"))
	require.NoError(t, err)

	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()

		large := pngSized(6000, 6000, strings.Repeat(pngChunk("tEXt", strings.Repeat("x", 1<<20)), 8))
		for b.Loop() {
			if _, err := inspect(strings.NewReader(large)); err != nil {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	require.Less(t, allocated, int64(512<<10), "8 MB are looked at in little memory")
}

func TestErrorsOfTheReaderComeBackAsTheyAre(t *testing.T) {
	cause := fault.New(fault.TooLarge, fault.BodyTooLarge, "too large")

	for _, content := range []string{
		"", "%PD", pdfOf()[:100], pdfOf(), pngOf(9, 9)[:40], pngOf(9, 9), jpegOf(9, 9)[:100], jpegOf(9, 9),
		pdfOf(objectStream("1 0 <</A 1>>"))[:180],
	} {
		_, err := inspect(io.MultiReader(strings.NewReader(content), iotest.ErrReader(cause)))
		require.ErrorIs(t, err, cause, "%q", content)
	}
}

func TestNamesAreSafeAndEndLikeTheirType(t *testing.T) { // L-01, L-04
	for name, want := range map[string]string{
		"Rechnung 12.pdf":        "Rechnung 12.pdf",
		"../../etc/passwd":       "passwd.pdf",
		`C:\Users\me\bill.PDF`:   "bill.PDF",
		"":                       "document.pdf",
		".pdf":                   "pdf.pdf",
		"Invoice 12.2026":        "Invoice 12.2026.pdf",
		"a\x00b\r\nc.pdf":        "abc.pdf",
		"invoice\u202efdp.pdf":   "invoicefdp.pdf",
		" . x . ":                "x.pdf",
		"Счёт №5.pdf":            "Счёт №5.pdf",
		strings.Repeat("é", 400): strings.Repeat("é", maxName-4) + ".pdf",
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := nameOf(name, PDF)
			require.True(t, ok, "%q", name)
			require.Equal(t, want, got, "%q", name)
		})
	}

	for _, name := range []string{"invoice.exe", "bill.pdf.html", "scan.png", "x.svg", "x.JPG", "a.docm"} {
		_, ok := nameOf(name, PDF)
		require.False(t, ok, name)
	}

	got, ok := nameOf("photo.JPEG", JPEG)
	require.True(t, ok)
	require.Equal(t, "photo.JPEG", got)
}

// The samples of others are read where they lie.
func TestInvoicesOfOthersAreTaken(t *testing.T) {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		t.Skip("SLIPWAY_FIXTURES names no folder with samples of invoices")
	}

	taken := 0
	err := filepath.WalkDir(filepath.Join(dir, "swiss_qr_bill"), func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}

		switch strings.ToLower(filepath.Ext(name)) {
		case ".pdf", ".png", ".jpg", ".jpeg":
		default:
			return nil
		}

		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}

		if _, err := inspect(bytes.NewReader(content)); err != nil {
			var f *fault.Fault
			require.True(t, errors.As(err, &f), name)
			t.Logf("%s: %v", filepath.Base(name), f)

			return nil
		}

		taken++

		return nil
	})
	require.NoError(t, err)
	t.Logf("%d files taken", taken)
	require.Greater(t, taken, 50)
}

func FuzzInspect(f *testing.F) { // I-09
	for _, s := range []string{pdfOf(objectStream("1 0 <<>>")), pngOf(3, 2), jpegOf(3, 2), jpegOf(3, 2) + "\x00" + jpegOf(1, 1)} {
		f.Add([]byte(s))
	}

	f.Fuzz(func(t *testing.T, content []byte) {
		one, err1 := inspect(bytes.NewReader(content))

		two, err2 := inspect(iotest.HalfReader(bytes.NewReader(content)))
		if one != two || (err1 == nil) != (err2 == nil) {
			t.Fatalf("read in other pieces it is something else: %v %v, %v %v", one, err1, two, err2)
		}

		switch {
		case err1 != nil:

		case one.contentType == PNG:
			if c, err := png.DecodeConfig(bytes.NewReader(content)); err == nil &&
				(int64(c.Width) != one.width || int64(c.Height) != one.height) {
				t.Fatalf("%v is not %v", one, c)
			}

		case one.contentType == JPEG:
			if c, err := jpeg.DecodeConfig(bytes.NewReader(content)); err == nil &&
				int64(c.Width)*int64(c.Height) > maxPixels {
				t.Fatalf("%v is %v", one, c)
			}
		}
	})
}

// stutters fails once, after so many bytes, and goes on behind a gap.
type stutters struct {
	in    io.Reader
	after int
}

// Read reads on.
func (s *stutters) Read(p []byte) (int, error) {
	if s.after == 0 {
		s.after--
		_, _ = io.ReadFull(s.in, make([]byte, 10))
		return 0, errDisk
	}

	if s.after > 0 {
		p = p[:min(len(p), s.after)]
	}

	n, err := s.in.Read(p)
	if s.after > 0 {
		s.after -= n
	}

	return n, err
}

var errDisk = errors.New("no space left on device")

// A failure of the reader, or of the disk that the content goes to, is never passed over: not even within a stream
// that need not unpack.
func TestFailureInTheMiddleIsNotPassedOver(t *testing.T) { // P-08
	for name, content := range map[string]string{
		"pdf":  pdfOf(objectStream("1 0 "+strings.Repeat("<< /A /B >>", 2000)), objectStream("1 0 << /C /D >>")),
		"png":  pngOf(50, 50),
		"jpeg": jpegOf(50, 50),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := inspect(strings.NewReader(content))
			require.NoError(t, err)

			for n := range len(content) {
				_, err := inspect(&stutters{strings.NewReader(content), n})
				require.ErrorIs(t, err, errDisk, "%s, after %d bytes", name, n)
			}
		})
	}
}
