import { serveChain as begin, type ServedChain } from '@tonplug/testing/simulator'
import { onTestFinished } from 'vitest'

/** Begins a chain and serves it until the test ends. */
export async function serveChain(...options: Parameters<typeof begin>): Promise<ServedChain> {
  const served = await begin(...options)
  onTestFinished(() => served.close())
  return served
}
