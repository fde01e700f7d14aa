import { beginCell, type Cell } from '@ton/core'

/** Serializes trees into one bag of cells. References lead forward, as the network's own writer makes them. */
export function toBoc(...roots: Cell[]): Buffer {
  const order: Cell[] = []
  const places = new Map<string, number>()
  const keyOf = (cell: Cell): string => cell.hash().toString('hex')
  const visit = (cell: Cell): void => {
    if (places.has(keyOf(cell))) return
    places.set(keyOf(cell), -1)
    cell.refs.forEach(visit)
    order.push(cell)
  }
  roots.forEach(visit)
  order.reverse()
  for (const [place, cell] of order.entries()) places.set(keyOf(cell), place)
  const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
  const cells = Buffer.concat(
    order.map((cell) => {
      const { bits, refs, isExotic, mask } = cell
      const whole = beginCell().storeBits(bits)
      if (bits.length % 8 !== 0) {
        whole.storeBit(1)
        while (whole.bits % 8 !== 0) whole.storeBit(0)
      }
      const content = whole.asCell().bits.subbuffer(0, whole.bits) ?? Buffer.alloc(0)
      const first = refs.length + (isExotic ? 8 : 0) + 32 * mask.value
      const second = Math.floor(bits.length / 8) + Math.ceil(bits.length / 8)
      const places16 = refs.map((ref) => uint16(places.get(keyOf(ref)) ?? 0))
      return Buffer.concat([Buffer.from([first, second]), content, ...places16])
    }),
  )
  const size = Buffer.alloc(4)
  size.writeUInt32BE(cells.length)
  return Buffer.concat([
    Buffer.from('b5ee9c720204', 'hex'),
    uint16(order.length),
    uint16(roots.length),
    uint16(0),
    size,
    ...roots.map((root) => uint16(places.get(keyOf(root)) ?? 0)),
    cells,
  ])
}

/** Returns the pruned branch of level 1 that withholds a cell. */
export function withhold(cell: Cell): Cell {
  return beginCell()
    .storeUint(0x0101, 16)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16)
    .endCell({ exotic: true })
}

export function merkleProof(cell: Cell): Cell {
  return beginCell()
    .storeUint(3, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16)
    .storeRef(cell)
    .endCell({ exotic: true })
}

/** Returns an update from one state to another, both withheld. */
export function merkleUpdate(from: Cell, to: Cell): Cell {
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(from.hash(0))
    .storeBuffer(to.hash(0))
    .storeUint(from.depth(0), 16)
    .storeUint(to.depth(0), 16)
    .storeRef(withhold(from))
    .storeRef(withhold(to))
    .endCell({ exotic: true })
}

/** Returns a tree in which the cells with these hashes are withheld. */
export function withholding(tree: Cell, cells: readonly Cell[]): Cell {
  const isWithheld = cells.some((cell) => cell.hash(0).equals(tree.hash(0)))
  if (isWithheld) return withhold(tree)
  if (tree.isExotic || tree.refs.length === 0) return tree
  const builder = beginCell().storeBits(tree.bits)
  for (const ref of tree.refs) builder.storeRef(withholding(ref, cells))
  return builder.endCell()
}
