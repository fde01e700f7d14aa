import { readTestdata } from '@tonplug/test-support/testdata'
import { parse } from 'yaml'

/** A schema of an API description, as far as bodies are made of it. */
interface Schema {
  type?: string
  $ref?: string
  format?: string
  enum?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
}

interface Operation {
  responses: Record<string, { schema?: Schema; content?: Record<string, { schema?: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas: Record<string, Schema> }
  definitions?: Record<string, Schema>
}

/** A body that has everything a description knows, and the places in it of every property. */
export interface DescribedBody {
  /** Below `/api/v3`. */
  path: string
  body: unknown
  /** Each with the schema that has the property. */
  places: { owner: string; name: string; keys: (string | number)[] }[]
}

const HASH = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const ADDRESS = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const BOC = 'te6cckEBAQEAAgAAAEysuc0='

// What the descriptions say wrongly, as the servers answer. Source: API facts, part 0.
const RESULTS: Readonly<Record<string, string>> = {
  '/masterchainBlockShardState': 'BlocksResponse',
  '/masterchainBlockShards': 'BlocksResponse',
}
/** Paths without a described response, and paths that the client does not have. */
const SKIPPED = new Set(['/runGetMethod', '/dnsEntities'])

/** The descriptions of the newest servers and of servers of 2025. */
export const descriptions = ['v3-1.2.6.yaml', 'v3-1.1.0.swagger.yaml']

/** A body for every path of a description. */
export function describedBodies(file: string): DescribedBody[] {
  // The descriptions are read as far as the tests need them.
  const document = parse(readTestdata(`openapi/${file}`)) as Document
  const schemas = document.components?.schemas ?? document.definitions ?? {}
  return Object.entries(document.paths).flatMap(([longPath, operations]) => {
    const path = longPath.replace('/api/v3', '')
    const [operation] = Object.values(operations)
    const success = operation?.responses['200']
    const described = success?.schema ?? success?.content?.['application/json']?.schema
    const fixed = RESULTS[path]
    const schema = fixed === undefined ? described : { $ref: fixed }
    if (SKIPPED.has(path) || schema === undefined) return []
    const places: DescribedBody['places'] = []
    const body = valueOf(schema, { schemas, places, keys: [], owner: '', name: '', depth: 0 })
    return [{ path, body, places }]
  })
}

interface Making {
  schemas: Readonly<Record<string, Schema>>
  places: DescribedBody['places']
  keys: (string | number)[]
  owner: string
  name: string
  depth: number
}

function valueOf(schema: Schema, making: Making): unknown {
  const { schemas, keys } = making
  if (schema.$ref !== undefined) {
    const owner = schema.$ref.split('/').at(-1) ?? ''
    const short = owner.replace('index.', '')
    const found = schemas[owner] ?? schemas[short]
    if (short === 'AddressBook' || short === 'Metadata') return mapOf(short, making)
    return valueOf(found ?? {}, { ...making, owner: short })
  }
  if (schema.properties !== undefined) return objectOf(schema.properties, making)
  if (schema.items !== undefined) {
    if (making.name === 'children' && making.depth > 1) return []
    if (/^decoded_|^body_raw$/.test(making.name)) return { a: 1 }
    return [valueOf(schema.items, { ...making, keys: [...keys, 0] })]
  }
  if (typeof schema.additionalProperties === 'object') {
    const key = making.name === 'transactions' ? HASH : '100'
    return { [key]: valueOf(schema.additionalProperties, { ...making, keys: [...keys, key] }) }
  }
  return plainValueOf(schema, making)
}

function objectOf(properties: Readonly<Record<string, Schema>>, making: Making): object {
  const { owner, keys, places } = making
  const entries = Object.entries(properties).map(([name, property]) => {
    const inner = [...keys, name]
    places.push({ owner, name, keys: inner })
    const depth = making.depth + (name === 'children' ? 1 : 0)
    return [name, valueOf(property, { ...making, keys: inner, name, depth })]
  })
  return Object.fromEntries(entries) as object
}

/** The two maps whose values the descriptions do not tie to them. */
function mapOf(name: 'AddressBook' | 'Metadata', making: Making): object {
  const $ref = name === 'AddressBook' ? 'AddressBookRow' : 'AddressMetadata'
  return { [ADDRESS]: valueOf({ $ref }, { ...making, keys: [...making.keys, ADDRESS] }) }
}

function plainValueOf({ type, enum: values }: Schema, { owner, name, keys }: Making): unknown {
  const field = typeof keys.at(-1) === 'number' ? String(keys.at(-2)) : name
  // The description has the numbers of the server's source; the server sends words.
  if (owner === 'FinalityState') return 'finalized'
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type !== 'string') return { a: 1 }
  if (owner === 'MessageContent' || /boc$|^code$|^data$|payload$/.test(field)) {
    return field === 'hash' ? HASH : BOC
  }
  if (/hash|^trace_id$|^action_id$|^transactions(?:_order)?$/.test(field)) return HASH
  if (/^(?:address|account|owner|source|destination|jetton|signers|proposers)$/.test(field)) {
    return ADDRESS
  }
  return values?.[0] ?? '1'
}
