import { beginCell, Dictionary, type Cell } from '@ton/core'
import type { Chain } from '../chain.js'
import { Refusal } from '../refusal.js'
import { base64Boc, readHash } from '../spellings.js'
import { intOf, invalid, type Answer } from './question.js'

/** The methods about the configuration that contracts run with, and libraries. */
export const configuration = {
  getConfigParam(question) {
    const ids = ['config_id', 'param'].map((name) => intOf(question, name, 0))
    const [id, ...others] = ids.filter((value) => value !== undefined)
    if (id === undefined || others.length > 0)
      throw invalid('exactly one of config_id and param is required')
    const cell = paramsOf(question.chain).get(id)
    if (cell === undefined) {
      throw new Refusal(500, `LITE_SERVER_UNKNOWN: configuration parameter ${id} is not set`)
    }
    return writeConfig(cell)
  },
  getConfigAll: ({ chain }) => writeConfig(chain.blockchain.config),
  getLibraries({ chain, params }) {
    const { libraries = [] } = params
    const list: unknown[] = Array.isArray(libraries) ? libraries : [libraries]
    const asked = list.filter((hash) => typeof hash === 'string').map(readHash)
    const known = librariesOf(chain)
    const result = asked.flatMap((hash) => {
      const cell = known?.get(Buffer.from(hash, 'base64'))
      return cell === undefined ? [] : [{ hash, data: base64Boc(cell) }]
    })
    return { '@type': 'smc.libraryResult', result }
  },
} satisfies Record<string, Answer>

function writeConfig(cell: Cell): unknown {
  return { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: base64Boc(cell) } }
}

function paramsOf({ blockchain }: Chain): Dictionary<number, Cell> {
  return Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    blockchain.config.beginParse(),
  )
}

/** Those that were given to the virtual machine. */
function librariesOf({ blockchain }: Chain): Dictionary<Buffer, Cell> | undefined {
  const libraries = blockchain.libs ?? beginCell().endCell()
  if (libraries.bits.length === 0) return undefined
  return Dictionary.loadDirect(
    Dictionary.Keys.Buffer(32),
    Dictionary.Values.Cell(),
    libraries.beginParse(),
  )
}
