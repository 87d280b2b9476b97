package bank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/iso20022/camt"
)

// sentFile is a payment file that left, or may have left, as found outside of the database.
type sentFile struct {
	message string
	certain bool     // it left; otherwise it may have left
	copies  []copyID // copies of its bytes
	remote  *Remote  // where the channel still has it
}

// sentFiles finds the files that left, those that certainly left first.
func (r *Rail) sentFiles(ctx context.Context) ([]*sentFile, error) {
	kept, err := r.keptCopies(ctx)
	if err != nil {
		return nil, err
	}

	var remotes []Remote
	if r.c.Channel != nil {
		if remotes, err = r.c.Channel.Handed(ctx); err != nil {
			return nil, fmt.Errorf("list files handed over: %w", err)
		}
	}

	byMessage := map[string]*sentFile{}

	file := func(message string) *sentFile {
		if byMessage[message] == nil {
			byMessage[message] = &sentFile{message: message}
		}

		return byMessage[message]
	}
	for c, left := range kept {
		h := file(c.message)

		switch {
		case left && !h.certain: // copies that left replace renderings that did not
			h.certain = true
			h.copies = []copyID{c}
		case left == h.certain:
			h.copies = append(h.copies, c)
		}
	}

	for _, f := range remotes {
		if message, ours := messageOf(f.Name); ours {
			h := file(message)
			h.certain = true
			h.remote = &f
		}
	}

	out := make([]*sentFile, 0, len(byMessage))
	for _, h := range byMessage {
		out = append(out, h)
	}

	slices.SortFunc(out, func(a, b *sentFile) int {
		if a.certain != b.certain {
			if a.certain {
				return -1
			}

			return 1
		}

		return bytes.Compare([]byte(a.message), []byte(b.message))
	})

	return out, nil
}

// content reads the file's bytes from the bank's folder, or from the copy.
func (r *Rail) content(ctx context.Context, h *sentFile) ([]byte, error) {
	if h.remote != nil {
		f, err := r.c.Channel.Reopen(ctx, *h.remote)
		if err != nil {
			return nil, err
		}

		content, err := io.ReadAll(io.LimitReader(f, r.c.MaxFile))

		return content, errors.Join(err, f.Close())
	}

	c := slices.MinFunc(h.copies, func(a, b copyID) int { return bytes.Compare([]byte(a.sha256), []byte(b.sha256)) })

	content, err := r.readCopy(ctx, c)
	if err == nil && hashOf(content) != c.sha256 {
		err = errors.New("its bytes do not match the hash in its name")
	}

	return content, err
}

// whyReading is the reason of a file whose payouts are being restored.
const whyReading = "it is being read again, since a back-up of the database was put back"

// counts summarises what a re-reading found.
type counts struct{ files, doubtful, payouts, unknown int }

// restoreFile writes a file that left into the database, with its payouts, unless it is known there. It is safe to
// repeat.
func (r *Rail) restoreFile(ctx context.Context, h *sentFile, n *counts) error {
	known, err := filesByMessage(ctx, r.db, []string{h.message})
	if err != nil {
		return err
	}

	if len(known) > 0 && known[0].Reason != whyReading {
		if !h.certain {
			return nil
		}

		return r.db.Write(ctx, func(tx *db.Tx) error { fileArrived(tx, known[0]); return nil })
	}

	content, err := r.content(ctx, h)
	if err != nil {
		return err
	}

	f, orders, err := r.rebuild(h, content)
	if err != nil {
		return err
	}

	if len(known) > 0 {
		f.ID = known[0].ID
	} else if err := r.insertRebuilt(ctx, &f, content); err != nil {
		return err
	}

	for some := range slices.Chunk(orders, payoutsAtOnce) {
		if err := r.fileAgain(ctx, f, some, n); err != nil {
			return err
		}
	}

	return r.finishRebuilt(ctx, f, h.certain, n)
}

// rebuild derives a file's row from its bytes. The payments must be those that its identification identifies.
func (r *Rail) rebuild(h *sentFile, content []byte) (f fileRow, payments []format.WrittenPayment, err error) {
	written, as, err := r.readOwn(content)
	if err != nil {
		return f, nil, err
	}

	var (
		names []string
		rows  []payoutRow
	)

	for _, p := range written.Payments {
		units, err := decimalUnits(p.Currency, p.Amount)
		if err != nil {
			return f, nil, err
		}

		names = append(names, p.Identity)
		rows = append(rows, payoutRow{Currency: p.Currency, Units: units})
	}

	if len(names) == 0 || written.Message != "" && written.Message != h.message {
		return f, nil, errors.New("its MsgId is not the one in its name")
	}

	account, rail, err := r.orderedFrom(written, as, func(a HouseAccount, rail string) bool {
		return messageID(a.ID, rail, names) == h.message
	})
	if err != nil {
		return f, nil, err
	}

	return fileRow{
		House:      account.ID,
		Rail:       rail,
		ExecuteOn:  written.Day,
		MessageID:  h.message,
		Name:       as.FileName(h.message),
		Format:     as.Name(),
		State:      FileHeld,
		Reason:     whyReading,
		Payouts:    int64(len(rows)),
		ControlSum: controlSum(rows),
		SHA256:     hashOf(content),
		Size:       int64(len(content)),
	}, written.Payments, nil
}

// readOwn reads a file of ours in the format in which it is written.
func (r *Rail) readOwn(content []byte) (format.Written, format.Format, error) {
	as, ok := formatLooking(content[:min(lookedAt, len(content))])
	if !ok {
		as = formats()[0] // which says what is wrong with it
	}

	written, err := as.Read(bytes.NewReader(content), r.c.MaxFile)

	return written, as, err
}

// orderedFrom returns the account and the rail of a file: those from which its identification was made.
func (r *Rail) orderedFrom(
	written format.Written,
	as format.Format,
	fits func(HouseAccount, string) bool,
) (HouseAccount, string, error) {
	known := false

	for _, a := range r.c.Accounts {
		named := written.Debtor == "" && a.ACH.Origin != "" && a.ACH.Origin == written.Origin
		if h, ours := r.house(camt.Account{IBAN: written.Debtor, Other: written.Debtor}, written.Currency); ours &&
			written.Debtor != "" {
			named = h.ID == a.ID
		}

		if !named {
			continue
		}

		known = true

		for _, rail := range a.Rails {
			if slices.Contains(as.Rails(), rail) && fits(a, rail) {
				return a, rail, nil
			}
		}
	}

	if !known {
		return HouseAccount{}, "", errors.New("it pays from a house account that is not configured")
	}

	return HouseAccount{}, "", errors.New("its MsgId does not match these payments on any rail of its account")
}

// MessageOf returns the identification of a payment file from its name, and false for a name that is not one of ours.
func MessageOf(name string) (string, bool) { return messageOf(name) }

// RailOf returns the rail of a payment file of ours, from its bytes: its MsgId is derived from the rail. A channel that
// has different ways for different rails calls it.
func RailOf(accounts []HouseAccount, message string, content []byte) (string, error) {
	r, err := New(Config{Accounts: accounts, MaxFile: int64(len(content)) + 1})
	if err != nil {
		return "", err
	}

	f, _, err := r.rebuild(&sentFile{message: message}, content)

	return f.Rail, err
}

// insertRebuilt inserts the row and the bytes of a file that left.
func (r *Rail) insertRebuilt(ctx context.Context, f *fileRow, content []byte) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		f.ID = id.New(filePrefix, tx.Now)
		now := db.Micros(tx.Now)

		tx.Insert(
			insertFile,
			f.ID,
			f.House,
			f.Rail,
			f.ExecuteOn,
			f.MessageID,
			f.Name,
			f.Format,
			f.Number,
			string(f.State),
			f.Payouts,
			f.ControlSum,
			now,
			now,
		)

		tx.Insert(insertFileBytes, f.ID, sealedBytes.OfBytes(db.Key{f.ID}, content))
		noteFile(tx, fileRow{State: f.State}, *f)

		return nil
	})
}

// fileAgain puts the payouts of some orders back into their file. A payout that is further, or in a file that left
// before, stays where it is. An order whose payout this database does not have is stored, so that it is not paid when
// it is planned again.
func (r *Rail) fileAgain(ctx context.Context, f fileRow, orders []format.WrittenPayment, n *counts) error {
	ends := make([]string, len(orders))
	for i, o := range orders {
		ends[i] = o.Identity
	}

	var filed, unknown int

	err := r.db.Write(ctx, func(tx *db.Tx) error {
		filed = 0
		unknown = 0

		rows, err := payoutsOf(ctx, tx, ends)
		if err != nil {
			return err
		}

		byEnd := map[string]payoutRow{}
		for _, p := range rows {
			byEnd[format.Root(p.EndToEndID)] = p
		}

		for _, o := range orders {
			units, err := decimalUnits(o.Currency, o.Amount)
			if err != nil {
				return err
			}

			p, known := byEnd[format.Root(o.Identity)]

			switch {
			case !known:
				tx.Insert(insertHanded, o.Identity, f.ID, f.House, o.Currency, units, false, db.Micros(tx.Now))
				unknown++
			case p.State == Planned:
				if p.EndToEndID != o.Identity { // the account has taken another format since
					noteIdentity(tx, p, o.Identity)
				}

				tx.Insert(insertFiled, p.ID, f.ID)
				noteDifference(tx, p, f.ID, o.Currency, units)
				filed++
			}
		}

		return nil
	})
	n.payouts += filed
	n.unknown += unknown

	return err
}

// noteDifference records that another amount left than the planned one. The payout is PLANNED and in the file by now.
func noteDifference(tx *db.Tx, p payoutRow, fileID, currency, units string) {
	if p.Currency == currency && p.Units == units {
		return
	}

	p.FileID = fileID
	p.State = Filed

	contradict(
		tx,
		p,
		fmt.Sprintf(
			"the payment file that left orders %s %s, not %s %s",
			amount(currency, units),
			currency,
			amount(p.Currency, p.Units),
			p.Currency,
		),
	)
}

// finishRebuilt sets the state of a restored file: at the bank, or to be asked for.
func (r *Rail) finishRebuilt(ctx context.Context, f fileRow, certain bool, n *counts) error {
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		was, err := fileByID(ctx, tx, f.ID)
		if err != nil {
			return err
		}

		now := was
		now.State = FileSending
		now.Reason = ""

		now.Staged = temporaryName(f.Name, tx.Now)
		if certain {
			now.State = FileArrived
			now.SentAt = db.Micros(tx.Now)
		}

		noteFile(tx, was, now)

		return nil
	})
	if err != nil {
		return err
	}

	n.files++
	if !certain {
		n.doubtful++
	}

	return nil
}
