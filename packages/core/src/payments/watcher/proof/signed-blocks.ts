import { z } from 'zod'
import type { AnchorStore } from '../../../proof/anchor-store.js'
import type { TrustedBlock } from '../../../proof/block-links.js'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../proof/block-id.js'
import { MAINNET_KEY_BLOCK } from '../../../proof/mainnet-key-block.js'
import { proveJettonWallet, type OwnedJettonWallet } from '../../../proof/jetton-wallet.js'
import type { Liteserver } from '../../../proof/liteserver.js'
import { ProofError } from '../../../proof/proof-error.js'
import { createSignedChain, type SignedChain } from '../../../proof/signed-chain.js'
import { untilAborted } from '../../../shared/abort.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { BoundedMap } from '../../../shared/bounded-map.js'
import { systemClock, type Clock } from '../../../shared/clock.js'
import { lazy } from '../../../shared/lazy.js'
import {
  address,
  durationMs,
  objectWith,
  parseOptions,
  type OptionSchemas,
} from '../../../shared/options.js'
import { compareRoute } from './compare-route.js'
import {
  differs,
  pending,
  type CreditWitness,
  type ShownCredit,
  type WitnessVerdict,
} from './credit-witness.js'

export interface SignedBlocksOptions {
  /** A connection to a liteserver. It needs no trust. */
  liteserver: Liteserver
  /**
   * A masterchain key block that you trust, and its network: everything is proven from it. Compare it at two sources that are
   * independent of each other. Required for other networks than mainnet.
   * @default MAINNET_KEY_BLOCK
   */
  trusted?: TrustedBlock | undefined
  /**
   * Stores the newest proven key block, so that a restart does not begin at `trusted`, and the newest proven transaction of
   * each account that was credited.
   * @default none: they are kept in memory
   */
  anchors?: AnchorStore | undefined
  /**
   * Jetton wallets whose address cannot be derived from the code of the jetton. Take each address from `get_wallet_address`
   * of two sources.
   * @default []
   */
  jettonWallets?: readonly OwnedJettonWallet[] | undefined
  /** Milliseconds that the newest block may differ from the clock. An older or later one proves nothing yet. @default 60_000 */
  maxHeadAgeMs?: number | undefined
  /** @default the clock of this machine */
  clock?: Clock | undefined
}

const hash = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array && value.length === 32,
  'must be 32 bytes',
)

const keyBlockId = z.strictObject({
  workchain: z.literal(MASTERCHAIN),
  shard: z.literal(WHOLE_SHARD),
  seqno: z.int().min(1),
  rootHash: hash,
  fileHash: hash,
})

const SCHEMA = lazy(() =>
  z.strictObject({
    liteserver: objectWith<Liteserver>('a Liteserver', [
      'getBlockProof',
      'getAccountState',
      'getTransactions',
    ]),
    trusted: z.object({ id: keyBlockId, globalId: z.int() }).optional(),
    anchors: objectWith<AnchorStore>('an AnchorStore', [
      'loadBlock',
      'saveBlock',
      'loadTransaction',
      'saveTransaction',
    ]).optional(),
    jettonWallets: z
      .array(z.strictObject({ master: address, owner: address, wallet: address }))
      .default([]),
    maxHeadAgeMs: durationMs.default(60_000),
    clock: objectWith<Clock>('a Clock', ['nowMs', 'setTimer']).default(() => systemClock),
  } satisfies OptionSchemas<SignedBlocksOptions>),
)

const MAX_JETTON_WALLETS = 10_000

/**
 * Creates a second source for `createPaymentVerifier`: a credit must be in the history of its account, which is proven by
 * the signatures of the validators. From a trusted key block it follows signed blocks to the newest one, proves the
 * account after it, and reads the account's transactions from the last one down: each names the hash of the one before.
 *
 * Payments that wait at the same time share one proof of their account. A server that is silent, behind, wrong or withholds
 * a part confirms nothing and contradicts nothing: the payment waits. Two signed blocks with one number end all proofs of
 * this process.
 *
 * A jetton wallet is proven once: its code must be the code in the data of the jetton master, and its address the address of this
 * code, master and owner.
 * @throws {ConfigurationError} when an option is missing or invalid.
 */
export function signedBlocks(options: SignedBlocksOptions): CreditWitness {
  const { jettonWallets, trusted = MAINNET_KEY_BLOCK, ...parts } = parseOptions(SCHEMA(), options)
  const chain = createSignedChain({ ...parts, trusted })
  const wallets = createWalletProofs(chain, jettonWallets)
  return {
    async compare(claim, { signal }) {
      try {
        const work = compare({ chain, wallets }, claim)
        return await (signal === undefined ? work : untilAborted(work, signal))
      } catch (error) {
        signal?.throwIfAborted()
        return verdictOf(error)
      }
    },
  }
}

/** Only a fork contradicts: every other problem is one of the server. */
function verdictOf(error: unknown): WitnessVerdict {
  const detail = error instanceof Error ? error.message : 'the liteserver failed'
  const problem = error instanceof ProofError ? error.details.problem : undefined
  if (problem === 'forked') return differs(detail)
  const isUnreachable = problem === undefined || problem === 'stale'
  return pending(isUnreachable ? 'unreachable' : 'incomplete', detail)
}

async function compare(
  { chain, wallets }: { chain: SignedChain; wallets: WalletProofs },
  claim: ShownCredit,
): Promise<WitnessVerdict> {
  const verdict = await compareRoute(claim, async ({ recipient, transaction: id }) => {
    // An index that does not return the time.
    if (id.lt <= 0n) return pending('incomplete', `the index returns no lt of ${id.hash}`)
    const transaction = await chain.transactionAt(recipient, id.lt)
    if (transaction === null) {
      return differs(`the account ${recipient} has no transaction at ${id.lt} in signed blocks`)
    }
    return transaction === undefined
      ? pending('not_found', `the signed blocks do not have the transaction ${id.hash} yet`)
      : { transaction }
  })
  if (verdict.kind !== 'confirmed') return verdict
  const { asset, wallet: owner, account } = claim
  const last =
    asset === NATIVE_ASSET ? verdict : await wallets({ master: asset, owner, wallet: account })
  if (last.kind === 'confirmed') await chain.remember(account)
  return last
}

type WalletProofs = (jetton: OwnedJettonWallet) => Promise<WitnessVerdict>

/** Proves each jetton wallet once. */
function createWalletProofs(
  chain: SignedChain,
  pinned: readonly OwnedJettonWallet[],
): WalletProofs {
  const confirmed = new BoundedMap<string, true>(MAX_JETTON_WALLETS)
  const known = new Set(pinned.map(keyOf))
  return async (jetton) => {
    const key = keyOf(jetton)
    if (confirmed.has(key)) return { kind: 'confirmed' }
    const addresses = `the jetton wallet ${jetton.wallet} of the master ${jetton.master}`
    const [master, wallet] = await chain.accounts([jetton.master, jetton.wallet])
    if (master?.kind !== 'present' || wallet?.kind !== 'present') {
      return pending('incomplete', `${addresses}: one of them does not exist`)
    }
    const states = { master: master.state, wallet: wallet.state }
    const proof = proveJettonWallet(jetton, states, { isPinned: known.has(key) })
    if (proof === 'denied') {
      return differs(`${addresses} does not have the code of the jetton's wallets`)
    }
    if (proof === 'unknown') {
      const problem = 'the address cannot be derived; add it to jettonWallets'
      return pending('incomplete', `${addresses}: ${problem}`)
    }
    confirmed.set(key, true)
    return { kind: 'confirmed' }
  }
}

function keyOf({ master, owner, wallet }: OwnedJettonWallet): string {
  return `${master} ${owner} ${wallet}`
}
