package ebics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/beevik/etree"
)

// hacNamespace is the message that carries the customer protocol (ch. 9.3: pain.002.001.03).
const hacNamespace = "urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"

// Event is one line of the bank's customer protocol (HAC): what happened to an order at the bank's EBICS server. That
// the server accepted an order does not mean that it is executed: pain.002 and the statements say so.
type Event struct {
	Action  string    // FILE_UPLOAD, ES_VERIFICATION, ORDER_HAC_FINAL_POS …
	Reason  string    // TS01, DS05 …
	OrderID string    // as the bank assigned it; it is used again after a time
	Partner string    // customer
	User    string    // may be empty at the end of an order
	Type    string    // AdminOrderType, or the order type of version 2.5
	At      time.Time // as the bank wrote it; zero if it cannot be read
	Info    []string  // further lines, such as names of the file and its message id
}

// Protocol fetches the customer protocol (HAC). Banks tell each event once, unless days are asked for: from and to are
// days such as 2026-11-01.
func (c *Client) Protocol(ctx context.Context, from, to string) ([]Event, error) {
	var out []Event

	err := c.Download(ctx, Order{Type: "HAC", From: from, To: to}, func(content []byte) (err error) {
		out, err = readProtocol(content)
		return err
	})
	if errors.Is(err, ErrNoData) {
		return nil, nil
	}

	return out, err
}

// readProtocol reads the events of a customer protocol.
func readProtocol(content []byte) ([]Event, error) {
	root, err := parse(content)
	if err != nil {
		return nil, fmt.Errorf("customer protocol: %w", err)
	}

	report := only(root, "CstmrPmtStsRpt")
	if root.NamespaceURI() != hacNamespace || report == nil {
		return nil, fmt.Errorf("customer protocol: it is %s in %q", root.Tag, root.NamespaceURI())
	}

	var out []Event
	for _, e := range report.ChildElements() {
		if e.Tag == "OrgnlPmtInfAndSts" {
			out = append(out, eventOf(e))
		}
	}

	return out, nil
}

func eventOf(e *etree.Element) Event {
	out := Event{Action: textAt(e, "OrgnlPmtInfId")}

	for _, s := range e.ChildElements() {
		if s.Tag != "StsRsnInf" {
			continue
		}

		if reason := textAt(s, "Rsn", "Cd"); reason != "" {
			out.Reason = reason
		}

		for _, i := range s.ChildElements() {
			if i.Tag == "AddtlInf" {
				out.Info = append(out.Info, strings.TrimSpace(i.Text()))
			}
		}

		organisation := at(s, "Orgtr", "Id", "OrgId")
		if organisation == nil {
			continue
		}

		for _, o := range organisation.ChildElements() {
			out.note(textAt(o, "SchmeNm", "Prtry"), textAt(o, "Id"))
		}
	}

	return out
}

// note takes one of the identifiers of an event.
func (e *Event) note(name, value string) {
	switch name {
	case "OrderID":
		e.OrderID = value
	case "PartnerID", "CustomerID":
		e.Partner = value
	case "UserID":
		e.User = value
	case "AdminOrderType", "OrderType":
		e.Type = value
	case "TimeStamp":
		for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05"} {
			if at, err := time.Parse(form, value); err == nil {
				e.At = at
				return
			}
		}
	}
}

// Fate is what a customer protocol proves about an order.
type Fate int

// The fates. Silence proves nothing.
const (
	FateUnknown   Fate = iota
	FateArrived        // the bank has the complete order, and may execute it
	FateRefused        // the bank has ended the order without executing it
	FateUnclear        // what it says contradicts itself
	fateNoVerdict      // an event that decides nothing
)

// Find returns what the protocol proves about one order, which names contains: its order id, or what the bank repeats
// of its content. since is when it was begun: order ids are used again.
func Find(events []Event, s Subscriber, since time.Time, is func(Event) bool) Fate {
	fate := FateUnknown

	for _, e := range events {
		if e.Partner != "" && e.Partner != s.Partner || e.User != "" && e.User != s.User {
			continue
		}

		if !e.At.IsZero() && e.At.Before(since) || !is(e) {
			continue
		}

		switch f := e.fate(); {
		case f == fateNoVerdict:
		case fate == FateUnknown || fate == f:
			fate = f
		case fate == FateArrived && f == FateRefused:
			fate = FateRefused // it arrived, and was refused afterwards
		case fate == FateRefused && f == FateArrived:
			fate = FateUnclear // refused, and then accepted: people look at it
		}
	}

	return fate
}

// Reasons of the customer protocol that end an order for good, when they end it (ORDER_HAC_FINAL, ORDER_HAC_FINAL_NEG):
// whatever they are, such an order is not executed.
const finalEvent = "ORDER_HAC_FINAL"

// refusingReasons end an order under the one name of the final event that some banks use for both endings.
var refusingReasons = []string{
	"DS04", "DS0B", "DS0C", "DS0D", "DS0E", "DS0G", "DS0H", "DS18", "DS19", "DS24", "DS25",
	"TA01", "TD03",
}

func (e Event) fate() Fate {
	switch {
	case e.Action == finalEvent+"_NEG":
		return FateRefused
	case e.Action == finalEvent+"_POS":
		return FateArrived
	case e.Action == finalEvent && slices.Contains(refusingReasons, e.Reason):
		return FateRefused
	case e.Action == finalEvent && e.Reason != "":
		return FateArrived
	case e.Action == "FILE_UPLOAD" && e.Reason == "TS01":
		return FateArrived
	}

	return fateNoVerdict
}
