package bank

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/iso20022/pain"
)

// filesAtOnce limits the files that one round processes.
const filesAtOnce = 64

// renderAll renders the files whose payouts are selected.
func (r *Rail) renderAll(ctx context.Context) error {
	files, err := filesIn(ctx, r.db, FileSelected, filesAtOnce)
	if err != nil {
		return err
	}

	var problems []error

	for _, f := range files {
		if err := r.render(ctx, f); err != nil && !errors.Is(err, db.ErrStale) {
			problems = append(problems, fmt.Errorf("file %s: %w", f.ID, err))
		}
	}

	return errors.Join(problems...)
}

// render builds a file's bytes from its rows alone, so that each attempt gives the same bytes, and stores them with
// their hash.
func (r *Rail) render(ctx context.Context, f fileRow) error {
	account, err := r.Account(f.House)
	if err != nil {
		return fmt.Errorf("house account %s: %w", f.House, err)
	}

	rows, err := payouts(ctx, r.db, inFile+" AND state = 'PLANNED' ORDER BY id", f.ID)
	if err != nil {
		return err
	}

	if int64(len(rows)) != f.Payouts || controlSum(rows) != f.ControlSum {
		return fmt.Errorf(
			"it should hold %d payouts, %s in total, but has %d, %s in total",
			f.Payouts,
			f.ControlSum,
			len(rows),
			controlSum(rows),
		)
	}

	content, changes, err := pain.Render(initiation(f, account, r.c.Name, rows))

	var refused *pain.Refused
	if errors.As(err, &refused) {
		return r.holdRefused(ctx, f, rows, refused)
	}

	if err != nil {
		return err
	}

	if len(changes) > 0 {
		r.log.Info("texts were changed to the character set of the rail", "file", f.ID, "changes", len(changes))
	}

	failpoint.Hit("bank.bytes_built")

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		now := f
		now.State = FileStored
		now.Reason = ""
		now.SHA256 = hashOf(content)
		now.Size = int64(len(content))
		tx.Insert(insertFileBytes, f.ID, sealedBytes.OfBytes(db.Key{f.ID}, content))
		noteFile(tx, f, now)

		return nil
	})

	failpoint.Hit("bank.bytes_saved")

	return err
}

// holdRefused holds the payouts that cannot be rendered, each with its reason, so that the others can leave. Plan has
// tried to render each of them, so this happens only if the rules changed in between.
func (r *Rail) holdRefused(ctx context.Context, f fileRow, rows []payoutRow, refused *pain.Refused) error {
	blocks := blocksOf(rows)
	reasons := map[string]string{}

	for _, fault := range refused.Faults {
		p, ok := faultyPayout(blocks, fault.Path)
		if !ok {
			// it concerns the account or the complete file: an operator must correct the configuration
			return fmt.Errorf("cannot be written: %w", refused)
		}

		reasons[p.ID] = strings.TrimPrefix(
			reasons[p.ID]+"; "+fault.Path[strings.LastIndex(fault.Path, "/")+1:]+": "+fault.Detail,
			"; ",
		)
	}

	return r.db.Write(ctx, func(tx *db.Tx) error {
		var left []payoutRow

		for _, p := range rows {
			if reasons[p.ID] == "" {
				left = append(left, p)
				continue
			}

			if err := r.hold(
				ctx,
				tx,
				p,
				HoldUnwritable,
				"cannot be written into a payment file: "+reasons[p.ID],
			); err != nil {
				return err
			}
		}

		now := f
		now.Payouts = int64(len(left))

		now.ControlSum = controlSum(left)
		if len(left) == 0 {
			now.State = FileDropped
			now.Reason = "none of its payouts could be written"
			noteFile(tx, f, now)

			return nil
		}

		noteFile(tx, f, now)
		renameFile(tx, now, messageOfRows(f.House, f.Rail, left))

		return nil
	})
}

// block holds the payouts of a file with the same charges, in the order of the file.
type block struct {
	charges string
	rows    []payoutRow
}

func blocksOf(rows []payoutRow) []block {
	var out []block

	for _, charges := range []string{"OUR", "SHA", "BEN"} {
		b := block{charges: charges}

		for i := range rows {
			if rows[i].Charges != charges {
				continue
			}

			if b.rows == nil {
				b.rows = make([]payoutRow, 0, len(rows)-i)
			}

			b.rows = append(b.rows, rows[i])
		}

		if len(b.rows) > 0 {
			out = append(out, b)
		}
	}

	return out
}

// faultyPayout returns the payout that a path such as /blocks/0/transfers/3/creditor/name refers to.
func faultyPayout(blocks []block, path string) (payoutRow, bool) {
	parts := strings.Split(path, "/")
	if len(parts) < 5 || parts[1] != "blocks" || parts[3] != "transfers" {
		return payoutRow{}, false
	}

	b, err1 := strconv.Atoi(parts[2])

	t, err2 := strconv.Atoi(parts[4])
	if err1 != nil || err2 != nil || b < 0 || t < 0 || b >= len(blocks) || t >= len(blocks[b].rows) {
		return payoutRow{}, false
	}

	return blocks[b].rows[t], true
}

// initiation builds a file's content from its rows.
func initiation(f fileRow, a HouseAccount, initiator string, rows []payoutRow) pain.Initiation {
	debtor := pain.Party{
		Name:    a.Holder,
		Address: pain.Address{Street: a.HolderStreet, PostCode: a.HolderPostCode, Town: a.HolderTown},
	}
	if a.HolderTown != "" {
		debtor.Address.Country = a.Country
	}

	d := pain.Initiation{
		MsgID:           f.MessageID,
		CreatedAt:       db.Time(f.Created),
		InitiatingParty: pain.Party{Name: a.Holder},
		Guideline:       a.guideline(f.Rail),
	}
	if initiator != "" {
		d.InitiatingParty.Name = initiator
	}

	for _, b := range blocksOf(rows) {
		out := pain.Block{
			PmtInfID:      blockID(d.MsgID, b.charges),
			Debtor:        debtor,
			Service:       services()[f.Rail],
			ExecutionDate: f.ExecuteOn,
			Charges:       pain.Charges(b.charges),
			SingleBooking: true, // each payment becomes COMPLETED by its own debit
			DebtorAccount: pain.Account{IBAN: iban.Normalise(a.IBAN), Number: a.AccountNumber, Currency: a.Currency},
			DebtorAgent: pain.Agent{
				BIC:      a.BIC,
				SortCode: a.SortCode,
				ABA:      a.RoutingNumber,
				IFSC:     a.IFSC,
			},
		}
		if out.DebtorAccount.IBAN != "" {
			out.DebtorAccount.Number = ""
		}

		out.Transfers = make([]pain.Transfer, len(b.rows))
		for i := range b.rows {
			out.Transfers[i] = transfer(&b.rows[i])
		}

		d.Blocks = append(d.Blocks, out)
	}

	return d
}

// accountTypes maps the account types of ACH to ISO 20022 codes.
var accountTypes = map[string]string{"CHECKING": "CACC", "SAVINGS": "SVGS"}

func transfer(p *payoutRow) pain.Transfer {
	to := p.Creditor.Party
	account := p.Creditor.Account

	t := pain.Transfer{
		EndToEndID: p.EndToEndID, // also the InstrId; it is the same in every database
		UETR:       p.UETR,
		Amount:     money.Format(amount(p.Currency, p.Units).Units(), Asset(p.Currency).Decimals),
		Currency:   p.Currency,
		Purpose:    p.Purpose,
		Remittance: p.Remittance,
		Creditor: pain.Party{
			Name:    to.Name,
			Address: pain.Address{Street: to.Street, Building: to.BuildingNumber, PostCode: to.PostCode, Town: to.Town},
		},
		CreditorAccount: pain.Account{
			IBAN:   iban.Normalise(account.IBAN),
			Number: account.AccountNumber,
			Type:   accountTypes[account.AccountType],
		},
		CreditorAgent: pain.Agent{
			BIC:      account.BIC,
			SortCode: account.SortCode,
			ABA:      account.RoutingNumber,
			IFSC:     account.IFSC,
			Name:     account.BankName,
		},
	}
	if t.CreditorAccount.IBAN != "" {
		t.CreditorAccount.Number = ""
	}

	switch {
	case p.Reference == "":
	case structured(p.Rail): // one of the two, never both
		t.Reference = p.Reference
		t.Remittance = ""
	default:
		t.Remittance = before(p.Reference, p.Remittance)
	}

	t.Creditor.Address.Country = to.Country
	if to.Town == "" && p.Rail != "SWIFT" { // banks refuse an address without a town, and SWIFT alone needs one
		t.Creditor.Address = pain.Address{}
	}

	if sepa(p.Rail) && !sameCountry(account.BIC, t.CreditorAccount.IBAN) {
		t.CreditorAgent.BIC = "" // the IBAN leads to the bank, and banks may refuse another country beside it
	}

	if account.Country != "" && account.BIC == "" && account.BankName != "" {
		t.CreditorAgent.Address.Country = account.Country
	}

	return t
}

// sepa reports whether a rail is one of the SEPA schemes.
func sepa(rail string) bool { return rail == "SEPA" || rail == "SEPA_INSTANT" }

// structured reports whether payments on a rail have a field for a creditor reference.
func structured(rail string) bool { return sepa(rail) || rail == "SIC" }

// before returns a text with a reference in front.
func before(reference, text string) string { return strings.TrimSpace(reference + " " + text) }

// sameCountry reports whether a BIC and an IBAN are of one country, as far as both are well formed.
func sameCountry(bic, number string) bool {
	b, err := bankcode.ParseBIC(bic)
	x, err2 := iban.Parse(number)

	return err != nil || err2 != nil || b.Country() == x.Country()
}
