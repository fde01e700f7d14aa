import type { Clock, WebhookReceiver } from '@tonplug/core'

/** A framework adapter under test. */
export interface WebhookAdapterHarness {
  /**
   * True if the framework parses bodies before the route, and the adapter takes the bytes from its parser. Such a parser may
   * reject a request that the receiver would reject, or accept, with another body. @default false
   */
  isParsedFirst?: boolean | undefined
  /**
   * Mounts the receiver in an app of the framework, for every method, and starts the app's server. The app has no error
   * handler of its own: what the framework sends by default is tested too.
   * @param clock the receiver's clock, for an adapter that reads bodies itself.
   */
  start: (
    receiver: WebhookReceiver,
    clock: Clock,
  ) => Promise<{
    /** The webhook route. */
    url: string
    /** Closes the app and its open connections. */
    close: () => Promise<void>
  }>
}
