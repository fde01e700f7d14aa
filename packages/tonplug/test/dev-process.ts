import { onTestFinished } from 'vitest'
import { type Running, startTonplug } from './run-command.js'

/** The secret that {@link startDev} signs with. */
export const DEV_SECRET = 'whsec_dev_test'

/** `tonplug dev` in a process of its own. */
export interface DevProcess extends Running {
  /** What it printed first. */
  start: {
    page: string
    gatewayUrl: string
    chainUrl: string | null
    merchant: string
    buyer: string
    [name: string]: unknown
  }
  /** Asks the page's server as the page does. */
  ask(path: string, body?: object, headers?: Record<string, string>): Promise<Response>
}

/** Starts `tonplug dev --json` on free ports; it is killed with the test. */
export async function startDev(
  url: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<DevProcess> {
  const running = startTonplug(['dev', '--url', url, '--port', '0', '--json', ...args], {
    TONPAY_WEBHOOK_SECRET: DEV_SECRET,
    ...environment,
  })
  onTestFinished(() => void running.end('SIGTERM'))
  // The document of its start.
  const start = JSON.parse(await running.nextLine()) as DevProcess['start']
  return {
    ...running,
    start,
    ask: (path, body, headers = {}) =>
      fetch(`${start.page}/${path}`, {
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
  }
}
