// What hardly changes: currencies, tokens, networks, countries, and the people of the organisation. Read once, then kept.
import { api, ask, type Schemas } from "./api.svelte";
import { nameOf } from "./words";

// A token of 18 decimals is shown with six of them if the others are zero.
const mostZeros = 6;

class Reference {
  currencies = $state.raw<Schemas["RefdataCurrencyView"][]>([]);
  tokens = $state.raw<Schemas["RecordToken"][]>([]);
  #countries = $state.raw<Schemas["RefdataCountryView"][]>([]);
  #countriesAsked = false;
  networks = $state.raw<Schemas["NetworkView"][]>([]);
  #people = $state.raw<Map<string, string>>(new Map());
  #asked = "";

  /** load reads what amounts are shown with. */
  async load(): Promise<void> {
    const query = { limit: 250 };
    const [currencies, tokens] = await Promise.all([
      ask(api.GET("/currencies", { params: { query } })),
      ask(api.GET("/tokens", { params: { query } })),
    ]);
    this.currencies = currencies.results.filter((c) => !c.isHidden);
    this.tokens = tokens.results.filter((t) => !t.isHidden);
  }

  /** loadNetworks reads the networks, which pages of the rest name. */
  async loadNetworks(): Promise<void> {
    this.networks = await ask(api.GET("/networks/client-visible-evm"));
  }

  /** countries are those of the world. They are long, and few pages want them: they are read when the first one does. */
  get countries(): Schemas["RefdataCountryView"][] {
    if (!this.#countriesAsked) {
      this.#countriesAsked = true;
      void this.#loadCountries();
    }

    return this.#countries;
  }

  async #loadCountries(): Promise<void> {
    try {
      const page = await ask(api.GET("/countries", { params: { query: { limit: 250 } } }));
      this.#countries = page.results.toSorted((a, b) => a.name.localeCompare(b.name));
    } catch {
      this.#countriesAsked = false; // the next page that wants them asks again
    }
  }

  /** loadPeople reads the names of an organisation's members, and forgets those of another one. */
  async loadPeople(organisation: string): Promise<void> {
    if (this.#asked === organisation) return;
    this.#asked = organisation;
    this.#people = new Map();

    const members = await ask(
      api.GET("/organisations/{id}/members", { params: { path: { id: organisation }, query: { limit: 250 } } }),
    );
    if (this.#asked === organisation) {
      this.#people = new Map(members.results.map((m) => [m.user._id, nameOf(m.user)]));
    }
  }

  /** who returns the name of an actor. */
  who(id: string | null | undefined): string {
    if (!id) return "";
    if (id === "system") return "Slipway";
    if (id.startsWith("ak_")) return "API client";

    return this.#people.get(id) ?? id;
  }

  /** decimals returns how many decimals amounts of a currency or token are shown with. */
  decimals(code: string): number {
    const fiat = this.currencies.find((c) => c.isoCode === code);
    if (fiat) return fiat.decimals;
    const token = this.tokens.find((t) => t.isoCode === code)?.ERC20Address[0];

    return Math.min(token?.decimals ?? 0, mostZeros);
  }

  /** network returns the name of a network. */
  network(id: string | null | undefined): string {
    return this.networks.find((n) => n._id === id)?.name ?? id ?? "";
  }
}

/** reference is the reference data of this deployment. */
export const reference = new Reference();
