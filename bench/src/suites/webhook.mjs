// Compares the bridges to web frameworks with the shortest correct bridges by hand to the same receiver (C1 to C4, C7), over HTTP.
// Each server runs in a separate process.
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'
import { measureServers } from '../server-rounds.mjs'
import { makeDeliveries, PATH } from '../webhooks.mjs'

const PLATFORMS = {
  C1: ['express', 'Express'],
  C2: ['nest-fastify', 'Nest on Fastify'],
  C3: ['nest-express', 'Nest on Express'],
  C4: ['fetch', 'Fetch handler on Node'],
  C7: ['fastify', 'Fastify'],
}

const names = Object.values(PLATFORMS).flatMap(([name]) => [`${name}-bridge`, `${name}-tonplug`])
const samples = await measureServers(names, { path: PATH, makeRequests: makeDeliveries })
report(
  Object.entries(PLATFORMS).map(([id, [name, title]]) => ({
    id,
    what: `${title}, a delivery`,
    beside: 'the shortest correct bridge by hand to the same receiver, processor time',
    spread: ratio(samples.get(`${name}-tonplug`), samples.get(`${name}-bridge`), 'cpuMs'),
    floor: '<= 1.03',
    goal: '<= 0.95',
  })),
)
