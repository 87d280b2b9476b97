// Who is signed in: the user, the organisation that the address names, and what the platform lets this person do.
import { api, ask, type Schemas } from "./api.svelte";
import { route } from "./router.svelte";
import { nameOf } from "./words";

type User = Schemas["UserView"] & { platformRole?: string | null };

const stepUpMinutes = 10;

class Me {
  user = $state.raw<User>();
  /** provedAt is when this session last gave a second factor. */
  provedAt = $state<string | null>();
  /** passkeys is how many the user has. */
  passkeys = $state(0);

  /** load asks who is signed in, and how. */
  async load(): Promise<void> {
    await Promise.all([this.loadUser(), this.loadProof()]);
  }

  /** loadUser asks who is signed in: what the first view needs. */
  async loadUser(): Promise<void> {
    this.user = (await ask(api.GET("/users/me"))) as User;
  }

  /** loadProof asks when the second factor was given, and whether there are passkeys: what forms need. */
  async loadProof(): Promise<void> {
    const [sessions, passkeys] = await Promise.all([ask(api.GET("/auth/sessions")), ask(api.GET("/auth/passkeys"))]);
    this.provedAt = sessions.results.find((s) => s.current)?.secondFactorAt;
    this.passkeys = passkeys.total;
  }

  /** name is what the user is called. */
  get name(): string {
    return nameOf(this.user);
  }

  /** organisation is the identifier in the address. */
  get organisation(): string {
    return /^\/o\/([^/]+)/.exec(route.path)?.[1] ?? this.user?.organisations[0]?._id ?? "";
  }

  /** membership is the user's part in that organisation. */
  get membership(): Schemas["UserMembership"] | undefined {
    return this.user?.organisations.find((o) => o._id === this.organisation);
  }

  /** home is where the pages of the organisation begin. */
  get home(): string {
    return `/o/${this.organisation}`;
  }

  /** you is where the pages are about the user. */
  get you(): string {
    return this.membership ? `${this.home}/me` : "/me";
  }

  /** isOperator reports whether the platform's pages are shown. The service decides what they may do. */
  get isOperator(): boolean {
    return this.user?.platformRole === "operator" || this.user?.platformRole === "staff";
  }

  /** isAdmin reports whether the user is an admin of the organisation. */
  get isAdmin(): boolean {
    return this.membership?.roles.includes("admin") ?? false;
  }

  /** writes reports whether the user draws up payments. */
  get writes(): boolean {
    const roles = this.membership?.roles ?? [];

    return roles.includes("admin") || roles.includes("initiator") || this.membership?.userType.toLowerCase() === "authorized";
  }

  /** fresh reports whether the session's second factor is young enough for a decision. */
  get fresh(): boolean {
    return !!this.provedAt && Date.now() - Date.parse(this.provedAt) < (stepUpMinutes - 1) * 60_000;
  }
}

/** me is the person at the screen. */
export const me = new Me();
