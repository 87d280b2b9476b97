package receiver

import (
	"fmt"

	"slipway/internal/standards/iso20022/pain"
)

// NameUnwritable is the code of a remark about a text that payments by bank cannot carry.
const NameUnwritable = "NAME_UNWRITABLE"

// RemarkView is a remark about one field of a receiver. It refuses nothing: a receiver may be paid in tokens alone.
type RemarkView struct {
	Pointer  string `json:"pointer" example:"/legalName" doc:"the field, as a JSON pointer into the receiver"`
	Code     string `json:"code" enum:"NAME_UNWRITABLE" doc:"NAME_UNWRITABLE: no payment by bank can carry some of its characters, and validate would refuse it"`
	Message  string `json:"message" doc:"what it is, for people" example:"A payment by bank cannot carry %."`
	Proposal string `json:"proposal,omitempty" example:"100 percent Pure AG" doc:"a text for the field that can be carried; null: only the receiver knows one"`
}

// remarksOf returns the remarks about a receiver: the texts of it that a bank must be able to write, and cannot.
func remarksOf(r Receiver) []RemarkView {
	out := []RemarkView{}

	for _, f := range []struct{ pointer, text string }{
		{"/firstName", r.FirstName},
		{"/middleName", r.MiddleName},
		{"/lastName", r.LastName},
		{"/legalName", r.LegalName},
		{"/address/city", r.Address.City},
	} {
		characters, proposal := pain.Unwritable(f.text)
		if characters == "" {
			continue
		}

		remark := RemarkView{
			Pointer:  f.pointer,
			Code:     NameUnwritable,
			Message:  fmt.Sprintf("A payment by bank cannot carry %s. Write it in Latin letters.", characters),
			Proposal: proposal,
		}
		if proposal != "" {
			remark.Message = fmt.Sprintf(
				"A payment by bank cannot carry %s. Write %q, for example.",
				characters,
				proposal,
			)
		}

		out = append(out, remark)
	}

	return out
}
