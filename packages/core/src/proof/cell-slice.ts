import { CellReader } from '../shared/cells/cell-reader.js'
import { createCell, type ProofCell } from './cell.js'
import { demand, ProofError } from './proof-error.js'

/** Sequential reader of an ordinary cell. Every method throws a {@link ProofError} at the end of the cell. */
export class CellSlice extends CellReader<ProofCell> {
  /** @throws {ProofError} `not_covered` for an exotic cell: its content is withheld, or is stored elsewhere. */
  constructor(cell: ProofCell) {
    demand(cell.kind === 'ordinary', 'not_covered', `expected an ordinary cell; it is ${cell.kind}`)
    super(cell)
  }

  /** Opens the next reference. @throws {ProofError} `not_covered` when its content is withheld. */
  open(): CellSlice {
    return new CellSlice(this.ref())
  }

  /** Reads coins, and skips extra currencies. */
  currencies(): bigint {
    const coins = this.coins()
    this.maybeRef()
    return coins
  }

  /** Reads `tag`, of this number of bits. @throws {ProofError} for another one. */
  tag(tag: number, bits: number, name: string): void {
    const received = this.uint(bits)
    if (received !== tag) this.fail(`expected ${name}; its tag is ${received.toString(16)}`)
  }

  /** Reads the rest as a separate cell. */
  override rest(): ProofCell {
    return createCell(super.rest())
  }

  /** @throws {ProofError} when bits or references are left. */
  end(): void {
    const isEnd = this.bitsLeft === 0 && this.refsLeft === 0
    demand(isEnd, 'unexpected_data', 'a cell has more bits or references than its type')
  }

  protected override fail(problem: string): never {
    throw new ProofError('unexpected_data', problem)
  }
}
