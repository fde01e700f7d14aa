import type { OrderKey } from '../payments/orders/order.js'
import type { Payments } from '../payments/engine/payments.js'
import type { PaymentStatusEvent } from '../payments/engine/payment-status.js'
import { createFrames, type Frames } from './frames.js'

/** Shorter than the idle timeouts of common proxies. */
const BEAT_MS = 15_000

/** The messages of a kind of status streams. */
export interface StatusMessages<Message> {
  /** Before the first status. */
  first?: Message | undefined
  /** Sent to all streams every 15 seconds, so that proxies do not close them, and clients that have disappeared are noticed. */
  beat: Message
  /** The message of a status; `paid` is the last one. */
  of: (event: PaymentStatusEvent) => Message
}

/** The open status streams of a bridge. */
export interface StatusStreams<Message> {
  /** The number of open streams. */
  readonly size: number
  /**
   * Opens a stream for one reader: the current status of an order at once, then each change, until it is paid or Payments is
   * closed. A stream reads a status when its reader has taken the one before. Call its `return()` when the client leaves.
   * @throws {ConfigurationError} for a key that is not one.
   */
  open(key: string | OrderKey): Frames<Message>
  /** Ends all streams. */
  close(): void
}

/** Creates the status streams of a bridge. See {@link Payments.watchStatus}. */
export function createStatusStreams<Message extends string | object>(
  payments: Pick<Payments, 'watchStatus' | 'internals'>,
  messages: StatusMessages<Message>,
): StatusStreams<Message> {
  const { clock } = payments.internals
  const opened = new Set<Frames<Message>>()
  let cancelTimer: (() => void) | undefined
  const beatLater = (): void => {
    cancelTimer = clock.setTimer(beat, BEAT_MS, { isBackground: true })
  }
  const beat = (): void => {
    beatLater()
    for (const frames of opened) frames.offer(messages.beat)
  }
  const remove = (frames: Frames<Message>): void => {
    opened.delete(frames)
    if (opened.size > 0) return
    cancelTimer?.()
    cancelTimer = undefined
  }
  return {
    get size() {
      return opened.size
    },
    open(key) {
      const left = new AbortController()
      const statuses = payments.watchStatus(key, { signal: left.signal })
      const frames = createFrames(messages.first, () => {
        left.abort()
        remove(frames)
      })
      opened.add(frames)
      if (cancelTimer === undefined) beatLater()
      void send(statuses, frames, messages)
      return frames
    },
    close() {
      for (const frames of opened) void frames.return()
    },
  }
}

/** Never rejects. */
async function send<Message>(
  statuses: ReturnType<Payments['watchStatus']>,
  frames: Frames<Message>,
  messages: StatusMessages<Message>,
): Promise<void> {
  try {
    for await (const event of statuses) await frames.put(messages.of(event))
    frames.end()
  } catch (error) {
    frames.end(error)
  }
}
