import { beginCell, Dictionary, type Cell } from '@ton/core'
import { createHash } from 'node:crypto'

const ON_CHAIN = 0x00
const SNAKE = 0x00

/** What a jetton tells of itself. */
export interface JettonMetadata {
  name: string
  symbol: string
  decimals: number
}

/** The content of a jetton that keeps what it tells on the chain. Source: TEP-64. */
export function onChainContent(metadata: JettonMetadata): Cell {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, value] of Object.entries(metadata)) {
    const text = beginCell().storeUint(SNAKE, 8).storeStringTail(String(value)).endCell()
    values.set(createHash('sha256').update(name).digest(), text)
  }
  return beginCell().storeUint(ON_CHAIN, 8).storeDict(values).endCell()
}
