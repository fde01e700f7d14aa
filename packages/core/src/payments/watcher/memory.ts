import { BoundedMap } from '../../shared/bounded-map.js'
import type { NamedOrder } from '../inbox/inbox-credits.js'
import { ChainClock } from './chain-clock.js'
import { OpenOrderList } from './open-order-list.js'
import type { OpenOrders } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'
import { createJettonWallets, type JettonWallets } from './proof/jetton-wallets.js'
import type { FollowedList, Period, ReceivedCoins, SentRefund } from './wallet-lists.js'
import type { WatchReport } from './watch-report.js'

/** Wallets of Payments that are checked; each costs two requests. */
const MAX_CHECKED_WALLETS = 20
/** Each costs two requests for each wallet. */
const MAX_REPORTED_JETTONS = 100

/** More than wallets send between two looks. */
const MAX_SENT_REFUNDS = 10_000

/** The wallets that are followed, and their lists. */
export interface FollowedWallets {
  wallets: ReadonlySet<string>
  lists: FollowedList[]
  /** The newest block of the last poll, Unix seconds. */
  to: number
  /** The newest transfers of the native coin, compared with these orders: later ones may be paid by them. */
  recent: ReceivedCoins[]
  orders: OpenOrders
}

/** A period that is read again. It may take several runs. */
export interface LookBack extends Period {
  wallets: readonly string[]
  /** Where each list of the wallets continues, Unix seconds. */
  at: number[]
}

/** A refund that a wallet has sent. */
export interface NotedRefund extends SentRefund {
  /** `known` once the inbox has it, or its payment is used by an order. */
  readonly state: 'new' | 'looked-up' | 'known'
}

/** All that the process of a watcher remembers. The rest is in the stored cursor. */
export interface WatcherMemory {
  readonly openOrders: OpenOrderList
  readonly chainClock: ChainClock
  /** Verified jetton wallets. */
  readonly jettonWallets: JettonWallets
  /** Jetton masters that webhooks have named and no order asks for, newest last. */
  readonly reportedJettons: BoundedMap<string, true>
  /** Wallets of Payments that may be contracts of a jetton, which cannot be paid. */
  readonly uncheckedWallets: Set<string>
  /** Why nothing is watched: a wallet of Payments cannot be paid. */
  refusal: string | undefined
  /** Transactions of traces whose credits were all submitted as payments of orders. */
  readonly seen: Set<string>
  /** Credits that were submitted. An order of another one may be stored later, so their traces may be read again. */
  readonly submitted: Set<string>
  /** Credits that were stored, with the orders that they name. */
  readonly stored: Set<string>
  /** The orders that an operator has assigned money to, by the ids of the credits that they use. */
  readonly assigned: Map<string, NamedOrder>
  /** Transactions that were explained since the last look back began, with or without a payment. */
  readonly looked: Set<string>
  /** Refunds that wallets have sent, by the transaction of the payment, lower-case hex. */
  readonly sentRefunds: BoundedMap<string, NotedRefund>
  /** Reports of proposed refunds that can no longer change. */
  readonly endedRefunds: Set<string>
  /** Reports of proposed refunds that this process has released. */
  readonly releasedRefunds: Set<string>
  /** Reports of proposed refunds, in the order in which they were last looked at. */
  readonly lookedRefunds: Set<string>
  /** The last report in the page of older proposed refunds that was read; `undefined` to begin with the newest of them. */
  olderRefunds: string | undefined
  followed: FollowedWallets | undefined
  /** The newest block up to which the wallets were followed, Unix seconds. */
  followedTo: number
  /** The look back that has not ended. */
  lookBack: LookBack | undefined
  /** The newest block up to which all transfers are known, Unix seconds; 0 before. */
  scannedTo: number
  /** The newest block up to which the wallets were scanned without a gap, and all transfers explained, Unix seconds. */
  checkedUntil: number | undefined
  /** The report of the last run. */
  last: WatchReport | undefined
  /** When a run was last complete, milliseconds since the Unix epoch. */
  completeAtMs: number
  /** When a complete run with a look back began, milliseconds since the Unix epoch. */
  lookedBackAtMs: number
  /** When a transaction is due to be retried, milliseconds since the Unix epoch. */
  nextRetryAtMs: number | undefined
  /** The number of decisions in all runs, by kind. */
  readonly decisions: WatchReport['decisions']
}

/** Creates the memory of a process that has not run. */
export function createMemory(options: ResolvedWatcherOptions): WatcherMemory {
  return {
    openOrders: new OpenOrderList(options),
    chainClock: new ChainClock(options),
    jettonWallets: createJettonWallets(options.v3),
    reportedJettons: new BoundedMap(MAX_REPORTED_JETTONS),
    uncheckedWallets: new Set(
      (options.payments.internals.wallets ?? []).slice(0, MAX_CHECKED_WALLETS),
    ),
    refusal: undefined,
    seen: new Set(),
    submitted: new Set(),
    stored: new Set(),
    assigned: new Map(),
    looked: new Set(),
    sentRefunds: new BoundedMap(MAX_SENT_REFUNDS),
    endedRefunds: new Set(),
    releasedRefunds: new Set(),
    lookedRefunds: new Set(),
    olderRefunds: undefined,
    followed: undefined,
    followedTo: 0,
    lookBack: undefined,
    scannedTo: 0,
    checkedUntil: undefined,
    last: undefined,
    completeAtMs: -Infinity,
    lookedBackAtMs: -Infinity,
    nextRetryAtMs: undefined,
    decisions: {},
  }
}
