import { followLinks, MAINNET_KEY_BLOCK, type BlockId, type ProofError } from '@tonplug/core/proof'
import { readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'
import { flipBit, fromHex, recordedBytes } from './recorded.js'

interface ExpectedBlock {
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
}
interface ExpectedLink {
  file: string
  from: ExpectedBlock
  to: ExpectedBlock
  to_key_block: boolean
  gen_utime: number
}
const MAINNET = -239
const links: ExpectedLink[] = JSON.parse(readTestdata('proofs/expected.json')).links
const FILES = ['chain.hex', 'one-link-simplex.hex']

function toId({ workchain, shard, seqno, root_hash, file_hash }: ExpectedBlock): BlockId {
  const hashes = { rootHash: fromHex(root_hash), fileHash: fromHex(file_hash) }
  return { workchain, shard: BigInt(`0x${shard}`), seqno, ...hashes }
}

function startOf(file: string): BlockId {
  return toId(links.find((link) => link.file === file)!.from)
}

function follow(file: string, bytes: Uint8Array = recordedBytes(file)) {
  return followLinks(bytes, { id: startOf(file), globalId: MAINNET })
}

function problemOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as ProofError).message
  }
  return 'accepted'
}

/** Returns the bytes after replacing the first occurrence of `from`. */
function replaceBytes(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const changed = new Uint8Array(bytes)
  const at = Buffer.from(bytes).indexOf(from)
  if (at < 0) throw new TypeError('nothing to replace')
  changed.set(to, at)
  return changed
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

describe('followLinks', () => {
  it.each(FILES)('S145 proves the recorded blocks of %s, with all their signatures', (file) => {
    const { blocks } = follow(file)
    const expected = links.filter((link) => link.file === file)
    expect(blocks).toEqual(
      expected.map(({ to, to_key_block, gen_utime }) => ({
        id: toId(to),
        isKeyBlock: to_key_block,
        utime: gen_utime,
      })),
    )
  })

  it('S146 proves the key block of mainnet that is trusted by default by recorded signatures', () => {
    const file = 'one-link-simplex.hex'
    const { blocks } = follow(file)
    const { globalId, id, utime } = MAINNET_KEY_BLOCK
    expect([globalId, blocks]).toEqual([MAINNET, [{ id, isKeyBlock: true, utime }]])
    // No recorded key block is younger.
    expect(id.seqno).toBe(Math.max(...links.map(({ to }) => to.seqno)))
  })

  it.each(FILES)('S147 rejects flipped bits of %s', (file) => {
    const bytes = recordedBytes(file)
    const random = createRandom(3)
    // `complete` is not proven: its only other value is another whole boolean.
    for (let run = 0; run < 40; run++) {
      const bit = Math.floor(random() * bytes.length * 8)
      expect([bit, problemOf(() => follow(file, flipBit(bytes, bit)))]).not.toEqual([
        bit,
        'accepted',
      ])
    }
  })

  it.each<[string, Partial<BlockId>]>([
    ['workchain', { workchain: 0 }],
    ['shard', { shard: 1n << 62n }],
    ['seqno', { seqno: 46_894_136 }],
    ['root hash', { rootHash: new Uint8Array(32) }],
    ['file hash', { fileHash: new Uint8Array(32) }],
  ])('S146 rejects a start with another %s than the trusted block', (_, changed) => {
    const trusted = { id: { ...startOf('chain.hex'), ...changed }, globalId: MAINNET }
    expect(problemOf(() => followLinks(recordedBytes('chain.hex'), trusted))).toMatch(
      /does not start/,
    )
  })

  it('S146 rejects another network', () => {
    const trusted = { id: startOf('chain.hex'), globalId: -3 }
    const problem = problemOf(() => followLinks(recordedBytes('chain.hex'), trusted))
    expect(problem).toBe('a block is of the network -239, not -3')
  })

  describe('S144', () => {
    const simplex = recordedBytes('one-link-simplex.hex')
    const chain = recordedBytes('chain.hex')
    const at = Buffer.from(simplex).indexOf(uint32(0xac249800))
    const list = at + 12
    const entry = 32 + 68
    const count = 66

    it('rejects a set with one signature less: the rest has less than two thirds of the weight', () => {
      const short = Buffer.concat([
        simplex.subarray(0, list),
        uint32(count - 1),
        simplex.subarray(list + 4 + entry),
      ])
      expect(problemOf(() => follow('one-link-simplex.hex', short))).toMatch(/two thirds/)
    })

    it('rejects a signer who signs twice', () => {
      const first = simplex.slice(list + 4, list + 4 + entry)
      const twice = new Uint8Array(simplex)
      twice.set(first, list + 4 + entry)
      expect(problemOf(() => follow('one-link-simplex.hex', twice))).toMatch(/repeated/)
    })

    it('rejects a signer from outside the round', () => {
      const foreign = new Uint8Array(simplex)
      foreign.fill(7, list + 4, list + 36)
      expect(problemOf(() => follow('one-link-simplex.hex', foreign))).toMatch(/is not a validator/)
    })

    it('rejects signatures of another session, slot or block', () => {
      const end = list + 4 + count * entry
      for (const bit of [end * 8, (end + 32) * 8]) {
        const problem = problemOf(() => follow('one-link-simplex.hex', flipBit(simplex, bit)))
        expect(problem).toBe('a signature is invalid')
      }
      const block = end + 32 + 4 + 1 + 4 + 4 + 8 + 4
      const other = problemOf(() => follow('one-link-simplex.hex', flipBit(simplex, block * 8)))
      expect(other).toBe('another block was signed')
    })

    it('rejects a set of another round, list or form', () => {
      for (const offset of [4, 8]) {
        const problem = problemOf(() =>
          follow('one-link-simplex.hex', flipBit(simplex, (at + offset) * 8)),
        )
        expect(problem).toMatch(/another round or another list/)
      }
      const unknown = replaceBytes(simplex, uint32(0xac249800), uint32(0xac249801))
      expect(problemOf(() => follow('one-link-simplex.hex', unknown))).toMatch(/unknown form/)
    })

    it('rejects a backward link, by name', () => {
      const back = replaceBytes(chain, uint32(0x520fce1c), uint32(0xef7e1bef))
      expect(problemOf(() => follow('chain.hex', back))).toBe('backward links are not supported')
    })

    it('rejects more than 16 links, and bytes after the end', () => {
      const counted = new Uint8Array(chain)
      counted.set(uint32(17), 4 + 4 + 80 + 80)
      expect(problemOf(() => follow('chain.hex', counted))).toMatch(/more than 16 links/)
      const longer = Buffer.concat([chain, new Uint8Array(4)])
      expect(problemOf(() => follow('chain.hex', longer))).toMatch(/follow the end/)
    })
  })
})
