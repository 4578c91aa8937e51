import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { hashOfJson } from "../../src/lib/json-hash.ts";

test.each([0, 1, 2, 20_000])(
  "the hash of %i rows equals that of their JSON, without building the whole text",
  (count) => {
    const rows = Array.from({ length: count }, (_, id) => [id, null, 'ä "quoted" 𝒳', id / 3]);
    expect(hashOfJson(["board", "tasks"], rows)).toBe(
      hash("sha256", JSON.stringify(["board", "tasks", rows])),
    );
  },
);
