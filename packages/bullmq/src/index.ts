export {
  bullmqJobQueue,
  type BullmqJobQueue,
  type BullmqJobQueueOptions,
} from './bullmq-job-queue.js'
