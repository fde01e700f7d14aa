import { onTestFinished } from 'vitest'
import { type Running, startTonplug } from './run-command.js'

/** The secret that {@link startDev} signs with. */
export const DEV_SECRET = 'whsec_dev_test'

/** `tonplug dev` in a separate process. */
export interface DevProcess extends Running {
  /** The first document that it printed, with the fields of the gateway. */
  start: {
    page: string
    chain: { url: string; environment: { name: string; value: string }[] } | null
    gatewayUrl: string
    chainUrl: string | null
    merchant: string
    buyer: string
    [name: string]: unknown
  }
  /** Sends a request to the page's server as the page does. */
  ask(path: string, body?: object, headers?: Record<string, string>): Promise<Response>
}

/** Starts `tonplug dev --url` on free ports, and kills it when the test ends. */
export function startDev(
  url: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<DevProcess> {
  return runDev(['--url', url, ...args], { TONPAY_WEBHOOK_SECRET: DEV_SECRET, ...environment })
}

/** Starts `tonplug dev` without a gateway on free ports, and kills it when the test ends. */
export function startDevChain(args: readonly string[] = []): Promise<DevProcess> {
  return runDev(args, {})
}

async function runDev(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<DevProcess> {
  const running = startTonplug(['dev', '--port', '0', '--json', ...args], environment)
  onTestFinished(() => void running.end('SIGTERM'))
  // The first document.
  const { gateway, ...printed } = JSON.parse(await running.nextLine()) as {
    gateway: object | null
  } & DevProcess['start']
  const start = { ...printed, ...gateway }
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
