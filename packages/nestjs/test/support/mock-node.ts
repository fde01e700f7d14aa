import { startMockApi, type ApiRequest, type MockApi } from '@tonplug/test-support/mock-api'
import { refuse } from '@tonplug/test-support/responses'

export const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
export const SEQNO = 87_000_123

const hash = 'W3HuLEh6eSvQCUHUgL0irxtGBWkg4oxb2oYjugqrV+8='
const block = {
  workchain: -1,
  shard: '-9223372036854775808',
  seqno: SEQNO,
  root_hash: hash,
  file_hash: hash,
}

/** Behavior of a node. By default it responds immediately, and its last block is current. */
export interface NodeBehavior {
  balance?: string
  /** The age of its last block; `'unknown'` omits the time. */
  lagSeconds?: number | 'unknown'
  /** Delays responses until a promise resolves, by path. */
  holds?: Readonly<Record<string, Promise<void>>>
  /** The response of API v3 to `/traces`. */
  traces?: object
  /** The response to every request. */
  refusal?: { status: number; error: string }
}

/** Starts a mock of API v2, and of the endpoints of API v3 that tests need, until the test ends. */
export async function startMockNode(behavior: NodeBehavior = {}): Promise<MockApi> {
  return startMockApi(async (request) => {
    const { holds, refusal } = behavior
    await holds?.[request.path]
    return refusal === undefined
      ? { body: bodyOf(request, behavior) }
      : refuse(refusal.status, refusal.error)
  })
}

function bodyOf({ url }: ApiRequest, behavior: NodeBehavior): object {
  // Also below a prefix.
  const [, version, path = ''] = /\/api\/(v[23])(\/\w+)/.exec(url) ?? []
  if (path === '/traces' && behavior.traces !== undefined) return behavior.traces
  if (version === 'v2') {
    return { ok: true, result: resultOf(path, behavior), '@extra': 'x' }
  }
  switch (path) {
    case '/masterchainInfo':
      return { last: indexBlock(SEQNO), first: indexBlock(1) }
    case '/accountStates':
      return { accounts: [accountState(behavior)], address_book: {}, metadata: {} }
    case '/transactionsByMasterchainBlock':
      return { transactions: [], address_book: {} }
    default:
      throw new Error(`the mock node has no ${path}`)
  }
}

function accountState({ balance = '1' }: NodeBehavior): object {
  return { address: `0:${'07'.repeat(32)}`, balance, status: 'uninit' }
}

function indexBlock(seqno: number): object {
  return {
    workchain: -1,
    shard: '8000000000000000',
    seqno,
    root_hash: hash,
    file_hash: hash,
    start_lt: '63870000000000',
    end_lt: '63870000000004',
    gen_utime: '1780000000',
    prev_blocks: [],
  }
}

function resultOf(path: string, { balance = '1', lagSeconds = 0 }: NodeBehavior): unknown {
  switch (path) {
    case '/getAddressBalance':
    // The tests request only the balance by JSON-RPC.
    case '/jsonRPC':
      return balance
    case '/getAddressInformation':
      return {
        balance,
        code: '',
        data: '',
        last_transaction_id: { lt: '1', hash },
        sync_utime: 1,
        state: 'uninitialized',
      }
    case '/getMasterchainInfo':
      return { last: block, state_root_hash: hash, init: { ...block, seqno: 0 } }
    case '/getBlockHeader':
      return headerMadeAt(
        lagSeconds === 'unknown' ? undefined : Math.floor(Date.now() / 1000) - lagSeconds,
      )
    default:
      throw new Error(`the mock node has no ${path}`)
  }
}

function headerMadeAt(gen_utime: number | undefined): object {
  return {
    id: block,
    global_id: -239,
    version: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: true,
    want_split: false,
    validator_list_hash_short: 1,
    catchain_seqno: 1,
    min_ref_mc_seqno: 1,
    is_key_block: false,
    prev_key_block_seqno: 1,
    start_lt: '63870000000000',
    end_lt: '63870000000004',
    gen_utime,
  }
}
