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
	RateStale:       "The newest rate that can be had is older than it may be. Nothing was changed; try again later.",
	RateUnavailable: "No source of rates gives a usable answer at the moment. Nothing was changed; try again.",
	PairUnknown:     "The token cannot be exchanged for this currency here.",
	EstimateOff:     "The rate is further away from `estimatedRate` than this deployment tolerates.",
	QuoteExpired:    "The quote's time was over, so it was made anew. Look at the new rate; accepting again takes it.",
	QuotesUnused: "The organisation let too many locked quotes lapse within a day. Retry-After says when the " +
		"next one can be locked.",
	AmountBelowFees:  "The fees would take the whole amount.",
	AmountBelowLeast: "The payment is worth less than the organisation's minUSDPaymentAmount.",
	ValueLimit:       "The transaction is worth more than the organisation's transactionValueLimit.",
	CumulativeLimit:  "With this transaction the organisation would exceed its cumulativeAmount.",
}
