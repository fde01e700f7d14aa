// Compares parsing and validating a webhook payload with JSON.parse.
import { transferCompleted } from '@tonplug/testing'
import { loadCore } from '../../../scripts/load-core.mjs'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const CALLS = 4000
const [{ parsePayload }] = await loadCore('payments/orders/payload.ts')
const rawBody = Buffer.from(JSON.stringify(transferCompleted()))
const contenders = [
  // Bytes, as received from a socket.
  { call: () => JSON.parse(rawBody.toString()) },
  { call: () => parsePayload(rawBody) },
]
const repeated = contenders.map(({ call }) => ({
  call: () => {
    for (let index = 0; index < CALLS; index++) call()
  },
}))
const [limit, ours] = await measureRounds(repeated, { rounds: 15, calls: 1, warmUpCalls: 10 })
report([
  {
    id: 'B1',
    what: 'payload, read and checked',
    beside: 'JSON.parse',
    spread: ratio(ours, limit, 'cpuMs'),
    floor: '<= 1.45',
    goal: '<= 1.1',
  },
])
