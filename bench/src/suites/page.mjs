// Compares parsing and validating pages of 1000 transactions, with all amounts as bigint, with JSON.parse.
import { loadCore } from '../../../scripts/load-core.mjs'
import { makeIndexPage } from '../index-page.mjs'
import { makePage } from '../page.mjs'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const [{ parseJson }, { v2Decoders }, { v3Decoders }] = await loadCore(
  'toncenter/transport/lossless-json.ts',
  'toncenter/v2/generated/decoders.ts',
  'toncenter/v3/generated/decoders.ts',
)
const COUNT = 1000
const pages = [
  {
    title: 'page of API v3',
    id: 'B2',
    text: makeIndexPage(COUNT),
    resultOf: (body) => body,
    decoder: v3Decoders.transactions,
  },
  {
    title: 'page of API v2',
    id: 'B2v2',
    text: makePage(COUNT),
    resultOf: ({ result }) => result,
    decoder: v2Decoders.getTransactions,
  },
]

const figures = []
for (const { title, id, text: made, resultOf, decoder } of pages) {
  // One string decoded from bytes, as in a transport.
  const text = Buffer.from(made).toString()
  const contenders = [
    { call: () => JSON.parse(text) },
    { call: () => decoder(resultOf(parseJson(text))) },
  ]
  const settings = { rounds: 31, calls: 4, warmUpCalls: 30, settlingCalls: 1 }
  const samples = await measureRounds(contenders, settings)
  const [bare, ours] = samples
  figures.push({
    id,
    what: `${title}, checked, with bigints`,
    beside: 'JSON.parse',
    spread: ratio(ours, bare, 'cpuMs'),
    floor: '<= 1.5',
    goal: '<= 1.3',
  })
}
report(figures)
