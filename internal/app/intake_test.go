//go:build !nosandbox

package app_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/standards/iban"
)

// payeeList is a table of so many payees that nobody knows, each with a payment of so many cents and one euro.
func payeeList(count int) string {
	var out strings.Builder
	out.WriteString("Name;E-mail;Strasse;PLZ;Ort;Land;IBAN;BIC;Währung;Betrag;Verwendungszweck\n")

	for n := range count {
		number := fmt.Sprintf("00762%012d", n)
		fmt.Fprintf(
			&out,
			"Payee %c%c AG;bills%d@payee.example;Seestrasse %d;8002;Zürich;Switzerland;CH%s%s;SLWYCHZ0XXX;EUR;1,%02d;Invoice %d\n",
			'A'+n/26,
			'A'+n%26,
			n,
			n+1,
			iban.CheckDigits("CH", number),
			number,
			n%100,
			n,
		)
	}

	return out.String()
}

// tableOf is a file as JSON has it.
func tableOf(content string) object {
	return object{"fileBase64": base64.StdEncoding.EncodeToString([]byte(content))}
}

// table is what the service says of a table.
type table struct {
	Header  bool `json:"header"`
	Columns []struct {
		Column string `json:"column"`
	} `json:"columns"`
	Transactions []string `json:"transactions"`
	Rows         []struct {
		Line        int      `json:"line"`
		Makes       []string `json:"makes"`
		Name        string   `json:"name"`
		OtherName   string   `json:"otherName"`
		Receiver    string   `json:"receiver"`
		Transaction string   `json:"transaction"`
		Faults      []struct {
			Column  string `json:"column"`
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"faults"`
	} `json:"rows"`
	Totals struct {
		Receivers    int `json:"receivers"`
		BankAccounts int `json:"bankAccounts"`
		Payments     int `json:"payments"`
		Transactions int `json:"transactions"`
		MadeBefore   int `json:"madeBefore"`
		Faulty       int `json:"faulty"`
	} `json:"totals"`
}

// faults returns what is wrong with a row: column and code.
func (t table) faults(row int) (out []string) {
	for _, f := range t.Rows[row].Faults {
		out = append(out, f.Column+" "+f.Code)
	}

	return out
}

func checked(c *apptest.Client, content, query string) (t table) {
	c.Do("POST", "/imports/check"+query, tableOf(content)).OK(200).Into(&t)
	return t
}

// paidWith says what the payments of a table are made with.
func paidWith(c *apptest.Client) string {
	return "?token=USDC&walletAddress=" + url.QueryEscape(c.Payer.Address.Hex())
}

func taken(c *apptest.Client, content, more string) (t table) {
	c.Do("POST", "/imports"+paidWith(c)+more, tableOf(content)).OK(201).Into(&t)
	return t
}

// Sixty-five rows become as many payees and three transactions. The same table again, as it is or corrected in other
// rows, makes nothing twice; a draft that was deleted is made again.
func TestATableIsTakenInOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		content := payeeList(65)
		before := h.Count("SELECT count(*) FROM receivers")

		plan := checked(c, content, "")
		require.True(t, plan.Header)
		require.Zero(t, plan.Totals.Faulty, plan.Rows[0].Faults)
		require.Equal(t, []int{65, 65, 65, 3}, []int{
			plan.Totals.Receivers, plan.Totals.BankAccounts, plan.Totals.Payments, plan.Totals.Transactions,
		})
		require.Equal(t, before, h.Count("SELECT count(*) FROM receivers"), "to look makes nothing")

		part := taken(c, content, "&without[]=66&without[]=65")
		require.Len(t, part.Transactions, 3)
		require.Equal(t, 63, part.Totals.Payments)

		rest := taken(c, content, "")
		require.Len(t, rest.Transactions, 1, "it goes on where it was")
		require.Equal(t, []int{2, 2, 63}, []int{rest.Totals.Receivers, rest.Totals.Payments, rest.Totals.MadeBefore})
		require.Equal(t, rest.Transactions[0], rest.Rows[64].Transaction)

		again := taken(c, content, "")
		require.Empty(t, again.Transactions)
		require.Equal(t, 65, again.Totals.MadeBefore)
		require.Equal(t, part.Transactions[0], checked(c, content, "").Rows[0].Transaction)
		require.Equal(t, before+65, h.Count("SELECT count(*) FROM receivers"))
		require.EqualValues(t, 65, h.Count("SELECT count(*) FROM payments"))

		first := c.Do("GET", "/transactions/"+part.Transactions[0], nil).OK(200)
		require.Contains(t, first.Raw, `"amount":"1.01"`)
		require.Contains(t, first.Raw, `"reason":"Invoice 1"`)

		c.Do("DELETE", "/transactions/"+part.Transactions[0], nil).OK(200)
		require.Equal(t, 30, checked(c, content, "").Totals.Payments, "a draft that was deleted may be made again")
		require.Equal(t, 30, taken(c, content, "").Totals.Payments)
		require.Equal(t, 65, taken(c, content, "").Totals.MadeBefore)
	})
}

// Two that send the same table at the same time make it once.
func TestATableThatIsSentTwiceAtOnceIsTakenInOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		content := payeeList(35)
		before := h.Count("SELECT count(*) FROM receivers")

		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { c.Do("POST", "/imports"+paidWith(c), tableOf(content)) })
		}

		all.Wait()
		taken(c, content, "")
		require.Equal(t, before+35, h.Count("SELECT count(*) FROM receivers"))
		require.EqualValues(t, 35, h.Count("SELECT count(*) FROM bank_accounts WHERE NOT soft_deleted"))
		require.EqualValues(
			t,
			35,
			h.Count("SELECT count(*) FROM payments p JOIN transactions t ON t.id = p.transaction_id "+
				"WHERE NOT t.deleted"),
		)
	})
}

// Each row says at its column what is wrong with it. Nothing of the table is made before it is corrected or left out.
func TestEachRowOfATableSaysWhatIsWrongWithIt(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.NewBankAccount("EUR", "000")
		c.NewBankAccount("GBP", "000")

		const good = "bills@x.example;Seestrasse 1;8002;Zürich;CH;CH9300762011623852957;SLWYCHZ0XXX;EUR"
		content := "name;email;addressLine1;postCode;city;countryIsoCode;iban;bicSwift;currency;amount;reason;reference;key\n" +
			"Werft AG;" + good + ";10;Invoice;;\n" + // 2: right
			"Werft AG;" + good + ";ten;;RF00;\n" + // 3: the same payee
			"Other AG;no address;;;;;CH9300762011623852958;;EUR;;;;\n" + // 4
			"Alice Keller;;;;;;;;EUR;20;Fee;;one\n" + // 5: known by her name and the currency
			"Alice Keller;;;;;;;;;20;Fee;;one\n" + // 6: which account? and its key is there
			"Nobody;;;;;;;;EUR;20;Fee;;\n" + // 7
			"Alice Keller;other@x.example;;;;;CH5604835012345678009;SLWYCHZ0XXX;EUR;;;;\n" // 8: a name that is known

		plan := checked(c, content, "")

		var faults []string
		for i, r := range plan.Rows {
			for _, f := range plan.faults(i) {
				faults = append(faults, fmt.Sprintf("%d %s", r.Line, f))
			}
		}

		require.ElementsMatch(t, []string{
			"3 amount AMOUNT_INVALID",
			"3 reason REQUIRED",
			"3 reference CREDITOR_REFERENCE_INVALID",
			"4 iban BANK_ACCOUNT_NOT_VALIDATED",
			"4 bicSwift REQUIRED",
			"4 email FORMAT_INVALID",
			"4 addressLine1 REQUIRED",
			"6 name RECEIVER_AMBIGUOUS",
			"6 key NOT_ALLOWED",
			"7 iban REQUIRED",
			"8 email RECEIVER_AMBIGUOUS",
			"8 addressLine1 REQUIRED",
		}, faults)
		require.Equal(t, []string{"RECEIVER", "BANK_ACCOUNT", "PAYMENT"}, plan.Rows[0].Makes)
		require.Equal(t, []string{"PAYMENT"}, plan.Rows[1].Makes)
		require.Equal(t, []string{"PAYMENT"}, plan.Rows[3].Makes)

		before := h.Count("SELECT count(*) FROM receivers")
		refused := c.Do("POST", "/imports"+paidWith(c), tableOf(content)).OK(422)
		require.Contains(t, refused.Raw, `"/rows/7/iban"`)
		require.Equal(t, before, h.Count("SELECT count(*) FROM receivers"))
		require.Contains(t, c.Do("POST", "/imports?without[]=3&without[]=4&without[]=6&without[]=7&without[]=8",
			tableOf(content)).OK(422).Raw, `"walletAddress"`)

		made := taken(c, content, "&without[]=3&without[]=4&without[]=6&without[]=7&without[]=8")
		require.Equal(t, []int{1, 2}, []int{made.Totals.Receivers, made.Totals.Payments})

		limits := checked(c, "name;type;account type;city\nWerft;FIRM;x;"+strings.Repeat("ü", 71)+"\n"+
			"Somebody Else;;;\n", "")
		require.Subset(t, limits.faults(0), []string{"type NOT_IN_ENUM", "accountType NOT_IN_ENUM", "city TOO_LONG"})

		named := checked(c, "name;iban\nSomebody Else;CH93 0076 2011 6238 5295 7\nWERFT-AG;CH9300762011623852957\n", "")
		require.Equal(
			t,
			[]string{"Werft AG", "Somebody Else", ""},
			[]string{
				named.Rows[0].Name,
				named.Rows[0].OtherName,
				named.Rows[1].OtherName,
			},
			"the account counts, and a person is told",
		)

		other := h.Client("Berta")
		require.Equal(t, "REQUIRED", checked(other, content, "").Rows[3].Faults[0].Code, "what others know is not told")
		c.Do("POST", "/imports/check?columns[]=nothing&columns[]=name&columns[]=name", tableOf(content)).OK(422)
		c.Do("POST", "/imports/check", tableOf("\n;;\n")).OK(422)
		c.Do("POST", "/imports/check", tableOf("name\n"+strings.Repeat("a\n", 501))).OK(422)
		c.Do("POST", "/imports/check", tableOf(strings.Repeat("a\n", 501))).OK(422)
		require.Len(t, checked(c, "name\n"+strings.Repeat("a\n", 500), "").Rows, 500)
	})
}

// Columns are recognised by their cells where nothing names them, and can be corrected.
func TestColumnsOfATableAreRecognised(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.NewBankAccount("EUR", "000")

		columns := func(t table) (out []string) {
			for _, c := range t.Columns {
				out = append(out, c.Column)
			}

			return out
		}
		pasted := "Alice Keller\t1'250.50\tEUR\tInvoice 7\nAlice Keller\t20,00\tEUR\tInvoice 8"

		plan := checked(c, pasted, "")
		require.False(t, plan.Header)
		require.Equal(t, []string{"name", "amount", "currency", "reason"}, columns(plan))
		require.Equal(t, 2, plan.Totals.Payments)

		plan = checked(c, pasted, "?columns[]=name&columns[]=amount&columns[]=-&columns[]=reference&header=true")
		require.Equal(t, []string{"name", "amount", "-", "reference"}, columns(plan))
		require.Len(t, plan.Rows, 1)

		plan = checked(c, "Bénéficiaire;Montant;Communication;Remarque\nAlice Keller;1.250,50;Facture;x", "")
		require.Equal(t, []string{"name", "amount", "reason", "-"}, columns(plan))

		template := c.Do("GET", "/imports/template", nil).OK(200).Raw
		require.Len(t, columns(checked(c, template+strings.Repeat("x;", 22), "")), strings.Count(template, ";")+1)
	})
}

// New payees wait for a second person, and their payments are drafts all the same. One who is not to write takes in
// nothing.
func TestPayeesOfATableAreUnderTheRules(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.Colleague("Berta", "authorized", "admin")
		viewer := c.Colleague("Cleo", "viewer")
		c.Do("PUT", "/organisations/"+c.Org+"/approval-policy", object{
			"fourEyes": true, "payeeApproval": true, "payeeDelayHours": 0,
		}).OK(200)

		made := taken(c, payeeList(2), "")
		require.Len(t, made.Transactions, 1)
		require.EqualValues(
			t,
			2,
			h.Count("SELECT count(*) FROM approvals WHERE status = 'PENDING' AND kind = 'RECEIVER'"),
		)
		require.Contains(
			t,
			c.Act(made.Transactions[0], "submit").OK(422).Raw,
			"PAYEE_NOT_APPROVED",
			"nothing is paid before",
		)

		viewer.Do("POST", "/imports/check", tableOf(payeeList(2))).OK(403)
	})
}

// A payment file is a table, too. Its payments are known by what the file calls them.
func TestAPaymentFileIsTakenIn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		var known struct {
			IBAN string `json:"iban"`
		}
		c.Do("GET", "/bank-accounts/"+c.NewBankAccount("EUR", "000"), nil).OK(200).Into(&known)

		file := func(message string) string {
			payment := func(name, number, rest string) string {
				return `<CdtTrfTxInf><PmtId><EndToEndId>E2E-1</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt>` +
					`<Cdtr><Nm>` + name + `</Nm>` + rest + `</Cdtr><CdtrAcct><Id><IBAN>` + number + `</IBAN></Id></CdtrAcct>` +
					`<RmtInf><Ustrd>Invoice 7</Ustrd></RmtInf></CdtTrfTxInf>`
			}

			return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">` +
				`<CstmrCdtTrfInitn><GrpHdr><MsgId>` + message + `</MsgId></GrpHdr><PmtInf><PmtInfId>B</PmtInfId>` +
				payment(
					"Alice Keller",
					known.IBAN,
					"",
				) +
				strings.Replace(
					payment("Werft AG", "CH5604835012345678009", `<PstlAdr><StrtNm>Seestrasse</StrtNm>`+
						`<BldgNb>1</BldgNb><TwnNm>Zürich</TwnNm><Ctry>CH</Ctry></PstlAdr>`),
					"E2E-1",
					"E2E-2",
					1,
				) +
				`</PmtInf></CstmrCdtTrfInitn></Document>`
		}

		plan := checked(c, file("M1"), "")
		require.Equal(t, []string{"PAYMENT"}, plan.Rows[0].Makes)
		require.Empty(t, plan.Rows[0].Faults)

		require.ElementsMatch(
			t,
			[]string{"email REQUIRED", "bicSwift REQUIRED"},
			plan.faults(1),
			"no payment file has it",
		)

		require.Equal(t, 1, taken(c, file("M1"), "&without[]=3").Totals.Payments)
		require.Equal(t, 1, taken(c, file("M1"), "&without[]=3").Totals.MadeBefore)
		require.Equal(t, 1, taken(c, file("M2"), "&without[]=3").Totals.Payments, "another file with the same payment")
		c.Do("POST", "/imports/check", tableOf(strings.Replace(file("M1"), "</Document>", "", 1))).OK(422)
	})
}
