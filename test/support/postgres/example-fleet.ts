import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, cpSync, mkdirSync, openSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { stateVariables } from "../../../src/config/state-folder.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { composeFile, type Service } from "../compose-file.ts";
import { freshFolder } from "../project.ts";
import { until } from "./ask.ts";
import { freePort } from "./free-port.ts";
import { killServer } from "./processes.ts";
import { keep, programs } from "./server.ts";
import { serverUser } from "./server-user.ts";

/** The services of examples/fleet/compose.yaml as processes of this machine: its scripts, with other paths, ports and host names. */
export class ExampleFleet {
  readonly folder: string;
  readonly #path: string;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #environment: Readonly<Record<string, string>>;

  /** @param environment what a user gives `docker compose` */
  static async given(environment: Readonly<Record<string, string>> = {}): Promise<ExampleFleet> {
    const servers = Object.keys(composeFile().services).filter((name) => /^db\d$/.test(name));
    const ports = new Map<string, number>();
    for (const name of servers) ports.set(name, await freePort());
    return new ExampleFleet(freshFolder(), ports, environment);
  }

  private constructor(
    folder: string,
    ports: ReadonlyMap<string, number>,
    environment: Readonly<Record<string, string>>,
  ) {
    this.folder = folder;
    this.#path = pathWithPrograms(folder);
    this.#ports = ports;
    this.#environment = environment;
    // The user who runs servers may not reach the package.
    cpSync(packagePath("examples/fleet"), join(folder, "fleet"), { recursive: true });
    // Where containers mount the certificates of each party.
    mkdirSync(join(folder, "keys"));
    for (const path of [folder, ...[...ports.keys()].map((name) => join(folder, name))]) {
      mkdirSync(path, { recursive: true });
      if (serverUser !== undefined) chownSync(path, serverUser.uid, serverUser.gid);
    }
    for (const name of ports.keys()) {
      const server = join(folder, name);
      const keeper = keep(programs("pg_ctl"), server, join(server, "db"));
      onTestFinished(async () => {
        keeper.end();
        await keeper.gone;
      });
    }
  }

  /** Makes the fleet as `docker compose up` does, without workers. */
  async startServers(): Promise<void> {
    await this.works("certificates");
    for (const name of this.#ports.keys()) this.start(name);
    for (const name of this.#ports.keys()) await this.isHealthy(name);
    await this.works("create");
    await this.works("logins");
  }

  /** Waits until a server passes its health check. */
  isHealthy(name: string): Promise<void> {
    const [, program = "", ...args] = composeFile().services[name]?.healthcheck?.test ?? [];
    const port = ["-p", String(this.#ports.get(name))];
    return until(`${name} is healthy`, async () => {
      const [code] = await once(spawn(programs(program), [...args, ...port], { stdio: "ignore" }), "exit");
      return code === 0;
    });
  }

  /** Runs a service until it ends. @throws with what it wrote, if it fails */
  async works(name: string, ...command: readonly string[]): Promise<void> {
    const [code] = await once(this.start(name, ...command), "exit");
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${this.wrote(name)}`);
  }

  /** Starts a service, and ends it after the test. */
  start(name: string, ...command: readonly string[]): ChildProcess {
    const service = composeFile().services[name];
    if (!service) throw new Error(`There is no service ${name}.`);
    const [shell = "", ...args] = [...service.entrypoint, ...(service.command ?? []), ...command];
    const isServer = this.#ports.has(name);
    const output = openSync(join(this.folder, `${name}.log`), "a");
    const child = spawn(
      shell,
      args.map((arg) => arg.replace("/fleet/", `${this.folder}/fleet/`)),
      {
        ...(isServer ? serverUser : {}),
        cwd: this.folder,
        env: this.#environmentOf(name, service),
        stdio: ["ignore", output, output],
      },
    );
    closeSync(output);
    // A server that runs ends by its keeper; one that waits for another server still is its script.
    onTestFinished(() => (isServer ? void child.kill("SIGTERM") : stop(child)));
    return child;
  }

  /** What a service has written so far. */
  wrote(name: string): string {
    return readFileSync(join(this.folder, `${name}.log`), "utf8");
  }

  /** The folder of a server's data. */
  dataOf(name: string): string {
    return join(this.folder, name, "db");
  }

  /** Kills a server and all its processes with SIGKILL. */
  kill(name: string): Promise<void> {
    return killServer(this.dataOf(name));
  }

  /** The folder in which a worker works. */
  projectOf(name: string): string {
    return join(this.folder, name);
  }

  /** As the service has it, but for what is elsewhere than in its container. */
  #environmentOf(name: string, { environment, volumes }: Service): Record<string, string> {
    const given = Object.entries(environment).map(([key, value]) => [
      key,
      value.replace(/\$\{(\w+):-([^}]*)\}/g, (_, variable, absent) => this.#environment[variable] ?? absent),
    ]);
    const port = this.#ports.get(name);
    const keys = volumes.find((volume) => volume.split(":")[1] === "/keys")?.split("-keys:")[0];
    if (keys === undefined || name.startsWith("worker")) mkdirSync(this.projectOf(name), { recursive: true });
    return {
      ...stateVariables(process.env),
      ...Object.fromEntries(given),
      PATH: this.#path,
      SERVERS: [...this.#ports.values()].map((one) => `localhost:${one}`).join(","),
      KEYS: join(this.folder, "keys", keys ?? "."),
      FOLDER: this.projectOf(name),
      ...(port !== undefined && { PGDATA: this.dataOf(name), PORT: String(port), LISTEN: "localhost" }),
    };
  }
}

/** A PATH on which this package's program and those of PostgreSQL come first. @param folder where it may make a folder */
export function pathWithPrograms(folder: string): string {
  const own = join(folder, "bin");
  mkdirSync(own);
  symlinkSync(packagePath("bin/signalbox.js"), join(own, "signalbox"));
  return [own, programs("."), process.env.PATH].join(delimiter);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
