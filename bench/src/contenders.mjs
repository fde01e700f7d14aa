import { Address } from '@ton/core'
import { HttpApi, TonClient } from '@ton/ton'
import { createV2Client } from '@tonplug/core/toncenter'
import { Pool } from 'undici'
import { loadCore } from '../../scripts/load-core.mjs'
import { ADDRESS } from './page.mjs'
import { createPoolFetch } from './pool-fetch.mjs'

const [{ parseJson }, { v2Decoders }] = await loadCore(
  'toncenter/transport/lossless-json.ts',
  'toncenter/v2/generated/decoders.ts',
)
const TIMEOUT_MS = 10_000

/** Returns the contenders, each with a call that reads a page. The first two are the lower bounds, the third is tonplug. */
export function makeContenders(root, limit) {
  const path = `/api/v2/getTransactions?address=${ADDRESS}&limit=${limit}`
  const pool = new Pool(root)
  const overFetch = createV2Client({ baseUrl: root, rps: Infinity })
  const overPool = createV2Client({ baseUrl: root, rps: Infinity, fetch: createPoolFetch(root) })
  const rpc = `${root}/api/v2/jsonRPC`
  const httpApi = new HttpApi(rpc)
  const tonClient = new TonClient({ endpoint: rpc })
  const address = Address.parse(ADDRESS)
  return [
    {
      name: 'fetch + JSON.parse',
      call: async () => JSON.parse(await (await fetch(root + path)).text()).result,
    },
    {
      name: 'undici Pool + JSON.parse',
      call: async () =>
        JSON.parse(await (await pool.request({ path, method: 'GET' })).body.text()).result,
    },
    {
      name: 'createV2Client',
      call: async () => overFetch.getTransactions({ address: ADDRESS, limit }),
    },
    {
      name: 'createV2Client, fetch over Pool',
      call: async () => overPool.getTransactions({ address: ADDRESS, limit }),
    },
    {
      name: '@ton/ton HttpApi',
      call: async () => httpApi.getTransactions(address, { limit }),
    },
    {
      name: '@ton/ton TonClient',
      call: async () => tonClient.getTransactions(address, { limit }),
    },
    {
      name: 'fetch with a signal, and the decoder of tonplug',
      call: async () => {
        const response = await fetch(root + path, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        return v2Decoders.getTransactions(parseJson(await response.text()).result)
      },
    },
  ]
}
