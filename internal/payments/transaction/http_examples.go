package transaction

import "slipway/internal/platform/web"

// examples are bodies of POST /transactions, one for each type, for the OpenAPI document.
func examples() []web.Example {
	return []web.Example{
		{Name: "FIAT", Summary: "Pay two bank accounts from a wallet", Body: `{
  "type": "FIAT", "token": "USDC", "walletAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "payments": [
    {"type": "FIAT", "receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abc", "bankAccount": "bac_01jd3v8e5m7k2q9w4x6y8z0abd", "amount": "1250.50", "currencyIsoCode": "EUR",
     "reason": "Invoice 2026-117", "bankingFeesOption": "SHA", "estimatedRate": "0.921"},
    {"type": "FIAT", "receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abe", "bankAccount": {"_id": "bac_01jd3v8e5m7k2q9w4x6y8z0abf"}, "amount": "800", "currencyIsoCode": "GBP",
     "reason": "Consulting, November"}
  ]
}`},
		{Name: "CRYPTO", Summary: "Pay an address and a stored wallet from a wallet", Body: `{
  "type": "CRYPTO", "token": "USDC", "walletAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "payments": [
    {"type": "CRYPTO", "receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abc", "walletAddress": "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", "walletType": "EOA",
     "network": "net_ethereum", "amount": "250.00", "reason": "Invoice 2026-118"},
    {"type": "CRYPTO", "receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abe", "wallet": "wal_01jd3v8e5m7k2q9w4x6y8z0abg", "amount": "99.95", "reason": "Refund"}
  ]
}`},
		{Name: "ONRAMP", Summary: "Buy tokens by a bank transfer", Body: `{
  "type": "ONRAMP", "token": "USDC", "walletAddress": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "amountCurrency": "cur_eur",
  "payments": [{"type": "ONRAMP", "receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abc", "amount": "25000.00"}]
}`},
	}
}
