import { readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it } from 'vitest'
import { previousLt } from './previous-lt.js'

const recorded = JSON.parse(readTestdata('v2/getTransactions.captured-json-rpc.json')) as {
  result: [{ data: string; transaction_id: { lt: string } }]
}
const [{ data, transaction_id }] = recorded.result
const lt = BigInt(transaction_id.lt)

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function changed(change: (bytes: Uint8Array) => void): string {
  const bytes = bytesOf(data)
  change(bytes)
  return btoa(String.fromCharCode(...bytes))
}

describe('previousLt', () => {
  it('reads a recorded transaction', () => {
    expect(previousLt(data, lt)).toBe(22013945000001n)
  })

  it('reads a bag of cells with an index', () => {
    const bytes = bytesOf(data)
    const cells = bytes[6] ?? 0
    // magic, flags, offset size, cells, roots, absent, total size (2), root list, index, cells
    const indexed = [...bytes.subarray(0, 12), ...new Uint8Array(cells * 2), ...bytes.subarray(12)]
    indexed[4] = (bytes[4] ?? 0) | 0x80
    expect(previousLt(btoa(String.fromCharCode(...indexed)), lt)).toBe(22013945000001n)
  })

  it.each([
    ['another lt', data, lt + 1n],
    ['an empty text', '', lt],
    ['no base64', '***', lt],
    ['no bag of cells', btoa('x'.repeat(200)), lt],
    ['a bag that breaks off', data.slice(0, 100), lt],
    ['another magic number', changed((bytes) => bytes.set([0x68, 0xff, 0x65, 0xf3])), lt],
    ['a root that is not the first cell', changed((bytes) => bytes.set([1], 11)), lt],
    ['a root with hashes', changed((bytes) => bytes.set([0x15], 12)), lt],
    ['a cell of another kind', changed((bytes) => bytes.set([0x65], 14)), lt],
    ['a short cell', changed((bytes) => bytes.set([0x20], 13)), lt],
  ])('does not guess: %s', (_, bag, own) => {
    expect(previousLt(bag, own)).toBeUndefined()
  })
})
