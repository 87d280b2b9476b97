package setup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/app"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/ebics"
)

// keysEnd is how long before their end it is told that our keys for EBICS expire.
const keysEnd = 60 * 24 * time.Hour

// ebics looks at the contract: how far it is set up, how long its keys last, and whether the bank lets its user send
// and fetch what is configured (HTD).
func (d *doctor) ebics(ctx context.Context) {
	const part = "bank, EBICS"

	e, err := app.EBICSOf(d.config)
	if err != nil {
		d.say(part, Wrong, err.Error(), "correct [bank.ebics]")
		return
	}

	open := d.open(ctx)
	if open == nil {
		return
	}

	defer func() { _ = open.Close() }() // nothing was written

	c := e.Contract
	c.DB = open

	contract, err := ebics.NewContract(c)
	if err != nil {
		d.say(part, Wrong, err.Error(), "correct [bank.ebics]")
		return
	}

	s, err := contract.Stored(ctx)

	switch {
	case errors.Is(err, db.ErrNone):
		d.say(part, Wrong, "there are no keys", "slipway bank ebics init")
		return
	case err != nil:
		d.say(part, Wrong, err.Error(), "look at the database")
		return
	case s.State != ebics.ContractLive:
		d.say(part, Wrong, "the contract is "+string(s.State), "slipway bank ebics status says what comes next")
		return
	}

	if left := s.ExpiresAt.Sub(d.clock.Now()); left < keysEnd {
		d.say(part+" keys", Watch, "our keys expire on "+s.ExpiresAt.Format(time.DateOnly),
			"ask the bank to reset the user, and set the contract up again")
	}

	rights, err := contract.Rights(ctx)
	if err != nil {
		d.say(part, Wrong, err.Error(), "look at the bank's server, and at [bank.ebics]")
		return
	}

	missing := 0
	for _, o := range e.Channel.Orders() {
		if rights.May(o) {
			continue
		}

		missing++

		d.say(part, Wrong, fmt.Sprintf("the bank does not let the user use %s", o),
			"compare with slipway bank ebics orders, and ask the bank for the right or correct [bank.ebics]")
	}

	if missing == 0 {
		d.say(part, Fine, "answers, and lets the user use every configured order", "")
	}
}
