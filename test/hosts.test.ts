import { expect, test } from "vitest";
import { hostsOf } from "../src/lib/http/hosts.ts";

test.each([
  ["127.0.0.1", "127.0.0.1", 4100, "127.0.0.1:4100"],
  ["127.0.0.1", "127.1", 80, "127.0.0.1"],
  ["127.0.0.2", "127.0.0.2", 4100, "127.0.0.2:4100"],
  ["::1", "::1", 4100, "[::1]:4100"],
  ["::ffff:127.0.0.1", "::ffff:127.0.0.1", 4100, "127.0.0.1:4100"],
  ["::1", "localhost", 80, "[::1]"],
])(
  "a server on %s, requested as %s at port %i, is opened and requested as %s",
  (address, asked, port, host) => {
    const { printed, known } = hostsOf({ address, port }, asked);
    expect(printed).toEqual([host]);
    expect(known).toContain(host);
  },
);

test("a server on a public address is reached by its configured name", () => {
  const { printed, known } = hostsOf({ address: "192.0.2.7", port: 80 }, "build-1");
  expect(printed).toEqual(["192.0.2.7"]);
  expect(known).toEqual(["192.0.2.7", "build-1", "localhost", "127.0.0.1", "[::1]"]);
});

test.each(["0.0.0.0", "::"])(
  "of %s an address is printed for each interface, and itself is none",
  (address) => {
    const { printed, known } = hostsOf({ address, port: 4100 }, address);
    expect(printed[0]).toBe("127.0.0.1:4100");
    expect(known).toEqual(expect.arrayContaining([...printed]));
    expect(known.join()).not.toMatch(/0\.0\.0\.0|\[::\]/);
  },
);
