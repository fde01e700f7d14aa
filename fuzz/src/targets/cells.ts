import assert from 'node:assert/strict'
import { Cell as TonCell } from '@ton/core'
import { CellError, type Cell } from '../../../packages/core/src/shared/cells/cell.js'
import { decodeBoc } from '../../../packages/core/src/toncenter/chain/cells/decode-boc.js'
import { hashCell } from '../../../packages/core/src/toncenter/chain/cells/hash-cell.js'
import {
  readComment,
  readJettonInternalTransfer,
  readJettonTransfer,
  readNftTransfer,
} from '../../../packages/core/src/toncenter/chain/message-body.js'
import { documented, type Target } from '../target.js'

export const cellsTarget: Target = {
  name: 'cells',
  words: [
    '\xb5\xee\x9c\x72\x01\x01',

    '\x01\x01\x00',
    '\x02\x01\x00',
    '\x00\x00',
    '\x01\x00\x01',
    '\x02\x00\x01\x01',
    '\x08\x02\x03',

    '\x0f\x8a\x7e\xa5',
    '\x17\x8d\x45\x19',
    '\x5f\xcc\x3d\x14',
    '\x21\x67\xda\x4b',
    '\x80',
    '\xff',
  ],
  grow: {
    'cells side by side': (bytes) => bagOf(Array.from({ length: bytes / 3 }, () => [])),
    'cells below each other': (bytes) =>
      bagOf(Array.from({ length: bytes / 5 }, (_, index) => [index + 1]).with(-1, [])),
    'the same cell four times on each level': (bytes) =>
      bagOf(
        Array.from({ length: bytes / 14 }, (_, index) =>
          Array.from({ length: 4 }, () => index + 1),
        ).with(-1, []),
      ),
  },
  async check(input) {
    let cell: Cell | undefined
    documented(CellError, () => (cell = decodeBoc(Buffer.from(input).toString('base64'))))
    if (cell === undefined) return
    const root = cell
    for (const read of [
      readComment,
      readJettonTransfer,
      readJettonInternalTransfer,
      readNftTransfer,
    ]) {
      read(root)
    }
    const found = await hashCell(root)
    const expected = oracle(input)
    if (expected === undefined) return
    assert.equal(Buffer.from(found).toString('hex'), expected, 'the hash is another one')
  },
}

function oracle(input: Uint8Array): string | undefined {
  try {
    return TonCell.fromBoc(Buffer.from(input))[0]?.hash().toString('hex')
  } catch {
    return undefined
  }
}

/** Returns a bag of cells without data bits, with the given references. */
function bagOf(refs: readonly (readonly number[])[]): Uint8Array {
  const integer = (value: number): number[] => [value >> 16, (value >> 8) & 255, value & 255]
  const cells = refs.flatMap((targets) => [targets.length, 0, ...targets.flatMap(integer)])
  return Uint8Array.from([
    0xb5,
    0xee,
    0x9c,
    0x72,
    3,
    3,
    ...[refs.length, 1, 0, cells.length, 0].flatMap(integer),
    ...cells,
  ])
}
