import { fail, ok, type Check } from '../check.js'
import { askTonCenter } from '../ton-center.js'

/** A larger rate is not measured. */
const MOST_REQUESTS = 25

/** Makes the requests of one second at the rate that the server uses. */
export const apiRate: Check = {
  name: 'API rate',
  async run(subject) {
    const { apiKey = '', rps, tonCenter } = subject
    const first = await tonCenter()
    if (apiKey === '' || 'code' in first || ![200, 429].includes(first.status)) return undefined
    const count = Math.max(1, Math.min(Math.floor(rps), MOST_REQUESTS))
    const replies = await Promise.all(Array.from({ length: count }, () => askTonCenter(subject)))
    const rejected = replies.filter((reply) => 'status' in reply && reply.status === 429).length
    if (rejected === 0) return ok(`${count} requests within a second are accepted`)
    return fail(
      `${rejected} of ${count} requests within a second are rejected with 429`,
      'Set rps to the rate of your plan. Servers that share a key share its rate: use createRedisRateLimiter.',
    )
  },
}
