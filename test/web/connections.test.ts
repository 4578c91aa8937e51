import { expect, test, vi } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";
import { connectRaw, requestText } from "./support/raw.ts";

usePanels();

async function given() {
  const { panel, project, origin } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  return { panel, project, origin, cookie: await cookieOf(panel) };
}

const FOREIGN = "http://evil.example";

test.each([`${FOREIGN}/api/acts/comment`, "//evil.example/api/acts/comment", "/api/acts/comment"])(
  "a page of another site cannot act by the request line POST %s",
  async (target) => {
    const { panel, project, cookie } = await given();
    const head = await project.log.head();
    const body = JSON.stringify({
      key: crypto.randomUUID(),
      input: { task: 1, body: "Done by another site" },
    });
    const headers = {
      Cookie: cookie,
      Origin: FOREIGN,
      "Content-Type": "application/json",
      "Content-Length": `${body.length}`,
      Connection: "close",
    };
    const answer = connectRaw(panel, requestText(panel, `POST ${target} HTTP/1.1`, headers, body));
    expect(await answer.ended()).toMatch(/^HTTP\/1\.1 403 .*"foreign_origin"/s);
    expect(await project.log.head()).toBe(head);
  },
);

test("a page of ours may act whatever host the request line names", async () => {
  const { panel, project, origin, cookie } = await given();
  const body = JSON.stringify({ key: crypto.randomUUID(), input: { task: 1, body: "Done by our page" } });
  const headers = {
    Cookie: cookie,
    Origin: origin,
    "Content-Type": "application/json",
    "Content-Length": `${body.length}`,
    Connection: "close",
  };
  const line = `POST ${FOREIGN}/api/acts/comment HTTP/1.1`;
  expect(await connectRaw(panel, requestText(panel, line, headers, body)).ended()).toMatch(
    /^HTTP\/1\.1 200 /,
  );
  expect((await project.log.read((await project.log.head()) - 1, 1))[0]?.type).toBe("comment.added");
});

test.each([
  ["its length told before", { "Content-Length": "500" }, '{"key":'],
  ["sent in chunks", { "Transfer-Encoding": "chunked" }, '7\r\n{"key":\r\n'],
])("an act that is cut off within its body, %s, is no fault of the server", async (_, framing, body) => {
  const { panel, project, origin, cookie } = await given();
  const head = await project.log.head();
  const complaints = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const headers = { Cookie: cookie, Origin: origin, "Content-Type": "application/json", ...framing };
  const text = requestText(panel, "POST /api/acts/comment HTTP/1.1", headers, body);
  const shut = connectRaw(panel, text);
  shut.socket.end();
  expect(await shut.ended()).toMatch(/^HTTP\/1\.1 400 /);
  const closed = connectRaw(panel, text);
  await new Promise((resolve) => closed.socket.write("", resolve));
  closed.socket.destroy();
  // Asked behind it: what the server makes of the cut is over when it answers.
  for (let count = 0; count < 3; count++) await ask(panel, "/api/overview", { headers: { cookie } });
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockRestore();
  expect(await project.log.head()).toBe(head);
});

test("at most 64 streams and downloads are open; more are refused, without disturbing the others", async () => {
  const { panel, project, cookie } = await given();
  const stream = () => connectRaw(panel, requestText(panel, "GET /api/stream HTTP/1.1", { Cookie: cookie }));
  const streams = Array.from({ length: 64 }, stream);
  for (const { until } of streams) await until("event: news");
  for (const path of ["/api/stream", "/api/log.jsonl"]) {
    const line = `GET ${path} HTTP/1.1`;
    const refused = connectRaw(panel, requestText(panel, line, { Cookie: cookie, Connection: "close" }));
    expect(await refused.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 429 /);
    expect(await refused.ended()).toContain("64 open streams and downloads");
  }
  expect((await ask(panel, "/api/overview", { headers: { cookie } })).status).toBe(200);
  const [created] = await project.decide(createTask({ title: "Oil the levers" }));
  for (const { until } of streams) await until(`"head":${created?.position}`);
  streams[0]?.socket.destroy();
  await expect
    .poll(async () => (await ask(panel, "/api/log.jsonl", { headers: { cookie } })).status)
    .toBe(200);
  await stream().until("event: news");
});
