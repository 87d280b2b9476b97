package swiftmt_test

import (
	"fmt"
	"strings"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/swiftmt"
)

// printer prints what it is handed.
type printer struct{}

// Statement prints the account.
func (printer) Statement(h camt.Header) error {
	fmt.Println(h.Format, h.Account.ID())
	return nil
}

// Entry prints a booking.
func (printer) Entry(e camt.Entry) error {
	fmt.Println(e.Amount, e.Credit, e.Status)
	return nil
}

// End prints how many entries there were.
func (printer) End(t camt.Totals) error {
	fmt.Println(t.Entries)
	return nil
}

// A statement in the older format of banks is handed to the same kind of handler as a camt.053.
func ExampleRead() {
	file := strings.Join([]string{
		":20:STARTUMS",
		":25:10010010/123456789",
		":28C:1/1",
		":60F:C260105EUR1000,00",
		":61:2601050105C250,00NTRFNONREF",
		":86:166?00GUTSCHRIFT?20Invoice 7?32ADA KELLER",
		":62F:C260105EUR1250,00",
		"-",
	}, "\r\n")

	fmt.Println(swiftmt.Looks([]byte(file)))
	fmt.Println(swiftmt.Read(strings.NewReader(file), iso20022.Limits{}, nil, printer{}))

	// Output:
	// true
	// MT940 DE77100100100123456789
	// {250.00 EUR} true BOOK
	// 1
	// <nil>
}
