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
import type { Settings } from './settings.js'
import { sleep } from './sleep.js'
import { CLOCK, SETTINGS } from './tokens.js'

/** Addresses per filter. Every request contains them, and servers accept URLs of up to 8 KiB. */
const ADDRESSES_PER_FILTER = 50

/** Watches the deposit addresses and credits deposits. */
@Injectable()
export class DepositWatcher implements OnModuleDestroy {
  private readonly logger = new Logger(DepositWatcher.name)
  private readonly shutdown = new AbortController()
  private running: Promise<void> | undefined

  constructor(
    private readonly v3: V3Service,
    private readonly ledger: Ledger,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    // Every loop listens to it; Node warns about a leak above ten listeners.
    setMaxListeners(0, this.shutdown.signal)
  }

  /** Watches until the app shuts down. Rejects with a permanent error, for example a rejected API key. */
  async run(): Promise<void> {
    this.running ??= this.watchAll()
    await this.running
  }

  /** Waits until the current page is credited. The database is closed afterwards. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.abort()
    // The caller of `run` handles the error.
    await this.running?.catch(() => undefined)
  }

  private async watchAll(): Promise<void> {
    const { addresses, jettonMaster } = this.settings
    const loops: Promise<void>[] = []
    for (let start = 0; start < addresses.length; start += ADDRESSES_PER_FILTER) {
      const some = addresses.slice(start, start + ADDRESSES_PER_FILTER)
      loops.push(this.watch(nativeDeposits(this.v3, some)))
      loops.push(this.watch(jettonDeposits(this.v3, some, jettonMaster)))
    }
    this.logger.log({ message: 'watcher started', addresses: addresses.length })
    try {
      await Promise.all(loops)
    } catch (error) {
      this.shutdown.abort()
      await Promise.allSettled(loops)
      throw error
    }
  }

  /** Reads a source until shutdown. After a transient error, reads again from the stored cursor. */
  private async watch<Row>(source: DepositSource<Row>): Promise<void> {
    const { signal } = this.shutdown
    while (!signal.aborted) {
      try {
        await this.readPages(source)
      } catch (error) {
        if (signal.aborted) return
        if (!isTonplugError(error) || !isTransient(error)) throw error
        this.warn(error)
      }
      await sleep(this.clock, this.settings.pollMs, signal)
    }
  }

  /** Credits page by page. Returns when a page must be read again. */
  private async readPages<Row>(source: DepositSource<Row>): Promise<void> {
    const { watchFrom: from, pollMs } = this.settings
    const { signal } = this.shutdown
    const cursor = await this.ledger.cursorOf(source.name)
    const onError = (error: TonplugError): void => this.warn(error)
    const watch = source.watch({ from, cursor, pollMs, signal, onError })
    for await (const rows of watch.pages()) {
      const { deposits, isIncomplete } = await source.read(rows, signal)
      const progress = { source: source.name, cursor: watch.cursor() }
      this.report(await this.ledger.credit(deposits, isIncomplete ? undefined : progress))
      if (isIncomplete) return
    }
  }

  private report(deposits: readonly Deposit[]): void {
    for (const { amount, asset, address, sender, txHash } of deposits) {
      this.logger.log({
        message: 'deposit credited',
        amount: `${amount}`,
        asset,
        address,
        sender,
        txHash,
      })
    }
  }

  private warn({ code, message: reason }: TonplugError): void {
    this.logger.warn({ message: 'index request failed', code, reason })
  }
}

/** Includes errors of the server without a known reason, because they may disappear. */
function isTransient({ code, retryable }: TonplugError): boolean {
  return retryable || code === 'ERR_TONPLUG_SERVER'
}
