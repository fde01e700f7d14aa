import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'
import { ConfirmationTimeoutError, GetMethodError, isTonplugError } from '@tonplug/core'
import type { ConfirmedMessage } from '@tonplug/core'
import { V2Service, V3Service } from '@tonplug/nestjs'
import type { MessageRelaxed } from '@ton/core'
import { ChainTime, WalletInUseError } from './chain-time.js'
import { pause } from './pause.js'
import { payoutEnd } from './payout-end.js'
import { PayoutFile } from './payout-file.js'
import { jettonOrder, nativeOrder } from './payout-orders.js'
import { PayoutQueue } from './payout-queue.js'
import { PayoutWallet } from './payout-wallet.js'
import type { Payout, SignedPayout } from './payout.js'
import type { Settings } from './settings.js'
import { SETTINGS } from './tokens.js'

/** Looks at a message before it is asked whether it can land at all. */
const LOOKS_IN_A_ROUND = 25

/**
 * Pays what is queued, one message at a time. The next one is signed when the wallet has taken this one, or never will:
 * the wallet takes one message per seqno, and so a payout is paid once, whatever happens to this process.
 */
@Injectable()
export class PayoutWorker implements OnModuleDestroy {
  private readonly logger = new Logger(PayoutWorker.name)
  private readonly stop = new AbortController()
  private running: Promise<void> | undefined
  private isResting = false

  constructor(
    private readonly v2: V2Service,
    private readonly v3: V3Service,
    private readonly queue: PayoutQueue,
    private readonly file: PayoutFile,
    private readonly wallet: PayoutWallet,
    private readonly chainTime: ChainTime,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Pays until the app shuts down. Rejects with what does not pass by itself, such as a refused API key. */
  async run(): Promise<void> {
    this.running ??= this.work()
    await this.running
  }

  /** Leaves what is on its way to the next start. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort()
    // Whoever called `run` hears of a failure.
    await this.running?.catch(() => undefined)
  }

  private async work(): Promise<void> {
    const { signal } = this.stop
    this.logger.log(`Paying from ${this.wallet.address.toString()}`)
    while (!signal.aborted) {
      try {
        if (await this.step()) continue
      } catch (error) {
        if (signal.aborted) return
        if (!isTonplugError(error) || !mayPass(error)) throw error
        this.logger.warn(`${error.code}: ${error.message}`)
      }
      await pause(this.v3.clock, this.settings.pollMs, signal)
    }
  }

  /** Brings one payout further. @returns whether there is more to do at once. */
  private async step(): Promise<boolean> {
    const onItsWay = await this.queue.onItsWay()
    if (onItsWay !== undefined) return await this.bring(onItsWay)
    await this.file.takeNew()
    const next = await this.queue.next()
    if (next === undefined) return this.rest()
    this.isResting = false
    return await this.signOrRefuse(next)
  }

  private rest(): false {
    if (!this.isResting) this.logger.log('Nothing is queued')
    this.isResting = true
    return false
  }

  /** Stores a message for a payout. Nobody else has it yet. */
  private async signOrRefuse(payout: Payout): Promise<boolean> {
    const seqno = await this.freeSeqno()
    if (seqno === undefined) return false
    const order = await this.orderOf(payout)
    if (order === undefined) return true
    const validUntil = await this.chainTime.nextValidUntil()
    await this.queue.sign(payout, await this.wallet.sign(order, { seqno, validUntil }))
    return true
  }

  /**
   * The wallet's next seqno; `undefined` while the node is behind what has landed.
   * @throws {WalletInUseError} when the wallet is further than what has been paid from here.
   */
  private async freeSeqno(): Promise<number | undefined> {
    const seqno = await this.wallet.seqno()
    const last = await this.queue.lastSeqno()
    if (last === undefined || seqno === last + 1) return seqno
    if (seqno > last) throw new WalletInUseError(seqno, last + 1)
    this.logger.warn(`The node is behind: it has the wallet at seqno ${seqno}, not ${last + 1}`)
    return undefined
  }

  private async orderOf(payout: Payout): Promise<MessageRelaxed | undefined> {
    if (payout.jetton === undefined) return nativeOrder(payout)
    try {
      const jettonWallet = await this.wallet.jettonWallet(payout.jetton)
      return jettonOrder(payout, this.wallet.address, jettonWallet)
    } catch (error) {
      if (!(error instanceof GetMethodError)) throw error
      const reason = `${payout.jetton} is no master of a jetton: ${error.message}`
      await this.queue.refuse(payout, reason)
      this.logger.error(`Refused ${payout.reference}: ${reason}`)
      return undefined
    }
  }

  /** Looks for a stored message, sends it unchanged while nobody has seen it, and records how its payout has ended. */
  private async bring(payout: SignedPayout): Promise<boolean> {
    const landed = await this.sendOrFind(payout)
    if (landed === undefined) return true
    const end = payoutEnd(payout, landed, this.wallet.address.toRawString())
    if (end === undefined) {
      this.logger.error(
        `The trace of ${payout.message.hash} does not tell whether ${payout.reference} was paid; no other payout is made until it does`,
      )
      return false
    }
    await this.queue.settle(payout, end)
    const { reference, amount, to, jetton = 'nanocoins' } = payout
    if (end.status === 'paid') this.logger.log(`Paid ${reference}: ${amount} ${jetton} to ${to}`)
    else this.logger.error(`Failed ${reference}: ${end.reason}`)
    return true
  }

  /** The message with all that it caused; `undefined` when it has not landed in this round. */
  private async sendOrFind(payout: SignedPayout): Promise<ConfirmedMessage | undefined> {
    const { pollMs } = this.settings
    const { boc, hash } = payout.message
    // Before it is so: a crash after that would leave it for one that nobody has.
    if (payout.status === 'signed') await this.queue.markSent(payout)
    try {
      // As a resumed one, which is looked for before it is sent. Its end is not told: that is judged by the chain's time.
      const options = { pollMs, timeoutMs: LOOKS_IN_A_ROUND * pollMs, signal: this.stop.signal }
      return await this.v2.sendAndWait({ boc, hash }, options)
    } catch (error) {
      if (!(error instanceof ConfirmationTimeoutError)) throw error
      if (error.status === 'unseen' && (await this.chainTime.isDead(payout.message))) {
        await this.queue.release(payout)
        this.logger.warn(`The message for ${payout.reference} never lands; another one is signed`)
      }
      return undefined
    }
  }
}

/** A server that fails for no reason that it knows may well answer a minute later. */
function mayPass({ code, retryable }: { code: string; retryable: boolean }): boolean {
  return retryable || code === 'ERR_TONPLUG_SERVER'
}
