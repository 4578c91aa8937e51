import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";

usePanels();

async function asker() {
  const { panel } = await freshPanel();
  const cookie = await cookieOf(panel);
  return (path: string, accepted?: string, method = "GET") =>
    new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const headers = { cookie, ...(accepted !== undefined && { "accept-encoding": accepted }) };
      const sent = request({ host: "127.0.0.1", port: panel.port, path, method, headers }, async (answer) => {
        resolve({ headers: answer.headers, body: Buffer.concat(await answer.toArray()) });
      });
      sent.on("error", reject).end();
    });
}

test.each([
  ["gzip, deflate, br, zstd", "gzip"],
  ["gzip, deflate", "gzip"],
  ["br;q=0.5, gzip", "gzip"],
  ["gzip;q=0.5, identity", undefined],
  ["*", "gzip"],
  ["GZIP", "gzip"],
  ["identity", undefined],
  ["gzip;q=0", undefined],
  ["deflate", undefined],
  [undefined, undefined],
])("to a client that accepts %s, the page is sent as %s", async (accepted, encoding) => {
  const ask = await asker();
  const plain = await ask("/");
  const sent = await ask("/", accepted);
  expect(sent.headers["content-encoding"]).toBe(encoding);
  expect(sent.headers["content-length"]).toBe(String(sent.body.length));
  expect(sent.headers.vary).toBe("Accept-Encoding");
  expect(decoded(sent.body, encoding)).toEqual(plain.body);
});

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  return encoding === undefined ? body : gunzipSync(body);
}

test("an answer is compressed for a client that accepts it", async () => {
  const ask = await asker();
  const plain = await ask("/api/event_types");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const sent = await ask("/api/event_types", "gzip, deflate, br, zstd");
  expect(sent.headers["content-encoding"]).toBe("gzip");
  expect(sent.headers.vary).toBe("Accept-Encoding");
  expect(sent.body.length).toBeLessThan(plain.body.length / 2);
  const answerOf = (body: Buffer) => JSON.parse(String(body)).answer;
  expect(answerOf(gunzipSync(sent.body))).toEqual(answerOf(plain.body));
});

test("HEAD is answered with the headers of GET, and without a body", async () => {
  const ask = await asker();
  const got = await ask("/", "gzip");
  const headed = await ask("/", "gzip", "HEAD");
  expect(headed.body).toHaveLength(0);
  expect(headed.headers["content-encoding"]).toBe("gzip");
  expect(headed.headers["content-length"]).toBe(String(got.body.length));
});
