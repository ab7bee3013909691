/** Put into the studio's page by `studio.py`: when is a face on the screen, and how does it scroll? */

globalThis.deckwrightWatch = (() => {
  let wanted = "";
  let waiting = new Set();
  let told = [];
  let tell = () => {};

  const keyOf = (tile) => tile.dataset.key;

  /** Note when a picture is decoded and a frame was drawn with it. */
  async function painted(picture, key) {
    const source = picture.src;
    await picture.decode().catch(() => {});
    if (picture.src !== source) return;
    requestAnimationFrame(() => setTimeout(() => {
      const now = Date.now();
      waiting.delete(key);
      if (key.split(":")[1] === wanted) told[0] ??= now;
      if (!waiting.size) told[1] ??= now;
      if (told[0]) tell();
    }));
  }

  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const tile = target.closest?.(".tile");
      if (tile && target.matches("img:not(.before)")) painted(target, keyOf(tile));
    }
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ["src"] });

  const onScreen = () => [...document.querySelectorAll(".tile")].filter((tile) => {
    const { top, bottom } = tile.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });

  return {
    /** Begin to watch for a card, and for all that are on the screen now. */
    expect(card) {
      wanted = card;
      waiting = new Set(onScreen().map(keyOf));
      told = [];
    },

    /** Give when the card was shown, and with `all` when all on the screen were. */
    async shown(all) {
      const patience = performance.now() + 60_000;
      while (!(told[0] && (!all || told[1]))) {
        if (performance.now() > patience) return null;
        await Promise.race([new Promise((done) => (tell = done)), new Promise((done) => setTimeout(done, 1000))]);
      }
      return told;
    },

    /** Scroll to the end; give the long tasks and the time between frames, in milliseconds. */
    async scroll() {
      const tasks = [];
      const frames = [];
      const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
      observer.observe({ type: "longtask" });
      const root = document.scrollingElement;
      for (let last = performance.now(); root.scrollTop + innerHeight < root.scrollHeight - 2;) {
        root.scrollTop += 120;
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        last = now;
      }
      await new Promise((done) => setTimeout(done, 500));
      return [tasks, frames];
    },
  };
})();
