//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// answered is the content of a status report about a payment file.
type answered struct {
	message    string // MsgId of the file
	count, sum string // as in the file
	refused    *refusal
	single     bool // it reports one payment only, later than the first report
	blocks     []blockStatus
	nacha      bool // of a Nacha file
}

type blockStatus struct {
	id       string
	payments []paymentStatus
	silent   int // payments without a status yet
}

type paymentStatus struct {
	payment payment
	status  string // ACCP, ACSP, PDNG, RJCT, or one of payeeCodes
	refused *refusal
}

// above returns what the levels above say of it, if all below them are alike.
func (p paymentStatus) above() string {
	if strings.Contains(payeeCodes, " "+p.status+" ") {
		return "RVCM"
	}

	return p.status
}

// status returns the common status of all payments of a block, or PART.
func (s blockStatus) status() string {
	if s.silent > 0 || len(s.payments) == 0 {
		return "PART"
	}

	for _, p := range s.payments {
		if p.above() != s.payments[0].above() {
			return "PART"
		}
	}

	return s.payments[0].above()
}

// status returns the status of a file.
func (a answered) status() string {
	if a.refused != nil {
		return "RJCT"
	}

	for _, s := range a.blocks {
		if a.single || s.status() != a.blocks[0].status() {
			return "PART"
		}
	}

	return a.blocks[0].status()
}

// outcome returns the same as a state of the books.
func (a answered) outcome() string {
	switch a.status() {
	case "RJCT":
		return fileRejected
	case "PART":
		return filePartial
	}

	return fileAccepted
}

// payments counts the payments in the report.
func (a answered) payments() (n int) {
	for _, s := range a.blocks {
		n += len(s.payments)
	}

	return n
}

// statusReport writes a pain.002.001.10. If a level has one status for everything below it, the lower levels are
// omitted, as banks do. A file without any status gets no report.
func (b *Bank) statusReport(ctx context.Context, t *sql.Tx, a answered) error {
	if a.refused == nil && a.payments() == 0 {
		return nil
	}

	if a.nacha {
		return b.nachaRefusals(ctx, t, a)
	}

	return b.answer(ctx, t, "pain.002", "", func(id string) []byte {
		return message("pain.002.001.10", func(d *document) {
			d.in("CstmrPmtStsRpt", func() {
				d.in("GrpHdr", func() {
					d.leaf("MsgId", id)
					d.leaf("CreDtTm", stamp(b.now()))
				})
				d.in("OrgnlGrpInfAndSts", func() {
					d.leaf("OrgnlMsgId", known(a.message))
					d.leaf("OrgnlMsgNmId", orderMessage)

					if _, err := strconv.Atoi(a.count); err == nil {
						d.leaf("OrgnlNbOfTxs", a.count)
					}

					d.leaf("GrpSts", a.status())
					d.reason(a.refused)
				})

				if a.refused != nil || a.status() == "ACCP" {
					return
				}

				for _, s := range a.blocks {
					if len(s.payments) > 0 {
						d.blockStatus(s, a.single)
					}
				}
			})
		})
	})
}

func known(id string) string {
	if id == "" || len(id) > 35 {
		return "NOTPROVIDED"
	}

	return id
}

func (d *document) blockStatus(s blockStatus, single bool) {
	d.in("OrgnlPmtInfAndSts", func() {
		d.leaf("OrgnlPmtInfId", s.id)

		status := s.status()
		if !single {
			d.leaf("PmtInfSts", status)
		}

		if status == "ACCP" {
			return
		}

		for _, p := range s.payments {
			d.in("TxInfAndSts", func() {
				d.leaf("OrgnlInstrId", p.payment.InstrID)
				d.leaf("OrgnlEndToEndId", p.payment.EndToEndID)

				if uetr.MatchString(p.payment.UETR) {
					d.leaf("OrgnlUETR", p.payment.UETR)
				}

				d.leaf("TxSts", p.status)
				d.reason(p.refused)
			})
		}
	})
}

func (d *document) reason(no *refusal) {
	if no == nil {
		return
	}

	d.in("StsRsnInf", func() {
		if no.code != "" {
			d.leaf("Rsn>Cd", no.code)
		}

		d.leaf("AddtlInf", shortened(no.text, 100))
	})
}

// advice writes a camt.054 with entries of one account.
func (b *Bank) advice(ctx context.Context, t *sql.Tx, a Account, list []entry) error {
	f, err := b.format(ctx, t)
	if err != nil {
		return err
	}

	return b.answer(ctx, t, "camt.054", a.ID, func(id string) []byte {
		return message("camt.054.001."+string(f.version), func(d *document) {
			d.in("BkToCstmrDbtCdtNtfctn", func() {
				d.in("GrpHdr", func() {
					d.leaf("MsgId", id)
					d.leaf("CreDtTm", stamp(b.now()))
				})

				d.in("Ntfctn", func() {
					d.leaf("Id", id)
					d.leaf("CreDtTm", stamp(b.now()))
					d.house(a, f)

					for _, e := range list {
						d.entry(e, f)
					}
				})
			})
		})
	})
}

// statement writes a camt.053 with the balances and booked entries of a day.
func (b *Bank) statement(
	ctx context.Context,
	t *sql.Tx,
	a Account,
	number int64,
	opening, closing *big.Int,
	list []entry,
) error {
	f, err := b.format(ctx, t)
	if err != nil {
		return err
	}

	on := list[0].at

	return b.answer(ctx, t, "camt.053", a.ID, func(id string) []byte {
		return message("camt.053.001."+string(f.version), func(d *document) {
			d.in("BkToCstmrStmt", func() {
				d.in("GrpHdr", func() {
					d.leaf("MsgId", id)
					d.leaf("CreDtTm", stamp(b.now()))
				})

				d.in("Stmt", func() {
					d.leaf("Id", fmt.Sprintf("%s-%d", shortened(a.ID, 20), number))
					d.leaf("ElctrncSeqNb", strconv.FormatInt(number, 10))
					d.leaf("LglSeqNb", strconv.FormatInt(number, 10))
					d.leaf("CreDtTm", stamp(b.now()))
					d.in("FrToDt", func() {
						d.leaf("FrDtTm", dayOf(on)+"T00:00:00Z")
						d.leaf("ToDtTm", dayOf(on)+"T23:59:59Z")
					})
					d.house(a, f)
					d.balance("OPBD", a.Currency, opening, on)
					d.balance("CLBD", a.Currency, closing, on)
					d.summary(list)

					for _, e := range list {
						d.entry(e, f)
					}
				})
			})
		})
	})
}

// format is how the bank writes its camt messages at present.
type format struct {
	version Version
	noRefs  bool // without AcctSvcrRef
}

func (b *Bank) format(ctx context.Context, t *sql.Tx) (format, error) {
	v, err := setting(ctx, t, wishVersion)
	if err != nil {
		return format{}, err
	}

	if v == "" {
		v = string(b.config.Version)
	}

	refs, err := setting(ctx, t, wishNoRefs)

	return format{version: Version(v), noRefs: refs != ""}, err
}

// house writes our account.
func (d *document) house(a Account, f format) {
	d.in("Acct", func() {
		number := a.StatementIBAN
		if number == "" {
			number = a.IBAN
		}

		if number == "" {
			number = a.AccountNumber
		}

		if soundIBAN(number) {
			d.leaf("Id>IBAN", number)
		} else {
			d.leaf("Id>Othr>Id", number)
		}

		d.leaf("Ccy", a.Currency)
		d.leaf("Ownr>Nm", a.Holder)

		if f.version == V02 {
			d.leaf("Svcr>FinInstnId>BIC", a.BIC)
		} else {
			d.leaf("Svcr>FinInstnId>BICFI", a.BIC)
		}
	})
}

func (d *document) balance(kind, currency string, units *big.Int, on int64) {
	d.in("Bal", func() {
		d.leaf("Tp>CdOrPrtry>Cd", kind)
		d.amount("Amt", currency, units)
		d.side(units.Sign() >= 0)
		d.leaf("Dt>Dt", dayOf(on))
	})
}

// summary writes the number and sums of a statement's entries.
func (d *document) summary(list []entry) {
	credits := new(big.Int)
	debits := new(big.Int)
	nc := 0

	nd := 0
	for _, e := range list {
		if e.credit {
			nc++
			credits.Add(credits, e.units)
		} else {
			nd++
			debits.Add(debits, e.units)
		}
	}

	currency := list[0].account.Currency
	d.in("TxsSummry", func() {
		d.leaf("TtlNtries>NbOfNtries", strconv.Itoa(nc+nd))

		d.in("TtlCdtNtries", func() {
			d.leaf("NbOfNtries", strconv.Itoa(nc))
			d.leaf("Sum", formatAmount(currency, credits))
		})

		d.in("TtlDbtNtries", func() {
			d.leaf("NbOfNtries", strconv.Itoa(nd))
			d.leaf("Sum", formatAmount(currency, debits))
		})
	})
}

// entry writes one entry with its details.
func (d *document) entry(e entry, f format) {
	currency := e.account.Currency

	d.in("Ntry", func() {
		d.amount("Amt", currency, e.units)
		d.side(e.credit)

		if e.reversal {
			d.leaf("RvslInd", "true")
		}

		if f.version == V02 {
			d.leaf("Sts", e.status)
		} else {
			d.leaf("Sts>Cd", e.status)
		}

		if e.status == statusBooked {
			d.leaf("BookgDt>Dt", dayOf(e.at))
		}

		d.leaf("ValDt>Dt", dayOf(e.at))

		if !f.noRefs {
			d.leaf("AcctSvcrRef", e.ref())
		}

		d.code(e.code)
		d.in("NtryDtls", func() {
			if len(e.details) > 1 {
				d.in("Btch", func() {
					d.leaf("MsgId", e.details[0].MsgID)
					d.leaf("PmtInfId", e.details[0].PmtInfID)
					d.leaf("NbOfTxs", strconv.Itoa(len(e.details)))
				})
			}

			for _, x := range e.details {
				d.in("TxDtls", func() { d.detail(e, x, f) })
			}
		})
	})
}

// code writes a bank transaction code: domain, family, sub-family.
func (d *document) code(c string) {
	parts := strings.SplitN(c, "/", 3)

	d.in("BkTxCd", func() {
		d.in("Domn", func() {
			d.leaf("Cd", parts[0])
			d.in("Fmly", func() {
				d.leaf("Cd", parts[1])
				d.leaf("SubFmlyCd", parts[2])
			})
		})
	})
}

// detail writes one transaction of an entry, in the element order of the schema's version.
func (d *document) detail(e entry, x detail, f format) {
	currency := e.account.Currency
	booked := mustUnits(x.Units)
	instructed := x.Instructed
	charges := x.Charges
	d.in("Refs", func() {
		d.leaf("MsgId", x.MsgID)

		if !f.noRefs {
			d.leaf("AcctSvcrRef", e.ref())
		}

		d.leaf("PmtInfId", x.PmtInfID)
		d.leaf("InstrId", x.InstrID)
		d.leaf("EndToEndId", known(x.EndToEndID))

		if f.version != V02 && uetr.MatchString(x.UETR) {
			d.leaf("UETR", x.UETR)
		}
	})

	if f.version != V02 {
		d.amount("Amt", currency, booked)
		d.side(e.credit)
	}

	d.in("AmtDtls", func() {
		if instructed != "" {
			d.in("InstdAmt", func() { d.amount("Amt", currency, mustUnits(instructed)) })
		}

		d.in("TxAmt", func() { d.amount("Amt", currency, booked) })
	})

	if charges != "" {
		d.charges(currency, mustUnits(charges), f)
	}

	d.parties(x, f)
	d.remittance(x)

	if x.ReturnReason != "" {
		d.leaf("RtrInf>Rsn>Cd", x.ReturnReason)
	}
}

// mustUnits parses what the books have written themselves.
func mustUnits(text string) *big.Int {
	units, err := unitsOf(orZero(text))
	if err != nil {
		panic(err) // a programming error
	}

	return units
}

func (d *document) charges(currency string, units *big.Int, f format) {
	d.in("Chrgs", func() {
		d.amount("TtlChrgsAndTaxAmt", currency, units)

		one := func() {
			d.amount("Amt", currency, units)
			d.side(false)
		}
		if f.version == V02 {
			one()
			return
		}

		d.in("Rcrd", one)
	})
}

func (d *document) parties(x detail, f format) {
	party := "Pty>Nm"
	if f.version == V02 {
		party = "Nm"
	}

	if x.Debtor+x.DebtorAccount+x.Creditor+x.CreditorAccount == "" {
		return
	}

	d.in("RltdPties", func() {
		d.leaf("Dbtr>"+party, x.Debtor)
		d.accountID("DbtrAcct", x.DebtorAccount)
		d.leaf("Cdtr>"+party, x.Creditor)
		d.accountID("CdtrAcct", x.CreditorAccount)
	})
}

func (d *document) remittance(x detail) {
	if len(x.Texts) == 0 && x.Reference == "" {
		return
	}

	d.in("RmtInf", func() {
		for _, text := range x.Texts {
			d.leaf("Ustrd", text)
		}

		if x.Reference == "" {
			return
		}

		d.in("Strd", func() {
			d.in("CdtrRefInf", func() {
				d.in("Tp", func() {
					if strings.HasPrefix(x.Reference, "RF") {
						d.leaf("CdOrPrtry>Cd", "SCOR") // ISO 11649
					} else {
						d.leaf("CdOrPrtry>Prtry", "QRR")
					}
				})

				d.leaf("Ref", x.Reference)
			})
		})
	})
}

// returnMessage writes a pacs.004.001.09 of a return, in addition to its booking.
func (b *Bank) returnMessage(
	ctx context.Context,
	t *sql.Tx,
	i instruction,
	e entry,
	fee *big.Int,
	reason string,
) error {
	return b.answer(ctx, t, "pacs.004", i.account.ID, func(id string) []byte {
		return message("pacs.004.001.09", func(d *document) {
			d.in("PmtRtr", func() {
				d.in("GrpHdr", func() {
					d.leaf("MsgId", id)
					d.leaf("CreDtTm", stamp(b.now()))
					d.leaf("NbOfTxs", "1")
					d.leaf("SttlmInf>SttlmMtd", "INDA")
				})

				d.in("TxInf", func() {
					d.leaf("RtrId", e.ref())
					d.in("OrgnlGrpInf", func() {
						// of the message between banks, which we never see
						d.leaf("OrgnlMsgId", fmt.Sprintf("INTERBANK-%012d", i.id))
						d.leaf("OrgnlMsgNmId", "pacs.008.001.08")
					})
					d.leaf("OrgnlInstrId", i.payment.InstrID)
					d.leaf("OrgnlEndToEndId", i.payment.EndToEndID)

					if uetr.MatchString(i.payment.UETR) {
						d.leaf("OrgnlUETR", i.payment.UETR)
					}

					d.amount("OrgnlIntrBkSttlmAmt", i.account.Currency, i.units)
					d.amount("RtrdIntrBkSttlmAmt", i.account.Currency, e.units)
					d.leaf("IntrBkSttlmDt", dayOf(e.at))

					if fee.Sign() > 0 {
						d.in("ChrgsInf", func() {
							d.amount("Amt", i.account.Currency, fee)
							d.leaf("Agt>FinInstnId>Nm", "Bank of the creditor")
						})
					}

					d.leaf("RtrRsnInf>Rsn>Cd", reason)
				})
			})
		})
	})
}
