// Invoices that were dropped and are not payables yet: each is uploaded, read, and waits for a person to look at it.
import { api, ask, file, Problem, type Schemas } from "./api.svelte";

/** Upload is one file on its way to a payable. */
export class Upload {
  readonly id = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? "";
  readonly name: string;
  readonly size: number;
  state = $state<"reading" | "read" | "failed">("reading");
  problem = $state.raw<Problem>();
  document = $state.raw<Schemas["DocumentUploadView"]>();
  scan = $state.raw<Schemas["BillscanView"]>();

  constructor(readonly content: File) {
    this.name = content.name;
    this.size = content.size;
    void this.read();
  }

  /** read uploads the file and looks for a QR bill in it. A document without one is no failure. */
  async read(): Promise<void> {
    this.state = "reading";
    this.problem = undefined;

    try {
      if (!this.document) {
        const form = new FormData();
        form.append("file", this.content);
        const answer = await file("/payables/upload", { method: "POST", body: form });
        this.document = JSON.parse(await answer.text()) as Schemas["DocumentUploadView"];
      }

      const body = { documentStorageKey: this.document.documentStorageKey };
      this.scan = (await ask(api.POST("/payables/extract-qr-bill-info", { body }))) as Schemas["BillscanView"];
      this.state = "read";
    } catch (cause) {
      this.problem = cause as Problem;
      this.state = this.document && this.problem.code.startsWith("QR_") ? "read" : "failed";
    }
  }
}

class Uploads {
  all = $state<Upload[]>([]);

  /** add takes files that were dropped or chosen. */
  add(files: Iterable<File>): void {
    this.all = [...[...files].map((f) => new Upload(f)), ...this.all].slice(0, 50);
  }

  /** drop forgets an upload: it became a payable, or nobody wants it. */
  drop(upload: Upload): void {
    this.all = this.all.filter((u) => u !== upload);
  }
}

const byOrganisation = new Map<string, Uploads>();

/** uploadsOf returns the uploads of an organisation. They outlive a change of the page. */
export function uploadsOf(organisation: string): Uploads {
  const known = byOrganisation.get(organisation) ?? new Uploads();
  byOrganisation.set(organisation, known);

  return known;
}
