import type { ComponentChildren } from 'preact'

/** A fact without a value is not shown. */
export type Fact = [name: string, value: ComponentChildren | undefined]

const ABSENT: unknown[] = [undefined, null, false, '']

/** A list of names and values. */
export function Facts({ facts, className = 'columns' }: { facts: Fact[]; className?: string }) {
  const shown = facts.filter(([, value]) => !ABSENT.includes(value))
  return (
    <dl class={`facts ${className}`}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
