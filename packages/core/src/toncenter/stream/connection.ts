import { createPause, type Pause } from '../../shared/alarm.js'
import { isTonplugError, type TonplugError } from '../../shared/tonplug-error.js'
import { RateLimitError } from '../errors/http.js'
import { lostError, type Link, type OnEvent, type OpenLink } from './link.js'
import type { ResolvedStreamOptions } from './options.js'
import { createOutage, type Outage } from './outage.js'
import { covers, type Selection } from './subscription.js'

/** A connection that lasts so long is a success. */
const STABLE_MS = 30_000

/** Dependencies of a connection. */
export interface ConnectionOptions {
  stream: ResolvedStreamOptions
  open: OpenLink
  /** Returns the subscription that is needed now; `undefined` for none. */
  wanted: () => Selection | undefined
  onEvent: OnEvent
  onConnected: (acknowledged: Selection) => void
  onDisconnected: (error: TonplugError) => void
}

/** Keeps one connection open while anything is subscribed. It opens at the first `update` with a wanted subscription. */
export class Connection {
  /** Connections that were opened. */
  opened = 0
  readonly #options: ConnectionOptions
  readonly #closing = new AbortController()
  readonly #outage: Outage
  readonly #pause: Pause
  #active: { link: Link; selection: Selection; sinceMs: number } | undefined
  #isConnecting = false
  #isRunning = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#outage = createOutage(options.stream)
    this.#pause = createPause(options.stream.clock, { isBackground: true })
  }

  get state(): 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed' {
    if (this.#closing.signal.aborted) return 'closed'
    if (this.#active !== undefined) return 'connected'
    if (this.#isConnecting) return 'connecting'
    return this.#isRunning ? 'waiting' : 'idle'
  }

  /** Why there is no connection, or no complete subscription. */
  get error(): TonplugError | undefined {
    return this.#outage.error
  }

  /** When the next attempt begins, by the clock; in the past unless it waits. */
  get retryAtMs(): number {
    return this.#outage.retryAtMs
  }

  /** Must be called when the wanted subscription has changed. */
  update(): void {
    if (this.#isRunning) this.#pause.wake()
    else if (this.#options.wanted() !== undefined) void this.#run()
  }

  close(): void {
    this.#closing.abort()
    this.#pause.wake()
  }

  async #run(): Promise<void> {
    const { stream, wanted, onConnected } = this.#options
    this.#isRunning = true
    // Subscriptions that begin together make one connection.
    await Promise.resolve()
    for (;;) {
      const selection = this.#closing.signal.aborted ? undefined : wanted()
      if (selection === undefined) break
      const waitMs = this.retryAtMs - stream.clock.nowMs()
      const acknowledged = this.#active?.selection
      if (acknowledged !== undefined) onConnected(acknowledged)
      if (acknowledged !== undefined && covers(acknowledged, selection)) {
        await this.#pause.sleep(Infinity)
      } else if (waitMs > 0) await this.#pause.sleep(waitMs)
      else await this.#tryToConnect(selection)
    }
    this.#isRunning = false
    this.#active?.link.close()
    this.#active = undefined
  }

  async #tryToConnect(selection: Selection): Promise<void> {
    this.#isConnecting = true
    try {
      await this.#connect(selection)
      this.#outage.end()
    } catch (thrown) {
      if (this.#closing.signal.aborted) return
      const error = isTonplugError(thrown) ? thrown : lostError(thrown, this.#options.stream.redact)
      this.#outage.fail(error)
      // The key may allow no second connection for the change of a subscription.
      if (error instanceof RateLimitError && this.#active !== undefined) {
        this.#active.link.close()
        this.#lose(error)
      }
    } finally {
      this.#isConnecting = false
    }
  }

  async #connect(selection: Selection): Promise<void> {
    const { open, onEvent } = this.#options
    if (this.#active?.link.replace === undefined) {
      this.#use(await open(selection, onEvent, this.#closing.signal), selection)
      return
    }
    const { link, sinceMs } = this.#active
    await this.#active.link.replace(selection)
    if (this.#active?.link === link) this.#active = { link, selection, sinceMs }
  }

  #use(link: Link, selection: Selection): void {
    this.#active?.link.close()
    const own = { link, selection, sinceMs: this.#options.stream.clock.nowMs() }
    this.#active = own
    this.opened++
    void link.ended.then((error) => {
      if (this.#active === own) this.#lose(error)
    })
  }

  #lose(error: TonplugError): void {
    const { stream, onDisconnected } = this.#options
    const lastedMs = stream.clock.nowMs() - (this.#active?.sinceMs ?? 0)
    this.#active = undefined
    this.#outage.fail(error, lastedMs >= STABLE_MS)
    onDisconnected(error)
    this.#pause.wake()
  }
}
