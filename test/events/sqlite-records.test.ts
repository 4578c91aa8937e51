import { expect, onTestFinished, test } from "vitest";
import { planAppend, prepareAppend } from "../../src/events/append.ts";
import type { NewEvent } from "../../src/events/event.ts";
import { openForWriting } from "../../src/events/sqlite-file.ts";
import { type LogWriter, prepareWriter } from "../../src/events/sqlite-records.ts";
import { comment, environmentAt, NOON } from "./given.ts";
import { givenLogFile } from "./log-file.ts";

const environment = environmentAt({ now: NOON }, "records");

test("a rollback discards what was cached during the transaction", () => {
  const writer = givenWriter(givenLogFile());
  write(writer, comment("kept"));
  const failing = () =>
    writer.transaction(() => {
      insert(writer, comment("dropped, in a stream that is new", 8));
      throw new Error("The disk is full.");
    });
  expect(failing).toThrow("The disk is full.");
  write(writer, comment("after it", 9));
  write(writer, comment("in that stream", 8));
  expect(writer.last()?.position).toBe(3);
  expect(writer.at(3)).toMatchObject({ stream: "task-8", streamVersion: 1 });
});

test("the next transaction sees another connection's commits", () => {
  const path = givenLogFile();
  const [one, other] = [givenWriter(path), givenWriter(path)];
  for (const writer of [one, other, one, one, other, one]) write(writer, comment("by turns"));
  expect(one.at(6)).toMatchObject({ position: 6, streamVersion: 6 });
});

function givenWriter(path: string): LogWriter {
  const writer = prepareWriter(openForWriting(path));
  onTestFinished(() => writer.close());
  return writer;
}

function write(writer: LogWriter, event: NewEvent): void {
  writer.transaction(() => insert(writer, event));
}

function insert(writer: LogWriter, event: NewEvent): void {
  const planned = planAppend(prepareAppend([event], {}, environment), writer, environment);
  for (const record of planned.insert) writer.insert(record);
}
