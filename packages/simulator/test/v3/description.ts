import { readTestdata } from '@tonplug/test-support/testdata'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { parse } from 'yaml'

interface Schema {
  $ref?: string
  type?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** The used part of the description. */
interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer' }

// Corrections of the description, by the responses of the servers. Source: API facts, parts 0 and 2.3. The servers send words
// for `finality`.
const CORRECTED: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  Action: { finality: text },
  JettonBurn: { decoded_custom_payload: {} },
  JettonTransfer: { decoded_custom_payload: {}, decoded_forward_payload: {} },
  Message: { opcode: text },
  MessageContent: { decoded: {} },
  Transaction: { finality: text },
}

const ANSWERS: Readonly<Record<string, Schema>> = {
  '/masterchainBlockShardState': { $ref: '#/components/schemas/BlocksResponse' },
  '/masterchainBlockShards': { $ref: '#/components/schemas/BlocksResponse' },
  '/runGetMethod': {
    type: 'object',
    properties: {
      gas_used: number,
      exit_code: number,
      stack: { type: 'array', items: { type: 'object', properties: { type: text, value: {} } } },
    },
  },
}

/** Returns the paths of the description, below `/api/v3`. */
export function describedPaths(): string[] {
  return Object.keys(readDescription().paths).map(withoutBase)
}

/** Returns a function that reports the problems of a response by path. Unknown fields are problems. */
export async function startDescription(): Promise<(path: string, body: unknown) => unknown> {
  const description = correct(readDescription())
  // An OpenAPI document; its other fields are not needed.
  const api = new OpenAPIBackend({ definition: description as unknown as Document, quick: true })
  await api.init()
  return (path, body) => {
    const operation = Object.entries(description.paths).find(([name]) => withoutBase(name) === path)
    if (operation === undefined) throw new TypeError(`${path} is not described`)
    const [{ operationId }] = Object.values(operation[1]) as [Operation]
    return api.validateResponse(body, operationId, 200).errors
  }
}

function readDescription(): Description {
  // Two references have a prefix that the schemas do not have.
  const yaml = readTestdata('openapi/v3-1.2.6.yaml').replaceAll(
    '#/components/schemas/index.',
    REFERENCE,
  )
  return parse(yaml) as Description
}

const REFERENCE = '#/components/schemas/'

function withoutBase(path: string): string {
  return path.replace('/api/v3', '')
}

function correct({ paths, components: { schemas }, ...rest }: Description): Description {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      operation.operationId = `${method}${path}`
      const content = operation.responses['200']?.content?.['application/json']
      const response = ANSWERS[withoutBase(path)]
      if (content !== undefined && response !== undefined) content.schema = response
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties === undefined) continue
    const properties = { ...schema.properties, ...CORRECTED[name] }
    // Most fields may be null, which the description does not state.
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([key, one]) => [
        key,
        { anyOf: [/^decoded_.*payload$/.test(key) ? {} : one, { type: 'null' }] },
      ]),
    )
    schema.additionalProperties = false
  }
  schemas['AddressBook'] = mapOf('AddressBookRow')
  schemas['Metadata'] = mapOf('AddressMetadata')
  return { ...rest, paths, components: { schemas } }
}

function mapOf(name: string): Schema {
  return { type: 'object', additionalProperties: { $ref: `${REFERENCE}${name}` } }
}
