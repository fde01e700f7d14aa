import { createLogLimit, type LogLimit } from '../../shared/logger.js'
import { backoffDelay, createPause, type Pause } from '../../shared/timers.js'
import { errorFacts } from '../../shared/error-facts.js'
import { isTonplugError, type TonplugError } from '../../shared/tonplug-error.js'
import { HttpStatusError, RateLimitError } from '../errors/http.js'
import { capPause } from '../transport/servers.js'
import { hasNoConnections, lostError, type Link, type LinkListener, type OpenLink } from './link.js'
import type { ResolvedStreamOptions } from './options.js'
import { readEvent } from './read-event.js'
import { createSseOpener } from './sse.js'
import type { Subscriber } from './subscriber.js'
import { covers, unite, type Selection } from './subscription.js'
import { createWebSocketOpener } from './web-socket.js'

/** A connection that lasts so long is a success. */
const STABLE_MS = 30_000
/** Between two attempts to connect. */
const BACKOFF = { minDelayMs: 1000, maxDelayMs: 60_000 }
/** The delay after a refusal that only another plan, key or subscription ends. */
const REFUSED_DELAY_MS = 300_000

/** Keeps one connection open while there is a subscriber. It opens at the first `update` with one. */
export class Connection {
  readonly #options: ResolvedStreamOptions
  readonly #subscribers: ReadonlySet<Subscriber>
  readonly #open: OpenLink
  readonly #closing = new AbortController()
  /** Ends the current attempt to connect, or to change the subscription. */
  #attempt = new AbortController()
  readonly #pause: Pause
  readonly #mayLog: LogLimit
  readonly #counts = { connections: 0, events: 0, unreadable: 0 }
  /** Why there is no connection, or no complete subscription. */
  #error: TonplugError | undefined
  /** When the next attempt begins, by the clock; in the past unless it waits. */
  #retryAtMs = -Infinity
  #failures = 0
  /** The last subscription that the server has acknowledged. */
  #accepted: Selection | undefined
  #active: { link: Link; selection: Selection; sinceMs: number } | undefined
  #isConnecting = false
  #isRunning = false

  constructor(options: ResolvedStreamOptions, subscribers: ReadonlySet<Subscriber>) {
    const { clock, WebSocket } = options
    this.#options = options
    this.#subscribers = subscribers
    this.#open = WebSocket ? createWebSocketOpener(options, WebSocket) : createSseOpener(options)
    this.#pause = createPause(clock, { isBackground: true })
    this.#mayLog = createLogLimit(clock)
  }

  /** Returns the state and its counters, as in `Stream.health`. */
  health() {
    const state = this.#state()
    const error = this.#error
    const isUp = state === 'idle' || (state === 'connected' && error === undefined)
    const retryInMs = Math.ceil(this.#retryAtMs - this.#options.clock.nowMs())
    return {
      status: isUp ? ('up' as const) : ('down' as const),
      state,
      ...(error !== undefined && { error }),
      ...(retryInMs > 0 && state === 'waiting' && { retryInMs }),
      ...this.#counts,
    }
  }

  #state(): 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed' {
    if (this.#closing.signal.aborted) return 'closed'
    if (this.#active !== undefined) return 'connected'
    if (this.#isConnecting) return 'connecting'
    return this.#isRunning ? 'waiting' : 'idle'
  }

  /** Must be called when the subscribers have changed. */
  update(): void {
    if (this.#subscribers.size === 0) this.#attempt.abort()
    if (this.#isRunning) this.#pause.wake()
    else if (this.#subscribers.size > 0) void this.#run()
  }

  close(): void {
    this.#closing.abort()
    this.#attempt.abort()
    this.#pause.wake()
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    const subscribers = this.#subscribers
    this.#isRunning = true
    // Subscriptions that begin together make one connection.
    await Promise.resolve()
    while (!this.#closing.signal.aborted && subscribers.size > 0) {
      const selection = this.#wanted()
      const waitMs = this.#retryAtMs - clock.nowMs()
      const acknowledged = this.#active?.selection
      if (acknowledged !== undefined) this.#announce(acknowledged)
      if (acknowledged !== undefined && covers(acknowledged, selection)) {
        this.#recover()
        await this.#pause.sleep(Infinity)
      } else if (waitMs > 0) await this.#pause.sleep(waitMs)
      else await this.#tryToConnect(selection)
    }
    this.#isRunning = false
    this.#active?.link.close()
    this.#active = undefined
  }

  /**
   * Returns the subscription of all loops. After a refusal of that, a new connection begins with that of the loops which the
   * server has accepted before: one loop with too many addresses must not keep the others from their events.
   */
  #wanted(): Selection {
    const all = [...this.#subscribers].map((one) => one.selection)
    const [accepted, error] = [this.#accepted, this.#error]
    const isNew = this.#active === undefined && error !== undefined && isRefused(error)
    const known = isNew && accepted ? all.filter((one) => covers(accepted, one)) : []
    return unite(known.length > 0 ? known : all)
  }

  async #tryToConnect(selection: Selection): Promise<void> {
    this.#isConnecting = true
    const { signal } = (this.#attempt = new AbortController())
    try {
      await this.#connect(selection, signal)
    } catch (thrown) {
      if (signal.aborted) return
      const error = isTonplugError(thrown) ? thrown : lostError(thrown, this.#options.redact)
      this.#fail(error)
      // The key may allow no second connection for the change of a subscription.
      if (error instanceof RateLimitError && this.#active !== undefined) {
        this.#active.link.close()
        this.#lose(error)
      }
      this.#retract(error)
    } finally {
      this.#isConnecting = false
    }
  }

  /** Everything that is subscribed is acknowledged. */
  #recover(): void {
    if (this.#error !== undefined) this.#options.logger.info('stream connected again')
    this.#error = undefined
  }

  async #connect(selection: Selection, signal: AbortSignal): Promise<void> {
    if (this.#active?.link.replace === undefined) {
      const listener: LinkListener = {
        onEvent: (json) => this.#receive(json),
        onAcknowledged: (acknowledged) => {
          if (!signal.aborted) this.#announce(acknowledged)
        },
      }
      this.#use(await this.#open(selection, listener, signal), selection)
      return
    }
    const { link, sinceMs } = this.#active
    await this.#active.link.replace(selection, signal)
    this.#accepted = selection
    if (this.#active?.link === link) this.#active = { link, selection, sinceMs }
  }

  #use(link: Link, selection: Selection): void {
    this.#active?.link.close()
    const own = { link, selection, sinceMs: this.#options.clock.nowMs() }
    this.#active = own
    this.#accepted = selection
    this.#counts.connections++
    void link.ended.then((error) => {
      if (this.#active === own) this.#lose(error)
    })
  }

  /** Delivers `connected` before the first event of a subscription. */
  #announce(acknowledged: Selection): void {
    for (const one of this.#subscribers) one.connect(acknowledged)
  }

  /** Delivers `disconnected` where a connection failed right after its acknowledgement. */
  #retract(error: TonplugError): void {
    const active = this.#active?.selection
    for (const one of this.#subscribers) {
      if (active === undefined || !covers(active, one.selection)) one.disconnect(error)
    }
  }

  /** Delivers an event to all subscribers. */
  #receive(json: unknown): void {
    this.#counts.events++
    const event = readEvent(json)
    if (event !== undefined) {
      for (const one of this.#subscribers) one.push(event)
      return
    }
    this.#counts.unreadable++
    const suppressed = this.#mayLog('unreadable')
    if (suppressed !== undefined) {
      this.#options.logger.warn('event of the stream not readable', { suppressed })
    }
    for (const one of this.#subscribers) one.pushMissed()
  }

  #lose(error: TonplugError): void {
    const lastedMs = this.#options.clock.nowMs() - (this.#active?.sinceMs ?? 0)
    this.#active = undefined
    if (lastedMs >= STABLE_MS) this.#failures = 0
    this.#fail(error)
    for (const one of this.#subscribers) one.disconnect(error)
    this.#pause.wake()
  }

  #fail(error: TonplugError): void {
    const { clock, logger, random } = this.#options
    if (this.#error === undefined) {
      logger.warn('stream not connected; API v3 is polled instead', { error: errorFacts(error) })
    }
    this.#error = error
    this.#failures++
    const longestMs = isRefused(error) ? REFUSED_DELAY_MS : backoffDelay(BACKOFF, this.#failures)
    const requestedMs = error instanceof RateLimitError ? error.details.retryAfterMs : undefined
    this.#retryAtMs =
      clock.nowMs() + Math.max(longestMs * (0.5 + random() / 2), capPause(requestedMs))
  }
}

/** Returns true for a refusal that the same request would receive again. */
function isRefused(error: TonplugError): boolean {
  return hasNoConnections(error) || (error instanceof HttpStatusError && !error.retryable)
}
