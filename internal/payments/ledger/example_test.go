package ledger_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/schema"
)

// A journal is posted in the transaction of the event that it records. It sums to zero, and its key keeps the same
// effect from being posted twice.
func ExamplePost() {
	ctx := context.Background()

	dir, err := os.MkdirTemp("", "slipway-example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	d, err := db.Open(ctx, db.Config{URL: "sqlite:" + filepath.Join(dir, "slipway.db")})
	if err != nil {
		panic(err)
	}
	defer d.Close()

	if _, err := d.Migrate(ctx, schema.Files()); err != nil {
		panic(err)
	}

	eur := money.Asset{Code: "EUR", Decimals: 2}
	amount := money.FromUnits(eur, big.NewInt(125_050))
	book := func(postings ...ledger.Posting) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			return ledger.Post(tx, ledger.Journal{Key: "deposit/ent_1/booked", Kind: "booked", Postings: postings})
		})
	}
	bank := ledger.Posting{Account: ledger.BankAccount("eur"), Amount: amount}
	sender := ledger.Posting{Account: ledger.SenderAccount("EUR"), Amount: amount.Neg()}

	fmt.Println(book(bank) != nil) // it does not sum to zero
	fmt.Println(book(bank, sender))
	fmt.Println(db.IsUnique(book(bank, sender), "journals"))

	balance, err := ledger.BalanceOf(ctx, d, ledger.BankAccount("eur"), eur)
	fmt.Println(balance, err)

	// Output:
	// true
	// <nil>
	// true
	// 1250.50 <nil>
}
