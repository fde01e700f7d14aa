export {
  verifyTelegramInitData,
  type InitDataCheck,
  type InitDataOptions,
  type InitDataProblem,
  type TelegramUser,
} from './telegram/verify-init-data.js'
export type { Clock, TimerOptions } from './shared/clock.js'
