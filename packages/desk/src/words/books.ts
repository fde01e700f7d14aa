import { NATIVE_ASSET } from '@tonplug/core'
import type { AccountBalance, Balance, BalanceAlarm } from '@tonplug/core/operator'
import type { BooksOfCoin, BooksOfWallet } from '../api.js'
import { shortAddress, shownAddress } from './addresses.js'
import { coinsOf } from './coins.js'
import type { Vocabulary } from './sentences.js'

/** Returns the books of a wallet in words. */
export function booksOf({ wallet, accounts }: Balance, words: Vocabulary): BooksOfWallet {
  const alarms = accounts.flatMap((account) => alarmsOf(account, words))
  return {
    wallet: shownAddress(wallet, words.network),
    coins: accounts.map((account) => toCoin(account, words)),
    alarms: [...new Set(alarms)],
    isComplete: accounts.every(({ hold }) => hold === undefined),
  }
}

function toCoin(account: AccountBalance, words: Vocabulary): BooksOfCoin {
  const { asset, credits, refunds, otherIn, otherOut, chain } = account
  const shown = (rawAmount: bigint): string => amountOf(rawAmount, asset, words)
  return {
    asset,
    credited: shown(credits),
    refunded: shown(refunds),
    otherIn: shown(otherIn),
    otherOut: shown(otherOut),
    balance: chain === undefined ? undefined : shown(chain),
  }
}

function amountOf(rawAmount: bigint, asset: string, { coins }: Vocabulary): string {
  const sign = rawAmount < 0n ? '−' : ''
  const units = rawAmount < 0n ? -rawAmount : rawAmount
  return `${sign}${coinsOf(`${units}`, coins.of(asset))}`
}

/** Transfers that are no payments are no alarm. */
function alarmsOf(account: AccountBalance, words: Vocabulary): string[] {
  const { difference = 0n, asset } = account
  return account.alarms.map(({ kind, txHash }) => {
    const where = txHash === undefined ? '' : ` Transaction: ${shortAddress(txHash)}.`
    return `${alarmText(kind, { difference, asset, account: account.account }, words)}${where}`
  })
}

function alarmText(
  kind: BalanceAlarm['kind'],
  { difference, asset, account }: { difference: bigint; asset: string; account: string },
  words: Vocabulary,
): string {
  switch (kind) {
    case 'balance_differs':
      if (difference === 0n) return 'The balance on the chain differs for some time.'
      return difference < 0n
        ? `The chain has ${amountOf(-difference, asset, words)} more than the ledger.`
        : `The ledger has ${amountOf(difference, asset, words)} more than the chain.`
    case 'unknown_opcode':
      return 'An unknown operation may have changed the balance.'
    case 'credit_missing':
      return 'The ledger has a payment that the chain does not have.'
    case 'credit_differs':
      return 'The ledger has a payment with another amount than the chain.'
    case 'second_refund':
      return 'The money of one payment was sent back twice. Ask its payer to return one of the two.'
    case 'late_refund':
      return 'A refund was sent long after it expired. An order may be paid with the same money.'
    case 'wallet_not_proven': {
      const shown = shortAddress(shownAddress(account, words.network))
      const coin = asset === NATIVE_ASSET ? 'coins' : 'jettons'
      return `The ledger has ${coin} in ${shown}, which does not belong to the wallet.`
    }
  }
}
