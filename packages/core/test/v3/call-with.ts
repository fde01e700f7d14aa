import type { DriftEvent } from '../../src/toncenter/transport/hooks.js'
import type { ResultOf } from '../../src/toncenter/endpoint/endpoint.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import {
  callMethod,
  createEveryMethod,
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
  drift: (event: DriftEvent) => void = () => undefined,
): Promise<ResultOf<Endpoints[Name]>> {
  const { baseUrl } = await startMockApi(() => text)
  const v3 = createEveryMethod({ baseUrl, rps: Infinity, hooks: { drift } })
  const result = await callMethod(v3, endpoint, WIDER[endpoint] ?? sampleParameters[endpoint])
  // The method of this endpoint returned it.
  return result as ResultOf<Endpoints[Name]>
}
