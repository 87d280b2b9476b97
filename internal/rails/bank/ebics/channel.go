package ebics

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank"
)

// Channel carries files to a bank and from it by EBICS. It is a bank.Channel.
//
// How a file is handed over exactly once:
//
//   - Stage signs, packs and encrypts the file and stores the result. Nothing leaves.
//   - Commit announces the order, and sends the stored segments. Every step is stored before and after it.
//   - Before the last segment leaves, the upload becomes LAST with its transaction's id. From there on it is only ever
//     sent again in the same transaction, which the bank completes once.
//   - If the bank does not continue the transaction, the upload is UNKNOWN: the customer protocol (HAC) is asked, and
//     where it is silent, people decide. Nothing is begun anew.
type Channel struct {
	contract *Contract
	c        ChannelConfig
}

// ChannelConfig configures which orders carry which files.
type ChannelConfig struct {
	Accounts []bank.HouseAccount
	// Payments are the upload orders by rail; "" is for rails that have none of their own.
	Payments map[string]Order
	// Downloads are the orders that fetch the bank's statements and reports.
	Downloads []Order
	Every     time.Duration // how often they are fetched; 0: each time
}

// NewChannel returns the channel. It reports rails of house accounts that no order carries. It asks nobody.
func NewChannel(contract *Contract, c ChannelConfig) (*Channel, error) {
	var problems []error

	for _, a := range c.Accounts {
		for _, rail := range a.Rails {
			if _, ok := orderFor(c.Payments, rail); !ok {
				problems = append(problems, fmt.Errorf("no order carries payments of %s by %s", a.ID, rail))
			}
		}
	}

	return &Channel{contract: contract, c: c}, errors.Join(problems...)
}

func orderFor(orders map[string]Order, rail string) (Order, bool) {
	if o, ok := orders[rail]; ok {
		return o, true
	}

	o, ok := orders[""]

	return o, ok
}

func (c *Channel) db() *db.DB { return c.contract.c.DB }

// nameOf returns the file's own name from a temporary one: it ends before the attempt.
func nameOf(staged string) string {
	name, _, _ := strings.Cut(staged, ".xml.")
	return strings.TrimSuffix(name, ".xml") + ".xml"
}

// Stage makes the order of a file complete and stores it. A second call replaces it while nothing has left.
func (c *Channel) Stage(ctx context.Context, staged string, content []byte) error {
	s, err := c.contract.ready(ctx)
	if err != nil {
		return err
	}

	message, ours := bank.MessageOf(nameOf(staged))
	if !ours {
		return fmt.Errorf("%s is not the name of a payment file", staged)
	}

	rail, err := bank.RailOf(c.c.Accounts, message, content)
	if err != nil {
		return fmt.Errorf("rail of %s: %w", staged, err)
	}

	order, ok := orderFor(c.c.Payments, rail)
	if !ok {
		return fmt.Errorf("no order carries payments by %s", rail)
	}

	if order.Type == "BTU" {
		order.FileName = nameOf(staged)
	}

	p, err := c.contract.client(s).Prepare(order, content)
	if err != nil {
		return err
	}

	text, err := json.Marshal(p)
	if err != nil {
		return err
	}

	failpoint.Hit("bank.upload_half")

	return c.db().Write(ctx, func(tx *db.Tx) error {
		if err := dropUpload(tx, staged); err != nil {
			return err
		}

		addUpload(tx, uploadRow{
			Staged:   staged,
			Contract: s.ID,
			Message:  message,
			State:    UploadStaged,
			Size:     int64(len(content)),
			Segments: int64(len(p.Segments)),
		}, text)

		return nil
	})
}

// Discard gives an attempt up whose last segment has not left.
func (c *Channel) Discard(ctx context.Context, staged string) error {
	u, err := uploadOf(ctx, c.db(), staged)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil || u.State != UploadStaged && u.State != UploadSending {
		return err
	}

	_, err = c.note(ctx, u, func(now *uploadRow) { now.State = UploadDiscarded })

	return err
}

// note writes the next state of an upload.
func (c *Channel) note(ctx context.Context, u uploadRow, change func(now *uploadRow)) (uploadRow, error) {
	now := u
	change(&now)

	err := c.db().Write(ctx, func(tx *db.Tx) error { return noteUpload(tx, u, now) })
	if err != nil {
		return u, err
	}

	return now, nil
}

// List fetches what the bank has, once per interval, and returns the files that were not imported yet. An order that
// fails does not keep the others from being fetched.
func (c *Channel) List(ctx context.Context) ([]bank.Remote, error) {
	problem := c.fetch(ctx)

	rows, err := openDownloads(ctx, c.db(), c.contract.c.Subscriber, filesAtOnce)
	if err != nil {
		return nil, errors.Join(problem, err)
	}

	var out []bank.Remote
	for _, d := range rows {
		out = append(out, bank.Remote{Name: d.Name, Size: d.Size, ModTime: db.Time(d.Created)})
	}

	return out, problem
}

// filesAtOnce limits a listing.
const filesAtOnce = 500

// fetch fetches every download order. Each file is stored before the bank is told that it arrived.
func (c *Channel) fetch(ctx context.Context) error {
	s, err := c.contract.ready(ctx)
	if err != nil {
		return err
	}

	var mine bool

	err = c.db().Write(ctx, func(tx *db.Tx) (err error) {
		mine, err = claimFetch(tx, c.contract.c.Subscriber, c.c.Every)
		return err
	})
	if err != nil || !mine {
		return err
	}

	var problems []error
	for _, o := range c.c.Downloads {
		err := c.contract.client(s).Download(ctx, o, func(content []byte) error { return c.keep(ctx, o, content) })
		if err != nil && !errors.Is(err, ErrNoData) {
			problems = append(problems, fmt.Errorf("fetch %s: %w", o, err))
		}
	}

	return errors.Join(problems...)
}

// keep stores a fetched file. What is stored already, because an acknowledgement was lost, is not stored again.
func (c *Channel) keep(ctx context.Context, o Order, content []byte) error {
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])

	suffix := ".xml"
	if bytes.HasPrefix(content, []byte("PK")) {
		suffix = ".zip"
	}

	at := c.db().Now().UTC().Format("20060102T150405")
	name := fmt.Sprintf("%s_%s_%s%s", at, shortName(o), hash[:16], suffix)

	err := c.db().Write(ctx, func(tx *db.Tx) error {
		addDownload(tx, c.contract.c.Subscriber, name, hash, content)
		return nil
	})

	failpoint.Hit("ebics.stored_unacknowledged")

	return err
}

// shortName returns a name of an order for files.
func shortName(o Order) string {
	if o.Service.Message != "" {
		return o.Service.Name + "-" + o.Service.Message
	}

	return o.Type
}

// Get opens a fetched file.
func (c *Channel) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	content, err := downloadContent(ctx, c.db(), name)
	if err != nil {
		return nil, err
	}

	return io.NopCloser(bytes.NewReader(content)), nil
}

// Done marks a fetched file as imported. Its content stays in the archive of bank files.
func (c *Channel) Done(ctx context.Context, name string) error {
	return c.db().Write(ctx, func(tx *db.Tx) error { return doneDownload(tx, name) })
}

// Handed returns nothing: a bank does not give orders back. After a restore the copies outside of the database show
// which files left.
func (c *Channel) Handed(context.Context) ([]bank.Remote, error) { return nil, nil }

// Reopen opens nothing, as Handed lists nothing.
func (c *Channel) Reopen(_ context.Context, f bank.Remote) (io.ReadCloser, error) {
	return nil, fmt.Errorf("%s: a bank does not give orders back", f.Name)
}

// Orders returns the configured orders: those of payments, in the order of their rails, and then downloads.
func (c ChannelConfig) Orders() []Order {
	var out []Order
	for _, rail := range slices.Sorted(maps.Keys(c.Payments)) {
		out = append(out, c.Payments[rail])
	}

	return append(out, c.Downloads...)
}
