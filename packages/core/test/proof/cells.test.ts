import { createHash } from 'node:crypto'
import { beginCell, Cell } from '@ton/core'
import { hashOf, readCells, readCellTree, type ProofError } from '@tonplug/core/proof'
import { describe, expect, it } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'
import {
  flipBit,
  fromHex,
  recordedBytes,
  recordedTransactions,
  recordedValues,
} from './recorded.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const problemOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    return (error as ProofError).details.problem
  }
  return 'accepted'
}
/** A bag of one cell of 8 bits: `b5ee9c72`, flags, offset size, counts, root, descriptors, data. */
const ONE_CELL = 'b5ee9c7201010101000300000255'

describe('readCells', () => {
  it.each(['block-basechain.hex', 'block-masterchain.hex'])(
    'reads the recorded %s, with its stored hashes, and computes its root hash',
    (file) => {
      const bytes = recordedBytes(file)
      const values = recordedValues(file)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(values.get('file_hash'))
      expect(hex(hashOf(readCellTree(bytes)))).toBe(values.get('root_hash'))
    },
  )

  it.each(['read-basechain.txt', 'read-masterchain.txt', 'read-absent.txt'])(
    'computes the hash of each level as @ton/core does in %s',
    (file) => {
      const bytes = fromHex(recordedValues(file).get('proof') ?? '')
      const roots = readCells(bytes, 2)
      const peers = Cell.fromBoc(Buffer.from(bytes))
      for (const [index, root] of roots.entries()) {
        const peer = peers[index]
        expect(root.hashes.map(hex)).toEqual(
          [0, 1, 2, 3].map((level) => peer?.hash(level).toString('hex')),
        )
        expect(root.depths).toEqual([0, 1, 2, 3].map((level) => peer?.depth(level)))
      }
    },
  )

  it('computes the hashes of cells of every size as @ton/core does', () => {
    const random = createRandom(7)
    for (let bits = 0; bits <= 1023; bits++) {
      const builder = beginCell()
      for (let bit = 0; bit < bits; bit++) builder.storeBit(random() < 0.5)
      for (let ref = 0; ref < bits % 5; ref++)
        builder.storeRef(beginCell().storeUint(ref, 7).endCell())
      const peer = builder.endCell()
      const hash = hashOf(readCellTree(new Uint8Array(peer.toBoc({ crc32: bits % 2 === 0 }))))
      expect(hex(hash)).toBe(peer.hash().toString('hex'))
    }
  })

  it('S147 rejects each flipped bit of recorded transactions', () => {
    for (const { boc } of recordedTransactions().slice(0, 3)) {
      const bytes = new Uint8Array(Buffer.from(boc, 'base64'))
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        expect(problemOf(() => readCellTree(flipBit(bytes, bit)))).not.toBe('accepted')
      }
    }
  })

  it.each([
    ['a smaller format', '68ff65f30101010100030002 55'.replace(' ', '')],
    ['unknown flags', ONE_CELL.replace('72010101', '72090101')],
    ['cache bits without an index', ONE_CELL.replace('72010101', '72210101')],
    ['no bytes for a reference', ONE_CELL.replace('72010101', '72000101')],
    ['two roots', 'b5ee9c720101010200030000000255'],
    ['an absent cell', ONE_CELL.replace('0101000300', '0101010300')],
    ['a root that leads nowhere', ONE_CELL.replace('00030000', '00030100')],
    ['bytes after its end', `${ONE_CELL}00`],
    ['a missing byte', ONE_CELL.slice(0, -2)],
    ['another length', ONE_CELL.replace('00030000', '00040000')],
    ['a wrong checksum', `${ONE_CELL.replace('72010101', '72410101')}00000000`],
    ['a wrong level', ONE_CELL.replace('00000255', '00200255')],
    ['five references', ONE_CELL.replace('00000255', '00050255')],
    ['bits without an end', ONE_CELL.replace('00000255', '00000100')],
    ['bits with an end of their own', ONE_CELL.replace('00000255', '00000180')],
    ['an exotic cell without a type', ONE_CELL.replace('00000255', '00080180')],
    ['an exotic cell of an unknown type', ONE_CELL.replace('00000255', '00080209')],
    ['a pruned branch without hashes', ONE_CELL.replace('00000255', '00080201')],
    ['a reference to the cell itself', 'b5ee9c720101010100030000010000'],
    ['an unused cell', 'b5ee9c7201010201000600000255000266'],
    ['more than 20,000 cells', 'b5ee9c72020200ffff'.replace('00ffff', 'ffff') + '0001000000030000'],
  ])('rejects %s', (_, digits) => {
    expect(problemOf(() => readCells(fromHex(ONE_CELL), 1))).toBe('accepted')
    expect(problemOf(() => readCells(fromHex(digits), 1))).toBe('malformed')
  })

  it('rejects a wrong offset, a wrong stored hash, and accepts right ones', () => {
    const cell = beginCell().storeUint(1, 9).storeRef(beginCell().endCell()).endCell()
    const indexed = new Uint8Array(cell.toBoc({ idx: true }))
    expect(hex(hashOf(readCellTree(indexed)))).toBe(cell.hash().toString('hex'))
    // Magic, flags, size, three counts, length, root: the index follows.
    const changed = new Uint8Array(indexed)
    changed[11] = (changed[11] ?? 0) + 1
    expect(problemOf(() => readCellTree(changed))).toBe('malformed')
    const hash = createHash('sha256').update(fromHex('000255')).digest()
    const stating = (digits: string): Uint8Array =>
      fromHex(`b5ee9c7201010101002500` + `1002${digits}000055`)
    expect(problemOf(() => readCellTree(stating(hex(hash))))).toBe('accepted')
    expect(problemOf(() => readCellTree(stating(hex(flipBit(hash, 5)))))).toBe('mismatch')
  })

  it('rejects more than 256 KiB, and cells deeper than 1,024', () => {
    expect(problemOf(() => readCellTree(new Uint8Array(262_145)))).toBe('malformed')
    let cell = beginCell().endCell()
    for (let depth = 0; depth < 1024; depth++) cell = beginCell().storeRef(cell).endCell()
    expect(problemOf(() => readCellTree(new Uint8Array(cell.toBoc())))).toBe('accepted')
    const deeper = beginCell().storeRef(cell).endCell()
    expect(problemOf(() => readCellTree(new Uint8Array(deeper.toBoc())))).toBe('malformed')
  })
})
