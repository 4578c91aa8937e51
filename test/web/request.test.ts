import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AwayError, RequestError, request } from "../../adapters/page/page/request.ts";

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/board`;
}

test.each<[string, RequestListener]>([
  ["before its answer", (_, response) => response.destroy()],
  [
    "within its answer",
    (_, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
      response.write('{"position": 3,', () => response.destroy());
    },
  ],
])("a server that disconnects %s is unreachable: the page retries", async (_, answers) => {
  await expect(request(await serverThat(answers))).rejects.toThrow(AwayError);
});

test("a refusal is shown in the server's words", async () => {
  const path = await serverThat((_, response) => {
    response.writeHead(404, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ error: { code: "not_found", message: "There is no task 9." } }));
  });
  await expect(request(path)).rejects.toThrow(new RequestError(404, "not_found", "There is no task 9."));
});
