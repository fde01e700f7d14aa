import type { TransportOptions } from '../../../src/toncenter/transport/options.js'
import { createLine, readCall, type Line } from './calls.js'
import { startScriptedApi, type MockReply, type MockApi } from '@tonplug/test-support/mock-api'

/** Why callers end their calls. */
export const reason = new Error('the visitor has left')

/** A call that its caller can end. `abort` returns the error of the call. */
export function begin(line: Line): { call: Promise<unknown>; abort: () => Promise<unknown> } {
  const controller = new AbortController()
  const call = line.transport.request(readCall(), { signal: controller.signal })
  call.catch(() => undefined)
  const abort = async (): Promise<unknown> => {
    controller.abort(reason)
    return call.catch((error: unknown) => error)
  }
  return { call, abort }
}

/** A line to a server, and the errors that it told. */
export interface Setting {
  line: Line
  server: MockApi
  errors: unknown[]
}

/** The clock of the line stands still unless a test moves it. */
export async function set(
  answers: (MockReply | Promise<MockReply>)[],
  options: TransportOptions = {},
): Promise<Setting> {
  const server = await startScriptedApi(...answers)
  const errors: unknown[] = []
  const hooks = { error: (event: unknown) => void errors.push(event) }
  const line = createLine({ baseUrl: server.baseUrl, moves: false, hooks, ...options })
  return { line, server, errors }
}
