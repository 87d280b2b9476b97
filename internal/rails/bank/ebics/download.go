package ebics

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// MostData limits the order data of one download after it is unpacked.
const MostData = 256 << 20

// mostPacked limits it before.
const mostPacked = 64 << 20

// Download fetches what the bank has for an order, and gives it to store (ch. 5.6.1). Only after store has returned nil
// it tells the bank that the data arrived; otherwise the bank offers it again. It returns ErrNoData if there is none.
//
// If the acknowledgement is lost, the bank offers the data again: store must recognise what it has.
func (c *Client) Download(ctx context.Context, o Order, store func(content []byte) error) error {
	if err := c.ready(); err != nil {
		return err
	}

	first, err := c.beginDownload(ctx, o)
	if err != nil {
		return err
	}

	encrypted, key, err := c.segments(ctx, first)
	if err != nil {
		return err
	}

	content, err := openData(key, encrypted, MostData)
	if err == nil {
		err = store(content)
	}

	return errors.Join(err, c.acknowledge(ctx, first.transaction, err == nil))
}

// beginDownload sends the first request (ch. 5.6.1.1.1). Its answer carries the first segment.
func (c *Client) beginDownload(ctx context.Context, o Order) (*answer, error) {
	e := c.newEnvelope("ebicsRequest", true)
	add(e.static, "HostID", c.Subscriber.Host)
	c.fresh(e.static)
	c.whoWeAre(e.static)
	c.orderDetails(e.static, o, "DZHNN", true)
	c.addDigests(e.static)
	add(e.static, "SecurityMedium", securityMedium)
	add(e.mutable, "TransactionPhase", phaseInitialisation)

	text, err := c.signed(ctx, e)
	if err != nil {
		return nil, err
	}

	a, err := c.readAnswer(text, phaseInitialisation, "")
	if err != nil {
		return nil, err
	}

	if a.transaction == "" || a.segments < 1 || a.transfer == nil {
		return nil, unproven("it begins no download")
	}

	if a.segment > 1 {
		return nil, unproven("it begins with segment %d", a.segment)
	}

	return a, nil
}

// segments joins the segments of a download, which are cut after encryption, and returns the key.
func (c *Client) segments(ctx context.Context, first *answer) (encrypted, key []byte, err error) {
	info := only(first.transfer, "DataEncryptionInfo")
	if !isMarked(info) {
		return nil, nil, unproven("the key of the data is not signed")
	}

	if key, err = c.transactionKey(first.transfer); err != nil {
		return nil, nil, err
	}

	a := first
	for n := 1; ; n++ {
		part, err := bytesAt(a.transfer, "OrderData")
		if err != nil {
			return nil, nil, fmt.Errorf("segment %d: %w", n, err)
		}

		encrypted = append(encrypted, part...)
		if len(encrypted) > mostPacked {
			return nil, nil, fmt.Errorf("a download: %w (%d bytes packed)", errTooLarge, mostPacked)
		}

		if n == first.segments {
			return encrypted, key, nil
		}

		if a, err = c.segment(ctx, first.transaction, n+1, first.segments); err != nil {
			return nil, nil, fmt.Errorf("segment %d: %w", n+1, err)
		}
	}
}

// attempts is how often a segment of a download is asked for. The bank gives each again (ch. 5.6.2: recovery).
const attempts = 3

// segment fetches one further segment (ch. 5.6.1.2.1).
func (c *Client) segment(ctx context.Context, transaction string, n, of int) (a *answer, err error) {
	for range attempts {
		e := c.within(transaction, phaseTransfer)
		addSegmentNumber(e, n, of)

		var text []byte
		if text, err = c.signed(ctx, e); err != nil {
			continue // the connection broke: the bank still has the segment
		}

		if a, err = c.readAnswer(text, phaseTransfer, transaction); err != nil {
			return nil, err
		}

		if a.segment != n || a.transfer == nil {
			return nil, unproven("it carries segment %d instead of %d", a.segment, n)
		}

		return a, nil
	}

	return nil, err
}

// acknowledge tells the bank whether the data arrived (ch. 5.6.1.3).
func (c *Client) acknowledge(ctx context.Context, transaction string, good bool) error {
	code := 1
	if good {
		code = 0
	}

	e := c.within(transaction, phaseReceipt)
	add(add(e.body, "TransferReceipt", "", "authenticate", "true"), "ReceiptCode", strconv.Itoa(code))

	text, err := c.signed(ctx, e)
	if err != nil {
		return fmt.Errorf("acknowledge a download: %w", err)
	}

	if _, err := c.readAnswer(text, phaseReceipt, transaction); err != nil {
		return fmt.Errorf("acknowledge a download: %w", err)
	}

	return nil
}
