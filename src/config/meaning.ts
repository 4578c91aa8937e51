import { nearest } from "../lib/nearest.ts";
import type { ConfigFault } from "./fault.ts";
import { type AgentProgram, agentNames, type Config, findAgent, TEMPLATE_PLACES } from "./schema.ts";

/** Faults of a configuration each of whose fields is legal: what it names is not there, or would do nothing. */
export function faultsOfMeaning(config: Config, value: unknown): readonly ConfigFault[] {
  return [
    ...undeclared(config, "agent", config.agent),
    ...undeclared(config, "escalation.agent", config.escalation.agent),
    ...Object.entries(config.agents).flatMap(([name, program]) => templateFaults(name, program)),
    ...escalationFaults(config, value),
    ...budgetFaults(config),
    ...sandboxFaults(config),
    ...channelFaults(config),
  ];
}

/** Channels that people or rules name and that are not there. */
function channelFaults({ notices, people }: Config): ConfigFault[] {
  const known = Object.keys(notices.channels);
  const named = [
    ...Object.entries(people).map(([name, { channels }]) => ({ path: `people.${name}.channels`, channels })),
    ...(notices.rules ?? []).map(({ channels }, at) => ({ path: `notices.rules.${at}.channels`, channels })),
  ];
  return named.flatMap(({ path, channels }) =>
    channels
      .filter((channel) => !known.includes(channel))
      .map((channel) => {
        const near = nearest(channel, known);
        const right =
          near === undefined ? '; declare it in "notices.channels"' : ` (did you mean "${near}"?)`;
        return { path, message: `names "${channel}", which is not a declared channel${right}` };
      }),
  );
}

function undeclared(config: Config, path: string, name: string | undefined): ConfigFault[] {
  if (name === undefined || findAgent(config, name)) return [];
  const known = agentNames(config);
  const near = nearest(name, known);
  const right =
    near === undefined
      ? `; declare it in "agents", or use ${known.join(" or ")}`
      : ` (did you mean "${near}"?)`;
  return [{ path, message: `is "${name}", which is not a declared agent${right}` }];
}

function templateFaults(name: string, program: AgentProgram): ConfigFault[] {
  if (program.kind !== "command") return [];
  const quotes = program.command.replace(/"[^"]*"|'[^']*'/g, "");
  if (/["']/.test(quotes))
    return [{ path: `agents.${name}.command`, message: "has a quote that is not closed" }];
  const used = [...program.command.matchAll(/\{([\w-]+)\}/g)].map(([, place = ""]) => place);
  return used
    .filter((place) => !TEMPLATE_PLACES.some((known) => known === place))
    .map((place) => {
      const near = nearest(place, TEMPLATE_PLACES);
      const right =
        near === undefined
          ? `; it may have ${TEMPLATE_PLACES.map((one) => `{${one}}`).join(", ")}`
          : ` (did you mean {${near}}?)`;
      return { path: `agents.${name}.command`, message: `has an unknown {${place}}${right}` };
    });
}

/** An escalation that is asked for and would start the same agent with the same model again. */
function escalationFaults(config: Config, value: unknown): ConfigFault[] {
  const { agent, model } = config.escalation;
  const path = "escalation";
  if (!isAskedFor(value)) return [];
  if (agent === undefined && model === undefined) {
    return [
      {
        path,
        message: 'has neither "agent" nor "model", so it has no effect; add one of them, or leave it out',
      },
    ];
  }
  const before = findAgent(config, config.agent);
  const after = findAgent(config, agent ?? config.agent);
  if (!before || !after) return [];
  const takesModel = after.kind !== "command" || after.command.includes("{model}");
  if (model !== undefined && !takesModel) {
    const of = agent ?? config.agent;
    return [
      {
        path: "escalation.model",
        message: `has no effect: the template of "${of}" has no {model}; add it`,
      },
    ];
  }
  if ((agent ?? config.agent) !== config.agent || (model ?? after.model) !== before.model) return [];
  return [{ path, message: `has the same agent and model as before; name another, or leave it out` }];
}

/** A budget in dollars for an agent whose client tells no cost, with a model that has no price. */
function budgetFaults(config: Config): ConfigFault[] {
  if (config.budget.usd === undefined) return [];
  const { agent, escalation, prices } = config;
  return [...new Set([agent, escalation.agent ?? agent])].flatMap((name) => {
    const program = findAgent(config, name);
    if (!program || !TELLS_NO_COST.has(program.kind)) return [];
    const models = [
      ...(name === agent ? [program.model] : []),
      ...(name === (escalation.agent ?? agent) && escalation.model !== undefined ? [escalation.model] : []),
    ];
    const isPriced = (model: string | undefined) => model !== undefined && Object.hasOwn(prices, model);
    if (models.length > 0 && models.every(isPriced)) return [];
    const unpriced = models.find((model) => !isPriced(model));
    const right =
      unpriced === undefined
        ? `name its model in agents.${name}.model and the model's price in "prices"`
        : `add the price of "${unpriced}" to "prices"`;
    return [
      {
        path: "budget.usd",
        message: `cannot be enforced: ${program.kind} does not report the cost of agent "${name}"; ${right}, or use budget.tokens`,
      },
    ];
  });
}

/** A container without an image, and limits that bubblewrap does not know. */
function sandboxFaults({ sandbox }: Config): ConfigFault[] {
  const { engine, image } = sandbox;
  if (engine === "none") return [];
  if (engine === "bwrap") {
    return (["memory", "pids"] as const)
      .filter((name) => sandbox[name] !== undefined)
      .map((name) => ({
        path: `sandbox.${name}`,
        message: "has no effect with bwrap; leave it out, or use docker or podman",
      }));
  }
  if (image !== undefined) return [];
  const message = `is missing, and ${engine} needs it; name an image that has node and the agent's program, as in "agents/claude:3"`;
  return [{ path: "sandbox.image", message }];
}

/** Kinds whose clients tell tokens alone. */
const TELLS_NO_COST: ReadonlySet<string> = new Set(["codex", "gemini"]);

function isAskedFor(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("escalation" in value)) return false;
  return typeof value.escalation === "object" && Object.keys(value.escalation ?? {}).length > 0;
}
