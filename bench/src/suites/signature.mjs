// Compares signature verification with the HMAC alone and with the gateway's SDK.
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { verifySignature as verifyWithSdk } from '@ton-pay/api'
import { verifySignature } from '@tonplug/core'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const SECRET = 'whsec_bench'
const ROUNDS = 15
const sizes = [
  {
    name: '700 B',
    bytes: 700,
    calls: 4000,
    floors: ['<= 1.2', '>= 10'],
    goals: ['<= 1.05', '>= 12'],
  },
  {
    name: '64 KiB',
    bytes: 65_536,
    calls: 200,
    floors: ['<= 1.05', '>= 30'],
    goals: ['<= 1.02', '>= 35'],
  },
]

const figures = []
for (const { name, bytes, calls, floors, goals } of sizes) {
  const body = randomBytes(bytes / 2).toString('hex')
  const rawBody = Buffer.from(body)
  const signature = `sha256=${createHmac('sha256', SECRET).update(rawBody).digest('hex')}`
  const key = createSecretKey(Buffer.from(SECRET))
  const options = { secrets: SECRET }
  const contenders = [
    { call: () => hmacAlone(rawBody, signature, key) },
    { call: () => verifySignature(rawBody, signature, options).isValid },
    { call: () => verifyWithSdk(body, signature, SECRET) },
  ]
  for (const { call } of contenders) if (call() !== true) throw new Error('a signature was refused')
  const repeated = contenders.map(({ call }, index) => ({
    // The SDK is so slow that fewer calls are sufficient.
    call: () => repeat(call, index === 2 ? calls / 20 : calls),
  }))
  const samples = await measureRounds(repeated, { rounds: ROUNDS, calls: 1, warmUpCalls: 5 })
  const [limit, ours, sdk] = samples.map((rounds, index) =>
    rounds.map(({ cpuMs }) => ({ cpuMs: cpuMs / (index === 2 ? calls / 20 : calls) })),
  )
  const id = bytes === 700 ? ['A1', 'A3a'] : ['A2', 'A3b']
  figures.push(
    {
      id: id[0],
      what: `verifySignature, ${name}`,
      beside: 'HMAC and timingSafeEqual',
      spread: ratio(ours, limit, 'cpuMs'),
      floor: floors[0],
      goal: goals[0],
    },
    {
      id: id[1],
      what: `@ton-pay/api, ${name}`,
      beside: 'verifySignature',
      spread: ratio(sdk, ours, 'cpuMs'),
      floor: floors[1],
      goal: goals[1],
    },
  )
}
report(figures)

function hmacAlone(rawBody, signature, key) {
  const digest = createHmac('sha256', key).update(rawBody).digest('hex')
  return timingSafeEqual(Buffer.from(digest), Buffer.from(signature.slice(7)))
}

function repeat(call, times) {
  for (let index = 0; index < times; index++) call()
}
