# Generated from docs/openapi.json by tools/generate.py.
"""The bodies and answers of operations, as dictionaries. An amount is a text of digits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict


class AddPasskeyRequest(TypedDict):
    credential: dict[str, Any]
    name: str


class AddRecordCommentRequest(TypedDict):
    comment: str
    documents: NotRequired[list[str]]
    internal: NotRequired[bool | None]


class AddSignOnDomainRequest(TypedDict):
    domain: str


class AddTenantRequest(TypedDict):
    address: NotRequired[OrganisationAddressInput | None]
    country: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    email: str
    firstName: str
    lastName: str
    name: NotRequired[str | None]
    organisationType: Literal["Organisation", "HNWI"]
    registrationNumber: NotRequired[str | None]


class AllowPasswordsRequest(TypedDict):
    reason: str


class AnalysisCaseView(TypedDict):
    _id: str
    allowedActions: list[str]
    comments: list[CommentView]
    createdAt: str
    decidedBy: NotRequired[str | None]
    decidedByName: NotRequired[str | None]
    listed: AnalysisHitView
    name: str
    object: str
    organisation: str
    proposal: NotRequired[Literal["CLEARED", "CONFIRMED"] | None]
    proposedBy: NotRequired[str | None]
    proposedByName: NotRequired[str | None]
    reason: NotRequired[str | None]
    status: Literal["OPEN", "PROPOSED", "CLEARED", "CONFIRMED"]
    updatedAt: str
    version: int


class AnalysisCaseViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AnalysisCaseView]
    total: int


class AnalysisHitView(TypedDict):
    births: list[str]
    countries: list[str]
    entry: str
    list: str
    name: str
    numbers: list[str]
    places: list[str]
    programs: list[str]
    score: int
    weak: bool
    why: str


class AnalysisRecordView(TypedDict):
    _id: str
    askedAt: str
    createdAt: str
    hits: list[AnalysisHitView]
    kind: Literal["ADDRESS", "NAME"]
    message: NotRequired[str | None]
    network: NotRequired[str | None]
    object: str
    organisation: str
    purpose: Literal["WALLET", "SUBMIT", "ACCEPT", "SEND"]
    reference: str
    status: Literal["APPROVED", "REVIEW", "REJECTED", "ERROR"]
    subject: str


class AnalysisRecordViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AnalysisRecordView]
    total: int


class AppBankFileView(TypedDict):
    _id: str
    arrivedAt: NotRequired[str | None]
    code: NotRequired[str | None]
    controlSum: NotRequired[str | None]
    createdAt: str
    direction: Literal["OUT", "IN"]
    entries: NotRequired[int | None]
    executeOn: NotRequired[str | None]
    houseAccount: NotRequired[str | None]
    matchedEntries: NotRequired[int | None]
    message: NotRequired[str | None]
    messageId: NotRequired[str | None]
    name: str
    newEntries: NotRequired[int | None]
    payments: NotRequired[int | None]
    rail: NotRequired[str | None]
    reason: NotRequired[str | None]
    remark: NotRequired[str | None]
    sha256: NotRequired[str | None]
    size: int
    state: str
    statuses: NotRequired[int | None]


class AppBankFileViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppBankFileView]
    total: int


class AppHeldChoice(TypedDict):
    action: Literal["ARRIVED", "SEND_AGAIN", "PLAN_AGAIN", "REJECT", "BOOK", "DROP", "CORRECT", "RESEND", "GIVE_UP"]
    effect: str


class AppHeldView(TypedDict):
    account: NotRequired[str | None]
    amount: NotRequired[Decimal | None]
    asset: NotRequired[str | None]
    choices: list[AppHeldChoice]
    endsBy: str
    file: NotRequired[str | None]
    kind: Literal["PAYOUT_HELD", "PAYOUT_UNANSWERED", "PAYOUT_CONTRADICTED", "PAYOUT_PAYEE_DIFFERS", "PAYEE_OUT_OF_DATE", "FILE_STUCK", "STATEMENT_WAITING", "STATEMENT_UNBALANCED", "FILE_QUARANTINED", "ENTRY_DOUBTFUL", "DETAILS_LATE", "PAYMENT_UNKNOWN", "RETURN_UNBOOKED", "SEND_HELD", "TOKENS_KEPT"]
    payee: NotRequired[str | None]
    since: str
    subject: str
    tookEffect: list[str]
    tookNoEffect: list[str]
    transaction: NotRequired[str | None]
    why: str


class AppHeldViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppHeldView]
    total: int


class AppImportView(TypedDict):
    code: NotRequired[str | None]
    entries: int
    file: str
    matchedEntries: int
    message: NotRequired[str | None]
    newEntries: int
    outcome: Literal["IMPORTED", "REPEATED", "QUARANTINED", "UNBALANCED", "WAITING"]
    reason: NotRequired[str | None]
    remark: NotRequired[str | None]
    statuses: int


class AppJournalDetailView(TypedDict):
    _id: str
    bookedOn: str
    createdAt: str
    hash: str
    isGenuine: bool
    isUnchanged: bool
    key: str
    kind: str
    link: NotRequired[AppLinkView | None]
    organisation: NotRequired[str | None]
    organisationName: NotRequired[str | None]
    postings: list[AppPostingView]
    transaction: NotRequired[str | None]
    valueOn: str


class AppJournalView(TypedDict):
    _id: str
    bookedOn: str
    createdAt: str
    hash: str
    key: str
    kind: str
    link: NotRequired[AppLinkView | None]
    organisation: NotRequired[str | None]
    organisationName: NotRequired[str | None]
    transaction: NotRequired[str | None]
    valueOn: str


class AppJournalViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppJournalView]
    total: int


class AppLinkView(TypedDict):
    hash: str
    number: int
    sealedAt: str


class AppLiquidityProviderView(TypedDict):
    _id: str
    active: bool
    createdAt: str | None
    currencies: list[str]
    immediatePayout: bool | None
    messagingChatId: str | None
    minTradeAmount: NotRequired[int | Decimal | float | None]
    providerId: str
    requiresProviderInTradingPair: bool
    supportedChainIds: list[int]
    updatedAt: str | None
    wallets: dict[str, str]


class AppLiquidityProviderViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppLiquidityProviderView]
    total: int


class AppNodeView(TypedDict):
    aside: bool
    behind: bool
    failures: int
    head: int
    host: str
    refuted: int
    said: str
    verified: bool


class AppPauseView(TypedDict):
    at: str
    by: str
    byName: NotRequired[str | None]
    reason: str


class AppPostingView(TypedDict):
    account: str
    accountName: str
    amount: NotRequired[Decimal | None]
    asset: str
    memo: NotRequired[str | None]
    units: str


class AppProofView(TypedDict):
    _id: str
    askedBy: str
    askedByName: NotRequired[str | None]
    assets: list[str]
    createdAt: str
    endedAt: NotRequired[str | None]
    faults: list[str]
    headAt: NotRequired[str | None]
    journals: int
    journalsRead: int
    links: int
    open: list[AppPostingView]
    postings: int
    state: Literal["RUNNING", "SOUND", "UNSOUND"]
    unlinked: int


class AppProofViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppProofView]
    total: int


class AppRailView(TypedDict):
    frozen: str
    goesOn: list[str]
    halted: str
    lastError: str
    network: str
    nextNonce: int
    nodes: list[AppNodeView]
    open: dict[str, int]
    pause: NotRequired[AppPauseView | None]
    paused: bool
    sending: bool
    short: list[str]
    signer: str
    sound: bool
    waiting: str


class AppRailViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppRailView]
    total: int


class AppRateSourceView(TypedDict):
    asOf: str | None
    problem: str
    since: str | None
    source: str
    usable: bool


class AppRateSourceViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppRateSourceView]
    total: int


class AppTenantDetailView(TypedDict):
    _id: str
    address: OrganisationAddress
    allowedActions: list[str]
    countryIsoCode: str
    createdAt: str
    cumulativeAmount: Decimal
    customCommissions: list[OrganisationCommissionView]
    isActive: bool
    memberCount: int
    members: list[AppTenantPersonView]
    minUSDPaymentAmount: Decimal
    name: str
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    organisationType: Literal["Organisation", "HNWI"]
    referenceCode: str
    registrationNumber: NotRequired[str | None]
    review: NotRequired[ReviewListedView | None]
    risk: Literal["LOW", "MEDIUM", "HIGH", "PROHIBITED"]
    termsPending: NotRequired[str | None]
    transactionValueLimit: Decimal


class AppTenantPersonView(TypedDict):
    allowedActions: list[str]
    codesBlockedUntil: NotRequired[str | None]
    email: str
    isActive: bool
    isMember: bool
    name: str
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    review: NotRequired[ReviewListedView | None]
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]
    twoFactorEnabled: bool
    user: str
    userType: str


class AppTenantView(TypedDict):
    _id: str
    countryIsoCode: str
    createdAt: str
    isActive: bool
    memberCount: int
    name: str
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    organisationType: Literal["Organisation", "HNWI"]
    referenceCode: str
    review: NotRequired[ReviewListedView | None]


class AppTenantViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AppTenantView]
    total: int


class ApprovalView(TypedDict):
    _id: str
    allowedActions: list[str]
    authors: list[str]
    comment: NotRequired[str | None]
    createdAt: str
    decidedAt: NotRequired[str | None]
    decidedBy: NotRequired[str | None]
    decidedByName: NotRequired[str | None]
    kind: Literal["RECEIVER", "BANK_ACCOUNT", "WALLET", "POLICY", "MEMBER", "INVITATION", "PERIOD", "RECOVERY", "NETWORK", "TOKEN", "TERMS", "RETURN", "HELD", "BANK_HOLD", "BANK_KEYS", "MOVEMENT", "RELEASE", "STOCK", "RECEIVABLE", "REREADING", "DEPOSIT"]
    notAfter: NotRequired[str | None]
    notBefore: NotRequired[str | None]
    object: str
    outcome: NotRequired[Literal["WAITING", "CARRIED_OUT", "REFUSED"] | None]
    outcomeInfo: NotRequired[str | None]
    requestedBy: str
    requestedByName: NotRequired[str | None]
    status: Literal["PENDING", "APPROVED", "REJECTED", "SUPERSEDED", "EXPIRED"]
    summary: str
    version: int


class ApprovalViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ApprovalView]
    total: int


class ApprovePayableRequest(TypedDict):
    comment: NotRequired[str | None]


class ApprovePayablesRequest(TypedDict):
    comment: NotRequired[str | None]
    ids: list[str]


class ApproveRequest(TypedDict):
    comment: NotRequired[str | None]


class AuthAddedPasskeyView(TypedDict):
    _id: str
    backedUp: bool
    createdAt: str
    lastUsedAt: str | None
    name: str
    recoveryCodes: list[str]
    version: int


class AuthClientView(TypedDict):
    allowedActions: list[str]
    allowedIps: list[str]
    clientId: str
    createdAt: str
    expiresAt: str | None
    lastUsedAt: str | None
    lastUsedFrom: str
    name: str
    organisation: str
    revokedAt: str | None
    scopes: list[str]
    secret: NotRequired[str | None]


class AuthClientViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AuthClientView]
    total: int


class AuthCompleteInfoView(TypedDict):
    email: str
    expiresAt: str
    firstName: str
    lastName: str
    organisationName: str


class AuthDisabledView(TypedDict):
    enabled: bool


class AuthEnabledView(TypedDict):
    enabled: bool
    recoveryCodes: list[str]


class AuthGeneratedView(TypedDict):
    otpauthUrl: str
    qrCodeDataUrl: str
    secret: str


class AuthInvitationInfoView(TypedDict):
    email: str
    expiresAt: str
    invitedByName: str
    isVerified: bool
    organisationName: str
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]


class AuthLoginView(TypedDict):
    access_token: str
    refresh_token: str
    requires_2fa: bool
    requires_2fa_setup: bool
    tempToken: NotRequired[str | None]


class AuthMessageView(TypedDict):
    message: str


class AuthPasskeyOptionsView(TypedDict):
    publicKey: dict[str, Any]


class AuthPasskeyView(TypedDict):
    _id: str
    backedUp: bool
    createdAt: str
    lastUsedAt: str | None
    name: str
    version: int


class AuthPasskeyViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AuthPasskeyView]
    total: int


class AuthProofInput(TypedDict):
    code: NotRequired[str | None]
    passkey: NotRequired[dict[str, Any] | None]


class AuthQueuedView(TypedDict):
    queued: bool


class AuthSessionView(TypedDict):
    _id: str
    console: bool
    createdAt: str
    current: bool
    expiresAt: str
    lastUsedAt: str
    secondFactorAt: str | None
    signOn: str
    source: str


class AuthSessionViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[AuthSessionView]
    total: int


class AuthSteppedUpView(TypedDict):
    validUntil: str


class AuthTokensView(TypedDict):
    access_token: str
    refresh_token: str
    requires_2fa_setup: bool


class BankaccountBankView(TypedDict):
    bankName: NotRequired[str | None]
    bicNeeded: bool
    bicSwift: NotRequired[str | None]


class BankaccountView(TypedDict):
    _id: str
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    allowedActions: list[str]
    approval: NotRequired[str | None]
    bankAddress: NotRequired[str | None]
    bankAddress2: NotRequired[str | None]
    bankBranch: NotRequired[str | None]
    bankCity: NotRequired[str | None]
    bankCode: NotRequired[str | None]
    bankCountry: RecordCountry
    bankEmail: NotRequired[str | None]
    bankFax: NotRequired[str | None]
    bankName: NotRequired[str | None]
    bankPhone: NotRequired[str | None]
    bankState: NotRequired[str | None]
    bankWebsite: NotRequired[str | None]
    bankZip: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    branchCode: NotRequired[str | None]
    channel: NotRequired[str | None]
    createdAt: str
    currency: RecordCurrency
    iban: NotRequired[str | None]
    ibanSuiteValidation: ReceiverIBANSuiteView
    ifscCode: NotRequired[str | None]
    intermediaryBankName: NotRequired[str | None]
    intermediaryRoutingCode: NotRequired[str | None]
    payableFrom: NotRequired[str | None]
    paymentRails: list[RefdataPaymentRailView]
    receiver: ReceiverEmbedded
    routingNumber: NotRequired[str | None]
    sepaSupport: ReceiverSEPASupportView
    softDeleted: bool
    sortCode: NotRequired[str | None]
    updatedAt: str
    version: int
    wireSupport: ReceiverWireSupportView


class BankaccountViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[BankaccountView]
    total: int


class BeginPasskeyLoginRequest(TypedDict):
    tempToken: NotRequired[str | None]


class BillscanDiscountView(TypedDict):
    days: int
    percent: Decimal


class BillscanInvoiceView(TypedDict):
    conditions: list[BillscanDiscountView]
    customerReference: NotRequired[str | None]
    date: NotRequired[str | None]
    dueDate: NotRequired[str | None]
    importVat: list[BillscanVATView]
    number: NotRequired[str | None]
    supplyFrom: NotRequired[str | None]
    supplyTo: NotRequired[str | None]
    vat: list[BillscanVATView]
    vatNumber: NotRequired[str | None]


class BillscanPartyView(TypedDict):
    addressLine1: NotRequired[str | None]
    addressLine2: NotRequired[str | None]
    addressType: NotRequired[Literal["S", "K"] | None]
    buildingNumber: NotRequired[str | None]
    city: NotRequired[str | None]
    countryIsoCode: NotRequired[str | None]
    name: str
    postCode: NotRequired[str | None]
    street: NotRequired[str | None]


class BillscanPayeeAddress(TypedDict):
    addressLine1: NotRequired[str | None]
    city: NotRequired[str | None]
    postCode: NotRequired[str | None]


class BillscanPayeeView(TypedDict):
    address: NotRequired[BillscanPayeeAddress | None]
    bankCountry: str
    bicSwift: NotRequired[str | None]
    countryIsoCode: NotRequired[str | None]
    currency: str
    iban: str
    legalName: str


class BillscanPrefillView(TypedDict):
    amount: NotRequired[Decimal | None]
    bankAccount: NotRequired[str | None]
    currencyIsoCode: str
    documentStorageKey: NotRequired[str | None]
    expectedPaymentDate: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    name: str
    origin: Literal["QR_BILL", "EPC_QR"]
    reason: NotRequired[str | None]
    receiver: NotRequired[str | None]
    reference: NotRequired[str | None]
    type: Literal["FIAT"]


class BillscanSeveralView(TypedDict):
    bills: NotRequired[list[BillscanSummary]]


class BillscanSummary(TypedDict):
    amount: NotRequired[Decimal]
    bill: int
    creditor: NotRequired[str]
    currency: NotRequired[str]
    faulty: bool
    iban: NotRequired[str]
    page: int
    reference: NotRequired[str]
    source: NotRequired[str]


class BillscanVATView(TypedDict):
    amount: NotRequired[Decimal | None]
    percent: Decimal


class BillscanView(TypedDict):
    alternativeSchemes: list[str]
    amount: Decimal | None
    bicSwift: NotRequired[str | None]
    billInformation: str
    confidence: Literal[1]
    creditor: BillscanPartyView
    currency: Literal["CHF", "EUR"]
    iban: str
    information: NotRequired[str | None]
    invoice: BillscanInvoiceView | None
    isQrIban: bool
    message: str
    page: int
    payee: BillscanPayeeView | None
    prefill: BillscanPrefillView | None
    purpose: NotRequired[str | None]
    reference: str
    referenceType: Literal["QRR", "SCOR", "NON", "OTHER"]
    source: Literal["SWISS_QR", "EPC"]
    ultimateDebtor: BillscanPartyView | None
    version: str
    warnings: list[BillscanWarnView]


class BillscanWarnView(TypedDict):
    code: str
    field: NotRequired[str | None]
    message: str


class BookkeepingAccountBody(TypedDict):
    asset: NotRequired[str | None]
    costCentre: NotRequired[str | None]
    kind: str
    name: str
    number: str
    place: NotRequired[str | None]
    receiverType: NotRequired[str | None]
    taxCode: NotRequired[str | None]


class BookkeepingAccountView(TypedDict):
    _id: str
    asset: str
    costCentre: str
    isProposed: bool
    kind: str
    name: str
    number: str
    place: str
    receiverType: str
    taxCode: str
    words: str


BookkeepingBalanceView = TypedDict(
    "BookkeepingBalanceView",
    {
        "_id": "str",
        "account": "str",
        "accountKind": "str",
        "accountName": "str",
        "amount": "Decimal",
        "asset": "str",
        "class": "Literal['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE']",
        "credit": "str | None",
        "currency": "str",
        "debit": "str | None",
    },
)


class BookkeepingBalanceViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[BookkeepingBalanceView]
    total: int


class BookkeepingChartView(TypedDict):
    accounts: list[BookkeepingAccountView]


class BookkeepingEntryView(TypedDict):
    _id: str
    account: str
    accountKind: str
    accountName: str
    amount: Decimal
    asset: str
    assetPerEuro: str | None
    bankReference: str
    bookedAt: str
    bookedOn: str
    costCentre: str
    countsAs: str
    credit: str | None
    currency: str
    date: str
    debit: str | None
    document: str
    endToEndId: str
    event: str
    homePerEuro: str | None
    invoiceNumber: str
    isClosed: bool
    isProvisional: bool
    item: str
    journal: str
    kind: str
    lots: list[BookkeepingLotView]
    party: str
    place: str
    rate: str | None
    rateDate: str | None
    rateSource: str | None
    reason: str
    receiverType: str
    taxCode: str
    transaction: str | None
    transactionHash: str
    valueOn: str
    valuedBy: Literal["RATE", "LOTS", "ACCOUNT", "COUNTER", "JOURNAL", "COST", "REVALUATION"]


class BookkeepingEntryViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[BookkeepingEntryView]
    total: int


class BookkeepingLotView(TypedDict):
    amount: Decimal
    cost: str
    date: str
    line: str


class BookkeepingOpeningView(TypedDict):
    _id: str
    accountKind: str
    amount: Decimal
    asset: str
    block: int | None
    blockHash: str | None
    on: str
    openedAt: str
    openedBy: str
    place: str
    reason: str
    source: Literal["CHAIN", "STATED"]
    withdrawnAt: str | None


class BookkeepingOpeningViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[BookkeepingOpeningView]
    total: int


BookkeepingPeriodView = TypedDict(
    "BookkeepingPeriodView",
    {
        "_id": "str",
        "closedAt": "str | None",
        "closedBy": "str | None",
        "from": "str",
        "isOver": "bool",
        "next": "Literal['CLOSE', 'REOPEN'] | None",
        "pendingApproval": "str | None",
        "reason": "str | None",
        "state": "Literal['OPEN', 'CLOSED']",
        "to": "str",
    },
)


class BookkeepingPeriodsView(TypedDict):
    periods: list[BookkeepingPeriodView]


BookkeepingReportView = TypedDict(
    "BookkeepingReportView",
    {
        "balanceSheet": "list[BookkeepingBalanceView]",
        "carriedProfit": "str",
        "currency": "str",
        "from": "str",
        "leftOut": "list[str]",
        "on": "str",
        "profit": "str",
        "profitAndLoss": "list[BookkeepingBalanceView]",
    },
)


class BookkeepingSettingsView(TypedDict):
    costMethod: Literal["FIFO", "AVERAGE"]
    feesInCost: bool
    revalueCurrencies: bool
    revalueTokens: bool


class BookkeepingSettingsViewInput(TypedDict):
    costMethod: Literal["FIFO", "AVERAGE"]
    feesInCost: bool
    revalueCurrencies: bool
    revalueTokens: bool


class BrandView(TypedDict):
    colour: str
    logo: str | None
    name: str
    updatedAt: str | None
    version: int


class CategoriesStructInput(TypedDict):
    product: NotRequired[bool]
    security: NotRequired[bool]
    transaction: NotRequired[bool]


class ChangeBankAccountRequest(TypedDict):
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    achSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    bankAddress: NotRequired[str | None]
    bankAddress2: NotRequired[str | None]
    bankCity: NotRequired[str | None]
    bankCode: NotRequired[str | None]
    bankCountry: NotRequired[str | ChangeBankAccountRequestBankCountry1]
    bankName: NotRequired[str | None]
    bankState: NotRequired[str | None]
    bankZip: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    branchCode: NotRequired[str | None]
    branchName: NotRequired[str | None]
    channel: NotRequired[str | None]
    currency: NotRequired[str | ChangeBankAccountRequestCurrency1]
    fedSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    intermediaryBankName: NotRequired[str | None]
    intermediaryRoutingCode: NotRequired[str | None]
    receiver: NotRequired[str | ChangeBankAccountRequestReceiver1]
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]


class ChangeBankAccountRequestBankCountry1(TypedDict):
    _id: str


class ChangeBankAccountRequestCurrency1(TypedDict):
    _id: str


class ChangeBankAccountRequestReceiver1(TypedDict):
    _id: str


class ChangeChatChannelRequest(TypedDict):
    address: NotRequired[str]
    isEnabled: NotRequired[bool]
    language: NotRequired[Literal["en", "de", "fr"]]
    name: NotRequired[str]
    news: NotRequired[list[Literal["DECISIONS", "PAYMENTS", "PROBLEMS", "INVOICES", "PAYEES", "TECHNICAL"]]]


class ChangeEmailPreferencesRequest(TypedDict):
    categories: NotRequired[CategoriesStructInput]
    transactionMails: NotRequired[Literal["AT_ONCE", "MORNING", "OFF"]]


class ChangeEmailRequest(TypedDict):
    newEmail: str
    password: str


class ChangeMeRequest(TypedDict):
    address: NotRequired[str | None]
    citizenship: NotRequired[list[str | ChangeMeRequestCitizenship1]]
    country: NotRequired[str | ChangeMeRequestCountry1 | None]
    dateOfBirth: NotRequired[str | None]
    firstName: NotRequired[str]
    lastName: NotRequired[str]
    messagingHandle: NotRequired[str | None]
    phoneNumber: NotRequired[str | None]


class ChangeMeRequestCitizenship1(TypedDict):
    _id: str


class ChangeMeRequestCountry1(TypedDict):
    _id: str


class ChangeMemberRequest(TypedDict):
    isActive: NotRequired[bool]
    roles: NotRequired[list[Literal["viewer", "initiator", "approver", "admin"]]]
    standsIn: NotRequired[OrganisationStandInViewInput | None]
    userType: NotRequired[str]


class ChangeOrganisationRequest(TypedDict):
    defaultToken: NotRequired[str | ChangeOrganisationRequestDefaultToken1 | None]
    defaultWallet: NotRequired[str | ChangeOrganisationRequestDefaultWallet1 | None]
    homeCurrency: NotRequired[str | ChangeOrganisationRequestHomeCurrency1 | None]
    name: NotRequired[str]
    payablesEmail: NotRequired[str | None]
    quoteHeadroomPercent: NotRequired[str | None]
    requireIdempotencyKey: NotRequired[bool]
    taxId: NotRequired[str | None]
    timeZone: NotRequired[str | None]
    vatId: NotRequired[str | None]


class ChangeOrganisationRequestDefaultToken1(TypedDict):
    _id: str


class ChangeOrganisationRequestDefaultWallet1(TypedDict):
    _id: str


class ChangeOrganisationRequestHomeCurrency1(TypedDict):
    _id: str


class ChangePasswordRequest(TypedDict):
    newPassword: str
    oldPassword: str


class ChangeTermsRequest(TypedDict):
    cumulativeAmount: NotRequired[Decimal]
    customCommissions: NotRequired[list[OrganisationCommissionInput]]
    minUSDPaymentAmount: NotRequired[Decimal]
    transactionValueLimit: NotRequired[Decimal]


class ChangeUserStatusRequest(TypedDict):
    isActive: NotRequired[bool | None]


class ChangeWalletRequest(TypedDict):
    address: NotRequired[str]
    network: NotRequired[str | ChangeWalletRequestNetwork1]
    ownershipMessage: NotRequired[str | None]
    receiver: NotRequired[str | ChangeWalletRequestReceiver1]
    type: NotRequired[Literal["EOA", "MULTISIG"]]


class ChangeWalletRequestNetwork1(TypedDict):
    _id: str


class ChangeWalletRequestReceiver1(TypedDict):
    _id: str


class ChangeWebhookEndpointRequest(TypedDict):
    body: NotRequired[Literal["FULL", "THIN"]]
    description: NotRequired[str | None]
    isEnabled: NotRequired[bool]
    types: NotRequired[list[str]]
    url: NotRequired[str]


class ChatchannelTestedView(TypedDict):
    httpStatus: int
    outcome: Literal["TAKEN", "LATER", "REFUSED", "GONE"]
    said: str


class ChatchannelView(TypedDict):
    _id: str
    allowedActions: list[str]
    createdAt: str
    failingSince: NotRequired[str | None]
    isEnabled: bool
    kind: Literal["SLACK", "TEAMS", "MATRIX"]
    language: Literal["en", "de", "fr"]
    name: str
    news: list[Literal["DECISIONS", "PAYMENTS", "PROBLEMS", "INVOICES", "PAYEES", "TECHNICAL"]]
    offReason: NotRequired[Literal["GONE", "FAILING"] | None]
    problem: NotRequired[str | None]
    sentAt: NotRequired[str | None]
    shownAddress: str
    updatedAt: str
    version: int


class ChatchannelViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ChatchannelView]
    total: int


class CheckAllowanceRequest(TypedDict):
    headroomPercent: NotRequired[str | None]


class CheckImportBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class CheckReviewRequest(TypedDict):
    done: bool


class ClientTokenRequest(TypedDict):
    clientId: str
    secret: str


class CloseBookkeepingPeriodRequest(TypedDict):
    reason: str


class CommentInput(TypedDict):
    comment: str
    documents: NotRequired[list[str]]


class CommentReviewRequest(TypedDict):
    comment: str


class CommentView(TypedDict):
    _id: str
    comment: str
    createdAt: str
    documents: list[str]
    internal: bool
    updatedAt: str
    user: str


class CommentViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[CommentView]
    total: int


class CompleteUserRequest(TypedDict):
    firstName: str
    lastName: str
    password: str
    phoneNumber: NotRequired[str]
    token: str


class ConfirmAccountRequest(TypedDict):
    token: str


class ConfirmInvoiceLinkProposalRequest(TypedDict):
    proposal: str


class ConfirmSafeTransactionRequest(TypedDict):
    signature: str


class ConfirmSignOnDomainRequest(TypedDict):
    domain: str
    reason: str


class CreateAPIKeyRequest(TypedDict):
    allowedIps: NotRequired[list[str]]
    expiresAt: NotRequired[str | None]
    name: NotRequired[str | None]
    password: NotRequired[str | None]
    scopes: NotRequired[list[str]]


class CreateBankAccountRequest(TypedDict):
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    achSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    bankAddress: NotRequired[str | None]
    bankAddress2: NotRequired[str | None]
    bankCity: NotRequired[str | None]
    bankCode: NotRequired[str | None]
    bankCountry: str | CreateBankAccountRequestBankCountry1
    bankName: NotRequired[str | None]
    bankState: NotRequired[str | None]
    bankZip: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    branchCode: NotRequired[str | None]
    branchName: NotRequired[str | None]
    channel: NotRequired[str | None]
    currency: str | CreateBankAccountRequestCurrency1
    fedSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    intermediaryBankName: NotRequired[str | None]
    intermediaryRoutingCode: NotRequired[str | None]
    receiver: str | CreateBankAccountRequestReceiver1
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]


class CreateBankAccountRequestBankCountry1(TypedDict):
    _id: str


class CreateBankAccountRequestCurrency1(TypedDict):
    _id: str


class CreateBankAccountRequestReceiver1(TypedDict):
    _id: str


class CreateChatChannelRequest(TypedDict):
    address: str
    kind: Literal["SLACK", "TEAMS", "MATRIX"]
    language: NotRequired[Literal["en", "de", "fr"] | None]
    name: str
    news: NotRequired[list[Literal["DECISIONS", "PAYMENTS", "PROBLEMS", "INVOICES", "PAYEES", "TECHNICAL"]]]


class CreateInvoiceBankAccountRequest(TypedDict):
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    achSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    bankCountry: str | CreateInvoiceBankAccountRequestBankCountry1
    bicSwift: NotRequired[str | None]
    currency: str | CreateInvoiceBankAccountRequestCurrency1
    fedSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]
    token: str


class CreateInvoiceBankAccountRequestBankCountry1(TypedDict):
    _id: str


class CreateInvoiceBankAccountRequestCurrency1(TypedDict):
    _id: str


class CreateInvoiceLinkRequest(TypedDict):
    amount: NotRequired[Decimal | None]
    currencyIsoCode: NotRequired[str | None]
    email: str
    isExistingReceiver: bool
    reason: NotRequired[str | None]
    receiverId: NotRequired[str | None]


class CreateInvoicePayableRequest(TypedDict):
    amount: NotRequired[Decimal | None]
    bankAccount: NotRequired[str | CreateInvoicePayableRequestBankAccount1 | None]
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    expectedPaymentDate: NotRequired[str | None]
    instructions: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    name: NotRequired[str | None]
    reason: NotRequired[str | None]
    tokenId: str
    tokenIsoCode: NotRequired[str | None]
    type: NotRequired[Literal["FIAT", "CRYPTO"] | None]
    wallet: NotRequired[str | CreateInvoicePayableRequestWallet1 | None]


class CreateInvoicePayableRequestBankAccount1(TypedDict):
    _id: str


class CreateInvoicePayableRequestWallet1(TypedDict):
    _id: str


class CreateInvoiceReceiverRequest(TypedDict):
    address: NotRequired[str | CreateInvoiceReceiverRequestAddress1 | None]
    countryIsoCode: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    email: str
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    phoneNumber: NotRequired[str | None]
    taxId: NotRequired[str | None]
    token: str
    type: Literal["INDIVIDUAL", "COMPANY"]


class CreateInvoiceReceiverRequestAddress1(TypedDict):
    addressLine1: NotRequired[str]
    city: NotRequired[str]
    postCode: NotRequired[str]


class CreateInvoiceWalletRequest(TypedDict):
    address: str
    network: str | CreateInvoiceWalletRequestNetwork1
    token: str
    type: NotRequired[Literal["EOA", "MULTISIG"] | None]


class CreateInvoiceWalletRequestNetwork1(TypedDict):
    _id: str


class CreateOrganisationRequest(TypedDict):
    address: NotRequired[OrganisationAddressInput | None]
    country: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    name: NotRequired[str | None]
    organisationType: Literal["Organisation", "HNWI"]
    payablesEmail: NotRequired[str | None]
    registrationNumber: NotRequired[str | None]


class CreateReceiverWithBankAccountRequest(TypedDict):
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    achSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    address: NotRequired[str | CreateReceiverWithBankAccountRequestAddress1 | None]
    bankAddress: NotRequired[str | None]
    bankAddress2: NotRequired[str | None]
    bankCity: NotRequired[str | None]
    bankCode: NotRequired[str | None]
    bankCountry: str | CreateReceiverWithBankAccountRequestBankCountry1
    bankName: NotRequired[str | None]
    bankState: NotRequired[str | None]
    bankZip: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    branchCode: NotRequired[str | None]
    branchName: NotRequired[str | None]
    channel: NotRequired[str | None]
    countryIsoCode: NotRequired[str | None]
    currency: str | CreateReceiverWithBankAccountRequestCurrency1
    dateOfBirth: NotRequired[str | None]
    email: str
    fedSupport: NotRequired[bool | Literal["YES", "NO"] | None]
    firstName: NotRequired[str | None]
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    intermediaryBankName: NotRequired[str | None]
    intermediaryRoutingCode: NotRequired[str | None]
    isHidden: NotRequired[bool | None]
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    phoneNumber: NotRequired[str | None]
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]
    taxId: NotRequired[str | None]
    type: Literal["INDIVIDUAL", "COMPANY"]


class CreateReceiverWithBankAccountRequestAddress1(TypedDict):
    addressLine1: NotRequired[str]
    city: NotRequired[str]
    postCode: NotRequired[str]


class CreateReceiverWithBankAccountRequestBankCountry1(TypedDict):
    _id: str


class CreateReceiverWithBankAccountRequestCurrency1(TypedDict):
    _id: str


class CreateWalletRequest(TypedDict):
    address: str
    network: str | CreateWalletRequestNetwork1
    ownershipMessage: NotRequired[str | None]
    receiver: str | CreateWalletRequestReceiver1
    type: NotRequired[Literal["EOA", "MULTISIG"] | None]


class CreateWalletRequestNetwork1(TypedDict):
    _id: str


class CreateWalletRequestReceiver1(TypedDict):
    _id: str


class CreateWebhookEndpointRequest(TypedDict):
    body: NotRequired[Literal["FULL", "THIN"] | None]
    description: NotRequired[str | None]
    types: NotRequired[list[str]]
    url: str


class DecideDepositRequest(TypedDict):
    action: Literal["ASSIGN", "REFUND", "HOLD", "RETURN", "SETTLE"]
    note: NotRequired[str | None]
    payout: NotRequired[str | None]
    receivable: NotRequired[str | None]
    transaction: NotRequired[str | None]


class DecideHeldRequest(TypedDict):
    action: Literal["ARRIVED", "SEND_AGAIN", "PLAN_AGAIN", "REJECT", "BOOK", "DROP", "CORRECT"]
    reason: str
    subject: str


DecideOwedRequest = TypedDict(
    "DecideOwedRequest",
    {
        "action": "Literal['SET_OFF', 'WRITE_OFF']",
        "reason": "str",
        "return": "NotRequired[str | None]",
    },
)


class DecideReviewRequest(TypedDict):
    basis: int
    comment: NotRequired[str | None]
    decision: Literal["APPROVE", "REJECT_RETRY", "REJECT_FINAL"]


class DecideScreeningCaseRequest(TypedDict):
    decision: Literal["CLEARED", "CONFIRMED"]
    reason: str


class DecideWalletScreeningRequest(TypedDict):
    decision: Literal["APPROVED", "REJECTED"]
    reason: str


Decimal = str


class DocumentUploadView(TypedDict):
    allowedActions: list[str]
    contentType: Literal["application/pdf", "image/png", "image/jpeg"]
    createdAt: str
    documentStorageKey: str
    duplicateOf: NotRequired[list[str]]
    fileName: str
    invoiceLink: NotRequired[str | None]
    sha256: str
    size: int
    uploadedBy: NotRequired[str | None]
    url: str


class DocumentView(TypedDict):
    allowedActions: list[str]
    contentType: Literal["application/pdf", "image/png", "image/jpeg"]
    createdAt: str
    documentStorageKey: str
    fileName: str
    invoiceLink: NotRequired[str | None]
    sha256: str
    size: int
    uploadedBy: NotRequired[str | None]
    url: str


class DocumentViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[DocumentView]
    total: int


class EndpointAttemptView(TypedDict):
    answer: str
    createdAt: str
    elapsedMicros: int
    httpStatus: int
    problem: NotRequired[str | None]
    signature: str


class EndpointDeliveryDetailView(TypedDict):
    _id: str
    attempts: int
    body: str
    createdAt: str
    endedAt: NotRequired[str | None]
    event: str
    nextAttemptAt: NotRequired[str | None]
    number: str
    object: str
    status: Literal["PENDING", "DELIVERED", "FAILED"]
    tries: list[EndpointAttemptView]
    type: str


class EndpointDeliveryView(TypedDict):
    _id: str
    attempts: int
    createdAt: str
    endedAt: NotRequired[str | None]
    event: str
    nextAttemptAt: NotRequired[str | None]
    number: str
    object: str
    status: Literal["PENDING", "DELIVERED", "FAILED"]
    type: str


class EndpointDeliveryViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[EndpointDeliveryView]
    total: int


class EndpointKeyView(TypedDict):
    publicKey: NotRequired[str | None]
    signsUntil: NotRequired[str | None]


class EndpointReplayView(TypedDict):
    _id: str | None
    count: int


class EndpointView(TypedDict):
    _id: str
    allowedActions: list[str]
    apiVersion: str
    body: Literal["FULL", "THIN"]
    createdAt: str
    description: NotRequired[str | None]
    failingSince: NotRequired[str | None]
    isEnabled: bool
    isVerified: bool
    keys: list[EndpointKeyView]
    offReason: NotRequired[Literal["GONE", "FAILING"] | None]
    secret: NotRequired[str | None]
    types: list[str]
    updatedAt: str
    url: str
    version: int


class EndpointViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[EndpointView]
    total: int


class ExtractQrBillInfoBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class ExtractQrBillInfoBody1(TypedDict):
    documentStorageKey: str


class FeedData(TypedDict):
    object: dict[str, Any]
    previous: NotRequired[dict[str, Any] | None]


class FeedPageView(TypedDict):
    hasMore: bool
    next: str
    page_total: int
    results: list[FeedView]


class FeedView(TypedDict):
    apiVersion: str
    createdAt: str
    data: FeedData
    id: str
    number: str
    object: str
    sequence: int
    type: str


FieldProblem = TypedDict(
    "FieldProblem",
    {
        "code": "str",
        "in": "NotRequired[Literal['query', 'path', 'header']]",
        "message": "str",
        "name": "NotRequired[str]",
        "pointer": "NotRequired[str | None]",
    },
)


class FindBankRequest(TypedDict):
    currency: NotRequired[str | FindBankRequestCurrency1 | None]
    iban: str


class FindBankRequestCurrency1(TypedDict):
    _id: str


class ForgotPasswordRequest(TypedDict):
    email: str


class GenerateSecondFactorRequest(TypedDict):
    password: NotRequired[str | None]


class GetApplicantTokenRequest(TypedDict):
    organisationId: NotRequired[str | None]
    type: Literal["user", "organisation"]


class HideTransactionRequest(TypedDict):
    isHidden: bool


class HouseDifferenceView(TypedDict):
    _id: str
    asset: str
    books: Decimal
    day: str
    movements: list[str]
    order: NotRequired[str | None]
    provider: str
    stated: str
    why: Literal["MISSING", "ALONE", "TWICE", "AMOUNT", "LATE", "RESTATED"]


class HouseDifferenceViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[HouseDifferenceView]
    total: int


class HouseView(TypedDict):
    accepted: Decimal
    agreedAt: str
    asset: str
    books: Decimal
    checkedAt: str
    difference: Decimal
    halted: str
    halts: str
    high: Decimal
    inRow: int
    low: Decimal
    note: str
    outside: Decimal
    point: str
    state: Literal["AGREES", "ACCEPTED", "SHORT", "EXCESS", "UNKNOWN"]
    subject: str


class HouseViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[HouseView]
    total: int


class IdvApplicantView(TypedDict):
    applicantId: str
    externalUserId: str
    levelName: str
    status: Literal["INIT", "PENDING", "PRECHECKED", "QUEUED", "ON_HOLD", "COMPLETED"]
    type: Literal["user", "organisation"]


class IdvFixedInfoInput(TypedDict):
    companyName: NotRequired[str | None]
    country: NotRequired[str | None]
    dob: NotRequired[str | None]
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    nationality: NotRequired[str | None]
    placeOfBirth: NotRequired[str | None]
    registrationNumber: NotRequired[str | None]


class IdvInfoView(TypedDict):
    applicantId: str
    externalUserId: str
    levelName: str
    moderationComment: str
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    rejectLabels: list[str]
    rejectType: Literal["RETRY", "FINAL"] | None
    retryAllowed: bool
    reviewAnswer: Literal["GREEN", "RED"] | None
    reviewStatus: Literal["init", "pending", "prechecked", "queued", "completed", "onHold"]
    statusInfo: str
    type: Literal["user", "organisation"]
    updatedAt: str


class IdvTokenView(TypedDict):
    expiresAt: str
    levelName: str
    token: str
    url: str | None
    userId: str


class ImportBankFileBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class IntakeColumnView(TypedDict):
    column: str
    heading: NotRequired[str | None]


class IntakeFaultView(TypedDict):
    code: str
    column: str
    message: str


class IntakeRowView(TypedDict):
    amount: NotRequired[Decimal | None]
    bankAccount: NotRequired[str | None]
    cells: list[str]
    currencyIsoCode: NotRequired[str | None]
    faults: list[IntakeFaultView]
    line: int
    makes: list[Literal["RECEIVER", "BANK_ACCOUNT", "PAYMENT"]]
    name: NotRequired[str | None]
    otherName: NotRequired[str | None]
    receiver: NotRequired[str | None]
    transaction: NotRequired[str | None]


class IntakeTableView(TypedDict):
    columns: list[IntakeColumnView]
    header: bool
    rows: list[IntakeRowView]
    totals: IntakeTotalsView


class IntakeTakenView(TypedDict):
    rows: list[IntakeRowView]
    totals: IntakeTotalsView
    transactions: list[str]


class IntakeTotalsView(TypedDict):
    bankAccounts: int
    faulty: int
    madeBefore: int
    payments: int
    receivers: int
    transactions: int


class InviteMemberRequest(TypedDict):
    email: str
    roles: NotRequired[list[Literal["viewer", "initiator", "approver", "admin"]]]


class InvoicelinkAccountView(TypedDict):
    _id: str
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    bankCountry: str
    bankName: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    currencyIsoCode: str
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    proposal: NotRequired[Literal["PROPOSED", "CONFIRMED", "REFUSED"] | None]
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]


class InvoicelinkDocumentView(TypedDict):
    contentType: str
    documentStorageKey: str
    fileName: str
    size: int


class InvoicelinkGivenView(TypedDict):
    _id: str
    bankCountry: NotRequired[str | None]
    bankName: NotRequired[str | None]
    currencyIsoCode: NotRequired[str | None]
    ending: str
    network: NotRequired[str | None]
    status: Literal["KEPT", "PROPOSED", "CONFIRMED", "REFUSED"]


class InvoicelinkInfoView(TypedDict):
    bankAccount: NotRequired[InvoicelinkGivenView | None]
    documents: list[InvoicelinkDocumentView]
    email: str
    expiresAt: str
    invoice: NotRequired[InvoicelinkInvoiceView | None]
    isExistingReceiver: bool
    organisation: InvoicelinkOrganisationView
    paidAt: NotRequired[str | None]
    progress: NotRequired[Literal["RECEIVED", "IN_REVIEW", "APPROVED", "PAID", "DECLINED"] | None]
    requested: InvoicelinkRequested
    status: Literal["OPEN", "SUBMITTED", "USED"]
    steps: InvoicelinkStepsView
    wallet: NotRequired[InvoicelinkGivenView | None]


class InvoicelinkInvoiceView(TypedDict):
    amount: Decimal
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    dueDate: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    reason: str
    tokenIsoCode: NotRequired[str | None]


class InvoicelinkMadeView(TypedDict):
    email: str
    expiresAt: str
    link: str
    tokenId: str


class InvoicelinkOrganisationView(TypedDict):
    logo: NotRequired[str | None]
    name: str


class InvoicelinkReceiverIDView(TypedDict):
    receiverId: str


class InvoicelinkReceiverView(TypedDict):
    address: ReceiverAddressView
    countryIsoCode: str
    dateOfBirth: NotRequired[str | None]
    email: str
    name: str
    phoneNumber: NotRequired[str | None]
    taxId: NotRequired[str | None]
    type: Literal["INDIVIDUAL", "COMPANY"]


class InvoicelinkRequested(TypedDict):
    amount: NotRequired[Decimal | None]
    currencyIsoCode: NotRequired[str | None]
    reason: NotRequired[str | None]


class InvoicelinkStepsView(TypedDict):
    bankAccount: bool
    invoice: bool
    receiver: bool
    wallet: bool


class InvoicelinkSubmittedAtView(TypedDict):
    reference: str
    submittedAt: str


class InvoicelinkSubmittedView(TypedDict):
    bankAccount: NotRequired[InvoicelinkAccountView | None]
    documents: list[InvoicelinkDocumentView]
    invoice: NotRequired[InvoicelinkInvoiceView | None]
    receiver: NotRequired[InvoicelinkReceiverView | None]
    wallet: NotRequired[InvoicelinkWalletView | None]


class InvoicelinkValidView(TypedDict):
    expiresAt: NotRequired[str | None]
    valid: bool


class InvoicelinkView(TypedDict):
    _id: str
    allowedActions: list[str]
    createdAt: str
    createdBy: str
    email: str
    expiresAt: str
    isExistingReceiver: bool
    mailProblem: NotRequired[Literal["ADDRESS_UNKNOWN", "MAILBOX_CLOSED", "MAILBOX_FULL", "NOT_TAKEN"] | None]
    mailedAt: str
    mails: int
    otherAddress: bool
    payableId: NotRequired[str | None]
    receiverId: str
    requested: InvoicelinkRequested
    status: Literal["OPEN", "SUBMITTED", "USED", "REVOKED", "EXPIRED"]
    steps: InvoicelinkStepsView
    submitted: InvoicelinkSubmittedView
    submittedAt: NotRequired[str | None]
    updatedAt: str
    version: int
    warnings: list[str]


class InvoicelinkViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[InvoicelinkView]
    total: int


class InvoicelinkWalletView(TypedDict):
    _id: str
    address: str
    network: str
    proposal: NotRequired[Literal["PROPOSED", "CONFIRMED", "REFUSED"] | None]
    type: Literal["EOA", "MULTISIG"]


class JoinOrganisationRequest(TypedDict):
    invitationToken: str


class LoginPasskeyRequest(TypedDict):
    credential: dict[str, Any]


class LoginRequest(TypedDict):
    email: str
    password: str


class LoginSecondFactorRequest(TypedDict):
    code: NotRequired[str | None]
    passkey: NotRequired[dict[str, Any] | None]
    tempToken: str


class NetworkChangeBody(TypedDict):
    amlProviderName: NotRequired[str | None]
    blockExplorerUrl: NotRequired[str | None]
    blockTime: NotRequired[int]
    chainId: NotRequired[int]
    contracts: NotRequired[dict[str, str] | None]
    features: NotRequired[list[Literal["LOANS", "PAYABLES", "ONRAMP", "C2C", "C2F", "BATCH", "SWEEP"]]]
    finality: NotRequired[NetworkFinalityInput]
    internalRpcUrl: NotRequired[str | None]
    isClientVisible: NotRequired[bool]
    isTestnet: NotRequired[bool]
    maxFeePerGasWei: NotRequired[str | None]
    minTransactionFee: NotRequired[int | Decimal | float]
    multisigChainPrefix: NotRequired[str | None]
    name: NotRequired[str]
    nativeCurrency: NotRequired[str | NetworkChangeBodyNativeCurrency1]
    rpcUrl: NotRequired[str | None]
    screenOnScreeningProvider: NotRequired[bool]
    stuckAfterSeconds: NotRequired[int]
    type: NotRequired[str]
    walletAddress: NotRequired[str | None]
    wsRpcUrl: NotRequired[str | None]


class NetworkChangeBodyNativeCurrency1(TypedDict):
    _id: str


class NetworkCreateBody(TypedDict):
    amlProviderName: NotRequired[str | None]
    blockExplorerUrl: NotRequired[str | None]
    blockTime: NotRequired[int | None]
    chainId: NotRequired[int | None]
    contracts: NotRequired[dict[str, str] | None]
    features: NotRequired[list[Literal["LOANS", "PAYABLES", "ONRAMP", "C2C", "C2F", "BATCH", "SWEEP"]]]
    finality: NotRequired[NetworkFinalityInput | None]
    internalRpcUrl: NotRequired[str | None]
    isClientVisible: NotRequired[bool | None]
    isTestnet: NotRequired[bool | None]
    maxFeePerGasWei: NotRequired[str | None]
    minTransactionFee: NotRequired[int | Decimal | float | None]
    multisigChainPrefix: NotRequired[str | None]
    name: str
    nativeCurrency: NotRequired[str | NetworkCreateBodyNativeCurrency1 | None]
    rpcUrl: NotRequired[str | None]
    screenOnScreeningProvider: NotRequired[bool | None]
    stuckAfterSeconds: NotRequired[int | None]
    type: str
    walletAddress: NotRequired[str | None]
    wsRpcUrl: NotRequired[str | None]


class NetworkCreateBodyNativeCurrency1(TypedDict):
    _id: str


class NetworkEmbedded(TypedDict):
    _id: str
    amlProviderName: NotRequired[str | None]
    blockExplorerUrl: NotRequired[str | None]
    blockTime: int
    chainId: NotRequired[int | None]
    contracts: dict[str, str]
    createdAt: str
    features: list[str]
    finality: NetworkFinality
    isClientVisible: bool
    isTestnet: bool
    maxFeePerGasWei: NotRequired[str | None]
    minTransactionFee: int | Decimal | float
    multisigChainPrefix: NotRequired[str | None]
    name: str
    nativeCurrency: RecordCoded | None
    pendingApproval: NotRequired[str | None]
    rpcUrl: NotRequired[str | None]
    screenOnScreeningProvider: bool
    stuckAfterSeconds: int
    type: str
    updatedAt: str
    version: int
    walletAddress: NotRequired[str | None]
    wsRpcUrl: NotRequired[str | None]


class NetworkFinality(TypedDict):
    depth: NotRequired[int | None]
    tag: NotRequired[Literal["finalized", "safe"] | None]


class NetworkFinalityInput(TypedDict):
    depth: NotRequired[int | None]
    tag: NotRequired[Literal["finalized", "safe"] | None]


class NetworkView(TypedDict):
    _id: str
    amlProviderName: NotRequired[str | None]
    blockExplorerUrl: NotRequired[str | None]
    blockTime: int
    chainId: NotRequired[int | None]
    contracts: dict[str, str]
    createdAt: str
    features: list[str]
    finality: NetworkFinality
    isClientVisible: bool
    isTestnet: bool
    maxFeePerGasWei: NotRequired[str | None]
    minTransactionFee: int | Decimal | float
    multisigChainPrefix: NotRequired[str | None]
    name: str
    nativeCurrency: RecordToken | None
    pendingApproval: NotRequired[str | None]
    rpcUrl: NotRequired[str | None]
    screenOnScreeningProvider: bool
    stuckAfterSeconds: int
    type: Literal["evm", "tron", "solana", "stellar", "bitcoin"]
    updatedAt: str
    version: int
    walletAddress: NotRequired[str | None]
    wsRpcUrl: NotRequired[str | None]


class NetworkViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[NetworkView]
    total: int


class OfferPasskeyRequest(TypedDict):
    password: NotRequired[str | None]


class OpenBookkeepingRequest(TypedDict):
    amount: NotRequired[Decimal | None]
    currency: NotRequired[str | None]
    on: str
    reason: str
    token: NotRequired[str | None]
    wallet: NotRequired[str | None]


class OrganisationAcceptRule(TypedDict):
    above: NotRequired[str | None]
    currency: NotRequired[str | None]
    people: int
    type: NotRequired[Literal["", "FIAT", "CRYPTO"] | None]


class OrganisationAcceptRuleInput(TypedDict):
    above: NotRequired[str | None]
    currency: NotRequired[str | None]
    people: int
    type: NotRequired[Literal["", "FIAT", "CRYPTO"] | None]


class OrganisationAddress(TypedDict):
    addressLine1: str
    city: str
    postCode: str


class OrganisationAddressInput(TypedDict):
    addressLine1: NotRequired[str | None]
    city: NotRequired[str | None]
    postCode: NotRequired[str | None]


class OrganisationAuditLineView(TypedDict):
    _id: str
    action: str
    actor: str
    createdAt: str
    detail: str
    object: str
    requestId: str
    source: str


class OrganisationAuditLineViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[OrganisationAuditLineView]
    total: int


class OrganisationCommissionInput(TypedDict):
    isHidden: NotRequired[bool | None]
    tradingPair: str | OrganisationCommissionInputTradingPair1
    value: int | Decimal | float


class OrganisationCommissionInputTradingPair1(TypedDict):
    _id: str


class OrganisationCommissionView(TypedDict):
    isHidden: bool
    organisation: str
    tradingPair: str
    value: int | Decimal | float


class OrganisationDailyCap(TypedDict):
    amount: Decimal
    token: str


class OrganisationDailyCapInput(TypedDict):
    amount: Decimal
    token: str


class OrganisationEmbedded(TypedDict):
    _id: str
    address: OrganisationAddress
    comments: list[RecordRef]
    complexStructure: bool
    country: RecordCountryRef | None
    createdAt: str
    cumulativeAmount: Decimal
    customCommissions: list[RecordRef]
    dateOfBirth: str | None
    defaultToken: RecordCoded | None
    defaultWallet: RecordRef | None
    documents: list[RecordRef]
    features: list[str]
    firstName: NotRequired[str | None]
    homeCurrency: str
    isActive: bool
    isOnChainOrganisation: bool
    lastName: NotRequired[str | None]
    members: list[RecordRef]
    minUSDPaymentAmount: Decimal
    name: str
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    organisationType: Literal["Organisation", "HNWI"]
    payablesEmail: NotRequired[str | None]
    quoteHeadroomPercent: str | None
    referenceCode: NotRequired[str | None]
    registrationNumber: NotRequired[str | None]
    requireIdempotencyKey: bool
    risk: Literal["LOW", "MEDIUM", "HIGH", "PROHIBITED"]
    senders: list[RecordRef]
    taxId: str
    timeZone: str
    transactionValueLimit: Decimal
    updatedAt: str
    vatId: str
    version: int
    wallets: list[RecordRef]


class OrganisationInvitationView(TypedDict):
    _id: str
    createdAt: str
    email: str
    expiresAt: str
    invitedByName: str
    organisation: str
    pendingApproval: NotRequired[str | None]
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]
    token: NotRequired[str | None]


class OrganisationInvitationViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[OrganisationInvitationView]
    total: int


class OrganisationLevelView(TypedDict):
    name: NotRequired[str | None]


class OrganisationMemberView(TypedDict):
    _id: str
    allowedActions: list[str]
    applicantId: NotRequired[str | None]
    createdAt: str
    isActive: bool
    levelName: OrganisationLevelView
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    organisation: str
    pendingApproval: NotRequired[str | None]
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]
    standsIn: NotRequired[OrganisationStandInView | None]
    standsInText: NotRequired[str | None]
    updatedAt: str
    user: UserEmbedded
    userType: str
    version: int


class OrganisationMemberViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[OrganisationMemberView]
    total: int


class OrganisationPolicyLimit(TypedDict):
    amount: Decimal
    currency: str


class OrganisationPolicyLimitInput(TypedDict):
    amount: Decimal
    currency: str


class OrganisationPolicyView(TypedDict):
    acceptRules: list[OrganisationAcceptRule]
    dailyCaps: list[OrganisationDailyCap]
    fourEyes: bool
    fourEyesLimits: list[OrganisationPolicyLimit]
    payeeApproval: bool
    payeeDelayHours: int
    pendingApproval: NotRequired[str | None]
    sentences: list[OrganisationSentence]
    signedIntents: bool
    version: int


class OrganisationSender(TypedDict):
    _id: str
    accountNumber: NotRequired[str | None]
    bankName: str
    country: str
    iban: NotRequired[str | None]
    isVerified: bool
    name: str


class OrganisationSendersInfoView(TypedDict):
    policy: Literal["OWN_ACCOUNTS_ONLY"]
    senders: list[OrganisationSender]


class OrganisationSentence(TypedDict):
    holds: bool
    rule: Literal["FOUR_EYES", "PAYEE_APPROVAL", "PAYEE_DELAY", "SIGNED_INTENTS", "DAILY_CAPS", "ACCEPT_RULES"]
    text: str


OrganisationStandInView = TypedDict(
    "OrganisationStandInView",
    {
        "from": "str",
        "member": "str",
        "until": "str",
    },
)


OrganisationStandInViewInput = TypedDict(
    "OrganisationStandInViewInput",
    {
        "from": "str",
        "member": "str",
        "until": "str",
    },
)


class OrganisationView(TypedDict):
    _id: str
    address: OrganisationAddress
    allowedActions: list[str]
    comments: list[CommentView]
    complexStructure: bool
    country: RecordCountry | None
    createdAt: str
    cumulativeAmount: Decimal
    customCommissions: list[OrganisationCommissionView]
    dateOfBirth: str | None
    defaultToken: RecordToken | None
    defaultWallet: RecordWallet | None
    documents: list[str]
    features: list[str]
    firstName: NotRequired[str | None]
    homeCurrency: str
    isActive: bool
    isOnChainOrganisation: bool
    lastName: NotRequired[str | None]
    members: list[OrganisationMemberView]
    minUSDPaymentAmount: Decimal
    name: str
    onboardingStatus: Literal["PENDING", "SUBMITTED", "APPROVED", "REJECTED"]
    organisationType: Literal["Organisation", "HNWI"]
    payablesEmail: NotRequired[str | None]
    quoteHeadroomPercent: str | None
    referenceCode: NotRequired[str | None]
    registrationNumber: NotRequired[str | None]
    requireIdempotencyKey: bool
    risk: Literal["LOW", "MEDIUM", "HIGH", "PROHIBITED"]
    senders: list[OrganisationSender]
    taxId: str
    timeZone: str
    transactionValueLimit: Decimal
    updatedAt: str
    vatId: str
    version: int
    wallets: list[RecordWallet]


class OrganisationViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[OrganisationView]
    total: int


class OverviewClassView(TypedDict):
    transactions: int
    withinSeconds: int | None


class OverviewDayView(TypedDict):
    amount: Decimal
    day: str
    payments: int


class OverviewDueView(TypedDict):
    currency: str
    days: list[OverviewDayView]
    overdue: OverviewSumView


class OverviewPaidView(TypedDict):
    currency: str
    weeks: list[OverviewWeekView]


class OverviewPayables(TypedDict):
    approved: int
    draft: int
    myApproval: int
    reserved: int


class OverviewSettledView(TypedDict):
    classes: list[OverviewClassView]
    halfWithinSeconds: int | None
    transactions: int


class OverviewStepView(TypedDict):
    done: bool
    step: Literal["SECOND_FACTOR", "ORGANISATION_VERIFIED", "PERSON_VERIFIED", "SECOND_PERSON", "WALLET_PROVEN", "PAYEE", "FIRST_PAYMENT"]


class OverviewSumView(TypedDict):
    amount: Decimal
    payments: int


class OverviewView(TypedDict):
    due: list[OverviewDueView]
    dueComplete: bool
    paid: list[OverviewPaidView]
    paidAsOf: str
    settled: OverviewSettledView
    steps: list[OverviewStepView]
    waiting: OverviewWaiting


class OverviewWaiting(TypedDict):
    approvals: int
    deposits: int
    invoices: int
    myApprovals: int
    myTransactions: int
    oldestAt: str | None
    payables: OverviewPayables
    schedules: int
    transactions: int
    walletsToProve: int


class OverviewWeekView(TypedDict):
    amount: Decimal
    payments: int
    week: str


class PauseRailRequest(TypedDict):
    paused: bool
    reason: NotRequired[str | None]


class PayPayablesRequest(TypedDict):
    payableIds: list[str]
    token: NotRequired[Literal["USDT", "USDC", "DAI"] | None]


class PayableApprovalView(TypedDict):
    at: str
    by: str
    comment: NotRequired[str | None]
    endedAt: NotRequired[str | None]
    why: NotRequired[str | None]


class PayableBatchView(TypedDict):
    approved: int
    refused: int
    results: list[PayableOutcomeView]


class PayableCountsView(TypedDict):
    APPROVED: int
    DRAFT: int
    PAID: int
    REJECTED: int
    total: int


class PayableDocumentView(TypedDict):
    contentType: str
    documentStorageKey: str
    fileName: str
    sha256: str
    size: int
    url: str


class PayableEditInput(TypedDict):
    amount: NotRequired[Decimal]
    bankAccount: NotRequired[str | PayableEditInputBankAccount1 | None]
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    expectedPaymentDate: NotRequired[str | None]
    instructions: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    name: NotRequired[str]
    reason: NotRequired[str]
    receiver: NotRequired[str | PayableEditInputReceiver1]
    reference: NotRequired[str | None]
    tokenIsoCode: NotRequired[str | None]
    type: NotRequired[Literal["FIAT", "CRYPTO"]]
    wallet: NotRequired[str | PayableEditInputWallet1 | None]


class PayableEditInputBankAccount1(TypedDict):
    _id: str


class PayableEditInputReceiver1(TypedDict):
    _id: str


class PayableEditInputWallet1(TypedDict):
    _id: str


class PayableInput(TypedDict):
    amount: Decimal
    bankAccount: NotRequired[str | PayableInputBankAccount1 | None]
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    expectedPaymentDate: NotRequired[str | None]
    instructions: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    name: str
    origin: NotRequired[Literal["MEMBER", "QR_BILL", "EPC_QR"] | None]
    reason: str
    receiver: str | PayableInputReceiver1
    reference: NotRequired[str | None]
    status: NotRequired[Literal["DRAFT"] | None]
    tokenIsoCode: NotRequired[str | None]
    type: Literal["FIAT", "CRYPTO"]
    wallet: NotRequired[str | PayableInputWallet1 | None]


class PayableInputBankAccount1(TypedDict):
    _id: str


class PayableInputReceiver1(TypedDict):
    _id: str


class PayableInputWallet1(TypedDict):
    _id: str


class PayableOutcomeView(TypedDict):
    _id: str
    error: NotRequired[PayableProblemView | None]
    status: NotRequired[str | None]
    version: NotRequired[int | None]


class PayablePaymentView(TypedDict):
    paymentId: str
    settlementStatus: Literal["IDLE", "QUOTED", "FUNDS_PULLING", "FUNDS_RECEIVED", "CONVERTED", "SENT_TO_BANK", "AWAITING_DEPOSIT", "DEPOSIT_MISMATCH", "TOKENS_SENT", "SETTLED", "ON_HOLD", "UNCERTAIN", "RETURNED", "REFUND_IN_FLIGHT", "REFUNDED", "REFUND_FAILED"]
    status: str
    statusInfo: NotRequired[str | None]
    transactionId: str
    transactionStatus: Literal["DRAFT", "WAITING_ACCEPTANCE", "PROCESSING", "RELEASED", "COMPLETED", "FAILED", "REJECTED_BY_PLATFORM"]


class PayableProblemView(TypedDict):
    code: str
    message: str


class PayableRejectionView(TypedDict):
    at: str
    by: str
    reason: str


class PayableView(TypedDict):
    _id: str
    allowedActions: list[str]
    amount: Decimal
    approvals: list[PayableApprovalView]
    bankAccount: NotRequired[str | None]
    comments: list[CommentView]
    createdAt: str
    createdBy: str
    currencyIsoCode: NotRequired[str | None]
    document: NotRequired[PayableDocumentView | None]
    documentStorageKey: NotRequired[str | None]
    expectedPaymentDate: NotRequired[str | None]
    instructions: NotRequired[str | None]
    invoiceLink: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    name: str
    origin: Literal["MEMBER", "LINK", "QR_BILL", "EPC_QR"]
    paidAt: NotRequired[str | None]
    payment: NotRequired[PayablePaymentView | None]
    reason: str
    receiver: str
    reference: NotRequired[str | None]
    rejection: NotRequired[PayableRejectionView | None]
    status: Literal["DRAFT", "APPROVED", "REJECTED", "PAID"]
    tokenIsoCode: NotRequired[str | None]
    type: Literal["FIAT", "CRYPTO"]
    updatedAt: str
    version: int
    wallet: NotRequired[str | None]
    warnings: list[PayableWarningView]


class PayableViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[PayableView]
    total: int


class PayableWarningView(TypedDict):
    code: Literal["POSSIBLE_DUPLICATE", "DUPLICATE_DOCUMENT", "PAYMENT_RETURNED", "SAME_EMAIL", "SAME_NAME", "NAME_MIXED", "OTHER_ADDRESS", "OTHER_COUNTRY", "OTHER_RECEIVERS_ACCOUNT", "REPLACED", "OTHER_AMOUNT", "WALLET_UNPROVEN"]
    message: str
    payables: list[str]


class PlaceTokenRequest(TypedDict):
    address: str
    decimals: int


class PreferenceCategories(TypedDict):
    product: bool
    security: bool
    transaction: bool


class PreferenceView(TypedDict):
    categories: PreferenceCategories
    transactionMails: Literal["AT_ONCE", "MORNING", "OFF"]
    unsubscribed: bool


class Problem(TypedDict):
    code: str
    detail: str
    errors: NotRequired[list[FieldProblem]]
    instance: str
    message: str
    requestId: str
    status: int
    title: str
    type: str


class QuoteAmountView(TypedDict):
    amount: Decimal
    currencyIsoCode: str


class QuoteExpiredView(TypedDict):
    fees: NotRequired[list[QuoteFeeView]]
    newRate: NotRequired[Decimal]
    previousRate: NotRequired[Decimal]
    quote: NotRequired[QuoteView]
    rates: NotRequired[list[QuoteRateChange]]
    totals: NotRequired[QuoteTotalsView]


class QuoteFeeView(TypedDict):
    amount: Decimal
    asset: str
    givenBack: NotRequired[str | None]
    of: NotRequired[str | None]
    payment: int | None
    percent: NotRequired[Decimal | None]
    type: Literal["NETWORK", "BANKING", "COMMISSION"]


class QuoteRateChange(TypedDict):
    currencyIsoCode: str
    newRate: Decimal
    previousRate: Decimal


class QuoteRateView(TypedDict):
    asOf: str
    currencyIsoCode: str
    rate: str
    source: str


class QuoteTotalsView(TypedDict):
    fiatIn: NotRequired[list[QuoteAmountView]]
    fiatOut: NotRequired[list[QuoteAmountView]]
    tokenCredit: NotRequired[Decimal]
    tokenDebit: NotRequired[Decimal]


class QuoteView(TypedDict):
    _id: NotRequired[str]
    commissionType: Literal["STANDARD", "CUSTOM", "PARTNER"]
    expiresAt: str | None
    lockedAt: str | None
    lockedSide: Literal["RECEIVING", "SENDING"]
    rate: str
    rates: list[QuoteRateView]


class ReceivableDecidedView(TypedDict):
    amount: Decimal
    at: str
    decidedBy: str
    means: Literal["DEPOSIT", "SET_OFF", "WRITE_OFF"]
    reason: NotRequired[str | None]


class ReceivableOperatorView(TypedDict):
    _id: str
    allowedActions: list[str]
    amount: Decimal
    createdAt: str
    currencyIsoCode: str
    decisions: list[ReceivableDecidedView]
    houseAccount: str
    howToPay: TransactionBankDetailsView | None
    organisation: str
    organisationName: NotRequired[str | None]
    owed: str
    parts: list[ReceivablePartView]
    reference: str
    returns: list[ReceivableReturnView]
    settledAt: str | None
    state: Literal["OPEN", "SETTLED"]
    transaction: NotRequired[str | None]
    version: int


class ReceivableOperatorViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ReceivableOperatorView]
    total: int


class ReceivablePartView(TypedDict):
    amount: Decimal
    at: str
    means: Literal["DEPOSIT", "SET_OFF", "WRITE_OFF"]
    source: NotRequired[str | None]


class ReceivableReturnView(TypedDict):
    _id: str
    amount: Decimal
    transaction: str


class ReceivableView(TypedDict):
    _id: str
    amount: Decimal
    createdAt: str
    currencyIsoCode: str
    howToPay: TransactionBankDetailsView | None
    organisation: str
    owed: str
    parts: list[ReceivablePartView]
    settledAt: str | None
    state: Literal["OPEN", "SETTLED"]
    transaction: NotRequired[str | None]
    version: int


class ReceivableViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ReceivableView]
    total: int


class ReceiverAddressView(TypedDict):
    addressLine1: NotRequired[str | None]
    city: NotRequired[str | None]
    postCode: NotRequired[str | None]


class ReceiverBankAccountView(TypedDict):
    _id: str
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    approval: NotRequired[str | None]
    bankAddress: NotRequired[str | None]
    bankAddress2: NotRequired[str | None]
    bankBranch: NotRequired[str | None]
    bankCity: NotRequired[str | None]
    bankCode: NotRequired[str | None]
    bankCountry: RecordCountryRef
    bankEmail: NotRequired[str | None]
    bankFax: NotRequired[str | None]
    bankName: NotRequired[str | None]
    bankPhone: NotRequired[str | None]
    bankState: NotRequired[str | None]
    bankWebsite: NotRequired[str | None]
    bankZip: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    branchCode: NotRequired[str | None]
    channel: NotRequired[str | None]
    createdAt: str
    currency: RecordCoded
    iban: NotRequired[str | None]
    ibanSuiteValidation: ReceiverIBANSuiteView
    ifscCode: NotRequired[str | None]
    intermediaryBankName: NotRequired[str | None]
    intermediaryRoutingCode: NotRequired[str | None]
    payableFrom: NotRequired[str | None]
    paymentRails: list[RecordRailRef]
    receiver: RecordRef
    routingNumber: NotRequired[str | None]
    sepaSupport: ReceiverSEPASupportView
    softDeleted: bool
    sortCode: NotRequired[str | None]
    updatedAt: str
    version: int
    wireSupport: ReceiverWireSupportView


class ReceiverChangeBody(TypedDict):
    address: NotRequired[str | ReceiverChangeBodyAddress1 | None]
    countryIsoCode: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    email: NotRequired[str]
    firstName: NotRequired[str | None]
    isHidden: NotRequired[bool]
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    phoneNumber: NotRequired[str | None]
    taxId: NotRequired[str | None]
    type: NotRequired[Literal["INDIVIDUAL", "COMPANY"]]


class ReceiverChangeBodyAddress1(TypedDict):
    addressLine1: NotRequired[str]
    city: NotRequired[str]
    postCode: NotRequired[str]


class ReceiverCreateBody(TypedDict):
    address: NotRequired[str | ReceiverCreateBodyAddress1 | None]
    countryIsoCode: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    email: str
    firstName: NotRequired[str | None]
    isHidden: NotRequired[bool | None]
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    phoneNumber: NotRequired[str | None]
    taxId: NotRequired[str | None]
    type: Literal["INDIVIDUAL", "COMPANY"]


class ReceiverCreateBodyAddress1(TypedDict):
    addressLine1: NotRequired[str]
    city: NotRequired[str]
    postCode: NotRequired[str]


class ReceiverEmbedded(TypedDict):
    _id: str
    address: ReceiverAddressView
    approval: NotRequired[str | None]
    bankAccounts: list[RecordRef]
    bankingPartnerId: NotRequired[str | None]
    bankingPartnerLinkedClientId: NotRequired[str | None]
    country: RecordCountryRef | None
    createdAt: str
    dateOfBirth: NotRequired[str | None]
    email: str
    firstName: NotRequired[str | None]
    isHidden: bool
    isSelf: bool
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    organisation: RecordRef
    owner: RecordRef | None
    phoneNumber: NotRequired[str | None]
    remarks: list[ReceiverRemarkView]
    taxId: NotRequired[str | None]
    type: Literal["INDIVIDUAL", "COMPANY"]
    updatedAt: str
    version: int
    wallets: list[RecordRef]


class ReceiverIBANSuiteView(TypedDict):
    errorCode: NotRequired[int | None]
    errorMessage: NotRequired[str | None]
    verified: bool
    verifiedAt: NotRequired[str | None]


class ReceiverRemarkView(TypedDict):
    code: Literal["NAME_UNWRITABLE", "NAME_MIXED"]
    message: str
    pointer: str
    proposal: NotRequired[str | None]


class ReceiverSEPASupportView(TypedDict):
    b2b: NotRequired[Literal["YES", "NO"] | None]
    cor1: NotRequired[Literal["YES", "NO"] | None]
    scc: NotRequired[Literal["YES", "NO"] | None]
    sci: NotRequired[Literal["YES", "NO"] | None]
    sciTips: NotRequired[Literal["YES", "NO"] | None]
    sct: NotRequired[Literal["YES", "NO"] | None]
    sdd: NotRequired[Literal["YES", "NO"] | None]


class ReceiverView(TypedDict):
    _id: str
    address: ReceiverAddressView
    allowedActions: list[str]
    approval: NotRequired[str | None]
    bankAccounts: list[ReceiverBankAccountView]
    bankingPartnerId: NotRequired[str | None]
    bankingPartnerLinkedClientId: NotRequired[str | None]
    country: RecordCountry | None
    createdAt: str
    dateOfBirth: NotRequired[str | None]
    email: str
    firstName: NotRequired[str | None]
    isHidden: bool
    isSelf: bool
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    organisation: OrganisationEmbedded
    owner: UserEmbedded | None
    phoneNumber: NotRequired[str | None]
    remarks: list[ReceiverRemarkView]
    taxId: NotRequired[str | None]
    type: Literal["INDIVIDUAL", "COMPANY"]
    updatedAt: str
    version: int
    wallets: list[RecordWallet]


class ReceiverViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ReceiverView]
    total: int


class ReceiverWireSupportView(TypedDict):
    ach: NotRequired[Literal["YES", "NO"] | None]
    fed: NotRequired[Literal["YES", "NO"] | None]


class ReconcileCandidateView(TypedDict):
    agrees: list[Literal["REFERENCE", "AMOUNT", "CURRENCY", "ACCOUNT", "SENDER", "TIME"]]
    amount: Decimal
    currencyIsoCode: str
    differs: list[Literal["REFERENCE", "AMOUNT", "CURRENCY", "ACCOUNT", "SENDER", "TIME"]]
    expiresAt: NotRequired[str | None]
    isAssignable: bool
    missing: Decimal
    organisation: str
    organisationName: NotRequired[str | None]
    reference: NotRequired[str | None]
    status: str
    transaction: str
    why: NotRequired[str | None]


class ReconcileClaimView(TypedDict):
    payout: str
    why: str


class ReconcileDepositView(TypedDict):
    _id: str
    allowedActions: list[str]
    amount: Decimal
    bankReference: NotRequired[str | None]
    bookedOn: str
    claim: NotRequired[ReconcileClaimView | None]
    createdAt: str
    currencyIsoCode: str
    decidedBy: NotRequired[str | None]
    decidedByName: NotRequired[str | None]
    houseAccount: str
    note: NotRequired[str | None]
    organisation: NotRequired[str | None]
    proposal: NotRequired[ReconcileProposalView | None]
    reason: NotRequired[Literal["RETURN_NOT_PROVEN", "NO_REFERENCE", "UNKNOWN_REFERENCE", "SEVERAL_REFERENCES", "NOT_AWAITED", "OTHER_ACCOUNT", "OTHER_CURRENCY", "AMOUNT_UNDER", "AMOUNT_OVER", "OTHER_SENDER", "ORGANISATION_BLOCKED", "REFUND_REFUSED"] | None]
    references: list[str]
    senderAccount: NotRequired[str | None]
    senderBank: NotRequired[str | None]
    senderName: NotRequired[str | None]
    state: Literal["NEW", "MATCHED", "SUSPENSE", "ASSIGNED", "HELD", "REFUNDING", "REFUNDED", "REVERSED", "WITHDRAWN", "RETURN", "SETTLED"]
    texts: list[str]
    transaction: NotRequired[str | None]
    updatedAt: str
    version: int


class ReconcileDepositViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ReconcileDepositView]
    total: int


class ReconcileDetailView(TypedDict):
    _id: str
    allowedActions: list[str]
    amount: Decimal
    bankReference: NotRequired[str | None]
    bookedOn: str
    candidates: list[ReconcileCandidateView]
    claim: NotRequired[ReconcileClaimView | None]
    createdAt: str
    currencyIsoCode: str
    decidedBy: NotRequired[str | None]
    decidedByName: NotRequired[str | None]
    houseAccount: str
    note: NotRequired[str | None]
    organisation: NotRequired[str | None]
    owed: list[ReconcileOwedView]
    proposal: NotRequired[ReconcileProposalView | None]
    reason: NotRequired[Literal["RETURN_NOT_PROVEN", "NO_REFERENCE", "UNKNOWN_REFERENCE", "SEVERAL_REFERENCES", "NOT_AWAITED", "OTHER_ACCOUNT", "OTHER_CURRENCY", "AMOUNT_UNDER", "AMOUNT_OVER", "OTHER_SENDER", "ORGANISATION_BLOCKED", "REFUND_REFUSED"] | None]
    references: list[str]
    senderAccount: NotRequired[str | None]
    senderBank: NotRequired[str | None]
    senderName: NotRequired[str | None]
    state: Literal["NEW", "MATCHED", "SUSPENSE", "ASSIGNED", "HELD", "REFUNDING", "REFUNDED", "REVERSED", "WITHDRAWN", "RETURN", "SETTLED"]
    texts: list[str]
    transaction: NotRequired[str | None]
    updatedAt: str
    version: int


class ReconcileOwedView(TypedDict):
    currencyIsoCode: str
    isPayable: bool
    organisation: str
    organisationName: NotRequired[str | None]
    owed: str
    receivable: str
    reference: str
    why: NotRequired[str | None]


class ReconcileProposalView(TypedDict):
    action: Literal["ASSIGN", "REFUND", "HOLD", "RETURN", "SETTLE"]
    by: str
    byName: NotRequired[str | None]
    payout: NotRequired[str | None]
    receivable: NotRequired[str | None]
    transaction: NotRequired[str | None]


class RecordCoded(TypedDict):
    _id: str
    isoCode: str
    name: str


class RecordCountry(TypedDict):
    _id: str
    allowedPaymentRails: list[RecordRailRef]
    continent: str
    iban: bool
    isoCode3166: str
    isoCode3166_alpha3: str
    name: str


class RecordCountryRef(TypedDict):
    _id: str
    isoCode3166: str
    name: str


class RecordCurrency(TypedDict):
    _id: str
    allowedPaymentRails: list[RecordRailRef]
    decimals: int
    isHidden: bool
    isoCode: str
    name: str
    symbol: str


class RecordNamed(TypedDict):
    _id: str
    name: str


class RecordOwnership(TypedDict):
    approvedAt: NotRequired[str | None]
    expiresAt: NotRequired[str | None]
    message: NotRequired[str | None]
    signedMessage: NotRequired[str | None]
    status: Literal["PENDING", "VERIFIED", "FAILED", "EXPIRED", "REVOKED"]


class RecordProviderMovementRequest(TypedDict):
    movement: str
    provider: str
    reason: str


class RecordRailRef(TypedDict):
    _id: str
    display: str
    name: str
    rail: str


class RecordRef(TypedDict):
    _id: str


class RecordToken(TypedDict):
    ERC20Address: list[RecordTokenAddress]
    _id: str
    isHidden: bool
    isoCode: str
    logo: str
    name: str
    onrampEligible: bool
    stable: bool
    tradableInFiat: bool


class RecordTokenAddress(TypedDict):
    address: str
    chainId: int
    decimals: int
    network: str


class RecordTokenList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[RecordToken]
    total: int


class RecordTreasuryMovementRequest(TypedDict):
    network: str
    reason: str
    transactionHash: str


class RecordWallet(TypedDict):
    _id: str
    address: str
    approval: NotRequired[str | None]
    createdAt: str
    network: RecordNamed
    ownership: RecordOwnership
    payableFrom: NotRequired[str | None]
    receiver: RecordRef
    screeningAnalysisId: NotRequired[str | None]
    screeningErrMessage: NotRequired[str | None]
    softDeleted: bool
    type: Literal["EOA", "MULTISIG"]
    updatedAt: str
    version: int
    walletAnalysisStatus: Literal["PENDING", "IN_PROGRESS", "APPROVED", "REVIEW", "REJECTED", "ERROR", "EXPIRED"]


class RecoverUserRequest(TypedDict):
    reason: str


class RefdataCountryView(TypedDict):
    _id: str
    allowedPaymentRails: list[RefdataPaymentRailView]
    continent: str
    iban: bool
    isoCode3166: str
    isoCode3166_alpha3: str
    name: str


class RefdataCountryViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[RefdataCountryView]
    total: int


class RefdataCurrencyView(TypedDict):
    _id: str
    allowedPaymentRails: list[RefdataPaymentRailView]
    decimals: int
    isHidden: bool
    isoCode: str
    name: str
    symbol: str


class RefdataCurrencyViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[RefdataCurrencyView]
    total: int


class RefdataField(TypedDict):
    display: str
    name: str
    pattern: NotRequired[str | None]


class RefdataPaymentRailView(TypedDict):
    _id: str
    display: str
    isEnabled: bool
    name: str
    priority: int
    rail: str
    requiredFields: list[RefdataField]


class RefdataPaymentRailViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[RefdataPaymentRailView]
    total: int


class RefdataTradingPairView(TypedDict):
    _id: str
    currency: RecordCurrency
    isHidden: bool
    liquidityProviders: list[str]
    pair: str
    token: RecordToken


class RefdataTradingPairViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[RefdataTradingPairView]
    total: int


class RefuseInvoiceLinkProposalRequest(TypedDict):
    proposal: str


class RegisterRequest(TypedDict):
    email: str
    firstName: str
    lastName: str
    password: str


class RegisterWithOrganisationRequest(TypedDict):
    email: str
    firstName: str
    invitationToken: NotRequired[str | None]
    lastName: str
    password: str


class RejectPayableRequest(TypedDict):
    reason: str


class RejectRequest(TypedDict):
    comment: NotRequired[str | None]


class RejectTransactionRequest(TypedDict):
    reason: str


class ReleaseHouseBalanceRequest(TypedDict):
    reason: str
    subject: str


class RenamePasskeyRequest(TypedDict):
    name: str


class ReopenBookkeepingPeriodRequest(TypedDict):
    reason: str


class ReopenPayableRequest(TypedDict):
    reason: NotRequired[str | None]


ReplayWebhookEventsRequest = TypedDict(
    "ReplayWebhookEventsRequest",
    {
        "from": "str",
        "onlyFailed": "NotRequired[bool | None]",
        "preview": "NotRequired[bool | None]",
        "to": "str",
    },
)


class ResetPasswordRequest(TypedDict):
    newPassword: str
    newPasswordToken: str


class ReviewCaseView(TypedDict):
    _id: str
    allowedActions: list[str]
    basis: int
    checklist: list[ReviewPointView]
    comment: str
    comments: list[ReviewCommentView]
    decidedAt: str | None
    decidedBy: str
    decidedByName: NotRequired[str | None]
    documents: list[ReviewDocumentView]
    form: dict[str, str]
    levelName: str
    proposal: str
    proposedBy: str
    proposedByName: NotRequired[str | None]
    proposedComment: str
    retryAllowed: bool
    screening: str
    status: Literal["OPEN", "SUBMITTED", "APPROVED", "REJECTED"]
    subject: str
    submittedAt: str | None
    type: Literal["user", "organisation"]
    updatedAt: str


class ReviewCommentView(TypedDict):
    author: str
    authorName: NotRequired[str | None]
    comment: str
    createdAt: str


class ReviewDocumentView(TypedDict):
    createdAt: str
    documentStorageKey: str
    kind: str


class ReviewListedView(TypedDict):
    _id: str
    allowedActions: list[str]
    decidedAt: str | None
    levelName: str
    proposal: str
    proposedBy: str
    proposedByName: NotRequired[str | None]
    screening: str
    status: Literal["OPEN", "SUBMITTED", "APPROVED", "REJECTED"]
    subject: str
    submittedAt: str | None
    type: Literal["user", "organisation"]
    updatedAt: str


class ReviewListedViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ReviewListedView]
    total: int


class ReviewPointView(TypedDict):
    at: str | None
    by: str
    byName: NotRequired[str | None]
    done: bool
    point: str


class RevokeAPIKeyRequest(TypedDict):
    clientId: NotRequired[str | None]


class RevokeWalletRequest(TypedDict):
    reason: str


class RotateWebhookSecretRequest(TypedDict):
    overlapHours: NotRequired[int | None]


class SafeContent(TypedDict):
    message: str


class SafeField(TypedDict):
    name: str
    type: str


class SafeMessageTypes(TypedDict):
    EIP712Domain: list[SafeField]
    SafeMessage: list[SafeField]


class SafeTxMessage(TypedDict):
    baseGas: str
    data: str
    gasPrice: str
    gasToken: str
    nonce: str
    operation: str
    refundReceiver: str
    safeTxGas: str
    to: str
    value: str


class SafeTxTypes(TypedDict):
    EIP712Domain: list[SafeField]
    SafeTx: list[SafeField]


class SafeTypedDomain(TypedDict):
    chainId: NotRequired[str | None]
    verifyingContract: str


class SafeTypedMessage(TypedDict):
    domain: SafeTypedDomain
    message: SafeContent
    primaryType: Literal["SafeMessage"]
    types: SafeMessageTypes


class SafeTypedTx(TypedDict):
    domain: SafeTypedDomain
    message: SafeTxMessage
    primaryType: Literal["SafeTx"]
    types: SafeTxTypes


class SafetxAccountView(TypedDict):
    domainHash: str
    fallbackHandler: NotRequired[str | None]
    guard: NotRequired[str | None]
    modules: list[str]
    nonce: str
    owners: list[str]
    ownershipMessage: SafetxMessageView | None
    safe: str
    safeVersion: str
    singleton: str
    threshold: int


class SafetxBuilderCallView(TypedDict):
    data: str
    to: str
    value: str


class SafetxBuilderMeta(TypedDict):
    createdFromSafeAddress: str
    description: str
    name: str


class SafetxBuilderView(TypedDict):
    chainId: str
    createdAt: int
    meta: SafetxBuilderMeta
    transactions: list[SafetxBuilderCallView]
    version: str


class SafetxConfirmationView(TypedDict):
    confirmedAt: str
    kind: Literal["ECDSA", "ETH_SIGN", "APPROVED_HASH", "CONTRACT"]
    owner: str
    source: Literal["API", "SERVICE"]


class SafetxConflictView(TypedDict):
    safeTxHash: str
    transaction: str


class SafetxExecutionView(TypedDict):
    data: str
    to: str
    value: str


class SafetxMessageView(TypedDict):
    confirmedBy: list[str]
    messageHash: str
    safeMessageHash: str
    typedData: SafeTypedMessage


class SafetxView(TypedDict):
    confirmations: int
    confirmedBy: list[SafetxConfirmationView]
    conflicts: list[SafetxConflictView]
    createdAt: str
    domainHash: str
    execution: SafetxExecutionView | None
    messageHash: str
    nonce: str
    owners: list[str]
    purposes: list[Literal["RESET_TO_ZERO", "APPROVE"]]
    safe: str
    safeTxHash: str
    safeVersion: str
    status: Literal["AWAITING_CONFIRMATIONS", "AWAITING_EARLIER", "AWAITING_EXECUTION", "CLOSED"]
    threshold: int
    transaction: str
    transactionBuilder: SafetxBuilderView
    typedData: SafeTypedTx
    url: NotRequired[str | None]


class SafetxViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[SafetxView]
    total: int


class ScheduleComingView(TypedDict):
    paidOn: str
    planned: str


class ScheduleDayView(TypedDict):
    madeAt: str
    planned: str
    state: Literal["MADE", "PAID", "ASKED", "STOPPED", "DROPPED"]
    transaction: NotRequired[str | None]
    why: NotRequired[str | None]


class ScheduleInput(TypedDict):
    amountCurrency: NotRequired[str | None]
    firstDay: str
    maxDebit: NotRequired[str | None]
    network: NotRequired[str | None]
    payments: list[TransactionPaymentInput]
    repeats: NotRequired[Literal["ONCE", "WEEKLY", "MONTHLY"] | None]
    times: NotRequired[int | None]
    token: NotRequired[Literal["USDT", "USDC", "DAI"] | None]
    type: Literal["FIAT", "CRYPTO", "ONRAMP"]
    until: NotRequired[str | None]
    walletAddress: NotRequired[str | None]


class SchedulePaymentView(TypedDict):
    amount: Decimal
    bankAccount: NotRequired[str | None]
    bankingFeesOption: NotRequired[Literal["OUR", "SHA", "BEN"] | None]
    currencyIsoCode: NotRequired[str | None]
    reason: str
    receiver: str
    reference: NotRequired[str | None]
    wallet: NotRequired[str | None]
    walletAddress: NotRequired[str | None]


class ScheduleView(TypedDict):
    _id: str
    acceptedAt: str | None
    acceptedBy: NotRequired[str | None]
    allowedActions: list[str]
    coming: list[ScheduleComingView]
    createdAt: str
    createdBy: str
    days: list[ScheduleDayView]
    firstDay: str
    maxDebit: str
    network: NotRequired[str | None]
    nextDay: NotRequired[str | None]
    organisation: str
    payees: str
    payments: list[SchedulePaymentView]
    repeats: Literal["ONCE", "WEEKLY", "MONTHLY"]
    state: Literal["WAITING", "ACTIVE", "STOPPED", "ENDED"]
    stoppedBy: NotRequired[str | None]
    times: NotRequired[int | None]
    token: str
    type: Literal["FIAT", "CRYPTO"]
    until: NotRequired[str | None]
    updatedAt: str
    version: int
    walletAddress: str


class ScheduleViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ScheduleView]
    total: int


class ScreeningSource(TypedDict):
    addresses: int
    date: str
    digest: str
    name: str
    names: int


class ScreeningSourceList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[ScreeningSource]
    total: int


class SendCompleteYourBeneficiaryAccountRequest(TypedDict):
    email: NotRequired[str | None]
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    userId: NotRequired[str | None]


class SendCompleteYourHNWIRequest(TypedDict):
    email: NotRequired[str | None]
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    userId: NotRequired[str | None]


class SendCompleteYourKYCEmailRequest(TypedDict):
    email: NotRequired[str | None]
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    userId: NotRequired[str | None]


class SendUserConfirmationEmailRequest(TypedDict):
    email: NotRequired[str | None]
    firstName: NotRequired[str | None]
    lastName: NotRequired[str | None]
    userId: NotRequired[str | None]


class SetApprovalPolicyRequest(TypedDict):
    acceptRules: NotRequired[list[OrganisationAcceptRuleInput]]
    dailyCaps: NotRequired[list[OrganisationDailyCapInput]]
    fourEyes: bool
    fourEyesLimits: NotRequired[list[OrganisationPolicyLimitInput]]
    payeeApproval: bool
    payeeDelayHours: NotRequired[int | None]
    signedIntents: NotRequired[bool | None]


class SetBookkeepingAccountsRequest(TypedDict):
    accounts: list[BookkeepingAccountBody]


class SetBrandLogoBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class SetBrandRequest(TypedDict):
    colour: NotRequired[str | None]
    name: NotRequired[str | None]


class SetReturnPolicyRequest(TypedDict):
    policy: Literal["RECREDIT", "HOLD", "RESEND"]


class SetSignOnRequest(TypedDict):
    admitsOthers: NotRequired[bool | None]
    claim: NotRequired[str | None]
    clientId: str
    clientSecret: NotRequired[str | None]
    defaultRoles: NotRequired[list[str]]
    emergencyUsers: NotRequired[list[str]]
    isEnabled: bool
    isRequired: NotRequired[bool | None]
    issuer: str
    rules: NotRequired[list[SsoRuleViewInput]]
    secondFactorValues: NotRequired[list[str]]
    vouchesForAddresses: NotRequired[bool | None]


class SettleReturnRequest(TypedDict):
    action: Literal["RESEND", "RECREDIT"]
    bankAccount: NotRequired[str | None]
    payment: int


class SettlementPolicyView(TypedDict):
    organisation: str
    policy: Literal["RECREDIT", "HOLD", "RESEND"]


class SsoCheckView(TypedDict):
    clockAheadSeconds: int
    isReachable: bool
    problem: str


class SsoDomainView(TypedDict):
    _id: str
    createdAt: str
    domain: str
    provenAt: str | None
    recordName: str
    recordValue: str


class SsoLinkList(TypedDict):
    data: list[SsoLinkView]


class SsoLinkView(TypedDict):
    _id: str
    createdAt: str
    email: str
    issuer: str
    lastUsedAt: str
    name: str
    subject: str
    user: str


class SsoRuleView(TypedDict):
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]
    value: str


class SsoRuleViewInput(TypedDict):
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]
    value: str


class SsoTokenView(TypedDict):
    token: str
    url: str


class SsoView(TypedDict):
    admitsOthers: bool
    claim: str
    clientId: str
    defaultRoles: list[str]
    domains: list[SsoDomainView]
    emergencyUsers: list[str]
    hasClientSecret: bool
    hasScimToken: bool
    isEnabled: bool
    isRequired: bool
    issuer: str
    pendingApproval: NotRequired[str | None]
    redirectUri: str
    rules: list[SsoRuleView]
    scimUrl: str
    secondFactorValues: list[str]
    updatedAt: str | None
    version: int
    vouchesForAddresses: bool


class StandInRequest(TypedDict):
    comment: str
    decision: Literal["APPROVED", "REJECTED"]


class StatementLinkView(TypedDict):
    expiresAt: str
    fileName: str
    sha256: str
    url: str


class StockChangeInput(TypedDict):
    fees: NotRequired[list[StockPartInput]]
    given: NotRequired[StockPartInput | None]
    kind: Literal["CAPITAL_IN", "CAPITAL_OUT", "EXCHANGED"]
    reason: str
    received: NotRequired[StockPartInput | None]
    reference: str


class StockPartInput(TypedDict):
    amount: Decimal
    asset: str
    network: NotRequired[str | None]


class StockPositionView(TypedDict):
    asset: str
    capital: str
    ceiling: str | None
    exchanged: str
    expense: str
    floor: str | None
    free: str
    place: str
    priceUSD: str | None
    pricedAt: str | None
    reserved: str
    resultUSD: str | None
    stock: str
    traded: str
    valueUSD: str | None


class StockView(TypedDict):
    positions: list[StockPositionView]
    resultUSD: str | None
    valueUSD: str | None


class SubmitInvoiceRequest(TypedDict):
    amount: Decimal
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    dueDate: NotRequired[str | None]
    invoiceNumber: NotRequired[str | None]
    reason: str
    token: str
    tokenIsoCode: NotRequired[str | None]


class TakeImportBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class TransactionAcceptBody(TypedDict):
    intent: NotRequired[TransactionIntentBody | None]
    permit: NotRequired[TransactionSignedBody | None]


class TransactionAcceptanceView(TypedDict):
    agreed: list[TransactionAgreementView]
    people: int


TransactionAgreementView = TypedDict(
    "TransactionAgreementView",
    {
        "at": "str",
        "by": "str",
        "for": "NotRequired[str | None]",
    },
)


class TransactionAllowance(TypedDict):
    allowance: Decimal
    approvalCalls: list[TransactionApprovalCall]
    balance: Decimal
    balanceMissing: Decimal
    headroomPercent: str
    missing: Decimal
    owner: str
    permit: TransactionPermitView | None
    quote: TransactionAllowanceQuote | None
    required: Decimal
    safe: SafetxView | None
    spender: str
    sufficient: bool
    token: str
    tokenAddress: str
    walletType: Literal["EOA", "MULTISIG"]


class TransactionAllowanceQuote(TypedDict):
    _id: str | None
    commissionType: Literal["STANDARD", "CUSTOM", "PARTNER"]
    expiresAt: str | None
    lockedAt: str | None
    lockedSide: Literal["RECEIVING", "SENDING"]
    rate: str
    rates: list[QuoteRateView]


class TransactionAllowancesView(TypedDict):
    address: str
    allowances: list[TransactionOpenAllowanceView]
    asked: list[TransactionSpenderView]
    blockHash: NotRequired[str | None]
    blockNumber: int | None
    known: bool
    network: str
    readAt: str | None
    wallet: str


class TransactionApprovalCall(TypedDict):
    amount: Decimal
    data: str
    purpose: Literal["RESET_TO_ZERO", "APPROVE"]
    to: str
    value: str


class TransactionBalanceView(TypedDict):
    allowance: Decimal | None
    available: Decimal | None
    balance: Decimal | None
    reserved: Decimal
    token: str
    tokenAddress: str


class TransactionBalancesView(TypedDict):
    address: str
    blockHash: NotRequired[str | None]
    blockNumber: int | None
    known: bool
    network: str
    readAt: str | None
    spender: NotRequired[str | None]
    tokens: list[TransactionBalanceView]
    wallet: str


class TransactionBankAccountView(TypedDict):
    _id: str
    accountNumber: NotRequired[str | None]
    accountType: NotRequired[Literal["CHECKING", "SAVINGS"] | None]
    bankCountry: str
    bankName: NotRequired[str | None]
    bicSwift: NotRequired[str | None]
    currency: str
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]


class TransactionBankDetailsView(TypedDict):
    accountHolder: str
    accountNumber: NotRequired[str | None]
    amount: Decimal
    bankAddress: NotRequired[str | None]
    bankCountry: str
    bankName: str
    bicSwift: NotRequired[str | None]
    creditorReference: NotRequired[str | None]
    currencyIsoCode: str
    expiresAt: str | None
    iban: NotRequired[str | None]
    ifscCode: NotRequired[str | None]
    instructions: str
    paymentCode: TransactionPaymentCodeView | None
    qrReference: NotRequired[str | None]
    rail: str
    reference: str
    routingNumber: NotRequired[str | None]
    sortCode: NotRequired[str | None]


class TransactionBankEffect(TypedDict):
    endToEndId: str
    info: NotRequired[str | None]
    payment: NotRequired[str | None]
    providerRef: NotRequired[str | None]
    rail: str
    status: Literal["PLANNED", "FILED", "HANDED_OVER", "ACCEPTED", "BOOKED", "REJECTED", "HELD", "RETURNED", "NEW", "MATCHED", "SUSPENSE", "ASSIGNED", "REFUNDING", "REFUNDED", "REVERSED", "WITHDRAWN", "RETURN", "SETTLED"]
    uetr: NotRequired[str | None]


class TransactionCapView(TypedDict):
    decimals: int
    limit: str | None
    nextFrom: str | None
    nextLimit: str | None
    policy: str | None
    spentToday: str | None
    token: str
    tokenAddress: str


class TransactionCollateralView(TypedDict):
    borrowingEnabled: bool
    decimals: int
    provider: str
    supplyAPY: str
    symbol: str
    underlyingAsset: str
    usageAsCollateralEnabled: bool


class TransactionEffect(TypedDict):
    blockHash: NotRequired[str | None]
    blockNumber: int
    confirmations: int
    gasUsed: int
    info: NotRequired[str | None]
    network: str
    nonce: int | None
    replacedBy: NotRequired[str | None]
    status: Literal["PLANNED", "NONCED", "SIGNED", "SENT", "SEEN", "FINAL", "REFUSED", "HOLD", "REPLACED"]
    txHash: NotRequired[str | None]


class TransactionEvidenceView(TypedDict):
    at: str | None
    info: NotRequired[str | None]
    kind: Literal["STATUS", "QUOTE", "CHAIN", "BANK", "RETURN"]
    reference: NotRequired[str | None]
    status: NotRequired[str | None]


class TransactionExplainView(TypedDict):
    _id: str
    decisions: list[TransactionWayView]
    evidence: list[TransactionEvidenceView]
    meaning: str
    next: list[TransactionWayView]
    settlementStatus: Literal["IDLE", "QUOTED", "FUNDS_PULLING", "FUNDS_RECEIVED", "CONVERTED", "SENT_TO_BANK", "AWAITING_DEPOSIT", "DEPOSIT_MISMATCH", "TOKENS_SENT", "SETTLED", "ON_HOLD", "UNCERTAIN", "RETURNED", "REFUND_IN_FLIGHT", "REFUNDED", "REFUND_FAILED"]
    status: str
    statusInfo: NotRequired[str | None]
    type: str
    version: int
    waitsFor: TransactionWaitsView


class TransactionInput(TypedDict):
    amountCurrency: NotRequired[str | None]
    network: NotRequired[str | None]
    payments: list[TransactionPaymentInput]
    token: NotRequired[Literal["USDT", "USDC", "DAI"] | None]
    type: Literal["FIAT", "CRYPTO", "ONRAMP"]
    walletAddress: NotRequired[str | None]


class TransactionIntentBody(TypedDict):
    deadline: int
    signature: str


class TransactionIntentView(TypedDict):
    deadline: int
    required: bool
    typedData: str


class TransactionInvalidView(TypedDict):
    issues: NotRequired[list[TransactionIssueView]]
    valid: NotRequired[bool]


class TransactionIssueView(TypedDict):
    code: str
    message: str
    pointer: str
    related: list[str]
    severity: Literal["ERROR", "WARNING"]


class TransactionLimitCall(TypedDict):
    amount: Decimal | None
    data: str
    purpose: Literal["REQUIRE_SIGNATURES", "END_SIGNATURES", "SET_DAILY_CAP", "END_DAILY_CAP"]
    to: str
    token: NotRequired[str | None]
    value: str


class TransactionLimitsView(TypedDict):
    address: str
    blockHash: NotRequired[str | None]
    blockNumber: int | None
    calls: list[TransactionLimitCall]
    dailyCaps: list[TransactionCapView]
    known: bool
    network: str
    readAt: str | None
    router: str
    signedIntents: TransactionSignedLimitView
    wallet: str


class TransactionListAnswer(TypedDict):
    columnId: str
    nextCursor: str | None
    page_total: int
    results: list[TransactionView]
    total: int


class TransactionMinimumView(TypedDict):
    amount: Decimal
    currency: str
    perCurrency: list[QuoteAmountView]


class TransactionOnrampCurrencyView(TypedDict):
    _id: str
    isoCode: str
    minAmount: NotRequired[str | None]
    name: str
    symbol: str


class TransactionOpenAllowanceView(TypedDict):
    amount: Decimal
    isSpenderKnown: bool
    revoke: TransactionApprovalCall
    spender: str
    spenderKind: Literal["ROUTER", "FORMER_ROUTER", "PERMIT2", "OTHER"]
    token: str
    tokenAddress: str


class TransactionOutcomeView(TypedDict):
    failed: TransactionShareView
    givenBack: TransactionShareView
    paid: TransactionShareView


class TransactionOwnCall(TypedDict):
    amount: Decimal
    data: str
    purpose: Literal["RESET_TO_ZERO", "APPROVE", "PAY"]
    to: str
    value: str


class TransactionOwnCalls(TypedDict):
    calls: list[TransactionOwnCall]
    deadline: int


class TransactionPayeeVerificationView(TypedDict):
    checkedAt: str
    matchedName: NotRequired[str | None]
    status: Literal["MATCHED", "PARTIAL_MATCH", "NOT_MATCHED", "UNSUPPORTED", "PENDING"]


class TransactionPaymentCodeView(TypedDict):
    kind: Literal["EPC_QR", "QR_BILL"]
    payload: str
    qrCodeDataUrl: str


class TransactionPaymentInput(TypedDict):
    again: NotRequired[str | None]
    amount: Decimal
    bankAccount: NotRequired[str | TransactionPaymentInputBankAccount1 | None]
    bankingFeesOption: NotRequired[Literal["OUR", "SHA", "BEN"] | None]
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    estimatedRate: NotRequired[str | None]
    expectedTransferDate: NotRequired[str | None]
    instructions: NotRequired[str | None]
    network: NotRequired[str | None]
    reason: NotRequired[str | None]
    receiver: str | TransactionPaymentInputReceiver1
    reference: NotRequired[str | None]
    tokenIsoCode: NotRequired[str | None]
    type: Literal["FIAT", "CRYPTO", "ONRAMP"]
    wallet: NotRequired[str | TransactionPaymentInputWallet1 | None]
    walletAddress: NotRequired[str | None]
    walletType: NotRequired[Literal["EOA", "MULTISIG"] | None]


class TransactionPaymentInputBankAccount1(TypedDict):
    _id: str


class TransactionPaymentInputReceiver1(TypedDict):
    _id: str


class TransactionPaymentInputWallet1(TypedDict):
    _id: str


class TransactionPaymentView(TypedDict):
    _id: str
    again: NotRequired[str | None]
    amount: Decimal
    bankAccount: NotRequired[TransactionBankAccountView | None]
    bankingFeesOption: NotRequired[Literal["OUR", "SHA", "BEN"] | None]
    createdAt: str
    currencyIsoCode: NotRequired[str | None]
    documentStorageKey: NotRequired[str | None]
    estimatedRate: NotRequired[str | None]
    expectedTransferDate: NotRequired[str | None]
    instructions: NotRequired[str | None]
    madeAgainIn: NotRequired[str | None]
    network: NotRequired[str | None]
    payable: NotRequired[str | None]
    payeeVerification: NotRequired[TransactionPayeeVerificationView | None]
    reason: NotRequired[str | None]
    receiver: TransactionReceiverCopy
    reference: NotRequired[str | None]
    status: Literal["DRAFT", "LOCKED", "PROCESSING", "SENT", "COMPLETED", "FAILED", "RETURNED", "REFUNDED", "CANCELLED", "UNKNOWN"]
    statusInfo: NotRequired[str | None]
    tokenAmount: NotRequired[Decimal | None]
    tokenIsoCode: NotRequired[str | None]
    type: Literal["FIAT", "CRYPTO", "ONRAMP"]
    updatedAt: str
    wallet: NotRequired[str | None]
    walletAddress: NotRequired[str | None]
    walletType: NotRequired[Literal["EOA", "MULTISIG"] | None]


class TransactionPermitView(TypedDict):
    deadline: int
    intent: NotRequired[str | None]
    manner: Literal["PERMIT", "AUTHORIZATION", "PERMIT2"]
    typedData: str


class TransactionReceiverCopy(TypedDict):
    _id: str
    address: NotRequired[ReceiverAddressView | None]
    bankAccounts: list[RecordRef]
    bankingPartnerId: str | None
    bankingPartnerLinkedClientId: str | None
    country: RecordCountryRef | None
    countryIsoCode: NotRequired[str | None]
    dateOfBirth: str | None
    email: NotRequired[str | None]
    firstName: NotRequired[str | None]
    isHidden: bool | None
    isSelf: bool
    lastName: NotRequired[str | None]
    legalName: NotRequired[str | None]
    middleName: NotRequired[str | None]
    organisation: RecordRef | None
    owner: RecordRef | None
    phoneNumber: str | None
    taxId: str | None
    type: Literal["INDIVIDUAL", "COMPANY"]
    wallets: list[RecordRef]


class TransactionRemarksView(TypedDict):
    issues: list[TransactionIssueView]


class TransactionReturnView(TypedDict):
    amount: Decimal
    currencyIsoCode: str
    feesDeducted: Decimal
    originalEndToEndId: str
    payment: NotRequired[str | None]
    rate: NotRequired[str | None]
    reason: Literal["ACCOUNT_CLOSED", "ACCOUNT_UNKNOWN", "ACCOUNT_BLOCKED", "NAME_MISMATCH", "REFUSED_BY_BENEFICIARY", "REGULATORY", "DUPLICATE", "FRAUD", "TECHNICAL", "NOT_SPECIFIED"]
    reasonCode: str
    receivedAt: str
    scheme: Literal["SEPA", "ACH", "SWIFT", "FPS", "CHAPS", "FEDWIRE", "IMPS", "NEFT", "SIC"]
    tokenAmount: NotRequired[Decimal | None]


class TransactionShareView(TypedDict):
    count: int
    sums: list[TransactionSumView]


class TransactionSignedBody(TypedDict):
    deadline: int
    intent: NotRequired[str | None]
    manner: Literal["PERMIT", "AUTHORIZATION", "PERMIT2"]
    signature: str


class TransactionSignedLimitView(TypedDict):
    endsAt: str | None
    policy: bool
    required: bool | None


class TransactionSpenderView(TypedDict):
    address: str
    kind: Literal["ROUTER", "FORMER_ROUTER", "PERMIT2", "OTHER"]


class TransactionStepView(TypedDict):
    actor: NotRequired[str | None]
    at: str
    info: NotRequired[str | None]
    settlementStatus: Literal["IDLE", "QUOTED", "FUNDS_PULLING", "FUNDS_RECEIVED", "CONVERTED", "SENT_TO_BANK", "AWAITING_DEPOSIT", "DEPOSIT_MISMATCH", "TOKENS_SENT", "SETTLED", "ON_HOLD", "UNCERTAIN", "RETURNED", "REFUND_IN_FLIGHT", "REFUNDED", "REFUND_FAILED"]
    status: Literal["DRAFT", "WAITING_ACCEPTANCE", "PROCESSING", "RELEASED", "COMPLETED", "FAILED", "REJECTED_BY_PLATFORM"]
    version: int


class TransactionStoppedView(TypedDict):
    network: str
    since: str | None


class TransactionSubmitBody(TypedDict):
    ownUntil: NotRequired[int | None]
    permit: NotRequired[TransactionSignedBody | None]
    sender: NotRequired[str | None]


class TransactionSumView(TypedDict):
    amount: Decimal
    asset: str


class TransactionTotalsView(TypedDict):
    fiatIn: NotRequired[QuoteAmountView | None]
    fiatOut: NotRequired[list[QuoteAmountView]]
    token: str
    tokenCredit: NotRequired[Decimal | None]
    tokenDebit: Decimal


class TransactionValidateView(TypedDict):
    fees: list[QuoteFeeView]
    issues: list[TransactionIssueView]
    quote: TransactionValidateViewQuote | None
    totals: TransactionTotalsView
    valid: bool


class TransactionValidateViewQuote(TypedDict):
    _id: str | None
    commissionType: Literal["STANDARD", "CUSTOM", "PARTNER"]
    expiresAt: str | None
    lockedAt: str | None
    lockedSide: Literal["RECEIVING", "SENDING"]
    rate: str
    rates: list[QuoteRateView]


TransactionView = TypedDict(
    "TransactionView",
    {
        "_id": "str",
        "acceptance": "NotRequired[TransactionAcceptanceView | None]",
        "acceptedAt": "NotRequired[str | None]",
        "acceptedBy": "NotRequired[str | None]",
        "allowedActions": "list[str]",
        "amountCurrency": "NotRequired[str | None]",
        "bank": "NotRequired[list[TransactionBankEffect]]",
        "borrowTokenAmount": "str | None",
        "borrowTokenAmountInUSD": "str | None",
        "chain": "list[TransactionEffect]",
        "collateralAmount": "str | None",
        "collateralAmountInUSD": "str | None",
        "collateralToken": "TransactionCollateralView | None",
        "comments": "list[CommentView]",
        "commissionType": "NotRequired[Literal['STANDARD', 'CUSTOM', 'PARTNER'] | None]",
        "createdAt": "str",
        "createdBy": "str",
        "fees": "list[QuoteFeeView]",
        "isBatch": "NotRequired[bool | None]",
        "isHidden": "bool",
        "loanAmount": "str | None",
        "network": "str",
        "organisation": "str",
        "outcome": "TransactionOutcomeView",
        "partnerId": "NotRequired[str | None]",
        "payments": "list[TransactionPaymentView]",
        "quote": "NotRequired[TransactionViewQuote | None]",
        "reference": "NotRequired[str | None]",
        "return": "NotRequired[TransactionReturnView | None]",
        "sender": "NotRequired[str | None]",
        "settlementStatus": "Literal['IDLE', 'QUOTED', 'FUNDS_PULLING', 'FUNDS_RECEIVED', 'CONVERTED', 'SENT_TO_BANK', 'AWAITING_DEPOSIT', 'DEPOSIT_MISMATCH', 'TOKENS_SENT', 'SETTLED', 'ON_HOLD', 'UNCERTAIN', 'RETURNED', 'REFUND_IN_FLIGHT', 'REFUNDED', 'REFUND_FAILED']",
        "status": "Literal['DRAFT', 'WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED', 'COMPLETED', 'FAILED', 'REJECTED_BY_PLATFORM']",
        "statusInfo": "NotRequired[str | None]",
        "stopped": "NotRequired[TransactionStoppedView | None]",
        "timeline": "list[TransactionStepView]",
        "token": "str",
        "totals": "TransactionTotalsView",
        "type": "Literal['FIAT', 'CRYPTO', 'ONRAMP']",
        "updatedAt": "str",
        "version": "int",
        "wallet": "str",
        "walletAddress": "str",
    },
)


class TransactionViewQuote(TypedDict):
    _id: str | None
    commissionType: Literal["STANDARD", "CUSTOM", "PARTNER"]
    expiresAt: str | None
    lockedAt: str | None
    lockedSide: Literal["RECEIVING", "SENDING"]
    rate: str
    rates: list[QuoteRateView]


TransactionWaitsView = TypedDict(
    "TransactionWaitsView",
    {
        "actor": "Literal['NOBODY', 'MEMBER', 'SENDER', 'PLATFORM', 'SLIPWAY', 'LIQUIDITY_PROVIDER', 'CHAIN', 'BANK']",
        "allowedActions": "list[str]",
        "for": "list[str]",
        "then": "NotRequired[str | None]",
        "until": "str | None",
        "you": "bool",
    },
)


class TransactionWayView(TypedDict):
    by: Literal["MEMBER", "SENDER", "PLATFORM", "SLIPWAY", "LIQUIDITY_PROVIDER", "CHAIN", "BANK"]
    cause: str
    settlementStatus: Literal["IDLE", "QUOTED", "FUNDS_PULLING", "FUNDS_RECEIVED", "CONVERTED", "SENT_TO_BANK", "AWAITING_DEPOSIT", "DEPOSIT_MISMATCH", "TOKENS_SENT", "SETTLED", "ON_HOLD", "UNCERTAIN", "RETURNED", "REFUND_IN_FLIGHT", "REFUNDED", "REFUND_FAILED"]
    status: str


class UpdateApplicantInfoRequest(TypedDict):
    fixedInfo: NotRequired[IdvFixedInfoInput | None]


class UploadDocumentBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class UploadInvoiceByLinkBody(TypedDict):
    contentType: NotRequired[str]
    fileBase64: str
    fileName: NotRequired[str]


class UserEmbedded(TypedDict):
    _id: str
    address: NotRequired[str | None]
    citizenship: list[RecordCountryRef]
    comments: list[RecordRef]
    country: RecordCountryRef | None
    createdAt: str
    dateOfBirth: str | None
    email: str
    features: list[str]
    firstName: NotRequired[str | None]
    isAccountSetup: bool
    isActive: bool
    kybOnboardingInfo: NotRequired[str | None]
    kycOnboardingInfo: NotRequired[str | None]
    lastName: NotRequired[str | None]
    messagingHandle: NotRequired[str | None]
    organisationRole: NotRequired[str | None]
    phoneNumber: NotRequired[str | None]
    twoFactorRequired: bool
    updatedAt: str
    version: int


class UserMembership(TypedDict):
    _id: str
    name: str
    role: str
    roles: list[Literal["viewer", "initiator", "approver", "admin"]]
    userType: str


class UserView(TypedDict):
    _id: str
    address: NotRequired[str | None]
    citizenship: list[RecordCountry]
    comments: list[CommentView]
    country: RecordCountry | None
    createdAt: str
    dateOfBirth: str | None
    email: str
    features: list[str]
    firstName: NotRequired[str | None]
    isAccountSetup: bool
    isActive: bool
    isEmailConfirmed: bool
    kybOnboardingInfo: NotRequired[str | None]
    kycOnboardingInfo: NotRequired[str | None]
    lastName: NotRequired[str | None]
    messagingHandle: NotRequired[str | None]
    organisationRole: NotRequired[str | None]
    organisations: list[UserMembership]
    phoneNumber: NotRequired[str | None]
    platformRole: NotRequired[Literal["staff", "operator"] | None]
    twoFactorEnabled: bool
    twoFactorRequired: bool
    updatedAt: str
    version: int


class ValidateInvoiceTokenRequest(TypedDict):
    token: str


class VerifySecondFactorRequest(TypedDict):
    code: str


class VerifyWalletRequest(TypedDict):
    message: str
    signedMessage: str


class WalletReviewView(TypedDict):
    at: str
    decidedBy: NotRequired[str | None]
    decidedByName: NotRequired[str | None]
    proposedBy: str
    proposedByName: NotRequired[str | None]
    reason: str
    verdict: Literal["APPROVED", "REJECTED"]


class WalletReviewedView(TypedDict):
    _id: str
    address: str
    allowedActions: list[str]
    approval: NotRequired[str | None]
    createdAt: str
    network: NetworkEmbedded
    ownership: RecordOwnership
    payableFrom: NotRequired[str | None]
    receiver: ReceiverEmbedded
    review: WalletReviewView
    screeningAnalysisId: NotRequired[str | None]
    screeningErrMessage: NotRequired[str | None]
    softDeleted: bool
    type: Literal["EOA", "MULTISIG"]
    updatedAt: str
    version: int
    walletAnalysisStatus: Literal["PENDING", "IN_PROGRESS", "APPROVED", "REVIEW", "REJECTED", "ERROR", "EXPIRED"]
    warnings: list[WalletWarningView]


class WalletView(TypedDict):
    _id: str
    address: str
    allowedActions: list[str]
    approval: NotRequired[str | None]
    createdAt: str
    network: NetworkEmbedded
    ownership: RecordOwnership
    payableFrom: NotRequired[str | None]
    receiver: ReceiverEmbedded
    screeningAnalysisId: NotRequired[str | None]
    screeningErrMessage: NotRequired[str | None]
    softDeleted: bool
    type: Literal["EOA", "MULTISIG"]
    updatedAt: str
    version: int
    walletAnalysisStatus: Literal["PENDING", "IN_PROGRESS", "APPROVED", "REVIEW", "REJECTED", "ERROR", "EXPIRED"]
    warnings: list[WalletWarningView]


class WalletViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[WalletView]
    total: int


class WalletWaitingView(TypedDict):
    _id: str
    address: str
    allowedActions: list[str]
    createdAt: str
    network: str
    organisation: str
    receiver: str
    review: NotRequired[WalletReviewView | None]
    screenedAt: str
    screeningAnalysisId: str
    screeningErrMessage: str


class WalletWaitingViewList(TypedDict):
    nextCursor: str | None
    page_total: int
    results: list[WalletWaitingView]
    total: int


class WalletWarningView(TypedDict):
    code: Literal["ADDRESS_LOOKS_ALIKE"]
    message: str
    wallets: list[str]


class WithdrawBookkeepingOpeningRequest(TypedDict):
    reason: str
