import type { DriftEvent } from '../../src/toncenter/transport/hooks.js'
import { createV3Client, type V3Result } from '../../src/toncenter/v3/client.js'
import type { V3EndpointName } from '../../src/toncenter/v3/endpoints/table.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { sampleParameters } from './sample-parameters.js'

/** Parameters that leave answers as they are: the client itself applies some of the others. */
const WIDER: Partial<Record<V3EndpointName, object>> = {
  transactions: {},
  pendingTransactions: { account: '0:'.padEnd(66, '0') },
}

/** Calls an endpoint against a server that answers `text`. */
export async function callWith<Name extends V3EndpointName>(
  endpoint: Name,
  text: string,
  drift: (event: DriftEvent) => void = () => undefined,
): Promise<V3Result<Name>> {
  const { baseUrl } = await startMockApi(() => text)
  const v3 = createV3Client({ baseUrl, rps: Infinity, hooks: { drift } })
  // One call for any endpoint: its own parameters are what it gets.
  const call = v3[endpoint] as (params: unknown) => Promise<V3Result<Name>>
  return await call(WIDER[endpoint] ?? sampleParameters[endpoint])
}
