package invoice

import "slipway/internal/payments/invoicelink"

// standing is what became of an invoice, as its page shows it.
type standing struct {
	title    string
	Said     string  // in the visitor's language, below the title
	Stages   []stage // what is past, and where it is now
	Declined bool
	Waits    bool // somebody has yet to decide
}

// standing returns what became of the invoice.
func (v *visit) standing() standing {
	var (
		out  standing
		now  int
		name = v.link.Info.Organisation
	)

	switch v.link.Progress {
	case invoicelink.InReview:
		out.title = "Your invoice is being looked at"
		out.Said = v.words.Say("%s has taken it over, and somebody there has yet to approve it.", name)
		out.Waits = true
		now = 1

	case invoicelink.Agreed:
		out.title = "Your invoice is approved"
		out.Said = v.words.Say("%s will pay you as you have said.", name)
		now = 2

	case invoicelink.PaidOut:
		out.title = "Your invoice is paid"
		out.Said = v.words.Say("%[1]s paid you on %[2]s.", name, v.words.Day(v.link.PaidAt))
		now = 3

	case invoicelink.Declined:
		out.title = "Your invoice will not be paid"
		out.Said = v.words.Say("%s has declined it. Ask there for the reason, and name the reference.", name)
		out.Declined = true

		return out

	case invoicelink.Received:
		out.title = "Your invoice has arrived"
		out.Said = v.words.Say("%[1]s has it. A mail to %[2]s says so, too.", name, v.link.Info.Email)
		out.Waits = true
	}

	for i, stageName := range []string{"Received", "Being looked at", "Approved", "Payment made"} {
		out.Stages = append(out.Stages, stage{Name: stageName, Past: i < now, Now: i == now})
	}

	return out
}
