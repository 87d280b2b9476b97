package secret_test

import (
	"fmt"

	"slipway/internal/platform/secret"
)

// A sealed value opens in its own context alone: a column's content is worth nothing in another row.
func ExampleKeyring_Seal() {
	keys, err := secret.ParseKeyring(secret.NewKey("2026"))
	if err != nil {
		fmt.Println(err)
		return
	}

	sealed := keys.Seal([]byte("DE89370400440532013000"), "bank_accounts/iban/bac_1")

	plain, err := keys.Open(sealed, "bank_accounts/iban/bac_1")
	fmt.Println(string(plain), err)

	_, err = keys.Open(sealed, "bank_accounts/iban/bac_2")
	fmt.Println(err != nil)

	// Output:
	// DE89370400440532013000 <nil>
	// true
}

// A new key is put in front. What the older one has sealed still opens, and is resealed when convenient.
func ExampleKeyring_Reseal() {
	older := secret.NewKey("2026")
	before, _ := secret.ParseKeyring(older)
	sealed := before.Seal([]byte("a secret"), "here")

	now, _ := secret.ParseKeyring(secret.NewKey("2027") + "," + older)
	resealed, changed, err := now.Reseal(sealed, "here")
	fmt.Println(changed, resealed != sealed, err)

	_, changed, _ = now.Reseal(resealed, "here")
	fmt.Println(changed)

	// Output:
	// true true <nil>
	// false
}

// A secret does not print itself.
func ExampleText() {
	key := secret.Text("correct horse battery staple")

	fmt.Println(key)
	fmt.Println(len(key.Reveal()))

	// Output:
	// [set]
	// 28
}
