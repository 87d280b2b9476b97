package transaction

import (
	"fmt"
	"strings"
)

// NextPage returns the page of docs/reference/states that says who acts next, for everywhere that a transaction can
// stand.
func NextPage() string {
	var b strings.Builder

	b.WriteString(
		"# Who acts next\n\nWhat `GET /transactions/{id}/explain` and `slipway explain` say, for each pair of " +
			"`status` and `settlementStatus` that\ncan be. Generated from the code's transition tables; a test keeps it " +
			"fresh.\n",
	)

	for _, kind := range []Type{TypeCrypto, TypeFiat, TypeOnramp} {
		fmt.Fprintf(&b, "\n## %s\n\n", kind)
		b.WriteString("| Status | Settlement status | Meaning | Waits for | By itself | What people may decide |\n")
		b.WriteString("|---|---|---|---|---|---|\n")

		for _, at := range Pairs(kind) {
			var next, decisions []string

			for _, w := range Ways(kind, at) {
				switch text := w.text(at); {
				case w.By.Person():
					decisions = append(decisions, text)
				case w.To != at:
					next = append(next, text)
				}
			}

			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n",
				at.Status,
				at.Settlement,
				Meaning(kind, at),
				WaitsFor(kind, at),
				strings.Join(next, "; "),
				strings.Join(decisions, "; "),
			)
		}
	}

	return b.String()
}

// text returns a way in words: its cause, and what it leads to besides where it began.
func (w Way) text(from Pair) string {
	var to []string

	if w.To.Status != from.Status {
		to = append(to, string(w.To.Status))
	}

	if w.To.Settlement != from.Settlement {
		to = append(to, string(w.To.Settlement))
	}

	if len(to) == 0 {
		return w.Cause
	}

	return w.Cause + ": " + strings.Join(to, ", ")
}
