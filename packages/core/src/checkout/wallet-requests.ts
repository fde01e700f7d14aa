import {
  canBuildItems,
  stampItems,
  type ConnectedWallet,
  type MessagesRequest,
  type ShownPayment,
  type WalletRequest,
} from './build-request.js'
import { openMark, type Mark, type MarkLocks, type MarkStorage } from './marks.js'

/** Options of {@link createWalletRequests}. */
export interface WalletRequestsOptions {
  /** The reference of the order. */
  reference: string
  /** The JSON of the invoice, or of one of its offers. */
  payment: ShownPayment
  /** When the page received `payment`, by the browser's clock. Store it with the payment for a reload. @default now */
  receivedAtMs?: number | undefined
  /** Returns the request for a wallet that cannot build items, from the server: `invoice.tonConnect({ sender })`. */
  messagesFor: (sender: string) => Promise<MessagesRequest>
  /**
   * Asks the buyer whether to send a request although an earlier one, unknown to this page, may still be
   * executed. Called when the browser refuses its storage or its locks.
   */
  confirmUnprotected: () => boolean | Promise<boolean>
  /**
   * Returns true for an error with which the wallet has refused the request. Pass it for SDKs whose errors have no `code`, for
   * example `(error) => error instanceof UserRejectsError`. @default the codes 1, 100, 300 and 400
   */
  isRefusal?: ((error: unknown) => boolean) | undefined
  /** @default `localStorage` */
  storage?: MarkStorage | undefined
  /** @default `navigator.locks` */
  locks?: MarkLocks | undefined
  /** @default `Date.now` */
  nowMs?: (() => number) | undefined
}

/** The requests of one order to wallets of one browser. At most one of them can be executed. */
export interface WalletRequests {
  /** False when the browser refuses its storage or its locks: other tabs and a reload do not know of an open request. */
  readonly isProtected: boolean
  /** Takes a status event of the order. */
  update(event: { status: string; checkedUntil?: number | undefined }): void
  /** Returns true when the page may offer to pay: the order is `waiting`, and no request is open. */
  mayPay(): boolean
  /**
   * Returns true until the wallet has refused the last request or has never seen it, or until the shop has looked at the chain a
   * minute past its end. Until then its payment may arrive, also for an order that has expired: offer no new order instead. A
   * clock ends no request: where no status has `checkedUntil`, which needs a watcher in the process that serves the status, it
   * stays open.
   */
  hasOpenRequest(): boolean
  /**
   * Hands a request to the wallet: items where it can build them, otherwise messages. Marks it as open before.
   * @param send passes the request to `sendTransaction` of TON Connect
   * @throws {Error} while another request is open, and when the time to pay is over.
   * @throws what `messagesFor` and `send` throw. The payment may arrive nevertheless.
   */
  pay<Answer>(
    wallet: ConnectedWallet,
    send: (request: WalletRequest) => Promise<Answer>,
  ): Promise<Answer>
}

/** A jetton may be on its way for this time. */
const TRANSIT_SECONDS = 60
/** Bad request, unknown app, declined by the user, method not supported. */
const REFUSALS: unknown[] = [1, 100, 300, 400]

/**
 * Guards the requests of an order, so that its buyer cannot pay twice from one browser by mistake. Uses no other module and no
 * network.
 * @example
 * ```ts
 * import { createWalletRequests, type WalletRequestsOptions } from '@tonplug/core/checkout'
 *
 * declare const options: WalletRequestsOptions
 * const requests = createWalletRequests(options)
 * new EventSource('/orders/1/events').onmessage = ({ data }) => requests.update(JSON.parse(data))
 * ```
 */
export function createWalletRequests(options: WalletRequestsOptions): WalletRequests {
  const { reference, payment, messagesFor, confirmUnprotected } = options
  const { isRefusal = hasRefusalCode, nowMs = Date.now } = options
  const serverAheadMs = Date.parse(payment.serverTime) - (options.receivedAtMs ?? nowMs())
  const mark = openMark(
    reference,
    options.storage ?? browserStorage(),
    options.locks ?? browserLocks(),
  )
  let last: Parameters<WalletRequests['update']>[0] = { status: 'waiting' }

  const hasOpenRequest = (): boolean => {
    const open = mark.read()
    return open !== undefined && !((last.checkedUntil ?? 0) > open.validUntil + TRANSIT_SECONDS)
  }
  const mayPay = (): boolean => last.status === 'waiting' && !hasOpenRequest()
  const checkMayPay = (): void => {
    if (!mayPay()) throw new Error('A payment was requested before, and may still arrive.')
  }
  const build = async (wallet: ConnectedWallet): Promise<WalletRequest> => {
    const stamped = stampItems(payment, nowMs() + serverAheadMs)
    const { address } = wallet
    return address === undefined || canBuildItems(wallet, stamped.items)
      ? stamped
      : messagesFor(address)
  }
  /** Writes the mark before the request leaves this function. */
  const open = async (wallet: ConnectedWallet): Promise<{ request: WalletRequest; own: Mark }> => {
    checkMayPay()
    if (!mark.isProtected && !(await confirmUnprotected())) throw new Error('Not confirmed.')
    const request = await build(wallet)
    // The status may have changed in the meantime.
    checkMayPay()
    const own = { id: `${nowMs()} ${Math.random()}`, validUntil: request.validUntil }
    mark.write(own)
    return { request, own }
  }
  return {
    get isProtected() {
      return mark.isProtected
    },
    update(event) {
      last = event
    },
    mayPay,
    hasOpenRequest,
    async pay(wallet, send) {
      const { request, own } = await mark.exclusively(() => open(wallet))
      try {
        const answer = await send(request)
        if (wasNeverSeen(answer)) mark.remove(own)
        return answer
      } catch (error) {
        if (isRefusal(error)) mark.remove(own)
        throw error
      }
    },
  }
}

/** Returns true for the envelope of an embedded request that the wallet has not received. */
function wasNeverSeen(answer: unknown): boolean {
  const { hasResponse, connectResult } = (answer ?? {}) as {
    hasResponse?: unknown
    connectResult?: { dispatched?: unknown }
  }
  return hasResponse === false && connectResult?.dispatched === false
}

function hasRefusalCode(error: unknown): boolean {
  return REFUSALS.includes(((error ?? {}) as { code?: unknown }).code)
}

const browser = globalThis as { localStorage?: MarkStorage; navigator?: { locks?: MarkLocks } }

/** Reading the property throws where the browser blocks storage. */
function browserStorage(): MarkStorage | undefined {
  try {
    return browser.localStorage
  } catch {
    return undefined
  }
}

function browserLocks(): MarkLocks | undefined {
  return browser.navigator?.locks
}
