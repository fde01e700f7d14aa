import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ShopProcessMessage, ShopProcessOptions } from './shop-process-messages.js'

// The compiled one, also when a test runs the sources.
const program = fileURLToPath(new URL('../dist/shop-process.js', import.meta.url))

/** A shop's process as its parent sees it. */
export interface ShopProcess {
  /** The first message of a kind, which may have come already. Rejects when the process ends without it. */
  hear<Kind extends ShopProcessMessage['kind']>(
    kind: Kind,
  ): Promise<Extract<ShopProcessMessage, { kind: Kind }>>
  /** SIGKILL; resolves when the process is gone and all that it told was heard. */
  kill(): Promise<void>
  /** Closes it in good order. Resolves with where the order stands in the end. */
  finish(reference: string): Promise<string>
}

/** Starts a shop's process; `onMessage` hears all that it tells. */
export function startShopProcess(
  options: ShopProcessOptions,
  onMessage: (message: ShopProcessMessage) => void,
): ShopProcess {
  const child = fork(program, [JSON.stringify(options)])
  const heard: ShopProcessMessage[] = []
  const closed = once(child, 'close')
  child.on('message', (message: ShopProcessMessage) => {
    heard.push(message)
    onMessage(message)
  })

  const hear: ShopProcess['hear'] = (kind) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const message = heard.find((one) => one.kind === kind)
        // The kind tells the type.
        if (message !== undefined) resolve(message as Parameters<typeof resolve>[0])
      }
      look()
      child.on('message', look)
      void closed.then(([code]) =>
        reject(new Error(`The shop's process ended (${code}) and never told "${kind}"`)),
      )
    })

  return {
    hear,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async finish(reference) {
      child.send(reference)
      const { order } = await hear('closed')
      await closed
      return order
    },
  }
}
