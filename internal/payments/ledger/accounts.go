package ledger

import "strings"

// Account is the name of a place where value is. The first word of the name is its kind. A plus is what a place has, a
// minus what was taken from it.
//
// The book has two layers, each balanced by itself. The first follows a customer's value: wallet → receiver for tokens;
// wallet → clearing → fx → clearing → payee for a payment to a bank account; sender → suspense → clearing → fx →
// clearing → wallet for a deposit. What a wallet is to give is reserved → hold → clearing until it is final on the
// chain, and back on reserved then: only what has left a wallet is taken from it. The second is what the house itself
// has. Each change of treasury and bank is posted against position, and what the owners move against equity. So
// treasury equals what the chain reports, and bank what the statements report since the books began.
//
// A house that converts out of its own stock has a third layer: stock against trade (what customers exchanged), capital
// (what the owners assigned to it), exchange (what was bought and sold elsewhere) and expense/stock. What the stock has
// more than its capital is the result of trading.
//
// What other providers convert is a layer of the same kind: provider is what they have given and taken, at the price
// that was got, and result the difference to the price that customers were promised. The promised amounts are open
// until conversions of customers are posted against them; then they are covered. So what is open is what was exchanged
// and serves no customer: of payments that were refused or came back, which the provider does not reverse.
type Account string

// WalletAccount is a customer's own wallet, outside the house: below zero by what was taken from it, above zero by what
// was sent to it.
func WalletAccount(network, address string) Account {
	return Account("wallet/" + network + "/" + strings.ToLower(address))
}

// ReservedAccount is below zero by what accepted transactions are to take from a wallet, from the acceptance until it
// is final on the chain. It returns to zero.
func ReservedAccount(network, address string) Account {
	return Account("reserved/" + network + "/" + strings.ToLower(address))
}

// HoldAccount is what an organisation's accepted transactions have reserved and not yet sent. Never below zero. Like
// every account of tokens it belongs to one network: the same token code may have other decimals elsewhere.
func HoldAccount(network, organisation string) Account {
	return Account("hold/" + network + "/" + organisation)
}

// ClearingAccount is what is under way on a chain: between signing and finality. It returns to zero.
func ClearingAccount(network string) Account { return Account("clearing/" + network) }

// ConvertClearing is what the house has received and not yet converted. place is a network for tokens, a currency for
// fiat. It returns to zero.
func ConvertClearing(place string) Account { return Account("clearing/convert/" + place) }

// BankClearing is what is under way to payees over one bank rail, between conversion and the booked debit. It returns
// to zero.
func BankClearing(rail string) Account { return Account("clearing/bank/" + rail) }

// ReturnClearing is money that came back from a payee's bank and is not decided on yet. It returns to zero.
func ReturnClearing(currency string) Account { return Account("clearing/return/" + currency) }

// ReceiverAccount is what a receiver was paid on a chain.
func ReceiverAccount(network, receiver string) Account {
	return Account("receiver/" + network + "/" + receiver)
}

// PayeeAccount is what a receiver was paid on bank accounts, less returns. Never below zero.
func PayeeAccount(receiver string) Account { return Account("payee/" + receiver) }

// ChargesAccount is what banks have kept of returned payments. Never below zero.
func ChargesAccount(currency string) Account { return Account("charges/" + currency) }

// SenderAccount is what came from outside into house accounts of a currency and was not sent back. It is below zero by
// that amount.
func SenderAccount(currency string) Account { return Account("sender/" + currency) }

// SuspenseAccount is deposits that match nothing, until people have settled them: of one organisation, or of nobody
// that is known ("" as the organisation). Never below zero, in no book and at no moment.
func SuspenseAccount(currency, organisation string) Account {
	if organisation == "" {
		return Account("suspense/" + currency)
	}

	return Account("suspense/" + currency + "/" + organisation)
}

// FxAccount is what was sold (plus) and bought (minus) of a currency pair, at the locked rates of transactions.
func FxAccount(sell, buy string) Account { return Account("fx/" + sell + "-" + buy) }

// IncomeAccount is earned fees. kind is network, banking, commission or rounding. place is a network for fees in
// tokens, else a currency.
func IncomeAccount(kind, place string) Account {
	return Account("income/" + strings.ToLower(kind) + "/" + place)
}

// TaxAccount is value added tax that fees contain: what the house owes the tax office for them, and what the customer
// may have back as input tax. place is a network, code is country, category and rate such as DE-S-19. Never below zero.
func TaxAccount(place, code string) Account { return Account("tax/" + place + "/" + code) }

// ReturnDifference is the value that returned payments lost (plus) or gained (minus) between payment and return. They
// are given back at the later value. place is a network. It may be below zero.
func ReturnDifference(place string) Account { return Account("difference/return/" + place) }

// OwedDifference is zero in its currency: what an organisation owed passes over it when it is paid. In the home
// currency of a book it is the change of the rate until then.
func OwedDifference(currency string) Account { return Account("difference/owed/" + currency) }

// DisposalDifference is zero in its token: what a wallet pays away passes over it. In the home currency of a book it is
// what the tokens were worth less (plus) or more (minus) than they had cost. place is a network.
func DisposalDifference(place string) Account { return Account("difference/disposed/" + place) }

// CostAccount is zero in its token: the fees of a purchase pass over it. In the home currency of a book it is below
// zero by those that count as cost of the tokens, and not as expense. place is a network.
func CostAccount(place string) Account { return Account("cost/" + place) }

// OpeningAccount is below zero by what an organisation's wallets and accounts had when its book began. place is a
// network or a currency.
func OpeningAccount(place string) Account { return Account("opening/" + place) }

// UnrealisedAccount is zero in its asset: what an organisation's book has at a month's end passes over it. In the home
// currency it is below zero by what that is worth more than in the book. place is a network or a currency.
func UnrealisedAccount(place string) Account { return Account("unrealised/" + place) }

// HeldAccount is what an organisation owns here until it or the platform decides: a returned payment that is kept as
// fiat, a refund that its wallet refuses. place is a network or a currency. Never below zero.
func HeldAccount(place, organisation string) Account {
	return Account("held/" + place + "/" + organisation)
}

// ReceivableAccount is below zero by what an organisation owes the house: deposits that their bank took back after
// tokens had been sent.
func ReceivableAccount(organisation string) Account { return Account("receivable/" + organisation) }

// ClosedAccount is below zero by the claims against organisations that were closed: paid in another way, or written
// off.
func ClosedAccount(currency string) Account { return Account("closed/" + currency) }

// TreasuryAccount is the house's own tokens on a network, as the chain reports them.
func TreasuryAccount(network string) Account { return Account("treasury/" + network) }

// BankAccount is the house's money on one of its bank accounts, as booked by the bank, since the books began.
func BankAccount(house string) Account { return Account("bank/" + house) }

// PositionAccount is posted against treasury and bank: below zero by what the house has gained of an asset, above zero
// by what it has given. place is a network or a currency.
func PositionAccount(place string) Account { return Account("position/" + place) }

// EquityAccount is below zero by what the house has brought into its treasury on a network, or had there when the
// books began, less what it has taken out.
func EquityAccount(network string) Account { return Account("equity/" + network) }

// GasAccount is the operator key's money for gas, below zero by what was spent.
func GasAccount(network string) Account { return Account("gas/" + network) }

// GasExpense is the cost of gas.
func GasExpense(network string) Account { return Account("expense/gas/" + network) }

// StockAccount is what the house has of an asset to convert its customers' money with. place is a network or a
// currency. A conversion that was reversed may leave it below zero; nothing is promised of it then.
func StockAccount(place string) Account { return Account("stock/" + place) }

// TradeAccount is posted against stock by the conversions of customers: below zero by what they brought.
func TradeAccount(place string) Account { return Account("trade/" + place) }

// CapitalAccount is below zero by what the house's owners have assigned to the stock.
func CapitalAccount(place string) Account { return Account("capital/" + place) }

// ExchangeAccount is posted against stock by what was bought elsewhere (below zero) and sold there.
func ExchangeAccount(place string) Account { return Account("exchange/" + place) }

// ProviderAccount is what a provider of liquidity has given of an asset (plus), and what he has got (minus). place is a
// network or a currency.
func ProviderAccount(provider, place string) Account {
	return Account("provider/" + provider + "/" + place)
}

// OpenAccount is the open position in a currency pair, at promised amounts: below zero by what was bought and serves no
// customer, above zero by what was sold for it.
func OpenAccount(sell, buy string) Account { return Account("open/" + sell + "-" + buy) }

// CoveredAccount is what other providers than the stock have exchanged for customers, as FxAccount has it.
func CoveredAccount(sell, buy string) Account { return Account("covered/" + sell + "-" + buy) }

// ExchangeResult is the difference between the price that was promised and the price that was got: below zero by what
// the house has earned by it, above zero by what it has cost. place is a network or a currency.
func ExchangeResult(place string) Account { return Account("result/exchange/" + place) }

// StockExpense is the fees of buying and selling elsewhere.
func StockExpense(place string) Account { return Account("expense/stock/" + place) }

// floorKinds are the kinds of accounts that must not be below zero (M-03).
var floorKinds = []string{
	"hold/", "clearing/", "receiver/", "payee/", "suspense/", "held/", "income/", "expense/",
	"charges/", "tax/",
}

// bookFloorKinds are the kinds of accounts that must not be below zero in the book of any organisation, nor in what is
// nobody's, at any moment.
var bookFloorKinds = []string{"suspense/"}

// transitKinds are the kinds of accounts on which nothing may stay (M-08).
var transitKinds = []string{"reserved/", "hold/", "clearing/"}
