package paper

import (
	"bytes"
	"crypto/md5" //nolint:gosec // PDF's checksum of an embedded file, which protects against nothing
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Attachment is a file inside of a document: the same thing as the pages, for programs. Its texts must not be
// untrusted.
type Attachment struct {
	Name, Type, Description string // Type is the content type
	Content                 []byte
	// Metadata are further descriptions in the document's XMP metadata, such as those that Factur-X wants.
	Metadata string
}

// Archive draws the document as PDF/A-3 level B (ISO 19005-3), for keeping: fonts are embedded already; the metadata,
// the meaning of the colours and the attachments are added. attached may be empty. The sheet must not be used
// afterwards.
//
// The library writes neither an identifier of the file nor what an embedded file is to the document. So they are
// appended to its file, as any later change of a PDF file is (ISO 32000-1, 7.5.6).
func (s *Sheet) Archive(attached ...Attachment) ([]byte, error) {
	pdf, err := s.Bytes()
	if err != nil {
		return nil, err
	}

	u, err := updateOf(pdf)
	if err != nil {
		return nil, err
	}

	made := s.info.Made.UTC()

	var names, files string

	for _, a := range attached {
		ref := u.attach(a, made)
		names += literal(a.Name) + " " + ref + " "
		files += ref + " "
	}

	metadata := u.add("/Type /Metadata /Subtype /XML", s.metadata(attached))
	colours := u.add("/N 3 /Alternate /DeviceRGB", colourProfile())

	u.put(u.root, fmt.Sprintf("<< /Type /Catalog /Version /1.7 /Pages %s /Lang (en) /Metadata %s "+
		"/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) "+
		"/Info (sRGB IEC61966-2.1) /DestOutputProfile %s >>] /Names << /EmbeddedFiles << /Names [%s] >> >> /AF [%s] >>",
		u.pages, metadata, colours, names, files))

	return u.finish(), nil
}

// update is a change that is appended to a PDF file.
type update struct {
	bytes.Buffer
	size              int // the number of the next object
	root, info, start int
	pages             string
	offsets           map[int]int
	order             []int
}

// The end of a file of the library: its trailer and where its table of objects is.
var (
	trailer = regexp.MustCompile(
		`(?s)trailer\n<<\n/Size (\d+)\n/Root (\d+) 0 R\n/Info (\d+) 0 R\n>>\nstartxref\n(\d+)\n%%EOF\n?$`,
	)
	catalog = regexp.MustCompile(`(?s)/Type /Catalog\n/Pages (\d+ 0 R)\n`)
)

func updateOf(pdf []byte) (*update, error) {
	end := trailer.FindSubmatch(pdf)
	root := catalog.FindSubmatch(pdf)

	if end == nil || root == nil {
		return nil, fmt.Errorf("the library's PDF file does not end as it should")
	}

	u := &update{offsets: map[int]int{}, pages: string(root[1])}
	u.size, _ = strconv.Atoi(string(end[1])) // digits
	u.root, _ = strconv.Atoi(string(end[2]))
	u.info, _ = strconv.Atoi(string(end[3]))
	u.start, _ = strconv.Atoi(string(end[4]))
	u.Write(pdf)

	return u, nil
}

// add writes a new object with a stream, and returns the reference to it. Metadata must not be compressed (ISO 19005-3,
// 6.6.2.1), and nothing here is large.
func (u *update) add(dictionary string, stream []byte) string {
	n := u.size
	u.size++
	u.put(n, fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(stream), stream))

	return strconv.Itoa(n) + " 0 R"
}

// put writes an object. One that the file has already is replaced.
func (u *update) put(n int, body string) {
	u.offsets[n] = u.Len()
	u.order = append(u.order, n)
	fmt.Fprintf(u, "%d 0 obj\n%s\nendobj\n", n, body)
}

// attach writes an embedded file and what it is to the document: the same content in another form.
func (u *update) attach(a Attachment, made time.Time) string {
	sum := md5.Sum(a.Content) //nolint:gosec // as above

	file := u.add(fmt.Sprintf("/Type /EmbeddedFile /Subtype %s /Params << /ModDate %s /CheckSum <%s> /Size %d >>",
		name(a.Type), literal(made.Format("D:20060102150405Z")), hex.EncodeToString(sum[:]), len(a.Content)), a.Content)

	n := u.size
	u.size++
	u.put(n, fmt.Sprintf("<< /Type /Filespec /F %s /UF %s /AFRelationship /Alternative /Desc %s "+
		"/EF << /F %s /UF %s >> >>", literal(a.Name), literal(a.Name), literal(a.Description), file, file))

	return strconv.Itoa(n) + " 0 R"
}

// finish writes the table of the new objects and the trailer. The file's identifier is made of its content.
func (u *update) finish() []byte {
	sum := sha256.Sum256(u.Bytes())
	identifier := hex.EncodeToString(sum[:16])
	table := u.Len()

	u.WriteString("xref\n")

	for _, n := range u.order {
		fmt.Fprintf(u, "%d 1\n%010d 00000 n \n", n, u.offsets[n])
	}

	fmt.Fprintf(
		u,
		"trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n/Prev %d\n/ID [<%s> <%s>]\n>>\nstartxref\n%d\n%%%%EOF\n",
		u.size,
		u.root,
		u.info,
		u.start,
		identifier,
		identifier,
		table,
	)

	return u.Bytes()
}

// literal returns a text as a PDF string. Its texts are constants and numbers of documents, in ASCII.
func literal(s string) string {
	var b bytes.Buffer
	b.WriteByte('(')

	for _, c := range []byte(s) {
		if c == '(' || c == ')' || c == '\\' {
			b.WriteByte('\\')
		}

		b.WriteByte(c)
	}

	b.WriteByte(')')

	return b.String()
}

// name returns a content type as a PDF name, in which a slash is written by its number.
func name(contentType string) string {
	return "/" + string(bytes.ReplaceAll([]byte(contentType), []byte("/"), []byte("#2F")))
}

// metadata returns the document's XMP metadata (ISO 16684-1), which repeats what its information dictionary says.
func (s *Sheet) metadata(attached []Attachment) []byte {
	var b bytes.Buffer

	escaped := func(text string) string {
		var e bytes.Buffer
		_ = xml.EscapeText(&e, []byte(text)) // a buffer accepts everything

		return e.String()
	}

	made := s.info.Made.UTC().Format("2006-01-02T15:04:05Z")

	b.WriteString("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` + "\n")
	b.WriteString(`<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">` +
		"<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>\n")
	b.WriteString(`<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>` +
		`<rdf:li xml:lang="x-default">` + escaped(s.info.Title) + "</rdf:li></rdf:Alt></dc:title></rdf:Description>\n")
	b.WriteString(`<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Producer>` + producer +
		"</pdf:Producer></rdf:Description>\n")
	b.WriteString(`<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><xmp:CreateDate>` + made +
		"</xmp:CreateDate><xmp:ModifyDate>" + made + "</xmp:ModifyDate></rdf:Description>\n")

	for _, a := range attached {
		b.WriteString(a.Metadata)
	}

	b.WriteString("</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>")

	return b.Bytes()
}
