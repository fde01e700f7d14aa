import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'
import { isTonplugError } from '@tonplug/core'
import { ConfirmationTimeoutError, GetMethodError, sendAndWait } from '@tonplug/core/toncenter'
import type { ConfirmedMessage } from '@tonplug/core/toncenter'
import { V2Service, V3Service } from '@tonplug/nestjs'
import type { MessageRelaxed } from '@ton/core'
import { ChainTime, WalletInUseError } from './chain-time.js'
import { payoutOutcome } from './payout-outcome.js'
import { PayoutFile } from './payout-file.js'
import { jettonMessage, nativeMessage } from './payout-messages.js'
import { PayoutQueue } from './payout-queue.js'
import { OtherJettonError, PayoutWallet } from './payout-wallet.js'
import type { Payout, SignedPayout } from './payout.js'
import type { Settings } from './settings.js'
import { SETTINGS } from './tokens.js'

/** Polls for a message between two checks of its expiry. */
const POLLS_PER_CHECK = 25

/**
 * Pays queued payouts, one message at a time. Signs the next message after the wallet has accepted the current one or the
 * current one has expired. Each payout is paid once, even if this process is killed, because the wallet accepts one message
 * per seqno.
 */
@Injectable()
export class PayoutWorker implements OnModuleDestroy {
  private readonly logger = new Logger(PayoutWorker.name)
  private readonly shutdown = new AbortController()
  private running: Promise<void> | undefined
  private isIdle = false

  constructor(
    private readonly v2: V2Service,
    private readonly v3: V3Service,
    private readonly queue: PayoutQueue,
    private readonly file: PayoutFile,
    private readonly wallet: PayoutWallet,
    private readonly chainTime: ChainTime,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Pays until the app shuts down. Rejects with a permanent error, for example a rejected API key. */
  async run(): Promise<void> {
    this.running ??= this.work()
    await this.running
  }

  /** Stops polling. The next start continues with the sent message. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.abort()
    // The caller of `run` handles the error.
    await this.running?.catch(() => undefined)
  }

  private async work(): Promise<void> {
    const { signal } = this.shutdown
    this.logger.log({ message: 'worker started', wallet: this.wallet.address.toString() })
    while (!signal.aborted) {
      try {
        if (await this.step()) continue
      } catch (error) {
        if (signal.aborted) return
        if (!isTonplugError(error) || !isTransient(error)) throw error
        this.logger.warn({ message: 'step failed', code: error.code, reason: error.message })
      }
      // Rejects when the signal is aborted.
      await sleep(this.settings.pollMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Advances one payout. @returns true if the next step should run immediately. */
  private async step(): Promise<boolean> {
    const inFlight = await this.queue.inFlight()
    if (inFlight !== undefined) return await this.advance(inFlight)
    await this.file.queueNewLines()
    const next = await this.queue.next()
    if (next === undefined) return this.idle()
    this.isIdle = false
    return await this.signOrReject(next)
  }

  private idle(): false {
    if (!this.isIdle) this.logger.log('queue is empty')
    this.isIdle = true
    return false
  }

  /** Signs and stores a message for a payout, without sending it. */
  private async signOrReject(payout: Payout): Promise<boolean> {
    const seqno = await this.nextSeqno()
    if (seqno === undefined) return false
    const message = await this.createMessage(payout)
    if (message === undefined) return true
    const validUntil = await this.chainTime.nextValidUntil()
    await this.queue.sign(payout, await this.wallet.sign(message, { seqno, validUntil }))
    return true
  }

  /**
   * Returns the wallet's next seqno; undefined while the node lags behind the last payout.
   * @throws {WalletInUseError} when another program used a seqno.
   */
  private async nextSeqno(): Promise<number | undefined> {
    const seqno = await this.wallet.seqno()
    const last = await this.queue.lastSeqno()
    if (last === undefined || seqno === last + 1) return seqno
    if (seqno > last) throw new WalletInUseError(seqno, last + 1)
    this.logger.warn({ message: 'node lags behind', seqno, expected: last + 1 })
    return undefined
  }

  private async createMessage(payout: Payout): Promise<MessageRelaxed | undefined> {
    if (payout.jetton === undefined) return nativeMessage(payout)
    try {
      const jettonWallet = await this.wallet.jettonWallet(payout.jetton)
      return jettonMessage(payout, this.wallet.address, jettonWallet)
    } catch (error) {
      if (!(error instanceof GetMethodError || error instanceof OtherJettonError)) throw error
      const reason = `${payout.jetton} is not a jetton that the wallet has: ${error.message}`
      await this.queue.reject(payout, reason)
      this.logger.error({ message: 'payout rejected', reference: payout.reference, reason })
      return undefined
    }
  }

  /** Finds the stored message on the chain, or sends it unchanged, and records the outcome of its payout. */
  private async advance(payout: SignedPayout): Promise<boolean> {
    const confirmed = await this.sendOrFind(payout)
    if (confirmed === undefined) return true
    // The wallet ran out of gas and has undone the message, so it may execute it again until it expires.
    if (confirmed.transactions[0]?.description.aborted === true) {
      return await this.releaseIfExpired(payout)
    }
    const { reference, message, to, jetton } = payout
    const outcome = payoutOutcome(payout, confirmed, this.wallet.address.toRawString())
    if (outcome === undefined) {
      // No other payout starts before this one is settled.
      this.logger.error({ message: 'inconclusive trace', reference, hash: message.hash })
      return false
    }
    await this.queue.settle(payout, outcome)
    if (outcome.status === 'paid') {
      const amount = `${payout.amount}`
      this.logger.log({ message: 'payout completed', reference, amount, jetton, to })
    } else {
      this.logger.error({ message: 'payout failed', reference, reason: outcome.reason })
    }
    return true
  }

  /** Returns the confirmed message with its trace; undefined if it was not confirmed in time. */
  private async sendOrFind(payout: SignedPayout): Promise<ConfirmedMessage | undefined> {
    const { pollMs } = this.settings
    const { boc, hash } = payout.message
    // Before sending: after a crash in between, a `signed` message would count as never sent.
    if (payout.status === 'signed') await this.queue.markSent(payout)
    try {
      // Resumed, so that it is looked up before it is sent. Without `validUntil`, because the chain's time decides.
      const options = { pollMs, timeoutMs: POLLS_PER_CHECK * pollMs, signal: this.shutdown.signal }
      const clients = { v2: this.v2, v3: this.v3 }
      return await sendAndWait(clients, { boc, hash }, options)
    } catch (error) {
      if (!(error instanceof ConfirmationTimeoutError)) throw error
      if (error.status === 'unseen') await this.releaseIfExpired(payout)
      return undefined
    }
  }

  /** Queues a payout again if its message has expired. */
  private async releaseIfExpired(payout: SignedPayout): Promise<boolean> {
    if (!(await this.chainTime.isExpired(payout.message))) return false
    await this.queue.release(payout)
    this.logger.warn({ message: 'message expired', reference: payout.reference })
    return true
  }
}

/** Includes errors of the server without a known reason, because they may disappear. */
function isTransient({ code, retryable }: { code: string; retryable: boolean }): boolean {
  return retryable || code === 'ERR_TONPLUG_SERVER'
}
