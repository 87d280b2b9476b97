package ebics

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// Rights are what the bank lets our user do (HTD, ch. 9.5).
type Rights struct {
	User     string // UserID that they are of
	Name     string // of the user, as the bank has it
	Status   string // of the user; "1" is ready
	Accounts []Account
	Orders   []Permitted
}

// Account is an account of the customer at the bank.
type Account struct {
	ID, Number, Bank, Holder, Currency string // Number is the IBAN where the bank gives one
}

// Permitted is an order that the user may send or fetch.
type Permitted struct {
	Order       Order
	Description string // the bank's words
	Level       string // E, A, B or T: what the user's signature counts for; "" for downloads
	Account     string // ID of the only account it is for; "" is all
	Signatures  string // how many signatures the order needs; "" if the bank does not say
}

// Rights asks the bank for the user's rights (HTD).
func (c *Client) Rights(ctx context.Context) (*Rights, error) {
	var out *Rights

	err := c.Download(ctx, Order{Type: "HTD"}, func(content []byte) (err error) {
		out, err = c.readRights(content)
		return err
	})
	if out == nil && err == nil {
		err = fmt.Errorf("rights: %w", ErrNoData)
	}

	return out, err
}

// readRights reads what HTD returns. Of version 2.5 a permission lists order types.
func (c *Client) readRights(content []byte) (*Rights, error) {
	root, err := parse(content)
	if err != nil {
		return nil, err
	}

	if root.Tag != "HTDResponseOrderData" || root.NamespaceURI() != c.Version.namespace() {
		return nil, fmt.Errorf("rights: the bank sends %s in %q", root.Tag, root.NamespaceURI())
	}

	partner, user := only(root, "PartnerInfo"), only(root, "UserInfo")
	if partner == nil || user == nil {
		return nil, fmt.Errorf("rights: there is no single PartnerInfo and UserInfo")
	}

	out := &Rights{User: textAt(user, "UserID"), Name: textAt(user, "Name")}
	if e := only(user, "UserID"); e != nil {
		out.Status = e.SelectAttrValue("Status", "")
	}

	described := map[string]*etree.Element{} // OrderInfo by the order's text

	for _, e := range partner.ChildElements() {
		switch e.Tag {
		case "AccountInfo":
			out.Accounts = append(out.Accounts, accountOf(e))
		case "OrderInfo":
			for _, o := range ordersOf(e) {
				described[o.String()] = e
			}
		}
	}

	for _, e := range user.ChildElements() {
		if e.Tag != "Permission" {
			continue
		}

		for _, o := range ordersOf(e) {
			out.Orders = append(out.Orders, Permitted{
				Order:       o,
				Description: textAt(described[o.String()], "Description"),
				Level:       e.SelectAttrValue("AuthorisationLevel", ""),
				Account:     textAt(e, "AccountID"),
				Signatures:  textAt(described[o.String()], "NumSigRequired"),
			})
		}
	}

	return out, nil
}

// accountOf reads an account. The international number is taken before the national one.
func accountOf(e *etree.Element) Account {
	a := Account{
		ID:       e.SelectAttrValue("ID", ""),
		Currency: e.SelectAttrValue("Currency", "EUR"), // ebics_types: AccountType
		Holder:   textAt(e, "AccountHolder"),
	}

	for _, c := range e.ChildElements() {
		international := c.SelectAttrValue("international", "") == "true"

		switch {
		case c.Tag == "AccountNumber" && (international || a.Number == ""):
			a.Number = strings.TrimSpace(c.Text())
		case c.Tag == "BankCode" && (international || a.Bank == ""):
			a.Bank = strings.TrimSpace(c.Text())
		}
	}

	return a
}

// ordersOf reads the orders that a permission, or a description, is about.
func ordersOf(e *etree.Element) (out []Order) {
	types := strings.Fields(textAt(e, "AdminOrderType") + " " + textAt(e, "OrderType") + " " + textAt(e, "OrderTypes"))
	for _, t := range types {
		o := Order{Type: t}

		if s := only(e, "Service"); s != nil {
			o.Service = readService(s)
		}

		if f := only(e, "FileFormat"); f != nil && (t == "FUL" || t == "FDL") {
			o.Format = strings.TrimSpace(f.Text())
			o.Country = f.SelectAttrValue("CountryCode", "")
		}

		out = append(out, o)
	}

	return out
}

func readService(e *etree.Element) Service {
	s := Service{
		Name:    textAt(e, "ServiceName"),
		Scope:   textAt(e, "Scope"),
		Option:  textAt(e, "ServiceOption"),
		Message: textAt(e, "MsgName"),
	}

	if c := only(e, "Container"); c != nil {
		s.Container = c.SelectAttrValue("containerType", "")
	}

	if m := only(e, "MsgName"); m != nil {
		s.Variant = m.SelectAttrValue("variant", "")
		s.Version = m.SelectAttrValue("version", "")
		s.Format = m.SelectAttrValue("format", "")
	}

	return s
}

// May reports whether the rights include an order. What the bank leaves open, such as the version of a message, is
// allowed.
func (r *Rights) May(o Order) bool {
	return slices.ContainsFunc(r.Orders, func(p Permitted) bool {
		return p.Order.Type == o.Type && p.Order.Format == o.Format && p.Order.Service.includes(o.Service)
	})
}

// includes reports whether a service of the bank's list covers one that we use.
func (s Service) includes(ours Service) bool {
	return s.Name == ours.Name && s.Scope == ours.Scope && s.Option == ours.Option && s.Container == ours.Container &&
		s.Message == ours.Message && (s.Variant == "" || s.Variant == ours.Variant) &&
		(s.Version == "" || s.Version == ours.Version) && (s.Format == "" || s.Format == ours.Format)
}
