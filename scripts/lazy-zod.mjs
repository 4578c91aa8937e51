// @ts-check
// zod for the program: the build puts this in its place for our own modules (docs/decisions/0069-fast-starts.md). What makes a schema is
// written down, and the schema is made where something first asks for more than another schema: most commands ask for few of them.

/** @typedef {(...args: unknown[]) => unknown} Make */
/** @typedef {Readonly<Record<string, any>>} Zod zod itself, or a name in which others are, such as `z.iso` */
/** @typedef {Readonly<Record<string, any>>} Shape the fields of an object's schema */

/** Gives the schema that something stands for. */
const SCHEMA = Symbol("schema");

/** Methods of a schema that give another one. */
const CHAINED = new Set(
  (
    "array brand catch check clone default describe email endsWith exclude extend extract gt gte int includes length loose lt lte max meta " +
    "min multipleOf negative nonempty nonnegative nonoptional nullable nullish omit optional or and overwrite partial pick pipe positive " +
    "prefault readonly refine regex register required safeExtend startsWith strict superRefine toLowerCase transform trim"
  ).split(" "),
);

/** Functions of zod that give no schema. */
const AT_ONCE = new Set(["toJSONSchema", "safeParse"]);
const NESTED = new Set(["iso", "coerce"]);

const OBJECTS = new Set(["object", "strictObject", "looseObject"]);

/**
 * The fields of an object after a method of its schema, where they are known without it: others are made of them.
 *
 * @type {Record<string, (shape: Shape, given: any) => Shape>}
 */
const FIELDS = {
  extend: (shape, more) => ({ ...shape, ...more }),
  omit: (shape, gone) => only(shape, (name) => !Object.hasOwn(gone, name)),
  pick: (shape, kept) => only(shape, (name) => Object.hasOwn(kept, name)),
  partial: (shape, some) => ({
    ...shape,
    ...optional(only(shape, (name) => !some || Object.hasOwn(some, name))),
  }),
};
for (const name of [
  "check",
  "clone",
  "describe",
  "loose",
  "meta",
  "refine",
  "register",
  "strict",
  "superRefine",
])
  FIELDS[name] = (shape) => shape;

/** @param {Shape} shape @param {(name: string) => boolean} isKept @returns {Shape} */
const only = (shape, isKept) => Object.fromEntries(Object.entries(shape).filter(([name]) => isKept(name)));

/** @param {Shape} shape @returns {Shape} */
const optional = (shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.optional()]));

/**
 * @param {() => Zod} load gives zod itself
 * @returns {any} what behaves like `z`
 */
export function lazyZod(load) {
  return namesOf(load, (name) => {
    if (NESTED.has(name))
      return namesOf(
        () => load()[name],
        (inner) => deferring(() => load()[name][inner]),
      );
    if (AT_ONCE.has(name)) return (/** @type {unknown[]} */ ...args) => load()[name](...args.map(settled));
    // What begins with a capital is a class.
    if (!/^[a-z]/.test(name)) return load()[name];
    return deferring(
      () => load()[name],
      ([shape]) => (OBJECTS.has(name) ? shape : undefined),
    );
  });
}

/**
 * @param {() => Zod} load
 * @param {(name: string) => unknown} find
 */
function namesOf(load, find) {
  /** @type {Map<PropertyKey, unknown>} */
  const known = new Map();
  return new Proxy(
    {},
    {
      get(_, name) {
        if (!known.has(name)) known.set(name, find(String(name)));
        return known.get(name);
      },
      has: (_, name) => name in load(),
    },
  );
}

/**
 * @param {() => Make} make
 * @param {(args: any[]) => Shape | undefined} [shapeOf] the fields of what a call of it makes, where they are known
 * @returns {Make} what writes down a call of it
 */
const deferring =
  (make, shapeOf) =>
  (...args) =>
    deferred(() => make()(...args.map(deeplySettled)), shapeOf?.(args));

/** @param {() => any} make @param {Shape} [shape] @returns {any} what stands for a schema */
function deferred(make, shape) {
  /** @type {any} */
  let made;
  const schema = () => (made ??= make());
  return new Proxy(
    {},
    {
      get(_, key) {
        if (key === SCHEMA) return schema;
        if (key === "shape" && shape) return shape;
        if (typeof key === "string" && CHAINED.has(key))
          return deferring(
            () => schema()[key].bind(schema()),
            ([given]) => shape && FIELDS[key]?.(shape, given),
          );
        const value = schema()[key];
        return typeof value === "function"
          ? (/** @type {unknown[]} */ ...args) => value.apply(schema(), args.map(settled))
          : value;
      },
      has: (_, key) => key in schema(),
      getPrototypeOf: () => Object.getPrototypeOf(schema()),
    },
  );
}

/** @param {any} value */
function settled(value) {
  const schema = typeof value === "object" && value !== null ? value[SCHEMA] : undefined;
  return schema ? schema() : value;
}

/** With what is in a list or in the fields of an object, as schemas are given to others. @param {any} value @returns {any} */
function deeplySettled(value) {
  const one = settled(value);
  if (one !== value) return one;
  if (Array.isArray(value)) return value.map(deeplySettled);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, deeplySettled(field)]));
}
