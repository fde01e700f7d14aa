import { indentJson } from '../text/indent-json.js'
import { CopyButton } from './copy-button.js'

/** A body, indented if it is JSON. The copy button copies it as it was sent. */
export function CodeBlock({ name, text }: { name: string; text: string }) {
  return (
    <div class="code-block">
      <pre tabIndex={0} role="region" aria-label={name}>
        {indentJson(text)}
      </pre>
      <CopyButton name={`Copy: ${name}`} label="Copy body" text={text} />
    </div>
  )
}
