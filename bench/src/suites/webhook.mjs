// Compares webhooks over HTTP with handlers written by hand. Each server runs in a separate process.
import { report } from '../report.mjs'
import { ratio } from '../rounds.mjs'
import { measureServers } from '../server-rounds.mjs'
import { makeDeliveries, PATH } from '../webhooks.mjs'

const NAMES = [
  'express-raw',
  'express-same',
  'express-tonplug',
  'fetch-same',
  'fetch-tonplug',
  'nest-express-same',
  'nest-express-tonplug',
  'nest-fastify-same',
  'nest-fastify-tonplug',
]

const samples = await measureServers(NAMES, { path: PATH, makeRequests: makeDeliveries })
const figure = ({ ours, peer, ...described }) => ({
  ...described,
  spread: ratio(samples.get(ours), samples.get(peer), 'cpuMs'),
})
// Both sides check the signature and the fields, store the delivery before its decision, complete the order once, and
// respond within a deadline.
const same = 'the same promises by hand, processor time'
const express = { ours: 'express-tonplug', what: 'Express, a delivery' }
report([
  figure({
    id: 'C1',
    ...express,
    peer: 'express-same',
    beside: same,
    floor: '<= 1.05',
    goal: '<= 0.95',
  }),
  figure({
    id: 'C2',
    ours: 'nest-fastify-tonplug',
    peer: 'nest-fastify-same',
    what: 'Nest on Fastify, a delivery',
    beside: same,
    floor: '<= 1.2',
    goal: '<= 1.1',
  }),
  figure({
    id: 'C3',
    ours: 'nest-express-tonplug',
    peer: 'nest-express-same',
    what: 'Nest on Express, a delivery',
    beside: same,
    floor: '<= 1.05',
    goal: '<= 0.95',
  }),
  figure({
    id: 'C4',
    ours: 'fetch-tonplug',
    peer: 'fetch-same',
    what: 'Fetch handler on Node, a delivery',
    beside: `${same}, same server`,
    floor: '<= 1.3',
    goal: '<= 1.15',
  }),
  figure({
    id: 'C5',
    ...express,
    peer: 'express-raw',
    beside: 'information: express.raw, HMAC and res.json, which store nothing',
    goal: '<= 1.15',
  }),
])
