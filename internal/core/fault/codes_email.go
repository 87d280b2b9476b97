package fault

// E-mail.
const (
	UnsubscribeInvalid Code = "UNSUBSCRIBE_TOKEN_INVALID"
	UnsubscribeExpired Code = "UNSUBSCRIBE_TOKEN_EXPIRED"
	MailsMandatory     Code = "MAILS_MANDATORY"
)

var emailCodes = map[Code]string{
	UnsubscribeInvalid: "The token is not one of a mail to the account's present address. Nothing was changed.",
	UnsubscribeExpired: "The mail with this link is more than a year old. Nothing was changed; sign in to change " +
		"what you get.",
	MailsMandatory: "Mails about the security of an account are always sent.",
}
