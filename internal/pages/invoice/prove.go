package invoice

import (
	"net/url"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/fault"
	"slipway/internal/payments/invoicelink"
)

// proof is what the owner of a wallet signs, as the page shows it.
type proof struct {
	invoicelink.WalletText

	Hex   string // the text's bytes, for the wallet in the browser: it must sign exactly these
	Later string // the step that goes on without a signature
}

// maxSignature is the most characters of a signature. Those of contracts with many owners are long.
const maxSignature = 16_400

// unproven reports whether a wallet was handed in that nobody has proven, and that can still be proven by the link.
func (v *visit) unproven() bool {
	w := v.link.Given.Wallet
	return w != nil && !w.Proven && v.link.Usable
}

// showProve shows the text that the owner of the wallet signs: with a wallet in the browser by a script of ours, or
// elsewhere, to paste the signature here. Somebody who has not entered the wallet's address in this browser is asked
// for it first.
func showProve(v *visit, f filled) (page, error) {
	name := v.link.Info.Organisation

	text, err := v.deps.Links.WalletText(v.r.Context(), v.token, v.draft.Wallet)
	if fault.Is(err, fault.WalletUnknown) {
		return page{
			Name:     stepProve,
			Template: "form",
			Title:    "Which wallet is it?",
			Lead:     "Enter the address of the wallet once more, to see the text that proves it.",
			Button:   "Continue",
			Fields:   []field{ask(addressField(), f, "")},
		}, nil
	}

	if err != nil {
		return page{}, err
	}

	p := page{
		Name:     stepProve,
		Template: stepProve,
		Title:    "Show that the wallet is yours",
		Lead: v.words.Say("Sign this text with the wallet. %s pays only to wallets whose owner has signed. It costs "+
			"nothing, moves nothing and allows nobody to move anything.", name),
		Button: "Check the signature",
		Proof:  proof{WalletText: text, Hex: hexutil.Encode([]byte(text.Message)), Later: v.needed()},
		Fields: []field{ask(field{
			Name:  "signedMessage",
			Label: "Signature",
			Hint:  "It begins with 0x. A wallet elsewhere shows it when you sign the text there.",
			Kind:  "text",
			Max:   maxSignature,
			Code:  true,
		}, f, "")},
	}
	if text.Expired {
		p.Fields = nil
		p.Button = "Show a new text"
		p.Note = "A text can be signed for 15 minutes, and the last one is older."
	}

	return p, nil
}

// takeProve checks a signature, replaces a text that has expired, or takes the address that the person enters.
func takeProve(v *visit, a url.Values) (string, error) {
	ctx := v.r.Context()

	if address := a.Get("address"); address != "" {
		if _, err := v.deps.Links.WalletText(ctx, v.token, address); err != nil {
			return "", err
		}

		v.draft.Wallet = address

		return stepProve, v.storeDraft()
	}

	signature := strings.ToLower(a.Get("signedMessage"))
	if signature == "" {
		_, err := v.deps.Links.RenewWalletText(ctx, v.token, v.draft.Wallet)
		return stepProve, err
	}

	o, err := v.deps.Links.ProveWallet(ctx, v.token, v.draft.Wallet, signature)
	if fault.Is(err, fault.ChallengeExpired) {
		return stepProve, nil // which offers a new text
	}

	if err != nil {
		return "", err
	}

	v.link = o

	return v.needed(), nil
}
