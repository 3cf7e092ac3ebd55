// Follows the conversation: SimCord's page keeps the answer to the last press in view, a player
// wants the newest message with its buttons. Pictures come late, so it takes a while to be there.

const WHILE = 2000;
const STEP = 100;

const timeline = document.getElementById("channel-timeline");
const messages = document.getElementById("channel-message-list");
let newest;
let until = 0;

setInterval(() => {
  if (performance.now() < until) timeline.scrollTop = timeline.scrollHeight;
}, STEP);

new MutationObserver(() => {
  const id = messages.lastElementChild?.dataset.messageId;
  if (id && id !== newest) until = performance.now() + WHILE;
  newest = id;
}).observe(messages, { childList: true });

for (const scrolling of ["wheel", "touchmove", "keydown"]) {
  timeline.addEventListener(scrolling, () => { until = 0; }, { passive: true });
}
