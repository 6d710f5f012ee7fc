#!/usr/bin/env node
// Stop hook: posts the last answer to a URL, such as a chat's incoming webhook. Never blocks, waits five seconds at most.
//   post-summary.mjs https://…            or SUMMARY_URL; SUMMARY_TOKEN is sent as a bearer token
import { notifyUser, projectDir, readEvent } from './stopHook.mjs';

const event = await readEvent();
const { SUMMARY_URL, SUMMARY_TOKEN } = process.env;
const text = event.last_assistant_message ?? '';
const body = {
  text: text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text,
  project: projectDir(event),
  session_id: event.session_id,
  // a later hook may have sent the agent back: this is not its first stop
  again: event.stop_hook_active === true,
};

try {
  const response = await fetch(process.argv[2] ?? SUMMARY_URL, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(SUMMARY_TOKEN ? { authorization: `Bearer ${SUMMARY_TOKEN}` } : {}),
    },
    body: JSON.stringify(body),
    // a webhook's address is a secret: do not reveal it to a redirect's target
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) notifyUser(`The summary was not accepted: HTTP ${response.status}.`);
} catch (error) {
  notifyUser(`The summary was not posted: ${error.cause?.message ?? error.message}.`);
}
