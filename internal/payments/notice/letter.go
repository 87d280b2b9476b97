package notice

import (
	"slices"
	"strconv"
	"strings"

	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// maxNames is how many receivers a mail lists by name.
const maxNames = 3

// letter returns the mail about one item.
func letter(to user.Brief, organisation string, m members, x item, t transaction.Transaction) mail.Message {
	creator := m.people[t.CreatedBy]
	data := map[string]string{
		"name":         to.FirstName,
		"organisation": organisation,
		"what":         Describe(t),
		"amount":       x.amount(),
		"receivers":    Receivers(t),
		"reference":    t.ID,
		"when":         words.When(x.at),
	}

	kind := mail.TransactionNews
	if x.weight == weightAction {
		kind = mail.ApprovalNeeded
		data["creator"] = strings.TrimSpace(creator.FirstName + " " + creator.LastName)
	} else {
		data["headline"] = words.Phrase(x.headline)
		data["lead"] = words.Phrase(x.lead)
		data["why"] = x.why
	}

	return mail.Message{
		Kind:   kind,
		To:     to.Email,
		User:   to.ID,
		Record: t.ID,
		Data:   data,
	}
}

// Describe returns the kind of a transaction in words.
func Describe(t transaction.Transaction) string {
	count := strconv.Itoa(len(t.Payments))

	switch one := len(t.Payments) == 1; {
	case t.Type == transaction.TypeOnramp:
		return words.Phrase("a deposit, paid out in %s", t.Token)
	case t.Type == transaction.TypeFiat && one:
		return words.Phrase("a payment to bank accounts")
	case t.Type == transaction.TypeFiat:
		return words.Phrase("%s payments to bank accounts", count)
	case one:
		return words.Phrase("a payment of %s to wallets", t.Token)
	default:
		return words.Phrase("%[1]s payments of %[2]s to wallets", count, t.Token)
	}
}

// Receivers returns the names of those whom a transaction pays: some of them, and how many others there are.
func Receivers(t transaction.Transaction) string {
	names := t.Payees()
	if more := len(names) - maxNames; more > 0 {
		return words.Phrase("%[1]s and %[2]s more", strings.Join(names[:maxNames], ", "), strconv.Itoa(more))
	}

	return strings.Join(names, ", ")
}

// moreNews is a value of summaries that morning mails read: what is not listed, without what asks for a decision.
const moreNews = "moreNews"

// summary returns one mail about many items: first what waits and what went wrong, then the number of all others.
func summary(to user.Brief, organisation string, all []item) mail.Message {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b item) int { return a.weight - b.weight })
	shown := sorted[:min(len(sorted), maxListed)]

	items := make([]mail.Item, len(shown))
	for i, x := range shown {
		items[i] = mail.Item{
			Title: words.Phrase("%[1]s: %[2]s", words.Phrase(x.headline), x.amount()),
			Text:  x.transaction,
			Asks:  x.weight == weightAction,
		}

		if x.why != "" {
			items[i].Text = words.Phrase("%[1]s %[2]s", x.transaction, x.why)
		}
	}

	return mail.Message{
		Kind:  mail.TransactionSummary,
		To:    to.Email,
		User:  to.ID,
		Items: items,
		Data: map[string]string{
			"name":         to.FirstName,
			"organisation": organisation,
			"count":        strconv.Itoa(len(all)),
			"more":         remainder(sorted[len(shown):]),
			moreNews: remainder(slices.DeleteFunc(slices.Clone(sorted[len(shown):]), func(x item) bool {
				return x.weight == weightAction
			})),
		},
	}
}

// remainder returns how many further items there are of each kind.
func remainder(items []item) string {
	if len(items) == 0 {
		return ""
	}

	count := map[string]int{}

	var order []string
	for _, x := range items {
		if count[x.headline]++; count[x.headline] == 1 {
			order = append(order, x.headline)
		}
	}

	kinds := make([]string, len(order))
	for i, headline := range order {
		kinds[i] = words.Phrase("%[1]s: %[2]s", words.Phrase(headline), strconv.Itoa(count[headline]))
	}

	return words.Phrase("And %[1]s more (%[2]s).", strconv.Itoa(len(items)), words.List(words.Commas, kinds...))
}
