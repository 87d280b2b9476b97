package receiver

import (
	"fmt"
	"strings"

	"slipway/internal/standards/iso20022/pain"
	"slipway/internal/standards/lookalike"
)

// The codes of remarks.
const (
	NameUnwritable = "NAME_UNWRITABLE" // a text that payments by bank cannot carry
	NameMixed      = "NAME_MIXED"      // a word in letters of several scripts, which is not what it looks like
)

// RemarkView is a remark about one field of a receiver. It refuses nothing: a receiver may be paid in tokens alone.
type RemarkView struct {
	Pointer  string `json:"pointer" example:"/legalName" doc:"the field, as a JSON pointer into the receiver"`
	Code     string `json:"code" enum:"NAME_UNWRITABLE,NAME_MIXED" doc:"NAME_UNWRITABLE: no payment by bank can carry some of its characters, and validate would refuse it. NAME_MIXED: a word of it has letters of several scripts that look alike, so it is not the name that it seems to be"`
	Message  string `json:"message" doc:"what it is, for people" example:"A payment by bank cannot carry %."`
	Proposal string `json:"proposal,omitempty" example:"100 percent Pure AG" doc:"another text for the field; null: only the receiver knows one"`
}

// remarksOf returns the remarks about a receiver: the texts of it that a bank must be able to write and cannot, and
// names that are not what they look like.
func remarksOf(r Receiver) []RemarkView {
	out := []RemarkView{}

	for _, f := range []struct{ pointer, text string }{
		{"/firstName", r.FirstName},
		{"/middleName", r.MiddleName},
		{"/lastName", r.LastName},
		{"/legalName", r.LegalName},
		{"/address/city", r.Address.City},
	} {
		if characters, proposal := pain.Unwritable(f.text); characters != "" {
			out = append(out, remarkOn(f.pointer, NameUnwritable, proposal,
				fmt.Sprintf("A payment by bank cannot carry %s. Write it in Latin letters.", characters)))
		}

		if word := lookalike.MixedWord(f.text); word != "" {
			out = append(out, remarkOn(f.pointer, NameMixed, lookalike.InLatin(f.text),
				fmt.Sprintf("%q has letters of several scripts that look alike. Write it in one of them.", word)))
		}
	}

	return out
}

// remarkOn returns a remark. A proposal takes the place of the last sentence of its message.
func remarkOn(pointer, code, proposal, message string) RemarkView {
	if proposal != "" {
		first, _, _ := strings.Cut(message, ". Write it")
		message = fmt.Sprintf("%s. Write %q, for example.", first, proposal)
	}

	return RemarkView{Pointer: pointer, Code: code, Message: message, Proposal: proposal}
}
