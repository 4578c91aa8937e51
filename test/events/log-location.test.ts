import { join } from "node:path";
import { expect, test } from "vitest";
import {
  describeLocation,
  hasPassword,
  logExists,
  logPathBeside,
  urlFault,
  withoutLogUrl,
  withoutPassword,
} from "../../src/events/log-location.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a password in any form of the URL that is printed or taken into a file. */
test("the log's file is beside the read model", () => {
  expect(logPathBeside(join("some", "db", "ralph.db"))).toBe(join("some", "db", "events.db"));
});

test.each([
  ["postgres://shop:canary@db.example/fleet?schema=shop", "postgres://shop@db.example/fleet?schema=shop"],
  ["postgresql://shop:can%40ary@a,b:5433/fleet", "postgresql://shop@a,b:5433/fleet"],
  ["postgres://:canary@db.example/fleet", "postgres://@db.example/fleet"],
  ["postgres://shop:canary@canary@db.example/fleet", "postgres://shop@db.example/fleet"],
  ["postgres://shop:ca/na?ry#@db.example/fleet", "postgres://shop@db.example/fleet"],
  ["POSTGRES://shop:canary@db.example/fleet", "POSTGRES://shop@db.example/fleet"],
  ["postgres://db.example/fleet?password=canary&schema=a", "postgres://db.example/fleet?password=…&schema=a"],
  ["postgres://db.example/fleet?a=1&SSLPassword=canary", "postgres://db.example/fleet?a=1&SSLPassword=…"],
  ['"postgres://shop:canary@db.example/fleet"', '"postgres://shop@db.example/fleet"'],
])("the password of %s is not printed", (url, printed) => {
  expect(withoutPassword(url)).toBe(printed);
  expect(hasPassword(url)).toBe(true);
});

test.each([
  "postgres://shop@db.example:5432/fleet?schema=shop&sslmode=verify-full",
  "postgres://db.example/fleet",
  "postgres:///fleet?host=/run/postgresql",
])("%s has no password and stays as it is", (url) => {
  expect(withoutPassword(url)).toBe(url);
  expect(hasPassword(url)).toBe(false);
  expect(urlFault(url)).toBeUndefined();
});

test.each(["", "canary", "mysql://shop:canary@db/fleet", "postgres://", "postgres://a b:canary@db/x"])(
  "%j is no URL of a log, and the fault does not quote it",
  (url) => {
    expect(urlFault(url)).toBe("must be postgres://USER@HOST:5432/DATABASE?schema=NAME");
  },
);

test("a location is told by its path, or by its URL without password", () => {
  expect(describeLocation({ path: "/shop/.ralph/db/events.db" })).toBe("/shop/.ralph/db/events.db");
  expect(describeLocation({ url: "postgres://shop:canary@db/fleet" })).toBe("postgres://shop@db/fleet");
});

test("a file is a log where it exists, and a server says so when it is opened", () => {
  const folder = freshFolder();
  expect(logExists({ path: join(folder, "events.db") })).toBe(false);
  expect(logExists({ path: folder })).toBe(true);
  expect(logExists({ url: "postgres://db.example/fleet" })).toBe(true);
});

test("an environment without the log's URL keeps all else", () => {
  const environment = {
    PATH: "/bin",
    SIGNALBOX_LOG_URL: "postgres://shop:canary@db/fleet",
    EMPTY: undefined,
  };
  expect(withoutLogUrl(environment)).toEqual({ PATH: "/bin", EMPTY: undefined });
  expect(environment.SIGNALBOX_LOG_URL).toContain("canary");
});
