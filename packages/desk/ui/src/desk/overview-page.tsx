import type { Overview, PeriodSums, Session, SumOfPeriod } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { startsOfNow } from '../text/time.js'
import { BooksCard } from './books-card.js'
import { linkTo } from './route.js'
import { TransferTable } from './transfer-table.js'
import { useResource } from './use-resource.js'

const REFRESH_MS = 30_000

/** The work of operators, the sums of today and of this month, and the state of the sources. */
export function OverviewPage({ session }: { session: Session }) {
  const { data, problem } = useResource<Overview>(
    linkTo('', startsOfNow()).replace('#/', 'api/overview'),
    REFRESH_MS,
  )
  return (
    <>
      <h2 class="page-title">Overview</h2>
      <p class="notice" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
      {data && <OverviewDetails overview={data} />}
      <BooksCard session={session} />
    </>
  )
}

function OverviewDetails({ overview }: { overview: Overview }) {
  const { problems, today, month, chain } = overview
  return (
    <>
      {problems.map((text) => (
        <p class="notice" key={text}>
          {text} <a href={linkTo('health')}>See the health</a>
        </p>
      ))}
      <Work overview={overview} />
      <div class="charts">
        <Sums name="Today" sums={today} />
        <Sums name="This month" sums={month} />
        {chain && (
          <section class="card" aria-label="The chain">
            <h3>The chain</h3>
            <Facts
              facts={[
                ['Last successful look', ago(chain.lastLook) ?? 'none yet'],
                ['Newest known block', ago(chain.newestBlock)],
              ]}
            />
          </section>
        )}
      </div>
    </>
  )
}

function ago(duration: string | undefined): string | undefined {
  return duration && `${duration} ago`
}

function Work({ overview: { work, counts, isComplete } }: { overview: Overview }) {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const shown = isComplete ? `${total}` : `${total} or more`
  if (total === 0) {
    return (
      <section class="card" aria-label="Work">
        <p class="happened" role="status">
          {isComplete ? 'Nothing needs you.' : 'None of the newest payments needs you.'}
        </p>
      </section>
    )
  }
  return (
    <section class="card" aria-labelledby="work-title">
      <h3 id="work-title">
        {shown} {total === 1 && isComplete ? 'payment needs' : 'payments need'} you
      </h3>
      <p class="badges">
        {counts.map(({ name, tone, count }) => (
          <Badge key={name} tone={tone}>
            {name}: {count}
          </Badge>
        ))}
      </p>
      <TransferTable transfers={work} />
      {total > work.length && <p class="hint">These are the newest {work.length}.</p>}
    </section>
  )
}

function Sums({ name, sums: { coins, prices, unpriced } }: { name: string; sums: PeriodSums }) {
  return (
    <section class="card" aria-label={name}>
      <h3>{name}</h3>
      <Facts
        facts={[
          ['Arrived', coins.length === 0 ? 'nothing' : <Amounts sums={coins} />],
          ['Prices of paid orders', prices.length > 0 && <Amounts sums={prices} />],
          ['Paid orders without a price', unpriced > 0 && prices.length > 0 && unpriced],
        ]}
      />
      <p class="hint">Up to one minute old.</p>
    </section>
  )
}

function Amounts({ sums }: { sums: readonly SumOfPeriod[] }) {
  return (
    <ul class="plain">
      {sums.map(({ amount, count }) => (
        <li key={amount}>
          {amount} <small>({count})</small>
        </li>
      ))}
    </ul>
  )
}
