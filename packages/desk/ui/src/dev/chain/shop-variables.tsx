import { CopyButton } from '../../components/copy-button.js'
import { CopyableCode } from '../../components/copyable-code.js'
import { Facts } from '../../components/facts.js'
import type { ChainState } from '../state.js'

/** The variables that point a shop at the chain. */
export function ShopVariables({ state: { environment, shopRoute } }: { state: ChainState }) {
  const lines = environment.map(({ name, value }) => `export ${name}=${value}`).join('\n')
  return (
    <section class="card later" aria-labelledby="variables-title">
      <h2 id="variables-title" class="with-action">
        Your shop
        <CopyButton name="Copy the variables" text={lines} />
      </h2>
      <pre tabIndex={0} role="region" aria-label="Variables of your shop">
        {lines}
      </pre>
      <Facts
        className="status-route"
        facts={[
          ['Status of orders (--shop)', <CopyableCode name="the status route" value={shopRoute} />],
        ]}
      />
    </section>
  )
}
