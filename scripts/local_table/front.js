// Follows the conversation: SimCord's page keeps the answer to the last press in view, but a player
// wants to see the newest message with its buttons. Pictures load late, and each pushes it down.

const WHILE = 2000;
const STEP = 100;

const timeline = document.getElementById("channel-timeline");
const messages = document.getElementById("channel-message-list");
let newest;
let following = false;
let until = 0;

setInterval(() => {
  if (performance.now() < until) timeline.scrollTop = timeline.scrollHeight;
}, STEP);

new MutationObserver(() => {
  const id = messages.lastElementChild?.dataset.messageId;
  if (id && id !== newest) {
    following = true;
    until = performance.now() + WHILE;
  }
  newest = id;
}).observe(messages, { childList: true });

new ResizeObserver(() => {
  if (following) until = performance.now() + WHILE;
}).observe(messages);

for (const scrolling of ["wheel", "touchmove", "keydown"]) {
  timeline.addEventListener(scrolling, () => { following = false; until = 0; }, { passive: true });
}

for (const way of document.querySelectorAll("#places a")) {
  if (way.hash !== location.hash) continue;
  way.setAttribute("aria-current", "page");
  way.scrollIntoView({ block: "nearest", inline: "center" });
}
