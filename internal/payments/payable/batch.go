package payable

import (
	"context"
	"strconv"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// maxPayers is how many of an organisation's own wallets are asked for their balance, the oldest ones.
const maxPayers = 10

// Pay makes a DRAFT transaction that pays approved payables of one type, at most MaxBatch. Which of the organisation's
// own wallets pays is decided here (payer), and told by the answer. It reserves the payables in the same write. Of many
// concurrent callers, one gets a payable (N-03). An empty token means the organisation's default. A second call is
// refused: they are reserved.
func (s *Service) Pay(ctx context.Context, ids []string, token string, done transaction.Done) error {
	return s.pay(ctx, ids, token, nil, done)
}

// pay is Pay. again holds the failed payments that are made again, by payable.
func (s *Service) pay(
	ctx context.Context,
	ids []string,
	token string,
	again map[string]string,
	done transaction.Done,
) error {
	org := caller.Of(ctx).Organisation

	all, err := s.payables(ctx, org, ids)
	if err != nil {
		return err
	}

	o, err := organisation.ByID(ctx, s.DB, org)
	if err != nil {
		return err
	}

	if token == "" {
		token = o.DefaultToken
	}

	if err := checkToken(all, token); err != nil {
		return err
	}

	networks, err := s.networks(ctx, org, all)
	if err != nil {
		return err
	}

	in, authors := draftOf(all, token, again)

	from, err := s.payer(ctx, o, in, networks)
	if err != nil {
		return translate(err)
	}

	in.WalletAddress = from.Address
	in.Network = from.Network

	err = s.Transactions.CreateOfPayables(ctx, in, authors, func(tx *db.Tx, t transaction.Transaction) error {
		for i, p := range all {
			if err := reserve(tx, p, t.ID, i); err != nil {
				return err
			}
		}

		return nil
	}, done)
	if db.Overtaken(err, "payable_reservations", "payables") {
		if _, why := s.payables(ctx, org, ids); why != nil {
			return why
		}

		return fault.New(
			fault.Conflict,
			fault.PayableChanged,
			"A payable was changed at the same moment. Read them again.",
		)
	}

	return translate(err)
}

// draftOf returns a transaction that pays payables, without the wallet that pays, and who has had a part in them.
func draftOf(all []Payable, token string, again map[string]string) (in transaction.Input, authors approval.People) {
	in = transaction.Input{Type: string(all[0].Type), Token: token}

	for _, p := range all {
		payment := p.payment()
		payment.Again = again[p.ID]
		in.Payments = append(in.Payments, payment)
		authors = authors.And(p.Authors)
	}

	return in, authors
}

// reserve reserves a payable as the payment at a position. It does so twice: by its own row, guarded by what was read,
// and by a row with a unique index that allows only one live reservation.
func reserve(tx *db.Tx, p Payable, transactionID string, position int) error {
	next := p
	next.Transaction = transactionID

	next.Position = position
	if _, err := write(tx, p, next, Approved); err != nil {
		return err
	}

	reservationRows.Insert(tx, &reservation{
		transaction: transactionID,
		payable:     p.ID,
		position:    position,
		invoice:     p.InvoiceNumber,
		at:          tx.Now,
	})

	return nil
}

// payables reads what is to be paid. It refuses all that cannot be paid, at once.
func (s *Service) payables(ctx context.Context, org string, ids []string) ([]Payable, error) {
	found, err := ByIDs(ctx, s.DB, org, ids)
	if err != nil {
		return nil, err
	}

	var l fault.List
	out := make([]Payable, len(ids))
	first := map[string]bool{}

	kind := Type("")
	for i, id := range ids {
		p, ok := found[id]

		refuse := func(code fault.Code, message string, args ...any) { l.Add(idAt(i), code, message, args...) }
		switch {
		case first[id]:
			refuse(fault.PayableTwice, "stands twice.")
		case !ok:
			refuse(fault.PayableUnknown, "is not a payable of your organisation.")
		case p.Status != Approved:
			refuse(fault.PayableNotApproved, "is %s; only payables that are APPROVED can be paid.", p.Status)
		case p.Transaction != "":
			refuse(fault.PayableReserved, "belongs to transaction %s.", p.Transaction)
		case kind != "" && p.Type != kind:
			refuse(fault.PayableTypeMixed, "is %s and not %s like those before it.", p.Type, kind)
		default:
			kind = p.Type
		}

		out[i] = p
		first[id] = true
	}

	return out, l.Err()
}

func idAt(i int) string { return "/payableIds/" + strconv.Itoa(i) }

// checkToken refuses a missing token, or one that differs from a CRYPTO payable's: nothing is swapped.
func checkToken(all []Payable, token string) error {
	var l fault.List
	if token == "" {
		l.Add("/token", fault.Required, "is required: your organisation has no default token.")
		return l.Err()
	}

	for i, p := range all {
		if code := p.Amount.Asset().Code; p.Type == Crypto && code != token {
			l.Add(idAt(i), fault.TokenSwapMissing, "is to be paid in %s; no swap from %s is offered.", code, token)
		}
	}

	return l.Err()
}

// networks returns the networks of the receiving wallets; none for FIAT.
func (s *Service) networks(ctx context.Context, org string, all []Payable) (map[string]bool, error) {
	out := map[string]bool{}

	ids := []string{}
	for _, p := range all {
		if p.Type == Crypto {
			ids = append(ids, p.Wallet)
		}
	}

	wallets, err := wallet.ByIDs(ctx, s.DB, org, ids)
	for _, w := range wallets {
		out[w.Network] = true
	}

	return out, err
}

// payer returns the wallet that pays: the organisation's default one, else the oldest one that holds the sum now, else
// the oldest one. Only wallets of its own that are proven and could pay these payables count. Whether the wallet may be
// used is checked with the transaction, as for any wallet.
func (s *Service) payer(
	ctx context.Context,
	o organisation.Organisation,
	in transaction.Input,
	networks map[string]bool,
) (wallet.Wallet, error) {
	all, err := s.payers(ctx, o, in.Token, networks)
	if err != nil {
		return wallet.Wallet{}, err
	}

	for _, w := range all {
		if w.ID == o.DefaultWallet {
			return w, nil
		}
	}

	switch len(all) {
	case 0:
		return wallet.Wallet{}, fault.New(
			fault.Invalid,
			fault.DefaultWallet,
			"None of your organisation's own wallets is proven and on a network where %s can pay these payables: "+
				"add one with POST /wallets.",
			in.Token,
		)

	case 1:
		return all[0], nil
	}

	in.WalletAddress = all[0].Address
	in.Network = all[0].Network

	debit, err := s.Transactions.DebitOf(ctx, in)
	if err != nil {
		return all[0], err
	}

	for _, w := range all[:min(len(all), maxPayers)] {
		left, known, err := s.Transactions.Spendable(ctx, w, in.Token)
		if err != nil {
			return w, err
		}

		if known && left.Cmp(debit) >= 0 {
			return w, nil
		}
	}

	return all[0], nil
}

// payers returns the organisation's own wallets that could pay, oldest first; those that may be used now come before
// others.
func (s *Service) payers(
	ctx context.Context,
	o organisation.Organisation,
	token string,
	networks map[string]bool,
) (usable []wallet.Wallet, err error) {
	self, err := receiver.Self(ctx, s.DB, o.ID)
	if err != nil {
		return nil, err
	}

	own, err := wallet.OfReceiver(ctx, s.DB, o.ID, self.ID)
	if err != nil {
		return nil, err
	}

	var others []wallet.Wallet
	for _, w := range own {
		fits, err := s.fits(ctx, w, token, networks)

		switch {
		case err != nil:
			return nil, err
		case !fits || w.Ownership != wallet.OwnershipVerified:
		case w.Usable(s.DB.Now()) == nil:
			usable = append(usable, w)
		default:
			others = append(others, w)
		}
	}

	return append(usable, others...), nil
}

// fits reports whether a wallet is on the payees' network, and the token exists there.
func (s *Service) fits(ctx context.Context, w wallet.Wallet, token string, networks map[string]bool) (bool, error) {
	for n := range networks {
		if n != w.Network {
			return false, nil
		}
	}

	_, err := network.TokenOn(ctx, s.DB, w.Network, token)
	if _, refused := fault.As(err); refused {
		return false, nil
	}

	return err == nil, err
}

// payment returns the transaction's payment for the payable.
func (p Payable) payment() transaction.PaymentInput {
	in := p.input()

	return transaction.PaymentInput{
		Type:               in.Type,
		Receiver:           in.Receiver,
		Amount:             in.Amount,
		Reason:             p.Reason,
		Reference:          in.Reference,
		Instructions:       in.Instructions,
		DocumentStorageKey: in.DocumentStorageKey,
		TokenIsoCode:       in.TokenIsoCode,
		Wallet:             in.Wallet,
		BankAccount:        in.BankAccount,
		CurrencyIsoCode:    in.CurrencyIsoCode,
	}
}

// translate rewrites a transaction's refusals for the fields that the caller has sent: payment 3 is the fourth payable.
func translate(err error) error {
	f, ok := fault.As(err)
	if !ok || len(f.Fields) == 0 {
		return err
	}

	var l fault.List
	for _, x := range f.Fields {
		rest, ofPayment := strings.CutPrefix(x.Pointer, "/payments/")
		position, field, _ := strings.Cut(rest, "/")

		i, err := strconv.Atoi(position)
		switch {
		case ofPayment && err == nil:
			l.Add(idAt(i), x.Code, "%s", strings.TrimSpace(field+" "+x.Message))
		case x.Pointer == "/walletAddress" || x.Pointer == "/network": // which the request does not have
			l.Add("", x.Code, "The paying wallet, or its network: %s", x.Message)
		default:
			l.Append(x)
		}
	}

	return l.Err()
}
