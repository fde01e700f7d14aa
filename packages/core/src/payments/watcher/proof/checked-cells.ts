import { z } from 'zod'
import { ProofError } from '../../../proof/proof-error.js'
import { readCellTree } from '../../../proof/read-cells.js'
import { readTransaction } from '../../../proof/transaction.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { decodeBase64, decodeHex } from '../../../shared/base64.js'
import { lazy } from '../../../shared/lazy.js'
import { objectWith, parseOptions, type OptionSchemas } from '../../../shared/options.js'
import { isTonplugError } from '../../../shared/tonplug-error.js'
import type { RequestOptions } from '../../../toncenter/transport/call-options.js'
import type { V2Client } from '../../../toncenter/v2/client.js'
import { compareRoute } from './compare-route.js'
import {
  differs,
  pending,
  type CreditWitness,
  type ShownCredit,
  type WitnessVerdict,
} from './credit-witness.js'
import { createJettonWallets, type JettonWallets } from './jetton-wallets.js'

/** The methods of a client of API v2 that checked cells need. */
export type CellReaderClient = Pick<V2Client, 'getTransactions' | 'runGetMethod'>

export interface CheckedCellsOptions {
  /** A client of the network that the shop is paid on. Its server must not be the server of the index. */
  v2: CellReaderClient
}

const SCHEMA = lazy(() =>
  z.strictObject({
    v2: objectWith<CellReaderClient>('the result of createV2Client()', [
      'getTransactions',
      'runGetMethod',
    ]),
  } satisfies OptionSchemas<CheckedCellsOptions>),
)

/**
 * Creates a second source for `createPaymentVerifier`: the cells of a payment's transactions, read by API v2. Each cell must
 * have the hash that the index claims, so the network has hashed this content: account, logical time, time,
 * message, sender, amount and body are read from the cell and compared with the index. A jetton wallet must be named by its
 * master, and name it, at this server too; that is asked once for each jetton and wallet.
 *
 * Makes one request for a payment, and one more for each contract that passes it on. A transfer of jettons with a custom
 * payload needs one more, too.
 * @throws {ConfigurationError} when an option is missing.
 * @example
 * ```ts
 * import { createPaymentVerifier } from '@tonplug/core'
 * import { checkedCells } from '@tonplug/core/proof'
 * import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
 *
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 * const v2 = createV2Client({ baseUrl: 'https://node.example' })
 * const verifyOnChain = createPaymentVerifier({ sources: [v3, checkedCells({ v2 })] })
 * ```
 */
export function checkedCells(options: CheckedCellsOptions): CreditWitness {
  const { v2 } = parseOptions(SCHEMA(), options)
  const jettonWallets = createJettonWallets(v2)
  return {
    async compare(claim, request) {
      try {
        return await compare({ v2, jettonWallets }, claim, request)
      } catch (error) {
        request.signal?.throwIfAborted()
        if (error instanceof ProofError) return verdictOf(error)
        const detail = isTonplugError(error) ? error.message : 'API v2 failed unexpectedly'
        return pending('unreachable', detail)
      }
    },
  }
}

function verdictOf({ details: { problem }, message }: ProofError): WitnessVerdict {
  return problem === 'mismatch' ? differs(message) : pending('incomplete', message)
}

async function compare(
  { v2, jettonWallets }: { v2: CellReaderClient; jettonWallets: JettonWallets },
  claim: ShownCredit,
  request: RequestOptions,
): Promise<WitnessVerdict> {
  const verdict = await compareRoute(claim, async ({ recipient, transaction: id }) => {
    const [found] = await v2.getTransactions({ address: recipient, ...id, limit: 1 }, request)
    if (found === undefined) {
      return pending('not_found', `the server has no transaction ${id.hash}`)
    }
    const cell = readCellTree(decodeBase64(found.data))
    return { transaction: readTransaction(cell, { hash: decodeHex(id.hash), lt: id.lt }) }
  })
  return verdict.kind !== 'confirmed' || claim.asset === NATIVE_ASSET
    ? verdict
    : await compareWallet(jettonWallets, claim, request)
}

async function compareWallet(
  jettonWallets: JettonWallets,
  { asset: master, wallet: owner, account }: ShownCredit,
  request: RequestOptions,
): Promise<WitnessVerdict> {
  const named = await jettonWallets.find({ master, owner }, request)
  if (named !== account) {
    return differs(`the jetton master ${master} names ${named ?? 'no wallet'}, not ${account}`)
  }
  const verdict = await jettonWallets.confirm({ master, owner }, account, request)
  if (verdict === 'undeployed') {
    return pending('incomplete', `the server has no contract at ${account}`)
  }
  return verdict === 'confirmed'
    ? { kind: 'confirmed' }
    : differs(`the account ${account} is not a wallet of the jetton ${master}`)
}
