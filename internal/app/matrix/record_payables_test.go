//go:build !nosandbox

package matrix

import "fmt"

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
