import { bash, hooksOn } from '../lib/steps.mjs';
// headless, a permission that nobody can give is not a notification
export default {
  settings: hooksOn({ Notification: 'note', PermissionRequest: 'asked', Stop: 'stop' }),
  keep: { noResults: true },
  replies: { note: [{}], asked: [{}], stop: [{}] },
  script: [bash('touch a'), { text: 'finished' }],
};
