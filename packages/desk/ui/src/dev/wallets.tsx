import { CopyableCode } from '../components/copyable-code.js'
import type { GatewayState } from './state.js'

/** The wallets of a simulated chain. */
export function Wallets({ wallets }: Pick<GatewayState, 'wallets'>) {
  if (wallets.length === 0) return null
  return (
    <section id="wallets-card" class="card later" aria-labelledby="wallets-title">
      <h2 id="wallets-title">Wallets</h2>
      <ul class="plain">
        {wallets.map(({ name, address, balances }) => (
          <li class="wallet" key={address}>
            <h3>{name}</h3>
            {balances.map(({ ticker, amount }) => (
              <p class="number" key={ticker}>{`${amount} ${ticker}`}</p>
            ))}
            <CopyableCode name={`the address: ${name}`} value={address} />
          </li>
        ))}
      </ul>
    </section>
  )
}
