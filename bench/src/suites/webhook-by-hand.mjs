// Compares whole servers with servers written by hand that make the same promises in memory (K2). For information: the memory
// inbox is for development, and the servers by hand never forget a delivery.
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'
import { measureServers } from '../server-rounds.mjs'
import { makeDeliveries, PATH } from '../webhooks.mjs'

const PLATFORMS = {
  express: 'Express',
  'nest-fastify': 'Nest on Fastify',
  'nest-express': 'Nest on Express',
  fetch: 'Fetch handler on Node',
}

const names = Object.keys(PLATFORMS).flatMap((name) => [`${name}-same`, `${name}-tonplug`])
const samples = await measureServers([...names, 'express-raw'], {
  path: PATH,
  makeRequests: makeDeliveries,
})
const ratioOf = (ours, peer) => ratio(samples.get(ours), samples.get(peer), 'cpuMs')
report([
  ...Object.entries(PLATFORMS).map(([name, title]) => ({
    id: `K2-${name}`,
    what: `whole server, ${title}, a delivery`,
    beside: 'information: the same promises by hand, processor time',
    spread: ratioOf(`${name}-tonplug`, `${name}-same`),
  })),
  {
    id: 'K2-raw',
    what: 'whole server, Express, a delivery',
    beside: 'information: express.raw, HMAC and res.json, which store nothing',
    spread: ratioOf('express-tonplug', 'express-raw'),
  },
])
