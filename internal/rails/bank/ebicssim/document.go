//go:build !nosandbox

package ebicssim

import (
	"strings"

	"github.com/beevik/etree"
)

// rights answers HTD, and HKD with all users (ch. 9.5, 9.4).
func (h *Host) rights(q *request, user string, all bool) []byte {
	name := "HTDResponseOrderData"
	if all {
		name = "HKDResponseOrderData"
	}

	root := etree.NewElement(name)
	root.CreateAttr("xmlns", "urn:org:ebics:"+q.version)

	partner := put(root, "PartnerInfo", "")
	put(put(partner, "AddressInfo", ""), "Name", "Customer of the simulated bank")
	put(put(partner, "BankInfo", ""), "HostID", h.c.Host)

	account := put(partner, "AccountInfo", "", "ID", "ACCOUNT1", "Currency", "EUR")
	put(account, "AccountNumber", "DE89370400440532013000", "international", "true")
	put(account, "BankCode", "SLWYDEF0XXX", "international", "true")

	for _, s := range offered(q.version) {
		info := put(partner, "OrderInfo", "")
		s.put(q, info, false)
		put(info, "Description", s.description)

		if s.upload {
			put(info, "NumSigRequired", "1")
		}
	}

	for u := range h.state.Users {
		if u != user && !all || !strings.HasPrefix(u, strings.SplitAfter(user, "/")[0]) {
			continue
		}

		_, id, _ := strings.Cut(u, "/")
		info := put(root, "UserInfo", "")
		put(info, "UserID", id, "Status", "1")
		put(info, "Name", "User "+id)

		for _, s := range offered(q.version) {
			permission := put(info, "Permission", "")
			if s.upload {
				permission.CreateAttr("AuthorisationLevel", "E")
			}

			s.put(q, permission, true)
		}
	}

	return document(root)
}

// offer is an order that the bank lets its customers use.
type offer struct {
	kind, service, scope, container, message string
	upload                                   bool
	description                              string
}

func (o offer) put(q *request, to *etree.Element, permission bool) {
	if q.version == "H004" {
		if permission {
			put(to, "OrderTypes", o.kind)
			return
		}

		put(to, "OrderType", o.kind)

		if o.upload {
			put(to, "TransferType", "Upload")
		} else {
			put(to, "TransferType", "Download")
		}

		return
	}

	put(to, "AdminOrderType", o.kind)

	if o.service == "" {
		return
	}

	service := put(to, "Service", "")
	put(service, "ServiceName", o.service)
	put(service, "Scope", o.scope)

	if o.container != "" {
		put(service, "Container", "", "containerType", o.container)
	}

	put(service, "MsgName", o.message)
}

func offered(version string) []offer {
	if version == "H004" {
		return []offer{
			{kind: "CCT", upload: true, description: "SEPA credit transfer"},
			{kind: "CIP", upload: true, description: "SEPA instant credit transfer"},
			{kind: "C53", description: "Statements"},
			{kind: "C54", description: "Advices"},
			{kind: "CRZ", description: "Status reports"},
			{kind: "HAC", description: "Customer protocol"},
			{kind: "HTD", description: "Customer and user data"},
		}
	}

	transfers := offer{kind: "BTU", scope: "DE", upload: true, description: "Transfers"}
	files := offer{kind: "BTD", scope: "DE", container: "ZIP", description: "Files of the bank"}

	return []offer{
		transfers.of("SCT", "pain.001"),
		transfers.of("SCI", "pain.001"),
		files.of("EOP", "camt.053"),
		files.of("STM", "camt.054"),
		files.of("REP", "pain.002"),
		{kind: "HAC", description: "Customer protocol"},
		{kind: "HTD", description: "Customer and user data"},
	}
}

// of returns the same offer for another service and message.
func (o offer) of(service, message string) offer {
	o.service = service
	o.message = message

	return o
}

// protocol answers HAC (ch. 9.3): the events of the customer, of the days that are asked for.
func (h *Host) protocol(user string, o order) ([]byte, error) {
	partner, _, _ := strings.Cut(user, "/")

	root := etree.NewElement("Document")
	root.CreateAttr("xmlns", "urn:iso:std:iso:20022:tech:xsd:pain.002.001.03")
	report := put(root, "CstmrPmtStsRpt", "")

	head := put(report, "GrpHdr", "")
	put(head, "MsgId", randomHex(8))
	put(head, "CreDtTm", h.c.Clock.Now().UTC().Format("2006-01-02T15:04:05.000Z"))

	original := put(report, "OrgnlGrpInfAndSts", "")
	put(original, "OrgnlMsgId", "EBICS")
	put(original, "OrgnlMsgNmId", "EBICS")

	told := 0
	for _, e := range h.state.Events {
		day := e.At.Format("2006-01-02")
		if !strings.HasPrefix(e.User, partner+"/") || o.from != "" && (day < o.from || day > o.to) {
			continue
		}

		putEvent(report, e)
		told++
	}

	if told == 0 {
		return nil, failOrder("090005", "EBICS_NO_DOWNLOAD_DATA_AVAILABLE")
	}

	return document(root), nil
}

func putEvent(report *etree.Element, e event) {
	partner, user, _ := strings.Cut(e.User, "/")

	item := put(report, "OrgnlPmtInfAndSts", "")
	put(item, "OrgnlPmtInfId", e.Action)

	status := put(item, "StsRsnInf", "")
	organisation := put(put(put(status, "Orgtr", ""), "Id", ""), "OrgId", "")

	for _, p := range [][2]string{
		{"PartnerID", partner},
		{"AdminOrderType", e.Kind},
		{"OrderID", e.OrderID},
		{"UserID", user},
		{"TimeStamp", e.At.Format("2006-01-02T15:04:05.000Z")},
	} {
		other := put(organisation, "Othr", "")
		put(other, "Id", p[1])
		put(put(other, "SchmeNm", ""), "Prtry", p[0])
	}

	put(put(status, "Rsn", ""), "Cd", e.Reason)

	for _, i := range e.Info {
		put(status, "AddtlInf", i)
	}
}
