package billscan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log/slog"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/qrscan"
	"slipway/internal/standards/epcqr"
	"slipway/internal/standards/qrbill"
)

// Limits beside those of package qrscan.
const (
	// placesOfOne is how many documents of one organisation, and of one person, may be uploading, waiting and being
	// read at once; places is the limit for all together.
	placesOfOne = 4
	places      = 64
	// maxTurns is how many readings, each taking its full time, a document waits for. Turns are fair by organisation
	// and by person: so many others may be served before somebody's first document.
	maxTurns = 4
	// briefly is how long a document is read at first, in qrscan.LightMemory. Nearly all are read within both. One that
	// is not begins anew among its like, which leave a turn to the others and share the memory that is left: however
	// many heavy documents there are, and whosesoever they are, an ordinary one waits for brief readings alone. Where
	// there is one turn only, it may wait for a heavy reading besides.
	briefly = 2 * time.Second
)

// Settings are the operator's settings.
type Settings struct {
	Room     qrscan.Room   // documents read at the same time, and their memory
	Deadline time.Duration // for reading one document; waiting for its turn may take maxTurns times as long
}

// Deps are the use case's dependencies.
type Deps struct {
	DB  *db.DB
	Log *slog.Logger // nil: the default logger
	// Scan returns the QR codes of a document, within so many bytes of memory: qrscan.Reader's Read.
	Scan func(ctx context.Context, document []byte, memory int) ([]qrscan.Code, error)
	// Draw returns a page of a PDF document, from 1, and how many it has: qrscan.Reader's Page.
	Draw func(ctx context.Context, document []byte, number, memory int) (*image.Gray, int, error)
	// Ready prepares what reading PDF files needs. It is called before a document's time starts. Nil: nothing to
	// prepare.
	Ready func(ctx context.Context) error
	// Stored opens a document of the organisation. It refuses one that is unknown or another's.
	Stored   func(ctx context.Context, organisation, key string) (io.ReadCloser, error)
	Stage    *blob.Stage // where uploaded documents wait for their turn
	Settings Settings
}

// Service reads bills. It is safe for concurrent use.
type Service struct {
	Deps
	turns  *limit.Turns  // by organisation and person
	long   *limit.Turns  // the same for heavy documents, which weigh what they take beyond others; taken before turns
	places *limit.Places // by organisation and person
	pages  *cache.Cache[picture]
}

// New returns the service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.Default()
	}

	s := &Service{
		Deps:   d,
		turns:  limit.NewTurns(max(d.Settings.Room.AtOnce, 1)),
		long:   limit.NewHeavyTurns(max(d.Settings.Room.AtOnce-1, 1), d.Settings.Room.Extra),
		places: limit.NewPlaces(places, placesOfOne),
	}
	if d.DB != nil {
		weight := func(p picture) int { return len(p.content) + 1 }
		s.pages = cache.Weighed(d.DB.Clock(), pagesKeptTime, pagesKept, weight)
	}

	return s
}

// Document is where to look for the bill: an uploaded file, or the key of a stored one.
type Document struct {
	File   io.Reader // its read errors are returned to the caller
	Stored string
	Number int // which bill is meant, from 1; 0: there is only one
}

// at returns the place of the document in the request, for refusals.
func (d Document) at() string {
	if d.File == nil {
		return "/documentStorageKey"
	}

	return "/file"
}

// Reading is a bill and what belongs to it.
type Reading struct {
	Statement
	Payee Payee
}

// Read returns the bill in a document. It changes nothing, and a second call returns the same. It refuses with
// QR_NOT_FOUND, QR_SEVERAL_BILLS, every broken rule of the bill's grammar, or what is wrong with the document.
func (s *Service) Read(ctx context.Context, organisation string, d Document) (Reading, error) {
	leave, err := s.place(ctx, organisation)
	if err != nil {
		return Reading{}, err
	}
	defer leave()

	file, err := s.fetch(ctx, organisation, d)
	if err != nil {
		return Reading{}, err
	}
	defer file.Close()

	codes, err := s.scan(ctx, organisation, d, file)
	if err != nil {
		return Reading{}, err
	}

	chosen, err := choose(d, Statements(codes), len(codes))
	if err != nil {
		return Reading{}, err
	}

	out := Reading{Statement: chosen}
	out.Payee, err = payee(ctx, s.DB, organisation, &out.Bill, s.DB.Now())

	return out, err
}

// place reserves a place for a document until leave is called.
func (s *Service) place(ctx context.Context, organisation string) (leave func(), err error) {
	leave, err = s.places.Take(organisation, caller.Of(ctx).User)
	switch {
	case errors.Is(err, limit.ErrShare):
		return nil, fault.New(
			fault.TooMany,
			fault.RateLimited,
			"%d documents of your organisation, or of yours, are being read. Send the next one when one is answered.",
			placesOfOne,
		)

	case err != nil:
		return nil, busy()
	}

	return leave, nil
}

func busy() error {
	return fault.New(fault.Unavailable, fault.Overloaded, "Too many documents wait to be read. Try again in a moment.")
}

// fetch returns a document that can be read without waiting for its sender or for the storage. It copies the document
// into a file first, so that a slow source blocks nobody, and waiting documents do not fill the memory. The file is
// encrypted with a key that exists only in memory, so what a crash leaves behind is unreadable.
func (s *Service) fetch(ctx context.Context, organisation string, d Document) (*staged, error) {
	in := d.File
	if in == nil {
		stored, err := s.Stored(ctx, organisation, d.Stored)
		if err != nil {
			return nil, err
		}
		defer stored.Close()
		in = stored
	}

	f, err := s.Stage.Create()
	if err != nil {
		return nil, s.unavailable(ctx, err)
	}

	key := blob.NewKey()

	size, err := sealInto(f, key, in)
	if err == nil {
		return &staged{key: key, file: f, size: size}, nil
	}

	if _, refused := fault.As(err); !refused {
		err = s.unavailable(ctx, err)
	}

	return nil, errors.Join(err, f.Discard())
}

// sealInto writes an upload into the file, and returns its size.
func sealInto(f *blob.Staged, key []byte, in io.Reader) (int64, error) {
	out, err := blob.Seal(f, key)
	if err != nil {
		return 0, err
	}

	n, err := io.Copy(out, in)
	if err != nil {
		return 0, err
	}

	return n, out.Close()
}

// unavailable logs a failure of the disk or storage and returns a refusal that invites a retry.
func (s *Service) unavailable(ctx context.Context, err error) error {
	s.Log.LogAttrs(
		ctx,
		slog.LevelError,
		"document not fetched",
		slog.String("requestId", caller.RequestOf(ctx).ID),
		slog.String("error", err.Error()),
	)

	return fault.New(
		fault.Unavailable,
		fault.UpstreamFailed,
		"The document cannot be read at the moment. Nothing was changed; try again.",
	)
}

// staged is a file that Close removes.
type staged struct {
	key  []byte
	file *blob.Staged
	size int64
}

// content returns what is in the file; a second call returns the same.
func (s *staged) content() ([]byte, error) {
	in, err := blob.Unseal(s.file.Reader(), s.key)
	if err != nil {
		return nil, err
	}

	var out bytes.Buffer
	out.Grow(int(min(s.size, qrscan.MaxBytes)) + bytes.MinRead) // it never grows, which would take twice as much

	_, err = out.ReadFrom(io.LimitReader(in, qrscan.MaxBytes+1))

	return out.Bytes(), err
}

// Close removes the file.
func (s *staged) Close() error { return s.file.Discard() }

// scan reads the codes of a document.
func (s *Service) scan(
	ctx context.Context,
	organisation string,
	d Document,
	file *staged,
) (codes []qrscan.Code, err error) {
	err = s.read(ctx, organisation, d, file, func(ctx context.Context, content []byte, memory int) (err error) {
		codes, err = s.Scan(ctx, content, memory)
		return err
	})

	return codes, err
}

// reading is what is done with a document's content within its time and so many bytes of memory.
type reading func(ctx context.Context, content []byte, memory int) error

// read blocks until it is the document's turn, and calls do with its content, which is in memory only from then on.
// What is not read briefly, or needs more memory than most, waits for a second turn, and do is called anew. It turns
// what do finds wrong with the document into refusals.
func (s *Service) read(ctx context.Context, organisation string, d Document, file *staged, do reading) error {
	memory := qrscan.LightMemory

	cost, err := s.inTurn(ctx, organisation, file, min(briefly, s.Settings.Deadline), memory, do)
	if s.Settings.Deadline > briefly && tookTooLong(ctx, err) {
		cost, err = s.atLength(ctx, organisation, file, memory, do)
	}

	if most := min(cost, s.Settings.Room.Most()); errors.Is(err, qrscan.ErrMemory) && most > memory {
		_, err = s.atLength(ctx, organisation, file, most, do)
	}

	switch {
	case err == nil, errors.Is(err, qrscan.ErrNoPage), isRefusal(err):
		return err
	case errors.Is(err, qrscan.ErrUnknownType):
		err = d.refuse(fault.DocumentTypeUnknown, "The document is neither a PDF, PNG nor JPEG file.")

	case errors.Is(err, qrscan.ErrTooLarge):
		err = d.refuse(
			fault.DocumentTooLarge,
			"The document has too many bytes or pixels, or pages that need too much memory.",
		)

	case errors.Is(err, qrscan.ErrProtected):
		err = d.refuse(fault.DocumentProtected, "The document is protected by a password.")
	case errors.Is(err, qrscan.ErrNotReadable):
		err = d.refuse(fault.DocumentDamaged, "The document is damaged, or not of the type that its first bytes say.")
	case tookTooLong(ctx, err):
		err = d.refuse(fault.QRReadingTooLong, "The document takes more than %s to read.", s.Settings.Deadline)
	default:
		err = fmt.Errorf("read a document: %w", err)
	}

	return err
}

func isRefusal(err error) bool {
	_, ok := fault.As(err)
	return ok
}

// tookTooLong reports whether a reading ended because its time was over.
func tookTooLong(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
}

// inTurn blocks until a document may be read, and calls do for at most a time. It returns what the document may cost.
func (s *Service) inTurn(
	ctx context.Context,
	organisation string,
	file *staged,
	most time.Duration,
	memory int,
	do reading,
) (cost int, err error) {
	endTurn, err := s.turn(ctx, s.turns, 0, organisation)
	if err != nil {
		return 0, err
	}
	defer endTurn()

	document, err := file.content()
	if err != nil {
		return 0, s.unavailable(ctx, err)
	}

	if s.Ready != nil && qrscan.IsPDF(document) {
		if err := s.Ready(ctx); err != nil {
			return 0, err
		}
	}

	within, end := context.WithTimeout(ctx, most)
	defer end()

	return qrscan.Cost(document), do(within, document, memory)
}

// atLength is inTurn for a document that takes long, or more memory than others.
func (s *Service) atLength(
	ctx context.Context,
	organisation string,
	file *staged,
	memory int,
	do reading,
) (cost int, err error) {
	endTurn, err := s.turn(ctx, s.long, int64(memory-qrscan.LightMemory), organisation)
	if err != nil {
		return 0, err
	}
	defer endTurn()

	return s.inTurn(ctx, organisation, file, s.Settings.Deadline, memory, do)
}

// turn blocks until a document of the organisation and of the caller has a turn among others.
func (s *Service) turn(
	ctx context.Context,
	among *limit.Turns,
	weight int64,
	organisation string,
) (end func(), err error) {
	waiting, stop := context.WithTimeout(ctx, maxTurns*s.Settings.Deadline)
	defer stop()

	end, err = among.TakeHeavy(waiting, weight, organisation, caller.Of(ctx).User)
	switch {
	case ctx.Err() != nil && err != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, busy()
	}

	return end, nil
}

// choose returns the requested bill, or the refusal why there is none.
func choose(d Document, all []Statement, codes int) (Statement, error) {
	switch {
	case len(all) == 0 && codes > 0:
		return Statement{}, d.refuse(fault.QRNotFound, "The document has QR codes, but none of them is a bill's.")
	case len(all) == 0:
		return Statement{}, d.refuse(fault.QRNotFound, "The document has no QR code that can be read.")

	case d.Number > len(all):
		var l fault.List
		l.AddParameter(
			"query",
			"bill",
			fault.QRBillNumberWrong,
			"may be at most %d: the document states so many bills.",
			len(all),
		)

		return Statement{}, l.Err()

	case d.Number == 0 && len(all) > 1:
		return Statement{}, d.refuse(
			fault.QRSeveralBills,
			"The document states %d bills: repeat the request with ?bill= and the number of the one that is meant.",
			len(all),
		).With("bills", summaries(all))
	}

	chosen := all[max(d.Number, 1)-1]
	if len(chosen.Problems) > 0 {
		return Statement{}, broken(d, chosen)
	}

	if len(all) > 1 {
		chosen.Bill.warn(
			OtherBills,
			"",
			fmt.Sprintf("the document states %d bills; this is the one that was asked for", len(all)),
		)
	}

	return chosen, nil
}

// refuse returns the refusal of a document for one reason.
func (d Document) refuse(c fault.Code, detail string, args ...any) *fault.Fault {
	f := fault.New(fault.Invalid, c, detail, args...)
	f.Fields = []fault.Field{{Pointer: d.at(), Code: c, Message: f.Detail}}
	return f
}

// broken returns a refusal with every rule that a bill breaks, by line.
func broken(d Document, s Statement) error {
	var l fault.List
	for _, p := range s.Problems {
		where := fmt.Sprintf("Page %d", s.Page)
		if p.Line > 0 {
			where += fmt.Sprintf(", line %d of the code", p.Line)
		}

		if p.Field != "" {
			where += " (" + p.Field + ")"
		}

		l.Add(d.at(), codeOf[p.Code], "%s: %s.", where, p.Detail)
	}

	if fields := l.Fields(); len(fields) == 1 {
		return d.refuse(fields[0].Code, "%s", fields[0].Message)
	}

	return l.Err()
}

// codeOf maps what parsers find to the codes of refusals.
var codeOf = map[qrbill.Code]fault.Code{
	qrbill.NotUTF8:        fault.QRNotUTF8,
	qrbill.TooLong:        fault.QRTooLong,
	qrbill.BadSeparator:   fault.QRBadSeparator,
	qrbill.BadCharacter:   fault.QRBadCharacter,
	qrbill.LineCount:      fault.QRLineCount,
	qrbill.NotSwiss:       fault.QRNotSwiss,
	qrbill.BadVersion:     fault.QRBadVersion,
	qrbill.BadCoding:      fault.QRBadCoding,
	epcqr.BadService:      fault.QRBadService,
	qrbill.BadIBAN:        fault.QRBadIBAN,
	qrbill.ForeignIBAN:    fault.QRForeignIBAN,
	epcqr.BadBIC:          fault.QRBadBIC,
	qrbill.BadAddressType: fault.QRBadAddressType,
	qrbill.Missing:        fault.QRMissing,
	qrbill.NotAllowed:     fault.QRNotAllowed,
	qrbill.FieldTooLong:   fault.QRFieldTooLong,
	qrbill.BadCountry:     fault.QRBadCountry,
	qrbill.BadAmount:      fault.QRBadAmount,
	qrbill.BadCurrency:    fault.QRBadCurrency,
	epcqr.BadPurpose:      fault.QRBadPurpose,
	qrbill.BadRefType:     fault.QRBadRefType,
	qrbill.NeedsQRR:       fault.QRNeedsQRR,
	qrbill.QRRNeedsQRIBAN: fault.QRRefNeedsQRIBAN,
	qrbill.BadReference:   fault.QRBadReference,
	qrbill.BadTrailer:     fault.QRBadTrailer,
	qrbill.SchemeCount:    fault.QRTooManySchemes,
}

// reason returns an error's text for people.
func reason(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Detail
	}

	return err.Error()
}
