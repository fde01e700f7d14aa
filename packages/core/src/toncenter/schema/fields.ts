import {
  readAddress,
  readBigint,
  readBool,
  readBytes,
  readEmptyableHash,
  readEmptyableInt,
  readFlag,
  readHash,
  readInt,
  readNumber,
  readShard,
  readString,
  readStringOrObject,
} from './readers.js'

// The vocabulary for responses. Schemas are data, from which the build generates decoders, and types. Import this module as
// a namespace: `field.object({ lt: field.bigint })`.

/** The description of a value in a response. */
export type Schema<Output = unknown> = Definition & {
  /** Only a type, never a value. */
  readonly output?: Output
}

/** The type that the decoder of a schema returns. */
export type Output<S> = S extends Schema<infer Type> ? Type : never

type Schemas = Readonly<Record<string, Schema>>

/** The structure of a schema. A `path` is the name of the field for tests that find new values in recorded responses. */
type Definition =
  /** A value that one function reads. If `isUnchanged`, it returns the received value, so that nothing is written back. */
  | { kind: 'value'; read: (value: unknown) => unknown; isUnchanged: boolean }
  | { kind: 'any' }
  | { kind: 'enum'; path: string; values: readonly string[] }
  /** A field that may be absent or null; with `absent` also an object without fields, or any unreadable value. */
  | { kind: 'optional'; inner: Schema; absent?: 'empty' | 'unreadable'; path: string }
  /** `instead` has the format of the response. */
  | { kind: 'default'; inner: Schema; instead: unknown }
  | { kind: 'object'; shape: Schemas }
  /** A list or map reads as empty where it is null, and unless `absent` is `refused`, where it is absent. */
  | { kind: 'list'; inner: Schema; absent?: 'refused' | 'empty' }
  | { kind: 'map'; inner: Schema; absent?: 'empty' }
  | { kind: 'tree'; key: string; node: Schema }
  | { kind: 'variants'; path: string; key: string; options: Schemas }
  | { kind: 'tagged'; path: string; fields: Schema; details: Schemas }

type Optional<Type> = Schema<Type | undefined> & { readonly kind: 'optional' }

type Flat<Type> = { [Field in keyof Type]: Type[Field] }

type ObjectOutput<Shape extends Schemas> = Flat<
  {
    [Key in keyof Shape as Shape[Key] extends { kind: 'optional' } ? never : Key]: Output<
      Shape[Key]
    >
  } & {
    [Key in keyof Shape as Shape[Key] extends { kind: 'optional' } ? Key : never]?: Output<
      Shape[Key]
    >
  }
>

/** Creates a field. @param read an exported function, since generated decoders call it; throws a `Mismatch` */
export function custom<Type>(read: (value: unknown) => Type): Schema<Type> {
  return { kind: 'value', read, isUnchanged: false }
}

function unchanged<Type>(read: (value: unknown) => Type): Schema<Type> {
  return { kind: 'value', read, isUnchanged: true }
}

/** An unbounded integer: an amount, a fee or an lt. Received as digits in a string, or as a number that lost no digit. */
export const bigint = custom(readBigint)

/** A small integer: a time, a seqno, a workchain, gas or an exit code. Received as a number or as digits in a string. */
export const int = custom(readInt)

/** A small integer; an empty string reads as 0. */
export const emptyableInt = custom(readEmptyableInt)

/** A number that may have a fraction. Received as a number or as digits in a string. */
export const number = custom(readNumber)

export const string = unchanged(readString)

/** An account in the format that the server chose; empty for no account. */
export const address = unchanged(readAddress)

/** A shard as a string of digits. A short one, such as 0, may be received as a number. */
export const shard = custom(readShard)

export const bool = unchanged(readBool)

/** `true` or `false`. Also received as a string, or as 1, -1 or 0. */
export const flag = custom(readFlag)

/** A 256-bit hash in base64. */
export const hash = unchanged(readHash)

/** A 256-bit hash in base64, or an empty string. */
export const emptyableHash = unchanged(readEmptyableHash)

/** Bytes in base64, usually a bag of cells; may be empty. Not validated, since it may be long. */
export const bytes = unchanged(readBytes)

/** A string, or an object with any fields. */
export const stringOrObject = unchanged(readStringOrObject)

export const any: Schema = { kind: 'any' }

/** One of a few strings. Servers add new ones, so an unknown string is accepted. */
export function oneOf<const Known extends string>(
  path: string,
  values: readonly Known[],
): Schema<Known | (string & {})> {
  return { kind: 'enum', path, values }
}

/** A field that may be absent or null. Both read as absent. */
export function optional<Type>(inner: Schema<Type>): Optional<Type> {
  return { kind: 'optional', inner, path: '' }
}

/** An {@link optional} field for which an object without fields also reads as absent. */
export function emptyable<Type>(inner: Schema<Type>): Optional<Type> {
  return { kind: 'optional', inner, path: '', absent: 'empty' }
}

/** An optional field that no decision depends on: an unreadable value reads as absent. */
export function lenient<Type>(path: string, inner: Schema<Type>): Optional<Type> {
  return { kind: 'optional', inner, path, absent: 'unreadable' }
}

/** A field that reads as `instead`, a value in the format of the response, where it is null or absent. */
export function withDefault<Type>(
  inner: Schema<Type>,
  instead: unknown,
): Schema<NonNullable<Type>> {
  return { kind: 'default', inner, instead }
}

/** An object. Undescribed fields are kept, but are not part of the type. */
export function object<Shape extends Schemas>(shape: Shape): Schema<ObjectOutput<Shape>> {
  return { kind: 'object', shape }
}

/** Returns fields of one schema, for an {@link object}. */
export function each<S extends Schema, const Name extends string>(
  schema: S,
  ...names: readonly Name[]
): Record<Name, S> {
  // `fromEntries` types its keys as strings.
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>
}

export function list<Item>(inner: Schema<Item>): Schema<Item[]> {
  return { kind: 'list', inner }
}

/** A list that may be null or absent. Both read as an empty list. */
export function nullableList<Item>(inner: Schema<Item>): Schema<Item[]> {
  return { kind: 'list', inner, absent: 'empty' }
}

/** A required list. Null reads as an empty list. */
export function presentList<Item>(inner: Schema<Item>): Schema<Item[]> {
  return { kind: 'list', inner, absent: 'refused' }
}

/** A map: an object whose keys are data, for example addresses, and whose values have one type. */
export function map<Value>(inner: Schema<Value>): Schema<Record<string, Value>> {
  return { kind: 'map', inner }
}

/** A map that may be null or absent. Both read as an empty map. */
export function nullableMap<Value>(inner: Schema<Value>): Schema<Record<string, Value>> {
  return { kind: 'map', inner, absent: 'empty' }
}

export type Tree<Node, Key extends string> = Node & Record<Key, TreeList<Node, Key>>

// An interface, since a type alias cannot contain itself in a Record.
interface TreeList<Node, Key extends string> extends Array<Tree<Node, Key>> {}

/**
 * An object with a list of objects of the same kind under `key`. Null and absent read as an empty list. Trees may have any
 * depth, since a chain of messages may be thousands of nodes long.
 * @param node the object without that list
 */
export function tree<Node, const Key extends string>(
  key: Key,
  node: Schema<Node>,
): Schema<Tree<Node, Key>> {
  return { kind: 'tree', key, node }
}

type VariantOutput<Key extends string, Options extends Schemas> = {
  [Tag in keyof Options]: Flat<Output<Options[Tag]> & Record<Key, Tag>>
}[keyof Options]

/**
 * An object whose field `key` selects its schema. Servers add new tags, so an object with an unknown tag is kept unchecked.
 * It is not part of the type.
 * @param path the field that holds the object, for tests
 */
export function variants<const Key extends string, const Options extends Schemas>(
  path: string,
  key: Key,
  options: Options,
): Schema<VariantOutput<Key, Options>> {
  return { kind: 'variants', path, key, options }
}

/** An object whose `type` selects the type of its `details`. */
export type TaggedOutput<Fields, Details> =
  | {
      [Type in keyof Details]: Flat<Fields & { type: Type; details: Output<Details[Type]> }>
    }[keyof Details]
  | UnreadableOutput<Fields>

type UnreadableOutput<Fields> = Flat<
  Fields & {
    /** The `details` are missing or do not match `received_type`. */
    type: 'unreadable'
    /** The type that the server sent. */
    received_type: string
    /** As received. */
    details?: unknown
  }
>

/**
 * An object whose field `type` selects the schema of its field `details`. One malformed object must not lose a list: where
 * the details are missing or do not match their schema, `type` is `unreadable`, `received_type` is the received type, and
 * `details` are as received. Servers add new types: such an object keeps its type and its details, and is not part of the
 * output type.
 * @param path the field that holds the object, for tests
 * @param fields the object without those two fields
 */
export function tagged<Fields, const Details extends Schemas>(
  path: string,
  fields: Schema<Fields>,
  details: Details,
): Schema<TaggedOutput<Fields, Details>> {
  return { kind: 'tagged', path, fields, details }
}
