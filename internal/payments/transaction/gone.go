package transaction

import (
	"context"
	"slices"

	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

// noteDeletedReceivers says of drafts of one organisation which of their payments go to a receiver that was deleted, so
// that nobody finds out only at submit. Transactions that were submitted keep their own copy of the receiver and go on.
func noteDeletedReceivers(ctx context.Context, q db.Querier, views []View, all []Transaction) error {
	var (
		organisation string
		ids          []string
	)

	for _, t := range all {
		if t.Status != StatusDraft || t.begun || t.receiversThere {
			continue
		}

		organisation = t.Organisation
		ids = append(ids, receiversOf(t)...)
	}

	if len(ids) == 0 {
		return nil
	}

	slices.Sort(ids)

	gone, err := receiver.Deleted(ctx, q, organisation, slices.Compact(ids))
	if err != nil || len(gone) == 0 {
		return err
	}

	for i, t := range all {
		for j, p := range t.Payments {
			if t.Status == StatusDraft && gone[p.Receiver] {
				views[i].Payments[j].StatusInfo = deletedReceiver
				views[i].StatusInfo = "A payment goes to a receiver that was deleted."
			}
		}
	}

	return nil
}

// receiversOf are the receivers of a transaction's payments, each once for each payment.
func receiversOf(t Transaction) []string {
	ids := make([]string, len(t.Payments))
	for i, p := range t.Payments {
		ids[i] = p.Receiver
	}

	return ids
}
