import type { ResultOf } from '../../../src/toncenter/endpoint/endpoint.js'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { driftOf } from '../schema/read-schema.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import {
  callMethod,
  createEveryMethod,
  schemaOf,
  type EndpointName,
  type Endpoints,
} from './every-endpoint.js'
import { sampleParameters } from './sample-parameters.js'

/** Parameters that leave answers as they are: the client itself applies some of the others. */
const WIDER: Partial<Record<EndpointName, object>> = {
  transactions: {},
  pendingTransactions: { account: '0:'.padEnd(66, '0') },
}

/** Calls an endpoint against a server that answers `text`. */
export async function callWith<Name extends EndpointName>(
  endpoint: Name,
  text: string,
): Promise<ResultOf<Endpoints[Name]>> {
  const { baseUrl } = await startMockApi(() => text)
  const v3 = createEveryMethod({ baseUrl, rps: Infinity })
  const result = await callMethod(v3, endpoint, WIDER[endpoint] ?? sampleParameters[endpoint])
  // The method of this endpoint returned it.
  return result as ResultOf<Endpoints[Name]>
}

/** Lists the new values and the unreadable optional fields of a response. */
export function driftIn(endpoint: EndpointName, text: string): string[] {
  return driftOf(schemaOf(endpoint), parseJson(text))
}
