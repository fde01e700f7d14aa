import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ShopProcessMessage, ShopProcessOptions } from './shop-process-messages.js'

// The compiled one, also when a test runs the sources.
const program = fileURLToPath(new URL('../dist/shop-process.js', import.meta.url))

/** A shop in another process. */
export interface ShopProcess {
  /** Returns the first message of a kind, also an earlier one. Rejects when the process ends without it. */
  message<Kind extends ShopProcessMessage['kind']>(
    kind: Kind,
  ): Promise<Extract<ShopProcessMessage, { kind: Kind }>>
  /** Sends SIGKILL; resolves when the process has ended and its messages were received. */
  kill(): Promise<void>
  /** Shuts the process down. Returns the final status of the order. */
  finish(reference: string): Promise<string>
}

/** Starts a shop in another process; `onMessage` is called for each of its messages. */
export function startShopProcess(
  options: ShopProcessOptions,
  onMessage: (message: ShopProcessMessage) => void,
): ShopProcess {
  const child = fork(program, [JSON.stringify(options)])
  const received: ShopProcessMessage[] = []
  const closed = once(child, 'close')
  child.on('message', (message: ShopProcessMessage) => {
    received.push(message)
    onMessage(message)
  })

  const firstMessage: ShopProcess['message'] = (kind) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const message = received.find((one) => one.kind === kind)
        // The kind determines the type.
        if (message !== undefined) resolve(message as Parameters<typeof resolve>[0])
      }
      check()
      child.on('message', check)
      void closed.then(([code]) =>
        reject(new Error(`the shop's process ended (${code}) without the message "${kind}"`)),
      )
    })

  return {
    message: firstMessage,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async finish(reference) {
      child.send(reference)
      const { order } = await firstMessage('closed')
      await closed
      return order
    },
  }
}
