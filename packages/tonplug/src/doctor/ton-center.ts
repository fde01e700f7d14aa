import { describeSettingMistake } from '@tonplug/core'
import { createV3Client, type Network, type V3Client } from '@tonplug/core/toncenter'
import type { DoctorSettings } from './settings.js'
import { codeOf } from './webhook-probe.js'

/** The response of API v3 to a request with the key. */
export type TonCenterReply =
  { status: number; date: string | null; atMs: number } | { code: string }

/** Sends the cheapest request of API v3. */
export async function askTonCenter({
  servers,
  network,
  apiKey = '',
  timeoutMs,
}: DoctorSettings): Promise<TonCenterReply> {
  const url = `${servers[network].replace(/\/+$/, '')}/api/v3/masterchainInfo`
  try {
    const response = await fetch(url, {
      headers: apiKey === '' ? {} : { 'x-api-key': apiKey },
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return { status: response.status, date: response.headers.get('date'), atMs: Date.now() }
  } catch (error) {
    return { code: codeOf(error) }
  }
}

/**
 * Returns a client of a network. The key belongs to one network, so the other one is used without it. A key that can only be a
 * mistake is reported by a check of its own.
 */
export function clientOf(settings: DoctorSettings, network: Network): V3Client {
  const { servers, apiKey, timeoutMs } = settings
  const isUsed = network === settings.network && describeSettingMistake(apiKey ?? '') === undefined
  return createV3Client({
    baseUrl: servers[network],
    apiKey: isUsed ? apiKey : undefined,
    deadlineMs: timeoutMs,
    timeoutMs,
  })
}
