import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { composeFile } from "../support/compose-file.ts";

/* What test/postgres/example-fleet.test.ts cannot see, as it runs the scripts without containers. Catches: a mount, a variable or a key
   that a container would miss, a key that it should not have. */

const folder = packagePath("examples/fleet");
const { services, volumes } = composeFile();
const each = Object.entries(services).map(([name, service]) => ({ name, ...service }));
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const mountsOf = (name: string) => services[name]?.volumes.map((mount) => mount.split(":")) ?? [];

test("every service runs a script of the example, and gives it the variables that it needs", () => {
  const scripts = each.map(({ entrypoint: [shell, path = ""] }) => [shell, path]);
  expect(new Set(scripts.map(([shell]) => shell))).toEqual(new Set(["sh"]));
  const files = scripts.map(([, path = ""]) => path.replace(/^\/fleet\//, ""));
  expect(new Set([...files, "place.sh"])).toEqual(
    new Set(readdirSync(folder).filter((file) => file.endsWith(".sh"))),
  );
  const missing = each.flatMap(({ name, environment, entrypoint: [, path = ""] }) => {
    const needed = [...textOf(path.replace(/^\/fleet\//, "")).matchAll(/\$\{(\w+):\?/g)].map(
      ([, one = ""]) => one,
    );
    return needed.filter((variable) => !environment[variable]).map((variable) => `${name}: ${variable}`);
  });
  expect(missing).toEqual([]);
});

test("every mount and every volume of the compose file is there, and used", () => {
  const sources = each.flatMap(({ name }) => mountsOf(name)).map(([source = ""]) => source);
  expect(sources.filter((source) => !(source in volumes) && !existsSync(join(folder, source)))).toEqual([]);
  expect(Object.keys(volumes).filter((volume) => !sources.includes(volume))).toEqual([]);
  expect(
    each.filter(({ name }) => !mountsOf(name).some((mount) => mount.join(":") === ".:/fleet:ro")),
  ).toEqual([]);
});

test("what a service waits for comes to pass", () => {
  const awaited = each.flatMap(({ depends_on }) => Object.entries(depends_on));
  expect(awaited.length).toBeGreaterThan(0);
  for (const [name, { condition }] of awaited) {
    expect(services[name]?.healthcheck !== undefined, name).toBe(condition === "service_healthy");
    expect(services[name]?.profiles, name).toEqual([]);
  }
});

test("each party has its own keys, and nobody but the script that makes them the authority's", () => {
  const keysOf = (name: string) =>
    mountsOf(name).flatMap(([source = "", target = ""]) => (target === "/keys" ? [source] : []));
  for (const { name } of each.filter(({ name }) => name !== "certificates")) {
    const party = /^db\d$/.test(name) ? "server" : name.startsWith("worker") ? name : "operator";
    expect(keysOf(name), name).toEqual([`${party}-keys`]);
    expect(mountsOf(name).flat(), name).not.toContain("authority");
  }
  const made = mountsOf("certificates").filter(([source = ""]) => source.endsWith("-keys"));
  expect(made.map(([source, target]) => `${source} ${target}`)).toEqual(
    made.map(([source = ""]) => `${source} /keys/${source.replace("-keys", "")}`),
  );
  const mounted = each.flatMap(({ name }) => keysOf(name));
  expect(new Set(made.map(([source]) => source))).toEqual(new Set(mounted));
});

test("names of servers and logins are the same everywhere", () => {
  const servers = each.map(({ name }) => name).filter((name) => /^db\d$/.test(name));
  const workers = each.map(({ name }) => name).filter((name) => name.startsWith("worker"));
  for (const { environment } of each) {
    expect(environment).toMatchObject({
      NAMES: servers.join(" "),
      SERVERS: servers.map((name) => `${name}:5432`).join(","),
      LOGINS: workers.join(" "),
    });
  }
  for (const name of [...servers, ...workers]) expect(services[name]?.environment.NAME).toBe(name);
  for (const name of workers) expect(services[name]?.hostname).toBe(name);
  expect(textOf("postgresql.conf")).toContain(`synchronous_standby_names = 'ANY 1 (${servers.join(", ")})'`);
});

test("no file of the example holds or asks for a password, and servers take certificates over TLS alone", () => {
  const files = readdirSync(folder).filter((file) => file !== "README.md");
  expect(
    files.filter((file) => /passw|PGPASS|scram|\btrust\b/i.test(textOf(file).replace(/#.*/g, ""))),
  ).toEqual([
    // In the folder that only the script itself can reach.
    "server.sh",
  ]);
  const rules = textOf("pg_hba.conf")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(rules.map((rule) => [rule.split(/\s+/).at(0), rule.split(/\s+/).at(-1)])).toEqual([
    ["hostssl", "cert"],
    ["hostssl", "cert"],
  ]);
});

test("workers run in the image that the repository's Dockerfile makes, and never in one of a registry", () => {
  const own = each.filter(({ image }) => image === "signalbox");
  expect(own.map(({ name }) => name)).toEqual(["create", "operator", "worker1", "worker2", "worker3"]);
  expect(own.filter(({ pull_policy }) => pull_policy !== "never")).toEqual([]);
});

test("the README names services and volumes that are there", () => {
  const readme = textOf("README.md");
  const named = [
    ...readme.matchAll(
      /^docker compose (?:exec|kill|run --rm|rm --force|up --detach|logs --follow) ?(.*)$/gm,
    ),
  ];
  const names = named.flatMap(
    ([, rest = ""]) =>
      rest
        .split(" signalbox ")[0]
        ?.split(/\s+/)
        .filter((word) => /^[a-z]+\d?$/.test(word)) ?? [],
  );
  expect(names.filter((name) => !(name in services) && name !== "promote")).toEqual([]);
  const [, removed = ""] = /docker volume rm fleet_(\w+)/.exec(readme) ?? [];
  expect(volumes).toHaveProperty(removed);
  expect(readme).toContain("docker build --tag signalbox .");
});
