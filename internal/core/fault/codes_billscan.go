package fault

// QR codes of bills. Codes for rules of the code's own grammar equal those of standards/qrbill and standards/epcqr,
// word for word.
const (
	QRNotFound       Code = "QR_NOT_FOUND"
	QRSeveralBills   Code = "QR_SEVERAL_BILLS"
	QRReadingTooLong Code = "QR_READING_TOO_LONG"

	QRNotUTF8         Code = "QR_NOT_UTF8"
	QRTooLong         Code = "QR_TOO_LONG"
	QRBadSeparator    Code = "QR_BAD_SEPARATOR"
	QRBadCharacter    Code = "QR_BAD_CHARACTER"
	QRLineCount       Code = "QR_LINE_COUNT"
	QRNotSwiss        Code = "QR_NOT_A_SWISS_BILL"
	QRBadVersion      Code = "QR_BAD_VERSION"
	QRBadCoding       Code = "QR_BAD_CODING"
	QRBadService      Code = "QR_BAD_SERVICE"
	QRBadIBAN         Code = "QR_BAD_IBAN"
	QRForeignIBAN     Code = "QR_FOREIGN_IBAN"
	QRBadBIC          Code = "QR_BAD_BIC"
	QRBadAddressType  Code = "QR_BAD_ADDRESS_TYPE"
	QRMissing         Code = "QR_MISSING"
	QRNotAllowed      Code = "QR_NOT_ALLOWED"
	QRFieldTooLong    Code = "QR_FIELD_TOO_LONG"
	QRBadCountry      Code = "QR_BAD_COUNTRY"
	QRBadAmount       Code = "QR_BAD_AMOUNT"
	QRBadCurrency     Code = "QR_BAD_CURRENCY"
	QRBadPurpose      Code = "QR_BAD_PURPOSE"
	QRBadRefType      Code = "QR_BAD_REFERENCE_TYPE"
	QRNeedsQRR        Code = "QR_IBAN_NEEDS_QRR"
	QRRefNeedsQRIBAN  Code = "QR_REFERENCE_NEEDS_QR_IBAN"
	QRBadReference    Code = "QR_BAD_REFERENCE"
	QRBadTrailer      Code = "QR_BAD_TRAILER"
	QRTooManySchemes  Code = "QR_TOO_MANY_SCHEMES"
	QRBillNumberWrong Code = "QR_BILL_NUMBER_UNKNOWN"
)

var billscanCodes = map[Code]string{
	QRNotFound: "No QR code of a bill could be read in the document. There may be one that is damaged or " +
		"too small: type the values.",
	QRSeveralBills: "The document contains several bills. `bills` lists them: repeat the request with `?bill=` " +
		"and the number of the right one.",
	QRReadingTooLong:  "Reading the document exceeded the time limit. Send a picture of the QR code alone.",
	QRBillNumberWrong: "The document does not contain that many bills.",
	QRNotUTF8:         "The text of the QR code is not UTF-8.",
	QRTooLong:         "The text of the QR code is longer than its standard allows.",
	QRBadSeparator:    "The lines of the QR code's text do not all end alike, with LF or with CR LF.",
	QRBadCharacter:    "A character is outside the set that the QR code's standard allows.",
	QRLineCount:       "The text of the QR code has too few or too many lines.",
	QRNotSwiss:        "The text of the QR code does not begin as its standard says.",
	QRBadVersion:      "The QR code's version is not one that its standard knows.",
	QRBadCoding: "The character coding that the QR code declares is not one of its standard, or contradicts " +
		"its text.",
	QRBadService:     "The QR code starts something else than a SEPA credit transfer.",
	QRBadIBAN:        "The IBAN in the QR code is wrong.",
	QRForeignIBAN:    "The account in the QR code is in a country to which such a bill cannot be paid.",
	QRBadBIC:         "The BIC in the QR code is wrong.",
	QRBadAddressType: "An address in the QR code is neither structured nor combined.",
	QRMissing:        "An element that the QR code's standard demands is missing.",
	QRNotAllowed:     "An element stands where the QR code's standard has none.",
	QRFieldTooLong:   "An element is longer than the QR code's standard allows.",
	QRBadCountry:     "A country in the QR code is not one of ISO 3166-1.",
	QRBadAmount:      "The amount in the QR code does not have the form of its standard.",
	QRBadCurrency:    "The currency in the QR code is neither CHF nor EUR.",
	QRBadPurpose:     "The purpose in the QR code is not a code of up to four capital letters.",
	QRBadRefType:     "The kind of reference is none of QRR, SCOR and NON.",
	QRNeedsQRR: "The account is a QR-IBAN, which takes payments with a QR reference only, and the bill has " +
		"none.",
	QRRefNeedsQRIBAN: "The bill has a QR reference, and its account is no QR-IBAN.",
	QRBadReference:   "The reference is missing, or its form or check digits are wrong.",
	QRBadTrailer:     "The mark that ends the payment's data is missing.",
	QRTooManySchemes: "The bill has more than two alternative schemes.",
}
