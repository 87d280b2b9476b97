//go:build !nosandbox

package matrix

import (
	"fmt"
	"time"
)

// payable is a draft of something that the organisation is to pay to its payee.
func (s *stage) payable(o *tenant) string {
	return s.send(call{
		method: "POST",
		path:   "/payables",
		token:  o.admin,
		body: fmt.Sprintf(
			`{"name":%q,"amount":"1.25","reason":"Rent","receiver":%q,"type":"CRYPTO","wallet":%q,"tokenIsoCode":"USDC"}`,
			o.mark,
			o.receiver,
			o.payee,
		),
	}).is(201).text("_id")
}

// approvedPayable is one that was approved.
func (s *stage) approvedPayable(o *tenant) string {
	id := s.payable(o)
	s.exec("UPDATE payables SET status = 'APPROVED', fingerprint = 'x' WHERE id = ?", id)
	return id
}

// later is a day after today.
func (s *stage) later() string { return s.app.DB.Now().UTC().AddDate(0, 0, 7).Format(time.DateOnly) }

// schedule is a payment to its payee that nobody has accepted yet.
func (s *stage) schedule(o *tenant) string {
	return s.send(call{
		method: "POST",
		path:   "/schedules",
		token:  o.admin,
		body: fmt.Sprintf(
			`{"type":"CRYPTO","token":"USDC","walletAddress":%q,"network":"net_dev","payments":[{"type":"CRYPTO",`+
				`"receiver":%q,"wallet":%q,"amount":"1.25","reason":%q}],"firstDay":%q}`,
			o.payer.Address.Hex(),
			o.receiver,
			o.payee,
			o.mark,
			s.later(),
		),
	}).is(201).text("_id")
}
