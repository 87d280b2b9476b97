# Generated from docs/openapi.json by tools/generate.py.
"""The operations, each a method with its name. An argument that is None is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal
from urllib.parse import quote

from . import types
from .pages import pages
from .transport import File


class Operations:
    """What Client can do."""

    def call(self, method: str, path: str, body: Any = None, **how: Any) -> Any:
        """Is defined by Client."""
        raise NotImplementedError

    def accept_schedule(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ScheduleView:
        """Decide to pay on the days to come.

        By a person who may accept a transaction that costs `maxDebit`. The payments and payees as they are now are
        what is accepted. Days before today are left out.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/schedules/{quote(id, safe='')}/accept",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def accept_transaction(
        self,
        id: str,
        body: types.TransactionAcceptBody | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Decide to pay.

        Scope for API clients: `transactions:accept`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/accept",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def add_organisation_comment(
        self,
        id: str,
        body: types.CommentInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.CommentView:
        """Write a comment on a record.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Scope for API clients: `organisations:write`.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/comments",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def add_passkey(
        self,
        body: types.AddPasskeyRequest,
        *,
        organisation: str | None = None,
    ) -> types.AuthAddedPasskeyView:
        """Add a passkey.

        A passkey is a second factor and signs in by itself. With the first second factor every other session of the
        user ends, and the recovery codes are shown once.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/passkeys",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def add_payable_comment(
        self,
        id: str,
        body: types.CommentInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.CommentView:
        """Write a comment on a record.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            f"/payables/{quote(id, safe='')}/comments",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def add_receiver_comment(
        self,
        id: str,
        body: types.CommentInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.CommentView:
        """Write a comment on a record.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Scope for API clients: `receivers:write`.
        """
        return self.call(
            "POST",
            f"/receivers/{quote(id, safe='')}/comments",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def add_record_comment(
        self,
        id: str,
        body: types.AddRecordCommentRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.CommentView:
        """Write a comment or a note on any record.

        On a transaction, a payable, a receiver, an organisation, a user or a screening case. `documents` are those
        of the record's organisation.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/records/{quote(id, safe='')}/comments",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def add_sign_on_domain(
        self,
        id: str,
        body: types.AddSignOnDomainRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.SsoDomainView:
        """Add a domain whose people the provider signs in.

        For admins. It counts when it is proven, by a TXT record in its DNS or by an operator.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/sign-on/domains",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def add_tenant(
        self,
        body: types.AddTenantRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.AppTenantDetailView:
        """Add an organisation with its first admin.

        It starts PENDING, as if its admin had made it. An address without an account gets one, and the mail with
        the link that completes it. A second call for the same admin and name adds nothing and mails once more.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/operations/organisations",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def add_transaction_comment(
        self,
        id: str,
        body: types.CommentInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.CommentView:
        """Write a comment on a record.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/comments",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def agree_to_transaction(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Agree to pay, before the last one accepts.

        Where the organisation's policy wants several people to accept a transaction together (`acceptance`), all
        but one agree, and the last one accepts. It moves nothing. For those who may accept.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/agree",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def allow_passwords(
        self,
        id: str,
        body: types.AllowPasswordsRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.SsoView:
        """Let passwords of an organisation's people sign in again.

        For an organisation whose provider is down and whose emergency admins cannot be reached. It makes the
        provider optional; its admins get a mail.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/organisations/{quote(id, safe='')}/sign-on/passwords",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def approve(
        self,
        id: str,
        body: types.ApproveRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Approve.

        For members with a role that the kind asks for, who have had no part in what is approved. It takes effect at
        once.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/approvals/{quote(id, safe='')}/approve",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def approve_payable(
        self,
        id: str,
        body: types.ApprovePayableRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.PayableView:
        """Approve a DRAFT.

        Under a policy of four eyes, by somebody who has neither created nor changed it. A payee whose details
        change afterwards makes it DRAFT again.

        Needs one of the roles approver, admin, authorized in the organisation.

        Scope for API clients: `payables:approve`.
        """
        return self.call(
            "POST",
            f"/payables/{quote(id, safe='')}/approve",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def approve_payables(
        self,
        body: types.ApprovePayablesRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.PayableBatchView:
        """Approve several DRAFTs.

        Each is approved or refused by itself; the answer says which.

        Needs one of the roles approver, admin, authorized in the organisation.

        Scope for API clients: `payables:approve`.
        """
        return self.call(
            "POST",
            "/payables/approve",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def ask_passkey(
        self,
        *,
        organisation: str | None = None,
    ) -> types.AuthPasskeyOptionsView:
        """Begin to prove the second factor by a passkey.

        Give the answer to navigator.credentials.get(), and send what that returns as `passkey` to POST
        /auth/2fa/step-up or /auth/2fa/disable, in the same session.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/passkeys/challenge",
            headers={"Slipway-Organisation": organisation},
        )

    def begin_passkey_login(
        self,
        body: types.BeginPasskeyLoginRequest | None = None,
    ) -> types.AuthPasskeyOptionsView:
        """Begin to sign in by a passkey.

        Give the answer to navigator.credentials.get(), and what that returns to POST /auth/passkeys/login, or with
        a tempToken to POST /auth/2fa/login.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/passkeys/login-options",
            body,
        )

    def challenge_wallet(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.WalletView:
        """Ask for a new text to sign.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "POST",
            f"/wallets/{quote(id, safe='')}/challenge",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_bank_account(
        self,
        id: str,
        body: types.ChangeBankAccountRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.BankaccountView:
        """Change a bank account.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `bank-accounts:write`.
        """
        return self.call(
            "PATCH",
            f"/bank-accounts/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_chat_channel(
        self,
        id: str,
        body: types.ChangeChatChannelRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ChatchannelView:
        """Change a chat channel, or switch it off or on.

        With a new address, or switched on, it begins anew.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `chat-channels:write`.
        """
        return self.call(
            "PATCH",
            f"/chat-channels/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_email(
        self,
        body: types.ChangeEmailRequest,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.AuthMessageView:
        """Ask for another e-mail address.

        It changes when the links that are sent to the old and to the new address have both been followed.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/change-email",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def change_email_preferences(
        self,
        body: types.ChangeEmailPreferencesRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.PreferenceView:
        """Change which mails you get.

        Categories that are left out stay as they are. Mails that keep the account safe always come at once.

        Not for API clients.
        """
        return self.call(
            "PATCH",
            "/email/preferences",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def change_me(
        self,
        body: types.ChangeMeRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.UserView:
        """Change the signed-in user.

        Fields that are left out stay as they are. The e-mail address, roles and flags cannot be changed here.

        Not for API clients.
        """
        return self.call(
            "PATCH",
            "/users/me",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_member(
        self,
        id: str,
        member_id: str,
        body: types.ChangeMemberRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.OrganisationMemberView:
        """Change a member.

        For admins. Nobody authorizes himself, and one active admin remains. Under an approval policy every change
        waits for another admin: `pendingApproval` names the approval, and the member is as he was.

        Not for API clients.
        """
        return self.call(
            "PATCH",
            f"/organisations/{quote(id, safe='')}/members/{quote(member_id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_network(
        self,
        id: str,
        body: types.NetworkChangeBody,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.NetworkView:
        """Change a network.

        On a network in use a change of the treasury, contracts, nodes, finality, fees or screening waits a day, and
        then for a second operator: `pendingApproval` names the approval, and the network is as it was. On a network
        that the deployment's configuration names, type, chainId, internalRpcUrl, finality, maxFeePerGasWei and
        stuckAfterSeconds are changed there: 422 `NETWORK_FIELD_CONFIGURED`.

        Scope for API clients: `networks:write`.
        """
        return self.call(
            "PATCH",
            f"/networks/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_organisation(
        self,
        id: str,
        body: types.ChangeOrganisationRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.OrganisationView:
        """Change an organisation.

        For its admins. Fields that are left out stay as they are.

        Scope for API clients: `organisations:write`.
        """
        return self.call(
            "PATCH",
            f"/organisations/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_password(
        self,
        body: types.ChangePasswordRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.AuthMessageView:
        """Change the password.

        Every other session of the user ends.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/change-password",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def change_payable(
        self,
        id: str,
        body: types.PayableEditInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.PayableView:
        """Change a payable while it is DRAFT.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "PATCH",
            f"/payables/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_receiver(
        self,
        id: str,
        body: types.ReceiverChangeBody,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ReceiverView:
        """Change a receiver.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `receivers:write`.
        """
        return self.call(
            "PATCH",
            f"/receivers/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_stock(
        self,
        body: types.StockChangeInput,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to record what came into the house's stock, or left it.

        What the owners assign or take out, and what was bought and sold elsewhere. Nothing can be taken that is
        promised to customers, and no tokens brought in that the treasury does not have.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/stock/changes",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def change_terms(
        self,
        id: str,
        body: types.ChangeTermsRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to change an organisation's limits and commissions.

        Fields that are left out stay as they are. The terms change when the second operator has approved (POST
        /operations/approvals/{id}/decision); what was quoted keeps its price.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "PATCH",
            f"/operations/organisations/{quote(id, safe='')}/terms",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_user_status(
        self,
        id: str,
        body: types.ChangeUserStatusRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.UserView:
        """Switch an account on or off.

        Off ends every session and keeps the user's API clients out. Without `isActive` it toggles, so that a
        repeated request undoes the first: send the state you wish.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/users/{quote(id, safe='')}/change-status",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_wallet(
        self,
        id: str,
        body: types.ChangeWalletRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.WalletView:
        """Change a wallet; another address, network, type or receiver has to be proven anew.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "PATCH",
            f"/wallets/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def change_webhook_endpoint(
        self,
        id: str,
        body: types.ChangeWebhookEndpointRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.EndpointView:
        """Change a webhook endpoint, or switch it off or on.

        While it is off its deliveries wait. A new address is asked for a proof as that of a new endpoint is.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "PATCH",
            f"/webhook-endpoints/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def check_allowance(
        self,
        id: str,
        body: types.CheckAllowanceRequest | None = None,
        *,
        organisation: str | None = None,
    ) -> types.TransactionAllowance:
        """Say whether the wallet has approved enough, and lock the quote of a draft.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/check-allowance",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def check_import(
        self,
        body: types.CheckImportBody | File,
        *,
        columns: Sequence[str] | None = None,
        header: bool | None = None,
        without: Sequence[str] | None = None,
        organisation: str | None = None,
    ) -> types.IntakeTableView:
        """Look at a table of payees and payments.

        Reads a table (CSV with commas, semicolons or tabs, XLSX, or a payment file pain.001; at most 500 rows) and
        says of each row what it would make and what is wrong with it. It changes nothing.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `imports:write`.
        """
        return self.call(
            "POST",
            "/imports/check",
            body,
            query={
                "columns[]": columns,
                "header": header,
                "without[]": without,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def check_review(
        self,
        id: str,
        point: str,
        body: types.CheckReviewRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ReviewListedView:
        """Tick a point of a verification's checklist.

        Whoever looks at a proposal made before looks again.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "PUT",
            f"/operations/reviews/{quote(id, safe='')}/checklist/{quote(point, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def check_sign_on(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.SsoCheckView:
        """Ask the provider for its description and its keys.

        For admins. It changes nothing. To go the whole way in a browser, open /console/session/sign-on/test.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/sign-on/check",
            headers={"Slipway-Organisation": organisation},
        )

    def check_sign_on_domain(
        self,
        id: str,
        domain_id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.SsoDomainView:
        """Look for the record that proves a domain.

        For admins. A proven domain stays so.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/sign-on/domains/{quote(domain_id, safe='')}/check",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def client_token(
        self,
        body: types.ClientTokenRequest,
    ) -> types.AuthTokensView:
        """Log in as an API client.

        The tokens act for the client's organisation, within its scopes.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/token",
            body,
        )

    def close_bookkeeping_period(
        self,
        period: str,
        body: types.CloseBookkeepingPeriodRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingPeriodView:
        """Close a month of the book.

        Its lines never change again. Rates that come late, other accounts, another home currency and another time
        zone act from the first open day on, and what is posted later counts there. Under a policy of the
        organisation a second admin decides: `pendingApproval` names the approval.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "POST",
            f"/bookkeeping/periods/{quote(period, safe='')}/close",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def comment_review(
        self,
        id: str,
        body: types.CommentReviewRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ReviewListedView:
        """Comment on a verification by hand.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/reviews/{quote(id, safe='')}/comments",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def complete_user(
        self,
        body: types.CompleteUserRequest,
    ) -> types.UserView:
        """Complete an account that was prepared.

        Whoever completes an account has no access token yet: the token of the mailed link is the credential, and
        the header Authorization is not looked at.

        Needs no access token.
        """
        return self.call(
            "PATCH",
            "/users/complete",
            body,
        )

    def confirm_account(
        self,
        body: types.ConfirmAccountRequest,
    ) -> types.UserView:
        """Confirm an address by the link in a mail.

        A link works once, within 24 hours. A change of address takes effect when the old and the new address have
        both confirmed it.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/confirm-account",
            body,
        )

    def confirm_invoice_link_proposal(
        self,
        token_id: str,
        body: types.ConfirmInvoiceLinkProposalRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.InvoicelinkView:
        """Let in an account or wallet that a known receiver has handed in.

        It is added to what the receiver has; nothing of that is changed. Nothing is paid to it for 24 hours, and
        the receiver is told at the address it is known by.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/payables/invoice-links/{quote(token_id, safe='')}/confirm",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def confirm_safe_transaction(
        self,
        id: str,
        safe_tx_hash: str,
        body: types.ConfirmSafeTransactionRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.SafetxView:
        """Hand in an owner's confirmation; it is verified against the chain.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "POST",
            f"/wallets/{quote(id, safe='')}/safe-transactions/{quote(safe_tx_hash, safe='')}/confirmations",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def confirm_sign_on_domain(
        self,
        id: str,
        body: types.ConfirmSignOnDomainRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.SsoDomainView:
        """Confirm that a domain is an organisation's.

        For who cannot set a TXT record. The organisation has added the domain before.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/organisations/{quote(id, safe='')}/sign-on/domains",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def count_payables(
        self,
        *,
        organisation: str | None = None,
    ) -> types.PayableCountsView:
        """Count the organisation's payables by status.

        Scope for API clients: `payables:read`.
        """
        return self.call(
            "GET",
            "/payables/counts",
            headers={"Slipway-Organisation": organisation},
        )

    def create_api_key(
        self,
        body: types.CreateAPIKeyRequest | None = None,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.AuthClientView:
        """Create an API client.

        It acts in the caller's name, for the organisation acted for. The secret is shown once.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/api-key",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def create_bank_account(
        self,
        body: types.CreateBankAccountRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BankaccountView:
        """Add a bank account.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `bank-accounts:write`.
        """
        return self.call(
            "POST",
            "/bank-accounts",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_chat_channel(
        self,
        body: types.CreateChatChannelRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.ChatchannelView:
        """Add a chat channel.

        A room of Slack, Teams or Matrix that is told what waits and what has happened, by its incoming webhook.
        Messages lead to pages; nothing is decided by opening a link. At most 10 an organisation.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `chat-channels:write`.
        """
        return self.call(
            "POST",
            "/chat-channels",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_invoice_bank_account(
        self,
        body: types.CreateInvoiceBankAccountRequest,
    ) -> types.InvoicelinkGivenView:
        """Give a bank account to be paid to.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/payables/create-invoice-bank-account",
            body,
        )

    def create_invoice_link(
        self,
        body: types.CreateInvoiceLinkRequest,
        *,
        organisation: str | None = None,
    ) -> types.InvoicelinkMadeView:
        """Ask an outside party for its invoice.

        The link goes out by mail, and lets whoever follows it say who he is, where to pay to and what for, without
        an account.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            "/payables/generate-invoice-link",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def create_invoice_payable(
        self,
        body: types.CreateInvoicePayableRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.PayableView:
        """Make a payable of what was handed in.

        What is left out is taken from what was handed in. A new receiver comes into being with it, and the link is
        closed.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            "/payables/create-invoice-payable",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_invoice_receiver(
        self,
        body: types.CreateInvoiceReceiverRequest,
    ) -> types.InvoicelinkReceiverIDView:
        """Say who you are.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/payables/create-invoice-receiver",
            body,
        )

    def create_invoice_wallet(
        self,
        body: types.CreateInvoiceWalletRequest,
    ) -> types.InvoicelinkGivenView:
        """Give a wallet to be paid to.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/payables/create-invoice-wallet",
            body,
        )

    def create_network(
        self,
        body: types.NetworkCreateBody,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.NetworkView:
        """Add a network.

        Scope for API clients: `networks:write`.
        """
        return self.call(
            "POST",
            "/networks",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def create_organisation(
        self,
        body: types.CreateOrganisationRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationView:
        """Create an organisation.

        It starts PENDING with its self-receiver; the caller becomes its admin and an authorized member.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/organisations/create",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_payable(
        self,
        body: types.PayableInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.PayableView:
        """Create a payable.

        It starts DRAFT. `warnings` says what it looks like; nothing is kept from happening by them.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            "/payables",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_receiver(
        self,
        body: types.ReceiverCreateBody,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.ReceiverView:
        """Add a receiver.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `receivers:write`.
        """
        return self.call(
            "POST",
            "/receivers",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_receiver_with_bank_account(
        self,
        body: types.CreateReceiverWithBankAccountRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BankaccountView:
        """Add a receiver and its bank account.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `bank-accounts:write`.
        """
        return self.call(
            "POST",
            "/bank-accounts/receiver",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_schedule(
        self,
        body: types.ScheduleInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.ScheduleView:
        """Schedule a transaction, once or again and again.

        Nothing is paid before somebody has accepted it. Then a transaction is made on each day: created, submitted
        and accepted for the person who accepted the schedule, under the rules of that day. What cannot be paid so
        waits for a person. Days begin at midnight UTC; a day on which a rail rests moves to its next working day.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `schedules:write`.
        """
        return self.call(
            "POST",
            "/schedules",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_transaction(
        self,
        body: types.TransactionInput,
        *,
        partner_id: str | None = None,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.TransactionView:
        """Create a draft with 1 to 30 payments.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            "/transactions",
            body,
            headers={"partnerId": partner_id, "Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_wallet(
        self,
        body: types.CreateWalletRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.WalletView:
        """Add a wallet; ownership.message is the text to sign.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "POST",
            "/wallets",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def create_webhook_endpoint(
        self,
        body: types.CreateWebhookEndpointRequest,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.EndpointView:
        """Add a webhook endpoint.

        The answer has the key that signs (Standard Webhooks); it is shown once. The address is sent a message of
        the type `webhook_endpoint.verification`, and is told of events once it has answered 2xx with its
        `data.object.challenge`, as text or as `{"challenge": …}`.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "POST",
            "/webhook-endpoints",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def decide_deposit(
        self,
        id: str,
        body: types.DecideDepositRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ReconcileDepositView:
        """Decide about a deposit in suspense; two people have to decide the same.

        The first decision is a proposal. It is carried out when another person decides the same; another decision
        is a new proposal. Before money goes back, its sender is screened.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/deposits/{quote(id, safe='')}/decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def decide_held(
        self,
        body: types.DecideHeldRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to end a hold at a bank.

        action is one of the item's choices. A job carries it out when the second one has approved (POST
        /operations/approvals/{id}/decision). What is held on a chain is decided at its transaction.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/held/decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def decide_owed(
        self,
        id: str,
        body: types.DecideOwedRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to set off or to write off what an organisation owes.

        It takes effect when the second one approves (POST /operations/approvals/{id}/decision). Of a return that is
        more than what is owed, the rest stays as it is.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/receivables/{quote(id, safe='')}/decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def decide_review(
        self,
        id: str,
        body: types.DecideReviewRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ReviewListedView:
        """Decide a verification by hand; two people have to say the same.

        The first call proposes. The same decision by another person, about the same basis, confirms it.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/reviews/{quote(id, safe='')}/decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def decide_screening_case(
        self,
        id: str,
        body: types.DecideScreeningCaseRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.AnalysisCaseView:
        """Say whether a name is the listed party's; two people have to say the same.

        The first decision is a proposal; the name stays blocked until a second person has said the same. A decision
        that stands is doubted in the same way.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/screening-cases/{quote(id, safe='')}/decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def decide_wallet_screening(
        self,
        id: str,
        body: types.DecideWalletScreeningRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.WalletReviewedView:
        """Decide about a wallet in REVIEW; two people have to say the same.

        The first decision is a proposal; the wallet stays in REVIEW until a second person has said the same.
        Another decision is a new proposal.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "POST",
            f"/wallets/{quote(id, safe='')}/screening-decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_bank_account(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.BankaccountView:
        """Take a bank account out of use.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `bank-accounts:write`.
        """
        return self.call(
            "DELETE",
            f"/bank-accounts/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_brand_logo(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.BrandView:
        """Show no logo.

        For admins.

        Scope for API clients: `organisations:write`.
        """
        return self.call(
            "DELETE",
            f"/organisations/{quote(id, safe='')}/brand/logo",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_chat_channel(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ChatchannelView:
        """Delete a chat channel.

        Its address is forgotten. What waits for it is not sent.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `chat-channels:write`.
        """
        return self.call(
            "DELETE",
            f"/chat-channels/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_document(
        self,
        key_: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.DocumentView:
        """Delete a document.

        Possible while no payable and no payment refers to it.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `documents:write`.
        """
        return self.call(
            "DELETE",
            f"/documents/{quote(key_, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def delete_network(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.NetworkView:
        """Take a network out of use.

        Scope for API clients: `networks:write`.
        """
        return self.call(
            "DELETE",
            f"/networks/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_passkey(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> None:
        """Delete a passkey.

        The only second factor that is left cannot be deleted: POST /auth/2fa/disable switches it off.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/auth/passkeys/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def delete_receiver(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ReceiverView:
        """Take a receiver out of use.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `receivers:write`.
        """
        return self.call(
            "DELETE",
            f"/receivers/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_scim_token(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> None:
        """End the directory's token.

        For admins. What it has ended stays so.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/organisations/{quote(id, safe='')}/sign-on/scim-token",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def delete_sign_on(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> None:
        """End signing in by the provider.

        For admins. Everybody signs in by a password again; who has none sets one by a link.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/organisations/{quote(id, safe='')}/sign-on",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_sign_on_domain(
        self,
        id: str,
        domain_id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> None:
        """Drop a domain.

        For admins. Its people are not led to the provider any more.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/organisations/{quote(id, safe='')}/sign-on/domains/{quote(domain_id, safe='')}",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def delete_sign_on_link(
        self,
        id: str,
        link_id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
    ) -> None:
        """Forget who somebody is at the provider.

        For admins. At the next sign-in the person is found by a verified address again. Sessions that the provider
        has begun end.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/organisations/{quote(id, safe='')}/sign-on/links/{quote(link_id, safe='')}",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def delete_transaction(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Delete a draft, or cancel and delete one that waits for acceptance.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "DELETE",
            f"/transactions/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_wallet(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.WalletView:
        """Take a wallet out of use.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "DELETE",
            f"/wallets/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def delete_webhook_endpoint(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.EndpointView:
        """Delete a webhook endpoint.

        What waits for it is not sent any more.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "DELETE",
            f"/webhook-endpoints/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def disable_second_factor(
        self,
        body: types.AuthProofInput,
        *,
        organisation: str | None = None,
    ) -> types.AuthDisabledView:
        """Switch the second factor off.

        The app, the recovery codes and the passkeys are deleted. Every other session of the user ends.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/2fa/disable",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def download(
        self,
        link: str,
    ) -> bytes:
        """Fetch a document by its link.

        Returns the bytes of a file.

        The link says by itself what it opens, and is good for ten minutes.

        Needs no access token.
        """
        return self.call(
            "GET",
            f"/downloads/{quote(link, safe='')}",
            headers={"Accept": "application/pdf"},
            raw=True,
        )

    def download_bank_file(
        self,
        id: str,
    ) -> bytes:
        """Download a file to a bank, or from one.

        Returns the bytes of a file.

        The bytes as they went out or came in. The look is in the audit log.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/bank-files/{quote(id, safe='')}/content",
            headers={"Accept": "application/octet-stream"},
            raw=True,
        )

    def download_document(
        self,
        key_: str,
        *,
        accept: Literal["application/pdf", "image/jpeg", "image/png"] | None = None,
        organisation: str | None = None,
    ) -> bytes:
        """Read a document's content.

        Returns the bytes of a file.

        Always an attachment, under a policy that lets nothing in it run.

        Scope for API clients: `documents:read`.
        """
        return self.call(
            "GET",
            f"/documents/{quote(key_, safe='')}",
            headers={"Slipway-Organisation": organisation, "Accept": accept},
            raw=True,
        )

    def download_review_document(
        self,
        id: str,
        key_: str,
    ) -> bytes:
        """Download a document of a verification by hand.

        Returns the bytes of a file.

        The look is in the audit log.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/reviews/{quote(id, safe='')}/documents/{quote(key_, safe='')}",
            headers={"Accept": "*/*"},
            raw=True,
        )

    def duplicate_payable(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.PayableView:
        """Create a DRAFT with the same content.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            f"/payables/{quote(id, safe='')}/duplicate",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def end_session(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> None:
        """End one session.

        Its tokens do not work any more.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/auth/sessions/{quote(id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def end_sessions(
        self,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> None:
        """Sign out everywhere.

        Every session of the signed-in person ends, also the one that asks. API clients go on.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            "/auth/sessions",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def explain_transaction(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionExplainView:
        """Say where a transaction stands, whom it waits for, and what happens next.

        Follows from the tables of states (docs/reference/states) and from what is stored: a move that is not listed
        cannot happen.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}/explain",
            headers={"Slipway-Organisation": organisation},
        )

    def export_bookkeeping(
        self,
        *,
        accept: Literal["application/zip", "text/csv", "text/plain"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["datev", "xero", "quickbooks", "hledger", "beancount"] | None = None,
        datev_adviser: int | None = None,
        datev_client: int | None = None,
        year_start: str | None = None,
        organisation: str | None = None,
    ) -> bytes:
        """Export the organisation's book for a bookkeeping program.

        Returns the bytes of a file.

        The lines of GET /bookkeeping/entries in the file that a program imports: DATEV (EXTF 700, batch of
        bookings), Xero (manual journals) and QuickBooks Online (journal entries) in ZIP archives of files that are
        as long as the program takes them, hledger (ledger reads it too) and beancount.

        Each journal keeps its identifier, and the same period gives the same bytes as long as nothing was booked
        into it.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/export",
            query={
                "from": from_,
                "to": to,
                "format": format,
                "datevAdviser": datev_adviser,
                "datevClient": datev_client,
                "yearStart": year_start,
            },
            headers={"Slipway-Organisation": organisation, "Accept": accept},
            raw=True,
        )

    def export_house_book(
        self,
        *,
        accept: Literal["application/zip", "text/csv", "text/plain"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["datev", "xero", "quickbooks", "hledger", "beancount"] | None = None,
        datev_adviser: int | None = None,
        datev_client: int | None = None,
        year_start: str | None = None,
    ) -> bytes:
        """Export the house's book for a bookkeeping program.

        Returns the bytes of a file.

        The lines of GET /operations/books/entries, as GET /bookkeeping/export writes those of an organisation.
        Lines without a rate, such as gas, are written for hledger and beancount alone.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/books/export",
            query={
                "from": from_,
                "to": to,
                "format": format,
                "datevAdviser": datev_adviser,
                "datevClient": datev_client,
                "yearStart": year_start,
            },
            headers={"Accept": accept},
            raw=True,
        )

    def export_payments(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        organisations: Sequence[str] | None = None,
        partners: Sequence[str] | None = None,
        status: Sequence[Literal["DRAFT", "WAITING_ACCEPTANCE", "PROCESSING", "RELEASED", "COMPLETED", "FAILED", "REJECTED_BY_PLATFORM"]] | None = None,
        tokens: Sequence[Literal["USDT", "USDC", "DAI"]] | None = None,
        currencies: Sequence[str] | None = None,
        type_: Sequence[Literal["FIAT", "CRYPTO", "ONRAMP"]] | None = None,
        sort_by: Literal["createdAt", "updatedAt", "status", "type", "token", "_id"] | None = None,
        direction: Literal[-1, 1] | None = None,
        commission_type: Literal["STANDARD", "CUSTOM", "PARTNER"] | None = None,
        column_id: str | None = None,
        selected_year: int | None = None,
        search_term: str | None = None,
        is_hidden: bool | None = None,
        payments_failed: bool | None = None,
        format: Literal["CSV", "EXCEL", "EXCEL_DECIMAL_COMMA"] | None = None,
        columns: Sequence[Literal["date", "acceptedOn", "endedOn", "type", "payee", "account", "purpose", "reference", "amount", "currency", "token", "tokenAmount", "rate", "fee", "debit", "status", "statusInfo", "hash", "endToEndId", "uetr", "network", "wallet", "payable", "transaction", "payment"]] | None = None,
        organisation: str | None = None,
    ) -> bytes:
        """Export payments as a table, a row for each.

        Returns the bytes of a file.

        All payments of the transactions that match, one row each, for a spreadsheet or a bookkeeping program. Days
        are of UTC: date of the draft, acceptedOn, endedOn. rate is fiat for one token. fee and debit are tokens;
        those of a transaction's rows add up to those of the transaction: what belongs to no payment alone stands in
        its first row. debit is what leaves the wallet for the row, before anything comes back; a deposit takes
        nothing. hash is that of the tokens' way to the payees, to the platform, or of a deposit to the wallet.
        Cells are made inert, as those of lists are.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            "/transactions/export",
            query={
                "from": from_,
                "to": to,
                "organisations[]": organisations,
                "partners[]": partners,
                "status[]": status,
                "tokens[]": tokens,
                "currencies[]": currencies,
                "type[]": type_,
                "sortBy": sort_by,
                "direction": direction,
                "commissionType": commission_type,
                "columnId": column_id,
                "selectedYear": selected_year,
                "searchTerm": search_term,
                "isHidden": is_hidden,
                "paymentsFailed": payments_failed,
                "format": format,
                "columns[]": columns,
            },
            headers={"Slipway-Organisation": organisation, "Accept": "text/csv"},
            raw=True,
        )

    def extract_qr_bill_info(
        self,
        body: types.ExtractQrBillInfoBody | types.ExtractQrBillInfoBody1 | File,
        *,
        bill: int | None = None,
        organisation: str | None = None,
    ) -> types.BillscanView:
        """Read the QR code of a bill.

        Reads the QR code of a Swiss QR bill, or of the European Payments Council, in a PDF, PNG or JPEG file, and
        says what it states. Nothing is kept. Every value stands in the code exactly so: nothing is guessed or taken
        from what is printed around it. `prefill` is a body of POST /payables as far as the bill tells it.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            "/payables/extract-qr-bill-info",
            body,
            query={
                "bill": bill,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def find_bank(
        self,
        body: types.FindBankRequest,
        *,
        organisation: str | None = None,
    ) -> types.BankaccountBankView:
        """Find the bank of an IBAN.

        What the deployment's directory of banks has. It is sent in a body, since addresses are logged.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `bank-accounts:write`.
        """
        return self.call(
            "POST",
            "/bank-accounts/find-bank",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def forgot_password(
        self,
        body: types.ForgotPasswordRequest,
    ) -> types.AuthMessageView:
        """Ask for a link to set a new password.

        The answer is the same whether or not the address has an account.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/forgot-password",
            body,
        )

    def generate_second_factor(
        self,
        body: types.GenerateSecondFactorRequest | None = None,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.AuthGeneratedView:
        """Make a secret for an authenticator app.

        It takes effect with POST /auth/2fa/verify, within 15 minutes. Until then the secret in use, if there is
        one, stays in use, and its code is needed here. Without a second factor, the password must have been given
        within five minutes; otherwise send it.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/2fa/generate",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def get_applicant_info(
        self,
        applicant_id: str,
        *,
        organisation: str | None = None,
    ) -> types.IdvInfoView:
        """How a verification stands.

        As it was read from the provider last. It is read when an event comes, and every half hour while a review is
        open.

        Scope for API clients: `idv:write`.
        """
        return self.call(
            "POST",
            f"/idv/get-applicant-info/{quote(applicant_id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def get_applicant_token(
        self,
        body: types.GetApplicantTokenRequest,
        *,
        organisation: str | None = None,
    ) -> types.IdvTokenView:
        """Get a token for the provider's widget.

        For the caller, or for an organisation of which he is an admin. Registers the applicant if that was not done
        before.

        Scope for API clients: `idv:write`.
        """
        return self.call(
            "POST",
            "/idv/get-applicant-token",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def get_approval_policy(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.OrganisationPolicyView:
        """What one person may not decide alone.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/approval-policy",
            headers={"Slipway-Organisation": organisation},
        )

    def get_brand(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.BrandView:
        """How the organisation shows itself to outsiders.

        On the pages behind its invoice links, on its statements and invoices, and in mails.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/brand",
            headers={"Slipway-Organisation": organisation},
        )

    def get_complete_info(
        self,
        *,
        token: str,
    ) -> types.AuthCompleteInfoView:
        """What is known of an account to be completed.

        Whoever completes an account has no access token yet: the token of the mailed link is the credential, and
        the header Authorization is not looked at.

        Needs no access token.
        """
        return self.call(
            "GET",
            "/users/complete/info",
            query={
                "token": token,
            },
        )

    def get_email_preferences(
        self,
        *,
        organisation: str | None = None,
    ) -> types.PreferenceView:
        """Which mails you get.

        Not for API clients.
        """
        return self.call(
            "GET",
            "/email/preferences",
            headers={"Slipway-Organisation": organisation},
        )

    def get_invitation_info(
        self,
        *,
        token: str,
    ) -> types.AuthInvitationInfoView:
        """Who invites, and into which organisation.

        The token of the invitation is the credential. It is not used up.

        Needs no access token.
        """
        return self.call(
            "GET",
            "/auth/invitation/info",
            query={
                "token": token,
            },
        )

    def get_me(
        self,
        *,
        organisation: str | None = None,
    ) -> types.UserView:
        """The signed-in user.

        Scope for API clients: `users:read`.
        """
        return self.call(
            "GET",
            "/users/me",
            headers={"Slipway-Organisation": organisation},
        )

    def get_organisation(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.OrganisationView:
        """One organisation.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def get_payable(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.PayableView:
        """Read a payable with its document and payment.

        Scope for API clients: `payables:read`.
        """
        return self.call(
            "GET",
            f"/payables/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def get_review(
        self,
        id: str,
    ) -> types.ReviewCaseView:
        """Show a verification by hand.

        With the form, documents, checklist and comments. The look is in the audit log.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/reviews/{quote(id, safe='')}",
        )

    def get_schedule(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.ScheduleView:
        """Read what is paid on a day.

        Scope for API clients: `schedules:read`.
        """
        return self.call(
            "GET",
            f"/schedules/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def get_senders_info(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.OrganisationSendersInfoView:
        """From whose bank accounts deposits may come.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/senders-info",
            headers={"Slipway-Organisation": organisation},
        )

    def get_sign_on(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.SsoView:
        """How the organisation's people sign in by its provider.

        For admins.

        Not for API clients.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/sign-on",
            headers={"Slipway-Organisation": organisation},
        )

    def get_stock(
        self,
    ) -> types.StockView:
        """Show the house's stock, what is promised of it, and its profit or loss.

        Positions by token and currency, as the ledger has them, at the market's prices. The stock serves the
        currencies of a liquidity provider that is `house`.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/stock",
        )

    def get_transaction(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionView:
        """Read one transaction; poll this to follow it.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def get_transaction_intent(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionIntentView:
        """Show what the paying wallet signs for exactly this batch.

        A member hands the signature in with accept. It is required where the wallet has set on the router that
        nothing is paid without, or the organisation's policy wants it.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}/intent",
            headers={"Slipway-Organisation": organisation},
        )

    def get_transaction_own_calls(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionOwnCalls:
        """Show the calls with which the wallet pays an accepted batch itself.

        Of a transaction that was submitted with `ownUntil`. The wallet sends them in one transaction, as a Safe's
        batch; the service sends nothing and settles by what the chain proves.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}/own-calls",
            headers={"Slipway-Organisation": organisation},
        )

    def give_up_transaction(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to give up what is held of a transaction on the chain.

        For a person who has made sure that none of the attempts took effect. The router is asked whether it has
        taken the number; if it has not, the transaction ends and its amount goes back. What the treasury was to
        send is tried again. A job carries it out when the second one has approved (POST
        /operations/approvals/{id}/decision).

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/transactions/{quote(id, safe='')}/give-up",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def hide_transaction(
        self,
        id: str,
        body: types.HideTransactionRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Hide a transaction from lists, or show it again; it changes nothing else, in whatever state it is.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "PATCH",
            f"/transactions/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def import_bank_file(
        self,
        body: types.ImportBankFileBody | File,
        *,
        code: str | None = None,
    ) -> types.AppImportView:
        """Import a bank's file.

        camt.052, camt.053, camt.054, MT940, MT942, BAI2, pain.002 or pacs.004, whatever its name, or a ZIP of such
        files. A file is booked completely or not at all. The same bytes are booked once, however often they are
        sent.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/bank-files",
            body,
            headers={"X-2FA-Code": code},
        )

    def invite_member(
        self,
        id: str,
        body: types.InviteMemberRequest,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationInvitationView:
        """Invite a person.

        For admins. An earlier open invitation for the same address ends. Under an approval policy it waits for
        another admin: `pendingApproval` names the approval. Mails go out for organisations that are APPROVED.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/invitations",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def join_organisation(
        self,
        body: types.JoinOrganisationRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationView:
        """Join an organisation by an invitation.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/organisations/join",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def list_api_keys(
        self,
        *,
        organisation: str | None = None,
    ) -> types.AuthClientViewList:
        """The caller's API clients.

        Not for API clients.
        """
        return self.call(
            "GET",
            "/auth/api-key",
            headers={"Slipway-Organisation": organisation},
        )

    def list_approvals(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        status: Sequence[Literal["PENDING", "APPROVED", "REJECTED", "SUPERSEDED", "EXPIRED"]] | None = None,
        kind: Sequence[Literal["RECEIVER", "BANK_ACCOUNT", "WALLET", "POLICY", "MEMBER", "INVITATION", "PERIOD", "RECOVERY", "NETWORK", "TOKEN", "TERMS", "RETURN", "HELD", "BANK_HOLD", "BANK_KEYS", "MOVEMENT", "RELEASE", "STOCK", "RECEIVABLE", "REREADING", "DEPOSIT"]] | None = None,
        object: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.ApprovalViewList:
        """List what waits for a second person, and what was decided.

        Scope for API clients: `approvals:read`.
        """
        return self.call(
            "GET",
            "/approvals",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "status[]": status,
                "kind[]": kind,
                "object": object,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_approvals(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        status: Sequence[Literal["PENDING", "APPROVED", "REJECTED", "SUPERSEDED", "EXPIRED"]] | None = None,
        kind: Sequence[Literal["RECEIVER", "BANK_ACCOUNT", "WALLET", "POLICY", "MEMBER", "INVITATION", "PERIOD", "RECOVERY", "NETWORK", "TOKEN", "TERMS", "RETURN", "HELD", "BANK_HOLD", "BANK_KEYS", "MOVEMENT", "RELEASE", "STOCK", "RECEIVABLE", "REREADING", "DEPOSIT"]] | None = None,
        object: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.ApprovalView]:
        """List what waits for a second person, and what was decided.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/approvals",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "status[]": status,
                    "kind[]": kind,
                    "object": object,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_audit_log(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        object: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationAuditLineViewList:
        """Who did what in the organisation.

        Newest first. Lines are only ever added.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `audit-log:read`.
        """
        return self.call(
            "GET",
            "/audit-log",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "actor": actor,
                "action": action,
                "object": object,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_audit_log(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        object: str | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.OrganisationAuditLineView]:
        """Who did what in the organisation.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/audit-log",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "from": from_,
                    "to": to,
                    "actor": actor,
                    "action": action,
                    "object": object,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_bank_accounts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        receiver: str | None = None,
        currency: str | None = None,
        bank_country: str | None = None,
        alike: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.BankaccountViewList:
        """List the organisation's bank accounts.

        Scope for API clients: `bank-accounts:read`.
        """
        return self.call(
            "GET",
            "/bank-accounts/me",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "receiver": receiver,
                "currency": currency,
                "bankCountry": bank_country,
                "alike": alike,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_bank_accounts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        receiver: str | None = None,
        currency: str | None = None,
        bank_country: str | None = None,
        alike: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.BankaccountView]:
        """List the organisation's bank accounts.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/bank-accounts/me",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "receiver": receiver,
                    "currency": currency,
                    "bankCountry": bank_country,
                    "alike": alike,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_bank_files(
        self,
        *,
        direction: Literal["OUT", "IN"],
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        state: Literal["SELECTED", "STORED", "SENDING", "ARRIVED", "HANDED_OVER", "HELD", "DROPPED", "IMPORTING", "IMPORTED", "UNBALANCED", "WAITING", "QUARANTINED"] | None = None,
    ) -> types.AppBankFileViewList:
        """List files to a bank, or from one.

        The newest come first.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/bank-files",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
                "state": state,
            },
        )

    def all_bank_files(
        self,
        *,
        direction: Literal["OUT", "IN"],
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        state: Literal["SELECTED", "STORED", "SENDING", "ARRIVED", "HANDED_OVER", "HELD", "DROPPED", "IMPORTING", "IMPORTED", "UNBALANCED", "WAITING", "QUARANTINED"] | None = None,
    ) -> Iterator[types.AppBankFileView]:
        """List files to a bank, or from one.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/bank-files",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                    "state": state,
                },
            )
        )

    def list_bookkeeping_balances(
        self,
        *,
        on: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingBalanceViewList:
        """Show the trial balance of the organisation's book.

        What stands on each account in each asset at the end of a day. The values sum to zero. Ask for it as CSV
        with `Accept: text/csv`.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/balances",
            query={
                "on": on,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def list_bookkeeping_entries(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingEntryViewList:
        """List the lines of the organisation's book.

        Double entry, oldest first: the lines of a journal sum to zero. Each has its value in the organisation's
        home currency, at the reference rate of its day. Ask for it as CSV with `Accept: text/csv`.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/entries",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "from": from_,
                "to": to,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_bookkeeping_entries(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.BookkeepingEntryView]:
        """List the lines of the organisation's book.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/bookkeeping/entries",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "from": from_,
                    "to": to,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_bookkeeping_openings(
        self,
        *,
        organisation: str | None = None,
    ) -> types.BookkeepingOpeningViewList:
        """List the opening balances of the organisation's book.

        Newest first, those that were withdrawn too, 1,000 at most.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/openings",
            headers={"Slipway-Organisation": organisation},
        )

    def list_bookkeeping_periods(
        self,
        *,
        organisation: str | None = None,
    ) -> types.BookkeepingPeriodsView:
        """List the months of the organisation's book, and which are closed.

        From that of the first line to the present one. Months are closed one after the other.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/periods",
            headers={"Slipway-Organisation": organisation},
        )

    def list_chat_channels(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        organisation: str | None = None,
    ) -> types.ChatchannelViewList:
        """List the organisation's chat channels.

        Scope for API clients: `chat-channels:read`.
        """
        return self.call(
            "GET",
            "/chat-channels",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_chat_channels(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.ChatchannelView]:
        """List the organisation's chat channels.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/chat-channels",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_client_visible_evm_networks(
        self,
        *,
        organisation: str | None = None,
    ) -> list[types.NetworkView]:
        """List the EVM networks that are offered.

        Scope for API clients: `networks:read`.
        """
        return self.call(
            "GET",
            "/networks/client-visible-evm",
            headers={"Slipway-Organisation": organisation},
        )

    def list_countries(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> types.RefdataCountryViewList:
        """List the countries of ISO 3166-1.

        Scope for API clients: `countries:read`.
        """
        return self.call(
            "GET",
            "/countries",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "isHidden": is_hidden,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_countries(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.RefdataCountryView]:
        """List the countries of ISO 3166-1.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/countries",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "isHidden": is_hidden,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_currencies(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> types.RefdataCurrencyViewList:
        """List fiat currencies.

        Scope for API clients: `currencies:read`.
        """
        return self.call(
            "GET",
            "/currencies",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "isHidden": is_hidden,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_currencies(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.RefdataCurrencyView]:
        """List fiat currencies.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/currencies",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "isHidden": is_hidden,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_deposits(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        state: Sequence[Literal["NEW", "MATCHED", "SUSPENSE", "ASSIGNED", "HELD", "REFUNDING", "REFUNDED", "REVERSED", "WITHDRAWN", "RETURN", "SETTLED"]] | None = None,
        proposed: bool | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> types.ReconcileDepositViewList:
        """List deposits; those in suspense wait for two people.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/deposits",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "state[]": state,
                "proposed": proposed,
                "direction": direction,
            },
        )

    def all_deposits(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        state: Sequence[Literal["NEW", "MATCHED", "SUSPENSE", "ASSIGNED", "HELD", "REFUNDING", "REFUNDED", "REVERSED", "WITHDRAWN", "RETURN", "SETTLED"]] | None = None,
        proposed: bool | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> Iterator[types.ReconcileDepositView]:
        """List deposits; those in suspense wait for two people.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/deposits",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "state[]": state,
                    "proposed": proposed,
                    "direction": direction,
                },
            )
        )

    def list_documents(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.DocumentViewList:
        """List documents.

        Scope for API clients: `documents:read`.
        """
        return self.call(
            "GET",
            "/documents",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_documents(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.DocumentView]:
        """List documents.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/documents",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_events(
        self,
        *,
        types_: Sequence[str] | None = None,
        after: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
        organisation: str | None = None,
    ) -> types.FeedPageView:
        """Read the organisation's events.

        Oldest first, in the order in which the changes became durable. Nothing ever appears before a number that
        was read. With `wait` the answer comes as soon as there is an event. Events are kept for 90 days.

        Scope for API clients: `events:read`.
        """
        return self.call(
            "GET",
            "/events",
            query={
                "types[]": types_,
                "after": after,
                "limit": limit,
                "wait": wait,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def list_held(
        self,
    ) -> types.AppHeldViewList:
        """List what waits for people, with the evidence and the choices.

        Payments whose outcome nobody knows, files and entries of banks that cannot be booked, and sends on hold;
        the oldest come first. At most 200 of each kind; total counts all of them.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/held",
        )

    def list_house_balances(
        self,
    ) -> types.HouseViewList:
        """Show what the house has by its books, against chains and banks.

        Looked at every minute. A treasury that is short halts its network, a bank account that differs halts new
        files from it. What a provider of liquidity states is read every ten minutes, and halts nothing.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/balances",
        )

    def list_house_book_balances(
        self,
        *,
        on: str | None = None,
    ) -> types.BookkeepingBalanceViewList:
        """Show the trial balance of the house's book.

        What stands on each account in each asset at the end of a day. The values sum to zero. Ask for it as CSV
        with `Accept: text/csv`.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/books/balances",
            query={
                "on": on,
            },
        )

    def list_house_entries(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> types.BookkeepingEntryViewList:
        """List the lines of the house's book.

        Double entry, oldest first, of every journal: the lines of a journal sum to zero. What a place has of a
        customer's value, the house owes or passes on, so it stands on the other side than in the customer's book.
        Values are in the operator's currency. What leaves an account on which value is under way has the value at
        which it came there, so that nothing is left of it; treasury, bank accounts and stock have the rate of the
        day. `total` is 0: the lines are not counted. Ask for it as CSV with `Accept: text/csv`.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/books/entries",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "from": from_,
                "to": to,
            },
        )

    def all_house_entries(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> Iterator[types.BookkeepingEntryView]:
        """List the lines of the house's book.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/books/entries",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "from": from_,
                    "to": to,
                },
            )
        )

    def list_invitations(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationInvitationViewList:
        """The open invitations of an organisation.

        For admins. Those that can still be used or wait for a second admin, the newest first.

        Not for API clients.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/invitations",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_invitations(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.OrganisationInvitationView]:
        """The open invitations of an organisation.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/organisations/{quote(id, safe='')}/invitations",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_invoice_links(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        status: Sequence[Literal["OPEN", "SUBMITTED", "USED", "REVOKED", "EXPIRED"]] | None = None,
        receiver: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.InvoicelinkViewList:
        """List invoice links.

        Scope for API clients: `payables:read`.
        """
        return self.call(
            "GET",
            "/payables/invoice-links",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "status[]": status,
                "receiver": receiver,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_invoice_links(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        status: Sequence[Literal["OPEN", "SUBMITTED", "USED", "REVOKED", "EXPIRED"]] | None = None,
        receiver: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.InvoicelinkView]:
        """List invoice links.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/payables/invoice-links",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "status[]": status,
                    "receiver": receiver,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_journals(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        account: str | None = None,
        key: str | None = None,
        kind: str | None = None,
        organisation: str | None = None,
        transaction: str | None = None,
    ) -> types.AppJournalViewList:
        """List the journals of the book.

        The newest come first. An account that nearly every payment touches is read faster within a period.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/ledger/journals",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "account": account,
                "key": key,
                "kind": kind,
                "organisation": organisation,
                "transaction": transaction,
            },
        )

    def all_journals(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        account: str | None = None,
        key: str | None = None,
        kind: str | None = None,
        organisation: str | None = None,
        transaction: str | None = None,
    ) -> Iterator[types.AppJournalView]:
        """List the journals of the book.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/ledger/journals",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "from": from_,
                    "to": to,
                    "account": account,
                    "key": key,
                    "kind": kind,
                    "organisation": organisation,
                    "transaction": transaction,
                },
            )
        )

    def list_ledger_verifications(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
    ) -> types.AppProofViewList:
        """List the proofs of the book that were asked for, and what they found.

        The newest come first. `slipway ledger verify` does the same and leaves no record.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/ledger/verifications",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
            },
        )

    def all_ledger_verifications(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
    ) -> Iterator[types.AppProofView]:
        """List the proofs of the book that were asked for, and what they found.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/ledger/verifications",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                },
            )
        )

    def list_liquidity_providers(
        self,
    ) -> types.AppLiquidityProviderViewList:
        """List the providers of liquidity, and whom they serve.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/liquidity-providers",
        )

    def list_members(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationMemberViewList:
        """The members of an organisation.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/members",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_members(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.OrganisationMemberView]:
        """The members of an organisation.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/organisations/{quote(id, safe='')}/members",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_my_organisations(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationViewList:
        """The caller's organisations.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            "/organisations/me",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_my_organisations(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.OrganisationView]:
        """The caller's organisations.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/organisations/me",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_networks(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        type_: Sequence[Literal["evm", "tron", "solana", "stellar", "bitcoin"]] | None = None,
        is_testnet: bool | None = None,
        is_client_visible: bool | None = None,
        features: Sequence[Literal["LOANS", "PAYABLES", "ONRAMP", "C2C", "C2F", "BATCH", "SWEEP"]] | None = None,
        sort_by: Literal["name", "chainId", "createdAt"] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.NetworkViewList:
        """List networks.

        Scope for API clients: `networks:read`.
        """
        return self.call(
            "GET",
            "/networks",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "type[]": type_,
                "isTestnet": is_testnet,
                "isClientVisible": is_client_visible,
                "features[]": features,
                "sortBy": sort_by,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_networks(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        type_: Sequence[Literal["evm", "tron", "solana", "stellar", "bitcoin"]] | None = None,
        is_testnet: bool | None = None,
        is_client_visible: bool | None = None,
        features: Sequence[Literal["LOANS", "PAYABLES", "ONRAMP", "C2C", "C2F", "BATCH", "SWEEP"]] | None = None,
        sort_by: Literal["name", "chainId", "createdAt"] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.NetworkView]:
        """List networks.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/networks",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "type[]": type_,
                    "isTestnet": is_testnet,
                    "isClientVisible": is_client_visible,
                    "features[]": features,
                    "sortBy": sort_by,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_onramp_currencies(
        self,
        *,
        organisation: str | None = None,
    ) -> list[types.TransactionOnrampCurrencyView]:
        """List the currencies that deposits are taken in.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            "/transactions/onramp-currencies",
            headers={"Slipway-Organisation": organisation},
        )

    def list_organisation_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.CommentViewList:
        """List the comments on a record.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/comments",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_organisation_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.CommentView]:
        """List the comments on a record.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/organisations/{quote(id, safe='')}/comments",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_owed(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        state: Literal["OPEN", "SETTLED"] | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> types.ReceivableOperatorViewList:
        """List what organisations owe the platform, and what can be decided about it.

        For deposits that were taken back after their value had gone out. A deposit with the reference settles one
        by itself; any other deposit does so when two people decide it (POST /operations/deposits/{id}/decision with
        SETTLE).

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/receivables",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "state": state,
                "direction": direction,
            },
        )

    def all_owed(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        state: Literal["OPEN", "SETTLED"] | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> Iterator[types.ReceivableOperatorView]:
        """List what organisations owe the platform, and what can be decided about it.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/receivables",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "state": state,
                    "direction": direction,
                },
            )
        )

    def list_passkeys(
        self,
        *,
        organisation: str | None = None,
    ) -> types.AuthPasskeyViewList:
        """The passkeys of the signed-in person.

        Not for API clients.
        """
        return self.call(
            "GET",
            "/auth/passkeys",
            headers={"Slipway-Organisation": organisation},
        )

    def list_payable_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.CommentViewList:
        """List the comments on a record.

        Scope for API clients: `payables:read`.
        """
        return self.call(
            "GET",
            f"/payables/{quote(id, safe='')}/comments",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_payable_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.CommentView]:
        """List the comments on a record.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/payables/{quote(id, safe='')}/comments",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_payables(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[Literal["DRAFT", "APPROVED", "REJECTED", "PAID"]] | None = None,
        type_: Sequence[Literal["FIAT", "CRYPTO"]] | None = None,
        receiver: str | None = None,
        currencies: Sequence[str] | None = None,
        tokens: Sequence[Literal["USDT", "USDC", "DAI"]] | None = None,
        expected_from: str | None = None,
        expected_to: str | None = None,
        search_term: str | None = None,
        sort_by: Literal["createdAt", "updatedAt", "expectedPaymentDate", "amount", "status", "type", "_id"] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.PayableViewList:
        """List the organisation's payables.

        Scope for API clients: `payables:read`.
        """
        return self.call(
            "GET",
            "/payables/me",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "status[]": status,
                "type[]": type_,
                "receiver": receiver,
                "currencies[]": currencies,
                "tokens[]": tokens,
                "expectedFrom": expected_from,
                "expectedTo": expected_to,
                "searchTerm": search_term,
                "sortBy": sort_by,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_payables(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        status: Sequence[Literal["DRAFT", "APPROVED", "REJECTED", "PAID"]] | None = None,
        type_: Sequence[Literal["FIAT", "CRYPTO"]] | None = None,
        receiver: str | None = None,
        currencies: Sequence[str] | None = None,
        tokens: Sequence[Literal["USDT", "USDC", "DAI"]] | None = None,
        expected_from: str | None = None,
        expected_to: str | None = None,
        search_term: str | None = None,
        sort_by: Literal["createdAt", "updatedAt", "expectedPaymentDate", "amount", "status", "type", "_id"] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.PayableView]:
        """List the organisation's payables.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/payables/me",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "from": from_,
                    "to": to,
                    "status[]": status,
                    "type[]": type_,
                    "receiver": receiver,
                    "currencies[]": currencies,
                    "tokens[]": tokens,
                    "expectedFrom": expected_from,
                    "expectedTo": expected_to,
                    "searchTerm": search_term,
                    "sortBy": sort_by,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_payment_rails(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> types.RefdataPaymentRailViewList:
        """List payment rails.

        Scope for API clients: `payment-rails:read`.
        """
        return self.call(
            "GET",
            "/payment-rails",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "isHidden": is_hidden,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_payment_rails(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.RefdataPaymentRailView]:
        """List payment rails.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/payment-rails",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "isHidden": is_hidden,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_platform_approvals(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        status: Sequence[Literal["PENDING", "APPROVED", "REJECTED", "SUPERSEDED", "EXPIRED"]] | None = None,
        kind: Sequence[Literal["RECEIVER", "BANK_ACCOUNT", "WALLET", "POLICY", "MEMBER", "INVITATION", "PERIOD", "RECOVERY", "NETWORK", "TOKEN", "TERMS", "RETURN", "HELD", "BANK_HOLD", "BANK_KEYS", "MOVEMENT", "RELEASE", "STOCK", "RECEIVABLE", "REREADING", "DEPOSIT"]] | None = None,
        object: str | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> types.ApprovalViewList:
        """List what operators have asked for and what a second one decided.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/approvals",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "status[]": status,
                "kind[]": kind,
                "object": object,
                "direction": direction,
            },
        )

    def all_platform_approvals(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        status: Sequence[Literal["PENDING", "APPROVED", "REJECTED", "SUPERSEDED", "EXPIRED"]] | None = None,
        kind: Sequence[Literal["RECEIVER", "BANK_ACCOUNT", "WALLET", "POLICY", "MEMBER", "INVITATION", "PERIOD", "RECOVERY", "NETWORK", "TOKEN", "TERMS", "RETURN", "HELD", "BANK_HOLD", "BANK_KEYS", "MOVEMENT", "RELEASE", "STOCK", "RECEIVABLE", "REREADING", "DEPOSIT"]] | None = None,
        object: str | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> Iterator[types.ApprovalView]:
        """List what operators have asked for and what a second one decided.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/approvals",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "status[]": status,
                    "kind[]": kind,
                    "object": object,
                    "direction": direction,
                },
            )
        )

    def list_provider_differences(
        self,
    ) -> types.HouseDifferenceViewList:
        """Show in which orders the statements of providers of liquidity differ from the books.

        Of the last 35 days, and every line of theirs that nobody has booked. POST /operations/provider-movements
        books one.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/provider-differences",
        )

    def list_rails(
        self,
    ) -> types.AppRailViewList:
        """Show how sending on each network stands.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/rails",
        )

    def list_rate_sources(
        self,
    ) -> types.AppRateSourceViewList:
        """Show how the sources of exchange rates are.

        Each price feed and the central bank, as the process that answers has found it within the last two minutes.
        While none serves a pair, what needs its rate is answered 503 `RATE_UNAVAILABLE` or `RATE_STALE`.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/rate-sources",
        )

    def list_receivables(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        state: Literal["OPEN", "SETTLED"] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.ReceivableViewList:
        """List what the organisation owes the platform, and how it is paid.

        A deposit that its bank takes back after its tokens have gone out is owed. Until it is settled nothing is
        paid out for the organisation: its transactions are ON_HOLD and go on by themselves afterwards.

        Scope for API clients: `receivables:read`.
        """
        return self.call(
            "GET",
            "/receivables",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "state": state,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_receivables(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        state: Literal["OPEN", "SETTLED"] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.ReceivableView]:
        """List what the organisation owes the platform, and how it is paid.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/receivables",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "state": state,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_receiver_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.CommentViewList:
        """List the comments on a record.

        Scope for API clients: `receivers:read`.
        """
        return self.call(
            "GET",
            f"/receivers/{quote(id, safe='')}/comments",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_receiver_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.CommentView]:
        """List the comments on a record.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/receivers/{quote(id, safe='')}/comments",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_receivers(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        payment_type: Literal["FIAT", "CRYPTO"] | None = None,
        is_self: bool | None = None,
        is_hidden: bool | None = None,
        type_: Literal["INDIVIDUAL", "COMPANY"] | None = None,
        country_iso_code: Sequence[str] | None = None,
        search_term: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.ReceiverViewList:
        """List the organisation's receivers.

        Scope for API clients: `receivers:read`.
        """
        return self.call(
            "GET",
            "/receivers/me",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "paymentType": payment_type,
                "isSelf": is_self,
                "isHidden": is_hidden,
                "type": type_,
                "countryIsoCode[]": country_iso_code,
                "searchTerm": search_term,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_receivers(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        payment_type: Literal["FIAT", "CRYPTO"] | None = None,
        is_self: bool | None = None,
        is_hidden: bool | None = None,
        type_: Literal["INDIVIDUAL", "COMPANY"] | None = None,
        country_iso_code: Sequence[str] | None = None,
        search_term: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.ReceiverView]:
        """List the organisation's receivers.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/receivers/me",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "paymentType": payment_type,
                    "isSelf": is_self,
                    "isHidden": is_hidden,
                    "type": type_,
                    "countryIsoCode[]": country_iso_code,
                    "searchTerm": search_term,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_record_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> types.CommentViewList:
        """List the comments and notes on any record.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/records/{quote(id, safe='')}/comments",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
        )

    def all_record_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> Iterator[types.CommentView]:
        """List the comments and notes on any record.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/operations/records/{quote(id, safe='')}/comments",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
            )
        )

    def list_reviews(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        status: Sequence[Literal["OPEN", "SUBMITTED", "APPROVED", "REJECTED"]] | None = None,
    ) -> types.ReviewListedViewList:
        """List the verifications by hand.

        The newest come first.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/reviews",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "status[]": status,
            },
        )

    def all_reviews(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        status: Sequence[Literal["OPEN", "SUBMITTED", "APPROVED", "REJECTED"]] | None = None,
    ) -> Iterator[types.ReviewListedView]:
        """List the verifications by hand.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/reviews",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "status[]": status,
                },
            )
        )

    def list_safe_transactions(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        organisation: str | None = None,
    ) -> types.SafetxViewList:
        """List what the owners of a Safe were asked to sign, newest first.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}/safe-transactions",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_safe_transactions(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.SafetxView]:
        """List what the owners of a Safe were asked to sign, newest first.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/wallets/{quote(id, safe='')}/safe-transactions",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_schedules(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        state: Sequence[Literal["WAITING", "ACTIVE", "STOPPED", "ENDED"]] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.ScheduleViewList:
        """List what is paid on a day.

        Scope for API clients: `schedules:read`.
        """
        return self.call(
            "GET",
            "/schedules",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "state[]": state,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_schedules(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        state: Sequence[Literal["WAITING", "ACTIVE", "STOPPED", "ENDED"]] | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.ScheduleView]:
        """List what is paid on a day.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/schedules",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "state[]": state,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_screening_cases(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        status: Sequence[Literal["OPEN", "PROPOSED", "CLEARED", "CONFIRMED"]] | None = None,
    ) -> types.AnalysisCaseViewList:
        """List names that are like a listed one.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/screening-cases",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "status[]": status,
            },
        )

    def all_screening_cases(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        status: Sequence[Literal["OPEN", "PROPOSED", "CLEARED", "CONFIRMED"]] | None = None,
    ) -> Iterator[types.AnalysisCaseView]:
        """List names that are like a listed one.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/screening-cases",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "status[]": status,
                },
            )
        )

    def list_screening_lists(
        self,
    ) -> types.ScreeningSourceList:
        """Show the sanctions lists in use, with their dates.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/screening-lists",
        )

    def list_screenings(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        object: str | None = None,
        subject: str | None = None,
        status: Sequence[Literal["APPROVED", "REVIEW", "REJECTED", "ERROR"]] | None = None,
    ) -> types.AnalysisRecordViewList:
        """Show what screening was asked and what it answered.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/screenings",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "object": object,
                "subject": subject,
                "status[]": status,
            },
        )

    def all_screenings(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        object: str | None = None,
        subject: str | None = None,
        status: Sequence[Literal["APPROVED", "REVIEW", "REJECTED", "ERROR"]] | None = None,
    ) -> Iterator[types.AnalysisRecordView]:
        """Show what screening was asked and what it answered.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/screenings",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "object": object,
                    "subject": subject,
                    "status[]": status,
                },
            )
        )

    def list_sessions(
        self,
        *,
        organisation: str | None = None,
    ) -> types.AuthSessionViewList:
        """The sessions of the signed-in person.

        Not for API clients.
        """
        return self.call(
            "GET",
            "/auth/sessions",
            headers={"Slipway-Organisation": organisation},
        )

    def list_sign_on_links(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.SsoLinkList:
        """Who is who at the provider.

        For admins.

        Not for API clients.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/sign-on/links",
            headers={"Slipway-Organisation": organisation},
        )

    def list_tenants(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        search_term: str | None = None,
        onboarding_status: Sequence[Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]] | None = None,
        is_active: bool | None = None,
    ) -> types.AppTenantViewList:
        """List organisations, and how far their verification is.

        The newest come first.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/organisations",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "searchTerm": search_term,
                "onboardingStatus[]": onboarding_status,
                "isActive": is_active,
            },
        )

    def all_tenants(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        search_term: str | None = None,
        onboarding_status: Sequence[Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]] | None = None,
        is_active: bool | None = None,
    ) -> Iterator[types.AppTenantView]:
        """List organisations, and how far their verification is.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/organisations",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "searchTerm": search_term,
                    "onboardingStatus[]": onboarding_status,
                    "isActive": is_active,
                },
            )
        )

    def list_tokens(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> types.RecordTokenList:
        """List tokens with their addresses.

        Scope for API clients: `tokens:read`.
        """
        return self.call(
            "GET",
            "/tokens",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "isHidden": is_hidden,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_tokens(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.RecordToken]:
        """List tokens with their addresses.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/tokens",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "isHidden": is_hidden,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_trading_pairs(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> types.RefdataTradingPairViewList:
        """List which token can be exchanged for which currency.

        Scope for API clients: `trading-pairs:read`.
        """
        return self.call(
            "GET",
            "/trading-pairs",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "isHidden": is_hidden,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_trading_pairs(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        is_hidden: bool | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.RefdataTradingPairView]:
        """List which token can be exchanged for which currency.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/trading-pairs",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "isHidden": is_hidden,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_transaction_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.CommentViewList:
        """List the comments on a record.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}/comments",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_transaction_comments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.CommentView]:
        """List the comments on a record.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/transactions/{quote(id, safe='')}/comments",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_transactions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        organisations: Sequence[str] | None = None,
        partners: Sequence[str] | None = None,
        status: Sequence[Literal["DRAFT", "WAITING_ACCEPTANCE", "PROCESSING", "RELEASED", "COMPLETED", "FAILED", "REJECTED_BY_PLATFORM"]] | None = None,
        tokens: Sequence[Literal["USDT", "USDC", "DAI"]] | None = None,
        currencies: Sequence[str] | None = None,
        type_: Sequence[Literal["FIAT", "CRYPTO", "ONRAMP"]] | None = None,
        sort_by: Literal["createdAt", "updatedAt", "status", "type", "token", "_id"] | None = None,
        direction: Literal[-1, 1] | None = None,
        commission_type: Literal["STANDARD", "CUSTOM", "PARTNER"] | None = None,
        column_id: str | None = None,
        selected_year: int | None = None,
        search_term: str | None = None,
        is_hidden: bool | None = None,
        payments_failed: bool | None = None,
        organisation: str | None = None,
    ) -> types.TransactionListAnswer:
        """List transactions.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            "/transactions",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "organisations[]": organisations,
                "partners[]": partners,
                "status[]": status,
                "tokens[]": tokens,
                "currencies[]": currencies,
                "type[]": type_,
                "sortBy": sort_by,
                "direction": direction,
                "commissionType": commission_type,
                "columnId": column_id,
                "selectedYear": selected_year,
                "searchTerm": search_term,
                "isHidden": is_hidden,
                "paymentsFailed": payments_failed,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_transactions(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        from_: str | None = None,
        to: str | None = None,
        organisations: Sequence[str] | None = None,
        partners: Sequence[str] | None = None,
        status: Sequence[Literal["DRAFT", "WAITING_ACCEPTANCE", "PROCESSING", "RELEASED", "COMPLETED", "FAILED", "REJECTED_BY_PLATFORM"]] | None = None,
        tokens: Sequence[Literal["USDT", "USDC", "DAI"]] | None = None,
        currencies: Sequence[str] | None = None,
        type_: Sequence[Literal["FIAT", "CRYPTO", "ONRAMP"]] | None = None,
        sort_by: Literal["createdAt", "updatedAt", "status", "type", "token", "_id"] | None = None,
        direction: Literal[-1, 1] | None = None,
        commission_type: Literal["STANDARD", "CUSTOM", "PARTNER"] | None = None,
        column_id: str | None = None,
        selected_year: int | None = None,
        search_term: str | None = None,
        is_hidden: bool | None = None,
        payments_failed: bool | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.TransactionView]:
        """List transactions.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/transactions",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "from": from_,
                    "to": to,
                    "organisations[]": organisations,
                    "partners[]": partners,
                    "status[]": status,
                    "tokens[]": tokens,
                    "currencies[]": currencies,
                    "type[]": type_,
                    "sortBy": sort_by,
                    "direction": direction,
                    "commissionType": commission_type,
                    "columnId": column_id,
                    "selectedYear": selected_year,
                    "searchTerm": search_term,
                    "isHidden": is_hidden,
                    "paymentsFailed": payments_failed,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_wallet_reviews(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        proposed: bool | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> types.WalletWaitingViewList:
        """List wallets in REVIEW, with what one person has proposed of them.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/wallet-reviews",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "proposed": proposed,
                "direction": direction,
            },
        )

    def all_wallet_reviews(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        proposed: bool | None = None,
        direction: Literal[-1, 1] | None = None,
    ) -> Iterator[types.WalletWaitingView]:
        """List wallets in REVIEW, with what one person has proposed of them.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/operations/wallet-reviews",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "proposed": proposed,
                    "direction": direction,
                },
            )
        )

    def list_wallets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        receiver: str | None = None,
        network: str | None = None,
        type_: Literal["EOA", "MULTISIG"] | None = None,
        status: Sequence[Literal["PENDING", "VERIFIED", "FAILED", "EXPIRED", "REVOKED"]] | None = None,
        search_term: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> types.WalletViewList:
        """List the organisation's wallets.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            "/wallets/me",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "receiver": receiver,
                "network": network,
                "type": type_,
                "status[]": status,
                "searchTerm": search_term,
                "direction": direction,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_wallets(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        receiver: str | None = None,
        network: str | None = None,
        type_: Literal["EOA", "MULTISIG"] | None = None,
        status: Sequence[Literal["PENDING", "VERIFIED", "FAILED", "EXPIRED", "REVOKED"]] | None = None,
        search_term: str | None = None,
        direction: Literal[-1, 1] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.WalletView]:
        """List the organisation's wallets.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/wallets/me",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "receiver": receiver,
                    "network": network,
                    "type": type_,
                    "status[]": status,
                    "searchTerm": search_term,
                    "direction": direction,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        status: Sequence[Literal["PENDING", "DELIVERED", "FAILED"]] | None = None,
        organisation: str | None = None,
    ) -> types.EndpointDeliveryViewList:
        """List an endpoint's deliveries.

        Newest first, for 90 days.

        Scope for API clients: `webhook-endpoints:read`.
        """
        return self.call(
            "GET",
            f"/webhook-endpoints/{quote(id, safe='')}/deliveries",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
                "status[]": status,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        status: Sequence[Literal["PENDING", "DELIVERED", "FAILED"]] | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.EndpointDeliveryView]:
        """List an endpoint's deliveries.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                f"/webhook-endpoints/{quote(id, safe='')}/deliveries",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                    "status[]": status,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def list_webhook_endpoints(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        organisation: str | None = None,
    ) -> types.EndpointViewList:
        """List the organisation's webhook endpoints.

        Scope for API clients: `webhook-endpoints:read`.
        """
        return self.call(
            "GET",
            "/webhook-endpoints",
            query={
                "limit": limit,
                "offset": offset,
                "page": page,
                "cursor": cursor,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def all_webhook_endpoints(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        page: int | None = None,
        organisation: str | None = None,
    ) -> Iterator[types.EndpointView]:
        """List the organisation's webhook endpoints.

        Reads the list to its end, page after page as they are needed.
        """
        return pages(
            lambda cursor: self.call(
                "GET",
                "/webhook-endpoints",
                query={
                    "limit": limit,
                    "offset": offset,
                    "page": page,
                    "cursor": cursor,
                },
                headers={"Slipway-Organisation": organisation},
            )
        )

    def login(
        self,
        body: types.LoginRequest,
    ) -> types.AuthLoginView:
        """Log in.

        An account with a second factor gets a `tempToken` in place of tokens. While very many ask for this, or many
        from one network, strangers are answered 429 `PROOF_OF_WORK_REQUIRED` with a `challenge`; the request is
        sent again with the header `Proof-Of-Work`. The clients do that by themselves.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/login",
            body,
        )

    def login_passkey(
        self,
        body: types.LoginPasskeyRequest,
    ) -> types.AuthTokensView:
        """Sign in by a passkey.

        A passkey is two factors at once: no password and no code is asked for.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/passkeys/login",
            body,
        )

    def login_second_factor(
        self,
        body: types.LoginSecondFactorRequest,
    ) -> types.AuthTokensView:
        """Complete a login with a second factor.

        Send a code of the authenticator app, a recovery code, or a passkey's answer to POST
        /auth/passkeys/login-options. Five wrong ones end the tempToken.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/2fa/login",
            body,
        )

    def logout(
        self,
    ) -> None:
        """End the session.

        Send its access or refresh token as Authorization: Bearer; neither works afterwards.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/logout",
        )

    def make_collective_invoice(
        self,
        period: str,
        *,
        organisation: str | None = None,
    ) -> types.StatementLinkView:
        """Make the collective invoice for the fees of a month.

        All fees that the organisation's book has in a month that is over, with a line for each transaction, and one
        below zero for what was given back of it; beyond 1,000 lines there is one for each day. Every further call
        gives the same invoice. Where more was given back than charged it is a credit note. It takes the place of
        the invoices and credit notes for single transactions.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "POST",
            f"/bookkeeping/periods/{quote(period, safe='')}/invoice",
            headers={"Slipway-Organisation": organisation},
        )

    def make_collective_invoice_file(
        self,
        period: str,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """Make the collective invoice for the fees of a month.

        Returns the bytes of a file.

        All fees that the organisation's book has in a month that is over, with a line for each transaction, and one
        below zero for what was given back of it; beyond 1,000 lines there is one for each day. Every further call
        gives the same invoice. Where more was given back than charged it is a credit note. It takes the place of
        the invoices and credit notes for single transactions.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "POST",
            f"/bookkeeping/periods/{quote(period, safe='')}/invoice",
            headers={"Slipway-Organisation": organisation, "Accept": "application/pdf"},
            raw=True,
        )

    def make_credit_note(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.StatementLinkView:
        """Make the credit note for the fees of a transaction that were given back.

        Once for a transaction that has come to its end; every further call gives the same one. It names the invoice
        that it corrects, which is made if it was not before.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/credit-note",
            headers={"Slipway-Organisation": organisation},
        )

    def make_credit_note_file(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """Make the credit note for the fees of a transaction that were given back.

        Returns the bytes of a file.

        Once for a transaction that has come to its end; every further call gives the same one. It names the invoice
        that it corrects, which is made if it was not before.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/credit-note",
            headers={"Slipway-Organisation": organisation, "Accept": "application/pdf"},
            raw=True,
        )

    def make_invoice(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.StatementLinkView:
        """Make the invoice for the fees of a transaction.

        Once for a transaction that has come to its end; every further call gives the same invoice. That of a
        transaction without fees is over nothing.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/invoice",
            headers={"Slipway-Organisation": organisation},
        )

    def make_invoice_file(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """Make the invoice for the fees of a transaction.

        Returns the bytes of a file.

        Once for a transaction that has come to its end; every further call gives the same invoice. That of a
        transaction without fees is over nothing.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/invoice",
            headers={"Slipway-Organisation": organisation, "Accept": "application/pdf"},
            raw=True,
        )

    def make_scim_token(
        self,
        id: str,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.SsoTokenView:
        """Make a token for the directory.

        For admins. By it the directory says, at /scim/v2/Users, who has left: SCIM 2.0 as Entra ID and Okta send
        it. The token before stops working.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/sign-on/scim-token",
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def make_statement(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.StatementLinkView:
        """Make a statement of a transaction.

        What the transaction is now: payments, price, fees, what the banks and chains say, and what the ledger says.
        Of an ONRAMP transaction that waits for its deposit also how to pay it, with a QR code where the payer's
        banking app can read one.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/statement",
            headers={"Slipway-Organisation": organisation},
        )

    def make_statement_file(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """Make a statement of a transaction.

        Returns the bytes of a file.

        What the transaction is now: payments, price, fees, what the banks and chains say, and what the ledger says.
        Of an ONRAMP transaction that waits for its deposit also how to pay it, with a QR code where the payer's
        banking app can read one.

        Answers the PDF document to `Accept: application/pdf`, else `{url, expiresAt, sha256, fileName}`: a link
        that is good for ten minutes.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/statement",
            headers={"Slipway-Organisation": organisation, "Accept": "application/pdf"},
            raw=True,
        )

    def min_onramp_amount(
        self,
        *,
        organisation: str | None = None,
    ) -> types.TransactionMinimumView:
        """Read the least deposit of an on-ramp.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            "/transactions/min-onramp-amount",
            headers={"Slipway-Organisation": organisation},
        )

    def offer_passkey(
        self,
        body: types.OfferPasskeyRequest | None = None,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.AuthPasskeyOptionsView:
        """Begin to add a passkey.

        Give the answer to navigator.credentials.create(), and what that returns to POST /auth/passkeys. Without a
        second factor, send the password.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/passkeys/options",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def open_bookkeeping(
        self,
        body: types.OpenBookkeepingRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingOpeningView:
        """Record an opening balance of the organisation's book.

        What a wallet has of a token, or the organisation of a currency at its bank, when the book begins: an entry
        against the opening balances, at the reference rate of the day. Without an amount, the chain is asked, and
        the block is kept as evidence. The day must not be after the first day on which the book has a line of it.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "POST",
            "/bookkeeping/openings",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def pause_rail(
        self,
        id: str,
        body: types.PauseRailRequest,
        *,
        code: str | None = None,
    ) -> types.AppRailViewList:
        """Stop or resume new sends on a network.

        What has a nonce is still sent and observed. Holds across processes and restarts.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/rails/{quote(id, safe='')}/pause",
            body,
            headers={"X-2FA-Code": code},
        )

    def pay_failed_again(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Create a draft of just those payments of a transaction that have failed.

        Each payment of the draft names the one that it makes again (`again`), and at most one does. What a bank has
        sent back has failed once its tokens are back in the wallet. Of a batch of payables, those are paid that are
        approved and free.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/pay-again",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def pay_payables(
        self,
        body: types.PayPayablesRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.TransactionView:
        """Create a draft transaction that pays APPROVED payables of one type.

        It pays from the organisation's default wallet; without one from the oldest of its own proven wallets that
        holds the sum, or else from the oldest. `walletAddress` and `wallet` of the answer name it. The payables are
        reserved until it ends: PAID when their payments are completed, free again when they are not, or when the
        draft is deleted. The draft cannot be replaced.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            "/transactions/payables",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def place_token(
        self,
        id: str,
        token: str,
        body: types.PlaceTokenRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.NetworkView:
        """Say where a token is on a network.

        The contract's code, decimals and symbol are read from two nodes where the network has two. What differs is
        refused. Then a second operator decides, on a network in use after a day: `pendingApproval` names the
        approval. The chain is asked again before the token is recorded, and every hour from then on.

        Scope for API clients: `networks:write`.
        """
        return self.call(
            "PUT",
            f"/networks/{quote(id, safe='')}/tokens/{quote(token, safe='')}",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def read_approval(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.ApprovalView:
        """Read an approval.

        Scope for API clients: `approvals:read`.
        """
        return self.call(
            "GET",
            f"/approvals/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_bank_account(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.BankaccountView:
        """Read a bank account.

        Scope for API clients: `bank-accounts:read`.
        """
        return self.call(
            "GET",
            f"/bank-accounts/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_bank_details(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionBankDetailsView:
        """Read where to transfer the deposit of an on-ramp, and under which reference.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}/bank-details",
            headers={"Slipway-Organisation": organisation},
        )

    def read_bank_file(
        self,
        id: str,
    ) -> types.AppBankFileView:
        """Show a file to a bank, or from one.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/bank-files/{quote(id, safe='')}",
        )

    def read_bookkeeping_accounts(
        self,
        *,
        organisation: str | None = None,
    ) -> types.BookkeepingChartView:
        """Read the accounts that the book is mapped to.

        One for each kind of account, and those of finer rules; the service proposes those that the organisation has
        not set.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/accounts",
            headers={"Slipway-Organisation": organisation},
        )

    def read_bookkeeping_settings(
        self,
        *,
        organisation: str | None = None,
    ) -> types.BookkeepingSettingsView:
        """Read how the book values what it has.

        FIFO, fees as cost, and money in foreign currencies at the rate of each month's last day, as long as the
        organisation has set nothing else.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/settings",
            headers={"Slipway-Organisation": organisation},
        )

    def read_bookkeeping_statement(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        organisation: str | None = None,
    ) -> bytes:
        """Read the statements of the organisation's wallets as camt.053.

        Returns the bytes of a file.

        One statement for each token in a wallet, with values in the home currency, for programs that read bank
        statements. The balances are those of what went through this service.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            "/bookkeeping/statement",
            query={
                "from": from_,
                "to": to,
            },
            headers={"Slipway-Organisation": organisation, "Accept": "application/xml"},
            raw=True,
        )

    def read_chat_channel(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.ChatchannelView:
        """Read a chat channel.

        Scope for API clients: `chat-channels:read`.
        """
        return self.call(
            "GET",
            f"/chat-channels/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_deposit(
        self,
        id: str,
    ) -> types.ReconcileDetailView:
        """Show a deposit, and the transactions that it may pay.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/deposits/{quote(id, safe='')}",
        )

    def read_document_page(
        self,
        key_: str,
        number: str,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """Show a page of a PDF document as a picture.

        Returns the bytes of a file.

        In grey, at 110 dots per inch. The header Slipway-Pages says how many pages can be shown. Nothing in the
        document runs: it is drawn in a sandbox.

        Scope for API clients: `documents:read`.
        """
        return self.call(
            "GET",
            f"/documents/{quote(key_, safe='')}/pages/{quote(number, safe='')}",
            headers={"Slipway-Organisation": organisation, "Accept": "image/png"},
            raw=True,
        )

    def read_house_report(
        self,
        *,
        from_: str | None = None,
        on: str | None = None,
    ) -> types.BookkeepingReportView:
        """Show profit and loss, and the balance sheet of the house.

        Of a period, and at the end of its last day. Every value is the sum of lines' values: at the reference rate
        of the day, or that at which the amount came to the account that it leaves. Nothing is valued anew.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            "/operations/books/report",
            query={
                "from": from_,
                "on": on,
            },
        )

    def read_import_template(
        self,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """A table with the headings that are known.

        Returns the bytes of a file.

        Scope for API clients: `imports:read`.
        """
        return self.call(
            "GET",
            "/imports/template",
            headers={"Slipway-Organisation": organisation, "Accept": "text/csv"},
            raw=True,
        )

    def read_invoice_link(
        self,
        token_id: str,
        *,
        organisation: str | None = None,
    ) -> types.InvoicelinkView:
        """Read an invoice link and what was handed in by it.

        Scope for API clients: `payables:read`.
        """
        return self.call(
            "GET",
            f"/payables/invoice-links/{quote(token_id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_invoice_token(
        self,
        *,
        token: str,
    ) -> types.InvoicelinkInfoView:
        """What a link asks for.

        Needs no access token.
        """
        return self.call(
            "GET",
            "/payables/get-invoice-token-info",
            query={
                "token": token,
            },
        )

    def read_journal(
        self,
        id: str,
    ) -> types.AppJournalDetailView:
        """Show a journal with its postings, and whether it is as it was written.

        Whether the chain of hashes is complete is what a verification finds.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/ledger/journals/{quote(id, safe='')}",
        )

    def read_member(
        self,
        id: str,
        member_id: str,
        *,
        organisation: str | None = None,
    ) -> types.OrganisationMemberView:
        """A member of an organisation.

        Scope for API clients: `organisations:read`.
        """
        return self.call(
            "GET",
            f"/organisations/{quote(id, safe='')}/members/{quote(member_id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_network(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.NetworkView:
        """Read a network.

        Scope for API clients: `networks:read`.
        """
        return self.call(
            "GET",
            f"/networks/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_overview(
        self,
        *,
        weeks: int | None = None,
        organisation: str | None = None,
    ) -> types.OverviewView:
        """Read what waits for you, what falls due, what was paid, and what is to be set up.

        Sums are texts, one for each currency: nothing is added up over currencies. The answer costs about the same
        however many transactions there are.

        Scope for API clients: `overview:read`.
        """
        return self.call(
            "GET",
            "/overview",
            query={
                "weeks": weeks,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def read_receivable(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.ReceivableView:
        """Show what the organisation owes for a deposit, and how it is paid.

        Scope for API clients: `receivables:read`.
        """
        return self.call(
            "GET",
            f"/receivables/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_receiver(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.ReceiverView:
        """Read a receiver.

        Scope for API clients: `receivers:read`.
        """
        return self.call(
            "GET",
            f"/receivers/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_safe(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.SafetxAccountView:
        """Read the Safe at a wallet's address, as it is now.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}/safe",
            headers={"Slipway-Organisation": organisation},
        )

    def read_safe_transaction(
        self,
        id: str,
        safe_tx_hash: str,
        *,
        organisation: str | None = None,
    ) -> types.SafetxView:
        """Read what the owners of a Safe are asked to sign.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}/safe-transactions/{quote(safe_tx_hash, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_self_receiver(
        self,
        *,
        organisation: str | None = None,
    ) -> types.ReceiverView:
        """Read the organisation's own receiver.

        Scope for API clients: `receivers:read`.
        """
        return self.call(
            "GET",
            "/receivers/self",
            headers={"Slipway-Organisation": organisation},
        )

    def read_statement_of_month(
        self,
        period: str,
        *,
        organisation: str | None = None,
    ) -> bytes:
        """Read the statements of the organisation's wallets in a month as PDF.

        Returns the bytes of a file.

        Of each token in a wallet the balances, and every movement with what it was and what it is worth. The
        balances are those of what went through this service. Of a month that is not over it has what is there;
        programs take `GET /bookkeeping/statement`.

        Scope for API clients: `bookkeeping:read`.
        """
        return self.call(
            "GET",
            f"/bookkeeping/periods/{quote(period, safe='')}/statement",
            headers={"Slipway-Organisation": organisation, "Accept": "application/pdf"},
            raw=True,
        )

    def read_tenant(
        self,
        id: str,
    ) -> types.AppTenantDetailView:
        """Show an organisation with its terms, limits and people.

        Scope for API clients: `operations:read`.
        """
        return self.call(
            "GET",
            f"/operations/organisations/{quote(id, safe='')}",
        )

    def read_transaction_remarks(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionRemarksView:
        """Say what is worth a look before a transaction is submitted or accepted.

        Whether an address looks like that of a known wallet, whether nothing was paid to it before, whether it is a
        contract, and whether the same may be paid twice: the same receiver and amount, creditor reference or
        document as in another transaction that is open or was made within 90 days, or in an open payable. Nothing
        of it stops the transaction; validate answers the same for a draft.

        Scope for API clients: `transactions:read`.
        """
        return self.call(
            "GET",
            f"/transactions/{quote(id, safe='')}/remarks",
            headers={"Slipway-Organisation": organisation},
        )

    def read_wallet(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.WalletView:
        """Read a wallet.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_wallet_allowances(
        self,
        id: str,
        *,
        spender: Sequence[str] | None = None,
        organisation: str | None = None,
    ) -> types.TransactionAllowancesView:
        """Read what a wallet lets contracts take, by token.

        Asked of the chain at one block: about the router, routers before it, Permit2, and contracts that you name.
        Each comes with the call that takes it back. When the chain cannot be asked, `known` is false.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}/allowances",
            query={
                "spender[]": spender,
            },
            headers={"Slipway-Organisation": organisation},
        )

    def read_wallet_balances(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionBalancesView:
        """Read what a wallet holds and has approved, by token.

        Asked of the chain at one block. When the chain cannot be asked, `known` is false and the amounts are null:
        unknown is not zero.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}/balances",
            headers={"Slipway-Organisation": organisation},
        )

    def read_wallet_limits(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionLimitsView:
        """Read what a wallet has set on the router, beside the policy.

        Asked of the chain at one block: whether every batch needs the wallet's signature, and its daily caps.
        `calls` are those with which the wallet brings the router to the organisation's approval policy. When the
        chain cannot be asked, `known` is false.

        Scope for API clients: `wallets:read`.
        """
        return self.call(
            "GET",
            f"/wallets/{quote(id, safe='')}/limits",
            headers={"Slipway-Organisation": organisation},
        )

    def read_webhook_delivery(
        self,
        id: str,
        delivery: str,
        *,
        organisation: str | None = None,
    ) -> types.EndpointDeliveryDetailView:
        """Read a delivery with what was sent and what came back.

        Scope for API clients: `webhook-endpoints:read`.
        """
        return self.call(
            "GET",
            f"/webhook-endpoints/{quote(id, safe='')}/deliveries/{quote(delivery, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def read_webhook_endpoint(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.EndpointView:
        """Read a webhook endpoint.

        Scope for API clients: `webhook-endpoints:read`.
        """
        return self.call(
            "GET",
            f"/webhook-endpoints/{quote(id, safe='')}",
            headers={"Slipway-Organisation": organisation},
        )

    def record_provider_movement(
        self,
        body: types.RecordProviderMovementRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ApprovalView:
        """Book a line of a provider's statement.

        A fee is a worse price; what he has paid out to the house's owners, or got from them, stands against equity.
        A second operator approves. Lines of orders are booked by the orders themselves.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/provider-movements",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def record_treasury_movement(
        self,
        body: types.RecordTreasuryMovementRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ApprovalView:
        """Record what the house's owners moved themselves.

        A top-up of a treasury, or a withdrawal. What was moved is read from the transaction itself, once it is
        final; a second operator approves.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/treasury-movements",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def recover_user(
        self,
        id: str,
        body: types.RecoverUserRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to take a person's second factor off.

        For a person whose second factor is lost or somebody else's, after a check of his identity. When the second
        operator has approved (POST /operations/approvals/{id}/decision), all sessions end and a link for a new
        password is mailed.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/users/{quote(id, safe='')}/recovery",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def refresh(
        self,
    ) -> types.AuthTokensView:
        """Trade a refresh token for new tokens.

        Send the refresh token as Authorization: Bearer. It works once. A second use ends the session if it comes
        later than 10 seconds, or from elsewhere.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/refresh",
        )

    def refuse_invoice_link_proposal(
        self,
        token_id: str,
        body: types.RefuseInvoiceLinkProposalRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.InvoicelinkView:
        """Turn such a proposal down.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            f"/payables/invoice-links/{quote(token_id, safe='')}/refuse",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def register(
        self,
        body: types.RegisterRequest,
    ) -> types.AuthMessageView:
        """Create an account.

        The answer is the same whether or not the address has an account. A mail asks to confirm the address. While
        very many ask for this, or many from one network, strangers are answered 429 `PROOF_OF_WORK_REQUIRED` with a
        `challenge`; the request is sent again with the header `Proof-Of-Work`. The clients do that by themselves.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/register",
            body,
        )

    def register_company(
        self,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.IdvApplicantView:
        """Register the organisation with the identity provider.

        For admins of the organisation acted for. The second call returns the same applicant.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `idv:write`.
        """
        return self.call(
            "POST",
            "/idv/companies",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def register_person(
        self,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.IdvApplicantView:
        """Register the caller with the identity provider.

        The second call returns the same applicant.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/idv/users",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def register_with_organisation(
        self,
        body: types.RegisterWithOrganisationRequest,
    ) -> types.AuthMessageView:
        """Create an account and join or create an organisation.

        The answer is the same whether or not the address has an account. The creator of an organisation becomes its
        admin; its onboarding starts PENDING. While very many ask for this, or many from one network, strangers are
        answered 429 `PROOF_OF_WORK_REQUIRED` with a `challenge`; the request is sent again with the header
        `Proof-Of-Work`. The clients do that by themselves.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/register-with-organisation",
            body,
        )

    def reject(
        self,
        id: str,
        body: types.RejectRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Reject, or withdraw what you have asked for.

        A payee that was rejected cannot be paid to until it is changed and approved.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/approvals/{quote(id, safe='')}/reject",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def reject_payable(
        self,
        id: str,
        body: types.RejectPayableRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.PayableView:
        """Reject a DRAFT for good.

        Needs one of the roles initiator, admin, authorized, approver in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            f"/payables/{quote(id, safe='')}/reject",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def reject_transaction(
        self,
        id: str,
        body: types.RejectTransactionRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Refuse a transaction in review (platform staff).

        Possible until a send of the transaction has been written down; afterwards it is answered 409. A FIAT
        transaction that is ON_HOLD with its tokens at the treasury gives them back to its wallet instead, and is
        FAILED once they are there.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/reject",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def release_house_balance(
        self,
        body: types.ReleaseHouseBalanceRequest,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.ApprovalView:
        """Accept a difference, and let what it has halted go on.

        A second operator approves. A greater difference halts again.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/balances/release",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def rename_passkey(
        self,
        id: str,
        body: types.RenamePasskeyRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.AuthPasskeyView:
        """Give a passkey another name.

        Not for API clients.
        """
        return self.call(
            "PATCH",
            f"/auth/passkeys/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def reopen_bookkeeping_period(
        self,
        period: str,
        body: types.ReopenBookkeepingPeriodRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingPeriodView:
        """Reopen the last closed month of the book.

        Its lines are again what the present rates, accounts, home currency and time zone make of them. Under a
        policy of the organisation a second admin decides: `pendingApproval` names the approval.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "POST",
            f"/bookkeeping/periods/{quote(period, safe='')}/reopen",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def reopen_payable(
        self,
        id: str,
        body: types.ReopenPayableRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.PayableView:
        """Take an approval back, before the payable belongs to a transaction.

        Needs one of the roles approver, admin, authorized in the organisation.

        Scope for API clients: `payables:approve`.
        """
        return self.call(
            "POST",
            f"/payables/{quote(id, safe='')}/reopen",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def replay_webhook_events(
        self,
        id: str,
        body: types.ReplayWebhookEventsRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.EndpointReplayView:
        """Deliver a part of the feed again.

        With `preview` nothing is sent: the answer says how many deliveries there would be.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "POST",
            f"/webhook-endpoints/{quote(id, safe='')}/replay",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def resend_invitation(
        self,
        id: str,
        invitation_id: str,
        *,
        code: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationInvitationView:
        """Send an invitation again.

        For admins. The answer is a new invitation with a token of its own; the earlier one ends. What a second
        admin has approved is sent without another approval.

        Not for API clients.
        """
        return self.call(
            "POST",
            f"/organisations/{quote(id, safe='')}/invitations/{quote(invitation_id, safe='')}/resend",
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation},
        )

    def resend_transaction(
        self,
        id: str,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to send anew what is held of a transaction.

        For a person who has made sure that none of the attempts took effect: its own send and those of the treasury
        for it that are on hold, and tokens that are kept because the wallet refused them. The router takes each
        number once, so even a mistake cannot pay twice. A job carries it out when the second one has approved (POST
        /operations/approvals/{id}/decision).

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/transactions/{quote(id, safe='')}/resend",
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def resend_webhook_delivery(
        self,
        id: str,
        delivery: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.EndpointDeliveryView:
        """Send a delivery again.

        A further delivery with the same bytes and the same webhook-id.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "POST",
            f"/webhook-endpoints/{quote(id, safe='')}/deliveries/{quote(delivery, safe='')}/resend",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def reset_password(
        self,
        body: types.ResetPasswordRequest,
    ) -> None:
        """Set a new password by the link in a mail.

        A link works once, within 30 minutes. Every session ends. The next login asks for the second factor.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/auth/reset-password",
            body,
        )

    def resubscribe(
        self,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.PreferenceView:
        """Get all mails again.

        Switches on again what was switched off, here or by the link of a mail.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/email/resubscribe",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def revoke_api_key(
        self,
        body: types.RevokeAPIKeyRequest | None = None,
        *,
        organisation: str | None = None,
    ) -> str:
        """End API clients.

        Their tokens end with them.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/api-key/revoke",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def revoke_invitation(
        self,
        id: str,
        invitation_id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.OrganisationInvitationView:
        """Revoke an invitation.

        For admins. Its link stops working at once.

        Not for API clients.
        """
        return self.call(
            "DELETE",
            f"/organisations/{quote(id, safe='')}/invitations/{quote(invitation_id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def revoke_invoice_link(
        self,
        token_id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.InvoicelinkView:
        """Revoke an invoice link.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "DELETE",
            f"/payables/invoice-links/{quote(token_id, safe='')}",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def revoke_wallet(
        self,
        id: str,
        body: types.RevokeWalletRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.WalletView:
        """End a wallet's proof of ownership.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "POST",
            f"/wallets/{quote(id, safe='')}/revoke",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def rotate_webhook_secret(
        self,
        id: str,
        body: types.RotateWebhookSecretRequest,
        *,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.EndpointView:
        """Give an endpoint a new key.

        The present key signs beside it for `overlapHours`; messages then have several signatures.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "POST",
            f"/webhook-endpoints/{quote(id, safe='')}/rotate-secret",
            body,
            headers={"X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
        )

    def send_complete_your_beneficiary_account(
        self,
        body: types.SendCompleteYourBeneficiaryAccountRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.AuthQueuedView:
        """Send the mail that asks a beneficiary to complete his account.

        An address without an account gets one, to be completed.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/users/send-complete-your-beneficiary-account",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def send_complete_your_hnwi(
        self,
        body: types.SendCompleteYourHNWIRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.AuthQueuedView:
        """Send the mail that asks a private client to complete his account.

        An address without an account gets one, to be completed.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/users/send-complete-your-hnwi",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def send_complete_your_kyc_email(
        self,
        body: types.SendCompleteYourKYCEmailRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.AuthQueuedView:
        """Send the mail that asks a person to verify his identity.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/users/send-complete-your-kyc-email",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def send_invoice_link_again(
        self,
        token_id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.InvoicelinkView:
        """Mail an invoice link once more.

        For a link that waits, or that nobody used in time. The mail holds a new link, and those before it lead
        nowhere. What was handed in so far stays. The new link is in the mail alone.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            f"/payables/invoice-links/{quote(token_id, safe='')}/send-again",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def send_user_confirmation_email(
        self,
        body: types.SendUserConfirmationEmailRequest | None = None,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.AuthQueuedView:
        """Send the mail that confirms an address.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/users/send-user-confirmation-email",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def set_approval_policy(
        self,
        id: str,
        body: types.SetApprovalPolicyRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.OrganisationPolicyView:
        """Set what one person may not decide alone.

        For admins; the organisation needs two. A policy that asks for more is in force at once. One that asks for
        less in any respect waits for another admin: `pendingApproval` names the approval, and the answer is the
        policy as it stands. Under a policy, two admins decide on members. `GET /wallets/{id}/limits` has the calls
        with which a wallet sets on the router what the policy wants.

        Not for API clients.
        """
        return self.call(
            "PUT",
            f"/organisations/{quote(id, safe='')}/approval-policy",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def set_bookkeeping_accounts(
        self,
        body: types.SetBookkeepingAccountsRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingChartView:
        """Set the accounts that the book is mapped to.

        They take the place of all that were set before. One that equals the proposed account counts as not set. One
        with an asset, a place or a type of receiver is a finer rule; of those that fit a line, the finest wins: a
        wallet or payee says more than a type of receiver, that more than a network, a network more than an asset.
        Nothing that was booked changes.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "PUT",
            "/bookkeeping/accounts",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def set_bookkeeping_settings(
        self,
        body: types.BookkeepingSettingsViewInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingSettingsView:
        """Set how the book values what it has.

        It acts on open months: all of their lines have other values then. Closed months stay as they are.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "PUT",
            "/bookkeeping/settings",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def set_brand(
        self,
        id: str,
        body: types.SetBrandRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.BrandView:
        """Set the name and colour that outsiders see.

        For admins. White text is written on the colour: one that is too light is refused, and the refusal names the
        nearest shade that will do.

        Scope for API clients: `organisations:write`.
        """
        return self.call(
            "PUT",
            f"/organisations/{quote(id, safe='')}/brand",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def set_brand_logo(
        self,
        id: str,
        body: types.SetBrandLogoBody | File,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.BrandView:
        """Set the logo that outsiders see.

        For admins. A PNG or JPEG of at most 1 MiB and 1,024 pixels, as multipart/form-data with the part `file`, or
        as JSON with the content in base64. The picture is written anew as PNG; nothing else of the file is kept.

        Scope for API clients: `organisations:write`.
        """
        return self.call(
            "PUT",
            f"/organisations/{quote(id, safe='')}/brand/logo",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def set_return_policy(
        self,
        id: str,
        body: types.SetReturnPolicyRequest,
        *,
        code: str | None = None,
    ) -> types.SettlementPolicyView:
        """Say what is done with payments that come back.

        Counts for returns that arrive from now on. Without it: RECREDIT.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "PUT",
            f"/operations/organisations/{quote(id, safe='')}/return-policy",
            body,
            headers={"X-2FA-Code": code},
        )

    def set_sign_on(
        self,
        id: str,
        body: types.SetSignOnRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.SsoView:
        """Set up the provider that signs the organisation's people in.

        For admins. A provider of OpenID Connect. Under a policy that asks for a second person the change waits for
        another admin, and `pendingApproval` names what it waits for.

        Not for API clients.
        """
        return self.call(
            "PUT",
            f"/organisations/{quote(id, safe='')}/sign-on",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def settle_return(
        self,
        id: str,
        body: types.SettleReturnRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Ask a second operator to pay a returned payment again, or to send its worth back.

        For a return that is kept as fiat. summary says what would happen, with what screening says. A job carries
        it out when the second one has approved (POST /operations/approvals/{id}/decision).

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/transactions/{quote(id, safe='')}/returns",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def show_unsubscribe(
        self,
        *,
        token: str,
    ) -> bytes:
        """The page that a mail's link to end mails leads to.

        Returns the bytes of a file.

        A page with a button. It changes nothing.

        Needs no access token.
        """
        return self.call(
            "GET",
            "/email/unsubscribe",
            query={
                "token": token,
            },
            headers={"Accept": "text/html"},
            raw=True,
        )

    def stand_in(
        self,
        id: str,
        body: types.StandInRequest,
        *,
        key: str | None = None,
        code: str | None = None,
        if_version: int | None = None,
    ) -> types.ApprovalView:
        """Decide as the second operator, or in place of an organisation's second admin.

        What another operator has asked for; and where an organisation's other admins are gone, about a POLICY, a
        MEMBER or an INVITATION. Make sure by other means that the organisation wants it.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/approvals/{quote(id, safe='')}/decision",
            body,
            headers={"Idempotency-Key": key, "X-2FA-Code": code, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def step_up(
        self,
        body: types.AuthProofInput,
        *,
        organisation: str | None = None,
    ) -> types.AuthSteppedUpView:
        """Prove the second factor again.

        Send a code, or a passkey's answer to POST /auth/passkeys/challenge. Opens operations that ask for a recent
        proof for 10 minutes, in this session.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/2fa/step-up",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def stop_schedule(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.ScheduleView:
        """Pay nothing more of it.

        What was accepted before is paid. A draft of today that was not stays, for people. It may be accepted anew.

        Scope for API clients: `schedules:write`.
        """
        return self.call(
            "POST",
            f"/schedules/{quote(id, safe='')}/stop",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def submit_invoice(
        self,
        body: types.SubmitInvoiceRequest,
    ) -> types.InvoicelinkSubmittedAtView:
        """Hand in the invoice.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/payables/submit-invoice",
            body,
        )

    def submit_transaction(
        self,
        id: str,
        body: types.TransactionSubmitBody | None = None,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Lock a draft for acceptance.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/submit",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def take_import(
        self,
        body: types.TakeImportBody | File,
        *,
        columns: Sequence[str] | None = None,
        header: bool | None = None,
        without: Sequence[str] | None = None,
        token: Literal["USDT", "USDC", "DAI"] | None = None,
        wallet_address: str | None = None,
        network: str | None = None,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.IntakeTakenView:
        """Take in a table of payees and payments.

        Makes the payees that are not known, under the organisation's rules about payees, and drafts of 30 payments
        each. Refused as a whole if anything is wrong in a row that is not left out. To take in the same table again
        makes nothing twice.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `imports:write`.
        """
        return self.call(
            "POST",
            "/imports",
            body,
            query={
                "columns[]": columns,
                "header": header,
                "without[]": without,
                "token": token,
                "walletAddress": wallet_address,
                "network": network,
            },
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def test_chat_channel(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.ChatchannelTestedView:
        """Send a chat channel a test.

        The answer says what the server of the chat has said. It takes as long as that does, 15 seconds at most.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `chat-channels:write`.
        """
        return self.call(
            "POST",
            f"/chat-channels/{quote(id, safe='')}/test",
            headers={"Slipway-Organisation": organisation},
        )

    def test_webhook_endpoint(
        self,
        id: str,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.EndpointDeliveryView:
        """Send an endpoint an event about itself.

        Its type is `webhook_endpoint.test`. Read the delivery to see what came back. An address that has not
        answered its verification is asked again.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `webhook-endpoints:write`.
        """
        return self.call(
            "POST",
            f"/webhook-endpoints/{quote(id, safe='')}/test",
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def thaw_rail(
        self,
        id: str,
        *,
        code: str | None = None,
    ) -> types.AppRailViewList:
        """Let a frozen signer go on.

        For a person who has found out why. The chain is asked what became of each send: what a reorganisation undid
        is sent again with the same bytes, and the next nonce moves up to the chain's own count. It stays frozen
        while the nodes cannot tell: 503.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            f"/operations/rails/{quote(id, safe='')}/thaw",
            headers={"X-2FA-Code": code},
        )

    def unsubscribe(
        self,
        *,
        token: str,
    ) -> bytes:
        """End the mails that a link belongs to.

        Returns the bytes of a file.

        One click (RFC 8058): mail programs send the form `List-Unsubscribe=One-Click`. The body is ignored; the
        token is enough. Calling it again changes nothing.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/email/unsubscribe",
            query={
                "token": token,
            },
            headers={"Accept": "text/html"},
            raw=True,
        )

    def update_applicant_info(
        self,
        applicant_id: str,
        body: types.UpdateApplicantInfoRequest | None = None,
        *,
        organisation_id: str,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.IdvInfoView:
        """Correct the applicant's details, and read the provider again.

        Without a body nothing is corrected.

        Scope for API clients: `idv:write`.
        """
        return self.call(
            "POST",
            f"/idv/update-applicant-info/{quote(applicant_id, safe='')}",
            body,
            query={
                "organisationId": organisation_id,
            },
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def update_transaction(
        self,
        id: str,
        body: types.TransactionInput,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.TransactionView:
        """Replace a draft.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "PUT",
            f"/transactions/{quote(id, safe='')}",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def upload_document(
        self,
        body: types.UploadDocumentBody | File,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.DocumentUploadView:
        """Upload an invoice.

        A PDF, PNG or JPEG of at most 10 MiB, as multipart/form-data with the part `file`, or as JSON with the
        content in base64. What the file is is told by its content. The same content may be uploaded again;
        `duplicateOf` then names the documents that have it.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `payables:write`.
        """
        return self.call(
            "POST",
            "/payables/upload",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )

    def upload_invoice_by_link(
        self,
        body: types.UploadInvoiceByLinkBody | File,
        *,
        invoice_token: str | None = None,
    ) -> types.InvoicelinkDocumentView:
        """Upload the invoice.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/payables/upload-invoice",
            body,
            headers={"Slipway-Invoice-Token": invoice_token},
        )

    def validate_invoice_token(
        self,
        body: types.ValidateInvoiceTokenRequest,
    ) -> types.InvoicelinkValidView:
        """Whether a link is good.

        Needs no access token.
        """
        return self.call(
            "POST",
            "/payables/validate-invoice-token",
            body,
        )

    def validate_transaction(
        self,
        id: str,
        *,
        organisation: str | None = None,
    ) -> types.TransactionValidateView:
        """Say everything that would keep the draft from being submitted.

        Scope for API clients: `transactions:write`.
        """
        return self.call(
            "POST",
            f"/transactions/{quote(id, safe='')}/validate",
            headers={"Slipway-Organisation": organisation},
        )

    def verify_ledger(
        self,
        *,
        key: str | None = None,
        code: str | None = None,
    ) -> types.AppProofView:
        """Prove the book.

        A job reads the whole book at one moment: every journal sums to zero and is as it was written, by this
        service; the chain of hashes is complete and has the head that was kept outside of the database; no account
        is below its floor. While one runs, it is the answer.

        Scope for API clients: `operations:write`.
        """
        return self.call(
            "POST",
            "/operations/ledger/verifications",
            headers={"Idempotency-Key": key, "X-2FA-Code": code},
            keyed=True,
        )

    def verify_second_factor(
        self,
        body: types.VerifySecondFactorRequest,
        *,
        organisation: str | None = None,
    ) -> types.AuthEnabledView:
        """Put the secret in use.

        Every other session of the user ends. The recovery codes are shown once.

        Not for API clients.
        """
        return self.call(
            "POST",
            "/auth/2fa/verify",
            body,
            headers={"Slipway-Organisation": organisation},
        )

    def verify_wallet(
        self,
        id: str,
        body: types.VerifyWalletRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
        if_version: int | None = None,
    ) -> types.WalletView:
        """Prove a wallet by signature.

        Needs one of the roles initiator, admin, authorized in the organisation.

        Scope for API clients: `wallets:write`.
        """
        return self.call(
            "POST",
            f"/wallets/{quote(id, safe='')}/verify-wallet",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation, "If-Match": None if if_version is None else str(if_version)},
            keyed=True,
        )

    def withdraw_bookkeeping_opening(
        self,
        id: str,
        body: types.WithdrawBookkeepingOpeningRequest,
        *,
        key: str | None = None,
        organisation: str | None = None,
    ) -> types.BookkeepingOpeningView:
        """Take an opening balance back.

        Its entry is posted the other way round, on the same day. The right one can be recorded then.

        Needs one of the roles admin in the organisation.

        Scope for API clients: `bookkeeping:write`.
        """
        return self.call(
            "POST",
            f"/bookkeeping/openings/{quote(id, safe='')}/withdraw",
            body,
            headers={"Idempotency-Key": key, "Slipway-Organisation": organisation},
            keyed=True,
        )
