export type {
  ActionRequests,
  ActionResult,
  AuditRecord,
  DeskAction,
  DeskError,
  DeskHealth,
  HealthCheck,
  HealthSeries,
  PaymentStory,
  RuleVerdict,
  Session,
  StoryHandler,
  StoryOrder,
  StoryReport,
  TransferGroup,
  TransferPage,
  TransferRow,
} from './api.js'
export { createDesk, type Desk } from './desk.js'
export { tonplugDesk } from './node.js'
export type { DeskNodeRequest, DeskOperator, DeskOptions, DeskPayments } from './options.js'
