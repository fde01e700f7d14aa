import { comment } from '@ton/core'
import type { Payments } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import type { SimulatedWallet } from '@tonplug/simulator'

/** Submits the webhook of a payment in the native coin that names its trace, as gateways do. */
export async function submitWebhook(
  payments: Payments,
  sent: {
    payer: SimulatedWallet
    recipient: string
    reference: string
    value: bigint
    traceId: string
  },
): Promise<void> {
  const { payer, recipient, reference, value, traceId } = sent
  const payload = transferCompleted({
    rawAmount: `${value}`,
    senderAddr: payer.address.toRawString(),
    recipientAddr: recipient,
    reference,
    bodyBase64Hash: comment(reference).hash().toString('base64'),
    txHash: traceId,
    traceId,
  })
  await payments.submit({
    source: 'webhook',
    rawBody: JSON.stringify(payload),
    transfer: payload.data,
  })
}
