package organisation

import (
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// Sentence is what one rule of a policy means, as it is set now.
type Sentence struct {
	Rule  string `json:"rule" enum:"FOUR_EYES,PAYEE_APPROVAL,PAYEE_DELAY,SIGNED_INTENTS,DAILY_CAPS,ACCEPT_RULES" doc:"which rule of the policy" example:"PAYEE_DELAY"`
	Holds bool   `json:"holds" doc:"false: the rule is off, and text says what is allowed then" example:"true"`
	Text  string `json:"text" doc:"in English, for people" example:"Nothing is paid to a new bank account or wallet for 24 hours."`
}

// Sentences returns what the policy means, made of its values: no page says it in words of its own.
func (p Policy) Sentences() []Sentence {
	return []Sentence{
		p.fourEyesSentence(),
		said(
			"PAYEE_APPROVAL",
			p.PayeeApproval,
			"Nothing is paid to a new or changed receiver, bank account or wallet before a second person has approved it.",
			"New and changed receivers, bank accounts and wallets are paid without a second person.",
		),
		said("PAYEE_DELAY", p.PayeeDelay > 0,
			fmt.Sprintf("Nothing is paid to a new bank account or wallet for %s.", hours(p.PayeeDelay)),
			"A new bank account or wallet is paid at once."),
		said("SIGNED_INTENTS", p.SignedIntents,
			"Nothing is paid from a wallet without its signature that names the payees.",
			"A wallet that has approved the tokens pays without a signature for each batch."),
		said("DAILY_CAPS", len(p.DailyCaps) > 0,
			"Nothing is paid from a wallet that lets more be taken in a day than "+amounts(p.DailyCaps)+".",
			"What a wallet lets be taken in a day has no limit of the organisation's."),
		p.rulesSentence(),
	}
}

func (p Policy) fourEyesSentence() Sentence {
	text := "Whoever has prepared or changed a payment, written or changed a payable in it, or made or changed whom it " +
		"pays without a second person's approval, does not accept it. Whoever has only approved a payable in it may."
	if len(p.Limits) > 0 {
		text += " Up to " + amounts(p.Limits) + " one person is enough."
	}

	return said("FOUR_EYES", p.FourEyes, text, "One person may prepare a payment and accept it.")
}

func said(rule string, holds bool, on, off string) Sentence {
	if holds {
		return Sentence{rule, true, on}
	}

	return Sentence{rule, false, off}
}

func hours(d time.Duration) string {
	if d == time.Hour {
		return "one hour"
	}

	return fmt.Sprintf("%d hours", int64(d/time.Hour))
}

// amounts returns amounts by their codes, in the order of these.
func amounts(of map[string]money.Amount) string {
	var out []string

	for _, word := range db.Words(writeLimits(of)) {
		code, amount := cut(word)
		out = append(out, amount+" "+code)
	}

	return strings.Join(out, " or ")
}
