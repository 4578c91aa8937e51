import { decodeEvent } from "../../events/encoding.ts";
import type { EventRecord } from "../../events/event-record.ts";
import type { EventLog } from "../../events/log.ts";
import { isRedacted, redactionIn, withKept } from "../../events/redaction/redact.ts";
import { withRestoredRedactions } from "../../events/redaction/restored.ts";
import { type FoundText, withoutTexts } from "../../events/redaction/without-texts.ts";
import { ExchangeError } from "./exchange-error.ts";

/** The project's log, which an import's records are checked against before they are restored. */
export class OwnLog {
  readonly #log: EventLog;
  readonly #beforeRemoval: (removed: readonly FoundText[]) => void;
  #redacted = 0;

  /** @param beforeRemoval called with the texts that records will remove from the log */
  constructor(log: EventLog, beforeRemoval: (removed: readonly FoundText[]) => void) {
    this.#log = log;
    this.#beforeRemoval = beforeRemoval;
  }

  /** How many events the records checked so far would redact. */
  get redacted(): number {
    return this.#redacted;
  }

  /**
   * @throws ExchangeError `differs`; LogError `invalid_event`: a redaction that does not match the
   * log's event
   */
  async look(batch: readonly EventRecord[]): Promise<void> {
    const [first] = batch;
    const last = batch.at(-1);
    if (!first || !last) return;
    const head = await this.#log.head();
    for (let at = 0; at < batch.length && first.position + at <= head; ) {
      const own = await this.#log.records(first.position + at - 1, batch.length - at);
      for (const record of own) {
        if (!batch[at++]?.leafHash.equals(record.leafHash)) throw differs(record.position);
      }
    }
    const removed = await this.#removedBy(batch.filter(({ position }) => position > head));
    if (removed.length > 0) this.#beforeRemoval(removed);
  }

  async #removedBy(added: readonly EventRecord[]): Promise<readonly FoundText[]> {
    const targets = await this.#targetsOf(added);
    return withRestoredRedactions(added, { at: (position) => targets.get(position) }).flatMap((record) => {
      const redaction = redactionIn(record);
      const target = redaction && targets.get(redaction.payload.position);
      if (!redaction || !target || isRedacted(target)) return [];
      this.#redacted++;
      const { type, payload } = decodeEvent(target);
      // The kept part has marks in place of the removed texts, and all other values unchanged.
      const left = withoutTexts(type, redaction.payload.kept).removed.map(({ text }) => text);
      return withoutTexts(type, payload).removed.filter(({ text }) => !left.includes(text));
    });
  }

  /** The log's events that records redact, by their positions. */
  async #targetsOf(added: readonly EventRecord[]): Promise<ReadonlyMap<number, EventRecord>> {
    const targets = new Map<number, EventRecord>();
    const known = new Map(added.map((record) => [record.position, record]));
    // Last to first: a redaction that is itself redacted names its event in what the later one kept.
    for (const { position } of added.toReversed()) {
      const record = known.get(position);
      const redaction = record && record.payload !== "" && redactionIn(record);
      if (!redaction) continue;
      const at = redaction.payload.position;
      const beside = known.get(at);
      if (beside?.redaction) known.set(at, withKept(beside, redaction));
      const [target] = beside ? [] : await this.#log.records(at - 1, 1);
      if (target) targets.set(at, target);
    }
    return targets;
  }
}

function differs(position: number): ExchangeError {
  return new ExchangeError(
    "differs",
    `Position ${position} has different events in the project and in the file. Import into another project.`,
  );
}
