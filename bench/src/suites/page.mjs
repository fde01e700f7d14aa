// Compares parsing and validating pages of 1000 transactions, with all amounts as bigint, with JSON.parse and with zod.
import assert from 'node:assert/strict'
import { loadCore } from '../../../scripts/load-core.mjs'
import { makeIndexPage } from '../index-page.mjs'
import { makePage } from '../page.mjs'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const COUNT = 1000
const [{ parseJson }, { v2Decoders }, { v2Results }, { v3Decoders }, { v3Results }] =
  await loadCore(
    'toncenter/transport/lossless-json.ts',
    'toncenter/v2/generated/decoders.ts',
    'toncenter/v2/results.ts',
    'toncenter/v3/generated/decoders.ts',
    'toncenter/v3/results.ts',
  )
const pages = [
  {
    title: 'page of API v3',
    ids: ['B2', 'B3'],
    text: makeIndexPage(COUNT),
    resultOf: (body) => body,
    decoder: v3Decoders.transactions,
    schema: v3Results['/transactions'],
  },
  {
    title: 'page of API v2',
    ids: ['B2v2', 'B3v2'],
    text: makePage(COUNT),
    resultOf: ({ result }) => result,
    decoder: v2Decoders.getTransactions,
    schema: v2Results.getTransactions,
  },
]

const figures = []
for (const { title, ids, text: made, resultOf, decoder, schema } of pages) {
  // One string decoded from bytes, as in a transport.
  const text = Buffer.from(made).toString()
  const contenders = [
    { call: () => JSON.parse(text) },
    { call: () => decoder(resultOf(parseJson(text))) },
    { call: () => schema.parse(resultOf(parseJson(text))) },
  ]
  assert.deepStrictEqual(contenders[1].call(), contenders[2].call())
  const settings = { rounds: 31, calls: 4, warmUpCalls: 30, settlingCalls: 1 }
  const samples = await measureRounds(contenders, settings)
  const [bare, ours, zod] = samples
  figures.push(
    {
      id: ids[0],
      what: `${title}, checked, with bigints`,
      beside: 'JSON.parse',
      spread: ratio(ours, bare, 'cpuMs'),
      floor: '<= 1.5',
      goal: '<= 1.3',
    },
    {
      id: ids[1],
      what: `${title} by zod`,
      beside: 'generated decoder',
      spread: ratio(zod, ours, 'cpuMs'),
      floor: '>= 2.5',
      goal: '>= 3.3',
    },
  )
}
report(figures)
