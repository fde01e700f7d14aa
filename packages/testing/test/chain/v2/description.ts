import { existsSync, readFileSync } from 'node:fs'
import { OpenAPIBackend, type Document } from 'openapi-backend'

/** The official description, where it is at hand beside the repository. */
const FILE = new URL('../../../../../../shared/api/v2.openapi.json', import.meta.url)

interface Description {
  paths: Record<string, Record<string, { operationId?: string }>>
  components: {
    schemas: Record<string, { allOf?: { properties?: object }[]; properties?: { result?: object } }>
  }
}

/** Whether the description is at hand. */
export const hasDescription = existsSync(FILE)

/** What is wrong with an answer of a path; `undefined` when nothing is, `null` when the path is not described. */
export type Check = (path: string, answer: unknown) => unknown

/** Reads the description, mended where it contradicts itself or the servers. */
export async function readDescription(): Promise<Check> {
  const definition = JSON.parse(readFileSync(FILE, 'utf8')) as Description
  const { schemas } = definition.components
  // One text, as both servers send it.
  schemas['UnpackAddressResponse']!.properties!.result = { type: 'string' }
  // Of two parts, each of which allows nothing of the other.
  const transaction = structuredClone(schemas['TransactionStd'])
  const extra = schemas['TransactionExt']?.allOf?.[1]
  schemas['TransactionExt'] = {
    ...transaction,
    properties: { ...transaction?.properties, ...extra?.properties },
  }
  // A result may be a text or a list as well.
  schemas['TonlibResponse']!.properties!.result = {}
  for (const [path, operations] of Object.entries(definition.paths)) {
    for (const operation of Object.values(operations)) operation.operationId = path
  }
  const api = new OpenAPIBackend({ definition: definition as unknown as Document, quick: true })
  await api.init()
  return (path, answer) => {
    const operation = api.getOperation(`/api/v2${path}`)
    if (operation === undefined) return null
    return api.validateResponse(answer, operation, 200).errors ?? undefined
  }
}
