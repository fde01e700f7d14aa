// Compares requests to another route in apps with and without tonplug. Each server runs in a separate process.
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'
import { measureServers } from '../server-rounds.mjs'
import { makeDeliveries } from '../webhooks.mjs'

const PLATFORMS = {
  express: 'Express',
  fastify: 'Fastify',
  'nest-express': 'Nest on Express',
  'nest-fastify': 'Nest on Fastify',
}

const names = Object.keys(PLATFORMS).flatMap((platform) => [
  `${platform}-bare`,
  `${platform}-beside`,
])
const samples = await measureServers(names, { path: '/orders', makeRequests: makeUnsigned })
report(
  Object.entries(PLATFORMS).map(([platform, title]) => ({
    id: platform === 'express' ? 'C6' : `C6-${platform}`,
    what: `${title}, a request to another route, with tonplug`,
    beside: 'the same app without tonplug, processor time',
    spread: ratio(samples.get(`${platform}-beside`), samples.get(`${platform}-bare`), 'cpuMs'),
    floor: '<= 1.03',
    goal: '<= 1.01',
  })),
)

function makeUnsigned(from, to) {
  const headers = { 'content-type': 'application/json' }
  return makeDeliveries(from, to).map(({ body }) => ({ body, headers }))
}
