// Compares ways to read a page of 1000 transactions from its text: see README.md.
import assert from 'node:assert/strict'
import { parseJson } from '../../packages/core/dist/esm/transport/lossless-json.js'
import { v2Decoders } from '../../packages/core/dist/esm/v2/decoders.generated.js'
import { v2Results } from '../../packages/core/dist/esm/v2/results.js'
import { v3Decoders } from '../../packages/core/dist/esm/v3/decoders.generated.js'
import { v3Results } from '../../packages/core/dist/esm/v3/results.js'
import { makeIndexPage } from './index-page.mjs'
import { makePage } from './page.mjs'
import { measureRounds, median, ratio } from './rounds.mjs'

const COUNT = 1000
const ROUNDS = 31
const CALLS = 4

const pages = [
  {
    title: 'v2 getTransactions',
    text: makePage(COUNT),
    resultOf: ({ result }) => result,
    decoder: v2Decoders.getTransactions,
    schema: v2Results.getTransactions,
  },
  {
    title: 'v3 transactions',
    text: makeIndexPage(COUNT),
    resultOf: (body) => body,
    decoder: v3Decoders.transactions,
    schema: v3Results['/transactions'],
  },
]

for (const page of pages) {
  const contenders = makeContenders(page)
  const [, , decoded, read] = contenders.map(({ call }) => call())
  assert.deepStrictEqual(decoded, read)
  const samples = await measureRounds(contenders, { rounds: ROUNDS, calls: CALLS, warmUpCalls: 30 })
  const bytes = (Buffer.byteLength(page.text) / 1e6).toFixed(2)
  console.log(`\n${page.title}: ${COUNT} rows, ${bytes} MB, ${ROUNDS} rounds, ${process.version}\n`)
  report(contenders, samples)
}

function makeContenders({ text: made, resultOf, decoder, schema }) {
  // As a transport has it: in one piece, from bytes.
  const text = Buffer.from(made).toString()
  return [
    { name: 'JSON.parse', call: () => JSON.parse(text) },
    { name: 'parseJson, which keeps every digit', call: () => parseJson(text) },
    { name: 'parseJson + generated decoder', call: () => decoder(resultOf(parseJson(text))) },
    { name: 'parseJson + schema in zod', call: () => schema.parse(resultOf(parseJson(text))) },
  ]
}

function report(contenders, samples) {
  const [bare, , ours] = samples
  console.log('| Way | CPU ms | × JSON.parse | × ours |')
  console.log('| --- | ---: | ---: | ---: |')
  contenders.forEach(({ name }, index) => {
    const rounds = samples[index]
    const ms = median(rounds.map(({ cpuMs }) => cpuMs)).toFixed(2)
    const ratios = [bare, ours].map((base) => write(ratio(rounds, base, 'cpuMs')))
    console.log(`| ${[name, ms, ...ratios].join(' | ')} |`)
  })
}

function write(spread) {
  return `${spread.median.toFixed(2)} (${spread.min.toFixed(2)} to ${spread.max.toFixed(2)})`
}
