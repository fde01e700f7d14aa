import type { WebhookRequest } from '@tonplug/core'

const merchants = new WeakMap<WebhookRequest['headers'], string>()

/** Stores the merchant that a secret resolver returned for a request, identified by its headers. */
export function storeMerchant(headers: WebhookRequest['headers'], merchant: string): void {
  merchants.set(headers, merchant)
}

/** Returns the merchant of a request; `''` without a secret resolver. */
export function merchantOf(headers: WebhookRequest['headers']): string {
  return merchants.get(headers) ?? ''
}
