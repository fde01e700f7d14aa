import { CopyableCode } from '../components/copyable-code.js'
import { Facts } from '../components/facts.js'
import type { GatewayState } from './state.js'

/** The values for the configuration of the shop. */
export function Environment({ state }: { state: GatewayState }) {
  const { header, gatewayUrl, chainUrl, merchant, buyer, wallets } = state
  const values: [string, string][] = [
    ['TONPAY_BASE_URL', gatewayUrl],
    ...(chainUrl === null ? [] : [['API v2 and v3', chainUrl] satisfies [string, string]]),
    ['Signature header', header],
  ]
  if (wallets.length === 0) values.push(['Merchant', merchant], ['Buyer', buyer])
  return (
    <section class="card later" aria-labelledby="environment-title">
      <h2 id="environment-title">For your shop</h2>
      <Facts
        className=""
        facts={values.map(([name, value]) => [name, <CopyableCode name={name} value={value} />])}
      />
    </section>
  )
}
