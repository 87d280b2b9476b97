package fault

// Rates, quotes and limits.
const (
	RateStale        Code = "RATE_STALE"
	RateUnavailable  Code = "RATE_UNAVAILABLE"
	PairUnknown      Code = "TRADING_PAIR_UNKNOWN"
	EstimateOff      Code = "ESTIMATED_RATE_OUT_OF_TOLERANCE"
	QuoteExpired     Code = "QUOTE_EXPIRED"
	QuotesUnused     Code = "QUOTES_UNUSED"
	AmountBelowFees  Code = "AMOUNT_BELOW_FEES"
	AmountBelowLeast Code = "AMOUNT_BELOW_PAYMENT_MINIMUM"
	ValueLimit       Code = "TRANSACTION_VALUE_LIMIT"
	CumulativeLimit  Code = "CUMULATIVE_AMOUNT_LIMIT"
)

var quoteCodes = map[Code]string{
	RateStale:       "The newest rate is too old. Nothing was changed; try again later.",
	RateUnavailable: "No source of rates is available at the moment. Nothing was changed; try again.",
	PairUnknown:     "The token cannot be exchanged for this currency here.",
	EstimateOff:     "The rate differs from `estimatedRate` by more than this deployment tolerates.",
	QuoteExpired:    "The quote had expired and was replaced. Check the new rate; accept again to use it.",
	QuotesUnused: "The organisation has left too many locked quotes unused within a day. Retry-After says when " +
		"it can lock the next one.",
	AmountBelowFees:  "The fees would be as much as the amount, or more.",
	AmountBelowLeast: "The payment is worth less than the organisation's minUSDPaymentAmount.",
	ValueLimit:       "The transaction is worth more than the organisation's transactionValueLimit.",
	CumulativeLimit:  "With this transaction the organisation would exceed its cumulativeAmount.",
}
