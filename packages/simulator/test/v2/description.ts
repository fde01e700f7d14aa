import { readTestdata } from '@tonplug/test-support/testdata'
import { OpenAPIBackend, type Document } from 'openapi-backend'

interface Description {
  paths: Record<string, Record<string, { operationId?: string }>>
  components: {
    schemas: Record<string, { allOf?: { properties?: object }[]; properties?: { result?: object } }>
  }
}

/** Returns the problems of a response; `undefined` without problems, `null` when the path is not described. */
export type Check = (path: string, response: unknown) => unknown

/** Reads the description and corrects its contradictions. */
export async function readDescription(): Promise<Check> {
  const definition = JSON.parse(readTestdata('openapi/v2-2.1.1.json')) as Description
  const { schemas } = definition.components
  // Both servers send one string.
  schemas['UnpackAddressResponse']!.properties!.result = { type: 'string' }
  // It combines two schemas. Each allows no properties of the other.
  const transaction = structuredClone(schemas['TransactionStd'])
  const extra = schemas['TransactionExt']?.allOf?.[1]
  schemas['TransactionExt'] = {
    ...transaction,
    properties: { ...transaction?.properties, ...extra?.properties },
  }
  // A result may also be a string or an array.
  schemas['TonlibResponse']!.properties!.result = {}
  for (const [path, operations] of Object.entries(definition.paths)) {
    for (const operation of Object.values(operations)) operation.operationId = path
  }
  const api = new OpenAPIBackend({ definition: definition as unknown as Document, quick: true })
  await api.init()
  return (path, response) => {
    const operation = api.getOperation(`/api/v2${path}`)
    if (operation === undefined) return null
    return api.validateResponse(response, operation, 200).errors ?? undefined
  }
}
