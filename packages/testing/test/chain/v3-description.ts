import { existsSync, readFileSync } from 'node:fs'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { parse } from 'yaml'

/** The official description, where it is at hand beside the repository. */
const FILE = new URL('../../../../../shared/api/v3.openapi.yaml', import.meta.url)

/** Whether the description is at hand. */
export const hasDescription = existsSync(FILE)

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

/** As much of the description as is read. */
interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer' }

// What the description says wrongly or leaves out, as the servers answer. Source: API facts, parts 0 and 2.3.
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

/** The paths of the description, below `/api/v3`. */
export function describedPaths(): string[] {
  return Object.keys(readDescription().paths).map(withoutBase)
}

/** Says what is wrong with an answer, by path; no field may be there that the description does not know. */
export async function startDescription(): Promise<(path: string, body: unknown) => unknown> {
  const description = correct(readDescription())
  // It is an OpenAPI document, with fields of which no more is read here.
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
  // Two of its references name schemas with a prefix that the schemas do not have.
  const yaml = readFileSync(FILE, 'utf8').replaceAll('#/components/schemas/index.', REFERENCE)
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
      const answer = ANSWERS[withoutBase(path)]
      if (content !== undefined && answer !== undefined) content.schema = answer
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties === undefined) continue
    const properties = { ...schema.properties, ...CORRECTED[name] }
    // Most fields may be null, and the description does not know that word.
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
