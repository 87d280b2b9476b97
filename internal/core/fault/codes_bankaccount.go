package fault

// Bank accounts.
const (
	BankAccountUnknown      Code = "BANK_ACCOUNT_UNKNOWN"
	BankAccountNotValidated Code = "BANK_ACCOUNT_NOT_VALIDATED"
	BankAccountCoolingDown  Code = "BANK_ACCOUNT_COOLING_DOWN"
	BankAccountUnreachable  Code = "BANK_ACCOUNT_UNREACHABLE"
	BankCodeInvalid         Code = "BANK_CODE_INVALID"
	BankDetailsMismatch     Code = "BANK_DETAILS_MISMATCH"
	CheckDigitWrong         Code = "CHECK_DIGIT_WRONG"
	CurrencyUnknown         Code = "CURRENCY_UNKNOWN"
)

var bankAccountCodes = map[Code]string{
	BankAccountUnknown: "There is no such bank account, or it is deleted.",
	BankAccountNotValidated: "The bank account has not passed validation, or validation is still under way: see " +
		"its `ibanSuiteValidation`.",
	BankAccountCoolingDown: "The bank account was changed recently. It can receive payments again a day after the " +
		"change.",
	BankAccountUnreachable: "No payment rail of this deployment reaches such an account: see " +
		"`allowedPaymentRails` of its country and currency.",
	BankCodeInvalid: "A BIC, sort code, routing number or IFSC does not have the form of its standard.",
	BankDetailsMismatch: "IBAN, BIC and country of the bank contradict each other: they are of different banks or " +
		"countries.",
	CheckDigitWrong: "The check digit does not fit the other digits: one of them is mistyped.",
	CurrencyUnknown: "There is no such currency. Name it by identifier or by its code of ISO 4217.",
}
