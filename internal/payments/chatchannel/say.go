package chatchannel

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/endpoint"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chat"
)

// saying is what a message says. Title and lines are values of package words.
type saying struct {
	news   News
	title  string
	lines  []string
	place  mail.Place // where one looks and decides
	record string
}

// The places that no mail leads to.
var (
	endpointPlace = mail.Place{
		App:     "/webhook-endpoints/{id}",
		Console: "/webhooks/{id}",
		Words:   "Look at the endpoint",
	}
	clientsPlace  = mail.Place{App: "/api-clients", Console: "/clients", Words: "Look at the API clients"}
	overviewPlace = mail.Place{App: "/", Console: "", Words: "Look at what waits"}
)

// say returns what a message says of the record as it is now. ok is false if that is not worth a message any more.
func (s *Service) say(ctx context.Context, q db.Querier, m Message) (out saying, ok bool, err error) {
	noun, _, _ := strings.Cut(m.Type, ".")

	switch noun {
	case "transaction":
		out, ok, err = sayTransaction(ctx, q, m)
	case "payable":
		out, ok, err = sayPayable(ctx, q, m)
	case "schedule":
		out, ok, err = saySchedule(ctx, q, m)
	case "approval":
		out, ok, err = sayApproval(ctx, q, m)
	case "invoice_link":
		out, ok, err = sayInvoice(ctx, q, m)
	case "receiver", "bank_account", "wallet":
		out, ok, err = sayPayee(ctx, q, m)
	default:
		out, ok, err = sayTechnical(ctx, q, m)
	}

	if gone(err) { // deleted meanwhile
		return saying{}, false, nil
	}

	return out, ok, err
}

// gone reports whether an error says that there is no such record.
func gone(err error) bool {
	return errors.Is(err, db.ErrNone) || fault.Is(err, fault.NotFoundCode)
}

// titled returns a title: what has happened, and the amount that it is about.
func titled(what, amount string) string {
	return words.Phrase("%[1]s: %[2]s", words.Phrase(what), amount)
}

// referred returns the line with a record's identifier.
func referred(id string) string { return words.Phrase("Reference: %s", id) }

func sayInvoice(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	k, err := invoicelink.ByID(ctx, q, m.Organisation, m.Object)
	if err != nil {
		return saying{}, false, err
	}

	out := saying{news: Invoices, record: k.ID}

	if m.Type == "invoice_link.undelivered" {
		out.title = words.Phrase("A link did not arrive")
		out.lines = []string{words.Phrase("The mail that asks for an invoice could not be delivered to %s.", k.Email)}
		out.place = mail.PlaceOf(mail.InvoiceUndelivered)

		return out, k.MailProblem != "" && k.Status == invoicelink.Open, nil
	}

	// no text of the outside party's: what it has written stands on the page
	out.title = titled("Invoice received", k.Sum())
	out.lines = []string{words.Phrase("From %s", k.Email), referred(k.ID)}
	out.place = mail.PlaceOf(mail.InvoiceSubmitted)

	return out, k.Status == invoicelink.Submitted, nil
}

// sayPayee names the payee, and no number of an account and no address of a wallet. The organisation itself is none.
func sayPayee(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	payee, currency, err := payeeOf(ctx, q, m)
	if err != nil {
		return saying{}, false, err
	}

	r, err := receiver.ByID(ctx, q, m.Organisation, payee)
	if err != nil {
		return saying{}, false, err
	}

	title := map[string]string{
		"receiver.created":     words.Phrase("New payee"),
		"receiver.changed":     words.Phrase("Payee changed"),
		"bank_account.created": words.Phrase("New bank account of a payee"),
		"bank_account.changed": words.Phrase("Bank account of a payee changed"),
		"wallet.created":       words.Phrase("New wallet of a payee"),
		"wallet.changed":       words.Phrase("Wallet of a payee changed"),
	}[m.Type]

	line := r.Name()
	if currency != "" {
		line = words.Phrase("%[1]s, %[2]s", r.Name(), currency)
	}

	return saying{
		news:   Payees,
		title:  title,
		lines:  []string{line, words.Phrase("If you did not expect this, look at it before anything is paid there.")},
		place:  mail.PlaceOf(mail.PayeeAdded),
		record: r.ID,
	}, !r.Self, nil
}

// payeeOf returns the payee that a message is about, and the currency of its bank account.
func payeeOf(ctx context.Context, q db.Querier, m Message) (payee, currency string, err error) {
	switch {
	case strings.HasPrefix(m.Type, "bank_account."):
		a, err := bankaccount.ByID(ctx, q, m.Organisation, m.Object)
		return a.Receiver, a.Currency, err
	case strings.HasPrefix(m.Type, "wallet."):
		w, err := wallet.ByID(ctx, q, m.Organisation, m.Object)
		return w.Receiver, "", err
	}

	return m.Object, "", nil
}

func sayTechnical(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	out := saying{news: Technical, record: m.Object}

	switch m.Type {
	case "webhook_endpoint.disabled":
		e, err := endpoint.ByID(ctx, q, m.Organisation, m.Object)
		out.title = words.Phrase("A webhook endpoint was switched off")
		out.lines = []string{
			words.Phrase("Nothing is lost: what happens is kept for 90 days, and is sent when the endpoint " +
				"is switched on again."),
		}
		out.place = endpointPlace

		return out, !e.Enabled, err

	case disabledEvent:
		c, err := ByID(ctx, q, m.Organisation, m.Object)
		out.title = words.Phrase("The chat %s is no longer told anything", c.Name)
		out.place = mail.PlaceOf(mail.ChatOff)

		return out, !c.Enabled, err

	case "api_client.expiring":
		out.title = words.Phrase("An API client ends within a week")
	case "api_client.expired":
		out.title = words.Phrase("An API client has ended")
	default:
		return out, false, nil
	}

	out.lines = []string{referred(m.Object)}
	out.place = clientsPlace

	return out, true, nil
}

// written returns a saying in the channel's language.
func (s *Service) written(c Channel, x saying) chat.Message {
	in := words.Must().In(c.Language)
	out := chat.Message{Title: in.Said(x.title, chat.Plain)}

	for _, line := range x.lines {
		out.Lines = append(out.Lines, in.Said(line, chat.Plain))
	}

	if out.Link = s.LinkTo(x.place, c.Organisation, x.record); out.Link != "" {
		out.LinkWords = in.Said(words.Phrase(x.place.Words), chat.Plain)
	}

	return s.marked(out)
}

// marked returns a message with the mark of a deployment that moves nothing of worth.
func (s *Service) marked(m chat.Message) chat.Message {
	if s.Mark != "" {
		m.Title = "[" + s.Mark + "] " + m.Title
	}

	return m
}

// maxListed is how many items a message about several lists.
const maxListed = 10

// together returns one message about several.
func (s *Service) together(c Channel, all []saying) chat.Message {
	in := words.Must().In(c.Language)
	out := chat.Message{Title: in.Said(words.Count("%d things have happened", int64(len(all))), chat.Plain)}

	for _, x := range all[:min(len(all), maxListed)] {
		line := x.title
		if len(x.lines) > 0 {
			line = words.Phrase("%[1]s, %[2]s", x.title, x.lines[0])
		}

		out.Lines = append(out.Lines, in.Said(line, chat.Plain))
	}

	if more := len(all) - maxListed; more > 0 {
		out.Lines = append(out.Lines, in.Said(words.Phrase("And %s more.", strconv.Itoa(more)), chat.Plain))
	}

	if out.Link = s.LinkTo(overviewPlace, c.Organisation, ""); out.Link != "" {
		out.LinkWords = in.Said(words.Phrase(overviewPlace.Words), chat.Plain)
	}

	return s.marked(out)
}

// testMessage returns the message of a test.
func (s *Service) testMessage(c Channel) chat.Message {
	return s.written(c, saying{
		title: words.Phrase("This is a test"),
		lines: []string{words.Phrase("Slipway reaches this room as %s. Nothing has happened.", c.Name)},
		place: mail.PlaceOf(mail.ChatOff),
	})
}
