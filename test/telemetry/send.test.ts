import { expect, test } from "vitest";
import { sendSpans } from "../../adapters/telemetry/send.ts";
import { coded } from "../support/refusal.ts";
import { givenCollector } from "./given-collector.ts";

const sendTo = (url: string, timeout_ms = 5_000) =>
  sendSpans({ url, headers: { "x-team": "blue" } }, [], timeout_ms);

test("spans are posted as JSON, with the headers that were asked for", async () => {
  const collector = await givenCollector();
  await sendTo(`${collector.url}/v1/traces`);
  expect(collector.requests).toMatchObject([
    { path: "/v1/traces", headers: { "content-type": "application/json", "x-team": "blue" } },
  ]);
});

test("a hanging server is given up after the time limit, with no answer or half of one", async () => {
  const silent = await givenCollector(() => {});
  await expect(sendTo(silent.url, 100)).rejects.toMatchObject(
    coded("not_sent", "did not answer within 0.1 seconds"),
  );
  const half = await givenCollector((response) => void response.write('{"partialSuccess":'));
  await expect(sendTo(half.url, 100)).rejects.toMatchObject({ code: "not_sent" });
});

test("a server that is unreachable, refuses, redirects or accepts a part is reported, its words made visible", async () => {
  await expect(sendTo("http://127.0.0.1:9")).rejects.toThrow("cannot be reached");
  const refusing = await givenCollector((response) => {
    response.statusCode = 401;
    response.end("no \u001b[31mkey");
  });
  await expect(sendTo(refusing.url)).rejects.toThrow(
    "refused the traces with status 401: no \\u{1b}[31mkey.",
  );
  const target = await givenCollector();
  const leading = await givenCollector((response) => {
    response.writeHead(307, { location: target.url }).end();
  });
  await expect(sendTo(leading.url)).rejects.toThrow("status 307");
  expect(target.requests).toEqual([]);
  const choosy = await givenCollector((response) => {
    response.end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}');
  });
  await expect(sendTo(choosy.url)).rejects.toThrow("rejected 2 spans: too old.");
});

test("an answer without end is not read to its end", async () => {
  const endless = await givenCollector((response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", more);
    more();
  });
  await sendTo(endless.url, 60_000);
});

test("a server that answers with a web page has not accepted the traces", async () => {
  const page = await givenCollector((response) => {
    response.setHeader("content-type", "text/html");
    response.end("<html>Welcome</html>");
  });
  await expect(sendTo(page.url)).rejects.toMatchObject(coded("not_sent", "text/html"));
});
