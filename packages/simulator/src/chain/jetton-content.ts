import { beginCell, Dictionary, type Cell, type Slice } from '@ton/core'
import { createHash } from 'node:crypto'

const ON_CHAIN = 0x00
const SNAKE = 0x00
const NAMES =
  'uri name description image image_data symbol decimals amount_style render_type'.split(' ')

/** The metadata of a jetton. */
export interface JettonMetadata {
  name: string
  symbol: string
  decimals: number
}

/** Writes metadata that is stored on the chain. Source: TEP-64. */
export function onChainContent(metadata: JettonMetadata): Cell {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, value] of Object.entries(metadata)) {
    const text = beginCell().storeUint(SNAKE, 8).storeStringTail(String(value)).endCell()
    values.set(keyOf(name), text)
  }
  return beginCell().storeUint(ON_CHAIN, 8).storeDict(values).endCell()
}

/** Reads the metadata of a jetton: values by name, or the URI of the metadata. Source: TEP-64. */
export function readContent(content: Cell) {
  const slice = content.beginParse()
  if (slice.remainingBits < 8 || slice.loadUint(8) !== ON_CHAIN) {
    return { type: 'offchain', data: slice.loadStringTail() }
  }
  const values = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  const names = new Map(NAMES.map((name) => [keyOf(name).toString('hex'), name]))
  const texts = [...values].map(([key, cell]) => {
    const hash = key.toString('hex')
    return [names.get(hash) ?? hash, readText(cell.beginParse())]
  })
  return { type: 'onchain', data: Object.fromEntries(texts) as Record<string, string> }
}

/** Reads a string that is stored in one chain of cells or in a dictionary of chunks. */
function readText(slice: Slice): string {
  if (slice.remainingBits < 8 || slice.loadUint(8) === SNAKE) return slice.loadStringTail()
  const chunks = slice.loadDict(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
  return chunks.values().reduce((text, cell) => text + readText(cell.beginParse()), '')
}

function keyOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
