import { beginCell, Cell as TonCell, convertToMerkleProof, Dictionary } from '@ton/core'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CellError, writeCell, type Cell } from '../../../shared/cells/cell.js'
import { readCell } from '../../../shared/cells/cell-reader.js'
import { decodeBoc } from './decode-boc.js'
import { hashCell } from './hash-cell.js'
import { encodeBoc } from './write-boc.js'

const parseBoc = (bytes: Uint8Array): Cell => decodeBoc(Buffer.from(bytes).toString('base64'))

/** Up to twelve cells of any length. Each refers to some that were made before it. */
const cells = fc
  .array(
    fc.record({
      bits: fc.array(fc.boolean(), { maxLength: 1023 }),
      refs: fc.array(fc.nat(), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((plans) => {
    const made: TonCell[] = []
    for (const { bits, refs } of plans) {
      const builder = beginCell()
      for (const bit of bits) builder.storeBit(bit)
      for (const ref of refs) {
        const target = made[ref % made.length]
        if (target !== undefined) builder.storeRef(target)
      }
      made.push(builder.endCell())
    }
    return made.at(-1) ?? beginCell().endCell()
  })

/** Describes a cell and all cells below it. */
function describeCell(cell: Cell): unknown {
  const { bytes, bitLength, refs, kind } = cell
  return {
    data: Buffer.from(bytes).toString('hex'),
    bitLength,
    isExotic: kind !== 'ordinary',
    refs: refs.map(describeCell),
  }
}

function describeTonCell(cell: TonCell): unknown {
  const bytes = Buffer.alloc(Math.ceil(cell.bits.length / 8))
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    // The bits of an incomplete byte end with a 1.
    const isSet = bit < cell.bits.length ? cell.bits.at(bit) : bit === cell.bits.length
    if (isSet) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  }
  return {
    data: bytes.toString('hex'),
    bitLength: cell.bits.length,
    isExotic: cell.isExotic,
    refs: cell.refs.map(describeTonCell),
  }
}

describe('cells', () => {
  it('are read from a bag as @ton/core wrote it, with and without index and checksum', () => {
    fc.assert(
      fc.property(cells, fc.boolean(), fc.boolean(), (cell, idx, crc32) => {
        const parsed = parseBoc(cell.toBoc({ idx, crc32 }))
        expect(describeCell(parsed)).toEqual(describeTonCell(cell))
      }),
      { numRuns: 200 },
    )
  })

  it('have the hashes that @ton/core gives them', async () => {
    await fc.assert(
      fc.asyncProperty(cells, async (cell) => {
        expect(Buffer.from(await hashCell(parseBoc(cell.toBoc())))).toEqual(cell.hash())
      }),
      { numRuns: 100 },
    )
  })

  it('have the right hashes around pruned branches, proofs, updates and libraries', async () => {
    const pruned = (mask: number, levels: number, fill: number): TonCell => {
      const builder = beginCell().storeUint(1, 8).storeUint(mask, 8)
      for (let level = 0; level < levels; level++)
        builder.storeBuffer(Buffer.alloc(32, fill + level))
      for (let level = 0; level < levels; level++) builder.storeUint(5 + level, 16)
      return builder.endCell({ exotic: true })
    }
    const proof = (of: TonCell): TonCell =>
      beginCell()
        .storeUint(3, 8)
        .storeBuffer(of.hash(0))
        .storeUint(of.depth(0), 16)
        .storeRef(of)
        .endCell({ exotic: true })
    const update = (from: TonCell, to: TonCell): TonCell =>
      beginCell()
        .storeUint(4, 8)
        .storeBuffer(from.hash(0))
        .storeBuffer(to.hash(0))
        .storeUint(from.depth(0), 16)
        .storeUint(to.depth(0), 16)
        .storeRef(from)
        .storeRef(to)
        .endCell({ exotic: true })
    const library = beginCell()
      .storeUint(2, 8)
      .storeBuffer(createHash('sha256').update('code').digest())
      .endCell({ exotic: true })
    const over = (...refs: TonCell[]): TonCell => {
      const builder = beginCell().storeUint(9, 7)
      for (const ref of refs) builder.storeRef(ref)
      return builder.endCell()
    }
    const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(64), Dictionary.Values.Uint(32))
    for (let key = 0; key < 40; key++) dictionary.set(BigInt(key) << 40n, key)
    const samples = [
      library,
      over(library),
      pruned(1, 1, 10),
      proof(over(pruned(1, 1, 10), library)),
      over(proof(over(pruned(3, 2, 20), over(pruned(1, 1, 30))))),
      proof(over(proof(over(pruned(3, 2, 40), pruned(3, 2, 50))), pruned(1, 1, 60))),
      update(over(pruned(1, 1, 70)), over(over(pruned(1, 1, 80)))),
      over(pruned(7, 3, 90), pruned(3, 2, 100)),
      over(dictionary.generateMerkleProof([3n << 40n])),
      over(convertToMerkleProof(over(over()))),
    ]
    for (const [index, cell] of samples.entries()) {
      const hash = await hashCell(parseBoc(cell.toBoc()))
      expect(`${index} ${Buffer.from(hash).toString('hex')}`).toBe(
        `${index} ${cell.hash().toString('hex')}`,
      )
    }
  })

  it('are read past the hashes and depths that some bags state', async () => {
    const leaf = beginCell().storeUint(7, 8).endCell()
    const hash = Buffer.concat([leaf.hash(), Buffer.from([0, 0])])
    const cellBytes = Buffer.concat([Buffer.from([0x10, 2]), hash, Buffer.from([7])])
    const boc = Buffer.concat([
      Buffer.from('b5ee9c72010101', 'hex'),
      Buffer.from([1, 0, cellBytes.length, 0]),
      cellBytes,
    ])
    expect(Buffer.from(await hashCell(parseBoc(boc)))).toEqual(leaf.hash())
  })
})

/** Returns the error that parsing throws. */
function problemOf(bytes: Uint8Array): unknown {
  try {
    parseBoc(bytes)
    return undefined
  } catch (error) {
    return error
  }
}

describe('bytes that are no bag of cells', () => {
  const boc = beginCell()
    .storeUint(5, 3)
    .storeRef(beginCell().storeUint(9, 8).endCell())
    .endCell()
    .toBoc()

  it('are refused wherever they are cut', () => {
    for (let length = 0; length < boc.length; length++) {
      expect(() => parseBoc(boc.subarray(0, length))).toThrow(CellError)
    }
  })

  it('are refused when any byte was changed', () => {
    for (let at = 0; at < boc.length; at++) {
      const changed = Buffer.from(boc)
      changed[at] = (changed[at] ?? 0) ^ 0x41
      expect(() => parseBoc(changed)).toThrow(CellError)
    }
  })

  it('cause no error other than a CellError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (tail) => {
        const bytes = Buffer.concat([Buffer.from('b5ee9c72', 'hex'), tail])
        expect(problemOf(bytes)).toSatisfy((one) => one === undefined || one instanceof CellError)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['an older form', '68ff65f30101020100070307' + '0101b001000209'],
    ['an unused cell', 'b5ee9c7201010201000600000255000266'],
    ['a wrong level', 'b5ee9c7201010101000300200255'],
    ['several roots', 'b5ee9c72010102020003000100000000'],
    ['a reference to itself', 'b5ee9c720101010100030001000000'],
    ['an absent cell', 'b5ee9c7201010101000200070000'],
  ])('are refused for %s', (_, hex) => {
    expect(() => parseBoc(Buffer.from(hex, 'hex'))).toThrow(CellError)
  })
})

describe('nested cells', () => {
  /** A bag of cells without bits. Each refers to the next. */
  const chainOf = (count: number): Uint8Array => {
    const integer = (value: number): number[] => [value >> 16, (value >> 8) & 255, value & 255]
    const bodies = Array.from({ length: count - 1 }, (_, index) => [1, 0, ...integer(index + 1)])
    const content = [...bodies.flat(), 0, 0]
    const sizes = [count, 1, 0, content.length, 0].flatMap(integer)
    return Uint8Array.from([0xb5, 0xee, 0x9c, 0x72, 3, 3, ...sizes, ...content])
  }

  it('are read and hashed up to the depth limit of the network', async () => {
    const boc = chainOf(1025)
    const hash = TonCell.fromBoc(Buffer.from(boc))[0]?.hash()
    expect(Buffer.from(await hashCell(parseBoc(boc)))).toEqual(hash)
  })

  it.each([1026, 20_000])('are refused beyond that depth: %i', (count) => {
    expect(() => parseBoc(chainOf(count))).toThrow(new CellError('the cells are too deep'))
  })
})

describe('readCell', () => {
  it('reads what @ton/core stores, from any bit on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 }),
        fc.bigInt({ min: 0n, max: 2n ** 120n - 1n }),
        fc.uint8Array({ maxLength: 60 }),
        (skipped, amount, bytes) => {
          const builder = beginCell().storeUint(0, skipped).storeCoins(amount)
          builder.storeBuffer(Buffer.from(bytes)).storeUint(5, 3)
          const reader = readCell(parseBoc(builder.endCell().toBoc()))
          reader.skip(skipped)
          expect(reader.coins()).toBe(amount)
          expect(Buffer.from(reader.bytes(bytes.length))).toEqual(Buffer.from(bytes))
          expect(describeCell(reader.rest())).toEqual(
            describeTonCell(beginCell().storeUint(5, 3).endCell()),
          )
          expect([reader.bitsLeft, reader.refsLeft]).toEqual([0, 0])
          expect(() => reader.bit()).toThrow(CellError)
          expect(() => reader.bytes(1)).toThrow(CellError)
          expect(() => reader.ref()).toThrow(CellError)
        },
      ),
    )
  })
})

describe('encodeBoc', () => {
  const bits = fc.array(fc.constantFrom('0', '1'), { maxLength: 1023 }).map((all) => all.join(''))
  const leaves = fc.array(bits, { maxLength: 4 })

  it('writes trees that @ton/core and parseBoc read unchanged', () => {
    fc.assert(
      fc.property(bits, leaves, leaves, (root, children, grandchildren) => {
        const below = grandchildren.map((one) => writeCell(one, []))
        const refs = children.map((one, index) => writeCell(one, index === 0 ? below : []))
        const cell = writeCell(root, refs)
        const boc = encodeBoc(cell)
        expect(describeCell(decodeBoc(boc))).toEqual(describeCell(cell))
        expect(describeTonCell(TonCell.fromBase64(boc))).toEqual(describeCell(cell))
      }),
      { numRuns: 50 },
    )
  })
})
