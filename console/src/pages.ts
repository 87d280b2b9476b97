// Every page of the console, with its address. The order is that of the menu. Those that most people see first are named by
// themselves and come with the console; the others by their names in rest.ts, which comes after it.
import type { Component } from "svelte";
import Overview from "./pages/Overview.svelte";
import Transactions from "./pages/Transactions.svelte";

/** Page is one page: its address after /console, its title, and whether the menu has it. */
export interface Page {
  path: string;
  title: string;
  menu?: boolean;
  group?: string;
  // Pages take the variables of their address as properties of these names.
  component: Component<any> | keyof typeof import("./rest");
}

/** pages are those of an organisation. */
export const pages: Page[] = [
  { path: "/o/:organisation", title: "Overview", menu: true, component: Overview },
  { path: "/o/:organisation/transactions", title: "Transactions", menu: true, component: Transactions },
  { path: "/o/:organisation/transactions/new", title: "New payment", component: "TransactionForm" },
  { path: "/o/:organisation/transactions/export", title: "Export payments", component: "PaymentsTable" },
  { path: "/o/:organisation/transactions/:id", title: "Transaction", component: "Transaction" },
  { path: "/o/:organisation/transactions/:id/edit", title: "Change the draft", component: "TransactionForm" },
  { path: "/o/:organisation/transactions/:id/review", title: "Review", component: "TransactionReview" },
  { path: "/o/:organisation/scheduled", title: "Scheduled", component: "Scheduled" },
  { path: "/o/:organisation/scheduled/:id", title: "Scheduled payment", component: "Scheduled" },
  { path: "/o/:organisation/payables", title: "Payables", menu: true, component: "Payables" },
  { path: "/o/:organisation/payables/:id", title: "Payable", component: "Payables" },
  { path: "/o/:organisation/payables/invoice-links/:link", title: "Invoice by link", component: "ByLink" },
  { path: "/o/:organisation/payees", title: "Payees", menu: true, component: "Payees" },
  { path: "/o/:organisation/payees/new", title: "New payee", component: "PayeeNew" },
  { path: "/o/:organisation/payees/import", title: "Import", component: "Import" },
  { path: "/o/:organisation/payees/:id", title: "Payee", component: "Payee" },
  { path: "/o/:organisation/decide", title: "Approvals", menu: true, component: "Decide" },
  { path: "/o/:organisation/wallets", title: "Wallets", menu: true, component: "Wallets" },
  { path: "/o/:organisation/wallets/:id", title: "Wallet", component: "Wallet" },
  { path: "/o/:organisation/owed", title: "Amounts owed", component: "Owing" },
  {
    path: "/o/:organisation/organisation",
    title: "Organisation",
    menu: true,
    group: "Organisation",
    component: "Organisation",
  },
  { path: "/o/:organisation/sign-on", title: "Sign-in", menu: true, component: "SignOn" },
  { path: "/o/:organisation/books", title: "Books", menu: true, component: "Books" },
  { path: "/o/:organisation/people", title: "People", menu: true, component: "People" },
  { path: "/o/:organisation/clients", title: "API clients", menu: true, component: "Clients" },
  { path: "/o/:organisation/webhooks", title: "Webhooks", menu: true, component: "Webhooks" },
  { path: "/o/:organisation/webhooks/:id", title: "Webhook", component: "Webhook" },
  { path: "/o/:organisation/webhooks/:id/deliveries/:delivery", title: "Delivery", component: "WebhookDelivery" },
  { path: "/o/:organisation/chats", title: "Chats", menu: true, component: "Chats" },
  { path: "/o/:organisation/chats/:id", title: "Chat", component: "Chat" },
  { path: "/o/:organisation/search", title: "Search", component: "Search" },
  { path: "/o/:organisation/log", title: "Audit log", menu: true, component: "Log" },
  { path: "/o/:organisation/me", title: "Your profile", component: "Me" },
  { path: "/me", title: "Your profile", component: "Me" },
  { path: "/begin", title: "Get started", component: "Begin" },
];

/** operatorPages are those of the platform's people. */
export const operatorPages: Page[] = [
  { path: "/ops", title: "Desk", menu: true, component: "Desk" },
  { path: "/ops/cases", title: "Cases", menu: true, component: "Cases" },
  { path: "/ops/cases/:id", title: "Case", component: "Cases" },
  { path: "/ops/held", title: "Exceptions", menu: true, component: "Held" },
  { path: "/ops/suspense", title: "Suspense", menu: true, component: "Suspense" },
  { path: "/ops/suspense/:id", title: "Deposit", component: "Suspense" },
  { path: "/ops/owed", title: "Receivables", menu: true, component: "Owed" },
  { path: "/ops/files", title: "Files", menu: true, component: "Files" },
  { path: "/ops/ledger", title: "Ledger", menu: true, component: "Ledger" },
  { path: "/ops/ledger/:id", title: "Journal", component: "Journal" },
  { path: "/ops/books", title: "Books", menu: true, component: "HouseBooks" },
  { path: "/ops/rails", title: "Networks", menu: true, component: "Rails" },
  { path: "/ops/organisations", title: "Organisations", menu: true, component: "Organisations" },
  { path: "/ops/organisations/new", title: "New organisation", component: "TenantNew" },
  { path: "/ops/organisations/reviews", title: "Manual verification", component: "Reviews" },
  { path: "/ops/organisations/reviews/:id", title: "Verification", component: "Review" },
  { path: "/ops/organisations/:id", title: "Organisation", component: "Tenant" },
];
