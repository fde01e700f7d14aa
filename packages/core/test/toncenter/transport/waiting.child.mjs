// Makes one call over a fetch that opens no socket, so that only timers can keep the process alive.
import { createTransport } from '@tonplug/core/toncenter'

let requests = 0
const transport = createTransport({
  random: () => 0.1,
  rps: Infinity,
  fetch: async () => {
    if (++requests === 1) throw new TypeError('fetch failed')
    return new Response('{}')
  },
})
const { meta } = await transport.request({
  api: 'v2',
  endpoint: 'getMasterchainInfo',
  method: 'GET',
  path: '/getMasterchainInfo',
  isRead: true,
  classify: ({ json }) => ({ kind: 'ok', value: json }),
})
console.log(`answered after ${meta.attempts} attempts`)
