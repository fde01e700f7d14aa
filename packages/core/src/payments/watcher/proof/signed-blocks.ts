import { z } from 'zod'
import type { AnchorStore } from '../../../proof/anchor-store.js'
import type { TrustedBlock } from '../../../proof/block-links.js'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../proof/block-id.js'
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
import type { CreditWitness, ShownCredit, WitnessVerdict } from './credit-witness.js'

export interface SignedBlocksOptions {
  /** A connection to a liteserver. It needs no trust. */
  liteserver: Liteserver
  /**
   * A masterchain key block that you trust, and its network. Take a new one, and compare it at two sources that are
   * independent of each other: everything is proven from it.
   */
  trusted: TrustedBlock
  /**
   * Stores the newest proven key block, so that a restart does not begin at `trusted`.
   * @default none: it is kept in memory
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

const SCHEMA = lazy(() =>
  z.strictObject({
    liteserver: objectWith<Liteserver>('a Liteserver', [
      'getBlockProof',
      'getAccountState',
      'getTransactions',
    ]),
    trusted: z.strictObject({
      id: z.strictObject({
        workchain: z.literal(MASTERCHAIN),
        shard: z.literal(WHOLE_SHARD),
        seqno: z.int().min(1),
        rootHash: hash,
        fileHash: hash,
      }),
      globalId: z.int(),
    }),
    anchors: objectWith<AnchorStore>('an AnchorStore', ['load', 'save']).optional(),
    jettonWallets: z
      .array(z.strictObject({ master: address, owner: address, wallet: address }))
      .default([]),
    maxHeadAgeMs: durationMs.default(60_000),
    clock: objectWith<Clock>('a Clock', ['nowMs', 'setTimer']).default(systemClock),
  } satisfies OptionSchemas<SignedBlocksOptions>),
)

const MAX_JETTON_WALLETS = 10_000

/**
 * Creates a second source for `createPaymentVerifier`: a credit must be in the history of its account, which is proven by
 * the signatures of the validators. From a key block that you trust it follows signed blocks to the newest one, proves the
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
  const { jettonWallets, maxHeadAgeMs: maxAgeMs, ...parts } = parseOptions(SCHEMA(), options)
  const chain = createSignedChain({ ...parts, maxAgeMs })
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
  if (!(error instanceof ProofError)) return { kind: 'pending', reason: 'unreachable', detail }
  const { problem } = error.details
  if (problem === 'forked') return { kind: 'differs', detail }
  return { kind: 'pending', reason: problem === 'stale' ? 'unreachable' : 'incomplete', detail }
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
      const detail = `the account ${recipient} has no transaction at ${id.lt} in signed blocks`
      return { kind: 'differs', detail }
    }
    return transaction === undefined
      ? pending('not_found', `the signed blocks do not have the transaction ${id.hash} yet`)
      : { transaction }
  })
  if (verdict.kind !== 'confirmed' || claim.asset === NATIVE_ASSET) return verdict
  return await wallets({ master: claim.asset, owner: claim.wallet, wallet: claim.account })
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
    const { master, wallet } = await chain.accounts({
      master: jetton.master,
      wallet: jetton.wallet,
    })
    if (master.kind === 'absent' || wallet.kind === 'absent') {
      return pending(
        'incomplete',
        `the account ${jetton.master} or ${jetton.wallet} does not exist`,
      )
    }
    const states = { master: master.state, wallet: wallet.state }
    switch (proveJettonWallet(jetton, states, { isPinned: known.has(key) })) {
      case 'confirmed':
        confirmed.set(key, true)
        return { kind: 'confirmed' }
      case 'denied':
        return {
          kind: 'differs',
          detail: `the account ${jetton.wallet} does not have the code of wallets of the jetton ${jetton.master}`,
        }
      case 'unknown':
        return pending(
          'incomplete',
          `the address of the jetton wallet ${jetton.wallet} cannot be derived; add it to jettonWallets`,
        )
    }
  }
}

function keyOf({ master, owner, wallet }: OwnedJettonWallet): string {
  return `${master} ${owner} ${wallet}`
}

function pending(
  reason: Extract<WitnessVerdict, { kind: 'pending' }>['reason'],
  detail: string,
): WitnessVerdict {
  return { kind: 'pending', reason, detail }
}
