import { setMaxListeners } from 'node:events'
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'
import { isTonplugError } from '@tonplug/core'
import type { Clock, TonplugError } from '@tonplug/core'
import { V3Service } from '@tonplug/nestjs'
import type { DepositSource } from './deposit-source.js'
import type { Deposit } from './deposit.js'
import { jettonDeposits } from './jetton-deposits.js'
import { Ledger } from './ledger.js'
import { nativeDeposits } from './native-deposits.js'
import { pause } from './pause.js'
import type { Settings } from './settings.js'
import { CLOCK, SETTINGS } from './tokens.js'

/** Addresses of one follow. Each is sent with every request, and servers take 8 KiB. */
const ADDRESSES_AT_ONCE = 50

/** Follows the deposit addresses and credits what arrives. */
@Injectable()
export class DepositWatcher implements OnModuleDestroy {
  private readonly logger = new Logger(DepositWatcher.name)
  private readonly stop = new AbortController()
  private running: Promise<void> | undefined

  constructor(
    private readonly v3: V3Service,
    private readonly ledger: Ledger,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    // Each loop waits for it; Node takes more than ten for a leak.
    setMaxListeners(0, this.stop.signal)
  }

  /** Watches until the app shuts down. Rejects with what does not pass by itself, such as a refused API key. */
  async run(): Promise<void> {
    this.running ??= this.watchAll()
    await this.running
  }

  /** Lets the page at hand be credited; the database is closed after that. */
  async onModuleDestroy(): Promise<void> {
    this.stop.abort()
    // Whoever called `run` hears of a failure.
    await this.running?.catch(() => undefined)
  }

  private async watchAll(): Promise<void> {
    const { addresses, jettonMaster } = this.settings
    const loops: Promise<void>[] = []
    for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE) {
      const some = addresses.slice(start, start + ADDRESSES_AT_ONCE)
      loops.push(this.watch(nativeDeposits(this.v3, some)))
      loops.push(this.watch(jettonDeposits(this.v3, some, jettonMaster)))
    }
    this.logger.log(`Watching ${addresses.length} addresses`)
    try {
      await Promise.all(loops)
    } catch (error) {
      this.stop.abort()
      await Promise.allSettled(loops)
      throw error
    }
  }

  /** Reads a source for ever. Whatever was not credited is read again from the stored cursor. */
  private async watch<Row>(source: DepositSource<Row>): Promise<void> {
    const { signal } = this.stop
    while (!signal.aborted) {
      try {
        await this.readOn(source)
      } catch (error) {
        if (signal.aborted) return
        if (!isTonplugError(error) || !mayPass(error)) throw error
        this.warn(error)
      }
      await pause(this.clock, this.settings.pollMs, signal)
    }
  }

  /** Credits page by page, and returns when one has to be read again. */
  private async readOn<Row>(source: DepositSource<Row>): Promise<void> {
    const { watchFrom: from, pollMs } = this.settings
    const { signal } = this.stop
    const cursor = await this.ledger.cursorOf(source.name)
    const onError = (error: TonplugError): void => this.warn(error)
    const follow = source.follow({ from, cursor, pollMs, signal, onError })
    for await (const rows of follow.pages()) {
      const { deposits, isUnderWay } = await source.read(rows, signal)
      const progress = { source: source.name, cursor: follow.cursor() }
      this.report(await this.ledger.credit(deposits, isUnderWay ? undefined : progress))
      if (isUnderWay) return
    }
  }

  private report(deposits: readonly Deposit[]): void {
    for (const { amount, asset, address, sender, txHash } of deposits) {
      this.logger.log(`Credited ${amount} of ${asset} to ${address}: ${txHash} from ${sender}`)
    }
  }

  private warn({ code, message }: TonplugError): void {
    this.logger.warn(`${code}: ${message}`)
  }
}

/** A server that fails for no reason that it knows may well answer a minute later. */
function mayPass({ code, retryable }: TonplugError): boolean {
  return retryable || code === 'ERR_TONPLUG_SERVER'
}
