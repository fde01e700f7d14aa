import { readFileSync } from 'node:fs'

const FIXTURES = new URL('../../testdata/v3/', import.meta.url)
const pages = ['transactions.captured.json', 'transactionsByMessage.captured.json'].map((file) =>
  JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8')),
)
const trace = JSON.parse(readFileSync(new URL('traces.captured.json', FIXTURES), 'utf8'))
const transactions = [
  ...pages.flatMap((page) => page.transactions),
  ...trace.traces.flatMap((one) => Object.values(one.transactions)),
]

/** Returns a response of /transactions of API v3: repeated recorded transactions, each with unique numbers. */
export function makeIndexPage(count) {
  const rows = Array.from({ length: count }, (_, index) =>
    makeRow(transactions[index % transactions.length], index),
  )
  return JSON.stringify({ transactions: rows, address_book: trace.address_book })
}

function makeRow(row, index) {
  const lt = String(BigInt(row.lt) - BigInt(index) * 2_000_000n)
  return { ...row, lt, now: row.now - index, total_fees: String(310_130 + index) }
}
