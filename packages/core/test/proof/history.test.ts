import { describe, expect, it } from 'vitest'
import { createHistory } from '../../src/proof/history.js'
import { hashOf, type ProofCell } from '../../src/proof/cell.js'
import type { TransactionId } from '../../src/proof/transaction.js'
import { writeCell } from '../../src/proof/write-cell.js'
import { uintBits } from '../../src/shared/cells/bits.js'

const ACCOUNT = new Uint8Array(32).fill(7)
const PAGE = 16
const NOTHING: TransactionId = { hash: new Uint8Array(32), lt: 0n }

const bitsOf = (bytes: Uint8Array): string => [...bytes].map((byte) => uintBits(byte, 8)).join('')

/** Returns transactions of one account, oldest first, at the logical times 10, 20, … */
function chainOf(count: number): ProofCell[] {
  const noMessages = writeCell('0', [])
  const noChange = writeCell('', [])
  const description = writeCell(`0001${'0'.repeat(20)}`, [])
  const cells: ProofCell[] = []
  let before: TransactionId = NOTHING
  for (let number = 1; number <= count; number++) {
    const lt = BigInt(number) * 10n
    const bits = [
      '0111',
      bitsOf(ACCOUNT),
      uintBits(lt, 64),
      bitsOf(before.hash),
      uintBits(before.lt, 64),
      uintBits(1000, 32),
      uintBits(0, 15),
      '000000000',
    ]
    const cell = writeCell(bits.join(''), [noMessages, noChange, description])
    cells.push(cell)
    before = { hash: hashOf(cell), lt }
  }
  return cells
}

describe('the proven history of an account', () => {
  it('continues above a gap of more transactions than it keeps', async () => {
    const count = 9000
    const cells = chainOf(count)
    const idOf = (number: number) => ({
      hash: hashOf(cells[number - 1] as ProofCell),
      lt: BigInt(number) * 10n,
    })
    const read = async ({ lt }: { lt: bigint }): Promise<ProofCell[]> => {
      const end = Number(lt / 10n)
      return cells.slice(Math.max(0, end - PAGE), end).toReversed()
    }
    const history = createHistory(ACCOUNT)
    await history.extend(idOf(1), [10n], read)
    const lastLt = idOf(count).lt
    // Each look reads a bounded number of pages.
    const looks: string[] = []
    while (looks.length < 10 && looks.at(-1) !== 'done') {
      const look = history.extend(idOf(count), [lastLt], read).then(
        () => 'done',
        (error: Error) => error.message,
      )
      looks.push(await look)
    }
    const continued = 'the history is long; the next look continues'
    expect(looks).toEqual([continued, continued, continued, 'done'])
    expect(history.at(lastLt)).toMatchObject({ lt: lastLt })
    // It is below the transactions that are kept: unknown, and not absent.
    expect(history.at(10n)).toBeUndefined()
  })
})
