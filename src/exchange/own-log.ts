import { decodeEvent } from "../events/encoding.ts";
import type { EventRecord } from "../events/event-record.ts";
import { isRedacted, redactionIn } from "../events/redaction/redact.ts";
import { withRestoredRedactions } from "../events/redaction/restored.ts";
import { type FoundText, withoutTexts } from "../events/redaction/without-texts.ts";
import { openForReading } from "../events/sqlite-file.ts";
import { type LogReader, prepareReader } from "../events/sqlite-records.ts";
import { ExchangeError } from "./exchange-error.ts";

/** The project's log, which an import's records are checked against before they are restored. */
export class OwnLog {
  readonly #reader: LogReader;
  readonly #beforeRemoval: (removed: readonly FoundText[]) => void;
  #redacted = 0;

  /**
   * @param beforeRemoval called with the texts that records will remove from the log
   * @throws LogError
   */
  constructor(path: string, beforeRemoval: (removed: readonly FoundText[]) => void) {
    this.#reader = prepareReader(openForReading(path));
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
  look(batch: readonly EventRecord[]): void {
    const [first] = batch;
    if (!first) return;
    for (const [index, own] of this.#reader.page(first.position - 1, batch.length).entries()) {
      if (!batch[index]?.leafHash.equals(own.leafHash)) throw differs(own.position);
    }
    const removed = this.#removedBy(batch);
    if (removed.length > 0) this.#beforeRemoval(removed);
  }

  close(): void {
    this.#reader.close();
  }

  #removedBy(batch: readonly EventRecord[]): readonly FoundText[] {
    const head = this.#reader.head();
    const added = batch.filter(({ position }) => position > head);
    return withRestoredRedactions(added, this.#reader).flatMap((record) => {
      const redaction = redactionIn(record);
      const target = redaction && this.#reader.at(redaction.payload.position);
      if (!redaction || !target || isRedacted(target)) return [];
      this.#redacted++;
      const { type, payload } = decodeEvent(target);
      // The kept part has marks in place of the removed texts, and all other values unchanged.
      const left = withoutTexts(type, redaction.payload.kept).removed.map(({ text }) => text);
      return withoutTexts(type, payload).removed.filter(({ text }) => !left.includes(text));
    });
  }
}

function differs(position: number): ExchangeError {
  return new ExchangeError(
    "differs",
    `Position ${position} has different events in the project and in the file. Import into another project.`,
  );
}
