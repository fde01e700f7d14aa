import { useState } from 'preact/hooks'

/** The parts of the page. */
export type Tab = 'chain' | 'gateway'

const NAMES: Record<Tab, string> = { chain: 'Chain', gateway: 'Gateway' }

/** Returns the selected tab: the last one until the user selects another, or the chain for a link in the page's address. */
export function useTab(tabs: readonly Tab[]): [Tab | undefined, (tab: Tab) => void] {
  const [selected, select] = useState<Tab | undefined>(
    location.hash.startsWith('#ton://') ? 'chain' : undefined,
  )
  return [selected ?? tabs.at(-1), select]
}

/** The buttons that select a part of the page; nothing for a single part. */
export function Tabs({
  tabs,
  tab: selected,
  onChange,
}: {
  tabs: readonly Tab[]
  tab: Tab | undefined
  onChange: (tab: Tab) => void
}) {
  if (tabs.length < 2) return null
  return (
    <nav class="tabs" aria-label="Parts of the page">
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          aria-current={tab === selected ? 'page' : undefined}
          onClick={() => onChange(tab)}
        >
          {NAMES[tab]}
        </button>
      ))}
    </nav>
  )
}
