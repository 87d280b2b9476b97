package fault

import "sort"

// Code is the stable name of a reason. Codes are part of the API: never renamed, never reused. Each is registered here
// with the sentence that the page /problems/<code> shows. The OpenAPI document lists them all.
type Code string

// General codes.
const (
	Validation         Code = "VALIDATION"
	RequestMalformed   Code = "REQUEST_MALFORMED"
	HeaderTooLarge     Code = "HEADER_TOO_LARGE"
	BodyMalformed      Code = "BODY_MALFORMED"
	BodyTooLarge       Code = "BODY_TOO_LARGE"
	ContentTypeUnknown Code = "CONTENT_TYPE_UNSUPPORTED"
	EncodingUnknown    Code = "CONTENT_ENCODING_UNSUPPORTED"
	TypeMismatch       Code = "TYPE_MISMATCH"
	UnknownField       Code = "UNKNOWN_FIELD"
	ReadOnly           Code = "READ_ONLY"
	ReferenceMismatch  Code = "REFERENCE_MISMATCH"
	DuplicateField     Code = "DUPLICATE_FIELD"
	UnknownParameter   Code = "UNKNOWN_PARAMETER"
	Required           Code = "REQUIRED"
	TooShort           Code = "TOO_SHORT"
	TooLong            Code = "TOO_LONG"
	TooFew             Code = "TOO_FEW"
	TooManyItems       Code = "TOO_MANY_ITEMS"
	OutOfRange         Code = "OUT_OF_RANGE"
	NotInEnum          Code = "NOT_IN_ENUM"
	FormatInvalid      Code = "FORMAT_INVALID"
	NotAllowed         Code = "NOT_ALLOWED"
	PagingConflict     Code = "PAGING_CONFLICT"
	CursorInvalid      Code = "CURSOR_INVALID"
	NotFoundCode       Code = "NOT_FOUND"
	MethodNotAllowed   Code = "METHOD_NOT_ALLOWED"
	VersionMismatch    Code = "VERSION_MISMATCH"
	Internal           Code = "INTERNAL"
	Overloaded         Code = "OVERLOADED"
	UpstreamFailed     Code = "UPSTREAM_UNAVAILABLE"
	DatabaseAway       Code = "DATABASE_AWAY"
	OutcomeUnknown     Code = "OUTCOME_UNKNOWN"
)

// Idempotency.
const (
	IdempotencyKeyInvalid  Code = "IDEMPOTENCY_KEY_INVALID"
	IdempotencyKeyReused   Code = "IDEMPOTENCY_KEY_REUSED"
	IdempotencyKeyRequired Code = "IDEMPOTENCY_KEY_REQUIRED"
)

// generalCodes are the sentences of the general codes. The codes of each noun stand in the files beside this one.
var generalCodes = map[Code]string{
	Validation:         "Several fields of the request are wrong; `errors` lists every one of them.",
	RequestMalformed:   "The bytes are not a valid HTTP/1.1 request (RFC 9112), or the request is ambiguous.",
	HeaderTooLarge:     "The header of the request is larger than the service reads.",
	BodyMalformed:      "The body is not valid JSON.",
	BodyTooLarge:       "The body is larger than this operation accepts.",
	ContentTypeUnknown: "The Content-Type is not one this operation reads.",
	EncodingUnknown: "The body is compressed or in another encoding (Content-Encoding). Bodies are read as they " +
		"are; Accept-Encoding of the answer says so.",
	TypeMismatch: "A value has another JSON type than the field needs. Amounts are strings, never numbers.",
	ReadOnly: "A field that this operation does not change was sent with another value than the record " +
		"holds.",
	ReferenceMismatch: "A reference to a record says something of it, beside its `_id`, that the record does not " +
		"hold. Nobody can tell which record was meant.",
	UnknownField: "The body has a field this operation does not know. Names are compared exactly, letter " +
		"case included.",
	DuplicateField:   "The same name stands twice in one object.",
	UnknownParameter: "The query has a parameter this operation does not know.",
	Required:         "A required value is missing or empty.",
	TooShort:         "A text is shorter than allowed.",
	TooLong:          "A text is longer than allowed.",
	TooFew:           "A list has fewer items than allowed.",
	TooManyItems:     "A list has more items than allowed.",
	OutOfRange:       "A number is outside its range.",
	NotInEnum:        "A value is not one of the allowed words. Words are compared exactly as written.",
	FormatInvalid:    "A value does not have the form it must have.",
	NotAllowed:       "A field may not be given here.",
	PagingConflict:   "Give one of `page`, `offset` and `cursor`.",
	CursorInvalid:    "The cursor is not one that this list gave out.",
	NotFoundCode:     "There is no such record, or it is not yours: the two answers are the same.",
	MethodNotAllowed: "The path exists, but not with this method.",
	VersionMismatch:  "If-Match names a version that is no longer the current one. Read the record again.",
	Internal:         "Something failed on our side. The request id finds it in the log.",
	Overloaded:       "Too many requests wait at the moment. Try again after the time in Retry-After.",
	UpstreamFailed: "An outside party (a chain node, for example) did not answer. Nothing was changed; try " +
		"again.",
	DatabaseAway: "The database is unavailable at the moment. Repeating the request after the time in " +
		"Retry-After, with the same Idempotency-Key, is safe and returns its outcome.",
	OutcomeUnknown: "The answer to the decisive write was lost, or the request took too long: it may have " +
		"had its effect. Repeating it with the same Idempotency-Key is safe and returns its outcome; without a " +
		"key, read the record first.",
	IdempotencyKeyInvalid:  "Idempotency-Key must be 1 to 255 printable ASCII characters.",
	IdempotencyKeyReused:   "This Idempotency-Key was used before with another body.",
	IdempotencyKeyRequired: "Your organisation requires an Idempotency-Key on this operation.",
}

// registries are the sentences of all codes.
var registries = []map[Code]string{
	generalCodes,
	accessCodes,
	directoryCodes,
	bankAccountCodes,
	paymentCodes,
	fiatCodes,
	quoteCodes,
	reconcileCodes,
	signinCodes,
	idvCodes,
	approvalCodes,
	emailCodes,
	screeningCodes,
	payableCodes,
	invoiceLinkCodes,
	billscanCodes,
	documentCodes,
	statementCodes,
	houseCodes,
	eventCodes,
	scheduleCodes,
}

// Codes returns every registered code, sorted.
func Codes() []Code {
	var out []Code

	for _, m := range registries {
		for c := range m {
			out = append(out, c)
		}
	}

	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })

	return out
}

// Explain returns the registered sentence of a code. It returns false for an unknown one.
func Explain(c Code) (string, bool) {
	for _, m := range registries {
		if s, ok := m[c]; ok {
			return s, true
		}
	}

	return "", false
}

// Kinds returns the kinds of the refusals that have a code: they determine with which statuses it comes. It returns
// nothing for an unknown code. A code of a field also stands in the refusal of a request with several faults.
func Kinds(c Code) []Kind { return kindsOfCodes[c] }
