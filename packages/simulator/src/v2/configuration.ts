import { beginCell, Dictionary, type Cell } from '@ton/core'
import type { Chain } from '../chain/chain.js'
import { HttpError } from '../server/http-error.js'
import { base64Boc, readHash } from '../shared/encodings.js'
import { intOf, invalid, type Method } from './method-call.js'

/** The methods for the blockchain configuration and for libraries. */
export const configuration = {
  getConfigParam(call) {
    const ids = ['config_id', 'param'].map((name) => intOf(call, name, 0))
    const [id, ...others] = ids.filter((value) => value !== undefined)
    if (id === undefined || others.length > 0)
      throw invalid('exactly one of config_id and param is required')
    const cell = paramsOf(call.chain).get(id)
    if (cell === undefined) {
      throw new HttpError(500, `LITE_SERVER_UNKNOWN: configuration parameter ${id} is not set`)
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
} satisfies Record<string, Method>

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

/** Returns the libraries of the virtual machine. */
function librariesOf({ blockchain }: Chain): Dictionary<Buffer, Cell> | undefined {
  const libraries = blockchain.libs ?? beginCell().endCell()
  if (libraries.bits.length === 0) return undefined
  return Dictionary.loadDirect(
    Dictionary.Keys.Buffer(32),
    Dictionary.Values.Cell(),
    libraries.beginParse(),
  )
}
