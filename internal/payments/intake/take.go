package intake

import (
	"context"
	"errors"
	"strconv"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Order is what payments are made with.
type Order struct{ Token, Wallet, Network string }

// Taken is what became of a table.
type Taken struct {
	Entries                       []Entry
	Receivers, Accounts, Payments int // made by this run
	Transactions                  []string
}

// mostRuns is how often payments are looked for anew that somebody else has taken in meanwhile.
const mostRuns = 5

// Take makes what the rows of a table say, but for those that are left out: receivers and accounts in one write, all of
// them or none, and then drafts of 30 payments, each in a write of its own. It refuses a table with anything wrong in a
// row. A second call finds the payees, and makes no payment that is there already; so does one after a run that ended
// halfway.
func (s *Service) Take(ctx context.Context, t Table, o Options, order Order, done func(*db.Tx, Taken) error) error {
	organisation := caller.Of(ctx).Organisation

	entries, err := s.Check(ctx, s.DB, organisation, t, o.Without)
	if err != nil {
		return err
	}

	if err := sound(entries, order); err != nil {
		return err
	}

	out := Taken{Entries: entries}
	if err := s.payees(ctx, organisation, &out); err != nil {
		return err
	}

	if err := s.drafts(ctx, organisation, order, &out); err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error { return done(tx, out) })
}

// sound refuses a table with a fault in a row that is not left out, and payments without what they are paid with.
func sound(entries []Entry, order Order) error {
	var l fault.List

	pays := false

	for _, e := range entries {
		pays = pays || e.Payment != nil && e.Payment.Made == ""

		for _, f := range e.Faults {
			f.Pointer = rowAt(e) + "/" + f.Pointer
			l.Append(f)
		}
	}

	if pays && order.Token == "" {
		l.AddParameter("query", "token", fault.Required, "is required: the table has payments.")
	}

	if pays && order.Wallet == "" {
		l.AddParameter("query", "walletAddress", fault.Required, "is required: the table has payments.")
	}

	return l.Err()
}

func rowAt(e Entry) string { return "/rows/" + strconv.Itoa(e.Line) }

// payees makes the receivers and accounts that there are not, in one write.
func (s *Service) payees(ctx context.Context, organisation string, out *Taken) error {
	var fresh []int
	for i, e := range out.Entries {
		if !e.Out && e.NewAccount() {
			fresh = append(fresh, i)
		}
	}

	if len(fresh) > 0 {
		err := s.DB.Write(ctx, func(tx *db.Tx) error { return s.insert(ctx, tx, organisation, fresh, out) })
		if err != nil {
			return err
		}
	}

	for i, e := range out.Entries {
		if e.Like >= 0 {
			out.Entries[i].Receiver = out.Entries[e.Like].Receiver
			out.Entries[i].Account = out.Entries[e.Like].Account
		}
	}

	return nil
}

// insert is the body of the write of payees. Entries that it has filled in are replaced when it runs again.
func (s *Service) insert(ctx context.Context, tx *db.Tx, organisation string, fresh []int, out *Taken) error {
	if err := s.OrgApproved(ctx, tx, organisation); err != nil {
		return err
	}

	entries := append([]Entry{}, out.Entries...)
	receivers := 0

	accounts := 0

	for _, i := range fresh {
		e := entries[i]

		there, err := s.there(ctx, tx, &e)
		if err != nil {
			return err
		}

		if there { // since the table was checked
			entries[i] = e
			continue
		}

		switch {
		case e.Person >= 0:
			e.Receiver = entries[e.Person].Receiver
		case e.NewReceiver():
			e.Receiver.Owner = caller.Of(ctx).User
			receivers++

			if e.Receiver, err = receiver.Insert(ctx, tx, s.Payees, e.Receiver); err != nil {
				return err
			}
		}

		e.Account.Receiver = e.Receiver.ID
		accounts++

		if e.Account, err = s.Accounts.Add(ctx, tx, e.Account, 0); err != nil {
			return err
		}

		entries[i] = e
	}

	tx.OnCommit(func() {
		out.Entries = entries
		out.Receivers = receivers
		out.Accounts = accounts
	})

	return nil
}

// there looks once more for the account of an entry, in the write that would make it, and fills it in.
func (s *Service) there(ctx context.Context, tx *db.Tx, e *Entry) (bool, error) {
	all, err := numbered(ctx, tx, e.Account)
	if err != nil {
		return false, err
	}

	for _, a := range all {
		if spot(a) != spot(e.Account) {
			continue
		}

		r, err := receiver.ByID(ctx, tx, a.Organisation, a.Receiver)
		if err != nil {
			return false, err
		}

		if !r.Self {
			e.Account = a
			e.Receiver = r

			return true, nil
		}
	}

	return false, nil
}

// drafts makes the transactions of the payments that there are not.
func (s *Service) drafts(ctx context.Context, organisation string, order Order, out *Taken) error {
	for range len(out.Entries)/ofOne + mostRuns {
		left, err := s.left(ctx, organisation, out)
		if err != nil || len(left) == 0 {
			return err
		}

		err = s.draft(ctx, organisation, order, left[:min(len(left), ofOne)], out)
		if err != nil && !errors.Is(err, errMeanwhile) {
			return err
		}
	}

	return fault.New(fault.Unavailable, fault.Overloaded,
		"Another request takes in the same payments. Nothing is made twice; try again in a moment.")
}

// left returns the entries whose payments are not made, and notes what has become of the others.
func (s *Service) left(ctx context.Context, organisation string, out *Taken) (left []int, err error) {
	var keys []string

	of := map[string]int{}

	for i, e := range out.Entries {
		if e.Payment != nil && e.Payment.Made == "" {
			key := keyOf(organisation, e.Account.ID, *e.Payment)
			keys = append(keys, key)
			of[key] = i
		}
	}

	there, alive, err := alreadyMade(ctx, s.DB, organisation, keys)
	if err != nil {
		return nil, err
	}

	for _, key := range keys {
		i := of[key]
		if m, ok := there[key]; ok && alive[m.Transaction] {
			out.Entries[i].Payment.Made = m.Transaction
		} else {
			left = append(left, i)
		}
	}

	return left, nil
}

// draft makes one transaction of some entries, with their keys, in one write.
func (s *Service) draft(ctx context.Context, organisation string, order Order, of []int, out *Taken) error {
	in := transaction.Input{
		Type:          string(transaction.TypeFiat),
		Token:         order.Token,
		WalletAddress: order.Wallet,
		Network:       order.Network,
	}
	keys := make([]string, len(of))

	for n, i := range of {
		e := out.Entries[i]
		keys[n] = keyOf(organisation, e.Account.ID, *e.Payment)
		in.Payments = append(in.Payments, transaction.PaymentInput{
			Type:        in.Type,
			Receiver:    caller.Ref(e.Receiver.ID),
			BankAccount: caller.Ref(e.Account.ID),
			Amount:      e.Payment.Amount,
			Reason:      e.Payment.Reason,
			Reference:   e.Payment.Reference,
		})
	}

	var id string

	err := s.Transactions.Create(ctx, in, "", func(tx *db.Tx, t transaction.Transaction) error {
		id = t.ID
		return keep(ctx, tx, t, keys, of, out.Entries)
	})
	if err != nil {
		return placed(err, of, out.Entries)
	}

	for _, i := range of {
		out.Entries[i].Payment.Made = id
	}

	out.Payments += len(of)
	out.Transactions = append(out.Transactions, id)

	return nil
}

// keep writes the keys of a draft's payments. One that is there belongs to a draft that was deleted, or the write ends.
func keep(ctx context.Context, tx *db.Tx, t transaction.Transaction, keys []string, of []int, entries []Entry) error {
	there, alive, err := alreadyMade(ctx, tx, t.Organisation, keys)
	if err != nil {
		return err
	}

	for n, key := range keys {
		row := made{
			ID:           key,
			Organisation: t.Organisation,
			Transaction:  t.ID,
			Line:         int64(entries[of[n]].Line),
			CreatedAt:    tx.Now,
		}

		m, again := there[key]
		switch {
		case again && alive[m.Transaction]:
			return errMeanwhile

		case again:
			err := madeAgain.ChangeNow(tx, &row, "id = ? AND transaction_id = ?", key, m.Transaction)
			if err != nil {
				return err
			}

		default:
			madeRows.Insert(tx, &row)
		}
	}

	return nil
}

var madeAgain = madeRows.Only("transaction_id", "line", "created_at")

// errMeanwhile says that another request has taken in one of the same payments since they were looked for.
var errMeanwhile = errors.New("a payment was taken in by another request")

// placed puts rows in place of the positions of payments in a refusal.
func placed(err error, of []int, entries []Entry) error {
	f, ok := fault.As(err)
	if !ok {
		return err
	}

	var l fault.List

	for _, x := range f.Fields {
		for n, i := range of {
			at := transaction.PaymentAt(n)
			if x.Pointer == at || len(x.Pointer) > len(at) && x.Pointer[:len(at)+1] == at+"/" {
				x.Pointer = rowAt(entries[i]) + x.Pointer[len(at):]
				break
			}
		}

		l.Append(x)
	}

	if l.Empty() {
		return err
	}

	return l.Err()
}
