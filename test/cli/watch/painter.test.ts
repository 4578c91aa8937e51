import { expect, test } from "vitest";
import { Painter } from "../../../src/cli/watch/painter.ts";
import { TextTerminal } from "../../support/terminal.ts";

function givenPainter(columns = 20, rows = 5) {
  const terminal = new TextTerminal(columns, rows);
  terminal.write("before\r\n$ watch");
  const painter = new Painter(terminal);
  painter.open();
  terminal.written.length = 0;
  return { terminal, painter };
}

test("the screen shows the last frame, whatever came before it", async () => {
  const { terminal, painter } = givenPainter();
  const frames = [
    ["one", "two", "three", "four", "five"],
    ["one", "a much longer line..", "", "4", "five"],
    ["", "two", "〇〇〇〇〇〇〇〇〇〇", "4", ""],
    ["\u001b[31mred\u001b[39m"],
  ];
  for (const lines of frames) {
    painter.paint({ lines });
    const shown = lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""));
    expect(await terminal.lines()).toEqual(Array.from({ length: 5 }, (_, row) => shown[row] ?? ""));
  }
});

test("a frame is one write, as one synchronised update", () => {
  const { terminal, painter } = givenPainter();
  painter.paint({ lines: ["one", "two", "three"] });
  expect(terminal.written).toHaveLength(1);
  expect(terminal.written[0]).toMatch(/^\u001b\[\?2026h[\s\S]*\u001b\[\?2026l$/);
});

test("only lines that changed are written", () => {
  const { terminal, painter } = givenPainter();
  painter.paint({ lines: ["one", "two", "three"] });
  painter.paint({ lines: ["one", "zwei", "three"] });
  expect(terminal.written[1]).toContain("zwei");
  expect(terminal.written[1]).not.toMatch(/one|three/);
});

test("a frame that changes nothing writes nothing", () => {
  const { terminal, painter } = givenPainter();
  const frame = { lines: ["one", "two"], cursor: { row: 1, column: 3 } };
  painter.paint(frame);
  painter.paint({ ...frame });
  expect(terminal.written).toHaveLength(1);
  painter.paint({ ...frame, cursor: { row: 1, column: 4 } });
  expect(terminal.written).toHaveLength(2);
});

test("after a resize the whole frame is redrawn in one write", async () => {
  const { terminal, painter } = givenPainter();
  painter.paint({ lines: ["one", "two", "three", "four", "five"] });
  terminal.resize(10, 3);
  painter.paint({ lines: ["one", "two", "three"] });
  expect(terminal.written).toHaveLength(2);
  expect(await terminal.lines()).toEqual(["one", "two", "three"]);
});

test("no frame enters the scrollback, and the terminal's old content returns", async () => {
  const { terminal, painter } = givenPainter();
  for (let n = 0; n < 30; n++) painter.paint({ lines: Array.from({ length: 9 }, (_, row) => `${n} ${row}`) });
  expect(await terminal.isAlternate()).toBe(true);
  expect(terminal.written.join("")).not.toContain("\u001b[3J");
  painter.close();
  expect(await terminal.isAlternate()).toBe(false);
  expect(await terminal.lines()).toEqual(["before", "$ watch", "", "", ""]);
});

test("closing shows the cursor once, and draws nothing afterwards", () => {
  const { terminal, painter } = givenPainter();
  painter.paint({ lines: ["one"] });
  painter.close();
  expect(terminal.written[1]).toContain("\u001b[?25h");
  painter.close();
  painter.paint({ lines: ["two"] });
  expect(terminal.written).toHaveLength(2);
});
