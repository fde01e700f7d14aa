import { shorten } from '../text/hash.js'
import { CopyButton } from './copy-button.js'

/** A value in a monospaced font, with a button that copies all of it. */
export function CopyableCode({
  name,
  value,
  isShort = false,
}: {
  /** Names the value for screen readers. */
  name: string
  value: string
  isShort?: boolean
}) {
  return (
    <span class="copyable">
      <code title={isShort ? value : undefined}>{isShort ? shorten(value) : value}</code>
      <CopyButton name={`Copy ${name}`} text={value} />
    </span>
  )
}
