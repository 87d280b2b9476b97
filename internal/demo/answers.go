//go:build !nosandbox

package demo

import "time"

// The answers, as far as the demo reads them.
type (
	record struct {
		ID     string `json:"_id"`
		Status string `json:"onboardingStatus"`
	}
	walletAnswer struct {
		ID        string `json:"_id"`
		Address   string `json:"address"`
		Analysis  string `json:"walletAnalysisStatus"`
		Ownership struct {
			Message string `json:"message"`
			Status  string `json:"status"`
		} `json:"ownership"`
	}
	paymentAnswer struct {
		ID            string `json:"_id"`
		Status        string `json:"status"`
		StatusInfo    string `json:"statusInfo"`
		Amount        string `json:"amount"`
		WalletAddress string `json:"walletAddress"`
		Currency      string `json:"currencyIsoCode"`
		TokenAmount   string `json:"tokenAmount"`
	}
	bankEffect struct {
		Rail       string `json:"rail"`
		EndToEndID string `json:"endToEndId"`
		Status     string `json:"status"`
		Payment    string `json:"payment"`
	}
	transactionAnswer struct {
		ID         string          `json:"_id"`
		Type       string          `json:"type"`
		Status     string          `json:"status"`
		Settlement string          `json:"settlementStatus"`
		StatusInfo string          `json:"statusInfo"`
		Token      string          `json:"token"`
		Payments   []paymentAnswer `json:"payments"`
		Totals     struct {
			TokenDebit  string `json:"tokenDebit"`
			TokenCredit string `json:"tokenCredit"`
			FiatIn      struct {
				Amount   string `json:"amount"`
				Currency string `json:"currencyIsoCode"`
			} `json:"fiatIn"`
		} `json:"totals"`
		Fees []struct {
			Type   string `json:"type"`
			Amount string `json:"amount"`
		} `json:"fees"`
		Bank  []bankEffect `json:"bank"`
		Chain []struct {
			TxHash        string `json:"txHash"`
			Status        string `json:"status"`
			BlockNumber   int64  `json:"blockNumber"`
			Confirmations int64  `json:"confirmations"`
			GasUsed       int64  `json:"gasUsed"`
		} `json:"chain"`
		Timeline []struct {
			Status     string    `json:"status"`
			Settlement string    `json:"settlementStatus"`
			At         time.Time `json:"at"`
		} `json:"timeline"`
	}
	allowanceAnswer struct {
		Sufficient      bool   `json:"sufficient"`
		Allowance       string `json:"allowance"`
		Required        string `json:"required"`
		HeadroomPercent string `json:"headroomPercent"`
		ApprovalCalls   []struct {
			To      string `json:"to"`
			Data    string `json:"data"`
			Purpose string `json:"purpose"`
		} `json:"approvalCalls"`
		Permit *struct {
			Manner    string `json:"manner"`
			Deadline  int64  `json:"deadline"`
			TypedData string `json:"typedData"`
		} `json:"permit"`
	}
)

// title returns what a transaction is about: its amount.
func (t transactionAnswer) title() string {
	if t.Type == "ONRAMP" {
		return t.Totals.FiatIn.Amount + " " + t.Totals.FiatIn.Currency
	}

	return t.Totals.TokenDebit + " " + t.Token
}

// atBank returns what the bank has done last for a payment, or the zero value.
func (t transactionAnswer) atBank(p paymentAnswer) (last bankEffect) {
	for _, b := range t.Bank {
		if b.Payment == p.ID {
			last = b
		}
	}

	return last
}

// payableAnswer is an invoice.
type payableAnswer struct {
	ID       string `json:"_id"`
	Name     string `json:"name"`
	Status   string `json:"status"`
	Amount   string `json:"amount"`
	Currency string `json:"currencyIsoCode"`
	Origin   string `json:"origin"`
	Payment  *struct {
		Transaction string `json:"transactionId"`
		Status      string `json:"status"`
	} `json:"payment"`
}
