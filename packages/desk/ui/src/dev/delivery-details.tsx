import { useEffect, useState } from 'preact/hooks'
import { CodeBlock } from '../components/code-block.js'
import { CopyableCode } from '../components/copyable-code.js'
import { CopyButton } from '../components/copy-button.js'
import { Facts } from '../components/facts.js'
import { curlCommand } from '../text/curl.js'
import { toHex } from '../text/hash.js'
import { ask } from './requests.js'
import type { AttemptDetail, AttemptSummary } from './state.js'

/** The request and the response of a delivery. They are requested once, because they do not change. */
export function DeliveryDetails({
  attempt: { id, reference, txHash },
}: {
  attempt: AttemptSummary
}) {
  const [detail, setDetail] = useState<AttemptDetail>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    ask(`api/attempts/${id}`).then(
      // The server sends an AttemptDetail.
      (found) => setDetail(found as AttemptDetail),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [id])
  return (
    <>
      <p class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      <Facts
        facts={[
          ['Reference', reference && <CopyableCode name="the reference" value={reference} />],
          ['Transaction', txHash && <CopyableCode name="the transaction" value={toHex(txHash)} />],
        ]}
      />
      {detail && <Exchange detail={detail} />}
    </>
  )
}

function Exchange({ detail }: { detail: AttemptDetail }) {
  const { url, requestHeaders: headers, requestBody: body, responseBody } = detail
  return (
    <>
      <h4 class="with-action">
        Request
        <CopyButton name="Copy cURL" label="Copy cURL" text={curlCommand({ url, headers, body })} />
      </h4>
      <p class="line">{`POST ${url}`}</p>
      <Facts className="headers" facts={Object.entries(headers)} />
      <CodeBlock name="Body of the request" text={body} />
      <h4>Response</h4>
      <p class="line">{detail.error ?? `Status ${detail.status}`}</p>
      <Facts className="headers" facts={Object.entries(detail.responseHeaders)} />
      {responseBody !== '' && <CodeBlock name="Body of the response" text={responseBody} />}
    </>
  )
}
