package ledger

import "strings"

// Kind is what the accounts have in common whose names begin alike. Words is what people call it, from the customer's
// point of view.
type Kind struct{ Name, Words string }

// houseKinds begin the names of the house's own accounts. They stand in pairs that sum to zero, beside what belongs to
// the customer.
var houseKinds = []string{
	"treasury/",
	"bank/",
	"position/",
	"equity/",
	"gas/",
	"expense/",
	"stock/",
	"trade/",
	"capital/",
	"exchange/",
	"provider/",
	"open/",
	"covered/",
	"result/",
}

// The kinds of journals that an organisation's book has, and the house's has not.
const (
	KindBookOpening     = "opened"
	KindBookRevaluation = "revaluation"
)

// House reports whether an account is the house's own, and no customer's business.
func House(account string) bool {
	for _, k := range houseKinds {
		if strings.HasPrefix(account, k) {
			return true
		}
	}

	return false
}

// Kinds returns the kinds of accounts of a customer's value, in the order of statements.
func Kinds() []Kind {
	return []Kind{
		{"wallet", "Your wallet"},
		{"sender", "Sender of the deposit"},
		{"suspense", "Deposit, not yet assigned"},
		{"fx", "Converted"},
		{"receiver", "Receivers' wallets"},
		{"payee", "Receivers' bank accounts"},
		{"income/commission", "Fees: commission"},
		{"income/banking", "Fees: banking"},
		{"income/network", "Fees: network"},
		{"income/rounding", "Fees: rounding"},
		{"tax", "Fees: VAT in them"},
		{"charges", "Charges of banks"},
		{"cost", "Fees that are cost of tokens"},
		{"difference", "Realised exchange result"},
		{"unrealised", "Unrealised exchange result"},
		{"reserved", "Reserved in your wallet"},
		{"hold", "Set aside for the payments"},
		{"clearing", "Under way"},
		{"held", "Kept for you"},
		{"receivable", "Owed by you"},
		{"closed", "Claims given up"},
		{"opening", "Opening balances"},
	}
}

// HouseKinds returns the kinds of the house's own accounts.
func HouseKinds() []Kind {
	return []Kind{
		{"treasury", "Treasury"},
		{"bank", "Bank accounts"},
		{"gas", "Money for gas"},
		{"position", "Position towards customers"},
		{"equity", "Brought in by the owners"},
		{"expense/gas", "Gas"},
		{"stock", "Stock for conversions"},
		{"trade", "Stock: converted for customers"},
		{"capital", "Stock: assigned by the owners"},
		{"exchange", "Stock: bought and sold elsewhere"},
		{"expense/stock", "Stock: fees of buying and selling"},
		{"provider", "Providers of liquidity"},
		{"open", "Conversions: open positions, as promised"},
		{"covered", "Conversions: carried out for customers"},
		{"result/exchange", "Conversions: better or worse than promised"},
	}
}

// KindOf returns the kind of an account, and its place in Kinds, or -1 if it is the house's own. An account of no kind
// has its own name as its kind.
func KindOf(account string) (Kind, int) {
	for i, k := range Kinds() {
		if strings.HasPrefix(account, k.Name+"/") {
			return k, i
		}
	}

	for _, k := range HouseKinds() {
		if strings.HasPrefix(account, k.Name+"/") {
			return k, -1
		}
	}

	return Kind{account, account}, -1
}
