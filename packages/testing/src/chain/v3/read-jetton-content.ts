import { Dictionary, type Cell, type Slice } from '@ton/core'
import { createHash } from 'node:crypto'

const OFF_CHAIN = 0x01
const SNAKE = 0x00

/** Source: TEP-64. */
const FIELDS = new Map(
  [
    'uri',
    'name',
    'description',
    'image',
    'image_data',
    'symbol',
    'decimals',
    'amount_style',
    'render_type',
  ].map((name) => [createHash('sha256').update(name).digest('hex'), name]),
)

/** What a jetton says about itself; empty when it says nothing that can be read. Source: TEP-64. */
export function readJettonContent(cell: Cell): Record<string, string> {
  try {
    const slice = cell.beginParse()
    if (slice.remainingBits < 8) return {}
    if (slice.loadUint(8) === OFF_CHAIN) return { uri: readSnake(slice) }
    const fields = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
    return Object.fromEntries(
      [...fields].map(([key, value]) => {
        const hex = key.toString('hex')
        return [FIELDS.get(hex) ?? hex, readValue(value)]
      }),
    )
  } catch {
    // Its maker wrote what they liked.
    return {}
  }
}

function readValue(cell: Cell): string {
  const slice = cell.beginParse()
  if (slice.remainingBits >= 8 && slice.preloadUint(8) === SNAKE) slice.skip(8)
  return readSnake(slice)
}

/** A text that goes on in the next cell. */
function readSnake(slice: Slice): string {
  const bytes = []
  let rest: Slice | undefined = slice
  while (rest !== undefined) {
    bytes.push(rest.loadBuffer(Math.floor(rest.remainingBits / 8)))
    rest = rest.remainingRefs > 0 ? rest.loadRef().beginParse() : undefined
  }
  return Buffer.concat(bytes).toString()
}
