import { Cell, loadMessage, type Address } from '@ton/core'
import { MessageRejectedError, type Chain, type ChainBlock } from '../chain.js'
import type { ApiReply, ApiServer, ServedApi } from '../http-server.js'
import { normalizedHash } from '../message-hash.js'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { readAddress, Refusal } from '../refusal.js'
import { base64Hash, rawAddress, readHash } from '../spellings.js'
import { readStack, UnsupportedEntryError, writeStack, writeTyped } from './stack.js'
import {
  writeAccount,
  writeBlockId,
  writeState,
  writeTransaction,
  writeTransactionId,
} from './write.js'

type Params = Readonly<Record<string, unknown>>

/** Serves a chain as API v2 does, in the dialect of the C++ server; `/jsonRPC` too. */
export function mountV2Api(server: ApiServer, chain: Chain): ServedApi {
  return server.mount('/api/v2', async ({ path, query, body, method }) => {
    const params: Params = { ...Object.fromEntries(query), ...body }
    if (path !== '/jsonRPC') return reply(chain, path.slice(1), params)
    if (method !== 'POST') return failure(405, 'method not allowed')
    return reply(chain, String(params['method']), (params['params'] ?? {}) as Params)
  })
}

async function reply(chain: Chain, method: string, params: Params): Promise<ApiReply> {
  const answer = METHODS[method]
  if (answer === undefined) return failure(404, 'Not Found')
  try {
    const result = await answer(chain, params)
    return { body: { ok: true, result, '@extra': `${chain.now}:_:0.004` } }
  } catch (error) {
    if (error instanceof Refusal) return failure(error.status, error.message)
    if (error instanceof UnsupportedEntryError) return failure(542, error.message)
    if (error instanceof MessageRejectedError) return failure(500, describeRejection(error))
    throw error
  }
}

const METHODS: Readonly<Record<string, ((chain: Chain, params: Params) => unknown) | undefined>> = {
  async getAddressInformation(chain, params) {
    return writeAccount(await chain.account(addressOf(params)), headOf(chain))
  },
  async getAddressBalance(chain, params) {
    return (await chain.account(addressOf(params))).balance.toString()
  },
  async getAddressState(chain, params) {
    return writeState(await chain.account(addressOf(params)))
  },
  getTransactions,
  async runGetMethod(chain, params) {
    const run = await runMethod(chain, params)
    return { '@type': 'smc.runResult', ...run, stack: writeStack(run.stack) }
  },
  async runGetMethodStd(chain, params) {
    const { gas_used, exit_code, stack } = await runMethod(chain, params)
    return { '@type': 'smc.runResult', gas_used, exit_code, stack: stack.map(writeTyped) }
  },
  async sendBoc(chain, params) {
    await chain.send(messageOf(params))
    return { '@type': 'ok' }
  },
  sendBocReturnHash,
  async sendBocReturnHashNoError(chain, params) {
    try {
      return await sendBocReturnHash(chain, params)
    } catch (error) {
      if (error instanceof MessageRejectedError) throw new Refusal(400, describeRejection(error))
      throw error
    }
  },
  getMasterchainInfo(chain) {
    return {
      '@type': 'blocks.masterchainInfo',
      last: writeBlockId(-1, headOf(chain).seqno),
      state_root_hash: base64Hash(1n),
      init: { ...writeBlockId(-1, 0), shard: '0' },
    }
  },
  shards: getShards,
  getShards,
  getBlockTransactions(chain, params) {
    const seqno = Number(params['seqno'])
    const isMasterchain = Number(params['workchain']) === -1
    const found = isMasterchain ? [] : (blockAt(chain, seqno)?.transactions ?? [])
    return {
      '@type': 'blocks.transactions',
      id: writeBlockId(Number(params['workchain']), seqno),
      req_count: 40,
      incomplete: false,
      transactions: found.map(({ address, transaction }) => ({
        '@type': 'blocks.shortTxId',
        mode: 135,
        account: rawAddress(address),
        lt: transaction.lt.toString(),
        hash: base64Hash(transaction.hash()),
      })),
    }
  },
  tryLocateTx: locateReceiver,
  tryLocateResultTx: locateReceiver,
  tryLocateSourceTx(chain, params) {
    const lt = ltOf(params, 'created_lt')
    return located(
      chain.transactions.find(
        (one) =>
          one.address.equals(addressOf(params, 'source')) &&
          [...one.transaction.outMessages.values()].some(
            ({ info }) => info.type === 'internal' && info.createdLt === lt,
          ),
      ),
    )
  },
}

async function runMethod(chain: Chain, params: Params) {
  const address = addressOf(params)
  const name = String(params['method'])
  const method = /^-?\d+$/.test(name) ? Number(name) : name
  const { exitCode, gasUsed, stack } = await chain.runGetMethod(
    address,
    method,
    readStack(params['stack'] ?? []),
  )
  const { last } = await chain.account(address)
  return {
    gas_used: gasUsed,
    exit_code: exitCode,
    stack,
    block_id: writeBlockId(-1, headOf(chain).seqno),
    last_transaction_id: writeTransactionId(last.lt, last.hash),
  }
}

async function sendBocReturnHash(chain: Chain, params: Params): Promise<unknown> {
  const message = messageOf(params)
  await chain.send(message)
  return {
    '@type': 'raw.extMessageInfo',
    hash: base64Hash(message.hash()),
    hash_norm: base64Hash(normalizedHash(message)),
  }
}

function getTransactions(chain: Chain, params: Params): unknown {
  const address = addressOf(params)
  const mine = chain.transactions.filter((one) => one.address.equals(address)).toReversed()
  const { hash, limit } = params
  const lt = params['lt'] === undefined ? undefined : ltOf(params, 'lt')
  if ((lt === undefined) !== (hash === undefined)) throw new Refusal(422, 'lt and hash go together')
  let start = 0
  if (lt !== undefined) {
    start = mine.findIndex(
      ({ transaction }) =>
        transaction.lt === lt && base64Hash(transaction.hash()) === readHash(String(hash)),
    )
    if (start === -1) {
      throw new Refusal(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction')
    }
  }
  const least = ltOf(params, 'to_lt')
  return mine
    .slice(start, start + Number(limit ?? 10))
    .filter(({ transaction }) => transaction.lt > least)
    .map(writeTransaction)
}

function locateReceiver(chain: Chain, params: Params): unknown {
  const lt = ltOf(params, 'created_lt')
  return located(
    chain.transactions.find(({ inMessage }) => {
      if (inMessage === undefined) return false
      const { info } = loadMessage(inMessage.beginParse())
      return (
        info.type === 'internal' &&
        info.createdLt === lt &&
        info.src.equals(addressOf(params, 'source')) &&
        info.dest.equals(addressOf(params, 'destination'))
      )
    }),
  )
}

function located(found: RecordedTransaction | undefined): unknown {
  if (found === undefined) throw new Refusal(404, 'transaction was not found')
  return writeTransaction(found)
}

function getShards(chain: Chain, params: Params): unknown {
  const block = blockAt(chain, Number(params['seqno']))
  if (block === undefined) throw new Refusal(500, 'LITE_SERVER_NOTREADY: block is not applied')
  return { '@type': 'blocks.shards', shards: [writeBlockId(0, block.seqno)] }
}

function addressOf(params: Params, name = 'address'): Address {
  return readAddress(String(params[name]))
}

/** A logical time; 0 where there is none. */
function ltOf(params: Params, name: string): bigint {
  const lt = params[name]
  // Digits, as all clients send it.
  return lt === undefined ? 0n : BigInt(lt as string | number)
}

function messageOf(params: Params): Cell {
  try {
    return Cell.fromBase64(String(params['boc']))
  } catch {
    throw new Refusal(422, 'failed to parse request: boc is not a bag of cells')
  }
}

function blockAt(chain: Chain, seqno: number): ChainBlock | undefined {
  return chain.blocks.find((block) => block.seqno === seqno)
}

function headOf(chain: Chain): ChainBlock {
  // The first block is always there.
  return chain.blocks.at(-1)!
}

function describeRejection({ exitCode, vmLog }: MessageRejectedError): string {
  const what = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'
  const why = exitCode === undefined ? '' : `:\nexitcode=${exitCode}, steps=0, gas_used=0`
  const log = vmLog === '' ? '' : `\nVM Log (truncated):\n...${vmLog.slice(-400)}`
  return `${what} : External message was not accepted${why}${log}`
}

function failure(status: number, error: string): ApiReply {
  return { status, body: { ok: false, error, code: status, '@extra': '_' } }
}
